"""Each provider's parser against a server that answers as the real one does, and in every way it goes wrong."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from league.sources import drand, ecb, lotto_brandenburg, lotto_de, stooq, table, yahoo
from league.sources.answer import Reading, Source, Unanswered, Why
from tests.sources.server import Provider, provider

FRIDAY, SATURDAY = date(2024, 1, 5), date(2024, 1, 6)
SUNDAY = datetime(2024, 1, 7, 10, tzinfo=UTC)


@pytest.fixture
def web() -> Iterator[Provider]:
    with provider() as found:
        yield found


def why(source: Source, day: date, now: datetime = SUNDAY) -> tuple[Why, str]:
    with pytest.raises(Unanswered) as trouble:
        source.read(day, now)
    return trouble.value.why, trouble.value.text


def value(source: Source, day: date, now: datetime = SUNDAY) -> str:
    reading = source.read(day, now)
    assert (reading.source, reading.figure, reading.day, reading.read_at) == (source.name, source.figure, day, now)
    return reading.value


# ------------------------------------------------------------------ the ECB

XML = """<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"
 xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><Cube>
<Cube time="2024-01-05"><Cube currency="USD" rate="1.0921"/><Cube currency="JPY" rate="158.55"/></Cube>
<Cube time="2022-08-31"><Cube currency="JPY" rate="138.7"/><Cube currency="USD" rate="1"/></Cube>
</Cube></gesmes:Envelope>"""


def test_the_ecb_says_dollars_for_a_euro(web: Provider) -> None:
    """The rate of the day asked for, exactly as written; `1` is a rate."""
    source = ecb.xml_source("ecb", web.put("/daily.xml", XML))
    assert value(source, FRIDAY) == "1.0921"
    assert value(source, date(2022, 8, 31)) == "1"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (XML.replace("2024-01-05", "2024-01-04"), Why.NOT_YET),
        (XML.replace("USD", "CHF"), Why.NOT_YET),
        (XML[:200], Why.STRANGE),
        ("<!DOCTYPE html><html><body>Please accept cookies</body></html>", Why.STRANGE),
        ('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', Why.STRANGE),
        (XML.replace("1.0921", "-"), Why.STRANGE),
        (XML.replace("1.0921", "1,0921"), Why.STRANGE),
    ],
)
def test_an_answer_that_is_no_rate_of_the_day(web: Provider, body: str, reason: Why) -> None:
    """The day before, another currency, half a file, a web page, entities, the other number form: none is a rate."""
    assert why(ecb.xml_source("ecb", web.put("/daily.xml", body)), FRIDAY)[0] is reason


def test_the_data_portal(web: Provider) -> None:
    """CSV by column names; an empty answer means that there is nothing yet."""
    url = web.put("/portal", 'KEY,FREQ,TIME_PERIOD,OBS_VALUE,TITLE\nEXR.D,D,2024-01-05,1.0921,"Dollar, euro"\n')
    assert value(ecb.portal_source(url=url), FRIDAY) == "1.0921"
    assert "startPeriod=2024-01-05" in web.asked[-1]
    assert why(ecb.portal_source(url=web.put("/empty", "")), FRIDAY)[0] is Why.NOT_YET
    assert why(ecb.portal_source(url=web.put("/other", "a,b\n1,2\n")), FRIDAY)[0] is Why.STRANGE


# ------------------------------------------------------------------ Stooq

CSV = "Date,Open,High,Low,Close,Volume\n"
CSV += "2024-01-04,16600,16650,16500,16617.29,0\n2024-01-05,16500,16600,16450,16594.21,0\n"


def test_stooq_says_the_close(web: Provider) -> None:
    """The close of the day, and the day's before it; the key goes along and into no message."""
    source = stooq.source(lambda: "k3y", url=web.put("/q", CSV))
    reading = source.read(FRIDAY, SUNDAY)
    assert (reading.value, reading.before) == ("16594.21", "16617.29")
    assert "apikey=k3y" in web.asked[-1]
    assert "k3y" not in repr(reading)


