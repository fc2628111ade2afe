import mailbox
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

import league.core
from league.delivery.maildir import Maildir, file_name
from league.delivery.outbox import Delivered, Handed, Outcome, Outgoing, deliver
from league.storage import troubles
from league.storage.engine import open_engine, read, ready, write
from league.storage.outbox import OutMail, counts, listing, queue
from league.storage.sending import Pace, Queue, recover

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
        "from league.storage.engine import open_engine\nfrom league.storage.sending import Queue\n"
        f"queue = Queue(open_engine({str(tmp_path / 'league.db')!r}), datetime(2026, 11, 6, tzinfo=UTC))\n"
        f"deliver(queue, Maildir(Path({str(tmp_path / 'out')!r})), batch=2)\n"
    )
    env = {"LEAGUE_FAILPOINT": f"{place}:{nth}"}
    assert subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, check=False).returncode == 137
    with write(engine) as connection:
        assert recover(connection, NOW, exact=True) == 0
    deliver(Queue(engine, NOW), Maildir(tmp_path / "out"), batch=2)
    assert _delivered(tmp_path / "out") == WANTED
    assert list((tmp_path / "out" / "tmp").iterdir()) == []
    with read(engine) as connection:
        assert counts(connection) == {"sent": 5}


def test_a_mail_that_was_read_is_not_written_again(engine: Engine, tmp_path: Path) -> None:
    """A mail that its reader has moved to `cur` is known there, flags and all."""
    out = tmp_path / "out"
    mails = Queue(engine, NOW).take(5)
    list(Maildir(out).send(mails))
    name = file_name(mails[0].message_id)
    (out / "new" / name).rename(out / "cur" / f"{name}:2,S")
    list(Maildir(out).send(mails))
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


class Scripted:
    """A way out that does with each mail what is written, and keeps count."""

    exact = False

    def __init__(self, **script: tuple[Outcome, str]) -> None:
        self.script, self.taken = script, []  # type: ignore[var-annotated]

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sequence[Handed]]:
        for mail in mails:
            outcome, words = self.script.get(f"m{mail.message_id[1]}", (Outcome.SENT, ""))
            if outcome is not Outcome.STOPPED:
                self.taken.append(int(mail.message_id[1]))
            yield [Handed(mail.id, outcome, words)]
            if outcome is Outcome.STOPPED:
                return


def _states(engine: Engine) -> dict[str, tuple[str, int]]:
    with read(engine) as connection:
        return {line.message_id[1]: (line.state, line.attempts) for line in listing(connection)}


def test_a_refused_mail_fails_alone(engine: Engine) -> None:
    """One mail that the server refuses for good stops no other, and the organizer is to be told."""
    way = Scripted(m1=(Outcome.REFUSED, "550 5.7.99 no"))
    assert deliver(Queue(engine, NOW), way, batch=2) == Delivered(4, 1, words="550 5.7.99 no")
    with read(engine) as connection:
        assert counts(connection) == {"failed": 1, "sent": 4}
        assert [(t.kind, t.words) for t in troubles.untold(connection, NOW)] == [("failed", "550 5.7.99 no")]


def test_a_server_that_stops_loses_nothing(engine: Engine) -> None:
    """What was taken and not tried waits as if nobody had touched it; the run goes no further."""
    way = Scripted(m3=(Outcome.STOPPED, "535 wrong password"))
    assert deliver(Queue(engine, NOW), way, batch=4) == Delivered(3, trouble="535 wrong password")
    assert _states(engine) == {
        "0": ("sent", 1),
        "1": ("sent", 1),
        "2": ("sent", 1),
        "3": ("queued", 0),
        "4": ("queued", 0),
    }
    assert deliver(Queue(engine, NOW), Scripted(), batch=2) == Delivered(2)


