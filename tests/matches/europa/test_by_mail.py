"""A whole match of six by mail, a phase a week: bots write, `league run` does the rest, and everything is checked."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import Refused
from league.core.evidence import Evidence
from league.desk import registry
from league.desk.acts.change_seats import retire, substitute
from league.desk.acts.new_league import new_league
from league.desk.acts.steer_round import extend
from league.desk.correcting.correct_figure import FigureCorrected, correct_figures
from league.desk.correcting.correct_round import Act, reopen
from league.desk.figures.enter_figure import Entry, enter_figures, show_figures
from league.desk.leagues.silence import silent
from league.desk.overview.status import site_status, told
from league.desk.people.players import NewPlayer, add_players, missed_rounds
from league.desk.proof.verify import verify
from league.desk.rebuild import rebuild
from league.desk.run.resolve_one import resolve_one
from league.games.europa.bots import diplomat_orders, random_orders
from league.games.europa.game import Europa
from league.games.europa.state import END, State
from league.randomness.dice import Dice
from league.records.sealed import read_kept
from league.storage import engine as database
from tests.desk.phases import tellings
from tests.desk.signed import alone
from tests.desk.sites import (
    LANGS,
    NAMES,
    Out,
    address,
    copy,
    drop,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    run,
    sealed,
)
from tests.desk.weeks import utc

SLUG, FIRST = "union", date(2024, 1, 4)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
LATE = "SELECT received_at FROM mail JOIN verdict ON mail.id = mail_id WHERE verdict = 'late'"
SHORT = 8  # letters: "PEACE 3" may stand anywhere by chance
MOST = 30  # weeks
Body = dict[str, Any]


@dataclass
class Union:
    """The league in its site, and where the week stands."""

    path: Path
    thursday: date = FIRST
    mails: int = 0
    phases: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    seen: set[object] = field(default_factory=set)

    @classmethod
    def begin(cls, path: Path) -> "Union":
        made = cls(make_site(path, utc(FIRST - 4 * DAY, 9)))
        site = opened(path, utc(FIRST - 4 * DAY, 9))
        new_league(site, SLUG, game="europa", start=FIRST, lang="de")
        add_players(site, SLUG, [NewPlayer(name, address(name), LANGS[i % 3]) for i, name in enumerate(NAMES)])
        site.engine.dispose()
        return made

    @property
    def game(self) -> Europa:
        found = registry.load("europa", {})
        assert isinstance(found, Europa)
        return found

    def state(self) -> State | None:
        """The position that everybody knows; none before the seats are drawn."""
        found = rows(self.path, "SELECT body FROM position WHERE round > 1 ORDER BY round DESC LIMIT 1")
        return self.game.restore(json.loads(found[0]["body"])) if found else None

    def post(self, name: str, text: str, moment: datetime) -> None:
        self.mails += 1
        raw = letter(name, text, subject=f"{SLUG} {self.mails}", message_id=f"<{SLUG}.{self.mails}@example.org>")
        drop(self.path, raw, moment, f"{self.mails:05d}.eml")

    def week(self) -> None:
        """Orders on Wednesday, the freeze, one mail between, the draw on Saturday, the report."""
        state = self.state()
        self.phases.append(state.phase if state is not None else "START")
        for place, name in enumerate(NAMES if state is not None else ()):
            assert state is not None
            self.post(name, self.orders(state, place), utc(self.thursday - DAY, 10, place))
        mail_run(self.path, utc(self.thursday + DAY))
        saturday = self.thursday + 2 * DAY
        self.post("Finn", "PEACE 1\n", utc(saturday, 9))
        run(self.path, utc(saturday, 9, 30))
        self.leaks += leaks(self.path, self.seen)
        day, week = saturday.isoformat(), len(self.phases)
        site = opened(self.path, utc(saturday, 20))
        draw = [1 + (number * 7 + week * 11) % 49 for number in range(6)]
        enter_figures(site, SLUG, Entry({"lotto": " ".join(map(str, draw)), "lotto_day": day}, "paper", "test"))
        site.engine.dispose()
        run(self.path, utc(saturday, 21))
        self.leaks += leaks(self.path, self.seen)
        self.thursday += WEEK

    def orders(self, state: State, place: int) -> str:
        dice = Dice.of(SLUG, len(self.phases), Evidence("simulated", date(2023, 1, 1), NAMES[place]))
        bot = diplomat_orders if place % 2 else random_orders
        return bot(self.game, state, f"s{place + 1}", dice, LANGS[place % 3]) or "FINAL\n"


def secrets(path: Path) -> Iterator[tuple[str, str]]:
    """Of each seat what must not be read yet: its lines in the open round, and what records keep sealed."""
    for row in rows(path, "SELECT seat.code, lines FROM submission JOIN seat ON seat.id = seat_id"):
        yield from ((row["code"], said) for line in json.loads(row["lines"]) for said in shown(str(line["text"])))
    for part in (part for one in sealed(path) if one.secret for part in read_kept(one.secret)):
        yield part.seat, part.salt
        yield from ((part.seat, said) for row in part.value for line in row.get("orders", ()) for said in shown(line))


def shown(line: str) -> tuple[str, ...]:
    """A line in every form in which it could be read; a short one in any language may stand anywhere by chance."""
    return tellings(line) if len(line) > SHORT else (line,)


def leaks(path: Path, seen: set[object]) -> list[str]:
    """Whole lines of a seat that stand in a published file or in somebody else's mail, whatever they are wrapped in.

    `seen` is what was searched before: nothing in it can hold a line that came later.
    """
    if rows(path, "SELECT 1 FROM record WHERE kind = 'unsealed'"):
        return []  # everything may be read now
    own: dict[str, set[str]] = {}
    for seat, line in secrets(path):
        own.setdefault(" ".join(line.split()), set()).add(seat)
    wanted = {line: seats for line, seats in own.items() if len(line) > SHORT}
    found = []
    for name, content in public(path).items():
        if (name, content) not in seen:
            text = " ".join(unescape(content.decode(errors="replace")).split())
            found += [f"{line} in {name}" for line in wanted if line in text]
        seen.add((name, content))
    for out in outbox(path):
        if out.raw not in seen:
            mine = [line for line, seats in own.items() if out.to in {address(NAMES[int(s[1:]) - 1]) for s in seats}]
            found += [f"{line} in {out.kind} to {out.to}" for line in told_to(out, wanted) if not covered(line, mine)]
        seen.add(out.raw)
    return found


def told_to(out: Out, wanted: Iterable[str]) -> list[str]:
    """The lines that the mail's text tells, however they are broken."""
    text = " ".join(out.text.split())
    return [line for line in wanted if line in text]


