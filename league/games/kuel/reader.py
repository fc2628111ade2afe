"""KUEL's order language (chapter 11): reading a mail, line by line.

Why a line isn't understood is told by a `Mistake`; all reasons and their facts are listed in `reading.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from league.core.json import Json
from league.core.orders import Line, Mistake, Parsed, Press
from league.games.kuel import reading
from league.games.kuel.orders import (
    REPLACING,
    SIMPLE,
    Attack,
    Bid,
    Condition,
    Devastate,
    Leave,
    MapChoice,
    Move,
    Order,
    Pass,
    Result,
    Settings,
    Take,
    notation,
)
from league.games.kuel.reader_doubt import is_buried
from league.games.kuel.reading import NotUnderstood, Phrase, wrong
from league.language.conditions import Conditional, Cut, Form, begins, cuts, read_forms
from league.language.doubt import goes_on, hangs, names_a_round, takes_back
from league.language.fold import clean, fold
from league.language.lines import NO_MARKS, Aside, BadPress, StandingEnd, Written, split, unsure_boxes
from league.language.names import NameIndex, Thing
from league.language.standing import Marked, Marks, ends, find, is_alone, read_marks
from league.language.words import Keywords, read_keywords

LONGEST_LINE: Final = 500
LONGEST_SETTINGS: Final = 300
_WRAPPED: Final = 60  # a line is only taken for hard-wrapped if the next word would not have fitted in this
_UNDER_CONDITION: Final = (Take, Attack, Leave, Devastate, Pass)
_CHOICE_RULES: Final = {"map": "K63", "settings": "K64"}


@dataclass(frozen=True, slots=True)
class Read:
    """A mail read: what `Game.parse` answers, and the lines that were not taken for orders at all."""

    parsed: Parsed[Order]
    prose: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """One line on its way: `outcome` None is prose."""

    part: Written
    line: Phrase
    outcome: Order | Mistake | None
    standing: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """The order language with a board's names and a table of words; made once by `make_reader`."""

    names: NameIndex
    maps: NameIndex
    words: Keywords
    english: Mapping[str, str]
    forms: tuple[Form, ...] = ()  # none: the league has no conditions
    marks: Marks = NO_MARKS
    keeps: bool = False  # the league has standing orders

    def parse(self, text: str, names: Mapping[str, str] | None = None) -> Parsed[Order]:
        """A mail's fresh text, line by line. `names`: seat -> display name, for `winner P`."""
        return self.read(text, names).parsed

    def read(self, text: str, names: Mapping[str, str] | None = None) -> Read:
        """As `parse`, with the lines that were not read as orders."""
        names = names or {}
        lines: list[Line[Order] | _Reading] = []
        press: list[Press] = []
        prose: list[str] = []
        ended = False  # the last word counts: what is marked above it isn't kept
        for part in split(text, self.words, self.marks, lambda bare: self._looks(bare, names)):
            match part:
                case Press():
                    press.append(part)
                case Aside(echo=written) if written and self._looks(written, names):
                    facts: dict[str, Json] = {"written": reading.shown(written)}
                    lines.append(Line(part.text, mistake=Mistake("echo", reading.LANGUAGE, facts)))
                case Aside():
                    prose.append(part.text)
                case BadPress():
                    lines.append(Line(part.text, mistake=Mistake(part.reason, reading.LANGUAGE)))
                case StandingEnd(sure=True) if self.keeps:
                    ended, lines = True, [_unmarked(line) for line in lines]
                case StandingEnd():
                    reason = "standing_end" if self.keeps else "standing_off"
                    lines.append(Line(part.text, mistake=Mistake(reason, reading.LANGUAGE)))
                case Written():
                    self._add(lines, self._read(part, names), names)
        return self._gathered(_ticked(lines), press, prose, ended=ended)

    def _looks(self, bare: str, names: Mapping[str, str]) -> bool | None:
        """What a line under a press would be by itself: an order, nearly one (None), or talk."""
        if self.keeps and ends(bare, self.marks, self.words) is True:
            return True
        outcome = self._read(Written(bare, bare, 0), names).outcome
        return True if _is_order(outcome) else None if outcome is not None else False

    def notation(self, order: Order) -> str:
        """The order in English, as `parse` reads it back; a winner is named by his seat."""
        return notation(order, self.english)

    def _gathered(
        self, lines: Sequence[Line[Order] | _Reading], press: Sequence[Press], prose: Sequence[str], *, ended: bool
    ) -> Read:
        done: list[Line[Order]] = []
        aside = list(prose)
        orders = any(isinstance(line, _Reading) and _is_order(line.outcome) for line in lines)
        heading = ""  # of another round, over what is below it
        for line in lines:
            if isinstance(line, Line):
                done.append(line)
            elif line.outcome is None and orders and is_buried(line.line, self.names):
                done.append(Line(line.part.text, mistake=_buried(line.part.bare)))
            elif line.outcome is None:
                aside.append(line.part.text)
                if any(one.order for one in done) and names_a_round(line.line.plain, self.words):
                    heading = line.part.bare
            elif isinstance(line.outcome, Mistake):
                done.append(Line(line.part.text, mistake=line.outcome))
            elif heading:
                facts: dict[str, Json] = {"written": reading.shown(heading)}
                done.append(Line(line.part.text, mistake=Mistake("other_round", reading.LANGUAGE, facts)))
            else:
                done.append(Line(line.part.text, order=line.outcome, standing=line.standing))
        replaces = any(isinstance(line.order, REPLACING) for line in done)
        return Read(Parsed(tuple(done), tuple(press), replaces, ended), tuple(aside))

    def _add(self, lines: list[Line[Order] | _Reading], new: _Reading, names: Mapping[str, str]) -> None:
        """Takes a line up, in the light of the one right above it if that was no order."""
        above = lines[-1] if lines else None
        if not isinstance(above, _Reading) or not 1 <= new.part.row - above.part.row <= _gap(above):
            lines.append(new)
        elif self._goes_on(above, new):
            lines[-1] = self._read(_joined(above.part, new.part), names)
        elif _is_order(above.outcome):
            lines[-1:] = [self._unless_taken_back(above, new), new]
        elif _is_order(new.outcome):
            self._add_below(lines, above, new, names)
        else:
            whole = self._unwrapped(above.part, new.part, names)
            lines[-1:] = [whole] if whole is not None else [above, new]

    def _add_below(
        self, lines: list[Line[Order] | _Reading], above: _Reading, new: _Reading, names: Mapping[str, str]
    ) -> None:
        """An order right under a line that was none: perhaps the other half of a condition, or hung on its doubt."""
        told = isinstance(above.outcome, Mistake)
        verb = bool(above.line.verbs)
        doubt = hangs(above.line.plain, above.part.bare, self.words, told=told and verb)
        if doubt and self.forms and begins(above.line.plain, self.words):
            whole = self._read(_joined(above.part, new.part), names)
            if _is_order(whole.outcome):
                lines[-1] = whole
                return
        is_listed = new.part.text != new.part.bare
        if doubt:
            lines.append(replace(new, outcome=self._doubted(new, doubt)))
        elif not is_listed and goes_on(above.line.plain, above.part.bare, new.part.bare, self.words, told=told):
            facts: dict[str, Json] = {"written": reading.shown(above.part.bare)}
            lines.append(replace(new, outcome=Mistake("goes_on", reading.LANGUAGE, facts)))
        else:
            lines.append(new)

    def _unless_taken_back(self, above: _Reading, new: _Reading) -> _Reading:
        """An order, or why it isn't one after what the line right below it says."""
        word = "" if _is_order(new.outcome) else takes_back(new.part.bare, new.line.plain, self.words)
        facts: dict[str, Json] = {"written": reading.shown(new.part.bare)}
        return replace(above, outcome=Mistake("taken_back", reading.LANGUAGE, facts)) if word else above

    def _unwrapped(self, above: Written, below: Written, names: Mapping[str, str]) -> _Reading | None:
        """Two lines that are an order only together, if a mail program broke it for being long."""
        first = below.bare.partition(" ")[0]
        if len(above.text) + 1 + len(first) <= _WRAPPED or len(above.text) > 2 * _WRAPPED:
            return None
        whole = self._read(_joined(above, below), names)
        return whole if _is_order(whole.outcome) else None

    def _doubted(self, new: _Reading, word: str) -> Mistake:
        reason = "conditional" if word in self.words.role("condition") else "negated"
        return Mistake(reason, reading.LANGUAGE, {"verb": _named(new.line.verb), "written": word})

    def _goes_on(self, above: _Reading, new: _Reading) -> bool:
        """Whether the line is the other half of the condition right above it: `else …`."""
        opens = bool(self.forms) and isinstance(above.outcome, Conditional)
        return opens and not self.words.role("else").isdisjoint(new.line.plain[:1])

    def _read(self, part: Written, names: Mapping[str, str]) -> _Reading:
        if len(part.bare) > LONGEST_LINE:
            return self._too_long(part)
        plain = self._read_line(part, names)
        # A mark is one only where the line with it is no order: `settings Paris: as always` is what it says.
        marked = None if _is_order(plain.outcome) else self._marked(part, plain.line)
        kept = self._standing(part, marked, names) if marked is not None else plain
        return plain if kept.outcome is None else kept

    def _marked(self, part: Written, line: Phrase) -> Marked | None:
        if is_alone(line.plain, self.marks, self.words):
            return Marked("", part.bare.rstrip(":："))
        return find(part.bare, line.plain, self.marks, self.words)

    def _standing(self, part: Written, marked: Marked, names: Mapping[str, str]) -> _Reading:
        """A line marked as standing, where it is an order without the mark."""
        within = self._read_line(Written(part.text, marked.rest, part.row), names)
        if marked.rest and not _is_order(within.outcome):
            return replace(within, part=part)
        why = None
        if not self.keeps:
            why = Mistake("standing_off", reading.LANGUAGE)
        elif not marked.rest:
            why = Mistake("standing_alone", reading.LANGUAGE, {"written": reading.shown(marked.written)})
        elif marked.meant:
            facts: dict[str, Json] = {"written": reading.shown(marked.written), "meant": marked.meant}
            why = Mistake("standing_misspelt", reading.LANGUAGE, facts)
        elif not isinstance(within.outcome, REPLACING):
            why = Mistake("standing_order", reading.LANGUAGE, {"written": reading.shown(marked.rest)})
        return _Reading(part, within.line, why or within.outcome, standing=why is None)

    def _read_line(self, part: Written, names: Mapping[str, str]) -> _Reading:
        line = reading.phrase(part.bare, self.words)
        try:
            return _Reading(part, line, self._order(part.bare, line, names))
        except NotUnderstood as why:
            return _Reading(part, line, why.mistake)

    def _too_long(self, part: Written) -> _Reading:
        head = part.bare[:LONGEST_LINE]
        line = reading.phrase(head, self.words)
        cut = Written(part.text[:LONGEST_LINE] + "…", head, part.row)
        begins = bool(line.verbs) and not reading.trimmed(line.words[: line.verbs[0].places[0]], self.words)
        mistake = Mistake("too_long", reading.LANGUAGE, {"verb": _named(line.verb), "limit": LONGEST_LINE})
        return _Reading(cut, line, mistake if begins else None)

    def _order(self, text: str, line: Phrase, names: Mapping[str, str]) -> Order | None:
        if not line.words:
            return None
        if self.forms and line.verbs and begins(line.plain, self.words):
            return self._conditional(text, line, names)
        choice = self._choice(text)
        if choice is not None:
            return choice
        if not line.verbs:
            self._refuse_attempt(text, line, names)
            return None
        order = self._result(line, names) if line.verb == "result" else self._plain(text, line)
        if order is not None and _asks(text):
            raise wrong("question", verb=line.verb)
        return order

    def _conditional(self, text: str, line: Phrase, names: Mapping[str, str]) -> Order | None:
        """`if … take X else take Y`: the one way in which all of the line makes sense."""
        found: dict[Conditional[Condition, Move], None] = {}
        why: NotUnderstood | None = None
        for cut in cuts(line.words, line.plain, self.forms, self.words):
            try:
                condition = self._condition(cut, names)
            except NotUnderstood:
                continue
            try:
                otherwise = self._branch(cut.otherwise) if cut.otherwise is not None else None
                found[Conditional(condition, self._branch(cut.then), otherwise)] = None
            except NotUnderstood as fault:
                why = fault
        if len(found) == 1 and _asks(text):
            raise wrong("question", verb=line.verb)
        if len(found) == 1:
            return next(iter(found))
        if (
            not found
            and why is None
            and reading.is_prose(line, *_around(line, line.verbs[0].places), self.names, self.words)
        ):
            return None
        raise why if why is not None and not found else wrong("condition_unclear", written=reading.shown(text))

    def _condition(self, cut: Cut, names: Mapping[str, str]) -> Condition:
        country = self._country(cut.slots["country"], "") if "country" in cut.slots else ""
        player = reading.player(cut.slots["player"], country, names, self.words) if "player" in cut.slots else ""
        points = reading.points(cut.slots["points"]) if "points" in cut.slots else 0
        return Condition(cut.kind, country, player, points)

    def _branch(self, words: Sequence[str]) -> Move:
        """One of the two orders: a move of somebody who is in the game (a newcomer's choice comes before all moves)."""
        plain = self.words.plain(words)
        line = Phrase(tuple(words), plain, self.words.find_verbs(plain))
        written = reading.shown(words)
        if not line.verbs:
            raise wrong(
                "unknown_verb", written=written, suggestions=reading.suggested(line, self.words) if words else ()
            )
        order = self._plain(written, line)
        if not isinstance(order, _UNDER_CONDITION):
            raise wrong("condition_order", written=written)
        return order

    def _refuse_attempt(self, text: str, line: Phrase, names: Mapping[str, str]) -> None:
        players = frozenset(word for name in names.values() for word in fold(name).split())
        if reading.is_attempt(line, self.names, self.words, players):
            near, meant = reading.suggested(line, self.words), self.names.exonyms.exact(line.words)
            facts: dict[str, Json] = {"written": reading.shown(text), "suggestions": near}
            facts |= {"countries": meant} if meant else {}
            raise NotUnderstood(Mistake("unknown_verb", reading.LANGUAGE, facts))

    def _plain(self, text: str, line: Phrase) -> Order | None:
        """A line with one verb at its beginning or end."""
        verb = line.verbs[0]
        before, after = _around(line, verb.places)
        if reading.is_prose(line, before, after, self.names, self.words):
            return None
        reading.refuse_doubt(line, len(line.words), self.words)
        if len(line.verbs) > 1:
            verbs = tuple(dict.fromkeys(_named(found.id) for found in line.verbs))
            raise wrong("two_orders", verbs=verbs, candidates=())
        if verb.id == "unsure":
            raise wrong("unknown_verb", written=reading.shown(text), suggestions=())
        if verb.id == "pass":
            return self._pass(before, after)
        if verb.id == "bid":
            amount, target = reading.bid(self.words.plain(before), self.words.plain(after), self.words)
            return Bid(self._country(target, "bid"), amount)
        country = self._country(self._one_side(before, after, verb.id), verb.id)
        if verb.id in _CHOICE_RULES:
            raise wrong("missing_text", _CHOICE_RULES[verb.id], verb=verb.id, country=country)
        return SIMPLE[verb.id](country)

    def _pass(self, before: Sequence[str], after: Sequence[str]) -> Pass:
        rest = (*reading.without_fillers(before, self.words, "filler"), *reading.without_fillers(after, self.words))
        if rest:
            raise wrong("extra_words", verb="pass", written=reading.shown(rest), country="")
        return Pass()

    def _one_side(self, before: Sequence[str], after: Sequence[str], verb: str) -> Sequence[str]:
        """A verb stands first or last; words on both sides of it are more than an order."""
        if not before or not after:
            return before or after
        left, right = reading.trimmed(before, self.words, "filler"), reading.trimmed(after, self.words)
        if left and right:
            raise wrong("extra_words", verb=verb, written=reading.shown((*left, *right)), country="")
        return before if left else after if right else (*before, *after)

    def _result(self, line: Phrase, names: Mapping[str, str]) -> Order | None:
        """`result C won`, `result C lost`, `result C winner P`; what follows `winner` is a name, whatever it says."""
        places = [n for n, word in enumerate(line.plain) if word in self.words.outcomes]
        start, after = self._winner(line.plain, places)
        upto = len(line.words) if start is None else start
        reading.refuse_doubt(line, upto, self.words)
        others = tuple(found for found in line.verbs if found.id != "result" and found.places[0] < upto)
        if others:
            raise wrong("two_orders", verbs=("result", *(_named(found.id) for found in others)), candidates=())
        skip = {*line.verbs[0].places, *places}
        country = self._country(tuple(w for n, w in enumerate(line.words[:upto]) if n not in skip), "result")
        if start is not None:
            return self._won_by(country, line.words[after:], names)
        said = {self.words.outcomes[line.plain[n]] for n in places}
        if len(said) != 1:
            raise wrong("two_outcomes" if said else "missing_outcome", "K33", country=country)
        return Result(country, said.pop())

    def _winner(self, plain: Sequence[str], places: Sequence[int]) -> tuple[int | None, int]:
        """Where `winner` stands and where the name after it begins; `won by` is the same word."""
        for place in places:
            outcome = self.words.outcomes[plain[place]]
            if outcome == "winner":
                return place, place + 1
            if outcome == "won" and plain[place + 1 : place + 2] and plain[place + 1] in self.words.role("by"):
                return place, place + 2
        return None, 0

    def _won_by(self, country: str, words: Sequence[str], names: Mapping[str, str]) -> Result:
        bare = [word for word in words if word not in self.words.role("filler") - self.words.role("self")]
        if len(bare) == 1 and bare[0] in self.words.role("self"):
            return Result(country, "won")
        return Result(country, "winner", reading.player(words, country, names, self.words))

    def _choice(self, text: str) -> Order | None:
        """`map C: M` and `settings C: S`; what follows the colon is free text."""
        head, colon, free = text.replace("：", ":").partition(":")
        if not colon:
            return None
        line = reading.phrase(head, self.words)
        if line.verb not in _CHOICE_RULES or len(line.verbs) > 1:
            return None
        before, after = _around(line, line.verbs[0].places)
        if not reading.trimmed((*before, *after), self.words) and ":" in free:  # `map: Paris: Vienna`
            target, _, free = free.partition(":")
            after = self.words.words(target)
        reading.refuse_doubt(line, len(line.words), self.words)
        country = self._country(self._one_side(before, after, line.verb), line.verb)
        return self._chosen(line.verb, country, clean(free))

    def _chosen(self, verb: str, country: str, free: str) -> Order:
        if not free:
            raise wrong("missing_text", _CHOICE_RULES[verb], verb=verb, country=country)
        if verb == "map":
            if _asks(free):
                raise wrong("question", verb=verb)
            words = self.words.words(free)
            return MapChoice(country, reading.country(words, "map", self.maps, self.words))
        if len(free) > LONGEST_SETTINGS:
            raise wrong("too_long", verb="settings", limit=LONGEST_SETTINGS)
        return Settings(country, free)

    def _country(self, words: Sequence[str], verb: str) -> str:
        return reading.country(words, verb, self.names, self.words)


