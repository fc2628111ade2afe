"""The SMTP transport against a real server that fails in every way."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import Refused
from league.credentials import Login
from league.delivery.outbox import Handed, Outcome
from league.delivery.smtp import Server, Smtp
from league.delivery.smtp_wire import stuffed, whole_lines
from tests.delivery.post_office import DROP, PASSWORD, TOKEN, Authority, Post, Reply, TokenPost, accept, babble, office

SHORT = 0.4  # seconds of patience where a server is silent


@dataclass(frozen=True)
class Letter:
    id: int
    recipient: str = "anna@example.org"
    raw: bytes = b""

    @property
    def message_id(self) -> str:
        return f"<{self.id}@play.example>"


def letter(number: int, body: bytes = b"hello\r\n", recipient: str = "anna@example.org") -> Letter:
    return Letter(number, recipient, f"Message-ID: <{number}@play.example>\r\n\r\n".encode() + body)


def no_account() -> Login | None:
    return None


def transport(port: int, account: Login | None = None, **more: Any) -> Smtp:
    server = Server("localhost", port, **{"security": "none", "timeout": 10.0, **more})
    return Smtp(server, lambda: account, lambda mail: f"league+b-{mail.id}@play.example")


def sent(smtp: Smtp, *mails: Letter) -> list[Handed]:
    try:
        return [one for handed in smtp.send(mails) for one in handed]
    finally:
        smtp.close()


def outcomes(handed: list[Handed]) -> list[Outcome]:
    return [one.outcome for one in handed]


def at(stage: str, *replies: Reply) -> Any:
    """These replies the first times that a stage is reached, then none."""
    return lambda where, nth: replies[nth - 1] if where == stage and nth <= len(replies) else None


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.make(tmp_path_factory.mktemp("ca"))


# ------------------------------------------------------------------ what goes well


def test_the_stored_bytes_arrive_as_they_are() -> None:
    """No header is folded anew, lines that begin with dots survive, each mail has its own envelope sender."""
    long = b"List-Unsubscribe: <mailto:league@play.example?subject=" + b"x" * 800 + b">\r\n"
    raw = b"Message-ID: <1@play.example>\r\n" + long + b"\r\n.\r\n..\r\n.take Paris\r\n\r\n.\r\nend"
    post = Post()
    with office(post) as port:
        assert (
            outcomes(sent(transport(port), Letter(1, raw=raw), letter(2, recipient="ben@example.net"))) == ["sent"] * 2
        )
    assert post.taken[0] == ("league+b-1@play.example", "anna@example.org", raw + b"\r\n")
    assert post.taken[1][:2] == ("league+b-2@play.example", "ben@example.net")
    assert post.connections == 1


def test_only_bare_line_ends_are_mended() -> None:
    """A bare line end in front of a dot could end the mail early at some servers and begin another."""
    smuggled = b"a: b\r\n\r\nhello\n.\r\nMAIL FROM:<x@y>\r.\r\n"
    assert whole_lines(smuggled) == b"a: b\r\n\r\nhello\r\n.\r\nMAIL FROM:<x@y>\r\n.\r\n"
    assert stuffed(whole_lines(smuggled)).count(b"\r\n.\r\n") == 1
    fine = b"a: b\r\n\r\n.x\r\n"
    assert whole_lines(fine) is fine
    assert stuffed(b".\r\n.") == b"..\r\n..\r\n.\r\n"


def test_one_connection_carries_many_mails() -> None:
    """Five hundred mails in batches of a hundred, with a limit of a hundred a connection: five connections."""
    post = Post()
    with office(post) as port:
        smtp = transport(port)
        for start in range(0, 500, 100):
            batch = [letter(n) for n in range(start, start + 100)]
            assert {one.outcome for handed in smtp.send(batch) for one in handed} == {Outcome.SENT}
        smtp.close()
    assert (len(post.taken), post.connections, smtp.connections) == (500, 5, 5)
    assert set(post.ids().values()) == {1}


def test_an_idle_connection_is_asked_before_it_is_used_again() -> None:
    """A server that has hung up between two batches costs no mail."""
    post = Post(at("noop", DROP))
    with office(post) as port:
        smtp = transport(port)
        for number in (1, 2):
            assert outcomes([one for handed in smtp.send([letter(number)]) for one in handed]) == [Outcome.SENT]
        smtp.close()
    assert (post.connections, len(post.taken)) == (2, 2)


def test_a_server_that_ends_full_connections_gets_new_ones() -> None:
    """421 in front of the next mail is no fault of that mail: it goes over a new connection at once."""
    post = Post(lambda stage, nth: "421 4.7.0 enough" if stage == "mail" and nth % 3 == 0 else None)
    with office(post) as port:
        assert set(outcomes(sent(transport(port), *[letter(n) for n in range(10)]))) == {Outcome.SENT}
    assert len(post.taken) == 10


def test_eight_bit_and_foreign_addresses_go_where_they_may() -> None:
    """Bytes and addresses beyond ASCII are announced, and refused by us where the server has no word for them."""
    umlaut, far = letter(1, "süß\r\n".encode()), letter(2, recipient="änne@example.org")
    post = Post()
    with office(post, enable_SMTPUTF8=True) as port:
        assert outcomes(sent(transport(port), umlaut, far)) == [Outcome.SENT] * 2
    assert ["BODY=8BITMIME" in options for options in post.options] == [True, False]
    assert ["SMTPUTF8" in options for options in post.options] == [False, True]
    assert post.taken[0][2].endswith("süß\r\n".encode())
    with office(Post(), enable_SMTPUTF8=False) as port:
        assert outcomes(sent(transport(port), far, letter(3))) == [Outcome.REFUSED, Outcome.SENT]


@pytest.mark.parametrize("recipient", ["anna@example.org>\r\nRCPT TO:<x@y", "anna", "a b@example.org", "", "<a@b>"])
def test_an_address_that_is_none_is_never_said_to_a_server(recipient: str) -> None:
    """What could be another command is refused before the server hears it."""
    post = Post()
    with office(post) as port:
        assert outcomes(sent(transport(port), letter(1, recipient=recipient), letter(2))) == ["refused", "sent"]
    assert [to for _, to, _ in post.taken] == ["anna@example.org"]


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize("stage", ["mail", "rcpt", "data", "body"])
def test_not_now_is_told_for_the_mail_alone(stage: str) -> None:
    """4xx at any stage: this mail later, the others now."""
    post = Post(at(stage, "451 4.3.0 try later"))
    with office(post) as port:
        handed = sent(transport(port), letter(1), letter(2))
    assert handed == [Handed(1, Outcome.LATER, "451 4.3.0 try later"), Handed(2, Outcome.SENT)]
    assert post.connections == 1


@pytest.mark.parametrize("stage", ["rcpt", "data", "body"])
def test_never_is_told_for_the_mail_alone(stage: str) -> None:
    """5xx about a mail: it has failed, with the server's words; the others go."""
    post = Post(at(stage, "550 5.1.1 no such user"))
    with office(post) as port:
        handed = sent(transport(port), letter(1), letter(2))
    assert handed == [Handed(1, Outcome.REFUSED, "550 5.1.1 no such user"), Handed(2, Outcome.SENT)]


