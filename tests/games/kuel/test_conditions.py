"""Conditional orders, an option of the league: `if X is free take X else take Y` (chapter 11)."""

import random  # noqa: TID251  # seeded: the same leagues in every run
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.game import Outcome, Turn
from league.core.orders import Decision, Fate, Mistake, OrderMail
from league.desk import registry
from league.desk.play.adjudicate import _turn
from league.games.kuel.orders import Attack, Condition, Devastate, Leave, Move, Pass, Take
from league.games.kuel.reader import make_reader
from league.games.kuel.state import problems
from league.language.conditions import Conditional
from tests.naive.kuel import COUNTRIES
from tests.naive.leagues import leagues


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(f"config/kuel/{name}.toml").read_text(encoding="utf-8"))


READER = make_reader(_table("board"), _table("keywords"), conditions=True)
NAMES = {"anna": "Anna", "ben": "Ben van der Berg"}
FREE = Condition("free", "spain")
SAME = Conditional(FREE, Take("spain"), Take("france"))
BEN = Condition("owned", "austria", "ben")
READ: list[tuple[Conditional[Condition, Any], list[str]]] = [
    (
        SAME,
        [
            "if Spain is free take Spain else take France",
            "If Spain is unoccupied, then take Spain, otherwise take Paris.",
            "wenn Spanien frei ist, nimm Spanien, sonst nimm Frankreich",
            "falls Madrid unbesetzt ist dann nimm Madrid ansonsten besetze Paris",
            "als Spanje vrij is neem Spanje anders neem Frankrijk",
            "if Spain is free take Spain\nelse take France",
        ],
    ),
    (Conditional(FREE, Take("spain")), ["if Spain is free take Spain", "indien Spanje vrij is dan neem Spanje"]),
    (
        Conditional(BEN, Attack("austria"), Pass()),
        [
            "if Vienna belongs to Ben van der Berg attack Vienna else pass",
            "if ben owns Vienna then attack Vienna else pass",
            "wenn Wien Ben van der Berg gehört greife Wien an sonst passe",
            "als Wenen van Ben van der Berg is val Wenen aan anders pas",
        ],
    ),
    (
        Conditional(Condition("mine", "spain"), Devastate("spain"), Leave("france")),
        [
            "if Spain is mine devastate Spain else leave France",
            "if I own Spain devastate Spain else leave France",
            "wenn Spanien mir gehoert verwüste Spanien sonst verlasse Frankreich",
            "als Spanje van mij is verwoest Spanje anders verlaat Frankrijk",
        ],
    ),
    (
        Conditional(Condition("devastated", "austria"), Take("czech_republic")),
        [
            "if Vienna is devastated take Prague",
            "wenn Wien verwüstet ist nimm Prag",
            "als Wenen verwoest is neem Praag",
        ],
    ),
    (
        Conditional(Condition("civil_war", "spain"), Take("spain")),
        [
            "if Spain is in civil war take Spain",
            "wenn in Spanien Bürgerkrieg herrscht nimm Spanien",
            "als in Spanje burgeroorlog is neem Spanje",
        ],
    ),
    (
        Conditional(Condition("points", points=20), Take("spain")),
        [
            "if I have at least 20 points take Spain",
            "wenn ich mindestens 20 Punkte habe nimm Spanien",
            "als ik minstens 20 punten heb neem Spanje",
        ],
    ),
]


@pytest.mark.parametrize(("order", "text"), [(order, text) for order, texts in READ for text in texts])
def test_conditions_are_read_in_three_languages(order: Conditional[Condition, Any], text: str) -> None:
    """Each condition in German, English and Dutch, with and without the small words."""
    parsed = READER.parse(text, NAMES)
    assert parsed.orders == (order,)
    assert parsed.replaces


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("if Spain is nice take Spain", "condition_unclear"),
        ("if Spain is free bid 3 on Spain", "condition_order"),
        ("if Spain is free join Spain", "condition_order"),
        ("if Spain is free take Atlantis", "unknown_country"),
        ("if Spain is free if Paris is mine take Spain", "conditional"),
        ("if Spain is free do not take Spain", "negated"),
        ("if Spain is free take Spain else take Paris else take Vienna", "condition_unclear"),
        ("if Spain is free take Spain?", "question"),
        ("if I have 1.000 points take Spain", "condition_unclear"),
        ("take Spain if it is free", "conditional"),
        ("take Spain else take Paris", "conditional"),
    ],
)
def test_what_is_no_clear_condition_is_never_carried_out(text: str, reason: str) -> None:
    """Every other line with a condition is a mistake with its reason."""
    (line,) = READER.parse(text, NAMES).lines
    assert isinstance(line.mistake, Mistake)
    assert line.mistake.reason == reason


