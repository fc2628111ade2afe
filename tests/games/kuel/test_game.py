"""What the shell asks of KUEL beside adjudication: the start, who is asked for what, words, the view."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from league.core.errors import BadInput
from league.core.evidence import Evidence
from league.core.game import Ask, Phase, Seat, Turn
from league.core.json import JsonDict
from league.core.orders import Decision, Fate, OrderMail
from league.core.standings import Place
from league.core.view import Arrow, Region
from league.desk import registry
from league.games.kuel.adjudicate import _last_agreed
from league.games.kuel.orders import Bid, Give, MapChoice, Rematch, Result, Settings, Take
from league.games.kuel.score import gains
from league.games.kuel.state import State

SEATS = tuple(Seat(f"s{n}", f"Player {n}") for n in range(1, 9))
WEEK = {
    "friday": "2024-01-12",
    "dax_close": "16705.40",
    "dax_day": "2024-01-12",
    "eurusd": "1.1",
    "saturday": "2024-01-13",
    "lotto": "3 9 17 25 31 44",
}


def game(**options: Any) -> Any:
    return registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))


def mail(seat: str, text: str, state: State) -> OrderMail[Any]:
    return OrderMail(seat, game().parse(state, seat, text, {"a": "Anna"}))


# ------------------------------------------------------------------ start and phases


def test_a_league_starts_with_newcomers() -> None:
    """Nobody owns anything in round 1, and the seats are newcomers in their order (K39)."""
    assert game().setup(SEATS, None) == State(1, {}, {}, newcomers=tuple(seat.id for seat in SEATS))


def test_a_league_may_start_on_the_board() -> None:
    """The first seats stand on the board's start list with no points; who finds no place there is a newcomer (K39)."""
    rules = game(start="board")
    state = rules.setup(SEATS, None)
    assert state.round == 1
    assert len(rules.board.start) == 6
    assert list(state.owner.items()) == list(zip(rules.board.start, ["s1", "s2", "s3", "s4", "s5", "s6"], strict=True))
    assert state.scores == dict.fromkeys(["s1", "s2", "s3", "s4", "s5", "s6"], 0)
    assert state.newcomers == ("s7", "s8")
    assert rules.setup(SEATS[:2], None).scores == {"s1": 0, "s2": 0}


FIGHT = State(5, {"b": 1, "a": 0}, {"germany": "b", "poland": "b", "france": "a"}, newcomers=("n",))
ATTACK = Turn(mails=(OrderMail("a", game().parse(FIGHT, "a", "attack Germany")),))


def test_orders_are_asked_of_everyone() -> None:
    """Before the deadline players and newcomers owe orders."""
    assert game().phase(FIGHT) == Phase("orders", (Ask("a", "orders"), Ask("b", "orders"), Ask("n", "orders")))


def test_a_result_is_asked_of_each_fighter() -> None:
    """After it each fighter of a battle that can be fought owes a result, and is told who fights where (K33, K34)."""
    facts: JsonDict = {"country": "germany", "fighters": ["a", "b"], "attempt": 1}
    assert game().phase(FIGHT, ATTACK) == Phase("battles", (Ask("a", "result", facts), Ask("b", "result", facts)))


def test_nobody_is_asked_where_nothing_is_reported() -> None:
    """In a league with drawn battles, or without a battle, the round is being evaluated and nobody owes anything."""
    assert game(battles="drawn").phase(FIGHT, ATTACK) == Phase("evaluation", ())
    assert game().phase(FIGHT, Turn()) == Phase("evaluation", ())


def test_a_figure_is_no_ask() -> None:
    """What the round waits for besides battles is asked of no player."""
    turn = Turn(mails=(OrderMail("a", game().parse(FIGHT, "a", "take Belgium")),))
    assert [need["kind"] for need in game().adjudicate(FIGHT, turn).pending] == ["evidence", "evidence"]
    assert game().phase(FIGHT, turn) == Phase("evaluation", ())


def test_what_counts_of_a_round_s_mails() -> None:
    """Of each line: nothing if it counts, else why not (K12)."""
    texts = [("a", "take Belgium\ntake Atlantis\ntake Spain"), ("b", "leave Poland"), ("a", "pass\nresult France won")]
    rows = game().counts(FIGHT, [mail(seat, text, FIGHT) for seat, text in texts])
    told = [[None if ruling is None else (ruling.fate, ruling.reason) for ruling in row] for row in rows]
    replaced, invalid = (Fate.LAPSED, "replaced"), (Fate.INVALID, "unknown_country")
    assert told == [[replaced, invalid, replaced], [None], [None, None]]


