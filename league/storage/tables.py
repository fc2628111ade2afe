"""The site's tables.

Rows are built and read by the books of this room alone. `table=True` doesn't validate: the books are
handed checked values. Columns are never renamed here without a migration (`tests/storage` compares both).
"""

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from league.storage.types import UtcDateTime

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Row(SQLModel, registry=registry(metadata=metadata)):
    """Base of our tables, with a catalogue of their own so that no other package's table slips in."""

    metadata: ClassVar[MetaData] = metadata


def _id() -> Any:
    return Field(default=None, primary_key=True)


def _ref(column: str, **more: Any) -> Any:
    return Field(foreign_key=column, index=True, **more)


def _time(*, null: bool = False, index: bool = False) -> Any:
    if null:
        return Field(default=None, sa_type=UtcDateTime, nullable=True, index=index)
    return Field(sa_type=UtcDateTime, nullable=False, index=index)


def _json() -> Any:
    return Field(sa_column=Column(JSON, nullable=False))


def _blob(*, null: bool = False) -> Any:
    return Field(default=None, sa_column=Column(LargeBinary, nullable=null))


def _text(*, null: bool = False) -> Any:
    return Field(default=None if null else "", sa_type=Text, nullable=null)


class SiteFactRow(Row, table=True):
    """Facts of the site itself: when it was made, what was last published."""

    __tablename__ = "site_fact"
    key: str = Field(primary_key=True)
    value: str = _text()


class LeagueRow(Row, table=True):
    """One running competition."""

    __tablename__ = "league"
    id: int | None = _id()
    slug: str = Field(unique=True)
    game: str
    title: str
    lang: str
    zone: str
    status: str = Field(index=True)
    created_at: datetime = _time()


class SeasonRow(Row, table=True):
    """Rules, options, sources and calendar as fixed in the opening record."""

    __tablename__ = "season"
    __table_args__ = (UniqueConstraint("league_id", "number"),)
    id: int | None = _id()
    league_id: int = Field(foreign_key="league.id")
    number: int
    rules: str
    options: dict[str, Any] = _json()
    sources: dict[str, Any] = _json()
    calendar: dict[str, Any] = _json()
    opened_at: datetime = _time()


class MatchRow(Row, table=True):
    """One instance of a season's game."""

    __tablename__ = "match"
    id: int | None = _id()
    season_id: int = _ref("season.id")
    slug: str = Field(unique=True)
    status: str


class PlayerRow(Row, table=True):
    """A person in a league. `address_key` is the folded address; both are empty for one who was forgotten."""

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("league_id", "address_key"),)
    id: int | None = _id()
    league_id: int = Field(foreign_key="league.id")
    name: str
    address: str | None
    address_key: str | None = Field(index=True)
    lang: str
    zone: str
    status: str
    since: datetime = _time()


class SeatRow(Row, table=True):
    """A place in a match and who sits on it; records know its code alone."""

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("match_id", "code"),)
    id: int | None = _id()
    match_id: int = Field(foreign_key="match.id")
    code: str
    player_id: int | None = _ref("player.id", nullable=True)
    position: int
    status: str
    joined_round: int
    left_round: int | None
    token_version: int = Field(sa_column=Column(Integer, nullable=False, server_default="1"))
    token_since: datetime | None = _time(null=True)
    reports: bool = Field(default=True, sa_column=Column(Boolean, nullable=False, server_default=true()))


class AbsenceRow(Row, table=True):
    """What is entered for a seat in the rounds of which its player sends nothing; `texts` are taken one a round."""

    __tablename__ = "absence"
    id: int | None = _id()
    seat_id: int = _ref("seat.id")
    first_round: int
    last_round: int
    texts: list[str] = _json()
    entered_at: datetime = _time()
    ended_at: datetime | None = _time(null=True)
    from_day: date | None = None
    until_day: date | None = None


class StandingRow(Row, table=True):
    """What a mail set to be kept for a seat's silent rounds (no lines: ended it); the latest by arrival holds."""

    __tablename__ = "standing"
    __table_args__ = (UniqueConstraint("mail_id"),)
    id: int | None = _id()
    seat_id: int = _ref("seat.id")
    round: int
    received_at: datetime = _time()
    mail_id: int = Field(foreign_key="mail.id")
    lines: list[Any] = _json()
    entered_at: datetime = _time()
    ended_at: datetime | None = _time(null=True)


class RoundRow(Row, table=True):
    """One order deadline; `status` moves by compare-and-set alone."""

    __tablename__ = "round"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        CheckConstraint("status in ('open', 'frozen', 'resolved')", name="status"),
    )
    id: int | None = _id()
    match_id: int = Field(foreign_key="match.id")
    number: int
    opens_at: datetime = _time()
    deadline_at: datetime = _time()
    closes_at: datetime = _time(index=True)
    ends_at: datetime = _time()
    zone: str
    status: str = Field(index=True)
    frozen_at: datetime | None = _time(null=True)
    frozen_late: bool
    root: str | None
    version: int