def test_a_long_line_with_a_clear_condition_is_never_passed_over() -> None:
    """However many words it has: whoever writes a condition means to order something."""
    text = "if I have at least 20 points please bid 1 on Yugoslavia for me, else devastate Portugal as we said"
    (line,) = READER.parse(text, NAMES).lines
    assert line.mistake is not None
    assert line.mistake.reason in ("condition_order", "extra_words")


def test_talk_that_begins_with_if_is_no_order() -> None:
    """A sentence to the organizer stays one."""
    assert READER.parse("if you want, please write to me, if not, well", NAMES).lines == ()


def test_a_league_without_conditions_refuses_them() -> None:
    """With the option off, as it is unless chosen, the line is answered as before."""
    game = registry.load("kuel", {})
    (line,) = game.parse(None, "anna", "if Spain is free take Spain else take France", NAMES).lines
    assert line.mistake is not None
    assert line.mistake.reason == "conditional"


COUNTRY = st.sampled_from(COUNTRIES)
MOVE = st.one_of(*(st.builds(kind, COUNTRY) for kind in (Take, Attack, Leave, Devastate)), st.just(Pass()))
CONDITION = st.one_of(
    st.builds(Condition, st.sampled_from(["free", "mine", "devastated", "civil_war"]), COUNTRY),
    st.builds(Condition, st.just("owned"), COUNTRY, st.sampled_from(["anna", "ben"])),
    st.builds(Condition, st.just("points"), points=st.integers(0, 10**6)),
)


@given(st.builds(Conditional, CONDITION, MOVE, st.none() | MOVE))
def test_notation_is_read_back(order: Conditional[Condition, Move]) -> None:
    """What is written into records is what was meant; there seats go by their ids."""
    assert READER.parse(READER.notation(order), {"anna": "anna", "ben": "ben"}).orders == (order,)


JUMBLE = ("if", "else", "then", "Spain", "is", "free", "take", "mine", "Ben", "20", "points", "I", "have", ",", "pass")


@given(st.lists(st.sampled_from(JUMBLE)))
def test_nothing_written_breaks_the_reader(words: list[str]) -> None:
    """Any jumble of the words is an order that can be written back, a mistake, or talk."""
    for line in READER.parse(" ".join(words), NAMES).lines:
        assert (line.order is None) != (line.mistake is None)


# ---- at the order's own place -----------------------------------------------------------------------------------

OPTIONS = {"conditions": "on"}


def play(
    owns: dict[str, tuple[int, list[str]]],
    orders: dict[str, str],
    results: dict[str, str] | None = None,
    markers: dict[str, Any] | None = None,
) -> tuple[Outcome[Any], dict[str, tuple[Fate | None, str]]]:
    """What becomes of the orders, by seat."""
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, OPTIONS))
    players: Any = {seat: {"score": score, "owns": countries} for seat, (score, countries) in owns.items()}
    state = game.restore({"round": 3, "players": players, "markers": markers or {}, "newcomers": []})
    names = {seat: seat for seat in owns}
    mails = tuple(OrderMail(seat, game.parse(state, seat, text, names)) for seat, text in orders.items())
    said = tuple(Decision("result", {"country": c, "winner": w}) for c, w in (results or {}).items())
    outcome = game.adjudicate(state, Turn(mails=mails, decisions=said))
    fates = zip(mails, outcome.fates, strict=True)
    return outcome, {mail.seat: (fate.own.fate, fate.own.reason) for mail, fate in fates}


PLACES = {"Anna": (1, ["spain", "italy"]), "Ben": (5, ["belgium", "greece"]), "Carla": (9, ["germany", "poland"])}


def test_the_other_order_counts_where_somebody_was_faster() -> None:
    """Anna takes France first; Ben finds it taken and has his second wish. Without a condition they would fight."""
    orders = {"Anna": "take France", "Ben": "if France is free take France else take Netherlands"}
    outcome, fates = play(PLACES, orders)
    assert fates == {"Anna": (Fate.DONE, "done"), "Ben": (Fate.DONE, "done")}
    assert (outcome.state.owner["france"], outcome.state.owner["netherlands"]) == ("Anna", "Ben")
    _, plain = play(PLACES, {**orders, "Ben": "take France"})
    assert set(plain.values()) == {(None, "waits_battle")}


def test_a_contest_opened_by_a_condition_has_later_members() -> None:
    """Ben's place comes before Carla's, who names the same country without a condition: they fight (K23, K24)."""
    orders = {"Carla": "take France", "Ben": "if France is free take France"}
    outcome, fates = play(PLACES, orders)
    assert set(fates.values()) == {(None, "waits_battle")}
    assert [item["fighters"] for item in outcome.pending if item["kind"] == "battle"] == [["Ben", "Carla"]]


