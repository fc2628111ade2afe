"""`league mail`."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import click

from league.cli.common import (
    Context,
    Instant,
    dry_run_option,
    emit,
    emit_lines,
    example,
    json_option,
    pass_context,
    say,
)
from league.cli.quarantine import quarantine

if TYPE_CHECKING:
    from league.core.json import JsonDict
    from league.desk.inbox.accept_mail import Accepted
    from league.desk.post.send_mail import Delivered

STATES = ("queued", "sending", "in_doubt", "sent", "failed", "held")
TRY_AGAIN = 75  # EX_TEMPFAIL: a mail server keeps the mail and tries again


@click.group(epilog=example("league mail read --dry-run --json-lines letters/"))
def cli() -> None:
    """Mail in and out."""


cli.add_command(quarantine)


@cli.command(epilog=example("league mail fetch"))
@json_option
@pass_context
def fetch(context: Context, as_json: bool) -> int:
    """Fetch and judge what lies in the site's inboxes; `league run` does it too.

    Ends with 1 if a mailbox couldn't be read to its end: then no round closes either.
    """
    from league.cli.run import bars
    from league.desk.inbox.accept_mail import accept_mail
    from league.desk.site import open_site

    stage, site = bars(context), open_site(context.site, context.now, context.match)
    return _tell(context, accept_mail(site, progress=stage("mails"), fetching=stage("fetched")), as_json)


@cli.command(epilog=example("league mail read orders.eml --received-at 2026-01-08T21:00:00+01:00"))
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--received-at", type=Instant(), metavar="ISO", help="When the mails reached you (default: now).")
@click.option("--game", help="Which game's orders to look for, where there is no site.")
@click.option("--json-lines", is_flag=True, help="With --dry-run: a JSON object a line for every message.")
@dry_run_option
@json_option
@pass_context
def read(
    context: Context,
    paths: tuple[str, ...],
    received_at: datetime | None,
    game: str | None,
    json_lines: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Read messages from PATH: .eml, mbox, Maildir, or - for standard input.

    Without --dry-run they are booked and answered as if they had come by mail.
    """
    from league.desk.inbox.accept_mail import accept_mail
    from league.desk.inbox.read_mail import look_at
    from league.desk.site import open_site

    if json_lines and not dry_run:
        raise click.UsageError("--json-lines goes with --dry-run")
    if dry_run:
        _show(look_at(context.site, paths, context.now, context.lang, game), json_lines=json_lines)
        return 0
    if paths == ("-",):
        raise SystemExit(_from_pipe(context, received_at))
    return _tell(context, accept_mail(open_site(context.site, context.now, context.match), paths, received_at), as_json)


def _from_pipe(context: Context, received_at: datetime | None) -> int:
    """What a mail server hands over: silent, 0 once the bytes are safe, 75 (try again later) on any trouble."""
    from league.desk.inbox.pipe import take_in
    from league.desk.site import open_site

    try:
        take_in(open_site(context.site, context.now, context.match), received_at)
    except Exception as error:  # noqa: BLE001  # whatever it is, the mail server keeps the mail and asks again
        say(context, f"{type(error).__name__}: {error}", detail=True)
        return TRY_AGAIN
    return 0


def _show(rows: Iterable[Mapping[str, object]], *, json_lines: bool) -> None:
    if json_lines:
        emit_lines(rows)
        return
    for row in rows:
        click.echo(f"{row['source']}: {row['verdict']} ({row['reason']}) from {row['from'] or 'nobody'}")
        orders = row["orders"]
        for line in orders if isinstance(orders, list) else []:
            click.echo(f"  {line['line']}  ->  {line['order'] or line['reason']}")


def _tell(context: Context, done: "Accepted", as_json: bool) -> int:
    for trouble in done.troubles:
        say(context, f"could not be read: {trouble}")
    for note in done.notes:
        say(context, f"note: {note}")
    counts = dict(sorted(done.verdicts.items()))
    words = ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing new"
    words += f"; {done.repeated} seen before" if done.repeated else ""
    told = {
        "fetched": done.fetched,
        "verdicts": counts,
        "troubles": list(done.troubles),
        "repeated": done.repeated,
        "complete": done.complete,
        "notes": list(done.notes),
    }
    emit(told, as_json, f"Mail in: {words}.")
    return 0 if done.complete else 1


