"""Sites for tests: made in the process by the desk's own functions, with a fixed key so that two can be compared."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

from league import settings
from league.desk.acts.new_league import new_league
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.init_site import init_site
from league.desk.people.players import NewPlayer, add_players
from league.desk.run.run_site import Ran, run_site
from league.desk.secrets import write_secret
from league.desk.site import SITE_KEY, Site, open_site
from league.storage import engine as database
from league.storage import records
from tests.desk.forks import Forks

ROOT = Path(__file__).parent.parent.parent
KEY = "11" * 32
BEGIN = datetime(2024, 1, 1, 9, tzinfo=UTC)
NAMES = ("Anna", "Ben", "Carla", "Dirk", "Eva", "Finn")
LANGS = ("de", "en", "nl")
COUNTRIES = ("Island", "Portugal", "France", "Zweden", "Moskau", "Greece")
WEEK_2 = {
    "dax_close": "16704.56",
    "dax_day": "2024-01-12",
    "eurusd": "1.0942",
    "lotto": "3 11 17 20 24 43",
    "lotto_day": "2024-01-13",
}


def at(written: str) -> datetime:
    """An instant in UTC, written like "2024-01-03 10:00"."""
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


OUR_HOST = "mx.play.example"


def make_site(path: Path, now: datetime = BEGIN, url: str = "", **mail: Any) -> Path:
    """A site whose key is always the same; `mail` are settings of that table. Its mail server checks senders.

    Its database is at `url` (empty: SQLite). It is without pictures, unless a test is about them: drawing one takes
    longer than all the rest of a round; and it shares its compiled templates with the other sites of the tests, for
    the same reason.
    """
    mail = {"authserv_id": OUR_HOST, **mail}
    (path / "secrets").mkdir(mode=0o700, parents=True)
    write_secret(path / "secrets" / SITE_KEY, KEY)
    if not url:
        (path / "league.sqlite").write_bytes(_no_leagues_yet())
    site = settings.Site(title="Demo")
    chosen = settings.Settings(
        site=site,
        mail=settings.Mail(**{"from_address": "league@play.example", "pictures": False, **mail}),
        storage=settings.Storage(url),
    )
    init_site(path, now, chosen).engine.dispose()
    if shared := os.environ.get("LEAGUE_TESTS_TEMPLATES"):  # tests/conftest.py
        (path / "cache").symlink_to(shared)
    return path


@cache
def _no_leagues_yet() -> bytes:
    """A new site's database; migrating to it takes longer than most tests, and tests of storage do it themselves."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "league.sqlite"
        engine = database.open_engine(file)
        database.ready(engine)
        engine.dispose()
        return file.read_bytes()


def add_league(
    path: Path,
    slug: str = "spring",
    names: Sequence[str] = NAMES[:3],
    *,
    start: date = date(2024, 1, 2),
    now: datetime = BEGIN,
    **options: object,
) -> None:
    """A league whose players speak German, English, Dutch in turn."""
    site = open_site(path, now)
    chosen = {"battles": "drawn", "preset": "gentle", **options}
    new_league(site, slug, game="kuel", start=start, lang="de", options=chosen)
    players = [NewPlayer(name, address(name), LANGS[i % 3]) for i, name in enumerate(names)]
    add_players(site, slug, players)
    site.engine.dispose()


def letter(
    name: str,
    text: str,
    *,
    subject: str = "Orders",
    message_id: str = "",
    sender: str = "",
    headers: Mapping[str, str] | None = None,
    proven: bool = True,
) -> bytes:
    """A mail as a player's program writes it, and the site's mail server hands it over: `proven`, if it is genuine."""
    mail = EmailMessage(policy=policy.SMTP)
    domain = (sender or address(name)).rpartition("@")[2]
    if proven:
        mail["Authentication-Results"] = f"{OUR_HOST}; dmarc=pass header.from={domain}"
    mail["Received"] = f"from mail.example.org by {OUR_HOST} with ESMTPS"
    mail["From"] = f"{name} <{sender or address(name)}>"
    mail["To"] = "league@play.example"
    mail["Subject"] = subject
    mail["Message-ID"] = message_id or f"<{abs(hash_of(name, text, subject)):x}@example.org>"
    mail["Date"] = "Wed, 03 Jan 2024 10:00:00 +0100"
    for key, value in (headers or {}).items():
        mail[key] = value
    mail.set_content(text)
    return mail.as_bytes()


