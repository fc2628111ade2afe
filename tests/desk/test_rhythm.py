"""Deadlines that count from the report before (EUROPA's rules, 8.5), and the draw that follows from a closing."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from league import i18n
from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.leagues import rhythm
from league.desk.leagues.calendar import (
    Pause,
    days_of_figures,
    following,
    last_day,
    make_calendar,
    number_until,
    round_of,
    with_early,
    with_extension,
    with_pause,
)

EUROPA = registry.plugin("europa").meta
BERLIN, START = "Europe/Berlin", date(2024, 1, 2)


def calendar(*every: str, deadline: str | None = None, pauses: tuple[Pause, ...] = ()) -> dict[str, Any]:
    return make_calendar(EUROPA, START, BERLIN, 15, deadline, pauses, every or ("72h",))


def due(made: dict[str, Any], opens: str, kind: str = "PLACE1") -> str:
    """The deadline in UTC of a round that opens then."""
    at = datetime.fromisoformat(opens).replace(tzinfo=UTC)
    new, known = following(made, 1, 2, at, kind)
    assert new == round_of(known, 1, 2)
    assert new.opens_at == at
    return f"{new.deadline_at:%m-%d %H:%M}"


def test_a_phase_is_open_so_many_hours_to_the_next_full_one() -> None:
    """Each kind of phase has its own; VOTE2 is a vote, and what isn't named has 72 unless the league says so."""
    made = calendar("60h", "vote=2d", "peace=24h")
    assert due(made, "2024-01-06T20:07:31") == "01-09 09:00"
    assert due(made, "2024-01-06T20:07:31", "VOTE2") == "01-08 21:00"
    assert due(made, "2024-01-06T20:00:00", "PEACE") == "01-07 20:00"
    assert due(calendar("vote=12h"), "2024-01-06T20:00:00", "PLACE2") == "01-09 20:00"


def test_a_time_of_day_or_a_day_of_the_week_comes_first() -> None:
    """Then the deadline is the first such moment after the hours are over; never before."""
    assert due(calendar("72h", deadline="20:00"), "2024-01-06T19:00:00") == "01-09 19:00"
    assert due(calendar("72h", deadline="20:00"), "2024-01-06T19:00:01") == "01-10 19:00"
    assert due(calendar("72h", deadline="thursday 24:00"), "2024-01-01T20:00:00") == "01-04 23:00"
    assert due(calendar("72h", deadline="thursday 24:00"), "2024-01-02T20:00:00") == "01-11 23:00"
    assert due(calendar("72h", deadline="24:00"), "2024-01-02T22:30:00") == "01-05 23:00"


@pytest.mark.parametrize(
    ("opens", "deadline"),
    [("2024-03-29T19:00:00", "04-01 18:00"), ("2024-10-25T18:00:00", "10-28 19:00")],
    ids=["an hour less in spring", "an hour more in autumn"],
)
def test_clocks_that_change_leave_the_time_of_day(opens: str, deadline: str) -> None:
    """Three days later is the same time on the league's clocks; the round's own grace and draw follow."""
    assert due(calendar(), opens) == due(calendar("72h", deadline="20:00"), opens) == deadline


def test_an_hour_that_is_missing_is_the_first_after_it() -> None:
    """02:30 on the night in March means 03:00, in October the later of two."""
    made = calendar("24h", deadline="2:30")
    assert due(made, "2024-03-30T01:00:00") == "03-31 01:00"
    assert due(made, "2024-10-26T00:00:00") == "10-27 01:30"


def test_days_of_a_pause_are_not_counted() -> None:
    """A deadline is as much later as there are free days before it, and never on one; the first round's likewise."""
    free = (Pause(date(2024, 1, 8), date(2024, 1, 9)), Pause(date(2024, 1, 12), date(2024, 1, 14)))
    made = calendar("72h", pauses=free)
    assert due(made, "2024-01-03T20:00:00") == "01-06 20:00"
    assert due(made, "2024-01-06T20:00:00") == "01-11 20:00"
    assert due(made, "2024-01-07T20:00:00") == "01-15 20:00"
    first = round_of(calendar(pauses=(Pause(START, date(2024, 1, 4)),)), 1, 1)
    assert first.deadline_at == datetime(2024, 1, 5, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("closes", "day"),
    [
        ("2024-01-03T11:00:00", "2024-01-03"),  # noon in Berlin: from then on machines may be filled
        ("2024-01-03T11:00:01", "2024-01-06"),
        ("2024-01-06T10:59:59", "2024-01-06"),
        ("2024-01-06T23:15:00", "2024-01-10"),
        ("2024-07-03T10:00:00", "2024-07-03"),
        ("2024-07-03T11:00:00", "2024-07-06"),
    ],
)
def test_the_first_draw_after_the_closing_decides(closes: str, day: str) -> None:
    """Wednesday's or Saturday's; a draw that somebody could know while orders still came never does."""
    at = datetime.fromisoformat(closes).replace(tzinfo=UTC)
    wanted = date.fromisoformat(day)
    assert days_of_figures(calendar(), 7, at) == (wanted, wanted)
    assert rhythm.known_from(calendar(), at) - at > timedelta(hours=6)


