"""Salts and hashes of messages, and what a record only commits to."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Columns that are added in place: on SQLite a table that is made anew would lose its triggers."""
    for name in ("salt", "sha256"):
        op.add_column("press", sa.Column(name, sa.String(), nullable=False, server_default=""))
    op.add_column("record", sa.Column("secret", sa.LargeBinary(), nullable=True))
