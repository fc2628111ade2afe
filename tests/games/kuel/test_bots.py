from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import pytest

from league.core.evidence import Evidence
from league.core.game import Seat, Turn
from league.core.orders import Fate, OrderMail
from league.desk import registry
from league.desk.play import simulate
from league.games.kuel import bots, choices, lookahead
from league.games.kuel.game import Kuel
from league.games.kuel.orders import Attack, Bid, Join, Leave, Pass, Take
from league.games.kuel.state import State
from league.randomness.dice import Dice

LANGS = ("de", "en", "nl")
SEATS = tuple(f"s{n}" for n in range(1, 9))
ROUNDS = 25
OUTSIDE = "s9"
Bot = Callable[..., str]


@cache
def kuel() -> Kuel:
    options = registry.check_options(
        registry.plugin("kuel").meta, {"preset": "gentle", "battles": "drawn", "start": "board"}
    )
    game: Any = registry.load("kuel", options)
    assert isinstance(game, Kuel)
    return game


def dice(number: int, seat: str) -> Dice:
    return Dice.of("bots", number, Evidence("bot", date(2024, 1, 5), seat))


def figures(number: int) -> tuple[Evidence, ...]:
    """Made-up figures: another field each round, and now and then a collapse."""
    balls = ["11", str(number % 10 + 1), "22" if number % 2 else "21", "40", "41", "42"]
    table = {"dax_close": f"150{number * 7 % 100:02d}.10", "dax_day": "2024-01-05", "eurusd": "1.1"}
    return kuel().read_evidence(table | {"lotto": " ".join(balls), "lotto_day": "2024-01-06"})


def mails(state: State, bot: Bot, number: int) -> tuple[OrderMail[Any], ...]:
    found = []
    for place, seat in enumerate(SEATS):
        text = bot(kuel(), state, seat, dice(number, seat), LANGS[place % 3])
        parsed = kuel().parse(state, seat, text)
        found.append(OrderMail(seat, parsed, datetime(2024, 1, 4, place, tzinfo=UTC)))
    return tuple(found)


@cache
def leagues(bot: Bot) -> tuple[tuple[State, tuple[OrderMail[Any], ...]], ...]:
    """A league of bots: each round's position and mails."""
    state, played = kuel().setup([Seat(seat, seat) for seat in SEATS], None), []
    for number in range(1, ROUNDS + 1):
        sent = mails(state, bot, number)
        played.append((state, sent))
        lots = Dice.of("bots", number, Evidence("lotto", date(2024, 1, 6), str(number)))
        outcome = kuel().adjudicate(state, Turn(mails=sent, evidence=figures(number), dice=lots))
        assert not outcome.pending
        state = outcome.state
    return tuple(played)


BOTS = pytest.mark.parametrize("bot", [bots.random_orders, bots.greedy_orders, bots.lookahead_orders])


@BOTS
def test_every_line_is_understood(bot: Bot) -> None:
    """What bots write in German, English and Dutch is read without a mistake."""
    for _, sent in leagues(bot):
        for mail in sent:
            assert mail.parsed.lines
            assert all(line.mistake is None and line.order is not None for line in mail.parsed.lines)


@BOTS
def test_orders_are_legal_in_the_position(bot: Bot) -> None:
    """A bot's move, were it the only one of the round, is carried out, or fails in battle alone (K30)."""
    for number, (state, sent) in enumerate(leagues(bot), start=1):
        lots = Dice.of("bots", number, Evidence("lotto", date(2024, 1, 6), str(number)))
        for mail in sent:
            alone = kuel().adjudicate(state, Turn(mails=(mail,), evidence=figures(number), dice=lots))
            ruling = alone.fates[0].lines[0]
            assert ruling.fate is Fate.DONE or ruling.rule == "K30", (mail, ruling)


@BOTS
def test_bids_can_be_paid(bot: Bot) -> None:
    """A bot's bids together are never more than its points (K15), and bids do occur."""
    bids = 0
    for state, sent in leagues(bot):
        for mail in sent:
            amounts = [line.order.amount for line in mail.parsed.lines if isinstance(line.order, Bid)]
            bids += len(amounts)
            assert sum(amounts) <= max(state.scores.get(mail.seat, 0), 0)
    assert bids


@BOTS
def test_the_same_dice_give_the_same_orders(bot: Bot) -> None:
    """A bot has no memory and no luck of its own."""
    state = leagues(bot)[-1][0]
    for seat in SEATS:
        texts = {bot(kuel(), state, seat, dice(1, seat)) for _ in range(3)}
        assert len(texts) == 1


