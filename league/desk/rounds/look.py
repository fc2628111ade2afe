"""Looking without touching: status of rounds, a trial evaluation, the order book, the journal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import Json, JsonDict
from league.core.orders import Parsed
from league.desk.clock import stamp
from league.desk.figures.sources import closed_days
from league.desk.leagues.calendar import match_over
from league.desk.leagues.held import held_until, waits
from league.desk.leagues.infos import REVEALED
from league.desk.leagues.public_journal import SALT
from league.desk.leagues.replies import asks, due, reports
from league.desk.leagues.turns import asked_of, lay_out, with_days
from league.desk.rounds.heard import heard
from league.desk.rounds.resolve_rounds import known_figures
from league.desk.site import Site, find_league, find_running
from league.desk.words import say
from league.storage import decisions, journal, leagues, mails, rounds, standing
from league.storage import engine as database
from league.storage.decisions import Entered
from league.storage.evidence import Figure
from league.storage.leagues import Place
from league.storage.orders import Submission
from league.storage.rounds import Loaded, Round
from league.storage.standing import Kept


def _shown(found: Round) -> JsonDict:
    return {
        "round": found.number,
        "status": found.status,
        "opens": stamp(found.opens_at),
        "deadline": stamp(found.deadline_at),
        "closes": stamp(found.closes_at),
        "zone": found.zone,
        "frozen_late": found.frozen_late,
        "root": found.root,
    }


def round_status(site: Site, slug: str) -> list[JsonDict]:
    """Every round that isn't done: who has sent, what it waits for; nobody's orders."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug, moved_too=True)
        ids = [r.id for r in rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())]
        loaded = rounds.load_chunk(connection, ids)
        figures = known_figures(connection, loaded)
        return [_status(site, table, figures) for table in loaded]


def _status(site: Site, loaded: Loaded, figures: Sequence[Any]) -> JsonDict:
    sent, asked = heard(loaded), asked_of(loaded)
    seats = [s for s in loaded.seats if s.status in leagues.PRESENT]
    pending: list[Any] = []
    if loaded.round.status == rounds.FROZEN:
        pending = list(lay_out(loaded, figures).outcome().pending) if loaded.position is not None else []
        held = held_until(loaded, figures, site.now) if loaded.position is not None and not pending else None
        pending += [waits(held)] if held is not None else []
        if loaded.position is None:
            pending = [{"kind": "round", "round": loaded.round.number - 1}]
    found = battles_of(loaded, figures) if loaded.round.status == rounds.FROZEN and loaded.position is not None else {}
    return {
        **_shown(loaded.round),
        **found,
        "received": [s.code for s in seats if s.id in sent],
        "missing": [s.code for s in seats if s.id not in sent and s.code in asked],
        "names": {s.code: s.own_name for s in seats},
        "pending": list(with_days(loaded, pending, closed_days(site))),
    }


def waited_for(site: Site, slug: str, entered: Sequence[Figure]) -> tuple[str, ...]:
    """Where a closed round waits for one of these figures, but of another day than was entered: a sentence each."""
    names, days = {one.figure for one in entered}, {(one.figure, one.day.isoformat()) for one in entered}
    wanted = [(row["round"], *dated) for row in round_status(site, slug) for dated in _figures(row["pending"])]
    return tuple(
        f"round {number} of {slug} waits for {name} of {day}"
        for number, name, day in wanted
        if name in names and (name, day) not in days
    )


def _figures(pending: Any) -> Iterator[tuple[str, str]]:
    """The figures that are waited for, each with its day."""
    return ((item["figure"], item["day"]) for item in pending if item["kind"] == "evidence" and "day" in item)


def battles_of(loaded: Loaded, figures: Sequence[Any]) -> JsonDict:
    """The battles that are due now with the reports that are in, and until when more are waited for."""
    table = lay_out(loaded, figures)
    outcome = table.outcome()
    if not asks(table):
        return {}
    disputed = [(i["country"], i["attempt"]) for i in outcome.pending if i.get("question") == "battle"]
    said = reports(table, outcome)
    battles: list[Json] = [
        {
            **{key: value for key, value in item.items() if key != "kind"},
            "disputed": (item["country"], item["attempt"]) in disputed,
            "reports": [[r.seat, r.winner] for r in said if r.country == item["country"]],
        }
        for item in outcome.pending
        if item["kind"] == "battle"
    ]
    return {"battles": battles, "replies_until": stamp(due(loaded))}


def preview(site: Site, slug: str, lang: str | None, *, reveal: bool) -> JsonDict:
    """What the rules say to the round being evaluated now; provisional, stored nowhere.

    Orders are sealed until the report: they, and what comes of them, are looked at with `reveal` alone, which the
    journal keeps and the report shows (DESIGN: Freeze). Without it a closed round tells what it waits for.
    """
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        found = rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())
        if not found:
            raise match_over(rounds.current(connection, [running.match.id])[running.match.id].number)
        (loaded,) = rounds.load_chunk(connection, [found[0].id])
        figures = known_figures(connection, [loaded])
    if loaded.round.status == rounds.OPEN and not reveal:
        raise Refused(
            f"round {loaded.round.number} of {slug} is open and its orders are sealed; "
            f"--reveal opens them, is written down and shown in the report"
        )
    if reveal:
        reveal_rounds(site, [loaded], "round preview --reveal")
    if loaded.position is None and loaded.round.number > 1:
        raise Refused(f"round {loaded.round.number} of {slug} waits for the round before it")
    table = lay_out(loaded, figures)
    outcome = table.outcome()
    words = say(table.game, lang or loaded.lang, {s.code: s.own_name for s in loaded.seats})
    facts = [event.facts() for event in outcome.events]
    return {
        **_shown(loaded.round),
        "position": table.game.position(outcome.state if reveal else table.state),
        "events": [fact | {"text": words.event(fact)} for fact in facts] if reveal else [],
        "pending": list(with_days(loaded, outcome.pending, closed_days(site))),
        "provisional": bool(outcome.pending),
    }


