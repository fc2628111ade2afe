"""`league cases`."""

from pathlib import Path

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.group(epilog=example("league cases run kuel tests/cases/kuel"))
def cli() -> None:
    """Adjudication cases: situations with their expected outcome."""


@cli.command(epilog=example("league cases run kuel tests/cases/kuel/K23-*.toml"))
@click.argument("game")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(path_type=Path))
@json_option
@pass_context
def run(_: Context, game: str, paths: tuple[Path, ...], as_json: bool) -> int:
    """Run the cases in PATH (files or folders); what differs from `expect` is shown."""
    from league.desk.play.cases import find_cases, run_cases

    done = list(run_cases(game, find_cases(paths)))
    failed = [tried for tried in done if tried.differences]
    rows = [
        {"case": t.path, "title": t.title, "ok": not t.differences, "differences": list(t.differences)} for t in done
    ]

    def text() -> str:
        lines = [f"{t.path}: {t.title}\n" + "\n".join(f"  {line}" for line in t.differences) for t in failed]
        return "\n".join([*lines, f"{len(done)} cases, {len(failed)} differ."])

    emit({"cases": rows, "passed": len(done) - len(failed), "failed": len(failed)}, as_json, text)
    for tried in failed:
        if tried.broken:
            click.echo("\n".join(f"Error: {line}" for line in tried.differences), err=True)
    return 1 if failed else 0