@BOTS
def test_a_newcomer_joins_where_he_may(bot: Bot) -> None:
    """Who has no country names a free edge country (K35, K37)."""
    for number, (state, _) in enumerate(leagues(bot), start=1):
        parsed = kuel().parse(state, OUTSIDE, bot(kuel(), state, OUTSIDE, dice(number, OUTSIDE)))
        (line,) = parsed.lines
        assert isinstance(line.order, Join)
        free = [c for c in kuel().board.edge_ids if c not in state.owner and c not in state.civil_war]
        free = [c for c in free if c not in state.devastation and c not in state.auctions]
        assert line.order.country in (free or kuel().board.edge_ids)


def test_greed_attacks_and_earns_more_than_chance() -> None:
    """Greedy bots attack at times, seldom pass, and gather more points than random ones."""
    orders = [line.order for _, sent in leagues(bots.greedy_orders) for mail in sent for line in mail.parsed.lines]
    assert any(isinstance(order, Attack) for order in orders)
    assert sum(isinstance(order, Pass) for order in orders) * 4 < len(orders)
    greedy, chance = (sum(leagues(bot)[-1][0].scores.values()) for bot in (bots.greedy_orders, bots.random_orders))
    assert greedy > chance


def position(owner: dict[str, str], **more: Any) -> State:
    """A position of these owners, everybody at 50 points."""
    return State(5, dict.fromkeys(sorted(set(owner.values())), 50), owner, **more)


def looked(state: State, seat: str) -> set[tuple[Any, ...]]:
    """What a bot that looks ahead orders, in nine whims."""
    texts = [bots.lookahead_orders(kuel(), state, seat, dice(n, seat)) for n in range(9)]
    return {kuel().parse(state, seat, text).orders for text in texts}


def test_looking_ahead_takes_what_completes_a_constellation() -> None:
    """With Moscow and two more of the Warsaw Pact a fourth is taken: 20 points a round (K61)."""
    own = dict.fromkeys(("soviet_union", "poland", "slovakia"), "a")
    state = position({**own, "portugal": "b", "spain": "b"}, civil_war={"czech_republic": 6})
    assert looked(state, "a") == {(Take("hungary"),), (Take("bulgaria"),)}


def test_looking_ahead_sees_the_move_after_the_next() -> None:
    """Two countries short of one, the bot has a constellation after two moves, whatever its whim (K61)."""
    own = dict.fromkeys(("norway", "denmark", "germany"), "a")
    for (first,) in looked(position({**own, "portugal": "b", "spain": "b"}), "a"):
        one = {**own, first.country: "a"}
        assert choices.points(kuel(), kuel().board.mask(one)) <= len(one)
        for (second,) in looked(position({**one, "portugal": "b", "spain": "b"}), "a"):
            two = {**one, second.country: "a"}
            assert choices.points(kuel(), kuel().board.mask(two)) > len(two)


def test_looking_ahead_gives_up_what_costs_more_than_it_brings() -> None:
    """Great Britain and Ireland together cost 16 points a round (K62): one of them is left."""
    state = position({"great_britain": "a", "ireland": "a", "greece": "b", "bulgaria": "b"})
    assert looked(state, "a") <= {(Leave("great_britain"),), (Leave("ireland"),)}


def test_looking_ahead_knows_where_wars_break_out() -> None:
    """The bot's risks are those of the halving table (K46): field 20 is hit by seven endings, field 1 by one."""
    risks = lookahead._risks(kuel())
    assert risks[0] == 10
    assert max(risks) == risks[19] == 70
    assert sum(risks) == pytest.approx(990, abs=28)


def test_looking_ahead_beats_greed_and_chance() -> None:
    """Four that look ahead against four greedy ones: over twelve leagues they win most."""
    plan = simulate.make_plan("kuel", 30, "lookahead*4,greedy*4", {"preset": "gentle"}, leagues=12)
    rows = {row["bot"]: row for row in simulate.simulate(plan)["bots"]}
    assert rows["lookahead"]["first"] > rows["greedy"]["first"]
    assert rows["lookahead"]["points"]["mean"] > rows["greedy"]["points"]["mean"]


def test_bids_of_half_the_worth_are_made() -> None:
    """A collapsed country that completes a constellation is bid for, never above what one has (K15, K52)."""
    own = dict.fromkeys(("soviet_union", "poland", "slovakia"), "a")
    state = position({**own, "portugal": "b"}, auctions={"hungary": 2}, civil_war={"czech_republic": 6})
    for orders in looked(state, "a"):
        (bid,) = (order for order in orders if isinstance(order, Bid))
        assert bid.country == "hungary"
        assert 20 <= bid.amount <= 50