def make_reader(
    board_table: Mapping[str, Any],
    keywords_table: Mapping[str, Any],
    *,
    exonyms: Mapping[str, Any] | None = None,
    conditions: bool = False,
    standing: bool = False,
) -> Reader:
    """The reader for a board's fields and a table of words; two things under one name are an error."""
    words = read_keywords(keywords_table)
    fields = tuple(board_table["field"])
    more = keywords_table.get("names", {})
    things = tuple(_thing(field, more.get(field["id"], ())) for field in fields)
    maps = tuple(_thing(f, (*more.get(f["id"], ()), *f.get("battle_map", {}).values())) for f in fields)
    articles = words.role("article")
    english = {field["id"]: field["name"]["en"] for field in fields}
    forms = read_forms(keywords_table.get("conditions", {})) if conditions else ()
    marks = read_marks(keywords_table)
    return Reader(
        NameIndex.build(things, articles, exonyms=exonyms),
        NameIndex.build(maps, articles, exonyms=exonyms),
        words,
        english,
        forms,
        marks,
        standing,
    )


def _buried(text: str) -> Mistake:
    facts: dict[str, Json] = {"verb": "", "written": reading.shown(text), "country": ""}
    return Mistake("extra_words", reading.LANGUAGE, facts)


def _gap(above: _Reading) -> int:
    """How far below a line the next one may begin to belong to it: a heading may have a blank line under it."""
    return 2 if above.outcome is None and above.part.bare.endswith((":", "：")) else 1


