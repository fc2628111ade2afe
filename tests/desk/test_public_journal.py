"""The published journal: every act of the organizer, with its reason, and nothing that is nobody's business."""

import ast
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from league import i18n
from league.core.json import Json, JsonDict
from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import retire
from league.desk.acts.enter_orders import enter_orders
from league.desk.init_site import init_site
from league.desk.leagues.infos import site_info
from league.desk.leagues.public_journal import ACTS, OTHER, named
from league.desk.pages.publish_pages import publish_now
from league.desk.post.mind_outbox import hold, release
from league.desk.rounds.look import show_orders
from league.desk.site import Site
from league.reports.context import SiteInfo
from league.reports.environment import environment
from league.reports.journal import journal_page, macro_of
from league.storage import engine as database
from tests.desk.sites import at, bodies, drop, letter, opened, public, run
from tests.desk.weeks import evaluate, utc, write

ROOT = Path(__file__).parent.parent.parent / "league"
FIRST = date(2024, 1, 4)
# Where the act isn't spelt out in the call, with the acts that come about there.
DYNAMIC = {
    "desk/rounds/extend_round.py": ("round extend", "round release"),
    "desk/rounds/look.py": ("round preview --reveal", "orders show s1 --reveal", "mail quarantine show 3 --reveal"),
    "desk/inbox/quarantine.py": (
        "mail quarantine show 3 --reveal", "mail quarantine release", "mail quarantine reject",
    ),
    "desk/acts/signing_key.py": ("key rotate",),
    "desk/correcting/correct_figure.py": ("draw correct",),
    "desk/correcting/correct_round.py": ("round reopen", "draw correct", "result enter"),
    "desk/moving/export_league.py": ("export --to",),
    "desk/moving/take_back.py": ("export --undo",),
    "desk/people/seats.py": (),  # hands on what its callers spell out
    "desk/post/postpone.py": ("deadline moved",),
    "desk/rounds/resolve_rounds.py": ("deadline moved",),
    "desk/rounds/close_early.py": ("round early",),
    "desk/recovery/restored.py": ("restore --head", "restore --public", "restore --accept-head"),
    "desk/run/catch_up.py": (),  # hands on what is done again
}  # fmt: skip


