"""Outgoing mail through an SMTP server: one connection for many mails, and for each mail its own outcome.

The stored bytes go out as they are; nothing is folded anew. What is told of a server's answers is one line without
our secrets. TLS means a certificate that is checked; without TLS nothing is sent that the settings didn't allow.
"""

import smtplib
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from socket import gaierror
from time import monotonic
from typing import ClassVar

from league.core.errors import LeagueError, Refused
from league.credentials import Login
from league.delivery.outbox import Handed, Outcome, Outgoing
from league.delivery.smtp_wire import TOO_LARGE, WORDS, Reply, one_line, options_for, stuffed, whole_lines
from league.failpoints import reach

STRIKES = 10  # mails in a row without success after which a server is left alone; losing the connection counts for more
LOST, POLICY = 4, 5
PATIENCE = 900.0  # seconds after which the rest waits for the next run, so that a slow server doesn't hold up rounds


@dataclass(frozen=True, slots=True)
class Server:
    """Where mail is handed over, and how."""

    host: str
    port: int
    security: str = "tls"
    hello: str = "localhost"
    ca_file: str = ""
    timeout: float = 60.0
    per_connection: int = 100

    @property
    def named(self) -> str:
        """As messages call it."""
        return f"{self.host}:{self.port}"


class _Down(Exception):
    """Nothing can be sent now; its text says why."""


class _Lost(Exception):
    """The connection is gone, and the server can't have taken the mail."""


