"""The pages of a round: of every version of its record, and while it waits for its evaluation."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from league.desk.figures.second_looks import Doubt
from league.desk.leagues.correction_reports import adjusted_reports, correction_report
from league.desk.leagues.held import held_until, waits
from league.desk.leagues.infos import REVEALED, round_info
from league.desk.leagues.records import figure_row
from league.desk.leagues.replies import asks, due
from league.desk.leagues.reporting import evidence_report, press_report, report_of, waiting_report
from league.desk.leagues.turns import figures_of, lay_out
from league.desk.leagues.versions import Version
from league.desk.overview.glance import DISPUTED, glance
from league.desk.pages.shelf import Shelf
from league.desk.post.previews import preview
from league.desk.rounds.resolve_rounds import known_figures, readings_of
from league.desk.site import Site
from league.reports import paths, render
from league.reports.context import (
    EvidenceReport,
    ReadingReport,
    SiteInfo,
)
from league.storage import rounds
from league.storage.evidence import Figure
from league.storage.orders import PressLine
from league.storage.rounds import Loaded, Round

Files = Iterable[tuple[str, bytes]]


def round_pages(
    site: Site, info: SiteInfo, shelf: Shelf, found: Round, one: Version, lines: Sequence[PressLine]
) -> Files:
    """A version's pages; those of one that doesn't stand any more stay reachable under a name of their own."""
    body, number = one.body, one.sealed.version
    newest = shelf.versions.newest[found.number].sealed.version
    following = shelf.following(found)
    shown = replace(
        round_info(found, status="done", record=one.sealed.sha256),
        version=number,
        record_file=one.sealed.file,
        leaves=tuple(body["freeze"]["leaves"]),
        revealed=any(d["kind"] == REVEALED for d in body["decisions"]),
    )
    press = press_report(shelf.loaded, lines)
    report = replace(
        report_of(shelf.league, shown, body, following, press, shelf.board, hidden=shelf.versions.hides(one)),
        correction=correction_report(shelf.versions, one, shelf.board),
        newest=newest if newest > number else 0,
        has_next=_has_page(shelf, found.number + 1),
        adjusted=adjusted_reports(shelf.versions, found.number),
        over=shelf.over and found.id == shelf.loaded.round.id,
    )
    if not report.newest:
        report = replace(report, evidence=tuple(_doubted(one, shelf.doubts) for one in report.evidence))
        picture = preview(site, shelf.league, report.view.after, found.number)
        if picture is not None:
            yield f"{shelf.league.slug}/{picture[0]}", picture[1]
            report = replace(report, picture=picture[0])
            shelf.pictures[found.number] = picture[0]
    for lang in info.langs:
        place = paths.round_path(shelf.league, found.number, lang, number if report.newest else 0)
        yield place, render.round_page(info, report, lang).encode()


def _has_page(shelf: Shelf, number: int) -> bool:
    return any(one.number == number and one.root is not None for one in shelf.rounds)


def _doubted(told: EvidenceReport, doubted: Sequence[Doubt]) -> EvidenceReport:
    """With what sources say otherwise since the figure came to stand."""
    own = (told.figure, told.day, told.value)
    found = [d.said for d in doubted if (d.figure.figure, d.figure.day.isoformat(), d.figure.value) == own]
    return replace(told, doubts=tuple(ReadingReport(one.source, one.value, one.read_at) for one in found))


def waiting_pages(site: Site, connection: Connection, info: SiteInfo, shelf: Shelf, found: Round) -> Files:
    """While results or figures are missing, or the organizer looks: what is known so far, and what it waits for."""
    (loaded,) = rounds.load_chunk(connection, [found.id])
    figures = known_figures(connection, [loaded])
    table = lay_out(loaded, figures)
    pending = table.outcome().pending if loaded.position is not None else ()
    until = due(loaded) if pending and asks(table) else None
    held = held_until(loaded, figures, site.now) if not pending else None
    pending = (waits(held),) if held is not None else pending
    following = shelf.following(found)
    shown = round_info(found, loaded, status="waiting")
    report = waiting_report(shelf.league, shown, table, pending, following, until)
    report = replace(
        report,
        adjusted=adjusted_reports(shelf.versions, found.number),
        has_next=_has_page(shelf, found.number + 1),
        evidence=tuple(_figures_so_far(site, connection, loaded, figures)),
    )
    for lang in info.langs:
        yield paths.round_path(shelf.league, found.number, lang), render.round_page(info, report, lang).encode()


def _figures_so_far(
    site: Site, connection: Connection, loaded: Loaded, figures: Sequence[Figure]
) -> Iterable[EvidenceReport]:
    """The figures of a round that waits, with who said what: those that stand, and those that don't yet."""
    said = readings_of(connection, [loaded])
    yield from (evidence_report(figure_row(figure, said)) for figure in figures_of(loaded, figures))
    if loaded.position is None:
        return
    closed = [c for one in glance(site, connection, [loaded.league_slug]) for c in one.closed]
    for figure in (f for c in closed if c.number == loaded.round.number for f in c.figures):
        heard = tuple(ReadingReport(one.source, one.value, one.read_at) for one in figure.said)
        if figure.day is not None and heard:
            status = "disputed" if figure.status == DISPUTED else "waiting"
            yield EvidenceReport(figure.figure, figure.day.isoformat(), "", "", status, readings=heard)
