"""What a seat's orders would become now: from its own mails and the public position alone (K90)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from league.core.errors import Refused
from league.core.game import Game
from league.core.json import JsonDict
from league.core.orders import OrderMail, Rehearsed, Ruling
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post.roster import reader_of
from league.desk.rounds.look import checked_lines
from league.desk.site import Site, find_running
from league.desk.words import say
from league.storage import engine as database
from league.storage import rounds
from league.storage.rounds import Loaded

UNKNOWN = Ruling(None, "unknown_start")
Told = Mapping[tuple[int, int], Rehearsed]  # by mail and line


def rehearse(loaded: Loaded, game: Game[Any, Any], seat: str, mails: Sequence[OrderMail[Any]]) -> Told:
    """Every line that counts; uncertain all through while the round's start isn't settled yet."""
    if loaded.position is not None:
        told = game.rehearse(game.restore(loaded.position), seat, mails)
    elif loaded.round.number == 1:  # who else comes before the first freeze is dealt in as well (K39)
        told = tuple(replace(t, certain=False) for t in game.rehearse(start_of(loaded, game), seat, mails))
    else:
        told = tuple(
            Rehearsed(at, place, UNKNOWN, certain=False)
            for at, rulings in enumerate(game.counts(None, mails))
            for place, ruling in enumerate(rulings)
            if ruling is None and mails[at].parsed.lines[place].order is not None
        )
    return {(one.mail, one.line): one for one in told}


def check_orders(site: Site, slug: str, text: str, lang: str | None, player: str | None = None) -> JsonDict:
    """What a text would be understood as, line by line, and with a player what would become of it; nothing is stored.

    The player's sealed orders aren't looked at: the text is taken for the only mail.
    """
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        newest = rounds.current(connection, [running.match.id])[running.match.id]
        (loaded,) = rounds.load_chunk(connection, [newest.id])
    game = rules_of(loaded)
    names = {s.code: s.name for s in loaded.seats}
    state = start_of(loaded, game) if loaded.position or loaded.round.number == 1 else None
    seat = _seat(loaded, slug, player) if player else ""
    language = lang or loaded.lang
    reader = reader_of(game, state, seat, names, language)
    parsed = reader.parse(text)
    lines = checked_lines(parsed, reader)
    if seat:
        told, words = rehearse(loaded, game, seat, [OrderMail(seat, parsed)]), say(game, language, names)
        for place, line in enumerate(lines):
            line["now"] = _now(told.get((0, place)), words)
    return {"lines": lines, "ends_standing": parsed.ends_standing}


def _now(told: Rehearsed | None, words: Any) -> JsonDict | None:
    if told is None:
        return None
    ruling = told.ruling
    return {
        "fate": ruling.fate.value if ruling.fate else None,
        "reason": ruling.reason,
        "rule": ruling.rule,
        "certain": told.certain,
        "hinges": [hinge.code for hinge in told.hinges],
        "text": words.rehearsed(told),
    }


def _seat(loaded: Loaded, slug: str, name: str) -> str:
    found = next((s for s in loaded.seats if name.casefold() in (s.code.casefold(), s.own_name.casefold())), None)
    if found is None:
        raise Refused(
            f"nobody called '{name}' plays in {slug}; there are {', '.join(s.own_name for s in loaded.seats)}"
        )
    return found.code
