"""A mailbox on a real server: everything comes out once, whatever breaks, and a person's mailbox stays unharmed."""

import logging
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient

from league.credentials import Login
from league.intake.imap import Account, ImapBox, Judged, NoMailbox, Watch, marker
from league.intake.imap import scan as scanning
from league.intake.imap.connection import connect, shut
from league.intake.imap.marker import read_clock
from league.intake.mailbox import RawMail, Shelf
from league.intake.message import open_letter
from tests.intake.dovecot import HOST, PASSWORD, Dovecot, token_of
from tests.intake.scripted import Scripted, ordinary

ROOT = Path(__file__).parent.parent.parent
users = (f"user{number}" for number in count(1))
# A handshake that fails leaves its socket to the garbage collector: imapclient's doing, and harmless.
LEAKY = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
NOW = datetime.now(UTC).replace(microsecond=0)  # noqa: TID251  # a real server lives in real time


@dataclass
class Book:
    """A ledger in memory."""

    seen: dict[Shelf, set[int]] = field(default_factory=dict)
    verdicts: dict[tuple[Shelf, int], str] = field(default_factory=dict)
    away: dict[tuple[Shelf, int], str] = field(default_factory=dict)

    def last(self, shelf: Shelf) -> int:
        return max(self.seen.get(shelf, {0}))

    def known(self, shelf: Shelf, uids: Sequence[int]) -> frozenset[int]:
        return frozenset(self.seen.get(shelf, set()) & set(uids))

    def judged(self, shelf: Shelf) -> Sequence[Judged]:
        found = sorted(self.verdicts.items(), key=lambda item: item[0][1])
        return [Judged(uid, v) for (at, uid), v in found if at == shelf and (at, uid) not in self.away]

    def put_away(self, shelf: Shelf, where: Mapping[int, str]) -> None:
        self.away |= {(shelf, uid): target for uid, target in where.items()}

    def enter(self, mails: Sequence[RawMail], verdict: str = "accepted") -> None:
        for mail in mails:
            assert mail.origin
            self.seen.setdefault(mail.origin.shelf, set()).add(mail.origin.uid)
            self.verdicts[mail.origin.shelf, mail.origin.uid] = verdict


@pytest.fixture
def user() -> str:
    """A mailbox that no other test knows."""
    return next(users)


def account(dovecot: Dovecot, user: str, **more: Any) -> Account:
    plain: dict[str, Any] = {"host": "localhost", "port": dovecot.imap, "security": "none", "timeout": 20.0}
    return Account(user=user, login=lambda: Login(user, PASSWORD), **{**plain, **more})


def letter(number: int, text: str = "take Paris", size: int = 0) -> bytes:
    head = f"From: anna@example.org\r\nSubject: Orders {number}\r\nMessage-ID: <{number}@example.org>\r\n\r\n"
    return f"{head}{text}\r\n{'x' * 70}\r\n".encode() + b"y" * size


def box(account: Account, book: Book, **more: Any) -> ImapBox:
    return ImapBox(account, book, NOW, **{"pause": _no_pause, **more})


def _no_pause(_: float) -> None:
    """Nobody has to wait in a test."""


def take(box: ImapBox) -> tuple[list[RawMail], list[str]]:
    found = box.fetch()
    mails = list(found.mails)
    box.close()
    return mails, found.troubles


# ------------------------------------------------------------------ what comes out


