"""All that is said of faulty boards, and what good ones come to; kept in tests/golden/kuel-boards.txt."""

import tomllib
from collections.abc import Iterator
from typing import Any

from league.games.kuel.board import make_board
from league.games.kuel.board_faults import board_faults
from tests.games.kuel.test_board import EXAMPLE, FAULTS, KUEL, small

TOPOLOGIES = ("borders", "tiles")
UNNAMED = {"number": 1}


def boards() -> Iterator[str]:
    """Each fault of the list in whole sentences, several at once, and every table of the boards that are right."""
    yield from _faults("twice the first fault", lambda: _twice(small()))
    yield from _faults(
        "nothing but fields", lambda: {"field": [{}, UNNAMED, {"id": "x", "tile": {"col": 1, "row": 1}}]}
    )
    yield from _faults("provenance among groups", lambda: _provenance(small()))
    yield from _faults("longest names", lambda: _named(small(), "A" * 40))
    yield from _faults(
        "shortest board", lambda: {"field": [field | {"neighbours": []} for field in small()["field"][:2]]}
    )
    for name, change, _ in FAULTS:
        yield from _faults(name, lambda change=change: _changed(change))
    for name, table in (("kuel", KUEL), ("example", tomllib.loads(EXAMPLE)), ("small", small()), ("plain", _plain())):
        for topology in TOPOLOGIES:
            yield from _board(f"{name} in {topology}", make_board(table, topology))


def _faults(name: str, table: Any) -> Iterator[str]:
    for topology in TOPOLOGIES:
        yield f"== {name} in {topology}"
        yield from board_faults(table(), topology)


def _changed(change: Any) -> dict[str, Any]:
    table = small()
    change(table)
    return table


def _twice(table: dict[str, Any]) -> dict[str, Any]:
    for field in table["field"][:2]:
        field |= {"code": 7, "rand": 1, "max_players": 1, "number": 0, "tile": {"col": 0, "row": 1}, "edges": ["up"]}
        field["name"] = {"de": "Änke_", "en": 3}
        field["colour"] = "red"
    table["special"]["penalty_pairs"] = [
        ["anke"],
        {"pair": ["anke", "bine"], "points": 0, "why": ""},
        {"points": -1},
        3,
    ]
    table["groups"] |= {"efta": ["anke"], "eu": ["dora"]}
    table["start"] = {"players": ["dora"], "six_players": ["dora", "anke"], "ten": []}
    return table


def _provenance(table: dict[str, Any]) -> dict[str, Any]:
    table["groups"] = {"provenance": {"eu": "seed"}, **table["groups"], "efta": []}
    table["start"] |= {"provenance": "own"}
    return table


def _named(table: dict[str, Any], name: str) -> dict[str, Any]:
    table["field"][0]["name"] = dict.fromkeys(("de", "en", "nl"), name)
    return table


def _plain() -> dict[str, Any]:
    """A board that leaves out all that may be left out, its fields in another order."""
    keys = ("number", "id", "name", "max_players", "neighbours", "tile")
    fields = [{key: field[key] for key in keys} for field in reversed(small()["field"])]
    fields[0] |= {"rand": True}
    return {"field": fields, "start": {"six_players": ["cato"]}}


def _board(name: str, board: Any) -> Iterator[str]:
    yield f"== {name}"
    for country in board.countries:
        yield f"{country} near {', '.join(board.neighbours[country.id])}"
    yield f"groups {board.groups}"
    yield f"edges {board.edges}"
    yield f"special {board.special}"
    yield from map(str, board.penalties)
    yield f"start {', '.join(board.start)}"
