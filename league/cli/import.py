"""`league import`."""  # noqa: N999  # a file of the command line is called like its command

from pathlib import Path

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(epilog=example("league import spring.league.tar", "league import /mnt/stick/spring.tar --release"))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--release", is_flag=True, help="Don't put the outbox on hold: what waits goes out with the next run.")
@json_option
@pass_context
def cli(context: Context, file: Path, release: bool, as_json: bool) -> None:
    """A league that league export wrote on another site, whole or not at all.

    Its records go on under this site's key, its players keep their keys and receipts. The outbox is on hold until
    league mail outbox --release, and the next run reads every mailbox anew for mails that came meanwhile.
    """
    from league.desk.moving.import_league import import_league
    from league.desk.site import open_site

    done = import_league(open_site(context.site, context.now), file, release=release)
    told = {
        "league": done.league,
        "made_at": done.made_at,
        "copy": done.copy,
        "matches": list(done.matches),
        "players": done.players,
        "mails": done.mails,
        "waiting": done.waiting,
        "again": done.again,
        "held": done.held,
        "elsewhere": list(done.elsewhere),
    }
    lines = [f"{done.league} is here, as of {done.made_at}: {done.players} players, {done.mails} mails."]
    lines += [
        f"{one['match']}: the newest of its {one['records']} records was {one['published_head']}; compare it with the "
        f"newest report mail or page"
        for one in done.matches
    ]
    lines += ["It is a copy: where it came from it goes on, and nobody may play this one too."] if done.copy else []
    lines += [f"{done.again} mails of its players that came here before are judged anew."] if done.again else []
    lines += [
        f"In other leagues of this site too, and to be told so in subjects ([{done.league}]): {name}"
        for name in done.elsewhere
    ]
    if done.held:
        lines.append(
            f"The outbox is on hold, {done.waiting} mails of it wait; look, then: league mail outbox --release"
        )
    emit(told, as_json, "\n".join(lines))
