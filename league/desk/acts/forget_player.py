"""`league player forget`: a person's name, address, mails and words leave the site; the seat and its records stay.

Records name seats alone, so nothing in the chain changes. Files go first, then the books in one transaction, then the
pages are built anew and the older builds removed, and the database is written anew. Cut short, the same command with
the seat's code does the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from shutil import rmtree

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.delivery.maildir import file_name
from league.delivery.site import current
from league.desk import registry
from league.desk.acts.changing import LOCK_SECONDS
from league.desk.inbox.accept_mail import accept_mail
from league.desk.leagues.public_journal import SEAL, seals
from league.desk.pages.publish_pages import publish_pages
from league.desk.people.seats import at_seat, leave_seat
from league.desk.post.send_mail import sending
from league.desk.recovery.restored import waits_for_word
from league.desk.site import Running, Site, find_running
from league.desk.trust import new_token
from league.storage import engine as database
from league.storage import forgetting, journal, leagues
from league.storage.forgetting import Ground
from league.storage.leagues import Place, Player, fold
from league.storage.lock import run_lock

GONE = "forgotten"
WORDS = "the player was forgotten"
ELSEWHERE = "…"  # in the place of an address


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of a person: the seats, what he is called now, how many mails and files are gone."""

    seats: tuple[str, ...]
    name: str
    mails: int
    files: int
    elsewhere: tuple[str, ...] = ()  # other leagues of the site in which the address plays on


@dataclass(frozen=True, slots=True)
class _Person:
    player: Player
    places: tuple[Place, ...]
    running: Running
    now_called: str

    @property
    def is_gone(self) -> bool:
        return self.player.status == GONE


def forget(site: Site, slug: str, name: str, *, why: str) -> Forgotten:
    """Forget the player of this name or seat."""
    if not why.strip():
        raise BadInput("say why with --why: it is written down, without the name")
    for words in waits_for_word(site):
        raise Refused(words)
    with run_lock(site.path, f"league player forget of {site.who}", LOCK_SECONDS, site.engine), sending(site):
        accept_mail(site)
        with database.read(site.engine) as connection:
            person = _person(site, connection, slug, name)
        done = _already(person) if person.is_gone else _forget(site, person, why)
        publish_pages(site, [slug])
        _drop_builds(site)
        forgetting.compact(site.engine)
    return done


def _already(person: _Person) -> Forgotten:
    return Forgotten(tuple(place.code for place in person.places), person.player.name, 0, 0)


def _person(site: Site, connection: Connection, slug: str, name: str) -> _Person:
    running = find_running(site, connection, slug, moved_too=True)
    seats = leagues.seats(connection, [running.match.id])
    wanted = name.casefold()
    place = next((seat for seat in seats if wanted == seat.code.casefold()), None)
    known = leagues.players(connection, running.league.id)
    player = next((p for p in known if (place and place.player_id == p.id) or p.name.casefold() == wanted), None)
    if player is None:
        names = ", ".join(p.name for p in known if p.status != GONE) or "nobody"
        raise Refused(f"nobody called '{name}' is or was in {slug}; there are {names}")
    places = tuple(seat for seat in seats if seat.player_id == player.id)
    number = places[0].position if places else player.id
    return _Person(player, places, running, f"Player {number}")