class PhaseRow(Row, table=True):
    """A round's part that waits for something of its own: orders first, replies after."""

    __tablename__ = "phase"
    __table_args__ = (UniqueConstraint("round_id", "number"),)
    id: int | None = _id()
    round_id: int = Field(foreign_key="round.id")
    number: int
    kind: str
    deadline_at: datetime | None = _time(null=True)
    status: str


class AskRow(Row, table=True):
    """A reply that a phase waits for, from one seat."""

    __tablename__ = "ask"
    id: int | None = _id()
    phase_id: int = _ref("phase.id")
    seat_id: int = _ref("seat.id")
    kind: str
    facts: dict[str, Any] = _json()
    due_at: datetime | None = _time(null=True)
    answered: bool


class PositionRow(Row, table=True):
    """The position with which a round starts, in the version of the records that led to it."""

    __tablename__ = "position"
    match_id: int = Field(foreign_key="match.id", primary_key=True)
    round: int = Field(primary_key=True)
    version: int = Field(primary_key=True)
    body: dict[str, Any] = _json()


class MailRow(Row, table=True):
    """A message as it came. `content` goes when its keeping time is over; the digest stays."""

    __tablename__ = "mail"
    id: int | None = _id()
    digest: str = Field(unique=True)
    content: bytes | None = _blob(null=True)
    source: str
    received_at: datetime = _time()
    fetched_at: datetime = _time()
    size: int
    arrival: str = Field(default="", sa_column_kwargs={"server_default": ""})
    vouched: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))


class LedgerRow(Row, table=True):
    """Where on a mail server a message was seen. `put_away` is the folder it was moved to since; `?`: by a person."""

    __tablename__ = "ledger"
    __table_args__ = (UniqueConstraint("account", "folder", "validity", "uid"),)
    id: int | None = _id()
    account: str
    folder: str
    validity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    mail_id: int = _ref("mail.id")
    message_id: str = Field(index=True)
    digest: str = Field(index=True)
    seen_at: datetime = _time()
    put_away: str = ""


class VerdictRow(Row, table=True):
    """What became of a message: exactly one a mail."""

    __tablename__ = "verdict"
    mail_id: int = Field(foreign_key="mail.id", primary_key=True)
    verdict: str = Field(index=True)
    reason: str = _text()
    rule: str
    league_id: int | None = _ref("league.id", nullable=True)
    seat_id: int | None = _ref("seat.id", nullable=True)
    message_id: str = Field(index=True)
    sender: str
    holds: list[str] = _json()
    verified: bool
    proof: str = Field(sa_column=Column(String, nullable=False, server_default=""))
    decided_at: datetime = _time()


class SubmissionRow(Row, table=True):
    """The order book: one order mail of one seat for one phase of a round."""

    __tablename__ = "submission"
    __table_args__ = (
        UniqueConstraint("round_id", "phase", "seat_id", "revision"),
        UniqueConstraint("round_id", "phase", "seat_id", "digest"),
    )
    id: int | None = _id()
    round_id: int = Field(foreign_key="round.id")
    phase: int
    seat_id: int = _ref("seat.id")
    revision: int
    mail_id: int | None = _ref("mail.id", nullable=True)
    digest: str
    received_at: datetime = _time()
    sequence: int
    text: str = _text()
    lines: list[Any] = _json()
    replaces: bool
    nonce: str
    leaf: str


class PressRow(Row, table=True):
    """A message to other players; no recipients means everyone, and then `sha256` goes into the round's record."""

    __tablename__ = "press"
    id: int | None = _id()
    round_id: int = _ref("round.id")
    seat_id: int = _ref("seat.id")
    mail_id: int | None = _ref("mail.id", nullable=True)
    received_at: datetime = _time()
    recipients: list[str] = _json()
    text: str = _text()
    anonymous: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    reply: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    salt: str = Field(sa_column=Column(String, nullable=False, server_default=""))
    sha256: str = Field(sa_column=Column(String, nullable=False, server_default=""))


class EvidenceRow(Row, table=True):
    """A figure of a day. Figures are public and belong to no league; a correction is a further revision."""

    __tablename__ = "evidence"
    __table_args__ = (UniqueConstraint("figure", "day", "revision"),)
    id: int | None = _id()
    figure: str
    day: date = Field(index=True)
    revision: int
    value: str
    status: str
    source: str = _text()
    reason: str = _text()
    entered_at: datetime = _time()


class ReadingRow(Row, table=True):
    """What a source said of a figure; every answer stays, so that who said what when can be shown."""

    __tablename__ = "reading"
    id: int | None = _id()
    source: str
    figure: str
    day: date = Field(index=True)
    value: str
    more: dict[str, Any] = _json()
    before: str
    read_at: datetime = _time()


class SourceRow(Row, table=True):
    """How a source is doing: failures in a row, and until when it is left alone."""

    __tablename__ = "source"
    name: str = Field(primary_key=True)
    failures: int
    trouble: str = _text()
    why: str
    until: datetime = _time()


class DecisionRow(Row, table=True):
    """What a person or a reply decided while a round was evaluated; a later one supersedes it."""

    __tablename__ = "decision"
    id: int | None = _id()
    round_id: int = _ref("round.id")
    kind: str
    facts: dict[str, Any] = _json()
    source: str = _text()
    entered_at: datetime = _time()
    superseded_at: datetime | None = _time(null=True)


