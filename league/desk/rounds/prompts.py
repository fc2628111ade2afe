"""While battles wait: a contradiction is told to its fighters, and who hasn't reported is reminded in time (K33).

Both mails have ids that follow from what they tell, so that a run that finds the same again queues nothing new.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from league.core.game import Outcome
from league.core.json import Json
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.replies import due, reports
from league.desk.leagues.turns import Table
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.rounds.fixtures import REPLIES
from league.desk.site import Site
from league.reports import mails as words
from league.storage import leagues, rounds
from league.storage.leagues import Place
from league.storage.outbox import OutMail
from league.storage.rounds import AskLine, Loaded

BEFORE = timedelta(hours=12)  # so long before the waiting ends is a fighter reminded,
SETTLED = timedelta(hours=6)  # unless he was asked only so short a time before that
Facts = Mapping[str, Json]


def prompts(
    site: Site, connection: Connection, loaded: Loaded, table: Table, outcome: Outcome[Any]
) -> Iterator[OutMail]:
    """The mails that a waiting round owes its fighters now."""
    yield from _disputes(site, loaded, table, outcome)
    until = due(loaded)
    if until - BEFORE <= site.now < until:
        yield from _reminders(site, connection, loaded, table, until)


def _disputes(site: Site, loaded: Loaded, table: Table, outcome: Outcome[Any]) -> Iterator[OutMail]:
    """Every fighter reads who reported what, and that the organizer decides."""
    battles = {_battle(item): item for item in outcome.pending if item["kind"] == "battle"}
    for item in outcome.pending:
        if item["kind"] == "decision" and item.get("question") == "battle":
            facts = {**battles[_battle(item)], **item}
            said = [report.received for report in reports(table, outcome) if report.country == item["country"]]
            moment = max((at for at in said if at is not None), default=loaded.round.closes_at)
            yield from _dispute(site, loaded, table, facts, moment)


def _dispute(site: Site, loaded: Loaded, table: Table, facts: Facts, moment: datetime) -> Iterator[OutMail]:
    league, shown, info = league_info(site, loaded, table.game), round_info(loaded.round, loaded), site_info(site)
    kind, number = f"dispute/{facts['country']}/{facts['attempt']}", loaded.round.number
    for place in _reached(loaded, _listed(facts["fighters"])):
        text = words.dispute_mail(info, league, place.code, shown, facts, any_order_or_press)
        yield outgoing(site, kind, text, place, loaded.match_slug, number, date=moment)


def _reminders(site: Site, connection: Connection, loaded: Loaded, table: Table, until: datetime) -> Iterator[OutMail]:
    league, shown, info = league_info(site, loaded, table.game), round_info(loaded.round, loaded), site_info(site)
    number, moment = loaded.round.number, until - BEFORE
    open_ = [line for line in _asked(connection, loaded) if not line.answered and _is_known(line, moment)]
    for place in _reached(loaded, {seat.code for seat in loaded.seats}):
        own = [line.facts for line in open_ if line.seat_id == place.id]
        if own:
            text = words.reminder_mail(info, league, place.code, shown, own, until, any_order_or_press)
            yield outgoing(site, "reminder", text, place, loaded.match_slug, number, date=moment)


def _asked(connection: Connection, loaded: Loaded) -> tuple[AskLine, ...]:
    phases = [p.id for p in rounds.phases(connection, [loaded.round.id]) if p.number == REPLIES]
    return rounds.asks(connection, phases)


def _is_known(line: AskLine, moment: datetime) -> bool:
    """Whether the fighter has known of the battle for a while by then."""
    asked = line.facts.get("asked")
    return asked is None or datetime.fromisoformat(str(asked)) <= moment - SETTLED


def _reached(loaded: Loaded, codes: set[str]) -> Iterator[Place]:
    return (p for p in loaded.seats if p.code in codes and p.status in leagues.PRESENT and p.address)


def _battle(item: Facts) -> tuple[Json, Json]:
    return item["country"], item["attempt"]


def _listed(value: Json) -> set[str]:
    return {str(item) for item in value} if isinstance(value, Sequence) and not isinstance(value, str) else set()
