"""A mail in and a mail out, each beside the plain way of doing the same with the standard library."""

import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from league.delivery.mail import Headers, split_at_picture
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.reporting import report_of
from league.desk.pages.shelf import shelf_of
from league.desk.post.outgoing import body_of
from league.desk.post.roster import any_order_or_press, stranger
from league.intake.mailbox import raw_mail
from league.intake.message import open_letter
from league.reports.context import RoundReport, SiteInfo
from league.reports.pictures import draw
from league.reports.report_mails import ReportMails
from league.storage import engine as database
from league.storage import outbox
from league.storage.outbox import OutMail
from tests.desk.sites import add_league, at, drop, letter, make_site, opened, run

NOW = datetime(2024, 1, 3, 10, tzinfo=UTC)
PARSE, BODY, ROW = 0.5, 0.3, 4.0  # times the peer
LETTERS = Path(__file__).parent.parent / "letters"
MAILS = 5_000
COUNTRIES = ("Island", "Irland", "Portugal", "Norwegen", "London", "Athen", "Finnland", "Moskau")


def least(work: Callable[[], object], runs: int = 7) -> float:
    """CPU milliseconds, the least of several runs."""
    times = []
    for _ in range(runs):
        begin = time.process_time_ns()
        work()
        times.append(time.process_time_ns() - begin)
    return min(times) / 1e6


# What mail servers write above a letter on its way; our samples were made without.
TRANSPORT = b"".join(
    b"Received: from mail%d.example.org (mail%d.example.org [192.0.2.%d])\r\n\tby mx%d.example.net with ESMTPS "
    b"id 4T4x5y%d\r\n\tfor <league@play.example>; Wed,  3 Jan 2024 19:42:0%d +0100 (CET)\r\n" % ((n,) * 6)
    for n in range(4)
) + (
    b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=20230601; t=1704307321;\r\n"
    b" h=to:subject:message-id:date:from:mime-version:from:to:cc:subject;\r\n bh="
    + b"A" * 43
    + b"=;\r\n b="
    + b"\r\n ".join([b"B" * 72] * 4)
    + b"\r\n"
    b"Authentication-Results: mx3.example.net; dkim=pass header.d=example.org; spf=pass smtp.mailfrom=example.org;\r\n"
    b" dmarc=pass (p=none) header.from=example.org\r\n"
    b"X-Mailer: a mail program (1.2.3)\r\nX-Spam-Status: No, score=-2.1\r\nReturn-Path: <a@example.org>\r\n"
)


def ordinary() -> list[bytes]:
    """Letters that both ways read; the traps among the samples are for another test."""
    found = [TRANSPORT + file.read_bytes() for file in sorted(LETTERS.glob("*.eml"))]
    return [raw for raw in found if len(raw) < 20_000 and _readable(raw)]


def _readable(raw: bytes) -> bool:
    try:
        return bool(_peer_text(raw))
    except Exception:  # noqa: BLE001  # what the library stumbles over
        return False


def _peer_text(raw: bytes) -> str:
    """What ours reads too: who, to whom, about what, in which thread, and the text."""
    mail = message_from_bytes(raw, policy=policy.default)
    for header in ("From", "To", "Subject", "Message-ID", "Date", "In-Reply-To", "References", "Auto-Submitted"):
        str(mail[header])
    part = mail.get_body(("plain", "html"))
    return str(part.get_content()) if part else ""


def parse() -> tuple[float, float]:
    """Ours: parsed and cut to the fresh text. The peer's: parsed, the body as text, nothing cut."""
    letters, counts = ordinary(), stranger().counts
    ours = least(lambda: [open_letter(raw_mail(raw, NOW, "-"), counts) for raw in letters]) / len(letters)
    peer = least(lambda: [_peer_text(raw) for raw in letters]) / len(letters)
    return ours, peer


WORST = (
    ("markup", b"text/html", b"<p>x" * 39_000),
    ("cells", b"text/html", b"<table><tr>" + b"<td><p>x" * 19_000),
    ("nested quotes", b"text/html", b"<div class=gmail_quote>" * 1_400 + b"<b>x</b>" * 25_000),
    ("attributes", b"text/html", b"<p " + b" ".join(b"a%d=1" % n for n in range(90_000)) + b">x"),
    ("lines", b"text/plain", b"On 5 Jan 2026 x wrote\n" * 1_499),
    ("quoted lines", b"text/plain", b"> take Paris\n" * 19_000),
    ("verbs", b"text/plain", b"take Paris " * 1_800 + b"\n" + b"take Pariss\n" * 1_450),
    ("one line", b"text/plain", b"(" * 199_000),
    ("wrote:", b"text/plain", b"x wrote:\n" * 1_490),
)


def worst() -> tuple[str, float]:
    """The worst of the mails that the limits allow, read to its orders by KUEL, and its milliseconds."""
    from league.intake.read import read_mail

    times = {}
    for name, kind, text in WORST:
        raw = raw_mail(b"From: a@example.org\nContent-Type: " + kind + b"\n\n" + text, NOW, "-")
        times[name] = least(lambda raw=raw: read_mail(raw, lambda _: stranger(), None), runs=3)  # type: ignore[misc]
    name = max(times, key=times.__getitem__)
    return name, times[name]


