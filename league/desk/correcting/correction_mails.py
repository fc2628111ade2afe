"""Everyone gets a corrected round's report, with what was and what is."""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection

from league.desk import registry
from league.desk.leagues.correction_reports import correction_report
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.reporting import press_of, report_of
from league.desk.leagues.turns import rules_of
from league.desk.leagues.versions import Versions
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.desk.trust import composer_keys
from league.records.note import Checkpoint
from league.reports.context import RoundInfo
from league.reports.report_mails import ReportMails
from league.storage import leagues, rounds
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded, Round


def _following(connection: Connection, open_: Round | None) -> RoundInfo | None:
    """The round that takes orders, with what it wants of whom."""
    if open_ is None:
        return None
    (coming,) = rounds.load_chunk(connection, [open_.id])
    return round_info(coming.round, coming)


def correction_mails(
    site: Site, connection: Connection, loaded: Loaded, versions: Versions, next_round: int
) -> Iterable[OutMail]:
    """The report of the round's newest version to all who play.

    `next_round` takes orders or is being evaluated; there is none where the match is over.
    """
    one, number = versions.newest[loaded.round.number], loaded.round.number
    found = [r for r in rounds.rounds(connection, loaded.round.match_id) if r.number == next_round]
    open_ = next((r for r in found if r.status == rounds.OPEN), None)
    league = league_info(site, loaded, rules_of(loaded))
    version = one.sealed.version
    signed = Checkpoint(loaded.league_slug, loaded.match_slug, versions.size_to(one), one.sealed.sha256)
    shown = replace(
        round_info(loaded.round, loaded, status="done", record=one.sealed.sha256),
        version=version,
        links=signed.size,
        checkpoint=signed.signature(site.signing_seed),
    )
    board, press = registry.board_of(loaded.sources), press_of(connection, loaded, loaded.round.id)
    following, hidden = _following(connection, open_), versions.hides(one)
    report = report_of(league, shown, one.body, following, press, board, hidden=hidden)
    corrected = correction_report(versions, one, board)
    report = replace(report, correction=replace(corrected, over=not found) if corrected else None)
    keys = composer_keys(site, loaded, rules_of(loaded)) if open_ else {}
    mails = ReportMails(site_info(site), report, any_order_or_press, keys)
    for place in loaded.seats:
        if place.status in leagues.PRESENT and place.address and place.reports:
            text = mails.mail(place.code)
            yield outgoing(site, "report", text, place, loaded.match_slug, number, date=site.now, version=version)