@cli.command(
    epilog=example(
        "league mail outbox --state queued --state failed",
        "league mail outbox --seat spring/Anna --resend last",
        "league mail outbox --hold --why 'moving the server'",
    )
)
@click.option("--state", multiple=True, type=click.Choice(STATES), help="Only mails in this state.")
@click.option("--seat", metavar="LEAGUE/SEAT", default="", help="Only mails to this seat (or player).")
@click.option("--hold", is_flag=True, help="Let nothing out until --release.")
@click.option("--release", is_flag=True, help="Let mail out again.")
@click.option("--resend", multiple=True, metavar="ID", help="Send again: a number, a Message-ID, or last with --seat.")
@click.option("--unblock", metavar="ADDRESS", help="Send mail to an address again from which mail had come back.")
@click.option("--show", metavar="ID", help="Print a mail as it goes out.")
@click.option("--why", default="", help="Reason; it is written down.")
@json_option
@pass_context
def outbox(
    context: Context,
    state: tuple[str, ...],
    seat: str,
    hold: bool,
    release: bool,
    resend: tuple[str, ...],
    unblock: str | None,
    show: str | None,
    why: str,
    as_json: bool,
) -> None:
    """What is to go out, and what has gone; hold it, release it, send a mail again."""
    from league.desk.post import mind_outbox
    from league.desk.site import open_site

    if sum(map(bool, (hold, release, resend, unblock, show))) > 1:
        raise click.UsageError("One at a time: --hold, --release, --resend, --unblock or --show.")
    site = open_site(context.site, context.now, context.match)
    if hold or release:
        waiting = mind_outbox.hold(site, why) if hold else mind_outbox.release(site, why)
        words = "Nothing goes out until league mail outbox --release" if hold else "Mail goes out again"
        emit({"held": hold, "waiting": waiting}, as_json, f"{words}; {waiting} waiting.")
    elif unblock:
        waiting = mind_outbox.unblock(site, unblock, why)
        emit({"address": unblock, "waiting": waiting}, as_json, f"Mail goes to {unblock} again; {waiting} waiting.")
    elif show:
        click.echo(mind_outbox.raw_mail(site, show), nl=False)
    else:
        rows = mind_outbox.resend(site, resend, seat, why) if resend else mind_outbox.list_outbox(site, state, seat)
        emit(rows, as_json, lambda: _mails(rows) or "The outbox is empty.")


def _mails(rows: "list[JsonDict]") -> str:
    return "\n".join(
        f"{row['id']:>6} {row['state']:8} {row['kind']:8.8} {row['recipient']:30} {row['message_id']}"
        + (f"\n       {row['trouble']}" if row["trouble"] else "")
        + (f"\n       next try {row['not_before']}" if row["not_before"] else "")
        for row in rows
    )


@cli.command(epilog=example("league mail send --dry-run"))
@dry_run_option
@json_option
@pass_context
def send(context: Context, dry_run: bool, as_json: bool) -> int:
    """Hand every mail over that is due; `league run` does it too. Ends with 1 if a person is needed.

    A server that took nothing is asked again at once, which `league run` does only after a while.
    """
    from league.desk.post.mind_outbox import waiting_mails
    from league.desk.post.send_mail import send_mail
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    if dry_run:
        rows, held = waiting_mails(site)
        now = sum(row["not_before"] is None and not held for row in rows)
        words = f"{now} mails would go out, {len(rows) - now} wait."
        emit(rows, as_json, "\n".join(filter(None, (words, held and f"On hold: {held}", _mails(rows)))))
        return 0
    done = send_mail(site, by_hand=True)
    told = {
        "sent": done.sent,
        "failed": done.failed,
        "later": done.later,
        "in_doubt": done.doubt,
        "waiting": done.waiting,
        "held": done.held,
        "trouble": done.trouble,
    }
    emit(told, as_json, "\n".join(_sent(done)))
    return 1 if done.failed or done.trouble else 0


def _sent(done: "Delivered") -> "Iterator[str]":
    parts = [f"{done.sent} mails went out, {done.failed} failed"]
    parts += [f"{done.later} are tried again later"] if done.later else []
    parts += [f"{done.doubt} are in doubt"] if done.doubt else []
    parts += [f"{done.waiting} wait"] if done.waiting else []
    yield ", ".join(parts) + "."
    if done.held:
        yield f"The outbox is on hold: {done.held}"
    if done.trouble or done.words:
        yield f"Trouble: {done.trouble or done.words}"
