import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine.interfaces import CacheStats
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.schema import CreateIndex, CreateTable

import league.storage
from league.core.errors import BadInput, Refused
from league.storage import journal, leagues
from league.storage.engine import HEAD, open_engine, read, ready, revision, write
from league.storage.lock import run_lock
from league.storage.tables import metadata
from tests.storage.builders import NOW, league_of


def test_migrations_make_the_tables(engine: Engine) -> None:
    """What the migrations make is what the tables say."""
    with read(engine) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_head_is_the_newest_migration() -> None:
    """The revision that `ready` compares with is the newest migration's."""
    config = Config()
    config.set_main_option("script_location", str(Path(league.storage.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_checks_of_the_tables_are_in_the_migration(engine: Engine) -> None:
    """Check constraints, which Alembic doesn't compare, are made by the migration too."""
    wanted = {
        str(check.name) for table in metadata.tables.values() for check in table.constraints if "ck_" in str(check.name)
    }
    with read(engine) as connection:
        made = " ".join(connection.execute(text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")).scalars())
    assert wanted
    assert all(name in made for name in wanted)


def test_ready_costs_one_statement_on_a_site_that_is_up_to_date(engine: Engine) -> None:
    """Opening a site that needs nothing asks for the revision and for nothing else."""
    seen: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *args: seen.append(args[2]))
    ready(engine)
    assert [statement for statement in seen if not statement.startswith("BEGIN")] == [
        "SELECT version_num FROM alembic_version"
    ]


def test_opening_a_site_imports_no_alembic(engine: Engine, tmp_path: Path) -> None:
    """Alembic is imported only where a migration is missing."""
    code = (
        "import sys; from league.storage.engine import open_engine, ready;"
        f"ready(open_engine({str(tmp_path / 'league.db')!r})); print('alembic' in sys.modules)"
    )
    assert revision(engine) == HEAD
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_statement_is_compiled_once_for_all_sites(engine: Engine, tmp_path: Path) -> None:
    """What one site asked another asks without compiling it anew, and each is told what is its own."""
    with write(engine) as connection:
        league_of(connection)
        assert len(leagues.leagues(connection)) == 1
    other = open_engine(tmp_path / "other.db")
    ready(other)
    hits: list[CacheStats] = []
    event.listen(other, "before_cursor_execute", lambda *args: hits.append(args[4].cache_hit))
    with read(other) as connection:
        assert len(leagues.leagues(connection)) == 0
    other.dispose()
    assert hits[-1] is CacheStats.CACHE_HIT


def test_a_site_of_a_newer_version_is_refused(engine: Engine) -> None:
    """A database that a newer league wrote is left alone."""
    with write(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Refused, match="newer"):
        ready(engine)


def test_the_tables_compile_for_postgresql() -> None:
    """Every table and index can be made on PostgreSQL, with time stamps that know their zone."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    made = [str(CreateTable(table).compile(dialect=dialect)) for table in metadata.sorted_tables]
    made += [str(CreateIndex(i).compile(dialect=dialect)) for table in metadata.sorted_tables for i in table.indexes]
    assert any("closes_at TIMESTAMP WITH TIME ZONE NOT NULL" in statement for statement in made)
    assert len(made) > len(metadata.tables)


def test_commits_are_written_through(engine: Engine) -> None:
    """A commit survives a power cut, and foreign keys are watched."""
    with read(engine) as connection:
        settings = [
            connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert settings == ["wal", 2, 1]


def test_a_write_transaction_locks_at_its_beginning(engine: Engine, tmp_path: Path) -> None:
    """Before its first statement already, a second writer is refused and a reader isn't."""
    other = open_engine(tmp_path / "league.db", busy_seconds=0.05)
    with write(engine):
        with read(other) as reader:
            assert reader.execute(text("SELECT count(*) FROM league")).scalar() == 0
        with pytest.raises(Refused, match="try again"), write(other):
            pass
    with write(other) as connection:
        connection.execute(text("DELETE FROM site_fact"))


def test_a_write_that_fails_leaves_nothing(engine: Engine) -> None:
    """A transaction is kept as a whole or not at all."""
    with pytest.raises(ZeroDivisionError), write(engine) as connection:
        leagues.set_fact(connection, "made", "yes")
        _ = 1 / 0
    with read(engine) as connection:
        assert leagues.fact(connection, "made") is None


def test_a_savepoint_undoes_one_league_of_many(engine: Engine) -> None:
    """A league that fails takes only its own part of the chunk with it."""
    with write(engine) as connection:
        leagues.set_fact(connection, "first", "1")
        with pytest.raises(ZeroDivisionError), connection.begin_nested():
            leagues.set_fact(connection, "second", "2")
            _ = 1 / 0
        leagues.set_fact(connection, "third", "3")
    with read(engine) as connection:
        assert [leagues.fact(connection, key) for key in ("first", "second", "third")] == ["1", None, "3"]


def test_a_time_without_a_zone_is_refused(engine: Engine) -> None:
    """No naive datetime gets into the database."""
    with pytest.raises(StatementError, match="without a zone"), write(engine) as connection:
        journal.append(connection, journal.Act(NOW.replace(tzinfo=None), "organizer", "init"))


def test_times_come_back_as_the_same_instant_in_utc(engine: Engine) -> None:
    """Whatever zone goes in, aware UTC comes out, to the microsecond."""
    moment = datetime(2026, 7, 1, 0, 30, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    with write(engine) as connection:
        journal.append(connection, journal.Act(moment, "organizer", "init"))
        back = journal.last_at(connection)
    assert back == moment
    assert back is not None
    assert back.tzinfo is UTC


@pytest.mark.parametrize("statement", ["UPDATE journal SET who = 'nobody'", "DELETE FROM journal"])
def test_the_journal_only_grows(engine: Engine, statement: str) -> None:
    """The database itself refuses to change or drop an act."""
    with write(engine) as connection:
        journal.append(connection, journal.Act(NOW, "organizer", "init"))
    with pytest.raises(IntegrityError, match="append-only"), write(engine) as connection:
        connection.execute(text(statement))
    with read(engine) as connection:
        assert [act.who for act in journal.acts(connection)] == ["organizer"]


def test_a_row_without_its_parent_is_refused(engine: Engine) -> None:
    """Foreign keys hold on SQLite too."""
    with pytest.raises(IntegrityError), write(engine) as connection:
        connection.execute(text("INSERT INTO match (season_id, slug, status) VALUES (77, 'x', 'running')"))


def test_a_killed_commit_leaves_nothing(tmp_path: Path) -> None:
    """A program that dies before its commit has written nothing, one that dies after it everything."""
    for place, left in (("before_commit", 0), ("after_commit", 1)):
        path = tmp_path / f"{place}.db"
        code = (
            "from league.storage.engine import *\nfrom tests.storage.builders import league_of\n"
            f"e = open_engine({str(path)!r}); ready(e)\nwith write(e, 'seal') as c: league_of(c)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], env={"LEAGUE_FAILPOINT": f"seal.{place}"}, cwd=_ROOT, check=False
        )
        assert done.returncode == 137
        with read(open_engine(path)) as connection:
            assert len(leagues.leagues(connection)) == left


_ROOT = Path(league.storage.__file__).parent.parent.parent


def test_two_runs_of_a_site_exclude_each_other(tmp_path: Path) -> None:
    """The second run is refused by name of the first, and let in when that has ended."""
    with run_lock(tmp_path, "league run (pid 7)"):
        with pytest.raises(Refused, match=r"league run \(pid 7\)"), run_lock(tmp_path, "league publish"):
            pass
        code = (
            "from pathlib import Path\nfrom league.storage.lock import run_lock\n"
            f"with run_lock(Path({str(tmp_path)!r}), 'x', wait=0.1): pass"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=_ROOT, check=False)
        assert "Refused" in done.stderr
    with run_lock(tmp_path, "league publish"):
        pass


def test_leagues_have_names_of_their_own(engine: Engine) -> None:
    """A second league of the same name is refused and the transaction goes on."""
    with write(engine) as connection:
        league_of(connection)
        with pytest.raises(BadInput, match="spring is already there"):
            league_of(connection)
        league_of(connection, "summer")
    with read(engine) as connection:
        assert [league.slug for league in leagues.leagues(connection)] == ["spring", "summer"]


def test_an_outbox_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    """Mails that it has queued keep state and bytes, and get the rank and the domain that they would have now."""
    from alembic import command

    engine = open_engine(tmp_path / "old.db")
    config = Config()
    config.set_main_option("script_location", str(Path(league.storage.__file__).parent / "migrations"))
    with write(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        for number, kind in enumerate(("receipt/2", "report", "freeze", "ask")):
            connection.execute(
                text(
                    "INSERT INTO outbox (message_id, kind, version, recipient, raw, state, attempts, trouble,"
                    " created_at, attempted_at) VALUES (:id, :kind, 1,"
                    " 'anna@Example.ORG', :raw, :state, 1, '', :at, :at)"
                ),
                {
                    "id": f"<{number}@x>",
                    "kind": kind,
                    "raw": b"\x00mail",
                    "state": ("queued", "sent", "failed", "sending")[number],
                    "at": "2026-01-01T00:00:00.000000Z",
                },
            )
    ready(engine)
    with read(engine) as connection:
        found = connection.execute(
            text("SELECT kind, state, rank, domain, first_attempt_at, raw FROM outbox ORDER BY id")
        )
        began = "2026-01-01T00:00:00.000000Z"
        assert [tuple(row) for row in found] == [
            ("receipt/2", "queued", 0, "example.org", began, b"\x00mail"),
            ("report", "sent", 2, "example.org", began, b"\x00mail"),
            ("freeze", "failed", 1, "example.org", began, b"\x00mail"),
            ("ask", "sending", 0, "example.org", began, b"\x00mail"),
        ]
    engine.dispose()


def test_what_only_grows_is_guarded_in_the_newest_schema(tmp_path: Path) -> None:
    """No migration has taken the guards of journal and records away."""
    engine = open_engine(tmp_path / "new.sqlite")
    ready(engine)
    with read(engine) as connection:
        found = connection.execute(
            text("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        ).scalars()
        assert list(found) == ["journal_no_delete", "journal_no_update", "record_no_delete", "record_no_update"]
    engine.dispose()
