"""`league demo`: a league that plays itself, offline; the organizer's part goes the organizer's way.

All that the demo knows lies in its site, so that a run goes on where the last one stopped, wherever that was: its
mails are the same bytes again, and the same mail twice is one mail.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from league import settings
from league.core.errors import Refused
from league.core.json import JsonDict
from league.desk import registry
from league.desk.acts.new_league import new_league
from league.desk.demo import demo_office as office
from league.desk.demo.demo_battles import battle_mails
from league.desk.demo.demo_cast import Cast, read_cast
from league.desk.demo.demo_office import SLUG
from league.desk.demo.demo_postbox import Postbox
from league.desk.demo.demo_round import Delivery, Scene, first_mails, late_mails, second_mails
from league.desk.demo.demo_week import FOLDER, write_week
from league.desk.init_site import init_site
from league.desk.run.run_site import run_site
from league.desk.secrets import read_secret, write_secret
from league.desk.site import SITE_KEY, Site, find_running, open_site
from league.storage import engine as database
from league.storage import leagues, records, rounds
from league.storage.rounds import Loaded, Round

ADDRESS = "league@play.example"
NOTICES = ("demo", "figures_entered")
DAY = timedelta(days=1)
OPENING, JOINING, READING = -6 * DAY, -3 * DAY + timedelta(hours=7), -2 * DAY + timedelta(hours=21)  # from Friday on
OFFICE = -4 * DAY + timedelta(hours=7)
CLOSING, FIGURES, ENDING = timedelta(minutes=20), DAY + timedelta(hours=20), 2 * DAY + timedelta(minutes=5)
WAVES = (DAY + timedelta(hours=10), DAY + timedelta(hours=16), DAY + timedelta(hours=18))  # when reports are read
Progress = Callable[[int], None]


@dataclass
class Played:
    """What a run of the demo did."""

    site: Path
    game: str
    league: str = SLUG
    rounds: list[JsonDict] = field(default_factory=list)
    standings: list[JsonDict] = field(default_factory=list)
    weeks_left: int = 0
    over: bool = False  # the match is
    week: Path | None = None  # the page with the mails of one week, once it is played


def _quiet(_: int) -> None:
    """For runs without a progress bar."""


def play_demo(path: Path, number: int | None = None, game: str | None = None, progress: Progress = _quiet) -> Played:
    """Play the next rounds in a folder, as long as recorded weeks are left; `Refused` if it holds anything else."""
    check_folder(path)
    cast = read_cast(game or "kuel")
    site = _open(path, cast)
    left = _left(site, cast)
    played, postbox = Played(path, cast.game), Postbox(site.path / site.settings.mail.outbox)
    for _ in range(min(number or left, left)):
        current = _current(site)
        if current is None:
            break
        week = _Week(site, cast, current.number)
        week.play(postbox)
        played.rounds.append(_told(site, cast, week.number, week.verdicts))
        if week.number == cast.battle_week:
            write_week(site, SLUG, week.number)
        progress(1)
    played.weeks_left = _left(site, cast)
    played.over = _current(site) is None
    week_page = path / FOLDER / "index.html"
    played.week = week_page if week_page.exists() else None
    played.standings = _standings(site)
    return played


def weeks_of(game: str | None) -> int:
    """How many weeks are recorded for a game's demo."""
    return len(read_cast(game or "kuel").weeks)


def _left(site: Site, cast: Cast) -> int:
    """How many rounds can still be played; none behind the end of a match."""
    current = _current(site)
    return max(len(cast.weeks) - current.number + 1, 0) if current is not None else 0


def check_folder(path: Path) -> None:
    """`Refused` if a folder is there and not the demo's own; looking changes nothing."""
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if _game_in(path) is None:
        raise Refused(f"{path} is there already and is no demo; nothing in it was touched: choose another --dir")


def _game_in(path: Path) -> str | None:
    """The game of the demo in a folder, by its key; None for any other folder."""
    key = path / "secrets" / SITE_KEY
    found = read_secret(key) if key.is_file() else b""
    slugs = (slug for slug in registry.slugs() if _has_demo(slug))
    return next((slug for slug in slugs if bytes.fromhex(read_cast(slug).key) == found), None)


def _has_demo(slug: str) -> bool:
    try:
        read_cast(slug)
    except Refused:
        return False
    return True


def _open(path: Path, cast: Cast) -> Site:
    """The demo's site, as far as it isn't made already."""
    other = _game_in(path)
    if other not in (None, cast.game):
        raise Refused(f"the demo in {path} plays {other}; choose another --dir for {cast.game}")
    opening = _moment(cast, "Europe/Berlin", 1, OPENING)
    if not (path / settings.FILE).exists():
        _make(path, cast, opening)
    end = _moment(cast, "Europe/Berlin", len(cast.weeks), FIGURES)
    site = open_site(path, end)
    with database.read(site.engine) as connection:
        found = leagues.league(connection, SLUG)
    if found is None:
        first = cast.friday(1) - 4 * DAY
        new_league(
            replace(site, now=opening),
            SLUG,
            game=cast.game,
            start=first,
            title=cast.titles["league"],
            options=cast.options,
            prize=cast.prize,
            notices=NOTICES,
        )
    return site


