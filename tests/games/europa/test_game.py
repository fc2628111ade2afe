"""What the shell asks of EUROPA beside adjudication: the start, who is asked, leaving, words, the view."""

import ast
from dataclasses import fields
from inspect import getmembers, isclass
from pathlib import Path
from typing import Any

import pytest

from league import i18n
from league.core.errors import BadInput
from league.core.events import Event
from league.core.game import Ask, Seat, Turn
from league.core.orders import Fate, Rehearsed
from league.core.standings import Place
from league.core.view import Arrow
from league.desk.words import say
from league.games.europa import events
from league.games.europa.state import State
from tests.games.europa.tables import GAME, dice, europa, mail, position

ROOT = Path(__file__).parents[3]
SEATS = tuple(Seat(f"s{n}", f"Player {n}") for n in range(1, 5))
VOTERS = {name: {"political": 60 - 10 * place} for place, name in enumerate(("Anna", "Ben", "Carla"))}


def state(**changes: Any) -> State:
    return GAME.restore(position(**changes))


def test_the_start_waits_for_a_draw() -> None:
    """Without dice there are newcomers, nobody is asked, and the deadline waits for the lottery (8.7)."""
    start = GAME.setup(SEATS)
    phase = GAME.phase(start)
    assert phase is not None
    assert (phase.kind, phase.asks) == ("START", ())
    outcome = GAME.adjudicate(start, Turn())
    assert outcome.pending == ({"kind": "evidence", "figure": "lotto"},)
    assert outcome.state == start
    begun = GAME.adjudicate(start, Turn(dice=dice("start"))).state
    assert (begun.round, begun.epoch, begun.phase) == (2, 1, "PLACE1")


def test_with_dice_the_first_epoch_begins_at_once() -> None:
    """A set-up that is given dice opens with the first placement, which is its first deadline."""
    begun = GAME.setup(SEATS, dice("start"))
    assert (begun.round, begun.phase) == (1, "PLACE1")
    assert sorted(begun.players) == [seat.id for seat in SEATS]


def test_who_comes_before_the_start_plays() -> None:
    """Seats that joined since sit down with the others; once the match has begun nobody can (R1)."""
    start = GAME.setup(SEATS[:2])
    begun = GAME.adjudicate(start, Turn(dice=dice("join"), joined=("s3", "s2"))).state
    assert sorted(begun.players) == ["s1", "s2", "s3"]
    late = GAME.adjudicate(begun, Turn(joined=("s4",))).state
    assert (sorted(late.players), late.newcomers) == (["s1", "s2", "s3"], ("s4",))


def test_only_those_are_asked_who_can_do_something() -> None:
    """Who has pawns to give or to place, and who has pawns where the group votes, in turn order (8.1)."""
    players = {**position()["players"], "Ben": {"political": 9}}
    phase = GAME.phase(state(players=players))
    assert phase is not None
    assert [(ask.seat, ask.facts["pawns"]) for ask in phase.asks] == [("Anna", 3), ("Carla", 2)]
    voting = state(phase="VOTE1", players=VOTERS, board={"france": {"Ben": 1}})
    phase = GAME.phase(voting)
    assert phase is not None
    facts: dict[str, Any] = {"epoch": 1, "phase": "VOTE1", "group": ("germany", "france"), "own": ("france",)}
    assert phase.asks == (Ask("Ben", "orders", facts),)
    after = GAME.phase(voting, Turn())
    assert after is not None
    assert after.asks == ()
    assert GAME.phase(state(phase="END", players=VOTERS)) is None


def test_a_phase_without_anybody_to_ask_is_passed_over() -> None:
    """With one pawn each there is no second wave: the vote follows the first (8.1)."""
    players = {name: {"political": 10, "pawns": 1} for name in ("Anna", "Ben", "Carla")}
    after = GAME.adjudicate(state(players=players), Turn()).state
    assert after.name == "VOTE1"