def test_a_mail_that_is_too_large_fails_alone() -> None:
    """The size is a mail's own matter, at whatever stage the server looks at it."""
    with office(Post(), data_size_limit=2000) as port:
        handed = sent(transport(port), letter(1, b"x" * 60 + b"\r\n" + b"y" * 3000), letter(2))
    assert outcomes(handed) == [Outcome.REFUSED, Outcome.SENT]


def test_a_line_that_is_too_long_fails_alone() -> None:
    """More than 998 bytes in a line is what no server has to take."""
    with office(Post()) as port:
        handed = sent(transport(port), letter(1, b"x" * 1500 + b"\r\n"), letter(2))
    assert outcomes(handed) == [Outcome.REFUSED, Outcome.SENT]
    assert "500 Line too long" in handed[0].words


def test_a_refused_sender_stops_everything() -> None:
    """5xx at MAIL concerns all mails: none fails, and the message says which setting to look at."""
    with office(Post(at("mail", *["550 5.7.1 sender not yours"] * 9))) as port:
        (handed,) = sent(transport(port), letter(1), letter(2))
    assert (handed.id, handed.outcome) == (1, Outcome.STOPPED)
    assert handed.words.endswith("refuses the sender league+b-1@play.example: 550 5.7.1 sender not yours")


@pytest.mark.parametrize(
    "words", ["554 5.7.1 Relay access denied", "530 5.7.0 Authentication required", "550 relaying denied"]
)
def test_a_policy_stops_the_batch_and_fails_nothing(words: str) -> None:
    """A refusal of who we are: after two mails the others aren't tried, and none has failed."""
    post = Post(lambda stage, _: words if stage == "rcpt" else None)
    with office(post) as port:
        handed = sent(transport(port), *[letter(n) for n in range(9)])
    assert outcomes(handed) == [Outcome.LATER, Outcome.LATER, Outcome.STOPPED]
    assert words in handed[-1].words