def test_replies_and_reports() -> None:
    """Results, rematches, terms and gives count after the freeze; of these a result alone is a battle's report."""
    replies = (Result("spain", "won"), Rematch("spain"), MapChoice("spain", "italy"), Settings("spain", "slow"))
    assert all(game().is_reply(order) for order in (*replies, Give("spain")))
    assert not any(game().is_reply(order) for order in (Take("spain"), Bid("spain", 1)))
    assert [game().is_report(order) for order in replies] == [True, False, False, False]


def test_a_month_nobody_is_left_in_begins_anew() -> None:
    """With nobody left at the month's end there are no points to begin from, and that is a table too (K80)."""
    state = State(5, {"a": 1}, {"spain": "a"}, month_start={"a": 1})
    outcome = game(award="gained").adjudicate(state, Turn(left=("a",), ends=date(2024, 1, 27)))
    assert outcome.state.month_start == {}
    assert outcome.state.scores == {}


def test_the_draw_goes_before_the_deadline() -> None:
    """A draw of February makes the round one of February, though its deadline was in January's last week (K80)."""
    zone = ZoneInfo("Europe/Berlin")
    week = registry.plugin("kuel").meta.week
    window = week.window(week.last_day_of_week(date(2024, 1, 27)), zone, timedelta(0))
    told = []
    for evidence in ((), (Evidence("lotto", date(2024, 2, 3), "3 9 17 25 31 48"),)):
        events = game().adjudicate(FIGHT, Turn(window=window, evidence=evidence)).events
        told.append([event.facts().get("month") for event in events if event.type() == "month_leader"])
    assert told == [["2024-01"], []]


RESULT = {"country": "germany", "winner": "a", "attempt": 1}


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([RESULT | {"country": "atlantis"}], "results: no country 'atlantis'"),
        ([RESULT | {"attempt": 3}], "results: attempt is 3 for germany; 1 or 2 is needed (K32)"),
        ([RESULT, RESULT | {"winner": "b"}], "results: germany (attempt 1) is won by a and by b"),
        ([RESULT | {"winner": "n"}], "results: 'n' did not fight for germany (attempt 1); fighters: a, b"),
    ],
)
def test_a_result_that_can_not_be(results: list[dict[str, Any]], said: str) -> None:
    """A result of no country, of a third attempt, of two winners or of a stranger is refused."""
    with pytest.raises(BadInput) as refused:
        game().adjudicate(FIGHT, replace(ATTACK, decisions=tuple(Decision("result", row) for row in results)))
    assert str(refused.value) == said


def test_a_mail_of_nobody_is_refused() -> None:
    """Orders of a seat that isn't in the position are refused with the seats that are."""
    with pytest.raises(BadInput) as refused:
        game().adjudicate(FIGHT, Turn(mails=(mail("x", "pass", FIGHT), mail("w", "pass", FIGHT)), joined=("m",)))
    assert str(refused.value) == "orders: no seat 'w' in the position; there are a, b, m, n"


def test_a_drawn_battle_has_a_winner() -> None:
    """One of two newcomers gets in for sure, so a third knows that the league is full then (K33, K39)."""
    state = State(5, {"a": 1, "b": 1}, {"france": "a", "norway": "b"}, newcomers=("x", "y", "z"))
    turn = Turn(mails=tuple(mail(seat, f"join {where}", state) for seat, where in (("x", 1), ("y", 1), ("z", 28))))
    told = []
    for battles in ("drawn", "reported"):
        outcome = game(battles=battles, max_players=3).adjudicate(state, turn)
        told.append((outcome.fates[2].own.fate, [need.get("figure", need["kind"]) for need in outcome.pending]))
    assert told == [(Fate.FAILED, ["battle", "lotto"]), (None, ["battle"])]


def test_a_mail_of_talk_alone_holds_no_orders() -> None:
    """Its fate is that of a mail nobody understood: not sending and not being understood are different things (K12)."""
    (fate,) = game().adjudicate(FIGHT, Turn(mails=(mail("a", "Hello everybody", FIGHT),))).fates
    assert (fate.own.fate, fate.own.reason, fate.own.rule, fate.lines) == (Fate.INVALID, "no_orders", "K12", ())


@pytest.mark.parametrize(
    ("pasts", "known"),
    [
        ([[("a",), ("b",)], [("a",), ("b",)]], "b"),
        ([[("a",), ("b",)], [("a",), ("c",), ("b",)]], "b"),
        ([[("a",), ("b",)], [("a",), ("c",)]], "a"),
        ([[("a",)], [("a",), ("c",)]], "a"),
        ([[("a",), None], [("a",), ("b",)]], "a"),
        ([[("a",), ("b",)], [("a",), None]], "a"),
        ([[("a",), None], [("a",), None]], "a"),
        ([[("a",), ("b",), None], [("a",), ("b",), ("c",)]], "b"),
        ([[(None,), ("b",)], [(None,), ("c",)]], None),
    ],
)
def test_what_is_known_of_a_country_in_every_world(pasts: Any, known: Any) -> None:
    """Its end where that is one and sure, else how it was before the worlds part or a battle leaves it open (K34)."""
    assert _last_agreed(pasts) == known


