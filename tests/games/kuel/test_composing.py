"""What a seat is offered to write: the same functions judge it that judge a round, so offers and rounds agree."""

import random  # noqa: TID251  # positions with a seed, the same in every run
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from league.core.composing import Choice, Composes
from league.core.game import Turn
from league.core.orders import Fate, OrderMail
from league.desk import registry
from league.games.kuel.composing import LANGS, REPLIES, SENTENCES
from tests.naive.leagues import random_options, random_position

OPTIONS = tuple(random_options(random.Random(seed)) for seed in range(8))
POSITIONS = 120


def game_of(**options: Any) -> Any:
    return registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))


def positions() -> Iterator[tuple[Any, Any]]:
    """Random positions with the rules of their leagues."""
    for seed in range(POSITIONS):
        dice, options = random.Random(seed), OPTIONS[seed % len(OPTIONS)]
        game = game_of(**options)
        yield game, game.restore(random_position(dice, options))


def mail(game: Any, state: Any, seat: str, *lines: str, names: Any = None) -> OrderMail[Any]:
    return OrderMail(seat, game.parse(state, seat, "\n".join(lines), names))


def fate_of(game: Any, state: Any, seat: str, *lines: str) -> tuple[Fate | None, str]:
    """What becomes of the last line if nobody else writes."""
    ruling = game.adjudicate(state, Turn(mails=(mail(game, state, seat, *lines),))).fates[0].lines[-1]
    return ruling.fate, ruling.reason


def of(choices: tuple[Choice, ...], kind: str) -> list[Choice]:
    return [choice for choice in choices if choice.kind == kind]


def test_what_never_goes_through_fails_whatever_the_seat_bids_besides() -> None:
    """A refusal that is called certain stays one with bids on every auction in the same mail."""
    seen = 0
    for game, state in positions():
        bids = [f"bid 1 on {game.label(country, 'en')}" for country in game.board.sorted(state.auctions)]
        for seat in sorted(state.scores)[:2] if bids else ():
            for choice in game.composing(state, seat).choices:
                if not choice.open and choice.told.certain and choice.kind != "bid":
                    line = next(s for s in SENTENCES if s.kind == choice.kind).text["en"]
                    fate, _ = fate_of(game, state, seat, *bids, line.format(land=game.label(choice.land, "en")))
                    assert fate is Fate.FAILED, (line, choice)
                    seen += 1
    assert seen > 200


def test_a_bid_may_be_as_high_as_the_points_allow() -> None:
    """The highest amount offered is paid; a point more isn't (K15, K54)."""
    seen = 0
    for game, state in positions():
        for seat in sorted(state.scores):
            for choice in of(game.composing(state, seat).choices, "bid"):
                name = game.label(choice.land, "en")
                if choice.open:
                    assert fate_of(game, state, seat, f"bid {choice.high} on {name}") == (Fate.DONE, "done")
                    assert fate_of(game, state, seat, f"bid {choice.high + 1} on {name}")[1] == "cannot_pay"
                    seen += 1
    assert seen > 50


def test_a_country_that_can_be_given_is_given() -> None:
    """Where no edge country is free, the one that a player names goes to the newcomer; others aren't offered (K35)."""
    given = 0
    for game, before in positions():
        state = replace(before, newcomers=("new",)) if "new" not in before.scores else before
        for seat in sorted(state.scores):
            offered = {choice.land for choice in of(game.composing(state, seat).choices, "give")}
            for country in sorted(state.owned(seat)):
                turn = Turn(
                    mails=(
                        mail(game, state, seat, f"give {game.label(country, 'en')}"),
                        mail(game, state, "new", "join Iceland"),
                    )
                )
                told = game.adjudicate(state, turn).fates[0].lines[0]
                if told.fate is Fate.DONE:
                    assert country in offered
                    given += 1
                elif told.reason == "give_not_possible":
                    assert country not in offered
    assert given > 5


def duel(**options: Any) -> tuple[Any, Any, Turn[Any]]:
    """Ben has attacked Anna in Spain, and the battle is still to be fought."""
    game = game_of(**options)
    players = {"Anna": {"score": 4, "owns": ["spain", "poland"]}, "Ben": {"score": 1, "owns": ["france", "italy"]}}
    state = game.restore({"round": 3, "newcomers": [], "players": players, "markers": {}})
    return game, state, Turn(mails=(mail(game, state, "Ben", "attack Spain"),))


