"""Boards: every fault is found and told with its place; any number of fields up to 99 plays."""

import tomllib
from collections.abc import Callable
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput
from league.core.evidence import Evidence
from league.core.game import Seat, Turn
from league.core.orders import OrderMail
from league.desk import registry
from league.games.kuel import draws, score
from league.games.kuel.board import Board, make_board
from league.games.kuel.board_faults import board_faults
from league.games.kuel.bots import random_orders
from league.games.kuel.state import State, problems
from league.randomness.dice import Dice

ROOT = Path(__file__).parents[3]
EXAMPLE = (ROOT / "docs/examples/board-archipelago/board.toml").read_text("utf-8")
KUEL = tomllib.loads((ROOT / "config/kuel/board.toml").read_text("utf-8"))
FRIDAY = date(2024, 1, 5)
Table = dict[str, Any]


def small() -> Table:
    """Three fields in a row, all that a board needs and one of everything else."""
    words = (("Alba", "Alma", "Alta"), ("Boro", "Bord", "Born"), ("Cima", "Cita", "Cora"))
    fields = [
        {
            "number": n,
            "id": one,
            "name": dict(zip(("de", "en", "nl"), names, strict=True)),
            "neighbours": [{"id": near, "kind": "sea"} for near in nearby],
            "tile": {"col": n, "row": 1},
            "max_players": 4,
        }
        for n, (one, names, nearby) in enumerate(
            zip(("anke", "bine", "cato"), words, (["bine"], ["anke", "cato"], ["bine"]), strict=True), 1
        )
    ]
    fields[0] |= {"rand": True, "edges": ["west"], "groups": ["eu"], "code": "A", "aliases": ["Albion"]}
    return {
        "groups": {"eu": ["anke", "bine"], "ex_warsaw_pact": ["cato"]},
        "special": {
            "brussels": "anke",
            "moscow": "cato",
            "penalty_pairs": [{"pair": ["anke", "bine"], "points": -4}],
        },
        "start": {"players": ["anke", "cato"]},
        "field": fields,
    }


def grid(count: int, columns: int = 10) -> Table:
    """A board of that many fields in rows of ten, each beside the four around it."""
    spots = {(n % columns, n // columns): n + 1 for n in range(count)}
    letters = "abcdefghijklmnopqrstuvwxyz"

    def named(n: int) -> str:
        return f"f{letters[n // 26]}{letters[n % 26]}x"

    def field(place: tuple[int, int], n: int) -> Table:
        around = [(place[0] + x, place[1] + y) for x, y in ((0, -1), (-1, 0), (1, 0), (0, 1))]
        return {
            "number": n,
            "id": named(n),
            "name": dict.fromkeys(("de", "en", "nl"), named(n).title()),
            "neighbours": [{"id": named(spots[spot])} for spot in around if spot in spots],
            "rand": True,
            "tile": {"col": place[0] + 1, "row": place[1] + 1},
            "max_players": 2,
        }

    return {"field": [field(place, n) for place, n in spots.items()]}


def put(*path: str | int, value: Any) -> Callable[[Table], None]:
    """A change of a board: that value at that place."""

    def change(table: Table) -> None:
        inner: Any = table
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Table], None]:
    """A change of a board: nothing at that place."""

    def change(table: Table) -> None:
        inner: Any = table
        for part in path[:-1]:
            inner = inner[part]
        del inner[path[-1]]

    return change


def both(*changes: Callable[[Table], None]) -> Callable[[Table], None]:
    """Several changes."""

    def change(table: Table) -> None:
        for one in changes:
            one(table)

    return change


