"""What a restored site may not do until it is certain that nothing newer was published or mailed.

A backup doesn't know what came after it. If rounds were resolved since, their records are in the players' mailboxes
and on copies of the pages, and a second account of the same round would contradict them. So a restored league closes
and resolves nothing of its own until its newest record is the newest that anybody has. Rounds of which the published
record is at hand are evaluated again, and sealed only if the same bytes come out.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.late_figures import LATE
from league.desk.lost_acts import take_back
from league.desk.public_journal import journal_state
from league.desk.site import Site
from league.records.journal import FIELD
from league.storage import decisions, evidence, leagues, readings, records
from league.storage import engine as database
from league.storage.decisions import Entered
from league.storage.evidence import Figure
from league.storage.readings import Said
from league.storage.records import Sealed
from league.storage.rounds import Loaded

UNSURE, RESCAN = "restored.head/", "restored.rescan"
TOLD_OF = ("figure", "value", "status", "source", "reason")
SHORT = 16  # so many signs of a hash are shown where it is only to be recognized
MOST_BYTES = 50_000_000  # a record larger than this is none of ours


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
        _store(connection, Unsure(match, made_at, ()))
    leagues.set_fact(connection, RESCAN, stamp(made_at))


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


def _store(connection: Connection, found: Unsure) -> None:
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
        f"of the published pages. If nobody can know: league restore --accept-head --why WHY"
    )
    return [told]


def _named(connection: Connection, match: str) -> str:
    head = _head(connection, match)
    return f"of {match} that of round {head.round} ({head.sha256[:SHORT]}…)"


def _head(connection: Connection, match: str) -> Sealed:
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


def confirm(site: Site, hashes: Sequence[str] = (), public: Path | None = None) -> None:
    """Take the word of report mails (`hashes`) or of a copy of the pages on what is the newest record."""
    with database.write(site.engine, "confirm") as connection:
        waiting = unsure(connection)
        if not waiting:
            raise Refused("nothing waits for a word on its newest record: this site goes on as it is")
        known = {match: _head(connection, match) for match in waiting}
        for told in hashes:
            _by_hash(site, connection, known, told.strip().lower())
        if public is not None:
            take_back(site, connection, public, [json.loads(head.body)["league"] for head in known.values()])
            for match, found in waiting.items():
                _by_pages(site, connection, found, known[match], public)


def _by_hash(site: Site, connection: Connection, known: Mapping[str, Sealed], told: str) -> None:
    """A hash has to be a head; an older record of ours says nothing about what came after it."""
    if len(told) < SHORT or set(told) - set("0123456789abcdef"):
        raise BadInput(f"{told!r} is no hash of a record; copy it from the newest report mail")
    for match, head in known.items():
        if head.sha256.startswith(told):
            _certain(site, connection, match, "restore --head", head)
            return
        old = next((r for r in records.chain(connection, head.match_id) if r.sha256.startswith(told)), None)
        if old is not None:
            raise Refused(
                f"this is the record of round {old.round} of {match}, and the backup knows round {head.round}; "
                f"give the hash in the newest report mail that anybody has"
            )
    raise Refused(
        f"no league of this backup has a record {told[:SHORT]}…: it was made after the backup. Give a copy of the "
        f"published pages, league restore --public FOLDER, and the rounds since are evaluated again"
    )


def _by_pages(site: Site, connection: Connection, found: Unsure, head: Sealed, public: Path) -> None:
    """The published chain has to go on from our head; what comes behind it is to be sealed again, byte for byte."""
    league = json.loads(head.body)["league"]
    bodies = _published(public / league / "records")
    if not bodies:
        raise Refused(f"{public} has no records of {league}; give a copy of the folder public")
    if head.sha256 not in bodies:
        raise Refused(
            f"{public} doesn't have our newest record of {league} (round {head.round}, {head.sha256[:SHORT]}…): it is "
            f"an older copy, or another league; give the newest copy of the pages"
        )
    to_come = tuple(_behind(head.sha256, bodies, league))
    if not to_come:
        _certain(site, connection, found.match, "restore --public", head)
        return
    if any(body["kind"] != "round" or body["version"] != 1 for body in map(json.loads, to_come)):
        raise Refused(
            f"a round of {league} was corrected after the backup, which can't be done again by itself: "
            f"league restore --accept-head --why WHY goes on from the backup"
        )
    _store(connection, replace(found, to_come=to_come))
    for body in map(json.loads, to_come):
        _take_figures(connection, body)


def _published(folder: Path) -> dict[str, str]:
    """The records of a league as they were published, by their hash."""
    try:
        files = [path for path in sorted(folder.glob("*.json")) if path.is_file() and path.stat().st_size < MOST_BYTES]
        contents = [path.read_bytes() for path in files]
    except OSError as error:
        raise BadInput(f"can't be read: {error.strerror}", str(folder)) from error
    return {sha256(content).hexdigest(): content.decode(errors="replace") for content in contents}


def _behind(head: str, bodies: Mapping[str, str], league: str) -> Iterable[str]:
    """The records that follow one after the other."""
    following: dict[str, list[str]] = {}
    for digest, body in bodies.items():
        try:
            following.setdefault(str(json.loads(body)["previous"]), []).append(digest)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadInput(f"a record of {league} in it can't be read ({error})") from error
    while head in following:
        if len(following[head]) > 1:
            raise Refused(f"two records of {league} follow the same one: these pages are no copy of one site's")
        (head,) = following[head]
        yield bodies[head]


def _take_figures(connection: Connection, body: Mapping[str, Any]) -> None:
    """The figures that a published record stands on, as it tells them: they are public and belong to no league."""
    for told in body.get("evidence", ()):
        if told["status"] == LATE:  # the round's own decision, no figure
            continue
        day = date.fromisoformat(told["day"])
        known = evidence.known(connection, day, day, (told["figure"],))
        if not known:
            figure, value, status, source, reason = (str(told[key]) for key in TOLD_OF)
            moment = datetime.fromisoformat(body["evaluated"])
            evidence.enter(connection, Figure(figure, day, value, status, source, reason, moment))
            readings.note(connection, [_reading(told, row) for row in told.get("readings", ())])


def _reading(told: Mapping[str, Any], row: Mapping[str, Any]) -> Said:
    """A source's answer, as a published record has it."""
    day, moment = date.fromisoformat(row["day"]), datetime.fromisoformat(row["read_at"])
    return Said(str(row["source"]), str(told["figure"]), day, str(row["value"]), moment, {})


