"""What stands of a figure: issuer, vendors, single, disputed; and which days have none."""

import csv
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from league.sources import holidays
from league.sources.agreement import Standing, Status, decide
from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.numbers import cents, plain
from league.sources.patience import pause
from league.sources.week import asked_from, day_of

DATA = Path(__file__).parents[3] / "shared" / "data"
FRIDAY = date(2024, 1, 5)
NOW = datetime(2024, 1, 5, 19, tzinfo=UTC)
HOUR = timedelta(hours=1)


def source(name: str, role: Role = Role.VENDOR, figure: str = "dax_close", family: str = "") -> Source:
    def read(day: date, now: datetime) -> Reading:
        raise Unanswered(Why.NOT_YET, f"{name} isn't asked here, {day}, {now}")

    return Source(name, figure, role, family or name, read, name)


A, B, C = source("a"), source("b"), source("c")
ISSUER, OTHER = (source(name, Role.ISSUER, "lotto") for name in ("issuer", "other"))
CHECK = source("check", Role.CHECK, "lotto_set")


def said(by: Source, value: str, hours: float = 0, before: str = "") -> Reading:
    return Reading(by.name, by.figure, FRIDAY, value, NOW + hours * HOUR, before=before)


def stands(sources: list[Source], *readings: Reading, hours: float = 0, single: int | None = 24) -> Standing:
    return decide(sources, readings, NOW + hours * HOUR, single * HOUR if single is not None else None)


def test_nothing_is_nothing() -> None:
    """No answer stands for nothing, however long one waits: never for a holiday."""
    assert stands([A, B], hours=1000) == Standing(Status.WAITING, why="no source has answered with it")


def test_an_issuer_suffices_after_half_an_hour() -> None:
    """Two equal readings half an hour apart; two at once are one."""
    one = said(ISSUER, "1 2 3 4 5 6")
    assert stands([ISSUER], one, said(ISSUER, "1 2 3 4 5 6", 0.4)).status is Status.WAITING
    found = stands([ISSUER], one, said(ISSUER, "1 2 3 4 5 6", 0.5))
    assert (found.status, found.value, found.sources) == (Status.ISSUER, "1 2 3 4 5 6", ("issuer",))


def test_an_issuer_that_corrects_itself_begins_anew() -> None:
    """Half an hour counts from the first time that it said what it says now."""
    readings = (said(ISSUER, "1 2 3 4 5 6"), said(ISSUER, "6 5 4 3 2 1", 1))
    assert stands([ISSUER], *readings).status is Status.WAITING
    assert stands([ISSUER], *readings, said(ISSUER, "6 5 4 3 2 1", 1.5)).value == "6 5 4 3 2 1"


def test_issuers_that_contradict_each_other() -> None:
    """The order drawn is part of the draw."""
    found = stands([ISSUER, OTHER], said(ISSUER, "1 2 3 4 5 6"), said(OTHER, "2 1 3 4 5 6", 1))
    assert found.status is Status.DISPUTED
    assert found.why == "issuer says 1 2 3 4 5 6, other says 2 1 3 4 5 6"


def test_a_check_knows_the_numbers_alone() -> None:
    """Another order is no contradiction, other numbers are; by itself it establishes nothing."""
    drawn = (said(ISSUER, "6 2 3 4 5 1"), said(ISSUER, "6 2 3 4 5 1", 1))
    assert stands([ISSUER, CHECK], *drawn, said(CHECK, "1 2 3 4 5 6")).status is Status.ISSUER
    assert stands([ISSUER, CHECK], *drawn, said(CHECK, "1 2 3 4 5 7")).status is Status.DISPUTED
    assert stands([CHECK], said(CHECK, "1 2 3 4 5 6"), hours=100).status is Status.WAITING


def test_vendors_agree_on_what_the_rules_read() -> None:
    """The integer part; the value that stands is the first source's in the season's order."""
    found = stands([B, A], said(A, "16594.20"), said(B, "16594.21"))
    assert found == Standing(Status.AGREED, "16594.21", ("b", "a"))
    assert stands([A, B], said(A, "16594.99"), said(B, "16595.00")).status is Status.DISPUTED


def test_one_contradicts_two() -> None:
    """No majority decides: a person does."""
    assert stands([A, B, C], said(A, "1.0"), said(B, "1.0"), said(C, "2.0")).status is Status.DISPUTED


def test_two_names_of_one_family_are_one() -> None:
    """Who copies can't confirm."""
    twin = source("twin", family="a")
    assert stands([A, twin], said(A, "1.0"), said(twin, "1.0")).status is Status.WAITING


def test_a_single_vendor_stands_after_a_day() -> None:
    """Marked as such; never if the site says so; and the day begins anew when it changes its mind."""
    assert stands([A, B], said(A, "16594.21"), hours=23.9).status is Status.WAITING
    assert stands([A, B], said(A, "16594.21"), hours=24).status is Status.SINGLE
    assert stands([A, B], said(A, "16594.21"), hours=1000, single=None).status is Status.WAITING
    changed = (said(A, "16594.21"), said(A, "16600.00", 20))
    assert stands([A, B], *changed, hours=30).status is Status.WAITING
    assert stands([A, B], *changed, hours=44).value == "16600.00"