def covered(line: str, mine: Sequence[str]) -> bool:
    """Whether the reader's own orders say the same, or begin so."""
    return any(line in own for own in mine)


def told_rounds(union: Union) -> list[Body]:
    """The records of its rounds."""
    found: list[Body] = [json.loads(one.body) for one in sealed(union.path)]
    return [body for body in found if body["kind"] == "round"]


@pytest.fixture(scope="module")
def union(tmp_path_factory: pytest.TempPathFactory) -> Union:
    made = Union.begin(tmp_path_factory.mktemp("union") / "site")
    while rows(made.path, "SELECT 1 FROM record WHERE kind = 'unsealed'") == []:
        made.week()
        assert len(made.phases) < MOST
    return made


def test_a_match_is_played_to_its_end(union: Union) -> None:
    """Four epochs, every kind of phase, and a winner; each round opens with the report of the one before."""
    assert union.phases[:4] == ["START", "PLACE1", "PLACE2", "VOTE"]
    assert union.phases.count("PEACE") == 2
    last = union.state()
    assert last is not None
    assert last.phase == END
    bodies = told_rounds(union)
    assert [body["round"] for body in bodies] == list(range(1, len(union.phases) + 1))
    assert "won" in {event["type"] for event in bodies[-1]["events"]}
    assert rows(union.path, "SELECT DISTINCT status FROM round") == [{"status": "resolved"}]


def test_nothing_sealed_is_read_before_the_end(union: Union) -> None:
    """Searched twice a week, before and after the report: no line of orders but in its own seat's mails."""
    assert union.leaks == []


def test_the_search_finds_a_leak(union: Union) -> None:
    """What the first receipt tells its own player would be found if it were told to another."""
    first = outbox(union.path, "receipt")[0]
    seat = f"s{1 + [address(name) for name in NAMES].index(first.to)}"
    lines = {" ".join(line.split()) for own, line in secrets(union.path) if own == seat}
    told = told_to(first, {line for line in lines if len(line) > SHORT})
    assert told
    assert not any(covered(line, ["PEACE 1"]) for line in told)


