"""What an imported league must be to be gone on with: its names, its persons, its game, its chains.

Whether rows have the right types the tables' own reading has said (`storage/league_in.py`). Here they are read as a
run would read them, within the transaction that laid them in: what a run would stumble over is refused now.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from sqlalchemy import Connection

from league.core.errors import BadInput, LeagueError, Refused
from league.desk import registry
from league.desk.clock import stamp
from league.desk.leagues import press_policy
from league.desk.leagues.calendar import ONE_BY_ONE, round_of
from league.desk.leagues.public_journal import seals
from league.desk.leagues.seasons import follows
from league.desk.leagues.silence import silent
from league.desk.leagues.turns import asked_of, lay_out, rules_of, start_of
from league.desk.overview.glance import glance
from league.desk.people.moved import all_places
from league.desk.people.names import BENCH_CODE, SEAT_CODE, is_one_line
from league.desk.people.players import is_address
from league.desk.rounds.resolve_rounds import known_figures
from league.desk.site import Site
from league.i18n import LANGS
from league.records.audit import Fault, InForce, Link, in_order, keys_of, read_link
from league.records.freeze import verified
from league.records.journal import FIELD, record_faults
from league.records.rotation import KIND as KEY
from league.records.sealed import KIND as UNSEALED
from league.storage import journal, leagues, records, rounds
from league.storage.leagues import League
from league.storage.records import ADJUSTMENT, ROUND

KINDS = frozenset({ROUND, ADJUSTMENT, KEY, UNSEALED})
SEAT_STATES = frozenset({leagues.ACTIVE, leagues.INVITED, leagues.LEFT, *leagues.BENCH})
MATCH_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,49}")
MATCH_STATES = frozenset({"running", "over"})
ROUND_STATES = frozenset({rounds.OPEN, rounds.FROZEN, rounds.RESOLVED})
PLAYER_STATES = frozenset(
    {"active", "invited", "declined", "standby", "stood_down", "retired", "replaced", "forgotten", "left"}
)


def require_sound(site: Site, connection: Connection, league: League) -> None:
    """`BadInput` lists what is wrong with the league; `Refused` says what this site can't do."""
    try:
        _require_sound(site, connection, league)
    except LeagueError:
        raise
    except Exception as error:  # whatever code says to JSON that no program of ours wrote
        raise _unfit(league, error) from error


def _unfit(league: League, error: Exception) -> BadInput:
    odd = "a time that no calendar has" if isinstance(error, OverflowError) else "a value that no league has"
    return BadInput(f"{league.slug} can't be gone on with as it is: {odd} is in it, and league export writes no such")


def _require_sound(site: Site, connection: Connection, league: League) -> None:
    _require_past(site, connection, league)
    seasons = leagues.seasons(connection, league.id)
    matches = leagues.matches(connection, [season.id for season in seasons])
    if not seasons or not matches:
        raise BadInput("it holds no season or no match")
    _require_game(league, seasons)
    _require_season(connection, league, seasons)
    faults = [
        *_names(league, matches),
        *_chosen(league, seasons),
        *_persons(site, connection, league),
        *_rounds(connection, matches),
    ]
    if faults:
        raise BadInput.several(faults)
    _require_playable(site, connection, league, matches)


def _require_past(site: Site, connection: Connection, league: League) -> None:
    """Nothing in it happened later than now, or no command would run here before then."""
    last = [act.at for act in journal.of_scope(connection, league.id)]
    froze = rounds.last_freeze(connection)
    newest = max([*last, *([froze] if froze else [])], default=site.now)
    if newest > site.now:
        raise Refused(
            f"the clock here says {stamp(site.now)}, and the league's last act is of {stamp(newest)}; set the clock "
            f"right, or give a later --now"
        )


def is_match(slug: Any) -> bool:
    """Whether a match can be called so: it stands in file names and mails."""
    return isinstance(slug, str) and MATCH_NAME.fullmatch(slug) is not None


def _require_game(league: League, seasons: Sequence[leagues.Season]) -> None:
    """The game is installed, with the rules and the tables that the league's records name."""
    meta = registry.plugin(league.game).meta
    for season in seasons:
        if season.rules not in meta.versions:
            raise Refused(
                f"the league plays by the rules {season.rules}, and the game {league.game} here knows "
                f"{', '.join(meta.versions)}: install the version of the program that it was played with"
            )


