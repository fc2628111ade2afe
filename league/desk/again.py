"""The very same bytes once more: a mail whose earlier copies came too late may still arrive in time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection

from league.desk.clock import stamp
from league.intake.screen import Verdict
from league.storage import leagues, mails, rounds
from league.storage.mails import Judged, NewMail

_ENDS_IT = [verdict.value for verdict in Verdict if verdict.is_final or verdict is Verdict.ASK]


def come_anew(connection: Connection, arrived: Sequence[NewMail]) -> list[NewMail]:
    """Mails of which every copy was late get a digest of their own if they arrive in an open window now (K13)."""
    known = mails.arrivals(connection, [mail.digest for mail in arrived])
    ids = [mail_id for mail_id, _ in known.values()]
    late = {found.mail_id: found for found in mails.verdicts(connection, (Verdict.LATE,), mail_ids=ids)} if ids else {}
    if not late:
        return list(arrived)
    settled = mails.known_mails(connection, [(found.sender, found.message_id) for found in late.values()], _ENDS_IT)
    windows = _windows(connection, list(late.values()))
    found: list[NewMail] = []
    for mail in arrived:
        mail_id, before = known.get(mail.digest, (0, mail.received_at))
        judged = late.get(mail_id)
        if judged is not None and mail.received_at > before and (judged.sender, judged.message_id) not in settled:
            seat_windows = windows.get(judged.seat_id or 0, ())
            if any(opens <= mail.received_at <= closes for opens, closes in seat_windows):
                mail = replace(mail, digest=anew(mail.digest, mail.received_at))  # noqa: PLW2901
        found.append(mail)
    return found


def anew(digest: str, received_at: datetime) -> str:
    """The digest of a mail that had come before, as it came at this time."""
    return sha256(f"{digest} {stamp(received_at)}".encode()).hexdigest()


def _windows(connection: Connection, late: Sequence[Judged]) -> dict[int, list[tuple[datetime, datetime]]]:
    """The open windows of the seats that these mails were for, as long as their senders play them."""
    members = leagues.memberships(connection, {judged.sender for judged in late})
    found = rounds.unresolved(connection, sorted({member.match_id for member in members}))
    return {
        member.place.id: [(r.opens_at, r.closes_at) for r in found.get(member.match_id, ()) if r.status == rounds.OPEN]
        for member in members
    }
