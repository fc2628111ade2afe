"""`league result`: what the organizer says of battles, and the end of waiting for them (K33)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.game import Game
from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.leagues.replies import due, reports
from league.desk.leagues.turns import Table, lay_out
from league.desk.post.postpone import postpone, postponed
from league.desk.rounds.resolve_rounds import known_figures
from league.desk.site import Site, find_running
from league.storage import decisions, leagues, rounds
from league.storage import engine as database
from league.storage.decisions import Entered
from league.storage.rounds import Loaded


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle that waits for its result; `fighters` as (seat, name)."""

    country: str
    attempt: int
    fighters: tuple[tuple[str, str], ...]
    map: str = ""  # what is named by right in the place of what is usual
    settings: str = ""
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A fighter's report; seats and names, never addresses."""

    country: str
    seat: str
    name: str
    winner: str
    winner_name: str
    received: str


@dataclass(frozen=True, slots=True)
class Results:
    """The round being evaluated: the battles it waits for, and the results it has."""

    round: int
    waiting: tuple[Battle, ...]
    entered: tuple[tuple[str, int, str], ...]  # country, attempt, winner's seat
    reports: tuple[Said, ...] = ()
    until: str = ""


def evaluated(site: Site, connection: Any, slug: str) -> Loaded:
    """The round being evaluated; `Refused` if none is."""
    running = find_running(site, connection, slug)
    frozen = [r for r in rounds.rounds(connection, running.match.id) if r.status == rounds.FROZEN]
    if not frozen:
        raise Refused(
            f"no round of {slug} is being evaluated: results are entered between freeze and report; one that the "
            f"report has wrong is put right with --round N"
        ).named("not_evaluated")
    (loaded,) = rounds.load_chunk(connection, [frozen[0].id])
    if loaded.position is None:
        raise Refused(f"round {loaded.round.number} of {slug} waits for the round before it").named(
            "waits_for_before", round=loaded.round.number
        )
    return loaded


def list_results(site: Site, slug: str) -> Results:
    """What the round being evaluated waits for and has."""
    with database.read(site.engine) as connection:
        loaded = evaluated(site, connection, slug)
        return _results(loaded, lay_out(loaded, known_figures(connection, [loaded])))


def _results(loaded: Loaded, table: Table) -> Results:
    names = {seat.code: seat.own_name for seat in loaded.seats}
    outcome = table.outcome()
    disputes = [(i["country"], i["attempt"]) for i in outcome.pending if i.get("question") == "battle"]
    waiting = tuple(
        Battle(
            str(item["country"]),
            int(str(item["attempt"])),
            tuple((str(f), names[str(f)]) for f in (item["fighters"] if isinstance(item["fighters"], list) else ())),
            str(item.get("map", "")),
            str(item.get("settings", "")),
            (item["country"], item["attempt"]) in disputes,
        )
        for item in outcome.pending
        if item["kind"] == "battle"
    )
    entered = tuple(
        (str(d.facts["country"]), int(str(d.facts["attempt"])), str(d.facts["winner"]))
        for d in loaded.decisions
        if d.kind == "result"
    )
    said = tuple(
        Said(r.country, r.seat, names[r.seat], r.winner, names[r.winner], stamp(r.received) if r.received else "")
        for r in reports(table, outcome)
    )
    return Results(loaded.round.number, waiting, entered, said, stamp(due(loaded)))


def enter_result(site: Site, slug: str, country: str, winner: str, *, attempt: int | None, why: str) -> Results:
    """The organizer's word on a battle that waits, or that a report or an earlier word decided wrongly (K33)."""
    with database.write(site.engine) as connection:
        loaded = put_result(site, connection, slug, country, winner, attempt=attempt, why=why)
        again = rounds.load_chunk(connection, [loaded.round.id])[0]
        return _results(again, lay_out(again, known_figures(connection, [again])))


