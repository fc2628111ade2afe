"""Orders between the order book, the records and the rules."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from league.core.game import Game
from league.core.json import Json, JsonDict
from league.core.orders import Line, Mistake, OrderMail, Parsed
from league.storage.leagues import Place
from league.storage.orders import Submission


def to_lines(game: Game[Any, Any], state: Any, parsed: Parsed[Any]) -> tuple[JsonDict, ...]:
    """What was understood of a mail, as the book keeps it: the notation, or the mistake's code."""
    return tuple(_line(game, state, line) for line in parsed.lines)


def _line(game: Game[Any, Any], state: Any, line: Line[Any]) -> JsonDict:
    if line.order is not None:
        kept: JsonDict = {"standing": True} if line.standing else {}
        return {"text": line.text, "order": game.notation(state, line.order), **kept}
    mistake = line.mistake or Mistake("not_understood")
    return {"text": line.text, "reason": mistake.reason, "rule": mistake.rule, "facts": dict(mistake.facts)}


def from_lines(
    game: Game[Any, Any], state: Any, lines: Iterable[Mapping[str, Any]], *, replaces: bool, seats: Sequence[str]
) -> Parsed[Any]:
    """The mail as it was understood then, whatever the words of the language are now."""
    names = {seat: seat for seat in seats}
    found = [_read(game, state, line, names) for line in lines]
    return Parsed(tuple(line for line, _ in found), replaces=replaces, final=any(final for _, final in found))


def _read(
    game: Game[Any, Any], state: Any, line: Mapping[str, Any], names: Mapping[str, str]
) -> tuple[Line[Any], bool]:
    """The line, and whether it makes the orders final."""
    text = str(line.get("text", line.get("order", "")))
    if "order" in line:
        found = game.parse(state, "", str(line["order"]), names)
        return Line(text, order=found.orders[0]), found.final
    mistake = Mistake(str(line["reason"]), str(line.get("rule", "")), line.get("facts", {}))
    return Line(text, mistake=mistake), False


def to_mails(
    game: Game[Any, Any], state: Any, submissions: Sequence[Submission], seats: Sequence[Place]
) -> tuple[OrderMail[Any], ...]:
    """A round's mails in order of arrival, as the rules take them."""
    codes = {seat.id: seat.code for seat in seats}
    known = [seat.code for seat in seats]
    return tuple(
        OrderMail(
            codes[s.seat_id],
            from_lines(game, state, s.lines, replaces=s.replaces, seats=known),  # type: ignore[arg-type]
            s.received_at,
        )
        for s in submissions
    )


def notations(lines: Iterable[Json]) -> list[Json]:
    """The understood orders of a mail, as leaves and records carry them."""
    return [line["order"] for line in lines if isinstance(line, Mapping) and "order" in line]
