"""The demo of EUROPA: bots mail a whole match in three languages; what came of it is read from records and pages."""

import json
import re
from pathlib import Path

import pytest

from league.cli import main
from league.core.errors import Refused
from league.desk.demo import demo
from league.desk.demo.demo_cast import read_cast
from league.desk.proof.verify import verify
from league.reports import pictures
from tests.desk.sites import parsed
from tests.reports.crawl import dead_links
from tests.reports.validator import faults_of, needs_validator


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "europa"


@pytest.fixture(scope="module")
def played(site: Path) -> list[demo.Played]:
    """Two rounds, then all the rest; pictures are drawn small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "SHARP", 1)
        return [demo.play_demo(site, 2, "europa"), demo.play_demo(site, None, "europa")]


def test_a_whole_match_is_played(site: Path, played: list[demo.Played]) -> None:
    """Without a number of rounds it goes on to the end, by the recorded draws alone, and has a winner."""
    first, rest = played
    assert [row["round"] for row in first.rounds] == [1, 2]
    assert not first.over
    assert (rest.over, rest.weeks_left) == (True, 0)
    bodies = [json.loads(f.read_bytes()) for f in sorted((site / "public/demo/records").glob("0*.json"))]
    rounds = [body for body in bodies if body["kind"] == "round"]
    assert [body["round"] for body in rounds] == list(range(1, len(first.rounds) + len(rest.rounds) + 1))
    draws = {week["lotto"] for week in read_cast("europa").weeks}
    values = [e["value"] for body in rounds for e in body["evidence"]]
    assert len(values) > 3
    assert set(values) <= draws
    kinds = {event["type"] for body in rounds for event in body["events"]}
    assert {"seated", "placed", "voted", "joined", "committed", "shared", "president", "won"} <= kinds


def test_mails_come_in_three_languages(site: Path, played: list[demo.Played]) -> None:
    """Orders, a typo that is asked about, one too late, one twice, a stranger's."""
    verdicts = {name for one in played for row in one.rounds for name in row["verdicts"]}  # type: ignore[union-attr]
    assert {"accepted", "ask", "late", "duplicate", "rejected"} <= verdicts
    mails = [parsed(f.read_bytes()).get_body(("plain", "html")) for f in (site / "mail/in").glob("*/*")]
    texts = " ".join(str(mail.get_content()) for mail in mails if mail is not None).casefold()
    assert all(word in texts for word in ("setze", "place", "plaats"))


@needs_validator
def test_its_pages_are_valid(site: Path, played: list[demo.Played]) -> None:
    """Rounds of every phase, the end, rules and order card, before the checker of HTML."""
    assert played[-1].over
    assert faults_of((site / "public").resolve().rglob("*.html")) == []


def test_it_verifies(site: Path, played: list[demo.Played]) -> None:
    """Every round is recomputed from what was opened at the end."""
    assert played[-1].over
    found = verify(str(site))
    assert found.holds, [one.faults[:3] for one in found.all]


def test_every_link_leads_somewhere(site: Path, played: list[demo.Played]) -> None:
    """On no page of the match a link is dead; orders and events link to their rule."""
    assert played[-1].over
    assert dead_links(site / "public") == []
    assert 'href="rules.html#R' in (site / "public/demo/round-5.html").read_text("utf-8")


def test_its_end_is_told(site: Path, played: list[demo.Played]) -> None:
    """The last round's page says in its headline who has won."""
    winner = played[-1].standings[0]["player"]
    last = played[-1].rounds[-1]["round"]
    page = (site / f"public/demo/round-{last}.html").read_text("utf-8")
    assert re.search(rf"<h1>[^<]*{winner}[^<]*</h1>", page)


def test_a_third_run_plays_nothing(site: Path, played: list[demo.Played], capsys: pytest.CaptureFixture[str]) -> None:
    """The match is over, and the other game's demo stays out of its folder."""
    assert played[-1].over
    assert main(["demo", "--game", "europa", "--dir", str(site)]) == 0
    assert "The match is over." in capsys.readouterr().out
    with pytest.raises(Refused, match="plays europa"):
        demo.play_demo(site, 1)