@pytest.mark.parametrize(
    ("body", "day", "reason"),
    [
        ("Exceeded the daily hits limit", FRIDAY, Why.LIMIT),
        ("<html><head><title>Stooq</title></head></html>", FRIDAY, Why.STRANGE),
        ("Date,Open,High,Low,Close,Volume\n", FRIDAY, Why.STRANGE),
        ("No data", FRIDAY, Why.STRANGE),
        (CSV.replace("16594.21", "NaN"), FRIDAY, Why.STRANGE),
        (CSV.replace("16594.21", "16.594,21"), FRIDAY, Why.STRANGE),
        (CSV.replace("2024-01-05", "2024-01-03"), FRIDAY, Why.NOT_YET),
        (CSV.replace("2024-01-05", "yesterday"), FRIDAY, Why.STRANGE),
        (
            CSV.replace("01-05", "03-29").replace("01-04", "03-28"),
            date(2024, 3, 28),
            Why.CLOSED_DAY,
        ),
    ],
)
def test_an_answer_that_is_no_close_of_the_day(web: Provider, body: str, day: date, reason: Why) -> None:
    """A limit, a web page, an empty table, a NaN, German form, the day before, and a close on Good Friday."""
    later = datetime(2024, 4, 1, tzinfo=UTC)
    assert why(stooq.source(lambda: "k", url=web.put("/q", body)), day, later)[0] is reason


def test_without_its_key_stooq_is_not_asked(web: Provider) -> None:
    """What is missing is said; nothing goes out."""
    reason, text = why(stooq.source(str, url=web.put("/q", CSV)), FRIDAY)
    assert (reason, web.asked) == (Why.NOT_SET_UP, [])
    assert "stooq_key_file" in text


def test_a_day_that_is_not_over_has_no_close(web: Provider) -> None:
    """The live bar of the day itself is no close, however much it looks like one."""
    source = stooq.source(lambda: "k", url=web.put("/q", CSV))
    noon = datetime(2024, 1, 5, 12, tzinfo=UTC)
    assert why(source, FRIDAY, noon)[0] is Why.NOT_YET
    assert value(source, FRIDAY, noon + timedelta(hours=6)) == "16594.21"


# ------------------------------------------------------------------ Yahoo, through yfinance


def chart(days: list[str], closes: list[float | None]) -> str:
    """The JSON of Yahoo's chart, as yfinance asks for it: days as seconds at the opening in Frankfurt."""
    stamps = [int(datetime.fromisoformat(f"{day}T08:00:00+00:00").timestamp()) for day in days]
    zone = {"timezone": "CET", "gmtoffset": 3600, "start": stamps[0], "end": stamps[-1]}
    meta = {
        "currency": "EUR", "symbol": "^GDAXI", "exchangeName": "GER", "instrumentType": "INDEX",
        "firstTradeDate": 567993600, "regularMarketTime": stamps[-1], "gmtoffset": 3600, "timezone": "CET",
        "exchangeTimezoneName": "Europe/Berlin", "regularMarketPrice": 1.0, "chartPreviousClose": 1.0,
        "priceHint": 2, "dataGranularity": "1d", "range": "", "validRanges": ["1d", "5d", "1mo"],
        "currentTradingPeriod": {"pre": zone, "regular": zone, "post": zone},
    }  # fmt: skip
    quote = dict.fromkeys(("open", "high", "low", "close"), closes) | {"volume": [0 for _ in closes]}
    result = {"meta": meta, "timestamp": stamps, "indicators": {"quote": [quote], "adjclose": [{"adjclose": closes}]}}
    return json.dumps({"chart": {"result": [result], "error": None}})


