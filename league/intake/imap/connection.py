"""Getting in, with TLS that is checked, and what goes wrong there in words that say what to look at."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from imaplib import IMAP4
from typing import Any

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import CapabilityError, LoginError

from league.core.errors import Refused
from league.credentials import Login
from league.intake.imap.account import Account

CONNECT_SECONDS = 20.0
SHOWN = 200  # characters of what a server says
WRONG_NAME = (62, 64)  # OpenSSL: the certificate is for another host name, for another IP address
EXPIRED = 10


class NoMailbox(Refused):
    """The mailbox can't be read; `passing` if trying again soon may help."""

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


def connect(account: Account) -> Any:
    """A logged-in connection; `NoMailbox` says in one sentence why there is none."""
    login = account.login()
    with told(account, login):
        client = _open(account)
        try:
            _log_in(client, login)
        except BaseException:
            shut(client)
            raise
        client.normalise_times = False  # else INTERNALDATE comes in this machine's zone, without saying so
        return client


def _open(account: Account) -> Any:
    context = ssl.create_default_context(cafile=account.ca_file or None)
    client = IMAPClient(
        account.host,
        account.port,
        ssl=account.security == "tls",
        ssl_context=context,
        timeout=SocketTimeout(min(CONNECT_SECONDS, account.timeout), account.timeout),
    )
    if account.security == "starttls":
        try:
            client.starttls(context)
        except BaseException:
            shut(client)
            raise
    return client


def _log_in(client: Any, login: Login) -> None:
    """LOGIN carries ASCII alone; a password with an umlaut goes by AUTHENTICATE PLAIN."""
    if login.token:
        client.oauth2_login(login.user, login.token)
    elif (login.user + login.password).isascii():
        client.login(login.user, login.password)
    else:
        client.plain_login(login.user, login.password)


def shut(client: Any) -> None:
    """End a connection that may be dead already."""
    try:
        client.shutdown()
    except (OSError, IMAP4.error):
        return


@contextmanager
def told(account: Account, login: Login | None = None) -> Iterator[None]:
    """Whatever the network, TLS or the server has against us becomes a `NoMailbox` in plain words, secrets left out."""
    try:
        yield
    except NoMailbox:
        raise
    except (OSError, IMAP4.error, UnicodeError, ValueError) as error:
        words, passing = _words(account, error)
        words = login.hide(words) if login else words
        raise NoMailbox(f"{account.name}: {words}", passing=passing) from None


def _words(account: Account, error: Exception) -> tuple[str, bool]:
    """What went wrong and what to look at; and whether it may pass by itself."""
    where = f"{account.host}:{account.port}"
    match error:
        case ssl.SSLCertVerificationError():
            return _certificate(account, error), False
        case ssl.SSLError():
            return f"there is no TLS at {where}; port 993 goes with security = tls, port 143 with starttls", False
        case socket.gaierror():
            return f"there is no host {account.host}, or the name service doesn't answer", True
        case FileNotFoundError() if account.ca_file:
            return f"ca_file {account.ca_file} isn't there", False
        case TimeoutError():
            return f"{where} doesn't answer", True
        case OSError():
            return f"{where}: {error.strerror or error}", True
        case CapabilityError():
            return f"{where} can't do what is asked of it: {shown(error)}", False
        case LoginError():
            return _not_let_in(account, error), False
        case IMAP4.abort():
            return f"the connection to {where} broke off: {shown(error)}", True
        case _:
            return f"the server said: {shown(error)}", False


def _certificate(account: Account, error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code in WRONG_NAME:
        return f"the certificate of {account.host} is for another name ({error.verify_message}); set host to that name"
    if error.verify_code == EXPIRED:
        return f"the certificate of {account.host} has expired, or this machine's clock is wrong"
    return (
        f"the certificate of {account.host} isn't signed by anybody this machine trusts ({error.verify_message}); "
        f"if the server is your own, name its CA's certificate in ca_file"
    )


def _not_let_in(account: Account, error: Exception) -> str:
    return (
        f"user {account.user} isn't let in ({shown(error)}); check user and the password or token command of "
        f"[mail.imap]. Some providers want a password made for this program alone, or IMAP switched on first"
    )


def shown(error: object) -> str:
    """What a server said, short and printable."""
    words = " ".join(str(error).split())
    return "".join(char for char in words if char.isprintable())[:SHOWN]
