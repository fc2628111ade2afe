"""Whatever a person gets wrong is one clear message and exit code 1 or 2, never a traceback."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from league.cli import main
from league.desk.aside import set_aside
from tests.desk.sites import add_league, at, copy, drop, figures, letter, opened, rows, run

NOW = "2024-01-03T10:00:00Z"
FRIDAY, SATURDAY, SUNDAY = "2024-01-12T20:00:00Z", "2024-01-13T21:00:00Z", "2024-01-14T08:00:00Z"
POSITION = """
[position]
round = 3

[position.players]
Anna = { score = 20, owns = ["france"] }
Ben = { score = 10, owns = ["portugal"] }
"""


class Told:
    """What a command line said; the test fails where the program was at fault."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *args: str, code: int = 1, now: str = NOW) -> str:
        found = main(["--now", now, *args])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        assert "a fault of the program" not in err, err
        assert found == code, err
        assert err.strip(), "it fails without a word"
        return err


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    return Told(capsys)


def in_site(path: Path) -> Callable[..., tuple[str, ...]]:
    return lambda *args: ("--site", str(path), *args)


# ------------------------------------------------------------------ league.toml


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Demo"', 'titel = "Demo"', r"league\.toml:(\d+): \[site\] has no key 'titel' .*nearest: title"),
        ('zone = "Europe/Berlin"', 'zone = "Europe/Berlim"', r"league\.toml:(\d+): zone = .*nearest: Europe/Berlin"),
        ("max_bytes = 1000000", 'max_bytes = "a lot"', r"league\.toml:(\d+): max_bytes = .* a whole number is needed"),
        ("max_bytes = 1000000", "max_bytes = 0", r"league\.toml:(\d+): max_bytes = 0 is too small"),
        ("index = false", "index = 2024-13-45", r"league\.toml:(\d+): this is not TOML"),
        ("index = false", "index = 2024-01-01", r"league\.toml:(\d+): index = .*date.*; true or false is needed"),
        ("[publish]", "[publisch]", r"league\.toml:(\d+): there is no table \[publisch\]; nearest: \[publish\]"),
        ('lang = "en"', 'lang = "fr"', r"league\.toml:(\d+): lang = \"fr\" is not a language"),
    ],
)
def test_a_bad_setting_is_told_with_line_and_nearest_key(old: str, new: str, said: str, bare: Path, told: Told) -> None:
    """File, line, the value and the nearest valid key, whatever command stumbles over it."""
    file = bare / "league.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    line = 1 + text[: text.index(old)].count("\n")
    for command in (("status",), ("run",)):
        error = told(*in_site(bare)(*command))
        found = re.search(said, error)
        assert found, error
        assert int(found[1]) == line


# ------------------------------------------------------------------ the clock, the site, the secrets


@pytest.mark.parametrize("command", [("run",), ("status",), ("round", "status", "spring"), ("publish",)])
def test_a_clock_behind_the_journal_is_refused(command: tuple[str, ...], spring: Path, told: Told) -> None:
    """No command may claim to be earlier than the last journalled act."""
    error = told(*in_site(spring)(*command), now="2024-01-01T08:59:59Z")
    assert "the clock says 2024-01-01T08:59:59Z, but the journal's last act is of 2024-01-01T09:00:00Z" in error


@pytest.mark.parametrize("now", ["tomorrow", "2024-01-03T10:00", "2024-13-01T00:00:00Z", ""])
def test_a_time_that_is_none(now: str, spring: Path, told: Told) -> None:
    """`--now` says its zone, or it is wrong usage."""
    assert "--now" in told(*in_site(spring)("status"), code=2, now=now)


def test_no_site_here(tmp_path: Path, told: Told) -> None:
    """The message says how to make one."""
    for command in (("run",), ("status",), ("log",), ("doctor",)):
        assert "is no site: there is no league.toml in it; make one with 'league init" in told(
            *in_site(tmp_path / "nothing")(*command)
        )


def test_a_site_is_made_once(spring: Path, told: Told) -> None:
    """`init` never writes over a site."""
    assert "is a site already" in told("init", str(spring))
    (spring.parent / "file").touch()
    assert "is not a folder" in told("init", str(spring.parent / "file"))


def _lost(path: Path) -> None:
    (path / "secrets" / "site.key").unlink()


def _open(path: Path) -> None:
    (path / "secrets" / "site.key").chmod(0o644)


