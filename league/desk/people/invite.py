"""Invitations: a seat is kept for somebody, and until he accepts nothing but the seat's code is public.

Accepting is consent to the public name. Whoever sends orders, or chooses a name, has accepted. Declining frees the
seat with the evaluation of the open round, like leaving (K38).
"""

from collections.abc import Sequence
from dataclasses import replace
from secrets import token_hex

from sqlalchemy import Connection

from league.desk.clock import stamp
from league.desk.leagues.calendar import open_for_change
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.seasons import season_before
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Running, Site
from league.desk.trust import key_of
from league.intake.read import NOTHING, Reading
from league.intake.screen import Verdict
from league.language.commands import Command, CommandLine
from league.language.fold import fold
from league.reports import mails as words
from league.storage import leagues, outbox, rounds
from league.storage.leagues import Place

KIND = "invitation"
DECLINED = "declined"
YES = frozenset({"yes", "yes please", "ja", "ja gerne", "ja bitte", "gerne", "ja graag", "graag", "ok", "okay"})


def send_invitations(site: Site, connection: Connection, running: Running, places: Sequence[Place]) -> None:
    """Queue an invitation for each of these seats, in its player's language."""
    if not places:
        return
    current = open_for_change(connection, running.season.calendar, running.match.id, site.now)
    (loaded,) = rounds.load_chunk(connection, [current.id])
    league, info, shown = league_info(site, loaded, rules_of(loaded)), site_info(site), round_info(loaded.round, loaded)
    organizer = site.settings.site.organizer
    before = season_before(connection, running.league.slug)
    mails = []
    for place in places:
        name, key = place.own_name, key_of(site, loaded.match_slug, place)
        known = before.title if before and leagues.player_at(connection, before.id, place.address) else ""
        text = words.invitation_mail(
            info, league, place.code, name, organizer, shown, any_order_or_press, key, running.season.number, known
        )
        kind = f"{KIND}/{stamp(site.now)}"
        mails.append(outgoing(site, kind, text, place, loaded.match_slug, loaded.round.number, date=site.now))
    outbox.queue(connection, mails)


def says_yes(reading: Reading) -> bool:
    """Whether one line of the mail is a plain yes and no other says anything."""
    rows = [row for row in reading.letter.fresh.splitlines() if row.strip()]
    return len(rows) == 1 and " ".join(fold(rows[0]).replace(",", " ").strip(" .!*_\"'").split()) in YES


def as_accepted(reading: Reading) -> Reading:
    """The mail as one that accepts."""
    line = CommandLine(reading.letter.fresh.strip(), command=Command("accept"))
    return replace(reading, verdict=Verdict.ACCEPTED, reason="readable", parsed=NOTHING, commands=(line,))


def accept_seat(connection: Connection, place: Place, slug: str, name: str = "") -> None:
    """The player is in, under this name or the one he was invited with; every page is built anew with it."""
    if place.player_id is not None:
        leagues.set_player(connection, place.player_id, status=leagues.ACTIVE, name=name or None)
    leagues.set_seat(connection, place.id, status=leagues.ACTIVE)
    numbers = (r.number for r in rounds.rounds(connection, place.match_id) if r.root is not None)
    leagues.mark_unpublished(connection, [slug, *(f"{slug}/{number}" for number in numbers)], token_hex(8))


def decline_seat(connection: Connection, place: Place, slug: str, number: int) -> None:
    """The seat is free again from this round's evaluation on."""
    if place.player_id is not None:
        leagues.set_player(connection, place.player_id, status=DECLINED)
    leagues.set_seat(connection, place.id, status=leagues.LEFT, left_round=number)
    leagues.mark_unpublished(connection, [slug], token_hex(8))
