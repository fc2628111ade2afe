"""Another program, run without a shell: its words, or why it has none. Nothing of it outlives its time."""

import os
import signal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

from league.delivery.targets.tree import brief

FOREIGN = ("GIT_", "RSYNC_")  # what a calling program may have set for itself: a hook of git names its own repository


@dataclass(frozen=True, slots=True)
class Done:
    """What a program ended with and said; `trouble`: why it isn't to be believed, in our words."""

    code: int = 0
    out: str = ""
    err: str = ""
    trouble: str = ""


def run(argv: Sequence[str], *, seconds: float, more: Mapping[str, str], hide: Iterable[str] = ()) -> Done:
    """Run it with these variables `more`; after its time it ends, with all that it has started."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    try:
        with Popen(  # noqa: S603  # a list, and no shell
            list(argv),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
            env={**own, "LC_ALL": "C", **more},
        ) as process:
            return _read(process, argv[0], seconds, tuple(filter(None, hide)))
    except FileNotFoundError:
        return Done(127, trouble=f"{argv[0]} isn't installed here")
    except (OSError, ValueError) as error:
        return Done(126, trouble=f"{argv[0]} can't be run: {getattr(error, 'strerror', None) or error}")


def _read(process: Popen[bytes], name: str, seconds: float, hide: tuple[str, ...]) -> Done:
    try:
        out, err = process.communicate(timeout=seconds)
    except TimeoutExpired:
        _end(process)
        return Done(-1, trouble=f"{name} was cut off after {seconds:g} seconds")
    except BaseException:  # Ctrl-C ends us; it must not go on alone
        _end(process)
        raise
    told, fault = (_without(raw.decode("utf-8", "replace"), hide) for raw in (out, err))
    trouble = brief(_sense(fault) or f"{name} ended with {process.returncode}") if process.returncode else ""
    return Done(process.returncode, told, fault, trouble)


def _without(words: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        words = words.replace(secret, "…")
    return words


def _end(process: Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _sense(err: str) -> str:
    """The lines of an error that say what is the matter: the first ones, without what only counts up."""
    lines = [line.strip() for line in err.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("rsync error:", "hint:", "remote: hint:"))]
    return "; ".join((told or lines)[:3])
