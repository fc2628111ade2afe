"""What rounds add up to: owners since when, battles, and the replay's data."""

import json
from dataclasses import replace

from league.core.json import Json
from league.core.standings import Place
from league.core.view import MapView, Region
from league.reports.chronicle import Chronicle, Fight, Moment, Past, Start, history, pasts
from league.reports.context import LeagueInfo, LeaguePage
from league.reports.replay import replay


def _moment(number: int, owners: dict[str, str | None], *events: dict[str, Json]) -> Moment:
    regions = tuple(Region(land, owner) for land, owner in owners.items())
    return Moment(number, None, regions, (Place(1, "anna", number, 1),), events)


def _battle(winner: str | None, attempt: int = 1) -> dict[str, Json]:
    return {
        "type": "battle", "country": "spain", "fighters": ["ben", "anna"], "winner": winner, "attempt": attempt,
    }  # fmt: skip


MOMENTS = (
    _moment(0, {"spain": None, "italy": "ben"}),
    _moment(1, {"spain": "anna", "italy": "ben"}),
    _moment(2, {"spain": "anna", "italy": "ben"}, _battle("ben"), _battle("anna", 2)),
    _moment(3, {"spain": "ben", "italy": "ben"}, _battle("ben")),
)


def test_a_fields_story_counts_changes_and_the_battles_that_decided() -> None:
    """Since when, how often, and of a rematch only the rematch."""
    fights = (Fight(2, ("ben", "anna"), "anna"), Fight(3, ("ben", "anna"), "ben"))
    assert pasts(MOMENTS) == {"spain": Past("ben", 3, 2, fights), "italy": Past("ben", 0, 0)}
    told = Chronicle(MOMENTS)
    assert told.past("spain") == pasts(MOMENTS)["spain"]
    assert told.past("atlantis") is None
    assert told.fought == ("spain",)
    assert [r.changed for r in told.shown(MOMENTS[-1].regions)] == [True, False]


def test_a_league_without_rounds_has_no_story() -> None:
    """Nothing is marked as changed, nothing can be played."""
    assert Chronicle().past("spain") is None
    assert Chronicle().fought == ()
    assert [r.changed for r in Chronicle().shown(MOMENTS[0].regions)] == [False, False]
    assert history(()) == []


def test_the_history_tells_each_round_whole() -> None:
    """Owners, table and battles of every round; fields without owner and marker are left out."""
    first, last = history(MOMENTS)[0], history(MOMENTS)[-1]
    assert first["fields"] == {"italy": {"owner": "ben", "markers": []}}
    assert last["battles"] == ["spain"]
    assert last["standings"] == [{"rank": 1, "seat": "anna", "points": 3, "countries": 1}]


def test_a_correction_is_no_change_of_hands() -> None:
    """Who has a field by a correction has it since the round behind which it lies; what a round changes is its own."""
    put = Start(3, (Region("spain", "ben"), Region("italy", "anna")), (), corrects=(1,))
    later = Start(4, (Region("spain", "ben"), Region("italy", "ben")), (), corrects=(2,))
    told = Chronicle((*MOMENTS[:3], replace(MOMENTS[3], start=put)), later)
    spain, italy = told.past("spain"), told.past("italy")
    assert spain is not None
    assert (spain.owner, spain.since, spain.changes) == ("ben", 2, 1)
    assert italy is not None
    assert (italy.owner, italy.since, italy.changes) == ("ben", 3, 1)
    assert [r.changed for r in told.shown(MOMENTS[-1].regions)] == [False, True]
    begun = history(told.moments)[3]["start"]
    assert begun == {
        "round": 3,
        "corrects": [1],
        "fields": {"spain": {"owner": "ben", "markers": []}, "italy": {"owner": "anna", "markers": []}},
        "standings": [],
    }


def test_the_replay_ends_with_what_the_page_shows(front: LeaguePage) -> None:
    """As many rounds as there were and the start; the last one is the position now, even where that was put right."""
    assert front.map is not None
    regions = tuple(replace(r, owner=None) if r.id == "italy" else r for r in front.map.regions)
    told = json.loads(str(replay(front.league, front.chronicle.moments, MapView(regions))))
    assert [one["n"] for one in told["rounds"]] == [0, 1, 2, 3]
    assert told["rounds"][-1]["o"][told["lands"].index("italy")] == -1
    assert told["rounds"][-1]["f"] == ["belgium"]
    assert [seat["id"] for seat in told["seats"]] == [seat.id for seat in front.league.seats]


def test_no_data_ends_the_block_it_stands_in(front: LeaguePage) -> None:
    """Whatever a seat is called, no tag can begin in the data."""
    league: LeagueInfo = replace(
        front.league, seats=tuple(replace(s, id=f"</script>{s.id}") for s in front.league.seats)
    )
    assert "<" not in replay(league, front.chronicle.moments, front.map)
    assert replay(league, front.chronicle.moments[:1], front.map) == ""
    assert replay(replace(league, drawing=None), front.chronicle.moments, front.map) == ""
