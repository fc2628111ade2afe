"""The book of rounds: their windows, their way from open to resolved, and everything a chunk of them needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, exists, func, insert, or_, select, update

from league.core.json import Json
from league.storage.decisions import Entered, decisions
from league.storage.engine import batches, plain
from league.storage.leagues import Place, seats
from league.storage.orders import Submission, submissions
from league.storage.tables import ASK, DECISION, LEAGUE, MATCH, PHASE, POSITION, RECORD, ROUND, SEASON

OPEN, FROZEN, RESOLVED = "open", "frozen", "resolved"


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round to be opened; the zone is kept beside the instants that were announced."""

    match_id: int
    number: int
    opens_at: datetime
    deadline_at: datetime
    closes_at: datetime
    ends_at: datetime
    zone: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it stands; `version` is that of its newest record (0: none yet)."""

    id: int
    match_id: int
    number: int
    opens_at: datetime
    deadline_at: datetime
    closes_at: datetime
    ends_at: datetime
    zone: str
    status: str
    frozen_at: datetime | None
    frozen_late: bool
    root: str | None
    version: int


@dataclass(frozen=True, slots=True)
class Due:
    """A round that something may be done for."""

    round_id: int
    league_id: int
    status: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A round with everything of its league that adjudicating it needs."""

    round: Round
    league_id: int
    league_slug: str
    title: str
    lang: str
    game: str
    season_id: int
    rules: str
    options: Mapping[str, Any]
    sources: Mapping[str, Any]
    calendar: Mapping[str, Any]
    match_slug: str
    position: Mapping[str, Any] | None
    head: str  # hash of the match's last record; empty before the opening record
    links: int  # how many records the match's chain has
    seats: tuple[Place, ...]
    submissions: tuple[Submission, ...]
    decisions: tuple[Entered, ...]


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """A phase of a round."""

    round_id: int
    number: int
    kind: str
    status: str
    deadline_at: datetime | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class AskLine:
    """A reply that a phase waits for."""

    phase_id: int
    seat_id: int
    kind: str
    facts: Mapping[str, Json]
    due_at: datetime | None = None
    answered: bool = False
    id: int = 0


_ASK = tuple(AskLine.__dataclass_fields__)
_ROUND_NAMES = tuple(Round.__dataclass_fields__)
_ROUND = tuple(ROUND.c[name] for name in _ROUND_NAMES)
_LEAGUE_NAMES = tuple(
    name
    for name in Loaded.__dataclass_fields__
    if name not in {"round", "position", "seats", "submissions", "decisions"}
)


def open_rounds(connection: Connection, rounds: Sequence[NewRound]) -> None:
    """Open rounds; each match has a number once."""
    fresh = {"status": OPEN, "frozen_at": None, "frozen_late": False, "root": None, "version": 0}
    if rounds:
        connection.execute(insert(ROUND), [plain(new) | fresh for new in rounds])


def rounds(connection: Connection, match_id: int) -> tuple[Round, ...]:
    """A match's rounds by number."""
    rows = select(*_ROUND).where(ROUND.c.match_id == match_id).order_by(ROUND.c.number)
    return tuple(Round(**row) for row in connection.execute(rows).mappings())


def current(connection: Connection, match_ids: Sequence[int]) -> Mapping[int, Round]:
    """Each match's newest round: the open one, or the one being evaluated."""
    found: dict[int, Round] = {}
    for ids in batches(match_ids):
        rows = select(*_ROUND).where(ROUND.c.match_id.in_(ids)).order_by(ROUND.c.match_id, ROUND.c.number)
        newest = select(ROUND.c.match_id, func.max(ROUND.c.number).label("number")).where(ROUND.c.match_id.in_(ids))
        last = newest.group_by(ROUND.c.match_id).subquery()
        rows = rows.join(last, and_(ROUND.c.match_id == last.c.match_id, ROUND.c.number == last.c.number))
        found |= {row["match_id"]: Round(**row) for row in connection.execute(rows).mappings()}
    return found


