"""Public figures fetched by the desk: what frozen rounds wait for, from servers that answer as the real ones do."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from league.core.errors import BadInput
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.figures.fetch_figures import Fetched, examine_sources, fetch_figures, probe
from league.desk.figures.sources import OFFLINE, sources_of
from league.storage import engine as database
from league.storage import evidence, readings
from tests.desk.sites import add_league, at, bodies, drop, letter, mail_run, make_site, opened
from tests.sources.server import Provider, provider

SATURDAY, SUNDAY = at("2024-01-20 22:00"), at("2024-01-21 08:00")
FRIDAY_NIGHT = at("2024-01-19 20:00")
DAX = "date,close\n2024-01-18,16567.35\n2024-01-19,16704.56\n"
RATE = "date,close\n2024-01-19,1.0942\n"
LOTTO = "date,close\n2024-01-20,3 11 17 20 24 43\n"
TABLES = """
[bank]
figure = "dax_close"
url = "{url}/bank"
[paper]
figure = "dax_close"
url = "{url}/paper"
[ecb_like]
figure = "eurusd"
url = "{url}/rate"
role = "issuer"
[lottery]
figure = "lotto"
url = "{url}/lotto"
role = "issuer"
"""
SETTINGS = """
[sources]
tables = "providers.toml"
dax_close = ["bank", "paper"]
eurusd = ["ecb_like"]
lotto = ["lottery"]
"""


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.delenv(OFFLINE, raising=False)
    with provider() as found:
        found.put("/bank", DAX)
        found.put("/paper", DAX)
        found.put("/rate", RATE)
        found.put("/lotto", LOTTO)
        yield found


@pytest.fixture
def path(tmp_path: Path, web: Provider) -> Path:
    """A site whose league has its third round in the week of 19 January 2024."""
    made = make_site(tmp_path / "site")
    (made / "providers.toml").write_text(TABLES.replace("{url}", web.url))
    file = made / "league.toml"
    file.write_text(re.sub(r"(?ms)^\[sources\]$.*?(?=^\[)", SETTINGS.lstrip() + "\n", file.read_text()))
    add_league(made, "spring")
    for name, country in (("Anna", "Island"), ("Ben", "Portugal"), ("Carla", "Paris")):
        drop(made, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(made, at("2024-01-05 06:00"))
    mail_run(made, at("2024-01-12 06:00"))
    drop(made, letter("Anna", "take London"), at("2024-01-16 10:00"))
    return made


def frozen(path: Path) -> Path:
    mail_run(path, at("2024-01-19 06:00"))
    return path


def ask(path: Path, now: datetime, *, force: bool = False) -> Fetched:
    site = opened(path, now)
    done = fetch_figures(site, force=force)
    site.engine.dispose()
    return done


def known(path: Path, now: datetime = SUNDAY) -> dict[str, tuple[str, str]]:
    site = opened(path, now)
    with database.read(site.engine) as connection:
        rows = evidence.known(connection, at("2024-01-15 00:00").date(), at("2024-01-21 00:00").date())
    site.engine.dispose()
    return {row.figure: (row.value, row.status) for row in rows}


def test_a_round_is_resolved_by_fetched_figures_alone(path: Path) -> None:
    """`league run` on Friday, Saturday and Sunday: vendors agree, issuers are asked twice, the round is sealed."""
    frozen(path)
    mail_run(path, FRIDAY_NIGHT)
    mail_run(path, SATURDAY)
    assert len(bodies(path)) == 3
    mail_run(path, SUNDAY)
    *_, record = bodies(path)
    found = {row["figure"]: (row["value"], row["status"]) for row in record["evidence"]}
    assert found == {
        "dax_close": ("16704.56", "agreed"),
        "eurusd": ("1.0942", "issuer"),
        "lotto": ("3 11 17 20 24 43", "issuer"),
    }


def test_nothing_is_asked_before_its_time_or_without_need(path: Path, web: Provider) -> None:
    """Not before orders are closed, not before the close, and what stands isn't asked again."""
    mail_run(path, at("2024-01-17 12:00"))
    mail_run(path, at("2024-01-19 12:00"))
    assert web.asked == []
    ask(path, FRIDAY_NIGHT)
    assert sorted(web.asked) == ["/bank", "/paper", "/rate"]
    web.asked.clear()
    ask(path, FRIDAY_NIGHT + timedelta(hours=1))
    assert web.asked == ["/rate"]


def test_a_contradiction_waits_for_a_person(path: Path, web: Provider) -> None:
    """The round waits, the organizer is told who says what; what he enters stands."""
    web.put("/paper", DAX.replace("16704.56", "16705.56"))
    frozen(path)
    done = ask(path, FRIDAY_NIGHT)
    assert [(figure, why) for figure, _, why in done.disputed] == [
        ("dax_close", "bank says 16704.56, paper says 16705.56")
    ]
    assert "dax_close" not in known(path)


def test_a_vendor_alone_stands_after_a_day(path: Path, web: Provider) -> None:
    """Marked as single on the page and in the record."""
    web.put("/paper", "", 503)
    frozen(path)
    ask(path, FRIDAY_NIGHT)
    assert "dax_close" not in known(path)
    ask(path, FRIDAY_NIGHT + timedelta(hours=25))
    assert known(path)["dax_close"] == ("16704.56", "single")


