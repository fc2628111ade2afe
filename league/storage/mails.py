"""The book of mails: every message as it came, and the one verdict on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from league.storage.engine import batches, insert_new, plain
from league.storage.tables import MAIL, PLAYER, VERDICT


@dataclass(frozen=True, slots=True)
class NewMail:
    """A message as fetched. `received_at` is the mail server's clock, `fetched_at` ours.

    `arrival` says whose word the time is: received, mailbox, fetched, told; with a doubt behind it where there is one.
    """

    digest: str
    content: bytes
    source: str
    received_at: datetime
    fetched_at: datetime
    arrival: str = ""
    vouched: bool = False  # the organizer says who wrote it


@dataclass(frozen=True, slots=True)
class Mail:
    """A stored message; `content` is None once its keeping time is over."""

    id: int
    digest: str
    content: bytes | None
    source: str
    received_at: datetime
    fetched_at: datetime
    size: int
    arrival: str = ""
    vouched: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a batch: every digest's mail id, and which of them weren't known before."""

    ids: Mapping[str, int]
    fresh: frozenset[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on a mail, with the rule that gave it."""

    mail_id: int
    verdict: str
    reason: str
    rule: str
    message_id: str
    sender: str
    holds: tuple[str, ...]
    verified: bool
    decided_at: datetime
    league_id: int | None = None
    seat_id: int | None = None
    proof: str = ""


def store_mails(connection: Connection, mails: Sequence[NewMail]) -> Stored:
    """Keep messages before anyone reads them; one that is already there stays as it is."""
    digests = sorted({mail.digest for mail in mails})
    known = _ids(connection, digests)
    insert_new(connection, MAIL, [plain(mail) | {"size": len(mail.content)} for mail in mails])
    ids = _ids(connection, digests)
    return Stored(ids, frozenset(ids.keys() - known.keys()))


def arrivals(connection: Connection, digests: Sequence[str]) -> dict[str, tuple[int, datetime]]:
    """Of those of these messages that are kept: mail id and time of arrival."""
    found: dict[str, tuple[int, datetime]] = {}
    for keys in batches(sorted(set(digests))):
        rows = connection.execute(select(MAIL.c.digest, MAIL.c.id, MAIL.c.received_at).where(MAIL.c.digest.in_(keys)))
        found.update((digest, (key, received_at)) for digest, key, received_at in rows)
    return found


def _ids(connection: Connection, digests: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for keys in batches(digests):
        rows = connection.execute(select(MAIL.c.digest, MAIL.c.id).where(MAIL.c.digest.in_(keys)))
        found.update((digest, key) for digest, key in rows)
    return found


def unjudged(connection: Connection, limit: int = 200, until: datetime | None = None) -> tuple[Mail, ...]:
    """Mails (those that came `until` then) without a verdict, by arrival: the rest of a run that was cut short too."""
    rows = select(MAIL).join(VERDICT, isouter=True).where(VERDICT.c.mail_id.is_(None))
    if until is not None:
        rows = rows.where(MAIL.c.received_at <= until)
    rows = rows.order_by(MAIL.c.received_at, MAIL.c.id).limit(limit)
    return tuple(Mail(**row) for row in connection.execute(rows).mappings())


def waiting_since(connection: Connection) -> tuple[datetime, ...]:
    """When the mails came for which no verdict was stored, each moment once."""
    rows = select(MAIL.c.received_at).join(VERDICT, isouter=True).where(VERDICT.c.mail_id.is_(None))
    return tuple(connection.execute(rows.distinct().order_by(MAIL.c.received_at)).scalars())


def mail(connection: Connection, mail_id: int) -> Mail | None:
    """A stored message."""
    row = connection.execute(select(MAIL).where(MAIL.c.id == mail_id)).mappings().first()
    return Mail(**row) if row else None


def arrived(connection: Connection, mail_ids: Sequence[int]) -> dict[int, tuple[datetime, int]]:
    """When these mails came, and how big they are."""
    found: dict[int, tuple[datetime, int]] = {}
    for ids in batches(mail_ids):
        rows = connection.execute(select(MAIL.c.id, MAIL.c.received_at, MAIL.c.size).where(MAIL.c.id.in_(ids)))
        found.update((key, (at, size)) for key, at, size in rows)
    return found


def store_verdicts(connection: Connection, verdicts: Sequence[Judged]) -> int:
    """One verdict a mail; a mail that has one keeps it. The number that came in."""
    return insert_new(connection, VERDICT, [plain(v) | {"holds": list(v.holds)} for v in verdicts])


def vouch(connection: Connection, mail_id: int) -> None:
    """The organizer stands for the author: the mail is to be judged anew, as if it had just come."""
    connection.execute(update(MAIL).where(MAIL.c.id == mail_id).values(vouched=True))
    connection.execute(delete(VERDICT).where(VERDICT.c.mail_id == mail_id))


def strangers_no_more(connection: Connection, league_id: int, since: datetime) -> int:
    """Mails that a league's players sent here before it came are to be judged anew; the number."""
    keys = select(PLAYER.c.address_key).where(PLAYER.c.league_id == league_id, PLAYER.c.address_key.is_not(None))
    came = select(MAIL.c.id).where(MAIL.c.received_at >= since, MAIL.c.content.is_not(None))
    gone = delete(VERDICT).where(VERDICT.c.league_id.is_(None), VERDICT.c.sender.in_(keys), VERDICT.c.mail_id.in_(came))
    return connection.execute(gone).rowcount


def judge_anew(connection: Connection, league_id: int, reason: str) -> int:
    """Mails of a league that were set aside for this reason alone wait for a verdict again; the number."""
    kept = select(MAIL.c.id).where(MAIL.c.content.is_not(None))
    gone = delete(VERDICT).where(
        VERDICT.c.league_id == league_id, VERDICT.c.reason == reason, VERDICT.c.mail_id.in_(kept)
    )
    return connection.execute(gone).rowcount


def overrule(connection: Connection, judged: Judged) -> None:
    """A person's verdict in the place of the machine's; the caller writes the journal."""
    values = plain(judged) | {"holds": list(judged.holds)}
    connection.execute(update(VERDICT).where(VERDICT.c.mail_id == judged.mail_id).values(**values))


def verdicts(
    connection: Connection,
    kinds: Iterable[str] = (),
    league_id: int | None = None,
    mail_ids: Sequence[int] = (),
    limit: int = 1000,
    reasons: Sequence[str] = (),
) -> tuple[Judged, ...]:
    """Verdicts, the newest first; of some kinds, of one league, of these mails, for some reasons."""
    rows = select(*(VERDICT.c[name] for name in _JUDGED)).order_by(VERDICT.c.mail_id.desc()).limit(limit)
    wanted = tuple(kinds)
    if wanted:
        rows = rows.where(VERDICT.c.verdict.in_(wanted))
    if reasons:
        rows = rows.where(VERDICT.c.reason.in_(reasons))
    if league_id is not None:
        rows = rows.where(VERDICT.c.league_id == league_id)
    if mail_ids:
        rows = rows.where(VERDICT.c.mail_id.in_(mail_ids))
    return tuple(Judged(**{**row, "holds": tuple(row["holds"])}) for row in connection.execute(rows).mappings())


_JUDGED = tuple(Judged.__dataclass_fields__)


def known_mails(
    connection: Connection, keys: Iterable[tuple[str, str]], kinds: Iterable[str] = ()
) -> Mapping[tuple[str, str], tuple[int, ...]]:
    """Senders with Message-IDs that mails with a verdict (of these kinds) already had -> these mails, as they came."""
    asked, wanted = {key for key in keys if key[1]}, tuple(kinds)
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    for ids in batches(sorted({message_id for _, message_id in asked})):
        rows = select(VERDICT.c.sender, VERDICT.c.message_id, VERDICT.c.mail_id).where(VERDICT.c.message_id.in_(ids))
        rows = rows.where(VERDICT.c.verdict.in_(wanted)) if wanted else rows
        for sender, message_id, mail_id in connection.execute(rows.order_by(VERDICT.c.mail_id)):
            if (sender, message_id) in asked:
                found[sender, message_id] = (*found.get((sender, message_id), ()), mail_id)
    return found


def drop_contents(connection: Connection, received_before: datetime) -> int:
    """Forget the bytes of mails older than the keeping time; digests and verdicts stay. The number of mails."""
    due = update(MAIL).where(MAIL.c.received_at < received_before, MAIL.c.content.is_not(None))
    return connection.execute(due.values(content=None)).rowcount
