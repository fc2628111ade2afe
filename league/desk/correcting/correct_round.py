"""A sealed round turns out to be wrong: a new version of its record, in one transaction (DESIGN: Corrections).

`round reopen` takes what the books say now; `draw correct` and `result enter` (after the fact) change a figure or a
battle's result. What follows for later rounds is `mode`'s word: `recompute` evaluates them again, `from_now` puts the
difference into the current position.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import JsonDict
from league.desk import registry
from league.desk.correcting.correction_mails import correction_mails
from league.desk.leagues.correction_reports import correction_report
from league.desk.leagues.corrections import Correction, Ground, Mend, Plan, Rows, between, changes, make_plan
from league.desk.leagues.public_journal import journal_state
from league.desk.leagues.recompute import game_of
from league.desk.leagues.records import decision_rows, figure_row
from league.desk.leagues.sealing import lock_of
from league.desk.leagues.turns import figures_of, rules_of, week_of
from league.desk.leagues.versions import FROM_NOW, RECOMPUTE, Body, Versions
from league.desk.pages.publish_pages import LOCK_SECONDS
from league.desk.recovery import restored
from league.desk.rounds.resolve_rounds import readings_of
from league.desk.site import Running, Site, find_running
from league.desk.words import say
from league.storage import engine as database
from league.storage import evidence, journal, leagues, outbox, records, rounds
from league.storage.lock import run_lock
from league.storage.records import Start
from league.storage.rounds import Loaded, Round

Mender = Callable[[Connection, "Bench"], Mend]


@dataclass(frozen=True, slots=True)
class Act:
    """What the organizer wants: which act, why, what becomes of later rounds (empty: the usual), for real or not."""

    name: str
    why: str
    mode: str = ""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """The round on the bench, with what lies around it."""

    running: Running
    loaded: Loaded
    body: Body  # of its newest record
    board: str


@dataclass(frozen=True, slots=True)
class Following:
    """The round into whose position a difference goes; `over`: none comes any more, and it is the final position."""

    number: int
    is_open: bool
    over: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did, or would do. `left`: what could not be put right any more, and why.

    `position` is what it changes in the position with which round `next_round` starts.
    """

    round: int
    version: int
    mode: str
    changes: tuple[JsonDict, ...]
    next_round: int
    next_open: bool
    position: tuple[JsonDict, ...]
    left: tuple[JsonDict, ...] = ()
    again: tuple[int, ...] = ()
    done: bool = True
    already: bool = False  # this very act was done before, and isn't done twice
    over: bool = False  # the match is: `position` is what changes in the final one

    def facts(self) -> JsonDict:
        """For programs."""
        return {
            "round": self.round,
            "version": self.version,
            "mode": self.mode,
            "changes": list(self.changes),
            "again": list(self.again),
            "next_round": self.next_round,
            "next_closed": not self.next_open,
            "position": list(self.position),
            "not_applied": list(self.left),
            "done": self.done,
            "already": self.already,
            "over": self.over,
        }


class _Undone(Exception):  # no error: it takes a transaction back that was only to be looked at
    """What would have been done, or was done before."""

    def __init__(self, found: Corrected) -> None:
        super().__init__()
        self.found = found


@contextmanager
def _at_work(site: Site, act: Act) -> Iterator[Connection]:
    """One transaction under the run lock."""
    with (
        run_lock(site.path, f"league {act.name} of {site.who}", LOCK_SECONDS, site.engine),
        database.write(site.engine, "correct") as connection,
    ):
        yield connection


def correct(site: Site, slug: str, number: int, act: Act, mender: Mender) -> Corrected:
    """Seal the round's next version; `mender` says what goes in the place of what it was given, and stores that."""
    if not act.why.strip():
        raise BadInput("say why with --why: it stands in the record, on the page and in the mail to everyone")
    site.open_words(act.why)
    try:
        with _at_work(site, act) as connection:
            found = _correct(site, connection, find_running(site, connection, slug), number, act, mender)
            if act.dry_run:
                raise _Undone(found)  # noqa: TRY301  # nothing of it is to stay
            return found
    except _Undone as looked:
        return looked.found