def _require_season(connection: Connection, league: League, several: Sequence[leagues.Season]) -> None:
    """Which season it is, and after which league, is what its opening record says."""
    for season in several:
        after = follows(season.sources)
        for match in leagues.matches(connection, [season.id]):
            found = [read_link(one.file, one.body) for one in records.of_round(connection, match.id, 0)]
            told = [follows(one.body) for one in found if isinstance(one, Link)]  # what can't be read the chain tells
            if any(one != after for one in told) or season.number != (after.season if after else 1):
                raise BadInput(f"{league.slug}: its opening record doesn't say that it is season {season.number}")


def _names(league: League, matches: Sequence[leagues.Match]) -> Iterator[str]:
    if league.status != leagues.RUNNING:
        yield f"league {league.slug}: its status is {league.status[:40]!r}"
    if league.lang not in LANGS:
        yield f"league {league.slug}: language {league.lang[:40]!r}; use {', '.join(LANGS)}"
    if league.zone not in available_timezones():
        yield f"league {league.slug}: zone {league.zone[:40]!r} is no time zone"
    for match in matches:
        if not is_match(match.slug):
            yield f"{match.slug[:60]!r} can't name a match"
        if match.status not in MATCH_STATES:
            yield f"match {match.slug[:40]}: its status is {match.status[:40]!r}"


def _chosen(league: League, seasons: Sequence[leagues.Season]) -> Iterator[str]:
    """Options are those that a new league could have: pages and mails show them."""
    meta = registry.plugin(league.game).meta
    known = {option.name for option in meta.options}
    for season in seasons:
        try:
            own, _ = press_policy.split_off(season.options)
            registry.check_options(meta, {name: value for name, value in own.items() if name in known}, "option")
        except BadInput as error:
            yield f"league {league.slug}: {error}"


def _rounds(connection: Connection, matches: Sequence[leagues.Match]) -> Iterator[str]:
    """What is closed has the root over its orders, or they could be changed still."""
    for match in matches:
        for one in rounds.rounds(connection, match.id):
            if one.status not in ROUND_STATES:
                yield f"match {match.slug[:40]}, round {one.number}: its status is {one.status[:40]!r}"
            elif (one.root is None) != (one.status == rounds.OPEN):
                root = "no root" if one.root is None else "a root"
                yield f"match {match.slug[:40]}, round {one.number}: it is {one.status} and has {root}"


def _persons(site: Site, connection: Connection, league: League) -> Iterator[str]:
    for player in leagues.players(connection, league.id):
        if not is_one_line(player.name):
            yield f"name {player.name[:60]!r} is no name of one line"
        if player.lang not in LANGS or player.zone not in available_timezones():
            yield f"{player.name[:40]}: language {player.lang[:20]!r} or zone {player.zone[:40]!r} isn't known"
        if player.status not in PLAYER_STATES:
            yield f"{player.name[:40]}: the status {player.status[:40]!r} isn't known"
        if player.address is None:
            continue
        if player.address_key != leagues.fold(player.address):
            key = str(player.address_key)[:80]
            yield f"{player.name[:40]}: the address {player.address[:80]!r} would be looked for as {key!r}"
        if not is_address(player.address):
            yield f"address {player.address[:80]!r} is not a mail address like anna@example.org"
        if leagues.fold(player.address) == leagues.fold(site.settings.mail.from_address):
            yield f"address {player.address} is the one that this site sends from: its mails would answer themselves"
    for slug, places in all_places(connection, league).items():
        for place in places:
            code = BENCH_CODE if place.status in leagues.BENCH else SEAT_CODE
            if not code.fullmatch(place.code) or place.status not in SEAT_STATES:
                yield f"match {slug}: seat {place.code[:40]!r} with status {place.status[:40]!r}"


def _require_playable(site: Site, connection: Connection, league: League, matches: Sequence[leagues.Match]) -> None:
    """Rounds that aren't done can be laid out, the next one opened, and the organizer's desk and the pages made."""
    current = rounds.current(connection, [match.id for match in matches])
    waiting = rounds.unresolved(connection, [match.id for match in matches])
    for match in matches:
        if match.id not in current:
            raise BadInput(f"match {match.slug} has no round")
        ids = sorted({current[match.id].id, *(one.id for one in waiting.get(match.id, ()))})
        for loaded in rounds.load_chunk(connection, ids):
            if loaded.round.zone not in available_timezones():
                raise BadInput(
                    f"{match.slug}, round {loaded.round.number}: zone {loaded.round.zone[:40]!r} isn't known"
                )
            try:
                start_of(loaded, rules_of(loaded))
                asked_of(loaded)
                lay_out(loaded, known_figures(connection, [loaded]))
            except LeagueError as error:
                raise BadInput(f"{match.slug}, round {loaded.round.number}: {error}") from error
            if not loaded.calendar.get(ONE_BY_ONE):
                round_of(loaded.calendar, match.id, loaded.round.number + 1)
    list(silent(connection, [league.slug]))
    list(glance(site, connection, [league.slug]))