def test_a_server_that_takes_nothing_is_left_alone() -> None:
    """A thousand mails and a server that says "later" each time: it hears ten of them."""
    post = Post(lambda stage, _: "450 4.2.1 busy" if stage == "rcpt" else None)
    with office(post) as port:
        handed = sent(transport(port), *[letter(n) for n in range(1000)])
    assert outcomes(handed) == [Outcome.LATER] * 10 + [Outcome.STOPPED]
    assert post.reached["rcpt"] == 10


# ------------------------------------------------------------------ lost connections


def test_nobody_there_stops_before_the_first_mail() -> None:
    """Connection refused: nothing was tried, and it is told as what it is."""
    with babble(b"x") as port:
        pass
    (handed,) = sent(transport(port), letter(1), letter(2))
    assert (handed.outcome, handed.words) == (Outcome.STOPPED, f"localhost:{port}: Connection refused")


def test_no_such_host_is_told() -> None:
    """A wrong name isn't a lost connection."""
    smtp = transport(25)
    smtp.server = replace(smtp.server, host="no-such-host.invalid")
    assert sent(smtp, letter(1)) == [Handed(1, Outcome.STOPPED, "there is no host no-such-host.invalid")]


@pytest.mark.parametrize("stage", ["mail", "rcpt", "data"])
def test_a_connection_lost_before_the_mail_is_no_doubt(stage: str) -> None:
    """The server can't have the mail: it goes later, the next one over a new connection."""
    post = Post(at(stage, DROP))
    with office(post) as port:
        handed = sent(transport(port), letter(1), letter(2))
    assert outcomes(handed) == [Outcome.LATER, Outcome.SENT]
    assert post.connections == 2


def test_a_connection_lost_within_the_mail_is_no_doubt() -> None:
    """The last dot never went out, so nobody can have taken the mail."""
    post = Post(at("data", "half"))
    with office(post) as port:
        handed = sent(
            transport(port), letter(1, b"0123456789" * 9 + b"\r\n" + (b"x" * 70 + b"\r\n") * 300_000), letter(2)
        )
    assert outcomes(handed) == [Outcome.LATER, Outcome.SENT]


@pytest.mark.parametrize("stage", ["body", "taken"])
def test_a_connection_lost_before_the_answer_is_a_doubt(stage: str) -> None:
    """Whether the server kept the mail or not, we can't know."""
    post = Post(at(stage, DROP))
    with office(post) as port:
        handed = sent(transport(port), letter(1), letter(2))
    assert outcomes(handed) == [Outcome.DOUBT, Outcome.SENT]
    assert handed[0].words.startswith("no answer after the mail was handed over")
    assert len(post.taken) == (1 if stage == "body" else 2)


@pytest.mark.parametrize(
    ("stage", "outcome"),
    [
        ("ehlo", "stopped"),
        ("mail", "later"),
        ("rcpt", "later"),
        ("data", "later"),
        ("body", "doubt"),
        ("taken", "doubt"),
    ],
)
def test_a_silent_server_is_not_waited_for(stage: str, outcome: str) -> None:
    """Silence is a lost connection after the time that the settings give it."""
    with office(Post(at(stage, 3.0))) as port:
        handed = sent(transport(port, timeout=SHORT), letter(1))
    assert outcomes(handed) == [outcome]
    assert f"didn't answer within {SHORT:g} seconds" in handed[0].words


def test_a_server_that_never_greets_is_not_waited_for() -> None:
    """Nor is a port behind which nobody talks."""
    with office(Post()) as port, babble(b"") as silent:
        assert port != silent
    import socket

    with socket.create_server(("127.0.0.1", 0)) as mute:
        (handed,) = sent(transport(mute.getsockname()[1], timeout=SHORT), letter(1))
    assert (handed.outcome, handed.words.endswith(f"didn't answer within {SHORT:g} seconds")) == (Outcome.STOPPED, True)


