import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from league import failpoints, i18n, resources, settings
from league.cli import COMMANDS, Context, Lazy, cli, common, main
from league.cli.common import Instant, accept_globals, emit, example, pass_context, read_text, say
from league.core.errors import BadInput, Refused

ROOT = Path(__file__).parent.parent
HEAVY = (
    "sqlmodel",
    "sqlalchemy",
    "jinja2",
    "requests",
    "pandas",
    "yfinance",
    "babel",
    "alembic",
    "cryptography",
    "icalendar",
    "resvg_py",
    "PIL",
)


def python(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, in the checkout."""
    return subprocess.run(
        [sys.executable, *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
    )


# ------------------------------------------------------------------ the command line


def test_help_imports_nothing_heavy() -> None:
    """`league --help` is shown without the libraries that commands need, and without any command."""
    program = (
        "import sys; from league.cli import main; main(['--help']); print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    answer = python("-c", program)
    assert answer.stdout.startswith("Usage: league ")
    loaded = set(answer.stderr.split())
    assert not loaded & set(HEAVY)
    assert not loaded & {entry.module for entry in COMMANDS.values()}


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")
def test_help_needs_little_memory() -> None:
    """`league --help` takes at most 24 MB."""
    program = (
        "import sys; from league.cli import main; main(['--help']); sys.stderr.write(open('/proc/self/status').read())"
    )
    told = python("-c", program).stderr
    assert int(told.split("VmHWM:")[1].split()[0]) <= 24 * 1024


def commands(command: click.Command, path: str = "league") -> Iterator[tuple[str, click.Command]]:
    """A command and all below it, hidden ones left out."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            if not inner.hidden:
                yield from commands(inner, f"{path} {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_that_ends_with_an_example(name: str) -> None:
    """Whoever asks `-h` learns what a command does, and sees it used."""
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, click.Command)
    for path, inner in commands(command, f"league {name}"):
        answer = CliRunner().invoke(cli, [*path.split()[1:], "-h"], prog_name="league")
        assert answer.exit_code == 0, path
        assert inner.help, f"{path} doesn't say what it does"
        about, _, shown = answer.output.rpartition("Example:\n")
        assert about, f"{path} has no example"
        lines = [line.strip() for line in shown.strip().splitlines()]
        assert all(lines), f"{path} has something after its example"
        assert path in shown, f"the example of {path} doesn't use it"


def test_a_misspelt_command_is_told_the_nearest() -> None:
    """`league mial` ends with 2 and names `mail`."""
    answer = CliRunner().invoke(cli, ["mial"])
    assert answer.exit_code == 2
    assert "No such command 'mial'; nearest: mail." in answer.output


def test_version_is_that_of_the_project() -> None:
    """`league --version` says what pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    answer = CliRunner().invoke(cli, ["--version"])
    assert answer.output == f"league {project['version']}\n"


def test_names_of_commands_are_completed_without_importing_them() -> None:
    """The shell asks at every tab, so completion goes by the table alone."""
    answer = python("-m", "league", _LEAGUE_COMPLETE="bash_complete", COMP_WORDS="league ad", COMP_CWORD="1")
    assert answer.stdout == "plain,adjudicate\n"


@click.group(epilog=example("league probe show"))
def probe() -> None:
    """A group for the tests of the command line."""


@probe.command()
@pass_context
def show(context: Context) -> None:
    """Print the global options."""
    emit([str(context.site), str(context.now), context.lang, context.verbose, context.quiet], as_json=True, text="")
    say(context, "told")
    say(context, "detail", detail=True)


@probe.command()
@click.option("--lang")
@pass_context
def own(context: Context, lang: str) -> None:
    """A command that has an option of the same name itself."""
    emit([context.lang, lang], as_json=True, text="")


@probe.command()
@click.argument("kind")
def fail(kind: str) -> int:
    """End in one of the ways in which a command ends."""
    match kind:
        case "refused":
            message = "Not now."
            raise Refused(message)
        case "bad":
            message = "wrong\nother.toml:9: wrong too"
            raise BadInput(message, "league.toml:3")
        case "interrupt":
            raise KeyboardInterrupt
        case "usage":
            message = "Not so."
            raise click.UsageError(message)
        case "pipe":
            raise BrokenPipeError
        case "code":
            return 75
        case _:
            raise ZeroDivisionError(kind)


@pytest.fixture(autouse=True)
def _with_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli.commands, "probe", accept_globals(probe) if not probe.params else probe)
    monkeypatch.setitem(COMMANDS, "probe", COMMANDS["log"])
    monkeypatch.delenv("LEAGUE_SITE", raising=False)


@pytest.mark.parametrize(
    "args",
    [
        "--site x --now 2026-01-08T23:59:00+01:00 --lang nl -v probe show",
        "probe --site x --now 2026-01-08T22:59:00Z --lang nl -v show",
        "probe show --site x --now 2026-01-08T22:59:00Z --lang nl --verbose",
        "--lang de --site y probe --lang en show --site x --now 2026-01-08T22:59Z --lang nl -v",
    ],
)
def test_global_options_stand_anywhere(args: str) -> None:
    """Before the command or after it: they mean the same, and the last one counts."""
    answer = CliRunner().invoke(cli, args.split())
    assert json.loads(answer.stdout) == ["x", "2026-01-08 22:59:00+00:00", "nl", True, False]
    assert answer.stderr == "told\ndetail\n"


def test_without_global_options_the_site_is_here() -> None:
    """The defaults leave language and clock to the settings and the desk."""
    answer = CliRunner().invoke(cli, ["probe", "show"])
    assert json.loads(answer.stdout) == [".", "None", None, False, False]
    assert answer.stderr == "told\n"


def test_the_environment_names_the_site_unless_an_option_does() -> None:
    """$LEAGUE_SITE counts where no --site stands, wherever that stands."""
    for args, site in (([], "env"), (["--site", "x"], "x")):
        answer = CliRunner().invoke(cli, ["probe", "show", *args], env={"LEAGUE_SITE": "env"})
        assert json.loads(answer.stdout)[0] == site


def test_quiet_keeps_the_answer_and_drops_the_talk() -> None:
    """--quiet is for stderr; data is data."""
    answer = CliRunner().invoke(cli, ["--quiet", "probe", "show"])
    assert json.loads(answer.stdout)[4] is True
    assert answer.stderr == ""


def test_an_own_option_of_a_command_goes_before_the_global_one() -> None:
    """`--lang` of a player is not the language of the answer."""
    answer = CliRunner().invoke(cli, ["--lang", "de", "probe", "own", "--lang", "nl"])
    assert json.loads(answer.stdout) == ["de", "nl"]


@pytest.mark.parametrize(
    ("given", "said"),
    [("tomorrow", "'tomorrow' is not a time"), ("2026-01-08T22:59", "names no time zone; write 2026-01-08T22:59Z")],
)
def test_a_time_says_its_zone(given: str, said: str) -> None:
    """--now is refused where the instant would have to be guessed."""
    with pytest.raises(click.BadParameter, match=said):
        Instant().convert(given, None, None)


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [
        ("refused", 1, "Error: Not now.\n"),
        ("bad", 1, "Error: league.toml:3: wrong\nother.toml:9: wrong too\n"),
        ("interrupt", 130, "\n"),
        ("code", 75, ""),
    ],
)
def test_a_command_ends_with_its_code(kind: str, code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Trouble that can be told is one message on stderr, and the exit code says which kind it was."""
    assert main(["probe", "fail", kind]) == code
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", said)


def test_wrong_usage_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    """Usage is click's own, with the line that shows how."""
    assert main(["probe", "fail", "usage"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("Usage: league probe fail")
    assert told.endswith("Error: Not so.\n")


@pytest.mark.parametrize("site", [True, False])
def test_a_fault_of_the_program_is_written_down(
    site: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback on the screen: it lies in a file that only its owner can read, in the site or the temp folder."""
    home, temp = tmp_path / "site", tmp_path / "temp"
    home.mkdir()
    temp.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temp))
    if site:
        (home / "league.toml").touch()
    assert main(["probe", "fail", "other", "--site", str(home)]) == 1
    (file,) = (home if site else temp).glob("league-fault-*.txt")
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"a fault of the program (ZeroDivisionError), not yours. What happened is written down in {file}" in told
    assert "ZeroDivisionError: other" in file.read_text(encoding="utf-8")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_command_that_can_not_be_imported_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A broken installation is told like any other fault."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setitem(COMMANDS, "gone", COMMANDS["log"]._replace(module="league.cli.gone"))
    assert main(["gone"]) == 1
    assert "a fault of the program (ModuleNotFoundError)" in capsys.readouterr().err


def test_verbose_shows_the_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """-v is for whoever mends the program."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["-v", "probe", "fail", "other"]) == 1
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    """`league ... | head -1` ends quietly."""
    program = (
        "import click, league.cli as c\n"
        "@click.command()\ndef much():\n    for n in range(100000): click.echo(n)\n"
        "c.COMMANDS['much'] = c.COMMANDS['log']; c.cli.commands['much'] = much\n"
        "raise SystemExit(c.main(['much']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_a_file_that_is_no_text_is_wrong_usage(tmp_path: Path) -> None:
    """A missing or binary file given to a command is told with its name."""
    with pytest.raises(click.FileError) as caught:
        read_text(str(tmp_path / "none.toml"))
    assert caught.value.format_message() == f"Could not open file '{tmp_path}/none.toml': No such file or directory"
    (tmp_path / "picture").write_bytes(b"\xff\xd8")
    with pytest.raises(click.UsageError, match="is not UTF-8"):
        read_text(str(tmp_path / "picture"))


def test_the_group_is_lazy() -> None:
    """Every command is in the table, none is imported with the group."""
    assert isinstance(cli, Lazy)
    assert all(entry.module == f"league.cli.{name}" for name, entry in COMMANDS.items() if name != "probe")


# ------------------------------------------------------------------ bundled files, failpoints


@pytest.mark.parametrize("name", ["templates", "config"])
def test_bundled_folders_are_found_in_the_checkout(name: str) -> None:
    """Without a wheel they lie beside the package."""
    assert Path(str(resources.bundled(name))) == ROOT / name
    with resources.on_disk(resources.bundled(name)) as folder:
        assert folder.is_dir()


def test_tables_of_a_game_are_its_config_files() -> None:
    """Parsed by file name, fractions exact."""
    tables = resources.tables("league.games.kuel")
    files = {file.stem: file for file in (ROOT / "config" / "kuel").glob("*.toml")}
    assert tables.keys() == files.keys()
    assert tables["board"] == tomllib.loads(files["board"].read_text(encoding="utf-8"), parse_float=Decimal)


def test_a_plug_in_brings_its_own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game from elsewhere keeps `config/` in its package; a broken file is told by name."""
    package = tmp_path / "foreign_game"
    (package / "config").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "config" / "board.toml").write_text("share = 0.1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert resources.tables("foreign_game") == {"board": {"share": Decimal("0.1")}}
    (package / "config" / "board.toml").write_text("share = \n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"board\.toml"):
        resources.tables("foreign_game")


def test_a_game_without_tables_has_none() -> None:
    """A game that needs no files leaves the folder out."""
    assert resources.tables("league.core") == {}


@pytest.mark.parametrize(
    ("failpoint", "lines", "code"), [("", 3, 0), ("seal.before_commit", 0, 137), ("seal.before_commit:3", 2, 137)]
)
def test_a_failpoint_kills_at_the_visit_that_is_named(failpoint: str, lines: int, code: int) -> None:
    """The process is gone at once; nothing is cleaned up."""
    program = (
        "import atexit, league.failpoints as f\natexit.register(print, 'cleaned up')\n"
        "for n in range(3): f.reach('seal.after_commit'); f.reach('seal.before_commit'); print(n, flush=True)"
    )
    answer = python("-c", program, LEAGUE_FAILPOINT=failpoint)
    assert answer.returncode == code
    assert len(answer.stdout.split("\n")) - 1 == lines + (code == 0)
    assert ("cleaned up" in answer.stdout) is (code == 0)


def test_an_unknown_failpoint_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt name would otherwise be a crash test that never crashes."""
    with pytest.raises(LookupError, match=r"'seal\.never' is not in"):
        failpoints.reach("seal.never")
    monkeypatch.setenv("LEAGUE_FAILPOINT", "seal.nowhere")
    with pytest.raises(LookupError, match=r"'seal\.nowhere' is not in"):
        failpoints.reach("seal.before_commit")


def test_every_failpoint_is_reached_somewhere() -> None:
    """The list names only places that exist."""
    source = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "league").rglob("*.py"))
    reached = set(re.findall(r"reach\(\s*\"([a-z_.]+)\"", source))
    steps = re.findall(r"database\.write\(site\.engine, \"([a-z]+)\"\)", source)  # each commit has two
    reached |= {f"{step}.{side}" for step in steps for side in ("before_commit", "after_commit")}
    assert reached == set(failpoints.FAILPOINTS)


# ------------------------------------------------------------------ the tests themselves


@pytest.mark.parametrize(
    ("require", "outcome"),
    [("1", {"failed": 1, "errors": 1, "passed": 1, "xfailed": 1}), ("", {"skipped": 2, "passed": 1, "xfailed": 1})],
)
def test_a_skipped_test_fails_where_all_must_run(
    require: str, outcome: dict[str, int], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under LEAGUE_REQUIRE_ALL=1 nothing is skipped in silence; an expected failure isn't a skip."""
    monkeypatch.setenv("LEAGUE_REQUIRE_ALL", require)
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile("""
        import pytest
        def test_runs(): pass
        def test_skips(): pytest.skip("no database")
        @pytest.mark.skip(reason="never")
        def test_is_marked(): pass
        @pytest.mark.xfail
        def test_fails(): assert False
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-rA")
    result.assert_outcomes(**outcome)
    result.stdout.fnmatch_lines(["*no database*"])


def test_a_skipped_file_fails_where_all_must_run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving out a whole file is told as well."""
    monkeypatch.setenv("LEAGUE_REQUIRE_ALL", "1")
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile('import pytest\npytest.importorskip("no_such_library")')
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*LEAGUE_REQUIRE_ALL=1 wants every test to run*no_such_library*"])


def test_every_test_says_what_it_proves() -> None:
    """A test's docstring is the sentence it proves."""
    silent = [
        f"{file.relative_to(ROOT)}:{node.lineno} {node.name}"
        for file in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_all_rooms_speak_the_same_languages() -> None:
    """The settings, the command line and the catalogs mean the same three."""
    assert set(i18n.LANGS) == set(settings.LANGUAGES) == set(common.LANGUAGES)


# ------------------------------------------------------------------ rules named by tests, catalogs


@pytest.fixture
def small_house(tmp_path: Path) -> Path:
    """A project with one game of four rules."""
    for folder in ("docs/games", "tests/cases/chess", "tools"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs/games/chess-rules.md").write_text(
        "- R1 one\n- R2 (seed) two\n- R3 three\n  - R9 no\n- R4 four: R1\n"
    )
    (tmp_path / "tests/test_a.py").write_text(
        'LATER = {"R3"}\ndef test_r4a(): ""\ndef test_a(): "R1, but not XR3 nor R33."'
    )
    (tmp_path / "tests/helper.py").write_text("# R3")
    (tmp_path / "tests/cases/chess/r2-castling.toml").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("later", "said"),
    [
        ('chess = ["R3", "R4"]', []),
        ('chess = ["R3"]', ["chess: no test names R4"]),
        ('chess = ["R2", "R3", "R4"]', ["chess: R2 is named by a test; take it off tools/rules_later.toml"]),
        ('chess = ["R3", "R4", "R7"]', ["chess: tools/rules_later.toml lists R7, which is no rule"]),
        ('chess = ["R3", "R4"]\ngo = []', ["tools/rules_later.toml lists go, which has no rules in docs/games"]),
    ],
)
def test_a_rule_that_no_test_names_is_listed(later: str, said: list[str], small_house: Path) -> None:
    """Only rules on the list of later ones may go without a test, and only as long as they do."""
    (small_house / "tools/rules_later.toml").write_text(later)
    answer = python("tools/rules_named.py", str(small_house))
    assert answer.returncode == (1 if said else 0)
    assert [line for line in answer.stdout.splitlines() if "tests of these rules come later" not in line] == (
        said or ["Every other rule is named by a test."]
    )


GERMAN = 'msgid "%(who)s moves."\nmsgstr "%(who)s zieht."\n'


@pytest.mark.parametrize(
    ("german", "said"),
    [
        (GERMAN, []),
        ('msgid "%(who)s moves."\nmsgstr ""\n', ["de: not translated: '%(who)s moves.'"]),
        (f"#, fuzzy\n{GERMAN}", ["de: fuzzy: '%(who)s moves.'"]),
        ("", ["de: not in the catalog: '%(who)s moves.'"]),
        (f'{GERMAN}\nmsgid "Stop."\nmsgstr "Halt."\n', ["de: no longer used: 'Stop.'"]),
        (
            'msgid "%(who)s moves."\nmsgstr "%(wer)s zieht."\n',
            [
                "de: other placeholders than its source: '%(who)s moves.'",
                "de: a placeholder that nobody fills: '%(who)s moves.'",
            ],
        ),
    ],
)
def test_missing_words_are_listed(german: str, said: list[str], tmp_path: Path) -> None:
    """Nothing is said in a template that a player could get in the wrong language."""
    for folder in ("templates", "league", "tools"):
        (tmp_path / folder).mkdir()
    (tmp_path / "templates/a.jinja").write_text("{% trans %}{{ who }} moves.{% endtrans %}")
    tool = tmp_path / "tools/catalogs.py"
    tool.write_text((ROOT / "tools/catalogs.py").read_text(encoding="utf-8"))
    assert python(str(tool), "extract").returncode == 0
    for lang, text in (("de", german), ("nl", 'msgid "%(who)s moves."\nmsgstr "%(who)s zet."\n')):
        (tmp_path / "league/locales" / lang / "LC_MESSAGES/league.po").write_text(text)
    answer = python(str(tool), "check")
    assert answer.stdout.splitlines() == (said or ["catalogs are complete"])
    assert answer.returncode == (1 if said else 0)


# ------------------------------------------------------------------ the lock


def test_the_lock_names_every_library_and_no_registry() -> None:
    """What pyproject.toml asks for is locked with hashes, and the lock is good wherever the libraries come from."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index|--find-links", lock)
    pins = set(re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *project["project"]["dependencies"],
        *project["dependency-groups"]["dev"],
        *project["build-system"]["requires"],
    ]
    assert {re.split(r"[\[<>=~!]", name)[0] for name in wanted} <= pins
    blocks = re.split(r"^(?=[a-z0-9-]+==)", lock, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    packages = json.loads((ROOT / "tools/vnu/package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all("integrity" in one and "resolved" not in one for name, one in packages.items() if name)


def test_every_dependency_has_its_reason() -> None:
    """docs/dependencies.md says of each library why it is here."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = {
        re.split(r"[\[<>=~!]", name)[0]
        for name in [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    }
    names |= set(json.loads((ROOT / "tools/vnu/package.json").read_text(encoding="utf-8"))["dependencies"])
    told = {name.strip() for row in re.findall(r"^\| ([a-z0-9, -]+) \|", text, re.MULTILINE) for name in row.split(",")}
    assert names == told - {"library"}
