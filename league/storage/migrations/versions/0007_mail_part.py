"""Parts that many mails share."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table more, and where its rows go in a mail."""
    op.create_table(
        "mail_part",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("digest", name="pk_mail_part"),
    )
    with op.batch_alter_table("outbox") as batch:
        batch.add_column(sa.Column("part", sa.String(), nullable=True))
        batch.add_column(sa.Column("part_at", sa.Integer(), nullable=True))
        batch.create_foreign_key("fk_outbox_part_mail_part", "mail_part", ["part"], ["digest"])
    op.create_index("ix_outbox_part", "outbox", ["part"])
