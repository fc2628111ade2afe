"""Mail out over SMTP, beside the standard library's `sendmail` over one connection to the same server."""

import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from league.delivery.outbox import deliver
from league.delivery.smtp import Server, Smtp
from league.storage import engine as database
from league.storage.outbox import OutMail, queue
from league.storage.sending import Queue

ROOT = Path(__file__).parent.parent.parent
NOW = datetime(2024, 1, 3, 10, tzinfo=UTC)
MAILS = 1_000
CPU_MS = 0.8  # a mail, the books included: a goal; what is held is the ratio
A_CONNECTION = 50  # mails at least
SERVER = """
import sys, time
from tests.delivery.post_office import Post, office
with office(Post()) as port:
    print(port, flush=True)
    sys.stdin.read()
"""


def letter(number: int) -> OutMail:
    """5 kB, as reports are."""
    raw = b"Message-ID: <%d@play.example>\r\n\r\n" % number + b"a line of a report, as long as lines are\r\n" * 120
    return OutMail(f"<{number}@play.example>", "report", f"p{number}@example.org", raw, NOW)


@contextmanager
def server() -> Iterator[int]:
    """In a process of its own, so that its work isn't counted as ours."""
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield int(process.stdout.readline())
        process.stdin.close()


def cpu(work: Callable[[], object]) -> float:
    """CPU milliseconds a mail."""
    begin = time.process_time_ns()
    work()
    return (time.process_time_ns() - begin) / 1e6 / MAILS


def ours(port: int) -> tuple[float, int]:
    """Taken from the outbox, handed over, each settled by a commit of its own; and how many connections it took."""
    with TemporaryDirectory() as name:
        engine = database.open_engine(Path(name) / "a.db")
        database.ready(engine)
        with database.write(engine) as connection:
            queue(connection, [letter(n) for n in range(MAILS)])
        smtp = Smtp(Server("127.0.0.1", port, "none"), lambda: None, lambda mail: f"league+b-{mail.id}@play.example")
        spent = cpu(lambda: deliver(Queue(engine, NOW), smtp))
        smtp.close()
        engine.dispose()
    return spent, smtp.connections


def bare(port: int) -> float:
    """`sendmail` and nothing noted."""
    mails = [letter(n) for n in range(MAILS)]

    def send() -> None:
        with smtplib.SMTP("127.0.0.1", port) as line:
            for mail in mails:
                line.sendmail("league@play.example", [mail.recipient], mail.raw)

    return cpu(send)


def main() -> int:
    """Print the row; 1 if a budget is missed."""
    with server() as port:
        runs = [ours(port) for _ in range(3)]
        spent, peer = min(run[0] for run in runs), min(bare(port) for _ in range(3))
    connections = runs[0][1]
    print(
        f"mail out (SMTP)   {spent:7.4f} ms   sendmail, nothing noted {peer:.4f} ms   {spent / peer:.2f} times   "
        f"goal {CPU_MS} ms   {MAILS / connections:.0f} mails a connection (at least {A_CONNECTION})"
    )
    return 0 if MAILS / connections >= A_CONNECTION else 1


if __name__ == "__main__":
    sys.exit(main())
