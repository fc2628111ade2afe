"""What other people's tools rely on, key by key (DESIGN: Contracts)."""

import io
import json
import re
import sys
from collections.abc import Callable
from mailbox import mbox
from pathlib import Path
from typing import Any

import pytest

from league.cli import main
from tests.desk.sites import WEEK_2, add_league, at, bodies, drop, letter, make_site, rows, run

ROOT = Path(__file__).parent.parent.parent
LETTERS = ROOT / "tests" / "letters"
DOCS = ROOT / "docs" / "json.md"
NOW = "2024-01-03T10:00:00Z"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = make_site(tmp_path / "site")
    add_league(path)
    return path


@pytest.fixture
def league(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*args: str, now: str = NOW) -> tuple[int, str, str]:
        code = main(["--now", now, *args])
        out, err = capsys.readouterr()
        return code, out, err

    return call


# ------------------------------------------------------------------ mail read

LINE = ("source", "message_id", "from", "verdict", "holds", "league", "seat", "orders", "text", "reason")
ORDER = {"line", "status", "order", "reason"}


def dry(league: Any, *args: str) -> list[dict[str, Any]]:
    code, out, err = league(*args, "--dry-run", "--json-lines")
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def boxes(folder: Path) -> dict[str, Path]:
    """The same two letters as files, as an mbox and as a Maildir."""
    raw = [letter("Anna", "nimm Paris\nnimm Atlantis"), letter("Ben", "press to all: hello")]
    for part in ("new", "cur", "tmp"):
        (folder / "maildir" / part).mkdir(parents=True)
    box = mbox(folder / "box.mbox")
    for number, content in enumerate(raw):
        (folder / f"{number}.eml").write_bytes(content)
        (folder / "maildir" / "new" / f"{number}").write_bytes(content)
        box.add(content)
    box.close()
    return {"eml": folder / "0.eml", "mbox": folder / "box.mbox", "maildir": folder / "maildir"}


@pytest.mark.parametrize("with_site", [True, False])
def test_a_line_a_message_with_exactly_these_keys(with_site: bool, league: Any, site: Path, tmp_path: Path) -> None:
    """From .eml, mbox and Maildir alike; nothing is kept."""
    found = boxes(tmp_path)
    where = ("--site", str(site if with_site else tmp_path / "none"))
    lines = {kind: dry(league, *where, "mail", "read", str(path)) for kind, path in found.items()}
    assert [len(several) for several in lines.values()] == [1, 2, 2]
    for line in (one for several in lines.values() for one in several):
        assert tuple(line) == LINE
        assert all(set(order) == ORDER for order in line["orders"])
    anna, ben = lines["mbox"]
    assert [o["status"] for o in anna["orders"]] == ["understood", "mistake"]
    assert anna["orders"][0] == {"line": "nimm Paris", "status": "understood", "order": "take France", "reason": None}
    assert anna["orders"][1]["order"] is None
    assert "atlantis" in anna["orders"][1]["reason"].casefold()
    assert (anna["from"], anna["verdict"], anna["holds"]) == ("anna@example.org", "accepted", ["orders"])
    assert (ben["verdict"], ben["holds"]) == ("accepted", ["press"])
    assert (anna["league"], anna["seat"]) == (("spring", "s1") if with_site else (None, None))
    assert anna["text"].split("\n")[0] == "nimm Paris"
    for key in ("message_id", "from", "verdict", "holds", "orders", "text"):
        assert anna[key] == lines["eml"][0][key] == lines["maildir"][0][key]
    assert rows(site, "SELECT * FROM mail") == []


def test_every_sample_letter_gives_a_line(league: Any, tmp_path: Path) -> None:
    """Whatever people's programs write: one line, one verdict of the closed list."""
    files = sorted(LETTERS.glob("*.eml"))
    lines = [dry(league, "--site", str(tmp_path), "mail", "read", str(file))[0] for file in files]
    known = {"accepted", "ask", "late", "duplicate", "held", "quarantined", "rejected", "ignored", "bounce"}
    assert {line["verdict"] for line in lines} <= known | {"unreadable"}
    assert all(tuple(line) == LINE for line in lines)
    assert len(lines) > 60


