"""What is entered as a round closes for the seats of which nothing arrived, as mails like every other.

An absence's list speaks for its rounds; in all others what the player himself keeps standing. Both enter in the
transaction of the freeze and lie under its root.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from league.core.game import Game
from league.core.json import JsonDict
from league.core.orders import Parsed
from league.delivery.mail import Headers, compose
from league.desk.leagues.calendar import due_on
from league.desk.leagues.presence import INSTRUCTED, counted, plays
from league.desk.leagues.standing_orders import notation, recalled
from league.desk.leagues.submissions import Came, submission
from league.desk.leagues.turns import rules_of, start_of
from league.desk.site import Site
from league.storage import absences, decisions, leagues, mails, orders, standing
from league.storage.absences import NOTHING, Absence
from league.storage.decisions import Entered
from league.storage.leagues import Place
from league.storage.mails import Judged, NewMail
from league.storage.orders import ORDERS, Submission
from league.storage.rounds import Loaded
from league.storage.standing import Kept

SUBJECTS = {absences.SOURCE: "standing instruction", standing.SOURCE: "standing orders"}
REASONS = {absences.SOURCE: "standing_instruction", standing.SOURCE: "standing_orders"}


@dataclass(frozen=True, slots=True)
class Instructions:
    """What is in force: absences by seat, kept orders by round and seat."""

    away: Mapping[int, Absence]
    kept: Mapping[tuple[int, int], Kept]


@dataclass(frozen=True, slots=True)
class Made:
    """An order mail that an instruction makes, not yet stored; `source` says whose word it is."""

    place: Place
    source: str
    raw: bytes
    message_id: str
    submission: Submission


def instructions(connection: Connection, chunk: Sequence[Loaded]) -> Instructions:
    """Everything that may speak for a seat of these rounds."""
    away = absences.absences(connection, [seat.id for loaded in chunk for seat in loaded.seats])
    return Instructions(away, standing.kept_at(connection, [loaded.round.id for loaded in chunk]))


def instructed(site: Site, loaded: Loaded, known: Instructions) -> list[Made]:
    """The order mails for the seats of which nothing arrived; the same whenever it is asked."""
    heard = {s.seat_id for s in counted(loaded) if s.phase == ORDERS and s.replaces}
    number = loaded.round.number
    silent = [s for s in loaded.seats if s.status in leagues.PRESENT and s.id not in heard and plays(s, number)]
    made = (_instead(site, loaded, place, known) for place in silent)
    return [one for one in made if one is not None]


def _instead(site: Site, loaded: Loaded, place: Place, known: Instructions) -> Made | None:
    number, game = loaded.round.number, rules_of(loaded)
    absence, kept = known.away.get(place.id), known.kept.get((loaded.round.id, place.id))
    if absence is not None and absence.holds(number, due_on(loaded.round)):
        text = absence.text(number, NOTHING)
        names = {s.code: s.name for s in loaded.seats}
        parsed = game.parse(start_of(loaded, game), place.code, text, names)
        return _made(site, loaded, game, place, absences.SOURCE, text, parsed)
    if kept is not None and kept.lines:
        parsed = recalled(game, start_of(loaded, game), loaded, place, kept)
        return _made(site, loaded, game, place, standing.SOURCE, notation(kept), parsed)
    return None


def _made(
    site: Site, loaded: Loaded, game: Game[Any, Any], place: Place, source: str, text: str, parsed: Parsed[Any]
) -> Made:
    number, moment = loaded.round.number, loaded.round.closes_at
    mark = sha256(f"{loaded.match_slug}|{place.code}|{number}".encode()).hexdigest()[:32]
    headers = Headers(
        sender=place.address,
        recipient=site.settings.mail.from_address,
        subject=f"[{loaded.league_slug}] {SUBJECTS[source]}, round {number}",
        date=moment,
        message_id=f"<{source}.{mark}@{site.domain}>",
        auto="no",
    )
    raw = compose(headers, text)
    came = Came(sha256(raw).hexdigest(), moment)  # behind everything that was mailed (K21)
    row = submission(site, loaded, game, start_of(loaded, game), place, came, parsed, loaded.submissions)
    return Made(place, source, raw, headers.message_id, row)


def enter(site: Site, connection: Connection, loaded: Loaded, made: Sequence[Made]) -> None:
    """Mail, verdict, order book and the round's own note of whose word it was, as for every order mail."""
    if not made:
        return
    fresh = [NewMail(m.submission.digest, m.raw, m.source, m.submission.received_at, site.now) for m in made]
    ids = mails.store_mails(connection, fresh).ids
    mails.store_verdicts(connection, [_verdict(site, loaded, one, ids[one.submission.digest]) for one in made])
    orders.store_submissions(connection, [_with_mail(one.submission, ids) for one in made])
    decisions.decide(connection, [_note(loaded, one) for one in made])


def _with_mail(submission: Submission, ids: Mapping[str, int]) -> Submission:
    key = ids[submission.digest]
    return replace(submission, mail_id=key, sequence=key)


def _verdict(site: Site, loaded: Loaded, one: Made, mail_id: int) -> Judged:
    return Judged(
        mail_id=mail_id,
        verdict="accepted",
        reason=REASONS[one.source],
        rule=REASONS[one.source],
        message_id=one.message_id,
        sender=one.place.address,
        holds=("orders",),
        verified=False,
        decided_at=site.now,
        league_id=loaded.league_id,
        seat_id=one.place.id,
    )


def _note(loaded: Loaded, one: Made) -> Entered:
    facts: JsonDict = {"seat": one.place.code, "revision": one.submission.revision}
    return Entered(loaded.round.id, INSTRUCTED, facts, one.source, loaded.round.closes_at)
