"""The book of absences, and who was heard from in which round."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, Subquery, func, insert, select, update

from league.storage import standing
from league.storage.engine import batches
from league.storage.tables import ABSENCE, DECISION, MAIL, ROUND, SUBMISSION

SOURCE = "absence"  # the source of a mail that a standing instruction makes
NOTHING = "pass"  # the word that every game reads as no move
MOST_ROUNDS = 60  # a longer absence is a retirement


@dataclass(frozen=True, slots=True)
class Absence:
    """What is entered for a seat from one round to another, both among them, while its player sends nothing.

    Where nobody knows which round is open on a day, of those only the rounds whose orders are due from `from_day` on
    and by `until_day`.
    """

    seat_id: int
    first_round: int
    last_round: int
    texts: tuple[str, ...]
    entered_at: datetime
    from_day: date | None = None
    until_day: date | None = None

    def holds(self, number: int, day: date) -> bool:
        """Whether it speaks for the round of this number, whose orders are due on this day."""
        begun, over = self.from_day or day, self.until_day or day
        return self.first_round <= number <= self.last_round and begun <= day <= over

    def text(self, number: int, otherwise: str) -> str:
        """The round's orders: each round has its place in the list; behind its end `otherwise`."""
        place = number - self.first_round
        return self.texts[place] if place < len(self.texts) else otherwise


def add_absence(connection: Connection, absence: Absence) -> None:
    """Enter an instruction in the place of the seat's earlier one."""
    end_absence(connection, absence.seat_id, absence.entered_at)
    values = {name: getattr(absence, name) for name in Absence.__dataclass_fields__}
    connection.execute(insert(ABSENCE), values | {"texts": list(absence.texts), "ended_at": None})


def end_absence(connection: Connection, seat_id: int, now: datetime) -> bool:
    """Take the seat's instruction out of force; False if it had none."""
    standing = update(ABSENCE).where(ABSENCE.c.seat_id == seat_id, ABSENCE.c.ended_at.is_(None))
    return connection.execute(standing.values(ended_at=now)).rowcount > 0


def absences(connection: Connection, seat_ids: Sequence[int]) -> dict[int, Absence]:
    """The instruction in force for each of these seats."""
    found: dict[int, Absence] = {}
    names = tuple(Absence.__dataclass_fields__)
    for ids in batches(seat_ids):
        rows = select(*(ABSENCE.c[name] for name in names))
        rows = rows.where(ABSENCE.c.seat_id.in_(ids), ABSENCE.c.ended_at.is_(None))
        for row in connection.execute(rows.order_by(ABSENCE.c.id)).mappings():
            found[row["seat_id"]] = Absence(**{**row, "texts": tuple(row["texts"])})
    return found


@dataclass(frozen=True, slots=True)
class Heard:
    """A round in which something stands for a seat: from the player, or (`excused`) by what he had left to be done."""

    seat_id: int
    number: int
    revision: int
    excused: bool


def heard(connection: Connection, match_id: int, first: int, last: int) -> tuple[Heard, ...]:
    """The seats with orders or a pass in each of these rounds, with the last revision of either kind."""
    excused = func.coalesce(MAIL.c.source, "").in_((SOURCE, standing.SOURCE)).label("excused")
    rows = (
        select(SUBMISSION.c.seat_id, ROUND.c.number, func.max(SUBMISSION.c.revision), excused)
        .join(ROUND, ROUND.c.id == SUBMISSION.c.round_id)
        .join(MAIL, MAIL.c.id == SUBMISSION.c.mail_id, isouter=True)
        .where(ROUND.c.match_id == match_id, ROUND.c.number.between(first, last))
        .where(SUBMISSION.c.phase == 1, SUBMISSION.c.replaces.is_(True))
        .group_by(SUBMISSION.c.seat_id, ROUND.c.number, excused)
        .order_by(SUBMISSION.c.seat_id, ROUND.c.number)
    )
    return tuple(Heard(seat, number, revision, bool(away)) for seat, number, revision, away in connection.execute(rows))


def heard_lately(connection: Connection, match_ids: Sequence[int], back: int) -> dict[int, list[Heard]]:
    """Match -> the same for many matches, over each one's last `back` rounds; one statement for 500 of them."""
    excused = func.coalesce(MAIL.c.source, "").in_((SOURCE, standing.SOURCE)).label("excused")
    found: dict[int, list[Heard]] = {}
    for ids in batches(match_ids):
        newest = _newest(ids)
        rows = (
            select(ROUND.c.match_id, SUBMISSION.c.seat_id, ROUND.c.number, func.max(SUBMISSION.c.revision), excused)
            .join(ROUND, ROUND.c.id == SUBMISSION.c.round_id)
            .join(newest, newest.c.match_id == ROUND.c.match_id)
            .join(MAIL, MAIL.c.id == SUBMISSION.c.mail_id, isouter=True)
            .where(SUBMISSION.c.phase == 1, SUBMISSION.c.replaces.is_(True), ROUND.c.number > newest.c.number - back)
            .group_by(ROUND.c.match_id, SUBMISSION.c.seat_id, ROUND.c.number, excused)
        )
        for match_id, seat, number, revision, away in connection.execute(rows):
            found.setdefault(match_id, []).append(Heard(seat, number, revision, bool(away)))
    return found


def taken_lately(
    connection: Connection, match_ids: Sequence[int], kind: str, back: int
) -> dict[int, list[tuple[int, str, int]]]:
    """Match -> the same as `taken_over` for many matches, over each one's last `back` rounds."""
    found: dict[int, list[tuple[int, str, int]]] = {}
    for ids in batches(match_ids):
        newest = _newest(ids)
        rows = (
            select(ROUND.c.match_id, ROUND.c.number, DECISION.c.facts)
            .join(ROUND, ROUND.c.id == DECISION.c.round_id)
            .join(newest, newest.c.match_id == ROUND.c.match_id)
            .where(ROUND.c.number > newest.c.number - back)
            .where(DECISION.c.kind == kind, DECISION.c.superseded_at.is_(None))
            .order_by(DECISION.c.id)
        )
        for match_id, number, facts in connection.execute(rows):
            found.setdefault(match_id, []).append((number, str(facts["seat"]), int(facts["revision"])))
    return found


def _newest(match_ids: Sequence[int]) -> Subquery:
    """Each match's last round whose orders are closed."""
    rows = select(ROUND.c.match_id, func.max(ROUND.c.number).label("number"))
    return rows.where(ROUND.c.match_id.in_(match_ids), ROUND.c.status != "open").group_by(ROUND.c.match_id).subquery()


def taken_over(connection: Connection, match_id: int, kind: str, first: int) -> list[tuple[int, str, int]]:
    """(round, seat, revision up to which mails are another player's) of each substitution from this round on."""
    rows = (
        select(ROUND.c.number, DECISION.c.facts)
        .join(ROUND, ROUND.c.id == DECISION.c.round_id)
        .where(ROUND.c.match_id == match_id, ROUND.c.number >= first)
        .where(DECISION.c.kind == kind, DECISION.c.superseded_at.is_(None))
        .order_by(DECISION.c.id)
    )
    return [(number, str(facts["seat"]), int(facts["revision"])) for number, facts in connection.execute(rows)]