def test_no_country_is_contested_twice() -> None:
    """Anna has taken France; Carla's condition sends her against it, which fails (K22)."""
    orders = {"Anna": "take France", "Carla": "if France belongs to Anna attack France"}
    _, fates = play(PLACES, orders)
    assert fates["Carla"] == (Fate.FAILED, "contested")


def test_without_an_order_to_choose_it_lapses() -> None:
    """No else, and the condition is false; the figures are needed all the same (K44)."""
    outcome, fates = play(PLACES, {"Carla": "if France is mine leave France"})
    assert fates["Carla"] == (Fate.LAPSED, "condition_false")
    assert {item["figure"] for item in outcome.pending} == {"dax_close", "lotto"}


@pytest.mark.parametrize(
    ("winner", "fate"), [("Anna", (Fate.DONE, "done")), ("Carla", (Fate.LAPSED, "condition_false")), (None, None)]
)
def test_a_condition_waits_for_an_open_battle(winner: str | None, fate: Any) -> None:
    """Whether Germany is Anna's hangs on her battle for it; Ben's order comes after it (K34)."""
    places = {**PLACES, "Anna": (1, ["france", "italy"])}
    orders = {"Anna": "attack Germany", "Ben": "if Germany belongs to Anna take Netherlands"}
    _, fates = play(places, orders, {"germany": winner} if winner else None)
    assert fates["Ben"] == (fate or (None, "waits_battle"))


@pytest.mark.parametrize(
    ("condition", "chosen"),
    [
        ("Austria is devastated", True),
        ("Denmark is devastated", False),
        ("Denmark is in civil war", True),
        ("I have at least 9 points", True),
        ("I have at least 10 points", False),
        ("Germany is mine", True),
        ("Germany belongs to Ben", False),
        ("Spain belongs to Anna", True),
    ],
)
def test_every_condition_is_judged_by_the_position(condition: str, chosen: bool) -> None:
    """Markers, points and owners as they are at the order's place."""
    markers = {"austria": {"devastation": 2}, "denmark": {"civil_war": True}}
    order = f"if {condition} take Czech Republic else take Slovakia"
    outcome, _ = play(PLACES, {"Carla": order}, markers=markers)
    assert outcome.state.owner.get("czech_republic" if chosen else "slovakia") == "Carla"


def ruled(text: str, position: dict[str, Any], seat: str = "Carla") -> tuple[Any, ...]:
    """What becomes of one order in a position: fate, reason, rule and facts."""
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, OPTIONS))
    state = game.restore(position)
    mail = OrderMail(seat, game.parse(state, seat, text, {"Carla": "Carla", "Nora": "Nora"}))
    own = game.adjudicate(state, Turn(mails=(mail,))).fates[0].own
    return own.fate, own.reason, own.rule, dict(own.facts)


HERE: dict[str, Any] = {
    "round": 3,
    "players": {"Carla": {"score": 9, "owns": ["germany", "poland"]}},
    "newcomers": ["Nora"],
}


def test_a_choice_says_under_which_rule_it_was_made() -> None:
    """A pass chosen is a pass (K14), nothing to choose is the chapter's own, and each says so."""
    assert ruled("if Germany is mine pass else take Denmark", HERE) == (Fate.DONE, "pass", "K14", {})
    assert ruled("if Germany is free take Denmark", HERE) == (Fate.LAPSED, "condition_false", "11", {})
    assert ruled("if Germany is mine leave Germany", HERE) == (Fate.DONE, "done", "K40", {})


def test_a_second_contest_says_of_which_country() -> None:
    """The refusal of K22 names the country."""
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, OPTIONS))
    players: Any = {
        "Anna": {"score": 1, "owns": ["spain", "italy"]},
        "Carla": {"score": 9, "owns": ["germany", "poland"]},
    }
    state = game.restore({"round": 3, "players": players})
    texts = {"Anna": "take France", "Carla": "if France belongs to Anna attack France"}
    mails = tuple(OrderMail(seat, game.parse(state, seat, text, {"Anna": "Anna"})) for seat, text in texts.items())
    own = game.adjudicate(state, Turn(mails=mails)).fates[1].own
    assert (own.reason, own.rule, dict(own.facts)) == ("contested", "K22", {"country": "france"})


def test_a_newcomer_has_no_points() -> None:
    """Who isn't in the game yet has at least 0 points and not 1; what he chooses is no newcomer's order (K35)."""
    assert ruled("if I have at least 0 points take Denmark", HERE, "Nora")[1] == "newcomer_move"
    assert ruled("if I have at least 1 points take Denmark", HERE, "Nora")[1] == "condition_false"


