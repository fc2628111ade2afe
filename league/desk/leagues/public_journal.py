"""What of the journal everybody may read: a list of what is shown, never one of what isn't.

An act that isn't named here is told without a word of its own or of its arguments. Addresses, keys, mails and sealed
orders are never shown; what would tell of sealed orders is shown whole once the round has its report (K90).
Records hold the hash of what is shown here in the end, so what an act shows never changes: acts may only be added.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from league.core.json import Json, JsonDict
from league.desk import registry
from league.desk.clock import stamp
from league.desk.site import CALENDAR
from league.records.canonical import canonical
from league.records.journal import seal_of, state_of
from league.records.keys import HALF, derive
from league.storage import journal, rounds
from league.storage.journal import Act
from league.storage.rounds import Round

KIND = "league-journal-1"
FILE = "journal.json"
ORGANIZER = "organizer"
ENTER = "orders enter"
OTHER = "other"  # an act that isn't named below
SEAL = "seal"  # the argument that keeps an act's seal where its words are gone
SALT = "salt"  # the argument that keeps the salt of an act that another site's key has sealed
BY_MAIL = re.compile(r"(s\d+) by mail")
STANDBY = re.compile(r"b\d+ by mail")  # who stands by has no seat, and nobody reads of him
ADDRESS = re.compile(r"[^\s<>\"(),;:]+@[^\s<>\"(),;:]+")
NUMBERED = re.compile(r"(mail quarantine show) \d+( --reveal)")
SEATED = re.compile(r"(orders show) \S+( --reveal)")


@dataclass(frozen=True, slots=True)
class Shown:
    """Which arguments of an act are shown; `later`: they and the reason only with the round's report.

    `figures`: public figures too, whatever they are called.
    """

    keys: tuple[str, ...] = ()
    later: bool = False
    figures: bool = False


ACTS: Mapping[str, Shown] = {
    # of a league
    "new": Shown(("game", "board")),
    "player add": Shown(("seat",)),
    "player substitute": Shown(("seat", "round")),
    "player retire": Shown(("seat", "round")),
    "player return": Shown(("seat", "round")),
    "player invite": Shown(("seat",)),
    "player standby": Shown(),
    "player standby --end": Shown(),
    "player offer": Shown(("seat", "round", "missed")),
    "player offer --end": Shown(("seat", "round")),
    "player reports": Shown(("seat",)),
    "player forget": Shown(("seat",)),
    "player absent": Shown(("seat", "first", "last", "from", "until"), later=True),
    "player absent --end": Shown(("seat",), later=True),
    "player token --renew": Shown(("seat",)),
    ENTER: Shown(("seat", "received"), later=True),
    "orders show --reveal": Shown(("round",)),
    "round preview --reveal": Shown(("round",)),
    "mail quarantine show --reveal": Shown(("round",)),
    "mail quarantine release": Shown(("seat",), later=True),
    "mail quarantine reject": Shown(("seat",), later=True),
    "draw enter": Shown(("source",), figures=True),
    "draw correct": Shown(("round", "source", "version", "mode"), figures=True),
    "draw object": Shown(("round", "figure", "day", "value")),
    "result enter": Shown(("round", "country", "winner", "attempt", "version", "mode"), later=True),
    "round reopen": Shown(("round", "version", "mode")),
    "round resolve --over": Shown(("round",)),
    "round hold": Shown(("round", "until")),
    "round release": Shown(("round", "deadline", "weeks")),
    "round extend": Shown(("round", "deadline", "weeks")),
    "round early": Shown(("round", "closes")),
    "round pause": Shown(("from", "to")),
    "round last": Shown(("round",)),
    "deadline moved": Shown(("round",)),
    "restore --head": Shown(("round", "record")),
    "restore --public": Shown(("round", "record")),
    "restore --accept-head": Shown(("round", "record")),
    # of the site
    "init": Shown(),
    "key rotate": Shown(("public_key", "replaces")),
    "backup": Shown(("secrets",)),
    "restore": Shown(("made_at",)),
    "rebuild": Shown(),
    "doctor mail": Shown(("key",)),
    "mail hold": Shown(),
    "mail release": Shown(),
    "mail resend": Shown(),
    "mail unblock": Shown(),
    # of a league that moves from one site to another
    "export": Shown(("copied",)),
    "export --to": Shown(),
    "export --undo": Shown(),
    "import": Shown(("made_at", "copied")),
}


@dataclass(frozen=True, slots=True)
class Ground:
    """What decides how much may be told: the rounds of the league and the figures of its game."""

    rounds: tuple[Round, ...] = ()
    figures: tuple[str, ...] = ()

    def is_told(self, at: datetime) -> bool:
        """Whether the round in whose time an act fell has its report."""
        its = next((one for one in self.rounds if one.closes_at >= at), None)
        return its is not None and its.status == rounds.RESOLVED


def named(act: str) -> str:
    """The act without what it was done to: "orders show Anna --reveal" is one kind of act."""
    return SEATED.sub(r"\1\2", NUMBERED.sub(r"\1\2", act))


def public_acts(connection: Connection, league_id: int | None, ground: Ground, key: bytes) -> tuple[JsonDict, ...]:
    """The acts of a league, or those of the site that belong to none, as everybody may read them.

    `key` is the site's: salts come from it.
    """
    return tuple(_told(act, ground, key) for act in journal.of_scope(connection, league_id))


def _told(act: Act, ground: Ground, key: bytes) -> JsonDict:
    whole = _whole(act, ground.figures)
    salt = _salt(act, whole, key)
    seal = _kept_seal(act) or seal_of(whole, salt)
    shown = ACTS.get(named(act.act))
    if shown is None or not shown.later or ground.is_told(act.at):
        return {**whole, "seal": seal, **({"salt": salt} if seal_of(whole, salt) == seal else {})}
    return {**whole, "why": "", "arguments": {}, "seal": seal}


def _whole(act: Act, figures: Sequence[str]) -> JsonDict:
    """The act as it is told once everything of it may be."""
    name = named(act.act)
    shown = ACTS.get(name)
    return {
        "at": stamp(act.at),
        "who": _who(act.who),
        "act": name if shown else OTHER,
        "why": ADDRESS.sub("…", act.why) if shown else "",
        "arguments": dict(_arguments(act.arguments, shown, figures)) if shown else {},
    }


def _salt(act: Act, whole: JsonDict, key: bytes) -> str:
    """128 bits that nobody can guess, the same for the same act: a site built anew has it too."""
    return str(act.arguments.get(SALT, "")) or derive(key, "journal", whole)[:HALF].hex()


def _kept_seal(act: Act) -> str:
    """The seal of an act whose words aren't here any more, or never were."""
    return str(act.arguments.get(SEAL, ""))


