"""What blows up is set aside with its traceback, and the run goes on (STYLE: errors)."""

import re
import traceback
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from league.core.errors import LeagueError
from league.desk.site import Site
from league.reports.own_file import read_own
from league.resources import bundled

MISSES = re.compile(r"TemplateModule(?: object'|' object) has no attribute '(\w+)'")  # as Jinja and as Python say it
CALLED = re.compile(r"macro '(\w+)' ")  # with what it can't take


def set_aside(site: Site, what: str, error: Exception) -> str:
    """A sentence for a person about the trouble; a fault of the program leaves a file for its makers."""
    if isinstance(error, LeagueError):
        return str(error)
    if where := own_template(site, error):
        return f"{where}: {_said(error)}; mend this file of your own, or take it away"
    return f"a fault of the program ({type(error).__name__}); see {_keep(site, what, error)}"


def own_template(site: Site, error: Exception) -> str:
    """Which line of a template of the site's own an error comes from, like `templates/league.html:3`; else nothing."""
    from jinja2 import TemplateSyntaxError  # not needed by whoever only spools a mail

    folder = site.path / "templates"
    if isinstance(error, UnicodeDecodeError):
        return next((f"{name}:{line_of(error)}" for name in _files_with(folder, error.object)), "")
    if missing := MISSES.search(str(error)):
        found = next(_replacing(folder, missing[1], has_it=False), "")
        if found:
            return found
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, TemplateSyntaxError):
        frames.append((error.filename or "", error.lineno))
    for name, line in reversed(frames):
        if inner := _within(folder, name):
            return f"{inner}:{line}"
    called = CALLED.match(str(error))
    return next(_replacing(folder, called[1], has_it=True), "") if called else ""


def _within(folder: Path, name: str) -> str:
    """A file as the folder has it; a site may be named by a path that begins where we are, and so are its templates."""
    file = Path(name).absolute()
    for place in (folder.absolute(), folder.resolve()):
        if file.is_relative_to(place) and file.is_file():  # what Python itself made up is called like `<string>`
            return f"templates/{file.relative_to(place).as_posix()}"
    return ""


def _replacing(folder: Path, macro: str, *, has_it: bool) -> Iterator[str]:
    """Files of the site's own in the place of ours that have this macro; they have it too, or they lack it.

    Then the error comes to light in another template, which may be ours.
    """
    defines = re.compile(rb"\{%[-+]? *(?:macro|set) +" + macro.encode() + rb"\b")
    ours = Path(str(bundled("templates")))
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        own, replaced = read_own(folder, *parts), ours.joinpath(*parts)
        if own is None or not replaced.is_file() or not defines.search(replaced.read_bytes()):
            continue
        if bool(defines.search(own)) is has_it:
            yield f"templates/{file.relative_to(folder).as_posix()}"


def _said(error: Exception) -> str:
    """What is wrong, in plain words."""
    if isinstance(error, UnicodeDecodeError):
        return not_utf8(error)
    missing = MISSES.search(str(error))
    return f"it has no macro '{missing[1]}', and other templates ask for it" if missing else str(error)


def _files_with(folder: Path, content: bytes) -> Iterator[str]:
    """Who a text that can't be read belongs to: the error knows its bytes and no name."""
    for file in sorted(folder.rglob("*")):
        if read_own(folder, *file.relative_to(folder).parts) == content:
            yield f"templates/{file.relative_to(folder).as_posix()}"


def line_of(error: UnicodeDecodeError) -> int:
    """The line of the text that isn't UTF-8."""
    return error.object.count(b"\n", 0, error.start) + 1


def not_utf8(error: UnicodeDecodeError) -> str:
    """What is wrong with it, in plain words."""
    return f"it isn't UTF-8 (byte 0x{error.object[error.start]:02x})"


def _keep(site: Site, what: str, error: Exception) -> Path:
    told = "".join(traceback.format_exception(error))
    path = site.path / f"fault-{sha256(what.encode()).hexdigest()[:12]}.txt"
    path.write_text(f"{what}\n{told}", encoding="utf-8")
    path.chmod(0o600)
    return path