def reveal_rounds(site: Site, several: Sequence[Loaded], act: str) -> None:
    """Written down in the journal and in each round's own book, so that record and report tell it."""
    for loaded in several:
        with database.write(site.engine) as connection:
            decisions.decide(connection, [Entered(loaded.round.id, REVEALED, {"act": act}, "organizer", site.now)])
            site.write_down(connection, act, league_id=loaded.league_id, round=loaded.round.number)


def list_orders(site: Site, slug: str) -> list[JsonDict]:
    """Who has sent what kind of mail for the rounds that aren't done: revisions and times, never the orders."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug, moved_too=True)
        ids = [r.id for r in rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())]
        found = rounds.load_chunk(connection, ids)
        kept = standing.kept_at(connection, ids)
        proofs = _proofs(connection, found)
    return [
        {
            "round": loaded.round.number,
            "seat": seat.code,
            "name": seat.own_name,
            "standing": _since(kept.get((loaded.round.id, seat.id))),
            "mails": [
                {
                    "revision": s.revision,
                    "phase": s.phase,
                    "received": stamp(s.received_at),
                    "understood": sum(1 for line in s.lines if isinstance(line, Mapping) and "order" in line),
                    "mistakes": sum(1 for line in s.lines if isinstance(line, Mapping) and "order" not in line),
                    "leaf": s.leaf,
                    "proof": proofs.get(s.mail_id or 0),
                }
                for s in loaded.submissions
                if s.seat_id == seat.id
            ],
        }
        for loaded in found
        for seat in loaded.seats
    ]


def _since(kept: Kept | None) -> JsonDict | None:
    return {"since": kept.round, "orders": len(kept.lines)} if kept is not None and kept.lines else None


def _proofs(connection: Connection, found: Sequence[Loaded]) -> dict[int, str]:
    """Mail -> by what its author was believed."""
    ids = [s.mail_id for loaded in found for s in loaded.submissions if s.mail_id is not None]
    judged = mails.verdicts(connection, mail_ids=ids, limit=len(ids)) if ids else ()
    return {one.mail_id: one.proof for one in judged if one.proof}


def show_orders(site: Site, slug: str, name: str, *, reveal: bool) -> list[JsonDict]:
    """A seat's order mails as understood, before the report only with `reveal`, which is written down."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        ids = [r.id for r in rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())]
        if not ids:
            raise match_over(rounds.current(connection, [running.match.id])[running.match.id].number)
        found = rounds.load_chunk(connection, ids)
        kept = standing.kept_at(connection, ids)
    seat = next((s for s in found[0].seats if name.casefold() in (s.code.casefold(), s.own_name.casefold())), None)
    if seat is None:
        raise Refused(
            f"nobody called '{name}' plays in {slug}; there are {', '.join(s.own_name for s in found[0].seats)}"
        )
    if not reveal:
        raise Refused(
            "orders are sealed until the report; --reveal opens them, is written down and shown in the report"
        )
    reveal_rounds(site, found, f"orders show {seat.code} --reveal")
    shown: list[JsonDict] = []
    for loaded in found:
        shown += [_sealed(loaded, seat, s) for s in loaded.submissions if s.seat_id == seat.id]
        held = kept.get((loaded.round.id, seat.id))
        if held is not None and held.lines:
            shown.append(_held(loaded, seat, held))
    return shown


def _sealed(loaded: Loaded, seat: Place, mail: Submission) -> JsonDict:
    return {
        "round": loaded.round.number,
        "seat": seat.code,
        "revision": mail.revision,
        "phase": mail.phase,
        "received": stamp(mail.received_at),
        "standing": False,
        "lines": list(mail.lines),
    }


def _held(loaded: Loaded, seat: Place, kept: Kept) -> JsonDict:
    """What is kept for the round, should nothing of the player's arrive: no mail, so that it has no revision."""
    row: JsonDict = {"round": loaded.round.number, "seat": seat.code, "revision": 0, "phase": 1}
    return {
        **row,
        "received": stamp(kept.received_at),
        "standing": True,
        "since": kept.round,
        "lines": list(kept.lines),
    }


def checked_lines(parsed: Parsed[Any], reader: Any) -> list[Any]:
    """Each line with its status, the order in notation, or the reason."""
    return [
        {
            "line": line.text,
            "status": "understood" if line.order is not None else "mistake",
            "order": reader.notation(line.order) if line.order is not None else None,
            "reason": reader.wording(line.mistake) if line.mistake else None,
            **({"standing": True} if line.standing else {}),
        }
        for line in parsed.lines
    ]


UNTOLD = ("orders", "calendar", "sources", SALT)  # sealed, or longer than a line: so that it can be done again


def journal_of(site: Site, slug: str | None, limit: int) -> list[JsonDict]:
    """The journal's last acts, of one league or of all."""
    with database.read(site.engine) as connection:
        league_id = find_league(connection, slug).id if slug else None
        slugs = {league.id: league.slug for league in leagues.leagues(connection)}
        return [
            {
                "at": stamp(act.at),
                "who": act.who,
                "league": slugs.get(act.league_id) if act.league_id is not None else None,
                "act": act.act,
                "why": act.why,
                "arguments": {key: value for key, value in act.arguments.items() if key not in UNTOLD},
            }
            for act in journal.acts(connection, league_id, limit)
        ]
