"""What a restored site may not do until it is certain that nothing newer was published or mailed.

A backup doesn't know what came after it. If rounds were resolved since, their records are in the players' mailboxes
and on copies of the pages, and a second account of the same round would contradict them. So a restored league closes
and resolves nothing of its own until its newest record is the newest that anybody has. Rounds of which the published
record is at hand are evaluated again, and sealed only if the same bytes come out.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.leagues.public_journal import journal_state
from league.desk.site import Site
from league.records.journal import FIELD
from league.storage import decisions, leagues, records
from league.storage import engine as database
from league.storage.decisions import Entered
from league.storage.records import Sealed
from league.storage.rounds import Loaded

UNSURE, RESCAN = "restored.head/", "restored.rescan"
MADE_ANEW = "made.anew"  # the fact of a site that doesn't know all the mails that went out in its name
CATCH_UP = "restored.catch_up"  # the fact of a site that hasn't done anew yet what came after its backup
SHORT = 16  # so many signs of a hash are shown where it is only to be recognized


@dataclass(frozen=True, slots=True)
class Unsure:
    """A match of which it isn't known whether anything newer was published. `to_come`: records that were, in order."""

    match: str
    made_at: datetime
    to_come: tuple[str, ...]

    def round(self, number: int) -> dict[str, Any] | None:
        """The published record of a round that is to be sealed again; None where it isn't known."""
        found = (json.loads(body) for body in self.to_come)
        return next((body for body in found if body["kind"] == "round" and body["round"] == number), None)


def mark_restored(connection: Connection, matches: Iterable[str], made_at: datetime) -> None:
    """From here on each of these matches waits for a word on its head, and every mailbox is read anew."""
    for match in matches:
        store(connection, Unsure(match, made_at, ()))
    for fact in (RESCAN, CATCH_UP, MADE_ANEW):
        leagues.set_fact(connection, fact, stamp(made_at))


def mails_wait(site: Site) -> bool:
    """Whether what came since the backup waits to be judged in order of time (`desk/run/catch_up.py`)."""
    if site.catches_up:
        return False
    with database.read(site.engine) as connection:
        return leagues.fact(connection, CATCH_UP) is not None


def rescan_since(connection: Connection) -> datetime | None:
    """When the backup was made, if the mailboxes weren't read anew since; else None."""
    written = leagues.fact(connection, RESCAN)
    return datetime.fromisoformat(written) if written else None


def rescanned(site: Site) -> None:
    """Every mailbox was read to its end: what came after the backup is known again."""
    with database.read(site.engine) as connection:
        if rescan_since(connection) is None:
            return
    with database.write(site.engine) as connection:
        leagues.drop_fact(connection, RESCAN)


def unsure(connection: Connection) -> dict[str, Unsure]:
    """The matches that still wait for a word on their head."""
    return {match: _read(match, written) for match, written in leagues.facts(connection, UNSURE).items()}


def store(connection: Connection, found: Unsure) -> None:
    """Keep how it stands with a match."""
    told = {"made_at": stamp(found.made_at), "to_come": list(found.to_come)}
    leagues.set_fact(connection, UNSURE + found.match, json.dumps(told, ensure_ascii=False))


def _read(match: str, written: str) -> Unsure:
    told = json.loads(written)
    return Unsure(match, datetime.fromisoformat(told["made_at"]), tuple(told["to_come"]))


def waits_for_word(site: Site) -> list[str]:
    """What a run says meanwhile, in plain words."""
    with database.read(site.engine) as connection:
        waiting = unsure(connection)
        if not waiting:
            return []
        made = stamp(min(found.made_at for found in waiting.values()))
        named = [_named(connection, match) for match in waiting]
    told = (
        f"this site was restored from a backup of {made}, and nothing is closed, resolved or published until it is "
        f"certain that it knows the newest record. It knows {', '.join(named)}. If your newest report mail or page "
        f"names the same: league restore --head HASH. If it names another: league restore --public FOLDER, with a copy "
        f"of the published pages, or --mail with saved mails. If nobody can know: league restore --accept-head --why "
        f"WHY"
    )
    return [told]


def _named(connection: Connection, match: str) -> str:
    head = head_of(connection, match)
    return f"of {match} that of round {head.round} ({head.sha256[:SHORT]}…)"


def head_of(connection: Connection, match: str) -> Sealed:
    """A match's newest record."""
    found = leagues.match(connection, match)
    if found is None:
        raise Refused(f"there is no match {match} any more")
    return records.heads(connection, [found.id])[found.id]


# ------------------------------------------------------------------ a word on the head


@dataclass(frozen=True, slots=True)
class Confirmed:
    """How it stands with a match. `to_come`: records that were published after the backup, to be sealed again."""

    match: str
    round: int
    head: str
    certain: bool
    to_come: int

    def facts(self) -> JsonDict:
        """For programs."""
        told: dict[str, Json] = {"match": self.match, "round": self.round, "head": self.head}
        return {**told, "certain": self.certain, "to_come": self.to_come}


