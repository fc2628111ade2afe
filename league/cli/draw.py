"""`league draw`."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from league.cli.common import (
    Context,
    dry_run_option,
    emit,
    emit_lines,
    example,
    json_option,
    league_argument,
    pass_context,
    read_text,
    say,
)
from league.cli.correcting import correction_text, mode_options
from league.cli.new import split_options

F = TypeVar("F", bound=Callable[..., Any])


def figure_options(command: F) -> F:
    """The figures of a week, as somebody read them."""
    options = (
        click.option("--dax-close", help="The close, as published: 16594.21 or 16.594,21."),
        click.option("--dax-day", help="The close's day: the Friday, or with --holiday the day before it."),
        click.option("--eurusd", help="Dollars for one euro, the ECB's rate of that day."),
        click.option("--lotto", help="Six numbers in the order drawn."),
        click.option("--lotto-set", help="Six numbers whose order isn't known."),
        click.option("--lotto-day", help="The Saturday of the draw."),
        click.option("--holiday", is_flag=True, help="The exchange was closed on the Friday."),
        click.option("--source", required=True, help="Where you read it; shown on the page."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group(epilog=example("league draw show spring"))
def cli() -> None:
    """Public figures and what the rules make of them."""


@cli.command(
    epilog=example(
        "league draw enter spring --dax-close 16594.21 --dax-day 2024-01-05 --eurusd 1.0921 "
        "--lotto '3 11 17 20 24 43' --lotto-day 2024-01-06 --source 'evening paper' --why 'no internet'"
    )
)
@league_argument
@figure_options
@click.option("--why", required=True, help="Why by hand; shown on the page.")
@json_option
@pass_context
def enter(
    context: Context,
    /,
    league: str,
    holiday: bool,
    source: str,
    why: str,
    as_json: bool,
    **written: str | None,
) -> None:
    """Enter public figures by hand. They count for every league of the site whose week they are of."""
    from league.desk.figures.enter_figure import Entry, enter_figures
    from league.desk.rounds.look import waited_for
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    table = {key: value for key, value in written.items() if value is not None}
    entered = enter_figures(site, league, Entry(table, source, why, holiday))
    rows = [f.facts() for f in entered]
    for note in waited_for(site, league, entered):
        say(context, f"note: {note}")
    emit(rows, as_json, "\n".join(f"{f.figure} of {f.day}: {f.value}" for f in entered))


@cli.command(
    epilog=example(
        "league draw correct spring --dax-close 16594.12 --dax-day 2024-01-05 --source 'evening paper' "
        "--why 'two digits were swapped' --dry-run",
    )
)
@league_argument
@figure_options
@click.option("--why", required=True, help="What was wrong; everyone is told.")
@mode_options
@dry_run_option
@json_option
@pass_context
def correct(
    context: Context,
    /,
    league: str,
    holiday: bool,
    source: str,
    why: str,
    mode: str,
    dry_run: bool,
    as_json: bool,
    **written: str | None,
) -> None:
    """Put a figure right that stands wrongly. The round of its week gets a new version, if its report is out.

    The value that stands already is confirmed by it: notices that a source says otherwise by now go away.
    """
    from league.desk.correcting.correct_figure import correct_figures
    from league.desk.correcting.correct_round import Act, worded
    from league.desk.figures.enter_figure import Entry
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    entry = Entry({k: v for k, v in written.items() if v is not None}, source, why, holiday)
    found = correct_figures(site, league, entry, Act("draw correct", why, mode, dry_run=dry_run))
    sealed = dict(worded(site, league, found.sealed, context.lang)) if found.sealed else None
    rows = [f.facts() for f in found.figures]
    told = {"round": found.round, "figures": rows, "confirmed": found.confirmed, "correction": sealed}
    named = "\n".join(f"{f.figure} of {f.day}: {f.value}" for f in found.figures)
    stands = f"{named}\n{'Confirmed' if found.confirmed else 'That stands now'}; no report had it otherwise."
    emit(told, as_json, lambda: correction_text(sealed) if sealed else stands)


@cli.command("object", epilog=example("league draw object spring dax_close --why 'the paper has another close'"))
@league_argument
@click.argument("figure")
@click.option("--why", required=True, help="Why you don't believe it; it is written down.")
@json_option
@pass_context
def object_(context: Context, league: str, figure: str, why: str, as_json: bool) -> None:
    """Object to a FIGURE that stands by one source alone: the round waits for a second one, or for your entry."""
    from league.desk.correcting.correct_figure import object_to
    from league.desk.site import open_site

    gone = object_to(open_site(context.site, context.now, context.match), league, figure, why)
    text = f"{gone.figure} of {gone.day} doesn't stand any more; league draw enter enters it."
    emit({"figure": gone.figure, "day": gone.day.isoformat(), "status": gone.status}, as_json, text)


@cli.command(epilog=example("league draw fetch"))
@click.argument("league", required=False, default="")
@click.option("--force", is_flag=True, help="Ask also sources that want to be left alone, and before their time.")
@json_option
@pass_context
def fetch(context: Context, league: str, force: bool, as_json: bool) -> int:
    """Ask the sources for the figures that rounds wait for. `league run` does it too."""
    from league.desk.figures.fetch_figures import fetch_figures
    from league.desk.site import open_site

    done = fetch_figures(open_site(context.site, context.now, context.match), league, force=force)
    rows = {
        "answers": [
            {"source": a.source, "figure": a.figure, "day": a.day.isoformat(), "value": a.value, "trouble": a.trouble}
            for a in done.answers
        ],
        "figures": [
            {"figure": f, "day": d.isoformat(), "status": s.status.value, "value": s.value, "why": s.why}
            for (f, d), s in sorted(done.standings.items())
        ],
    }
    lines = [f"{a.source:18} {a.figure:10} {a.day}  {a.value or a.trouble}" for a in done.answers]
    lines += [f"{s.status.value:18} {f:10} {d}  {s.value or s.why}" for (f, d), s in sorted(done.standings.items())]
    emit(rows, as_json, "\n".join(lines) or "Nothing is waited for, or nobody could be asked now.")
    return 1 if done.disputed else 0


@cli.command(epilog=example("league draw show spring --round 3"))
@league_argument
@click.option("--round", "number", type=int, help="Which round (default: the one that waits).")
@json_option
@pass_context
def show(context: Context, league: str, number: int | None, as_json: bool) -> None:
    """The figures that are known for a round's week, with their sources."""
    from league.desk.figures.enter_figure import show_figures
    from league.desk.site import open_site

    chosen, figures = show_figures(open_site(context.site, context.now, context.match), league, number)
    rows = [
        {
            "figure": f.figure,
            "day": f.day.isoformat(),
            "value": f.value,
            "status": f.status,
            "source": f.source,
            "reason": f.reason,
        }
        for f in figures
    ]
    lines = (f"{f.figure:10} {f.day}  {f.value:22} {f.status}, {f.source}" for f in figures)
    emit({"round": chosen, "figures": rows}, as_json, lambda: "\n".join(lines) or f"Round {chosen}: none known yet.")


@cli.command(epilog=example("league draw explain kuel --csv weeks.csv --json-lines"))
@click.argument("game")
@click.option(
    "--csv", "file", required=True, metavar="FILE", help="Columns friday,dax_close,dax_day,eurusd,saturday,lotto."
)
@click.option("--json-lines", is_flag=True, help="A JSON object a line for every row.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated.")
@pass_context
def explain(context: Context, game: str, file: str, json_lines: bool, options: tuple[str, ...]) -> None:
    """What weeks of figures make under the rules, with the working. No site is needed."""
    from league.desk.play.explain_draws import explain_draws

    lines = read_text(file).splitlines()
    rows = explain_draws(game, lines, file, split_options(options), context.lang or "en")
    if json_lines:
        emit_lines(rows)
        return
    for row in rows:
        click.echo(f"{row['friday']}: civil war {row['civil_war']}, collapse {row['collapse']}")
        for step in row["steps"] if isinstance(row["steps"], (list, tuple)) else ():
            click.echo(f"  {step}")