def put_result(
    site: Site, connection: Connection, slug: str, country: str, winner: str, *, attempt: int | None, why: str
) -> Loaded:
    """The same within a transaction; the round as it was."""
    loaded = evaluated(site, connection, slug)
    table = lay_out(loaded, known_figures(connection, [loaded]))
    open_to_word = (*_results(loaded, table).waiting, *_decided(loaded, table))
    battle = battle_named(open_to_word, table.game, country, attempt)
    seat = fighter_named(battle, winner)
    facts: JsonDict = {"country": battle.country, "winner": seat, "attempt": battle.attempt}
    for earlier in loaded.decisions:
        if earlier.kind == "result" and all(earlier.facts.get(key) == facts[key] for key in ("country", "attempt")):
            decisions.supersede(connection, earlier.id, site.now)
    decisions.decide(connection, [Entered(loaded.round.id, "result", facts, "organizer", site.now)])
    site.write_down(connection, "result enter", why, loaded.league_id, round=loaded.round.number, **facts)
    _mark(connection, loaded)
    _postpone(site, connection, loaded)
    return loaded


def _postpone(site: Site, connection: Connection, loaded: Loaded) -> None:
    """The organizer's word decides a battle now; that may be late for those who move by it."""
    ids = [r.id for r in rounds.rounds(connection, loaded.round.match_id) if r.number == loaded.round.number + 1]
    for following in rounds.load_chunk(connection, ids):
        moved = postponed(following, site.now)
        if moved is not None:
            postpone(site, connection, moved, site.now)


def end_waiting(site: Site, slug: str, why: str) -> None:
    """No more results are waited for: what isn't reported stays as it was (K33)."""
    with database.write(site.engine) as connection:
        loaded = evaluated(site, connection, slug)
        if not any(d.kind == "over" for d in loaded.decisions):
            decisions.decide(connection, [Entered(loaded.round.id, "over", {}, "organizer", site.now)])
            site.write_down(connection, "round resolve --over", why, loaded.league_id, round=loaded.round.number)
            _mark(connection, loaded)


def _mark(connection: Any, loaded: Loaded) -> None:
    places = (loaded.league_slug, f"{loaded.league_slug}/{loaded.round.number}")
    leagues.mark_unpublished(connection, places, token_hex(8))


def _decided(loaded: Loaded, table: Table) -> tuple[Battle, ...]:
    """Battles of this round that have a winner already: until the report goes out the organizer may put it right."""
    told = [event.facts() for event in table.outcome().events]
    return fought(told, {seat.code: seat.own_name for seat in loaded.seats}, ("report", "result"))


def fought(events: Sequence[Mapping[str, Json]], names: Mapping[str, str], ways: Sequence[str]) -> tuple[Battle, ...]:
    """The battles of these events that were decided in one of these ways."""
    return tuple(
        Battle(
            str(e["country"]), int(str(e["attempt"])), tuple((str(f), names[str(f)]) for f in _listed(e["fighters"]))
        )
        for e in events
        if e["type"] == "battle" and e["how"] in ways
    )


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def battle_named(found: Sequence[Battle], game: Game[Any, Any], country: str, attempt: int | None) -> Battle:
    """The battle for a country that somebody names; `BadInput` with those there are."""
    orders = game.parse(None, "", f"rematch {country}").orders
    wanted = getattr(orders[0], "country", "") if orders else ""
    fitting = [b for b in found if b.country == wanted and attempt in (None, b.attempt)]
    if fitting:
        return fitting[0]
    listed = ", ".join(f"{game.label(b.country, 'en')} (attempt {b.attempt})" for b in found)
    raise BadInput(f"no battle for '{country}' can be decided now; there are: {listed or 'none'}").named(
        "no_battle", written=country, battles=[b.country for b in found]
    )


def fighter_named(battle: Battle, winner: str) -> str:
    """The fighter that somebody names by seat or name."""
    folded = winner.strip().casefold()
    fitting = [seat for seat, name in battle.fighters if folded in (seat.casefold(), name.casefold())]
    if len(fitting) != 1:
        fighters = ", ".join(f"{name} ({seat})" for seat, name in battle.fighters)
        raise BadInput(f"'{winner}' did not fight there; fighters: {fighters}").named(
            "not_a_fighter", written=winner, fighters=[name for _, name in battle.fighters]
        )
    return fitting[0]
