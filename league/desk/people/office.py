"""Where a command that came by mail is carried out: the seat it came from, the rounds it is about, the transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from league.core.json import Json, JsonDict
from league.desk.leagues.calendar import open_now
from league.desk.people.seats import Seated
from league.desk.site import Running, Site, find_running
from league.storage import leagues
from league.storage.leagues import Membership
from league.storage.mails import Mail
from league.storage.orders import Submission
from league.storage.rounds import Loaded


class DeclinedError(Exception):  # never leaves the desk: it becomes the answer's line
    """A command can't be carried out; `code` says which sentence tells why."""

    def __init__(self, code: str, **facts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.facts: JsonDict = dict(facts)


@dataclass(frozen=True, slots=True)
class Told:
    """What a command did: `code` says which sentence tells it."""

    code: str
    facts: JsonDict


@dataclass(frozen=True)
class Office:
    """What a player's command is handed. `open` is the round that takes orders, or the next to take them."""

    site: Site
    connection: Connection
    member: Membership
    mail: Mail
    open: Loaded
    tables: Sequence[Loaded]
    submissions: Sequence[Submission]
    brings_orders: bool = False  # the same mail holds orders, which are booked behind its commands

    def as_of_now(self) -> "Office":
        """The office with the seat as the commands before have left it."""
        seats = leagues.seats(self.connection, [self.member.match_id])
        place = next((seat for seat in seats if seat.id == self.member.place.id), self.member.place)
        return replace(self, member=replace(self.member, place=place))

    @property
    def at(self) -> datetime:
        """When the command arrived."""
        return self.mail.received_at

    @property
    def seat(self) -> str:
        """The code of the seat it came from."""
        return self.member.place.code

    @cached_property
    def acting(self) -> Site:
        """The site as this player acts on it: the journal names the seat, never a person."""
        return replace(self.site, who=f"{self.seat} by mail", match=self.member.match_slug)

    @cached_property
    def running(self) -> Running:
        """The league with its season and the match of the seat."""
        return find_running(self.acting, self.connection, self.member.league_slug)

    @cached_property
    def seated(self) -> Seated:
        """The seat with the first round that a change can still concern."""
        running = self.running
        seats = leagues.seats(self.connection, [running.match.id])
        place = next(seat for seat in seats if seat.id == self.member.place.id)
        current = open_now(self.connection, running.season.calendar, running.match.id, self.at)
        return Seated(running, place, current, seats)
