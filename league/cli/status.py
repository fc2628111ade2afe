"""`league status`."""

from typing import TYPE_CHECKING

import click

from league.cli.common import Context, emit, example, json_option, pass_context

if TYPE_CHECKING:
    from league.core.json import JsonDict


@click.command(epilog=example("league status --json"))
@json_option
@pass_context
def cli(context: Context, as_json: bool) -> None:
    """What is open, what is due, what waits for you."""
    from league.desk.look import site_status
    from league.desk.mind_outbox import mail_health
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    found, mail = site_status(site), mail_health(site)
    told = {
        "leagues": found.leagues,
        "outbox": dict(found.outbox),
        "mail": mail,
        "held": found.held,
        "silent": found.silent,
    }

    def text() -> str:
        lines = [
            f"{row['league']}: round {row['round']} due {row['deadline']}, {row['players']} players"
            for row in found.leagues
        ]
        lines += [f"outbox: {', '.join(f'{n} {state}' for state, n in found.outbox.items()) or 'empty'}"]
        lines += [f"mail is on hold: {mail['hold']}"] if mail["hold"] else []
        lines += [f"mail can't be sent {mail['trouble']}"] if mail["trouble"] else []
        lines += [f"no mail goes to {stop['name'] or stop['address']}: {stop['words']}" for stop in stops(mail)]
        lines += [
            f"look at: mail from {row['from'] or 'nobody'}: {row['verdict']} ({row['reason']})" for row in found.held
        ]
        lines += [
            f"{row['league']}: nothing from {row['name']} for {row['missed']} rounds; retire or substitute?"
            for row in found.silent
        ]
        return "\n".join(lines)

    emit(told, as_json, text)


def stops(mail: "JsonDict") -> "list[JsonDict]":
    """Addresses that get no mail."""
    found = mail["stopped"]
    return [stop for stop in found if isinstance(stop, dict)] if isinstance(found, list) else []