@pytest.mark.parametrize(("elections", "group"), [(1, 2), (2, 4), (5, 4), (0, 5)])
def test_a_group_ends_with_the_last_country_that_holds_pawns(elections: int, group: int) -> None:
    """Up to the k-th country with pawns, those between included; 0 means all that is ahead (8.1)."""
    track = ["germany", "france", "italy", "austria", "norway"]
    voting = state(phase="VOTE1", players=VOTERS, track=track, board={"france": {"Ben": 1}, "austria": {"Anna": 1}})
    phase = europa(elections_per_mail=elections).phase(voting)
    assert phase is not None
    assert phase.asks[0].facts["group"] == tuple(track[:group])


def test_who_gives_up_is_played_on_by_the_defaults() -> None:
    """One of three leaves: the party stays, isn't asked any more, and its pawns are placed (8.9, M9)."""
    outcome = GAME.adjudicate(state(), Turn(left=("Ben",)))
    assert outcome.state.players["Ben"].left
    assert outcome.state.players["Ben"].pawns == 2
    phase = GAME.phase(outcome.state)
    assert phase is not None
    assert [ask.seat for ask in phase.asks] == ["Anna", "Carla"]


def test_the_last_who_stays_has_won() -> None:
    """All but one have given up: the match is over, and that one is first, whatever the points (8.9)."""
    players = {
        "Anna": {"political": 90, "victory": 9},
        "Ben": {"political": 50, "victory": 8},
        "Carla": {"political": 10},
    }
    before = state(players={**players, "Ben": {**players["Ben"], "left": True}})
    outcome = GAME.adjudicate(before, Turn(left=("Anna",), mails=(mail("Carla", "PLACE germany 1"),)))
    assert [event.type() for event in outcome.events] == ["player_left", "given_up", "final_level", "compared"]
    assert GAME.phase(outcome.state) is None
    assert [place.seat for place in GAME.score(outcome.state) if place.rank == 1] == ["Carla"]
    assert outcome.fates[0].lines[0].reason == "match_over"
    assert GAME.restore(GAME.position(outcome.state)) == outcome.state
    everybody = GAME.adjudicate(before, Turn(left=("Anna", "Carla")))
    assert GAME.phase(everybody.state) is None
    assert [place.seat for place in GAME.score(everybody.state) if place.rank == 1] == ["Anna"]


def test_the_table_breaks_ties_by_political_points() -> None:
    """Victory points, then political points; who is alike in both shares the rank (R57)."""
    players = {
        "Anna": {"political": 30, "victory": 5},
        "Ben": {"political": 40, "victory": 5},
        "Carla": {"political": 40, "victory": 5},
        "Dirk": {"political": 99, "victory": 4},
    }
    assert GAME.score(state(players=players)) == (
        Place(1, "Ben", 5),
        Place(1, "Carla", 5),
        Place(3, "Anna", 5),
        Place(4, "Dirk", 4),
    )


def test_what_hangs_on_the_draw_waits_as_a_whole() -> None:
    """A tie for the reward needs dice: the commitments are told, every order waits, and the position stays."""
    players = {name: {"political": 40, "pawns": 4} for name in ("Anna", "Ben", "Carla")}
    before = state(epoch=3, phase="PEACE", tension=["poland"], track=["poland"], players=players)
    mails = (mail("Anna", "PEACE 1"), mail("Ben", "PEACE 1\nPEACE x"))
    outcome = GAME.adjudicate(before, Turn(mails=mails))
    assert outcome.pending
    assert outcome.state == before
    assert [event.type() for event in outcome.events] == ["committed", "peace_made"]
    assert [ruling.fate for fate in outcome.fates for ruling in fate.lines] == [None, None, Fate.INVALID]


EVIDENCE: list[tuple[dict[str, Any], str]] = [
    ({"dax_close": "1"}, "no key 'dax_close'"),
    ({"lotto": [1, 2, 3, 4, 5], "lotto_day": "2024-01-06"}, "six different numbers"),
    ({"lotto": "1 2 3 4 5 5", "lotto_day": "2024-01-06"}, "six different numbers"),
    ({"lotto": "1 2 3 4 5 6"}, "lotto_day is missing"),
    ({"lotto": "1 2 3 4 5 6", "lotto_day": "soon"}, "a day like 2024-01-06"),
    ({"lotto": "1 2 3 4 5 6", "lotto_day": "2024-01-05"}, "a Friday; numbers are drawn on Wednesdays and Saturdays"),
]


