"""The battles of a wave: every fighter is asked for a result and told whom to fight, where and until when (K34)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.game import Ask, Outcome
from league.core.json import Json
from league.desk.clock import stamp
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.records import known_at
from league.desk.leagues.replies import asks, due, reports
from league.desk.leagues.turns import Table
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.desk.trust import composer_key
from league.reports import mails as words
from league.storage import leagues, rounds
from league.storage.outbox import OutMail
from league.storage.rounds import AskLine, Loaded, PhaseLine

REPLIES = 2  # the phase of a round in which they are waited for
OUR_OWN = ("wave", "asked")  # what we note beside a battle's facts
Facts = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the book holds of a round's asks."""

    phase: int
    lines: tuple[AskLine, ...]

    @property
    def waves(self) -> int:
        """How many waves of battles there were."""
        return max((int(str(line.facts["wave"])) for line in self.lines), default=0)


def ask_for_results(
    site: Site, connection: Connection, loaded: Loaded, table: Table, outcome: Outcome[Any]
) -> list[OutMail]:
    """Write down who is asked for what, close what was answered; the mails to the fighters of a new wave."""
    wanted = asks(table)
    known = _asked(connection, loaded, bool(wanted))
    if known is None:
        return []
    codes = {seat.id: seat.code for seat in loaded.seats}
    rounds.answer(connection, list(_answered(known, codes, wanted, table, outcome)))
    last = {(codes[line.seat_id], *_battle(line.facts)): _key(line.facts) for line in known.lines}
    fresh = [ask for ask in wanted if last.get((ask.seat, *_battle(ask.facts))) != _key(ask.facts)]
    if not fresh:
        return []
    wave, ids = known.waves + 1, {seat.code: seat.id for seat in loaded.seats}
    until = due(loaded)
    own: dict[str, Json] = {"wave": wave, "asked": stamp(known_at(loaded))}
    lines = [AskLine(known.phase, ids[a.seat], a.kind, {**a.facts, **own}, until) for a in fresh]
    rounds.ask(connection, lines)
    places = (loaded.league_slug, f"{loaded.league_slug}/{loaded.round.number}")
    leagues.mark_unpublished(connection, places, token_hex(8))
    return list(_mails(site, loaded, table, fresh, wave))


def _asked(connection: Connection, loaded: Loaded, wanted: bool) -> Asked | None:
    found = [p.id for p in rounds.phases(connection, [loaded.round.id]) if p.number == REPLIES]
    if not found and not wanted:
        return None
    line = PhaseLine(loaded.round.id, REPLIES, "battles", "open", due(loaded))
    phase = found[0] if found else rounds.add_phase(connection, line)
    return Asked(phase, rounds.asks(connection, [phase]))


def _key(facts: Facts) -> str:
    return json.dumps({key: value for key, value in facts.items() if key not in OUR_OWN}, sort_keys=True)


def _battle(facts: Facts) -> tuple[Json, Json]:
    return facts["country"], facts["attempt"]


def _answered(
    known: Asked, codes: Mapping[int, str], wanted: Sequence[Ask], table: Table, outcome: Outcome[Any]
) -> Iterable[int]:
    """Asks whose battle is decided or asked for anew, and those whose fighter has reported."""
    still = {(ask.seat, _key(ask.facts)) for ask in wanted}
    said = {(report.seat, report.country) for report in reports(table, outcome)}
    for line in known.lines:
        seat = codes[line.seat_id]
        is_said = line.facts["attempt"] == 1 and (seat, line.facts["country"]) in said
        if not line.answered and (is_said or (seat, _key(line.facts)) not in still):
            yield line.id


def _mails(site: Site, loaded: Loaded, table: Table, fresh: Sequence[Ask], wave: int) -> Iterable[OutMail]:
    battles = {_key(ask.facts): ask.facts for ask in fresh}
    fighters = {ask.seat for ask in fresh}
    league, shown, info = league_info(site, loaded, table.game), round_info(loaded.round, loaded), site_info(site)
    for place in loaded.seats:
        if place.code in fighters and place.status in leagues.PRESENT and place.address:
            told = tuple(battles.values())
            key = composer_key(site, loaded.match_slug, place, table.game)
            text = words.fixtures_mail(info, league, place.code, shown, told, due(loaded), any_order_or_press, key)
            number, moment = loaded.round.number, known_at(loaded)
            yield outgoing(site, "fixtures", text, place, loaded.match_slug, number, date=moment, version=wave)
