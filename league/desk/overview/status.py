"""`league status`: the whole site at a glance, what a person must do first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.figures.second_looks import doubts, lately, stale
from league.desk.leagues.infos import site_info
from league.desk.leagues.silence import Silent, silent
from league.desk.overview.glance import BattleGlance, Closed, FigureGlance, LeagueGlance, SeatGlance, glance
from league.desk.overview.health import Health, health
from league.desk.overview.todo import Mails, ahead, league_todo, site_todo
from league.desk.post.brake import silenced_since
from league.desk.post.mind_outbox import mail_health
from league.desk.post.too_late import READ_LATE
from league.desk.site import Site
from league.desk.targets.bring_pages import targets
from league.intake.rules import UNCOUNTED
from league.intake.screen import Verdict
from league.reports.desk import Ahead, DeskWords, Todo
from league.storage import engine as database
from league.storage import leagues, mails, outbox
from league.storage.leagues import Overview
from league.storage.mails import Judged

FOR_A_PERSON = ("held", "unreadable", "quarantined")
MOST = 20  # mails on the list
DAY = timedelta(days=1)
FRESH = timedelta(days=14)  # older ones are on the list and no longer on the desk: nothing takes them off


@dataclass(frozen=True, slots=True)
class Status:
    """The site at a glance; `ahead` and `todo` as words have them."""

    leagues: tuple[tuple[Overview, tuple[LeagueGlance, ...]], ...]
    outbox: Mapping[str, int]
    held: tuple[Judged, ...]
    silent: tuple[Silent, ...]
    health: Health
    todo: tuple[Todo, ...]
    ahead: Mapping[str, tuple[Ahead, ...]]  # by league

    @property
    def needs_person(self) -> bool:
        """Whether something waits that nothing but a person mends."""
        return any(item.must for item in self.todo)


def site_status(site: Site, slugs: Sequence[str] | None = None) -> Status:
    """What is open, what is due, what waits for a person; of the whole site, or of some leagues."""
    with database.read(site.engine) as connection:
        overview = [row for row in leagues.overview(connection) if slugs is None or row.slug in slugs]
        judged = mails.verdicts(connection, FOR_A_PERSON)
        too_late = mails.verdicts(connection, (Verdict.LATE.value,), reasons=(READ_LATE,))
        braked = silenced_since(connection, site.now - DAY)
        marked = mails.verdicts(connection, reasons=UNCOUNTED)
        counts, quiet = outbox.counts(connection), silent(connection, slugs)
        seen = list(glance(site, connection, slugs))
        state = health(site, connection)
        doubted, outdated = doubts(connection, lately(site)), list(stale(site, connection))
    fresh, missed, uncounted = (
        [mail for mail in found if site.now - mail.decided_at <= FRESH] for found in (judged, too_late, marked)
    )
    todo = list(site_todo(site, state, Mails(fresh, missed, uncounted), counts.get("failed", 0), doubted))
    for one in seen:
        old = [s for s in outdated if s.league == one.slug]
        loud = [s for s in braked if s.league == one.slug]
        todo += league_todo(one, site.now, [s for s in quiet if s.league == one.slug], old, loud)
    by_slug: dict[str, tuple[LeagueGlance, ...]] = {}
    for one in seen:
        by_slug[one.slug] = (*by_slug.get(one.slug, ()), one)
    return Status(
        leagues=tuple((row, by_slug.get(row.slug, ())) for row in overview),
        outbox=counts,
        held=judged[:MOST],
        silent=tuple(quiet),
        health=state,
        todo=tuple(sorted(todo, key=lambda item: not item.must)),
        ahead={slug: tuple(a for one in several for a in ahead(site, one)) for slug, several in by_slug.items()},
    )


def words_of(site: Site, lang: str) -> DeskWords:
    """How the desk says things in a language."""
    return DeskWords(site_info(site), lang, site.settings.site.zone)


def told(site: Site, status: Status, lang: str) -> JsonDict:
    """For programs; sentences in the language."""
    words = {row.slug: DeskWords(site_info(site), lang, row.zone) for row, _ in status.leagues}
    house = words_of(site, lang)
    return {
        "leagues": [
            _league(site, row, seen, status.ahead.get(row.slug, ()), words[row.slug]) for row, seen in status.leagues
        ],
        "outbox": dict(status.outbox),
        "mail": mail_health(site),
        "held": [
            {"verdict": j.verdict, "reason": j.reason, "from": j.sender, "message_id": j.message_id}
            for j in status.held
        ],
        "silent": [found.facts() for found in status.silent],
        "todo": [_todo(item, words.get(item.league, house)) for item in status.todo],
        "health": status.health.facts(),
        "targets": list(targets(site)),
    }


def _todo(item: Todo, words: DeskWords) -> JsonDict:
    return {
        "what": item.what,
        "must": item.must,
        "league": item.league or None,
        "text": words.todo(item),
        "command": item.command,
        "facts": dict(item.facts),
    }


def _league(
    site: Site, row: Overview, seen: Iterable[LeagueGlance], following: Sequence[Ahead], words: DeskWords
) -> JsonDict:
    several = list(seen)
    seats: list[Json] = [_seat(seat, words) for one in several for seat in one.seats]
    closed: list[Json] = [_closed(found) for one in several for found in one.closed]
    left = int((row.deadline_at - site.now).total_seconds()) if row.deadline_at else None
    return {
        "league": row.slug,
        "game": row.game,
        "status": row.status,
        "players": row.players,
        "round": row.round,
        "deadline": stamp(row.deadline_at) if row.deadline_at else None,
        "title": row.title,
        "zone": row.zone,
        "due": words.deadline(row.deadline_at) if row.deadline_at else "",
        "seconds_left": left,
        "seats": seats,
        "evaluating": closed,
        "next": [
            {
                "at": stamp(item.at),
                "what": item.what,
                "round": item.round,
                "figure": item.figure or None,
                "when": words.when(item.at),
                "text": words.ahead(item),
            }
            for item in following
        ],
    }


def _seat(seat: SeatGlance, words: DeskWords) -> JsonDict:
    return {
        "seat": seat.place.code,
        "name": seat.place.own_name,
        "state": seat.state,
        "text": words.state(seat.state),
        "not_understood": seat.puzzled,
        "bounced": seat.bounced,
    }


def _closed(found: Closed) -> JsonDict:
    return {
        "round": found.number,
        "ready": found.ready,
        "held_until": stamp(found.held) if found.held else None,
        "trouble": found.trouble,
        "replies_until": stamp(found.until) if found.until else None,
        "figures": [_figure(figure) for figure in found.figures],
        "battles": [_battle(battle) for battle in found.battles],
    }


def _figure(figure: FigureGlance) -> JsonDict:
    return {
        "figure": figure.figure,
        "day": figure.day.isoformat() if figure.day else None,
        "from": stamp(figure.asked_from) if figure.asked_from else None,
        "status": figure.status,
        "why": figure.why,
        "readings": [{"source": r.source, "value": r.value, "read_at": stamp(r.read_at)} for r in figure.said],
        "until": stamp(figure.until) if figure.until else None,
    }


def _battle(battle: BattleGlance) -> JsonDict:
    return {
        "country": battle.country,
        "attempt": battle.attempt,
        "fighters": list(battle.fighters),
        "disputed": battle.disputed,
        "reports": battle.reported,
    }
