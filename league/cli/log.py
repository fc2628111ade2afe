"""`league log`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(epilog=example("league log spring --last 20"))
@click.argument("league", required=False)
@click.option("--last", type=click.IntRange(1), default=100, show_default=True, help="How many acts.")
@json_option
@pass_context
def cli(context: Context, league: str | None, last: int, as_json: bool) -> None:
    """The journal: who did what, when and why; of one LEAGUE or of all."""
    from league.desk.rounds.look import journal_of
    from league.desk.site import open_site

    rows = journal_of(open_site(context.site, context.now, context.match), league, last)

    def text() -> str:
        lines = []
        for row in rows:
            arguments = row["arguments"] if isinstance(row["arguments"], dict) else {}
            rest = " ".join(f"{key}={value}" for key, value in arguments.items())
            lines.append(
                f"{row['at']}  {row['who']}  {row['league'] or '-'}  {row['act']}  {rest}  {row['why']}".rstrip()
            )
        return "\n".join(lines)

    emit(rows, as_json, text)
