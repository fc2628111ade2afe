"""Files under `secrets/`: readable by their owner alone, never printed, never logged."""

import os
from pathlib import Path
from secrets import token_hex

from league.core.errors import Refused

KEY_BYTES = 32


def new_key() -> str:
    """A fresh key, in hex."""
    return token_hex(KEY_BYTES)


def write_secret(path: Path, value: str) -> None:
    """Create the file with mode 0600 from its first moment on."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(value + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_secret(path: Path) -> bytes:
    """The key in a file; `Refused` says what is wrong with the file, never what is in it."""
    try:
        if path.stat().st_mode & 0o077:
            raise Refused(f"{path} can be read by others; run: chmod 600 {path}")
        key = bytes.fromhex(path.read_text().strip())
    except FileNotFoundError as error:
        raise Refused(f"{path} is missing; without it nothing can be signed: restore it from a backup") from error
    except OSError as error:
        raise Refused(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise Refused(f"{path} holds no key; restore it from a backup") from error
    if len(key) != KEY_BYTES:
        raise Refused(f"{path} holds no key; restore it from a backup")
    return key
