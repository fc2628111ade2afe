"""Events, reasons, orders and draws in words: facts go in, a sentence in the reader's language comes out.

The sentences lie in `templates/<game>/*.jinja`, one macro for each type or code. Countries stand in front with a
colon (`Poland: …`), so that no language needs an article, and players are named, so that none needs a pronoun.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from jinja2 import Environment, UndefinedError

from league import i18n
from league.core.json import Json
from league.core.orders import NO_FACTS, Fate, Hinge, Rehearsed, Ruling
from league.reports.context import Label, SiteInfo, Who
from league.reports.environment import environment, module_of
from league.reports.texts import clean

Facts = Mapping[str, Json]
HOUSE = SiteInfo(title="")
BLANKS = re.compile(r"\{why\}|\{if\}")


@dataclass(frozen=True)
class Say:
    """How one game's things, players and numbers are said in one language; macros get it as `say`."""

    lang: str
    label: Label
    who: Who
    game: str = "kuel"
    site: SiteInfo = HOUSE

    @cached_property
    def environment(self) -> Environment:
        """The templates in this language."""
        return environment(self.lang, self.site)

    @cached_property
    def _known(self) -> dict[tuple[str, str], Any]:
        """What was looked up: a page asks for the same words again and again."""
        return {}

    def words(self, name: str) -> object:
        """The macros and lists of one of the game's templates; nothing where the game has none."""
        found: object = module_of(self.environment, f"{self.game}/{name}.jinja")
        return found

    def land(self, thing: str) -> str:
        """A country, or whatever else the board names."""
        return self.label(thing, self.lang)

    def lands(self, things: Sequence[str]) -> str:
        """Countries, listed."""
        return i18n.listed([self.land(thing) for thing in things], self.lang)

    def lands_as(self, things: Sequence[str], form: str) -> str:
        """Countries within a sentence, listed, with the articles that the game's `FORMS` have for them."""
        forms = getattr(self.words("story"), "FORMS", {}).get(self.lang, {})
        names = [self.land(thing) for thing in things]
        return i18n.listed([forms.get(name, {}).get(form, name) for name in names], self.lang)

    def told(self, name: str, facts: Facts) -> str:
        """A sentence of a round's story."""
        return self._say("story", name, facts)

    def either(self, things: Sequence[str]) -> str:
        """Countries of which one is meant."""
        return i18n.either([self.land(thing) for thing in things], self.lang)

    def verbs(self, verbs: Sequence[str]) -> str:
        """Order words of which one is meant."""
        return i18n.either([self._say("verbs", verb, NO_FACTS) or verb for verb in verbs], self.lang)

    def name(self, seat: str) -> str:
        """A player's public name, made harmless."""
        key = "name", seat
        if key not in self._known:
            self._known[key] = clean(self.who(seat))
        return cast("str", self._known[key])

    def names(self, seats: Sequence[str]) -> str:
        """Players, listed."""
        return i18n.listed([self.name(seat) for seat in seats], self.lang)

    def number(self, value: int | str) -> str:
        """A number with the language's signs."""
        return i18n.number(value, self.lang)

    def signed(self, value: int) -> str:
        """A change with its sign."""
        return i18n.signed(value, self.lang)

    def day(self, value: str) -> str:
        """A day of an ISO date."""
        return i18n.day(value, self.lang)

    def date(self, value: str) -> str:
        """The same in few letters."""
        return i18n.date_of(value, self.lang)

    def rule(self, rule: str) -> str:
        """How a rule is cited: `K23`, or a chapter by its number."""
        return f"§ {rule}" if rule.isdigit() else rule

    def month(self, value: str) -> str:
        """A month of `2024-01`."""
        return i18n.month(value, self.lang)

    def quote(self, text: Json) -> str:
        """What somebody wrote, made harmless and short."""
        return clean(str(text), 40)

    def plain(self, text: Json) -> str:
        """Foreign text in full, made harmless."""
        return clean(str(text), 200)

    def listed(self, items: Sequence[str]) -> str:
        """`A, B and C`."""
        return i18n.listed(items, self.lang)

    def event(self, facts: Facts) -> str:
        """What happened, in a sentence."""
        return self._say("events", str(facts.get("type", "")), facts) or self._neutral("event", facts)

    def reason(self, code: str, facts: Facts = NO_FACTS) -> str:
        """Why an order met its fate, or wasn't understood."""
        return self._say("reasons", code, facts) or self._neutral("reason", facts)

    def rehearsed(self, told: Rehearsed) -> str:
        """What would become of an order now, and what that hangs on, as the end of a sentence."""
        clauses = [clause for hinge in told.hinges if (clause := self.hinge(hinge))]
        pattern = self.prospect(told.ruling.fate, certain=told.certain, hangs=bool(clauses))
        parts = {"{why}": self.why(told.ruling), "{if}": i18n.conditions(clauses, self.lang)}
        return " ".join(BLANKS.sub(lambda blank: parts[blank[0]], pattern).split())

    def prospect(self, fate: Fate | None, *, certain: bool, hangs: bool) -> str:
        """The sentence that `rehearsed` fills in: `{why}` stands for the reason, `{if}` for what it hangs on."""
        words: Any = self.environment.get_template("words.jinja").module
        said = words.rehearsed(None if fate is None else fate.value, certain, "{why}", "{if}" if hangs else "")
        return " ".join(str(said).split())

    def why(self, ruling: Ruling) -> str:
        """The reason in such a sentence; an order that goes through needs none."""
        if ruling.fate is Fate.DONE:
            return ""
        reason = self._say("rehearsal", ruling.reason, ruling.facts) if ruling.fate is None else ""
        return reason or self.reason(ruling.reason, ruling.facts)

    def hinge(self, hinge: Hinge) -> str:
        """One thing that an order's fate hangs on."""
        return self._say("rehearsal", hinge.code, hinge.facts)

    def asks(self, phase: str, facts: Facts) -> str:
        """What a phase wants of a player, `PLACE2` by the words for `place`."""
        return self._say("asks", phase.lower().rstrip("0123456789"), facts)

    def own(self, facts: Facts) -> str:
        """What a seat holds, as a position has it; empty where the game has no words for it."""
        return self._say("asks", "own", facts)

    def order(self, facts: Facts) -> str:
        """An order as its player would say it; empty for one without facts."""
        return self._say("orders", str(facts.get("type", "")), facts)

    def item(self, item: str) -> str:
        """What points were given or taken for."""
        code, *values = item.split("|")
        return self._say("items", code, {"values": values}) or item

    def step(self, step: str) -> str:
        """One step of a draw's working: a code with its numbers, joined by `|`."""
        code, *values = step.split("|")
        return self._say("draws", code, {"values": values}) or step

    def pending(self, facts: Facts) -> str:
        """What a round waits for."""
        return self._say("pending", str(facts.get("kind", "")), facts) or self._neutral("pending", facts)

    def change(self, facts: Facts) -> str:
        """What was and what is, of one thing that a correction changed."""
        kind = str(facts.get("kind", ""))
        return self._either("changes", kind, facts) or self._neutral("change", facts)

    def kept(self, why: str) -> str:
        """Why something could not be put right any more."""
        return self._either("changes", f"why_{why}", NO_FACTS) or self._neutral("kept", NO_FACTS)

    def act(self, act: str) -> str:
        """What was done to a round that was sealed already."""
        return self._either("changes", f"act_{act.replace(' ', '_')}", NO_FACTS) or self._neutral("kept", NO_FACTS)

    def marker(self, name: str) -> str:
        """A marker on the map."""
        key = "marker", name
        if key not in self._known:
            self._known[key] = self._say("markers", name, NO_FACTS) or name
        return cast("str", self._known[key])

    def groups(self, names: Sequence[str]) -> str:
        """What a field counts for, listed; those without words are left out."""
        said = [self._say("groups", name, NO_FACTS) for name in names]
        return self.listed([one for one in said if one])

    def caption(self, name: str) -> str:
        """What a game says of its map instead of what is said of most; empty where it has no words of its own."""
        return self._say("map", name, NO_FACTS)

    def column(self, name: str) -> str:
        """The head of a column of the table; empty where the game has no words of its own."""
        return self._say("columns", name, NO_FACTS)

    @property
    def repeats(self) -> str:
        """What makes a line repeat another, where a later mail takes the place of such lines alone."""
        return self._say("help", "repeats", NO_FACTS)

    def figure(self, name: str) -> str:
        """What a public figure is called."""
        return self._say("figures", name, NO_FACTS) or name

    def _either(self, words: str, code: str, facts: Facts) -> str:
        """The game's words where it has its own, else those that all games share."""
        return self._say(words, code, facts) or self._told(
            self.environment.get_template(f"{words}.jinja").module, code, facts
        )

    def _say(self, words: str, code: str, facts: Facts) -> str:
        """The macro's text on one line; empty if there is no such macro or it misses a fact."""
        return self._told(self.words(words), code, facts)

    def _told(self, module: object, code: str, facts: Facts) -> str:
        if not code.isidentifier() or code.startswith("_"):
            return ""
        try:
            macro = getattr(module, code, None)
            said = cast("Callable[[Any, Say], str]", macro)(_Facts(facts), self) if callable(macro) else ""
        except (UndefinedError, TypeError, ValueError, LookupError):
            return ""
        return " ".join(said.split())

    def _neutral(self, kind: str, facts: Facts) -> str:
        module = self.environment.get_template("neutral.jinja").module
        return " ".join(str(getattr(module, kind)(facts)).split())


class _Facts:
    """Facts by name and nothing else: a fact may be called `items`, and one that is missing is noticed."""

    __slots__ = ("_held",)

    def __init__(self, facts: Facts) -> None:
        self._held = facts

    def __getitem__(self, name: str) -> Json:
        return self._held[name]


def word_event(facts: Facts, lang: str, label: Label, who: Who, game: str = "kuel", site: SiteInfo = HOUSE) -> str:
    """The sentence for one event's facts."""
    return Say(lang, label, who, game, site).event(facts)


def word_reason(
    reason: str, facts: Facts, lang: str, label: Label, who: Who, game: str = "kuel", site: SiteInfo = HOUSE
) -> str:
    """The sentence for a ruling's or mistake's reason."""
    return Say(lang, label, who, game, site).reason(reason, facts)
