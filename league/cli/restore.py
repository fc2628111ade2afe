"""`league restore`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from league.cli.common import Context, emit, example, json_option, pass_context

if TYPE_CHECKING:
    from league.desk.recovery.restored import Confirmed

SHORT = 16


@click.command(
    epilog=example(
        "league restore --site new monday.tar --head 5c1f8f3a90b1d2e4",
        "league restore --site new --public /var/www/leagues",
    )
)
@click.argument("file", type=click.Path(path_type=Path), metavar="[FILE]", required=False)
@click.option("--head", "heads", multiple=True, metavar="HASH", help="The record that the newest report mail names.")
@click.option(
    "--public",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="A copy of the published pages, the newest there is.",
)
@click.option(
    "--mail",
    "mails",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Saved mails of ours (.eml, mbox, Maildir): the newest report, mails with leaves, receipts.",
)
@click.option("--accept-head", is_flag=True, help="Go on from what the backup knows; the pages tell it.")
@click.option("--old-key", is_flag=True, help="With --accept-head: although the signing key was changed since.")
@click.option("--why", default="", help="Reason for --accept-head.")
@json_option
@pass_context
def cli(
    context: Context,
    file: Path | None,
    heads: tuple[str, ...],
    public: Path | None,
    mails: tuple[Path, ...],
    accept_head: bool,
    old_key: bool,
    why: str,
    as_json: bool,
) -> int:
    """A site out of a backup, in an empty folder (--site).

    It reads every mailbox anew, sends nothing until league mail outbox --release, and closes, resolves and publishes
    nothing until it is certain that its newest record is the newest that anybody has: by --head, --mail or --public,
    with FILE or later without it. Ends with 1 as long as it isn't.
    """
    from league.desk.recovery import restore, restored
    from league.desk.site import open_site

    if file is None and not (heads or public or mails or accept_head):
        raise click.UsageError(
            "Name the FILE that league backup wrote, or say --head, --mail, --public or --accept-head."
        )
    done = restore.restore(context.site, file, context.now) if file is not None else None
    site = open_site(context.site, context.now)
    word = restore.Word(heads, mails, public, why if accept_head else None, old_key)
    left = restore.take(site, word)
    found = restored.standing(site)
    told = {
        "site": str(context.site),
        "missing": list(done.missing) if done else [],
        "matches": [match.facts() for match in found],
        "left": list(left),
    }
    lines = [f"{context.site} is a site again, with {done.files} files."] if done else []
    lines += [f"Missing: {what}." for what in done.missing] if done else []
    lines += [_line(match) for match in found]
    lines += [f"To be done again: {sentence}." for sentence in left]
    lines += ["The outbox is on hold; look at it, then: league mail outbox --release"] if done else []
    emit(told, as_json, "\n".join(lines))
    return 0 if all(match.certain for match in found) else 1


def _line(found: "Confirmed") -> str:
    head = f"{found.match}: its newest record is that of round {found.round} ({found.head[:SHORT]}…)"
    if found.certain:
        return f"{head}; it goes on."
    if found.to_come:
        return f"{head}; {found.to_come} published since are evaluated again by league run."
    return f"{head}; it waits until you say that this is the newest: --head, --public or --accept-head."
