"""The figures of a week as they are written, in canonical form or refused with what would be right."""

from datetime import date
from typing import Any

import pytest

from league.core.errors import BadInput
from league.core.evidence import Evidence
from league.games.kuel.draws import Draw, civil_war, collapse, friday_of, index_number, read_evidence

FRIDAY, SATURDAY = date(2024, 1, 12), date(2024, 1, 13)
WEEK: dict[str, Any] = {
    "dax_close": "16705.40",
    "dax_day": "2024-01-12",
    "eurusd": "1.0950",
    "lotto": "3 9 17 25 31 48",
    "lotto_day": "2024-01-13",
}
KEYS = "dax_close, dax_day, eurusd, lotto, lotto_set, lotto_day"
EMPTY = "is empty; an empty answer is never a holiday: leave it out while it isn't known"
SIX = "six different numbers from 1 to 49 are needed, in order (K50)"
WEEKDAY = (
    "it must be the Friday 2024-01-12, or, where that was an exchange holiday, the trading day before it in the same "
    "week (K47)"
)
RATE = "dollars for one euro are needed, like 1.0842 (K46)"


def without(*keys: str, **more: Any) -> dict[str, Any]:
    return {key: value for key, value in (WEEK | more).items() if key not in keys}


def test_a_week_in_canonical_form() -> None:
    """Close, rate and draw with the day they are of."""
    assert read_evidence(WEEK) == (
        Evidence("dax_close", FRIDAY, "16705.40"),
        Evidence("eurusd", FRIDAY, "1.0950"),
        Evidence("lotto", SATURDAY, "3 9 17 25 31 48"),
    )


@pytest.mark.parametrize(
    "written", ["3,9;17 25, 31 48", " 03 09 17 25 31 48 ", [3, 9, 17, 25, 31, 48], (3, 9, 17, 25, 31, 48)]
)
def test_numbers_are_read_in_several_forms(written: Any) -> None:
    """Blanks, commas, semicolons, a list: the same six numbers."""
    assert read_evidence(without("dax_close", "dax_day", "eurusd", lotto=written))[0].value == "3 9 17 25 31 48"


def test_numbers_without_their_order_are_sorted() -> None:
    """Of a set the order says nothing, so it is written in one (K51)."""
    (found,) = read_evidence({"lotto_set": "48 9 17 25 31 3", "lotto_day": "2024-01-13"})
    assert found == Evidence("lotto_set", SATURDAY, "3 9 17 25 31 48")


def test_days_that_follow_from_each_other() -> None:
    """The draw's Saturday follows from the close's day, the rate's Friday from the draw's Saturday."""
    assert read_evidence(without("lotto_day", dax_day="2024-01-11"))[2].day == SATURDAY
    assert read_evidence(without("dax_close", "dax_day"))[0] == Evidence("eurusd", FRIDAY, "1.0950")
    assert read_evidence(without("lotto", "lotto_day", dax_day="2024-01-11"))[1].day == date(2024, 1, 11)
    assert read_evidence(without("lotto", dax_day="2024-01-08"))[0].day == date(2024, 1, 8)


def test_a_rate_with_a_comma_and_a_day_with_its_hour() -> None:
    """A rate may be written with a comma, a day with the time of day behind it; the lowest ball is 1."""
    week = WEEK | {"eurusd": "1,0950", "dax_day": "2024-01-12T17:35:00", "lotto": "1 9 17 25 31 48"}
    assert [found.value for found in read_evidence(week)] == ["16705.40", "1.0950", "1 9 17 25 31 48"]
    assert read_evidence(week)[0].day == FRIDAY


def test_what_is_not_known_is_left_out() -> None:
    """No figure, no evidence; a rate may be empty, since it is seldom needed."""
    assert read_evidence({}) == ()
    assert (
        read_evidence(without("eurusd"))
        == read_evidence(WEEK | {"eurusd": ""})
        == read_evidence(WEEK | {"eurusd": None})
    )
    assert len(read_evidence(without("eurusd"))) == 2


