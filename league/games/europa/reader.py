"""EUROPA's order language (chapter 8.3): a mail, line by line; `reading.py` reads one and lists the mistakes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from league.core.orders import Line, Mistake, Parsed, Press
from league.games.europa import reading
from league.games.europa.board import Board
from league.games.europa.book import CHAPTER
from league.games.europa.orders import Order, Ready
from league.games.europa.reader_doubt import Row, doubted, within
from league.games.europa.reading import Names, NotUnderstood, party_names, read_order, shown, tokens, wrong
from league.language.lines import Aside, BadPress, StandingEnd, Written, split, unsure_boxes
from league.language.names import NameIndex, Thing
from league.language.words import Keywords, read_keywords

LONGEST_LINE: Final = 1000
_TALK: Final = 6  # a line of more words that begins like an order and names nothing is talk
_OPEN: Final = (",", ";", ":", ">", "→", "+", "&", "<", "=", ".", "<=", ">=")  # a line that ends so goes on in the next
_JOINS: Final = ("then", "else", "and", "propose", "yes", "no", "policy", "move", "stay")


@dataclass(frozen=True, slots=True)
class Reader:
    """The order language with a board's names; made once by `make_reader`."""

    names: Names
    talk: Keywords

    def parse(self, text: str) -> Parsed[Order]:
        """A mail's fresh text, line by line."""
        rows: list[Row] = []
        press: list[Press] = []
        for part in split(text, self.names.words, looks=self._looks):
            match part:
                case Press():
                    press.append(part)
                case BadPress():
                    rows.append(Row(-1, part.text, "", mistake=Mistake(part.reason, CHAPTER)))
                case Written():
                    self._add(rows, part)
                case Aside(echo=written) if written and self._looks(written):
                    rows.append(Row(-1, part.text, "", mistake=Mistake("echo", CHAPTER)))
                case Aside() | StandingEnd():
                    pass
        lines: tuple[Line[Order], ...] = tuple(
            Line(row.text, row.order, row.mistake)
            for row in _only_sure(_ticked(doubted(rows, self.talk)))
            if not row.is_talk
        )
        orders = [line.order for line in lines if line.order is not None]
        final = any(isinstance(order, Ready) for order in orders)
        return Parsed(lines, tuple(press), replaces=bool(orders), final=final)

    def _looks(self, bare: str) -> bool | None:
        """What a line under a press would be by itself: an order, nearly one (None), or talk."""
        row = self._read(0, bare, bare, talks=True)
        return True if row.order is not None else None if row.mistake is not None else False

    def _add(self, rows: list[Row], part: Written) -> None:
        """Takes a line up; one that goes on with the order right above it is read together with that."""
        above = rows[-1] if rows else None
        if above is not None and above.row == part.row - 1 and not above.is_talk and self._goes_on(above, part):
            whole = self._read(part.row, f"{above.text} {part.text}", f"{above.bare} {part.bare}")
            if whole.order is not None or above.order is None:
                rows[-1] = replace(whole, box=above.box or part.box)
                return
        new = self._read(part.row, part.text, part.bare)
        rows.append(replace(new, box=part.box) if part.box else new)

    def _goes_on(self, above: Row, part: Written) -> bool:
        words, last = tokens(part.bare), tokens(above.bare)[-1:]
        if not words or words[0] in self.names.words.verbs:
            return False
        role = self.names.words.role
        return last[0] in _OPEN or words[0] in _OPEN or any(words[0] in role(name) for name in _JOINS)

    def _read(self, row: int, text: str, bare: str, *, talks: bool = False) -> Row:
        """One line. `talks`: it may well be talk, and an order within it is nothing to ask about."""
        if len(bare) > LONGEST_LINE:
            return self._too_long(row, text, bare)
        words = self._without_fillers(tokens(bare))
        if not words:
            return Row(row, text, bare)
        verb = self.names.words.verbs.get(words[0])
        try:
            if verb is None:
                self._refuse_attempt(words, bare)
                found = within(self.names, words, self.talk) if not talks else None
                return Row(row, text, bare, mistake=found[0], buried=found[1]) if found else Row(row, text, bare)
            order = read_order(verb, reading.Line(self.names, words, 1))
            if bare.rstrip(" \"')").endswith(("?", "？")):
                raise wrong("question")
        except NotUnderstood as why:
            talk = verb is not None and self._is_talk(words)
            return Row(row, text, bare, mistake=None if talk else why.mistake)
        return Row(row, text, bare, order=order)

    def _without_fillers(self, words: Sequence[str]) -> tuple[str, ...]:
        """Without what politeness and punctuation put around an order."""
        around, start, end = self.names.words.role("filler"), 0, len(words)
        while start < end and words[start] in around:
            start += 1
        while end > start and (words[end - 1] in around or words[end - 1] in (".", ";", ",")):
            end -= 1
        return tuple(words[start:end])

    def _is_talk(self, words: Sequence[str]) -> bool:
        """`Peace, my friends, will come …`: long, and it names neither number, country nor coalition."""
        return len(words) > _TALK and not any(w.isdigit() or w in self.names.countries.exact for w in words)

    def _refuse_attempt(self, words: Sequence[str], bare: str) -> None:
        near = self.names.words.near(words[0])
        names = self.names.countries.exact
        if near and any(word.isdigit() or word in names for word in words[1:]):
            raise wrong("unknown_verb", written=shown(bare), suggestions=near)

    def _too_long(self, row: int, text: str, bare: str) -> Row:
        begins = tokens(bare[:80])[:1]
        text = text[:LONGEST_LINE] + "…"
        if not begins or begins[0] not in self.names.words.verbs:
            return Row(row, text, bare)
        return Row(row, text, bare, mistake=Mistake("too_long", CHAPTER, {"limit": LONGEST_LINE}))


def _ticked(rows: Sequence[Row]) -> Sequence[Row]:
    """Where some orders of a list are ticked the others are asked about."""
    unsure = unsure_boxes(row.box for row in rows if row.order is not None)
    if not unsure:
        return rows
    doubt = Mistake("unticked", CHAPTER)
    doubted = (row.order is not None and row.box in unsure for row in rows)
    return [replace(row, order=None, mistake=doubt) if is_so else row for row, is_so in zip(rows, doubted, strict=True)]


def _only_sure(rows: Sequence[Row]) -> Sequence[Row]:
    """Nothing is final beside a line that wasn't understood: the phase could close before its player can mend it."""
    if all(row.mistake is None for row in rows):
        return rows
    unsure = Mistake("final_unsure", CHAPTER)
    return [replace(row, order=None, mistake=unsure) if isinstance(row.order, Ready) else row for row in rows]


def make_reader(
    board: Board, keywords: Mapping[str, Any], talk: Mapping[str, Any], exonyms: Mapping[str, Any] | None = None
) -> Reader:
    """The reader of a board's names."""
    things = [Thing(country.id, country.spellings) for country in board.countries]
    parties = {party.id: (party.id, *party.names.values()) for party in board.parties}
    cards = frozenset(country.id for country in board.countries if not country.round)
    return Reader(
        Names(NameIndex.build(things, exonyms=exonyms), party_names(parties), read_keywords(keywords), cards),
        read_keywords(talk),
    )
