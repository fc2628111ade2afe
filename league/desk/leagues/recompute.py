"""A record's round once more, from what it was given: the same for golden replays and for whoever verifies a league."""

from collections.abc import Iterator, Mapping, Sequence
from json import loads
from typing import Any

from league.core.errors import BadInput
from league.core.game import Game, Options, Seat
from league.core.json import JsonDict
from league.desk import registry
from league.desk.leagues.records import outcome_rows
from league.desk.leagues.turns import Table, from_record, seats_in
from league.records.canonical import canonical

Body = Mapping[str, Any]
RESULTS = ("events", "fates", "position", "standings")  # what comes out of a round
SHOWN = 60


def recompute(body: Body, board: str = "") -> dict[str, Any]:
    """What comes out of the record's start, orders, figures and decisions; `BadInput` where something is missing."""
    table = _table(body, board)
    outcome = table.outcome()
    if outcome.pending:
        waits = ", ".join(sorted({str(item["kind"]) for item in outcome.pending}))
        raise BadInput(f"the round could not be evaluated with what the record has: it waits for {waits}")
    made = {"start": table.game.position(table.state), **outcome_rows(table, outcome)}
    return loads(canonical(made))  # type: ignore[no-any-return]  # as records have it


def readjust(body: Body, wrong: Body, right: Body, since: Sequence[Body], board: str = "") -> dict[str, Any]:
    """What an adjustment's record comes to: the difference between two versions of a round, put into its `from`."""
    game = _table(wrong, board).game
    current, was, should = (game.restore(place) for place in (body["from"], wrong["position"], right["position"]))
    made = game.amend(current, was, should, since)
    told: JsonDict = {"applied": made.applied, "not_applied": made.not_applied, "to": game.position(made.state)}
    return loads(canonical(told))  # type: ignore[no-any-return]


def _table(body: Body, board: str) -> Table:
    return from_record(body, _options(body), str(body["game"]), board)


def _options(body: Body) -> Options:
    rules = body["rules"]
    meta = registry.plugin(str(body["game"])).meta
    if rules["rules"] not in meta.versions:
        raise BadInput(f"this program doesn't know the rules {rules['rules']!r}, only {', '.join(meta.versions)}")
    return registry.check_options(meta, rules["options"])


def game_of(body: Body, board: str = "") -> Game[Any, Any]:
    """The game with the options that the record names."""
    return registry.load(str(body["game"]), _options(body), board)


def first_start(body: Body, board: str = "") -> Any:
    """The position with which the rules let a match begin, for the seats that the first round's record starts with."""
    table = _table(body, board)
    seats = sorted(seats_in(table.game, table.state), key=lambda code: (len(code), code))
    return table.game.position(table.game.setup([Seat(code, code) for code in seats], None))


def other_tables(body: Body, board: str = "") -> bool:
    """Whether the record names other tables of its game than this program has."""
    return bool(body["rules"]["tables_sha256"] != registry.tables_sha256(str(body["game"]), board))


def differences(told: Any, made: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Where two values of JSON differ: the place, and what stands there and what should."""
    if isinstance(told, Mapping) and isinstance(made, Mapping):
        for key in sorted({*told, *made}, key=str):
            yield from differences(told.get(key), made.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(told, list) and isinstance(made, list) and len(told) == len(made):
        for place, (one, other) in enumerate(zip(told, made, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif told != made or isinstance(told, bool) != isinstance(made, bool):
        yield path, f"the record says {_short(told)}, and it comes to {_short(made)}"


def _short(value: Any) -> str:
    if isinstance(value, Mapping | list):
        return f"{len(value)} of them" if value else "nothing"
    return repr(value)[:SHOWN]
