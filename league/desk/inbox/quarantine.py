"""`league mail quarantine`: mails that a person has to look at, and what that person says about them.

Who releases a mail stands for its author. It is then judged as if it had been proven when it came, and only as long as
no round has been closed over it: no order enters after a freeze (DESIGN: Freeze).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from unicodedata import category

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.inbox.accept_mail import Accepted, judge_waiting
from league.desk.rounds.look import reveal_rounds
from league.desk.site import Site
from league.intake.headers import hops
from league.intake.lookalike import looks_like, readable_domain
from league.intake.mailbox import RawMail
from league.intake.message import open_letter
from league.intake.proof import RESULTS
from league.intake.rules import UNCOUNTED
from league.intake.screen import Verdict
from league.intake.tokens import without_keys
from league.storage import engine as database
from league.storage import leagues, mails, rounds
from league.storage.leagues import Membership
from league.storage.lock import run_lock
from league.storage.mails import Judged, Mail

WAITING = (Verdict.QUARANTINED.value, Verdict.HELD.value, Verdict.UNREADABLE.value)
TURNED_AWAY = "organizer"  # why a mail is rejected that a person turned away
LOCK_SECONDS = 120.0
MOST_TEXT = 20_000


def list_quarantine(site: Site, slug: str | None = None) -> list[JsonDict]:
    """The mails that wait for a person, the oldest first; never what is in them."""
    with database.read(site.engine) as connection:
        judged = _waiting(connection)
        everybody = leagues.seated(connection)
        came = mails.arrived(connection, [one.mail_id for one in judged])
    rows = [_facts(one, came[one.mail_id], everybody) for one in judged]
    return [row for row in rows if slug is None or row["league"] == slug]


def _waiting(connection: Connection) -> list[Judged]:
    """Held back, or a player's orders that a program's mark made count for nothing; the oldest first."""
    found = (*mails.verdicts(connection, WAITING), *mails.verdicts(connection, reasons=UNCOUNTED))
    return sorted(found, key=lambda one: one.mail_id)


def _waits(judged: Judged, kinds: Sequence[str] = WAITING) -> bool:
    return judged.verdict in kinds or judged.reason in UNCOUNTED


def show_mail(site: Site, mail_id: int, *, reveal: bool) -> JsonDict:
    """One mail; its text, which may be sealed orders, only with `reveal`, which is written down and published."""
    with database.read(site.engine) as connection:
        mail, judged = _mail(connection, mail_id), _verdict(connection, mail_id)
        everybody = leagues.seated(connection)
        member = next((m for m in everybody if m.place.id == judged.seat_id), None)
        found = rounds.unresolved(connection, [member.match_id]).get(member.match_id, ()) if member else ()
        loaded = rounds.load_chunk(connection, [one.id for one in found])
    letter = open_letter(RawMail(mail.digest, mail.received_at, mail.content or b"", mail.source))
    told = _facts(judged, (mail.received_at, mail.size), everybody)
    told |= {
        "subject": letter.subject,
        "hops": [{"by": hop.by, "at": stamp(hop.at) if hop.at else None} for hop in hops(letter.received)],
        "results": [value for name, value in letter.trace if name == RESULTS],
        "text": None,
    }
    if reveal:
        act = f"mail quarantine show {mail_id} --reveal"
        reveal_rounds(site, loaded, act)
        if not loaded:
            with database.write(site.engine) as connection:
                site.write_down(connection, act, league_id=judged.league_id)
        told["text"] = without_keys(letter.text)[0][:MOST_TEXT]
    return told


def release(site: Site, mail_id: int, *, why: str) -> JsonDict:
    """The organizer stands for the author: the mail is judged anew, with the time at which it came."""
    _need(why)
    with run_lock(site.path, f"league mail quarantine release of {site.who}", LOCK_SECONDS, site.engine):
        with database.write(site.engine) as connection:
            mail, judged = _mail(connection, mail_id), _verdict(connection, mail_id)
            _check_release(connection, mail, judged)
            mails.vouch(connection, mail_id)
            _write_down(site, connection, "release", judged, why)
        judge_waiting(site, Accepted())
    with database.read(site.engine) as connection:
        now = _verdict(connection, mail_id)
    return {"id": mail_id, "verdict": now.verdict, "reason": now.reason}


def reject(site: Site, mail_id: int, *, why: str) -> JsonDict:
    """The mail counts for nothing and is off the list."""
    _need(why)
    with database.write(site.engine) as connection:
        judged = _verdict(connection, mail_id)
        if not _waits(judged):
            raise Refused(f"mail {mail_id} waits for nobody: it is {judged.verdict} ({judged.reason})")
        now = replace(judged, verdict=Verdict.REJECTED.value, reason=TURNED_AWAY, decided_at=site.now)
        mails.overrule(connection, now)
        _write_down(site, connection, "reject", judged, why)
    return {"id": mail_id, "verdict": now.verdict, "reason": now.reason}


def _check_release(connection: Connection, mail: Mail, judged: Judged) -> None:
    if not _waits(judged, (Verdict.QUARANTINED.value, Verdict.HELD.value)):
        raise Refused(f"mail {mail.id} can't be released: it is {judged.verdict} ({judged.reason})")
    if mail.content is None:
        raise Refused(f"mail {mail.id} can't be released: its text is no longer kept")
    if not leagues.memberships(connection, [judged.sender] if judged.sender else []):
        raise Refused(
            f"mail {mail.id} can't be released: {judged.sender or 'its author'} is nobody's registered address; "
            f"if it is a player's, enter the orders with 'league orders enter'"
        )
    seat = next(iter(leagues.seated(connection, [judged.seat_id] if judged.seat_id else [])), None)
    for one in rounds.rounds(connection, seat.match_id) if seat else ():
        if one.opens_at <= mail.received_at <= one.closes_at and one.status != rounds.OPEN:
            raise Refused(
                f"mail {mail.id} can't be released: it came for round {one.number}, which is closed since "
                f"{stamp(one.frozen_at or one.closes_at)}; no order enters after a freeze"
            )


def _write_down(site: Site, connection: Connection, act: str, judged: Judged, why: str) -> None:
    facts: JsonDict = {"mail": judged.mail_id, "from": judged.sender, "was": f"{judged.verdict} ({judged.reason})"}
    for seat in leagues.seated(connection, [judged.seat_id]) if judged.seat_id else ():
        facts["seat"] = seat.place.code
    site.write_down(connection, f"mail quarantine {act}", why, judged.league_id, **facts)


def _mail(connection: Connection, mail_id: int) -> Mail:
    found = mails.mail(connection, mail_id)
    if found is None:
        raise Refused(f"there is no mail {mail_id}; league mail quarantine list shows those that wait")
    return found


def _verdict(connection: Connection, mail_id: int) -> Judged:
    found = mails.verdicts(connection, mail_ids=[mail_id])
    if not found:
        raise Refused(f"there is no mail {mail_id} that was judged; league mail quarantine list shows those that wait")
    return found[0]


def _facts(judged: Judged, came: tuple[datetime, int], everybody: Sequence[Membership]) -> JsonDict:
    member = next((m for m in everybody if m.place.id == judged.seat_id), None)
    alike = looks_like(judged.sender, (m.place.address for m in everybody)) if judged.sender else ""
    shown: Json = readable_domain(judged.sender) if judged.sender else None
    return {
        "id": judged.mail_id,
        "received": stamp(came[0]),
        "verdict": judged.verdict,
        "reason": judged.reason,
        "from": judged.sender or None,
        "reads": shown if shown != judged.sender else None,
        "looks_like": alike or None,
        "league": member.league_slug if member else None,
        "seat": member.place.code if member else None,
        "name": member.place.own_name if member else None,
        "size": came[1],
    }


def _need(why: str) -> None:
    if not why.strip():
        raise BadInput("say why with --why: it is written down")


def visible(text: str) -> str:
    """Foreign text for a terminal: signs that move the cursor, hide or turn the line show their number."""
    return "".join(_sign(char) for char in text)


def _sign(char: str) -> str:
    if char in "\n\t" or category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return char
    return f"<U+{ord(char):04X}>"