def test_orders_and_standings() -> None:
    """An order is said in English; the table is by points, with everybody's number of countries."""
    assert game().notation(FIGHT, Take("spain")) == "take Spain"
    state = State(5, {"c": 4, "a": 4, "b": 9}, {"spain": "c", "italy": "c", "france": "a", "poland": "b"})
    assert game().score(state) == (Place(1, "b", 9, 1), Place(2, "a", 4, 1), Place(2, "c", 4, 2))


def test_a_holding_of_nothing_brings_nothing() -> None:
    """No item, not even one of no points, is counted for no country (K60)."""
    assert gains(game().board, 0) == []


# ------------------------------------------------------------------ words and figures


@pytest.mark.parametrize(
    ("thing", "lang", "label"),
    [
        ("germany", "de", "Deutschland"),
        ("germany", "en", "Germany"),
        ("germany", "nl", "Duitsland"),
        ("germany/map", "en", "Along the Wall"),
        ("germany/flag", "en", "germany/flag"),
        ("atlantis", "en", "atlantis"),
        ("atlantis/map", "en", "atlantis/map"),
    ],
)
def test_labels(thing: str, lang: str, label: str) -> None:
    """A country has a name in each language; what is none is said as it is."""
    assert game().label(thing, lang) == label


def test_a_battle_map_has_a_name_of_its_own() -> None:
    """`country/map` is the map printed there, whose name may differ from the country's (K31)."""
    fields = {field["id"]: field for field in game()._names.values()}
    named = next(field for field in fields.values() if "battle_map" in field)
    for lang in ("de", "en", "nl"):
        assert game().label(f"{named['id']}/map", lang) == named["battle_map"][lang]
        assert game().label(named["id"], lang) == named["name"][lang]


def test_a_week_explained() -> None:
    """A week's figures come to a civil war and a collapse, with the working of both (K46, K50)."""
    war = ["close|16705.40|2024-01-12", "last_two|05", "field|5"]
    fall = ["numbers|3 9 17 25 31 44|2024-01-13", "repdigit|44", "first|3"]
    assert game().explain(WEEK) == {"friday": "2024-01-12", "civil_war": 5, "collapse": 3, "steps": [*war, *fall]}


def test_a_week_explained_by_the_league_s_options() -> None:
    """Sorted numbers and rounding after each halving change what a week comes to (K46, K51)."""
    week = WEEK | {"dax_close": "16759.40", "lotto": "17 9 3 25 31 44"}
    assert [game().explain(week)[key] for key in ("civil_war", "collapse")] == [14, 17]
    other = game(rounding="each", lotto_order="sorted")
    assert [other.explain(week)[key] for key in ("civil_war", "collapse")] == [14, 3]
    assert game(rounding="each").explain(WEEK | {"dax_close": "16799.40", "eurusd": "0.9"})["civil_war"] == 25
    assert game().explain(WEEK | {"dax_close": "16799.40", "eurusd": "0.9"})["civil_war"] == 25


def test_a_week_in_which_the_world_collapses() -> None:
    """Without a number on the board the world's economy collapses; a week without a repdigit has none (K50)."""
    assert game().explain(WEEK | {"lotto": "33 29 30 41 48 49"})["collapse"] == "world"
    assert game().explain(WEEK | {"lotto": "3 9 17 25 31 48"})["collapse"] is None


def test_a_week_may_leave_out_what_it_does_not_need() -> None:
    """The Friday follows from the Saturday, the Saturday from the close's day, and a whole field needs no rate."""
    needless = {key: value for key, value in WEEK.items() if key not in {"friday", "eurusd", "saturday"}}
    assert game().explain(needless) == game().explain(WEEK)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dax_close": "", "dax_day": ""}, "dax_close is empty; an empty answer is never a holiday"),
        ({"lotto": ""}, "lotto is empty; an empty answer is never a holiday"),
        ({"friday": "2024-01-05"}, "friday is 2024-01-05; the Friday before the draw of 2024-01-13 is 2024-01-12"),
        (
            {"dax_close": "16729.40", "eurusd": ""},
            "eurusd is empty, and the halving leaves a fraction to be rounded by it (K46)",
        ),
    ],
)
def test_a_week_that_can_not_be_explained(change: dict[str, str], said: str) -> None:
    """What is missing or contradicts itself is said."""
    with pytest.raises(BadInput) as refused:
        game().explain(WEEK | change)
    assert str(refused.value) == said