# ------------------------------------------------------------------ chains


def require_chain(
    connection: Connection, league: League, match: leagues.Match, before: str, size: int
) -> tuple[str, str]:
    """The key that was in force before the chain was handed on, and the one since; `BadInput` where it doesn't hold.

    `before` and `size`: the head that the manifest names, and how many records there were.
    """
    sealed = records.chain(connection, match.id)
    links = [_link(one, league, match) for one in sealed]
    ordered, faults = in_order(links)
    if faults or tuple(ordered) != tuple(links):
        raise _broken(match, faults[0].what if faults else "its records aren't in the order of the chain")
    keys, wrong = _keys(links)
    if wrong:
        raise _broken(match, wrong)
    if len(links) != size + 1 or links[size - 1].sha256 != before or links[-1].kind != KEY or len(keys) < 2:
        raise _broken(match, f"its records aren't the {size} up to {before[:16]}… and one that hands the chain on")
    _require_journal(connection, league, match, links)
    _require_tables(connection, league, match, links)
    return keys[-2].public_key, keys[-1].public_key


def _link(one: records.Sealed, league: League, match: leagues.Match) -> Link:
    found = read_link(one.file, one.body)
    if isinstance(found, Fault):
        raise _broken(match, f"{one.file}: {found.what}")
    named = (found.body.get("league"), found.body.get("match"))
    if one.kind not in KINDS or found.sha256 != one.sha256 or found.body.get("previous") != one.previous:
        raise _broken(match, f"{one.file[:60]} isn't the record that its row says")
    if named != (league.slug, match.slug):
        raise _broken(match, f"{one.file} is a record of {str(named)[:80]}")
    return found


def _keys(links: Sequence[Link]) -> tuple[tuple[InForce, ...], str]:
    try:
        keys, faults = keys_of(links)
    except (KeyError, TypeError, ValueError, LeagueError):
        return (), "a key's record can't be read"
    return keys, f"{faults[0].file}: {faults[0].what}" if faults else ""


def _broken(match: leagues.Match, what: str) -> BadInput:
    return BadInput(f"the chain of {match.slug[:40]} doesn't hold: {what}; nothing was imported")


def _require_journal(connection: Connection, league: League, match: leagues.Match, links: Sequence[Link]) -> None:
    """The acts are those that the newest record counts: else verification would fail from here on."""
    acts = journal.of_scope(connection, league.id)
    told: list[dict[str, Any]] = [
        {"seal": one} for one in seals(acts, registry.plugin(league.game).meta.figures, b"no key: salts come with acts")
    ]
    for link in links:
        if FIELD in link.body and (wrong := next(record_faults(link.body, told), None)):
            raise _broken(match, f"{link.file}: {wrong[1]}")


def _require_tables(connection: Connection, league: League, match: leagues.Match, links: Sequence[Link]) -> None:
    """The game's tables are those of the newest record; else rounds would come out otherwise here."""
    named = [link.body["rules"] for link in links if isinstance(link.body.get("rules"), dict)]
    season = next(one for one in leagues.seasons(connection, league.id) if one.id == match.season_id)
    here = registry.tables_sha256(league.game, registry.board_of(season.sources))
    there = named[-1].get("tables_sha256") if named else None
    if there != here:
        raise Refused(
            f"the tables of the game {league.game} here aren't those that {match.slug} was played with "
            f"({str(there)[:16]}…): install the version of the program that it was played with"
        )


def signed(key: str, payload: bytes, signature: Any) -> bool:
    """Whether the file is as the site wrote it whose key was in force."""
    try:
        return verified(key, payload, str(signature))
    except LeagueError:
        return False


def since(written: Any) -> datetime:
    """A time in a manifest."""
    try:
        moment = datetime.fromisoformat(written)
    except (TypeError, ValueError):
        raise BadInput(f"its manifest says made_at {str(written)[:60]!r}, which is no time") from None
    if moment.tzinfo is None:
        raise BadInput(f"its manifest says made_at {written!r}, without a zone")
    return moment
