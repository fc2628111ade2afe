"""An open site: its folder, settings, database, keys and the time to go by."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from getpass import getuser
from pathlib import Path
from secrets import token_hex
from typing import ClassVar

from sqlalchemy import Connection, Engine

from league import settings
from league.core.errors import Refused
from league.core.json import Json
from league.desk import clock
from league.desk.brought import Brought, brought_in
from league.desk.plain_words import without_address
from league.desk.secrets import read_secret, read_secrets
from league.records.freeze import public_key, signing_seed
from league.records.keys import match_secret, seat_token
from league.storage import engine as database
from league.storage import journal, leagues, rounds

DATABASE = "league.sqlite"
SITE_KEY = "site.key"
SIGNING_KEYS = "signing.key"  # seeds of later signing keys; the first is derived from the site's key
SIGNING_KEY = "signing_key"  # the fact that names the public key in force
CALENDAR = "calendar"  # who acts where nobody does: a rule of the season
SITE_PLACE = "."  # what is marked as unpublished where it concerns the site's own pages alone


@dataclass(frozen=True)
class Site:
    """What every use case is handed."""

    path: Path
    settings: settings.Settings
    engine: Engine
    now: datetime
    who: str
    match: str = ""
    catches_up: ClassVar[bool] = False  # a site at an earlier moment, doing anew what came after a backup
    does_again: ClassVar[bool] = False  # a site at an earlier moment, of which all mails are kept already

    @cached_property
    def key(self) -> bytes:
        """The site's secret: match secrets, Message-IDs and the signing key are derived from it."""
        return read_secret(self.path / "secrets" / SITE_KEY)

    @property
    def signing_seed(self) -> bytes:
        """The seed of the key that signs; which one that is, the database says (`desk/acts/signing_key.py`).

        It is asked each time: while a restored site catches up, the record of a new key may come in.
        """
        with database.read(self.engine) as connection:
            named = leagues.fact(connection, SIGNING_KEY)
        if named not in self._seeds:
            self._seeds[named] = self._seed_of(named)
        return self._seeds[named]

    @cached_property
    def _seeds(self) -> dict[str | None, bytes]:
        """The seeds that were looked for, by the public key that the database names."""
        return {}

    def _seed_of(self, named: str | None) -> bytes:
        first, path = signing_seed(self.key), self.path / "secrets" / SIGNING_KEYS
        if named is None:
            return first
        for seed in (*read_secrets(path), first):
            if public_key(seed) == named:
                return seed
        raise Refused(f"{path} lacks the key that is in force, whose public half is {named}; restore it from a backup")

    @cached_property
    def brought(self) -> Mapping[str, Brought]:
        """What came with the matches of leagues that were brought here from other sites, by match."""
        with database.read(self.engine) as connection:
            return brought_in(connection, self.path)

    def match_secret(self, match: str) -> bytes:
        """The secret from which a match's nonces come: derived from our key, or brought with the match."""
        found = self.brought.get(match)
        return found.secret if found else match_secret(self.key, match)

    def seat_token(self, match: str, seat: str, version: int) -> str:
        """A seat's token in this version; a match that was brought here keeps those that its players have."""
        found = self.brought.get(match)
        kept = found.tokens.get((seat, version)) if found else None
        return kept or seat_token(self.key, match, seat, version)

    def acts_counted(self, match: str, number: int) -> int | None:  # noqa: ARG002  # one that does things again knows
        """How many acts the record of a round counts; None: all before now."""
        return None

    def require_key(self) -> None:
        """Refuse to go on without it: else each mail and league would be set aside as if the fault were theirs."""
        self.signing_seed  # noqa: B018  # read for the sake of what it may raise

    @property
    def domain(self) -> str:
        """The right side of our Message-IDs."""
        return self.settings.mail.from_address.rpartition("@")[2]

    def write_down(
        self, connection: Connection, act: str, why: str = "", league_id: int | None = None, **arguments: Json
    ) -> None:
        """Enter an act of the organizer in the journal, in the transaction that does it; the pages will tell it."""
        journal.append(connection, journal.Act(self.now, self.who, act, why, arguments, league_id))
        place = leagues.slug_of(connection, league_id) if league_id is not None else SITE_PLACE
        leagues.mark_unpublished(connection, (place,), token_hex(8))

    def open_words(self, *texts: str, what: str = "--why") -> None:
        """Refuse words with an address in them: everybody reads them, and no record can be changed any more."""
        for text in texts:
            without_address(text, what)


def open_site(path: Path, told: datetime | None = None, match: str = "") -> Site:
    """The site in a folder; `Refused` if there is none, or if the clock is behind the journal."""
    if not (path / settings.FILE).is_file():
        raise Refused(f"{path} is no site: there is no {settings.FILE} in it; make one with 'league init {path}'")
    read = settings.load(path / settings.FILE)
    engine = database.open_engine(read.storage.url or path / DATABASE)
    database.ready(engine)
    now = clock.now(told)
    with database.read(engine) as connection:
        acted, froze = journal.last_at(connection), rounds.last_freeze(connection)
    for last, what in ((acted, "the journal's last act"), (froze, "the last freeze")):
        if last is not None and now < last:
            raise Refused(
                f"the clock says {clock.stamp(now)}, but {what} is of {clock.stamp(last)}; "
                f"set the clock right, or give a later --now"
            )
    return Site(path, read, engine, now, _person(), match)


def _person() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        return "organizer"


def find_league(connection: Connection, slug: str) -> leagues.League:
    """The league of this name; `Refused` with those there are."""
    found = leagues.league(connection, slug)
    if found is None:
        known = ", ".join(league.slug for league in leagues.leagues(connection)) or "none yet"
        raise Refused(f"no league '{slug}' on this site; there are: {known}")
    return found


@dataclass(frozen=True, slots=True)
class Running:
    """A league with its newest season and that season's match."""

    league: leagues.League
    season: leagues.Season
    match: leagues.Match


def find_running(site: Site, connection: Connection, slug: str, *, moved_too: bool = False) -> Running:
    """The league with what is being played now: its one match, or the one named by `--match`.

    `moved_too`: also one that has moved to another site, for who only looks.
    """
    league = find_league(connection, slug)
    if league.status == leagues.MOVED and not moved_too:
        raise Refused(
            f"{slug} has moved to another site and is on hold here: do this there. If it didn't arrive there, "
            f"league export {slug} --undo takes it back"
        )
    season = leagues.seasons(connection, league.id)[-1]
    matches = leagues.matches(connection, [season.id])
    wanted = [match for match in matches if site.match in ("", match.slug)]
    if len(wanted) != 1:
        known = ", ".join(match.slug for match in matches)
        raise Refused(f"{slug} has {'no' if not wanted else 'several'} such match; name one with --match: {known}")
    return Running(league, season, wanted[0])
