"""The organizer's part of a demo, done by the same use cases as the command line's."""

from collections.abc import Sequence

from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import retire
from league.desk.demo.demo_cast import Act, Cast
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.people.players import NewPlayer, add_players
from league.desk.rounds.enter_result import Battle, enter_result, list_results
from league.desk.site import Site, find_running
from league.storage import engine as database
from league.storage import leagues

SLUG = "demo"
REASON = "the demo's recorded week"


def seat(site: Site, cast: Cast, number: int) -> bool:
    """Add the players whose time has come; whether anybody came."""
    with database.read(site.engine) as connection:
        seated = {s.name for s in leagues.seats(connection, [find_running(site, connection, SLUG).match.id])}
    coming = [p for p in cast.players if p.joins <= number and p.name not in seated]
    if coming:
        add_players(site, SLUG, [NewPlayer(p.name, p.address, p.lang) for p in coming])
    return bool(coming)


def change_seats(site: Site, acts: Sequence[Act]) -> None:
    """Who is away and left a list, and who leaves for good."""
    for act in acts:
        if act.act == "absent":
            instruct(site, SLUG, act.player, until=act.until, texts=act.orders, why=act.why)
        else:
            retire(site, SLUG, act.player, why=act.why)


def decide(site: Site, acts: Sequence[Act]) -> None:
    """The organizer's word on the battles that are in dispute."""
    disputed = any(battle.disputed for battle in waiting(site)) if acts else False
    for act in acts if disputed else ():
        enter_result(site, SLUG, act.country, act.player, attempt=None, why=act.why)


def waiting(site: Site) -> tuple[Battle, ...]:
    """The battles that are due now."""
    return list_results(site, SLUG).waiting


def enter_week(site: Site, cast: Cast, number: int) -> None:
    """The recorded figures of a round's week."""
    for source in cast.sources:
        table = {name: cast.weeks[number - 1][name] for name in source["figures"]}
        enter_figures(site, SLUG, Entry(table, source["source"], REASON))