def accept(site: Site, why: str) -> None:
    """Go on from what the backup knows, on a person's word: the pages will tell it."""
    if not why.strip():
        raise BadInput("--accept-head needs --why: everybody can read on the pages that the league went on from here")
    with database.write(site.engine, "confirm") as connection:
        for match in unsure(connection):
            _certain(site, connection, match, "restore --accept-head", _head(connection, match), why)


def _certain(site: Site, connection: Connection, match: str, act: str, head: Sealed, why: str = "") -> None:
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


def may_close(waiting: Mapping[str, Unsure], loaded: Loaded) -> bool:
    """Whether the round may be closed: with certainty, or because its published record says that it was."""
    return may_resolve(waiting.get(loaded.match_slug), loaded)


def was_late(waiting: Mapping[str, Unsure], loaded: Loaded) -> bool | None:
    """Whether the round was closed late when it was closed first; None if this is the first time."""
    found = waiting.get(loaded.match_slug)
    body = found.round(loaded.round.number) if found else None
    return bool(body["freeze"]["late"]) if body else None


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
    count = int(body[FIELD]["acts"]) if body is not None else None
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


def sealed_again(site: Site, connection: Connection, found: Unsure | None, sealed: Sealed) -> None:
    """One published record less to come; behind the last one the league goes on."""
    if found is None:
        return
    rest = replace(found, to_come=found.to_come[1:])
    if rest.to_come:
        _store(connection, rest)
    else:
        _certain(site, connection, found.match, "restore --public", sealed)
