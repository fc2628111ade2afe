"""Letters as real programs write them, each with its verdict and the lines that count."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from league.games.kuel.reader import make_reader
from league.intake.mailbox import open_path
from league.intake.read import Reader, Reading, dry_run, dry_run_line
from league.language.lines import undecorated
from tests.intake.standin import NOW, READER, ROSTER, STRICT, is_order, mail

LETTERS = Path(__file__).parent.parent / "letters"
KEYS = {"source", "message_id", "from", "verdict", "holds", "league", "seat", "orders", "text", "reason"}
CONFIG = Path(__file__).parent.parent.parent / "config" / "kuel"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((LETTERS / "expected.toml").read_text())


def read_all(reader: Reader) -> dict[str, Reading]:
    """Every letter by the site that it is for: one that believes addresses, or one that wants to know who wrote it."""
    found: dict[str, Reading] = {}
    for roster, strict in ((ROSTER, False), (STRICT, True)):
        names = [name for name in sorted(EXPECTED) if EXPECTED[name].get("strict", False) is strict]
        mails = [raw for name in names for raw in open_path(LETTERS / f"{name}.eml", NOW).fetch().mails]
        found |= {Path(one.mail.source).stem: one for one in dry_run(mails, lambda _: reader, roster)}
    return found


@pytest.fixture(scope="module")
def readings() -> dict[str, Reading]:
    return read_all(READER)


def test_every_letter_has_a_line() -> None:
    """Every letter says what must become of it, and every line has its letter."""
    assert {path.stem for path in LETTERS.glob("*.eml")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_verdict(name: str, readings: dict[str, Reading]) -> None:
    """Each letter gets its verdict for the right reason."""
    reading, wanted = readings[name], EXPECTED[name]
    assert (reading.verdict.value, reading.reason) == (wanted["verdict"], wanted.get("reason", "readable"))
    assert reading.verified is ("proof" in wanted)
    assert reading.proof in {wanted.get("proof", ""), "address"}


@pytest.mark.parametrize("name", sorted(name for name, wanted in EXPECTED.items() if "orders" in wanted))
def test_order_lines(name: str, readings: dict[str, Reading]) -> None:
    """Exactly the fresh order lines are read, in their order, and nothing of what must not be."""
    shown = dry_run_line(readings[name])
    text = str(shown["text"])
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if is_order(line) and not line.startswith("pers")] == EXPECTED[name]["orders"]
    assert [word for word in EXPECTED[name].get("never", ()) if word in text] == []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_shape_of_the_line(name: str, readings: dict[str, Reading]) -> None:
    """The line of the command has the same keys for every letter, and no orders where none were read."""
    shown = dry_run_line(readings[name])
    assert set(shown) == KEYS
    assert bool(shown["holds"]) == (
        shown["verdict"] == "accepted" or name.startswith(("en-same-id", "en-which-league"))
    )


@pytest.fixture(scope="module")
def kuel() -> Reader:
    tables = (tomllib.loads((CONFIG / f"{name}.toml").read_text()) for name in ("board", "keywords"))
    game = make_reader(*tables)
    return Reader(
        game.parse, lambda line: bool(game.parse(line).orders), game.notation, wording=lambda mistake: mistake.reason
    )


@pytest.fixture(scope="module")
def read_by_kuel(kuel: Reader) -> dict[str, Reading]:
    return read_all(kuel)


def test_press_below_a_line_is_kept(kuel: Reader) -> None:
    """A line drawn before press divides; and press that quotes somebody's words is no attribution."""
    text = "take Paris\n--\npress to all:\nHello\nend\npress to all: on 5 Jan 2026 Ben wrote:\nnothing\nend\n"
    (reading,) = dry_run([mail(f"From: anna@example.com\n\n{text}")], lambda _: kuel, ROSTER)
    assert reading.letter.quoted_lines == 0
    assert [press.text for press in reading.parsed.press][:1] == ["Hello"]
    assert len(reading.parsed.press) == 2


@pytest.mark.parametrize("name", sorted(name for name, wanted in EXPECTED.items() if "orders" in wanted))
def test_orders_of_kuel(name: str, read_by_kuel: dict[str, Reading]) -> None:
    """KUEL's own words, in three languages, give the same orders out of every letter."""
    shown = dry_run_line(read_by_kuel[name])
    orders = shown["orders"]
    assert isinstance(orders, list)
    lines = [undecorated(one["line"]) for one in orders if one["status"] == "understood"]
    assert lines == EXPECTED[name]["orders"]
    assert shown["verdict"] == EXPECTED[name]["verdict"]
