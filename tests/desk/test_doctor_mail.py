"""`league doctor mail`: what a mail to ourselves shows, and what is wrong with a mailbox."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from league import settings
from league.core.errors import Refused
from league.desk.clock import now as clock
from league.desk.figures.doctor import Finding
from league.desk.inbox.doctor_mail import Trial, examine_mail, learn, with_key, write_key, write_learned
from league.desk.site import Site, open_site
from league.intake.proof import Style
from tests.delivery.post_office import Post, office
from tests.desk.sites import at, drop, league, opened, rows
from tests.desk.test_imap_site import connected
from tests.intake.dovecot import HOST, Dovecot, free_ports

FROM = b"From: league@play.example\r\nTo: league@play.example\r\nSubject: x\r\n\r\nx\r\n"


def examined(path: Path, send: Callable[[Site, str, str, bytes], None], *, write: bool = False) -> list[Finding]:
    site = open_site(path, clock())
    try:
        return examine_mail(site, write=write, trial=Trial(send, 0.2, lambda _: None))
    finally:
        site.engine.dispose()


def told(found: list[Finding]) -> str:
    return "\n".join(f"{one.level}: {one.what} -> {one.do}" for one in found)


# ------------------------------------------------------------------ what headers show


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(
            "Authentication-Results: mail.example.org; dkim=pass header.d=play.example\r\n"
            "Received: from out.play.example by mail.example.org with ESMTPS; Fri, 9 Jan 2026 08:00:00 +0000\r\n",
            ("mail.example.org", "mail.example.org", Style.ABOVE),
            id="above",
        ),
        pytest.param(
            "Delivered-To: x@gmail.com\r\n"
            "Received: by 2002:a05:6a10:1234:b0:1 with SMTP id x; Fri, 9 Jan 2026 00:00:01 -0800 (PST)\r\n"
            "Return-Path: <x@y>\r\n"
            "Received: from out.play.example (out [1.2.3.4]) by mx.google.com with ESMTPS; "
            "Fri, 9 Jan 2026 00:00:00 -0800\r\n"
            "Authentication-Results: mx.google.com;\r\n dkim=pass header.i=@play.example\r\n"
            "Received: by out.play.example; Fri, 9 Jan 2026 07:59:59 +0000\r\n",
            ("mx.google.com", "mx.google.com", Style.TOPMOST),
            id="below",
        ),
        pytest.param(
            "Received: from a by am.prod.outlook.com with HTTPS; Fri, 9 Jan 2026 08:00:00 +0000\r\n"
            "Authentication-Results: spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=play.example; dkim=pass\r\n",
            ("am.prod.outlook.com", "", Style.MICROSOFT),
            id="nameless",
        ),
        pytest.param(
            "Authentication-Results: (none; by x) mx.example.org 1; none\r\nReceived: nonsense\r\n",
            ("", "mx.example.org", Style.TOPMOST),
            id="no host",
        ),
        pytest.param("", ("", "", None), id="nothing"),
    ],
)
def test_what_a_host_writes_is_learned(head: str, expected: tuple[str, str, Style | None]) -> None:
    """The topmost host with a name, who vouches for senders, and where that stands."""
    found = learn(head.encode() + FROM)
    assert (found.received_by, found.authserv_id, found.style) == expected


# ------------------------------------------------------------------ a mail to ourselves


def test_a_mail_to_ourselves_tells_the_host(bare: Path, dovecot: Dovecot) -> None:
    """It comes in over a real server, which writes its name; the lines for league.toml are shown, nothing changes."""
    connected(bare, dovecot, "doctor1")
    before = (bare / "league.toml").read_bytes()

    def send(_: Site, recipient: str, message_id: str, raw: bytes) -> None:
        assert recipient in {"league@play.example", "league+doctor@play.example"}
        assert f"Message-ID: {message_id}\r\n".encode() in raw
        assert f"To: {recipient}\r\n".encode() in raw
        detail = recipient.partition("@")[0].removeprefix("league")
        dovecot.deliver(f"doctor1{detail}", b"Authentication-Results: mx.example.org; dkim=none\r\n" + raw)

    found = examined(bare, send)
    assert (
        f'weak: mail is taken in by {HOST} -> put into league.toml (or run with --write): [mail] received_by = "{HOST}"'
        in told(found)
    )
    assert '[mail] authserv_id = "mx.example.org"' in told(found)
    assert '[mail] authserv_style = "topmost"' in told(found)  # below the line that Dovecot writes
    assert (
        "weak: mail to league+doctor@play.example arrives too, and may be sent from there -> put into league.toml "
        "(or run with --write): [mail] plus_addresses = true" in told(found)
    )
    assert "ok: the mailbox lets us in; folders that are read, with their mails: INBOX (0)" in told(found)
    assert "ok: the server's clock and ours are" in told(found)
    assert (bare / "league.toml").read_bytes() == before
    assert rows(bare, "SELECT * FROM mail") == []


def test_what_was_learned_is_written(bare: Path, dovecot: Dovecot) -> None:
    """Into the same file, all else kept, entered in the journal; the second time there is nothing to do."""
    connected(bare, dovecot, "doctor2")
    before = (bare / "league.toml").read_text()

    def send(_: Site, __: str, ___: str, raw: bytes) -> None:
        dovecot.deliver("doctor2", b"Authentication-Results: mx.example.org; dkim=none\r\n" + raw)

    examined(bare, send, write=True)
    after = (bare / "league.toml").read_text()
    assert after == before.replace('received_by = ""', f'received_by = "{HOST}"').replace(
        'authserv_id = "mx.play.example"', 'authserv_id = "mx.example.org"'
    ).replace('authserv_style = "above"', 'authserv_style = "topmost"').replace(
        "plus_addresses = false", "plus_addresses = true"
    )
    assert settings.load(bare / "league.toml").mail.received_by == HOST
    assert [row["act"] for row in rows(bare, "SELECT act FROM journal ORDER BY id")][1:] == ["doctor mail"] * 4
    assert f"ok: mail is taken in by {HOST}, as league.toml says" in told(examined(bare, send, write=True))


def test_a_mail_that_doesnt_come_is_told(bare: Path, dovecot: Dovecot) -> None:
    """With where to look for it."""
    connected(bare, dovecot, "doctor3")
    found = examined(bare, lambda *_: None)
    assert found[-1].level == "wrong"
    assert "didn't come in within 0 seconds" in found[-1].what
    assert "spam folder" in found[-1].do


def test_a_maildir_is_looked_into_as_well(bare: Path) -> None:
    """Where the mail server of this machine delivers into it."""

    def send(_: Site, __: str, ___: str, raw: bytes) -> None:
        line = b"Received: from x by mx.example.net with ESMTP; Fri, 9 Jan 2026 08:00:00 +0000\r\n"
        drop(bare, line + raw, clock())

    assert '[mail] received_by = "mx.example.net"' in told(examined(bare, send))


def test_a_maildir_as_the_only_way_out_teaches_nothing(bare: Path) -> None:
    """That is said, and no mail is made."""
    done = league(bare, clock(), "doctor", "mail")
    assert done.returncode == 0
    assert "from there nowhere, so none can come back to be learned from" in done.stdout
    assert list((bare / "mail" / "out" / "new").iterdir()) == []


def test_a_mailbox_that_lets_nobody_in_is_wrong(bare: Path, dovecot: Dovecot) -> None:
    """No mail is sent then; the exit code says that a person is needed."""
    connected(bare, dovecot, "doctor4")
    (bare / "secrets" / "imap.password").write_text("wrong\n")
    done = league(bare, clock(), "doctor", "mail")
    assert done.returncode == 1
    assert "isn't let in" in done.stdout
    assert "no mail comes in and no round closes until this is mended" in done.stdout


@pytest.mark.parametrize(("minutes", "said"), [(-20, "ahead of ours"), (20, "behind ours")])
def test_a_clock_that_is_wrong_is_told(bare: Path, dovecot: Dovecot, minutes: int, said: str) -> None:
    """Ours or the server's: deadlines hang on both."""
    connected(bare, dovecot, "doctor5")
    site = replace(opened(bare, clock()), now=clock() + timedelta(minutes=minutes))
    found = examine_mail(site, write=False, trial=Trial(lambda *_: None, 0.1, lambda _: None))
    site.engine.dispose()
    assert any(one.level == "wrong" and said in one.what for one in found)


