"""The book of leagues: seasons, matches, players and seats, and facts of the site itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Table, and_, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from league.core.errors import BadInput
from league.core.json import JsonDict
from league.storage.engine import batches
from league.storage.tables import LEAGUE, MATCH, PLAYER, ROUND, SEASON, SEAT, SITE_FACT

UNPUBLISHED = "unpublished/"
BEHIND = 1000  # more than there are seats or rounds: the places of those who stand by come behind them
ACTIVE, INVITED, LEFT = "active", "invited", "left"  # of a seat
STANDBY, STOOD_DOWN = BENCH = ("standby", "stood_down")  # of a place beside the seats, for who waits for one
PRESENT = (ACTIVE, INVITED)  # it has a player, who may not have said yes so far
ENDED = "ended"  # of a league whose match is over
RUNNING, MOVED = "running", "moved"  # of a league: it is played here, or on another site by now
UNNAMED = ("invited", "declined")  # players who haven't agreed to their public name


@dataclass(frozen=True, slots=True)
class League:
    """One running competition."""

    id: int
    slug: str
    game: str
    title: str
    lang: str
    zone: str
    status: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Season:
    """What was fixed in the opening record."""

    id: int
    league_id: int
    number: int
    rules: str
    options: Mapping[str, Any]
    sources: Mapping[str, Any]
    calendar: Mapping[str, Any]
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Match:
    """One instance of the game."""

    id: int
    season_id: int
    slug: str
    status: str


@dataclass(frozen=True, slots=True)
class Player:
    """A person in a league; `address` is None once the person was forgotten, and `address_key` is it folded."""

    id: int
    league_id: int
    name: str
    address: str | None
    lang: str
    zone: str
    status: str
    since: datetime
    address_key: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A seat and who sits on it. Without a player: `player_id` None and empty words.

    `name` is the public one: the seat's code while the player hasn't agreed to another; `own_name` is the organizer's.
    """

    id: int
    match_id: int
    code: str
    position: int
    status: str
    joined_round: int
    left_round: int | None
    player_id: int | None
    name: str
    address: str
    lang: str
    zone: str
    own_name: str = ""
    token_version: int = 1
    token_since: datetime | None = None  # answers to mails of ours from before this show nothing any more
    reports: bool = True  # go to its player by mail


@dataclass(frozen=True, slots=True)
class Membership:
    """A seat found by its player's address: what intake needs to know where a mail belongs."""

    address_key: str
    league_id: int
    league_slug: str
    game: str
    match_id: int
    match_slug: str
    place: Place
    moved: bool = False  # the league has moved to another site


def fold(address: str) -> str:
    """The form in which addresses are compared."""
    return address.strip().casefold()


def fact(connection: Connection, key: str) -> str | None:
    """A fact of the site, or None."""
    return connection.execute(select(SITE_FACT.c.value).where(SITE_FACT.c.key == key)).scalar()


def set_fact(connection: Connection, key: str, value: str) -> None:
    """Note a fact of the site in the place of the earlier one."""
    connection.execute(delete(SITE_FACT).where(SITE_FACT.c.key == key))
    connection.execute(insert(SITE_FACT), {"key": key, "value": value})


def drop_fact(connection: Connection, key: str) -> None:
    """Forget a fact of the site."""
    connection.execute(delete(SITE_FACT).where(SITE_FACT.c.key == key))


def facts(connection: Connection, beginning: str) -> dict[str, str]:
    """The facts whose keys begin so, by the rest of the key."""
    rows = select(SITE_FACT.c.key, SITE_FACT.c.value).where(SITE_FACT.c.key.startswith(beginning, autoescape=True))
    return {key.removeprefix(beginning): value for key, value in connection.execute(rows.order_by(SITE_FACT.c.key))}


def add_league(connection: Connection, *, slug: str, game: str, title: str, lang: str, zone: str, now: datetime) -> int:
    """A new league; a slug that is taken is refused."""
    values = {"slug": slug, "game": game, "title": title, "lang": lang, "zone": zone, "status": "running"}
    return _add(connection, LEAGUE, values | {"created_at": now}, f"a league named {slug} is already there")


def add_season(
    connection: Connection,
    league_id: int,
    *,
    number: int,
    rules: str,
    options: JsonDict,
    sources: JsonDict,
    calendar: JsonDict,
    now: datetime,
) -> int:
    """A season with everything that is fixed for its length."""
    values = {"league_id": league_id, "number": number, "rules": rules, "options": options, "sources": sources}
    values |= {"calendar": calendar, "opened_at": now}
    return _add(connection, SEASON, values, f"season {number} is already there")


def add_match(connection: Connection, season_id: int, *, slug: str, status: str = "running") -> int:
    """A match of a season; slugs are unique on a site."""
    values = {"season_id": season_id, "slug": slug, "status": status}
    return _add(connection, MATCH, values, f"a match named {slug} is already there")


