"""What was published or mailed of a freeze that a backup doesn't know: no second root is told of the same round.

A restored site may lack orders that the dead machine had closed: a pipe brings nothing again. Before it closes such a
round, its leaves are held against those of the published record, of the published page, or of a saved mail.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league import i18n
from league.core.errors import BadInput
from league.desk.restored import Unsure
from league.desk.verify_mails import Said, read_mails
from league.desk.verify_pages import page_facts
from league.records.audit import ORDERS, leaf_of
from league.records.canonical import stamp
from league.records.freeze import root
from league.storage import leagues
from league.storage.rounds import Loaded

FREEZE = "restored.freeze/"  # the fact that keeps it, by match
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


def from_mails(paths: Sequence[Path]) -> tuple[dict[str, ToldFreeze], tuple[tuple[str, str], ...]]:
    """By match the newest freeze that saved mails tell; and the records that they name, each with its match."""
    said = read_mails(paths).said
    if not said:
        raise BadInput(
            "no mail of a league of ours is in it: save mails with leaves, receipts and reports", str(paths[0])
        )
    told: dict[str, ToldFreeze] = {}
    for one in sorted(said, key=lambda one: one.round):
        if one.leaves and root(one.leaves) == one.root:
            told[one.match] = ToldFreeze(one.round, frozenset(one.leaves), one.source)
    named = {match: _named(found, said, match) for match, found in told.items()}
    return named, tuple((one.match, one.record) for one in said if one.record)


def _named(found: ToldFreeze, said: Iterable[Said], match: str) -> ToldFreeze:
    receipts = [one.receipt for one in said if one.match == match and one.receipt is not None]
    names = {given.leaf: f"{given.seat}, received {stamp(given.received_at)}" for given in receipts}
    return ToldFreeze(found.round, found.leaves, found.source, names)


def keep(connection: Connection, match: str, told: ToldFreeze) -> None:
    """Until that round is closed; what another source said of the same leaves stays known."""
    before = _kept(connection, match)
    if before is not None and (before.round, before.leaves) == (told.round, told.leaves):
        late = told.late if told.late is not None else before.late
        told = replace(before, names={**before.names, **told.names}, late=late)
    leagues.set_fact(connection, FREEZE + match, json.dumps(told.facts()))


def _kept(connection: Connection, match: str) -> ToldFreeze | None:
    written = leagues.fact(connection, FREEZE + match)
    told = json.loads(written) if written else None
    return ToldFreeze(**{**told, "leaves": frozenset(told["leaves"])}) if told else None


def drop(connection: Connection, match: str) -> None:
    """Nobody asks for it any more."""
    leagues.drop_fact(connection, FREEZE + match)


def told_freeze(connection: Connection, found: Unsure | None, loaded: Loaded) -> ToldFreeze | None:
    """What is known of this round's freeze."""
    body = found.round(loaded.round.number) if found else None
    if body is not None:
        freeze = body["freeze"]
        return ToldFreeze(loaded.round.number, frozenset(freeze["leaves"]), "its record", _names(body), freeze["late"])
    told = _kept(connection, loaded.match_slug)
    return told if told is not None and told.round == loaded.round.number else None


def _names(body: Mapping[str, Any]) -> dict[str, str]:
    rows = [row for row in (*body["orders"], *body.get("void", ())) if row.get("phase", ORDERS) == ORDERS]
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
