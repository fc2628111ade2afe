"""`league round extend`: a later deadline for the open round; everyone is told, the page shows it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.schedule import instant
from league.desk import registry
from league.desk.clock import stamp
from league.desk.leagues.calendar import check_month, last_day, open_for_change, round_of, with_extension
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Running, Site
from league.reports import mails as words
from league.storage import leagues, outbox, rounds
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded, Round

LONGEST, HOUR = timedelta(weeks=8), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Extended:
    """The round with its new times; `weeks` is by how many its figures, and the rounds behind it, have moved."""

    round: Round
    weeks: int


def read_deadline(written: str, zone: str) -> datetime:
    """A deadline like "2024-01-05 08:00" on the league's clock, or an ISO time that says its zone."""
    try:
        read = datetime.fromisoformat(written.strip().replace(" 24:00", "T24:00").removesuffix("T24:00"))
        if read.tzinfo is None:
            hour = 24 if written.strip().endswith("24:00") else read.hour
            return instant(read.date(), hour, ZoneInfo(zone), read.minute)
    except ValueError:
        raise BadInput(f"deadline '{written}' is not understood; write it like 2024-01-05 08:00").named(
            "deadline_unclear", written=written
        ) from None
    return read


def extend(
    site: Site, connection: Connection, running: Running, until: datetime, why: str, at: datetime | None = None
) -> Extended:
    """Move the deadline of the round that takes orders now (or took them `at` that moment), in a transaction."""
    need_why(why)
    site.open_words(why)
    open_ = open_for_change(connection, running.season.calendar, running.match.id, at or site.now)
    if until <= max(open_.deadline_at, site.now):
        raise Refused(
            f"round {open_.number} is open until {stamp(open_.deadline_at)}; {stamp(until)} is no later deadline"
        ).named("no_later_deadline", round=open_.number, open=stamp(open_.deadline_at), until=stamp(until))
    if until - open_.deadline_at > LONGEST:
        raise BadInput(
            f"{stamp(until)} is more than {LONGEST.days // 7} weeks after the deadline; use a pause for that"
        ).named("too_far", until=stamp(until), weeks=LONGEST.days // 7)
    return move_deadline(site, connection, running, open_, until, why, act="round extend")


def move_deadline(
    site: Site, connection: Connection, running: Running, open_: Round, until: datetime, why: str, *, act: str
) -> Extended:
    """Store the new times and tell everyone; the figures follow where they could be known before the deadline."""
    before = running.season.calendar
    calendar = with_extension(before, open_.number, until, registry.plugin(running.league.game).meta.market)
    weeks = (last_day(calendar, open_.number) - last_day(before, open_.number)).days // 7
    earlier = [r for r in rounds.rounds(connection, running.match.id) if r.number == open_.number - 1]
    if weeks and earlier and earlier[0].status == rounds.RESOLVED:
        check_month(calendar, before, running.match.id, open_.number - 1)
    new = round_of(calendar, open_.match_id, open_.number)
    times = {"deadline_at": new.deadline_at, "closes_at": new.closes_at, "ends_at": new.ends_at}
    if not rounds.reschedule(connection, open_.id, **times):
        raise Refused(f"round {open_.number} isn't open any more").named("round_closed", round=open_.number)
    rounds.store_calendar(connection, running.season.id, calendar)
    _move_those_behind(connection, calendar, running.match.id, open_.number)
    slug = running.league.slug
    site.write_down(
        connection, act, why, running.league.id, round=open_.number, deadline=stamp(new.deadline_at), weeks=weeks
    )
    leagues.mark_unpublished(connection, (slug, f"{slug}/{open_.number - 1}"), token_hex(8))
    (loaded,) = rounds.load_chunk(connection, [open_.id])
    outbox.queue(connection, list(_mails(site, loaded, why, weeks)))
    return Extended(loaded.round, weeks)


def _move_those_behind(connection: Connection, calendar: Mapping[str, Any], match_id: int, number: int) -> None:
    """Rounds that were opened already, as time went on while nothing was run."""
    for later in rounds.rounds(connection, match_id):
        if later.number > number and later.status == rounds.OPEN:
            new = round_of(calendar, match_id, later.number)
            times = {name: getattr(new, name) for name in ("opens_at", "deadline_at", "closes_at", "ends_at")}
            rounds.reschedule(connection, later.id, **times)


def need_why(why: str) -> None:
    """`BadInput` without a reason."""
    if not why.strip():
        raise BadInput("say why with --why: it is written down and everyone is told")


def _mails(site: Site, loaded: Loaded, why: str, weeks: int) -> Iterable[OutMail]:
    league, info, shown = league_info(site, loaded, rules_of(loaded)), site_info(site), round_info(loaded.round, loaded)
    for place in loaded.seats:
        if place.status in leagues.PRESENT and place.address:
            text = words.round_mail(
                info, league, place.code, "extended", shown, {"why": why, "weeks": weeks}, any_order_or_press
            )
            kind = f"extended/{stamp(loaded.round.deadline_at)}"
            yield outgoing(site, kind, text, place, loaded.match_slug, loaded.round.number, date=site.now)
