"""The same site on a real PostgreSQL: the same records and mails, and killed anywhere the same again."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from league import settings
from league.core.errors import Refused
from league.desk.acts.keys import renew_token
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import restore
from league.desk.recovery.word_on_head import confirm
from league.desk.site import Site
from league.failpoints import KILLED
from league.storage import engine as database
from league.storage.archive import look
from league.storage.tables import metadata
from tests.desk.forks import Forks, command
from tests.desk.sites import add_league, at, copy, drop, letter, make_site, opened, public, run
from tests.desk.test_crash import NOW, PLACES, prepare
from tests.storage.postgres import Postgres

AS_IT_COMES = {("outbox", "claim"), ("mail", "source")}  # a random word; a path that has the site's folder in it
SERIAL = {"id", "mail_id", "sequence"}  # numbers that a rolled back transaction has used up


@dataclass(frozen=True)
class Kept:
    """What is published and sent, and everything in the database but numbers of rows."""

    public: dict[str, bytes]
    sent: dict[str, bytes]
    books: dict[str, list[str]]


def kept(path: Path, url: str = "") -> Kept:
    engine = database.open_engine(url or path / "league.sqlite")
    with database.read(engine) as connection:
        books = {t.name: sorted(_row(t.name, row) for row in connection.execute(t.select()).mappings()) for t in TABLES}
    engine.dispose()
    sent = {f.name: f.read_bytes() for f in sorted((path / "mail" / "out" / "new").iterdir())}
    return Kept(public(path), sent, books)


TABLES = tuple(table for table in metadata.sorted_tables if table.name != "fetch_log")


def _row(table: str, row: Any) -> str:
    return repr({k: v for k, v in row.items() if (table, k) not in AS_IT_COMES and k not in SERIAL})


@dataclass(frozen=True)
class Prepared:
    """A site with everything to do, and its database, ready to be copied."""

    server: Postgres
    path: Path
    database: str

    def again(self, path: Path) -> str:
        """A copy of the site with a database of its own; where that is."""
        name = self.server.create(self.database)
        copy(self.path, path)
        toml = path / settings.FILE
        toml.write_text(toml.read_text().replace(self.server.url(self.database), self.server.url(name)))
        return self.server.url(name)


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


@pytest.fixture(scope="module")
def prepared(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    name = postgres.create()
    return Prepared(postgres, prepare(tmp_path_factory.mktemp("pg") / "site", postgres.url(name)), name)


@pytest.fixture(scope="module")
def whole(prepared: Prepared, forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A run that wasn't killed."""
    path = tmp_path_factory.mktemp("pg-whole") / "site"
    url = prepared.again(path)
    done = forks.league(path, NOW, "run")
    assert done.code == 0, done.err
    return kept(path, url)


def test_the_same_as_on_sqlite(whole: Kept, forks: Forks, tmp_path: Path) -> None:
    """Two leagues and two weeks: records, positions, orders, mails and pages don't depend on the database."""
    path = prepare(tmp_path / "site")
    done = forks.league(path, NOW, "run")
    assert done.code == 0, done.err
    lite = kept(path)
    assert lite.public == whole.public
    assert lite.sent == whole.sent
    for name, rows in lite.books.items():
        assert rows == whole.books[name], name
    assert len(whole.books["record"]) == 6


def test_the_tables_are_those_of_the_code(prepared: Prepared) -> None:
    """After all migrations nothing is left that the code would have otherwise."""
    engine = database.open_engine(prepared.server.url(prepared.server.create(prepared.database)))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_killed_at_every_place(prepared: Prepared, whole: Kept, forks: Forks, tmp_path: Path) -> None:
    """One after the other in one site, each run dying a little later: the end is that of a run which never died."""
    path = tmp_path / "site"
    url = prepared.again(path)
    for place in PLACES:
        assert forks.league(path, NOW, "run", LEAGUE_FAILPOINT=place).code == KILLED, place
    assert forks.league(path, NOW, "run").code == 0
    assert kept(path, url) == whole


