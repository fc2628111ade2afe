"""What becomes of orders is told before the deadline: in receipts and by `orders check`."""

import json
from pathlib import Path

import pytest

from league.cli import main
from tests.desk.sites import add_league, at, drop, letter, mail_run, make_site, outbox

JOINS = {"Anna": "Portugal", "Ben": "Sweden"}  # Anna reads German, Ben English


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Round 2 is open while round 1 waits for its figures: nobody made a move, so it is done (K44)."""
    path = make_site(tmp_path_factory.mktemp("second") / "site")
    add_league(path, names=tuple(JOINS))
    for name, country in JOINS.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    return path


def checked(
    path: Path, capsys: pytest.CaptureFixture[str], text: str, player: str, tmp_path: Path
) -> dict[str, object]:
    (tmp_path / "orders.txt").write_text(text, "utf-8")
    args = ["orders", "check", "spring", str(tmp_path / "orders.txt"), "--player", player, "--json"]
    assert main(["--site", str(path), "--now", at("2024-01-10 09:00").isoformat(), *args]) == 0
    (line,) = json.loads(capsys.readouterr().out)["lines"]
    now = line["now"]
    assert isinstance(now, dict)
    return now


def test_orders_check_says_what_is_certain(second: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A country beside nothing of one's own fails for certain; one that a newcomer may join hangs on the others."""
    far = checked(second, capsys, "take Greece", "Ben", tmp_path)
    assert (far["fate"], far["certain"], far["reason"], far["rule"]) == ("failed", True, "not_neighbour", "K28")
    near = checked(second, capsys, "take Norway", "Ben", tmp_path)
    assert (near["fate"], near["certain"], near["hinges"]) == ("done", False, ["if_unclaimed"])
    assert near["text"] == "geht durch, wenn niemand sonst es beansprucht"


def test_a_stranger_has_nothing_to_rehearse(second: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A name that doesn't play is refused, with those that do."""
    (tmp_path / "orders.txt").write_text("pass", "utf-8")
    args = ["orders", "check", "spring", str(tmp_path / "orders.txt"), "--player", "Zoe"]
    assert main(["--site", str(second), "--now", at("2024-01-10 09:00").isoformat(), *args]) == 1
    assert "there are Anna, Ben" in capsys.readouterr().err


def test_a_receipt_says_what_would_become_of_each_line(second: Path) -> None:
    """Under every accepted line stands what the rules say now, and on what it hangs; nothing of another's orders."""
    drop(second, letter("Anna", "take Spain"), at("2024-01-10 10:00"))
    mail_run(second, at("2024-01-10 10:05"))
    drop(second, letter("Ben", "take Norway\nbid 3 on Greece"), at("2024-01-10 11:00"))
    mail_run(second, at("2024-01-10 11:05"))
    texts = [" ".join(o.text.split()) for o in outbox(second, "receipt")]
    assert any("take Norway – accepted; goes through if nobody else claims it" in text for text in texts)
    assert any(
        "bid 3 on Greece – accepted; fails in any case: The country isn't up for auction. (K52)" in text
        for text in texts
    )
    assert any(
        "Spanien einnehmen – angenommen; geht durch, wenn niemand sonst es beansprucht" in text for text in texts
    )
