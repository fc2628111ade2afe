"""The order composer of a site: what its pages offer in each state of a round, and the personal link in mails."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import retire, substitute
from league.desk.acts.keys import renew_token, show_token
from league.desk.people.players import NewPlayer
from league.desk.proof.verify import verify
from tests.desk.sites import Out, add_league, at, copy, drop, letter, make_site, opened, outbox, public, run, verdicts
from tests.desk.weeks import evaluate, week, write

FIRST, SECOND = date(2024, 1, 4), date(2024, 1, 11)
LINK = re.compile(r"https://play\.example/(\S+?)#(s\d)/([a-z2-7-]{19})(?=[\s\"<])")


def make(path: Path, **options: Any) -> Path:
    """A site with an address, and a league of three, after one round."""
    make_site(path)
    settings = path / "league.toml"
    text = settings.read_text("utf-8").replace('base_url = ""', 'base_url = "https://play.example/"')
    settings.write_text(text, "utf-8")
    add_league(path, **options)
    for name, country in (("Anna", "France"), ("Ben", "Portugal"), ("Carla", "Zweden")):
        write(path, name, f"join {country}", FIRST)
    write(path, "Ben", "please let me in", FIRST, days=2)
    write(path, "Carla", "join Zwedn", FIRST, days=2)
    week(path, FIRST)
    return path


@pytest.fixture(scope="module")
def first_round(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("personal") / "site", battles="reported")


@pytest.fixture(scope="module")
def played(first_round: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Battles are reported."""
    return copy(first_round, tmp_path_factory.mktemp("shared") / "site")


def keys(path: Path, now: str = "2024-01-09 12:00") -> dict[str, str]:
    """Each seat's key."""
    site = opened(path, at(now))
    told = {f"s{n}": str(show_token(site, "spring", f"s{n}")["key"]) for n in (1, 2, 3)}
    site.engine.dispose()
    return told


def links(mail: Out) -> list[tuple[str, str, str]]:
    """Page, seat and key of each personal link in a mail, in its text and its HTML."""
    html = mail.mail.get_body(("html",))
    shown = html.get_content() if html is not None else ""
    return LINK.findall(mail.text) + LINK.findall(shown)


def offered(path: Path, lang: str = "en") -> dict[str, Any]:
    """What the composer's page reads."""
    text = public(path)[f"spring/{lang}/orders.js" if lang != "de" else "spring/orders.js"].decode()
    found = json.loads(text.removeprefix("leagueComposer.feed(").removesuffix(");\n"))
    assert isinstance(found, dict)
    return found


def kinds(path: Path, seat: str) -> set[str]:
    """The first words of what a seat is offered."""
    data = offered(path)
    rows: list[list[int]] = next((one["rows"] for one in data["seats"] if one["id"] == seat), [])
    return {data["kinds"][row[0]][0].split()[0] for row in rows}


def test_a_report_has_its_own_player_s_link_and_nobody_else_s(played: Path) -> None:
    """In text and HTML, whole, to the page in the reader's language, with the seat's key behind the sign #."""
    own = keys(played)
    seen = {}
    for mail in outbox(played, "report"):
        (page, seat, key), *others = links(mail)
        assert {(page, seat, key)} >= set(others)
        assert others  # HTML as well
        assert key == own[seat]
        assert not any(other in mail.raw.decode() for one, other in own.items() if one != seat)
        seen[seat] = page
    assert seen == {"s1": "spring/index.html", "s2": "spring/en/index.html", "s3": "spring/nl/index.html"}


def test_welcome_and_answers_have_it_too(played: Path) -> None:
    """The first mail of all, receipts, and what asks: whoever has one of our mails can go on from it."""
    own = keys(played)
    asked = [("ask", "Ben", "s2"), ("ask", "Carla", "s3"), ("receipt", "Anna", "s1")]
    for kind, name, seat in (
        *asked,
        *(("welcome", name, f"s{n}") for n, name in enumerate(("Anna", "Ben", "Carla"), 1)),
    ):
        mail = outbox(played, kind, name)[0]
        assert {(found[1], found[2]) for found in links(mail)} == {(seat, own[seat])}, (kind, name)