def _correct(site: Site, connection: Connection, running: Running, number: int, act: Act, mender: Mender) -> Corrected:
    if running.match.slug in restored.unsure(connection):
        raise Refused(f"{running.league.slug} was restored from a backup: {restored.UNKNOWN}")
    all_rounds = rounds.rounds(connection, running.match.id)
    chosen = sealed_round(running.league.slug, all_rounds, number)
    following = _following(all_rounds)
    versions = Versions.of(records.chain(connection, running.match.id))
    (loaded,) = rounds.load_chunk(connection, [chosen.id])
    bench = Bench(running, loaded, versions.newest[number].body, registry.board_of(loaded.sources))
    mode = _mode(all_rounds, number, act, following)
    correction = Correction(act.name, act.why, site.now, mode)
    mend = mender(connection, bench)
    before = done_before(connection, bench, versions, act, mend.told)
    if before is not None:
        raise _Undone(before)
    start = records.position(connection, running.match.id, following.number)
    last = following.number - 1 if mode == RECOMPUTE else number
    ground = Ground(
        running.match.id,
        versions,
        following.number,
        start.body if start else versions.newest[following.number - 1].body["position"],
        bench.board,
        _rows(connection, [r for r in all_rounds if number <= r.number <= last]),
        journal_state(connection, running.league.id, running.league.game, site.key, site.now),
        lock_of(site, connection, loaded),
    )
    plan = make_plan(ground, number, mend, correction)
    if following.over:
        _stays_over(ground, plan)
    found = _told(ground, plan, number, mode, following, done=not act.dry_run)
    _store(connection, plan, all_rounds, start)
    told: JsonDict = {**mend.told, "round": number, "version": found.version, "mode": mode, "again": list(found.again)}
    site.write_down(connection, act.name, act.why, running.league.id, next_round=following.number, **told)
    _tell(site, connection, bench, versions.with_more(plan.sealed), found)
    return found


def done_before(
    connection: Connection, bench: Bench, versions: Versions, act: Act, told: Mapping[str, Any]
) -> Corrected | None:
    """What this very act did, if it was the last to seal something: typed again after a crash, it isn't done twice."""
    number, newest = bench.loaded.round.number, versions.newest[bench.loaded.round.number]
    all_rounds = rounds.rounds(connection, bench.running.match.id)
    following = _following(all_rounds)
    told = {**told, "round": number, "mode": _mode(all_rounds, number, act, following)}
    done = [one for one in journal.of_act(connection, act.name) if one.league_id == bench.running.league.id]
    same = done and done[-1].why == act.why and all(done[-1].arguments.get(key) == told[key] for key in told)
    report = correction_report(versions, newest, bench.board)
    if not same or report is None or versions.chain[-1].body.get("correction") != newest.body["correction"]:
        return None
    return Corrected(
        round=number,
        version=report.version,
        mode=newest.body["correction"]["mode"],
        changes=tuple(dict(change) for change in report.changes),
        next_round=following.number,
        next_open=following.is_open,
        position=tuple(dict(change) for change in report.applied or report.position),
        left=tuple(dict(change) for change in report.left),
        again=report.again,
        already=True,
        over=following.over,
    )


def _following(all_rounds: Sequence[Round]) -> Following:
    """Where the position goes that a correction comes to."""
    found = next((r for r in all_rounds if r.status != rounds.RESOLVED), None)
    if found is None:
        return Following(all_rounds[-1].number + 1, is_open=False, over=True)
    return Following(found.number, found.status == rounds.OPEN)


def _stays_over(ground: Ground, plan: Plan) -> None:
    """`Refused` where a finished match would go on: everybody's orders were opened with its end, so none could.

    Not where the match was over because its last round was: then any position may be the last.
    """
    final, first = plan.starts[ground.next_round], ground.versions.newest[ground.next_round - 1].body
    game = game_of(first, ground.board)
    if game.phase(game.restore(ground.start)) is not None:
        return
    if game.phase(game.restore(final)) is not None:
        raise Refused(
            f"with that the match would not be over after round {ground.next_round - 1}, and it can't go on: with its "
            f"end all orders were opened. Its result stands as it is; say so to the players"
        ).named("would_go_on", round=ground.next_round - 1)


def sealed_round(slug: str, all_rounds: Sequence[Round], number: int) -> Round:
    """The round of this number; `Refused` with what to do where its report isn't out."""
    chosen = next((r for r in all_rounds if r.number == number), None)
    if chosen is None:
        raise Refused(f"{slug} has no round {number}; the newest is {all_rounds[-1].number}")
    if chosen.status == rounds.OPEN:
        raise Refused(f"round {number} of {slug} is open: nothing of it is sealed, so there is nothing to correct")
    if chosen.status == rounds.FROZEN:
        raise Refused(
            f"round {number} of {slug} isn't sealed yet, so nothing has to be reopened: a figure that stands wrongly "
            f"is put right with league draw correct, a result with league result enter; league round hold {slug} "
            f"keeps it from going out meanwhile"
        )
    return chosen


