"""`league export`."""

from pathlib import Path

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(
    epilog=example(
        "league export spring",
        "league export spring /mnt/stick/spring.tar --to leagues@new.example",
        "league export spring --copy try-out.tar",
        'league export spring --undo --why "the new machine wasn\'t ready"',
    )
)
@click.argument("league")
@click.argument("file", type=click.Path(path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--to", default="", metavar="ADDRESS", help="Where mail for the league goes from now on; players are told."
)
@click.option("--copy", is_flag=True, help="Only a copy: the league goes on here, and no mail waits in the copy.")
@click.option("--undo", is_flag=True, help="The file was imported nowhere: the league goes on here.")
@click.option("--why", default="", help="Reason, for the journal.")
@json_option
@pass_context
def cli(
    context: Context, league: str, file: Path | None, to: str, copy: bool, undo: bool, why: str, as_json: bool
) -> None:
    """One league in one file (LEAGUE.league.tar), to be imported into another site.

    From then on it is on hold here: nothing of it is closed, resolved or sent, and who writes is told that it has
    moved. The same command writes the file again, and with another --to mail goes there from then on. It holds every
    address, mail and sealed order of the league, and the right to sign for it once: keep it as you keep secrets/, and
    throw it away when the league has arrived.
    """
    from league.desk.moving.export_league import Wish, export_league
    from league.desk.moving.take_back import take_back
    from league.desk.site import open_site

    if undo and (copy or to or file is not None):
        raise click.UsageError("--undo takes no FILE, --to or --copy.")
    if copy and to:
        raise click.UsageError("One of them: --copy or --to. A copy leaves the league where it is.")
    site = open_site(context.site, context.now, context.match)
    if undo:
        take_back(site, league, why)
        emit(
            {"league": league, "moved": False},
            as_json,
            f"{league} goes on here, and its players are told. Throw the file away.",
        )
        return
    done = export_league(site, league, file or Path(f"{league}.league.tar"), Wish(copy, to, why))
    told = {
        "file": str(done.file),
        "bytes": done.size,
        "league": done.league,
        "moved": not done.copy,
        "made_at": done.made_at,
        "again": done.again,
        "matches": list(done.matches),
        "rows": dict(done.rows),
        "changed": list(done.changed),
    }
    count = done.rows
    lines = [
        f"{done.file}: {done.league} as of {done.made_at}. It is as private as secrets/.",
        f"{count['player']} players, {count['mail']} mails, {done.size:,} bytes.",
    ]
    lines += [f"{one['match']}: {one['records']} records up to {one['head']}" for one in done.matches]
    if done.changed:
        lines.append(
            f"It isn't the file of before: since the league left there was {', '.join(done.changed)}. "
            f"Throw that one away."
        )
    if done.copy:
        lines.append(f"{league} goes on here. Nobody may play the copy as if it were the league.")
    else:
        lines.append(f"{league} is on hold here. There: league import {done.file.name}")
        lines.append(f"If it doesn't arrive: league export {league} --undo")
    emit(told, as_json, "\n".join(lines))
