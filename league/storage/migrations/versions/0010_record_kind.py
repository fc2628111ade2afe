"""A chain holds more than rounds: what a record numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One column more, which is part of what is sealed once only."""
    with op.batch_alter_table("record") as batch:
        batch.add_column(sa.Column("kind", sa.String(), nullable=False, server_default="round"))
        batch.drop_constraint("uq_record_match_id_round_version", type_="unique")
        batch.create_unique_constraint(
            "uq_record_match_id_kind_round_version", ["match_id", "kind", "round", "version"]
        )
