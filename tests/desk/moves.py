"""A league that moves: sites with keys of their own, the move itself, and what must be the same on both ways."""

from datetime import datetime
from pathlib import Path
from typing import Any

from league.desk.moving.export_league import Exported, Wish, export_league
from league.desk.moving.import_league import Imported, import_league
from league.desk.post.mind_outbox import release
from league.desk.site import SITE_KEY
from tests.desk.sites import make_site, opened, sealed

OTHER_KEY = "22" * 32
LEAVE = Wish()


def other_site(path: Path, now: datetime, key: str = OTHER_KEY, url: str = "", **mail: Any) -> Path:
    """A site without a league, on another machine: its key is another one."""
    make_site(path, now, url, **mail)
    (path / "secrets" / SITE_KEY).write_text(key + "\n")
    return path


def away(path: Path, when: datetime, slug: str = "spring", wish: Wish = LEAVE, name: str = "") -> tuple[Path, Exported]:
    """The league's file."""
    target = path.parent / (name or f"{slug}.tar")
    site = opened(path, when)
    done = export_league(site, slug, target, wish)
    site.engine.dispose()
    return target, done


def arrive(path: Path, file: Path, when: datetime, *, let_go: bool = True) -> Imported:
    """The league in another site, with the outbox let go."""
    site = opened(path, when)
    done = import_league(site, file)
    if let_go:
        release(site, "")
    site.engine.dispose()
    return done


def told(bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What records say of the game: the chain is longer by the records of new keys, the journal by two acts."""
    rounds = [body for body in bodies if body["kind"] != "key"]
    return [{key: value for key, value in body.items() if key not in ("journal", "previous")} for body in rounds]


def kinds(path: Path) -> list[str]:
    """What the chain is made of."""
    return [record.kind for record in sealed(path)]