def _garbled(path: Path) -> None:
    (path / "secrets" / "site.key").write_text("nonsense\n")


def _short(path: Path) -> None:
    (path / "secrets" / "site.key").write_text("aabb\n")


@pytest.mark.parametrize("harm", [_lost, _open, _garbled, _short])
def test_a_key_that_can_not_be_used(harm: Callable[[Path], None], spring: Path, told: Told) -> None:
    """Nothing is signed with what isn't the key; the message never holds what is in the file."""
    key = (spring / "secrets" / "site.key").read_text().strip()
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 09:00"))
    kept = copy(spring / "secrets", spring.parent / "kept")
    harm(spring)
    error = told(*in_site(spring)("run"))
    assert "site.key" in error
    assert key not in error
    assert "nonsense" not in error
    assert rows(spring, "SELECT * FROM verdict") == []
    shutil.rmtree(spring / "secrets")
    copy(kept, spring / "secrets")
    run(spring, at("2024-01-03 10:00"))  # with the key back nothing is lost
    assert rows(spring, "SELECT verdict FROM verdict") == [{"verdict": "accepted"}]


def test_a_key_that_may_not_be_read(spring: Path, told: Told) -> None:
    """The key's place is taken by a folder: told, not a traceback."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 09:00"))
    (spring / "secrets" / "site.key").unlink()
    (spring / "secrets" / "site.key").mkdir(mode=0o700)
    assert "site.key" in told(*in_site(spring)("run"))


@pytest.mark.parametrize("harm", ["header", "middle", "text", "empty tables"])
def test_a_damaged_database(harm: str, spring: Path, told: Told) -> None:
    """A file that is no database any more: one message that says what to do."""
    file = spring / "league.sqlite"
    content = bytearray(file.read_bytes())
    if harm == "header":
        content[:4096] = os.urandom(4096)
    elif harm == "middle":
        content[4096:] = os.urandom(len(content) - 4096)
    elif harm == "text":
        content = bytearray(b"this was a database once\n" * 100)
    else:
        content = content[: len(content) // 3]
    file.write_bytes(content)
    error = told(*in_site(spring)("run"))
    assert "league.sqlite" in error
    assert "backup" in error


# ------------------------------------------------------------------ new leagues and players


NEW = ("new", "autumn", "--game", "kuel", "--start", "2024-01-04")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (
            ("new", "autumn", "--game", "kuhl", "--start", "2024-01-04"),
            1,
            "no game 'kuhl' is installed; nearest is 'kuel'",
        ),
        ((*NEW, "--option", "batles=drawn"), 1, "no option 'batles'; nearest is 'battles'"),
        ((*NEW, "--option", "battles=maybe"), 1, "option.battles is 'maybe'"),
        ((*NEW, "--option", "preset=hard"), 1, "preset is 'hard'; there are classic, gentle"),
        ((*NEW, "--option", "civil_war_rounds=-1"), 1, "a whole number from 0 to"),
        ((*NEW, "--option", "battles"), 2, "write it like"),
        ((*NEW, "--deadline", "friday 18:00"), 1, "so the deadline with its grace must be earlier"),
        ((*NEW, "--deadline", "friday 08:50"), 1, "so the deadline with its grace must be earlier"),
        ((*NEW, "--deadline", "someday"), 1, "write it like 'thursday 24:00'"),
        ((*NEW, "--zone", "Europe/Berlim"), 1, "is no time zone"),
        ((*NEW, "--grace-minutes", "a few"), 2, "--grace-minutes"),
        (("new", "autumn", "--game", "kuel", "--start", "4.1.2024"), 2, "--start"),
        (("new", "autumn", "--game", "kuel", "--start", "2023-12-01"), 1, "would have closed on"),
        (("new", "Autumn!", "--game", "kuel", "--start", "2024-01-04"), 1, "'Autumn!' can't name a league"),
        (("new", "../up", "--game", "kuel", "--start", "2024-01-04"), 1, "can't name a league"),
        (("new", "x" * 41, "--game", "kuel", "--start", "2024-01-04"), 1, "can't name a league"),
        (("new", "public", "--game", "kuel", "--start", "2024-01-04"), 1, "can't name a league"),
        (("new", "spring", "--game", "kuel", "--start", "2024-01-04"), 1, "spring"),
        (("player", "add", "spring", "Anna", "anna2@example.org"), 1, "name 'Anna' is taken"),
        (("player", "add", "spring", "Anne", "anna@example.org"), 1, "anna@example.org"),
        (("player", "add", "spring", "Gero", "no address"), 1, "is not a mail address like"),
        (("player", "add", "spring", "Gero", "a@b@example.org"), 1, "is not a mail address like"),
        (("player", "add", "spring", "Ge\nro", "gero@example.org"), 1, "use one line"),
        (("player", "add", "spring", "Gero", "gero@example.org", "--zone", "Mars"), 1, "is no time zone"),
        (("player", "add", "spring", "Gero", "gero@example.org", "--lang", "fr"), 2, "--lang"),
        (
            ("player", "add", "sprung", "Gero", "gero@example.org"),
            1,
            "no league 'sprung' on this site; there are: spring",
        ),
        (("round", "status", "sprung"), 1, "no league 'sprung'"),
        (("publish", "sprung"), 1, "no league 'sprung'"),
        (("orders", "show", "spring", "Gero"), 1, "nobody called 'Gero' plays in spring; there are Anna, Ben, Carla"),
        (("orders", "show", "spring", "Anna"), 1, "are sealed until the report; --reveal opens them"),
        (("round", "preview", "spring"), 1, "its orders are sealed"),
        (("round", "resolve", "spring"), 1, "is open until"),
        (("draw", "show", "spring", "--round", "99"), 1, "no round 99"),
        (("orders", "check", "spring", "nowhere.txt"), 1, "nowhere.txt"),
        (("mail", "read", "nowhere.eml"), 1, "nowhere.eml: no such file or folder"),
        (("frobnicate",), 2, "No such command 'frobnicate'; nearest:"),
    ],
)
def test_what_can_not_be_is_refused(args: tuple[str, ...], code: int, said: str, spring: Path, told: Told) -> None:
    """One message that names what is wrong and what would be right; nothing is stored."""
    before = rows(spring, "SELECT count(*) AS n FROM journal")
    assert said in told(*in_site(spring)(*args), code=code)
    assert rows(spring, "SELECT count(*) AS n FROM journal") == before


# ------------------------------------------------------------------ figures by hand

WHY = ("--source", "paper", "--why", "test")
CLOSE = ("--dax-close", "16704.56", "--dax-day", "2024-01-12")
LOTTO = ("--lotto", "3 11 17 20 24 43", "--lotto-day", "2024-01-13")


@pytest.mark.parametrize(
    ("args", "now", "code", "said"),
    [
        (LOTTO, FRIDAY, 1, "that day hasn't come yet"),
        (("--dax-close", "16704.56", "--dax-day", "2024-01-11"), SATURDAY, 1, "say so with --holiday"),
        (("--dax-close", "a lot", "--dax-day", "2024-01-12"), SATURDAY, 1, "a lot"),
        (("--dax-close", "16704.56"), SATURDAY, 1, "dax_day"),
        (("--dax-close", "", "--dax-day", "2024-01-12"), SATURDAY, 1, "dax_close"),
        ((*CLOSE, "--eurusd", "zero"), SATURDAY, 1, "eurusd"),
        ((*CLOSE, "--eurusd", "-1"), SATURDAY, 1, "eurusd"),
        (("--lotto", "3 11 17", "--lotto-day", "2024-01-13"), SUNDAY, 1, "lotto"),
        (("--lotto", "3 3 11 17 20 24", "--lotto-day", "2024-01-13"), SUNDAY, 1, "lotto"),
        (("--lotto", "3 11 17 20 24 50", "--lotto-day", "2024-01-13"), SUNDAY, 1, "lotto"),
        (("--lotto", "3 11 17 20 24 43", "--lotto-day", "2024-01-12"), SUNDAY, 1, "lotto_day is 2024-01-12, a Friday"),
        (("--lotto", "3 11 17 20 24 43", "--lotto-day", "yesterday"), SUNDAY, 1, "yesterday"),
        ((), SUNDAY, 1, "no figure given"),
    ],
)
def test_a_figure_that_can_not_be(
    args: tuple[str, ...], now: str, code: int, said: str, spring: Path, told: Told
) -> None:
    """Days to come, a wrong weekday, a Thursday's close without --holiday, garbage: refused, and nothing is stored."""
    assert said in told(*in_site(spring)("draw", "enter", "spring", *args, *WHY), now=now, code=code)
    assert rows(spring, "SELECT * FROM evidence") == []


