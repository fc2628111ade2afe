"""`league round last`: with which round a season ends whose game goes on for ever.

The calendar keeps it, so that nothing opens behind it: its report is the result. A season may have it from the start
(`league new --rounds`), or be given it while it is played; of what has begun nothing is taken away.
"""

from dataclasses import dataclass
from secrets import token_hex

from league.core.errors import BadInput, Refused
from league.core.game import Meta
from league.desk import registry
from league.desk.acts.changing import changing
from league.desk.leagues.calendar import MOST_ROUNDS, is_last, last_round, match_over, with_last
from league.desk.site import Site, find_running
from league.storage import leagues, rounds

ACT = "round last"


@dataclass(frozen=True, slots=True)
class Ends:
    """The season's last round (None: it has none), and the newest one there is."""

    last: int | None
    newest: int


def set_last(site: Site, slug: str, number: int, *, why: str) -> Ends:
    """Make this round the season's last one (0: none is); the same said again changes nothing."""
    if not why.strip():
        raise BadInput("say why with --why: it is written down and everybody can read it")
    site.open_words(why)
    with changing(site, ACT) as connection:
        running = find_running(site, connection, slug)
        check_rounds(registry.plugin(running.league.game).meta, number)
        calendar = running.season.calendar
        newest = rounds.current(connection, [running.match.id])[running.match.id]
        if (last_round(calendar) or 0) == number:
            return Ends(number or None, newest.number)
        if newest.status == rounds.RESOLVED and is_last(calendar, newest.number):
            raise match_over(newest.number)
        if 0 < number < newest.number:
            raise Refused(
                f"round {newest.number} of {slug} has begun, so the season can't end before it; say {newest.number} or "
                f"a later one"
            )
        rounds.store_calendar(connection, running.season.id, with_last(calendar, number))
        site.write_down(connection, "round last", why, running.league.id, round=number)
        leagues.mark_unpublished(connection, [slug], token_hex(8))
        return Ends(number or None, newest.number)


def check_rounds(meta: Meta, number: int) -> None:
    """`BadInput` for a number of rounds that no season has; `Refused` for a game that ends by itself."""
    if not 0 <= number <= MOST_ROUNDS:
        raise BadInput(f"{number} rounds: use 1 to {MOST_ROUNDS}, or 0 for a season without an end")
    if number and meta.one_by_one:
        raise Refused(f"a match of {meta.title['en']} ends by its own rules; it can't be given a last round")