def with_conditions(seed: int) -> Any:
    """Rounds of a random league in which some orders are conditional."""
    dice = random.Random(seed)
    for document in list(leagues(seed, rounds=1 + seed % 5))[2::3]:
        options = {**document.get("options", {}), **OPTIONS, "battles": "reported"}
        game: Any = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))
        state = game.restore(document["position"])
        turn = _turn({**document, "options": options, "results": []}, game, state)
        mails = []
        for mail in turn.mails:
            if mail.seat in turn.left:
                continue
            if dice.random() < 0.5 and mail.seat in state.scores:
                near = [n for c in state.owned(mail.seat) for n in game.board.neighbours[c]]
                one, two, about = (dice.choice([*near, *near, *COUNTRIES]) for _ in range(3))
                kind = dice.choice(["is free", "is mine", f"belongs to {dice.choice(list(state.scores))}"])
                verb = dice.choice(["take", "attack"])
                line = f"if {dice.choice([one, about])} {kind} {verb} {one} else attack {two}".replace("_", " ")
                parsed = game.parse(state, mail.seat, line, {seat: seat for seat in state.scores})
                mails.append(replace(mail, parsed=parsed))
            else:
                mails.append(mail)
        yield game, state, replace(turn, mails=tuple(mails), decisions=(), over=False), dice


@pytest.mark.parametrize("seed", range(20))
def test_open_battles_stay_exact(seed: int) -> None:
    """Result by result no fate that was told is taken back, and the end breaks no invariant (K34)."""
    for game, state, start, dice in with_conditions(seed):
        turn = start
        outcome = game.adjudicate(state, turn)
        for _ in range(40):
            battles = [item for item in outcome.pending if item["kind"] == "battle"]
            if not battles:
                break
            item = battles[0]
            facts = {key: item[key] for key in ("country", "attempt")} | {"winner": dice.choice(item["fighters"])}
            turn = replace(turn, decisions=(*turn.decisions, Decision("result", facts)))
            later = game.adjudicate(state, turn)
            for before, after in zip(outcome.fates, later.fates, strict=True):
                told = zip((before.own, *before.lines), (after.own, *after.lines), strict=True)
                assert all(one.fate is None or one.fate == two.fate for one, two in told)
            outcome = later
        assert not any(item["kind"] == "battle" for item in outcome.pending)
        assert problems(game.board, outcome.state) == []


BROKEN = [
    "If Ben attacks me:\ndevastate Dublin",
    "If Ben attacks me:\n\ndevastate Dublin",
    "unless Ben takes it,\ntake London",
    "If Great Britain is free and nobody else wants it this week, then please\ntake Great Britain",
    "falls noch jemand will\nnimm London",
    "Vielleicht auch:\nnimm London",
    "als niemand anders het wil,\nneem Londen",
]


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("conditions", [True, False])
def test_a_condition_on_the_line_above_is_never_dropped(text: str, *, conditions: bool) -> None:
    """An order under half a sentence that makes it uncertain is asked about and not carried out (chapter 11)."""
    reader = make_reader(_table("board"), _table("keywords"), conditions=conditions)
    parsed = reader.parse(text, NAMES)
    assert parsed.orders == ()
    assert [line.mistake.reason for line in parsed.lines if line.mistake][-1] == "conditional"


@pytest.mark.parametrize(
    "text",
    [
        "Wenn Paris mir gehört,\nnimm Spanien,\nsonst nimm Italien",
        "if Paris is mine\n take Spain\nelse\n take Italy",
        "if Paris is mine take Spain else\ntake Italy",
    ],
)
def test_a_condition_over_several_lines(text: str) -> None:
    """Where the league has conditions the lines are read as one order; where it hasn't, none of them counts."""
    mine = Conditional(Condition("mine", "france"), Take("spain"), Take("italy"))
    assert READER.parse(text, NAMES).orders == (mine,)
    assert make_reader(_table("board"), _table("keywords")).parse(text, NAMES).orders == ()


@pytest.mark.parametrize(
    "text",
    [
        "If you are in Berlin, call me.\ntake London",
        "if Spain is free take Atlantis else take Sweden\ntake London",
        "Hi all, if only I had time!\ntake London",
        "When shall we meet?\ntake London",
    ],
)
def test_a_sentence_of_its_own_leaves_the_order_alone(text: str) -> None:
    """Talk that ends, or a line that was itself answered, casts no doubt on the next one."""
    assert READER.parse(text, NAMES).orders == (Take("great_britain"),)