@pytest.mark.parametrize(("table", "fault"), EVIDENCE, ids=[fault for _, fault in EVIDENCE])
def test_a_draw_that_is_none_is_refused(table: dict[str, Any], fault: str) -> None:
    """The message says which key is wrong and what would be right."""
    with pytest.raises(BadInput, match=fault):
        GAME.read_evidence(table)


def test_a_draw_is_read_and_explained() -> None:
    """The numbers in the order drawn, of a Wednesday or Saturday."""
    (read,) = GAME.read_evidence({"lotto": "49, 2 17;4 8 31", "lotto_day": "2024-01-03"})
    assert (read.figure, read.value, read.day.isoformat()) == ("lotto", "49 2 17 4 8 31", "2024-01-03")
    assert GAME.read_evidence({}) == ()
    told = GAME.explain({"friday": "2024-01-05", "saturday": "2024-01-06", "lotto": "1 2 3 4 5 6"})
    assert told == {"friday": "2024-01-05", "steps": ["numbers|1 2 3 4 5 6|2024-01-06"]}
    with pytest.raises(BadInput, match="lotto is empty"):
        GAME.explain({"friday": "2024-01-05"})


def test_things_have_names_in_every_language() -> None:
    """Countries, parties and overlays; anything else is called what it is."""
    assert [GAME.label("great_britain", lang) for lang in i18n.LANGS] == [
        "Großbritannien",
        "Great Britain",
        "Groot-Brittannië",
    ]
    assert GAME.label("purple", "de") == "Violett"
    assert GAME.label("aegean", "nl") == "Griekenland en Turkije"
    assert GAME.label("s1", "en") == "s1"


def test_the_view_shows_the_map_before_and_after() -> None:
    """Members, markers, pawns and what changed; a moved pawn is an arrow; points have their items."""
    before = state(
        epoch=3,
        phase="VOTE1",
        players=VOTERS,
        members=["greece"],
        track=["albania", "macedonia"],
        tension=["albania"],
        board={"albania": {"Anna": 5}},
    )
    orders = mail("Anna", "ELECTION albania: PROPOSE ME; MOVE macedonia")
    outcome = GAME.adjudicate(before, Turn(mails=(orders,)))
    seen = GAME.view(before, outcome, "Ben")
    assert seen == GAME.view(before, outcome, "Ben")
    assert seen.before is not None
    assert seen.after is not None
    regions = {region.id: region for region in seen.before.regions}
    assert (regions["albania"].markers, dict(regions["albania"].counts)) == (("tension",), {"Anna": 5})
    regions = {region.id: region for region in seen.after.regions}
    assert (regions["albania"].markers, regions["albania"].changed) == (("member",), True)
    assert not regions["greece"].changed
    assert seen.after.arrows == (Arrow("Anna", "albania", "macedonia", "move", done=True),)
    assert seen.items["Anna"] == ({"item": "shared", "points": 1, "rule": "R35"},)
    assert (seen.extra["level"], seen.extra["quality"], seen.extra["phase"]) == (0, "exceptional", "VOTE")
    hidden = GAME.view(state(), None, None).before
    assert hidden is not None
    assert {region.id for region in hidden.regions if "hidden" in region.markers} == set(GAME.board.available(4)) - set(
        GAME.board.available(1)
    )


