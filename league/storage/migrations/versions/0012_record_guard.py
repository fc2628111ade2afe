"""The records' guard again: on SQLite a table that is made anew loses its triggers."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What is sealed is never changed; PostgreSQL has kept its triggers."""
    if op.get_bind().dialect.name == "postgresql":
        return
    for act in ("UPDATE", "DELETE"):
        name = f"record_no_{act.lower()}"
        op.execute(f"DROP TRIGGER IF EXISTS {name}")
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON record BEGIN SELECT RAISE(ABORT, 'record is append-only'); END"
        )
