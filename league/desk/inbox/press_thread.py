"""A mail in the thread of a player's message: whether its text is for who wrote that, or for the league.

What is passed on goes to a rival and can't be had back. So a reply is passed on by itself only where each of its lines
is talk; where one may be an order with a slip its writer is asked, and says what he means by `press back: …`, which
works without a name. An order in a reply is an order if it stands alone in its line (`press_doubt.py`), and the answer
says that nothing was passed on.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from sqlalchemy import Connection

from league.core.orders import Line, Parsed, Press
from league.desk.post.roster import command_words
from league.intake.message import Letter
from league.intake.read import Reading
from league.intake.screen import Verdict
from league.language.fold import fold
from league.storage import outbox

KIND, REPLY = "press", "press_reply"
ANSWERS, QUOTES = "answers", "quotes"  # a message of another player
_LEAST: Final = 4  # words of a sentence that is said to somebody
_ASKS: Final = ("?", "？")
_OWN_MISTAKES: Final = (
    "press",
    "order_in_press",
    "talk_or_order",
    "standing",
    "final",
    "echo",
    "too_long",
)  # of no sentence
_ARROW: Final = " → "  # between writer and readers in a message that was passed on
_PASSED_ON = re.compile(rf"^[\s>|»]*\|\s*\S.{{0,80}}{_ARROW}\S", re.MULTILINE)
_MOST_IDS: Final = 20
_WRITER_UNNAMED, _READER_UNNAMED = "w", "r"


@dataclass(frozen=True, slots=True)
class Answered:
    """The message that a mail answers: whose it was, and who of both isn't named to the other in this thread.

    Whoever wrote without a name stays unnamed down the whole thread: an answer to an answer names nobody either.
    """

    author: str = ""
    author_unnamed: bool = False
    reader_unnamed: bool = False


NOBODY: Final = Answered()


def is_back(message: Press) -> bool:
    """Whether it is for the writer of the message that its mail answers: `press back: …`, also `anonymous back`."""
    role = command_words().keywords.role
    said = [word for name in message.to for word in fold(name).split()]
    meant = [word for word in said if word not in role("anonymous") | role("press_to")]
    return len(message.to) == 1 and len(meant) == 1 and meant[0] in role("press_back")


def is_unnamed(message: Press) -> bool:
    """Whether the line itself says that its writer isn't to be named."""
    return any(not command_words().keywords.role("anonymous").isdisjoint(fold(name).split()) for name in message.to)


def marked(kind: str, *, writer_unnamed: bool, reader_unnamed: bool) -> str:
    """A passed-on message as our books know it, with who isn't named in it: an answer to it goes by that."""
    marks = (_WRITER_UNNAMED if writer_unnamed else "") + (_READER_UNNAMED if reader_unnamed else "")
    return f"{kind}/{marks}" if marks else kind


def answered_by(kind: str) -> Answered:
    """The message that a mail of ours passed on; nobody's for every other mail."""
    name, *rest = kind.split("/")
    if name != KIND or not rest:
        return NOBODY
    marks = "".join(rest[3:])
    return Answered(rest[0], _WRITER_UNNAMED in marks, _READER_UNNAMED in marks)


def author_of(kind: str) -> str:
    """The seat whose message a mail of ours passed on; nothing for every other mail."""
    return answered_by(kind).author


def answered(letter: Letter) -> str:
    """The id of the mail that is answered."""
    return next(iter((*letter.in_reply_to, *letter.references[-1:])), "")


def answered_author(connection: Connection, letter: Letter, seat_id: int) -> str:
    """The seat whose message the mail answers, if it answers one."""
    named = answered(letter)
    return author_of(outbox.kind_of(connection, named, seat_id)) if named else ""


def in_its_thread(connection: Connection, letter: Letter, seat_id: int) -> Answered:
    """The message that is the nearest one in the mail's thread, our own questions about the reply passed over."""
    ids = dict.fromkeys((*letter.in_reply_to, *reversed(letter.references)))
    found = (answered_by(outbox.kind_of(connection, one, seat_id)) for one in list(ids)[:_MOST_IDS])
    return next((one for one in found if one.author), NOBODY)


