"""What saved mails of ours say of a restored site's newest record; `told_freezes.py` does it of closed rounds."""

from collections.abc import Container, Sequence
from pathlib import Path

from league.core.errors import BadInput
from league.desk.proof.verify_mails import Said, read_mails
from league.desk.recovery.restored import SHORT


def read(paths: Sequence[Path]) -> tuple[Said, ...]:
    """The check sums in saved mails; `BadInput` where there are none."""
    said = read_mails(paths).said
    if not said:
        raise BadInput(
            "no mail of a league of ours is in it: save mails with leaves, receipts and reports", str(paths[0])
        )
    return said


def newer(said: Sequence[Said], known: Container[str]) -> str:
    """Which report names a record that isn't in the chain: it was made after the backup. Empty if none does."""
    strange = [one for one in said if one.record and one.record not in known]
    if not strange:
        return ""
    newest = max(strange, key=lambda one: one.round)
    return (
        f"the report of round {newest.round} of {newest.league[:60]} in {newest.source} names a record "
        f"{newest.record[:SHORT]}… that isn't known here: it was made after the backup. Give the newest copy of the "
        f"published pages, league restore --public FOLDER, and the rounds since are evaluated again"
    )
