"""Standing instructions: what is entered for a player who is away and sends nothing.

A prepared list has a place for each round of the absence, whether the player mails in that round or not: "my orders
for the second week" stay those of the second week. Behind the list's end it is a pass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.core.game import Game
from league.core.json import JsonDict
from league.delivery.mail import Headers, compose
from league.desk.calendar import number_until
from league.desk.presence import INSTRUCTED, counted, plays
from league.desk.seats import Seated, at_seat, changing, loaded_at, tell
from league.desk.site import Site
from league.desk.submissions import Came, submission
from league.desk.turns import rules_of, start_of
from league.storage import absences, decisions, mails, orders
from league.storage.absences import Absence
from league.storage.decisions import Entered
from league.storage.leagues import Place
from league.storage.mails import Judged, NewMail
from league.storage.orders import ORDERS, Submission
from league.storage.rounds import Loaded

NOTHING = "pass"  # the word that every game reads as no move
BETWEEN = "---"  # the line between the orders of two rounds
REASON = "standing_instruction"
MOST_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Instructed:
    """An instruction as entered."""

    place: Place
    first_round: int
    last_round: int
    texts: int


def split_list(text: str) -> tuple[str, ...]:
    """The orders of each round in turn, lines of three or more hyphens between them."""
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip().startswith(BETWEEN) and not line.strip().strip("-"):
            parts.append([])
        else:
            parts[-1].append(line)
    return tuple("\n".join(part).strip() for part in parts)


def instruct(site: Site, slug: str, name: str, *, until: str, texts: Sequence[str], why: str) -> Instructed:
    """From the open round to the one named (a number, or the last whose orders close by a day)."""
    with changing(site, "player absent") as connection:
        seated = at_seat(site, connection, slug, name)
        first = seated.open.number
        last = _last_round(seated, until)
        game = rules_of(loaded_at(connection, seated))
        _check(game, texts or (NOTHING,), seated)
        if len(texts) > last - first + 1:
            raise BadInput(f"the list is for {len(texts)} rounds, but the absence is from round {first} to {last}")
        absences.add_absence(connection, Absence(seated.place.id, first, last, tuple(texts), site.now))
        facts: JsonDict = {"first": first, "last": last, "texts": len(texts)}
        seated.write_down(site, connection, "player absent", why, **facts)
        tell(site, connection, seated, "absent", facts)
        return Instructed(seated.place, first, last, len(texts))


def end_instruction(site: Site, slug: str, name: str, *, why: str) -> Place:
    """The player is back; `BadInput` if nothing was in force."""
    with changing(site, "player absent") as connection:
        seated = at_seat(site, connection, slug, name)
        if not absences.end_absence(connection, seated.place.id, site.now):
            raise BadInput(f"{seated.place.name} has no standing instruction")
        seated.write_down(site, connection, "player absent --end", why)
        tell(site, connection, seated, "present", {})
        return seated.place


def _last_round(seated: Seated, until: str) -> int:
    first = seated.open.number
    if until.isdecimal():
        last = int(until)
    else:
        try:
            day = date.fromisoformat(until)
        except ValueError:
            raise BadInput(f"--until '{until}' is neither a round's number nor a day like 2024-08-31") from None
        last = number_until(seated.running.season.calendar, day, first)
    if last < first:
        raise BadInput(f"--until {until}: the open round is {first} already")
    if last - first >= MOST_ROUNDS:
        raise BadInput(f"--until {until}: an absence of more than {MOST_ROUNDS} rounds is a retirement")
    return last


def _check(game: Game[Any, Any], texts: Sequence[str], seated: Seated) -> None:
    """Whoever is away can't be asked back, so every line must be understood now."""
    faults = []
    for place, text in enumerate(texts, start=1):
        parsed = game.parse(None, seated.place.code, text, seated.names)
        faults += [f"orders {place}: '{line.text}' is not understood" for line in parsed.lines if line.order is None]
        if not parsed.orders:
            faults.append(f"orders {place}: there is no order in them; write 'pass' for none")
    if faults:
        raise BadInput.several(faults)


@dataclass(frozen=True, slots=True)
class Made:
    """An order mail that an instruction makes, not yet stored."""

    place: Place
    raw: bytes
    message_id: str
    submission: Submission


def instructed(site: Site, loaded: Loaded, known: Mapping[int, Absence]) -> list[Made]:
    """The order mails for the players who are away and of whom nothing arrived; the same whenever it is asked."""
    heard = {s.seat_id for s in counted(loaded) if s.phase == ORDERS and s.replaces}
    away = [s for s in loaded.seats if s.status == "active" and s.id in known and s.id not in heard]
    number = loaded.round.number
    return [
        _made(site, loaded, place, known[place.id].text(number, NOTHING))
        for place in away
        if plays(place, number) and known[place.id].first_round <= number <= known[place.id].last_round
    ]


def _made(site: Site, loaded: Loaded, place: Place, text: str) -> Made:
    number, moment = loaded.round.number, loaded.round.closes_at
    mark = sha256(f"{loaded.match_slug}|{place.code}|{number}".encode()).hexdigest()[:32]
    headers = Headers(
        sender=place.address,
        recipient=site.settings.mail.from_address,
        subject=f"[{loaded.league_slug}] standing instruction, round {number}",
        date=moment,
        message_id=f"<absence.{mark}@{site.domain}>",
        auto="no",
    )
    raw, game = compose(headers, text), rules_of(loaded)
    state = start_of(loaded, game)
    parsed = game.parse(state, place.code, text, {s.code: s.name for s in loaded.seats})
    came = Came(sha256(raw).hexdigest(), moment)  # behind everything that was mailed (K21)
    row = submission(site, loaded, game, state, place, came, parsed, loaded.submissions)
    return Made(place, raw, headers.message_id, row)


def enter(site: Site, connection: Connection, loaded: Loaded, made: Sequence[Made]) -> None:
    """Mail, verdict, order book and the round's own note that it was an instruction, as for every order mail."""
    if not made:
        return
    fresh = [NewMail(m.submission.digest, m.raw, absences.SOURCE, m.submission.received_at, site.now) for m in made]
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
        reason=REASON,
        rule=REASON,
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
    return Entered(loaded.round.id, INSTRUCTED, facts, absences.SOURCE, loaded.round.closes_at)