def test_a_mail_that_has_to_wait_is_tried_less_and_less_often(engine: Engine) -> None:
    """1, 5, 15 and 60 minutes, then every four hours; after two days it has failed."""
    way = Scripted(m1=(Outcome.LATER, "451 try later"))
    now, pauses = NOW, []
    while _states(engine)["1"][0] != "failed":
        assert deliver(Queue(engine, now), way).failed == 0
        with read(engine) as connection:
            (line,) = [line for line in listing(connection) if line.message_id[1] == "1"]
        if line.not_before is None:
            break
        assert deliver(Queue(engine, line.not_before - timedelta(seconds=1)), way) == Delivered()
        pauses.append((line.not_before - now).total_seconds() / 60)
        now = line.not_before
    assert pauses[:6] == [1, 5, 15, 60, 240, 240]
    assert set(pauses[6:]) == {240}
    assert timedelta(days=2) <= now - NOW < timedelta(days=2, hours=4)
    with read(engine) as connection:
        (told,) = troubles.untold(connection, now)
    assert told.words == "given up after 2 days: 451 try later"


def test_a_mail_in_doubt_goes_again_with_its_bytes(engine: Engine) -> None:
    """Handed over and never answered: the same mail goes again after a pause, and only then."""
    assert deliver(Queue(engine, NOW), Scripted(m2=(Outcome.DOUBT, "lost"))) == Delivered(4, doubt=1, words="lost")
    assert _states(engine)["2"] == ("in_doubt", 1)
    again = Scripted()
    assert deliver(Queue(engine, NOW + timedelta(minutes=14)), again) == Delivered()
    mails = Queue(engine, NOW + timedelta(minutes=15)).take(5)
    assert [(mail.message_id, mail.raw) for mail in mails] == [("<2@example.org>", _mail(2).raw)]


def test_after_a_crash_only_the_first_without_an_outcome_is_in_doubt(engine: Engine) -> None:
    """A sender settles each mail before it hands over the next, so the ones behind can't have gone."""
    died = Queue(engine, NOW)
    mails = died.take(4)
    died.settle([Handed(mails[0].id, Outcome.SENT)])
    died.close()
    with write(engine) as connection:
        assert recover(connection, NOW, exact=False) == 1
    assert _states(engine) == {
        "0": ("sent", 1),
        "1": ("in_doubt", 1),
        "2": ("queued", 0),
        "3": ("queued", 0),
        "4": ("queued", 0),
    }


def test_two_senders_never_have_the_same_mail(engine: Engine) -> None:
    """What one has taken the other doesn't get, and an outcome counts only from whom has the mail."""
    one, two = Queue(engine, NOW), Queue(engine, NOW)
    mine, other = one.take(3), two.take(9)
    assert not {m.id for m in mine} & {m.id for m in other}
    assert len(mine) + len(other) == 5
    two.settle([Handed(mail.id, Outcome.SENT) for mail in mine])
    assert [_states(engine)[mail.message_id[1]][0] for mail in mine] == ["sending"] * 3
    two.settle([Handed(other[0].id, Outcome.STOPPED)])
    two.close()
    assert [_states(engine)[mail.message_id[1]][0] for mail in mine] == ["sending"] * 3


def test_a_domain_that_has_had_its_share_hides_no_other(engine: Engine) -> None:
    """Many mails to a provider that takes no more this hour stand in front; the others go all the same."""
    with write(engine) as connection:
        mails = [replace(_mail(n), message_id=f"<{n}@x>", recipient=f"p{n}@gmx.example") for n in range(100, 130)]
        queue(connection, [*mails, replace(_mail(9), message_id="<9@x>", recipient="zoe@other.example")])
    way = Scripted()
    assert deliver(Queue(engine, NOW, Pace(per_domain=3)), way, batch=4).sent == 7
    with read(engine) as connection:
        sent = Counter(line.recipient.partition("@")[2] for line in listing(connection, ["sent"]))
    assert sent == {"example.org": 3, "gmx.example": 3, "other.example": 1}
    assert deliver(Queue(engine, NOW + timedelta(minutes=61), Pace(per_domain=3)), way).sent == 5


def test_a_mail_in_doubt_counts_for_the_hour(engine: Engine) -> None:
    """It may have gone out, and the provider may have counted it."""
    way = Scripted(m0=(Outcome.DOUBT, "lost"))
    assert deliver(Queue(engine, NOW, Pace(per_hour=2)), way).sent == 1
    assert deliver(Queue(engine, NOW + timedelta(minutes=5), Pace(per_hour=2)), way) == Delivered()
