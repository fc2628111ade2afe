"""`league mail`."""

from collections.abc import Iterable, Mapping
from datetime import datetime

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

TRY_AGAIN = 75  # EX_TEMPFAIL: a mail server keeps the mail and tries again


@click.group(epilog=example("league mail read --dry-run --json-lines letters/"))
def cli() -> None:
    """Mail in and out."""


@cli.command(epilog=example("league mail fetch"))
@json_option
@pass_context
def fetch(context: Context, as_json: bool) -> None:
    """Fetch and judge what lies in the site's inbox; `league run` does it too."""
    from league.desk.accept_mail import accept_mail
    from league.desk.site import open_site

    _tell(context, accept_mail(open_site(context.site, context.now, context.match)), as_json)


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
) -> None:
    """Read messages from PATH: .eml, mbox, Maildir, or - for standard input.

    Without --dry-run they are booked and answered as if they had come by mail.
    """
    from league.desk.accept_mail import accept_mail
    from league.desk.read_mail import look_at
    from league.desk.site import open_site

    if json_lines and not dry_run:
        raise click.UsageError("--json-lines goes with --dry-run")
    if dry_run:
        _show(look_at(context.site, paths, context.now, context.lang, game), json_lines=json_lines)
        return
    if paths == ("-",):
        raise SystemExit(_from_pipe(context, received_at))
    _tell(context, accept_mail(open_site(context.site, context.now, context.match), paths, received_at), as_json)


def _from_pipe(context: Context, received_at: datetime | None) -> int:
    """What a mail server hands over: silent, 0 once the bytes are safe, 75 (try again later) on any trouble."""
    from league.desk.accept_mail import accept_mail
    from league.desk.site import open_site

    try:
        accept_mail(open_site(context.site, context.now, context.match), ("-",), received_at)
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


def _tell(context: Context, done: object, as_json: bool) -> None:
    from league.desk.accept_mail import Accepted

    if not isinstance(done, Accepted):
        return
    for trouble in done.troubles:
        say(context, f"could not be read: {trouble}")
    counts = dict(sorted(done.verdicts.items()))
    words = ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing new"
    words += f"; {done.repeated} seen before" if done.repeated else ""
    told = {"fetched": done.fetched, "verdicts": counts, "troubles": list(done.troubles), "repeated": done.repeated}
    emit(told, as_json, f"Mail in: {words}.")


@cli.command(epilog=example("league mail outbox --state queued"))
@click.option("--state", multiple=True, help="Only mails in this state: queued, sending, sent, failed, held.")
@json_option
@pass_context
def outbox(context: Context, state: tuple[str, ...], as_json: bool) -> None:
    """What is to go out, and what has gone."""
    from league.desk.send_mail import list_outbox
    from league.desk.site import open_site

    rows = list_outbox(open_site(context.site, context.now, context.match), state)
    lines = (f"{row['state']:8} {row['kind']:8.8} {row['recipient']:30} {row['message_id']}" for row in rows)
    emit(list(rows), as_json, lambda: "\n".join(lines) or "The outbox is empty.")


@cli.command(epilog=example("league mail send --dry-run"))
@dry_run_option
@json_option
@pass_context
def send(context: Context, dry_run: bool, as_json: bool) -> None:
    """Hand every waiting mail over; `league run` does it too."""
    from league.desk.send_mail import list_outbox, send_mail
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    if dry_run:
        rows = list_outbox(site, ("queued", "sending"))
        emit(list(rows), as_json, f"{len(rows)} mails would go out.")
        return
    done = send_mail(site)
    emit({"sent": done.sent, "failed": done.failed}, as_json, f"{done.sent} mails went out, {done.failed} failed.")
