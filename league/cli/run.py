"""`league run`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from league.cli.common import Context, emit, emit_lines, example, json_option, pass_context, say
from league.cli.round import _waits as waits
from league.core.errors import LeagueError

if TYPE_CHECKING:
    from league.desk.site import Site

WORK = ("troubles", "frozen", "resolved", "sent")


def bars(context: Context) -> Callable[[str], Callable[[int], None]]:
    """A growing count on a terminal, nothing in a pipe."""
    import sys

    shown = sys.stderr.isatty() and not context.quiet

    def stage(name: str) -> Callable[[int], None]:
        done = 0

        def step(number: int) -> None:
            nonlocal done
            done += number
            if shown:
                click.echo(f"\r{name}: {done} ", nl=False, err=True)

        return step

    return stage


@click.command(epilog=example("league run", "league --site ~/leagues --quiet run", "league run --watch"))
@click.option("--go-on", is_flag=True, help="Close what is due although nothing was run for weeks.")
@click.option(
    "--watch", is_flag=True, help="Go on running: whenever mail comes or a round closes, every 5 minutes at least."
)
@json_option
@pass_context
def cli(context: Context, go_on: bool, watch: bool, as_json: bool) -> int:
    """Everything that is due now, in the right order; what cron calls.

    Mail comes in, rounds whose time is over are closed and, where they have all they need, resolved; pages and
    mails go out. Running it again does no harm. With --watch it doesn't end; IDLE of an IMAP server wakes it up.
    Ends with 1 if something was set aside for a person to look at.
    """
    from league.desk.site import open_site

    if watch:
        if context.now is not None:
            raise click.UsageError("--watch goes by the clock; leave --now out")
        _watch(context, as_json)
    return _once(context, open_site(context.site, context.now, context.match), go_on=go_on, as_json=as_json)


def _watch(context: Context, as_json: bool) -> NoReturn:
    """Run after run until somebody ends the program; what goes wrong in one is told, and the next is tried."""
    from league.desk.inbox.wait_for_mail import Waiter, edition, wait_after_trouble
    from league.desk.site import open_site
    from league.settings import FILE

    waiter = Waiter()
    while True:
        before = edition(context.site / FILE)
        try:
            site = open_site(context.site)  # anew: the time, and settings that were changed meanwhile
            try:
                _once(context, site, go_on=False, as_json=as_json, idle=True)
                if trouble := waiter.wait(site):
                    say(context, f"waiting for mail: {trouble}")
            finally:
                site.engine.dispose()
        except LeagueError as error:
            say(context, f"Error: {error}")
            wait_after_trouble(context.site / FILE, before)


def _once(context: Context, site: "Site", *, go_on: bool, as_json: bool, idle: bool = False) -> int:
    """One run, told; with `idle` nothing is told of a run that did nothing."""
    from league.desk.run.run_site import run_site

    done = run_site(site, bars(context), go_on=go_on)
    told: dict[str, Any] = {
        "mails": {
            "fetched": done.accepted.fetched,
            "verdicts": dict(sorted(done.accepted.verdicts.items())),
            "repeated": done.accepted.repeated,
            "complete": done.accepted.complete,
            "notes": list(done.accepted.notes),
        },
        "troubles": done.troubles,
        "frozen": [{"league": slug, "round": number} for slug, number in done.frozen.rounds],
        "resolved": [{"league": slug, "round": number} for slug, number in done.resolved.sealed],
        "waiting": [
            {"league": w.league, "round": w.round, "pending": list(w.pending), "trouble": w.trouble}
            for w in done.resolved.waiting
        ],
        "published": done.published.written if done.published else 0,
        "sent": done.delivered.sent,
        "silent": [found.facts() for found in done.silent],
        "figures": [f.facts() for f in done.fetched.entered],
        "reminded": done.reminded.players,
        "targets": [one.facts() for one in done.targets],
        "announced": done.announced.sent,
    }
    for trouble in done.troubles:
        say(context, f"trouble: {trouble}")
    for figure, day, why in done.fetched.disputed:
        say(context, f"{figure} of {day} is disputed: {why}. Decide it with league draw enter")
    for note in done.accepted.notes:
        say(context, f"note: {note}")
    for one in done.targets:
        if one.state == "sent":
            say(context, f"{one.name}: {one.changed} files sent, {one.gone} deleted")
    for waiting in done.resolved.waiting:
        say(context, f"{waiting.league}, round {waiting.round} waits for: {waiting.trouble or waits(waiting.pending)}")
    for found in done.silent:
        follows = "the seat is offered to who stands by" if found.offered else "retire or substitute?"
        say(context, f"{found.league}: nothing from {found.place.name} for {found.missed} rounds; {follows}")
    if done.delivered.held:
        say(context, f"the outbox is on hold: {done.delivered.held}")
    if not idle:
        emit(told, as_json, lambda: _text(done.accepted.verdicts, done.accepted.repeated, told))
    elif any(told[key] for key in WORK) or done.accepted.verdicts or done.published:
        if as_json:
            emit_lines([told])
        else:
            emit(told, as_json, _text(done.accepted.verdicts, done.accepted.repeated, told))
    needed = told["troubles"] or done.fetched.disputed or any(waiting.trouble for waiting in done.resolved.waiting)
    return 1 if needed else 0


def _text(verdicts: dict[str, int], repeated: int, told: dict[str, Any]) -> str:
    mails = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())) or "none"
    mails += f" ({repeated} seen before)" if repeated else ""

    def named(key: str) -> str:
        found = told[key]
        rows = found if isinstance(found, list) else []
        return ", ".join(f"{row['league']} {row['round']}" for row in rows) or "none"

    return (
        f"Mails in: {mails}. Closed: {named('frozen')}. Resolved: {named('resolved')}. "
        f"Pages written: {told['published']}. Mails out: {told['sent']}."
    )
