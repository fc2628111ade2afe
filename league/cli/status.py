"""`league status`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(epilog=example("league status --json"))
@json_option
@pass_context
def cli(context: Context, as_json: bool) -> None:
    """What is open, what is due, what waits for you."""
    from league.desk.look import site_status
    from league.desk.site import open_site

    found = site_status(open_site(context.site, context.now, context.match))
    told = {"leagues": found.leagues, "outbox": dict(found.outbox), "held": found.held, "silent": found.silent}

    def text() -> str:
        lines = [
            f"{row['league']}: round {row['round']} due {row['deadline']}, {row['players']} players"
            for row in found.leagues
        ]
        lines += [f"outbox: {', '.join(f'{n} {state}' for state, n in found.outbox.items()) or 'empty'}"]
        lines += [
            f"look at: mail from {row['from'] or 'nobody'}: {row['verdict']} ({row['reason']})" for row in found.held
        ]
        lines += [
            f"{row['league']}: nothing from {row['name']} for {row['missed']} rounds; retire or substitute?"
            for row in found.silent
        ]
        return "\n".join(lines)

    emit(told, as_json, text)
