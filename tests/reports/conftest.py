"""One league, one round, one of everything, written by hand: what pages and mails are compared with."""

import json
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from league.core.json import Json
from league.core.orders import Fate, Mistake, Press, Ruling
from league.core.standings import Place
from league.core.view import Arrow, MapView, Region, View
from league.reports.chronicle import Chronicle, Moment
from league.reports.context import (
    EvidenceReport,
    LeagueInfo,
    LeaguePage,
    LineReport,
    MailReport,
    OptionInfo,
    PressReport,
    Receipt,
    ReceiptLine,
    RecordLink,
    RoundInfo,
    RoundLink,
    RoundReport,
    SeatInfo,
    SiteInfo,
)
from league.reports.maps import drawing

ROOT = Path(__file__).parent.parent.parent
BOARD = tomllib.loads((ROOT / "config/kuel/board.toml").read_text("utf-8"))
GEOMETRY = json.loads((ROOT / "config/kuel/geometry.json").read_text("utf-8"))
NAMES = {f["id"]: f["name"] for f in BOARD["field"]}
OWNED = {
    "anna": ["france", "belgium", "spain"],
    "ben": ["germany", "austria", "poland"],
    "carla": ["great_britain", "ireland"],
    "dirk": ["soviet_union", "finland", "norway"],
    "elena": ["greece", "macedonia"],
    "femke": ["italy"],
}
MARKED = {"austria": ("collapse",), "croatia": ("civil_war",), "hungary": ("devastation", "civil_war")}


def label(thing: str, lang: str) -> str:
    """The board's own names."""
    return NAMES[thing][lang] if thing in NAMES else thing


def _map(owned: dict[str, list[str]], changed: tuple[str, ...] = (), arrows: tuple[Arrow, ...] = ()) -> MapView:
    owner = {land: seat for seat, lands in owned.items() for land in lands}
    regions = tuple(Region(land, owner.get(land), MARKED.get(land, ()), land in changed) for land in NAMES)
    return MapView(regions, arrows)


BEFORE = _map(
    OWNED | {"anna": ["france", "spain"], "ben": ["germany", "austria", "poland", "belgium"], "elena": ["greece"]}
)
AFTER = _map(
    OWNED,
    ("belgium", "macedonia", "hungary"),
    (
        Arrow("anna", "france", "belgium", "attack", True),
        Arrow("elena", "greece", "macedonia", "take", True),
        Arrow("carla", "great_britain", "netherlands", "take", False),
        Arrow("dirk", "soviet_union", "poland", "attack", None),
        Arrow("femke", None, "italy", "join", True),
    ),
)
EVENTS: tuple[dict[str, Json], ...] = (
    {
        "type": "battle",
        "rule": "K25",
        "country": "belgium",
        "owner": "ben",
        "fighters": ["anna", "ben"],
        "winner": "anna",
        "attempt": 1,
        "how": "result",
    },
    {"type": "conquered", "rule": "K30", "country": "belgium", "seat": "anna", "loser": "ben", "paid": 0},
    {"type": "taken", "rule": "K24", "country": "macedonia", "seat": "elena", "paid": 20},
    {"type": "joined", "rule": "K37", "country": "italy", "seat": "femke"},
    {"type": "civil_war_drawn", "rule": "K46", "country": "hungary", "number": 22, "steps": []},
    {"type": "civil_war", "rule": "K45", "country": "hungary", "loser": "ben"},
    {"type": "collapse_drawn", "rule": "K50", "country": "austria", "number": 15, "world": False, "steps": []},
    {"type": "collapse", "rule": "K50", "country": "austria", "seat": "ben"},
    {"type": "points", "rule": "K60", "seat": "anna", "item": "countries", "points": 3},
)


@pytest.fixture(scope="session")
def site() -> SiteInfo:
    """A site in German."""
    return SiteInfo(title="Die Sonntagsliga", lang="de")


