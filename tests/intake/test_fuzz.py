"""A slice of the intake fuzzer with a seed, and that it notices what it is there for; `make fuzz` runs it long."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from league.desk.post.outgoing import outgoing as make
from tests.intake import fuzz
from tests.intake.soup import made

BATCHES = 100 if os.environ.get("LEAGUE_SOAK") == "1" else 2


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fuzz.site_for_fuzz(tmp_path_factory.mktemp("fuzz") / "template")


def test_mails_that_nobody_would_write(template: Path, tmp_path: Path) -> None:
    """Each gets one verdict of the closed list in time, and no answer to it is an order or goes to a stranger."""
    for batch in range(BATCHES):
        assert fuzz.try_batch("slice", batch, template, tmp_path) == []


def test_the_same_number_is_the_same_mail() -> None:
    """A find can be made again from seed and number alone; another seed makes another mail."""
    first = [made("one", number) for number in range(60)]
    assert first == [made("one", number) for number in range(60)]
    assert all(raw != made("two", number) for number, raw in enumerate(first) if len(raw) > 1)


def _broken(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError


def test_an_exception_in_reading_is_a_find(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one that the product turns into a verdict; the mail is kept, and can be tried again once it is mended."""
    monkeypatch.setattr(fuzz, "BATCH", 10)
    with monkeypatch.context() as patched:
        patched.setattr("league.intake.message.lines_of", _broken)
        finds = fuzz.try_batch("slice", 0, template, tmp_path)
    assert "ZeroDivisionError" in finds[0].what
    kept = finds[0].keep(tmp_path / "finds")
    assert [file.read_bytes() for file in kept.glob("*.eml")] == list(finds[0].raws)
    assert fuzz.again(kept) == []


def test_an_answer_that_is_an_order_is_a_find(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mail that it answers is found among the eight."""

    def outgoing(*args: Any, **more: Any) -> Any:
        return replace(make(*args, **more), raw=b"From: league@example.org\r\n\r\ntake Paris\r\n")

    monkeypatch.setattr("league.desk.post.answers.outgoing", outgoing)
    monkeypatch.setattr(fuzz, "BATCH", 8)
    order = b"From: anna@example.com\nMessage-ID: <a@example.com>\n\njoin Greece\n"
    monkeypatch.setattr(fuzz, "made", lambda _, number: order if number == 7 else b"x" * number)
    (find,) = fuzz.try_batch("slice", 0, template, tmp_path)
    assert "AssertionError" in find.what
    assert find.raws == (order,)


def test_a_campaign_goes_on_behind_a_process_that_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The batch it was at is kept whole, the next one is begun, and the campaign says how many mails it tried."""

    def tried(_seed: str, batch: int, *_: Any) -> list[Any]:
        if batch == 0:
            os._exit(9)
        campaign.finds.joinpath("went-on").touch()
        return []

    campaign = fuzz.Campaign("slice", 0.02, tmp_path, jobs=1)
    monkeypatch.setattr(fuzz, "try_batch", tried)
    count, found = campaign.run()
    assert found == 1
    assert count >= 2 * fuzz.BATCH
    assert "died (9)" in (tmp_path / "batch-0000000" / "what.txt").read_text()
    assert len(list((tmp_path / "batch-0000000").glob("*.eml"))) == fuzz.BATCH
    assert (tmp_path / "went-on").exists()
    assert "something went wrong" in capfd.readouterr().out
