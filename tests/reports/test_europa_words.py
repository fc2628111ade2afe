"""EUROPA's sentences and pages where points, ties, final orders and opened records are told."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from league.core.json import Json
from league.desk import registry
from league.desk.post.roster import any_order_or_press
from league.games.europa.game import Europa
from league.reports.context import Finals, LeaguePage, Receipt, RecordLink, RoundReport, SiteInfo, order_facts
from league.reports.mails import receipt_mail
from league.reports.render import records_page
from league.reports.words import Say

GAINS = {
    "de": "Italien: Eva erhält 4 Politikpunkte und 1 Siegpunkt.",
    "en": "Italy: Eva gets 4 political points and 1 victory point.",
    "nl": "Italië: Eva krijgt 4 politieke punten en 1 zegepunt.",
}
WAITS = {
    1: {
        "de": "Auf 1 andere Person wird noch gewartet",
        "en": "Those of 1 other player aren't yet",
        "nl": "1 andere speler is nog niet klaar",
    },
    2: {
        "de": "Auf 2 andere wird noch gewartet",
        "en": "Those of 2 other players aren't yet",
        "nl": "2 andere spelers zijn nog niet klaar",
    },
}


def told(facts: Mapping[str, Json], lang: str) -> str:
    return Say(lang, registry.load("europa", {}).label, str, "europa").event(facts)


@pytest.mark.parametrize("lang", list(GAINS))
def test_points_are_counted_as_one_counts_them(lang: str) -> None:
    """A number and its noun, one or many, instead of a kind of points with a number in brackets."""
    facts: dict[str, Json] = {"type": "shared", "country": "italy", "seat": "Eva", "political": 4, "victory": 1}
    assert told(facts, lang) == GAINS[lang]


def test_a_tie_for_peace_names_what_decides_it() -> None:
    """Where several gave the same it is said who goes first, and where nobody did, not."""
    facts: dict[str, Json] = {
        "type": "committed",
        "pawns": [["Eva", 2], ["Ben", 2], ["Dirk", 0]],
        "total": 4,
        "level": 3,
    }
    assert told(facts, "en").endswith("Of equal numbers that of whoever has fewer political points goes first.")
    differing: list[Json] = [["Eva", 2], ["Ben", 1], ["Dirk", 0], ["Carla", 0]]
    assert "equal numbers" not in told({**facts, "pawns": differing}, "en")


ORDERS = (
    "PEACE 3",
    "PLAN yugoslavia > macedonia",
    "PLACE germany 2, IF france.TOTAL < 3 AND italy.blue >= spain.NEED THEN france 1 ELSE italy 1",
    "PLACE IF france.ME = 0 THEN IF italy.TOTAL > 2 THEN italy 1 ELSE spain 2 ELSE great_britain 1",
    "ELECTION great_britain: PROPOSE ME+blue > ME+red+green; YES blue+ME, red; NO green; POLICY MINE SHARE 12; STAY",
    "ELECTION germany: POLICY ALL; MOVE poland > austria",
    "ELECTION DEFAULT: POLICY NONE",
    "FINAL",
)
SAID = {
    "de": "SETZE Deutschland 2, "
    "WENN Frankreich.SUMME < 3 UND Italien.Blau >= Spanien.BEDARF DANN Frankreich 1 SONST Italien 1",
    "nl": "PLAATS Duitsland 2, "
    "ALS Frankrijk.TOTAAL < 3 EN Italië.Blauw >= Spanje.NODIG DAN Frankrijk 1 ANDERS Italië 1",
}


@pytest.mark.parametrize("lang", list(GAINS))
def test_orders_are_written_in_the_readers_language_and_read_back(lang: str) -> None:
    """What an answer or a page shows of an order can be sent again and is the same order, with every country's name."""
    game = registry.load("europa", {})
    assert isinstance(game, Europa)
    say = Say(lang, game.label, str, "europa")
    lands = (f"PLACE IF {one.id}.TOTAL < 3 THEN {one.id} 1" for one in game.board.countries if one.round)
    for text in (*ORDERS, *lands):
        (order,) = game.parse(game.setup([]), "", text).orders
        said = say.order(order_facts(order))
        assert game.parse(game.setup([]), "", said).orders == (order,), said
        assert "_" not in said


@pytest.mark.parametrize("lang", list(SAID))
def test_an_order_has_the_words_of_its_language(lang: str) -> None:
    """Conditions, countries and parties too."""
    game = registry.load("europa", {})
    (order,) = game.parse(None, "", ORDERS[2]).orders
    assert Say(lang, game.label, str, "europa").order(order_facts(order)) == SAID[lang]


@pytest.mark.parametrize("many", list(WAITS))
@pytest.mark.parametrize("lang", list(GAINS))
def test_how_many_are_waited_for_is_grammatical(
    site: SiteInfo, report: RoundReport, receipt: Receipt, lang: str, many: int
) -> None:
    """One other and several, in each language."""
    seats = tuple(replace(seat, lang=lang) for seat in report.league.seats)
    mine = replace(receipt, final=Finals(is_final=True, taken_back=False, missing=many))
    mail = receipt_mail(site, replace(report.league, seats=seats), mine, any_order_or_press)
    assert WAITS[many][lang] in " ".join(mail.text.split())


def test_opened_records_are_no_round_of_their_own(site: SiteInfo, front: LeaguePage) -> None:
    """What opens all rounds is called that, and the page says why it is there; without one it says nothing of it."""
    last = RecordLink("unsealed-0001-v1.json", "unsealed", 1, 1, "ab" * 32)
    page = records_page(site, replace(front, records=(*front.records, last)), "en")
    (row,) = (line for line in page.splitlines() if "unsealed-0001-v1.json" in line)
    assert "the sealed orders of all rounds, opened" in row
    assert "Round 1" not in row
    assert "its file is called “unsealed”" in page
    assert "unsealed" not in records_page(site, front, "en")