@pytest.fixture(scope="session")
def league() -> LeagueInfo:
    """Six players, two of them in other languages and one in another zone."""
    seats = (
        SeatInfo("anna", "Anna", "de", 0),
        SeatInfo("ben", "Ben", "en", 1, "Europe/London"),
        SeatInfo("carla", "Carla", "de", 2),
        SeatInfo("dirk", "Dirk", "nl", 3),
        SeatInfo("elena", "Elena", "en", 4),
        SeatInfo("femke", "Femke", "nl", 5),
    )
    return LeagueInfo(
        slug="europa",
        title="Europa am Sonntag",
        game="kuel",
        lang="de",
        zone="Europe/Berlin",
        address="europa@example.org",
        seats=seats,
        label=label,
        drawing=drawing(GEOMETRY, BOARD),
        options=(OptionInfo("debt", "stop_at_zero", "K55"), OptionInfo("civil_war_rounds", "6", "K43")),
        notices=("senders_unverified",),
        rules_url="rules.html",
        match="europa-1",
    )


@pytest.fixture(scope="session")
def round_info() -> RoundInfo:
    """The third round, frozen and evaluated."""
    return RoundInfo(
        number=3,
        opens=datetime(2024, 1, 6, 23, tzinfo=UTC),
        deadline=datetime(2024, 1, 11, 23, tzinfo=UTC),
        closes=datetime(2024, 1, 11, 23, 15, tzinfo=UTC),
        ends=datetime(2024, 1, 13, 23, tzinfo=UTC),
        root="b1" * 32,
        leaves=("0a" * 32, "1b" * 32, "2c" * 32),
        record_sha256="fe" * 32,
        links=4,
        checkpoint="MDEyMzQ1" * 11,
        tool="league 0.1.0",
    )


@pytest.fixture(scope="session")
def report(league: LeagueInfo, round_info: RoundInfo) -> RoundReport:
    """A round with a battle, a newcomer, a failure, a mistake, both draws, press and a waived penalty."""
    done, failed = Ruling(Fate.DONE, "won_battle", "K30", {"country": "belgium"}), Fate.FAILED
    occupied = Ruling(failed, "occupied", "K29", {"country": "poland", "owner": "ben"})
    unknown = Ruling(Fate.INVALID, "unknown_country", "K14", {"written": "Mazedonen", "suggestions": ["macedonia"]})
    mercenaries = Ruling(Fate.DONE, "done", "K24")
    outbid = Ruling(failed, "outbid", "K52", {"by": "anna", "counted": 40})
    mails = (
        _mail(
            "anna", 8, (LineReport("attack Brüssel", done, "attack Belgium", {"type": "attack", "country": "belgium"}),)
        ),
        _mail(
            "ben",
            9,
            (
                LineReport("pass", Ruling(Fate.DONE, "pass", "K14"), "pass", {"type": "pass"}),
                LineReport(
                    "bid 12 on Prague",
                    outbid,
                    "bid 12 on Czech Republic",
                    {"type": "bid", "country": "czech_republic", "amount": 12},
                ),
            ),
        ),
        _mail("dirk", 10, (LineReport("neem Polen", occupied, "take Poland", {"type": "take", "country": "poland"}),)),
        _mail(
            "elena",
            11,
            (
                LineReport("take Mazedonen", unknown),
                LineReport("take Macedonia", mercenaries, "take Macedonia", {"type": "take", "country": "macedonia"}),
            ),
        ),
        _mail(
            "femke",
            11,
            (
                LineReport(
                    "join Rome", Ruling(Fate.DONE, "done", "K35"), "join Italy", {"type": "join", "country": "italy"}
                ),
            ),
        ),
    )
    items: dict[str, tuple[dict[str, Json], ...]] = {
        "anna": (_item("countries", 3, "K60"),),
        "ben": (_item("countries", 3, "K60"), _item("germany_netherlands", -6, "K70", waived=True)),
        "carla": (_item("countries", 2, "K60"), _item("great_britain_ireland", -16, "K62")),
        "dirk": (_item("countries", 3, "K60"),),
        "elena": (_item("countries", 2, "K60"),),
        "femke": (_item("countries", 1, "K60"),),
    }
    draws: tuple[dict[str, Json], ...] = (
        {
            "kind": "civil_war",
            "country": "hungary",
            "world": False,
            "rule": "K46",
            "steps": ["close|16844.25|2024-01-12", "last_two|44", "halve|44|22", "field|22"],
        },
        {
            "kind": "collapse",
            "country": "austria",
            "world": False,
            "rule": "K50",
            "steps": ["numbers|33 15 4 41 29 30|2024-01-13", "repdigit|33", "first|15"],
        },
    )
    return RoundReport(
        league=league,
        round=round_info,
        view=View(None, {}, BEFORE, AFTER, items, draws),
        events=EVENTS,
        mails=mails,
        standings=(
            Place(1, "ben", 48, 3),
            Place(2, "anna", 41, 3),
            Place(3, "dirk", 33, 3),
            Place(4, "carla", 12, 2),
            Place(5, "elena", 7, 2),
            Place(6, "femke", 1, 1),
        ),
        previous=(
            Place(1, "ben", 45, 5),
            Place(2, "anna", 38, 2),
            Place(3, "dirk", 30, 3),
            Place(4, "carla", 26, 2),
            Place(5, "elena", 25, 1),
        ),
        evidence=(
            EvidenceReport("dax_close", "2024-01-12", "16844.25", "example.org", "single"),
            EvidenceReport("lotto", "2024-01-13", "33 15 4 41 29 30", "example.org"),
        ),
        press=(PressReport("carla", Press((), "Who wants peace?\nI have two countries and no fleet.")),),
        following=RoundInfo(
            4,
            datetime(2024, 1, 13, 23, tzinfo=UTC),
            datetime(2024, 1, 18, 23, tzinfo=UTC),
            datetime(2024, 1, 18, 23, 15, tzinfo=UTC),
            datetime(2024, 1, 20, 23, tzinfo=UTC),
            status="open",
        ),
    )


