"""The acts of a journal, done once more: each by the function that did it, at its own time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from league.core.errors import Refused
from league.core.json import Json
from league.desk.acts import steer_round
from league.desk.acts.absence import end_instruction, instruct
from league.desk.acts.change_seats import come_back, retire, substitute
from league.desk.acts.changing import changing
from league.desk.acts.keys import renew_token
from league.desk.acts.last_round import ACT as LAST_ROUND
from league.desk.acts.last_round import set_last
from league.desk.acts.new_league import Opening, open_league
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.acts.signing_key import rotate_key
from league.desk.correcting import correct_round
from league.desk.correcting.correct_figure import named_figures, put_right
from league.desk.correcting.correct_result import correct_result
from league.desk.figures.enter_figure import Entry
from league.desk.inbox import quarantine
from league.desk.leagues.public_journal import named
from league.desk.leagues.silence import OFFER, Silent
from league.desk.people import moved
from league.desk.people.players import NewPlayer, add_players, invite_again
from league.desk.people.seats import at_seat
from league.desk.people.standby import add_standby, end_standby, offer, take_back
from league.desk.rounds import extend_round
from league.desk.rounds.close_early import EARLY, shut
from league.desk.rounds.enter_result import end_waiting, enter_result
from league.desk.rounds.look import reveal_rounds
from league.desk.site import CALENDAR, Site, find_league, find_running
from league.storage import engine as database
from league.storage import leagues, rounds
from league.storage.raw import Values


@dataclass(frozen=True, slots=True)
class Act:
    """An act as the journal has it, with the persons it is about."""

    act: str
    why: str
    league: str
    arguments: Mapping[str, Any]
    players: Mapping[int, Values]

    def text(self, key: str) -> str:
        """An argument that is a word."""
        return str(self.need(key))

    def need(self, key: str) -> Json:
        """An argument; a journal of an older version may lack it."""
        if key not in self.arguments:
            raise Refused(
                f"the journal is of an older version: '{self.act}' doesn't say {key}, so it can't be done again"
            )
        found: Json = self.arguments[key]
        return found

    def person(self) -> NewPlayer:
        """The player whom it brought."""
        row = self.players.get(int(self.text("player")))
        if row is None or not row["address"]:
            raise Refused(f"the player of '{self.act}' ({self.text('seat')}) was forgotten, and so were the mails")
        return NewPlayer(row["name"], row["address"], row["lang"], row["zone"])


Redo = Callable[[Site, Act], object]


def _new(site: Site, act: Act) -> None:
    names = tuple(Opening.__dataclass_fields__)
    opening = Opening(**{name: act.need(name) for name in names})  # type: ignore[arg-type]  # JSON as it was written
    with database.write(site.engine) as connection:
        open_league(site, connection, opening, str(act.arguments.get("board", "")))


def _reveal(site: Site, act: Act) -> None:
    with database.read(site.engine) as connection:
        running = find_running(site, connection, act.league)
        number = act.need("round")
        ids = [one.id for one in rounds.rounds(connection, running.match.id) if one.number == number]
        loaded = rounds.load_chunk(connection, ids)
    reveal_rounds(site, loaded, act.act)


def _hold(site: Site, act: Act) -> None:
    hours = (datetime.fromisoformat(act.text("until")) - site.now) // timedelta(hours=1)
    steer_round.hold(site, act.league, hours=hours, why=act.why)


def _extend(site: Site, act: Act) -> None:
    with changing(site, "round extend") as connection:
        running = find_running(site, connection, act.league)
        extend_round.extend(site, connection, running, datetime.fromisoformat(act.text("deadline")), act.why)


def _early(site: Site, act: Act) -> None:
    with database.write(site.engine) as connection:
        running = find_running(site, connection, act.league)
        ids = [one.id for one in rounds.rounds(connection, running.match.id) if one.number == act.need("round")]
        for loaded in rounds.load_chunk(connection, ids):
            shut(site, connection, loaded, datetime.fromisoformat(act.text("closes")))


def _result(site: Site, act: Act) -> None:
    country, winner, attempt = act.text("country"), act.text("winner"), int(act.text("attempt"))
    if "version" in act.arguments:  # the report was out
        correct_result(site, act.league, int(act.text("round")), country, winner, attempt, _correction(act))
    else:
        enter_result(site, act.league, country, winner, attempt=attempt, why=act.why)


def _reopen(site: Site, act: Act) -> None:
    correct_round.reopen(site, act.league, int(act.text("round")), _correction(act))


def _figures(site: Site, act: Act) -> None:
    entry = Entry({}, act.text("source"), act.why)
    put_right(site, act.league, named_figures(_without_words(act)), entry, _correction(act))


def _without_words(act: Act) -> Mapping[str, Any]:
    return {key: value for key, value in act.arguments.items() if key not in ("source", "mode")}


def _correction(act: Act) -> correct_round.Act:
    return correct_round.Act(act.act, act.why, str(act.arguments.get("mode", "")))


def _absent(site: Site, act: Act) -> None:
    texts, until = act.need("orders"), str(act.arguments.get("until") or act.text("last"))
    written = tuple(str(text) for text in texts) if isinstance(texts, list) else ()
    instruct(site, act.league, act.text("seat"), until=until, texts=written, why=act.why)


def _pause(site: Site, act: Act) -> None:
    first, last = date.fromisoformat(act.text("from")), date.fromisoformat(act.text("to"))
    pause_rounds(site, act.league, first, last, why=act.why)


def _substitute(site: Site, act: Act) -> None:
    invited = bool(act.need("invited"))
    substitute(site, act.league, act.text("seat"), act.person(), why=act.why, invite=invited)


def _end_standby(site: Site, act: Act) -> None:
    with database.write(site.engine) as connection:
        running = find_running(site, connection, act.league)
        for place in leagues.benches(connection, running.match.id):
            if place.code == act.need("standby"):
                end_standby(site, connection, running, place, act.why)


def _offer(site: Site, act: Act) -> None:
    with database.write(site.engine) as connection:
        place = at_seat(site, connection, act.league, act.text("seat")).place
        offer(replace(site, who=CALENDAR), connection, Silent(act.league, place, int(act.text("missed")), OFFER))


def _end_offer(site: Site, act: Act) -> None:
    with database.write(site.engine) as connection:
        take_back(replace(site, who=CALENDAR), connection, act.league, act.text("seat"))


def _leave(site: Site, act: Act) -> None:
    """What is on hold since is so again; a copy left everything as it was."""
    if act.arguments.get("copied"):
        return
    with database.write(site.engine) as connection:
        league = find_league(connection, act.league)
        moved.leave(connection, league, moved.beside(connection, league, site.now, str(act.arguments.get("to", ""))))


def _send_on(site: Site, act: Act) -> None:
    with database.write(site.engine) as connection:
        league, leaving = find_league(connection, act.league), moved.left(connection, act.league)
        if leaving is not None:
            moved.send_on(connection, league, leaving, str(act.arguments.get("to", "")))


def _stay(site: Site, act: Act) -> None:
    with database.write(site.engine) as connection:
        league, leaving = find_league(connection, act.league), moved.left(connection, act.league)
        if leaving is not None:
            moved.come_back(connection, league, leaving)


ACTS: Mapping[str, Redo] = {
    "new": _new,
    "player add": lambda site, act: add_players(site, act.league, [act.person()], invite=bool(act.need("invited"))),
    "player substitute": _substitute,
    "player standby": lambda site, act: add_standby(site, act.league, act.person()),
    "player standby --end": _end_standby,
    "player offer": _offer,
    "player offer --end": _end_offer,
    "player retire": lambda site, act: retire(site, act.league, act.text("seat"), why=act.why),
    "player return": lambda site, act: come_back(site, act.league, act.text("seat"), why=act.why),
    "player absent": _absent,
    "player absent --end": lambda site, act: end_instruction(site, act.league, act.text("seat"), why=act.why),
    "player invite": lambda site, act: invite_again(site, act.league, act.text("seat")),
    "player token --renew": lambda site, act: renew_token(site, act.league, act.text("seat"), why=act.why),
    "key rotate": lambda site, act: rotate_key(site, act.why),  # the file of keys holds the next one
    "orders show --reveal": _reveal,
    "round preview --reveal": _reveal,
    "mail quarantine show --reveal": lambda site, act: _reveal(site, act) if "round" in act.arguments else None,
    "mail quarantine release": lambda site, act: quarantine.release(site, int(act.text("mail")), why=act.why),
    "mail quarantine reject": lambda site, act: quarantine.reject(site, int(act.text("mail")), why=act.why),
    "draw correct": _figures,
    "result enter": _result,
    "round reopen": _reopen,
    "round resolve --over": lambda site, act: end_waiting(site, act.league, act.why),
    "round hold": _hold,
    "round release": lambda site, act: steer_round.release(site, act.league, why=act.why),
    "round extend": _extend,
    "round pause": _pause,
    LAST_ROUND: lambda site, act: set_last(site, act.league, int(act.text("round")), why=act.why),
    moved.EXPORT: _leave,
    moved.UNDO: _stay,
    moved.SENT_ON: _send_on,
    EARLY: _early,
}
# What they left lies in the mails and figures, or changes no round.
NOTHING_TO_DO = frozenset(
    {
        "orders enter", "draw enter", "draw object", "deadline moved", "restore --head", "restore --public",
        "restore --accept-head", "player reports", "player forget",
        "init", "backup", "restore", "rebuild", "doctor mail", "mail hold", "mail release", "mail resend",
        "mail unblock", "import",
    }
)  # fmt: skip
FIRST = ("new", "player add")  # before the mails of the same second
CLOSES = (EARLY,)  # before rounds are closed, though the calendar does it


def redo(site: Site, act: Act) -> None:
    """Do it once more; `Refused` for one that can't be."""
    name = named(act.act)
    if name in ACTS:
        ACTS[name](site, act)
    elif name not in NOTHING_TO_DO:
        raise Refused(f"the journal holds an act that can't be done again: {act.act}")