def _mode(all_rounds: Sequence[Round], number: int, act: Act, following: Following) -> str:
    """What becomes of later rounds; while nothing is built on this one, the open round's start is replaced.

    Of a match that is over all is evaluated again: no round starts from a position that a difference could go into.
    """
    if following.over and act.mode == FROM_NOW:
        raise Refused(
            f"the match is over since round {following.number - 1}: no round starts from a position into which the "
            f"difference could go. Correct it without --from-now; the rounds behind it are evaluated again"
        )
    if following.over:
        return RECOMPUTE
    return act.mode or FROM_NOW if _is_built_on(all_rounds, number) else RECOMPUTE


def _is_built_on(all_rounds: Sequence[Round], number: int) -> bool:
    """Whether the orders of the round after it are closed."""
    return any(r.number == number + 1 and r.status in (rounds.FROZEN, rounds.RESOLVED) for r in all_rounds)


def _rows(connection: Connection, later: Sequence[Round]) -> dict[int, Rows]:
    """The figures that the books have for each of these rounds."""
    found: dict[int, Rows] = {}
    ids = [r.id for r in later]
    for loaded in (one for some in database.batches(ids) for one in rounds.load_chunk(connection, some)):
        known = evidence.known(connection, *week_of(loaded))
        said = readings_of(connection, [loaded])
        found[loaded.round.number] = [figure_row(figure, said) for figure in figures_of(loaded, known)]
    return found


def _told(ground: Ground, plan: Plan, number: int, mode: str, following: Following, *, done: bool) -> Corrected:
    old, new = plan.bodies[number]
    after = plan.starts[ground.next_round]
    return Corrected(
        round=number,
        version=new["version"],
        mode=mode,
        changes=changes(old, new, ground.board),
        next_round=ground.next_round,
        next_open=following.is_open,
        position=between(new, ground.start, after, ground.board),
        left=tuple(plan.adjusted["not_applied"]) if plan.adjusted else (),
        again=tuple(n for n in sorted(plan.bodies) if n != number),
        done=done,
        over=following.over,
    )


def _store(connection: Connection, plan: Plan, all_rounds: Sequence[Round], start: Start | None) -> None:
    records.store_records(connection, plan.sealed)
    by_number = {r.number: r for r in all_rounds}
    for number, (old, _) in plan.bodies.items():
        if not rounds.correct(connection, by_number[number].id, from_version=int(old["version"])):
            raise Refused(f"round {number} is being corrected by another command; look at what it did, then try again")
    match_id = plan.sealed[0].match_id
    for number, body in plan.starts.items():
        before = (
            start if start is not None and start.round == number else records.position(connection, match_id, number)
        )
        version = before.version + 1 if before else 1
        records.store_positions(connection, [Start(match_id, number, version, body)])


def _tell(site: Site, connection: Connection, bench: Bench, versions: Versions, found: Corrected) -> None:
    slug = bench.running.league.slug
    touched = sorted({found.round, *found.again, *(() if found.over else (found.next_round,))})
    leagues.mark_unpublished(connection, (slug, *(f"{slug}/{n}" for n in touched)), token_hex(8))
    outbox.queue(connection, list(correction_mails(site, connection, bench.loaded, versions, found.next_round)))


# ------------------------------------------------------------------ round reopen


def reopen(site: Site, slug: str, number: int, act: Act) -> Corrected:
    """The round as the books and the program have it now: with figures that were corrected for another league, say."""
    return correct(site, slug, number, act, _as_booked)


def _as_booked(connection: Connection, bench: Bench) -> Mend:
    known = evidence.known(connection, *week_of(bench.loaded))
    said = readings_of(connection, [bench.loaded])
    stands: dict[str, Mapping[str, Any]] = {
        figure.figure: figure_row(figure, said) for figure in figures_of(bench.loaded, known)
    }
    rows = [
        row if _same(row, stands[row["figure"]]) else stands[row["figure"]]
        for row in bench.body["evidence"]
        if row["figure"] in stands
    ]
    return Mend(rows, told_decisions(bench.loaded))


def told_decisions(loaded: Loaded) -> Rows:
    """The decisions in force, as records have them."""
    return [dict(row) for row in decision_rows(loaded.decisions) if isinstance(row, Mapping)]


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("day", "value"))


def worded(site: Site, slug: str, found: Corrected, lang: str | None) -> JsonDict:
    """For programs and people: each change with its sentence in the language."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        newest = rounds.rounds(connection, running.match.id)[-1]
        (loaded,) = rounds.load_chunk(connection, [newest.id])
    words = say(rules_of(loaded), lang or loaded.lang, {s.code: s.own_name for s in loaded.seats})
    told = found.facts()
    for part, changed in (("changes", found.changes), ("position", found.position)):
        told[part] = [{**change, "text": words.change(change)} for change in changed]
    told["not_applied"] = [
        {**change, "text": f"{words.change(change)} – {words.kept(str(change['why']))}"} for change in found.left
    ]
    return told
