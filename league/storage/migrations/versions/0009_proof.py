"""Who wrote a mail: by what it was proven, a token for each seat, mails that the organizer vouches for."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Four columns more."""
    op.add_column("verdict", sa.Column("proof", sa.String(), nullable=False, server_default=""))
    op.add_column("mail", sa.Column("vouched", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seat", sa.Column("token_version", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("seat", sa.Column("token_since", UtcDateTime(), nullable=True))