def _make(path: Path, cast: Cast, opening: datetime) -> None:
    """A site whose key everybody knows, so that the demo is the same everywhere."""
    (path / "secrets").mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (path / "secrets" / SITE_KEY).exists():
        write_secret(path / "secrets" / SITE_KEY, cast.key)
    chosen = settings.Settings()
    chosen = replace(
        chosen,
        site=replace(chosen.site, title=cast.titles["site"]),
        mail=replace(chosen.mail, from_address=ADDRESS),
        sources=replace(chosen.sources, fetch=False),  # its weeks lie behind it, and it plays without internet
    )
    init_site(path, opening, chosen)


def _moment(cast: Cast, zone: str, number: int, after: timedelta) -> datetime:
    """So long after the beginning of a round's Friday, by the clock on the wall."""
    friday = cast.friday(number)
    return datetime(friday.year, friday.month, friday.day, tzinfo=ZoneInfo(zone)) + after


def _current(site: Site) -> Round | None:
    """The first round that isn't resolved; None when the match is over."""
    with database.read(site.engine) as connection:
        match = find_running(site, connection, SLUG).match.id
        found = rounds.rounds(connection, match)
    waiting = [r for r in found if r.status != rounds.RESOLVED]
    return waiting[0] if waiting else None


def _load(site: Site, number: int) -> Loaded:
    with database.read(site.engine) as connection:
        match = find_running(site, connection, SLUG).match.id
        found = next(r.id for r in rounds.rounds(connection, match) if r.number == number)
        (loaded,) = rounds.load_chunk(connection, [found])
    return loaded


@dataclass(frozen=True, slots=True)
class _Week:
    """A round of the demo from its first mail to its report."""

    site: Site
    cast: Cast
    number: int
    verdicts: Counter[str] = field(default_factory=Counter)

    def at(self, after: timedelta) -> Site:
        """The site so long after the beginning of the round's Friday."""
        return replace(self.site, now=_moment(self.cast, "Europe/Berlin", self.number, after))

    def run(self, after: timedelta, *, pages: bool = False) -> None:
        """`league run` at that moment; pages that the next moment's replace need not be built."""
        self.verdicts.update(run_site(self.at(after), pages=pages).accepted.verdicts)

    def play(self, postbox: Postbox) -> None:
        """Everything that happens in it, in order."""
        opening = OPENING if self.number == 1 else JOINING
        if office.seat(self.at(opening), self.cast, self.number):
            self.run(opening + CLOSING)  # whatever greets a newcomer goes out before he writes
        office.change_seats(self.at(OFFICE), self.cast.acts(self.number, "absent", "retire"))
        scene = Scene.of(self.cast, _load(self.site, self.number), ADDRESS, postbox)
        _deliver(self.site, first_mails(scene))
        self.run(READING)
        _deliver(self.site, second_mails(scene))
        self.run(CLOSING)
        _deliver(self.site, late_mails(scene))
        self._fight(scene)
        office.enter_week(self.at(FIGURES), self.cast, self.number)
        self.run(FIGURES, pages=True)
        if self.waits:  # somebody reported nothing, and the time is over (K33)
            self.run(ENDING, pages=True)

    @property
    def waits(self) -> bool:
        """Whether the round isn't evaluated yet: one that needs no figures is when its orders close."""
        current = _current(self.site)
        return current is not None and current.number == self.number

    def _fight(self, scene: Scene) -> None:
        """Wave by wave: the fighters' mails, and the organizer's word where they disagree."""
        told: set[tuple[str, int]] = set()
        for after in WAVES if self.waits else ():
            fresh = [b for b in office.waiting(self.at(after)) if (b.country, b.attempt) not in told]
            if not fresh:
                return
            told |= {(b.country, b.attempt) for b in fresh}
            _deliver(self.site, battle_mails(scene, fresh))
            self.run(after)
            office.decide(self.at(after + CLOSING), self.cast.acts(self.number, "result"))


def _deliver(site: Site, deliveries: Iterable[Delivery]) -> None:
    """Into the Maildir as a mail server does it: whole before it is seen, with its time of arrival."""
    inbox = site.path / site.settings.mail.inbox
    for mail in deliveries:
        name, moment = f"{mail.name}.eml", mail.at.timestamp()
        (inbox / "tmp" / name).write_bytes(mail.raw)
        os.utime(inbox / "tmp" / name, (moment, moment))
        (inbox / "tmp" / name).rename(inbox / "new" / name)


def _told(site: Site, cast: Cast, number: int, verdicts: Counter[str]) -> JsonDict:
    events = Counter(str(event["type"]) for event in _bodies(site)[number]["events"])
    friday = cast.friday(number).isoformat()
    return {"round": number, "friday": friday, "verdicts": _counted(verdicts), "events": _counted(events)}


def _counted(found: Counter[str]) -> JsonDict:
    return {name: found[name] for name in sorted(found)}


def _bodies(site: Site) -> dict[int, Any]:
    with database.read(site.engine) as connection:
        chain = records.chain(connection, find_running(site, connection, SLUG).match.id)
    return {record.round: json.loads(record.body) for record in chain if record.kind == records.ROUND}


def _standings(site: Site) -> list[JsonDict]:
    bodies = _bodies(site)
    with database.read(site.engine) as connection:
        seats = leagues.seats(connection, [find_running(site, connection, SLUG).match.id])
    names = {seat.code: seat.name for seat in seats}
    last = bodies[max(bodies)]
    return [{"rank": rank, "player": names[str(seat)], "points": points} for rank, seat, points in last["standings"]]