@pytest.mark.parametrize(
    ("week", "said"),
    [
        ({"dax": "1"}, f"evidence: no key 'dax'; there are {KEYS}"),
        (
            WEEK | {"lotto_day": "2024-01-12"},
            "evidence.lotto_day is 2024-01-12, a Friday; the Saturday's draw counts (K50)",
        ),
        (WEEK | {"lotto_day": "Saturday"}, "evidence.lotto_day is 'Saturday'; a day like 2024-01-05 is needed"),
        (WEEK | {"lotto_day": ""}, f"evidence.lotto_day {EMPTY}"),
        (
            WEEK | {"dax_day": "2024-01-05"},
            f"evidence.dax_day is 2024-01-05; {WEEKDAY}",
        ),
        (
            WEEK | {"dax_day": "2024-01-13"},
            f"evidence.dax_day is 2024-01-13; {WEEKDAY}",
        ),
        (
            WEEK | {"dax_day": "2024-01-07"},
            f"evidence.dax_day is 2024-01-07; {WEEKDAY}",
        ),
        (without("dax_close"), "evidence.dax_close is missing; dax_day alone says nothing"),
        (without("dax_day"), "evidence.dax_day is missing; it says whether the close is the Friday's (K47)"),
        (WEEK | {"dax_close": " "}, f"evidence.dax_close {EMPTY}"),
        (WEEK | {"dax_close": None}, f"evidence.dax_close {EMPTY}"),
        (WEEK | {"dax_close": True}, f"evidence.dax_close {EMPTY}"),
        (
            without("lotto", "lotto_day", dax_day="2024-01-13"),
            "evidence.dax_day is 2024-01-13, a Saturday; the exchange is closed then",
        ),
        (WEEK | {"eurusd": "one"}, f"evidence.eurusd is 'one'; {RATE}"),
        (WEEK | {"eurusd": "0"}, f"evidence.eurusd is '0'; {RATE}"),
        (WEEK | {"eurusd": "-1"}, f"evidence.eurusd is '-1'; {RATE}"),
        (WEEK | {"eurusd": "Infinity"}, f"evidence.eurusd is 'Infinity'; {RATE}"),
        (WEEK | {"eurusd": "NaN"}, f"evidence.eurusd is 'NaN'; {RATE}"),
        ({"eurusd": "1.1"}, "evidence.eurusd has no day; give dax_day or lotto_day"),
        (
            without("dax_close", "dax_day", "eurusd", "lotto_day"),
            "evidence.lotto_day is missing; it is the Saturday of the draw",
        ),
        (WEEK | {"lotto": "3 9 17 25 31"}, f"evidence.lotto is '3 9 17 25 31'; {SIX}"),
        (WEEK | {"lotto": "3 9 17 25 31 31"}, f"evidence.lotto is '3 9 17 25 31 31'; {SIX}"),
        (WEEK | {"lotto": "3 9 17 25 31 50"}, f"evidence.lotto is '3 9 17 25 31 50'; {SIX}"),
        (WEEK | {"lotto": "0 9 17 25 31 48"}, f"evidence.lotto is '0 9 17 25 31 48'; {SIX}"),
        (WEEK | {"lotto": "3 9 17 25 31 48 7"}, f"evidence.lotto is '3 9 17 25 31 48 7'; {SIX}"),
        (WEEK | {"lotto": "3 9 17 25 31 x48 48"}, f"evidence.lotto is '3 9 17 25 31 x48 48'; {SIX}"),
        (WEEK | {"lotto": 3}, f"evidence.lotto is 3; {SIX}"),
        (WEEK | {"lotto_set": "1 2"}, f"evidence.lotto_set is '1 2'; {SIX}"),
    ],
)
def test_a_figure_is_refused(week: dict[str, Any], said: str) -> None:
    """What is wrong is said with its place and what would be right."""
    with pytest.raises(BadInput) as refused:
        read_evidence(week)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("15229.10", "15229.10"),
        ("15.229,10", "15229.10"),
        ("15,229.10", "15229.10"),
        ("15229,10", "15229.10"),
        ("15229", "15229"),
        ("1.015.229,10", "1015229.10"),
        ("1,015,229", "1015229"),
        ("15'229.10", "15229.10"),
        ("15 229,10", "15229.10"),
        ("15\u00a0229,10", "15229.10"),
        ("1000.123", "1000.123"),
    ],
)
def test_an_index_in_english_or_german(written: str, plain: str) -> None:
    """Thousands may be marked or not, decimals by point or comma."""
    assert index_number(written) == plain


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("15.229", "it can be read in two ways"),
        ("1,229", "it can be read in two ways"),
        ("15.22,9.1", "it is no number"),
        ("1522a", "it is no number"),
        ("-15229.10", "it is no number"),
        ("1e5", "it is no number"),
    ],
)
def test_an_index_that_can_not_be_read(written: str, why: str) -> None:
    """A number that could be two, or is none, is refused."""
    with pytest.raises(BadInput) as refused:
        index_number(written)
    assert str(refused.value) == f"evidence.dax_close is '{written}': {why}; write it like 15229.10 or 15.229,10"