def test_a_figure_that_did_not_move() -> None:
    """To the cent what the day before was: a stuck feed, unless a second vendor says the same."""
    stuck = said(A, "16594.21", before="16594.21")
    assert stands([A, B], stuck, hours=100).status is Status.WAITING
    assert stands([A, B], stuck, said(B, "16594.21"), hours=100).status is Status.AGREED


def test_rates_are_compared_as_numbers() -> None:
    """1.0920 and 1.092 are one rate."""
    ecb, portal = source("ecb", Role.ISSUER, "eurusd", "ecb"), source("portal", Role.ISSUER, "eurusd", "ecb")
    assert stands([ecb, portal], said(ecb, "1.0920"), said(portal, "1.092", 1)).status is Status.ISSUER
    assert stands([ecb, portal], said(ecb, "1"), said(portal, "1.0000", 1)).status is Status.ISSUER


def test_sources_out_of_the_order_do_not_count() -> None:
    """The order was fixed for the season; who isn't in it isn't heard."""
    assert stands([A], said(B, "1.0"), hours=100).status is Status.WAITING


def conflicts() -> list[dict[str, str]]:
    """Days on which vendors differ, where the real figures of 27 years lie beside the checkout."""
    return list(csv.DictReader((DATA / "dax_disputed.csv").read_text().splitlines())) if DATA.is_dir() else []


if DATA.is_dir():  # collected only where those figures are

    @pytest.mark.parametrize("row", conflicts(), ids=lambda row: row["date"])
    def test_real_conflicts_are_never_settled_by_themselves(row: dict[str, str]) -> None:
        """Where vendors' integer parts differ it is disputed, and nowhere else."""
        values = {name: row[name] for name in ("yahoo2026", "stooq", "investing", "yahoo2017") if row[name]}
        sources = [source(name) for name in values]
        found = stands(sources, *(said(by, values[by.name]) for by in sources))
        differ = len({value.partition(".")[0] for value in values.values()}) > 1
        assert (found.status is Status.DISPUTED) == differ


# ------------------------------------------------------------------ holidays, days, numbers, patience


def test_known_holidays() -> None:
    """Good Friday moves, the fixed days don't, 3 October is a trading day unless config says otherwise."""
    closed = [date(2024, 3, 29), date(2024, 4, 1), date(2020, 5, 1), date(2026, 12, 25), date(2021, 1, 1)]
    assert all(holidays.is_closed(day) for day in closed)
    assert not holidays.is_closed(date(2025, 10, 3))
    assert holidays.is_closed(date(2014, 10, 3), {date(2014, 10, 3)})
    assert holidays.last_session(date(2025, 12, 26)) == date(2025, 12, 23)


@pytest.mark.filterwarnings("ignore")  # the package's own, of pandas
def test_the_rule_is_the_exchanges_calendar() -> None:
    """Every Friday until 2040, against the calendar that a package keeps."""
    calendars = pytest.importorskip("exchange_calendars")
    sessions = {day.date() for day in calendars.get_calendar("XETR", start="1999-01-01", end="2040-12-31").sessions}
    day = date(1999, 1, 1)
    while day <= date(2040, 12, 31):
        assert holidays.is_closed(day, {date(2014, 10, 3)}) == (day not in sessions), day
        day += timedelta(days=7)


def test_days_of_a_week() -> None:
    """The DAX of Friday or the session before, no rate on a closed Friday, the lottery on Saturday."""
    monday = date(2024, 3, 25)
    assert day_of("dax_close", monday) == date(2024, 3, 28)
    assert day_of("eurusd", monday) is None
    assert day_of("lotto", monday) == date(2024, 3, 30)
    assert day_of("dax_close", date(2024, 1, 1)) == FRIDAY
    assert day_of("eurusd", date(2024, 1, 1)) == FRIDAY
    assert asked_from("dax_close", FRIDAY) == datetime(2024, 1, 5, 17, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "form", "number"),
    [("1", "en", "1"), ("1.0000", "en", "1.0000"), ("15,229.10", "en", "15229.10"), ("15.229,10", "de", "15229.10")],
)
def test_numbers_of_providers(written: str, form: str, number: str) -> None:
    """In the form that was agreed, every digit kept."""
    assert plain(written, form=form) == number


@pytest.mark.parametrize("written", ["", "NaN", "-1", "0", "1e3", "1.2.3", "1,2", "15.229,10", "nan", None, "inf"])
def test_what_is_no_number(written: object) -> None:
    """An empty cell, a NaN, the other form: never a figure."""
    with pytest.raises(Unanswered):
        plain(written)


def test_two_decimals_never_change_the_integer_part() -> None:
    """A float's tail goes; one that would round up to the next whole number is no close to go by."""
    assert cents(16594.2109375) == "16594.21"
    for bad in (float("nan"), float("inf"), 15999.997, -1.0, "x"):
        with pytest.raises(Unanswered):
            cents(bad)


def test_patience_is_counted_in_hours_where_a_source_asks_for_it() -> None:
    """A limit means hours, and longer each time; what the source itself asks for is the least."""
    limit = Unanswered(Why.LIMIT, "")
    assert [pause(limit, n) for n in (1, 2, 3, 9)] == [6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR]
    assert pause(Unanswered(Why.LIMIT, "", retry_after=100 * 3600), 1) == 100 * HOUR
    assert pause(Unanswered(Why.NOT_YET, ""), 5) == HOUR / 2
