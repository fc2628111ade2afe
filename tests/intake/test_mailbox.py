"""Mailboxes: everything comes out as it lay there, and nothing of somebody else's is touched."""

import io
import os
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from league.core.errors import BadInput
from league.intake.mailbox import EmlFile, Maildir, Mbox, Stdin, open_path
from tests.intake.standin import NOW

MAIL = b"From: anna@example.com\nSubject: x\n\ntake Paris\n"


def maildir(path: Path, **messages: bytes) -> Path:
    for part in ("new", "cur", "tmp"):
        (path / part).mkdir(parents=True)
    for number, (name, content) in enumerate(messages.items()):
        file = path / "new" / name
        file.write_bytes(content)
        os.utime(file, (NOW.timestamp() - 600 + number,) * 2)
    return path


def snapshot(path: Path) -> dict[str, tuple[bytes, float]]:
    files = (found for found in sorted(path.rglob("*")) if found.is_file())
    return {str(file): (file.read_bytes(), file.stat().st_mtime) for file in files}


def test_a_file_is_one_mail(tmp_path: Path) -> None:
    """A file's bytes come out unchanged, under the digest of its content and the time they were taken in."""
    (tmp_path / "a.eml").write_bytes(MAIL)
    fetch = open_path(tmp_path / "a.eml", NOW).fetch()
    (mail,) = fetch.mails
    assert (mail.content, mail.digest, mail.received_at) == (MAIL, sha256(MAIL).hexdigest(), NOW)
    assert fetch.complete
    assert fetch.started_at == NOW


def test_a_time_that_was_told_counts(tmp_path: Path) -> None:
    """Who feeds in a file may say when it came."""
    (tmp_path / "a.eml").write_bytes(MAIL)
    then = NOW - timedelta(days=3)
    assert [mail.received_at for mail in open_path(tmp_path / "a.eml", NOW, received_at=then).fetch().mails] == [then]


def test_a_vanished_file_is_trouble(tmp_path: Path) -> None:
    """A mailbox that could not be read whole says so."""
    fetch = EmlFile(tmp_path / "gone.eml", NOW).fetch()
    assert list(fetch.mails) == []
    assert not fetch.complete


def test_mbox_quoting_is_undone(tmp_path: Path) -> None:
    """`>From ` at the start of a line loses the sign that the mbox writer put there, one of several."""
    box = tmp_path / "box"
    box.write_bytes(
        b"From a\n" + MAIL + b">From Paris\n>>From Rom\n\nFrom b Mon Jan 5\n" + MAIL + b"\nFrom here: text\n"
    )
    before = snapshot(tmp_path)
    mails = [mail.content for mail in open_path(box, NOW).fetch().mails]
    assert mails[0] == MAIL + b"From Paris\n>From Rom\n"
    assert snapshot(tmp_path) == before


def test_mbox_from_line_needs_an_empty_line_before(tmp_path: Path) -> None:
    """A line that begins with `From ` inside a paragraph is text."""
    box = tmp_path / "box"
    box.write_bytes(b"From a\n" + MAIL + b"From Paris with love\n\nFrom b\n" + MAIL)
    assert [mail.content for mail in Mbox(box, NOW).fetch().mails] == [MAIL + b"From Paris with love\n", MAIL]


def test_mbox_sources_differ(tmp_path: Path) -> None:
    """Every message of an mbox has a source of its own."""
    box = tmp_path / "box"
    box.write_bytes((b"From a\n" + MAIL + b"\n") * 3)
    assert [mail.source for mail in Mbox(box, NOW).fetch().mails] == [f"{box}:{n}" for n in (1, 2, 3)]


def test_foreign_maildir_is_untouched(tmp_path: Path) -> None:
    """Both folders are read in the order of arrival; fetching and settling change nothing."""
    path = maildir(tmp_path / "box", b=MAIL, a=MAIL + b"2")
    (path / "cur" / "c:2,S").write_bytes(MAIL + b"3")
    before = snapshot(path)
    box = open_path(path, NOW)
    mails = list(box.fetch().mails)
    for mail in mails:
        box.settle(mail.digest)
    assert [mail.content for mail in mails][:2] == [MAIL, MAIL + b"2"]
    assert len(mails) == 3
    assert snapshot(path) == before


def test_maildir_time_is_never_in_the_future(tmp_path: Path) -> None:
    """A file's time is the mail's arrival, but never later than now."""
    path = maildir(tmp_path / "box", a=MAIL, b=MAIL)
    os.utime(path / "new" / "b", (NOW.timestamp() + 5000,) * 2)
    times = [mail.received_at for mail in Maildir(path, NOW).fetch().mails]
    assert times == [NOW - timedelta(seconds=600), NOW]