def test_the_friday_of_a_week() -> None:
    """A week is Monday to Sunday."""
    assert {friday_of(date(2024, 1, day)) for day in range(8, 15)} == {FRIDAY}
    assert friday_of(date(2024, 1, 15)) == date(2024, 1, 19)


def close(value: str, day: date = FRIDAY) -> Evidence:
    return Evidence("dax_close", day, value)


def rate(value: str) -> Evidence:
    return Evidence("eurusd", FRIDAY, value)


@pytest.mark.parametrize(
    ("value", "euro", "rounding", "number", "steps"),
    [
        ("16799.4", "1.1", "once", 24, ["halve|99|49.5", "halve|49.5|24.75", "rate|1.1|2024-01-12", "down|24"]),
        ("16799.4", "0.9", "once", 25, ["halve|99|49.5", "halve|49.5|24.75", "rate|0.9|2024-01-12", "up|25"]),
        ("16729.4", "1.0", "once", 15, ["halve|29|14.5", "rate|1.0|2024-01-12", "half_up|15"]),
        ("16797.4", "1.0", "once", 24, ["halve|97|48.5", "halve|48.5|24.25", "rate|1.0|2024-01-12", "half_up|24"]),
        (
            "16799.4",
            "1.1",
            "each",
            24,
            ["halve|99|49.5", "rate|1.1|2024-01-12", "down|49", "halve|49|24.5", "rate|1.1|2024-01-12", "down|24"],
        ),
        ("16756.4", "1.1", "each", 28, ["halve|56|28"]),
        ("16728.4", "1.1", "once", 28, []),
    ],
)
def test_the_working_of_a_civil_war(value: str, euro: str, rounding: str, number: int, steps: list[str]) -> None:
    """Every halving and every rounding is a step that can be followed (K46, K48)."""
    draw = civil_war(close(value), rate(euro), FRIDAY, rounding)
    ending = value[3:5]
    assert list(draw.steps) == [f"close|{value}|2024-01-12", f"last_two|{ending}", *steps, f"field|{number}"]
    assert (draw.number, draw.needs, draw.world, draw.undecided) == (number, "", False, False)


@pytest.mark.parametrize("rounding", ["once", "each"])
def test_a_fraction_asks_for_the_rate(rounding: str) -> None:
    """Only a fraction needs the rate, and where the rate is missing the working so far is told."""
    draw = civil_war(close("16729.4"), None, FRIDAY, rounding)
    assert (draw.number, draw.needs) == (None, "eurusd")
    assert draw.steps == ("close|16729.4|2024-01-12", "last_two|29", "halve|29|14.5")
    assert civil_war(close("16756.4"), None, FRIDAY, rounding).number == 28


