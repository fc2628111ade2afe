"""The European Central Bank: its own reference rate, in three places of one issuer.

`eurofxref-daily.xml` holds the newest day, `eurofxref-hist-90d.xml` ninety of them, the data portal every day as CSV.
A rate is published about 16:00 Frankfurt time on TARGET days; `1` is as good a rate as 1.0000.
"""

import csv
from collections.abc import Iterator
from datetime import date, datetime
from xml.etree import ElementTree as ET

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.numbers import plain
from league.sources.web import get, text

DAILY = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
NINETY_DAYS = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml"
PORTAL = "https://data-api.ecb.europa.eu/service/data/EXR/D.USD.EUR.SP00.A"
_CUBE = "{http://www.ecb.int/vocabulary/2002-08-01/eurofxref}Cube"


def xml_source(name: str, url: str) -> Source:
    """One of the bank's XML files."""

    def read(day: date, now: datetime) -> Reading:
        found = dict(_rates(text(get(url, now), "the ECB")))
        return _reading(name, found, day, now)

    return Source(name, "eurusd", Role.ISSUER, "ecb", read, f"ECB reference rate, {url.rpartition('/')[2]}")


def portal_source(name: str = "ecb_portal", url: str = PORTAL) -> Source:
    """The bank's data portal."""

    def read(day: date, now: datetime) -> Reading:
        body = get(url, now, format="csvdata", startPeriod=day.isoformat(), endPeriod=day.isoformat())
        rows = csv.DictReader(text(body, "the ECB's data portal").splitlines())
        if body.strip() and not {"TIME_PERIOD", "OBS_VALUE"} <= set(rows.fieldnames or ()):
            raise Unanswered(Why.STRANGE, "the ECB's data portal sent other columns than TIME_PERIOD and OBS_VALUE")
        return _reading(name, {row["TIME_PERIOD"]: row["OBS_VALUE"] for row in rows}, day, now)

    return Source(name, "eurusd", Role.ISSUER, "ecb", read, "ECB reference rate, data portal")


def _reading(name: str, found: dict[str, str], day: date, now: datetime) -> Reading:
    written = found.get(day.isoformat())
    if written is None:
        newest = max(found, default="nothing")
        raise Unanswered(Why.NOT_YET, f"no rate of {day} yet; the newest is of {newest}")
    return Reading(name, "eurusd", day, plain(written), now)


def _rates(source: str) -> Iterator[tuple[str, str]]:
    """Every day with its dollars for one euro."""
    if "<!DOCTYPE" in source or "<!ENTITY" in source:  # entities can be made to explode, and the bank uses none
        raise Unanswered(Why.STRANGE, "the ECB's file declares entities")
    try:
        root = ET.fromstring(source)  # noqa: S314 - no entities in it, and its size is bounded
    except ET.ParseError:
        raise Unanswered(Why.STRANGE, "the ECB's file isn't XML") from None
    for day in root.iter(_CUBE):
        for rate in day if "time" in day.attrib else ():
            if rate.attrib.get("currency") == "USD":
                yield day.attrib["time"], rate.attrib.get("rate", "")