def add_player(
    connection: Connection,
    league_id: int,
    *,
    name: str,
    address: str,
    lang: str,
    zone: str,
    now: datetime,
    status: str = "active",
) -> int:
    """A player; one address plays once in a league."""
    values = {"league_id": league_id, "name": name, "address": address, "address_key": fold(address), "lang": lang}
    values |= {"zone": zone, "status": status, "since": now}
    return _add(connection, PLAYER, values, f"{address} already plays in this league")


def add_seat(
    connection: Connection,
    match_id: int,
    *,
    code: str,
    player_id: int | None,
    position: int,
    joined_round: int,
    status: str = ACTIVE,
) -> int:
    """A seat of a match."""
    values = {"match_id": match_id, "code": code, "player_id": player_id, "position": position, "left_round": None}
    values |= {"status": status, "joined_round": joined_round}
    return _add(connection, SEAT, values, f"seat {code} is already there")


def _add(connection: Connection, table: Table, values: Mapping[str, Any], taken: str) -> int:
    try:
        with connection.begin_nested():
            key = connection.execute(insert(table), dict(values)).inserted_primary_key
    except IntegrityError as error:
        raise BadInput(taken) from error
    return int(key[0]) if key else 0


def leagues(connection: Connection, status: str | None = None) -> tuple[League, ...]:
    """All leagues by slug, or those of one status."""
    rows = select(LEAGUE).order_by(LEAGUE.c.slug)
    return _leagues(connection, rows if status is None else rows.where(LEAGUE.c.status == status))


def league(connection: Connection, slug: str) -> League | None:
    """The league of this name."""
    return next(iter(_leagues(connection, select(LEAGUE).where(LEAGUE.c.slug == slug))), None)


def slug_of(connection: Connection, league_id: int) -> str:
    """The short name of a league that is there."""
    return str(connection.execute(select(LEAGUE.c.slug).where(LEAGUE.c.id == league_id)).scalar_one())


def _leagues(connection: Connection, query: Select[Any]) -> tuple[League, ...]:
    return tuple(League(**row) for row in connection.execute(query).mappings())


def set_league_status(connection: Connection, league_id: int, status: str) -> None:
    """`running`, `over` or whatever the desk calls it; only running leagues have due rounds."""
    connection.execute(update(LEAGUE).where(LEAGUE.c.id == league_id).values(status=status))


def seasons(connection: Connection, league_id: int) -> tuple[Season, ...]:
    """A league's seasons, the newest last."""
    rows = select(SEASON).where(SEASON.c.league_id == league_id).order_by(SEASON.c.number)
    return tuple(Season(**row) for row in connection.execute(rows).mappings())


def season(connection: Connection, season_id: int) -> Season | None:
    """A season by its id."""
    row = connection.execute(select(SEASON).where(SEASON.c.id == season_id)).mappings().first()
    return Season(**row) if row else None


def matches(connection: Connection, season_ids: Iterable[int]) -> tuple[Match, ...]:
    """The matches of these seasons, in the order they were made."""
    rows = select(MATCH).where(MATCH.c.season_id.in_(tuple(season_ids))).order_by(MATCH.c.id)
    return tuple(Match(**row) for row in connection.execute(rows).mappings())


def match(connection: Connection, slug: str) -> Match | None:
    """The match of this name."""
    row = connection.execute(select(MATCH).where(MATCH.c.slug == slug)).mappings().first()
    return Match(**row) if row else None


def calendars(connection: Connection) -> tuple[tuple[str, int, Mapping[str, Any]], ...]:
    """Every running match: its league's slug, its id and its season's calendar."""
    rows = (
        select(LEAGUE.c.slug, MATCH.c.id, SEASON.c.calendar)
        .join(SEASON, SEASON.c.league_id == LEAGUE.c.id)
        .join(MATCH, MATCH.c.season_id == SEASON.c.id)
        .where(LEAGUE.c.status == "running", MATCH.c.status == "running")
        .order_by(LEAGUE.c.slug, MATCH.c.id)
    )
    return tuple((slug, match_id, calendar) for slug, match_id, calendar in connection.execute(rows))


def set_match_status(connection: Connection, match_id: int, status: str) -> None:
    """`running` or `over`."""
    connection.execute(update(MATCH).where(MATCH.c.id == match_id).values(status=status))


def players(connection: Connection, league_id: int) -> tuple[Player, ...]:
    """A league's players, in the order they came."""
    rows = select(PLAYER).where(PLAYER.c.league_id == league_id).order_by(PLAYER.c.id)
    return tuple(Player(**row) for row in connection.execute(rows).mappings())


