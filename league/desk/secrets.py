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


def append_secret(path: Path, value: str) -> None:
    """One line more in a file of keys; at any instant the file is the old one or the new one, on the disk too."""
    before = path.read_text() if path.exists() else ""
    draft = path.with_name(path.name + ".tmp")
    draft.unlink(missing_ok=True)
    write_secret(draft, before + value)
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_secret(path: Path) -> bytes:
    """The key in a file; `Refused` says what is wrong with the file, never what is in it."""
    keys = _keys(path)
    if len(keys) != 1:
        raise Refused(f"{path} holds no key; restore it from a backup")
    return keys[0]


def read_secrets(path: Path) -> tuple[bytes, ...]:
    """The keys in a file of several, none if there is no such file."""
    return _keys(path) if path.exists() else ()


def _keys(path: Path) -> tuple[bytes, ...]:
    try:
        if path.stat().st_mode & 0o077:
            raise Refused(f"{path} can be read by others; run: chmod 600 {path}")
        keys = tuple(bytes.fromhex(line) for line in path.read_text().split("\n") if line.strip())
    except FileNotFoundError as error:
        raise Refused(f"{path} is missing; without it nothing can be signed: restore it from a backup") from error
    except OSError as error:
        raise Refused(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise Refused(f"{path} holds no key; restore it from a backup") from error
    if any(len(key) != KEY_BYTES for key in keys):
        raise Refused(f"{path} holds no key; restore it from a backup")
    return keys
