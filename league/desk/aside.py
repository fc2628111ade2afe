"""What blows up is set aside with its traceback, and the run goes on (STYLE: errors)."""

import traceback
from hashlib import sha256
from pathlib import Path

from league.core.errors import LeagueError
from league.desk.site import Site


def set_aside(site: Site, what: str, error: Exception) -> str:
    """A sentence for a person about the trouble; a fault of the program leaves a file for its makers."""
    if isinstance(error, LeagueError):
        return str(error)
    if where := own_template(site, error):
        return f"{where}: {error}; mend this file of your own, or take it away"
    return f"a fault of the program ({type(error).__name__}); see {_keep(site, what, error)}"


def own_template(site: Site, error: Exception) -> str:
    """Which line of a template of the site's own an error comes from, like `templates/league.html:3`; else nothing."""
    from jinja2 import TemplateSyntaxError  # not needed by whoever only spools a mail

    own = (site.path / "templates").resolve()
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, TemplateSyntaxError):
        frames.append((error.filename or "", error.lineno))
    for name, line in reversed(frames):
        if Path(name).is_absolute() and Path(name).resolve().is_relative_to(own):
            return f"templates/{Path(name).resolve().relative_to(own).as_posix()}:{line}"
    return ""


def _keep(site: Site, what: str, error: Exception) -> Path:
    told = "".join(traceback.format_exception(error))
    path = site.path / f"fault-{sha256(what.encode()).hexdigest()[:12]}.txt"
    path.write_text(f"{what}\n{told}", encoding="utf-8")
    path.chmod(0o600)
    return path