def set_player(
    connection: Connection,
    player_id: int,
    *,
    name: str | None = None,
    lang: str | None = None,
    zone: str | None = None,
    status: str | None = None,
    address: str | None = None,
) -> None:
    """Change what is given of a player."""
    given = {"name": name, "lang": lang, "zone": zone, "status": status, "address": address}
    values: dict[str, str] = {key: value for key, value in given.items() if value is not None}
    if address is not None:
        values["address_key"] = fold(address)
    if values:
        connection.execute(update(PLAYER).where(PLAYER.c.id == player_id).values(**values))


def player_at(connection: Connection, league_id: int, address: str) -> Player | None:
    """The league's player with this address, whether he has a seat or not."""
    folded = fold(address)
    return next((p for p in players(connection, league_id) if p.address and fold(p.address) == folded), None)


def forget_player(connection: Connection, player_id: int, name: str) -> None:
    """Take name and address off; the seat and its records stay."""
    values = {"name": name, "address": None, "address_key": None, "status": "forgotten"}
    connection.execute(update(PLAYER).where(PLAYER.c.id == player_id).values(**values))


def set_seat(connection: Connection, seat_id: int, **values: object) -> None:
    """Change a seat's `player_id`, `status`, `joined_round`, `left_round`, token, or whether it gets reports."""
    known = {"player_id", "status", "joined_round", "left_round", "token_version", "token_since", "reports"}
    unknown = set(values) - known
    if unknown:
        raise TypeError(f"a seat has no {', '.join(sorted(unknown))}")
    connection.execute(update(SEAT).where(SEAT.c.id == seat_id).values(**values))


PLACE = (
    *(SEAT.c[name] for name in ("id", "match_id", "code", "position", "status", "joined_round", "left_round")),
    SEAT.c.player_id,
    case((PLAYER.c.status.in_(UNNAMED), SEAT.c.code), else_=func.coalesce(PLAYER.c.name, "")).label("name"),
    func.coalesce(PLAYER.c.address, "").label("address"),
    func.coalesce(PLAYER.c.lang, "").label("lang"),
    func.coalesce(PLAYER.c.zone, "").label("zone"),
    func.coalesce(PLAYER.c.name, "").label("own_name"),
    SEAT.c.token_version,
    SEAT.c.token_since,
    SEAT.c.reports,
)


def seats(connection: Connection, match_ids: Sequence[int]) -> tuple[Place, ...]:
    """The seats of these matches with their players, by match and position."""
    found: list[Place] = []
    for ids in batches(match_ids):
        rows = select(*PLACE).join(PLAYER, isouter=True).where(SEAT.c.match_id.in_(ids), SEAT.c.status.not_in(BENCH))
        rows = rows.order_by(SEAT.c.match_id, SEAT.c.position, SEAT.c.id)
        found += (Place(**row) for row in connection.execute(rows).mappings())
    return tuple(found)


def benches(connection: Connection, match_id: int) -> tuple[Place, ...]:
    """The places of those who stand by in a match, in the order in which they came."""
    rows = select(*PLACE).join(PLAYER).where(SEAT.c.match_id == match_id, SEAT.c.status == STANDBY)
    rows = rows.where(PLAYER.c.address.is_not(None)).order_by(SEAT.c.position)
    return tuple(Place(**row) for row in connection.execute(rows).mappings())


def add_bench(connection: Connection, match_id: int, player_id: int) -> str:
    """A place beside the seats for who stands by; its code, which no other place ever has again."""
    rows = select(func.count()).select_from(SEAT).where(SEAT.c.match_id == match_id, SEAT.c.status.in_(BENCH))
    number = int(connection.execute(rows).scalar_one()) + 1
    code = f"b{number}"
    add_seat(
        connection,
        match_id,
        code=code,
        player_id=player_id,
        position=BEHIND + number,
        joined_round=BEHIND,
        status=STANDBY,
    )
    return code


def stand_down(connection: Connection, match_id: int, player_id: int) -> None:
    """The player stands by no more: he has a seat, or wants none."""
    rows = update(SEAT).where(SEAT.c.match_id == match_id, SEAT.c.player_id == player_id, SEAT.c.status == STANDBY)
    connection.execute(rows.values(status=STOOD_DOWN))


def memberships(connection: Connection, addresses: Iterable[str]) -> tuple[Membership, ...]:
    """The seats that these addresses play, or played before their league moved; a statement for up to 500 addresses."""
    found: list[Membership] = []
    for keys in batches(sorted({fold(address) for address in addresses})):
        rows = connection.execute(_MEMBERSHIPS.where(PLAYER.c.address_key.in_(keys))).mappings()
        found += (_membership(row) for row in rows)
    return tuple(found)