def _ticked(lines: Sequence[Line[Order] | _Reading]) -> Sequence[Line[Order] | _Reading]:
    """Where some orders of a list are ticked the others are asked about."""
    boxes = {line.part.box for line in lines if isinstance(line, _Reading) and _is_order(line.outcome)}
    unsure = unsure_boxes(boxes)
    if not unsure:
        return lines
    doubt = Mistake("unticked", reading.LANGUAGE)
    return [
        replace(line, outcome=doubt)
        if isinstance(line, _Reading) and _is_order(line.outcome) and line.part.box in unsure
        else line
        for line in lines
    ]


def _unmarked(line: Line[Order] | _Reading) -> Line[Order] | _Reading:
    return replace(line, standing=False)


def _joined(above: Written, below: Written) -> Written:
    return Written(f"{above.text} {below.text}", f"{above.bare} {below.bare}", below.row, above.box or below.box)


def _thing(field: Mapping[str, Any], more: Sequence[str]) -> Thing:
    groups = (field["name"], field.get("short", {}), field.get("capital", {}))
    names = (field["id"].replace("_", " "), *(name for names in groups for name in names.values()))
    return Thing(field["id"], (*names, *field.get("aliases", ()), *more), field["number"], field.get("code", ""))


def _asks(text: str) -> bool:
    return text.rstrip("\"'”’ )!.").endswith(("?", "？"))


def _around(line: Phrase, places: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words before the verb and those after it, the second part of one that splits left out."""
    first = places[0]
    return line.words[:first], tuple(w for n, w in enumerate(line.words) if n > first and n not in places)


def _is_order(outcome: Order | Mistake | None) -> bool:
    return outcome is not None and not isinstance(outcome, Mistake)


def _named(verb: str) -> str:
    return "" if verb == "unsure" else verb