class RecordRow(Row, table=True):
    """A link of a match's chain; never changed, a round's account only superseded by a further version.

    `kind` says what `round` numbers: "round" (0 is the opening) or what else the chain holds. `secret` is what the body
    only commits to until the match is over; it is never published as it stands here.
    """

    __tablename__ = "record"
    __table_args__ = (UniqueConstraint("match_id", "kind", "round", "version"),)
    id: int | None = _id()
    match_id: int = Field(foreign_key="match.id")
    round: int
    version: int
    body: bytes = _blob()
    sha256: str
    previous: str
    sealed_at: datetime = _time()
    kind: str = Field(sa_column=Column(String, nullable=False, server_default="round"))
    secret: bytes | None = _blob(null=True)


class MailPartRow(Row, table=True):
    """What many mails share, kept once: `content` is empty until it is drawn, `source` from then on."""

    __tablename__ = "mail_part"
    digest: str = Field(primary_key=True)
    source: bytes | None = _blob(null=True)
    width: int
    content: bytes | None = _blob(null=True)


class OutboxRow(Row, table=True):
    """A mail to be sent, with its final bytes; those of a part that it shares go in at `part_at`."""

    __tablename__ = "outbox"
    __table_args__ = (
        CheckConstraint("state in ('queued', 'sending', 'in_doubt', 'sent', 'failed', 'held')", name="state"),
        Index("ix_outbox_due", "state", "rank", "id", "not_before"),
    )
    id: int | None = _id()
    message_id: str = Field(unique=True)
    kind: str
    match_id: int | None = _ref("match.id", nullable=True)
    round: int | None
    seat_id: int | None = _ref("seat.id", nullable=True)
    version: int
    recipient: str
    raw: bytes = _blob()
    part: str | None = _ref("mail_part.digest", nullable=True)
    part_at: int | None
    state: str
    attempts: int
    trouble: str = _text()
    created_at: datetime = _time()
    attempted_at: datetime | None = _time(null=True)
    sent_at: datetime | None = _time(null=True, index=True)
    rank: int
    domain: str
    not_before: datetime | None = _time(null=True)
    first_attempt_at: datetime | None = _time(null=True)
    claim: str | None


class MailTroubleRow(Row, table=True):
    """Something that went wrong with a mail of ours; some kinds stop the address until they are lifted."""

    __tablename__ = "mail_trouble"
    __table_args__ = (
        CheckConstraint("kind in ('failed', 'bounce', 'returned', 'delayed', 'complaint', 'unclear')", name="kind"),
    )
    id: int | None = _id()
    kind: str
    address_key: str = Field(index=True)
    outbox_id: int | None = _ref("outbox.id", nullable=True)
    words: str = _text()
    at: datetime = _time()
    due_at: datetime = _time()
    told_at: datetime | None = _time(null=True)
    lifted_at: datetime | None = _time(null=True)


class AnnouncementRow(Row, table=True):
    """Something that is told in a channel outside: once for a round and its version."""

    __tablename__ = "announcement"
    __table_args__ = (
        UniqueConstraint("name", "match_id", "kind", "round", "version"),
        CheckConstraint("state in ('queued', 'sending', 'sent', 'failed', 'lapsed')", name="state"),
    )
    id: int | None = _id()
    name: str
    kind: str
    match_id: int = Field(foreign_key="match.id")
    round: int
    version: int
    state: str = Field(index=True)
    attempts: int
    trouble: str = _text()
    created_at: datetime = _time()
    attempted_at: datetime | None = _time(null=True)
    not_before: datetime | None = _time(null=True)
    sent_at: datetime | None = _time(null=True)


class JournalRow(Row, table=True):
    """Every act of the organizer: append-only, which the database enforces with triggers."""

    __tablename__ = "journal"
    id: int | None = _id()
    at: datetime = _time(index=True)
    league_id: int | None = _ref("league.id", nullable=True)
    who: str
    act: str
    why: str = _text()
    arguments: dict[str, Any] = _json()


def _table(name: str) -> Table:
    return metadata.tables[name]


SITE_FACT = _table("site_fact")
LEAGUE = _table("league")
SEASON = _table("season")
MATCH = _table("match")
PLAYER = _table("player")
SEAT = _table("seat")
ABSENCE = _table("absence")
STANDING = _table("standing")
ROUND = _table("round")
PHASE = _table("phase")
ASK = _table("ask")
POSITION = _table("position")
MAIL = _table("mail")
LEDGER = _table("ledger")
VERDICT = _table("verdict")
SUBMISSION = _table("submission")
PRESS = _table("press")
EVIDENCE = _table("evidence")
READING = _table("reading")
SOURCE = _table("source")
DECISION = _table("decision")
RECORD = _table("record")
MAIL_PART = _table("mail_part")
OUTBOX = _table("outbox")
MAIL_TROUBLE = _table("mail_trouble")
ANNOUNCEMENT = _table("announcement")
JOURNAL = _table("journal")