def test_own_maildir_settles(tmp_path: Path) -> None:
    """In our own inbox a settled mail moves to `cur` and isn't read again, except when everything is asked for."""
    path = maildir(tmp_path / "box", a=MAIL, b=MAIL + b"2")
    box = Maildir(path, NOW, owned=True)
    first, _ = box.fetch().mails
    box.settle(first.digest)
    assert [file.name for file in (path / "cur").iterdir()] == ["a:2,Sl"]
    assert [mail.content for mail in Maildir(path, NOW, owned=True).fetch().mails] == [MAIL + b"2"]
    assert len(list(Maildir(path, NOW, owned=True, everything=True).fetch().mails)) == 2


def test_own_maildir_reads_what_a_mail_program_moved(tmp_path: Path) -> None:
    """A mail that somebody opened in a mail program before we came is read all the same, and can be settled."""
    path = maildir(tmp_path / "box", a=MAIL)
    (path / "new" / "a").rename(path / "cur" / "a:2,RS")
    box = Maildir(path, NOW, owned=True)
    (mail,) = box.fetch().mails
    (path / "cur" / "a:2,RS").rename(path / "cur" / "a:2,FRS")
    box.settle(mail.digest)
    assert [file.name for file in (path / "cur").iterdir()] == ["a:2,FRSl"]


def test_the_same_message_twice_settles_twice(tmp_path: Path) -> None:
    """Two files with the same bytes are one message; settling it settles both."""
    path = maildir(tmp_path / "box", a=MAIL, b=MAIL)
    box = Maildir(path, NOW, owned=True)
    for mail in list(box.fetch().mails):
        box.settle(mail.digest)
    assert list((path / "new").iterdir()) == []


def test_a_renamed_file_is_found(tmp_path: Path) -> None:
    """A mail that a mail program moves while we read is not lost."""
    path = maildir(tmp_path / "box", a=MAIL, b=MAIL + b"2")
    fetch = Maildir(path, NOW).fetch()
    first = next(fetch.mails)
    (path / "new" / "b").rename(path / "cur" / "b:2,S")
    assert [first.content, *(mail.content for mail in fetch.mails)] == [MAIL, MAIL + b"2"]
    assert fetch.complete


def test_only_files_are_messages(tmp_path: Path) -> None:
    """Folders, pipes and hidden files in a Maildir are no messages, and no trouble either."""
    path = maildir(tmp_path / "box", a=MAIL)
    (path / "cur" / "sub").mkdir()
    (path / "new" / ".hidden").write_bytes(MAIL)
    os.mkfifo(path / "new" / "pipe")
    fetch = Maildir(path, NOW).fetch()
    assert len(list(fetch.mails)) == 1
    assert fetch.complete


def test_a_pipe() -> None:
    """Standard input is one mail, and is read to its end even past the limit."""
    stream = io.BytesIO(MAIL * 10)
    (mail,) = Stdin(stream, NOW, max_bytes=20).fetch().mails
    assert mail.content == MAIL[:21]
    assert stream.read() == b""


@pytest.mark.parametrize("form", ["eml", "mbox", "maildir"])
def test_a_huge_mail_is_not_held(tmp_path: Path, form: str) -> None:
    """Of a mail over the limit one byte more than the limit is kept: enough to say that it was too big."""
    huge = MAIL + b"x" * 200_000 + b"\n"
    path = tmp_path / "it"
    if form == "maildir":
        maildir(path, a=huge)
    else:
        path.write_bytes((b"From a\n" if form == "mbox" else b"") + huge)
    assert [len(mail.content) for mail in open_path(path, NOW, max_bytes=1000).fetch().mails] == [1001]


def test_what_is_no_mailbox(tmp_path: Path) -> None:
    """Anything else is refused, with its path and what is wrong with it."""
    (tmp_path / "empty").write_bytes(b" \n")
    (tmp_path / "map.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "half" / "new").mkdir(parents=True)
    os.mkfifo(tmp_path / "pipe")
    for name, words in {
        "nothing": "no such file or folder",
        "empty": "the file is empty",
        "map.png": "this is no mail",
        "half": "it has no cur",
        "pipe": "neither a file nor a folder",
    }.items():
        with pytest.raises(BadInput) as caught:
            open_path(tmp_path / name, NOW)
        assert words in caught.value.message
        assert caught.value.where == str(tmp_path / name)
