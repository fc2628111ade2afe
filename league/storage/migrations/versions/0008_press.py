"""Press whose writer stays unnamed, and replies to press."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two columns more."""
    for name in ("anonymous", "reply"):
        op.add_column("press", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