@pytest.fixture
def yahoo_at(web: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> Provider:
    """The real library, sent to our server; its cookie comes from another host, which isn't there."""
    import yfinance
    from yfinance.data import YfData
    from yfinance.scrapers import history

    yfinance.set_tz_cache_location(str(tmp_path))
    monkeypatch.setattr(history, "_BASE_URL_", web.url)
    monkeypatch.setattr("yfinance.base._BASE_URL_", web.url, raising=False)
    monkeypatch.setattr(YfData, "_get_cookie_and_crumb", lambda *_, **__: (None, "basic"))
    return web


PATH = "/v8/finance/chart/^GDAXI"


def ask_yahoo(web: Provider, body: str, status: int = 200) -> Source:
    for path in (PATH, PATH.replace("^", "%5E")):
        web.put(path, body, status, Content_Type="application/json")
    return yahoo.source()


def test_yahoo_by_the_real_library(yahoo_at: Provider) -> None:
    """Days are Frankfurt's, closes get two decimals, the one before comes along."""
    source = ask_yahoo(yahoo_at, chart(["2024-01-04", "2024-01-05"], [16617.2890625, 16594.2109375]))
    reading = source.read(FRIDAY, SUNDAY)
    assert (reading.day, reading.value, reading.before) == (FRIDAY, "16594.21", "16617.29")


def test_yahoo_with_holes(yahoo_at: Provider) -> None:
    """A day without a number is no close, and an error of the server is told, not swallowed."""
    found = why(ask_yahoo(yahoo_at, chart(["2024-01-04", "2024-01-05"], [16617.29, None])), FRIDAY)
    assert found[0] in {Why.STRANGE, Why.NOT_YET}
    assert why(ask_yahoo(yahoo_at, "Too Many Requests", 429), FRIDAY)[0] is Why.LIMIT
    assert why(ask_yahoo(yahoo_at, "<html>busy</html>", 500), FRIDAY)[0] in {Why.UNREACHABLE, Why.STRANGE}
    nothing = json.dumps({"chart": {"result": None, "error": {"code": "Not Found", "description": "No data found"}}})
    assert why(ask_yahoo(yahoo_at, nothing, 404), FRIDAY)[0] in {Why.UNREACHABLE, Why.STRANGE}


def frame(days: list[str], closes: list[float], zone: str | None) -> object:
    import pandas as pd

    index = pd.DatetimeIndex(days)
    return pd.DataFrame({"Close": closes}, index=index.tz_localize(zone) if zone else index)


def test_days_in_utc_are_not_a_day_early() -> None:
    """Frankfurt's midnight is the evening before in UTC; the close belongs to Frankfurt's day."""
    utc = frame(["2024-01-03 23:00", "2024-01-04 23:00"], [16617.29, 16594.21], "UTC")
    assert value(yahoo.source(history=lambda *_: utc), FRIDAY) == "16594.21"
    naive = frame(["2024-01-03 23:00", "2024-01-04 23:00"], [16617.29, 16594.21], None)
    assert value(yahoo.source(history=lambda *_: naive), FRIDAY) == "16594.21"


def test_an_empty_table_is_an_error() -> None:
    """Never a holiday: that is the calendar's word."""
    import pandas as pd

    reason, text = why(yahoo.source(history=lambda *_: pd.DataFrame()), FRIDAY)
    assert reason is Why.STRANGE
    assert "not a holiday" in text
    holes = frame(["2024-01-05"], [float("nan")], "Europe/Berlin")
    assert why(yahoo.source(history=lambda *_: holes), FRIDAY)[0] is Why.STRANGE


# ------------------------------------------------------------------ the lottery


def draw(day: str, numbers: list[int], places: list[int] | None = None, **more: object) -> str:
    midnight = int(datetime.fromisoformat(f"{day}T00:00:00+01:00").timestamp()) * 1000
    rows = [{"index": place, "drawNumber": n} for place, n in zip(places or range(1, 7), numbers, strict=True)]
    found = {"drawDate": midnight, "gameType": {"name": "LOTTO"}, "drawNumbersCollection": rows, "superNumber": 4}
    return json.dumps([found | {"game77": {"numbers": "0123456"}, "super6": {"numbers": "098765"}} | more])


MILLIS = "/draws/1704495600000"


def test_lotto_de_says_the_order_drawn(web: Provider) -> None:
    """The balls by their place, whatever the order of the list; Superzahl, Spiel 77 and SUPER 6 with their zeros."""
    web.put(MILLIS, draw("2024-01-06", [17, 3, 11, 20, 43, 24], [3, 1, 2, 4, 6, 5]))
    reading = lotto_de.source(url=f"{web.url}/draws/").read(SATURDAY, SUNDAY)
    assert reading.value == "3 11 17 20 24 43"
    assert dict(reading.more) == {"superzahl": "4", "spiel77": "0123456", "super6": "098765"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (draw("2023-12-30", [3, 11, 17, 20, 24, 43]), Why.NOT_YET),
        ("[]", Why.NOT_YET),
        (draw("2024-01-06", [3, 11, 17, 20, 24, 43], drawNumbersCollection=[]), Why.NOT_YET),
        (draw("2024-01-06", [3, 11, 17, 20, 24, 43], [1, 1, 1, 1, 1, 1]), Why.STRANGE),
        (draw("2024-01-06", [3, 3, 17, 20, 24, 43]), Why.STRANGE),
        (draw("2024-01-06", [3, 11, 17, 20, 24, 50]), Why.STRANGE),
        ("<!doctype html><title>Wartung</title>", Why.STRANGE),
        ("{", Why.STRANGE),
        ('[{"drawDate": "soon"}]', Why.STRANGE),
    ],
)
def test_an_answer_that_is_no_draw_of_the_day(web: Provider, body: str, reason: Why) -> None:
    """Last week's draw, nothing, no numbers yet, no order, doubled or impossible balls, a web page."""
    web.put(MILLIS, body)
    assert why(lotto_de.source(url=f"{web.url}/draws/"), SATURDAY)[0] is reason