@dataclass(slots=True)
class Smtp:
    """A transport over one server. `account` is asked at each connection, since tokens grow old."""

    server: Server
    account: Callable[[], Login | None]
    envelope: Callable[[Outgoing], str]  # the sender that bounces go to
    patience: float = PATIENCE
    connections: int = field(default=0, init=False)
    exact: ClassVar[bool] = False
    _line: smtplib.SMTP | None = field(default=None, init=False)
    _login: Login | None = field(default=None, init=False)
    _used: int = field(default=0, init=False)
    _strikes: int = field(default=0, init=False)
    _until: float = field(default=0.0, init=False)

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sequence[Handed]]:
        """Each mail's outcome as it is known. Stops where going on would only add to the trouble."""
        self._until = self._until or monotonic() + self.patience
        self._is_alive()
        last = ""
        for mail in mails:
            try:
                self._mind(last)
                handed = self._send(mail)
            except _Down as trouble:
                yield [Handed(mail.id, Outcome.STOPPED, str(trouble))]
                return
            last = handed.words
            yield [handed]

    def _mind(self, last: str) -> None:
        """Stop in time: a server that takes nothing isn't asked a thousand times."""
        if self._strikes >= STRIKES:
            raise _Down(f"{self.server.named} takes nothing: {last}")
        if monotonic() > self._until:
            raise _Down(f"{self.server.named} is so slow that the rest waits for the next run")

    def check(self) -> str:
        """Connect, log in and leave; what is wrong, or nothing."""
        try:
            self._line = self._connect()
        except _Down as trouble:
            return str(trouble)
        finally:
            self.close()
        return ""

    def close(self) -> None:
        """Say goodbye, as far as the server listens."""
        if self._line is not None:
            with suppress(OSError):
                self._line.quit()
        self._drop()

    def _drop(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line, self._used = None, 0

    def _is_alive(self) -> None:
        """A connection that lay idle is asked before it is used again."""
        if self._line is None:
            return
        try:
            alive = self._line.noop()[0] == 250
        except OSError:
            alive = False
        if not alive:
            self._drop()

    # ------------------------------------------------------------------ one mail

    def _send(self, mail: Outgoing) -> Handed:
        """Hand a mail over; a connection that had served before may have ended, so that counts as none."""
        for _ in range(2):
            line, fresh = self._ready()
            try:
                return self._hand_over(line, mail)
            except _Lost as lost:
                self._drop()
                if fresh:
                    self._strikes += LOST
                    return Handed(mail.id, Outcome.LATER, str(lost))
        raise AssertionError  # the second connection is a fresh one

    def _ready(self) -> tuple[smtplib.SMTP, bool]:
        """The connection, and whether it is new."""
        if self._line is not None and self._used >= self.server.per_connection:
            self.close()
        fresh = self._line is None
        if self._line is None:
            self._line = self._connect()
        self._used += 1
        return self._line, fresh

    def _hand_over(self, line: smtplib.SMTP, mail: Outgoing) -> Handed:
        sender, raw = self.envelope(mail), whole_lines(mail.raw)
        options = options_for(line, sender, mail.recipient, raw)
        if isinstance(options, str):
            return Handed(mail.id, Outcome.REFUSED, options)
        reply = self._ask(line, f"MAIL FROM:<{sender}>{options[0]}")
        if not reply.is_yes:
            return self._sender_refused(line, mail, sender, reply)
        reach("smtp.mail")
        reply = self._ask(line, f"RCPT TO:<{mail.recipient}>")
        if not reply.is_yes:
            return self._refused(line, mail, reply)
        reply = self._ask(line, "DATA")
        if reply.code != 354:
            return self._refused(line, mail, reply)
        try:
            line.send(stuffed(raw))  # fails before the last dot is out, if it fails: the server can't have taken it
        except OSError as error:
            raise _Lost(self._why(error)) from None
        reach("smtp.data")
        try:
            reply = self._reply(*line.getreply())
        except OSError as error:
            self._drop()
            self._strikes += LOST
            return Handed(mail.id, Outcome.DOUBT, f"no answer after the mail was handed over: {self._why(error)}")
        reach("smtp.replied")
        if not reply.is_yes:
            return self._refused(line, mail, reply)
        self._strikes = 0
        return Handed(mail.id, Outcome.SENT)

    def _ask(self, line: smtplib.SMTP, command: str) -> Reply:
        try:
            return self._reply(*line.docmd(command))
        except OSError as error:
            raise _Lost(self._why(error)) from None

    def _sender_refused(self, line: smtplib.SMTP, mail: Outgoing, sender: str, reply: Reply) -> Handed:
        """Every mail has a sender of ours, so a refusal of it is one of them all; only a mail's size is its own."""
        if reply.code < 500 or reply.code in TOO_LARGE:
            return self._refused(line, mail, reply)
        self.close()
        raise _Down(f"{self.server.named} refuses the sender {sender}: {reply}")

    def _refused(self, line: smtplib.SMTP, mail: Outgoing, reply: Reply) -> Handed:
        """4xx and 5xx. A policy may be over later, or concern all mails: none fails for it at once."""
        if reply.code == 421:
            raise _Lost(str(reply))
        if reply.code >= 500 and not reply.is_policy:
            outcome, self._strikes = Outcome.REFUSED, 0
        else:
            outcome = Outcome.LATER
            self._strikes += POLICY if reply.code >= 500 else 1
        try:
            line.rset()
        except OSError:
            self._drop()
        return Handed(mail.id, outcome, str(reply))

    def _reply(self, code: int, words: bytes) -> Reply:
        """An answer without our secrets. What isn't SMTP at all is a passing trouble."""
        said = one_line(words)
        return Reply(code if 200 <= code < 600 else 451, (self._login.hide(said) if self._login else said)[:WORDS])

    # ------------------------------------------------------------------ the connection

    def _connect(self) -> smtplib.SMTP:
        reach("smtp.connect")
        line: smtplib.SMTP | None = None
        try:
            self._login = self.account()
            line = self._open()
            if self.server.security == "starttls":
                line.starttls(context=self._context())
            line.ehlo_or_helo_if_needed()
            if self._login:
                _log_in(line, self._login)
        except (OSError, LeagueError, ValueError) as error:
            if line is not None:
                line.close()
            raise _Down(str(error) if isinstance(error, LeagueError) else self._why(error)) from None
        self.connections += 1
        return line

    def _open(self) -> smtplib.SMTP:
        server = self.server
        if server.security == "tls":
            return smtplib.SMTP_SSL(
                server.host, server.port, server.hello, timeout=server.timeout, context=self._context()
            )
        return smtplib.SMTP(server.host, server.port, server.hello, timeout=server.timeout)

    def _context(self) -> ssl.SSLContext:
        """Certificate and host name are checked, always."""
        try:
            return ssl.create_default_context(cafile=self.server.ca_file or None)
        except OSError as error:
            raise Refused(f"{self.server.ca_file} holds no certificates that can be read: {error.strerror}") from None

    def _why(self, error: Exception) -> str:
        """What a failure means, in words for the organizer."""
        host, named = self.server.host, self.server.named
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"the certificate of {named} isn't valid: {error.verify_message}"
        if isinstance(error, ssl.SSLError):
            return f"{named} speaks no TLS ({error.reason or 'unknown reason'}); is security or port wrong?"
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return f"{named} refuses user or password: {self._said(error)}"
        if isinstance(error, smtplib.SMTPResponseException):
            return f"{named} answers {self._said(error)}"
        if isinstance(error, smtplib.SMTPNotSupportedError):
            return f"{named} can't do what the settings ask: {error}"
        if isinstance(error, TimeoutError) or "timed out" in str(error):
            return f"{named} didn't answer within {self.server.timeout:g} seconds"
        if isinstance(error, gaierror):
            return f"there is no host {host}"
        if isinstance(error, ValueError):  # its own words may show a letter of the password
            return f"user or password for {named} holds letters that can't be sent"
        return f"{named}: {getattr(error, 'strerror', None) or str(error) or type(error).__name__}"

    def _said(self, error: smtplib.SMTPResponseException) -> str:
        words = error.smtp_error
        reply = self._reply(error.smtp_code, words if isinstance(words, bytes) else str(words).encode())
        return str(reply) if 200 <= error.smtp_code < 600 else f"what isn't SMTP: {reply.words}"


def _log_in(line: smtplib.SMTP, login: Login) -> None:
    if not login.token:
        line.login(login.user, login.password)
        return

    def answer(challenge: bytes | None = None) -> str:
        return login.xoauth2() if challenge is None else ""  # to a refusal an empty line, then the server says why

    line.auth("XOAUTH2", answer)