def without_signature(text: str, names: Iterable[str]) -> str:
    """The text without its writer's own name at its end, where he isn't to be named."""
    own, rows = {fold(name) for name in names if name}, text.rstrip().split("\n")
    while len(rows) > 1 and (not rows[-1].strip() or fold(rows[-1]).strip(" .,!-–—*_") in own):
        del rows[-1]
    return "\n".join(rows).rstrip()


def in_thread(connection: Connection, reading: Reading, seat_id: int) -> Reading:
    """The reading with what its answer has to say of a message that it answers or quotes."""
    if not reading.verdict.is_read or reading.parsed.press or not _may_be_press(reading):
        return reading
    if answered_author(connection, reading.letter, seat_id):
        return replace(reading, thread=ANSWERS)
    quotes = not reading.says_something and _PASSED_ON.search(reading.letter.text)
    return replace(reading, thread=QUOTES) if quotes else reading


def _may_be_press(reading: Reading) -> bool:
    """Whether it answers a mail or holds more than orders or quotes: of most mails nothing needs to be looked up."""
    if reading.parsed.orders and answered(reading.letter):
        return True
    said = sum(bool(line.strip()) for line in reading.letter.fresh.splitlines())
    return said > len(reading.parsed.orders) + len(reading.commands) or _ARROW in reading.letter.text


def is_talk(reading: Reading) -> bool:
    """Whether all of a reply is said to the writer of the message that it answers.

    Nothing in it is understood, and no line looks like an order or a command with a slip: that one would be told to a
    rival and lost.
    """
    nothing = reading.verdict is Verdict.ASK and reading.reason == "no_orders"
    slips = bool(reading.commands) or not all(_is_said(line, reading) for line in reading.parsed.lines)
    fresh = reading.letter.fresh
    return nothing and not slips and bool(fresh.strip()) and not any(map(_names_press, fresh.splitlines()))


def _names_press(line: str) -> bool:
    """`press Carla hello`: meant for somebody else, perhaps, and not quite said so."""
    keywords = command_words().keywords
    return not keywords.role("press").isdisjoint(keywords.words(line)[:1])


def _is_said(line: Line[Any], reading: Reading) -> bool:
    """A question, or a sentence to somebody: `I won't attack France if you leave Spain`."""
    mistake = line.mistake
    if mistake is None:
        return False
    if mistake.reason.startswith(_OWN_MISTAKES):
        return False
    if line.text.rstrip().endswith(_ASKS):
        return True
    return not mistake.facts.get("suggestions") and _addresses(line.text) and not _commands(line.text, reading)


def _commands(text: str, reading: Reading) -> bool:
    """Whether it begins as an order does, and not with `take you …`: perhaps the league is spoken to."""
    keywords = command_words().keywords
    words = [word for word in keywords.words(text) if word not in keywords.role("filler")]
    is_to_you = not keywords.role("you").isdisjoint(words[1:2])
    return bool(words) and not is_to_you and bool(reading.reader.parse(words[0]).lines)


def _addresses(text: str) -> bool:
    """Whether somebody is spoken to, and not we, who are asked to carry something out or are thanked."""
    keywords = command_words().keywords
    words = keywords.plain(keywords.words(text))
    if len(words) < _LEAST or not _pairs(words).isdisjoint(keywords.role("to_us")):
        return False
    return not keywords.role("you").isdisjoint(words)


def _pairs(words: tuple[str, ...]) -> set[str]:
    return {" ".join(pair) for pair in pairwise(words)}


def as_reply(reading: Reading) -> Reading:
    """A mail without an order that answers a message: press to who wrote it."""
    back = min(command_words().keywords.role("press_back"))
    press: Parsed[Any] = Parsed((), (Press((back,), reading.letter.fresh),))
    return replace(reading, verdict=Verdict.ACCEPTED, reason=REPLY, parsed=press, commands=(), thread="")


def goes_back(press: Iterable[Press]) -> bool:
    """Whether one of these messages is for the writer of the message that the mail answers."""
    return any(map(is_back, press))
