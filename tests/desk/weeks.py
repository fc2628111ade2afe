"""Real weeks of a league for tests: figures of any week, runs on its days, and a replay of its records."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.leagues.turns import from_record
from league.desk.run.run_site import Ran
from league.desk.site import open_site
from tests.desk.sites import bodies, drop, letter, mail_run, run

DAX = "16704.56"
LOTTO = "3 11 17 20 24 43"


def utc(day: date, hour: int = 0, minute: int = 0) -> datetime:
    """An instant of a day."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


def write(path: Path, name: str, text: str, thursday: date, *, days: int = 1) -> None:
    """A mail that arrives so many days before the round's Thursday, at ten."""
    moment = utc(thursday - timedelta(days=days), 10)
    drop(path, letter(name, text, message_id=f"<{name}.{moment:%m%d}.{days}@example.org>"), moment)


def figures_of(path: Path, thursday: date, slug: str = "spring", **changed: str) -> None:
    """Enter the figures of a week on its Saturday evening."""
    friday, saturday = thursday + timedelta(days=1), thursday + timedelta(days=2)
    values = {"dax_close": DAX, "dax_day": friday.isoformat(), "eurusd": "1.0942"}
    values |= {"lotto": LOTTO, "lotto_day": saturday.isoformat(), **changed}
    site = open_site(path, utc(saturday, 21))
    enter_figures(site, slug, Entry(values, "evening paper", "test"))
    site.engine.dispose()


def week(path: Path, thursday: date, slug: str = "spring", *, pages: bool = True) -> Ran:
    """Thursday night's run, the figures, Saturday's run; `pages` of both are published by the second."""
    mail_run(path, utc(thursday + timedelta(days=1), 0))
    return evaluate(path, thursday, slug, pages=pages)


def evaluate(path: Path, thursday: date, slug: str = "spring", *, pages: bool = True) -> Ran:
    """The figures, and Saturday's run."""
    figures_of(path, thursday, slug)
    return run(path, utc(thursday + timedelta(days=2), 22), pages=pages)


def replayed(path: Path, match: int = 1) -> int:
    """Recompute every record and follow the positions from one to the next; how many rounds there were."""
    before: Any = None
    found = [body for body in bodies(path, match) if body["kind"] == "round"]
    for body in found:
        table = from_record(body, body["rules"]["options"], body["game"])
        outcome = table.outcome()
        assert not outcome.pending
        assert table.game.position(outcome.state) == body["position"]
        assert [event.facts() for event in outcome.events] == body["events"]
        assert before in (None, body["start"])
        before = body["position"]
    return len(found)
