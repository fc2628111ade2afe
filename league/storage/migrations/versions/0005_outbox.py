"""The outbox knows when a mail is due, in which order, and what is in doubt; troubles with mail have a book."""

import sqlalchemy as sa
from alembic import op

from league.storage.types import UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

STATES = "state in ('queued', 'sending', 'in_doubt', 'sent', 'failed', 'held')"
KINDS = "kind in ('failed', 'bounce', 'returned', 'delayed', 'complaint', 'unclear')"
ANSWERS = "'receipt', 'ask', 'late', 'which', 'replies'"


def upgrade() -> None:
    """Columns, filled for what is there; the wider list of states; the new book."""
    with op.batch_alter_table("outbox") as table:
        table.drop_index("ix_outbox_state")
        if op.get_bind().dialect.name == "postgresql":  # SQLite's table is made anew, without what isn't named here
            table.drop_constraint(op.f("ck_outbox_state"), type_="check")
        table.create_check_constraint(op.f("ck_outbox_state"), STATES)
        table.add_column(sa.Column("rank", sa.Integer(), nullable=False, server_default="1"))
        table.add_column(sa.Column("domain", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("not_before", UtcDateTime(), nullable=True))
        table.add_column(sa.Column("first_attempt_at", UtcDateTime(), nullable=True))
        table.add_column(sa.Column("claim", sa.String(), nullable=True))
    with op.batch_alter_table("outbox") as table:
        table.alter_column("rank", server_default=None)
        table.alter_column("domain", server_default=None)
    _fill()
    op.create_index("ix_outbox_due", "outbox", ["state", "rank", "id", "not_before"])
    op.create_index("ix_outbox_sent_at", "outbox", ["sent_at"])
    _book()


def _fill() -> None:
    """What a new row is given, for the old ones; `kind` may have a part behind a slash."""
    postgresql = op.get_bind().dialect.name == "postgresql"
    kind = "split_part(kind, '/', 1)" if postgresql else "substr(kind || '/', 1, instr(kind || '/', '/') - 1)"
    at = "strpos(recipient, '@')" if postgresql else "instr(recipient, '@')"
    op.execute(f"UPDATE outbox SET rank = 0 WHERE {kind} IN ({ANSWERS})")  # noqa: S608  # our own words
    op.execute(f"UPDATE outbox SET rank = 2 WHERE {kind} = 'report'")  # noqa: S608
    op.execute(f"UPDATE outbox SET domain = lower(substr(recipient, {at} + 1))")  # noqa: S608
    op.execute("UPDATE outbox SET first_attempt_at = attempted_at")


def _book() -> None:
    op.create_table(
        "mail_trouble",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("address_key", sa.String(), nullable=False),
        sa.Column("outbox_id", sa.Integer(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False),
        sa.Column("told_at", UtcDateTime(), nullable=True),
        sa.Column("lifted_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(KINDS, name=op.f("ck_mail_trouble_kind")),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name="fk_mail_trouble_outbox_id_outbox"),
        sa.PrimaryKeyConstraint("id", name="pk_mail_trouble"),
    )
    op.create_index("ix_mail_trouble_address_key", "mail_trouble", ["address_key"])
    op.create_index("ix_mail_trouble_outbox_id", "mail_trouble", ["outbox_id"])
