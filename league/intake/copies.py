"""Is it a mail that came before? Told by its author, the id that his program gave it, and what it says.

A mail with neither id nor date says nothing by which two deliveries of it differ, so time does: copies of one
delivery come within minutes, and what comes later was sent again (MAIL.md, hazards 48 to 51).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from league.intake.message import UNDATED, Letter, content_key, said

COPIES = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is kept of a mail to know it, or its rest, again."""

    content_key: str
    extent: int
    arrived: datetime | None

    @classmethod
    def of(cls, letter: Letter) -> "Earlier":
        """A mail that came."""
        return cls(letter.content_key, letter.extent, letter.arrived)


Seen = Mapping[tuple[str, str], tuple[Earlier, ...]]  # by author and message id


def remember(seen: dict[tuple[str, str], tuple[Earlier, ...]], letter: Letter) -> None:
    """Another mail came."""
    seen[letter.key] = (*seen.get(letter.key, ()), Earlier.of(letter))


def is_copy(letter: Letter, seen: Seen) -> bool:
    """The same message by another way, or fetched again."""
    alike = (one for one in seen.get(letter.key, ()) if one.content_key == letter.content_key)
    return any(not _is_sent_again(letter, one) for one in alike)


def has_other_content(letter: Letter, seen: Seen) -> bool:
    """One id with two texts; but not if an earlier one was cut short on its way and this is the whole of it."""
    earlier = seen.get(letter.key, ())
    if not earlier or letter.message_id.startswith(UNDATED):
        return False
    words = said(letter.text)
    return not any(_begins(one, letter.author, words) for one in earlier)


def _is_sent_again(letter: Letter, earlier: Earlier) -> bool:
    if not letter.message_id.startswith(UNDATED) or letter.arrived is None or earlier.arrived is None:
        return False
    return abs(letter.arrived - earlier.arrived) > COPIES


def _begins(earlier: Earlier, author: str, words: str) -> bool:
    is_shorter = 0 < earlier.extent < len(words)
    return is_shorter and content_key(author, words[: earlier.extent]) == earlier.content_key