@pytest.mark.parametrize(
    ("greeting", "said"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "isn't SMTP"),
        (b"\x00\xff\x1b[31m garbage\r\n", "isn't SMTP"),
        (b"554 5.3.2 no service here\r\n", "554 5.3.2 no service here"),
        (b"421 busy\r\n", "421 busy"),
        (b"2" * 100_000 + b"\r\n", "answers 500 Line too long"),
    ],
)
def test_a_greeting_that_is_none_stops_before_the_first_mail(greeting: bytes, said: str) -> None:
    """Whatever answers there, no mail is tried, and no control character of it reaches a terminal."""
    with babble(greeting) as port:
        (handed,) = sent(transport(port), letter(1))
    assert handed.outcome is Outcome.STOPPED
    assert said in handed.words
    assert handed.words.isprintable()
    assert len(handed.words) < 400


def test_a_server_that_loses_every_connection_is_left_alone() -> None:
    """A few mails are tried, then the rest waits untried."""
    with office(Post(lambda stage, _: DROP if stage == "rcpt" else None)) as port:
        handed = sent(transport(port), *[letter(n) for n in range(50)])
    assert outcomes(handed) == [Outcome.LATER] * 3 + [Outcome.STOPPED]


def test_a_slow_server_does_not_hold_up_the_round() -> None:
    """After its patience the sender stops; what waits goes with the next run."""
    post = Post(lambda stage, _: 0.2 if stage == "mail" else None)
    with office(post) as port:
        smtp = transport(port)
        smtp.patience = 0.3
        handed = sent(smtp, *[letter(n) for n in range(20)])
    assert outcomes(handed)[-1] is Outcome.STOPPED
    assert 1 <= len(post.taken) <= 3


# ------------------------------------------------------------------ TLS and accounts


@contextmanager
def secured(
    authority: Authority,
    security: str,
    post: Post | None = None,
    *,
    host: str = "localhost",
    days: int = 30,
    **more: Any,
) -> Iterator[tuple[int, Post]]:
    made = post or Post()
    with office(made, tls=authority.server(host, days=days), implicit=security == "tls", **more) as port:
        yield port, made


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_server_with_a_certificate_is_talked_to(authority: Authority, security: str) -> None:
    """Both ways of TLS carry the mail, encrypted."""
    with secured(authority, security) as (port, post):
        assert outcomes(sent(transport(port, security=security, ca_file=str(authority.file)), letter(1))) == ["sent"]
    assert post.tls == [True]
    assert post.connections == 1


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize(
    ("host", "days", "trusted", "said"),
    [
        ("localhost", 30, False, "unable to get local issuer certificate"),
        ("localhost", -1, True, "certificate has expired"),
        ("mail.example.org", 30, True, "Hostname mismatch"),
    ],
)
def test_a_wrong_certificate_gets_no_mail(
    authority: Authority, tmp_path: Path, security: str, host: str, days: int, trusted: bool, said: str
) -> None:
    """Signed by a stranger, expired, or somebody else's: no mail and no password is sent, and the reason is told."""
    ca_file = authority.file if trusted else Authority.make(tmp_path, "stranger").file
    with secured(authority, security, host=host, days=days, authenticator=accept, auth_require_tls=False) as (
        port,
        post,
    ):
        smtp = transport(port, Login("league", PASSWORD), security=security, ca_file=str(ca_file))
        (handed,) = sent(smtp, letter(1))
    assert handed.outcome is Outcome.STOPPED
    assert handed.words.startswith(f"the certificate of localhost:{port} isn't valid: ")
    assert said in handed.words
    assert post.reached == ({} if security == "tls" else {"ehlo": 1})


def test_a_server_without_tls_gets_no_mail(authority: Authority) -> None:
    """Neither is STARTTLS given up for a server that has none, nor TLS for one that speaks plain."""
    with office(Post()) as port:
        starttls = sent(transport(port, security="starttls", ca_file=str(authority.file)), letter(1))
        tls = sent(transport(port, security="tls", ca_file=str(authority.file), timeout=2.0), letter(1))
    assert outcomes(starttls + tls) == [Outcome.STOPPED] * 2
    assert "STARTTLS extension not supported" in starttls[0].words
    assert "speaks no TLS" in tls[0].words


