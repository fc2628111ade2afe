"""Passwords and tokens for mail servers: where they are read, and how they stay out of what is told.

Secrets never stand in `league.toml`: a file, an environment variable or a program gives them at the moment of use.
No message made here holds a secret, nor what a program printed.
"""

import os
import subprocess
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from league.core.errors import Refused

TOKEN_SECONDS = 60.0
MOST = 20_000  # characters of a token; more is no token


@dataclass(frozen=True, slots=True)
class Login:
    """An account with its password or its OAuth2 token; printing it shows neither."""

    user: str
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    def xoauth2(self) -> str:
        """What SASL XOAUTH2 sends, before base64."""
        return f"user={self.user}\x01auth=Bearer {self.token}\x01\x01"

    def hide(self, words: str) -> str:
        """Words of a server without our secrets, should it have repeated them."""
        for secret in filter(None, (self.password, self.token)):
            plain = b64encode(f"\0{self.user}\0{secret}".encode()).decode()
            encoded = b64encode(secret.encode()).decode()
            for form in (plain, b64encode(self.xoauth2().encode()).decode(), encoded, secret):
                words = words.replace(form, "…")
        return words


def login(
    folder: Path,
    user: str,
    *,
    password_file: str = "",  # the name of a file
    password_env: str = "",  # the name of a variable
    token_command: Sequence[str] = (),
    seconds: float = TOKEN_SECONDS,
) -> Login | None:
    """The account to use; None if no user is named. `Refused` says what can't be read, never what was read."""
    if not user:
        return None
    if token_command:
        return Login(user, token=fetch_token(token_command, seconds))
    return Login(user, password(folder, password_file, password_env))


def password(folder: Path, file: str, variable: str) -> str:
    """A secret out of a file or a variable, named in the settings."""
    if variable:
        found = os.environ.get(variable, "")
        if not found:
            raise Refused(f"the environment variable {variable}, which should hold a password, isn't set")
        return found
    if not file:
        raise Refused(
            "an account at a mail server is set and no password: say password_file, password_env or token_command"
        )
    return read_password(folder / file)


def read_password(path: Path) -> str:
    """The first line of a file that its owner alone can read."""
    try:
        if path.stat().st_mode & 0o077:
            raise Refused(f"{path} can be read by others; run: chmod 600 {path}")
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Refused(f"{path}, which should hold a password, can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path}, which should hold a password, isn't UTF-8") from None
    if not lines or not lines[0]:
        raise Refused(f"{path}, which should hold a password, is empty")
    return lines[0]


def fetch_token(command: Sequence[str], seconds: float = TOKEN_SECONDS) -> str:
    """What a program prints, run without a shell; nothing that it says on the way is repeated."""
    name = command[0]
    try:
        done = subprocess.run(  # noqa: S603  # the program that the site's owner has chosen
            list(command), stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"{name}, which should print a token, took more than {seconds:g} seconds") from None
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or "no such command line"
        raise Refused(f"{name}, which should print a token, can't be run: {words}") from None
    if done.returncode:
        raise Refused(
            f"{name}, which should print a token, ended with {done.returncode}; run it by hand to see what it says"
        )
    token = done.stdout.decode("ascii", "replace").strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token or len(token) > MOST:
        raise Refused(f"{name} printed no token: one word of plain characters is needed, and nothing else")
    return token
