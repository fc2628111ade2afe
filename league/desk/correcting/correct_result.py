"""`league result enter --round N`: a battle that the report of a sealed round tells wrongly (DESIGN: Corrections)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.correcting.correct_round import Act, Bench, Corrected, correct
from league.desk.leagues.corrections import Mend, decided
from league.desk.leagues.turns import rules_of
from league.desk.rounds.enter_result import battle_named, fighter_named, fought
from league.desk.site import Site
from league.storage import decisions
from league.storage.decisions import Entered

WAYS = ("report", "result", "status_quo")  # how a battle was decided that a person may decide otherwise


def correct_result(
    site: Site, slug: str, number: int, country: str, winner: str, attempt: int | None, act: Act
) -> Corrected:
    """The organizer's word on a battle of a round whose report is out."""

    def mender(connection: Connection, bench: Bench) -> Mend:
        facts = _facts(bench, country, winner, attempt)
        for earlier in bench.loaded.decisions:
            if earlier.kind == "result" and all(earlier.facts.get(k) == facts[k] for k in ("country", "attempt")):
                decisions.supersede(connection, earlier.id, site.now)
        decisions.decide(connection, [Entered(bench.loaded.round.id, "result", facts, "organizer", site.now)])
        row: Mapping[str, Any] = {"kind": "result", "facts": facts, "source": "organizer", "at": stamp(site.now)}
        return Mend(decisions=decided(bench.body["decisions"], row), told=facts)

    return correct(site, slug, number, act, mender)


def _facts(bench: Bench, country: str, winner: str, attempt: int | None) -> JsonDict:
    names = {seat.code: seat.own_name for seat in bench.loaded.seats}
    battle = battle_named(fought(bench.body["events"], names, WAYS), rules_of(bench.loaded), country, attempt)
    return {"country": battle.country, "winner": fighter_named(battle, winner), "attempt": battle.attempt}