def test_mails_come_out_as_they_lie_there(dovecot: Dovecot, user: str) -> None:
    """Bytes unchanged, under the digest of their content, in the order of UIDs, each with its place and its time."""
    dovecot.deliver(f"{user}+spring", letter(1), letter(2))
    mails, troubles = take(box(account(dovecot, user), Book()))
    assert troubles == []
    person = dovecot.person(user)
    person.select_folder("INBOX", readonly=True)
    lying = person.fetch(person.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE"])
    assert [mail.content for mail in mails] == [item[b"BODY[]"] for _, item in sorted(lying.items())]
    assert [mail.digest for mail in mails] == [sha256(mail.content).hexdigest() for mail in mails]
    assert [mail.received_at for mail in mails] == [item[b"INTERNALDATE"] for _, item in sorted(lying.items())]
    assert all(mail.received_at.tzinfo is UTC for mail in mails)
    assert all(abs(mail.received_at - NOW) < timedelta(hours=6) for mail in mails)
    assert [(m.origin.uid, m.origin.message_id) for m in mails if m.origin] == [
        (1, "<1@example.org>"),
        (2, "<2@example.org>"),
    ]
    assert b"Delivered-To: " + f"{user}+spring@{HOST}".encode() in mails[0].content
    assert re.search(rf"by {HOST} with LMTP".encode(), mails[0].content)


def test_a_time_in_the_past_is_the_servers_word(dovecot: Dovecot, user: str) -> None:
    """A mail put there with an older time and another zone comes with that instant."""
    when = datetime.fromisoformat("2026-01-08T23:30:00+02:00")
    dovecot.person(user).append("INBOX", letter(1), msg_time=when)
    (mail,), _ = take(box(account(dovecot, user, scan_days=20_000), Book()))
    assert (mail.received_at, mail.received_at.tzinfo) == (when, UTC)


def test_reading_leaves_no_trace(dovecot: Dovecot, user: str) -> None:
    """No flag is set by us, not even that a mail isn't recent any more."""
    dovecot.deliver(user, letter(1))
    assert len(take(box(account(dovecot, user), Book()))[0]) == 1
    person = dovecot.person(user)
    assert person.select_folder("INBOX")[b"RECENT"] == 1
    assert person.get_flags([1]) == {1: (b"\\Recent",)}


def test_flags_decide_nothing(dovecot: Dovecot, user: str) -> None:
    """What a person read, answered or marked as deleted is fetched; what the ledger knows isn't, whatever its flags."""
    dovecot.deliver(user, *(letter(n) for n in range(1, 5)))
    person, book = dovecot.person(user), Book()
    person.select_folder("INBOX")
    person.add_flags([1], [b"\\Seen", b"\\Answered"])
    person.add_flags([2], [b"\\Deleted"])
    mails, _ = take(box(account(dovecot, user), book))
    assert len(mails) == 4
    book.enter(mails)
    person.remove_flags([1], [b"\\Seen"])
    dovecot.deliver(user, letter(5))
    assert [mail.origin.uid for mail in take(box(account(dovecot, user), book))[0] if mail.origin] == [5]


def test_old_mails_of_a_new_mailbox_are_left_alone(dovecot: Dovecot, user: str) -> None:
    """At first sight the last days count; once a folder is known, whatever comes behind the last UID."""
    person, book = dovecot.person(user), Book()
    person.append("INBOX", letter(1), msg_time=NOW - timedelta(days=90))
    person.append("INBOX", letter(2), msg_time=NOW - timedelta(days=3))
    mails, _ = take(box(account(dovecot, user), book))
    assert [mail.origin.uid for mail in mails if mail.origin] == [2]
    book.enter(mails)
    person.append("INBOX", letter(3), msg_time=NOW - timedelta(days=90))
    assert [mail.origin.uid for mail in take(box(account(dovecot, user), book))[0] if mail.origin] == [3]


def test_a_mail_too_large_comes_in_part(dovecot: Dovecot, user: str) -> None:
    """One byte more than the limit is fetched, the sender's name among them; what fits exactly comes whole."""
    raws = [letter(1, size=3_000_000), letter(2)]
    dovecot.deliver(user, *raws)
    mails, troubles = take(box(account(dovecot, user, max_bytes=5_000), Book()))
    assert [len(mail.content) for mail in mails] == [5_001, len(mails[1].content)]
    assert b"From: anna@example.org" in mails[0].content
    assert mails[1].content.endswith(raws[1])
    assert troubles == []
    whole = len(mails[1].content)
    exact, _ = take(box(account(dovecot, user, max_bytes=whole), Book()))
    assert exact[1].content == mails[1].content


def test_the_same_mail_in_two_folders_has_one_digest(dovecot: Dovecot, user: str) -> None:
    """Both places are seen; the content tells that it is one mail."""
    dovecot.deliver(user, letter(1))
    person = dovecot.person(user)
    person.create_folder("Bestellungen äöü")
    person.select_folder("INBOX")
    person.copy([1], "Bestellungen äöü")
    mails, troubles = take(box(account(dovecot, user, folders=("INBOX", "Bestellungen äöü")), Book()))
    assert troubles == []
    assert len({mail.digest for mail in mails}) == 1
    assert [mail.origin.shelf.folder for mail in mails if mail.origin] == ["INBOX", "Bestellungen äöü"]


def test_a_folder_that_isnt_there_is_told(dovecot: Dovecot, user: str) -> None:
    """The message has the server's words, and the fetch isn't complete."""
    _, (trouble,) = take(box(account(dovecot, user, folders=("Orders",)), Book()))
    assert trouble.startswith(f"{user}@localhost: the server said: select failed: Mailbox doesn't exist: Orders")


def test_a_mail_the_server_cant_read_hides_no_other(dovecot: Dovecot, user: str) -> None:
    """The others come; that one is trouble, with its UID, and so no round closes."""
    dovecot.deliver(user, *(letter(n) for n in range(3)))
    assert len(dovecot.person(user).folder_status("INBOX")) == 5
    files = sorted((dovecot.base / "home" / user / "Maildir").glob("[nc]*/*"), key=lambda p: p.name)
    assert len(files) == 3
    files[1].unlink()
    files[1].mkdir()  # a folder where a mail should be
    mails, troubles = take(box(account(dovecot, user), Book()))
    assert len(mails) == 2
    assert all("UID 2" in trouble for trouble in troubles)


# ------------------------------------------------------------------ what a person does meanwhile


def test_a_mail_taken_away_while_we_read_is_no_trouble(
    dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the search and the download a person moves one and removes another; the rest comes."""
    monkeypatch.setattr(scanning, "MOST", 2)
    dovecot.deliver(user, *(letter(n) for n in range(1, 7)))
    person = dovecot.person(user)
    person.select_folder("INBOX")
    reader = box(account(dovecot, user), Book())
    found = reader.fetch()
    first = next(found.mails)
    person.create_folder("Elsewhere")
    person.move([3], "Elsewhere")
    person.add_flags([4], [b"\\Deleted"])
    person.expunge()
    uids = [mail.origin.uid for mail in [first, *found.mails] if mail.origin]
    reader.close()
    assert uids == [1, 2, 5, 6]
    assert found.complete


def test_what_a_person_marked_as_deleted_survives(dovecot: Dovecot, user: str) -> None:
    """Judged mails move, one they marked stays marked and there, and so does what they mark afterwards."""
    dovecot.deliver(user, *(letter(n) for n in range(1, 5)))
    person, book = dovecot.person(user), Book()
    person.select_folder("INBOX")
    who = account(dovecot, user, processed="Processed", rejected="Rejected")
    first = box(who, book)
    mails = list(first.fetch().mails)
    book.enter(mails[:2])
    book.enter(mails[2:3], "rejected")
    book.enter(mails[3:], "held")
    person.append("INBOX", letter(9), flags=[b"\\Deleted"])
    first.close()
    person.noop()
    assert sorted(person.search("ALL")) == [4, 5]  # the held one, and theirs
    assert b"\\Deleted" in person.get_flags([5])[5]
    assert person.folder_status("Processed", ["MESSAGES"])[b"MESSAGES"] == 2
    assert person.folder_status("Rejected", ["MESSAGES"])[b"MESSAGES"] == 1
    shelf = Shelf(f"{user}@localhost", "INBOX", mails[0].origin.shelf.validity if mails[0].origin else 0)
    assert book.away == {(shelf, 1): "Processed", (shelf, 2): "Processed", (shelf, 3): "Rejected"}


@pytest.mark.parametrize("hidden", ["MOVE", "MOVE UIDPLUS"])
def test_servers_without_move_remove_ours_alone(
    dovecot: Dovecot, user: str, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COPY and an EXPUNGE of our UIDs; where not even that is possible, everything stays where it is."""
    real = IMAPClient.has_capability
    monkeypatch.setattr(IMAPClient, "has_capability", lambda self, name: name not in hidden and real(self, name))
    dovecot.deliver(user, letter(1), letter(2))
    person, book = dovecot.person(user), Book()
    person.select_folder("INBOX")
    person.add_flags([2], [b"\\Deleted"])
    reader = box(account(dovecot, user, processed="Processed"), book)
    book.enter(list(reader.fetch().mails)[:1])
    reader.close()
    person.noop()
    assert person.search("ALL") == ([2] if hidden == "MOVE" else [1, 2])
    assert len(book.away) == (1 if hidden == "MOVE" else 0)


def test_what_an_earlier_run_left_is_put_away(dovecot: Dovecot, user: str) -> None:
    """A crash between verdict and move, and a person who was faster with another one."""
    dovecot.deliver(user, letter(1), letter(2))
    person, book = dovecot.person(user), Book()
    who = account(dovecot, user)
    book.enter(take(box(who, book))[0])
    person.select_folder("INBOX")
    person.add_flags([1], [b"\\Deleted"])
    person.expunge()
    assert take(box(account(dovecot, user, processed="Processed"), book)) == ([], [])
    assert [target for _, target in sorted(book.away.items(), key=lambda item: item[0][1])] == ["", "Processed"]
    person.noop()
    assert person.search("ALL") == []


# ------------------------------------------------------------------ what breaks off


def test_new_uids_are_a_new_shelf(dovecot: Dovecot, user: str) -> None:
    """After a change of UIDVALIDITY all of the last days comes again, with the digests it had."""
    dovecot.deliver(user, letter(1), letter(2))
    book = Book()
    before, _ = take(box(account(dovecot, user), book))
    book.enter(before)
    dovecot.change_uids(user)
    after, troubles = take(box(account(dovecot, user), book))
    assert troubles == []
    assert sorted(mail.digest for mail in after) == sorted(mail.digest for mail in before)
    assert len({mail.origin.shelf for mail in [*before, *after] if mail.origin}) == 2


@pytest.mark.parametrize("changed", [False, True])
def test_a_server_that_dies_in_between_is_asked_again(
    dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch, *, changed: bool
) -> None:
    """With a new connection everything comes once; if the UIDs changed meanwhile, all comes under the new ones."""
    monkeypatch.setattr(scanning, "MOST", 2)
    dovecot.deliver(user, *(letter(n) for n in range(1, 6)))
    waits: list[float] = []

    def pause(seconds: float) -> None:
        waits.append(seconds)
        if changed:
            dovecot.change_uids(user)
        dovecot.start()

    reader = box(account(dovecot, user), Book(), pause=pause)
    found = reader.fetch()
    first = [next(found.mails), next(found.mails)]
    dovecot.stop()
    rest = list(found.mails)
    reader.close()
    assert (len(rest), waits) == (5 if changed else 3, [1.0])
    assert len({mail.digest for mail in first + rest}) == 5
    assert found.complete


def test_a_server_that_stays_away_is_trouble(dovecot: Dovecot, user: str) -> None:
    """After three pauses it is told in one sentence, and the fetch isn't complete."""
    waits: list[float] = []
    dovecot.stop()
    found = box(account(dovecot, user), Book(), pause=waits.append).fetch()
    assert list(found.mails) == []
    assert found.troubles == [f"{user}@localhost: localhost:{dovecot.imap}: Connection refused"]
    assert waits == [1.0, 4.0, 10.0]


def test_a_server_that_says_nothing_is_trouble(user: str) -> None:
    """An open port behind which nobody answers doesn't hold the run for ever."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        who = Account("localhost", user, lambda: Login("anna", "x"), silent.getsockname()[1], "none", timeout=0.2)
        _, (trouble,) = take(box(who, Book()))
    assert "doesn't answer" in trouble


# ------------------------------------------------------------------ getting in


@LEAKY
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_tls_is_checked(dovecot: Dovecot, user: str, security: str) -> None:
    """With our own CA it works; without it, under another name, or without TLS behind the port there is no way in."""
    port = dovecot.imaps if security == "tls" else dovecot.imap
    ca_file = str(dovecot.base / "ca.pem")
    good = account(dovecot, user, security=security, port=port, ca_file=ca_file)
    assert take(box(good, Book())) == ([], [])
    with pytest.raises(NoMailbox, match=r"isn't signed by anybody this machine trusts .* name its CA's certificate"):
        connect(account(dovecot, user, security=security, port=port))
    with pytest.raises(NoMailbox, match=r"certificate of 127\.0\.0\.1 is for another name .* set host to that name"):
        connect(account(dovecot, user, security=security, port=port, ca_file=ca_file, host="127.0.0.1"))
    with pytest.raises(NoMailbox, match=r"ca_file /nowhere\.pem isn't there"):
        connect(account(dovecot, user, security=security, port=port, ca_file="/nowhere.pem"))


@LEAKY
def test_no_tls_is_told(dovecot: Dovecot, user: str) -> None:
    """The plain port isn't the TLS port; where a server lacks STARTTLS the password doesn't go out."""
    with pytest.raises(NoMailbox, match="there is no TLS at localhost"):
        connect(account(dovecot, user, security="tls"))
    with Scripted(ordinary) as server, pytest.raises(NoMailbox, match="STARTTLS"):
        connect(account(dovecot, user, security="starttls", port=server.port))
    assert not any("LOGIN" in line for line in server.said)


def test_oauth2_lets_in(dovecot: Dovecot, user: str) -> None:
    """An access token instead of a password, asked for anew with every connection; a wrong one is told."""
    asked: list[int] = []

    def login() -> Login:
        asked.append(1)
        return Login(user, token=token_of(user))

    who = Account("localhost", user, login, dovecot.imap, "none")
    for _ in range(2):
        assert take(box(who, Book())) == ([], [])
    assert len(asked) == 2
    with pytest.raises(NoMailbox, match="isn't let in"):
        connect(Account("localhost", user, lambda: Login(user, token="no.good.token"), dovecot.imap, "none"))


@pytest.mark.parametrize("secret", ["wrong-plain-secret", "wrong-sécret"])
def test_a_wrong_password_is_told_and_kept_secret(
    dovecot: Dovecot, user: str, secret: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The message names what to check; neither it, nor what it came from, nor any log has the secret in it."""
    caplog.set_level(logging.DEBUG)
    who = account(dovecot, user)
    for login in (Login(user, secret), Login(user, token=secret)):
        with pytest.raises(NoMailbox) as caught:
            connect(Account(who.host, user, lambda login=login: login, who.port, "none"))  # type: ignore[misc]
        assert re.search(
            r"isn't let in .*; check user and the password or token command of \[mail\.imap\]", str(caught.value)
        )
        assert caught.value.__cause__ is None
        shown = repr(caught.value) + repr(login) + caplog.text
        assert secret not in shown
    shut(connect(who))
    assert PASSWORD not in caplog.text


def test_a_server_that_echoes_the_password_doesnt_give_it_away() -> None:
    """Not even where the server's own words hold it."""

    def echo(tag: str, command: str) -> str:
        return f"{tag} NO I don't know {command}\n" if command.startswith("LOGIN") else ordinary(tag, command)

    with Scripted(echo) as server, pytest.raises(NoMailbox) as caught:
        connect(Account("localhost", "anna", lambda: Login("anna", "opensesame"), server.port, "none"))
    assert "opensesame" not in str(caught.value)


# ------------------------------------------------------------------ servers that confuse


def test_flags_told_unasked_belong_to_nobody() -> None:
    """Amid the answers another client's changes are told, under sequence numbers that look like UIDs of ours."""
    body = "From: a@example.org\r\n\r\ntake Paris\r\n"
    date = 'INTERNALDATE "09-Jan-2026 12:00:00 +0100"'

    def answer(tag: str, command: str) -> str:
        if "SEARCH" in command:
            return f"* SEARCH 4 5 6\n{tag} OK done\n"
        if "RFC822.SIZE" in command:
            sizes = "".join(f"* {n - 3} FETCH (UID {n} RFC822.SIZE {len(body)})\n" for n in (4, 5, 6))
            return f"* 5 FETCH (FLAGS (\\Seen))\n{sizes}* 4 FETCH (FLAGS (\\Deleted))\n{tag} OK done\n"
        if "BODY.PEEK" in command:
            told = [f"* {n - 3} FETCH (UID {n} {date} BODY[]<0> {{{len(body)}}}\n{body})\n" for n in (4, 6)]
            noise = "* 5 FETCH (FLAGS (\\Seen))\n* 6 FETCH (FLAGS (\\Answered) UID 9)\n* 3 FETCH (MODSEQ (12))\n"
            return f"{noise}{told[0]}{noise}{told[1]}{noise}{tag} OK done\n".replace("\r\n", "\n")
        return ordinary(tag, command)

    with Scripted(answer) as server:
        who = Account("localhost", "anna", lambda: Login("anna", "x"), server.port, "none")
        mails, troubles = take(box(who, Book()))
    assert [(mail.origin.uid, mail.content) for mail in mails if mail.origin] == [
        (4, body.encode()),
        (6, body.encode()),
    ]
    assert troubles == ["anna@localhost: in INBOX a mail can't be fetched (UID 5)"]
    assert all("BODY.PEEK" in line or "BODY" not in line for line in server.said)
    assert not any(word in line for line in server.said for word in ("STORE", "EXPUNGE", "SELECT"))


@pytest.mark.parametrize("torn", ["* SEARCH 4 x\n", "* 1 FETCH (UID\n", "* SEARCH " + "1 " * 600_000 + "\n"])
def test_nonsense_is_trouble(torn: str) -> None:
    """Whatever a server says, the run goes on and knows that it doesn't know everything."""

    def answer(tag: str, command: str) -> str:
        return f"{torn}{tag} OK done\n" if "SEARCH" in command else ordinary(tag, command)

    with Scripted(answer) as server:
        who = Account("localhost", "anna", lambda: Login("anna", "x"), server.port, "none")
        mails, troubles = take(box(who, Book()))
    assert mails == []
    assert len(troubles) == (0 if "FETCH" in torn else 1)


# ------------------------------------------------------------------ the marker


@pytest.mark.parametrize("folder", ["League-Marker", "INBOX"])
def test_the_marker_tells_the_servers_clock(dovecot: Dovecot, user: str, folder: str) -> None:
    """A note is put down, read back and removed, and what a person marked as deleted beside it stays."""
    person = dovecot.person(user)
    if folder != "INBOX":
        person.create_folder(folder)
    person.append(folder, letter(1), flags=[b"\\Deleted"])
    reader = box(account(dovecot, user, marker=folder, folders=("INBOX",)), Book(), prove=True)
    found = reader.fetch()
    mails = list(found.mails)
    reader.close()
    (clock,) = found.clocks
    assert abs(clock - datetime.now(UTC)) < timedelta(seconds=30)  # noqa: TID251  # the server's clock is real
    assert len(mails) == (1 if folder == "INBOX" else 0)
    person.select_folder(folder)
    assert person.search("ALL") == [1]


def test_a_marker_that_cant_be_read_back_is_trouble() -> None:
    """A server that takes a mail and doesn't show it may hide others too: the fetch isn't complete."""

    def answer(tag: str, command: str) -> str:
        if "APPEND" in command:
            return f"{tag} OK done\n"
        return f"* SEARCH\n{tag} OK done\n" if "SEARCH" in command else ordinary(tag, command)

    with Scripted(answer) as server:
        who = Account("localhost", "anna", lambda: Login("anna", "x"), server.port, "none", marker="M")
        found = box(who, Book(), prove=True).fetch()
        assert list(found.mails) == []
    assert not found.complete
    assert found.clocks == []


def test_without_a_marker_folder_there_is_no_clock(dovecot: Dovecot, user: str) -> None:
    """Who can't write into the mailbox leaves it out."""
    reader = box(account(dovecot, user), Book(), prove=True)
    found = reader.fetch()
    assert list(found.mails) == []
    reader.close()
    assert (found.clocks, found.complete) == ([], True)


def test_the_marker_is_our_own_mail(dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should one be left behind in a folder that is read, its X-Loop names it as ours."""
    client = connect(account(dovecot, user, marker="M", sender="league@play.example"))
    monkeypatch.setattr(marker, "_remove", lambda *_: None)
    read_clock(client, account(dovecot, user, marker="M", sender="league@play.example"), NOW)
    client.shutdown()
    (mail,), _ = take(box(account(dovecot, user, folders=("M",)), Book()))
    letter = open_letter(mail)
    assert letter.loops == ("league@play.example",)
    assert letter.author == "league@play.example"


# ------------------------------------------------------------------ waiting


@pytest.fixture
def watch(dovecot: Dovecot, user: str) -> Iterator[Watch]:
    made = Watch(account(dovecot, user), pause=_no_pause)
    assert made.wait(0) == (True, "")  # what came before the first look isn't known
    yield made
    made.close()


def later(seconds: float, work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        time.sleep(seconds)
        work()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_idle_wakes_up(dovecot: Dovecot, user: str, watch: Watch) -> None:
    """A mail is noticed within seconds; without one the wait ends when its time is over, and no mail is missed."""
    assert watch.wait(0.3) == (False, "")
    thread = later(0.3, lambda: dovecot.deliver(user, letter(1)))
    began = time.monotonic()
    assert watch.wait(30) == (True, "")
    assert time.monotonic() - began < 10
    thread.join()
    dovecot.deliver(user, letter(2))  # between two waits, when no IDLE listens
    assert watch.wait(30) == (True, "")
    assert watch.wait(0.3) == (False, "")


def test_a_server_killed_while_we_wait_is_noticed(dovecot: Dovecot, user: str, watch: Watch) -> None:
    """The silence of a dead connection isn't taken for "no mail": it is told, and what came meanwhile is found."""
    thread = later(0.3, dovecot.stop)
    came, trouble = watch.wait(30)
    thread.join()
    assert not came
    assert trouble
    assert not watch.wait(1)[0]
    dovecot.start()
    dovecot.deliver(user, letter(1))
    assert watch.wait(30) == (True, "")


def test_a_server_without_idle_is_polled(dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every minute by a search."""
    real = IMAPClient.has_capability
    monkeypatch.setattr(IMAPClient, "has_capability", lambda self, name: name != "IDLE" and real(self, name))
    waits: list[float] = []

    def pause(seconds: float) -> None:
        waits.append(seconds)
        dovecot.deliver(user, letter(len(waits)))

    watch = Watch(account(dovecot, user), pause=pause)
    assert watch.wait(0)[0]
    assert watch.wait(300) == (True, "")
    assert [round(seconds) for seconds in waits] == [60]
    watch.close()


# ------------------------------------------------------------------ many


PROGRAM = """
import resource, sys
from datetime import datetime
from league.credentials import Login
from league.intake.imap import Account, ImapBox
from tests.intake.test_imap import Book
port, user, password, now = sys.argv[1:]
account = Account("localhost", user, lambda: Login(user, password), int(port), "none")
box = ImapBox(account, Book(), datetime.fromisoformat(now))
print(*(mail.origin.uid for mail in box.fetch().mails))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_ten_thousand_mails(dovecot: Dovecot, user: str) -> None:
    """They come in order and each once, with no more memory than a few hundred of them take."""
    peaks = []
    for name, number in ((user, 10_000), (f"{user}few", 300)):
        dovecot.lay(name, [letter(n, size=3_000) for n in range(number)], NOW - timedelta(hours=1))
        args = [sys.executable, "-c", PROGRAM, str(dovecot.imap), name, PASSWORD, NOW.isoformat()]
        uids, peak = subprocess.run(args, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()
        assert uids == " ".join(map(str, range(1, number + 1)))
        peaks.append(int(peak))
    assert peaks[0] - peaks[1] < 16_000  # kB


def test_the_next_look_at_many_mails_is_one_search(
    dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the ledger knows is neither fetched nor measured again."""
    dovecot.lay(user, [letter(n) for n in range(500)], NOW - timedelta(hours=1))
    book, who = Book(), account(dovecot, user)
    book.enter(take(box(who, book))[0])
    monkeypatch.delattr(IMAPClient, "fetch")
    assert take(box(who, book)) == ([], [])
