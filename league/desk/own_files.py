"""Files that a site brings itself for its look: a logo, fonts, pictures, published beside the pages as `static-NAME`.

They lie at the root, since each folder there is a league's: what lies deeper has its folders in its name
(`static/fonts/a.woff2` is `static-fonts-a.woff2`).
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from league.reports.own_file import read_own

FOLDER = "static"
PREFIX = f"{FOLDER}-"
KINDS = frozenset({".avif", ".css", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp", ".woff2"})
INSTEAD = {
    **dict.fromkeys((".otf", ".ttf", ".woff"), ".woff2"),
    **dict.fromkeys((".bmp", ".gif", ".tif", ".tiff"), ".png"),
    **dict.fromkeys((".heic", ".jpe", ".jfif"), ".jpg"),
    **dict.fromkeys((".less", ".sass", ".scss"), ".css"),
}


@dataclass(frozen=True, slots=True)
class Slip:
    """Something of the site's own that does nothing, or breaks what it is for; `do`: what would be right."""

    what: str
    do: str
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A file of the folder: the name under which it is published, or why it isn't."""

    file: Path
    name: str = ""
    slip: Slip | None = None


def own_files(site: Path) -> Iterable[tuple[str, bytes]]:
    """What lies in the site's `static` folder and is of a kind that pages use; nothing hidden, nothing by a link."""
    for found in _look(site):
        if not found.name:
            continue
        content = read_own(site / FOLDER, *found.file.relative_to(site / FOLDER).parts)
        if content is not None:  # a link by now, say
            yield found.name, content


def file_slips(site: Path) -> list[Slip]:
    """What lies in that folder and isn't published, hidden files left out: they aren't meant to be seen."""
    return [found.slip for found in _look(site) if found.slip is not None]


def _look(site: Path) -> Iterator[_Found]:
    folder = site / FOLDER
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        yield _Found(folder, slip=no_folder(FOLDER))
        return
    taken: dict[str, str] = {}
    for file in walk(folder):
        told = f"{FOLDER}/{file.relative_to(folder).as_posix()}"
        name = PREFIX + "-".join(file.relative_to(folder).parts)
        slip = _slip(file, told) or _taken(told, name, taken)
        if slip is None:
            taken[name] = told
        yield _Found(file, "" if slip else name, slip)


def walk(folder: Path) -> Iterator[Path]:
    """All that isn't hidden: files, and links as such, which are never followed; what lies less deep comes first."""
    if not folder.is_dir():
        return
    deeper = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                deeper.append(folder / entry.name)
            else:
                yield folder / entry.name
    for one in deeper:
        yield from walk(one)


def no_folder(name: str) -> Slip:
    """What stands where a folder is looked for, and is none or only a link to one."""
    return Slip(f"{name} is no folder that lies here itself, so nothing in it is used", f"make a folder {name}/")


def _slip(file: Path, told: str) -> Slip | None:
    if file.is_symlink():
        return Slip(f"{told} is a link, so it isn't published", "put the file itself there")
    if not file.is_file():
        return Slip(f"{told} is no file that can be published", "take it away")
    if not told.isprintable() or "\\" in told:
        return Slip(f"{told!r} isn't published: its name has signs that no link can hold", "give it a plain name")
    if file.suffix.lower() not in KINDS:
        return Slip(f"{told} isn't published: no file of this kind is", _kind(file.suffix.lower()))
    if not os.access(file, os.R_OK):
        return Slip(f"{told} can't be read, so it isn't published", f"chmod u+r {told}")
    return None


def _kind(suffix: str) -> str:
    if near := INSTEAD.get(suffix):
        return f"make it a {near}"
    return f"take it away; published are {', '.join(sorted(KINDS))}"


def _taken(told: str, name: str, taken: dict[str, str]) -> Slip | None:
    if name not in taken:
        return None
    return Slip(f"{told} isn't published: {taken[name]} has its name there, {name}", "give one of them another name")
