"""Every record of a league: whether it makes sense, follows from those before it, and comes out as it says."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from json import loads

from league import __version__
from league.core.game import Meta
from league.desk import registry
from league.desk.leagues.recompute import RESULTS, differences, first_start, game_of, other_tables, readjust, recompute
from league.desk.proof.verify_calendar import Season
from league.desk.proof.verify_early import early_faults
from league.desk.proof.verify_files import Read
from league.desk.proof.verify_journal import acts_of
from league.desk.proof.verify_told import Told
from league.records.audit import (
    ADJUSTMENT,
    ROUND,
    Body,
    Course,
    Fault,
    Found,
    Link,
    figure_faults,
    freeze_faults,
    same_match,
    sealed_faults,
)
from league.records.canonical import canonical
from league.records.sealed import is_sealed
from league.records.sense import named_right, round_sense, strange, version_of

MOST_BOARD = 400_000
LATE, REVEALED = "late", "revealed"


def check_records(told: Told, chain: Sequence[Link], read: Read, progress: Callable[[int], None]) -> None:
    """Each record by itself, behind those before it, and evaluated again."""
    opening, course, board = chain[0].body, Course(), board_in(read)
    newest = max(map(_tool, chain), key=version_of)
    told.match, told.records = str(opening.get("match")), len(chain)
    told.league = told.league or str(opening.get("league"))
    if opening.get("league") != told.league:
        told.fault(
            Fault(
                "chain", chain[0].file, "league", f"it is {opening.get('league')!r}, in the folder of {told.league!r}"
            )
        )
    season = Season(opening.get("calendar", {}), acts_of(read.journal) or (), _meta(opening))
    for link in chain:
        told.found("chain", link, partial(named_right, link))
        told.found("chain", link, partial(_known, told, link, _tool(link) or newest))
        told.found("chain", link, partial(same_match, link.body, opening))
        told.found("positions", link, partial(course.follow, link))
        if link.kind == ROUND:
            _check_round(told, link, season, board)
        elif link.kind == ADJUSTMENT:
            told.looked("rounds")
            told.found("rounds", link, partial(_readjusted, course, link, board))
        progress(1)
    told.rounds = len(course.versions)
    told.looked("positions", told.rounds)


def _check_round(told: Told, link: Link, season: Season, board: str) -> None:
    told.looked("freezes")
    if is_sealed(link.body):
        told.found("freezes", link, partial(sealed_faults, link.body))
        told.found("rounds", link, partial(_kept_sealed, told, link, board))
    else:
        told.found("freezes", link, partial(freeze_faults, link.body))
        told.looked("rounds")
        told.found("rounds", link, partial(_replayed, told, link, board))
    told.found("rounds", link, partial(figure_faults, link.body))
    told.found("rounds", link, partial(round_sense, link.body))
    told.found("freezes", link, partial(early_faults, link.body, board))
    told.found("rounds", link, partial(season.faults, link, partial(_kind, link, board)))
    told.found("rounds", link, partial(_worth_a_look, told, link))


def _kind(link: Link, board: str) -> str:
    """What the round asked for."""
    game = game_of(link.body, board)
    phase = game.phase(game.restore(link.body["start"]))
    return phase.kind if phase is not None else ""


def _tool(link: Link) -> str:
    """What the program that made a record calls itself; of records without rules nothing."""
    rules = link.body.get("rules")
    return str(rules.get("tool", "")) if isinstance(rules, Mapping) else ""


def _meta(opening: Body) -> Meta | None:
    """What the league's game says of itself; None for one that isn't installed, which its rounds tell."""
    game = str(opening.get("game"))
    return registry.plugin(game).meta if game in registry.slugs() else None


def _known(told: Told, link: Link, tool: str) -> Found:
    """What a record has that none of this version has: of a newer program it is told, of none it is a fault."""
    for name in strange(link.body):
        if version_of(tool) > version_of(__version__):
            told.note(
                "unknown_field", f"{link.file}: this program doesn't know {name[:80]}; {tool[:40]} made it", link.round
            )
        else:
            yield name.partition("=")[0], f"no record of {tool[:40]} has {name[:80]}"


def board_in(read: Read) -> str:
    """The league's own board, as published."""
    return (read.board or b"")[:MOST_BOARD].decode(errors="replace")


def _replayed(told: Told, link: Link, board: str) -> Found:
    """The round evaluated again; where the tables are others than ours, that is said as well."""
    body, made = link.body, recompute(link.body, board)
    wrong = [(name, made[name]) for name in ("start", *RESULTS) if made[name] != body[name]]
    others = other_tables(body, board)
    for name, value in wrong:
        place, what = next(differences(body[name], value, name), (name, "it comes out otherwise"))
        yield (
            place,
            what
            + (
                f"; this program's tables aren't those that the record names ({body['rules']['tool']})"
                if others
                else ""
            ),
        )
    if others and not wrong:
        told.note(
            "other_tables", "it names other tables than this program's; with these it comes out the same", link.round
        )
    if link.round == 1 and body["version"] == 1 and loads(canonical(first_start(body, board))) != body["start"]:
        yield "start", "the rules don't begin a match like this"


def _kept_sealed(told: Told, link: Link, board: str) -> Found:
    """A round whose orders nobody may see yet: of a game that says so, and while the match goes on."""
    game = game_of(link.body, board)
    state = game.restore(link.body["position"])
    table = loads(canonical([[p.rank, p.seat, p.points] for p in game.score(state)]))
    if table != link.body["standings"]:
        yield next(differences(link.body["standings"], table, "standings"), ("standings", "it isn't the position's"))
    if not game.meta.open_at_end:
        yield "sealed", "a game of this kind keeps nothing sealed once a round has its report"
    elif game.phase(state) is None:
        yield "sealed", "the match is over, and its orders aren't opened"
    else:
        told.not_known("sealed_until_end", "its orders are sealed until the end of the match", link.round)


def _readjusted(course: Course, link: Link, board: str) -> Found:
    """The difference that a correction put into a position, worked out again."""
    wrong, right, since = course.corrected(link)
    made = readjust(link.body, wrong.body, right.body, since, board)
    for name in made:
        if made[name] != link.body[name]:
            yield next(differences(link.body[name], made[name], name), (name, "it comes out otherwise"))


def _worth_a_look(told: Told, link: Link) -> Found:
    """What holds, and what a player may want to look at all the same; no fault."""
    body = link.body
    kinds = {row["kind"] for row in body["decisions"]}
    if body["freeze"]["late"]:
        told.note("frozen_late", "orders were closed after the figures were known", link.round)
    if REVEALED in kinds:
        told.note("revealed", "the organizer looked at sealed orders before the report", link.round)
    if body.get("correction"):
        told.note("corrected", f"version {body.get('version')} supersedes what was published before", link.round)
    for row in body["evidence"]:
        if row["status"] in {"manual", "single"}:
            told.note(str(row["status"]), f"{str(row['figure'])[:40]} stands as {row['status']}", link.round)
    return iter(())