def test_brandenburg_says_the_same(web: Provider) -> None:
    """Its rows are by game; numbers come as texts in the order drawn."""
    rows = [
        {"gameType": "GAME_77", "winningDigits": list("0123456")},
        {"gameType": "LOTTO", "winningDigits": ["3", "11", "17", "20", "24", "43"], "superNumber": "4"},
        {"gameType": "SUPER_6", "winningDigits": list("098765")},
    ]
    source = lotto_brandenburg.source(url=web.put("/app", json.dumps(rows)))
    reading = source.read(SATURDAY, SUNDAY)
    assert reading.value == "3 11 17 20 24 43"
    assert dict(reading.more) == {"superzahl": "4", "spiel77": "0123456", "super6": "098765"}
    assert "date=2024-01-06" in web.asked[-1]
    assert why(lotto_brandenburg.source(url=web.put("/none", "[]")), SATURDAY)[0] is Why.NOT_YET
    other = json.dumps([{**rows[1], "drawDate": "2023-12-30"}])
    assert why(lotto_brandenburg.source(url=web.put("/other", other)), SATURDAY)[0] is Why.NOT_YET


# ------------------------------------------------------------------ tables of one's own, drand


def test_a_described_table(web: Provider) -> None:
    """Columns, separator and number form as the site says; German numbers stay exact."""
    layout = table.Layout(
        "bank", "dax_close", web.put("/t.csv", "Datum;Schluss\n04.01.2024;16.617,29\n05.01.2024;16.594,21\n"),
        day="Datum", value="Schluss", day_form="%d.%m.%Y", number_form="de", separator=";",
    )  # fmt: skip
    assert value(table.source(layout), FRIDAY) == "16594.21"


