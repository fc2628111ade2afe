"""`draw explain` over every week of 27 years, against a second way of reading the rules (K46 to K51)."""

import csv
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from league.desk.play.explain_draws import explain_draws

DATA = Path(__file__).parents[4] / "shared" / "data"
DAY = timedelta(days=1)
Row = dict[str, str]


def table(name: str, key: str = "date") -> dict[str, Row]:
    with (DATA / name).open(encoding="utf-8") as file:
        return {row[key]: row for row in csv.DictReader(file)}


def weeks() -> Iterator[Row]:
    """Every Friday of which close, rate and numbers are known, with the last session where it was a holiday."""
    closes, rates, draws = table("dax_close.csv"), table("eurusd.csv"), table("lotto_saturday.csv")
    holidays = table("xetra_friday_holidays.csv")
    friday = date(1999, 1, 8)
    while friday <= date(2026, 8, 21):
        session = friday
        if friday.isoformat() in holidays:
            session = next(day for n in range(1, 5) if (day := friday - n * DAY).isoformat() in closes)
        saturday = (friday + DAY).isoformat()
        yield {
            "friday": friday.isoformat(),
            "dax_close": closes[session.isoformat()]["close"],
            "dax_day": session.isoformat(),
            "eurusd": rates.get(friday.isoformat(), {}).get("rate", ""),
            "saturday": saturday,
            "lotto": draws[saturday]["numbers"],
        }
        friday += 7 * DAY


def by_hand_war(week: Row) -> int | None:
    """The two digits before the point are halved on paper: whole halves and a mark for what was cut off."""
    if week["dax_day"] != week["friday"]:
        return None
    digits = week["dax_close"].split(".")[0][-2:]
    eighths = int(digits) * 8  # at most 99/4: two halvings leave nothing smaller than an eighth
    while eighths > 28 * 8:
        eighths //= 2
    if eighths == 0:
        return None
    if eighths % 8 == 0:
        return eighths // 8
    cents = [*week["eurusd"].split("."), "0"]
    above = int(cents[0]) > 1 or (cents[0] == "1" and int(cents[1]) > 0)
    if above:
        return eighths // 8
    if int(cents[0]) == 0:
        return eighths // 8 + 1
    return (eighths + 4) // 8


def by_hand_fall(week: Row) -> int | str | None:
    """A repdigit among the balls, and then the first ball that is a field."""
    balls = week["lotto"].split()
    if not {"11", "22", "33", "44"} & set(balls):
        return None
    fields = [ball for ball in balls if int(ball) < 29]
    return int(fields[0]) if fields else "world"


def explained(found: list[Row], tmp_path: Path) -> list[dict[str, Any]]:
    columns = list(found[0])
    lines = [",".join(columns), *(",".join(week[name] for name in columns) for week in found)]
    return [dict(row) for row in explain_draws("kuel", lines, str(tmp_path / "weeks.csv"), {}, "en")]


def test_the_second_way_is_right_where_the_answer_is_known() -> None:
    """Weeks worked on paper: halved to a whole number, cut by the rate, a holiday, no field, a world collapse."""
    week = {"friday": "2024-01-05", "dax_day": "2024-01-05", "dax_close": "16594.21", "eurusd": "1.0921"}
    assert by_hand_war(week) == 23
    assert by_hand_war(week | {"dax_close": "16539.99"}) == 19
    assert by_hand_war(week | {"dax_close": "16539.99", "eurusd": "0.9921"}) == 20
    assert by_hand_war(week | {"dax_close": "16539.99", "eurusd": "1"}) == 20
    assert by_hand_war(week | {"dax_close": "16500.99"}) is None
    assert by_hand_war(week | {"dax_day": "2024-01-04"}) is None
    assert by_hand_fall({"lotto": "30 11 17 20 24 43"}) == 11
    assert by_hand_fall({"lotto": "30 44 31 35 36 43"}) == "world"
    assert by_hand_fall({"lotto": "30 12 17 20 24 43"}) is None


if DATA.is_dir():  # collected only where those figures are

    def test_every_week_of_27_years(tmp_path: Path) -> None:
        """1,442 weeks: field of the civil war and of the collapse are what the second way finds."""
        found = list(weeks())
        rows = explained(found, tmp_path)
        assert len(rows) == len(found) == 1442
        for week, row in zip(found, rows, strict=True):
            wanted = (week["friday"], by_hand_war(week), by_hand_fall(week))
            assert (row["friday"], row["civil_war"], row["collapse"]) == wanted, week
        wars = Counter(row["civil_war"] for row in rows)
        assert set(wars) == {None, *range(1, 29)}
        assert {"world"} < {row["collapse"] for row in rows}
