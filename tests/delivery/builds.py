"""A small published site for tests of targets: pages that lead to each other, before and after a round."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from posixpath import dirname, join, normpath

from league.delivery.targets.tree import MANIFEST, Pushed, Target, Tree

AT = datetime(2024, 1, 13, 21, tzinfo=UTC)
LINK = re.compile(rb'href="([^"]+)"')


def page(*links: str, text: str = "") -> bytes:
    return "".join(f'<a href="{link}">x</a>' for link in links).encode() + text.encode()


BEFORE: dict[str, bytes] = {
    "index.html": page("spring/index.html", "style.css"),
    "style.css": b"a{}",
    "spring/index.html": page("round-1.html", "../index.html", "gone.html"),
    "spring/feed.xml": page("round-1.html"),
    "spring/round-1.html": page("index.html", "gone.html"),
    "spring/gone.html": page("index.html"),
    MANIFEST: b"1",
}
AFTER: dict[str, bytes] = {
    "index.html": page("spring/index.html", "autumn/index.html", "style.css"),
    "style.css": b"a{}",
    "autumn/index.html": page("round-1.html", "../index.html"),
    "autumn/round-1.html": page("index.html"),
    "spring/index.html": page("round-1.html", "round-2.html", "../index.html"),
    "spring/feed.xml": page("round-1.html", "round-2.html"),
    "spring/round-1.html": page("index.html", "round-2.html"),
    "spring/round-2.html": page("index.html", "round-1.html"),
    "spring/pictures/round-2-0123456789abcdef.png": b"\x89PNG",
    MANIFEST: b"2",
}


def build(root: Path, files: Mapping[str, bytes]) -> Tree:
    """These files in a folder that only its owner reads, as a site's is."""
    root.mkdir(mode=0o700)
    for name, content in files.items():
        (root / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (root / name).write_bytes(content)
        (root / name).chmod(0o600)
    return Tree(root, "spring, round 2", AT)


def push(target: Target, tree: Tree, *, dry: bool = False) -> Pushed:
    return target.push(tree, dry=dry, step=lambda _: None)


def read(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def dead_links(files: Mapping[str, bytes]) -> list[str]:
    """Every link of these pages to something that isn't among them."""
    return [
        f"{name} -> {target}"
        for name, content in files.items()
        for target in (link.decode() for link in LINK.findall(content))
        if normpath(join(dirname(name), target)) not in files
    ]