def test_a_described_json(web: Provider) -> None:
    """Rows at a path; numbers keep every digit they were written with."""
    body = '{"data": {"rows": [{"d": "2024-01-05", "v": 1.0920}, {"d": "2024-01-04", "v": null}]}}'
    layout = table.Layout(
        "bank", "eurusd", web.put("/2024", body).replace("2024", "{year}"), kind="json", day="d", value="v",
        path="data.rows",
    )  # fmt: skip
    assert value(table.source(layout), FRIDAY) == "1.0920"
    assert why(table.source(layout), date(2024, 1, 4))[0] is Why.NOT_YET


def test_a_described_draw_that_checks(web: Provider) -> None:
    """A table whose order isn't known gives the set of the numbers, sorted."""
    layout = table.Layout("archive", "lotto_set", web.put("/a.csv", "date,close\n2024-01-06,43 3 11 17 20 24\n"))
    assert value(table.source(layout), SATURDAY) == "3 11 17 20 24 43"


@pytest.mark.parametrize("body", ["a,b\n1,2\n", "date,close\nlater,1\n", "<html></html>"])
def test_a_table_that_is_another(web: Provider, body: str) -> None:
    """Other columns, a day in another form, a web page."""
    layout = table.Layout("bank", "eurusd", web.put("/t.csv", body))
    assert why(table.source(layout), FRIDAY)[0] is Why.STRANGE


def test_drand_has_a_round_for_every_moment(web: Provider) -> None:
    """The round of a day's noon can be worked out by anyone; another round is no answer."""
    number = drand.round_at(datetime(2024, 1, 6, 12, tzinfo=UTC))
    assert drand.round_at(datetime.fromtimestamp(drand.GENESIS, UTC)) == 1
    assert (number - 1) * drand.PERIOD + drand.GENESIS == int(datetime(2024, 1, 6, 12, tzinfo=UTC).timestamp())
    web.put(f"/public/{number}", json.dumps({"round": number, "randomness": "ab" * 32, "signature": "cd"}))
    source = drand.source(url=f"{web.url}/public/")
    assert value(source, SATURDAY) == "ab" * 32
    web.put(f"/public/{number}", json.dumps({"round": number + 1, "randomness": "ab" * 32}))
    assert why(source, SATURDAY)[0] is Why.STRANGE


# ------------------------------------------------------------------ the web itself


def test_a_server_that_wants_fewer_questions(web: Provider) -> None:
    """What it asks for is kept, seconds or a date."""
    for header, seconds in (("7200", 7200), ("Sun, 07 Jan 2024 11:00:00 GMT", 3600), ("soon", 0)):
        source = stooq.source(lambda: "k", url=web.put("/q", "", 429, Retry_After=header))
        with pytest.raises(Unanswered) as trouble:
            source.read(FRIDAY, SUNDAY)
        assert (trouble.value.why, trouble.value.retry_after) == (Why.LIMIT, seconds)


def test_only_https_is_asked() -> None:
    """No figure comes over an open line, nor by way of a redirect to one."""
    assert why(stooq.source(lambda: "k", url="http://stooq.example/q"), FRIDAY)[0] is Why.NOT_SET_UP
    assert why(stooq.source(lambda: "k", url="file:///etc/passwd"), FRIDAY)[0] is Why.NOT_SET_UP
    assert why(stooq.source(lambda: "k", url="http://127.0.0.1:9/q"), FRIDAY)[0] is Why.UNREACHABLE


def test_a_flood_is_cut_off(web: Provider) -> None:
    """More than a few megabytes are no table of figures."""
    assert why(stooq.source(lambda: "k", url=web.put("/q", b"x" * 3_100_000)), FRIDAY)[0] is Why.STRANGE


def test_a_reading_is_a_value() -> None:
    """Two equal readings are equal, whatever object they are."""
    assert Reading("a", "b", FRIDAY, "1", SUNDAY) == Reading("a", "b", FRIDAY, "1", SUNDAY)
