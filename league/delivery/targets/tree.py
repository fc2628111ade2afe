"""A build as targets see it, and what they say of bringing it over."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from league.records.manifest import FILE

MANIFEST = FILE  # the sign that a place is a league's
Step = Callable[[int], None]  # so many files more are over
MOST_WORDS = 300  # characters of another program's words
FRONTS = ("index.html", "index.*.html", "feed.xml", MANIFEST)  # what leads to other files; goes last
_FRONT = re.compile(rf"index(\.\w+)?\.html|feed\.xml|{MANIFEST}")


@dataclass(frozen=True, slots=True)
class Tree:
    """A build: its folder, not the link to it, so that it stays the same while it is brought over.

    `told` and `at` say what it came of and when: a commit of the same pages is the same commit.
    """

    root: Path
    told: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Pushed:
    """How many files were sent, how many taken away there, or why it didn't come to its end."""

    changed: int = 0
    gone: int = 0
    trouble: str = ""


class Target(Protocol):
    """Somewhere that pages are brought to."""

    def probe(self) -> str:
        """Why nothing can be brought there; empty if it can: it answers, and holds nothing but pages."""
        ...

    def push(self, tree: Tree, *, dry: bool, step: Step) -> Pushed:
        """Make the other side the same, whatever it holds; `dry`: count what would be sent and taken away."""
        ...


def files(root: Path) -> Iterator[str]:
    """Every file of a build, by its path in it, in order."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        start = os.path.relpath(folder, root)
        yield from (name if start == "." else f"{start}/{name}" for name in sorted(names))


def is_front(name: str) -> bool:
    """Whether a file leads to others."""
    return _FRONT.fullmatch(name.rpartition("/")[2]) is not None


def not_ours(where: str, names: list[str]) -> str:
    """Why nothing is brought to a place that holds something else: it would be taken away there."""
    shown = ", ".join(sorted(names)[:3]) + (" …" if len(names) > 3 else "")
    return (
        f"{where} holds {shown} and no pages of a league: they would be deleted. Name a place for the pages "
        f"alone, or empty this one"
    )


def brief(words: str) -> str:
    """Another program's words in one line of plain characters, not too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return line if len(line) <= MOST_WORDS else f"{line[:MOST_WORDS]}…"
