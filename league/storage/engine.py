"""Opening the site's database, and the two kinds of transaction it knows.

SQLite: write-ahead log, every commit fsynced, foreign keys on; a write transaction takes the write lock
at its beginning, so that what it read can't have changed when it writes. PostgreSQL: the same code by a URL.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.util import LRUCache

from league.core.errors import Refused
from league.failpoints import reach

Key = TypeVar("Key")
HEAD = "0015"  # the newest revision in migrations/versions
BUSY_SECONDS = 30.0
IMMEDIATE = "league_immediate"
DAMAGED = ("malformed", "not a database")
MIGRATION_LOCK = 0x6C656167  # any fixed number: one migration at a time on PostgreSQL
COMPILED_MOST = 2_000  # statements; the whole program has some hundreds


class Sqlite(SQLiteDialect_pysqlite):
    """The dialect of every site's file, equal to any other: a statement compiled for one site serves them all.

    SQLAlchemy looks compiled statements up by dialect, and makes a dialect for each engine; `run --watch` opens its
    site anew for every run, and compiling costs as much as asking.
    """

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sqlite)

    def __hash__(self) -> int:
        return hash(Sqlite)


DRIVERS = {"sqlite": "sqlite+league", "postgresql": "postgresql+psycopg"}
registry.register("sqlite.league", __name__, Sqlite.__name__)
_COMPILED: LRUCache[Any, Any] = LRUCache(COMPILED_MOST)


def open_engine(where: Path | str, *, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """An engine for a SQLite file, or for a PostgreSQL URL."""
    url = _url(where)
    if url.get_backend_name() != "sqlite":
        try:
            return create_engine(url, json_serializer=_compact)
        except ModuleNotFoundError as error:
            raise Refused(f"PostgreSQL needs the driver {error.name}: pip install 'league[postgresql]'") from error
    options = {"compiled_cache": _COMPILED}
    engine = create_engine(
        url, json_serializer=_compact, connect_args={"timeout": busy_seconds}, execution_options=options
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _url(where: Path | str) -> URL:
    text_ = str(where)
    if "://" not in text_:
        return URL.create(DRIVERS["sqlite"], database=text_)
    url = make_url(text_.replace("postgres://", "postgresql://", 1))
    return url.set(drivername=DRIVERS.get(url.drivername, url.drivername))


def postgres_url(where: str) -> URL:
    """The URL of a PostgreSQL database, for its own programs."""
    return _url(where)


def _compact(value: Any) -> str:
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


def _prepare_sqlite(connection: SqliteConnection, _: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself; _begin_sqlite does
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get(IMMEDIATE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def read(engine: Engine) -> Iterator[Connection]:
    """One consistent look at the site; nothing is kept."""
    with _whole(engine), engine.connect() as connection:
        yield connection


@contextmanager
def _whole(engine: Engine) -> Iterator[None]:
    """A file that is no database any more, or a server that isn't there, is no fault of the program."""
    try:
        yield
    except OperationalError as error:
        if engine.dialect.name != "postgresql":
            _damaged(engine, error)
            raise
        said = " ".join(str(error.orig).split())
        where = engine.url.render_as_string(hide_password=True)
        raise Refused(f"the database {where} can't be used now ({said}); try again when it can") from error
    except DatabaseError as error:
        _damaged(engine, error)
        raise


def _damaged(engine: Engine, error: DatabaseError) -> None:
    if any(word in str(error.orig) for word in DAMAGED):
        raise Refused(f"{engine.url.database} is damaged ({error.orig}); put a backup in its place") from error


@contextmanager
def write(engine: Engine, step: str = "") -> Iterator[Connection]:
    """One transaction: all of it or nothing. `connection.begin_nested()` is a savepoint for one league of many.

    A step with a name ("seal") has the failpoints `seal.before_commit` and `seal.after_commit`.
    """
    with open_line(engine) as connection, transaction(connection):
        yield connection
        if step:
            reach(f"{step}.before_commit")
    if step:
        reach(f"{step}.after_commit")


def open_line(engine: Engine) -> Connection:
    """A connection for many small write transactions one after the other; its opener closes it."""
    return engine.connect().execution_options(**{IMMEDIATE: True})


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """One write transaction on an open line."""
    with _whole(connection.engine):
        try:
            begun = connection.begin()
        except OperationalError as error:
            if "locked" not in str(error.orig):
                raise
            raise Refused("another league command is writing to this site; try again when it has finished") from error
        with begun:
            yield


def ready(engine: Engine) -> None:
    """Bring the site's tables up to date; costs one statement where they are."""
    if revision(engine) != HEAD:
        migrate(engine)


def revision(engine: Engine) -> str | None:
    """The schema's revision; None for a database without our tables."""
    with _whole(engine), engine.connect() as connection:
        try:
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        except DatabaseError as error:
            if "alembic_version" not in str(error.orig):
                raise
            return None


def migrate(engine: Engine) -> None:
    """Run the migrations that are missing, all in one transaction."""
    from alembic import command  # costs 200 ms, needed once in a site's life
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with write(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            if "Can't locate revision" not in str(error):
                raise
            raise Refused("this site was written by a newer league; install that version first") from error


def plain(value: Any) -> dict[str, Any]:
    """A dataclass's fields, not copied: `asdict` copies deeply, which costs more than storing the row."""
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def batches(keys: Sequence[Key], size: int = 500) -> Iterator[Sequence[Key]]:
    """Keys for IN lists of a length that both databases take."""
    return (keys[start : start + size] for start in range(0, len(keys), size))


def insert_new(connection: Connection, table: Any, rows: Sequence[dict[str, Any]]) -> int:
    """Insert the rows whose unique keys are new, leave the others; the number of rows that came in."""
    if not rows:
        return 0
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as pg_insert

        # psycopg's count isn't that of a statement over many rows, so the rows that came in are handed back
        came = pg_insert(table).on_conflict_do_nothing().returning(*table.primary_key)
        return len(connection.execute(came, rows).all())
    from sqlalchemy.dialects.sqlite import insert as lite_insert

    return connection.execute(lite_insert(table).on_conflict_do_nothing(), rows).rowcount
