"""What `league verify` finds: what was looked at, what doesn't hold and where, what nobody can know yet."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from league.core.errors import BadInput, LeagueError
from league.core.json import JsonDict
from league.desk.proof.plain_errors import in_words
from league.records.audit import Fault, Link

CHECKS = (
    "files", "chain", "signatures", "sealed", "freezes", "positions", "rounds", "journal", "press", "pages", "mails",
)  # fmt: skip
MOST_FAULTS = 200  # of one league: who reads more knows it already
MOST_WORDS = 300


@dataclass(slots=True)
class Told:
    """A league, or the site's own files (`league` empty): what was checked, and what came of it."""

    league: str
    match: str = ""
    records: int = 0
    rounds: int = 0
    public_key: str = ""
    head: str = ""
    checked: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    unknown: list[JsonDict] = field(default_factory=list)
    notes: list[JsonDict] = field(default_factory=list)

    def looked(self, check: str, number: int = 1) -> None:
        """So many things of a kind were looked at."""
        self.checked[check] += number

    def fault(self, fault: Fault) -> None:
        """Something doesn't hold."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)

    def found(self, check: str, link: Link, search: Callable[[], Iterable[tuple[str, str]]]) -> None:
        """Run a check of a record; one that can't even be asked isn't what a record says."""
        try:
            for place, what in search():
                self.fault(Fault(check, link.file, place, what, link.round))
        except LeagueError as error:
            told = error.message if isinstance(error, BadInput) else str(error)
            self.fault(Fault(check, link.file, "", told[:MOST_WORDS], link.round))
        except Exception as error:  # noqa: BLE001  # the border to what strangers wrote
            told = f"it isn't what a file of this kind says: {in_words(error)}"
            self.fault(Fault(check, link.file, "", told, link.round))

    def not_known(self, code: str, what: str, number: int | None = None) -> None:
        """Something that nobody can know yet."""
        self.unknown.append({"code": code, "round": number, "what": what})

    def note(self, code: str, what: str, number: int | None = None) -> None:
        """Something that holds, and that a player may want to look at."""
        self.notes.append({"code": code, "round": number, "what": what})

    @property
    def holds(self) -> bool:
        """Whether nothing broke."""
        return not self.faults

    @property
    def first(self) -> Fault | None:
        """The first place that breaks: a file's own bytes; else the earliest round's record; else a page or a mail."""
        group = {"files": 0, "press": 2, "pages": 2, "mails": 3}
        order = {check: place for place, check in enumerate(CHECKS)}
        return min(self.faults, key=lambda f: (group.get(f.check, 1), f.round or 0, order[f.check]), default=None)

    def facts(self) -> JsonDict:
        """As JSON."""
        return {
            "league": self.league or None,
            "match": self.match or None,
            "holds": self.holds,
            "records": self.records,
            "rounds": self.rounds,
            "public_key": self.public_key or None,
            "head": self.head or None,
            "checks": {
                check: {"checked": self.checked[check], "broken": sum(f.check == check for f in self.faults)}
                for check in CHECKS
                if self.checked[check] or any(f.check == check for f in self.faults)
            },
            "first": fault_facts(self.first) if self.first else None,
            "faults": [fault_facts(fault) for fault in self.faults],
            "unknown": list(self.unknown),
            "notes": list(self.notes),
        }


def fault_facts(fault: Fault) -> JsonDict:
    """A fault as JSON."""
    return {
        "check": fault.check,
        "file": fault.file,
        "round": fault.round,
        "field": fault.field,
        "what": fault.what,
    }


@dataclass(frozen=True, slots=True)
class Verified:
    """Everything that was looked at in one place."""

    where: str
    site: Told | None
    leagues: tuple[Told, ...]

    @property
    def all(self) -> tuple[Told, ...]:
        """The site's own files and the leagues."""
        return (*((self.site,) if self.site else ()), *self.leagues)

    @property
    def holds(self) -> bool:
        """Whether nothing broke anywhere."""
        return all(told.holds for told in self.all)
