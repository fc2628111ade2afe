"""Lines around an order that make it uncertain, and orders within a line of talk: each is asked about (8.3).

The signs are those of every game (`language/doubt.py`); here they are applied to a mail's rows, top to bottom.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from league.core.json import Json
from league.core.orders import Mistake
from league.games.europa import reading
from league.games.europa.book import CHAPTER
from league.games.europa.orders import Order, Plan, Ready
from league.games.europa.reading import Names, NotUnderstood, read_order, shown
from league.language.doubt import goes_on, hangs, names_a_round, takes_back
from league.language.words import Keywords

_COLONS: Final = (":", "：")
_LONGEST_TALK: Final = 12  # words; an order in a longer line is asked about only beside others
_FEW: Final = 4  # words with which FINAL may be said in a sentence


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a mail: where it stands, what it says, and what it was read as; neither is talk."""

    row: int
    text: str
    bare: str
    order: Order | None = None
    mistake: Mistake | None = None
    box: str = ""
    buried: bool = False  # an order in a long line of talk, which is talk where no other order stands

    @property
    def is_talk(self) -> bool:
        """Whether it was not taken for an order at all."""
        return self.order is None and self.mistake is None

    def doubted(self, reason: str, **facts: Json) -> "Row":
        """The row, no longer an order."""
        return replace(self, order=None, mistake=Mistake(reason, CHAPTER, facts))


def within(names: Names, words: Sequence[str], talk: Keywords) -> tuple[Mistake, bool] | None:
    """Why a line with an order behind other words isn't one, and whether it is buried in a long line."""
    if names.words.verbs.keys().isdisjoint(words):  # most talk
        return None
    for at, word in enumerate(words[1:], start=1):
        if word in names.words.verbs and _is_order(names, words, at):
            before = talk.plain(talk.words(" ".join(words[:at])))
            return _reason(before, shown(" ".join(words[:at])), talk), len(words) > _LONGEST_TALK
    return None


def _is_order(names: Names, words: Sequence[str], at: int) -> bool:
    """Whether an order begins here; plans and FINAL, whose words are common, must be all of the rest."""
    line, verb = reading.Line(names, tuple(words[at:]), 1), names.words.verbs[words[at]]
    line.takes(":")
    try:
        order = read_order(verb, line, whole=False)
    except NotUnderstood:
        return False
    if isinstance(order, Ready):
        return not line.word and len(words) <= _FEW
    return not line.word or not isinstance(order, Plan)


def _reason(before: Sequence[str], written: str, talk: Keywords) -> Mistake:
    for reason, role in (("negated", "negation"), ("conditional", "condition")):
        word = next((word for word in before if word in talk.role(role)), "")
        if word:
            return Mistake(reason, CHAPTER, {"written": word})
    return Mistake("extra_words", CHAPTER, {"written": written})


def doubted(rows: Sequence[Row], talk: Keywords) -> Sequence[Row]:
    """The rows of a mail, an order that another line makes uncertain no longer one."""
    orders = any(row.order is not None for row in rows)
    if not orders:
        return (
            [replace(row, mistake=None) if row.buried else row for row in rows] if any(r.buried for r in rows) else rows
        )
    done: list[Row] = []
    heading = ""
    for row in rows:
        above = done[-1] if done and 1 <= row.row - done[-1].row <= _gap(done[-1]) else None
        if row.order is None:
            if above is not None and above.order is not None:
                done[-1] = _unless_taken_back(above, row, talk)
            if row.is_talk and any(one.order for one in done) and names_a_round(_words(row, talk), talk):
                heading = row.bare
            done.append(row)
        elif heading:
            done.append(row.doubted("other_round", written=shown(heading)))
        else:
            done.append(_hung(above, row, talk) if above is not None else row)
    return done


def _words(row: Row, talk: Keywords) -> Sequence[str]:
    return talk.plain(talk.words(row.bare))


def _gap(above: Row) -> int:
    """How far below a line the next one may begin to belong to it: a heading may have a blank line under it."""
    return 2 if above.is_talk and above.bare.endswith(_COLONS) else 1


def _unless_taken_back(above: Row, row: Row, talk: Keywords) -> Row:
    is_taken = takes_back(row.bare, _words(row, talk), talk)
    return above.doubted("taken_back", written=shown(row.bare)) if is_taken else above


def _hung(above: Row, row: Row, talk: Keywords) -> Row:
    """An order right under a line that was none."""
    if above.order is not None:
        return row
    words, told = _words(above, talk), above.mistake is not None
    if word := hangs(words, above.bare, talk, told=told):
        return row.doubted("conditional" if word in talk.role("condition") else "negated", written=word)
    is_listed = row.text != row.bare
    if words and not is_listed and goes_on(words, above.bare, row.bare, talk, told=told):
        return row.doubted("goes_on", written=shown(above.bare))
    return row
