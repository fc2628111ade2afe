"""What a site brings itself for its look is read without following a link, at the moment of reading.

Whoever may put a file there, or brings a ready-made look with it, mustn't thereby publish what else this machine can
read: the site's key before all. A look beforehand wouldn't do, for the file may be another one by then.
"""

import os
from errno import EINVAL, ELOOP, ENOENT, ENOTDIR, ENXIO
from pathlib import Path
from stat import S_ISREG

NO_FILE = frozenset({ELOOP, ENOENT, ENOTDIR, ENXIO, EINVAL})
_ONLY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_own(folder: Path, *parts: str) -> bytes | None:
    """A plain file that lies in this very folder or in one within it; None where there is none, or a link instead.

    Each part of its way is opened from within the one before; the folder's own name is the first that may be no link.
    """
    try:
        return _read(folder, parts)
    except OSError as error:
        if error.errno in NO_FILE:
            return None
        raise type(error)(error.errno, error.strerror, str(folder.joinpath(*parts))) from error


def _read(folder: Path, parts: tuple[str, ...]) -> bytes | None:
    within = os.open(folder, _ONLY | os.O_DIRECTORY)
    for part in parts[:-1]:
        within = _step(within, part, os.O_DIRECTORY)
    handle = _step(within, parts[-1], 0)
    if not S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _step(within: int, part: str, kind: int) -> int:
    try:
        return os.open(part, _ONLY | kind, dir_fd=within)
    finally:
        os.close(within)
