"""Orders that may be said to another player: in a reply to his message, or right below a line of press.

`Please leave Lisbon.` is an order to us and a request to a rival in the same words, and taken for an order it stands in
the place of the real ones. So such a mail is asked about as a whole: nothing of it is carried out, nothing passed on.
An order that stands alone in its line, as our own notation has it, is one wherever it is written.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from league.core.orders import Line, Mistake, Parsed
from league.desk.inbox.press_thread import ANSWERS, is_back
from league.desk.post.roster import command_words
from league.intake.read import Reading
from league.intake.screen import Verdict
from league.language.fold import clean, fold
from league.language.lines import undecorated

TALK, WITHIN, HOLDS = "talk_or_order", "order_in_press", "press_holds_order"
_SENTENCE: Final = (".", "!", "…", "。", "！")
_CLOSING: Final = " \"'”’)"


def asked_about(reading: Reading) -> Reading:
    """The reading with nothing in it that counts, where it may be said to a player what reads as an order."""
    if reading.verdict is not Verdict.ACCEPTED:
        return reading
    parsed = reading.parsed
    if reading.thread == ANSWERS and any(line.order is not None and is_said(line.text) for line in parsed.lines):
        return _unsure(reading, tuple(_doubted(line, TALK) for line in parsed.lines))
    head = _half_said(reading)
    if head:
        lines = (Line(head, mistake=Mistake(HOLDS)), *(_doubted(line, WITHIN) for line in parsed.lines))
        return _unsure(reading, lines)
    return reading


def is_said(text: str) -> bool:
    """Whether a line is a sentence, or has courtesy or talk around its order: `Please leave Lisbon`, `I'll take 7`."""
    keywords = command_words().keywords
    bare = undecorated(clean(text))
    words = keywords.plain(keywords.words(bare))
    if not (keywords.role("talk_around") | keywords.role("you")).isdisjoint(words):
        return True
    edges = {*words[:1], *words[-1:]}
    return not keywords.role("talk_at_edge").isdisjoint(edges) or bare.rstrip(_CLOSING).endswith(_SENTENCE)


def _doubted(line: Line[Any], reason: str) -> Line[Any]:
    return line if line.order is None else Line(line.text, mistake=Mistake(reason))


def _unsure(reading: Reading, lines: tuple[Line[Any], ...]) -> Reading:
    slips = tuple(line for line in reading.commands if line.command is None)
    return replace(reading, verdict=Verdict.ASK, reason="no_orders", parsed=Parsed(lines), commands=slips)


def _half_said(reading: Reading) -> str:
    """The line of a press whose sentence may go on in lines that weren't passed on with it; "" if there is none.

    Orders in our notation below a press are orders. One that is a sentence, or nearly an order, may be half of a deal.
    """
    parsed = reading.parsed
    if not parsed.press:
        return ""
    unsure = [line.text for line in parsed.lines if line.mistake is not None or is_said(line.text)]
    if not unsure:
        return ""
    rows = [clean(row) for row in reading.letter.fresh.splitlines()]
    first = next((at for at, row in enumerate(rows) if row), 0)
    for at, row in enumerate(rows):
        if not _is_head(row):
            continue
        alone = at == first and len(parsed.press) == 1 and is_back(parsed.press[0])
        if any(text.startswith(below) for below in _below(rows[at + 1 :], alone=alone) for text in unsure):
            return row
    return ""


def _is_head(row: str) -> bool:
    keywords = command_words().keywords
    first = fold(undecorated(row)).split(maxsplit=1)[:1]
    return bool(first) and first[0].strip("\"'*_:") in keywords.role("press") and ":" in fold(row)


def _below(rows: list[str], *, alone: bool) -> Iterator[str]:
    """The lines that belong to a press by their place: its paragraph; all of them if the mail is nothing but it."""
    ends = command_words().keywords.role("end")
    for place, row in enumerate(rows):
        if (fold(row).strip(" .!-*_\"'") in ends) or _is_head(row) or (not row and place and not alone):
            return
        if row:
            yield row