@contextmanager
def reported() -> Iterator[tuple[SiteInfo, RoundReport]]:
    """A round of eight players who all read German."""
    with TemporaryDirectory() as name:
        path = make_site(Path(name) / "site", pictures=True)
        names = [f"Player{n}" for n in range(8)]
        add_league(path, "spring", names)
        for player, country in zip(names, COUNTRIES, strict=True):
            drop(path, letter(player, f"join {country}"), at("2024-01-03 10:00"))
        run(path, at("2024-01-05 08:00"))
        site = opened(path, at("2024-01-05 08:00"))
        with database.read(site.engine) as connection:
            shelf = shelf_of(site, connection, "spring", ())
            assert shelf is not None
            info, record = site_info(site), shelf.versions.newest[1].body
            known = league_info(site, shelf.loaded, shelf.game)
            league = replace(known, seats=tuple(replace(seat, lang="de") for seat in known.seats))
        shown = round_info(shelf.rounds[0], status="done", record="0" * 64)
        yield info, report_of(league, shown, record, None, ())
        site.engine.dispose()


def _compose(mails: ReportMails, seat: str) -> None:
    split_at_picture(_headers(seat), body_of(mails.mail(seat), NOW))


def _email_message(mails: ReportMails, seat: str) -> None:
    made = mails.mail(seat)
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = "a@b.example", "c@d.example", "Round"
    mail.set_content(made.text)
    mail.add_alternative("".join(made.html), subtype="html")
    mail.as_bytes()


def body(info: SiteInfo, report: RoundReport) -> tuple[float, float]:
    """Eight players' reports, text and HTML: the shared part made once, against templates and an EmailMessage each."""
    seats = [seat.id for seat in report.league.seats]

    def ours() -> None:
        mails = ReportMails(info, report, any_order_or_press)
        for seat in seats:
            _compose(mails, seat)

    def peer() -> None:
        for seat in seats:
            _email_message(ReportMails(info, report, any_order_or_press), seat)

    return least(ours) / 8, least(peer) / 8


def _others(mails: ReportMails, seats: Sequence[str]) -> None:
    for seat in seats:
        _compose(mails, seat)


def private(info: SiteInfo, report: RoundReport) -> tuple[float, float]:
    """What each further mail of a language costs; the peer as above."""
    first, *others = [seat.id for seat in report.league.seats]
    times = []
    for _ in range(7):
        mails = ReportMails(info, report, any_order_or_press)
        _compose(mails, first)
        times.append(least(partial(_others, mails, others), 1))
    return min(times) / 7, body(info, report)[1]


def picture(info: SiteInfo, report: RoundReport) -> tuple[float, float]:
    """The map of a round, drawn once; the peer draws it for each of the eight."""
    made = ReportMails(info, report, any_order_or_press).picture
    assert made is not None
    once = least(lambda: draw(made.svg, made.width), 3)
    return once / 8, once


def _headers(name: str) -> Headers:
    return Headers(
        sender="league@play.example",
        recipient=f"{name}@example.org",
        subject="Round 1",
        date=NOW,
        message_id="<x@play.example>",
    )


def rows() -> tuple[float, float]:
    """Outbox rows in bulk, against bare `executemany` of the same columns."""
    mails = [OutMail(f"<{n}@x>", "report", "a@example.org", b"x" * 2_000, NOW) for n in range(MAILS)]
    with TemporaryDirectory() as name:
        engine = database.open_engine(Path(name) / "a.db")
        database.ready(engine)

        def ours() -> None:
            with database.write(engine) as connection:
                outbox.queue(connection, mails)
                connection.rollback()

        bare = sqlite3.connect(Path(name) / "b.db", isolation_level=None)
        bare.execute("CREATE TABLE o (id INTEGER PRIMARY KEY, message_id UNIQUE, a, b, c, d, e, f, g, h, i)")
        values = [(m.message_id, m.kind, None, None, None, 1, m.recipient, m.raw, m.state, 0) for m in mails]

        def peer() -> None:
            bare.execute("BEGIN")
            bare.executemany(
                "INSERT INTO o (message_id, a, b, c, d, e, f, g, h, i) VALUES (?,?,?,?,?,?,?,?,?,?)", values
            )
            bare.execute("ROLLBACK")

        found = least(ours) / MAILS, least(peer) / MAILS
        bare.close()
        engine.dispose()
    return found


def row(what: str, ours: float, peer: float, named: str, budget: float) -> bool:
    """Print a row; whether the budget is kept."""
    print(f"{what:17} {ours:7.4f} ms   {named} {peer:.4f} ms   {ours / peer:.2f} times (budget {budget})")
    return ours <= budget * peer


def worst_row(name: str, ours: float) -> bool:
    """Print the row of the worst mail; its budget is a time, as PERF has it, and far from a machine's noise."""
    print(f"{'worst mail':17} {ours:7.1f} ms   ({name}; budget 250 ms)")
    return ours <= 250


def main() -> int:
    """Print the rows; 1 if a budget is missed."""
    with reported() as (info, report):
        made, own, drawn = body(info, report), private(info, report), picture(info, report)
    kept: Sequence[bool] = [
        row("mail in", *parse(), "policy.default + get_body", PARSE),
        worst_row(*worst()),
        row("mail body", *made, "templates and EmailMessage each", BODY),
        row("mail, own part", *own, "templates and EmailMessage each", BODY),
        row("mail, picture", *drawn, "drawn for each", BODY),
        row("outbox row", *rows(), "executemany", ROW),
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