@pytest.mark.parametrize(
    "account", [Login("league", PASSWORD), Login("league", token=TOKEN)], ids=["password", "token"]
)
def test_an_account_opens_the_door(authority: Authority, account: Login) -> None:
    """A password or a token, over TLS."""
    post = TokenPost()
    with secured(authority, "starttls", post, authenticator=accept, auth_required=True) as (port, _):
        smtp = transport(port, account, security="starttls", ca_file=str(authority.file))
        assert outcomes(sent(smtp, letter(1), letter(2))) == [Outcome.SENT] * 2


@pytest.mark.parametrize("account", [Login("league", "hunter2"), Login("league", token="stale.token")])
def test_a_refused_account_stops_everything_and_tells_no_secret(
    authority: Authority, account: Login, caplog: pytest.LogCaptureFixture
) -> None:
    """No mail fails; the message says what was refused, and neither it nor a log or traceback holds the secret."""
    caplog.set_level(logging.DEBUG, "league")
    with secured(authority, "starttls", TokenPost(), authenticator=accept, auth_required=True) as (port, _):
        smtp = transport(port, account, security="starttls", ca_file=str(authority.file))
        (handed,) = sent(smtp, letter(1))
    assert handed.outcome is Outcome.STOPPED
    assert f"localhost:{port} refuses user or password: 535" in handed.words
    for secret in filter(None, (account.password, account.token)):
        assert secret not in handed.words + repr(smtp) + "".join(r.getMessage() for r in caplog.records)


def test_a_server_that_repeats_the_password_is_not_quoted() -> None:
    """What a careless server says lands in a database and in mails: without the secret."""
    with office(
        Post(at("rcpt", f"550 5.1.1 you said {PASSWORD}")), authenticator=accept, auth_require_tls=False
    ) as port:
        (handed,) = sent(transport(port, Login("league", PASSWORD)), letter(1))
    assert handed.words == "550 5.1.1 you said …"


def test_a_password_that_cannot_be_sent_is_not_shown() -> None:
    """Letters beyond ASCII fit into no way of logging in that the server offers; which ones isn't told."""
    with office(Post(), authenticator=accept, auth_require_tls=False, auth_exclude_mechanism=["LOGIN"]) as port:
        (handed,) = sent(transport(port, Login("league", "gehei\udc80m")), letter(1))
    assert handed.outcome is Outcome.STOPPED
    assert handed.words == f"user or password for localhost:{port} holds letters that can't be sent"


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_certificates_that_cannot_be_read_are_told(authority: Authority, tmp_path: Path, content: bytes | None) -> None:
    """A wrong `ca_file` is named, and nothing is sent."""
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_bytes(content)
    with secured(authority, "tls") as (port, post):
        (handed,) = sent(transport(port, security="tls", ca_file=str(file)), letter(1))
    assert handed.outcome is Outcome.STOPPED
    assert handed.words.startswith(f"{file} holds no certificates that can be read: ")
    assert post.connections == 0


def test_a_password_that_cannot_be_read_stops_everything() -> None:
    """A missing file is told, and the server isn't asked."""

    def account() -> Login | None:
        raise Refused("secrets/smtp can't be read: No such file or directory")

    post = Post()
    with office(post) as port:
        smtp = Smtp(Server("localhost", port, "none"), account, lambda mail: mail.recipient)
        (handed,) = sent(smtp, letter(1))
    assert handed == Handed(1, Outcome.STOPPED, "secrets/smtp can't be read: No such file or directory")
    assert post.connections == 0


def test_a_check_sends_nothing(authority: Authority) -> None:
    """The doctor connects, logs in and leaves; a wrong password is found so."""
    with secured(authority, "starttls", authenticator=accept, auth_required=True) as (port, post):
        good = transport(port, Login("league", PASSWORD), security="starttls", ca_file=str(authority.file)).check()
        bad = transport(port, Login("league", "hunter2"), security="starttls", ca_file=str(authority.file)).check()
    assert good == ""
    assert bad.startswith(f"localhost:{port} refuses user or password")
    assert set(post.reached) == {"ehlo"}