# ------------------------------------------------------------------ the view


MARKED = State(
    5,
    {"a": 10, "b": 20},
    {"france": "a", "spain": "a", "poland": "b", "germany": "b"},
    devastation={"portugal": 2},
    civil_war={"belgium": 0, "greece": 0},
    payments={"spain": 2},
    auctions={"greece": 2},
)


def seen(text: str = "pass", state: State = MARKED) -> Any:
    figures = game().read_evidence({k: v for k, v in WEEK.items() if k in {"dax_close", "dax_day", "eurusd", "lotto"}})
    won = (Decision("result", {"country": "germany", "winner": "a", "attempt": 1}),)
    turn = Turn(mails=(mail("a", text, state),), evidence=figures, decisions=won if "attack" in text else ())
    outcome = game().adjudicate(state, turn)
    assert not outcome.pending
    return game().view(state, outcome, "a")


def test_before_the_evaluation_only_the_position_is_seen() -> None:
    """Without an outcome a seat sees the map with owners and markers, and nothing of the round (K90)."""
    view = game().view(MARKED, None, "a")
    assert (view.seat, view.after, view.items, view.draws) == ("a", None, {}, ())
    assert view.position == game().position(MARKED)
    regions = {region.id: region for region in view.before.regions}
    assert list(regions) == [country.id for country in game().board.countries]
    assert regions["spain"] == Region("spain", "a", ("collapse",))
    assert regions["portugal"] == Region("portugal", None, ("devastation",))
    assert regions["greece"] == Region("greece", None, ("civil_war", "collapse"))
    assert regions["norway"] == Region("norway", None)


def test_after_it_the_map_shows_what_changed() -> None:
    """The map after the round marks the countries whose owner or markers are others than before."""
    view = seen("leave France")
    assert (view.seat, view.position["round"]) == ("a", 6)
    assert view.before == game().view(MARKED, None, "a").before
    changed = {region.id: (region.owner, region.markers) for region in view.after.regions if region.changed}
    assert changed == {"france": (None, ()), "great_britain": (None, ("civil_war",))}


def test_a_move_is_an_arrow_from_where_it_came() -> None:
    """A conquest comes from a country of the winner beside it."""
    assert seen("attack Germany").after.arrows == (Arrow("a", "france", "germany", "attack", True),)
    assert seen("leave France").after.arrows == (Arrow("a", "france", "france", "leave", True),)


def test_the_items_of_each_seat() -> None:
    """Each seat has the items of its score; of a protected one the penalty is shown as waived (K60, K62, K70)."""
    owner = dict.fromkeys(("germany", "austria", "switzerland"), "a") | {"greece": "b", "poland": "b"}
    view = seen(state=State(5, {"b": 1, "a": 1}, owner))
    told = {
        seat: [(row["item"], row["points"], row["rule"], row["waived"]) for row in rows]
        for seat, rows in view.items.items()
    }
    assert told == {
        "a": [
            ("countries", 3, "K60", False),
            ("german3", 15, "K61", False),
            ("swiss_neighbours", -2, "K70", True),
        ],
        "b": [("countries", 2, "K60", False)],
    }
    assert list(view.items) == ["a", "b"]


def test_the_draws_with_their_working() -> None:
    """Civil war and collapse are shown with country, working and rule; the world's collapse as such."""
    war, fall = seen("leave France").draws
    steps = game().explain(WEEK)["steps"]
    assert war == {"kind": "civil_war", "country": "great_britain", "world": False, "steps": steps[:3], "rule": "K46"}
    assert fall == {"kind": "collapse", "country": "spain", "world": False, "steps": steps[3:], "rule": "K50"}
    lotto = Evidence("lotto", date(2024, 1, 13), "33 29 30 41 48 49")
    close = Evidence("dax_close", date(2024, 1, 12), "16700.40")
    turn = Turn(mails=(mail("a", "leave France", MARKED),), evidence=(close, lotto))
    outcome = game().adjudicate(MARKED, turn)
    _, fall = game().view(MARKED, outcome, None).draws
    assert (fall["world"], fall["country"]) == (True, None)


def test_mails_are_read_with_the_players_names() -> None:
    """A seat may be named as its player is called; without names nobody can be meant."""
    received = datetime(2024, 1, 10, tzinfo=UTC)
    named = OrderMail("b", game().parse(FIGHT, "b", "result Germany winner Anna", {"a": "Anna"}), received)
    assert named.parsed.orders == (Result("germany", "winner", "a"),)
    assert game().parse(FIGHT, "b", "result Germany winner Anna").orders == ()
