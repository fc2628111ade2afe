"""What was published or mailed of a freeze that a backup doesn't know: no second root is told of the same round.

A restored site may lack orders that the dead machine had closed: a pipe brings nothing again. Before it closes such a
round, its leaves are held against those of the published record, of the published page, or of a saved mail.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league import i18n
from league.desk.proof.verify_mails import Said
from league.desk.proof.verify_pages import page_facts
from league.desk.recovery.restored import Unsure
from league.records.audit import ORDERS, leaf_of
from league.records.canonical import stamp
from league.records.freeze import root
from league.storage import leagues
from league.storage.rounds import Loaded

FREEZE = "restored.freeze/"  # the facts that keep them, by match and round
MOST_BYTES = 20_000_000
NAMED = 12
LATE = "The orders were closed after the figures of this round were known."  # as pages say it, in their languages
Names = Mapping[str, str]  # leaf -> whose it is and when it came


@dataclass(frozen=True, slots=True)
class ToldFreeze:
    """A round's leaves as they were told, and whose they are as far as that is known."""

    round: int
    leaves: frozenset[str]
    source: str
    names: Names = field(default_factory=dict)
    late: bool | None = None  # whether it was marked as closed late; None: nobody says

    def facts(self) -> dict[str, Any]:
        """As it is kept."""
        told = {"round": self.round, "leaves": sorted(self.leaves), "source": self.source, "late": self.late}
        return {**told, "names": dict(self.names)}


# ------------------------------------------------------------------ what is told


def from_pages(folder: Path, first: int) -> Iterator[ToldFreeze]:
    """The freezes on the pages of rounds that wait to be evaluated: this one and those behind it."""
    for number in count(first):
        if not (folder / f"round-{number}.html").is_file():
            return
        if (found := from_page(folder, number)) is not None:
            yield found


def from_page(folder: Path, number: int) -> ToldFreeze | None:
    """The freeze on a round's published page; None where there is none."""
    page = folder / f"round-{number}.html"
    if not page.is_file() or page.stat().st_size > MOST_BYTES:
        return None
    content = page.read_bytes()
    hashes, text = page_facts(content).hashes, unescape(content.decode(errors="replace"))
    late = any(i18n.catalog(lang).gettext(LATE) in text for lang in i18n.LANGS)
    for made in hashes:  # the page doesn't mark which of them is the root
        if root(hashes - {made}) == made:
            return ToldFreeze(number, hashes - {made}, page.name, late=late)
    return None


def from_mails(said: Sequence[Said]) -> Iterator[tuple[str, ToldFreeze]]:
    """Every freeze that saved mails tell, with its match: each mail with leaves speaks for its own round."""
    for one in said:
        if one.root and not one.record and root(one.leaves) == one.root:
            told = ToldFreeze(one.round, frozenset(one.leaves), one.source)
            yield one.match, _named(told, said, one.match)


def _named(found: ToldFreeze, said: Iterable[Said], match: str) -> ToldFreeze:
    receipts = [one.receipt for one in said if one.match == match and one.receipt is not None]
    names = {
        given.leaf: f"{given.seat}, received {stamp(given.received_at)}"
        for given in receipts
        if given.round == found.round
    }
    return replace(found, names=names)


def keep(connection: Connection, match: str, told: ToldFreeze) -> None:
    """Until that round is closed; what another source said of the same leaves stays known."""
    before = _kept(connection, match, told.round)
    if before is not None and before.leaves == told.leaves:
        late = told.late if told.late is not None else before.late
        told = replace(before, names={**before.names, **told.names}, late=late)
    leagues.set_fact(connection, f"{FREEZE}{match}/{told.round}", json.dumps(told.facts()))


def _kept(connection: Connection, match: str, number: int) -> ToldFreeze | None:
    written = leagues.fact(connection, f"{FREEZE}{match}/{number}")
    told = json.loads(written) if written else None
    return ToldFreeze(**{**told, "leaves": frozenset(told["leaves"])}) if told else None


def drop(connection: Connection, match: str) -> None:
    """Nobody asks for them any more."""
    for number in leagues.facts(connection, f"{FREEZE}{match}/"):
        leagues.drop_fact(connection, f"{FREEZE}{match}/{number}")


def told_freeze(connection: Connection, found: Unsure | None, loaded: Loaded) -> ToldFreeze | None:
    """What is known of this round's freeze."""
    body = found.round(loaded.round.number) if found else None
    if body is not None:
        freeze = body["freeze"]
        return ToldFreeze(loaded.round.number, frozenset(freeze["leaves"]), "its record", _names(body), freeze["late"])
    return _kept(connection, loaded.match_slug, loaded.round.number)


def _names(body: Mapping[str, Any]) -> dict[str, str]:
    rows = [row for row in (*body.get("orders", ()), *body.get("void", ())) if row.get("phase", ORDERS) == ORDERS]
    return {leaf_of(body, row): f"{row['seat']}, received {row['received_at']}" for row in rows}


# ------------------------------------------------------------------ what differs


def differs(told: ToldFreeze | None, slug: str, ours: Mapping[str, tuple[str, datetime]]) -> str:
    """Why the round can't be closed with these leaves of ours (with seat and arrival); empty if it can."""
    if told is None or told.leaves == set(ours):
        return ""
    missing, extra = sorted(told.leaves - set(ours)), sorted(set(ours) - told.leaves)
    parts = list(_parts(told, missing, [f"{ours[leaf][0]}, received {stamp(ours[leaf][1])}" for leaf in extra]))
    return (
        f"round {told.round} of {slug} stays open: it was closed before, with {len(told.leaves)} order mails "
        f"({told.source}), and the site has {len(ours)}: {'; '.join(parts)}. Bring them back (league mail read FILE, "
        f"league orders enter with the same --received-at); if they can't be found, league restore --accept-head "
        f"--why WHY closes the round with what there is"
    )


def _parts(told: ToldFreeze, missing: Sequence[str], extra: Sequence[str]) -> Iterator[str]:
    known = sorted(told.names[leaf] for leaf in missing if leaf in told.names)
    if known:
        yield f"missing are those of {'; '.join(known[:NAMED])}"
    unknown = [leaf for leaf in missing if leaf not in told.names]
    if unknown:
        yield (
            f"missing are {len(unknown)} whose sender nobody published yet (the receipt of the player names the leaf "
            f"{unknown[0][:16]}…)"
        )
    if extra:
        yield f"not among them are those of {'; '.join(extra[:NAMED])}"
