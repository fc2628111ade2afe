"""What was seen on a mail server, and whose word a mail's time of arrival is."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table and one column more."""
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("validity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("put_away", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name="fk_ledger_mail_id_mail"),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
        sa.UniqueConstraint("account", "folder", "validity", "uid", name="uq_ledger_account_folder_validity_uid"),
    )
    op.create_index("ix_ledger_mail_id", "ledger", ["mail_id"])
    op.create_index("ix_ledger_message_id", "ledger", ["message_id"])
    op.create_index("ix_ledger_digest", "ledger", ["digest"])
    op.add_column("mail", sa.Column("arrival", sa.String(), nullable=False, server_default=""))