class Pipe:
    """Standard input with these bytes in it."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


def test_a_pipe_is_silent_and_keeps_the_mail(site: Path, league: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 0 once the bytes are safe, whatever the verdict, and not a byte of output."""
    for content in (letter("Anna", "join Island"), letter("Gero", "take Paris"), b"", b"\xff garbage", b"\n"):
        monkeypatch.setattr(sys, "stdin", Pipe(content))
        monkeypatch.setattr("league.desk.inbox.read_mail.stdin", Pipe(content), raising=False)
        with pytest.raises(SystemExit) as ended:
            league("--site", str(site), "mail", "read", "-")
        assert ended.value.code == 0
    assert len(rows(site, "SELECT * FROM verdict")) == 5


@pytest.mark.parametrize("harm", ["no site", "no key", "no database", "bad settings"])
def test_a_pipe_in_trouble_asks_to_try_again(
    harm: str, site: Path, league: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """75: the mail server keeps the mail. Nothing is printed that would end up in a bounce."""
    if harm == "no key":
        (site / "secrets" / "site.key").unlink()
    elif harm == "no database":
        (site / "league.sqlite").write_bytes(b"nonsense" * 1000)
    elif harm == "bad settings":
        (site / "league.toml").write_text("[sight]\n")
    content = letter("Anna", "join Island")
    monkeypatch.setattr("league.desk.inbox.read_mail.stdin", Pipe(content), raising=False)
    where = site.parent / "nowhere" if harm == "no site" else site
    with pytest.raises(SystemExit) as ended:
        league("--site", str(where), "mail", "read", "-")
    assert ended.value.code == 75
    assert capsys.readouterr() == ("", "")


# ------------------------------------------------------------------ adjudicate

DOCUMENT: dict[str, Any] = {
    "game": "kuel",
    "options": {"battles": "reported"},
    "position": {
        "round": 12,
        "players": {
            "Anna": {"score": 40, "owns": ["spain", "france"]},
            "Ben": {"score": 30, "owns": ["portugal", "italy"]},
            "Carla": {"score": 20, "owns": ["sweden"]},
        },
        "markers": {
            "hungary": {"devastation": 2},
            "greece": {"civil_war": True},
            "france": {"collapse": {"payments_left": 2}},
            "poland": {"collapse": {"auction_rounds_left": 3}},
        },
        "newcomers": ["Dirk"],
    },
    "orders": [
        {"seat": "Carla", "received": "2024-01-10T10:00:00+01:00", "text": "take Norway\ntake Atlantis"},
        {"seat": "Ben", "received": "2024-01-10T11:00:00+01:00", "text": "attack Spain\nbid 5 Poland"},
        {"seat": "Ben", "received": "2024-01-10T12:00:00+01:00", "text": "attack Spain\nbid 7 Poland"},
        {"seat": "Dirk", "received": "2024-01-10T13:00:00+01:00", "text": "join Iceland"},
    ],
    "evidence": {"dax_close": "16.700,40", "dax_day": "2024-01-12", "lotto": [3, 9, 17, 25, 31, 48]},
}


def adjudicate(league: Any, tmp_path: Path, document: dict[str, Any], *args: str) -> dict[str, Any]:
    file = tmp_path / "case.json"
    file.write_text(json.dumps(document))
    code, out, err = league("adjudicate", "kuel", str(file), "--json", *args)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_an_outcome_so_far(league: Any, tmp_path: Path) -> None:
    """With a battle pending: the round's number stays, what is sure is shown, what waits has no fate."""
    found = adjudicate(league, tmp_path, DOCUMENT)
    assert {"position", "events", "orders", "pending"} <= found.keys()
    assert {"round", "players", "markers", "newcomers"} <= found["position"].keys()
    assert found["position"]["round"] == 12
    assert found["pending"] == [{"kind": "battle", "country": "spain", "fighters": ["Ben", "Anna"], "attempt": 1}]
    assert all({"type", "rule", "text"} <= event.keys() for event in found["events"])
    carla, replaced, ben, dirk = found["orders"]
    assert {key: carla[key] for key in ("seat", "received", "text")} == DOCUMENT["orders"][0]
    assert [line["fate"] for line in carla["lines"]] == ["done", "invalid"]
    assert all(set(line) == {"line", "fate", "reason", "rule"} for order in found["orders"] for line in order["lines"])
    assert (carla["fate"], replaced["fate"], ben["fate"], dirk["fate"]) == ("done", "lapsed", None, "done")
    assert "norway" in found["position"]["players"]["Carla"]["owns"]


def test_an_outcome_in_the_end(league: Any, tmp_path: Path) -> None:
    """With the result: one round further, markers counted down, the lost battle failed."""
    results = [{"country": "spain", "winner": "Anna", "attempt": 1}]
    found = adjudicate(league, tmp_path, {**DOCUMENT, "results": results})
    assert found["pending"] == []
    assert found["position"]["round"] == 13
    assert found["orders"][2]["fate"] == "failed"
    markers = found["position"]["markers"]
    assert markers["hungary"] == {"devastation": 1}
    assert markers["greece"] == {"civil_war": True}
    assert markers["france"] == {"collapse": {"payments_left": 1}}
    assert "poland" not in markers
    assert "poland" in found["position"]["players"]["Ben"]["owns"]
    assert found["position"]["players"]["Dirk"]["owns"] == ["iceland"]
    assert found["position"]["newcomers"] == []
    again = adjudicate(league, tmp_path, {"position": found["position"]})
    assert again["position"]["round"] == 14


def test_the_end_of_waiting_and_missing_figures(league: Any, tmp_path: Path) -> None:
    """`round.over` ends waiting for battles, never for figures: those stay pending."""
    over = adjudicate(league, tmp_path, {**DOCUMENT, "round": {"over": True}})
    assert over["pending"] == []
    without = {key: value for key, value in DOCUMENT.items() if key != "evidence"}
    waits = adjudicate(league, tmp_path, {**without, "round": {"over": True}})
    assert {"kind": "evidence", "figure": "dax_close"} in waits["pending"]
    assert {item["kind"] for item in waits["pending"]} == {"evidence"}


def test_results_that_fit_nothing(league: Any, tmp_path: Path) -> None:
    """A battle that doesn't happen: an event. A winner who didn't fight: an error with the line."""
    ignored = adjudicate(
        league,
        tmp_path,
        {**DOCUMENT, "results": [{"country": "turkey", "winner": "Anna"}]}
        | {"results": [{"country": "norway", "winner": "Anna", "attempt": 1}]},
    )
    assert [e["type"] for e in ignored["events"] if "result" in e["type"]]
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({**DOCUMENT, "results": [{"country": "spain", "winner": "Carla"}]}, indent=1))
    code, out, err = league("adjudicate", "kuel", str(file), "--json")
    assert (code, out) == (1, "")
    assert re.search(r"bad\.json:\d+: .*Carla", err)


