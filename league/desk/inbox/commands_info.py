"""Commands that ask: where the league stands, what can be written, what a rule says, the report again."""

from collections.abc import Mapping

from league.core.json import Json
from league.desk import registry
from league.desk.clock import stamp
from league.desk.leagues.infos import league_info, site_info, tells_rules
from league.desk.leagues.presence import is_void
from league.desk.leagues.turns import asked_of, rules_of
from league.desk.people.office import DeclinedError, Office, Told
from league.desk.people.player_pages import rules_info
from league.desk.rounds.closed_round import owed, shown_lines
from league.desk.rounds.stands import orders_of, stands
from league.intake.html import lines_of
from league.reports.rules import rule_texts
from league.storage import leagues, outbox, rounds

MOST_LINES = 60  # of rules in one answer


def status(office: Office, _: Mapping[str, Json]) -> Told:
    """The round that takes orders, or when the next does; who was heard from; and what is his in a closed one."""
    open_ = office.open
    mode = str(open_.options.get("show_received", "none"))
    asked = asked_of(open_)
    codes = {seat.id: seat.code for seat in open_.seats if seat.status in leagues.PRESENT and seat.code in asked}
    heard = {s.seat_id for s in office.submissions if s.replaces and not is_void(open_, s)}
    heard |= {office.member.place.id} if office.brings_orders else set()
    names: list[Json] = [code for key, code in codes.items() if key in heard]
    closed = owed(office.tables, office.member.place, office.at)
    own = stands(open_, orders_of(open_, office.member.place, office.submissions))
    return Told(
        "status",
        {
            "mode": mode,
            "count": len(names),
            "of": len(codes),
            "heard": names if mode == "names" else [],
            "round": open_.round.number,
            "state": _state(office),
            "opens": stamp(open_.round.opens_at),
            "deadline": stamp(open_.round.deadline_at),
            "standing": shown_lines(own),
            "closed": closed.facts() if closed is not None else None,
        },
    )


def _state(office: Office) -> str:
    """Whether the round takes orders as the mail arrives."""
    round_ = office.open.round
    if round_.status == rounds.RESOLVED:
        return "over"
    if round_.status != rounds.OPEN or office.at > round_.closes_at:
        return "closed"
    is_early = office.at < round_.opens_at and office.open.options.get("late") != "next_round"
    return "early" if is_early else "open"


def help_(_: Office, __: Mapping[str, Json]) -> Told:
    """What can be written, in the player's language."""
    return Told("help", {})


def rules(office: Office, facts: Mapping[str, Json]) -> Told:
    """The text of a rule with the league's own choices."""
    rule = str(facts["rule"])
    if not tells_rules(office.open.game):
        raise DeclinedError("no_rules")
    if not rule:
        return Told("rules", {})
    game, info, lang = rules_of(office.open), site_info(office.site), office.member.place.lang
    about = rules_info(league_info(office.site, office.open, game), registry.plugin(office.open.game).meta, office.open)
    for written in (rule, f"K{rule}") if rule.isdigit() else (rule,):
        if found := rule_texts(info, about, written, lang):
            lines: list[Json] = [f"{number}: {line}" for number, text in found for line in _lines(text)]
            return Told("rule", {"rule": written, "lines": lines[:MOST_LINES], "more": len(lines) > MOST_LINES})
    raise DeclinedError("unknown_rule", written=rule)


def _lines(text: str) -> list[str]:
    return [line for line in lines_of(text).splitlines() if line.strip()]


def report(office: Office, _: Mapping[str, Json]) -> Told:
    """The last report once more, with the same id and the same bytes."""
    place = office.member.place
    found = outbox.last_of(office.connection, "report", place.match_id, place.id)
    if found is None or found[1].casefold() != place.address.casefold():
        raise DeclinedError("no_report")
    outbox.resend(office.connection, [found[0]])
    return Told("report", {})
