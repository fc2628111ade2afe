"""`league adjudicate`: a position, orders and evidence in, the outcome out; nothing is read or stored."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from league.core.errors import BadInput
from league.core.evidence import Evidence, RandomSource, reading
from league.core.game import Game, Meta, Outcome, Turn
from league.core.orders import Decision, MailFate, OrderMail, Ruling
from league.core.schedule import Window
from league.desk import registry
from league.desk.words import say
from league.randomness.dice import Dice
from league.randomness.fixed import FixedDice
from league.reports.words import Say

KEYS = (
    "title",
    "game",
    "rules",
    "options",
    "match",
    "round",
    "position",
    "joined",
    "retired",
    "orders",
    "evidence",
    "dice",
    "results",
    "expect",
)
ROUND_KEYS = ("number", "deadline", "ends", "over", "grace_minutes")
ORDER_KEYS = ("seat", "received", "text")
RESULT_KEYS = ("country", "winner", "attempt")
GRACE_MINUTES = 15


def adjudicate_document(
    document: Mapping[str, Any], *, game: str = "kuel", lang: str = "en", board: str = ""
) -> dict[str, Any]:
    """The outcome of a document in the form DESIGN.md gives for `league adjudicate`; `BadInput` says what is wrong.

    `board` is the text of a board.toml that stands for the game's own.
    """
    registry.plugin(game)
    _known(document, KEYS, "the file")
    slug = document.get("game", game)
    if slug != game:
        raise BadInput(f"game is '{slug}', but this is a command for '{game}'")
    meta = registry.plugin(game).meta
    if document.get("rules", meta.versions[-1]) not in meta.versions:
        raise BadInput(f"rules: no version '{document['rules']}'; there are {', '.join(meta.versions)}")
    rules = registry.load(game, registry.check_options(meta, _table(document, "options")), board)
    state = rules.restore(_position(document))
    turn = _turn(document, rules, state)
    outcome = rules.adjudicate(state, turn)
    return _answer(document, rules, turn, outcome, say(rules, lang))


def _position(document: Mapping[str, Any]) -> Mapping[str, Any]:
    position, number = _table(document, "position"), _table(document, "round").get("number")
    if "position" not in document:
        raise BadInput("position is missing; the game can't start from nothing")
    if number is not None and position.get("round", number) != number:
        raise BadInput(f"round.number is {number}, but position.round is {position['round']}")
    return {"round": number if number is not None else 1, **position}


def _turn(document: Mapping[str, Any], rules: Game[Any, Any], state: Any) -> Turn[Any]:
    about = _table(document, "round")
    _known(about, ROUND_KEYS, "round")
    evidence = rules.read_evidence(_table(document, "evidence"))
    mails = [_mail(document, row, place, rules, state) for place, row in enumerate(_rows(document, "orders"))]
    return Turn(
        mails=tuple(mails[place] for place in _arrival(document, rules.meta)),
        evidence=evidence,
        decisions=tuple(_result(row, place) for place, row in enumerate(_rows(document, "results"))),
        dice=_dice(document, rules, state, evidence),
        window=_window(about, rules.meta, evidence),
        over=about.get("over", False) is True,
        joined=_seats(document, "joined"),
        left=_seats(document, "retired"),
        ends=_day(about["ends"]) if "ends" in about else None,
    )


def _seats(document: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Seats that came or went since the last round (K38)."""
    found = document.get(key, [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise BadInput(f"{key} is {found!r}; a list of names is needed")
    return tuple(found)


def _day(written: Any) -> date:
    try:
        return date.fromisoformat(str(written)[:10])
    except ValueError:
        raise BadInput(f"round.ends is '{written}'; a day like 2024-01-06 is needed") from None


def _dice(
    document: Mapping[str, Any], rules: Game[Any, Any], state: Any, evidence: Sequence[Evidence]
) -> RandomSource | None:
    """Those of the lottery's draw, except for what the document fixes in its table `dice`."""
    lotto, number = reading(evidence, "lotto"), int(str(rules.position(state)["round"]))
    drawn = Dice.of(str(document.get("match", "")), number, lotto) if lotto is not None else None
    if "dice" not in document:
        return drawn
    fixed = _table(document, "dice")
    for purpose, rolled in fixed.items():
        if not isinstance(rolled, int) or isinstance(rolled, bool):
            raise BadInput(f"dice.{purpose} is {rolled!r}; a whole number from 0 is needed")
    return FixedDice(fixed, drawn)


def _window(about: Mapping[str, Any], meta: Meta, evidence: Sequence[Evidence]) -> Window | None:
    zone, minutes = ZoneInfo(meta.zone), about.get("grace_minutes", GRACE_MINUTES)
    if not isinstance(minutes, int) or isinstance(minutes, bool) or not 0 <= minutes <= 24 * 60:
        raise BadInput(f"round.grace_minutes is {minutes!r}; minutes from 0 to 1440 are needed")
    grace = timedelta(minutes=minutes)
    if "deadline" in about:
        deadline = _instant(about["deadline"], "round.deadline", zone)
        return meta.week.extended(deadline, zone, grace)
    if not evidence:
        return None
    return meta.week.window(meta.week.last_day_of_week(max(e.day for e in evidence)), zone, grace)


def _arrival(document: Mapping[str, Any], meta: Meta) -> list[int]:
    """The order in which mails arrived, to the second; where one has no time, that of the file (K21)."""
    zone = ZoneInfo(meta.zone)
    times = [_received(row, place, zone) for place, row in enumerate(_rows(document, "orders"))]
    places = list(range(len(times)))
    known = [t.replace(microsecond=0) for t in times if t is not None]
    return places if len(known) < len(times) else sorted(places, key=lambda place: known[place])


def _received(row: Mapping[str, Any], place: int, zone: ZoneInfo) -> datetime | None:
    return _instant(row["received"], f"orders[{place}].received", zone) if "received" in row else None


def _mail(
    document: Mapping[str, Any], row: Mapping[str, Any], place: int, rules: Game[Any, Any], state: Any
) -> OrderMail[Any]:
    where = f"orders[{place}]"
    _known(row, ORDER_KEYS, where)
    seat, text = row.get("seat"), row.get("text", "")
    if not isinstance(seat, str) or not isinstance(text, str):
        raise BadInput(f"{where} needs seat and text, both strings")
    position = rules.position(state)
    seats = [*_keys(position["players"]), *_keys(position["newcomers"]), *_seats(document, "joined")]
    if seat not in seats:
        known = dict.fromkeys(seats)
        raise BadInput(f"{where}.seat: no '{seat}' in the position{registry.nearest(seat, known)}")
    parsed = rules.parse(state, seat, text, {name: name for name in seats})
    return OrderMail(seat, parsed, _received(row, place, ZoneInfo(rules.meta.zone)))


def _keys(names: Any) -> list[str]:
    return [str(name) for name in names]


def _result(row: Mapping[str, Any], place: int) -> Decision:
    where = f"results[{place}]"
    _known(row, RESULT_KEYS, where)
    for key in ("country", "winner"):
        if not isinstance(row.get(key), str):
            raise BadInput(f"{where}.{key} is missing")
    return Decision("result", {"attempt": 1, **row})


def _instant(written: Any, where: str, zone: ZoneInfo) -> datetime:
    try:
        moment = written if isinstance(written, datetime) else datetime.fromisoformat(str(written))
    except ValueError:
        raise BadInput(f"{where} is '{written}'; a time like 2024-01-04T18:30:00+01:00 is needed") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _answer(
    document: Mapping[str, Any],
    rules: Game[Any, Any],
    turn: Turn[Any],
    outcome: Outcome[Any],
    words: Say,
) -> dict[str, Any]:
    places = _arrival(document, rules.meta)
    fates = dict(zip(places, zip(turn.mails, outcome.fates, strict=True), strict=True))
    orders = [_order(row, *fates[place], words) for place, row in enumerate(_rows(document, "orders"))]
    return {
        "game": rules.meta.slug,
        "rules": rules.meta.versions[-1],
        "position": rules.position(outcome.state),
        "events": [event.facts() | {"text": words.event(event.facts())} for event in outcome.events],
        "orders": orders,
        "pending": list(outcome.pending),
    }


def _order(row: Mapping[str, Any], mail: OrderMail[Any], fate: MailFate, words: Say) -> dict[str, Any]:
    lines = [
        {"line": line.text, **_ruling(ruling, words)}
        for line, ruling in zip(mail.parsed.lines, fate.lines, strict=True)
    ]
    plain = {key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()}
    return {**plain, "lines": lines, **_ruling(fate.own, words)}


def _ruling(ruling: Ruling, words: Say) -> dict[str, Any]:
    fate = ruling.fate.value if ruling.fate is not None else None
    return {"fate": fate, "reason": words.reason(ruling.reason, ruling.facts), "rule": ruling.rule}


def _known(table: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise BadInput(f"{where}: no key '{key}'{registry.nearest(key, dict.fromkeys(keys))}")


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = document.get(key, {})
    if not isinstance(found, Mapping):
        raise BadInput(f"{key} is {found!r}; a table is needed")
    return found


def _rows(document: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    found = document.get(key, [])
    if not isinstance(found, Sequence) or isinstance(found, str) or not all(isinstance(row, Mapping) for row in found):
        raise BadInput(f"{key} is {found!r}; a list of tables is needed ([[{key}]])")
    return found