def test_a_figure_needs_its_source_and_a_reason(spring: Path, told: Told) -> None:
    """Both are shown on the page."""
    assert "--why" in told(*in_site(spring)("draw", "enter", "spring", *CLOSE, "--source", "x"), code=2, now=SUNDAY)
    blank = ("--source", " ", "--why", "x")
    assert "--source" in told(*in_site(spring)("draw", "enter", "spring", *CLOSE, *blank), now=SUNDAY)


def test_a_figure_that_stands_is_not_changed_in_passing(spring: Path, told: Told) -> None:
    """The same again is fine, another value is refused."""
    figures(spring, at("2024-01-14 07:00"))
    args = ("draw", "enter", "spring", "--dax-close", "16705.00", "--dax-day", "2024-01-12", *WHY)
    assert "is 16704.56 already" in told(*in_site(spring)(*args), now=SUNDAY)


def test_a_result_for_a_round_without_battles(spring: Path, told: Told) -> None:
    """Between freeze and report only; a battle that isn't fought has no result."""
    assert "no round of spring is being evaluated" in told(
        *in_site(spring)("result", "enter", "spring", "Paris", "Anna")
    )


def test_a_new_league_beside_a_running_one_is_no_trouble(spring: Path) -> None:
    """The refusals above aren't refusals of everything."""
    add_league(spring, "autumn", ("Dirk",))
    run(spring, at("2024-01-03 10:00"))
    assert len(rows(spring, "SELECT * FROM league")) == 2


