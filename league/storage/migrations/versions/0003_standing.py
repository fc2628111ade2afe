"""Standing orders: what players want entered in rounds in which they send nothing."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table more."""
    op.create_table(
        "standing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("entered_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name="fk_standing_mail_id_mail"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_standing_seat_id_seat"),
        sa.PrimaryKeyConstraint("id", name="pk_standing"),
        sa.UniqueConstraint("mail_id", name="uq_standing_mail_id"),
    )
    op.create_index("ix_standing_seat_id", "standing", ["seat_id"])
