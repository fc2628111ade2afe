"""What the site knows of the authors of a batch of letters, and how their games read text."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from league import resources
from league.core.game import Game
from league.core.orders import Mistake, Parsed
from league.desk import registry
from league.desk.leagues.silence import over
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post.outgoing import ID_PREFIX
from league.desk.site import Site
from league.desk.trust import tokens, trust_of
from league.desk.words import say
from league.intake.copies import Earlier, remember
from league.intake.mailbox import RawMail
from league.intake.message import Letter, open_letter
from league.intake.read import Reader, Readers
from league.intake.screen import Place, Roster, Verdict
from league.intake.signature import Signed
from league.intake.tokens import plus_tokens
from league.language.commands import CommandWords, peel, read_commands
from league.storage import leagues, mails, outbox
from league.storage.leagues import Membership
from league.storage.outbox import Sent
from league.storage.rounds import Loaded

Seats = Mapping[Place, Membership]

NEWEST = 3  # of the mails under one id that are looked at, besides the first
SHORT = 1_000  # letters: a line, or a few that a reader may join


@dataclass(frozen=True, slots=True)
class Known:
    """The roster of a batch, and the seat behind each of its places."""

    roster: Roster
    seats: Seats
    seen: dict[tuple[str, str], tuple[Earlier, ...]]  # the roster's, which grows while the batch is judged


def know(
    connection: Connection,
    site: Site,
    letters: Sequence[Letter],
    signed: Mapping[str, Signed] | None = None,
    vouched: Iterable[str] = (),
) -> Known:
    """Everything a batch needs, in a handful of statements.

    `signed` and `vouched`: digests of mails whose signature was checked, and of those the organizer stands for.
    """
    seats = _places(connection, leagues.memberships(connection, {one.author for one in letters if one.author}))
    places: dict[str, tuple[Place, ...]] = {}
    for place, member in seats.items():
        places[member.address_key] = (*places.get(member.address_key, ()), place)
    sent = _sent(connection, letters)
    others = {one.seat_id for one in sent.values()} - {member.place.id for member in seats.values()}
    seats |= _named(leagues.seated(connection, sorted(others))) if others else {}
    known_tokens = _tokens(connection, site, letters, seats)
    by_id = {(m.match_id, m.place.id): place for place, m in seats.items()}
    answered = {
        key: by_id[one.match_id, one.seat_id] for key, one in sent.items() if (one.match_id, one.seat_id) in by_id
    }
    seen = _seen(connection, letters)
    roster = Roster(
        places=places,
        seen=seen,
        sent=answered,
        proving=frozenset(key for key, place in answered.items() if _proves(sent[key], seats[place])),
        tokens=known_tokens,
        signed=signed or {},
        vouched=frozenset(vouched),
        trust=trust_of(site.settings.mail),
        address=site.settings.mail.from_address,
        domain=site.domain,
        id_prefix=ID_PREFIX,
    )
    return Known(roster, seats, seen)


def _seen(connection: Connection, letters: Sequence[Letter]) -> dict[tuple[str, str], tuple[Earlier, ...]]:
    """Authors and Message-IDs that came before, and what came; only a repeated one is read twice."""
    seen: dict[tuple[str, str], tuple[Earlier, ...]] = {}
    keys = [letter.key for letter in letters]
    # Only of mails whose verdict stands: the copy that came through a mailing list must not shadow the player's own.
    read = [verdict.value for verdict in Verdict if verdict.is_final]
    for mail_ids in mails.known_mails(connection, keys, read).values():
        for mail_id in (*mail_ids[:1], *mail_ids[1:][-NEWEST:]):
            came = mails.mail(connection, mail_id)
            if came is not None and came.content is not None:
                raw = RawMail(came.digest, came.received_at, came.content, came.source)
                remember(seen, open_letter(raw, any_order))
    return seen


def _places(connection: Connection, found: Sequence[Membership]) -> dict[Place, Membership]:
    """The seats by their places; beside another seat one of a match that is over isn't what a mail is for unasked."""
    seats = Counter(m.address_key for m in found)
    several = {m.match_id for m in found if seats[m.address_key] > 1}
    ended = over(connection, sorted(several))
    return {replace(place, open=m.match_id not in ended): m for place, m in _named(found).items()}


def _named(found: Iterable[Membership]) -> dict[Place, Membership]:
    return {Place(m.league_slug, m.match_slug, m.place.code): m for m in found}


def _sent(connection: Connection, letters: Sequence[Letter]) -> Mapping[str, Sent]:
    asked = {one for letter in letters for one in (letter.message_id, *letter.in_reply_to, *letter.references)}
    return outbox.sent_to(connection, asked)


