"""`league mail quarantine`."""

from typing import TYPE_CHECKING

import click

from league.cli.common import Context, emit, example, json_option, pass_context

if TYPE_CHECKING:
    from league.core.json import JsonDict
    from league.desk.site import Site

mail_argument = click.argument("mail", type=int, metavar="MAIL")
why_option = click.option("--why", required=True, help="Reason; it is written down.")


@click.group(epilog=example("league mail quarantine list"))
def quarantine() -> None:
    """Mails that wait for a person: of senders who aren't proven, and others that need a look."""


def _site(context: Context) -> "Site":
    from league.desk.site import open_site

    return open_site(context.site, context.now, context.match)


@quarantine.command("list", epilog=example("league mail quarantine list --json"))
@click.option("--league", metavar="LEAGUE", help="Only mails for seats of this league.")
@json_option
@pass_context
def list_(context: Context, league: str | None, as_json: bool) -> None:
    """What waits, the oldest first, with the number by which the other commands know it."""
    from league.desk.inbox.quarantine import list_quarantine

    rows = list_quarantine(_site(context), league)
    emit(rows, as_json, lambda: "\n".join(_line(row) for row in rows) or "Nothing waits.")


def _line(row: "JsonDict") -> str:
    from league.desk.inbox.quarantine import visible

    seat = f"  for {row['name']} ({row['league']}, {row['seat']})" if row["seat"] else ""
    alike = f"  LOOKS LIKE {row['looks_like']}" if row["looks_like"] else ""
    sender = visible(str(row["from"] or "nobody"))
    return f"{row['id']:>5}  {row['received']}  {row['verdict']} ({row['reason']}) from {sender}{alike}{seat}"


@quarantine.command(epilog=example("league mail quarantine show 12 --reveal"))
@mail_argument
@click.option(
    "--reveal", is_flag=True, help="Also the text: orders in it are sealed; this is written down and published."
)
@json_option
@pass_context
def show(context: Context, mail: int, reveal: bool, as_json: bool) -> None:
    """The mail with the number MAIL: who it says it is from, and what mail servers say of that."""
    from league.desk.inbox.quarantine import show_mail

    told = show_mail(_site(context), mail, reveal=reveal)
    emit(told, as_json, lambda: _text(told))


def _hop(hop: "JsonDict") -> str:
    """A host that the mail came through, the last first; below your own host's line anybody may have written it."""
    from league.desk.inbox.quarantine import visible

    return f"came through {visible(str(hop['by']))} at {hop['at'] or 'a time that is not readable'}"


def _text(told: "JsonDict") -> str:
    from league.desk.inbox.quarantine import visible

    lines = [_line(told)]
    if told["looks_like"]:
        lines.append(f"  the address looks like {told['looks_like']} and is another one")
    if told["reads"]:
        lines.append(f"  as a program may show it: {visible(str(told['reads']))}")
    lines.append(f"  subject: {visible(str(told['subject']))}")
    way = told["hops"] if isinstance(told["hops"], list) else []
    lines += [f"  {_hop(hop)}" for hop in way if isinstance(hop, dict)]
    results = told["results"] if isinstance(told["results"], list) else []
    lines += [f"  a mail server states, or somebody in its name: {visible(str(one))}" for one in results]
    if told["text"] is None:
        lines.append("  the text may be sealed orders; --reveal shows it, is written down and shown in the report")
    else:
        lines += [f"  | {visible(line)}" for line in str(told["text"]).split("\n")]
    return "\n".join(lines)


@quarantine.command(epilog=example("league mail quarantine release 12 --why 'told me on the phone that it is hers'"))
@mail_argument
@why_option
@json_option
@pass_context
def release(context: Context, mail: int, why: str, as_json: bool) -> None:
    """Stand for the author of MAIL: it is judged anew with its time of arrival, as long as its round is open."""
    from league.desk.inbox.quarantine import release as let_go

    told = let_go(_site(context), mail, why=why)
    emit(told, as_json, f"Mail {mail} was released: {told['verdict']} ({told['reason']}).")


@quarantine.command(epilog=example("league mail quarantine reject 12 --why 'she did not write it'"))
@mail_argument
@why_option
@json_option
@pass_context
def reject(context: Context, mail: int, why: str, as_json: bool) -> None:
    """Take MAIL off the list: it counts for nothing."""
    from league.desk.inbox.quarantine import reject as turn_down

    told = turn_down(_site(context), mail, why=why)
    emit(told, as_json, f"Mail {mail} was rejected.")