NAMED_ANKE = ("groups.eu[0]", "start.players[0]", "special.brussels", "special.penalty_pairs[0]")
NAMED_CATO = ("groups.ex_warsaw_pact[0]", "start.players[1]", "special.moscow")
NOBODY = "which is not on the board"
FAULTS: list[tuple[str, Callable[[Table], None], tuple[str, ...]]] = [
    ("no fields", drop("field"), ("field is missing",)),
    ("fields that are none", put("field", value=[1]), ("field is missing",)),
    ("unknown table", put("colours", value={}), ("colours is unknown here",)),
    ("unknown key", put("field", 1, "neighbors", value=[]), ("field[1].neighbors is unknown here",)),
    ("no number", drop("field", 1, "number"), ("field[1].number is no part", "field: the numbers have gaps")),
    ("number twice", put("field", 1, "number", value=1), ("field[1].number is 1", "field: the numbers have gaps")),
    ("number left out", put("field", 2, "number", value=4), ("field: the numbers have gaps, missing are 3 (K1)",)),
    ("number too high", put("field", 2, "number", value=100), ("field[2].number is no whole", "field: the numbers")),
    ("number as truth", put("field", 0, "number", value=True), ("field[0].number is no whole", "field: the numbers")),
    (
        "bad id",
        put("field", 0, "id", value="Änke"),
        ("field[0].id is no id", "field[0].neigh", "field[1].neigh", "field[0].groups", *NAMED_ANKE),
    ),
    (
        "id twice",
        put("field", 2, "id", value="anke"),
        ("field[2].id is 'anke', an id given already", "field[1].neighbours[1]", *NAMED_CATO),
    ),
    ("no name", drop("field", 0, "name"), ("field[0].name is no part",)),
    ("no Dutch", drop("field", 0, "name", "nl"), ("field[0].name.nl is no text",)),
    ("name is no table", put("field", 0, "name", value="Alba"), ("field[0].name is no table of texts",)),
    ("French", put("field", 0, "name", "fr", value="Albe"), ("field[0].name.fr is unknown here",)),
    ("empty name", put("field", 0, "name", "de", value=" "), ("field[0].name.de is ' ', a name has 1 to 40",)),
    ("long name", put("field", 0, "name", "de", value="A" * 41), ("field[0].name.de is 'AAA",)),
    ("comment as name", put("field", 0, "name", "de", value="A # b"), ("field[0].name.de is 'A # b'",)),
    ("number as name", put("field", 0, "name", "de", value="Ort 7"), ("field[0].name.de is 'Ort 7'",)),
    ("tag as name", put("field", 0, "name", "de", value="<b>"), ("field[0].name.de is '<b>'",)),
    ("marks as name", put("field", 0, "name", "de", value="..."), ("field[0].name.de is '...'",)),
    ("hidden letters", put("field", 0, "name", "de", value="Al\u202eba"), ("field[0].name.de is ",)),
    ("bad alias", put("field", 0, "aliases", value=["x;y"]), ("field[0].aliases[0] is 'x,y'",)),
    ("aliases as text", put("field", 0, "aliases", value="Albion"), ("field[0].aliases is no list",)),
    ("code as number", put("field", 0, "code", value=7), ("field[0].code is no text",)),
    ("half a capital", put("field", 0, "capital", value={"de": "X"}), ("field[0].capital.en", "field[0].capital.nl")),
    ("name twice", put("field", 2, "name", "de", value="Bord"), ("field[2].name: bine and cato could both be meant",)),
    ("code is a name", put("field", 0, "code", value="Born"), ("field[1].name: anke and bine could both be meant",)),
    (
        "map is a name",
        put("field", 0, "battle_map", value=dict.fromkeys(("de", "en", "nl"), "Born")),
        ("field[1].name",),
    ),
    (
        "neighbours as text",
        put("field", 0, "neighbours", value="bine"),
        ("field[0].neighbours is no list", "field[1]."),
    ),
    (
        "a bare neighbour",
        put("field", 0, "neighbours", value=["bine"]),
        ("field[0].neighbours[0] is no neigh", "field[1]."),
    ),
    ("kind of link", put("field", 0, "neighbours", 0, "kind", value="air"), ("field[0].neighbours[0].kind is 'air'",)),
    (
        "its own neighbour",
        put("field", 0, "neighbours", 0, "id", value="anke"),
        ("field[0].neighbours[0].id is 'anke', the field itself", "field[1]."),
    ),
    (
        "unknown neighbour",
        put("field", 0, "neighbours", 0, "id", value="dora"),
        (f"field[0].neighbours[0].id is 'dora', {NOBODY}", "field[1]."),
    ),
    (
        "one-sided",
        drop("field", 0, "neighbours", 0),
        ("field[1].neighbours[0].id is 'anke', but anke doesn't name bine",),
    ),
    (
        "neighbour twice",
        put("field", 0, "neighbours", value=[{"id": "bine"}] * 2),
        ("field[0].neighbours[1].id is 'bine', a neighbour named",),
    ),
    (
        "cut off",
        both(drop("field", 1, "neighbours", 1), drop("field", 2, "neighbours")),
        ("field[2].neighbours: no way leads here",),
    ),
    ("nobody enters", drop("field", 0, "rand"), ("field: no field has rand = true",)),
    (
        "rand as text",
        put("field", 0, "rand", value="yes"),
        ("field[0].rand is no true or false", "field: no field has rand"),
    ),
    ("unknown edge", put("field", 0, "edges", value=["west", "up"]), ("field[0].edges[1] is 'up'",)),
    ("edges as text", put("field", 0, "edges", value="west"), ("field[0].edges is no list",)),
    ("no seats", drop("field", 0, "max_players"), ("field[0].max_players is no part",)),
    ("one seat", put("field", 0, "max_players", value=1), ("field[0].max_players is no whole number from 2",)),
    ("tile as number", put("field", 0, "tile", value=3), ("field[0].tile is no place",)),
    ("tile at 0", put("field", 0, "tile", "col", value=0), ("field[0].tile is no place",)),
    (
        "tile twice",
        put("field", 1, "tile", "col", value=1),
        ("field[1].tile is column 1, row 1, where anke lies already",),
    ),
    (
        "groups as list",
        put("groups", value=[]),
        ("groups is no table", "field[0].groups", "special.brussels", "special.moscow"),
    ),
    ("group as text", put("groups", "nato", value="anke"), ("groups.nato is no list",)),
    ("unknown group", put("groups", "efta", value=["anke"]), ("groups.efta is unknown to the rules",)),
    ("unknown member", put("groups", "nato", value=["dora"]), (f"groups.nato[0] is 'dora', {NOBODY}",)),
    ("member twice", put("groups", "nato", value=["bine", "bine"]), ("groups.nato[1] is 'bine', named already",)),
    ("field's own groups", put("field", 0, "groups", value=["eu", "nato"]), ("field[0].groups names 'nato'",)),
    ("special as list", put("special", value=[]), ("special is no table",)),
    ("unknown special", put("special", "paris", value="anke"), ("special.paris is unknown here",)),
    ("special off board", put("special", "switzerland", value="dora"), (f"special.switzerland is 'dora', {NOBODY}",)),
    ("special as number", put("special", "switzerland", value=3), ("special.switzerland is no id",)),
    ("Moscow outside", put("special", "moscow", value="bine"), ("special.moscow is 'bine', which must be one of",)),
    ("pairs as text", put("special", "penalty_pairs", value="x"), ("special.penalty_pairs is no list",)),
    ("no pair", put("special", "penalty_pairs", 0, value=["anke"]), ("special.penalty_pairs[0] is no pair",)),
    (
        "pair off board",
        put("special", "penalty_pairs", 0, "pair", value=["anke", "dora"]),
        ("special.penalty_pairs[0] names 'dora'",),
    ),
    (
        "pair of one",
        put("special", "penalty_pairs", 0, "pair", value=["anke", "anke"]),
        ("special.penalty_pairs[0] names one country twice",),
    ),
    (
        "pair without points",
        put("special", "penalty_pairs", 0, value=["anke", "bine"]),
        ("special.penalty_pairs[0]: the rules know no points",),
    ),
    (
        "points that give",
        put("special", "penalty_pairs", 0, "points", value=5),
        ("special.penalty_pairs[0].points is no whole",),
    ),
    (
        "key of a pair",
        put("special", "penalty_pairs", 0, "cost", value=5),
        ("special.penalty_pairs[0].cost is unknown",),
    ),
    (
        "pair twice",
        put(
            "special",
            "penalty_pairs",
            value=[{"pair": [a, b], "points": -1} for a, b in (("anke", "bine"), ("bine", "anke"))],
        ),
        ("special.penalty_pairs[1] is a pair that stands already",),
    ),
    ("start off board", put("start", "players", value=["dora"]), (f"start.players[0] is 'dora', {NOBODY}",)),
    ("start twice", put("start", "players", value=["anke", "anke"]), ("start.players[1] is 'anke', named already",)),
    ("start as text", put("start", "players", value="anke"), ("start.players is no list",)),
    ("unknown start", put("start", "seven", value=[]), ("start.seven is unknown here",)),
]


