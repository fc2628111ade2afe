"""Commands that ask: where the league stands, what can be written, what a rule says, the report again."""

from collections.abc import Mapping

from league.core.json import Json
from league.desk import registry
from league.desk.infos import league_info, site_info, tells_rules
from league.desk.office import DeclinedError, Office, Told
from league.desk.player_pages import rules_info
from league.desk.presence import is_void
from league.desk.replies import due, evaluated, still_open, with_replies
from league.desk.turns import rules_of
from league.intake.html import lines_of
from league.reports.rules import rule_texts
from league.storage import leagues, outbox

MOST_LINES = 60  # of rules in one answer


def status(office: Office, _: Mapping[str, Json]) -> Told:
    """The open round, who was heard from as far as the league tells, and what a round being evaluated waits for."""
    mode = str(office.open.options.get("show_received", "none"))
    codes = {seat.id: seat.code for seat in office.open.seats if seat.status in leagues.PRESENT}
    heard = {s.seat_id for s in office.submissions if s.replaces and not is_void(office.open, s)}
    names: list[Json] = [code for key, code in codes.items() if key in heard]
    facts: dict[str, Json] = {"mode": mode, "count": len(names), "of": len(codes)}
    return Told("status", {**facts, "heard": names if mode == "names" else [], "pending": _pending(office)})


def _pending(office: Office) -> list[Json]:
    table = evaluated(office.tables, office.at)
    if table is None or office.at > due(table):
        return []
    return [dict(item) for item in still_open(with_replies(table, table.submissions))]


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
