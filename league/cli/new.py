"""`league new`."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from league.cli.common import Context, emit, example, json_option, pass_context


def split_options(written: tuple[str, ...]) -> dict[str, object]:
    """`k=v` pairs; a usage error shows how to write them."""
    found: dict[str, object] = {}
    for pair in written:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise click.BadParameter(f"{pair!r} is no option; write it like civil_war_rounds=6", param_hint="--option")
        found[key.strip()] = value.strip()
    return found


OPTIONS = (
    click.option("--game", help="Which game: see `league games list`. With --after it is the same."),
    click.option(
        "--after",
        default="",
        metavar="LEAGUE",
        help="The next season of this league: what isn't said here is as it was there, and its players are invited.",
    ),
    click.option(
        "--invite/--no-invite",
        default=True,
        show_default=True,
        help="With --after: ask the players who have a seat there, by mail.",
    ),
    click.option(
        "--start",
        type=click.DateTime(["%Y-%m-%d"]),
        help="Orders are first due on the first closing day from this date on (default: tomorrow).",
    ),
    click.option("--title", help="What the league is called (default: SLUG)."),
    click.option("--lang", type=click.Choice(["de", "en", "nl"]), help="The league's language (default: the site's)."),
    click.option("--zone", help="Time zone of the deadlines (default: the game's)."),
    click.option(
        "--deadline", help="Weekday and time at which orders close, like 'thursday 24:00'; with --every '20:00'."
    ),
    click.option(
        "--every",
        multiple=True,
        metavar="HOURS",
        help="Deadlines count from the report before, where a game has phases: 72h, 3d, or vote=48h for one; "
        "repeatable.",
    ),
    click.option(
        "--rounds",
        type=int,
        help="The season ends with this round, for games that would go on for ever (default: 0, without an end).",
    ),
    click.option("--grace-minutes", type=click.IntRange(0, 24 * 60), help="Tolerated delay (default: 15)."),
    click.option(
        "--replies-until",
        type=click.Choice(["ends", "deadline"]),
        help="Battle results are awaited until the evaluation ends (the default), or until the next round's deadline.",
    ),
    click.option(
        "--hold-hours",
        type=click.IntRange(0, 24 * 14),
        help="Every round waits so long for your look before its report goes out, unless you release it (default: 0).",
    ),
    click.option(
        "--figure-late",
        type=click.Choice(["wait", "no_event"]),
        help="A public figure that doesn't come: the round waits for you (the default), or goes on without the event.",
    ),
    click.option(
        "--figure-late-days",
        type=click.IntRange(1, 56),
        help="How many days after the evaluation's end it goes on without (default: 7).",
    ),
    click.option(
        "--pause", "pauses", multiple=True, metavar="A..B", help="Holidays from day A to day B; may be repeated."
    ),
    click.option("--prize", help="What the month's leader wins; shown on the page and when a month ends."),
    click.option("--nmr-warn", type=int, help="Missed rounds in a row that warn a player (default: 1)."),
    click.option("--nmr-limit", type=int, help="Missed rounds in a row that are too many (default: 3)."),
    click.option(
        "--nmr-action",
        type=click.Choice(["tell", "retire", "offer"]),
        help="What follows from too many: you are told, the player is retired, or the seat is offered to who stands by "
        "(default: the game's).",
    ),
    click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated."),
    click.option(
        "--board",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A board.toml to play on instead of the game's own board (docs/games/own-board.md).",
    ),
)


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command(
    epilog=example(
        "league new spring --game kuel --start 2026-03-01 --option preset=gentle --lang de",
        "league new autumn --after spring",
    )
)
@click.argument("slug")
@_with_options
@json_option
@pass_context
def cli(
    context: Context,
    /,
    slug: str,
    start: datetime | None,
    every: tuple[str, ...],
    pauses: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
    **said: Any,
) -> None:
    """Open a league named SLUG, with its first round."""
    from league.desk.acts.next_season import Wish, open_new
    from league.desk.leagues.calendar import read_pause
    from league.desk.rounds.look import round_status
    from league.desk.site import open_site

    if not (said["game"] or said["after"]):
        message = "Say --game, or --after for the next season of a league that is there."
        raise click.UsageError(message)
    site = open_site(context.site, context.now, context.match)
    wish = Wish(
        start=start.date() if start is not None else None,
        every=every or None,
        pauses=tuple(read_pause(written) for written in pauses),
        options=split_options(options),
        **said,
    )
    done = open_new(site, slug, wish)
    first = round_status(site, slug)[0]
    told: dict[str, Any] = {"league": done.league.slug, "game": done.league.game, "title": done.league.title}
    told |= {"first_round": first, "season": done.season, "after": wish.after or None, "invited": done.invited}
    words = f"{done.league.slug} is open; orders for round 1 are due {first['deadline']} ({first['zone']})."
    if wish.after:
        words += f"\nIt is season {done.season}, after {wish.after}; {_asked(done.invited)}."
    emit(told, as_json, words)


def _asked(players: int) -> str:
    known = {0: "nobody is invited", 1: "1 player is invited"}
    return known.get(players, f"{players} players are invited")