def arriving(*recipients: str) -> Callable[[Site, str, str, bytes], None]:
    """A way on which only mail to these addresses arrives."""

    def send(site: Site, recipient: str, _: str, raw: bytes) -> None:
        if recipient in recipients:
            drop(site.path, raw, clock())

    return send


def test_plus_addresses_that_dont_arrive_are_told(bare: Path) -> None:
    """Where they aren't used all is well; where they are, players' answers are lost, and --write mends it."""
    plain = arriving("league@play.example")
    said = "a mail to league+doctor@play.example didn't come in within 0 seconds"
    (found,) = [one for one in examined(bare, plain) if "+doctor" in one.what]
    assert (found.level, found.sets) == ("weak", ())
    assert found.what == f"{said}: players answer to the plain address, as league.toml says"
    write_key(site := opened(bare, clock()), "plus_addresses", value=True)
    site.engine.dispose()
    (found,) = [one for one in examined(bare, plain) if "+doctor" in one.what]
    assert (found.level, found.what, found.sets) == ("wrong", said, (("plus_addresses", False),))
    examined(bare, plain, write=True)
    assert settings.load(bare / "league.toml").mail.plus_addresses is False


def test_a_server_that_refuses_plus_addresses_is_quoted(bare: Path) -> None:
    """The plain address is tried all the same."""

    def send(site: Site, recipient: str, message_id: str, raw: bytes) -> None:
        if "+" in recipient:
            raise Refused("mx.example.org refuses the sender league+doctor@play.example: 553 5.7.1 not yours")
        arriving(recipient)(site, recipient, message_id, raw)

    told_ = told(examined(bare, send))
    assert "553 5.7.1 not yours: players answer to the plain address" in told_
    assert "ok: a mail from league@play.example to itself arrived" in told_


