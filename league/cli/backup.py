"""`league backup`."""

from pathlib import Path

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(
    epilog=example("league backup backups/monday.tar", "league backup /mnt/stick/leagues.tar --with-secrets")
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--with-secrets", is_flag=True, help="Passwords of mail servers too, not the site's key alone.")
@click.option("--without-key", is_flag=True, help="Not even the site's key; keep secrets/site.key elsewhere then.")
@json_option
@pass_context
def cli(context: Context, file: Path, with_secrets: bool, without_key: bool, as_json: bool) -> None:
    """One file that holds all of a site that can't be made again.

    A copy of the database while the site is in use, settings, mail folders, own templates and the site's key. It
    is as private as the site itself: whoever has it reads every address, every mail and every sealed order.
    """
    from league.desk.recovery import back_up
    from league.desk.site import open_site

    if with_secrets and without_key:
        raise click.UsageError("One of them: --with-secrets or --without-key.")
    secrets = back_up.ALL if with_secrets else back_up.NONE if without_key else back_up.KEYS
    done = back_up.back_up(open_site(context.site, context.now, context.match), file, secrets)
    told = {
        "file": str(done.file),
        "bytes": done.size,
        "files": len(done.files),
        "left_out": list(done.left_out),
        "heads": list(done.heads),
    }
    lines = [f"{done.file}: {len(done.files)} files, {done.size:,} bytes. Keep it where only you can read it."]
    lines += [f"Not in it: {what}." for what in done.left_out]
    emit(told, as_json, "\n".join(lines))
