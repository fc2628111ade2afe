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
    return f"a fault of the program ({type(error).__name__}); see {_keep(site, what, error)}"


def _keep(site: Site, what: str, error: Exception) -> Path:
    told = "".join(traceback.format_exception(error))
    path = site.path / f"fault-{sha256(what.encode()).hexdigest()[:12]}.txt"
    path.write_text(f"{what}\n{told}", encoding="utf-8")
    path.chmod(0o600)
    return path
