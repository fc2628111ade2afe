"""Column types that both databases agree on."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, String
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

STAMP = "%Y-%m-%dT%H:%M:%S.%fZ"


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: naive datetimes are refused, what comes out is aware UTC.

    SQLite has no such type; there it is text of a fixed width, so that comparing text compares time.
    """

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Text on SQLite, timestamptz elsewhere."""
        return dialect.type_descriptor(String(27) if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse what has no zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a datetime without a zone can't be stored: {value!r}")
        moment = value.astimezone(UTC)
        return moment.strftime(STAMP) if dialect.name == "sqlite" else moment  # type: ignore[return-value]  # text for SQLite

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002  # their signature
        """Aware UTC, whatever zone the server's session has."""
        if value is None:
            return None
        if isinstance(value, str):
            return datetime.strptime(value, STAMP).replace(tzinfo=UTC)
        moment: datetime = value
        return moment.astimezone(UTC)
