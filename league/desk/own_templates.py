"""What is wrong with a site's own templates, told before a page or mail misses them: unknown names, no UTF-8.

A name that we don't know replaces nothing, and nothing says so by itself: Jinja never asks for it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, nodes

from league.desk import registry
from league.desk.aside import line_of, not_utf8
from league.desk.leagues.infos import site_info
from league.desk.own_files import FOLDER as FILES
from league.desk.own_files import INSTEAD, KINDS, Slip, file_slips, no_folder, walk
from league.desk.site import Site
from league.reports.environment import environment
from league.reports.own_file import read_own
from league.resources import bundled

FOLDER = "templates"
OURS = "!/"
NEAR = 0.8
MOST = 3
FOLDERS = (FOLDER, FILES)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Templates of which another one needs the first that is there; without names: they are known when it runs."""

    names: tuple[str, ...]
    line: int
    may_miss: bool


@dataclass(frozen=True, slots=True)
class _Own:
    """A template of the site's own, as far as it can be read."""

    name: str
    asks: tuple[_Asked, ...] = ()
    blocks: tuple[tuple[str, int], ...] = ()  # name and line of those that aren't within another one
    parent: str = ""  # what it extends, where that is known
    slip: Slip | None = None


def look_slips(site: Site) -> list[Slip]:
    """All that does nothing or breaks something in the folders with which a site changes its look."""
    return [*_folders(site.path), *file_slips(site.path), *_templates(site)]


def _folders(path: Path) -> Iterator[Slip]:
    """A folder whose name is nearly one of these."""
    for one in sorted(path.iterdir()):
        near = get_close_matches(one.name.casefold(), FOLDERS, 1, NEAR) if one.is_dir() else []
        if near and one.name not in FOLDERS:
            yield Slip(f"{one.name}/ is used by nothing", f"is it meant to be {near[0]}/? then rename it")


def _templates(site: Site) -> Iterator[Slip]:
    folder = site.path / FOLDER
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        yield no_folder(FOLDER)
        return
    info = site_info(site)
    base = _names("", Path(str(bundled("templates"))))
    ours = base.union(*(_names(f"{slug}/", place) for slug, place in info.games))
    known = ours | _of_any_game(ours) | _mails(ours)
    reader = environment(info.lang, info)
    read = [_read(reader, folder, file.relative_to(folder).as_posix()) for file in walk(folder) if _is_plain(file)]
    yield from _no_files(folder, known)
    own = {one.name for one in read}
    asked = {name for one in read for ask in one.asks for name in ask.names}
    unsure = any(not ask.names for one in read for ask in one.asks)
    for one in read:
        if one.name not in known | asked and not unsure:
            yield _useless(one.name, known, own)
            continue
        if one.slip is not None:
            yield one.slip
        yield from _missing(one, ours | own | {f"{OURS}{name}" for name in base})
        yield from _vain(one, reader)


def _names(prefix: str, folder: Path) -> set[str]:
    """The names of the templates in a folder, as other templates ask for them."""
    return {f"{prefix}{file.relative_to(folder).as_posix()}" for file in walk(folder)}


def _of_any_game(ours: Collection[str]) -> set[str]:
    """What one game's templates have may be written for another one: its pages ask for it."""
    games = registry.slugs()
    parts = {name.partition("/")[2] for name in ours if name.partition("/")[0] in games}
    return {f"{game}/{part}" for game in games for part in parts}


def _mails(ours: Collection[str]) -> set[str]:
    """A mail may have its own HTML instead of what is made of its text."""
    return {name.replace(".txt", ".html") for name in ours if name.startswith("mail/")}


