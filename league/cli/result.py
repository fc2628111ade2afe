"""`league result`."""

from typing import Any

import click

from league.cli.common import Context, dry_run_option, emit, example, json_option, league_argument, pass_context
from league.cli.correcting import correction_text, mode_options


@click.group(epilog=example("league result list spring"))
def cli() -> None:
    """Results of battles."""


def _told(found: object) -> dict[str, object]:
    from dataclasses import asdict, is_dataclass

    return asdict(found) if is_dataclass(found) and not isinstance(found, type) else {}


def _text(told: dict[str, object]) -> str:
    battles = told["waiting"] if isinstance(told["waiting"], (list, tuple)) else ()
    lines = [
        f"{b['country']} (attempt {b['attempt']}): {' against '.join(name for _, name in b['fighters'])}"
        f"{' - disputed, decide it with league result enter' if b['disputed'] else ''}"
        for b in battles
    ]
    lines = lines or [f"Round {told['round']} waits for no battle."]
    reports = told["reports"] if isinstance(told["reports"], (list, tuple)) else ()
    lines += [f"{r['country']}: {r['name']} reports that {r['winner_name']} won ({r['received']})" for r in reports]
    if battles:
        lines.append(f"Reports are awaited until {told['until']}.")
    return "\n".join(lines)


@cli.command("list", epilog=example("league result list spring --json"))
@league_argument
@json_option
@pass_context
def list_(context: Context, league: str, as_json: bool) -> None:
    """The battles that wait for a result now, and the results that are in."""
    from league.desk.rounds.enter_result import list_results
    from league.desk.site import open_site

    told = _told(list_results(open_site(context.site, context.now, context.match), league))
    emit(told, as_json, lambda: _text(told))


@cli.command(
    epilog=example(
        "league result enter spring Paris Anna",
        "league result enter spring Paris Ben --round 3 --why 'the report had it wrong' --dry-run",
    )
)
@league_argument
@click.argument("country")
@click.argument("winner")
@click.option("--attempt", type=click.IntRange(1, 2), help="1, or 2 for a rematch (default: the one that waits).")
@click.option("--round", "number", type=click.IntRange(1), help="A round whose report is out and has it wrong.")
@click.option("--why", default="", help="Reason; it is written down, and told to everyone with --round.")
@mode_options
@dry_run_option
@json_option
@pass_context
def enter(
    context: Context,
    /,
    league: str,
    country: str,
    winner: str,
    number: int | None,
    why: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Say that WINNER won the battle for COUNTRY; with --round in a round that is sealed already."""
    from league.desk.rounds.enter_result import enter_result
    from league.desk.site import open_site

    site, attempt = open_site(context.site, context.now, context.match), how["attempt"]
    if number is not None:
        from league.desk.correcting.correct_result import correct_result
        from league.desk.correcting.correct_round import Act, worded

        act = Act("result enter", why, how["mode"], dry_run=how["dry_run"])
        told = dict(
            worded(site, league, correct_result(site, league, number, country, winner, attempt, act), context.lang)
        )
        emit(told, as_json, lambda: correction_text(told))
        return
    if how["mode"] or how["dry_run"]:
        raise click.UsageError("--from-now, --recompute and --dry-run go with --round.")
    entered = _told(enter_result(site, league, country, winner, attempt=attempt, why=why))
    emit(entered, as_json, lambda: f"Noted. {_text(entered)}")
