"""A site with many told rounds, filled without mails: bots have played one league, each league has its records."""

import sys
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from league.desk.acts.new_league import new_league
from league.desk.leagues.calendar import round_of
from league.desk.people.players import NewPlayer, add_players
from league.desk.play import simulate
from league.desk.site import Site, find_running, open_site
from league.records import chain
from league.storage import engine as database
from league.storage import leagues, records, rounds
from league.storage.records import Sealed, Start
from league.storage.tables import PLAYER
from tests.desk.long_league import BEGIN, Body, Long
from tests.desk.sites import make_site

NAMES = ("Anna", "Ben", "Carla", "Dirk", "Eva", "Finn", "Greta", "Hugo")


@cache
def told(count: int) -> tuple[Body, ...]:
    """So many rounds of eight players, as records have them."""
    return tuple(Long.played(count).bodies[1:])


def fill(path: Path, slugs: list[str], count: int) -> datetime:
    """A site with these leagues, each of so many rounds; the moment after the last."""
    make_site(path, BEGIN)
    site = open_site(path, BEGIN)
    for slug in slugs:
        _league(site, slug, count)
    site.engine.dispose()
    return after(count)


def after(count: int) -> datetime:
    """A Monday, the round behind so many being open."""
    return BEGIN + timedelta(weeks=count, days=8)


def _league(site: Site, slug: str, count: int) -> None:
    options = {key: value for key, value in told(count)[0]["rules"]["options"].items() if key != "preset"}
    new_league(site, slug, game="kuel", start=simulate.MONDAY, lang="de", options=options)
    add_players(site, slug, [NewPlayer(name, f"{name.lower()}@example.org", "de") for name in NAMES])
    add_rounds(site, slug, 1, count)


def add_rounds(site: Site, slug: str, first: int, last: int) -> None:
    """Rounds with their records; the one behind them is open."""
    with database.write(site.engine) as connection:
        running = find_running(site, connection, slug)
        match, calendar = running.match.id, running.season.calendar
        connection.execute(PLAYER.update().values(status="active"))
        previous = records.heads(connection, [match])[match].sha256
        for number, body in enumerate(told(last)[first - 1 : last], first):
            rest = {key: value for key, value in body.items() if key != "previous"}
            rest |= {"league": slug, "match": running.match.slug}
            sealed = chain.seal(rest, previous)
            row = Sealed(match, number, 1, sealed.json, sealed.sha256, previous, after(number))
            previous = sealed.sha256
            records.store_records(connection, [row])
            records.store_positions(connection, [Start(match, number + 1, 1, body["position"])])
            current = rounds.current(connection, [match])[match]
            rounds.freeze(connection, current.id, now=current.closes_at, late=False, root=body["freeze"]["root"])
            rounds.resolve(connection, current.id)
            rounds.open_rounds(connection, [round_of(calendar, match, number + 1)])
        leagues.mark_unpublished(connection, [f"{slug}/{number}" for number in range(first, last + 1)], "bench")