def test_what_was_learned_is_written_after_a_yes(bare: Path) -> None:
    """The findings that would change something say what they changed; the others are left out."""
    found = examined(bare, arriving("league@play.example", "league+doctor@play.example"))
    site = opened(bare, clock())
    (done,) = write_learned(site, found)
    site.engine.dispose()
    assert done.level == "ok"
    assert done.what.endswith("written into league.toml: [mail] plus_addresses = true")
    assert settings.load(bare / "league.toml").mail.plus_addresses is True


# ------------------------------------------------------------------ the file


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[mail] # ours\nreceived_by = "old" # x\ninbox = "a"\n', 2),
        ('[site]\ntitle = "A"\n\n[mail]\ninbox = "a"\n', 5),
        ('[site]\ntitle = "A"\n', 5),
        ("", 3),
    ],
)
def test_a_key_is_set_where_it_belongs(text: str, line: int) -> None:
    """In its line, at the top of its table, or in a table of its own at the end."""
    changed = with_key(text, "received_by", "mx.example.org")
    assert changed.splitlines()[line - 1] == 'received_by = "mx.example.org"'
    read: dict[str, Any] = tomllib.loads(text)
    assert tomllib.loads(changed) == {**read, "mail": {**read.get("mail", {}), "received_by": "mx.example.org"}}


def test_writing_goes_with_mail_alone(bare: Path) -> None:
    """`league doctor --write` has nothing to write."""
    assert league(bare, at("2024-01-03 10:00"), "doctor", "--write").returncode == 2


# ------------------------------------------------------------------ the way out


def with_server(path: Path, port: int) -> Path:
    found = settings.load(path / settings.FILE)
    smtp = settings.Smtp(host="localhost", port=port, security="none")
    (path / settings.FILE).write_text(settings.as_toml(replace(found, mail=replace(found.mail, smtp=smtp))))
    return path


def test_a_mail_goes_by_the_sites_own_delivery(bare: Path) -> None:
    """The server of [mail.smtp] takes it, from the league's own address to itself."""
    post = Post()
    with office(post) as port:
        done = league(with_server(bare, port), clock(), "doctor", "mail", "--wait", "1")
    assert done.returncode == 1
    assert "a mail from league@play.example to itself didn't come in within 1 seconds" in done.stdout
    sent = [(sender, recipient) for sender, recipient, _ in post.taken]
    assert sent == [("league@play.example",) * 2, ("league+doctor@play.example",) * 2]


def test_a_server_that_takes_nothing_is_told(bare: Path) -> None:
    """In one sentence, without waiting for a mail that can't come."""
    (port,) = free_ports(1)
    done = league(with_server(bare, port), clock(), "doctor", "mail")
    assert done.returncode == 1
    assert "no mail goes out until this is mended" in done.stdout
    assert "Traceback" not in done.stderr
