"""The world is told: what was reported, corrected or closes soon, in the channels that `league.toml` names.

What is to be told follows from the records and the open rounds, so it needs no part in their transactions: each run
writes down what isn't in the book yet, and a row is there once for a channel, a round and its version. Then one after
the other is marked as being sent, sent, and settled. Nothing is told before its page is public, nor while mail is on
hold; trouble holds up nothing else.
"""

from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import Connection

from league.core.errors import LeagueError
from league.delivery.announce import Post, tell
from league.desk.aside import set_aside
from league.desk.leagues.infos import round_info, site_info
from league.desk.leagues.reporting import report_of
from league.desk.pages.shelf import Shelf, shelf_of
from league.desk.post.previews import picture_of
from league.desk.proof.chronicles import chronicle
from league.desk.site import Site
from league.desk.targets.channels import address_of
from league.failpoints import reach
from league.reports.announcements import Told, announcement
from league.settings import Announce
from league.storage import announcements, outbox
from league.storage import engine as database
from league.storage.announcements import NO_CHANNEL, Fresh, Row, Wanted

REPORT, CORRECTION, DEADLINE = "report", "correction", "deadline"
PAGES_FIRST = timedelta(hours=1)  # so long a report waits for a target that doesn't have its page yet
OVER, OLDER = "its time is over", "a newer version is told"


@dataclass(slots=True)
class Announced:
    """How many were told, and what wasn't, in words."""

    sent: int = 0
    troubles: list[str] = field(default_factory=list)


def announce(site: Site, *, complete: bool = True) -> Announced:
    """Tell what is due. `complete`: every target has the pages that links lead to."""
    done = Announced()
    if not site.settings.announce:
        return done
    with database.write(site.engine) as connection:
        if outbox.held(connection):
            return done
        announcements.recover(connection)
        for channel in site.settings.announce:
            _write_down(site, connection, channel)
    for channel in site.settings.announce:
        _tell_all(site, channel, done, complete=complete)
    return done


def _write_down(site: Site, connection: Connection, channel: Announce) -> None:
    """What this channel is to be told and isn't in the book yet."""
    mark = announcements.mark(connection, channel.name, site.now)
    sealed = announcements.sealed_since(connection, mark)
    found = [(CORRECTION if one.version > 1 else REPORT, one) for one in sealed]
    if DEADLINE in channel.what:
        until = site.now + timedelta(hours=channel.deadline_hours)
        found += [(DEADLINE, one) for one in announcements.closing(connection, site.now, until)]
    announcements.queue(
        connection,
        [
            Wanted(channel.name, kind, one.match_id, one.round, one.version, site.now)
            for kind, one in found
            if kind in channel.what and _is_told(channel, one)
        ],
    )
    announcements.set_mark(connection, channel.name, max((one.record_id for one in sealed), default=mark))


def _is_told(channel: Announce, one: Fresh) -> bool:
    return not channel.leagues or one.league in channel.leagues


def _tell_all(site: Site, channel: Announce, done: Announced, *, complete: bool) -> None:
    """In their order; at the first one that doesn't go the others wait too."""
    with database.read(site.engine) as connection:
        due = announcements.due(connection, channel.name, site.now)
    for row in due:
        if not complete and row.kind != DEADLINE and site.now - row.created_at < PAGES_FIRST:
            return
        trouble = _tell(site, channel, row)
        if trouble is None:
            continue
        if trouble:
            done.troubles.append(f"{row.league}, round {row.round} {NO_CHANNEL} {row.name}: {trouble}")
            return
        done.sent += 1


def _tell(site: Site, channel: Announce, row: Row) -> str | None:
    """One of them: why it didn't go, or nothing; None if it needn't be told any more."""
    try:
        post, why = _post(site, channel, row), ""
    except Exception as error:  # noqa: BLE001  # a league that can't be told holds up no other
        post, why = None, set_aside(site, f"announcement {row.id}", error)
    if post is None and not why:
        return None
    with database.write(site.engine, "announce") as connection:
        announcements.begin(connection, row, site.now)
    trouble = why or (_sent(site, channel, post) if post else "")
    reach("announce.sent")
    with database.write(site.engine) as connection:
        announcements.settle(connection, row, site.now, trouble)
    return trouble


def _sent(site: Site, channel: Announce, post: Post) -> str:
    try:
        return tell(address_of(site, channel), post)
    except LeagueError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # of a library that speaks to a hundred services
        return set_aside(site, f"channel {channel.name}", error)


def _post(site: Site, channel: Announce, row: Row) -> Post | None:
    """What is told; None, and the row dropped, if it needn't be told any more."""
    with database.read(site.engine) as connection:
        shelf = shelf_of(site, connection, row.league)
        why = OVER if shelf is None else _lapsed(site, shelf, row)
    if shelf is None or why:
        with database.write(site.engine) as connection:
            announcements.drop(connection, row, why)
        return None
    lang = channel.lang or shelf.league.lang
    told = _open(shelf, row) if row.kind == DEADLINE else _told(shelf, row)
    title, body = announcement(site_info(site), shelf.league, row.kind, told, lang)
    picture = _picture(site, shelf, row) if channel.picture and row.kind != DEADLINE else b""
    return Post(title, body, picture, f"{row.league}-round-{row.round}.png")


def _lapsed(site: Site, shelf: Shelf, row: Row) -> str:
    if row.kind == DEADLINE:
        found = next((one for one in shelf.rounds if one.number == row.round), None)
        return OVER if found is None or found.status != "open" or found.deadline_at <= site.now else ""
    newest = shelf.versions.newest.get(row.round)
    return OLDER if newest is None or newest.sealed.version != row.version else ""


def _open(shelf: Shelf, row: Row) -> Told:
    return Told(next(round_info(one) for one in shelf.rounds if one.number == row.round))


def _told(shelf: Shelf, row: Row) -> Told:
    """The round as its public page tells it."""
    one, found = shelf.versions.newest[row.round], next(r for r in shelf.rounds if r.number == row.round)
    before, after = chronicle(shelf.game, [one.body]).moments
    following = next((r for r in shelf.rounds if r.number == row.round + 1 and r.status == "open"), None)
    return Told(
        round_info(found, status="done"),
        after.events,
        after.standings,
        before.standings,
        round_info(following) if following else None,
    )


def _picture(site: Site, shelf: Shelf, row: Row) -> bytes:
    """The map after the round, as shared links show it."""
    one, found = shelf.versions.newest[row.round], next(r for r in shelf.rounds if r.number == row.round)
    shown = round_info(found, status="done")
    report = report_of(shelf.league, shown, one.body, None, (), shelf.board, hidden=shelf.versions.hides(one))
    drawn = picture_of(site, shelf.league, report.view.after, row.round)
    return drawn[1] if drawn else b""