# ------------------------------------------------------------------ files for adjudicate and cases


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[position]\nround = = 3\n", r"bad\.toml:2: no valid TOML"),
        ('{"position": {"round": 3},\n "orders": [}\n', r"bad\.toml:2: no valid JSON"),
        ("[1, 2]", r"bad\.toml:1: "),
        ("", r"position is missing"),
        (POSITION.replace("france", "atlantis"), r"bad\.toml:6: .*atlantis"),
        (POSITION.replace("portugal", "france"), r"bad\.toml:\d: .*france"),
        (POSITION + '\n[[orders]]\nseat = "Gero"\ntext = "pass"\n', r"bad\.toml:10: orders\[0\]\.seat: no 'Gero'"),
        (POSITION + '\n[[orders]]\nseat = "Anne"\ntext = "pass"\n', r"nearest is 'Anna'"),
        (POSITION + "\n[[orders]]\ntext = 3\n", r"bad\.toml:9: orders\[0\] needs seat and text"),
        (
            POSITION + '\n[[orders]]\nseat="Anna"\ntext = "pass"\nrecieved = 1\n',
            r"no key 'recieved'; nearest is 'received'",
        ),
        (POSITION + '\n[evidence]\ndax_close = "16704.56"\n', r"bad\.toml:\d+: .*dax_day"),
        (POSITION + '\n[evidence]\ndax_close = ""\ndax_day = "2024-01-12"\n', r"bad\.toml:10: evidence\.dax_close"),
        (
            POSITION + '\n[evidence]\nlotto = [1, 2, 3, 4, 5]\nlotto_day = "2024-01-13"\n',
            r"bad\.toml:10: evidence\.lotto",
        ),
        (POSITION + '\n[evidence]\ndax = "1"\n', r"bad\.toml:\d+: evidence: no key 'dax'"),
        (POSITION + '\n[options]\nbatles = "drawn"\n', r"no option 'batles'; nearest is 'battles'"),
        (POSITION + '\n[[results]]\ncountry = "france"\n', r"bad\.toml:9: results\[0\]\.winner is missing"),
        ('game = "chess"\n' + POSITION, r"bad\.toml:1: game is 'chess', but this is a command for 'kuel'"),
        ('rules = "kuel-9"\n' + POSITION, r"bad\.toml:1: rules: no version 'kuel-9'; there are kuel-1"),
        ("postion = 3\n" + POSITION, r"bad\.toml:\d+: the file: no key 'postion'; nearest is 'position'"),
        ("position = 3\n", r"bad\.toml:1: position is 3; a table is needed"),
    ],
)
def test_a_bad_adjudication_file_is_told_with_its_line(text: str, said: str, tmp_path: Path, told: Told) -> None:
    """File and line of what is wrong, and what would be right."""
    file = tmp_path / "bad.toml"
    file.write_text(text)
    error = told("adjudicate", "kuel", str(file), "--json")
    assert re.search(said, error), error