def test_everything_holds_afterwards(union: Union) -> None:
    """Both verifiers recompute the match from its pages, opened orders and all."""
    found = verify(str(union.path))
    assert found.holds, [one.faults[:3] for one in found.all]
    (one,) = found.leagues
    assert (one.rounds, one.unknown) == (len(union.phases), [])
    answer = alone(union.path / "public")
    assert answer.returncode == 0, answer.stdout


def test_a_mail_between_is_answered(union: Union) -> None:
    """While a round is evaluated none is open: the answer says when the next one opens, and nothing is used."""
    late = outbox(union.path, "late")
    waits = sum(bool(body["evidence"]) for body in told_rounds(union))
    said = [" ".join(out.text.split()) for out in late]
    assert ["volgende ronde gaat open met het verslag" in text for text in said] == [True] * waits + [False]
    assert "De partij is afgelopen" in said[-1]
    assert waits > 3
    times = {row["received_at"] for row in rows(union.path, "SELECT received_at FROM submission")}
    assert not times & {row["received_at"] for row in rows(union.path, LATE)}


def test_when_it_is_over(union: Union) -> None:
    """Orders and press are answered, commands refused, the status says so, and no round comes any more."""
    now = utc(union.thursday, 12)
    union.post("Anna", "PLACE germany 2\n", now - timedelta(hours=2))
    union.post("Ben", "press to all: well played\n", now - timedelta(hours=1))
    before = public(union.path)["union/manifest"]
    run(union.path, now)
    assert "Die Partie ist zu Ende" in outbox(union.path, "late", "anna")[-1].text
    assert "The match is over" in outbox(union.path, "commands", "ben")[-1].text
    assert outbox(union.path, "press") == []
    for after in (WEEK, 2 * WEEK, 3 * WEEK):
        run(union.path, now + after)
    assert public(union.path)["union/manifest"] == before
    assert rows(union.path, "SELECT max(number) AS n FROM round")[0]["n"] == len(union.phases)
    site = opened(union.path, now + 3 * WEEK)
    shown: Any = told(site, site_status(site), "en")
    (row,) = shown["leagues"]
    assert (row["status"], row["deadline"], row["next"]) == ("ended", None, [])
    with pytest.raises(Refused, match=f"the match is over since round {len(union.phases)}"):
        extend(site, SLUG, hours=4, why="more time")
    with pytest.raises(Refused, match="the match is over"):
        resolve_one(site, SLUG, over=False, why="")
    assert show_figures(site, SLUG)[0] == len(union.phases)
    for number in (1, len(union.phases)):
        with pytest.raises(Refused, match="comes out as it was sealed, to the letter"):
            reopen(site, SLUG, number, Act("round reopen", "a look"))
    for act in (retire, partial(substitute, player=NewPlayer("Gero", address("Gero")))):
        with pytest.raises(Refused, match=f"the match is over since round {len(union.phases)}"):
            act(site, SLUG, "Anna", why="too late")
    with database.read(site.engine) as connection:
        assert silent(connection) == []
    site.engine.dispose()
    assert "Die Partie ist zu Ende" in public(union.path)["union/index.html"].decode()


def put_right(path: Path, moment: datetime, day: str, lotto: str, **how: Any) -> FigureCorrected:
    """The organizer's word on a draw, once the match is over."""
    site = opened(path, moment)
    try:
        entry = Entry({"lotto": lotto, "lotto_day": day}, "paper", "test")
        return correct_figures(site, SLUG, entry, Act("draw correct", "a misprint", **how))
    finally:
        site.engine.dispose()


def test_a_wrong_draw_is_put_right_after_the_end(union: Union, tmp_path: Path) -> None:
    """All rounds behind it are evaluated again, the result with them, everybody is told, and all of it holds."""
    path, now = copy(union.path, tmp_path / "site"), utc(union.thursday + 4 * WEEK, 12)
    third = next(body for body in told_rounds(union) if begins(body, 3))
    with pytest.raises(Refused, match="no round starts from a position into which the difference could go"):
        put_right(path, now, third["evidence"][0]["day"], "6 14 22 30 38 46", mode="from_now")
    seen = put_right(path, now, third["evidence"][0]["day"], "6 14 22 30 38 46", dry_run=True).sealed
    done = put_right(path, now, third["evidence"][0]["day"], "6 14 22 30 38 46").sealed
    assert seen is not None
    assert done is not None
    assert (done.over, done.mode, done.position) == (True, "recompute", seen.position)
    assert done.again == tuple(range(third["round"] + 1, len(union.phases) + 1))
    run(path, now + timedelta(hours=1))
    report = " ".join(outbox(path, "report", "ben")[-1].text.split())
    assert "The match is over; with that this is its result." in report
    assert "victory points:" in report
    assert "players/" not in report
    found = verify(str(path))
    assert found.holds, [one.faults[:3] for one in found.all]
    assert alone(path / "public").returncode == 0
    assert rows(path, "SELECT max(number) AS n FROM round")[0]["n"] == len(union.phases)
    made = rebuild(tmp_path / "new", copy(path, tmp_path / "copied"), now + DAY)
    assert (made.troubles, made.is_same) == ((), True), made.matches


