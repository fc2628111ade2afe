"""What EUROPA's players are told by mail: which lines count, what can be promised of them, and what a phase asks."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from league.desk.post.roster import any_order_or_press
from league.desk.rounds.look import round_status
from league.reports.context import SiteInfo
from league.reports.desk import DeskLeague, DeskSheet, desk_mail
from tests.desk.phases import BEGIN, SLUG, Match
from tests.desk.sites import copy, mail_run, opened, outbox

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
SUNDAY = datetime(2024, 1, 7, 10, tzinfo=UTC)  # the first placement is open


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Who plays is known, and nothing more: the match begins with its first deadline."""
    return Match.begin(tmp_path_factory.mktemp("answers") / "site", "72h", early_close="yes")


@pytest.fixture(scope="module")
def begun(drawn: Match, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """The first placement is open."""
    return Match(copy(drawn.path, tmp_path_factory.mktemp("begun") / "site"), options=drawn.options).started(
        pages=False
    )


@pytest.fixture(scope="module")
def voting(begun: Match, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Everybody has placed, and the first elections are open."""
    match = Match(copy(begun.path, tmp_path_factory.mktemp("voting") / "site"), options=begun.options)
    for hour in (0, 2):
        match.write(SUNDAY + hour * HOUR, final=True)
        mail_run(match.path, SUNDAY + (hour + 1) * HOUR)
    assert match.state().phase == "VOTE"
    return match


@pytest.fixture
def match(request: pytest.FixtureRequest, tmp_path: Path) -> Match:
    given: Match = request.getfixturevalue(request.param)
    return Match(copy(given.path, tmp_path / "site"), mails=given.mails, options=given.options)


def answers(match: Match, name: str, *texts: str, moment: datetime) -> list[str]:
    """The answers to mails that come a minute apart, each on one line without marks of comments."""
    before = len(outbox(match.path))
    for place, text in enumerate(texts):
        match.post(name, text, moment + place * MINUTE)
    mail_run(match.path, moment + 10 * MINUTE)
    return [" ".join(mail.text.replace("\n# ", "\n").split()) for mail in outbox(match.path)[before:]]


@pytest.mark.parametrize("match", ["begun"], indirect=True)
def test_an_answer_says_that_a_mail_replaces_lines_and_not_the_whole(match: Match) -> None:
    """A word that is final leaves the placement before it standing; the answer says so, and one sent again counts."""
    first, second, third = answers(match, "Ben", "PLACE france 3", "FINAL", "FINAL", moment=SUNDAY)
    rule = "A new mail replaces the lines that it repeats; what it doesn't repeat goes on counting. Repeated are lines"
    assert rule in first
    assert "Lines that it repeats" not in first
    assert "[1] PLACE France 3 [2] FINAL" in second
    assert "Lines that it repeats are replaced by it; whatever else you sent before goes on counting." in second
    assert "[1] FINAL – accepted" in third
    assert "A later mail took its place" not in third
    assert not any("nothing but the newest counts" in one for one in (first, second, third))


@pytest.mark.parametrize("match", ["begun"], indirect=True)
def test_nothing_is_promised_of_a_word_that_is_final(match: Match) -> None:
    """A placement goes through whatever the others do, for no other can take it; `FINAL` is told for what it does."""
    (told,) = answers(match, "Ben", "PLACE france 1\nFINAL", moment=SUNDAY)
    assert "[1] PLACE France 1 – accepted; goes through in any case" in told
    assert "[2] FINAL – accepted; makes your orders final" in told


@pytest.mark.parametrize("match", ["voting"], indirect=True)
def test_no_ballot_is_promised_to_succeed(match: Match) -> None:
    """What an election brings is up to the others as well; where no own pawn stands even whether a ballot is used."""
    state = match.state()
    own = next(country for country in state.ahead if state.board.get(country, {}).get("s2"))
    text = f"ELECTION {own}: PROPOSE ME; NO ME+red; MOVE germany\nELECTION DEFAULT: POLICY ALL"
    (told,) = answers(match, "Ben", text, moment=SUNDAY + 6 * HOUR)
    assert "accepted; counts; the result depends on the others too" in told
    assert "accepted; counts if you have a pawn there" in told
    assert "in any case" not in told


@pytest.mark.parametrize("match", ["drawn"], indirect=True)
def test_before_the_match_begins_nothing_is_final(match: Match) -> None:
    """Nobody is asked for anything, so that the answer promises no early closing and says why nothing counts."""
    (told,) = answers(match, "Ben", "FINAL", moment=BEGIN + HOUR)
    assert "These orders are final" not in told
    assert "[1] FINAL – not used The match begins when this round is evaluated" in told


def texts(match: Match, kind: str, name: str = "") -> list[str]:
    """Mails of a kind, each on one line."""
    return [" ".join(mail.text.split()) for mail in outbox(match.path, kind, name)]


def test_before_the_match_begins_nobody_is_asked(begun: Match, drawn: Match) -> None:
    """Who is welcomed hears when the seats are drawn, nobody is missing, and the report doesn't miss any orders."""
    site = opened(drawn.path, BEGIN + HOUR)
    (row,) = round_status(site, SLUG)
    site.engine.dispose()
    assert row["missing"] == []
    welcome = texts(drawn, "welcome", "Ben")[0]
    assert "Round 1: It closes: Thursday" in welcome
    assert "The seats are drawn when it closes, and with that the match begins" in welcome
    assert "Orders until" not in welcome
    report = texts(begun, "report", "Ben")[0]
    assert "Nothing was asked of you in this round." in report
    assert "No orders of yours" not in report


@pytest.mark.parametrize("match", ["drawn"], indirect=True)
def test_who_asks_before_the_match_begins_hears_of_nobody_missing(match: Match) -> None:
    """No count of who was heard from, since nobody is asked; and the organizer is told that a round closes, no more."""
    (told,) = answers(match, "Ben", "status", moment=BEGIN + HOUR)
    assert "Heard from" not in told
    when = match.time()
    quiet = DeskLeague("Union", SLUG, "UTC", 1, (), {})
    mail = desk_mail(SiteInfo("T"), "en", DeskSheet(when, when - 13 * HOUR, "UTC", (quiet,), ()), any_order_or_press)
    assert mail.subject == "[T] A round closes in 13 hours"
    assert "Round 1 asks nobody for orders." in mail.text
    asked = DeskLeague("Union", SLUG, "UTC", 1, (), {"missing": ("Ben",)})
    mail = desk_mail(SiteInfo("T"), "en", DeskSheet(when, when - 13 * HOUR, "UTC", (asked,), ()), any_order_or_press)
    assert mail.subject == "[T] Orders are due in 13 hours"


def test_a_report_says_what_is_asked_next(voting: Match) -> None:
    """How many pawns are to be placed, and which elections; in the reader's language."""
    first, second, third = texts(voting, "report", "Ben")
    assert "Asked now: where you place" in first
    assert "in the first of two waves" in first
    assert "in the second of two waves" in second
    lands = [voting.game.label(c, "en") for c, here in voting.state().board.items() if "s2" in here]
    assert "Asked now: your ballots. Elections: " in third
    assert any(land in third.partition("Pawns of yours are in: ")[2] for land in lands)
    assert "Gefragt sind jetzt deine Stimmzettel." in texts(voting, "report", "Anna")[-1]
    assert "Nu gevraagd: je stembiljetten." in texts(voting, "report", "Carla")[-1]


def test_of_who_is_not_asked_nothing_is_missing(voting: Match) -> None:
    """A phase that wants something of a few only says so to the others, and counts none of them as missing."""
    site = opened(voting.path, SUNDAY + 6 * HOUR)
    (row,) = round_status(site, SLUG)
    site.engine.dispose()
    names = row["names"]
    assert isinstance(names, dict)
    assert isinstance(row["missing"], list)
    assert {names[seat] for seat in row["missing"]} == set(voting.asked())
