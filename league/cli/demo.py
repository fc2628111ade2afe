"""`league demo`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from league.cli.common import Context, emit, example, json_option, pass_context

if TYPE_CHECKING:
    from league.desk.demo.demo import Played

QUIET_EVENTS = ("points",)


@click.command(
    epilog=example(
        "league demo", "league demo --dir /tmp/demo --rounds 4", "league demo --game europa --dir /tmp/europa"
    )
)
@click.option("--dir", "folder", type=click.Path(path_type=Path), default="demo", show_default=True, metavar="D")
@click.option("--rounds", type=click.IntRange(1, 52), help="Play at most so many (default: all that are recorded).")
@click.option("--game", metavar="G", help="Which game to play (default: kuel).")
@json_option
@pass_context
def cli(context: Context, folder: Path, rounds: int | None, game: str | None, as_json: bool) -> None:
    """Play a league offline: bots mail real messages, real weeks' figures decide, pages appear in D.

    Twelve rounds have all that a league knows: battles reported and disputed, a rematch, civil war, an auction, a
    newcomer, an absence, a retirement. The mails of the busiest week are laid out to be read in order. `--game europa`
    plays a whole match of EUROPA instead.

    No network is used. A second run goes on where the first stopped.
    """
    from league.desk.demo.demo import play_demo, weeks_of

    shown = sys.stderr.isatty() and not context.quiet
    length = rounds or weeks_of(game)
    with click.progressbar(length=length, label="rounds", file=sys.stderr, hidden=not shown) as bar:
        played = play_demo(folder, rounds, game, bar.update)
        bar.update(length - len(played.rounds))  # no more weeks are recorded
    emit(_told(played), as_json, lambda: _text(played))


def _told(played: "Played") -> dict[str, Any]:
    site = played.site.resolve()
    page = site / "public" / "index.html"
    return {
        "site": str(site),
        "game": played.game,
        "league": played.league,
        "page": str(page),
        "url": page.as_uri(),
        "week": str(played.week.resolve()) if played.week else None,
        "mail": {"in": str(site / "mail" / "in"), "out": str(site / "mail" / "out")},
        "rounds": played.rounds,
        "standings": played.standings,
        "weeks_left": played.weeks_left,
    }


def _text(played: "Played") -> str:
    told = _told(played)
    lines = [_round(row) for row in played.rounds]
    lines += ["", "Standings: " + ", ".join(f"{row['player']} {row['points']}" for row in played.standings)]
    lines += ["", f"Page:  {told['page']}", f"       {told['url']}"]
    if told["week"]:
        lines += ["The mails of one battle week, in order:", f"       {Path(told['week']).as_uri()}"]
    lines += [f"Mails: {told['mail']['in']}", f"       {told['mail']['out']}", ""]
    if played.weeks_left:
        lines.append(f"Run it again to go on: {played.weeks_left} recorded weeks are left.")
    elif played.over:
        lines.append("The match is over. Delete the folder to see it again.")
    else:
        lines.append("These were all recorded weeks. Delete the folder to see it again.")
    return "\n".join(lines)


def _round(row: dict[str, Any]) -> str:
    mails = ", ".join(f"{count} {verdict}" for verdict, count in row["verdicts"].items())
    events = ", ".join(
        f"{count} {name.replace('_', ' ')}" for name, count in row["events"].items() if name not in QUIET_EVENTS
    )
    return f"Round {row['round']}, in the week of Friday {row['friday']}\n  mails in: {mails}\n  events: {events}"