def calls() -> Iterator[tuple[str, str | None]]:
    """File and act of every call that writes an act down; None where the act isn't spelt out."""
    for file in sorted(ROOT.rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "write_down":
                place = next(n for n, arg in enumerate(node.args) if ast.unparse(arg).endswith("connection"))
                act = node.args[place + 1]
                yield name, str(act.value) if isinstance(act, ast.Constant) else None


def test_every_act_has_words_and_a_list_of_what_is_shown() -> None:
    """Whoever writes a new act down in the journal says what of it everybody may read, in three languages."""
    found = list(calls())
    assert len(found) > 25
    spelt = {act for _, act in found if act}
    assert {name for name, act in found if act is None} <= set(DYNAMIC)
    every = spelt | {named(act) for acts in DYNAMIC.values() for act in acts}
    assert every == set(ACTS)
    for lang in i18n.LANGS:
        module = environment(lang, SiteInfo(title="")).get_template("acts.jinja").module
        assert [act for act in (*ACTS, OTHER) if not callable(getattr(module, macro_of(act), None))] == []


def test_nobody_writes_into_the_journal_past_the_site() -> None:
    """`Site.write_down` is the only caller of `journal.append`: what it writes is published."""
    callers = [
        file.relative_to(ROOT).as_posix()
        for file in sorted(ROOT.rglob("*.py"))
        if "journal.append" in file.read_text(encoding="utf-8")
    ]
    assert callers == ["desk/site.py"]


@pytest.mark.parametrize("lang", i18n.LANGS)
def test_every_act_can_be_told_with_and_without_its_arguments(lang: str, spring: Path) -> None:
    """All arguments, or none (an older journal, a round without its report): a sentence either way."""
    site = opened(spring, at("2024-01-02 10:00"))
    full: dict[str, Json] = {
        "seat": "s1", "winner": "s2", "country": "france", "round": 3, "first": 2, "last": 4, "from": "2024-02-01",
        "to": "2024-02-08", "until": "2024-01-05T10:00:00Z", "deadline": "2024-01-05T10:00:00Z", "weeks": 0,
        "source": "paper", "dax_close": "1.00 (2024-01-05)", "key": "received_by", "secrets": "keys",
        "made_at": "2024-01-01T10:00:00Z", "public_key": "ab",
        "replaces": "cd", "record": "ab" * 32, "board": "own.toml", "game": "kuel",
    }  # fmt: skip
    for act in (*ACTS, OTHER):
        wanted = ACTS[act].keys if act in ACTS else ()
        given = {key: value for key, value in full.items() if key in wanted or key == "dax_close"}
        given = given if act == "draw enter" else {key: value for key, value in given.items() if key != "dax_close"}
        for arguments in (given, {}):
            row: JsonDict = {
                "at": "2024-01-02T10:00:00Z",
                "who": "organizer",
                "act": act,
                "why": "",
                "arguments": arguments,
            }
            page = journal_page(site_info(site), None, [row], lang)
            assert "<td></td><td></td>" not in page, act
            assert "None" not in page


@pytest.mark.parametrize(("lang", "day"), [("de", "31.01.2024"), ("en", "31 Jan 2024"), ("nl", "31 jan 2024")])
@pytest.mark.parametrize("key", ["until", "from"])
def test_days_stand_in_the_page_s_language(spring: Path, lang: str, day: str, key: str) -> None:
    """Nothing that a reader sees is written as machines do: 2024-01-31 stands in attributes alone."""
    site, given = opened(spring, at("2024-01-02 10:00")), {"seat": "s1", key: "2024-01-31"}
    row: JsonDict = {"at": "2024-01-02T10:00:00Z", "who": "s1", "act": "player absent", "why": "", "arguments": given}
    shown = re.sub(r"<[^>]*>", " ", journal_page(site_info(site), None, [row], lang))
    assert day in shown
    assert not re.search(r"\d{4}-\d\d-\d\d", shown)


def acts(path: Path, slug: str = "spring") -> list[dict[str, object]]:
    body = public(path)[f"{slug}/journal.json" if slug else "journal.json"]
    found = json.loads(body)
    assert body == json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    rows = found["acts"]
    assert isinstance(rows, list)
    return rows


def test_what_tells_of_sealed_orders_is_told_with_the_report(spring: Path) -> None:
    """That orders were entered is told at once; for whom and why, when the round is evaluated; their text never."""
    for name, text in (("Anna", "join Island"), ("Ben", "join Portugal")):
        write(spring, name, text, FIRST)
    site = opened(spring, utc(FIRST, 9))
    enter_orders(site, "spring", "Carla", "join France", why="told by phone, carla@example.org", received_at=None)
    instruct(site, "spring", "Anna", until="3", texts=("take London",), why="in hospital")
    run(spring, utc(FIRST, 10))
    before = {row["act"]: row for row in acts(spring)}
    for act in ("orders enter", "player absent"):
        assert before[act]["arguments"] == {}
        assert before[act]["why"] == ""
    run(spring, utc(FIRST + timedelta(days=1)))
    evaluate(spring, FIRST)
    after = {row["act"]: row for row in acts(spring)}
    assert after["orders enter"]["arguments"] == {"received": "2024-01-04T09:00:00Z", "seat": "s3"}
    assert after["orders enter"]["why"] == "told by phone, …"
    assert after["player absent"]["arguments"] == {"first": 1, "last": 3, "seat": "s1"}
    assert len(bodies(spring)) == 2
    pages = {name: text for name, text in public(spring).items() if "journal" in name}
    assert len(pages) == 8
    assert all(b"London" not in text and b"carla@" not in text for text in pages.values())
    assert "Für Carla wurden Befehle eingetragen.".encode() in pages["spring/journal.html"]
    assert b"Orders were entered for Carla." in pages["spring/en/journal.html"]


def test_pages_name_no_address_key_or_account(spring: Path) -> None:
    """Who runs the program is the organizer; addresses are left out of reasons; a look at orders names the round."""
    write(spring, "Anna", "join Island", FIRST)
    run(spring, utc(FIRST, 9))
    site = Site(**{**opened(spring, utc(FIRST, 10)).__dict__, "who": "Kunigunde"})
    show_orders(site, "spring", "Anna", reveal=True)
    hold(site, "write to <ben@example.org>")
    release(site, "")
    retire(site, "spring", "Ben", why="asked to, ben@example.org")
    run(spring, utc(FIRST, 11))
    found = {row["act"]: row for row in acts(spring)}
    assert found["orders show --reveal"]["arguments"] == {"round": 1}
    assert found["player retire"]["why"] == "asked to, …"
    assert found["mail hold" if "mail hold" in found else "new"]["act"] == "new"
    assert [row["act"] for row in acts(spring, "")] == ["init", "mail hold", "mail release"]
    assert acts(spring, "")[1]["why"] == "write to <…>"
    assert {row["who"] for row in (*acts(spring), *acts(spring, ""))} == {"organizer"}
    text = b"".join(content for name, content in public(spring).items() if "journal" in name)
    for secret in (b"Kunigunde", b"ben@example.org"):
        assert secret not in text


def test_an_act_appears_with_the_next_run_and_a_quiet_run_writes_nothing(spring: Path) -> None:
    """What is written down marks its page; the site's own acts mark the site's."""
    run(spring, utc(FIRST, 9))
    hold(opened(spring, utc(FIRST, 10)), "why not")
    assert run(spring, utc(FIRST, 10)).published is not None
    assert acts(spring, "")[-1]["act"] == "mail hold"
    assert run(spring, utc(FIRST, 11)).published is None


def test_what_a_player_asked_by_mail_bears_the_seat(spring: Path) -> None:
    """A player's own wish isn't the organizer's act: the seat stands beside it."""
    write(spring, "Anna", "join Island", FIRST, days=2)
    run(spring, utc(FIRST - timedelta(days=2), 11))
    drop(spring, letter("Anna", "absent until 3"), utc(FIRST, 9))
    run(spring, utc(FIRST, 10))
    assert [(row["act"], row["who"]) for row in acts(spring)][-1] == ("player absent", "s1")
    assert "Anna" in public(spring)["spring/en/journal.html"].decode().partition("<tbody>")[2]


def test_an_act_without_words_is_told_without_arguments(spring: Path) -> None:
    """What a later version wrote down is shown as something, never with what may be a secret."""
    site = opened(spring, at("2024-01-02 10:00"))
    with database.write(site.engine) as connection:
        site.write_down(connection, "wizardry", "abracadabra", 1, token="hush")
    publish_now(site, ())
    row = acts(spring)[-1]
    assert (row["act"], row["why"], row["arguments"]) == (OTHER, "", {})
    assert b"Something that this page has no words for." in public(spring)["spring/en/journal.html"]


def test_a_site_without_leagues_has_its_journal(tmp_path: Path) -> None:
    """The site's own page and file are there from the first publication on."""
    site = init_site(tmp_path / "new", at("2024-01-02 10:00"))
    publish_now(site, ())
    assert [row["act"] for row in acts(site.path, "")] == ["init"]
    assert b'href="journal.html"' in public(site.path)["index.html"]
