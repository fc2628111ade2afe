"""Standing instructions: what is entered for a player who is away and sends nothing.

A prepared list has a place for each round of the absence, whether the player mails in that round or not: "my orders
for the second week" stay those of the second week. Behind the list's end it is a pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from league.core.errors import BadInput
from league.core.game import Game
from league.core.json import JsonDict
from league.desk.acts.changing import changing
from league.desk.leagues.calendar import due_on, number_until
from league.desk.leagues.rhythm import RHYTHM
from league.desk.leagues.turns import rules_of
from league.desk.people.seats import Seated, at_seat, loaded_at, still_played, tell
from league.desk.recovery.lost_acts import at_its_time
from league.desk.site import Site
from league.storage import absences, rounds
from league.storage.absences import MOST_ROUNDS, Absence
from league.storage.leagues import Place

BETWEEN = "---"  # the line between the orders of two rounds
REASON = "standing_instruction"


@dataclass(frozen=True, slots=True)
class Instructed:
    """An instruction as entered."""

    place: Place
    first_round: int
    last_round: int
    texts: int
    until_day: date | None = None


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
    site = at_its_time(site, slug, "player absent")
    with changing(site, "player absent") as connection:
        seated = still_played(at_seat(site, connection, slug, name))
        first = seated.open.number
        last, day = _last_round(seated, until)
        game = rules_of(loaded_at(connection, seated))
        _check(game, texts, seated)  # a pass is no order in every game
        if len(texts) > last - first + 1:
            raise BadInput(f"the list is for {len(texts)} rounds, but the absence is from round {first} to {last}")
        noted = Absence(seated.place.id, first, last, tuple(texts), site.now, until_day=day)
        absences.add_absence(connection, noted)
        facts: JsonDict = {"first": first, "last": last, "texts": len(texts)}
        facts |= {"until": day.isoformat()} if day else {}
        seated.write_down(site, connection, "player absent", why, **facts, orders=list(texts))
        tell(site, connection, seated, "absent", facts)
        return Instructed(seated.place, first, last, len(texts), day)


def end_instruction(site: Site, slug: str, name: str, *, why: str) -> Place:
    """The player is back; `BadInput` if nothing was in force."""
    with changing(site, "player absent") as connection:
        seated = at_seat(site, connection, slug, name)
        if not absences.end_absence(connection, seated.place.id, site.now):
            raise BadInput(f"{seated.place.name} has no standing instruction")
        seated.write_down(site, connection, "player absent --end", why)
        tell(site, connection, seated, "present", {})
        return seated.place


def _last_round(seated: Seated, until: str) -> tuple[int, date | None]:
    """The last round, by its number; where nobody knows which that is, as many as may be, and the day."""
    first, calendar, day = seated.open.number, seated.running.season.calendar, None
    if until.isdecimal():
        last = int(until)
    else:
        try:
            day = date.fromisoformat(until)
        except ValueError:
            raise BadInput(f"--until '{until}' is neither a round's number nor a day like 2024-08-31") from None
        if RHYTHM in calendar:
            return _by_day(seated, day), day
        last = number_until(calendar, day, first)
    if last < first:
        raise BadInput(f"--until {until}: the open round is {first} already")
    if last - first >= MOST_ROUNDS:
        raise BadInput(f"--until {until}: an absence of more than {MOST_ROUNDS} rounds is a retirement")
    return last, None


def _by_day(seated: Seated, day: date) -> int:
    due = due_on(seated.open)
    if seated.open.status == rounds.OPEN and day < due:
        raise BadInput(f"--until {day}: orders for the open round {seated.open.number} are due on {due} only")
    return seated.open.number + MOST_ROUNDS - 1


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