def due_rounds(connection: Connection, now: datetime, limit: int, after: int = 0) -> tuple[Due, ...]:
    """The next rounds, by id behind `after`, that are closed or wait frozen for figures, replies or results."""
    ripe = or_(and_(ROUND.c.status == OPEN, ROUND.c.closes_at <= now), ROUND.c.status == FROZEN)
    rows = (
        select(ROUND.c.id, LEAGUE.c.id, ROUND.c.status)
        .join(MATCH, MATCH.c.id == ROUND.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(ripe, ROUND.c.id > after, LEAGUE.c.status == "running")
        .order_by(ROUND.c.id)
        .limit(limit)
    )
    return tuple(Due(*row) for row in connection.execute(rows))


def open_with_options(
    connection: Connection, now: datetime, games: Sequence[str]
) -> list[tuple[int, Mapping[str, Any], Mapping[str, Any]]]:
    """The open rounds of running leagues of these games before their deadline, with their options and calendars."""
    if not games:
        return []
    rows = select(ROUND.c.id, SEASON.c.options, SEASON.c.calendar).join(MATCH, MATCH.c.id == ROUND.c.match_id)
    rows = rows.join(SEASON, SEASON.c.id == MATCH.c.season_id).join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
    rows = rows.where(ROUND.c.status == OPEN, ROUND.c.opens_at < now, ROUND.c.deadline_at > now)
    rows = rows.where(LEAGUE.c.status == "running", LEAGUE.c.game.in_(games)).order_by(ROUND.c.id)
    return [(key, options, calendar) for key, options, calendar in connection.execute(rows)]


def next_closing(connection: Connection) -> datetime | None:
    """When the next open round of a running league closes."""
    rows = select(func.min(ROUND.c.closes_at)).join(MATCH, MATCH.c.id == ROUND.c.match_id)
    rows = rows.join(SEASON, SEASON.c.id == MATCH.c.season_id).join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
    return connection.execute(rows.where(ROUND.c.status == OPEN, LEAGUE.c.status == "running")).scalar()


def last_freeze(connection: Connection) -> datetime | None:
    """When a round was frozen last: no command may claim to be earlier."""
    return connection.execute(select(func.max(ROUND.c.frozen_at))).scalar()


def claim(connection: Connection, round_id: int, from_status: str, to_status: str) -> bool:
    """Take a round one step on; False if somebody else already has."""
    return _step(connection, round_id, from_status, status=to_status)


def freeze(connection: Connection, round_id: int, *, now: datetime, late: bool, root: str) -> bool:
    """Close a round's orders under their root; False if it wasn't open any more."""
    return _step(connection, round_id, OPEN, status=FROZEN, frozen_at=now, frozen_late=late, root=root)


def resolve(connection: Connection, round_id: int, *, version: int = 1) -> bool:
    """Mark a frozen round as resolved by the record of this version; False if it wasn't frozen any more."""
    return _step(connection, round_id, FROZEN, status=RESOLVED, version=version)


def correct(connection: Connection, round_id: int, *, from_version: int) -> bool:
    """Count a resolved round one version up; False if somebody else already corrected that version."""
    taken = update(ROUND).where(ROUND.c.id == round_id, ROUND.c.status == RESOLVED, ROUND.c.version == from_version)
    return connection.execute(taken.values(version=from_version + 1)).rowcount == 1


def _step(connection: Connection, round_id: int, from_status: str, **values: object) -> bool:
    taken = update(ROUND).where(ROUND.c.id == round_id, ROUND.c.status == from_status)
    return connection.execute(taken.values(**values)).rowcount == 1


def reschedule(
    connection: Connection,
    round_id: int,
    *,
    deadline_at: datetime,
    closes_at: datetime,
    ends_at: datetime,
    opens_at: datetime | None = None,
) -> bool:
    """Move an open round's times; without `opens_at` its window opened when it did. False if it isn't open any more."""
    times = {"deadline_at": deadline_at, "closes_at": closes_at, "ends_at": ends_at}
    return _step(connection, round_id, OPEN, **times, **({"opens_at": opens_at} if opens_at else {}))


def store_calendar(connection: Connection, season_id: int, calendar: Mapping[str, Any]) -> None:
    """A season's calendar with rounds moved; what was announced for earlier ones stays in their rows."""
    connection.execute(update(SEASON).where(SEASON.c.id == season_id).values(calendar=dict(calendar)))


_NEWEST_POSITION = (
    select(func.max(POSITION.c.version))
    .where(POSITION.c.match_id == ROUND.c.match_id, POSITION.c.round == ROUND.c.number)
    .correlate(ROUND)
    .scalar_subquery()
)
_LAST_RECORD = (
    select(RECORD.c.sha256)
    .where(RECORD.c.match_id == ROUND.c.match_id)
    .order_by(RECORD.c.id.desc())
    .limit(1)
    .correlate(ROUND)
    .scalar_subquery()
)
_LINKS = (
    select(func.count()).select_from(RECORD).where(RECORD.c.match_id == ROUND.c.match_id).correlate(ROUND)
).scalar_subquery()
_DECIDED = exists().where(DECISION.c.round_id == ROUND.c.id, DECISION.c.superseded_at.is_(None)).correlate(ROUND)
_CHUNK = (
    select(
        *_ROUND,
        LEAGUE.c.id.label("league_id"),
        LEAGUE.c.slug.label("league_slug"),
        LEAGUE.c.title,
        LEAGUE.c.lang,
        LEAGUE.c.game,
        SEASON.c.id.label("season_id"),
        SEASON.c.rules,
        SEASON.c.options,
        SEASON.c.sources,
        SEASON.c.calendar,
        MATCH.c.slug.label("match_slug"),
        POSITION.c.body.label("start"),
        func.coalesce(_LAST_RECORD, "").label("head"),
        _LINKS.label("links"),
        _DECIDED.label("decided"),
    )
    .join(MATCH, MATCH.c.id == ROUND.c.match_id)
    .join(SEASON, SEASON.c.id == MATCH.c.season_id)
    .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
    .outerjoin(
        POSITION,
        and_(
            POSITION.c.match_id == ROUND.c.match_id,
            POSITION.c.round == ROUND.c.number,
            POSITION.c.version == _NEWEST_POSITION,
        ),
    )
    .order_by(ROUND.c.id)
)


def load_chunk(connection: Connection, round_ids: Sequence[int]) -> tuple[Loaded, ...]:
    """These rounds (at most 500) with their leagues, positions, seats, orders and decisions.

    Three statements however many rounds; a fourth where somebody decided something.
    """
    rows = connection.execute(_CHUNK.where(ROUND.c.id.in_(round_ids))).mappings().all()
    places = _grouped(seats(connection, sorted({row["match_id"] for row in rows})), "match_id")
    mails = _grouped(submissions(connection, round_ids), "round_id")
    entered = _grouped(decisions(connection, [row["id"] for row in rows if row["decided"]]), "round_id")
    return tuple(
        Loaded(
            round=Round(**{name: row[name] for name in _ROUND_NAMES}),
            seats=tuple(places.get(row["match_id"], ())),
            submissions=tuple(mails.get(row["id"], ())),
            decisions=tuple(entered.get(row["id"], ())),
            position=row["start"],
            **{name: row[name] for name in _LEAGUE_NAMES},
        )
        for row in rows
    )


def _grouped(values: Sequence[Any], key: str) -> dict[int, list[Any]]:
    groups: dict[int, list[Any]] = {}
    for value in values:
        groups.setdefault(getattr(value, key), []).append(value)
    return groups


def add_phase(connection: Connection, phase: PhaseLine) -> int:
    """A phase of a round; its id."""
    values = {key: value for key, value in plain(phase).items() if key != "id"}
    key = connection.execute(insert(PHASE), values).inserted_primary_key
    return int(key[0]) if key else 0


def phases(connection: Connection, round_ids: Sequence[int]) -> tuple[PhaseLine, ...]:
    """The phases of these rounds, by round and number."""
    names = PhaseLine.__dataclass_fields__
    rows = select(*(PHASE.c[name] for name in names)).where(PHASE.c.round_id.in_(round_ids))
    rows = rows.order_by(PHASE.c.round_id, PHASE.c.number)
    return tuple(PhaseLine(**row) for row in connection.execute(rows).mappings())


def set_phase_status(connection: Connection, phase_id: int, from_status: str, to_status: str) -> bool:
    """Take a phase one step on; False if somebody else already has."""
    taken = update(PHASE).where(PHASE.c.id == phase_id, PHASE.c.status == from_status)
    return connection.execute(taken.values(status=to_status)).rowcount == 1


def ask(connection: Connection, asks: Sequence[AskLine]) -> None:
    """Note the replies that a phase waits for."""
    if asks:
        connection.execute(
            insert(ASK), [{n: getattr(a, n) for n in _ASK if n != "id"} | {"facts": dict(a.facts)} for a in asks]
        )


def asks(connection: Connection, phase_ids: Sequence[int]) -> tuple[AskLine, ...]:
    """What these phases asked, answered or not."""
    rows = select(*(ASK.c[name] for name in _ASK)).where(ASK.c.phase_id.in_(phase_ids))
    return tuple(AskLine(**row) for row in connection.execute(rows.order_by(ASK.c.id)).mappings())


def answer(connection: Connection, ask_ids: Sequence[int]) -> None:
    """These replies came."""
    connection.execute(update(ASK).where(ASK.c.id.in_(ask_ids)).values(answered=True))


def unresolved(connection: Connection, match_ids: Sequence[int]) -> Mapping[int, tuple[Round, ...]]:
    """Each match's rounds that are open or being evaluated, by number."""
    found: dict[int, tuple[Round, ...]] = {}
    for ids in batches(match_ids):
        rows = select(*_ROUND).where(ROUND.c.match_id.in_(ids), ROUND.c.status != RESOLVED)
        for row in connection.execute(rows.order_by(ROUND.c.match_id, ROUND.c.number)).mappings():
            found[row["match_id"]] = (*found.get(row["match_id"], ()), Round(**row))
    return found


def closed_of(connection: Connection, match_ids: Sequence[int], games: Sequence[str], back: int) -> tuple[int, ...]:
    """Of those matches that play one of these games: the ids of each one's last `back` rounds that are closed."""
    found: list[int] = []
    for ids in batches(match_ids) if games else ():
        number = func.row_number().over(partition_by=ROUND.c.match_id, order_by=ROUND.c.number.desc()).label("place")
        rows = (
            select(ROUND.c.id, number)
            .join(MATCH, MATCH.c.id == ROUND.c.match_id)
            .join(SEASON, SEASON.c.id == MATCH.c.season_id)
            .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
            .where(ROUND.c.match_id.in_(ids), ROUND.c.status != OPEN, LEAGUE.c.game.in_(games))
            .subquery()
        )
        found += connection.execute(select(rows.c.id).where(rows.c.place <= back).order_by(rows.c.id)).scalars()
    return tuple(found)


def lagging(
    connection: Connection, now: datetime, limit: int = 500, *, but: Sequence[str] = ()
) -> tuple[tuple[Round, Mapping[str, Any]], ...]:
    """The newest round, with its season's calendar, of each running match that has no round open for now.

    `but`: games whose rounds open one by one. Nor a match whose newest round is its season's last.
    """
    last = SEASON.c.calendar["rounds"].as_integer()
    newest = select(ROUND.c.match_id, func.max(ROUND.c.number).label("number")).group_by(ROUND.c.match_id).subquery()
    rows = (
        select(*_ROUND, SEASON.c.calendar)
        .join(newest, and_(ROUND.c.match_id == newest.c.match_id, ROUND.c.number == newest.c.number))
        .join(MATCH, MATCH.c.id == ROUND.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(ROUND.c.closes_at < now, MATCH.c.status == "running", LEAGUE.c.game.not_in(but))
        .where(or_(last.is_(None), ROUND.c.number < last))
        .where(LEAGUE.c.status == "running")
        .order_by(ROUND.c.id)
        .limit(limit)
    )
    return tuple(
        (Round(**{name: row[name] for name in _ROUND_NAMES}), row["calendar"])
        for row in connection.execute(rows).mappings()
    )