def seals(acts: Sequence[Act], figures: Sequence[str], key: bytes) -> tuple[str, ...]:
    """The seal of each act, in order."""
    wholes = [_whole(act, figures) for act in acts]
    return tuple(_kept_seal(act) or seal_of(w, _salt(act, w, key)) for act, w in zip(acts, wholes, strict=True))


def sealed_apart(acts: Sequence[Act], figures: Sequence[str], key: bytes) -> tuple[JsonDict, ...]:
    """The arguments of each act for a site with another key: with the salt that its seal hangs on."""
    found = []
    for act in acts:
        whole = _whole(act, figures)
        salt, kept = _salt(act, whole, key), _kept_seal(act)
        holds = not kept or seal_of(whole, salt) == kept
        found.append({**act.arguments, **({SALT: salt} if holds else {})})
    return tuple(found)


def journal_state(
    connection: Connection, league_id: int, game: str, key: bytes, before: datetime, count: int | None = None
) -> JsonDict:
    """What a record says of its league's journal: the acts before this moment, or (`count`) so many of them."""
    acts = journal.of_scope(connection, league_id)
    chosen = [act for act in acts if act.at < before] if count is None else acts[:count]
    return state_of(seals(chosen, registry.plugin(game).meta.figures, key))


def _who(who: str) -> str:
    """The organizer, the calendar, or the seat that asked by mail; never the name of an account."""
    seat = BY_MAIL.fullmatch(who)
    return seat[1] if seat else CALENDAR if who == CALENDAR or STANDBY.fullmatch(who) else ORGANIZER


def _arguments(given: Mapping[str, Json], shown: Shown, figures: Sequence[str]) -> Iterator[tuple[str, Json]]:
    wanted = (*shown.keys, *(figures if shown.figures else ()))
    for key in sorted(wanted):
        value = given.get(key)
        if isinstance(value, str):
            yield key, ADDRESS.sub("…", value)
        elif isinstance(value, int):
            yield key, value


def as_json(acts: Sequence[JsonDict], league: str = "") -> bytes:
    """The published file."""
    head: JsonDict = {"kind": KIND, **({"league": league} if league else {})}
    return canonical({**head, "acts": list(acts)})
