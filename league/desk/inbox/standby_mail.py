"""Mails of players who stand by: they take an offered seat, or stand by no more; the first to accept has it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk.leagues.infos import round_info
from league.desk.people import standby
from league.desk.people.hand_over import hand_over
from league.desk.people.invite import says_yes
from league.desk.people.names import is_taken
from league.desk.people.players import NewPlayer
from league.desk.people.seats import at_seat
from league.desk.post.answer_organizer import tell_organizer
from league.desk.post.roster import command_words
from league.desk.site import CALENDAR, Site, find_running
from league.intake.read import Reading
from league.language.names import NameIndex, Thing
from league.storage import leagues, outbox, rounds
from league.storage.leagues import Membership, Place
from league.storage.mails import Mail
from league.storage.rounds import Loaded

_YES = {("yes",), ("ja",), ("ok",), ("okay",), ("gerne",), ("graag",)}
WHY = "a player who stood by has accepted"


@dataclass(frozen=True, slots=True)
class Stood:
    """What became of the mail: `what` its writer is told (nothing where the seat's own mail tells it)."""

    what: str = ""
    facts: JsonDict | None = None


def carry_out(
    site: Site, connection: Connection, member: Membership, mail: Mail, reading: Reading, tables: tuple[Loaded, ...]
) -> Stood:
    """Do what a mail of his asks for, within the transaction of its verdict; `tables` are the match's rounds."""
    asked = {line.command.id for line in reading.commands if line.command is not None}
    if "decline" in asked:
        running = find_running(site, connection, member.league_slug)
        acting = replace(site, who=f"{member.place.code} by mail")
        standby.end_standby(acting, connection, running, member.place, "")
        return Stood("stood_down")
    offered = standby.offered_now(connection, member.league_slug, tables[-1].seats)
    named = _named(reading, offered)
    if "accept" not in asked and not named and not (offered and says_yes(reading)):
        return Stood("unclear", {"offered": [seat.code for seat in offered]})
    if tables[-1].round.status == rounds.RESOLVED:
        return Stood("over")
    heard = {s.seat_id for table in tables for s in table.submissions if table.round.status == rounds.OPEN}
    free = [seat for seat in offered if seat.id not in heard]
    if not free:
        return Stood("none")
    wanted = named or _answered(connection, member, reading)
    meant = [seat for seat in free if seat.code == wanted] if wanted or len(free) > 1 else free
    if not meant:
        return Stood("which", {"offered": [seat.code for seat in free]})
    if is_taken(member.place.own_name, tables[-1].seats, meant[0].code):
        return Stood("name_taken")
    _take(site, connection, member, mail, meant[0].code, tables[-1])
    return Stood()


def _named(reading: Reading, offered: Sequence[Place]) -> str:
    """The seat in a line like `accept Carla`, where it names exactly one of those offered."""
    words = command_words()
    index = NameIndex.build((Thing(seat.code, (seat.code, seat.name)) for seat in offered), shared=True)
    for line in reading.letter.fresh.splitlines():
        said = words.keywords.words(line)
        head = words.head(said)
        behind = said[head[1] :] if head is not None and head[0] == "accept" else said[1:] if said[:1] in _YES else ()
        found = {mention.id for mention in index.mentions(behind)}
        if len(found) == 1:
            return found.pop()
    return ""


def _answered(connection: Connection, member: Membership, reading: Reading) -> str:
    """The seat that the mail offers which is answered."""
    for one in reading.letter.in_reply_to[:1]:
        kind = outbox.kind_of(connection, one, member.place.id).split("/")
        if kind[:2] == [standby.STANDBY, standby.OFFERED]:
            return kind[2]
    return ""


def _take(site: Site, connection: Connection, member: Membership, mail: Mail, code: str, shown: Loaded) -> None:
    """The seat is his from the open round on; the season's rules gave it to him, at the moment of his mail."""
    own = member.place
    acting = replace(site, who=f"{code} by mail", match=member.match_slug)
    seated = at_seat(replace(acting, now=mail.received_at), connection, member.league_slug, code)
    player = NewPlayer(own.own_name, own.address, own.lang, own.zone)
    before = seated.place.own_name
    hand_over(acting, connection, seated, player, WHY, source=CALENDAR, at=mail.received_at)
    standby.close_offer(connection, member.league_slug, code)
    told: JsonDict = {"seat": code, "name": own.own_name, "before": before, "open": round_info(shown.round).number}
    tell_organizer(site, connection, shown, "taken", told, date=mail.received_at)


def is_standby(member: Membership) -> bool:
    """Whether the mail is of somebody who stands by, or did."""
    return member.place.status in leagues.BENCH
