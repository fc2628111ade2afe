"""What is told in channels outside, and how far each has got."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A book of its own: mails have recipients and bytes, these have neither."""
    op.create_table(
        "announcement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("attempted_at", UtcDateTime(), nullable=True),
        sa.Column("not_before", UtcDateTime(), nullable=True),
        sa.Column("sent_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "state in ('queued', 'sending', 'sent', 'failed', 'lapsed')", name=op.f("ck_announcement_state")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_announcement_match_id_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcement")),
        sa.UniqueConstraint(
            "name",
            "match_id",
            "kind",
            "round",
            "version",
            name=op.f("uq_announcement_name_match_id_kind_round_version"),
        ),
    )
    op.create_index(op.f("ix_announcement_state"), "announcement", ["state"])
