"""No address gets into words of the organizer that everybody reads: records keep them for ever."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from league.core.errors import BadInput
from league.desk.acts.last_round import set_last
from league.desk.acts.new_league import new_league
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.acts.signing_key import rotate_key
from league.desk.acts.steer_round import extend, hold, release
from league.desk.correcting.correct_figure import correct_figures, object_to
from league.desk.correcting.correct_round import Act, reopen
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.plain_words import without_address
from league.desk.recovery.word_on_head import accept
from league.desk.site import Site
from tests.desk.sites import BEGIN, WEEK_2, add_league, make_site, opened, public, rows

MINE = "asked by anna@example.org"
DRAW_CORRECT = Act("draw correct", MINE)
ACTS: dict[str, Callable[[Site], object]] = {
    "round reopen": lambda site: reopen(site, "spring", 1, Act("round reopen", MINE)),
    "draw correct": lambda site: correct_figures(
        site, "spring", Entry(WEEK_2, "paper", MINE), Act("draw correct", MINE)
    ),
    "draw correct --source": lambda site: correct_figures(
        site, "spring", Entry(WEEK_2, MINE, "typo"), Act("draw correct", "typo")
    ),
    "draw enter": lambda site: enter_figures(site, "spring", Entry(WEEK_2, "paper", MINE)),
    "draw enter --source": lambda site: enter_figures(site, "spring", Entry(WEEK_2, MINE, "typo")),
    "draw object": lambda site: object_to(site, "spring", "dax_close", MINE),
    "key rotate": lambda site: rotate_key(site, MINE),
    "round pause": lambda site: pause_rounds(site, "spring", date(2024, 2, 1), date(2024, 2, 8), why=MINE),
    "round last": lambda site: set_last(site, "spring", 9, why=MINE),
    "round extend": lambda site: extend(site, "spring", hours=2, why=MINE),
    "round hold": lambda site: hold(site, "spring", hours=2, why=MINE),
    "round release": lambda site: release(site, "spring", why=MINE),
    "restore --accept-head": lambda site: accept(site, MINE),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_site(tmp_path_factory.mktemp("words") / "site")
    add_league(made)
    return made


@pytest.mark.parametrize("act", ACTS)
def test_an_address_in_a_reason_is_refused(act: str, path: Path) -> None:
    """Before anything is done or written down, with the address and what to do instead."""
    before = rows(path, "SELECT act FROM journal")
    with pytest.raises(BadInput, match=r"holds an address \(anna@example.org\), and everybody will read it"):
        ACTS[act](opened(path, BEGIN))
    assert rows(path, "SELECT act FROM journal") == before
    assert not (path / "secrets" / "signing.key").exists()


@pytest.mark.parametrize(
    "text",
    [
        "ANNA@EXAMPLE.ORG",
        "<anna@example.org>",
        "anna (at) example.org",
        "anna[at]example",
        "x@y",
        "a{AT}b.de",
        "anna\uff20example.org",
    ],
)
def test_whatever_looks_like_an_address_is_one(text: str) -> None:
    """With any sign that people write for the @."""
    with pytest.raises(BadInput, match="--why holds an address"):
        without_address(f"see {text}, please")


@pytest.mark.parametrize(
    "text", ["look at page 3 (at the top)", "1 @ 2", "@Anna said so", "ran at 9", "the DAX (at close)"]
)
def test_other_words_stay_as_they_are(text: str) -> None:
    """Who writes about times and places isn't stopped."""
    assert without_address(text) == text


def test_no_page_was_made_of_it(path: Path) -> None:
    """Nothing of all that is published."""
    assert not [name for name, content in public(path).items() if b"anna@" in content]


@pytest.mark.parametrize("what", ["title", "prize"])
def test_what_stands_on_every_page_holds_no_address(what: str, tmp_path: Path) -> None:
    """A league's title and prize are refused like a reason."""
    site = opened(make_site(tmp_path / "site"), BEGIN)
    with pytest.raises(BadInput, match=f"--{what} holds an address"):
        new_league(site, "spring", game="kuel", start=None, **{what: "write to ben@example.org"})  # type: ignore[arg-type]
    site.engine.dispose()