def test_no_civil_war() -> None:
    """A holiday and a close on 00 name no field, and say so (K47, K48)."""
    holiday = civil_war(close("16705.4", date(2024, 1, 11)), None, FRIDAY, "once")
    assert (holiday.number, holiday.steps) == (None, ("close|16705.4|2024-01-11", "holiday|2024-01-12"))
    zero = civil_war(close("16700.4"), None, FRIDAY, "once")
    assert (zero.number, zero.steps) == (None, ("close|16700.4|2024-01-12", "last_two|00", "zero"))


def test_a_figure_that_is_not_waited_for_any_more() -> None:
    """Without the close no civil war, without the rate none where it would round, without the balls no collapse."""
    gone = ("never_came|2024-01-12",)
    assert civil_war(close("none"), None, FRIDAY, "once") == Draw(None, gone)
    lost = Evidence("eurusd", FRIDAY, "none")
    half = civil_war(close("16729.4"), lost, FRIDAY, "once")
    assert half == Draw(None, ("close|16729.4|2024-01-12", "last_two|29", "halve|29|14.5", *gone))
    assert civil_war(close("16729.4"), lost, FRIDAY, "each") == half
    assert civil_war(close("16728.4"), lost, FRIDAY, "once").number == 28
    assert collapse(Evidence("lotto", FRIDAY, "none"), "drawn") == Draw(None, gone)


def test_a_board_of_another_size() -> None:
    """On an own board the halving stops at its number of fields, and the steps say which."""
    draw = civil_war(close("16740.4"), None, FRIDAY, "once", 20)
    assert draw.steps[2:] == ("halve|40|20|20", "field|20")
    small = collapse(Evidence("lotto", SATURDAY, "33 21 5 41 48 49"), "drawn", 20)
    assert (small.number, small.steps[-1]) == (5, "first|5|21")
    world = collapse(Evidence("lotto", SATURDAY, "33 21 22 41 48 49"), "drawn", 20)
    assert (world.world, world.number, world.steps[2:]) == (True, None, ("no_field|21", "world"))


@pytest.mark.parametrize(
    ("figure", "value", "order", "number", "last"),
    [
        ("lotto", "44 28 3 14 30 41", "drawn", 28, "first|28"),
        ("lotto", "44 28 3 14 30 41", "sorted", 3, "first|3"),
        ("lotto", "43 28 3 14 30 41", "drawn", None, "no_repdigit"),
        ("lotto", "11 28 3 14 30 41", "drawn", 11, "first|11"),
        ("lotto", "30 22 3 14 29 41", "drawn", 22, "first|22"),
        ("lotto", "33 29 30 41 48 49", "drawn", None, "world"),
        ("lotto_set", "3 29 30 41 44 49", "drawn", 3, "first|3"),
        ("lotto_set", "3 28 30 41 44 49", "drawn", None, "repdigit|44"),
        ("lotto_set", "3 28 30 41 44 49", "sorted", 3, "first|3"),
        ("lotto_set", "3 28 30 41 43 49", "drawn", None, "no_repdigit"),
    ],
)
def test_the_working_of_a_collapse(figure: str, value: str, order: str, number: int | None, last: str) -> None:
    """A repdigit, then the first number on the board, in the order that counts; a set leaves that open (K50, K51)."""
    draw = collapse(Evidence(figure, SATURDAY, value), order)
    assert (draw.number, draw.steps[-1]) == (number, last)
    assert draw.undecided == (last == "repdigit|44")
    assert draw.world == (last == "world")
    told = " ".join(map(str, sorted(map(int, value.split())))) if order == "sorted" else value
    assert draw.steps[0] == f"numbers|{told}|2024-01-13"
