"""`league player`."""

import click

from league.cli.common import Context, emit, example, json_option, league_argument, pass_context


@click.group(epilog=example("league player add spring Anna anna@example.org --lang de"))
def cli() -> None:
    """The players of a league."""


@cli.command(epilog=example("league player add spring Anna anna@example.org --lang de --zone Europe/Vienna"))
@league_argument
@click.argument("name")
@click.argument("address")
@click.option("--lang", type=click.Choice(["de", "en", "nl"]), help="Language of the player's mails.")
@click.option("--zone", help="The player's time zone.")
@json_option
@pass_context
def add(
    context: Context, league: str, name: str, address: str, lang: str | None, zone: str | None, as_json: bool
) -> None:
    """Give NAME, who writes from ADDRESS, a seat; NAME is public."""
    from league.desk.players import NewPlayer, add_players
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    (seat,) = add_players(site, league, [NewPlayer(name, address, lang or "", zone or "")])
    told = {"seat": seat.code, "name": seat.name, "address": seat.address, "from_round": seat.joined_round}
    emit(told, as_json, f"{seat.name} has seat {seat.code} and can send orders for round {seat.joined_round}.")


@cli.command("list", epilog=example("league player list spring --json"))
@league_argument
@json_option
@pass_context
def list_(context: Context, league: str, as_json: bool) -> None:
    """Who plays, with seat, address and language."""
    from league.desk.players import list_players
    from league.desk.site import open_site

    seats = list_players(open_site(context.site, context.now, context.match), league)
    rows = [
        {"seat": s.code, "name": s.name, "address": s.address, "lang": s.lang, "zone": s.zone, "status": s.status}
        for s in seats
    ]
    lines = (f"{s.code:4} {s.name:20} {s.address:30} {s.lang}  {s.zone}" for s in seats)
    emit(rows, as_json, lambda: "\n".join(lines) or "Nobody plays yet.")