def _proves(sent: Sent, member: Membership) -> bool:
    """Only the player could know the id: the mail went to him who has the seat now, with the token of now or later."""
    since = member.place.token_since
    return leagues.fold(sent.recipient) == member.address_key and (since is None or sent.created_at >= since)


def _tokens(
    connection: Connection, site: Site, letters: Sequence[Letter], seats: dict[Place, Membership]
) -> dict[str, Place]:
    """The tokens of these seats; if a letter bears another one, of all, so that its owner hears of it."""
    borne = {token for letter in letters for token in _borne(site, letter)}
    known = tokens(site, seats) if borne else {}
    if borne - known.keys():
        everybody = _named(leagues.seated(connection))
        for token, place in tokens(site, everybody).items():
            if token in borne and token not in known:
                known[token] = place
                seats[place] = everybody[place]
    return known


def _borne(site: Site, letter: Letter) -> tuple[str, ...]:
    return (*letter.keys, *plus_tokens(letter.recipients, site.settings.mail.from_address))


@lru_cache
def command_words() -> CommandWords:
    """The words of commands, which are the same in every league."""
    return read_commands(resources.commands())


@lru_cache
def steering_words() -> CommandWords:
    """The words of the organizer's commands."""
    table = resources.commands()
    return read_commands({**table, "commands": table["organizer"]})


@lru_cache
def _plain_games() -> tuple[Game[Any, Any], ...]:
    return tuple(registry.load(slug, {}) for slug in registry.slugs())


@lru_cache
def _widest_games() -> tuple[Game[Any, Any], ...]:
    """Every game with all that can be switched on: what our mails may not hold, they may hold in no league."""
    metas = (registry.plugin(slug).meta for slug in registry.slugs())
    return tuple(registry.load(m.slug, {o.name: "on" for o in m.options if "on" in o.choices}) for m in metas)


def any_order(line: str) -> bool:
    """Whether the line is an order in any installed game: for mails whose league isn't known yet."""
    return any(game.parse(None, "", line).orders for game in _plain_games())


def any_order_or_press(text: str) -> bool:
    """Whether any league would read an order, press or a command in a text: what none of our own mails may hold."""
    return _reads(text) if len(text) > SHORT else _short_reads(text)


@lru_cache(maxsize=4096)
def _short_reads(text: str) -> bool:
    """The same line stands in the mails of all players, as text and HTML: asking anew cost a third of a run."""
    return _reads(text)


def _reads(text: str) -> bool:
    found = [game.parse(None, "", text) for game in _widest_games()]
    if any(parsed.orders or parsed.press or parsed.ends_standing for parsed in found):
        return True
    _, commands = peel(text, command_words(), lambda _: False)
    return any(line.command is not None for line in commands)


def reader_of(game: Game[Any, Any], state: Any, seat: str, names: Mapping[str, str], lang: str) -> Reader:
    """How a seat's mail is read and its mistakes are worded."""
    words = say(game, lang, names)

    def wording(mistake: Mistake) -> str:
        return words.reason(mistake.reason, mistake.facts)

    return Reader(
        parse=lambda text: game.parse(state, seat, text, names),
        is_order=lambda line: _says(game.parse(state, seat, line, names)),
        notation=lambda order: game.notation(state, order),
        wording=wording,
        kind=lambda order: "results" if game.is_report(order) else "orders",
        commands=command_words(),
    )


def _says(parsed: Parsed[Any]) -> bool:
    return bool(parsed.orders) or parsed.ends_standing


def readers(tables: Iterable[Loaded]) -> Readers:
    """Readers for the seats of these rounds' matches; anybody else is read by any game."""
    by_match = {loaded.match_slug: loaded for loaded in tables}
    made: dict[Place | None, Reader] = {}

    def reader(place: Place | None) -> Reader:
        if place not in made:
            loaded = by_match.get(place.match) if place else None
            made[place] = _reader(loaded, place) if loaded and place else stranger()
        return made[place]

    return reader


def _reader(loaded: Loaded, place: Place) -> Reader:
    game = rules_of(loaded)
    names = {seat.code: seat.name for seat in loaded.seats}
    lang = next((seat.lang for seat in loaded.seats if seat.code == place.seat), loaded.lang)
    return reader_of(game, start_of(loaded, game), place.seat, names, lang)


def stranger(lang: str = "en", slug: str | None = None) -> Reader:
    """How a mail is read that belongs to no seat: by the game named, else by the one that finds most orders in it."""
    if slug:
        return reader_of(registry.load(slug, {}), None, "", {}, lang)
    plain = [replace(reader_of(game, None, "", {}, lang), is_order=any_order) for game in _plain_games()]
    return replace(plain[0], others=tuple(plain[1:]))
