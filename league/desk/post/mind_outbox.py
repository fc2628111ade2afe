"""What a person decides about the outbox: hold it, let it go, send again, let an address have mail again."""

from collections.abc import Sequence

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.post.send_mail import backoff
from league.desk.site import Site, find_running
from league.storage import engine as database
from league.storage import leagues, outbox, troubles
from league.storage.leagues import Place, fold
from league.storage.outbox import Line
from league.storage.troubles import STOPPING


def list_outbox(site: Site, states: Sequence[str] = (), seat: str = "") -> list[JsonDict]:
    """The outbox without the mails' bytes, the newest first; of one seat, if it is named like spring/s1."""
    with database.read(site.engine) as connection:
        place = seat_named(site, connection, seat) if seat else None
        lines = outbox.listing(connection, states, seat_id=place.id if place else None)
    return [shown(line) for line in lines]


def shown(line: Line) -> JsonDict:
    """A line of the outbox for the command line."""
    waits = line.not_before if line.state in outbox.WAITING and line.not_before else None
    return {
        "id": line.id,
        "message_id": line.message_id,
        "kind": line.kind.partition("/")[0],
        "recipient": line.recipient,
        "round": line.round,
        "state": line.state,
        "attempts": line.attempts,
        "trouble": line.trouble,
        "sent": stamp(line.sent_at) if line.sent_at else None,
        "not_before": stamp(waits) if waits else None,
    }


def waiting_mails(site: Site) -> tuple[list[JsonDict], str]:
    """What would go out, in the order in which it would go; and why nothing goes, if so."""
    with database.read(site.engine) as connection:
        lines = outbox.in_order(connection)
        stopped = {stop.address_key for stop in troubles.stops(connection)}
        held = outbox.held(connection)
    return [shown(line) for line in lines if fold(line.recipient) not in stopped], held


def hold(site: Site, why: str) -> int:
    """Let nothing out until it is released; how many mails wait."""
    with database.write(site.engine) as connection:
        outbox.hold(connection, why or f"held by {site.who} on {stamp(site.now)}")
        site.write_down(connection, "mail hold", why)
        return outbox.due(connection, site.now)


def release(site: Site, why: str) -> int:
    """Let mail out again; how many mails can go now."""
    with database.write(site.engine) as connection:
        if not outbox.release(connection):
            raise Refused("the outbox isn't on hold")
        site.write_down(connection, "mail release", why)
        return outbox.due(connection, site.now)


def resend(site: Site, names: Sequence[str], seat: str, why: str) -> list[JsonDict]:
    """Queue mails again, named by number or Message-ID, or the seat's newest with the name "last"."""
    with database.write(site.engine) as connection:
        lines = [line for name in names for line in _named(site, connection, name, seat)]
        stopped = {stop.address_key for stop in troubles.stops(connection)}
        for line in lines:
            if fold(line.recipient) in stopped:
                raise Refused(f"mail to {line.recipient} is stopped; league mail outbox --unblock {line.recipient}")
            if line.state == "sending":
                raise Refused(f"mail {line.id} is being sent right now")
        ids = sorted({line.id for line in lines})
        outbox.resend(connection, ids)
        site.write_down(connection, "mail resend", why, mails=ids)
        return [shown(line) for line in outbox.find(connection, ids=ids)]


def _named(site: Site, connection: Connection, name: str, seat: str) -> Sequence[Line]:
    if name == "last":
        if not seat:
            raise Refused("say whose last mail: --seat LEAGUE/SEAT")
        found = outbox.listing(connection, seat_id=seat_named(site, connection, seat).id, limit=1)
    elif name.isascii() and name.isdigit():
        found = outbox.find(connection, ids=[int(name)])
    else:
        found = outbox.find(connection, message_ids=[name, f"<{name.strip('<>')}>"])
    if not found:
        raise Refused(f"there is no mail {name} in the outbox; league mail outbox lists them")
    return found


def unblock(site: Site, address: str, why: str) -> int:
    """Let an address have mail again; how many mails were held for it."""
    with database.write(site.engine) as connection:
        if not troubles.lift(connection, [address], site.now):
            known = ", ".join(stop.address_key for stop in troubles.stops(connection)) or "none is"
            raise Refused(f"mail to {address} isn't stopped; stopped: {known}")
        site.write_down(connection, "mail unblock", why, address=fold(address))
        return outbox.start_again(connection, address)


def raw_mail(site: Site, name: str) -> bytes:
    """The bytes of a mail as they go out."""
    with database.read(site.engine) as connection:
        (line, *_) = _named(site, connection, name, "")
        return outbox.raw(connection, line.message_id) or b""


def seat_named(site: Site, connection: Connection, written: str) -> Place:
    """The seat of `LEAGUE/SEAT`, by its code or its player's name."""
    slug, _, name = written.partition("/")
    seats = leagues.seats(connection, [find_running(site, connection, slug, moved_too=True).match.id])
    found = [seat for seat in seats if name.casefold() in (seat.code.casefold(), seat.name.casefold())]
    if not name or not found:
        known = ", ".join(f"{slug}/{seat.code} ({seat.name})" for seat in seats)
        raise Refused(f"no seat '{written}'; there are: {known}")
    return found[0]


def stopped(site: Site) -> dict[str, str]:
    """Addresses that get no mail -> since when and why."""
    with database.read(site.engine) as connection:
        return stopped_now(connection)


def stopped_now(connection: Connection) -> dict[str, str]:
    """The same within a transaction."""
    return {stop.address_key: f"{stop.kind} {stamp(stop.at)[:10]}: {stop.words}" for stop in troubles.stops(connection)}


def mail_health(site: Site) -> JsonDict:
    """What `league status` and `league doctor` say about mail out."""
    with database.read(site.engine) as connection:
        waits, stops = backoff(connection), troubles.stops(connection)
        members = {m.address_key: m for m in leagues.memberships(connection, {stop.address_key for stop in stops})}
        return {
            "hold": outbox.held(connection),
            "trouble": f"since {stamp(waits.since)}: {waits.words}" if waits else "",
            "next_try": stamp(waits.until) if waits else None,
            "due": outbox.due(connection, site.now),
            "stopped": [
                {
                    "address": stop.address_key,
                    "kind": stop.kind,
                    "since": stamp(stop.at),
                    "words": stop.words,
                    "league": members[stop.address_key].league_slug if stop.address_key in members else None,
                    "seat": members[stop.address_key].place.code if stop.address_key in members else None,
                    "name": members[stop.address_key].place.name if stop.address_key in members else None,
                }
                for stop in stops
                if stop.kind in STOPPING
            ],
        }
