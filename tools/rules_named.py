"""List the rules of a game that no test names, and fail if one of them isn't known to come later.

    python tools/rules_named.py [FOLDER]

A rule is a statement `- K23 ...` in docs/games/<game>-rules.md. A test names it in its name, its sentence or its
parameters, a case in its file's name or text. tools/rules_later.toml lists, per game, the rules whose tests are still
to come; a rule on that list that is named after all has to be taken off it, so the list only ever gets shorter.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path

STATEMENT = re.compile(r"^- ([A-Z]\d+)\b", re.MULTILINE)
NAME = re.compile(r"(?<![A-Za-z0-9])[A-Z]\d+(?![A-Za-z0-9])")


def statements(rules: Path) -> list[str]:
    """The rules of a game in the order of its text."""
    return STATEMENT.findall(rules.read_text(encoding="utf-8"))


def named(root: Path, game: str, others: Collection[str] = ()) -> set[str]:
    """The rules that tests and the game's cases name; talk of a rule elsewhere in a test file proves nothing.

    Tests in a folder of another game name that one's rules, which may be called the same.
    """
    tests = root / "tests"
    files = [file for file in tests.rglob("test_*.py") if not set(file.relative_to(root).parts) & set(others)]
    said = [_tests(file) for file in files if file.name != "test_house.py"]
    said += [_case(file) for file in (tests / "cases" / game).rglob("*.toml")]
    return {name for text in said for name in NAME.findall(text)}


def _tests(file: Path) -> str:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    names = [node.name.replace("_", " ").upper() for node in tests]
    sentences = [ast.get_docstring(node) or "" for node in tests]
    return "\n".join([*names, *sentences, *(ast.unparse(above) for node in tests for above in node.decorator_list)])


def _case(file: Path) -> str:
    return f"{file.stem.replace('_', ' ').upper()}\n{file.read_text(encoding='utf-8')}"


def faults(root: Path) -> Iterator[str]:
    """What is wrong, a sentence each."""
    later = tomllib.loads((root / "tools" / "rules_later.toml").read_text(encoding="utf-8"))
    games = {rules.name.removesuffix("-rules.md"): rules for rules in sorted((root / "docs/games").glob("*-rules.md"))}
    for game, rules in games.items():
        all_rules, seen, allowed = statements(rules), named(root, game, games.keys() - {game}), set(later.get(game, []))
        yield from (f"{game}: no test names {rule}" for rule in all_rules if rule not in seen | allowed)
        yield from (
            f"{game}: {rule} is named by a test; take it off tools/rules_later.toml" for rule in sorted(allowed & seen)
        )
        yield from (
            f"{game}: tools/rules_later.toml lists {rule}, which is no rule"
            for rule in sorted(allowed - set(all_rules))
        )
    yield from (
        f"tools/rules_later.toml lists {game}, which has no rules in docs/games" for game in later.keys() - games
    )


def main(root: Path) -> int:
    """Print what is still to come and what is wrong; 1 if anything is."""
    later = tomllib.loads((root / "tools" / "rules_later.toml").read_text(encoding="utf-8"))
    for game, rules in later.items():
        print(f"{game}: tests of these rules come later: {', '.join(rules)}")
    wrong = list(faults(root))
    print("\n".join(wrong) if wrong else "Every other rule is named by a test.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
