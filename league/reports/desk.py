"""The organizer's desk in words: what a person must do, what `league run` does next, and the mail about both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from league import i18n
from league.core.json import Json
from league.core.orders import NO_FACTS
from league.reports.context import Mail, Reads, SiteInfo
from league.reports.environment import environment, mended
from league.reports.post import GAPS
from league.reports.texts import clean, fold, guard

FOREIGN = 200  # so many characters of a mail server's or a source's words


@dataclass(frozen=True, slots=True)
class Todo:
    """Something for a person. `must`: nothing else mends it; else it is worth a look.

    `what` names the sentence in desk.jinja, `command` is what to type; what only a person knows stands in capitals.
    """

    what: str
    command: str
    must: bool = True
    league: str = ""
    facts: Mapping[str, Json] = NO_FACTS


@dataclass(frozen=True, slots=True)
class Ahead:
    """What `league run` will do, from when on. `what`: close, remind, fetch, evaluate, end_waiting."""

    at: datetime
    what: str
    round: int
    figure: str = ""


@dataclass(frozen=True, slots=True)
class DeskLeague:
    """A league in the mail to the organizer: names by state, and what its closed rounds wait for."""

    title: str
    slug: str
    zone: str
    round: int
    sent: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    ahead: tuple[Ahead, ...] = ()

    @property
    def players(self) -> int:
        """How many play in the round."""
        return len(self.sent) + sum(len(names) for names in self.names.values())


class DeskWords:
    """The sentences of desk.jinja in a language; times on the clock of a zone."""

    def __init__(self, site: SiteInfo, lang: str, zone: str) -> None:
        self.lang = i18n.supported(lang)
        self.zone = zone
        self._module: object = environment(self.lang, site).get_template("desk.jinja").module

    def _say(self, name: str, facts: object) -> str:
        macro = getattr(self._module, name)
        return " ".join(str(macro(facts, self)).split())

    def todo(self, item: Todo) -> str:
        """What is the matter, in a sentence."""
        return self._say(f"todo_{item.what}", item.facts)

    def ahead(self, item: Ahead) -> str:
        """What will be done."""
        return self._say(f"ahead_{item.what}", item)

    def kinds(self, counts: Mapping[str, int]) -> str:
        """How many mails of each verdict: `3 set aside and 1 held`."""
        return self.listed([f"{count} {self.kind(kind)}" for kind, count in counts.items()])

    def kind(self, verdict: str) -> str:
        """What became of a mail that waits."""
        return self._say(f"verdict_{verdict}", NO_FACTS)

    def state(self, state: str) -> str:
        """What players of this state have in common."""
        return self._say(f"state_{state}", NO_FACTS)

    def label(self, name: str, **facts: Json) -> str:
        """A heading, or what a list is about."""
        return self._say(f"label_{name}", facts)

    def foreign(self, text: Json) -> str:
        """Words of others, made harmless."""
        return clean(str(text), FOREIGN)

    def listed(self, names: Sequence[str]) -> str:
        """`A, B and C`."""
        return i18n.listed([clean(str(name)) for name in names], self.lang)

    def when(self, instant: datetime | str) -> str:
        """A time in few letters."""
        return i18n.moment(_read(instant), self.zone, self.lang)

    def deadline(self, instant: datetime) -> str:
        """The same of a deadline: midnight is the 24:00 of the day that ends."""
        last = i18n.moment(instant - timedelta(microseconds=1), self.zone, self.lang)
        is_midnight = i18n.day_of(instant, self.zone) != i18n.day_of(instant + timedelta(microseconds=1), self.zone)
        return f"{last[: -len('23:59')]}24:00" if is_midnight else self.when(instant)


def _read(instant: datetime | str) -> datetime:
    return datetime.fromisoformat(instant) if isinstance(instant, str) else instant


@dataclass(frozen=True, slots=True)
class DeskSheet:
    """What the mail to the organizer tells, as of `now`."""

    deadline: datetime
    now: datetime
    zone: str
    leagues: tuple[DeskLeague, ...]
    todo: tuple[tuple[str, Todo], ...]  # each with the zone of its times

    @property
    def asks(self) -> bool:
        """Whether any of the leagues waits for orders: a round may ask nobody, as before a match begins."""
        return any(league.players for league in self.leagues)


def desk_mail(site: SiteInfo, lang: str, sheet: DeskSheet, reads: Reads) -> Mail:
    """What the organizer should know before a deadline, the things to do first."""
    return mended(lambda: _desk_mail(site, lang, sheet, reads))


def _desk_mail(site: SiteInfo, lang: str, sheet: DeskSheet, reads: Reads) -> Mail:
    words = DeskWords(site, lang, sheet.zone)
    said = [(item, DeskWords(site, lang, zone).todo(item)) for zone, item in sheet.todo]
    hours = max(1, round((sheet.deadline - sheet.now).total_seconds() / 3600))
    text = (
        environment(words.lang, site)
        .get_template("mail/desk.txt")
        .render(
            title=clean(site.title),
            sheet=sheet,
            must=[(item, told) for item, told in said if item.must],
            look=[(item, told) for item, told in said if not item.must],
            words=words,
            hours=hours,
            when=i18n.when(sheet.deadline, sheet.zone, words.lang),
            utc=i18n.utc(sheet.deadline),
            clean=clean,
        )
    )
    subject, _, body = GAPS.sub("\n\n", text).partition("\n")
    return Mail(clean(subject, 150), guard(fold(body.strip("\n") + "\n"), reads))