def standing(site: Site) -> tuple[Confirmed, ...]:
    """How it stands with every match of the site."""
    with database.read(site.engine) as connection:
        waiting = unsure(connection)
        return tuple(_standing(match, head, waiting.get(match)) for _, match, head in heads(connection))


def _standing(match: str, head: Sealed, found: Unsure | None) -> Confirmed:
    return Confirmed(match, head.round, head.sha256, found is None, len(found.to_come) if found else 0)


def heads(connection: Connection) -> Iterator[tuple[str, str, Sealed]]:
    """League, match and newest record of every match of the site."""
    for league in leagues.leagues(connection):
        matches = leagues.matches(connection, [season.id for season in leagues.seasons(connection, league.id)])
        found = records.heads(connection, [match.id for match in matches])
        yield from ((league.slug, match.slug, found[match.id]) for match in matches if match.id in found)


def set_certain(site: Site, connection: Connection, match: str, act: str, head: Sealed, why: str = "") -> None:
    """This is the newest record; the league goes on, and its pages are built anew."""
    leagues.drop_fact(connection, UNSURE + match)
    body = json.loads(head.body)
    league = leagues.league(connection, body["league"])
    if league is not None:
        leagues.mark_unpublished(connection, (league.slug,), token_hex(8))
        site.write_down(connection, act, why, league.id, round=head.round, record=head.sha256)


# ------------------------------------------------------------------ rounds of which the record is known


UNKNOWN = "it isn't certain that nothing newer was published; see league restore"


def may_resolve(found: Unsure | None, loaded: Loaded) -> bool:
    """Whether the round may be evaluated: with certainty, or to be held against its published record."""
    return found is None or found.round(loaded.round.number) is not None


def is_time(site: Site, found: Unsure | None, loaded: Loaded) -> bool:
    """Whether the round may be sealed now; by a site that catches up not before it was evaluated, and as published."""
    body = found.round(loaded.round.number) if found else None
    if body is None:
        return not site.catches_up
    return site.now >= datetime.fromisoformat(body["evaluated"])


def opened_at(found: Unsure | None, number: int, now: datetime) -> datetime:
    """When a round opened with the report before it: as its published record says, else now."""
    body = found.round(number) if found else None
    return datetime.fromisoformat(body["opens"]) if body is not None else now


def may_close(site: Site, waiting: Mapping[str, Unsure], loaded: Loaded) -> bool:
    """Whether the round may be closed: with certainty, or because its published record says that it was.

    While a site catches up, nothing is closed of which no record says that it was: that happens by today's clock.
    """
    found = waiting.get(loaded.match_slug)
    return may_resolve(found, loaded) and not (site.catches_up and found is None)


def with_decisions(connection: Connection, found: Unsure | None, loaded: Loaded) -> Loaded:
    """The round with the decisions that its published record tells and that the backup doesn't know."""
    body = found.round(loaded.round.number) if found else None
    if body is None:
        return loaded
    told = [Entered(loaded.round.id, d["kind"], d["facts"], d["source"], _at(d)) for d in body["decisions"]]
    have = [(d.kind, dict(d.facts), d.source, d.entered_at) for d in loaded.decisions]
    lost = [d for d in told if (d.kind, dict(d.facts), d.source, d.entered_at) not in have]
    decisions.decide(connection, lost)
    return replace(loaded, decisions=decisions.decisions(connection, [loaded.round.id])) if lost else loaded


def _at(told: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(told["at"])


def journal_told(site: Site, connection: Connection, found: Unsure | None, loaded: Loaded) -> JsonDict | None:
    """What the round's record says of the journal: as it stands, or of as many acts as the published record says."""
    body = found.round(loaded.round.number) if found else None
    if body is not None and FIELD not in body:  # of an older version
        return None
    told = int(body[FIELD]["acts"]) if body is not None else None
    count = told if body is not None else site.acts_counted(loaded.match_slug, loaded.round.number)
    return journal_state(connection, loaded.league_id, loaded.game, site.key, site.now, count)


def contradiction(found: Unsure | None, sealed: Sealed) -> str:
    """Why this record may not be sealed; empty if it may."""
    if found is None:
        return ""
    body = found.round(sealed.round)
    if body is None:
        return UNKNOWN
    ours = json.loads(sealed.body)
    if sha256(found.to_come[0].encode()).hexdigest() == sealed.sha256:
        return ""
    keys = sorted(key for key in {*ours, *body} if ours.get(key) != body.get(key))
    return (
        f"what comes out isn't what was published: {', '.join(keys)} differ. A mail or an act since the backup is "
        f"missing; if it can't be found, league restore --accept-head --why WHY goes on with what there is"
    )


def sealed_again(site: Site, connection: Connection, found: Unsure | None, sealed: Sealed) -> Unsure | None:
    """One published record less to come; behind the last one the league goes on. What is still to come."""
    if found is None:
        return None
    rest = replace(found, to_come=found.to_come[1:])
    if rest.to_come:
        store(connection, rest)
        return rest
    set_certain(site, connection, found.match, "restore --public", sealed)
    return None
