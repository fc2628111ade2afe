"""What sources say of public figures, and how they are doing."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables more."""
    op.create_table(
        "reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("figure", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("more", sa.JSON(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("read_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reading"),
    )
    op.create_index("ix_reading_day", "reading", ["day"])
    op.create_table(
        "source",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_source"),
    )
