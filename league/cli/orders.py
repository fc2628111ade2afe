"""`league orders`."""

from datetime import datetime

import click

from league.cli.common import (
    Context,
    Instant,
    emit,
    example,
    json_option,
    league_argument,
    pass_context,
    read_text,
    say,
)
from league.core.json import JsonDict


@click.group(epilog=example("league orders list spring"))
def cli() -> None:
    """Orders: what came, and what a text would mean."""


@cli.command("list", epilog=example("league orders list spring --json"))
@league_argument
@json_option
@pass_context
def list_(context: Context, league: str, as_json: bool) -> None:
    """Who has sent, for the rounds that aren't done; never what."""
    from league.desk.rounds.look import list_orders
    from league.desk.site import open_site

    rows = list_orders(open_site(context.site, context.now, context.match), league)

    def text() -> str:
        lines = []
        for row in rows:
            mails = row["mails"] if isinstance(row["mails"], list) else []
            last = mails[-1] if mails else None
            heard = f"revision {last['revision']}, received {last['received']}" if isinstance(last, dict) else "nothing"
            kept = row["standing"]
            also = f"; standing orders since round {kept['since']}" if isinstance(kept, dict) else ""
            lines.append(f"round {row['round']}  {row['seat']:4} {row['name']:20} {heard}{also}")
        return "\n".join(lines) or "No round is open with anybody in it."

    emit(rows, as_json, text)


@cli.command(epilog=example("league orders show spring Anna"))
@league_argument
@click.argument("player")
@click.option("--reveal", is_flag=True, help="Also orders that are still sealed; this is written down and published.")
@json_option
@pass_context
def show(context: Context, league: str, player: str, reveal: bool, as_json: bool) -> None:
    """What PLAYER's mails were understood as, for the rounds that aren't done."""
    from league.desk.rounds.look import show_orders
    from league.desk.site import open_site

    rows = show_orders(open_site(context.site, context.now, context.match), league, player, reveal=reveal)

    def text() -> str:
        lines = []
        for row in rows:
            what = f"kept since round {row['since']}" if row["standing"] else f"revision {row['revision']}"
            lines.append(f"round {row['round']}, {what}, received {row['received']}")
            kept = [line for line in row["lines"] if isinstance(line, dict)] if isinstance(row["lines"], list) else []
            lines += [f"  {line['text']}  ->  {line.get('order') or line.get('reason')}" for line in kept]
        return "\n".join(lines) or "No mails."

    emit(rows, as_json, text)


@cli.command(epilog=example("echo 'take Paris' | league orders check spring - --player Anna"))
@league_argument
@click.argument("file", default="-")
@click.option("--player", metavar="NAME", help="Also what would become of it now, as NAME's only mail.")
@json_option
@pass_context
def check(context: Context, league: str, file: str, player: str | None, as_json: bool) -> None:
    """What the text in FILE (or standard input) would be understood as; nothing is stored."""
    from league.desk.rounds.rehearse import check_orders
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    found = check_orders(site, league, read_text(file), context.lang, player)

    def text() -> str:
        lines = [line for line in found["lines"] if isinstance(line, dict)] if isinstance(found["lines"], list) else []
        told = [f"{line['line']}  ->  {_read(line)}" for line in lines]
        told += ["Standing orders would end."] if found["ends_standing"] else []
        return "\n".join(told) or "No line reads like an order."

    emit(found, as_json, text)


def _read(line: JsonDict) -> str:
    now, kept = line.get("now"), "; kept for later rounds" if line.get("standing") else ""
    return f"{line['order'] or line['reason']}" + (f"; {now['text']}" if isinstance(now, dict) else "") + kept


@cli.command(epilog=example("echo 'take Paris' | league orders enter spring Anna - --why 'told by phone'"))
@league_argument
@click.argument("player")
@click.argument("file", default="-")
@click.option("--why", required=True, help="Reason; it is written down.")
@click.option("--received-at", type=Instant(), metavar="ISO", help="When the orders reached you (default: now).")
@json_option
@pass_context
def enter(
    context: Context, league: str, player: str, file: str, why: str, received_at: datetime | None, as_json: bool
) -> None:
    """Hand in PLAYER's orders from FILE; they go the way of every mail and are answered to the player."""
    from league.desk.acts.enter_orders import enter_orders
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    done = enter_orders(site, league, player, read_text(file), why=why, received_at=received_at)
    for note in done.notes:
        say(context, note)
    if done.verdicts:
        say(context, "The answer to the player lies in the outbox; league run or league mail send hands it over.")
    counts = dict(sorted(done.verdicts.items()))
    emit({"verdicts": counts}, as_json, ", ".join(f"{n} {verdict}" for verdict, n in counts.items()))
