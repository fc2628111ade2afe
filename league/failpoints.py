"""Named places at which a test may kill the program, so that recovery is proven and not hoped for.

`LEAGUE_FAILPOINT=seal.before_commit league run` dies there as if the power had failed: nothing is flushed, closed or
rolled back. `name:2` means the second time that the place is reached.
"""

import os
from itertools import count

FAILPOINTS = (
    "fetch.before_commit",
    "fetch.after_commit",
    "intake.before_commit",
    "intake.after_commit",
    "intake.settled",
    "freeze.before_commit",
    "freeze.after_commit",
    "seal.before_commit",
    "seal.after_commit",
    "key.written",
    "key.before_commit",
    "key.after_commit",
    "correct.before_commit",
    "correct.after_commit",
    "publish.before_switch",
    "publish.after_switch",
    "target.before_commit",
    "target.after_commit",
    "announce.before_commit",
    "announce.after_commit",
    "announce.sent",
    "draw.before_commit",
    "draw.after_commit",
    "outbox.sending",
    "outbox.delivered",
    "outbox.sent",
    "smtp.connect",
    "smtp.mail",
    "smtp.data",
    "smtp.replied",
    "backup.before_commit",
    "backup.after_commit",
    "backup.before_switch",
    "restore.before_commit",
    "restore.after_commit",
    "restore.before_switch",
    "export.before_commit",
    "export.after_commit",
    "export.before_switch",
    "import.written",
    "import.before_commit",
    "import.after_commit",
    "forget.before_commit",
    "forget.after_commit",
    "confirm.before_commit",
    "confirm.after_commit",
    "offer.before_commit",
    "offer.after_commit",
)
KILLED = 137  # what a shell reports of a process ended by SIGKILL

_known = frozenset(FAILPOINTS)
_visits = count(1)


def reach(name: str) -> None:
    """Die here, if the environment says so."""
    wanted, _, nth = os.environ.get("LEAGUE_FAILPOINT", "").partition(":")
    for asked in (name, wanted or name):
        if asked not in _known:
            message = f"{asked!r} is not in league.failpoints.FAILPOINTS"
            raise LookupError(message)
    if name == wanted and next(_visits) == int(nth or 1):
        os._exit(KILLED)
