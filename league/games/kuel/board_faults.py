"""Everything that can be wrong with a board, as sentences that begin with the place: `field[3].neighbours[0].id …`.

The table comes from a file that somebody wrote, so nothing is taken for granted, not even types.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, cast

from league.language.fold import fold
from league.language.names import NameIndex, Thing

LANGUAGES: Final = ("de", "en", "nl")
EDGES: Final = ("west", "east", "north", "south")
GROUPS: Final = ("eu", "weu", "nato", "ex_warsaw_pact", "german_speaking", "axis")
SPECIAL: Final = ("brussels", "moscow", "switzerland")
INSIDE: Final = {"brussels": "eu", "moscow": "ex_warsaw_pact"}  # where a rule counts the country with its group
LINKS: Final = ("land", "sea")
LEAST_FIELDS, MOST_FIELDS = 2, 99  # a close has two last digits (K46)
LONGEST_NAME: Final = 40
MOST_POINTS: Final = 999

TOP: Final = ("map", "topology", "groups", "special", "off_board", "start", "style", "field")
FIELD: Final = (
    "number", "id", "code", "name", "short", "capital", "aliases", "groups", "neighbours", "edges", "rand", "tile",
    "battle_map", "max_players", "terrain", "provenance",
)  # fmt: skip
KNOWN_PAIRS: Final = (
    {"germany", "netherlands"},
    {"yugoslavia", "croatia"},
    {"great_britain", "ireland"},
    {"czech_republic", "slovakia"},
)
NAMED: Final = ("name", "short", "capital", "battle_map")
EMPTY: Final[Mapping[str, Any]] = {"id": ""}  # stands for a list's item that had no usable form
_PLACE, _PART = re.compile(r"[a-z_]+(?:\[[0-9]+\]|\.[^\s.:\[\]]+)*"), re.compile(r"[^.\[\]]+")
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_FOREIGN = re.compile(r"[^\w .'’()/&+-]|[\d_]")  # what no name holds: a comment, a colon, a number among them

Field = Mapping[str, Any]
Faults = Iterator[str]


def board_faults(table: Mapping[str, Any], topology: str) -> list[str]:
    """Every fault of a board. What has no usable form is told as such and then left out of sight."""
    fields = table.get("field")
    if not isinstance(fields, list) or not all(isinstance(field, Mapping) for field in fields):
        return ["field is missing, a board has a [[field]] for each country"]
    form = [*_tables_shape(table), *_shape(fields, topology)]
    seen = _without(table, form) if form else table
    return [*_unknown_keys(seen), *form, *_meaning(seen, topology)]


def _meaning(table: Mapping[str, Any], topology: str) -> Faults:
    fields = table["field"]
    yield from _numbers(fields)
    yield from _ids(fields)
    yield from _tiles(fields)
    yield from _edges(fields)
    if topology != "tiles":
        yield from _links(fields)
    yield from _names(fields)
    yield from _groups(table.get("groups", {}), fields)
    yield from _start(table.get("start", {}), fields)
    yield from _special(table.get("special", {}), table.get("groups", {}), _known(fields))


def _without(table: Mapping[str, Any], faults: Sequence[str]) -> Mapping[str, Any]:
    """The table with `EMPTY` or nothing in the places that these faults begin with."""
    copied: Any = deepcopy(table)
    for fault in faults:
        place = _PLACE.match(fault)
        path = [int(part) if part.isdecimal() else part for part in _PART.findall(place[0] if place else "field")]
        *above, last = path[:3] if path[0] == "special" else path  # of a pair nothing is left
        inner = copied
        for part in above:
            inner = inner[part] if isinstance(inner, list) else inner.get(part, {})
        if isinstance(inner, list):
            inner[int(last)] = EMPTY
        elif last != "id" or not isinstance(inner.get(last), str):  # others name it: one fault is enough
            inner.pop(last, None)
    return cast("Mapping[str, Any]", copied)


def neighbour_ids(field: Field) -> tuple[str, ...]:
    """The ids that a field names as neighbours."""
    return tuple(near["id"] for near in field.get("neighbours", ()))


def cut_off(fields: Sequence[Field], near: str = "neighbours") -> Faults:
    """The fields that nobody could ever come to; `near` is the key that says who lies beside whom."""
    links: dict[str, set[str]] = {}
    for field in fields:
        for one in neighbour_ids(field):  # both ways: a link that one side forgot is a fault of its own
            links.setdefault(field.get("id", ""), set()).add(one)
            links.setdefault(one, set()).add(field.get("id", ""))
    reached = frontier = {field.get("id", "") for field in fields if field.get("rand")}
    while frontier:
        frontier = {one for here in frontier for one in links.get(here, ())} - reached
        reached = reached | frontier
    for place, field in enumerate(fields):
        if field.get("id", "") not in reached:
            yield f"field[{place}].{near}: no way leads here from a field with rand = true (K28, K35)"


# Form: after this, every value that is there has the type it should have.


def _unknown_keys(table: Mapping[str, Any]) -> Faults:
    yield from _unknown(table, TOP, "")
    for place, field in enumerate(table["field"]):
        yield from _unknown(field, FIELD, f"field[{place}].")


def _unknown(table: Mapping[str, Any], known: Sequence[str], where: str) -> Faults:
    yield from (f"{where}{key} is unknown here, known are {', '.join(known)}" for key in table if key not in known)


def _shape(fields: Sequence[Field], topology: str) -> Faults:
    for place, field in enumerate(fields):
        where = f"field[{place}]"
        yield from _wanted(field, topology, where)
        yield from _typed(field, where)
        yield from _near_shape(field.get("neighbours", []), where)


def _wanted(field: Field, topology: str, where: str) -> Faults:
    wanted = ("number", "id", "name", "max_players", *(("tile",) if topology == "tiles" else ()))
    yield from (f"{where}.{key} is no part of the field yet, it is needed" for key in wanted if key not in field)


def _typed(field: Field, where: str) -> Faults:
    if "number" in field and not _whole(field["number"], 1, MOST_FIELDS):
        yield f"{where}.number is no whole number from 1 to {MOST_FIELDS}"
    if "max_players" in field and not _whole(field["max_players"], 2, 99):
        yield f"{where}.max_players is no whole number from 2 to 99, a battle needs two (K26)"
    if not isinstance(field.get("rand", False), bool):
        yield f"{where}.rand is no true or false"
    if "id" in field and not (isinstance(field["id"], str) and _ID.fullmatch(field["id"])):
        yield f"{where}.id is no id, up to 40 of a-z, 0-9 and _ make one, the first a letter"
    if not isinstance(field.get("code", ""), str):
        yield f"{where}.code is no text"
    for key in NAMED:
        if key in field:
            yield from _texts(field[key], f"{where}.{key}")
    for key in ("aliases", "groups", "edges"):
        if not _strings(field.get(key, [])):
            yield f"{where}.{key} is no list of texts"
    tile = field.get("tile", {"col": 1, "row": 1})
    if not (isinstance(tile, Mapping) and all(_whole(tile.get(axis), 1, MOST_FIELDS) for axis in ("col", "row"))):
        yield f"{where}.tile is no place like {{ col = 1, row = 1 }}, both from 1 to {MOST_FIELDS}"


def _texts(written: Any, where: str) -> Faults:
    if not isinstance(written, Mapping):
        yield f"{where} is no table of texts for {', '.join(LANGUAGES)}"
        return
    yield from _unknown(written, LANGUAGES, f"{where}.")
    for lang in LANGUAGES:
        if not isinstance(written.get(lang), str):
            yield f"{where}.{lang} is no text, each language needs one"


def _near_shape(written: Any, where: str) -> Faults:
    if not isinstance(written, list):
        yield f"{where}.neighbours is no list"
        return
    for place, near in enumerate(written):
        here = f"{where}.neighbours[{place}]"
        if not (isinstance(near, Mapping) and isinstance(near.get("id"), str)):
            yield f'{here} is no neighbour, write it like {{ id = "france", kind = "land" }}'
        elif near.get("kind", "land") not in LINKS:
            yield f"{here}.kind is {_shown(near['kind'])}, a link is land or sea"


def _tables_shape(table: Mapping[str, Any]) -> Faults:
    for name in ("map", "topology", "groups", "special", "off_board", "start", "style"):
        if not isinstance(table.get(name, {}), Mapping):
            yield f"{name} is no table"
            return
    for name, ids in table.get("groups", {}).items():
        if name != "provenance" and not _strings(ids):
            yield f"groups.{name} is no list of ids"
    for name in ("players", "six_players"):
        if not _strings(table.get("start", {}).get(name, [])):
            yield f"start.{name} is no list of ids"
    for name in SPECIAL:
        if not isinstance(table.get("special", {}).get(name, ""), str):
            yield f"special.{name} is no id"
    pairs = table.get("special", {}).get("penalty_pairs", [])
    if not isinstance(pairs, list):
        yield "special.penalty_pairs is no list"
        return
    for place, pair in enumerate(pairs):
        yield from _pair_shape(pair, f"special.penalty_pairs[{place}]")


def _pair_shape(written: Any, where: str) -> Faults:
    pair = written.get("pair") if isinstance(written, Mapping) else written
    if not isinstance(pair, list) or not _strings(pair) or len(pair) != 2:
        yield f'{where} is no pair, write it like ["germany", "netherlands"]'
    elif isinstance(written, Mapping):
        yield from _unknown(written, ("pair", "points"), f"{where}.")
        if "points" in written and not _whole(written["points"], -MOST_POINTS, -1):
            yield f"{where}.points is no whole number from -{MOST_POINTS} to -1"


# Meaning


def _numbers(fields: Sequence[Field]) -> Faults:
    if not LEAST_FIELDS <= len(fields) <= MOST_FIELDS:
        yield f"field: there are {len(fields)} fields, a board has {LEAST_FIELDS} to {MOST_FIELDS}"
    numbers = [field.get("number", 0) for field in fields]
    for place, number in enumerate(numbers):
        if number and number in numbers[:place]:
            yield f"field[{place}].number is {number}, a number given already"
    missing = sorted(set(range(1, len(fields) + 1)) - set(numbers))
    if missing:
        told = ", ".join(map(str, missing))
        yield f"field: the numbers have gaps, missing are {told} (K1)"


def _ids(fields: Sequence[Field]) -> Faults:
    ids = [field.get("id", "") for field in fields]
    for place, one in enumerate(ids):
        if one and one in ids[:place]:
            yield f"field[{place}].id is '{one}', an id given already"


def _tiles(fields: Sequence[Field]) -> Faults:
    places: dict[tuple[int, int], str] = {}
    for place, field in enumerate(fields):
        if "tile" in field:
            tile = (field["tile"]["col"], field["tile"]["row"])
            if tile in places:
                yield f"field[{place}].tile is column {tile[0]}, row {tile[1]}, where {places[tile]} lies already"
            places.setdefault(tile, field.get("id", "another field"))


def _edges(fields: Sequence[Field]) -> Faults:
    for place, field in enumerate(fields):
        for n, edge in enumerate(field.get("edges", ())):
            if edge not in EDGES:
                yield f"field[{place}].edges[{n}] is {_shown(edge)}, there are {', '.join(EDGES)}"


def _links(fields: Sequence[Field]) -> Faults:
    named = {field["id"]: neighbour_ids(field) for field in fields if "id" in field}
    for place, field in enumerate(fields):
        if "id" in field:
            yield from _links_of(field["id"], neighbour_ids(field), named, f"field[{place}].neighbours")
    if any(field.get("rand") for field in fields):
        yield from cut_off(fields)
    else:
        yield "field: no field has rand = true, so nobody could enter (K35)"


def _links_of(own: str, ids: Sequence[str], named: Mapping[str, tuple[str, ...]], where: str) -> Faults:
    for place, near in enumerate(ids):
        here = f"{where}[{place}].id is {_shown(near)}"
        if near == own:
            yield f"{here}, the field itself"
        elif near and near not in named:
            yield f"{here}, which is not on the board"
        elif near and own not in named[near]:
            yield f"{here}, but {near} doesn't name {own}"
        if near and near in ids[:place]:
            yield f"{here}, a neighbour named already"


def _names(fields: Sequence[Field]) -> Faults:
    for place, field in enumerate(fields):
        for key in NAMED:
            for lang, name in field.get(key, {}).items():
                yield from _name(name, f"field[{place}].{key}.{lang}")
        for n, name in enumerate(field.get("aliases", ())):
            yield from _name(name, f"field[{place}].aliases[{n}]")
    places = {field.get("id", ""): place for place, field in enumerate(fields)}
    clashes: dict[tuple[str, ...], list[str]] = {}
    for key, ids in NameIndex.build(map(_thing, fields), shared=True).exact.items():
        if len(ids) > 1:
            clashes.setdefault(ids, []).append(key)
    for ids, words in clashes.items():
        last = max(places[one] for one in ids)
        yield f"field[{last}].name: {' and '.join(ids)} could both be meant by {', '.join(map(repr, words))}"


def _name(name: str, where: str) -> Faults:
    if not name.strip() or len(name) > LONGEST_NAME:
        yield f"{where} is {_shown(name)}, a name has 1 to {LONGEST_NAME} letters"
    elif not name.isprintable() or _FOREIGN.search(name) or not any(map(str.isalpha, fold(name))):
        yield f"{where} is {_shown(name)}, a name is made of letters, blanks and . ' ( ) / & + -"


def _thing(field: Field) -> Thing:
    """All that players may call the field; a code counts like a name (it is answered with the name)."""
    own = field.get("id", "")
    names = [name for key in NAMED for name in field.get(key, {}).values()]
    return Thing(own, (own.replace("_", " "), *names, *field.get("aliases", ()), field.get("code", "")))


def _known(fields: Sequence[Field]) -> set[str]:
    return {field["id"] for field in fields if "id" in field}


def _groups(groups: Mapping[str, Any], fields: Sequence[Field]) -> Faults:
    for name, members in groups.items():
        if name == "provenance":
            continue
        if name not in GROUPS:
            yield f"groups.{name} is unknown to the rules, there are {', '.join(GROUPS)}"
        yield from _members(members, _known(fields), f"groups.{name}")
    for place, field in enumerate(fields):
        for name in field.get("groups", ()):
            if "id" in field and field["id"] not in groups.get(name, ()):
                yield f"field[{place}].groups names {_shown(name)}, where [groups] doesn't name {field['id']}"


def _start(start: Mapping[str, Any], fields: Sequence[Field]) -> Faults:
    yield from _unknown(start, ("players", "six_players", "provenance"), "start.")
    for name in ("players", "six_players"):
        yield from _members(start.get(name, ()), _known(fields), f"start.{name}")


def _members(members: Sequence[str], ids: set[str], where: str) -> Faults:
    for place, one in enumerate(members):
        if one not in ids:
            yield f"{where}[{place}] is {_shown(one)}, which is not on the board"
        elif one in members[:place]:
            yield f"{where}[{place}] is '{one}', named already"


def _special(special: Mapping[str, Any], groups: Mapping[str, Any], ids: set[str]) -> Faults:
    yield from _unknown(special, (*SPECIAL, "penalty_pairs"), "special.")
    for name in (name for name in SPECIAL if name in special):
        group = INSIDE.get(name)
        if special[name] not in ids:
            yield f"special.{name} is {_shown(special[name])}, which is not on the board"
        elif group and special[name] not in groups.get(group, ()):
            yield f"special.{name} is '{special[name]}', which must be one of groups.{group} too (K61)"
    pairs: list[set[str]] = []
    for place, written in enumerate(special.get("penalty_pairs", ())):
        if written != EMPTY:
            yield from _pair(written, ids, pairs, f"special.penalty_pairs[{place}]")


def _pair(written: Any, ids: set[str], before: list[set[str]], where: str) -> Faults:
    own = isinstance(written, Mapping)
    a, b = written["pair"] if own else written
    yield from (f"{where} names {_shown(one)}, which is not on the board" for one in (a, b) if one not in ids)
    if a == b:
        yield f"{where} names one country twice"
    if {a, b} in before:
        yield f"{where} is a pair that stands already"
    if {a, b} not in KNOWN_PAIRS and not (own and "points" in written):
        yield f'{where}: the rules know no points for it, write {{ pair = ["{a}", "{b}"], points = -6 }} (K62)'
    before.append({a, b})


# Small tests


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _strings(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)


def _shown(value: Any) -> str:
    """What was written, short, and without what ends a fault."""
    return repr(str(value)[:LONGEST_NAME]).replace(";", ",")
