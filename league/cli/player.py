"""`league player`."""

from collections.abc import Mapping

import click

from league.cli.common import Context, emit, example, json_option, league_argument, pass_context, read_text


@click.group(epilog=example("league player add spring Anna anna@example.org --lang de"))
def cli() -> None:
    """The players of a league."""


invite_option = click.option(
    "--invite/--no-invite",
    default=True,
    show_default=True,
    help="Ask by mail; without it you have asked already: the name is public at once.",
)


@cli.command(epilog=example("league player add spring Anna anna@example.org --lang de --zone Europe/Vienna"))
@league_argument
@click.argument("name")
@click.argument("address")
@click.option("--lang", type=click.Choice(["de", "en", "nl"]), help="Language of the player's mails.")
@click.option("--zone", help="The player's time zone.")
@invite_option
@click.option("--standby", is_flag=True, help="No seat yet: seats of silent players are offered to who stands by.")
@json_option
@pass_context
def add(
    context: Context,
    league: str,
    name: str,
    address: str,
    lang: str | None,
    zone: str | None,
    invite: bool,
    standby: bool,
    as_json: bool,
) -> None:
    """Give NAME, who writes from ADDRESS, a seat, and send an invitation.

    NAME is public once it is accepted; a reply with `accept` or orders does that. Until then only the seat is shown.
    """
    from league.desk.people.players import NewPlayer, add_players, seat_facts
    from league.desk.people.standby import add_standby
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    player = NewPlayer(name, address, lang or "", zone or "")
    if standby:
        told = seat_facts(add_standby(site, league, player)) | {"from_round": None}
        emit(told, as_json, f"{name} stands by; seats that are free are offered by mail.")
        return
    (seat,) = add_players(site, league, [player], invite=invite)
    told = seat_facts(seat)
    emit(told, as_json, _welcome(told))


def _welcome(told: Mapping[str, object]) -> str:
    invited = "is invited, " if told["status"] == "invited" else ""
    return f"{told['name']} {invited}has seat {told['seat']} and plays from round {told['from_round']} on."


@cli.command("import", epilog=example("league player import spring players.csv"))
@league_argument
@click.argument("path", metavar="FILE")
@invite_option
@json_option
@pass_context
def import_(context: Context, league: str, path: str, invite: bool, as_json: bool) -> None:
    """Add everybody in FILE, all or none: a CSV with the columns name, address, and if you like lang and zone."""
    from league.desk.people.players import add_players, read_players, seat_facts
    from league.desk.site import open_site

    found = read_players(read_text(path), path)
    seats = add_players(open_site(context.site, context.now, context.match), league, found, invite=invite)
    told = [seat_facts(seat) for seat in seats]
    emit(told, as_json, "\n".join(map(_welcome, told)))


@cli.command(epilog=example("league player invite spring Anna"))
@league_argument
@click.argument("name")
@json_option
@pass_context
def invite(context: Context, league: str, name: str, as_json: bool) -> None:
    """Send NAME, who hasn't answered the invitation so far, another one, with the deadline that is open now."""
    from league.desk.people.players import invite_again, seat_facts
    from league.desk.site import open_site

    told = seat_facts(invite_again(open_site(context.site, context.now, context.match), league, name))
    emit(told, as_json, f"{told['name']} is invited again, to seat {told['seat']}.")


