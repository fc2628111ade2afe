"""What blows up is set aside with its traceback, and the run goes on (STYLE: errors)."""

import traceback
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from league.core.errors import LeagueError
from league.desk.site import Site
from league.reports.own_file import read_own


def set_aside(site: Site, what: str, error: Exception) -> str:
    """A sentence for a person about the trouble; a fault of the program leaves a file for its makers."""
    if isinstance(error, LeagueError):
        return str(error)
    if where := own_template(site, error):
        said = not_utf8(error) if isinstance(error, UnicodeDecodeError) else error
        return f"{where}: {said}; mend this file of your own, or take it away"
    return f"a fault of the program ({type(error).__name__}); see {_keep(site, what, error)}"


def own_template(site: Site, error: Exception) -> str:
    """Which line of a template of the site's own an error comes from, like `templates/league.html:3`; else nothing."""
    from jinja2 import TemplateSyntaxError  # not needed by whoever only spools a mail

    folder = site.path / "templates"
    if isinstance(error, UnicodeDecodeError):
        return next((f"{name}:{line_of(error)}" for name in _files_with(folder, error.object)), "")
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, TemplateSyntaxError):
        frames.append((error.filename or "", error.lineno))
    for name, line in reversed(frames):
        file = Path(name)
        for place in (folder.absolute(), folder.resolve()):
            if file.is_absolute() and file.is_relative_to(place):
                return f"templates/{file.relative_to(place).as_posix()}:{line}"
    return ""


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