@pytest.mark.parametrize("place", ["intake.before_commit", "seal.before_commit"])
def test_killed_later(place: str, prepared: Prepared, whole: Kept, forks: Forks, tmp_path: Path) -> None:
    """At the second time that a place is reached, in the middle of the leagues or mails."""
    path = tmp_path / "site"
    url = prepared.again(path)
    assert forks.league(path, NOW, "run", LEAGUE_FAILPOINT=f"{place}:2").code == KILLED
    assert forks.league(path, NOW, "run").code == 0
    assert kept(path, url) == whole


def test_two_machines_at_once(prepared: Prepared, whole: Kept, forks: Forks, tmp_path: Path) -> None:
    """Two runs of one database from two folders, where no file lock holds them apart: one waits, all is done once."""
    here, there = tmp_path / "here", tmp_path / "there"
    url = prepared.again(here)
    copy(here, there)
    ended = forks.at_once(command(here, NOW, "run"), command(there, NOW, "run"))
    assert {e.code for e in ended} <= {0, 1}, ended
    assert any(e.code == 0 for e in ended), ended
    assert all("in use on another machine" in e.err for e in ended if e.code), ended
    mails = kept(here, url).books["outbox"]
    assert mails == whole.books["outbox"]
    assert kept(here, url).books["record"] == whole.books["record"]


def test_a_backup_comes_back_into_an_empty_database(postgres: Postgres, tmp_path: Path) -> None:
    """By pg_dump and pg_restore; a round published since is sealed again, the journal goes on behind its last act."""
    then = at("2024-01-06 12:00")
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "site.tar"
    url = postgres.url(postgres.create())
    add_league(make_site(old, url=url))
    for name, text in (("Anna", "join Island"), ("Ben", "join Portugal")):
        drop(old, letter(name, text), at("2024-01-03 10:00"))
    with closing_site(old, at("2024-01-02 12:00")) as site:
        back_up(site, file)
    assert "database.dump" in [one.name for one in look(file).files]
    with closing_site(old, at("2024-01-03 12:00")) as site:
        renew_token(site, "spring", "Carla", why="lost")
    run(old, at("2024-01-05 08:00"))
    with pytest.raises(Refused, match="isn't empty; a backup is restored into an empty one"):
        restore(new, file, then)
    with psycopg.connect(url, autocommit=True) as connection:  # the machine and its database are gone
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    assert restore(new, file, then).missing == ()
    rmtree(new / "mail" / "in")
    copytree(old / "mail" / "in", new / "mail" / "in")
    with closing_site(new, then) as site:
        confirm(site, public=old / "public")
    assert run(new, then).troubles == []
    theirs, ours = public(old), public(new)
    records = [name for name in theirs if "/records/" in name]
    assert len(records) == 3  # with the checkpoint
    assert {name: ours[name] for name in records} == {name: theirs[name] for name in records}
    before, after = (json.loads(pages["spring/journal.json"])["acts"] for pages in (theirs, ours))
    assert after[: len(before)] == before
    assert [act["act"] for act in after[len(before) :]] == ["restore --public"]


@contextmanager
def closing_site(path: Path, now: datetime) -> Iterator[Site]:
    """The site, open for a while."""
    site = opened(path, now)
    try:
        yield site
    finally:
        site.engine.dispose()


def test_a_server_that_is_not_there(prepared: Prepared, forks: Forks, tmp_path: Path) -> None:
    """It is said in words, without a traceback and without the password."""
    path = tmp_path / "site"
    prepared.again(path)
    toml = path / settings.FILE
    lines = toml.read_text().splitlines()
    gone = [
        'url = "postgresql://league:geheim@127.0.0.1:9/league"' if line.startswith("url =") else line for line in lines
    ]
    toml.write_text("\n".join(gone) + "\n")
    done = forks.league(path, NOW, "run")
    assert done.code == 1
    assert "127.0.0.1" in done.err
    assert "Traceback" not in done.err
    assert "geheim" not in done.err + done.out