@cli.command("list", epilog=example("league player list spring --json"))
@league_argument
@json_option
@pass_context
def list_(context: Context, league: str, as_json: bool) -> None:
    """Who plays, with seat, address and language, and who stands by (b1, b2 …)."""
    from league.desk.people.players import list_players, missed_rounds
    from league.desk.people.standby import list_standby
    from league.desk.post.mind_outbox import stopped
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    missed, no_mail = missed_rounds(site, league), stopped(site)
    seats = [*list_players(site, league), *list_standby(site, league)]
    rows = [
        {
            "seat": s.code,
            "name": s.own_name,
            "address": s.address,
            "lang": s.lang,
            "zone": s.zone,
            "status": s.status,
            "from_round": s.joined_round if s.status != "standby" else None,
            "left_round": s.left_round if s.status == "left" else None,
            "missed": missed.get(s.code, 0),
            "no_mail": no_mail.get(s.address.lower(), ""),
            "reports": s.reports,
        }
        for s in seats
    ]
    lines = (
        f"{s.code:4} {s.own_name:20} {s.address:30} {s.lang}  {s.zone}"
        + _state(s.status, s.left_round, missed.get(s.code, 0))
        + ("" if s.reports else "  wants no reports")
        + (f"  no mail: {no_mail[s.address.lower()]}" if s.address.lower() in no_mail else "")
        for s in seats
    )
    emit(rows, as_json, lambda: "\n".join(lines) or "Nobody plays yet.")


def _state(status: str, left_round: int | None, missed: int) -> str:
    """What a list says of a player besides where he is."""
    if status == "left":
        return f"  left with round {left_round}"
    if status in ("invited", "standby"):
        return f"  {'invited' if status == 'invited' else 'stands by'}"
    return f"  missed {missed} in a row" if missed else ""


why_option = click.option("--why", default="", help="Reason; it is written down.")


@cli.command(
    epilog=example(
        "league player absent spring Anna --until 2024-08-31 --pass",
        "league player absent spring Anna --until 14 --orders list.txt",
    )
)
@league_argument
@click.argument("name")
@click.option("--until", metavar="ROUND|DATE", help="The last round, or the last day on which orders may be due.")
@click.option("--orders", "path", metavar="FILE", help="Orders for each round in turn, a line --- between two rounds.")
@click.option("--pass", "only_pass", is_flag=True, help="A pass in every round.")
@click.option("--end", is_flag=True, help="The player is back: nothing is entered any more.")
@why_option
@json_option
@pass_context
def absent(
    context: Context,
    league: str,
    name: str,
    until: str | None,
    path: str | None,
    only_pass: bool,
    end: bool,
    why: str,
    as_json: bool,
) -> None:
    """Enter orders for NAME in the rounds for which nothing is mailed.

    The list has a place for each round from the open one on, whether NAME mails in it or not; behind its end it is
    a pass.
    """
    from league.desk.acts.absence import end_instruction, instruct, split_list
    from league.desk.site import open_site

    if end == (until is not None) or (not end and (path is None) != only_pass):
        message = "Say --until with either --orders or --pass, or --end alone."
        raise click.UsageError(message)
    site = open_site(context.site, context.now, context.match)
    if end:
        place = end_instruction(site, league, name, why=why)
        return emit({"seat": place.code, "name": place.own_name}, as_json, f"{place.own_name} is back.")
    texts = split_list(read_text(path)) if path is not None else ()
    done = instruct(site, league, name, until=until or "", texts=texts, why=why)
    told = {
        "seat": done.place.code,
        "name": done.place.own_name,
        "first_round": done.first_round,
        "last_round": done.last_round,
        "texts": done.texts,
        "until": done.until_day.isoformat() if done.until_day else None,
    }
    which = f"rounds {done.first_round} to {done.last_round}"
    which = f"rounds from {done.first_round} on whose orders are due by {done.until_day}" if done.until_day else which
    return emit(told, as_json, f"Noted for {done.place.own_name}: {which}.")


@cli.command(epilog=example("league player substitute spring s3 Dora dora@example.org --lang de --why 'Carla is away'"))
@league_argument
@click.argument("seat")
@click.argument("name")
@click.argument("address")
@click.option("--lang", type=click.Choice(["de", "en", "nl"]), help="Language of the player's mails.")
@click.option("--zone", help="The player's time zone.")
@click.option("--invite", is_flag=True, help="Ask by mail first; without it you have asked already.")
@why_option
@json_option
@pass_context
def substitute(
    context: Context,
    league: str,
    seat: str,
    name: str,
    address: str,
    lang: str | None,
    zone: str | None,
    invite: bool,
    why: str,
    as_json: bool,
) -> None:
    """Give SEAT (or the seat of the player so named) to NAME, who writes from ADDRESS, from the open round on."""
    from league.desk.acts.change_seats import substitute as hand_over
    from league.desk.people.players import NewPlayer
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    place, number = hand_over(
        site, league, seat, NewPlayer(name, address, lang or "", zone or ""), why=why, invite=invite
    )
    told = {"seat": place.code, "name": place.own_name, "address": place.address, "from_round": number}
    emit(told, as_json, f"{place.own_name} has seat {place.code} from round {number} on.")