def test_toml_and_json_say_the_same(league: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or standard input, one form or the other; and each language words events its own way."""
    toml = (ROOT / "tests" / "cases" / "kuel" / "K14-take-an-unoccupied-neighbour.toml").read_bytes()
    (tmp_path / "case.toml").write_bytes(toml)
    code, by_file, _ = league("adjudicate", "kuel", str(tmp_path / "case.toml"), "--json")
    assert code == 0
    monkeypatch.setattr(sys, "stdin", Pipe(toml))
    assert league("adjudicate", "kuel", "-", "--json")[1] == by_file
    texts = {
        lang: json.loads(league("adjudicate", "kuel", str(tmp_path / "case.toml"), "--json", "--lang", lang)[1])
        for lang in ("de", "en", "nl")
    }
    words = {lang: tuple(e["text"] for e in found["events"]) for lang, found in texts.items()}
    assert len(set(words.values())) == 3
    facts = [[{k: v for k, v in e.items() if k != "text"} for e in found["events"]] for found in texts.values()]
    assert facts[0] == facts[1] == facts[2]


# ------------------------------------------------------------------ cases run


def test_cases_that_agree_and_one_that_differs(league: Any, tmp_path: Path) -> None:
    """Exit code 1 and the difference by its path, if any differs."""
    good = ROOT / "tests" / "cases" / "kuel" / "K14-take-an-unoccupied-neighbour.toml"
    code, out, _ = league("cases", "run", "kuel", str(good), "--json")
    found = json.loads(out)
    assert (code, found["passed"], found["failed"]) == (0, 1, 0)
    text = good.read_text()
    (tmp_path / "bad.toml").write_text(text.replace('fate = "done"', 'fate = "failed"', 1))
    code, out, _ = league("cases", "run", "kuel", str(tmp_path), str(good), "--json")
    found = json.loads(out)
    assert (code, found["passed"], found["failed"]) == (1, 1, 1)
    (bad,) = (case for case in found["cases"] if not case["ok"])
    assert any("fate: expected 'failed', got 'done'" in line for line in bad["differences"])
    assert set(bad) == {"case", "title", "ok", "differences"}
    shown = league("cases", "run", "kuel", str(tmp_path))
    assert shown[0] == 1
    assert "1 cases, 1 differ" in shown[1]


def test_what_must_be_absent_and_lists_in_length(league: Any, tmp_path: Path) -> None:
    """`absent` names what must not be there; a list is compared in length too."""
    base = json.dumps({**DOCUMENT, "expect": {"absent": ["position.markers.greece"]}})
    (tmp_path / "a.json").write_text(base)
    (tmp_path / "b.json").write_text(json.dumps({**DOCUMENT, "expect": {"orders": [{"seat": "Carla"}]}}))
    (tmp_path / "c.json").write_text(json.dumps({**DOCUMENT, "expect": {"absent": ["position.markers.spain"]}}))
    code, out, _ = league("cases", "run", "kuel", str(tmp_path), "--json")
    assert code == 1
    assert [case["ok"] for case in json.loads(out)["cases"]] == [False, False, True]


# ------------------------------------------------------------------ draw explain

HEAD = "friday,dax_close,dax_day,eurusd,saturday,lotto,remark\n"
WEEKS = [  # the row; civil war; collapse
    ('2024-01-12,16704.56,2024-01-12,1.0942,2024-01-13,"3 11 17 20 24 43",', 4, 3),
    ('2024-01-19,"16.555,13",2024-01-19,1.0887,2024-01-20,"5 12 18 29 31 40",', 27, None),  # 55 → 27.5 down
    ('2022-09-30,12129.00,2022-09-30,0.9748,2022-10-01,"44 2 9 30 31 32",', 15, 2),  # 29 → 14.5 up
    ('2022-09-23,12299.99,2022-09-23,0.9884,2022-09-24,"1 2 3 4 5 6",', 25, None),  # 99 → 24.75 up
    ('2024-02-02,16999.99,2024-02-02,1.0883,2024-02-03,"1 2 3 4 5 6",', 24, None),  # 99 → 24.75 down
    ('2024-02-09,17000.00,2024-02-09,,2024-02-10,"33 44 29 30 31 32",', None, "world"),  # 00; no number under 29
    ('2024-03-29,18492.49,2024-03-28,,2024-03-30,"22 7 8 9 10 12",Good Friday', None, 22),
    ('2024-02-16,17128.00,2024-02-16,,2024-02-17,"30 28 22 1 2 3",', 28, 28),
    ('2024-02-23,17456.10,2024-02-23,,2024-02-24,"49 48 47 11 46 45",', 28, 11),  # 56 → 28
]


def test_weeks_are_explained_one_a_line(league: Any, tmp_path: Path) -> None:
    """Halving, rounding by the euro, 00, an exchange holiday, the world collapse: worked out by hand."""
    file = tmp_path / "weeks.csv"
    file.write_text(HEAD + "\n".join(row for row, _, _ in WEEKS) + "\n")
    code, out, err = league("draw", "explain", "kuel", "--csv", str(file), "--json-lines")
    assert (code, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [list(line) for line in lines] == [["friday", "civil_war", "collapse", "steps"]] * len(WEEKS)
    for line, (row, war, fall) in zip(lines, WEEKS, strict=True):
        assert line["friday"] == row[:10]
        assert (line["civil_war"], line["collapse"]) == (war, fall), row
        assert all(isinstance(step, str) and step for step in line["steps"])
    assert any("27.5" in step for step in lines[1]["steps"])


def test_options_change_what_weeks_make(league: Any, tmp_path: Path) -> None:
    """`lotto_order = sorted` and `rounding = each` are the league's choices (K46, K51)."""
    file = tmp_path / "weeks.csv"
    file.write_text(HEAD + '2024-02-02,16999.99,2024-02-02,0.99,2024-02-03,"24 22 3 4 5 6",\n')
    chosen = ("--option", "lotto_order=sorted", "--option", "rounding=each")
    plain = json.loads(league("draw", "explain", "kuel", "--csv", str(file), "--json-lines")[1])
    other = json.loads(league("draw", "explain", "kuel", "--csv", str(file), "--json-lines", *chosen)[1])
    assert (plain["civil_war"], plain["collapse"]) == (25, 24)
    assert (other["civil_war"], other["collapse"]) == (25, 3)  # 99 → 49.5 → 50 → 25


# ------------------------------------------------------------------ figures entered, a round resolved


def test_figures_entered_by_hand_resolve_the_round(site: Path, league: Any) -> None:
    """`draw enter`, then `run`; source and reason stand on the page."""
    for name, country in (("Anna", "Island"), ("Ben", "Portugal"), ("Carla", "France")):
        drop(site, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    run(site, at("2024-01-05 08:00"))
    drop(site, letter("Anna", "nimm London"), at("2024-01-10 10:00"))
    sunday = "2024-01-14T08:00:00Z"
    code, out, err = league("--site", str(site), "run", now=sunday)
    assert code == 0
    assert "waits for: evidence dax_close" in err
    enter = [part for key, value in WEEK_2.items() for part in (f"--{key.replace('_', '-')}", value)]
    told = ("--source", "Evening Herald", "--why", "no line")
    code, out, _ = league("--site", str(site), "draw", "enter", "spring", *enter, *told, "--json", now=sunday)
    assert code == 0
    assert [(f["figure"], f["day"], f["value"], f["status"]) for f in json.loads(out)] == [
        ("dax_close", "2024-01-12", "16704.56", "manual"),
        ("eurusd", "2024-01-12", "1.0942", "manual"),
        ("lotto", "2024-01-13", "3 11 17 20 24 43", "manual"),
    ]
    assert league("--site", str(site), "run", now=sunday)[0] == 0
    (record,) = (body for body in bodies(site) if body.get("round") == 2)
    assert {e["source"] for e in record["evidence"]} == {"Evening Herald"}
    page = (site / "public" / "spring" / "en" / "round-2.html").read_text()
    assert "Evening Herald" in page
    assert "no line" in page
    shown = json.loads(league("--site", str(site), "draw", "show", "spring", "--round", "2", "--json", now=sunday)[1])
    assert [f["value"] for f in shown["figures"]] == ["16704.56", "1.0942", "3 11 17 20 24 43"]


# ------------------------------------------------------------------ --json everywhere

PLAIN = [
    ("status", "status"),
    ("doctor", "doctor"),
    ("log", "log"),
    ("games list", "games list"),
    ("games show", "games show kuel"),
    ("games rules", "games rules kuel"),
    ("new", "new autumn --game kuel --start 2024-01-04"),
    ("player add", "player add spring Gero gero@example.org"),
    ("player list", "player list spring"),
    ("mail fetch", "mail fetch"),
    ("mail outbox", "mail outbox"),
    ("mail send", "mail send"),
    ("orders list", "orders list spring"),
    ("orders show", "orders show spring Anna --reveal"),
    ("draw show", "draw show spring"),
    ("round status", "round status spring"),
    ("round preview", "round preview spring --reveal"),
    ("publish", "publish"),
    ("run", "run"),
]


@pytest.mark.parametrize(("name", "written"), PLAIN)
def test_json_is_json_with_the_documented_keys(name: str, written: str, site: Path, league: Any) -> None:
    """`--json` prints one JSON value and nothing else on stdout, with at least the keys that docs/json.md lists."""
    drop(site, letter("Anna", "join Island"), at("2024-01-03 09:00"))
    run(site, at("2024-01-03 09:30"))
    code, out, _ = league("--site", str(site), *written.split(), "--json")
    assert code == 0
    found = json.loads(out)
    section = DOCS.read_text(encoding="utf-8").partition(f"### `league {name}`\n")[2].partition("\n###")[0]
    listed = re.search(r"`\{([^}]*)\}`", section)
    assert listed, f"docs/json.md doesn't say what league {name} prints"
    keys = [key.strip() for key in listed[1].split(",")]
    several = found if isinstance(found, list) else [found]
    assert several, "nothing to look at"
    for row in several:
        assert list(row) == keys
