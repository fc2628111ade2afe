"""What the organizer writes by mail, and that no mail of ours opens a message."""

import pytest

from league.desk.post.roster import any_order_or_press, steering_words
from league.language.steering import read_steering
from league.reports.texts import guard


def test_a_message_swallows_no_line_of_the_organizers() -> None:
    """A press without `end` goes to the mail's end, but what asks for something below it is carried out."""
    steered = read_steering("press to all: hello\n\nextend spring 24 hours\n", steering_words(), ["spring"])
    assert [(line.id, line.league, line.facts) for line in steered.lines] == [("extend", "spring", {"hours": 24})]


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n[1] x\n\n"])
def test_no_mail_of_ours_opens_a_message(gap: str) -> None:
    """A heading that reads as press takes up what stands below it, blank lines between them or not."""
    text = f"press to all:{gap}hello there\n"
    assert any_order_or_press(text)
    assert not any_order_or_press(guard(text, any_order_or_press))