def hash_of(*parts: str) -> int:
    """The same in every process, unlike `hash`."""
    from hashlib import sha256

    return int(sha256("|".join(parts).encode()).hexdigest()[:16], 16)


def drop(path: Path, raw: bytes, arrived: datetime, name: str = "") -> Path:
    """Lay a mail into the site's inbox, as a delivery agent does at that moment."""
    new = path / "mail" / "in" / "new"
    file = new / (name or f"{len(list(new.parent.glob('*/*'))):04d}.eml")
    file.write_bytes(raw)
    os.utime(file, (arrived.timestamp(), arrived.timestamp()))
    return file


def run(path: Path, now: datetime, *, pages: bool = True) -> Ran:
    """`league run` in this process."""
    site = open_site(path, now)
    try:
        return run_site(site, pages=pages)
    finally:
        site.engine.dispose()


def mail_run(path: Path, now: datetime) -> Ran:
    """`league run` that leaves the pages to a later one, as it can: for who looks at none, they take half the time."""
    return run(path, now, pages=False)


def figures(path: Path, now: datetime, slug: str = "spring", **changed: str) -> None:
    """Enter the figures of the second week."""
    site = open_site(path, now)
    enter_figures(site, slug, Entry({**WEEK_2, **changed}, "evening paper", "test"))
    site.engine.dispose()


def rows(path: Path, statement: str, *values: object) -> list[dict[str, Any]]:
    """What the database holds, asked without any of our code."""
    connection = sqlite3.connect(path / "league.sqlite")
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(statement, values)]
    finally:
        connection.close()


@dataclass(frozen=True)
class Out:
    """A mail that went out."""

    kind: str
    to: str
    raw: bytes
    mail: EmailMessage

    @property
    def text(self) -> str:
        part = self.mail.get_body(("plain",))
        assert part is not None
        content = part.get_content()
        assert isinstance(content, str)
        return content.replace("\r\n", "\n")


def outbox(path: Path, kind: str = "", name: str = "") -> list[Out]:
    """The mails that went out or wait, in order; a player's first one only if it is asked for."""
    found = rows(path, "SELECT kind, recipient, raw FROM outbox ORDER BY id")
    found = [row for row in found if (row["kind"] == "welcome") == (kind == "welcome")]
    return [
        Out(row["kind"], row["recipient"], row["raw"], parsed(row["raw"]))
        for row in found
        if row["kind"].startswith(kind) and (not name or row["recipient"] == address(name))
    ]


def parsed(raw: bytes) -> EmailMessage:
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def verdicts(path: Path) -> list[tuple[str, str]]:
    """Verdict and reason of every mail, in order of arrival."""
    found = rows(path, "SELECT verdict, reason FROM verdict JOIN mail ON mail.id = mail_id ORDER BY received_at, id")
    return [(row["verdict"], row["reason"]) for row in found]


def bodies(path: Path, match: int = 1) -> list[dict[str, Any]]:
    """The records of a match, the opening first."""
    found = rows(path, "SELECT body FROM record WHERE match_id = ? ORDER BY round, version", match)
    return [json.loads(row["body"]) for row in found]


def public(path: Path) -> dict[str, bytes]:
    """Every published file."""
    root = path / "public"
    return {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}


def copy(source: Path, target: Path) -> Path:
    """A site as it lies on the disk, links and times included."""
    return Path(copytree(source, target, symlinks=True))


def league(path: Path, now: datetime, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own; it is forked (`zygote.py`), since most of a command is its imports."""
    ended = Forks().league(path, now, *args, **env)
    return subprocess.CompletedProcess(args, ended.code, ended.out, ended.err)


def fresh(path: Path, now: datetime, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The command line as a shell starts it, imports and all."""
    command = [sys.executable, "-m", "league", "--site", str(path), "--now", now.isoformat(), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **env})


def sealed(path: Path, match: int = 1) -> list[records.Sealed]:
    """The chain of a match as the books hold it."""
    engine = database.open_engine(path / "league.sqlite")
    with database.read(engine) as connection:
        found = list(records.chain(connection, match))
    engine.dispose()
    return found


def opened(path: Path, now: datetime) -> Site:
    """The site, open; for tests that call a use case themselves."""
    return open_site(path, now)