def _forget(site: Site, person: _Person, why: str) -> Forgotten:
    ground = _ground(person)
    names = _Names(person.player.name, person.player.address or "", person.now_called)
    with database.read(site.engine) as connection:
        own = forgetting.own_mails(connection, ground)
        others = [key for key, _, raw in forgetting.kept_mails(connection, ground) if names.are_in(raw)]
        sent = [row for row in forgetting.sent_mails(connection, ground) if names.are_in(row[4])]
        elsewhere = tuple(sorted(m.league_slug for m in leagues.memberships(connection, [names.address])))
    waiting = [row for row in sent if row[3] == "queued" and fold(row[2]) != ground.address_key]
    if waiting:
        raise Refused(f"{len(waiting)} mails that name {names.name} still wait for others; league mail send first")
    files = list(_files(site, names, {digest for _, digest in own}, {file_name(row[1]) for row in sent}))
    for path in files:
        path.unlink(missing_ok=True)
    with database.write(site.engine, "forget") as connection:
        _leave(site, connection, person)
        forgetting.empty_mails(connection, [key for key, _ in own], others)
        forgetting.empty_outbox(connection, [row[0] for row in sent], ground, WORDS)
        leagues.forget_player(connection, person.player.id, names.instead)
        codes = tuple(place.code for place in person.places)
        site.write_down(connection, "player forget", names.reword(why), person.running.league.id, seat=", ".join(codes))
        figures = registry.plugin(person.running.league.game).meta.figures
        kept = seals(journal.of_scope(connection, person.running.league.id), figures, site.key)
        forgetting.reword(connection, ground, names.reword, [{SEAL: seal} for seal in kept])
        leagues.mark_unpublished(connection, [person.running.league.slug], token_hex(8))
    rest = tuple(slug for slug in elsewhere if slug != person.running.league.slug)
    return Forgotten(codes, names.instead, len(own), len(files), rest)


def _ground(person: _Person) -> Ground:
    return Ground(
        league_id=person.running.league.id,
        match_ids=(person.running.match.id,),
        seat_ids=tuple(place.id for place in person.places),
        address_key=fold(person.player.address or ""),
    )


def _leave(site: Site, connection: Connection, person: _Person) -> None:
    """Who still plays leaves with the open round; the key is worthless from now on.

    Of a league that has moved there is no open round here: he leaves it there.
    """
    for place in person.places:
        if place.status in leagues.PRESENT and person.running.league.status != leagues.MOVED:
            seated = at_seat(site, connection, person.running.league.slug, place.code)
            leave_seat(site, connection, seated, WORDS)
        new_token(site, connection, place)


class _Names:
    """How a person may be named in a text, and what stands there instead."""

    def __init__(self, name: str, address: str, instead: str) -> None:
        self.name, self.address, self.instead = name, address, instead
        spellings = sorted({name, name.upper(), name.lower()} if len(name) > 3 else {name}, key=len, reverse=True)
        self._name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, spellings))})(?!\w)")
        self._address = re.compile(re.escape(address), re.IGNORECASE) if address else None

    def reword(self, text: str) -> str:
        """The text with neutral words."""
        text = self._address.sub(ELSEWHERE, text) if self._address else text
        return self._name.sub(self.instead, text)

    def are_in(self, raw: bytes) -> bool:
        """Whether a mail names the person, whatever its encoding."""
        return any(self.reword(text) != text for text in _texts(raw))


def _texts(raw: bytes) -> Iterator[str]:
    """A mail's bytes as they are, its headers and its decoded parts."""
    yield raw.decode("utf-8", "replace")
    try:
        mail = message_from_bytes(raw, policy=policy.default)
        yield from (str(value) for value in mail.values())
        for part in mail.walk():
            if part.get_content_maintype() == "text" and isinstance(part, EmailMessage):
                yield str(part.get_content())
    except (LookupError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return  # a letter that nobody can read; its bytes were looked at


def _files(site: Site, names: _Names, digests: set[str], sent: set[str]) -> Iterator[Path]:
    """Files of the site's mail folders, and what the program wrote when it stumbled, that tell of the person."""
    mails = (path for path in (site.path / "mail").rglob("*") if path.is_file() and not path.is_symlink())
    for path in sorted(mails):
        content = path.read_bytes()
        is_his = sha256(content).hexdigest() in digests or path.name.partition(":")[0] in sent
        if is_his or names.are_in(content):
            yield path
    yield from _matching(site.path.glob("*fault-*.txt"), names.are_in)


def _matching(paths: Iterable[Path], wanted: Callable[[bytes], bool]) -> Iterator[Path]:
    return (path for path in sorted(paths) if wanted(path.read_bytes()))


def _drop_builds(site: Site) -> None:
    """Only what is public now stays of the pages."""
    newest = str(current(site.path))
    for build in (site.path / "builds").iterdir():
        if build.name != newest:
            rmtree(build)
