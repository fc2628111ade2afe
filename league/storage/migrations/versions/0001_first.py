"""All tables of a site as the first release made them."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("journal", "record")


def upgrade() -> None:
    """Tables, then the triggers that keep the append-only ones so."""
    _tables()
    for table in APPEND_ONLY:
        for act in ("UPDATE", "DELETE"):
            _forbid(table, act)


def _forbid(table: str, act: str) -> None:
    name = f"{table}_no_{act.lower()}"
    words = f"{table} is append-only"
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{words}'; END $$"
        )
        op.execute(f"CREATE TRIGGER {name} BEFORE {act} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")
        return
    op.execute(f"CREATE TRIGGER {name} BEFORE {act} ON {table} BEGIN SELECT RAISE(ABORT, '{words}'); END")


def _tables() -> None:
    op.create_table(
        "evidence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("figure", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("entered_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence")),
        sa.UniqueConstraint("figure", "day", "revision", name=op.f("uq_evidence_figure_day_revision")),
    )
    op.create_index(op.f("ix_evidence_day"), "evidence", ["day"], unique=False)
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("slug", name=op.f("uq_league_slug")),
    )
    op.create_index(op.f("ix_league_status"), "league", ["status"], unique=False)
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("fetched_at", UtcDateTime(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
        sa.UniqueConstraint("digest", name=op.f("uq_mail_digest")),
    )
    op.create_table(
        "site_fact",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_site_fact")),
    )
    op.create_table(
        "journal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_journal_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_journal")),
    )
    op.create_index(op.f("ix_journal_at"), "journal", ["at"], unique=False)
    op.create_index(op.f("ix_journal_league_id"), "journal", ["league_id"], unique=False)
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("address_key", sa.String(), nullable=True),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_player_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("league_id", "address_key", name=op.f("uq_player_league_id_address_key")),
    )
    op.create_index(op.f("ix_player_address_key"), "player", ["address_key"], unique=False)
    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("calendar", sa.JSON(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_season_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("league_id", "number", name=op.f("uq_season_league_id_number")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_match_season_id_season")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("slug", name=op.f("uq_match_slug")),
    )
    op.create_index(op.f("ix_match_season_id"), "match", ["season_id"], unique=False)
    op.create_table(
        "position",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_position_match_id_match")),
        sa.PrimaryKeyConstraint("match_id", "round", "version", name=op.f("pk_position")),
    )
    op.create_table(
        "record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("previous", sa.String(), nullable=False),
        sa.Column("sealed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_record_match_id_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_record")),
        sa.UniqueConstraint("match_id", "round", "version", name=op.f("uq_record_match_id_round_version")),
    )
    op.create_table(
        "round",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("opens_at", UtcDateTime(), nullable=False),
        sa.Column("deadline_at", UtcDateTime(), nullable=False),
        sa.Column("closes_at", UtcDateTime(), nullable=False),
        sa.Column("ends_at", UtcDateTime(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("frozen_at", UtcDateTime(), nullable=True),
        sa.Column("frozen_late", sa.Boolean(), nullable=False),
        sa.Column("root", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("status in ('open', 'frozen', 'resolved')", name=op.f("ck_round_status")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_round_match_id_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round")),
        sa.UniqueConstraint("match_id", "number", name=op.f("uq_round_match_id_number")),
    )
    op.create_index(op.f("ix_round_closes_at"), "round", ["closes_at"], unique=False)
    op.create_index(op.f("ix_round_status"), "round", ["status"], unique=False)
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("joined_round", sa.Integer(), nullable=False),
        sa.Column("left_round", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_seat_match_id_match")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("match_id", "code", name=op.f("uq_seat_match_id_code")),
    )
    op.create_index(op.f("ix_seat_player_id"), "seat", ["player_id"], unique=False)
    op.create_table(
        "decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_at", UtcDateTime(), nullable=False),
        sa.Column("superseded_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_decision_round_id_round")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decision")),
    )
    op.create_index(op.f("ix_decision_round_id"), "decision", ["round_id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("attempted_at", UtcDateTime(), nullable=True),
        sa.Column("sent_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("state in ('queued', 'sending', 'sent', 'failed', 'held')", name=op.f("ck_outbox_state")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_outbox_match_id_match")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_outbox_seat_id_seat")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    op.create_index(op.f("ix_outbox_match_id"), "outbox", ["match_id"], unique=False)
    op.create_index(op.f("ix_outbox_seat_id"), "outbox", ["seat_id"], unique=False)
    op.create_index(op.f("ix_outbox_state"), "outbox", ["state"], unique=False)
    op.create_table(
        "phase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("deadline_at", UtcDateTime(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_phase_round_id_round")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phase")),
        sa.UniqueConstraint("round_id", "number", name=op.f("uq_phase_round_id_number")),
    )
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("recipients", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_press_mail_id_mail")),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_press_round_id_round")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_press_seat_id_seat")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    op.create_index(op.f("ix_press_mail_id"), "press", ["mail_id"], unique=False)
    op.create_index(op.f("ix_press_round_id"), "press", ["round_id"], unique=False)
    op.create_index(op.f("ix_press_seat_id"), "press", ["seat_id"], unique=False)
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("replaces", sa.Boolean(), nullable=False),
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("leaf", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_submission_mail_id_mail")),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_submission_round_id_round")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_submission_seat_id_seat")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint(
            "round_id", "phase", "seat_id", "digest", name=op.f("uq_submission_round_id_phase_seat_id_digest")
        ),
        sa.UniqueConstraint(
            "round_id", "phase", "seat_id", "revision", name=op.f("uq_submission_round_id_phase_seat_id_revision")
        ),
    )
    op.create_index(op.f("ix_submission_mail_id"), "submission", ["mail_id"], unique=False)
    op.create_index(op.f("ix_submission_seat_id"), "submission", ["seat_id"], unique=False)
    op.create_table(
        "verdict",
        sa.Column("mail_id", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("holds", sa.JSON(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("decided_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_verdict_league_id_league")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_verdict_mail_id_mail")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_verdict_seat_id_seat")),
        sa.PrimaryKeyConstraint("mail_id", name=op.f("pk_verdict")),
    )
    op.create_index(op.f("ix_verdict_league_id"), "verdict", ["league_id"], unique=False)
    op.create_index(op.f("ix_verdict_message_id"), "verdict", ["message_id"], unique=False)
    op.create_index(op.f("ix_verdict_seat_id"), "verdict", ["seat_id"], unique=False)
    op.create_index(op.f("ix_verdict_verdict"), "verdict", ["verdict"], unique=False)
    op.create_table(
        "ask",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=True),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_ask_phase_id_phase")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_ask_seat_id_seat")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ask")),
    )
    op.create_index(op.f("ix_ask_phase_id"), "ask", ["phase_id"], unique=False)
    op.create_index(op.f("ix_ask_seat_id"), "ask", ["seat_id"], unique=False)