def test_every_fault_of_a_position_is_listed(tmp_path: Path, told: Told) -> None:
    """An unknown country, a country of two owners and a score that is none: all three, each with its line."""
    file = tmp_path / "bad.toml"
    file.write_text(
        "[position]\nround = 3\n\n[position.players]\n"
        'Anna = { score = "many", owns = ["france"] }\n'
        'Ben = { score = 10, owns = ["atlantis", "spain"] }\n'
        'Carla = { score = 10, owns = ["spain"] }\n'
    )
    error = told("adjudicate", "kuel", str(file))
    lines = [line for line in error.splitlines() if "bad.toml:" in line]
    assert len(lines) >= 3
    for word, number in (("many", 5), ("atlantis", 6)):
        assert any(word in line and f"bad.toml:{number}:" in line for line in lines), error
    assert any("spain is owned twice, by Ben and Carla" in line for line in lines), error


@pytest.mark.parametrize("command", [("adjudicate", "kuel"), ("cases", "run", "kuel")])
def test_a_file_that_is_not_there_or_no_text(command: tuple[str, ...], tmp_path: Path, told: Told) -> None:
    """The name of the file is in the message."""
    assert "none.toml" in told(*command, str(tmp_path / "none.toml"))
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00bad")
    code = 2 if command[0] == "adjudicate" else 1
    assert "x.toml" in told(*command, str(tmp_path / "x.toml"), code=code)


def test_a_case_without_expectation(tmp_path: Path, told: Told) -> None:
    """What should come out has to be said."""
    (tmp_path / "case.toml").write_text(POSITION)
    assert "case.toml:1: there is no [expect] table" in told("cases", "run", "kuel", str(tmp_path / "case.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("friday,dax_close\n2024-01-12,1\n", r"weeks\.csv:1: there is no column dax_day; needed are friday,"),
        (
            "friday,dax_close,dax_day,eurusd,saturday,lotto\n2024-01-12,16704.56,2024-01-12,1.09,2024-01-13,1 2 3\n",
            r"weeks\.csv:2: ",
        ),
        (
            "friday,dax_close,dax_day,eurusd,saturday,lotto\n12.1.24,16704.56,2024-01-12,1.09,2024-01-13,1 2 3 4 5 6\n",
            r"weeks\.csv:2: ",
        ),
        ("", r"weeks\.csv:1: "),
    ],
)
def test_a_bad_table_of_weeks(text: str, said: str, tmp_path: Path, told: Told) -> None:
    """File and line of the row."""
    file = tmp_path / "weeks.csv"
    file.write_text(text)
    error = told("draw", "explain", "kuel", "--csv", str(file), "--json-lines")
    assert re.search(said, error), error


def test_an_inbox_that_is_gone(spring: Path, told: Told) -> None:
    """The Maildir was removed: said, and nothing else is done."""
    shutil.rmtree(spring / "mail" / "in")
    assert "mail/in" in told(*in_site(spring)("run"))


def test_a_template_of_the_site_that_can_not_be_rendered(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order counts and is answered, the line to be mended is named, and the run ends with 1, so that cron tells."""
    folder = spring / "templates" / "mail"
    folder.mkdir(parents=True)
    (folder / "receipt.txt").write_text("Subject\n\n{{ nobody.knows.this }}\n")
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 09:00"))
    drop(spring, letter("Ben", "nothing readable"), at("2024-01-03 09:00"))
    assert main(["--now", NOW, "--site", str(spring), "run"]) == 1
    out, err = capsys.readouterr()
    assert "1 accepted, 1 ask" in out
    assert "trouble: templates/mail/receipt.txt:3: 'nobody' is undefined; mend this file" in err
    assert not list(spring.glob("fault-*.txt"))


def test_a_fault_of_the_program_is_set_aside(spring: Path) -> None:
    """A sentence for the organizer, and a file of his alone with what its makers need; `doctor` has it too."""
    site = opened(spring, at("2024-01-03 09:00"))
    with pytest.raises(ZeroDivisionError) as caught:
        divmod(1, 0)
    told = set_aside(site, "round 1", caught.value)
    site.engine.dispose()
    (file,) = spring.glob("fault-*.txt")
    assert told == f"a fault of the program (ZeroDivisionError); see {file}"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "Traceback" in file.read_text()
    assert main(["--now", NOW, "--site", str(spring), "doctor"]) == 1