def test_no_key_is_published(played: Path) -> None:
    """Neither grouped nor plain, in any file; and the pages hold against their records."""
    files = b"".join(public(played).values()).lower()
    for key in keys(played).values():
        assert key.encode() not in files
        assert key.replace("-", "").encode() not in files
    assert verify(str(played / "public")).holds


def test_the_link_s_key_proves_a_mail(played: Path) -> None:
    """The text that the composer makes, sent by a program that proves nothing, counts; the answer's question has it."""
    (_, _, key), *_ = links(outbox(played, "report", "Anna")[0])
    raw = letter(
        "Anna", f"key {key}\r\n\r\nnimm Spanien\r\nnimm Spanein", subject="[spring] Befehle für Runde 2", proven=False
    )
    drop(played, raw, at("2024-01-09 10:00"))
    run(played, at("2024-01-09 10:01"))
    assert verdicts(played)[-1][0] == "accepted"
    receipt = outbox(played, "receipt", "Anna")[-1]
    assert "Spanien" in receipt.text
    assert {found[2] for found in links(receipt)} == {key}


def test_mails_about_a_seat_have_the_link_of_who_plays_it(first_round: Path, tmp_path: Path) -> None:
    """Who takes a seat over, comes back or is away gets it; who left or was replaced has nothing to write for."""
    path = copy(first_round, tmp_path / "site")
    before = keys(path)
    site = opened(path, at("2024-01-09 12:00"))
    instruct(site, "spring", "Ben", until="3", texts=["pass"], why="")
    substitute(site, "spring", "Anna", NewPlayer("Dora", "dora@example.org"), why="busy")
    retire(site, "spring", "Carla", why="moved")
    dora = str(show_token(site, "spring", "Dora")["key"])
    site.engine.dispose()
    said = {kind: outbox(path, kind) for kind in ("absent", "takes_over", "replaced", "retired")}
    assert {kind: [{found[2] for found in links(mail)} for mail in mails] for kind, mails in said.items()} == {
        "absent": [{before["s2"]}],
        "takes_over": [{dora}],
        "replaced": [set()],
        "retired": [set()],
    }
    assert dora != before["s1"]


def test_a_new_key_is_in_the_next_mails(first_round: Path, tmp_path: Path) -> None:
    """The old link's key proves nothing any more; what is mailed from now on has the new one."""
    path = copy(first_round, tmp_path / "site")
    old = keys(path)["s1"]
    site = opened(path, at("2024-01-09 12:00"))
    renew_token(site, "spring", "Anna")
    site.engine.dispose()
    (brought,) = outbox(path, "new_key", "Anna")
    for name in ("Anna", "Ben", "Carla"):
        write(path, name, "pass", SECOND)
    week(path, SECOND)
    report = outbox(path, "report", "Anna")[-1]
    new = keys(path, "2024-01-14 12:00")["s1"]
    assert {found[2] for found in links(brought)} == {new}
    assert {found[2] for found in links(report)} == {new}
    assert new != old


def test_a_round_s_states_on_the_page(first_round: Path, tmp_path: Path) -> None:
    """Open: orders. Closed, with a battle to be fought: its fighters report, and the next round's orders are unsure."""
    path = copy(first_round, tmp_path / "site")
    assert kinds(path, "s1") == {"take", "attack", "leave", "devastate", "pass"}
    assert offered(path)["unsure"] is False
    write(path, "Anna", "take Spain", SECOND)
    write(path, "Ben", "take Spain", SECOND)
    run(path, at("2024-01-12 08:00"))
    assert "result" in kinds(path, "s1")
    assert "result" not in kinds(path, "s3")
    assert offered(path)["unsure"] is True
    front = public(path)["spring/en/index.html"].decode()
    assert "The round before isn't evaluated yet" in front
    write(path, "Anna", "result Spain lost", date(2024, 1, 13))
    evaluate(path, SECOND)
    assert offered(path)["unsure"] is False
    assert "result" not in kinds(path, "s1")


def test_without_an_address_there_is_no_link(spring: Path) -> None:
    """A site that isn't served has none to give; its pages have the composer all the same."""
    write(spring, "Anna", "join Island", FIRST)
    week(spring, FIRST)
    (report,) = outbox(spring, "report", "Anna")
    assert "#s1/" not in report.text
    assert b'class="composer"' in public(spring)["spring/index.html"]
