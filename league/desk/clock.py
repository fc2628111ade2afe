"""The one place that knows what time it is; everywhere else time is an argument."""

from datetime import UTC, datetime

from league.core.errors import BadInput


def now(told: datetime | None = None) -> datetime:
    """The time to go by, in UTC and whole seconds: what was told (`--now`), else the clock."""
    if told is None:
        return datetime.now(UTC).replace(microsecond=0)
    if told.tzinfo is None:
        raise BadInput(f"--now {told.isoformat()} has no time zone; write it like 2026-01-09T00:20:00+01:00")
    return told.astimezone(UTC).replace(microsecond=0)


def stamp(moment: datetime) -> str:
    """An instant as records and leaves carry it: ISO 8601, UTC, whole seconds, Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