def test_the_small_board_is_faultless() -> None:
    """What the faults below are made from has none, in either topology."""
    assert board_faults(small(), "borders") == board_faults(small(), "tiles") == []


@pytest.mark.parametrize(("change", "told"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_a_fault_is_told_with_its_place(change: Callable[[Table], None], told: tuple[str, ...]) -> None:
    """Each kind of fault gives its sentence, and what follows from it, but nothing else."""
    table = small()
    change(table)
    found = board_faults(table, "borders")
    assert len(found) == len(told), found
    assert all(any(fault.startswith(start) for fault in found) for start in told), found
    with pytest.raises(BadInput):
        make_board(table)


def test_all_faults_are_told_at_once() -> None:
    """Faults of different kinds stand in one answer, one of bad form among them."""
    table = small()
    for change in (case[1] for i, case in enumerate(FAULTS) if case[0] in ("kind of link", "tile twice", "one seat")):
        change(table)
    table["groups"]["efta"] = []
    assert sorted(fault.split()[0] for fault in board_faults(table, "borders")) == [
        "field[0].max_players",
        "field[0].neighbours[0].kind",
        "field[1].tile",
        "groups.efta",
    ]


@pytest.mark.parametrize("count", [0, 1, 100])
def test_a_board_has_2_to_99_fields(count: int) -> None:
    """More fields than a close has endings, or too few to move on, are refused."""
    table = grid(count)
    assert any("a board has 2 to 99" in fault for fault in board_faults(table, "borders"))


def test_no_value_of_any_type_breaks_the_check() -> None:
    """Whatever stands in any place of the file, the check answers with sentences or with nothing."""
    values: tuple[Any, ...] = (None, True, -1, 10**9, "", "x; y", [], [None], {}, {"x": []}, [[]], [{"pair": None}])
    for path in places(small()):
        for value in values:
            for topology in ("borders", "tiles"):
                table = small()
                put(*path, value=deepcopy(value))(table)
                assert all(isinstance(fault, str) for fault in board_faults(table, topology))


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place of a table."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [place for key, inner in pairs for place in places(inner, (*path, key))]
    return [path, *found] if path else found


# Tiles instead of borders (K9)


def test_in_tiles_the_four_beside_are_neighbours_and_the_outer_ring_is_the_edge() -> None:
    """K9 on KUEL's own board: neighbours, edges and edge countries come from the tiles alone."""
    board = make_board(KUEL, "tiles")
    assert board.neighbours["switzerland"] == ("denmark", "belgium", "austria", "italy")
    assert board.neighbours["iceland"] == ("great_britain", "ireland")
    assert board.edges["west"] == board.mask(("iceland", "ireland", "spain", "portugal"))
    assert board.edges["south"].bit_count() == 7
    assert len(board.edge_ids) == 18
    assert not {"netherlands", "belgium", "switzerland"} & set(board.edge_ids)


def test_in_tiles_links_of_the_file_do_not_matter() -> None:
    """A board for tiles needs neither neighbours nor edges nor edge fields."""
    table = small()
    for field in table["field"]:
        for key in ("neighbours", "edges", "rand"):
            field.pop(key, None)
    board = make_board(table, "tiles")
    assert board.neighbours["bine"] == ("anke", "cato")
    del table["field"][1]["tile"]
    assert board_faults(table, "tiles") == ["field[1].tile is no part of the field yet, it is needed"]


def test_in_tiles_a_field_that_nobody_can_come_to_is_a_fault() -> None:
    """A lone tile inside the ring is refused with its place."""
    table = grid(25, columns=5)
    ring = {7, 8, 9, 12, 14, 17, 18, 19}
    table["field"] = [field for field in table["field"] if field["number"] not in ring]
    for number, field in enumerate(table["field"], 1):
        field["number"] = number
    with pytest.raises(BadInput, match=r"^field\[8\]\.tile: no way leads here") as told:
        make_board(table, "tiles")
    assert ";" not in told.value.message


# What boards mean


def test_what_a_board_leaves_out_nobody_reaches() -> None:
    """Constellations of an empty group, or without the country they are about, are never held."""
    board = make_board(grid(99))
    everything = (1 << 99) - 1
    assert {item.id for item in score.gains(board, everything)} == {"countries", "seven_connected"}
    assert score.penalties(board, everything) == []


def test_a_group_smaller_than_its_number_is_never_enough() -> None:
    """Seven of a WEU of six can't be had; all of a whole-group constellation can."""
    table = grid(20)
    ids = [field["id"] for field in table["field"]]
    table["groups"] = {"weu": ids[:6], "eu": ids[:9], "nato": ids[:7], "german_speaking": ids[:2], "ex_warsaw_pact": []}
    board = make_board(table)
    held = {item.id for item in score.gains(board, board.mask(ids))}
    assert held == {"countries", "seven_connected", "german3"}


def test_pairs_cost_what_the_file_says_and_kuels_own_what_the_rules_say() -> None:
    """K62: a pair brings its points, a pair of KUEL's needs none and may have others; the order of the two is free."""
    table = deepcopy(KUEL)
    table["special"]["penalty_pairs"] = [
        ["netherlands", "germany"],
        {"pair": ["ireland", "great_britain"], "points": -1},
        {"pair": ["iceland", "norway"], "points": -9},
    ]
    board = make_board(table)
    cost = {item.id: item.points for item in score.penalties(board, board.mask(board.by_id))}
    assert cost == {
        "axis": -20,
        "germany_netherlands": -6,
        "great_britain_ireland": -1,
        "pair|iceland|norway": -9,
        "swiss_neighbours": -4,
    }


@pytest.mark.parametrize("rounding", ["once", "each"])
@pytest.mark.parametrize("fields", [2, 12, 15, 28, 40, 99])
def test_every_close_names_a_field_of_the_board(fields: int, rounding: str) -> None:
    """K46: halving until at most the number of fields, whatever it is; what needs no halving stays what it is."""
    for ending in range(1, 100):
        close = Evidence("dax_close", FRIDAY, f"167{ending:02d}.50")
        for rate in ("1.0942", "0.9942"):
            number = draws.civil_war(close, Evidence("eurusd", FRIDAY, rate), FRIDAY, rounding, fields).number
            assert number is not None
            assert 1 <= number <= fields
            assert ending > fields or number == ending


@pytest.mark.parametrize(("fields", "ending", "below", "above"), [(40, 99, 24, 25), (40, 41, 20, 21), (12, 50, 6, 7)])
def test_halving_stops_at_the_number_of_fields(fields: int, ending: int, below: int, above: int) -> None:
    """K46 on 40 fields: 99 → 49.5 → 24.75; on 12 fields: 50 → 25 → 12.5 → 6.25."""
    close = Evidence("dax_close", FRIDAY, f"167{ending}.50")
    found = [
        draws.civil_war(close, Evidence("eurusd", FRIDAY, rate), FRIDAY, "once", fields).number
        for rate in ("1.1", "0.9")
    ]
    assert found == [below, above]


def test_the_working_names_the_boards_number() -> None:
    """The steps of a draw carry where halving stops on an own board; on KUEL's, whose words have it, they don't."""
    close, rate = Evidence("dax_close", FRIDAY, "16750.50"), Evidence("eurusd", FRIDAY, "1.1")
    balls = Evidence("lotto", FRIDAY + timedelta(1), "44 33 30 42 43 45")
    made = {
        fields: (
            draws.civil_war(close, rate, FRIDAY, "once", fields).steps[2],
            draws.collapse(balls, "drawn", fields).steps[2],
        )
        for fields in (25, 28, 40)
    }
    assert made == {
        25: ("halve|50|25|25", "no_field|26"),
        28: ("halve|50|25", "no_field"),
        40: ("halve|50|25|40", "first|33|41"),
    }


@pytest.mark.parametrize(
    ("fields", "balls", "number", "world"),
    [
        (40, "44 41 40 3 2 1", 40, False),
        (40, "33 41 42 3 2 1", 33, False),
        (40, "44 41 42 43 45 46", None, True),
        (12, "22 13 14 12 1 2", 12, False),
        (12, "22 13 14 15 16 17", None, True),
        (99, "44 48 49 1 2 3", 44, False),
        (99, "43 48 49 1 2 3", None, False),
    ],
)
def test_a_collapse_takes_the_first_number_on_the_board(
    fields: int, balls: str, number: int | None, world: bool
) -> None:  # a parameter of the table above
    """K50: the repdigits stay 11, 22, 33, 44; the first number of at most the board's fields, else the world."""
    found = draws.collapse(Evidence("lotto", FRIDAY + timedelta(1), balls), "drawn", fields)
    assert (found.number, found.world) == (number, world)


# Playing


def played(text: str, seats: int, rounds: int, **options: object) -> list[tuple[Board, State]]:
    """A league of random bots, battles drawn, with figures that burn often."""
    found = registry.load(
        "kuel", registry.check_options(registry.plugin("kuel").meta, {"battles": "drawn", **options}), text
    )
    game: Any = found
    names = [f"s{n}" for n in range(1, seats + 1)]
    state = game.setup([Seat(name, name) for name in names], None)
    states = [(game.board, state)]
    for number in range(1, rounds + 1):
        friday = FRIDAY + timedelta(7 * number)
        dice = {name: Dice(name, number, "lotto", friday, "1 2 3 4 5 6") for name in ("battles", *names)}
        mails = tuple(
            OrderMail(
                name, game.parse(state, name, random_orders(game, state, name, dice[name], "en"), {}), at(number, place)
            )
            for place, name in enumerate(names)
        )
        balls = [11 * (1 + number % 4), *(n for n in range(number % 9 + 1, number % 9 + 12, 2) if n % 11)][:6]
        evidence = game.read_evidence(
            {
                "dax_close": f"16{(number * 37) % 100:02d}{(number * 53) % 100:02d}.10",
                "dax_day": friday.isoformat(),
                "eurusd": "1.0942",
                "lotto": balls,
                "lotto_day": (friday + timedelta(1)).isoformat(),
            }
        )
        turn = Turn(mails=mails, evidence=evidence, dice=dice["battles"])
        outcome = game.adjudicate(state, turn)
        assert outcome.pending == ()
        assert game.adjudicate(game.restore(game.position(state)), turn) == outcome
        state = outcome.state
        assert problems(game.board, state) == []
        states.append((game.board, state))
    return states


def at(number: int, place: int) -> Any:
    """When a mail of a round came."""
    from datetime import UTC, datetime

    return datetime(2024, 1, 3, 10, place, tzinfo=UTC) + timedelta(7 * number)


@pytest.mark.parametrize("options", [{}, {"topology": "tiles"}, {"start": "board", "preset": "gentle"}])
def test_the_example_board_plays(options: dict[str, object]) -> None:
    """Thirty random rounds on the archipelago: no invariant breaks, a position read back plays alike, things burn."""
    states = played(EXAMPLE, 6, 30, **options)
    last = states[-1][1]
    assert len(last.scores) == 6
    assert all(last.owned(seat) for seat in last.scores)
    assert any(state.civil_war for _, state in states)
    assert any(state.auctions or state.payments for _, state in states)


def test_99_fields_play() -> None:
    """The largest board there can be: 28 players, five rounds."""
    text = "\n".join(written(field) for field in grid(99)["field"])
    states = played(text, 28, 5, max_players=28)
    assert len(states[-1][0].countries) == 99
    assert len(states[-1][1].scores) == 28


def written(field: Table) -> str:
    """A field as its file has it."""
    name = ", ".join(f'{lang} = "{text}"' for lang, text in field["name"].items())
    near = ", ".join(f'{{ id = "{one["id"]}" }}' for one in field["neighbours"])
    return (
        f'[[field]]\nnumber = {field["number"]}\nid = "{field["id"]}"\nname = {{ {name} }}\n'
        f"neighbours = [{near}]\nrand = true\nmax_players = 2\n"
    )


@pytest.mark.parametrize("name", ["map", "topology", "groups", "special", "off_board", "start", "style"])
def test_every_part_of_a_board_is_a_table(name: str) -> None:
    """A text where a table belongs is named."""
    assert f"{name} is no table" in list(board_faults({**small(), name: "x"}, "borders"))


@pytest.mark.parametrize("name", ["players", "six_players"])
def test_starts_are_lists_of_ids(name: str) -> None:
    """Both lists of countries to start from."""
    table = small()
    table["start"][name] = [1]
    assert f"start.{name} is no list of ids" in list(board_faults(table, "borders"))


@pytest.mark.parametrize(("seats", "fine"), [(1, False), (2, True), (99, True), (100, False)])
def test_a_battle_map_seats_two_to_ninety_nine(seats: int, *, fine: bool) -> None:
    """The bounds themselves are fine (K26)."""
    table = small()
    table["field"][0]["max_players"] = seats
    assert (list(board_faults(table, "borders")) == []) == fine


def test_two_fields_in_one_place_are_named_with_column_and_row() -> None:
    """Column first; the field that lies there already is named."""
    table = small()
    for field in table["field"][:2]:
        field["tile"] = {"col": 2, "row": 1}
    assert "field[1].tile is column 2, row 1, where anke lies already" in list(board_faults(table, "tiles"))


def test_an_alias_that_means_two_fields_is_a_fault() -> None:
    """Aliases are names like all others."""
    table = small()
    table["field"][1]["aliases"] = ["Albion"]
    assert any("Albion" in fault or "albion" in fault for fault in board_faults(table, "borders"))


def test_an_own_pair_needs_both_its_countries_and_points() -> None:
    """A pair that the rules don't know has to say what it costs, whoever brings the board."""
    table = small()
    table["special"]["penalty_pairs"] = [["anke", "cato"]]
    assert list(board_faults(table, "borders")) != []