def test_the_view_tells_the_track_with_its_results() -> None:
    """Numbers, values and needs of the epoch's elections, and how those of this deadline ended; nothing of an order."""
    before = state(epoch=1, phase="VOTE1", players=VOTERS, track=["france", "italy"], board={"france": {"Anna": 5}})
    orders = mail("Anna", "ELECTION france: PROPOSE ME; YES ME")
    seen = GAME.view(before, GAME.adjudicate(before, Turn(mails=(orders,))), None)
    tracks: Any = seen.extra["tracks"]
    assert [(row["number"], row["country"], row["result"], row["is_new"]) for row in tracks[0]["elections"]] == [
        (1, "france", "won", True),
        (2, "italy", "", False),
    ]
    assert (tracks[0]["elections"][0]["value"], tracks[0]["elections"][0]["need"]) == (30, 3)
    assert set(seen.columns) == {"political", "pawns"}
    assert seen.before is not None
    assert {region.id: region.sign for region in seen.before.regions if region.sign} == {"france": "1", "italy": "2"}


def told(text: str, **changes: Any) -> list[Rehearsed]:
    return list(GAME.rehearse(state(**changes), "Anna", [mail("Anna", text)]))


def test_a_rehearsal_says_what_is_certain() -> None:
    """Plain placements alone are certain; a commitment is cut; a plan hangs on who leads, a ballot on a pawn."""
    (plain,) = told("PLACE germany 2, spain 1")
    assert (plain.certain, plain.ruling.facts) == (True, {"pawns": 2})
    first, second = told("PLACE IF italy < 1 THEN germany 1\nPLACE france 1")
    assert [hinge.code for hinge in (*first.hinges, *second.hinges)] == ["if_condition", "if_condition"]
    (late,) = told("PLACE spain 1")
    assert late.ruling.reason == "nothing_placed"
    peace, plan, ready = told("PEACE 9\nPLAN poland\nFINAL", epoch=3, phase="PEACE", tension=["poland"], track=[])
    assert (peace.certain, peace.ruling.reason, peace.ruling.facts) == (False, "committed_cut", {"pawns": 6})
    assert ([hinge.code for hinge in plan.hinges], ready.ruling.reason) == (["if_leader"], "ready")
    text = "ELECTION germany: STAY\nELECTION france: STAY\nELECTION DEFAULT: STAY"
    board = {"germany": {"Anna": 1}, "italy": {"Ben": 1}}
    ballots = told(text, phase="VOTE1", players=VOTERS, board=board)
    assert [ballot.ruling.reason for ballot in ballots] == ["ballot", "ballot_used", "ballot_used"]
    assert [len(ballot.hinges) for ballot in ballots] == [0, 1, 1]
    assert not any(told.certain or told.ruling.fate for told in (peace, ready, *ballots))
    assert GAME.rehearse(state(), "Dirk", [mail("Dirk", "FINAL")]) == ()


def reasons() -> set[str]:
    """Every code that a ruling or mistake of the package can have: the words in the calls that make one."""
    found: set[str] = set()
    for file in sorted((ROOT / "league/games/europa").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = {"wrong": 0, "Mistake": 0, "Ruling": 1}.get(node.func.id)
            if place is not None and len(node.args) > place:
                words = [part.value for part in ast.walk(node.args[place]) if isinstance(part, ast.Constant)]
                found |= {str(word) for word in words if word}
    return found


@pytest.mark.parametrize("lang", i18n.LANGS)
def test_every_reason_has_a_sentence(lang: str) -> None:
    """Whatever a ruling or a mistake says, it is worded in every language."""
    codes = reasons() | {"nothing_placed", "nothing_left", "superseded_line", "replaced", "press_empty"}
    assert len(codes) > 35
    words = say(GAME, lang).words("reasons")
    assert sorted(code for code in codes if not hasattr(words, code)) == []


def test_the_document_lists_every_event_with_its_facts() -> None:
    """docs/games/europa.md has a row for each event, and its facts are those that the event has."""
    text = (ROOT / "docs/games/europa.md").read_text(encoding="utf-8")
    for _, kind in getmembers(events, isclass):
        if issubclass(kind, Event) and kind is not Event:
            facts = ", ".join(f"`{f.name}`" for f in fields(kind) if f.name != "rule")  # type: ignore[arg-type]
            assert f"| `{kind.type()}` | {facts} |" in text