def _mail(seat: str, day: int, lines: tuple[LineReport, ...]) -> MailReport:
    return MailReport(seat, datetime(2024, 1, day, 18, 30, tzinfo=UTC), lines[-1].ruling, lines)


def _item(item: str, points: int, rule: str, *, waived: bool = False) -> dict[str, Json]:
    return {"item": item, "points": points, "rule": rule, "waived": waived}


@pytest.fixture(scope="session")
def front(league: LeagueInfo, report: RoundReport) -> LeaguePage:
    """The league's front page after three rounds, with the fourth open."""
    return LeaguePage(
        league=league,
        standings=report.standings,
        map=AFTER,
        rounds=tuple(
            RoundLink(n, datetime(2023, 12, 28, 23, tzinfo=UTC), headline=(EVENTS[1],) if n == 3 else ())
            for n in (1, 2, 3)
        ),
        open=report.following,
        received=("anna", "dirk"),
        following=replace(report.following, number=5) if report.following else None,
        records=(RecordLink("0003-v1.json", "round", 3, 1, "fe" * 32),),
        chronicle=Chronicle(
            (
                *(Moment(n, None, BEFORE.regions, report.previous) for n in range(3)),
                Moment(3, report.round.deadline, AFTER.regions, report.standings, EVENTS, report.round.ends),
            )
        ),
    )


@pytest.fixture(scope="session")
def receipt(round_info: RoundInfo) -> Receipt:
    """A mail with a good line, a misspelt one and a passed-over one."""
    return Receipt(
        seat="anna",
        round=round_info,
        received=datetime(2024, 1, 8, 18, 30, tzinfo=UTC),
        lines=(
            ReceiptLine(
                "nimm Budapst",
                mistake=Mistake("unknown_country", "", {"written": "Budapst", "suggestions": ["hungary"]}),
            ),
            ReceiptLine("nimm Genf", mistake=Mistake("no_such_code", "K14")),
            ReceiptLine(
                "nimm Bern",
                {"type": "take", "country": "switzerland"},
                "take Switzerland",
                note=Ruling(Fate.LAPSED, "superseded_line", "K12"),
            ),
            ReceiptLine("Angriff Brüssel", {"type": "attack", "country": "belgium"}, "attack Belgium"),
        ),
        standing=(ReceiptLine("", {"type": "attack", "country": "belgium"}, "attack Belgium"),),
        revision=2,
        replaced=1,
        quoted=7,
        leaf="ab" * 32,
        nonce="cd" * 16,
        signature="c2lnbmF0dXJl" * 7,
        subject="Runde 3",
    )
