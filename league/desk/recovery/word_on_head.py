"""What a person says of a restored site's newest record: by its hash, by saved mails, by a copy of the pages, or not.

Nothing of it is believed further than it reaches: a hash has to be a head, pages have to go on from our head, what
comes behind it is sealed again to the same bytes or not at all.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.desk.leagues.late_figures import LATE
from league.desk.proof.verify_mails import Said as InMail
from league.desk.recovery import saved_mails, told_freezes
from league.desk.recovery.lost_acts import by_hand, take_back
from league.desk.recovery.lost_keys import forget_rotation, note_rotation, note_strange_key, refuse_old_key, take_keys
from league.desk.recovery.restored import SHORT, Unsure, head_of, set_certain, store, unsure
from league.desk.site import Site
from league.storage import engine as database
from league.storage import evidence, leagues, readings, records
from league.storage.evidence import Figure
from league.storage.readings import Said
from league.storage.records import Sealed

TOLD_OF = ("figure", "value", "status", "source", "reason")
MOST_BYTES = 50_000_000  # a record larger than this is none of ours


def confirm(
    site: Site, hashes: Sequence[str] = (), public: Path | None = None, mails: Sequence[Path] = ()
) -> tuple[str, ...]:
    """Take the word of report mails (`hashes`), saved mails or a copy of the pages on what is the newest record.

    What a person has to do yet, each in a sentence.
    """
    said = saved_mails.read(mails) if mails else ()
    freezes = list(told_freezes.from_mails(said))
    refused, left = "", tuple[str, ...]()
    with database.write(site.engine, "confirm") as connection:
        waiting = unsure(connection)
        for match, told in freezes:
            told_freezes.keep(connection, match, told)
        if not waiting and not freezes:
            raise Refused("nothing waits for a word on its newest record: this site goes on as it is")
        known = {match: head_of(connection, match) for match in waiting}
        for match in waiting:
            own = [one for one in said if one.match == match]
            refused = refused or _by_mails(site, connection, waiting[match], known[match], own, public)
        for told_hash in hashes if not refused else ():
            _by_hash(site, connection, known, told_hash.strip().lower())
        if public is not None and not refused:
            take_back(site, connection, public, [json.loads(head.body)["league"] for head in known.values()])
            left = by_hand(connection)
            for match, found in waiting.items():
                refused = refused or _by_pages(site, connection, found, known[match], public)
    if refused:
        raise Refused(refused)
    return left


def _by_hash(site: Site, connection: Connection, known: Mapping[str, Sealed], told: str) -> None:
    """A hash has to be a head; an older record of ours says nothing about what came after it."""
    if len(told) < SHORT or set(told) - set("0123456789abcdef"):
        raise BadInput(f"{told!r} is no hash of a record; copy it from the newest report mail")
    for match, head in known.items():
        if head.sha256.startswith(told):
            if unsure(connection)[match].to_come:
                raise Refused(
                    f"the pages that were given have newer records of {match} than that of round {head.round}"
                )
            set_certain(site, connection, match, "restore --head", head)
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


def _by_mails(
    site: Site, connection: Connection, found: Unsure, head: Sealed, said: Sequence[InMail], public: Path | None
) -> str:
    """All saved mails of a match together, in whatever order they lie there: one that is newer makes it uncertain.

    A report of an older record says nothing. Why it isn't certain, if a mail speaks against it.
    """
    league = json.loads(head.body)["league"]
    chain = {one.sha256: one.body.decode() for one in records.chain(connection, head.match_id)}
    to_come = {sha256(body.encode()).hexdigest(): body for body in found.to_come}
    published = _published(public / league / "records") if public is not None else {}
    known = {**chain, **to_come, **published}
    wrong = saved_mails.newer(said, known), note_strange_key(site, connection, said, known.values())
    if any(wrong):
        return ". And ".join(filter(None, wrong))
    if not to_come and public is None and any(one.record == head.sha256 for one in said):
        set_certain(site, connection, found.match, "restore --head", head)
    return ""


def _by_pages(site: Site, connection: Connection, found: Unsure, head: Sealed, public: Path) -> str:
    """The published chain has to go on from our head; what comes behind it is to be sealed again, byte for byte.

    Why that can't be, if it can't.
    """
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
    read = [json.loads(body) for body in to_come]
    newest = max([head.round, *(body["round"] for body in read if body["kind"] == "round")])
    for frozen in told_freezes.from_pages(public / league, newest + 1):
        told_freezes.keep(connection, found.match, frozen)
    if wrong := note_rotation(site, connection, league, read):
        return wrong
    if not to_come:
        set_certain(site, connection, found.match, "restore --public", head)
        return ""
    if any(body["kind"] not in ("round", "key") or body.get("version", 1) != 1 for body in read):
        return (
            f"a round of {league} was corrected after the backup, which can't be done again by itself: "
            f"league restore --accept-head --why WHY goes on from the backup"
        )
    store(connection, replace(found, to_come=to_come))
    for body in read:
        _take_figures(connection, body)
    take_keys(site, connection, replace(found, to_come=to_come), head)
    return ""


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


def accept(site: Site, why: str, *, old_key: bool = False) -> None:
    """Go on from what the backup knows, on a person's word: the pages will tell it."""
    if not why.strip():
        raise BadInput("--accept-head needs --why: everybody can read on the pages that the league went on from here")
    site.open_words(why)
    with database.write(site.engine, "confirm") as connection:
        if not old_key:
            refuse_old_key(connection)
        forget_rotation(connection)
        for league in leagues.leagues(connection):
            seasons = [season.id for season in leagues.seasons(connection, league.id)]
            for match in leagues.matches(connection, seasons):
                told_freezes.drop(connection, match.slug)
        for slug in unsure(connection):
            set_certain(site, connection, slug, "restore --accept-head", head_of(connection, slug), why)