def test_fighters_are_asked_for_their_battles_and_nobody_else() -> None:
    """Who fights can say that he won or lost; the line is read as that report (K33)."""
    game, state, turn = duel()
    for seat in ("Anna", "Ben"):
        made = game.composing(state, seat, turn)
        (choice,) = made.choices
        assert (choice.kind, choice.land, choice.open) == ("result", "spain", True)
        for lang in LANGS:
            text = REPLIES[0].text[lang].format(land=game.label("spain", lang), pick=choice.picks[0][1].text[lang])
            (order,) = game.parse(state, seat, text).orders
            assert game.is_report(order)
            assert order.said == "lost"
    assert game.composing(replace(state, newcomers=("Carla",)), "Carla", turn).choices == ()
    assert game_of(battles="drawn").composing(state, "Anna", turn).choices == ()


def test_of_three_fighters_the_winner_is_named() -> None:
    """Among more than two only the winner's name says who won (K33)."""
    game = game_of()
    owns = {"Anna": ["spain", "poland"], "Ben": ["france", "italy"], "Cem": ["portugal", "ireland"]}
    players = {seat: {"score": 4, "owns": lands} for seat, lands in owns.items()}
    state = game.restore({"round": 3, "newcomers": [], "players": players, "markers": {}})
    turn = Turn(mails=tuple(mail(game, state, seat, "attack Spain") for seat in ("Ben", "Cem")))
    (choice,) = game.composing(state, "Cem", turn).choices
    assert {pick.seat for pick in choice.picks[0]} == {"Anna", "Ben", "Cem"}
    text = REPLIES[0].text["de"].format(land="Spanien", pick=choice.picks[0][0].text["de"].format(seat="Zoë O’Neill"))
    names = {choice.picks[0][0].seat: "Zoë O’Neill"}
    (order,) = game.parse(state, "Cem", text, names).orders
    assert order.winner == choice.picks[0][0].seat


@pytest.mark.parametrize("lang", LANGS)
def test_rights_are_offered_to_who_holds_them(lang: str) -> None:
    """Map, settings and rematch with ten EU and eight NATO countries; each line is read (K32, K63)."""
    game = game_of()
    eu = [c.id for c in game.board.countries if c.bit & game.board.groups["eu"]][:10]
    brussels = game.board.numbered(game.board.special["brussels"].bit_length())
    owns = list(dict.fromkeys([brussels, *eu]))[:10]
    players = {"Anna": {"score": 4, "owns": game.board.sorted(owns)}, "Ben": {"score": 1, "owns": ["finland"]}}
    if "finland" in owns:
        players["Ben"]["owns"] = ["bulgaria"]
    state = game.restore({"round": 3, "newcomers": [], "players": players, "markers": {}})
    choices = game.composing(state, "Anna").choices
    assert {choice.land for choice in of(choices, "map")} == set(owns)
    assert {choice.land for choice in of(choices, "settings")} == set(owns)
    for kind in ("map", "settings", "rematch"):
        for choice in of(choices, kind)[:3]:
            text = next(s for s in SENTENCES if s.kind == kind).text[lang]
            pick = choice.picks[0][2].text[lang] if choice.picks else ""
            filled = text.format(land=game.label(choice.land, lang), pick=pick, text="fast, high resources")
            (found,) = game.rehearse(state, "Anna", [mail(game, state, "Anna", filled)])
            assert found.ruling.fate is not Fate.FAILED
    assert of(game.composing(state, "Ben").choices, "map") == []
    assert {"map", "rematch"}.isdisjoint(c.kind for c in game_of(battles="drawn").composing(state, "Anna").choices)


@pytest.mark.parametrize("lang", LANGS)
def test_a_line_is_marked_as_standing_where_the_league_has_that(lang: str) -> None:
    """The mark is read with every order that can be kept, and there is none where standing orders are off."""
    game, state, _ = duel(standing="on")
    made = game.composing(state, "Anna")
    assert made.keep is not None
    for sentence in made.sentences:
        if sentence.keeps:
            line = sentence.text[lang].format(land=game.label("spain", lang), number=3)
            (found,) = game.parse(state, "Anna", made.keep[lang].format(line=line)).lines
            assert found.standing
    assert duel()[0].composing(state, "Anna").keep is None


def test_kuel_can_say_what_there_is_to_choose_from() -> None:
    """It has what the page's composer asks for; who is nowhere yet is offered what a newcomer is."""
    game = game_of()
    assert isinstance(game, Composes)
    _, state, _ = duel()
    kinds = {choice.kind for choice in game.composing(state, "somebody").choices}
    assert kinds == {"join", "pass"}
    assert game.composing(state, "somebody").purse is None
    assert game.composing(state, "Anna").purse == 4