@cli.command(epilog=example("league player retire spring Carla --why 'asked to leave'"))
@league_argument
@click.argument("name")
@why_option
@json_option
@pass_context
def retire(context: Context, league: str, name: str, why: str, as_json: bool) -> None:
    """Let NAME leave with the evaluation of the open round (K38); who only stands by does so no more."""
    from league.desk.acts.change_seats import retire as leave
    from league.desk.site import open_site

    place, number = leave(open_site(context.site, context.now, context.match), league, name, why=why)
    told = {"seat": place.code, "name": place.own_name, "left_round": number or None}
    when = f"leaves with the evaluation of round {number}" if number else "stands by no more"
    emit(told, as_json, f"{place.own_name} {when}.")


@cli.command("return", epilog=example("league player return spring Carla"))
@league_argument
@click.argument("name")
@why_option
@json_option
@pass_context
def return_(context: Context, league: str, name: str, why: str, as_json: bool) -> None:
    """Let NAME, who had retired, play again: with the same seat, as a newcomer (K38)."""
    from league.desk.acts.change_seats import come_back
    from league.desk.site import open_site

    place, number = come_back(open_site(context.site, context.now, context.match), league, name, why=why)
    told = {"seat": place.code, "name": place.own_name, "from_round": number}
    emit(told, as_json, f"{place.own_name} is back from round {number} on.")


@cli.command(
    epilog=example("league player token spring Anna", "league player token spring Anna --renew --why 'it leaked'")
)
@league_argument
@click.argument("name")
@click.option(
    "--renew", is_flag=True, help="Make a new key; the old one and answers to older mails show nothing any more."
)
@why_option
@json_option
@pass_context
def token(context: Context, league: str, name: str, renew: bool, why: str, as_json: bool) -> None:
    """The key that shows that a mail is NAME's; it is as secret as a password."""
    from league.desk.acts.keys import renew_token, show_token
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    told = renew_token(site, league, name, why=why) if renew else show_token(site, league, name)
    sent = f"; {told['name']} gets it by mail" if renew else ""
    emit(told, as_json, f"key {told['key']}" + (f"  {told['address']}" if told["address"] else "") + sent)


@cli.command(epilog=example("league player forget spring Carla --why 'asked to be forgotten'"))
@league_argument
@click.argument("name")
@why_option
@click.option("--yes", is_flag=True, help="Don't ask whether you mean it.")
@json_option
@pass_context
def forget(context: Context, league: str, name: str, why: str, yes: bool, as_json: bool) -> None:
    """Take NAME (or the player of a seat) off the site: name, address, mails, press and answers.

    Whoever still plays leaves with the open round. The seat and the records stay, which name nobody, so the
    league can be verified as before. It can't be undone, and `league rebuild` can't do the league again without the
    mails.
    """
    from league.desk.acts.forget_player import forget as forget_player
    from league.desk.site import open_site

    if not yes:
        click.confirm(f"Forget {name} of {league} for good?", abort=True, err=True)
    done = forget_player(open_site(context.site, context.now, context.match), league, name, why=why)
    told = {
        "seats": list(done.seats),
        "name": done.name,
        "mails": done.mails,
        "files": done.files,
        "elsewhere": list(done.elsewhere),
    }
    lines = [f"{', '.join(done.seats) or 'The player'} is called {done.name} now; {done.mails} mails are gone."]
    lines += [f"The same address plays on in {slug}." for slug in done.elsewhere]
    lines += ["Backups, your mail provider and other players' mailboxes still hold what they hold."]
    emit(told, as_json, "\n".join(lines))
