"""The documents are held to the program: links, commands, options, examples, schemas."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from league import settings
from league.cli import cli
from league.desk import registry
from league.desk.post.roster import command_words
from league.language.commands import read_line

ROOT = Path(__file__).parent.parent
DOCS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
SCHEMAS = ROOT / "docs" / "json"
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCS]
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
STEP = re.compile(
    r"<!-- now: (?P<now>\S+) -->"
    r"|^```console\n(?P<console>.*?)^```"
    r"|^```(?:mail|file) (?P<file>\S+)\n(?P<body>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
RUN = [name for name in NAMES if "```console" in (ROOT / name).read_text(encoding="utf-8")]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def leaves(command: click.Command, path: str = "league") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its full name."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from leaves(inner, f"{path} {name}")


COMMANDS = dict(leaves(cli))
GLOBAL = {option for param in cli.params for option in param.opts} | {"--help", "-h", "--version"}

# ------------------------------------------------------------------ links


def anchors(text: str) -> set[str]:
    """The anchors that headings make, as GitHub spells them."""
    heads = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    """Every link to a file of the project names one that is there, and a heading that it has."""
    here, broken = ROOT / name, []
    for target in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", text_of(name))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        found = (here.parent / file).resolve() if file else here
        if found.name == "picture.png":  # made by a browser, not by hand
            continue
        if not found.exists() or (anchor and anchor not in anchors(found.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


# ------------------------------------------------------------------ commands and options


def mentions(text: str) -> Iterator[list[str]]:
    """Every command line that a document shows: in code spans and in code blocks."""
    spans = re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
    blocks = [line for block in BLOCK.findall(text) for line in block.split("\n")[1:]]
    for line in [*spans, *blocks]:
        found = re.search(r"(?:^|[|;\s])(league (?:-[^|]*|[a-z].*))$", line.strip())
        if found:
            yield re.split(r"\s[|;<>]\s", found[1])[0].replace("…", " ").split()


@pytest.mark.parametrize("name", NAMES)
def test_what_documents_type_exists(name: str) -> None:
    """A command in a document is one of ours, and so is every option beside it."""
    wrong = []
    for words in mentions(text_of(name)):
        command: click.Command = cli
        rest = words[1:]
        while isinstance(command, click.Group) and rest:
            if rest[0].startswith("-"):
                rest = rest[2:] if rest[0] in {"--site", "--now", "--lang"} else rest[1:]
                continue
            inner = command.get_command(click.Context(command), rest[0])
            if inner is None:
                wrong.append(" ".join(words))
                break
            command, rest = inner, rest[1:]
        known = GLOBAL | {option for param in command.params for option in param.opts}
        options = [word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)]
        wrong += [f"{' '.join(words)}: {option}" for option in options if option not in known]
    assert wrong == []


def test_the_organizer_is_told_of_every_command() -> None:
    """docs/organizer.md has a line with an example for each command, and for nothing that isn't one."""
    rows = re.findall(r"^\| `(league [a-z ]+)` \|", text_of("docs/organizer.md"), re.MULTILINE)
    assert sorted(rows) == sorted(COMMANDS)


def test_every_json_has_its_place() -> None:
    """docs/json.md has a heading for each command that prints JSON."""
    heads = set(re.findall(r"^### `(league [a-z ]+?)`", text_of("docs/json.md"), re.MULTILINE))
    machine = {"--json", "--json-lines"}
    assert {name for name, c in COMMANDS.items() if machine & {o for p in c.params for o in p.opts}} <= heads


def test_options_stand_as_the_game_has_them() -> None:
    """The organizer's table of KUEL's options names each with its default, its choices and its rule."""
    table = text_of("docs/organizer.md").partition("<!-- options: kuel -->")[2].partition("<!-- end options -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")][:4] for line in table.strip().splitlines()[2:]]
    wanted = [
        [
            f"`{o.name}`",
            f"`{o.default}`",
            ", ".join(f"`{c}`" for c in o.choices) if o.choices else f"{o.low} to {o.high}",
            o.rule,
        ]
        for o in registry.plugin("kuel").meta.options
    ]
    assert rows == wanted


def test_the_schema_of_the_settings_is_the_programs() -> None:
    """docs/json/config.schema.json is what the program checks by."""
    assert json.loads((SCHEMAS / "config.schema.json").read_text(encoding="utf-8")) == settings.schema()


# ------------------------------------------------------------------ examples that run


class Step(NamedTuple):
    """Something a document asks its reader to do: `$ COMMAND` with what it shows, or a file to write."""

    kind: str
    what: str
    shown: tuple[str, ...] = ()


