"""`league key`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context, say


@click.group(epilog=example("league key show"))
def cli() -> None:
    """The key with which the site signs receipts, checkpoints and lists of files."""


@cli.command(epilog=example("league key show --json"))
@json_option
@pass_context
def show(context: Context, as_json: bool) -> None:
    """The public key in force, and those before it."""
    from league.desk.acts.signing_key import show_key
    from league.desk.site import open_site

    told = show_key(open_site(context.site, context.now, context.match))

    def text() -> str:
        earlier = told["earlier"] if isinstance(told["earlier"], list) else []
        lines = [f"{told['public_key']}  in force" + (f" since {told['since']}" if told["since"] else "")]
        lines += [f"{row['public_key']}  until {row['until']}: {row['why']}" for row in reversed(earlier)]
        return "\n".join(lines)

    emit(told, as_json, text)


@cli.command(epilog=example('league key rotate --why "the old computer was stolen"'))
@click.option("--why", required=True, help="Why; it stands in every match's records.")
@json_option
@pass_context
def rotate(context: Context, why: str, as_json: bool) -> None:
    """Sign with a new key from now on; a record in each match's chain names it, signed by the old and the new one."""
    from league.desk.acts.signing_key import rotate_key
    from league.desk.site import open_site

    told = rotate_key(open_site(context.site, context.now, context.match), why)
    emit(told, as_json, f"{told['public_key']}")
    if not as_json:
        say(context, "In force now. Back up secrets/: older keys lie there too. The next run publishes the records.")
