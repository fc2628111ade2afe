"""The story of a round: whole sentences in three languages, countries with their articles."""

import pytest

from league.core.json import Json
from league.core.standings import Place
from league.reports.context import RoundReport
from league.reports.story import Story, headline, story
from league.reports.words import Say
from tests.reports.conftest import label


def _say(lang: str, game: str = "kuel") -> Say:
    return Say(lang, label, str.capitalize, game)


def _event(kind: str, country: str, seat: str, **more: Json) -> dict[str, Json]:
    return {"type": kind, "rule": "K30", "country": country, "seat": seat, **more}


WEEK: tuple[dict[str, Json], ...] = (
    _event("conquered", "netherlands", "anna", loser="ben", paid=0),
    _event("conquered", "belgium", "anna", loser="ben", paid=0),
    _event("conquered", "slovakia", "carla", loser=None, paid=0),
    _event("defended", "switzerland", "dirk"),
    _event("left", "soviet_union", "dirk"),
    {"type": "civil_war", "rule": "K43", "country": "netherlands", "loser": "anna"},
)
NOW = (Place(1, "anna", 12, 2), Place(2, "ben", 1, 1))
BEFORE = (Place(1, "ben", 4, 3), Place(2, "anna", 2, 1))


TOLD = {
    "en": """
        Anna conquers the Netherlands and Belgium; Carla takes Slovakia.
        Anna conquers the Netherlands and Belgium from Ben. Carla wins the fight for Slovakia and moves in.
        Dirk beats off the attack on Switzerland. Dirk withdraws from the Soviet Union.
        Civil war breaks out in the Netherlands, and Anna loses the country.
        Anna gains most (+10) and takes the lead with 12 points.
    """,
    "de": """
        Anna erobert die Niederlande und Belgien; Carla erkämpft die Slowakei.
        Anna erobert die Niederlande und Belgien von Ben. Carla gewinnt den Kampf um die Slowakei und zieht ein.
        Dirk wehrt den Angriff auf die Schweiz ab. Dirk zieht sich aus der Sowjetunion zurück.
        In den Niederlanden bricht Bürgerkrieg aus, und Anna verliert das Land.
        Anna gewinnt am meisten (+10) und übernimmt mit 12 Punkten die Führung.
    """,
    "nl": """
        Anna verovert Nederland en België; Carla wint Slowakije.
        Anna verovert Nederland en België op Ben. Carla wint de strijd om Slowakije en trekt er binnen.
        Dirk slaat de aanval op Zwitserland af. Dirk trekt zich terug uit de Sovjet-Unie.
        In Nederland breekt burgeroorlog uit en Anna verliest het land.
        Anna wint het meest (+10) en neemt met 12 punten de leiding over.
    """,
}


@pytest.mark.parametrize("lang", TOLD)
def test_a_round_reads_like_a_newspaper(lang: str) -> None:
    """What belongs together stands in one sentence, and articles are those of the language."""
    made = story(_say(lang), WEEK, NOW, BEFORE)
    assert f"{made.headline}. {' '.join(made.sentences)}" == " ".join(TOLD[lang].split())


@pytest.mark.parametrize(
    ("points", "before", "told"),
    [
        ((12, 1), (9, 1), "Anna gains most (+3) and leads with 12 points, 11 ahead of Ben."),
        ((12, 8), (9, 1), "Nobody gains more than Ben: 7 points. Anna leads with 12 points, 4 ahead of Ben."),
        ((12, 8), (9, 5), "Nobody gains more than Anna and Ben: 3 points. Anna leads with 12 points, 4 ahead of Ben."),
        ((12, 8), (12, 9), "Anna leads with 12 points, 4 ahead of Ben."),
        ((7, 7), (7, 5), "Nobody gains more than Ben: 2 points. Anna and Ben share the lead with 7 points each."),
    ],
)
def test_the_table_in_a_sentence_or_two(points: tuple[int, int], before: tuple[int, int], told: str) -> None:
    """One where the leader gained most; who gained nothing isn't praised for it."""
    now = tuple(
        Place(1 if n == max(points) else 2, seat, n, 1) for seat, n in zip(("anna", "ben"), points, strict=True)
    )
    then = tuple(
        Place(1 if n == max(before) else 2, seat, n, 1) for seat, n in zip(("anna", "ben"), before, strict=True)
    )
    assert " ".join(" ".join(story(_say("en"), (), now, then).sentences).split()) == told


def test_many_of_a_kind_share_a_sentence() -> None:
    """Three who move in without a battle are named in one; who paid has a sentence alone."""
    moved = [_event("taken", land, seat, paid=0) for land, seat in (("spain", "a"), ("italy", "b"), ("poland", "c"))]
    made = story(_say("en"), (*moved, _event("taken", "austria", "d", paid=20)), (), ())
    assert made.sentences == (
        "Without a battle move in: A (Spain), B (Italy) and C (Poland).",
        "For 20 points mercenaries end the civil war in Austria; D moves in.",
    )


def test_a_quiet_round_and_a_game_without_words_have_no_headline(report: RoundReport) -> None:
    """Then the page falls back on the list of events."""
    assert story(_say("en"), (), (), ()) == Story()
    assert story(_say("en", "chess"), report.events, report.standings, ()) == Story()
    assert headline(_say("en", "chess"), report.events) == ""


def test_an_event_without_words_of_the_story_is_told_as_elsewhere() -> None:
    """A country given away is told by the event's own sentence, in its place."""
    made = story(_say("en"), (_event("gave_way", "spain", "anna", giver="ben"),), (), ())
    assert made.sentences == (_say("en").event(_event("gave_way", "spain", "anna", giver="ben")),)