def steps(text: str) -> Iterator[Step]:
    """What stands in `console` and `mail FILE` blocks, and the clock set in comments."""
    for found in STEP.finditer(text):
        if found["now"]:
            yield Step("now", found["now"])
        elif found["file"]:
            yield Step("file", found["file"], (found["body"],))
        else:
            for part in re.split(r"^\$ ", found["console"], flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                yield Step("run", command, tuple(line for line in shown.splitlines() if line.strip()))


class Reader:
    """Does what a document says, in a folder of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        monkeypatch.delenv("LEAGUE_SITE", raising=False)
        self.now, self.monkeypatch = "", monkeypatch

    def do(self, step: Step) -> None:
        if step.kind == "now":
            self.now = step.what
        elif step.kind == "file":
            Path(step.what).write_text(step.shown[0], encoding="utf-8")
        elif step.what.startswith("export "):
            key, _, value = step.what.removeprefix("export ").partition("=")
            self.monkeypatch.setenv(key, value)
        else:
            told = self.league(step.what) if "league " in step.what else self.shell(step.what)
            for line in step.shown:
                pattern = ".*".join(map(re.escape, line.rstrip().split("…")))
                pattern = re.sub(
                    r"written:\\ \d+", r"written:\\ \\d+", pattern
                )  # how many pages there are is their affair
                assert re.search(pattern, told), f"$ {step.what}\n{told}\nhas no line: {line}"

    def league(self, line: str) -> str:
        fed = re.match(r"echo (?P<text>'[^']*') \| (?P<rest>.*)", line)
        words = shlex.split(fed["rest"] if fed else line)
        assert words[0] == "league", line
        given = shlex.split(fed["text"])[0] + "\n" if fed else None
        done = CliRunner().invoke(cli, [*words[1:], *(["--now", self.now] if self.now else [])], input=given)
        trouble = f"Error: {done.exception}" if done.exception and not isinstance(done.exception, SystemExit) else ""
        return done.output + trouble

    def shell(self, line: str) -> str:
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True, env=os.environ).stdout


@pytest.mark.parametrize("name", RUN)
def test_examples_do_what_they_show(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a document, run in its order, print what it says they print."""
    reader = Reader(tmp_path, monkeypatch)
    for step in steps(text_of(name)):
        reader.do(step)


def test_the_orders_that_players_are_shown_are_read() -> None:
    """Each row of the player's tables of orders says the same in German, English and Dutch, and is read so."""
    game = registry.load("kuel", {"standing": "on"})
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", text_of("docs/player.md"), re.MULTILINE)
    asked = [row for row in rows if any(read_line(text, command_words()) for text in row)]
    every = [[game.parse(None, "", text) for text in row] for row in rows if row not in asked]
    read = [row for row in every if not any(parsed.press for parsed in row)]
    assert sum(len(parsed.press) for row in every for parsed in row) == 4 * 3
    assert len(read) == 15
    said = [[(parsed.orders, parsed.ends_standing) for parsed in row] for row in read]
    assert all(one == row[0] and len(one[0]) + one[1] == 1 for row in said for one in row)
    assert [row[0].lines[0].standing for row in read if row[0].lines].count(True) == 2
    commands = [[line.command for text in row if (line := read_line(text, command_words()))] for row in asked]
    assert len(commands) >= 9
    assert all(len(row) == 3 and row[0] is not None and {c.id for c in row if c} == {row[0].id} for row in commands)


# ------------------------------------------------------------------ schemas

PRINTED = """
status: league status
doctor: league doctor
log: league log spring
games-list: league games list
games-show: league games show kuel
games-rules: league games rules kuel
player-list: league player list spring
mail-fetch: league mail fetch
mail-outbox: league mail outbox
mail-quarantine-list: league mail quarantine list
mail-quarantine-show: league mail quarantine show 3 --reveal
mail-quarantine-word: league mail quarantine reject 3 --why forged
player-token: league player token spring Ben
mail-outbox: league mail send --dry-run
orders-list: league orders list spring
orders-show: league orders show spring Ben --reveal
orders-check: echo 'take Oslo' | league orders check spring -
orders-check: echo 'take Oslo' | league orders check spring - --player Ben
draw-show: league draw show spring
result: league result list spring
round-status: league round status spring
round-preview: league round preview spring --reveal
result: league result enter spring Madrid Ben --why told
round-resolve: league round resolve spring
run: league run
publish: league publish
mail-send: league mail send
export: league export spring spring.tar --copy
backup: league backup site.tar
restore: league --site new restore site.tar
rebuild: league --site other rebuild site
adjudicate-out: league adjudicate kuel case.toml
cases-run: league cases run kuel case.toml
"""


def schema(name: str) -> Draft202012Validator:
    found = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def faults(name: str, data: Any) -> list[str]:
    return [f"{name}: {'/'.join(map(str, e.absolute_path))}: {e.message}" for e in schema(name).iter_errors(data)]


def unknown(found: dict[str, Any], data: Any, path: str = "") -> Iterator[str]:
    """What was printed and isn't described, as far as the schema names keys at all."""
    if isinstance(data, list) and "items" in found:
        for item in data:
            yield from unknown(found["items"], item, path)
    if isinstance(data, dict) and "properties" in found and not {"type", "kind"} & set(data):
        for key, value in data.items():
            if key in found["properties"]:
                yield from unknown(found["properties"][key], value, f"{path}/{key}")
            else:
                yield f"{path}/{key}"


def test_what_is_printed_is_what_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON of a league with a battle keeps to the published schemas, and holds no key more."""
    reader, wrong = Reader(tmp_path, monkeypatch), []

    def check(name: str, line: str) -> None:
        machine = line if "--json" in line else f"{line} --json"
        told = reader.league(f"{machine} --quiet")
        assert told.startswith(("{", "[")), f"{line}: {told}"
        data = json.loads(told)
        wrong.extend(
            [*faults(name, data), *(f"{name}: not described: {key}" for key in unknown(schema_of(name), data))]
        )

    def schema_of(name: str) -> dict[str, Any]:
        return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]

    reader.do(Step("run", "export LEAGUE_SITE=site"))
    reader.now = "2024-01-01T09:00:00Z"
    reader.league("league init site --from league@play.example")
    check("new", "league new spring --game kuel --start 2024-01-02 --option start=board")
    for name in ("Anna", "Ben", "Carla", "Dirk"):
        check("player-add", f"league player add spring {name} {name.lower()}@example.org")
    for name, reader.now in (("Ben", "2024-01-02T09:00:00Z"), ("Carla", "2024-01-02T10:00:00Z")):
        check("orders-enter", f"echo 'take Madrid' | league orders enter spring {name} - --why told")
    check("player-invite", "league player invite spring Dirk")
    reader.now = "2024-01-06T20:00:00Z"
    Path("forged.eml").write_text("From: ben@example.org\n\ntake Oslo\n", encoding="utf-8")
    reader.league("league mail read forged.eml")
    reader.league("league run")
    figures = (
        "--dax-close 16594.21 --dax-day 2024-01-05 --eurusd 1.0921 --lotto '3 11 17 20 24 43' --lotto-day 2024-01-06"
    )
    check("draw-enter", f"league draw enter spring {figures} --source paper --why 'by hand'")
    case = ROOT / "tests/cases/kuel/K26-a-free-for-all-where-the-map-has-seats.toml"
    Path("case.toml").write_text(case.read_text(encoding="utf-8"), encoding="utf-8")
    for line in PRINTED.strip().splitlines():
        check(*line.split(": ", 1))
    opening, first = sorted(Path("site/public/spring/records").glob("0*.json"))
    wrong += faults("record-opening", json.loads(opening.read_bytes()))
    wrong += faults("record-round", json.loads(first.read_bytes()))
    reader.league("league init elsewhere --from league@new.example")
    check("import", "league --site elsewhere import spring.tar")
    check("export", "league export spring moved.tar --to league@new.example")
    check("export", "league export spring --undo")
    check("key-rotate", "league key rotate --why 'the old computer was stolen'")
    check("key-show", "league key show")
    check("verify", "league verify site/public")
    reader.league("league publish")
    wrong += faults("record-key", json.loads(Path("site/public/spring/records/key-0001-v1.json").read_bytes()))
    for file in ("spring/journal.json", "journal.json"):
        wrong += faults("journal", json.loads(Path("site/public", file).read_bytes()))
    wrong += faults("names", json.loads(Path("site/public/spring/names.json").read_bytes()))
    wrong += faults("teaser", json.loads(Path("site/public/spring/teaser.json").read_bytes()))
    wrong += faults("history", json.loads(Path("site/public/spring/history.json").read_bytes()))
    assert wrong == []


def test_cases_are_what_is_described() -> None:
    """All our adjudication cases that aren't meant to be refused keep to the schema of what `adjudicate` reads."""
    wrong = []
    for path in sorted((ROOT / "tests/cases/kuel").glob("*.toml")):
        document = json.loads(json.dumps(tomllib.loads(path.read_text(encoding="utf-8")), default=str))
        if "error" not in document["expect"]:
            wrong += [f"{path.name} {fault}" for fault in faults("adjudicate-in", document)]
    assert wrong == []


def test_lines_are_what_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON Lines about mails and about weeks of figures keep to their schemas."""
    reader = Reader(tmp_path, monkeypatch)
    letters = ROOT / "tests/letters"
    paths = " ".join(map(str, sorted(letters.glob("*.eml"))[:40]))
    rows = reader.league(f"league mail read --dry-run --json-lines --game kuel {paths}").splitlines()
    head = "friday,dax_close,dax_day,eurusd,saturday,lotto\n"
    Path("weeks.csv").write_text(f"{head}2024-01-05,16594.21,2024-01-05,1.0921,2024-01-06,3 11 17 20 24 43\n")
    weeks = reader.league("league draw explain kuel --csv weeks.csv --json-lines").splitlines()
    assert rows
    assert weeks
    wrong = [fault for row in rows for fault in faults("mail-read-line", json.loads(row))]
    assert wrong + [fault for row in weeks for fault in faults("draw-explain-line", json.loads(row))] == []


def test_every_schema_is_named() -> None:
    """docs/json.md links to each schema."""
    linked = set(re.findall(r"\(json/([a-z-]+)\.schema\.json\)", text_of("docs/json.md")))
    assert linked == {path.name.removesuffix(".schema.json") for path in SCHEMAS.iterdir()}


def test_the_table_of_events_is_the_codes() -> None:
    """docs/games/kuel.md lists each event with its facts, as tools/kuel_events.py makes it."""
    command = [sys.executable, "tools/kuel_events.py", "check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
