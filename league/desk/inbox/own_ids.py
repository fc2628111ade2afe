"""Mails of ours that a site doesn't know that it sent, known by their ids, which nobody else can make (DESIGN: Mail).

A site that was built anew or restored wasn't run when reminders and questions went out. Who answers one is believed as
if the outbox had it: the id is an HMAC with the site's key, and stood in a mail to this player alone.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from league.desk.clock import stamp
from league.desk.overview.remind import DESK, MARKS, REMIND
from league.desk.post.outgoing import ID_PREFIX, message_id
from league.desk.recovery.restored import MADE_ANEW
from league.desk.site import Site
from league.intake.message import Letter
from league.storage import leagues, outbox, rounds
from league.storage.leagues import Membership, fold
from league.storage.outbox import OutMail
from league.storage.rounds import Round
from league.storage.troubles import NOTICE

ROUNDS = 6  # as many of the newest rounds as a mail may be about
KINDS = {REMIND: 1, "reminder": 1, "freeze": 1, "fixtures": 12, "report": 5}  # with the number of versions looked for
NOTICES = 200


def recognize(site: Site, connection: Connection, letters: Sequence[Letter]) -> int:
    """Enter mails of ours that these letters answer and the outbox lacks, as sent; how many these were."""
    if leagues.fact(connection, MADE_ANEW) is None:
        return 0
    asked = {one for letter in letters for one in (*letter.in_reply_to, *letter.references) if _is_ours(site, one)}
    unknown = asked - {line.message_id for line in outbox.find(connection, message_ids=asked)}
    if not unknown:
        return 0
    authors = {letter.author for letter in letters if unknown & {*letter.in_reply_to, *letter.references}}
    found: list[OutMail] = []
    for member in leagues.memberships(connection, authors):
        found += (mail for mail in _to_player(site, connection, member) if mail.message_id in unknown)
    if fold(site.settings.site.organizer) in {fold(author) for author in authors}:
        found += (mail for mail in _to_organizer(site, connection) if mail.message_id in unknown)
    return outbox.queue(connection, found)


def _is_ours(site: Site, written: str) -> bool:
    return written.startswith(f"<{ID_PREFIX}") and written.endswith(f"@{site.domain}>")


def _to_player(site: Site, connection: Connection, member: Membership) -> Iterator[OutMail]:
    for found in rounds.rounds(connection, member.match_id)[-ROUNDS:]:
        for kind, versions in KINDS.items():
            for version in range(1, versions + 1):
                own_id = message_id(site, kind, member.match_slug, found.number, member.place.code, version)
                yield OutMail(
                    own_id,
                    kind,
                    member.place.address,
                    b"",
                    _sent_by(site, found, kind),
                    member.match_id,
                    found.number,
                    member.place.id,
                    version,
                    state="sent",
                )


def _sent_by(site: Site, found: Round, kind: str) -> datetime:
    """Not later than such a mail went out: who got a new key since doesn't prove himself by it."""
    ahead = timedelta(hours=site.settings.mail.remind_hours)
    return found.deadline_at - ahead if kind == REMIND else found.closes_at


def _to_organizer(site: Site, connection: Connection) -> Iterator[OutMail]:
    """Sheets before a deadline, and notices about mail."""
    to = site.settings.site.organizer
    seasons = [s.id for league in leagues.leagues(connection) for s in leagues.seasons(connection, league.id)]
    matches = [match.id for match in leagues.matches(connection, seasons)]
    ends = {found.deadline_at for match in matches for found in rounds.rounds(connection, match)[-ROUNDS:]}
    named = [(f"{DESK}/{stamp(end)}", mark) for end in sorted(ends) for mark in MARKS]
    for kind, version in [*named, *((NOTICE, number) for number in range(1, NOTICES + 1))]:
        own_id = message_id(site, kind, "", None, None, version)
        yield OutMail(own_id, kind, to, b"", site.now, version=version, state="sent")
