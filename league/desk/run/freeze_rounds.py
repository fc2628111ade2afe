"""At deadline + grace: the orders are closed under one root, and everyone is told it (DESIGN: Freeze)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex

from sqlalchemy import Connection

from league.desk import registry
from league.desk.aside import set_aside
from league.desk.inbox.accept_mail import Accepted, judge_waiting
from league.desk.inbox.inboxes import CLOCKS_DIFFER
from league.desk.leagues.calendar import ONE_BY_ONE, figures_known, is_last, round_of
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of, start_of
from league.desk.people.instead import Instructions, enter, instructed, instructions
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.recovery import restored
from league.desk.recovery.told_freezes import differs, told_freeze
from league.desk.rounds.close_early import candidates, close_early
from league.desk.site import Site
from league.records.freeze import root
from league.reports import mails as words
from league.storage import engine as database
from league.storage import leagues, mails, outbox, records, rounds
from league.storage.orders import ORDERS, Submission
from league.storage.outbox import OutMail
from league.storage.records import Start
from league.storage.rounds import Due, Loaded

CHUNK = 50


SLOW = "its clock is behind ours; set right whichever is wrong"
UNREAD = "not every mail in the inbox could be read; mend that and run again"


@dataclass
class Frozen:
    """What a run of freezing did."""

    rounds: list[tuple[str, int]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    kept_open: str = ""  # why rounds that are due stay open; among the troubles too


def freeze_rounds(site: Site, accepted: Accepted) -> Frozen:
    """Freeze every round whose time is over; league and number of each.

    Not while a mailbox couldn't be read to the end, nor before a mail server's own clock has passed the time of
    closing (hazard 59): what arrived in time may lie there, and no order enters after a freeze. A mail that was
    stamped in the last second needs a moment into the mailbox: the fetch must have begun a minute after closing.
    """
    if restored.mails_wait(site):
        return Frozen()
    if not accepted.complete:
        return _kept_open(f"rounds are due and stay open: {UNREAD}") if _is_due(site, site.now) else Frozen()
    frozen, until = Frozen(), accepted.until(site.now)
    for ids in _candidates(site, accepted):
        while not _close(site, ids, frozen, early=until):
            judge_waiting(site, Accepted())
    if site.now - accepted.lag - until > CLOCKS_DIFFER and _is_due(site, site.now) and not _is_due(site, until):
        return _kept_open(f"rounds are due and stay open until it is their time on the mail server too: {SLOW}")
    after = 0
    while due := _due(site, until, after):
        ids = [d.round_id for d in due if d.status == rounds.OPEN]
        if ids and not _close(site, ids, frozen):
            judge_waiting(site, Accepted())
            continue
        after = due[-1].round_id
    return frozen


def _kept_open(why: str) -> Frozen:
    return Frozen(troubles=[why], kept_open=why)


def _candidates(site: Site, accepted: Accepted) -> list[list[int]]:
    """Rounds that may close early, a few at a time; none where mail may lie unread, or rounds are done anew."""
    imap = site.settings.mail.imap
    if (imap.host and imap.marker and not accepted.clocks) or site.does_again or site.catches_up:
        return []
    with database.read(site.engine) as connection:
        ids = candidates(connection, site.now)
    return [ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK)]


def _close(site: Site, ids: list[int], frozen: Frozen, early: datetime | None = None) -> bool:
    """Freeze these rounds, those that everybody made final as of then; False if a mail must be judged before.

    It may have been taken in by another command just now.
    """
    with database.write(site.engine, "freeze") as connection:
        if mails.unjudged(connection, 1, site.now if site.catches_up else None):
            return False
        outbox.queue(connection, list(_freeze(site, connection, ids, frozen, early)))
        return True


def _due(site: Site, until: datetime, after: int) -> tuple[Due, ...]:
    with database.read(site.engine) as connection:
        return rounds.due_rounds(connection, until, CHUNK, after)


def _is_due(site: Site, until: datetime) -> bool:
    with database.read(site.engine) as connection:
        closing = rounds.next_closing(connection)
    return closing is not None and closing <= until


def _freeze(
    site: Site, connection: Connection, ids: list[int], frozen: Frozen, early: datetime | None
) -> Iterable[OutMail]:
    """One round after the other; the mails that tell of it."""
    waiting = restored.unsure(connection)
    chunk = [loaded for loaded in rounds.load_chunk(connection, ids) if restored.may_close(site, waiting, loaded)]
    known = instructions(connection, chunk)
    for loaded in chunk:
        try:
            with connection.begin_nested():
                shut = close_early(site, connection, loaded, early) if early is not None else loaded
                told = _freeze_one(site, connection, shut, known, waiting) if shut is not None else None
        except Exception as error:  # noqa: BLE001  # the border of a job
            frozen.troubles.append(set_aside(site, f"{loaded.match_slug}, round {loaded.round.number}", error))
            continue
        if isinstance(told, str):
            frozen.troubles.append(told)
        elif told is not None:
            frozen.rounds.append((loaded.league_slug, loaded.round.number))
            yield from told


def _freeze_one(
    site: Site, connection: Connection, loaded: Loaded, known: Instructions, waiting: Mapping[str, restored.Unsure]
) -> list[OutMail] | str | None:
    """Close one round; None if somebody else was faster, a sentence if it was closed before with other orders."""
    instead = instructed(site, loaded, known)
    own = [*(s for s in loaded.submissions if s.phase == ORDERS), *(one.submission for one in instead)]
    told = told_freeze(connection, waiting.get(loaded.match_slug), loaded)
    if wrong := differs(told, loaded.league_slug, _named(loaded, own)):
        return wrong
    market, shut = registry.plugin(loaded.game).meta.market, loaded.round.closes_at
    late = site.now >= figures_known(loaded.calendar, loaded.round.number, shut, market)
    if told is not None and told.late is not None:  # it is as it was when it was closed first
        late = told.late
    made = root(one.leaf for one in own)
    if not rounds.freeze(connection, loaded.round.id, now=site.now, late=late, root=made):
        return None
    enter(site, connection, loaded, instead)
    _deal(connection, loaded)
    places = (loaded.league_slug, f"{loaded.league_slug}/{loaded.round.number}")
    leagues.mark_unpublished(connection, places, token_hex(8))
    return list(_mails(site, connection, loaded))


def _named(loaded: Loaded, own: Iterable[Submission]) -> dict[str, tuple[str, datetime]]:
    """Each leaf with whose it is and when it came."""
    codes = {seat.id: seat.code for seat in loaded.seats}
    return {one.leaf: (codes[one.seat_id], one.received_at) for one in own}


def _deal(connection: Connection, loaded: Loaded) -> None:
    """The first round starts from the setup with everyone who has a seat by then (K39).

    The next round opens, unless rounds open one by one or this was the season's last.
    """
    game, number = rules_of(loaded), loaded.round.number
    if loaded.position is None and number == 1:
        body = game.position(start_of(loaded, game))
        records.store_positions(connection, [Start(loaded.round.match_id, 1, 1, body)])
    if loaded.calendar.get(ONE_BY_ONE) or is_last(loaded.calendar, number):
        return
    newest = rounds.current(connection, [loaded.round.match_id])[loaded.round.match_id]
    if newest.number == number:
        rounds.open_rounds(connection, [round_of(loaded.calendar, loaded.round.match_id, number + 1)])


def _mails(site: Site, connection: Connection, loaded: Loaded) -> Iterable[OutMail]:
    """The short mail with the root, so that every player's mail server dates it."""
    (again,) = rounds.load_chunk(connection, [loaded.round.id])
    league, shown, info = league_info(site, again, rules_of(again)), round_info(again.round, again), site_info(site)
    for place in again.seats:
        if place.status in leagues.PRESENT and place.address:
            text = words.freeze_mail(info, league, place.code, shown, any_order_or_press)
            yield outgoing(
                site, "freeze", text, place, again.match_slug, again.round.number, date=again.round.closes_at
            )
