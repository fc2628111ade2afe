"""A real SMTP server for tests (aiosmtpd), made to fail in every way, that counts what it has taken."""

# ruff: noqa: ARG001, ARG002, ARG005, N802  # names and arguments of the hooks are aiosmtpd's

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from ipaddress import ip_address
from pathlib import Path
from socket import create_server
from threading import Thread
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PASSWORD = "correct-horse"
TOKEN = "ya29.token"
DROP = "drop"  # instead of a reply: the connection is cut
Reply = str | float | None  # words, seconds to be silent, or nothing out of the ordinary


@dataclass
class Post:
    """What came, in order, and what is to go wrong: stage -> the reply for the nth time that it is reached.

    Stages: ehlo, mail, rcpt, data (when it is asked for), body (when it has come), taken (after it was kept), noop.
    """

    wrong: Callable[[str, int], Reply] = lambda stage, nth: None
    taken: list[tuple[str, str, bytes]] = field(default_factory=list)  # sender, recipient, bytes
    options: list[list[str]] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    connections: int = 0
    ended: int = 0  # connections that are over
    tls: list[bool] = field(default_factory=list)

    def ids(self) -> Counter[str]:
        """How often each Message-ID was taken."""
        return Counter(str(message_from_bytes(raw)["Message-ID"]) for _, _, raw in self.taken)

    async def at(self, server: "Line", stage: str) -> str | None:
        self.reached[stage] += 1
        what = self.wrong(stage, self.reached[stage])
        if what == DROP:
            server.cut()
            return "421 gone"
        if isinstance(what, float):
            await asyncio.sleep(what)
            return None
        return what

    async def handle_EHLO(
        self, server: "Line", session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        wrong = await self.at(server, "ehlo")
        return [wrong] if wrong else responses

    async def handle_MAIL(
        self, server: "Line", session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        wrong = await self.at(server, "mail")
        if wrong:
            return wrong
        envelope.mail_from = address
        self.options.append(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: "Line", session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        wrong = await self.at(server, "rcpt")
        if wrong:
            return wrong
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_NOOP(self, server: "Line", session: Session, envelope: Envelope, arg: str) -> str:
        return await self.at(server, "noop") or "250 OK"

    async def handle_DATA(self, server: "Line", session: Session, envelope: Envelope) -> str:
        wrong = await self.at(server, "body")
        if wrong:
            return wrong
        content = envelope.original_content or b""
        (recipient,) = envelope.rcpt_tos
        self.taken.append((envelope.mail_from or "", recipient, content))
        self.tls.append(session.ssl is not None or server.is_implicit)
        return await self.at(server, "taken") or "250 OK"


class Line(SMTP):
    """One connection."""

    is_implicit = False

    def connection_made(self, transport: Any) -> None:
        is_upgrade = self._original_transport is not None and self.transport is not None  # STARTTLS: the same wire
        self.event_handler.connections += not is_upgrade
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.event_handler.ended += 1
        super().connection_lost(error)

    def cut(self) -> None:
        """No goodbye."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def smtp_DATA(self, arg: str) -> None:
        wrong = await self.event_handler.at(self, "data")
        if wrong == "half":
            await self.push("354 go on")
            await self._reader.readline()
            self.cut()
        elif wrong:
            await self.push(wrong)
        else:
            await super().smtp_DATA(arg)


def accept(server: Any, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    """One account, with one password and one token."""
    if isinstance(data, LoginPassword):
        good = (data.login, data.password) == (b"league", PASSWORD.encode())
    else:
        good = data == f"user=league\x01auth=Bearer {TOKEN}\x01\x01".encode()
    return AuthResult(success=good, handled=False)


class Tokens:
    """What the handler adds for servers that take tokens."""

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        from base64 import b64decode

        good = len(args) == 2 and b64decode(args[1]) == f"user=league\x01auth=Bearer {TOKEN}\x01\x01".encode()
        if not good:
            await server.challenge_auth(b'{"status":"401"}')
        return AuthResult(success=good, handled=False)


class TokenPost(Tokens, Post):
    """A server with XOAUTH2."""


@contextmanager
def office(post: Post, *, tls: ssl.SSLContext | None = None, implicit: bool = False, **more: Any) -> Iterator[int]:
    """The server on a port of its own, for as long as the block lasts. `tls` is offered by STARTTLS, or at once."""
    loop = asyncio.new_event_loop()

    def line() -> Line:
        made = Line(post, loop=loop, tls_context=None if implicit else tls, ident="test", **more)
        made.is_implicit = implicit
        return made

    server = loop.run_until_complete(loop.create_server(line, "127.0.0.1", 0, ssl=tls if implicit else None))
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


@contextmanager
def babble(words: bytes) -> Iterator[int]:
    """Something that listens and isn't an SMTP server: it says its words and hangs up."""
    with create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def talk() -> None:
            while True:
                try:
                    line, _ = listening.accept()
                except OSError:
                    return
                with line:
                    if not words:
                        return
                    line.sendall(words)

        thread = Thread(target=talk, daemon=True)
        thread.start()
        yield port
        listening.shutdown(2)
    thread.join(10)


# ------------------------------------------------------------------ certificates


@dataclass(frozen=True)
class Authority:
    """A certificate authority of the tests' own."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def make(cls, folder: Path, name: str = "test authority") -> "Authority":
        """A new one."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(name)
        extension = x509.BasicConstraints(ca=True, path_length=0)
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        made = (
            _builder(subject, subject, key).add_extension(extension, critical=True).add_extension(usage, critical=True)
        )
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        authority = cls(folder, key, made.sign(key, hashes.SHA256()))
        authority.file.write_bytes(authority.certificate.public_bytes(serialization.Encoding.PEM))
        return authority

    @property
    def file(self) -> Path:
        """What a client trusts."""
        return self.folder / f"{self.certificate.serial_number}.pem"

    def server(self, host: str = "localhost", *, days: int = 30) -> ssl.SSLContext:
        """A server's side with a certificate for this host; with negative days it has expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        try:
            alternative: x509.GeneralName = x509.IPAddress(ip_address(host))
        except ValueError:
            alternative = x509.DNSName(host)
        made = _builder(_name(host), self.certificate.subject, key, days)
        made = made.add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        made = made.add_extension(issuer, critical=False)
        signed = made.sign(self.key, hashes.SHA256())
        file = self.folder / f"{signed.serial_number}.server.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def _name(words: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, words)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int = 30
) -> x509.CertificateBuilder:
    end = datetime.now(UTC) + timedelta(days=days)  # noqa: TID251  # certificates go by the real clock
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(end - timedelta(days=60))
        .not_valid_after(end)
    )