def _is_plain(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()


def _no_files(folder: Path, known: Collection[str]) -> Iterator[Slip]:
    """What isn't read, whatever its name: links, sockets and the like; and folders where a template is looked for."""
    for file in walk(folder):
        told = f"{FOLDER}/{file.relative_to(folder).as_posix()}"
        if file.is_symlink():
            yield Slip(f"{told} is a link, so it isn't used", "put the file itself there")
        elif not file.is_file():
            yield Slip(f"{told} is no file that can be used", "take it away")
    for one in sorted(folder.rglob("*")):
        name = one.relative_to(folder).as_posix()
        if name in known and one.is_dir() and not one.is_symlink():
            yield Slip(f"{FOLDER}/{name} is a folder, so ours is used", "make it a file, or take it away")


def _read(reader: Environment, folder: Path, name: str) -> _Own:
    told = f"{FOLDER}/{name}"
    try:
        tree = reader.parse((read_own(folder, *name.split("/")) or b"").decode(), name, str(folder / name))
    except UnicodeDecodeError as error:
        return _Own(name, slip=Slip(f"{told}:{line_of(error)}: {not_utf8(error)}", "save it as UTF-8", breaks=True))
    except TemplateSyntaxError as error:
        return _Own(name, slip=Slip(f"{told}:{error.lineno}: {error.message}", "mend this line", breaks=True))
    except OSError as error:
        return _Own(name, slip=Slip(f"{told} can't be read: {error.strerror}", "make it readable", breaks=True))
    return _Own(name, tuple(_asks(tree)), tuple(_outer(tree)), _parent(tree))


def _parent(tree: nodes.Template) -> str:
    """What the template extends; nothing where that is known only when it runs."""
    named = [one.template for one in tree.find_all(nodes.Extends)]
    only = named[0] if len(named) == 1 else None
    return str(only.value) if isinstance(only, nodes.Const) else ""


def _outer(node: nodes.Node) -> Iterator[tuple[str, int]]:
    """Blocks with which a template fills those of what it extends; what stands within one belongs to it."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Block):
            yield child.name, child.lineno
        else:
            yield from _outer(child)


def _vain(one: _Own, reader: Environment) -> Iterator[Slip]:
    """Blocks that fill nothing: Jinja passes over what a template has besides those of the one that it extends."""
    told, there = f"{FOLDER}/{one.name}", _there(reader, one.parent, {one.name})
    if one.parent == one.name:
        yield Slip(f"{told} extends itself", f'ours is called "{OURS}{one.name}"', breaks=True)
    for name, line in one.blocks if there else ():
        if name not in there:
            near = get_close_matches(name.casefold(), sorted(there), 1)
            do = f"is it meant to be {near[0]}?" if near else f"it has {', '.join(sorted(there))}"
            yield Slip(f"{told}:{line}: {one.parent} has no block {name}, so it does nothing", do)


def _there(reader: Environment, name: str, seen: set[str]) -> set[str]:
    """All blocks of a template and of what it extends in turn; none where that can't be known."""
    if not name or name in seen or reader.loader is None:
        return set()
    try:
        source, file, _ = reader.loader.get_source(reader, name)
        tree = reader.parse(source, name, file)
    except (TemplateNotFound, TemplateSyntaxError, UnicodeDecodeError):
        return set()  # which is told by itself
    own = {block.name for block in tree.find_all(nodes.Block)}
    if next(tree.find_all(nodes.Extends), None) is None:
        return own
    above = _there(reader, _parent(tree), {*seen, name})
    return own | above if above else above


def _asks(tree: nodes.Template) -> Iterator[_Asked]:
    for node in tree.find_all((nodes.Extends, nodes.FromImport, nodes.Import, nodes.Include)):
        named: nodes.Expr = getattr(node, "template")  # noqa: B009  # all four have it, their common class doesn't
        several: Sequence[nodes.Expr] = named.items if isinstance(named, nodes.List | nodes.Tuple) else [named]
        names = tuple(one.value for one in several if isinstance(one, nodes.Const) and isinstance(one.value, str))
        sure = len(names) == len(several)
        yield _Asked(names if sure else (), node.lineno, bool(getattr(node, "ignore_missing", False)))


def _useless(name: str, known: Collection[str], own: Collection[str]) -> Slip:
    what = f"{FOLDER}/{name} is used by nothing: pages and mails ask for no template of this name"
    if Path(name).suffix.lower() in (KINDS | INSTEAD.keys()) - {".css"}:
        return Slip(what, f"pictures, fonts and style sheets go into {FILES}/")
    near = [f"{FOLDER}/{one}" for one in _nearest(name, known) if one not in own]
    return Slip(what, f"is it meant to be {' or '.join(near)}? then rename it" if near else "take it away")


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    """The same file in other folders, else the name most like it; nothing if none is."""
    names = sorted(known)
    same = [one for one in names if one.rpartition("/")[2] == name.rpartition("/")[2].casefold()]
    return same[:MOST] or get_close_matches(name.casefold(), names, 1)


def _missing(one: _Own, there: set[str]) -> Iterator[Slip]:
    for ask in one.asks:
        if ask.may_miss or not ask.names or there & set(ask.names):
            continue
        near = _nearest(ask.names[0].removeprefix(OURS), (name for name in there if not name.startswith(OURS)))
        do = f"nearest is {' or '.join(near)}" if near else "take this line away"
        yield Slip(f"{FOLDER}/{one.name}:{ask.line}: there is no template {ask.names[0]}", do, breaks=True)
