"""What pages and mails tell of corrections, read from the chain alone."""

from datetime import datetime

from league.desk.leagues.corrections import between, changes
from league.desk.leagues.versions import Version, Versions
from league.reports.context import AdjustedReport, CorrectionReport
from league.storage.records import ROUND


def correction_report(versions: Versions, one: Version, board: str = "") -> CorrectionReport | None:
    """Of a round's version above 1: what it corrects, and what followed."""
    body = one.body
    if "correction" not in body:
        return None
    before, act = versions.by_hash(body["supersedes"]), body["correction"]
    adjusted = next((a for a in _adjustments(versions) if a.body["of"][1] == one.sealed.sha256), None)
    again = [v for v in _caused(versions, one) if v.sealed.kind == ROUND]
    last = again[-1] if again else None
    was = versions.by_hash(last.body["supersedes"]).body if last else None
    return CorrectionReport(
        act=act["act"],
        why=act["why"],
        at=datetime.fromisoformat(act["at"]),
        version=body["version"],
        changes=changes(before.body, body, board),
        cause=body.get("cause", 0),
        next=adjusted.sealed.round if adjusted else 0,
        applied=tuple(adjusted.body["applied"]) if adjusted else (),
        left=tuple(adjusted.body["not_applied"]) if adjusted else (),
        again=tuple(v.sealed.round for v in again),
        position=between(body, was["position"], last.body["position"], board) if last and was else (),
    )


def _adjustments(versions: Versions) -> list[Version]:
    return [one for several in versions.adjustments.values() for one in several]


def _caused(versions: Versions, one: Version) -> list[Version]:
    """What the same act sealed because of it."""
    same = (one.sealed.round, one.body["correction"])
    return [v for v in versions.chain if (v.body.get("cause"), v.body.get("correction")) == same]


def adjusted_reports(versions: Versions, number: int) -> tuple[AdjustedReport, ...]:
    """Why the round doesn't start where the one before it ended."""
    return tuple(
        AdjustedReport(
            cause=versions.by_hash(one.body["of"][1]).sealed.round,
            why=one.body["correction"]["why"],
            at=datetime.fromisoformat(one.body["correction"]["at"]),
            applied=tuple(one.body["applied"]),
        )
        for one in versions.in_force(number)
    )