def test_a_longer_deadline_moves_its_own_draw_and_no_other_round() -> None:
    """An extension is an instant; what comes behind follows from its own report."""
    new, known = following(calendar(), 1, 2, datetime(2024, 1, 6, 20, tzinfo=UTC), "PLACE1")
    longer = with_extension(known, 2, new.deadline_at + timedelta(days=2), EUROPA.market)
    assert longer["moved"] == []
    again = round_of(longer, 1, 2)
    assert again.deadline_at - new.deadline_at == timedelta(days=2)
    assert days_of_figures(longer, 2, again.closes_at)[0] == date(2024, 1, 13) > date(2024, 1, 10)
    assert last_day(longer, 2) == date(2024, 1, 11)


@pytest.mark.parametrize(
    ("pauses", "deadline"),
    [
        (((10, 12),), "01-13 19:30"),
        (((11, 11),), "01-10 19:30"),  # a pause that begins behind it
        (((8, 9), (10, 10)), "01-13 19:30"),
        (((11, 12), (10, 10)), "01-13 19:30"),  # moved onto another pause, behind that one too
        (((10, 10), (10, 10)), "01-11 19:30"),  # the same days once
    ],
)
def test_an_extension_goes_behind_a_pause(pauses: tuple[tuple[int, int], ...], deadline: str) -> None:
    """It is as many days later as are free from the pause's first on; a round that has closed keeps what it had."""
    _, known = following(calendar(), 1, 2, datetime(2024, 1, 6, 20, tzinfo=UTC), "PLACE1")
    made = with_extension(known, 2, datetime(2024, 1, 10, 19, 30, tzinfo=UTC), EUROPA.market)
    closed = with_early(made, 2, datetime(2024, 1, 9, 9, tzinfo=UTC))
    for first, last in pauses:
        made, closed = (with_pause(one, Pause(date(2024, 1, first), date(2024, 1, last))) for one in (made, closed))
    assert f"{round_of(made, 1, 2).deadline_at:%m-%d %H:%M}" == deadline
    assert round_of(closed, 1, 2).deadline_at == datetime(2024, 1, 10, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("on", "day", "time", "shown"),
    [
        ("thursday 20:00", 3, "20:00", ("Thursday", "Donnerstag", "donderdag")),
        ("20:00", None, "20:00", ()),
        (None, None, "", ()),
    ],
)
def test_the_rhythm_is_told_in_the_readers_language(
    on: str | None, day: int | None, time: str, shown: tuple[str, ...]
) -> None:
    """How long, and on which day of the week and at what time, as far as the league has said so."""
    made = calendar("72h", "vote=48h", deadline=on)
    assert rhythm.told(made) == "72 h, vote 48 h"
    assert rhythm.closing(made) == (day, time)
    assert tuple(i18n.weekday(day, lang) for lang in ("en", "de", "nl") if day is not None) == shown


def test_nobody_knows_a_round_that_has_not_opened() -> None:
    """Neither its times nor which round will be open on a day: it is said so."""
    with pytest.raises(Refused, match="round 2 opens with the report of the one before it"):
        round_of(calendar(), 1, 2)
    with pytest.raises(Refused, match="name the last round by its number"):
        number_until(calendar(), date(2024, 2, 1), 1)


@pytest.mark.parametrize(
    ("every", "what"),
    [
        ("11h", "12 hours at least and 28 days at most"),
        ("29d", "12 hours at least and 28 days at most"),
        ("72", "write it like 72h or 3d"),
        ("soon", "write it like 72h or 3d"),
        ("-3d", "write it like 72h or 3d"),
        ("²d", "write it like 72h or 3d"),
        ("battle=48h", "there is no phase 'battle'; there are peace, place, vote"),
    ],
)
def test_what_cannot_be_meant_is_refused(every: str, what: str) -> None:
    """With what would be right."""
    with pytest.raises(BadInput, match=what):
        calendar(every)
    with pytest.raises(BadInput, match="rounds of kuel are a week's"):
        make_calendar(registry.plugin("kuel").meta, START, BERLIN, 15, None, (), ["72h"])
    with pytest.raises(BadInput, match="deadline '25:00' is not understood"):
        calendar("72h", deadline="25:00")