def seated(connection: Connection, seat_ids: Sequence[int] | None = None) -> tuple[Membership, ...]:
    """The players of these seats, or of all that are taken in running leagues."""
    if seat_ids is None:
        return tuple(_membership(row) for row in connection.execute(_MEMBERSHIPS).mappings())
    found: list[Membership] = []
    for ids in batches(sorted(set(seat_ids))):
        found += (_membership(row) for row in connection.execute(_MEMBERSHIPS.where(SEAT.c.id.in_(ids))).mappings())
    return tuple(found)


_HEAD = (
    PLAYER.c.address_key,
    LEAGUE.c.id.label("league_id"),
    LEAGUE.c.slug.label("league_slug"),
    LEAGUE.c.game,
    MATCH.c.slug.label("match_slug"),
    (LEAGUE.c.status == MOVED).label("moved"),
)
_MEMBERSHIPS = (
    select(*_HEAD, *PLACE)
    .select_from(SEAT)
    .join(PLAYER, PLAYER.c.id == SEAT.c.player_id)
    .join(MATCH, MATCH.c.id == SEAT.c.match_id)
    .join(SEASON, SEASON.c.id == MATCH.c.season_id)
    .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
    .where(LEAGUE.c.status.in_((RUNNING, MOVED)), MATCH.c.status == "running", SEAT.c.status.in_((*PRESENT, STANDBY)))
    .order_by(PLAYER.c.address_key, MATCH.c.id, SEAT.c.id)
)


def _membership(row: RowMapping) -> Membership:
    head = {column.name: row[column.name] for column in _HEAD}
    place = {column.name: row[column.name] for column in PLACE}
    return Membership(**head, match_id=row["match_id"], place=Place(**place))


def mark_unpublished(connection: Connection, places: Iterable[str], token: str) -> None:
    """Note what the published pages don't show yet ("spring", "spring/3"), in the transaction that changes it."""
    rows = [{"key": UNPUBLISHED + place, "value": token} for place in sorted(set(places))]
    if rows:
        keys = [row["key"] for row in rows]
        for some in batches(keys):
            connection.execute(delete(SITE_FACT).where(SITE_FACT.c.key.in_(some)))
        connection.execute(insert(SITE_FACT), rows)


def unpublished(connection: Connection) -> dict[str, str]:
    """What waits to be published, each with the token of its last change."""
    rows = select(SITE_FACT.c.key, SITE_FACT.c.value).where(SITE_FACT.c.key.startswith(UNPUBLISHED, autoescape=True))
    return {key.removeprefix(UNPUBLISHED): value for key, value in connection.execute(rows.order_by(SITE_FACT.c.key))}


def mark_published(connection: Connection, done: Mapping[str, str]) -> None:
    """Take back the notes that a publication has seen to; what changed meanwhile has another token and stays."""
    by_token: dict[str, list[str]] = {}
    for place, token in done.items():
        by_token.setdefault(token, []).append(UNPUBLISHED + place)
    for token, keys in by_token.items():
        for some in batches(keys):
            connection.execute(delete(SITE_FACT).where(SITE_FACT.c.key.in_(some), SITE_FACT.c.value == token))


@dataclass(frozen=True, slots=True)
class Overview:
    """A league in a list of all: how many play, and the round that is open."""

    slug: str
    title: str
    game: str
    lang: str
    zone: str
    status: str
    players: int
    round: int
    deadline_at: datetime | None


def overview(connection: Connection) -> tuple[Overview, ...]:
    """Every league with its newest match's players and newest round, in one statement.

    One whose newest round is evaluated, and no other open, has `ended`: it has no deadline, nor has one that has moved.
    """
    ended = ROUND.c.status == "resolved"
    match = (
        select(func.max(MATCH.c.id))
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .where(SEASON.c.league_id == LEAGUE.c.id)
        .correlate(LEAGUE)
        .scalar_subquery()
    )
    players = (
        select(func.count())
        .where(SEAT.c.match_id == match, SEAT.c.status.in_(PRESENT))
        .correlate(LEAGUE)
        .scalar_subquery()
    )
    newest = select(func.max(ROUND.c.number)).where(ROUND.c.match_id == match).correlate(LEAGUE).scalar_subquery()
    rows = (
        select(
            *(LEAGUE.c[name] for name in ("slug", "title", "game", "lang", "zone")),
            case((and_(ended, LEAGUE.c.status == RUNNING), ENDED), else_=LEAGUE.c.status).label("status"),
            players.label("players"),
            func.coalesce(ROUND.c.number, 0).label("round"),
            case((or_(ended, LEAGUE.c.status == MOVED), None), else_=ROUND.c.deadline_at).label("deadline_at"),
        )
        .select_from(LEAGUE)
        .outerjoin(ROUND, and_(ROUND.c.match_id == match, ROUND.c.number == newest))
        .order_by(LEAGUE.c.slug)
    )
    return tuple(Overview(**row) for row in connection.execute(rows).mappings())
