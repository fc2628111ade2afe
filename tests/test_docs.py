"""The documents are held to the program: links, commands, options, examples, schemas."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from league import settings
from league.cli import cli
from league.desk import registry

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
        self.env, self.now, self.monkeypatch = {}, "", monkeypatch

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
    """Each row of the player's table of orders says the same in German, English and Dutch, and is read so."""
    game = registry.load("kuel", {})
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", text_of("docs/player.md"), re.MULTILINE)
    read = [[game.parse(None, "", text).orders for text in row] for row in rows]
    assert len(read) == 8
    assert all(len(orders) == 1 and orders == row[0] for row in read for orders in row)
