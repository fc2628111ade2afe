"""Whether a seat's player gets reports by mail."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column more; everybody gets them so far."""
    op.add_column("seat", sa.Column("reports", sa.Boolean(), nullable=False, server_default=sa.true()))
