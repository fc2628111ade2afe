"""`league simulate`."""

import sys
from typing import Any

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(
    epilog=example(
        "league simulate kuel --rounds 30 --bots greedy*4,lookahead*4",
        "league simulate kuel --rounds 52 --bots lookahead*8 --leagues 20 --option preset=gentle --json",
    )
)
@click.argument("game")
@click.option(
    "--rounds", type=click.IntRange(1, 1000), default=30, show_default=True, help="How long a league lasts at most."
)
@click.option("--bots", required=True, metavar="B,…", help="Who plays: names with commas between, NAME*N for several.")
@click.option("--leagues", type=click.IntRange(1, 100_000), default=1, show_default=True, help="How many leagues.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated.")
@click.option("--seed", default="1", show_default=True, metavar="S", help="Another seed, other leagues.")
@json_option
@pass_context
def cli(
    context: Context,
    game: str,
    rounds: int,
    bots: str,
    leagues: int,
    options: tuple[str, ...],
    seed: str,
    as_json: bool,
) -> None:
    """Play leagues of GAME among bots, in memory: made-up figures, drawn battles, no site.

    The same line gives the same answer.
    """
    from league.cli.new import split_options
    from league.desk.play.simulate import make_plan, simulate

    plan = make_plan(game, rounds, bots, split_options(options), leagues, seed)
    shown = sys.stderr.isatty() and not context.quiet and leagues > 1
    with click.progressbar(length=leagues, label="leagues", file=sys.stderr, hidden=not shown) as bar:
        told = simulate(plan, bar.update)
    emit(told, as_json, lambda: _text(told))


def _text(told: dict[str, Any]) -> str:
    played = told["rounds"] if told["played"] == told["rounds"] else told["played"]
    head = f"{told['game']} ({told['rules']}): {told['leagues']} leagues of {played} rounds, seed {told['seed']}"
    lines = [head, "", f"{'bot':12} seats  first %  mean points  lowest  median  highest  countries"]
    for row in told["bots"]:
        points = row["points"]
        lines.append(
            f"{row['bot']:12} {row['seats']:5}  {row['first']:7.1f}  {points['mean']:11.1f}  {points['lowest']:6}  "
            f"{points['median']:6.0f}  {points['highest']:7}  {row['countries']:9.1f}"
        )
    lines += [
        "",
        f"The leader changed {told['leader_changes']} times a league; at the end {told['in_debt']} % in debt.",
    ]
    lines.append("Orders: " + ", ".join(f"{count} {fate}" for fate, count in told["orders"].items()))
    lines.append("Events: " + ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in told["events"].items()))
    return "\n".join(lines)