def test_a_source_that_wants_fewer_questions_gets_them(path: Path, web: Provider) -> None:
    """Hours of quiet, noted; `--force` asks all the same."""
    web.put("/paper", "", 429, Retry_After="36000")
    frozen(path)
    ask(path, FRIDAY_NIGHT)
    web.asked.clear()
    ask(path, FRIDAY_NIGHT + timedelta(hours=9))
    assert "/paper" not in web.asked
    ask(path, FRIDAY_NIGHT + timedelta(hours=9), force=True)
    assert "/paper" in web.asked


def test_every_answer_is_noted(path: Path) -> None:
    """Who said what and when, also after what stands was settled."""
    frozen(path)
    ask(path, FRIDAY_NIGHT)
    site = opened(path, SUNDAY)
    day = at("2024-01-19 00:00").date()
    with database.read(site.engine) as connection:
        said = [(one.source, one.value, one.read_at) for one in readings.readings(connection, day, day)]
    site.engine.dispose()
    assert said == [
        ("bank", "16704.56", FRIDAY_NIGHT),
        ("paper", "16704.56", FRIDAY_NIGHT),
        ("ecb_like", "1.0942", FRIDAY_NIGHT),
    ]


def test_what_was_entered_by_hand_is_not_replaced(path: Path) -> None:
    """A person's entry stands; the sources aren't even asked."""
    frozen(path)
    site = opened(path, FRIDAY_NIGHT)
    enter_figures(site, "spring", Entry({"dax_close": "16700.00", "dax_day": "2024-01-19"}, "evening paper", "test"))
    site.engine.dispose()
    ask(path, FRIDAY_NIGHT)
    assert known(path)["dax_close"] == ("16700.00", "manual")


def test_a_week_without_a_move_needs_no_figures(path: Path, web: Provider) -> None:
    """K44: where the rules wait for nothing, nobody is asked."""
    frozen(path)
    fetch_nothing = at("2024-01-26 20:00")
    for now in (FRIDAY_NIGHT, SATURDAY, SUNDAY):
        mail_run(path, now)
    web.asked.clear()
    mail_run(path, at("2024-01-26 06:00"))
    assert ask(path, fetch_nothing).answers == []
    assert web.asked == []


def test_offline_means_nobody_is_asked(path: Path, web: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment variable and a setting each keep the program from the net."""
    frozen(path)
    monkeypatch.setenv(OFFLINE, "1")
    assert ask(path, FRIDAY_NIGHT).answers == []
    monkeypatch.delenv(OFFLINE)
    file = path / "league.toml"
    file.write_text(file.read_text().replace("[sources]", "[sources]\nfetch = false", 1))
    assert ask(path, FRIDAY_NIGHT).answers == []
    assert web.asked == []


def test_probing_asks_everyone_and_notes_nothing(path: Path) -> None:
    """`league doctor sources` shows what each source says now."""
    site = opened(path, SUNDAY)
    answers = {answer.source: answer.value or answer.trouble for answer in probe(site)}
    with database.read(site.engine) as connection:
        assert readings.readings(connection, at("2024-01-01 00:00").date(), SUNDAY.date()) == ()
    site.engine.dispose()
    assert answers == {
        "bank": "16704.56",
        "paper": "16704.56",
        "ecb_like": "1.0942",
        "lottery": "3 11 17 20 24 43",
    }


def test_the_doctor_names_a_figure_that_no_source_knows(path: Path, web: Provider) -> None:
    """One silent vendor is weak, a figure without any source is wrong."""
    web.put("/paper", "", 500)
    web.put("/lotto", "date,close\n")
    site = opened(path, SUNDAY)
    levels = {finding.what.partition(":")[0]: finding.level for finding in examine_sources(site)}
    site.engine.dispose()
    assert levels == {"bank": "ok", "paper": "weak", "ecb_like": "ok", "lottery": "wrong"}


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ('[bank]\nfigure = "dax_close"\n', "[bank] lacks 'url'"),
        ('[bank]\nfigure = "dax"\nurl = "https://x.example"\n', "[bank] figure is 'dax'"),
        ('[bank]\nfigure = "eurusd"\nurl = "https://x.example"\ncolumn = "a"\n', "[bank] knows no 'column'"),
        ('[bank]\nfigure = "eurusd"\nurl = "https://x.example"\n', "'bank', which gives no dax_close"),
        ("[bank\n", "this is not TOML"),
        ("bank = 1\n", "'bank' is no table"),
    ],
)
def test_a_bad_description_says_what_is_wrong(path: Path, toml: str, words: str) -> None:
    """The file, the table, the key, and what would be right."""
    (path / "providers.toml").write_text(toml)
    site = opened(path, SUNDAY)
    with pytest.raises(BadInput) as fault:
        sources_of(site, {"dax_close": ["bank"]})
    site.engine.dispose()
    assert words in str(fault.value)


def test_an_unknown_source_is_named_when_the_league_is_made(path: Path) -> None:
    """A season's order of sources is fixed at its start, so a wrong name is told then."""
    file = path / "league.toml"
    file.write_text(file.read_text().replace('["bank", "paper"]', '["bank", "papre"]'))
    with pytest.raises(BadInput, match="'papre', which gives no dax_close; there are: yahoo, stooq, bank, paper"):
        add_league(path, "autumn", start=at("2024-01-16 00:00").date(), now=at("2024-01-15 09:00"))
