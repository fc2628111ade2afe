"""`league new`."""

from datetime import datetime
from pathlib import Path

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


@click.command(epilog=example("league new spring --game kuel --start 2026-03-01 --option preset=gentle --lang de"))
@click.argument("slug")
@click.option("--game", required=True, help="Which game: see `league games list`.")
@click.option(
    "--start",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Orders are first due on the first closing day from this date on (default: tomorrow).",
)
@click.option("--title", help="What the league is called (default: SLUG).")
@click.option("--lang", type=click.Choice(["de", "en", "nl"]), help="The league's language (default: the site's).")
@click.option("--zone", help="Time zone of the deadlines (default: the game's).")
@click.option("--deadline", help="Weekday and time at which orders close, like 'thursday 24:00'; with --every '20:00'.")
@click.option(
    "--every",
    multiple=True,
    metavar="HOURS",
    help="Deadlines count from the report before, where a game has phases: 72h, 3d, or vote=48h for one; repeatable.",
)
@click.option(
    "--grace-minutes", type=click.IntRange(0, 24 * 60), default=15, show_default=True, help="Tolerated delay."
)
@click.option(
    "--replies-until",
    type=click.Choice(["ends", "deadline"]),
    default="ends",
    show_default=True,
    help="Battle results are awaited until the evaluation ends, or until the next round's deadline.",
)
@click.option(
    "--hold-hours",
    type=click.IntRange(0, 24 * 14),
    default=0,
    show_default=True,
    help="Every round waits so long for your look before its report goes out, unless you release it.",
)
@click.option(
    "--figure-late",
    type=click.Choice(["wait", "no_event"]),
    default="wait",
    show_default=True,
    help="A public figure that doesn't come: the round waits for you, or goes on without the event.",
)
@click.option(
    "--figure-late-days",
    type=click.IntRange(1, 56),
    default=7,
    show_default=True,
    help="How many days after the evaluation's end it goes on without.",
)
@click.option("--pause", "pauses", multiple=True, metavar="A..B", help="Holidays from day A to day B; may be repeated.")
@click.option("--prize", default="", help="What the month's leader wins; shown on the page and when a month ends.")
@click.option("--nmr-warn", type=int, default=1, show_default=True, help="Missed rounds in a row that warn a player.")
@click.option("--nmr-limit", type=int, default=3, show_default=True, help="Missed rounds in a row that are too many.")
@click.option(
    "--nmr-action",
    type=click.Choice(["tell", "retire", "offer"]),
    help="What follows from too many: you are told, the player is retired, or the seat is offered to who stands by "
    "(default: the game's).",
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated.")
@click.option(
    "--board",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A board.toml to play on instead of the game's own board (docs/games/own-board.md).",
)
@json_option
@pass_context
def cli(
    context: Context,
    slug: str,
    game: str,
    start: datetime | None,
    title: str | None,
    lang: str | None,
    zone: str | None,
    deadline: str | None,
    every: tuple[str, ...],
    grace_minutes: int,
    replies_until: str,
    hold_hours: int,
    figure_late: str,
    figure_late_days: int,
    pauses: tuple[str, ...],
    prize: str,
    nmr_warn: int,
    nmr_limit: int,
    nmr_action: str | None,
    options: tuple[str, ...],
    board: Path | None,
    as_json: bool,
) -> None:
    """Open a league named SLUG, with its first round."""
    from league.desk.acts.new_league import new_league
    from league.desk.leagues.calendar import read_pause
    from league.desk.leagues.late_figures import make_late
    from league.desk.leagues.silence import make_policy, usual_action
    from league.desk.rounds.look import round_status
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    found = new_league(
        site,
        slug,
        game=game,
        start=start.date() if start is not None else None,
        title=title,
        lang=lang,
        zone=zone,
        grace_minutes=grace_minutes,
        replies_until=replies_until,
        hold_hours=hold_hours,
        figure_late=make_late(figure_late, figure_late_days),
        deadline=deadline,
        every=every,
        pauses=[read_pause(written) for written in pauses],
        nmr=make_policy(nmr_warn, nmr_limit, nmr_action or usual_action(game)),
        prize=prize,
        options=split_options(options),
        board=board,
    )
    first = round_status(site, slug)[0]
    told = {"league": found.slug, "game": found.game, "title": found.title, "first_round": first}
    emit(told, as_json, f"{found.slug} is open; orders for round 1 are due {first['deadline']} ({first['zone']}).")