def begins(body: Body, epoch: int) -> bool:
    """Whether the round's report begins this epoch."""
    return any(event["type"] == "epoch_began" and event["epoch"] == epoch for event in body["events"])


def test_a_match_that_would_go_on_stands(union: Union, tmp_path: Path) -> None:
    """Its orders are open, so nobody could play on: it is refused with the reason, and nothing of it stays."""
    path, now = copy(union.path, tmp_path / "site"), utc(union.thursday + 4 * WEEK, 12)
    day = next(body for body in told_rounds(union) if begins(body, 3))["evidence"][0]["day"]
    with pytest.raises(Refused, match="the match would not be over after round"):
        put_right(path, now, day, "16 24 32 40 48 7", dry_run=True)
    assert [one.sha256 for one in sealed(path)] == [one.sha256 for one in sealed(union.path)]


def test_a_report_that_comes_late_moves_the_next_deadline(tmp_path: Path) -> None:
    """Everybody has a day at least; the journal says why, and the calendar holds."""
    union = Union.begin(tmp_path / "site")
    mail_run(union.path, utc(FIRST + DAY))
    thursday = utc(FIRST + WEEK, 9)
    site = opened(union.path, thursday)
    draw = {"lotto": "3 11 17 20 24 43", "lotto_day": (FIRST + 2 * DAY).isoformat()}
    enter_figures(site, SLUG, Entry(draw, "paper", "test"))
    site.engine.dispose()
    mail_run(union.path, thursday)
    (row,) = rows(union.path, "SELECT number, opens_at, deadline_at FROM round WHERE status = 'open'")
    assert (row["number"], row["opens_at"][:16]) == (2, f"{thursday:%Y-%m-%dT%H:%M}")
    assert row["deadline_at"][:16] == f"{utc(FIRST + 2 * WEEK, 23):%Y-%m-%dT%H:%M}"
    acts = rows(union.path, "SELECT why FROM journal WHERE act = 'deadline moved'")
    assert acts == [{"why": "the report came late"}]
    for name in NAMES:
        union.post(name, "PLACE germany 1\n", utc(FIRST + 2 * WEEK, 10))
    run(union.path, utc(FIRST + 2 * WEEK + DAY))
    assert verify(str(union.path)).holds


def test_who_is_not_asked_is_not_reminded(tmp_path: Path) -> None:
    """The start asks nobody; a placement asks everybody."""
    union = Union.begin(tmp_path / "site")
    mail_run(union.path, utc(FIRST, 12))
    assert outbox(union.path, "remind") == []
    site = opened(union.path, utc(FIRST, 12))
    shown: Any = told(site, site_status(site), "en")
    assert shown["leagues"][0]["seats"] == []
    site.engine.dispose()
    union.week()
    mail_run(union.path, utc(union.thursday, 12))
    assert [out.to for out in outbox(union.path, "remind")] == [address(name) for name in NAMES]


def test_the_match_is_built_anew_from_its_mails(union: Union, tmp_path: Path) -> None:
    """Every record to the byte, those that were sealed until the end included."""
    done = rebuild(tmp_path / "new", copy(union.path, tmp_path / "copied"), utc(union.thursday + WEEK))
    assert done.troubles == ()
    assert done.is_same, done.matches
    assert done.matches[0].records == len(sealed(union.path))


def test_silence_counts_only_where_orders_were_asked_for(tmp_path: Path) -> None:
    """Two placements without a word are two rounds missed; the start, which asks nobody, is none."""
    union = Union.begin(tmp_path / "site")
    union.week()
    for missed in (0, 1, 2):
        now = utc(union.thursday + (missed - 1) * WEEK + (DAY if missed else 3 * DAY), 1)
        mail_run(union.path, now)
        site = opened(union.path, now)
        assert missed_rounds(site, SLUG) == ({f"s{n}": missed for n in range(1, 7)} if missed else {})
        site.engine.dispose()
