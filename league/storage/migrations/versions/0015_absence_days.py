"""Absences by days, where deadlines follow from reports and no round is known to be open on a day."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What was entered before has neither: it goes by numbers."""
    op.add_column("absence", sa.Column("from_day", sa.Date(), nullable=True))
    op.add_column("absence", sa.Column("until_day", sa.Date(), nullable=True))
