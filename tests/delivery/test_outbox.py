import mailbox
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

import league.core
from league.delivery.maildir import Maildir, file_name
from league.delivery.outbox import Delivered, Outgoing, deliver
from league.storage.engine import open_engine, read, ready, write
from league.storage.outbox import OutMail, Queue, counts, queue

NOW = datetime(2026, 11, 6, 12, tzinfo=UTC)
ROOT = Path(league.core.__file__).parent.parent.parent


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    engine = open_engine(tmp_path / "league.db")
    ready(engine)
    with write(engine) as connection:
        queue(connection, [_mail(n) for n in range(5)])
    return engine


def _mail(number: int) -> OutMail:
    raw = f"Message-ID: <{number}@example.org>\r\n\r\nmail {number}\r\n".encode()
    return OutMail(f"<{number}@example.org>", "report", "anna@example.org", raw, NOW)


def _delivered(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for folder in ("new", "cur") for file in (path / folder).iterdir()}


WANTED = {file_name(_mail(n).message_id): _mail(n).raw for n in range(5)}


def test_every_mail_becomes_one_file(engine: Engine, tmp_path: Path) -> None:
    """Delivery writes each mail once, marks it, and finds nothing to do the next time."""
    assert deliver(Queue(engine, NOW), Maildir(tmp_path / "out"), batch=2) == Delivered(5, 0)
    assert deliver(Queue(engine, NOW), Maildir(tmp_path / "out"), batch=2) == Delivered()
    assert _delivered(tmp_path / "out") == WANTED
    with read(engine) as connection:
        assert counts(connection) == {"sent": 5}
    assert len(mailbox.Maildir(tmp_path / "out")) == 5


@pytest.mark.parametrize("place", ["outbox.sending", "outbox.delivered", "outbox.sent"])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_delivery_that_is_killed_goes_on(engine: Engine, tmp_path: Path, place: str, nth: int) -> None:
    """Killed at any step of any batch and run again, the Maildir holds what a run without a crash would have left."""
    code = (
        "from datetime import UTC, datetime\nfrom pathlib import Path\n"
        "from league.delivery.maildir import Maildir\nfrom league.delivery.outbox import deliver\n"
        "from league.storage.engine import open_engine\nfrom league.storage.outbox import Queue\n"
        f"queue = Queue(open_engine({str(tmp_path / 'league.db')!r}), datetime(2026, 11, 6, tzinfo=UTC))\n"
        f"deliver(queue, Maildir(Path({str(tmp_path / 'out')!r})), batch=2)\n"
    )
    env = {"LEAGUE_FAILPOINT": f"{place}:{nth}"}
    assert subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, check=False).returncode == 137
    deliver(Queue(engine, NOW), Maildir(tmp_path / "out"), batch=2)
    assert _delivered(tmp_path / "out") == WANTED
    assert list((tmp_path / "out" / "tmp").iterdir()) == []
    with read(engine) as connection:
        assert counts(connection) == {"sent": 5}


def test_a_mail_that_was_read_is_not_written_again(engine: Engine, tmp_path: Path) -> None:
    """A mail that its reader has moved to `cur` is known there, flags and all."""
    out = tmp_path / "out"
    mails = Queue(engine, NOW).take(0, 5)
    Maildir(out).send(mails)
    name = file_name(mails[0].message_id)
    (out / "new" / name).rename(out / "cur" / f"{name}:2,S")
    Maildir(out).send(mails)
    assert len(_delivered(out)) == 5


def test_a_half_written_draft_is_written_anew(engine: Engine, tmp_path: Path) -> None:
    """What a power cut left in `tmp` never shows as a mail."""
    out = tmp_path / "out"
    (out / "tmp").mkdir(parents=True)
    (out / "tmp" / file_name("<0@example.org>")).write_bytes(b"Message-ID: <0@exa" + b"x" * 1000)
    deliver(Queue(engine, NOW), Maildir(out))
    assert _delivered(out) == WANTED


def test_no_message_id_leaves_the_folder() -> None:
    """A Message-ID with a path in it is a plain file name like any other."""
    assert "/" not in file_name("<../../etc/passwd@example.org>")
    assert file_name("<a@example.org>") != file_name("<A@example.org>")


class Refusing:
    """A server that doesn't know one of the players."""

    def send(self, mails: Sequence[Outgoing]) -> Mapping[int, str]:
        return {mail.id: "550 no such user" for mail in mails if mail.message_id == "<1@example.org>"}


class Silent:
    """A server that doesn't answer."""

    def send(self, mails: Sequence[Outgoing]) -> Mapping[int, str]:
        raise ConnectionRefusedError(len(mails))


def test_a_refused_mail_fails_alone(engine: Engine) -> None:
    """One mail that the server refuses for good stops no other."""
    assert deliver(Queue(engine, NOW), Refusing(), batch=2) == Delivered(4, 1)
    with read(engine) as connection:
        assert counts(connection) == {"failed": 1, "sent": 4}


def test_passing_trouble_loses_nothing(engine: Engine, tmp_path: Path) -> None:
    """When the server is away the mails wait for the next run."""
    with pytest.raises(ConnectionRefusedError):
        deliver(Queue(engine, NOW), Silent(), batch=2)
    assert deliver(Queue(engine, NOW), Maildir(tmp_path / "out"), batch=2) == Delivered(5, 0)
