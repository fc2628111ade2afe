"""The guards of append-only tables, taken off within one transaction; whoever does that says why."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Table, text


@contextmanager
def unlocked(connection: Connection, table: Table) -> Iterator[None]:
    """The table without its guard against changes, within this transaction."""
    name = f"{table.name}_no_update"
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"ALTER TABLE {table.name} DISABLE TRIGGER {name}"))
        yield
        connection.execute(text(f"ALTER TABLE {table.name} ENABLE TRIGGER {name}"))
        return
    asked = text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name")
    made = connection.execute(asked, {"name": name}).scalar_one()
    connection.execute(text(f"DROP TRIGGER {name}"))
    yield
    connection.exec_driver_sql(str(made))
