"""KUEL chapters 1 to 9 and the extensions of 11 once more, as naively as possible: the engine's independent witness.

`evaluate(document)` takes and gives what `league adjudicate kuel` does (without the events). It shares no code
with the engine. Undecided battles are met by brute force: every combination of their outcomes is played, and
what is "so far" is what all of them have in common.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import permutations
from math import ceil, floor
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

Document = dict[str, Any]

BOARD = tomllib.loads((Path(__file__).parents[2] / "config" / "kuel" / "board.toml").read_text(encoding="utf-8"))
FIELDS: Document = {f["id"]: f for f in BOARD["field"]}
COUNTRIES: list[str] = sorted(FIELDS, key=lambda c: int(FIELDS[c]["number"]))
NUMBERS = {int(FIELDS[c]["number"]): c for c in COUNTRIES}
SEATS = {c: int(FIELDS[c]["max_players"]) for c in COUNTRIES}
GROUPS: dict[str, set[str]] = {name: set(members) for name, members in BOARD["groups"].items() if name != "provenance"}
SWITZERLAND = BOARD["special"]["switzerland"]
MOSCOW = BOARD["special"]["moscow"]
BRUSSELS = BOARD["special"]["brussels"]
PAIRS = [(a, b) for a, b in BOARD["special"]["penalty_pairs"]]


@dataclass(frozen=True)
class Ground:
    """How the countries lie: beside each other, on the four edges, on the rim where newcomers enter (K9)."""

    neighbours: dict[str, set[str]]
    edges: dict[str, set[str]]
    rim: set[str]


def tiled() -> Ground:
    """The board as a table of tiles: beside is up, down, left, right; the rim are its outer rows and columns."""
    places = {c: (int(FIELDS[c]["tile"]["col"]), int(FIELDS[c]["tile"]["row"])) for c in COUNTRIES}
    last_column, last_row = max(col for col, _ in places.values()), max(row for _, row in places.values())
    beside = {
        c: {n for n, (x, y) in places.items() if abs(x - col) + abs(y - row) == 1} for c, (col, row) in places.items()
    }
    edges = {
        "west": {c for c in COUNTRIES if places[c][0] == 1},
        "east": {c for c in COUNTRIES if places[c][0] == last_column},
        "north": {c for c in COUNTRIES if places[c][1] == 1},
        "south": {c for c in COUNTRIES if places[c][1] == last_row},
    }
    return Ground(beside, edges, set().union(*edges.values()))


GROUNDS = {
    "borders": Ground(
        {c: {n["id"] for n in FIELDS[c]["neighbours"]} for c in COUNTRIES},
        {side: {c for c in COUNTRIES if side in FIELDS[c]["edges"]} for side in ("west", "east", "north", "south")},
        {c for c in COUNTRIES if FIELDS[c]["rand"]},
    ),
    "tiles": tiled(),
}

DEFAULTS = {
    "topology": "borders",
    "award": "total",
    "battles": "reported",
    "max_players": 14,
    "civil_war_rounds": 0,
    "rounding": "once",
    "lotto_order": "drawn",
    "debt": "allowed",
    "conditions": "off",
    "standing": "off",
}
PRESETS: dict[str, dict[str, Any]] = {"classic": {}, "gentle": {"debt": "stop_at_zero", "civil_war_rounds": 6}}
BERLIN = ZoneInfo("Europe/Berlin")
GRACE = timedelta(minutes=15)


class BadCase(Exception):
    """A document that no round can be made of."""


# ---- what a player wrote (chapter 11, canonical English only) ----------------------------------------------------

MOVES = {"take", "attack", "leave", "devastate", "join", "pass", "if"}
UNDER_CONDITION = MOVES - {"join", "if"}
SUBMITTED = {"take", "attack", "leave", "devastate"}  # K44
REPLACING = MOVES | {"bid", "give"}
REPLIES = {"result", "rematch", "map", "settings", "give"}  # count after the freeze too
OWN_RULE = {"map": "K63", "settings": "K64"}
UNREAD = "11"  # the rule of a line that isn't understood: the chapter on orders by mail


def country_named(words: str) -> str | None:
    """A board id or an English name."""
    for country, facts in FIELDS.items():
        if words.casefold() in {country, facts["name"]["en"].casefold()}:
            return country
    return None


@dataclass(frozen=True)
class Said:
    """An understood line."""

    verb: str
    country: str = ""
    amount: int = 0
    words: str = ""  # won, lost or a winner's seat; the country whose map it is; the settings; a condition
    then: "Said | None" = None  # under a condition, and what otherwise
    otherwise: "Said | None" = None


def understood(line: str, seats: Iterable[str] = (), options: Document = DEFAULTS) -> Said | None:
    """The order a line holds, or None; `seats`: who may be named. Whether it is kept for later is no matter."""
    conditions = options["conditions"] == "on"
    said = order_in(line, seats, conditions=conditions)
    if said is not None or options["standing"] == "off":
        return said  # `settings C: slow (standing)` says what it says
    kept = order_in(line.removeprefix("standing: ").removesuffix(" (standing)"), seats, conditions=conditions)
    return kept if kept is not None and kept.verb in REPLACING else None


CONDITIONS = {" is free": "free", " is mine": "mine", " is devastated": "devastated", " is in civil war": "civil_war"}


def conditional(rest: str, seats: Iterable[str]) -> Said | None:
    """`C is free take D else attack E`, the condition in one of its ways, the part from `else` on or not."""
    start = min((n for verb in UNDER_CONDITION if (n := f"{rest} ".find(f" {verb} ")) >= 0), default=-1)
    if start < 0:
        return None
    about, (first, _, second) = rest[:start], rest[start + 1 :].partition(" else ")
    orders = [order_in(text, seats, conditions=False) for text in (first, second) if text]
    if any(said is None or said.verb not in UNDER_CONDITION for said in orders):
        return None
    then, other = (*orders, None)[:2]
    if about.startswith("I have at least ") and about.endswith(" points"):
        return Said("if", "", int(about.split()[4]), "points", then, other)
    for ending, kind in CONDITIONS.items():
        country = country_named(about.removesuffix(ending)) if about.endswith(ending) else None
        if country:
            return Said("if", country, 0, kind, then, other)
    where, _, player = about.partition(" belongs to ")
    country = country_named(where)
    return Said("if", country, 0, f"owned {player}", then, other) if country and player in seats else None


def order_in(line: str, seats: Iterable[str], *, conditions: bool) -> Said | None:
    """The same without a mark."""
    verb, _, rest = line.partition(" ")
    if verb == "if":
        return conditional(rest, seats) if conditions else None
    if verb == "result":
        return told(rest, seats)
    if verb in OWN_RULE:
        return wished(verb, rest)
    if verb == "pass" and not rest:
        return Said("pass")
    amount = 0
    if verb == "bid":
        number, _, rest = rest.partition(" ")
        if not number.isdigit() or int(number) < 1:
            return None
        amount = int(number)
    country = country_named(rest.strip())
    if country is None or verb not in REPLACING | {"rematch"} or verb == "pass":
        return None
    return Said(verb, country, amount)


def told(rest: str, seats: Iterable[str]) -> Said | None:
    """`C won`, `C lost`, `C winner P`."""
    where, _, outcome = rest.rpartition(" ")
    if where.endswith(" winner") and outcome in seats:
        where = where.removesuffix(" winner")
    elif outcome not in {"won", "lost"}:
        return None
    country = country_named(where)
    return Said("result", country, words=outcome) if country else None


def wished(verb: str, rest: str) -> Said | None:
    """`C: M`, `C: anything`."""
    where, _, what = (part.strip() for part in rest.partition(":"))
    country = country_named(where)
    if verb == "map":
        what = country_named(what) or ""
    return Said(verb, country, words=what) if country and what else None


@dataclass
class Mail:
    """One entry of `[[orders]]`, with what became of it."""

    index: int
    seat: str
    received: datetime | None
    lines: list[str]
    said: list[Said | None]
    late: bool = False  # came after the freeze: only its replies count
    own: tuple[str | None, str] | None = None
    fates: list[tuple[str | None, str] | None] = field(default_factory=list)

    @property
    def replaces(self) -> bool:
        """K12: only these lines make a mail that stands in an earlier one's place, and a late one never does (K13)."""
        return not self.late and any(s is not None and s.verb in REPLACING for s in self.said)

    @property
    def arrival(self) -> tuple[datetime, int]:
        """K21: to the second, then the order of the file."""
        when = self.received or datetime.min.replace(tzinfo=UTC)
        return when.replace(microsecond=0), self.index

    def move_line(self) -> int | None:
        """K12: the last move line of a mail counts."""
        lines = [n for n, s in enumerate(self.said) if s is not None and s.verb in MOVES]
        return lines[-1] if lines else None

    def settle(self, fate: str, rule: str) -> None:
        """The whole mail meets one fate; a line that says nothing stays invalid."""
        self.own = (fate, rule)
        self.fates = [("invalid", UNREAD) if s is None else (fate, rule) for s in self.said]


def moment(value: Any) -> datetime:
    """An ISO time, or the date-time that TOML made of it."""
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))


def day(value: Any) -> date:
    """An ISO day, or the date that TOML made of it."""
    return value if isinstance(value, date) else date.fromisoformat(str(value))


def read_mails(document: Document) -> list[Mail]:
    """The mails of the file in the file's order."""
    mails = []
    seats = [*document["position"].get("players", {}), *document["position"].get("newcomers", [])]
    seats += document.get("joined", [])
    for index, given in enumerate(document.get("orders", [])):
        lines = [line.strip() for line in given.get("text", "").splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        received = moment(given["received"]) if "received" in given else None
        said = [understood(line, seats, options_of(document)) for line in lines]
        mails.append(Mail(index, given["seat"], received, lines, said))
        mails[-1].fates = [None] * len(lines)
    return mails


# ---- the week (K10, K11, K13, K47) -------------------------------------------------------------------------------


def midnight(of: date) -> datetime:
    """00:00 of a day in the league's time zone."""
    return datetime(of.year, of.month, of.day, tzinfo=BERLIN).astimezone(UTC)


def friday(document: Document) -> date | None:
    """The Friday whose close decides."""
    evidence = document.get("evidence", {})
    if "deadline" in document.get("round", {}):
        thursday = (moment(document["round"]["deadline"]) - timedelta(hours=1)).astimezone(BERLIN).date()
        return thursday + timedelta(days=(4 - thursday.weekday()) % 7)
    if "lotto_day" in evidence:
        return day(evidence["lotto_day"]) - timedelta(days=1)
    if "dax_day" in evidence:
        close = day(evidence["dax_day"])
        return close + timedelta(days=(4 - close.weekday()) % 7)
    return None


def deadline(document: Document) -> datetime | None:
    """Thursday 24:00 unless the file says another time."""
    if "deadline" in document.get("round", {}):
        return moment(document["round"]["deadline"]).astimezone(UTC)
    decides = friday(document)
    return midnight(decides) if decides else None


def out_of_time(document: Document, mail: Mail) -> str | None:
    """The rule that keeps a mail out of this round, if any."""
    end = deadline(document)
    if end is None or mail.received is None:
        return None
    if mail.received > end + GRACE:
        return "K13"
    eve = (end - timedelta(seconds=1)).astimezone(BERLIN).date()
    sunday = eve - timedelta(days=(eve.weekday() + 1) % 7)
    before = end.astimezone(BERLIN).replace(tzinfo=None) - timedelta(days=7)
    previous_end = before.replace(tzinfo=BERLIN).astimezone(UTC)
    if previous_end + GRACE < mail.received < midnight(sunday):
        return "K10"
    return None


def let_mails_stand(document: Document, mails: list[Mail]) -> None:
    """Settle every mail that doesn't count: out of time, replaced, a resend, nothing understood (K10 to K13)."""
    holder: dict[str, Mail] = {}
    for mail in sorted(mails, key=lambda m: m.arrival):
        late = out_of_time(document, mail)
        if late == "K13" and any(s is not None and s.verb in REPLIES for s in mail.said):
            mail.late = True
        elif late:
            mail.settle("invalid", late)
        elif not any(mail.said):
            mail.settle("invalid", UNREAD)
        elif mail.replaces:
            earlier = holder.get(mail.seat)
            if earlier and [s for s in earlier.said if s] == [s for s in mail.said if s]:
                mail.settle("lapsed", "K12")
                continue
            if earlier:
                earlier.settle("lapsed", "K12")
            holder[mail.seat] = mail


def mark_superseded_lines(mail: Mail) -> None:
    """Within one mail: of several move lines the last counts, and of several bids on one country (K12).

    In a late mail all but the replies are late (K13).
    """
    seen: set[Said | str] = set()
    for n in reversed(range(len(mail.said))):
        said = mail.said[n]
        if said is None:
            mail.fates[n] = ("invalid", UNREAD)
            continue
        if mail.late and said.verb not in REPLIES:
            mail.fates[n] = ("invalid", "K13")
            continue
        if said.verb in REPLIES:
            continue
        slot: Said | str = "move" if said.verb in MOVES else Said(said.verb, said.country)
        if slot in seen:
            mail.fates[n] = ("lapsed", "K12")
        seen.add(slot)


# ---- constellations (chapter 8) ----------------------------------------------------------------------------------


def connected(ground: Ground, owned: set[str], start: str) -> set[str]:
    """All of `owned` that hangs together with `start`."""
    group = {start}
    while True:
        more = {n for c in group for n in ground.neighbours[c]} & owned
        if more <= group:
            return group
        group |= more


def chain(ground: Ground, owned: set[str], one: str, other: str) -> bool:
    """An own connected chain from one edge of the board to the other."""
    groups = [connected(ground, owned, c) for c in owned & ground.edges[one]]
    return any(group & ground.edges[other] for group in groups)


def constellations(ground: Ground, owned: set[str]) -> dict[str, int]:
    """K61: what a player's countries make, with the points."""
    eu10 = len(owned & GROUPS["eu"]) >= 10
    pact = GROUPS["ex_warsaw_pact"]
    rows = {
        "seven_connected": (7, any(len(connected(ground, owned, c)) >= 7 for c in owned)),
        "eu10": (60, eu10 and BRUSSELS not in owned),
        "eu10_brussels": (100, eu10 and BRUSSELS in owned),
        "weu7": (34, len(owned & GROUPS["weu"]) >= 7),
        "nato8": (40, len(owned & GROUPS["nato"]) >= 8),
        "moscow_wp3": (20, MOSCOW in owned and len(owned & pact - {MOSCOW}) >= 3),
        "wp6": (40, pact <= owned),
        "german3": (15, GROUPS["german_speaking"] <= owned),
        "west_east": (33, chain(ground, owned, "west", "east")),
        "north_south": (22, chain(ground, owned, "north", "south")),
        "swiss_alone": (14, SWITZERLAND in owned and not owned & ground.neighbours[SWITZERLAND]),
    }
    return {name: points for name, (points, there) in rows.items() if there}


def penalties(ground: Ground, owned: set[str]) -> int:
    """K62, with K70."""
    if GROUPS["german_speaking"] <= owned:
        return 0
    costs = {
        frozenset({"germany", "netherlands"}): 6,
        frozenset({"yugoslavia", "croatia"}): 8,
        frozenset({"great_britain", "ireland"}): 16,
        frozenset({"czech_republic", "slovakia"}): 16,
    }
    total = 20 if GROUPS["axis"] <= owned else 0
    total += sum(costs[frozenset(pair)] for pair in PAIRS if set(pair) <= owned)
    if SWITZERLAND in owned:
        total += len(owned & ground.neighbours[SWITZERLAND])
    return total


def points(ground: Ground, owned: set[str]) -> int:
    """A round's points for a set of countries (K60 to K62, K70)."""
    return len(owned) + sum(constellations(ground, owned).values()) - penalties(ground, owned)


# ---- figures (K46 to K51) ----------------------------------------------------------------------------------------


def integer_part(close: str) -> int:
    """`15229.10`, `15.229,10` and `15,229.10` are the same number."""
    text = close.strip()
    marks = [n for n, sign in enumerate(text) if sign in ".,"]
    if marks and len(text) - marks[-1] - 1 != 3:
        text = text[: marks[-1]]
    return int(text.replace(".", "").replace(",", ""))


def rounded(value: Fraction, rate: Decimal) -> Fraction:
    """Down if a euro is worth more than a dollar, up if less, half up at par (K46, K48)."""
    if rate > 1:
        return Fraction(floor(value))
    if rate < 1:
        return Fraction(ceil(value))
    return Fraction(floor(value + Fraction(1, 2)))


def civil_war_field(close: str, rate: str | None, rounding: str) -> int | str | None:
    """The field's number, None for no field, or "eurusd" if the rate is needed and not known (K46, K48)."""
    value = Fraction(integer_part(close) % 100)
    if value == 0:
        return None
    while value > 28:
        value /= 2
        if value.denominator > 1 and (rounding == "each"):
            if rate is None:
                return "eurusd"
            value = rounded(value, Decimal(rate))
    if value.denominator > 1:
        if rate is None:
            return "eurusd"
        value = rounded(value, Decimal(rate))
    return int(value)


def collapse_field(numbers: list[int], order: str) -> int | str | None:
    """The field's number, None for no collapse, or "world" (K50, K51)."""
    if not set(numbers) & {11, 22, 33, 44}:
        return None
    if order == "sorted":
        numbers = sorted(numbers)
    small = [n for n in numbers if n < 29]
    return small[0] if small else "world"


def die(bound: int, seed: list[Any], purpose: str) -> int:
    """A fair number below `bound`, rolled from the lottery."""
    fair = 2**256 - 2**256 % bound
    counter = 0
    while True:
        text = json.dumps([*seed, purpose, counter], separators=(",", ":"), ensure_ascii=False)
        number = int.from_bytes(sha256(text.encode()).digest(), "big")
        if number < fair:
            return number % bound
        counter += 1


# ---- one course of a round ---------------------------------------------------------------------------------------

Battle = tuple[str, tuple[str, ...], int]  # country, fighters, attempt


@dataclass
class World:
    """Who owns what, and what lies on the countries. Changed in place."""

    round: int
    owner: dict[str, str]
    score: dict[str, int]
    newcomers: list[str]
    markers: dict[str, dict[str, Any]]
    month_start: dict[str, int] = field(default_factory=dict)

    def owned(self, seat: str) -> set[str]:
        """A player's countries."""
        return {c for c, s in self.owner.items() if s == seat}

    def has(self, country: str, marker: str) -> bool:
        """Whether a country carries a marker: devastation, civil_war, auction or payments."""
        found = self.markers.get(country, {})
        if marker == "auction":
            return "auction_rounds_left" in found.get("collapse", {})
        if marker == "payments":
            return "payments_left" in found.get("collapse", {})
        return marker in found

    def place(self, country: str, marker: str, value: Any) -> None:
        """Put a marker on a country."""
        self.markers.setdefault(country, {})[marker] = value

    def lift(self, country: str, marker: str) -> None:
        """Take a marker away, if it is there."""
        self.markers.get(country, {}).pop(marker, None)
        if not self.markers.get(country, {"some": 1}):
            del self.markers[country]

    def limit(self, seat: str) -> int:
        """K4."""
        return 15 if GROUPS["axis"] <= self.owned(seat) else 10

    def full(self, seat: str) -> bool:
        """At the limit, or over it (K4, K5)."""
        return len(self.owned(seat)) >= self.limit(seat)


def world_of(position: Document) -> World:
    """The world at the start of the round."""
    owner = {c: seat for seat, facts in position.get("players", {}).items() for c in facts["owns"]}
    score = {seat: int(facts["score"]) for seat, facts in position.get("players", {}).items()}
    markers = deepcopy(position.get("markers", {}))
    began = dict(position.get("month_start", {}))
    return World(int(position["round"]), owner, score, list(position.get("newcomers", [])), markers, began)


def position_of(world: World) -> Document:
    """The world in the form of the file."""
    players = {
        s: {"score": n, "owns": [c for c in COUNTRIES if world.owner.get(c) == s]} for s, n in world.score.items()
    }
    position: Document = {"round": world.round, "players": players}
    position["markers"] = deepcopy(world.markers)
    position["newcomers"] = list(world.newcomers)
    if world.month_start:
        position["month_start"] = dict(world.month_start)
    return position


NO_BATTLE = "no battle"  # failed in the end; until then there may yet be one


def parts(said: Said) -> tuple[Said | None, ...]:
    """An order, or the two under its condition."""
    return said, said.then, said.otherwise


def named_winner(seat: str, said: Said, fighters: tuple[str, ...]) -> str | None:
    """Whom a fighter's report names (K33): `won` and `lost` say it only where two fight."""
    if seat not in fighters:
        return None
    if said.words in {"won", "lost"}:
        if len(fighters) != 2:
            return None
        return seat if said.words == "won" else next(f for f in fighters if f != seat)
    return said.words if said.words in fighters else None


class Course:
    """One way the round can go: the undecided battles end as `script` says, further ones with the first fighter."""

    def __init__(self, document: Document, script: list[int]) -> None:
        """Play steps 0 to 3."""
        self.document = document
        self.options = options_of(document)
        self.ground = GROUNDS[self.options["topology"]]
        self.evidence: Document = document.get("evidence", {})
        self.over = bool(document.get("round", {}).get("over", False))
        self.results = {(r["country"], int(r.get("attempt", 1))): r["winner"] for r in document.get("results", [])}
        self.script = script
        self.picks: list[int] = []
        self.widths: list[int] = []
        self.undecided: list[Battle] = []
        self.fought: list[Battle] = []
        self.misfits: list[tuple[str, int]] = []
        self.fresh: set[tuple[str, str]] = set()

        self.disputes: dict[Battle, list[list[str]]] = {}
        self.later_reports: dict[str, list[tuple[str, str]]] = {}
        self.sides: dict[str, tuple[tuple[str, ...], str | None]] = {}

        self.world = world_of(document["position"])
        self.come_and_go()
        self.start = deepcopy(self.world)
        self.mails = read_mails(document)
        let_mails_stand(document, self.mails)
        self.standing = [m for m in self.mails if m.own is None]
        for mail in self.standing:
            mark_superseded_lines(mail)
        self.play()

    def play(self) -> None:
        """Steps 1 to 3 of K72, and the fates that follow."""
        self.collect_moves()
        self.award_auctions()
        self.give_countries()
        self.before_moves = deepcopy(self.world)
        self.carry_out_moves()
        self.close_fates()

    # -- step 0

    def come_and_go(self) -> None:
        """Who retires leaves all his countries; who joins waits behind the newcomers that are there (K38)."""
        for seat in self.document.get("retired", []):
            self.world.month_start.pop(seat, None)
            for country in self.world.owned(seat):
                del self.world.owner[country]
                self.world.lift(country, "collapse")  # an owned country's collapse is its reconstruction
            self.world.score.pop(seat, None)
            self.world.newcomers = [s for s in self.world.newcomers if s != seat]
        for seat in self.document.get("joined", []):
            if seat not in self.world.score and seat not in self.world.newcomers:
                self.world.newcomers.append(seat)

    # -- who does what, and in which order

    def collect_moves(self) -> None:
        """Each seat's move of its standing mail, and the order of execution (K20, K21)."""
        self.move: dict[str, Said] = {}
        self.mail_of: dict[str, Mail] = {}
        for mail in self.standing:
            if not mail.replaces:
                continue
            self.mail_of[mail.seat] = mail
            place = mail.move_line()
            said = mail.said[place] if place is not None else None
            if said and said.verb != "pass":
                self.move[mail.seat] = said
        self.offer: dict[str, tuple[Mail, int]] = {}
        for mail in sorted(self.standing, key=lambda m: m.arrival):
            for n, said in enumerate(mail.said):
                if said is not None and said.verb == "give":
                    if mail.seat in self.offer:
                        earlier, line = self.offer[mail.seat]
                        earlier.fates[line] = ("lapsed", "K12")
                    self.offer[mail.seat] = (mail, n)
        self.settled: set[str] = set()
        self.givers: set[str] = set()
        self.granted: set[tuple[str, str]] = set()
        holders = [s for s in self.start.score if self.right(s, "wp6")]
        self.precedence = holders[0] if holders else None
        self.sequence = sorted(self.mail_of, key=self.place_of)

    def place_of(self, seat: str) -> tuple[bool, int, tuple[datetime, int]]:
        """Precedence, then the score at the start, then the arrival (K20, K21)."""
        return seat != self.precedence, self.start.score.get(seat, 0), self.mail_of[seat].arrival

    def right(self, seat: str, constellation: str) -> bool:
        """A right of the week: the constellation stood at the end of the last round (K71)."""
        return constellation in self.constellations(self.start, seat)

    def constellations(self, world: World, seat: str) -> dict[str, int]:
        """What a player's countries make."""
        return constellations(self.ground, world.owned(seat))

    def end_move(self, seat: str, fate: str, rule: str) -> None:
        """Write down what became of a seat's move."""
        mail = self.mail_of[seat]
        line = mail.move_line()
        assert line is not None
        mail.fates[line] = (fate, rule)
        self.settled.add(seat)

    def close_fates(self) -> None:
        """Lines that nothing happened to, and each mail's own fate."""
        for mail in self.standing:
            for n, said in enumerate(mail.said):
                if mail.fates[n] is None and said is not None:
                    mail.fates[n] = self.fate_of_a_wish(mail.seat, said)
            line = mail.move_line()
            if mail.late and any(s is not None and s.verb not in REPLIES for s in mail.said):
                mail.own = ("invalid", "K13")
            else:
                mail.own = ("done", "K14") if line is None else mail.fates[line]

    def fate_of_a_wish(self, seat: str, said: Said) -> tuple[str, str]:
        """What becomes of a pass, a reply, and a country offered that nobody was given."""
        if said.verb == "result":
            return self.fate_of_a_report(seat, said)
        if said.verb in OWN_RULE:
            return self.fate_of_terms(seat, said)
        if said.verb == "rematch":
            return ("done" if (seat, said.country) in self.granted else "failed"), "K32"
        if said.verb == "give":
            return ("failed" if seat in self.givers else "lapsed"), "K35"
        return "done", "K14"

    def fate_of_a_report(self, seat: str, said: Said) -> tuple[str, str]:
        """K33: a fighter's, that names a fighter; of no battle it is as yet nothing, and never where lots are drawn."""
        if said.country not in self.sides or self.options["battles"] == "drawn":
            return NO_BATTLE, "K33"
        fighters, _ = self.sides[said.country]
        return ("done" if named_winner(seat, said, fighters) else "failed"), "K33"

    def fate_of_terms(self, seat: str, said: Said) -> tuple[str, str]:
        """K63, K64: the attacked owner's, by right, on a map that seats them all."""
        rule = OWN_RULE[said.verb]
        if said.country not in self.sides:
            return NO_BATTLE, rule
        fighters, owner = self.sides[said.country]
        allowed = self.right(seat, "eu10_brussels") or (said.verb == "map" and self.right(seat, "eu10"))
        fits = said.verb != "map" or SEATS[said.words] >= len(fighters)
        return ("done" if seat == owner and allowed and fits else "failed"), rule

    def terms(self, country: str) -> Document:
        """What the attacked owner has chosen by right; the last valid line counts (K63, K64)."""
        chosen = {}
        for mail in sorted(self.standing, key=lambda m: m.arrival):
            for said in mail.said:
                mine = said is not None and said.verb in OWN_RULE and said.country == country
                if said is not None and mine and self.fate_of_terms(mail.seat, said)[0] == "done":
                    chosen[said.verb] = said.words
        return chosen

    # -- step 1

    def award_auctions(self) -> None:
        """K52 to K54: open auctions by number, the highest bid that can be paid and placed."""
        bids = [
            (seat, said.country, said.amount, n)
            for seat in self.sequence
            for n, said in enumerate(self.mail_of[seat].said)
            if said is not None and said.verb == "bid" and self.mail_of[seat].fates[n] is None
        ]
        for country in COUNTRIES:
            offers = [b for b in bids if b[1] == country]
            if not self.world.has(country, "auction"):
                for seat, _, _, n in offers:
                    self.mail_of[seat].fates[n] = ("failed", "K52")
                continue
            winner, price = "", 0
            for seat, _, amount, n in sorted(offers, key=lambda b: -self.counted(b[0], b[2])):
                fault = self.bid_fault(seat, country, amount) or ("K52" if winner else None)
                self.mail_of[seat].fates[n] = ("failed", fault) if fault else ("done", "K52")
                if not fault:
                    winner, price = seat, amount
            if winner:
                self.world.owner[country] = winner
                self.world.score[winner] -= price + (20 if self.world.has(country, "civil_war") else 0)
                self.world.lift(country, "collapse")
                self.world.lift(country, "civil_war")

    def counted(self, seat: str, amount: int) -> int:
        """K69: double while he has Switzerland and none of its neighbours."""
        beside = self.world.owned(seat) & self.ground.neighbours[SWITZERLAND]
        bonus = self.right(seat, "swiss_alone") and not beside
        return amount * 2 if bonus else amount

    def bid_fault(self, seat: str, country: str, amount: int) -> str | None:
        """Why a bid is passed over."""
        if seat not in self.world.score:
            return "K52"
        need = amount + (20 if self.world.has(country, "civil_war") else 0)
        if self.world.score[seat] < need:
            return "K15"
        return "K4" if self.world.full(seat) else None

    # -- step 2

    def free_edge(self, country: str) -> bool:
        """K35: unoccupied and without a marker."""
        return country in self.ground.rim and country not in self.world.owner and country not in self.world.markers

    def give_countries(self) -> None:
        """K35: with no free edge country each newcomer gets what someone must give up."""
        if any(self.free_edge(c) for c in COUNTRIES):
            return
        for seat in self.sequence:
            said = self.move.get(seat)
            if said is None or said.verb != "join" or seat not in self.world.newcomers:
                continue
            if len(self.world.score) >= self.options["max_players"]:
                self.end_move(seat, "failed", "K39")
                continue
            giver = self.giver()
            if giver is None:
                self.end_move(seat, "failed", "K35")
                continue
            country = self.gift(giver)
            self.givers.add(giver)
            self.enter(seat)
            self.world.owner[country] = seat
            self.end_move(seat, "done", "K35")

    def givable(self, seat: str) -> list[str]:
        """A player's edge countries that aren't under reconstruction, by number."""
        owned = self.world.owned(seat)
        return [c for c in COUNTRIES if c in owned & self.ground.rim and not self.world.has(c, "payments")]

    def giver(self) -> str | None:
        """Most edge countries, then the higher score, then the later mail; without any mail the later name."""

        def rank(seat: str) -> tuple[Any, ...]:
            mail = self.mail_of.get(seat)
            late = (mail.arrival, "") if mail else seat
            return len(self.world.owned(seat) & self.ground.rim), self.world.score[seat], mail is None, late

        able = [s for s in self.world.score if len(self.world.owned(s)) >= 2 and self.givable(s)]
        return max(able, key=rank) if able else None

    def gift(self, giver: str) -> str:
        """What he named, else his highest-numbered edge country."""
        if giver in self.offer:
            mail, n = self.offer[giver]
            said = mail.said[n]
            if said and said.country in self.givable(giver):
                mail.fates[n] = ("done", "K35")
                return said.country
        return self.givable(giver)[-1]

    def enter(self, seat: str) -> None:
        """A newcomer becomes a player (K37)."""
        self.world.newcomers.remove(seat)
        self.world.score[seat] = 0

    # -- step 3

    def carry_out_moves(self) -> None:
        """One after another (K20); a contest is settled at its first legal member (K23)."""
        self.history: dict[str, list[Any]] = {c: [] for c in COUNTRIES}
        self.contested: set[str] = set()
        self.note()
        for seat in self.sequence:
            if seat in self.settled or seat not in self.move or not self.chosen(seat):
                continue
            said = self.move[seat]
            if said.verb in {"leave", "devastate"}:
                self.give_up(seat, said)
            elif fault := self.fault(seat):
                self.end_move(seat, "failed", fault)
            else:
                self.contest(said.country)
            self.note()

    def chosen(self, seat: str) -> bool:
        """Chapter 11: of an order under a condition the one that it is now; whether there is one to carry out."""
        said = self.move[seat]
        if said.verb != "if":
            return True
        order = said.then if self.holds(seat, said) else said.otherwise
        if order is None:
            self.end_move(seat, "lapsed", "11")
        elif order.verb == "pass":
            self.end_move(seat, "done", "K14")
        elif order.verb in {"take", "attack"} and order.country in self.contested:
            self.end_move(seat, "failed", "K22")
        else:
            self.move[seat] = order
            return True
        return False

    def holds(self, seat: str, said: Said) -> bool:
        """Whether a condition is true at this moment."""
        owner = self.world.owner.get(said.country)
        if said.words == "points":
            return self.world.score.get(seat, 0) >= said.amount
        if said.words in {"devastated", "civil_war"}:
            return self.world.has(said.country, said.words.replace("devastated", "devastation"))
        return owner == {"free": None, "mine": seat}.get(said.words, said.words.removeprefix("owned "))

    def note(self) -> None:
        """Write down what has changed on each country: its owner and its markers."""
        for country, past in self.history.items():
            now = self.world.owner.get(country), deepcopy(self.world.markers.get(country, {}))
            if not past or past[-1] != now:
                past.append(now)

    def give_up(self, seat: str, said: Said) -> None:
        """Leaving with and without devastation (K40, K41)."""
        own_rule = "K40" if said.verb == "leave" else "K41"
        fault = None
        if self.world.owner.get(said.country) != seat:
            fault = "K14"
        elif len(self.world.owned(seat)) == 1:
            fault = "K6"
        elif self.world.has(said.country, "payments"):
            fault = "K55"
        elif said.verb == "devastate" and self.world.score[seat] < 10:
            fault = "K15"
        if fault:
            self.end_move(seat, "failed", fault)
            return
        del self.world.owner[said.country]
        if said.verb == "devastate":
            self.world.score[seat] -= 10
            self.world.place(said.country, "devastation", 3)
            self.fresh.add((said.country, "devastation"))
        self.end_move(seat, "done", own_rule)

    def fault(self, seat: str) -> str | None:
        """Why a take, attack or join isn't legal now, the first reason in the order of K23."""
        said = self.move[seat]
        country = said.country
        owner = self.world.owner.get(country)
        if said.verb == "join":
            if seat not in self.world.newcomers or country not in self.ground.rim:
                return "K35"
            if owner is not None:
                return "K29"
            if country in self.world.markers:
                return "K37"
            return "K39" if len(self.world.score) >= self.options["max_players"] else None
        reasons = [
            ("K23", owner == seat),
            ("K28", not self.world.owned(seat) & self.ground.neighbours[country]),
            ("K6", owner is not None and len(self.world.owned(owner)) == 1),
            ("K41", self.world.has(country, "devastation")),
            ("K53", self.world.has(country, "auction")),
            ("K4", self.world.full(seat)),
            ("K42", self.world.has(country, "civil_war") and self.world.score.get(seat, 0) < 20),
            ("K29", said.verb == "take" and owner is not None),
        ]
        return next((rule for rule, applies in reasons if applies), None)

    def contest(self, country: str) -> None:
        """K23 to K30."""
        self.contested.add(country)
        members = [
            s
            for s in self.sequence
            if s not in self.settled and s in self.move
            if self.move[s].country == country and self.move[s].verb in {"take", "attack", "join"}
        ]
        legal = []
        for seat in members:
            fault = self.fault(seat)
            if fault:
                self.end_move(seat, "failed", fault)
            else:
                legal.append(seat)
        owner = self.world.owner.get(country)
        if self.precedence in legal:
            legal = self.only_first(legal, "K27")
        if owner is None:
            if len(legal) == 1:
                self.take_over(country, legal[0], "K24")
            else:
                self.battle(country, legal, None)
            return
        if len(legal) + 1 > SEATS[country]:
            legal = self.only_first(legal, "K26")
        self.battle(country, legal, owner)

    def only_first(self, legal: list[str], rule: str) -> list[str]:
        """The others' orders lapse."""
        for seat in legal[1:]:
            self.end_move(seat, "lapsed", rule)
        return legal[:1]

    def take_over(self, country: str, seat: str, rule: str) -> None:
        """An unoccupied country becomes his, or a conquered one; mercenaries are paid now (K42)."""
        if seat in self.world.newcomers:
            self.enter(seat)
        if self.world.has(country, "civil_war"):
            self.world.score[seat] -= 20
            self.world.lift(country, "civil_war")
        self.world.owner[country] = seat
        self.end_move(seat, "done", rule)

    def battle(self, country: str, claimants: list[str], owner: str | None) -> None:
        """A battle among the claimants, and the owner if there is one (K24 to K26, K30)."""
        fighters = tuple(claimants) + ((owner,) if owner else ())
        self.sides[country] = fighters, owner
        winner = self.decided(country, fighters)
        losing_rule = "K33" if winner == "" else "K30"
        for seat in claimants:
            if seat == winner:
                self.take_over(country, seat, "K30")
            else:
                self.end_move(seat, "failed", losing_rule)

    def decided(self, country: str, fighters: tuple[str, ...]) -> str:
        """The final winner, "" for none: with a rematch if a losing holder of the defence bonus wants one (K32)."""
        winner = self.outcome((country, fighters, 1))
        if winner == "":
            return winner
        for seat in fighters:
            if seat != winner and self.wants_rematch(seat, country):
                self.granted.add((seat, country))
                return self.outcome((country, fighters, 2))
        return winner

    def wants_rematch(self, seat: str, country: str) -> bool:
        """K32: the right stood at the end of the last round and still stands, and he asks (drawn: always)."""
        if not self.right(seat, "nato8") or "nato8" not in self.constellations(self.world, seat):
            return False
        if self.options["battles"] == "drawn" or (country, 2) in self.results:
            return True
        return any(m.seat == seat and Said("rematch", country) in m.said for m in self.standing)

    def outcome(self, battle: Battle) -> str:
        """Who won: drawn, as reported, nobody at the end of the evaluation, else as the script says (K33)."""
        country, fighters, attempt = battle
        self.fought.append(battle)
        if self.options["battles"] == "drawn":
            if "lotto" in self.evidence:
                return fighters[die(len(fighters), self.seed(), f"battle/{country}/{attempt}")]
        else:
            winner = self.results.get((country, attempt))
            if winner in fighters:
                return str(winner)
            if winner is not None:
                self.misfits.append((country, attempt))
            elif (reported := self.reported(battle)) is not None:
                return reported
        ends = list(fighters)
        if country not in self.world.owner:
            ends.append("")  # nobody may report it: then the empty country stays empty
        step = len(self.picks)
        self.picks.append(self.script[step] if step < len(self.script) else 0)
        self.widths.append(len(ends))
        self.undecided.append(battle)
        return ends[self.picks[-1]]

    def reported(self, battle: Battle) -> str | None:
        """K33: who won by the fighters' own word, "" for nobody at the end of the evaluation, None for not known yet.

        What came after the report that decided is about the rematch. While it is open who lost, the rematch is open
        too, even at the end of the evaluation: the organizer may enter both.
        """
        country, fighters, attempt = battle
        if (country, fighters, 1) in self.undecided:
            return None
        reports = self.later_reports.get(country, []) if attempt == 2 else self.reports(country, fighters)
        latest: dict[str, str] = {}
        for n, (seat, winner) in enumerate(reports):
            if winner != seat:
                self.later_reports[country] = reports[n + 1 :]
                return winner
            latest[seat] = winner
        if len(latest) > 1:
            self.disputes[battle] = [[seat, winner] for seat, winner in latest.items()]
            return None
        return next(iter(latest.values()), "") if self.over else None

    def reports(self, country: str, fighters: tuple[str, ...]) -> list[tuple[str, str]]:
        """All that fighters have written of a battle, in the order of arrival: who, and whom he names."""
        found = []
        for mail in sorted(self.standing, key=lambda m: m.arrival):
            for said in mail.said:
                if said is not None and said.verb == "result" and said.country == country:
                    winner = named_winner(mail.seat, said, fighters)
                    found += [(mail.seat, winner)] if winner else []
        return found

    def seed(self) -> list[Any]:
        """What the round's dice hang on."""
        drawn = " ".join(str(n) for n in self.evidence["lotto"])
        when = day(self.evidence["lotto_day"]).isoformat()
        return [self.document.get("match", ""), self.start.round, "lotto", when, drawn]

    # -- steps 4 to 8

    def submitted(self) -> bool:
        """K44: an understood move in a mail that stands, whatever becomes of it; even of one taken back below it."""
        return any(
            said is not None and any(part is not None and part.verb in SUBMITTED for part in parts(said))
            for mail in self.standing
            if not mail.late
            for said in mail.said
        )

    def holiday(self) -> bool:
        """K47: the close stood before the Friday."""
        decides = friday(self.document)
        if decides is None or "dax_day" not in self.evidence:
            return False
        return day(self.evidence["dax_day"]) < decides

    def missing(self) -> list[str]:
        """The figures that steps 4 and 5 need and nobody has yet."""
        asked = []
        if self.submitted():
            if "dax_close" not in self.evidence:
                asked.append("dax_close")
            elif not self.holiday() and self.struck() == "eurusd":
                asked.append("eurusd")
            if not {"lotto", "lotto_set"} & set(self.evidence):
                asked.append("lotto")
        elif self.options["battles"] == "drawn" and self.fought and "lotto" not in self.evidence:
            asked.append("lotto")
        return asked

    def order_asked(self) -> bool:
        """K51: the numbers are known, their order isn't, and another order could make another field of them."""
        if not self.submitted() or "lotto" in self.evidence or "lotto_set" not in self.evidence:
            return False
        ways = permutations(self.evidence["lotto_set"])
        return len({collapse_field(list(way), str(self.options["lotto_order"])) for way in ways}) > 1

    def struck(self) -> int | str | None:
        """The field that the close names."""
        rate = self.evidence.get("eurusd")
        text = None if rate is None else str(rate).replace(",", ".")
        return civil_war_field(str(self.evidence["dax_close"]), text, str(self.options["rounding"]))

    def finish(self) -> None:
        """Steps 4 to 8 of K72."""
        if self.submitted():
            if not self.holiday():
                self.civil_war(self.struck())
            numbers = list(self.evidence["lotto" if "lotto" in self.evidence else "lotto_set"])
            self.collapse(collapse_field(numbers, str(self.options["lotto_order"])))
        self.pay_reconstruction()
        for seat in self.world.score:
            self.world.score[seat] += points(self.ground, self.world.owned(seat))
        self.count_down()
        self.end_month()
        self.world.round += 1

    def civil_war(self, number: int | str | None) -> None:
        """K45, K49, K7, K43."""
        if not isinstance(number, int):
            return
        country = NUMBERS[number]
        owner = self.world.owner.get(country)
        if owner is not None:
            owned = self.world.owned(owner)
            if "moscow_wp3" in constellations(self.ground, owned) or len(owned) == 1:
                return
            del self.world.owner[country]
            self.world.lift(country, "collapse")
        if not self.world.has(country, "civil_war"):
            self.world.place(country, "civil_war", self.options["civil_war_rounds"] or True)
            self.fresh.add((country, "civil_war"))

    def collapse(self, number: int | str | None) -> None:
        """K50, K52, K54, K55, K58, K59."""
        if number == "world":
            for seat, score in self.world.score.items():
                self.world.score[seat] = score // 40 if score > 0 else score
        if not isinstance(number, int):
            return
        country = NUMBERS[number]
        if self.world.has(country, "devastation") or self.world.has(country, "collapse"):
            return
        owner = self.world.owner.get(country)
        if owner is not None and "weu7" in self.constellations(self.world, owner):
            return
        self.world.place(country, "collapse", {"payments_left": 3} if owner else {"auction_rounds_left": 3})
        self.fresh.add((country, "collapse"))

    def pay_reconstruction(self) -> None:
        """K55, by number."""
        for country in COUNTRIES:
            if not self.world.has(country, "payments") or (country, "collapse") in self.fresh:
                continue
            owner = self.world.owner[country]
            price = 20
            if self.options["debt"] == "stop_at_zero":
                price = min(20, max(0, self.world.score[owner]))
            self.world.score[owner] -= price
            left = self.world.markers[country]["collapse"]["payments_left"] - 1
            if left:
                self.world.place(country, "collapse", {"payments_left": left})
            else:
                self.world.lift(country, "collapse")

    def count_down(self) -> None:
        """Step 8: what was placed this round doesn't count (K41, K43, K53)."""
        for country in COUNTRIES:
            for kind in ("devastation", "civil_war", "collapse"):
                if (country, kind) in self.fresh or not self.world.has(country, kind):
                    continue
                value = self.world.markers[country][kind]
                if kind == "collapse":
                    value = value.get("auction_rounds_left", True)
                if value is True:
                    continue
                if value == 1:
                    self.world.lift(country, kind)
                else:
                    left = value - 1
                    self.world.place(country, kind, {"auction_rounds_left": left} if kind == "collapse" else left)

    def end_month(self) -> None:
        """K80: after a month's last evaluation the next month's points are counted from here."""
        decides = friday(self.document)
        last = decides + timedelta(days=1) if decides else None
        if "ends" in self.document.get("round", {}):
            last = day(self.document["round"]["ends"])
        if self.options["award"] == "gained" and last and (last + timedelta(days=7)).month != last.month:
            self.world.month_start = dict(self.world.score)


# ---- all courses together ----------------------------------------------------------------------------------------


def options_of(document: Document) -> Document:
    """Defaults, then the preset, then what the league named (K8)."""
    given = dict(document.get("options", {}))
    preset = PRESETS[given.pop("preset", "classic")]
    return {**DEFAULTS, **preset, **given}


def every_course(document: Document) -> Iterator[Course]:
    """Every combination of outcomes of the undecided battles."""
    script: list[int] = []
    while True:
        course = Course(document, script)
        yield course
        script = course.picks
        while script and script[-1] + 1 == course.widths[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1


def last_agreed(histories: list[list[Any]]) -> Any:
    """The end if all come to the same end, else the last thing before they part."""
    if all(h[-1] == histories[0][-1] for h in histories):
        return histories[0][-1]
    agreed = histories[0][0]
    for together in zip(*histories, strict=False):
        if any(there != together[0] for there in together):
            break
        agreed = together[0]
    return agreed


def in_common(courses: list[Course]) -> World:
    """What every course ends step 3 with; what differs stays as it certainly was before (DESIGN: so far)."""
    common = deepcopy(courses[0].before_moves)
    first = courses[0].world
    for country in COUNTRIES:
        owner = last_agreed([[past[0] for past in c.history[country]] for c in courses])
        markers = last_agreed([[past[1] for past in c.history[country]] for c in courses])
        common.owner.pop(country, None)
        common.markers.pop(country, None)
        if owner is not None:
            common.owner[country] = owner
        if markers:
            common.markers[country] = deepcopy(markers)
    for seat in first.score:
        if all(c.world.score.get(seat) == first.score[seat] for c in courses):
            common.score[seat] = first.score[seat]
    common.newcomers = [s for s in common.newcomers if s not in common.score]
    return common


def fates_in_common(courses: list[Course], *, waiting: bool) -> list[Document]:
    """Each mail as given, with its own fate and its lines'; null where the courses differ."""

    def agreed(all_fates: list[Any]) -> Document:
        fates, rules = {f[0] for f in all_fates}, {f[1] for f in all_fates}
        fate = fates.pop() if len(fates) == 1 else None
        if fate == NO_BATTLE:
            fate = None if waiting else "failed"
        return {"fate": fate, "rule": rules.pop() if len(rules) == 1 and fate else "K34"}

    answers = []
    for index, mail in enumerate(courses[0].mails):
        same = [c.mails[index] for c in courses]
        lines = [{"line": text, **agreed([m.fates[n] for m in same])} for n, text in enumerate(mail.lines)]
        given = courses[0].document["orders"][index]
        answers.append({**given, **agreed([m.own for m in same]), "lines": lines})
    return answers


def check_results(courses: list[Course]) -> None:
    """A winner who didn't fight is an error, once it is sure that the battle happens (DESIGN)."""
    for key in courses[0].results:
        fights = [[b for b in c.fought if (b[0], b[2]) == key] for c in courses]
        if all(fights) and all(key in c.misfits for c in courses):
            raise BadCase(f"the winner of {key[0]} didn't fight there")


def evaluate(document: Document) -> Document:
    """The outcome of a round: position, orders with their fates, pending."""
    courses = list(every_course(document))
    check_results(courses)
    first = courses[0]
    battles = [b for b in first.undecided if all(b in c.undecided for c in courses)]
    missing = [name for name in ("dax_close", "eurusd", "lotto") if all(name in c.missing() for c in courses)]
    pending: list[Document] = [
        {"kind": "battle", "country": c, "fighters": list(f), "attempt": n, **first.terms(c)} for c, f, n in battles
    ]
    pending += [
        {"kind": "decision", "question": "battle", "country": b[0], "attempt": b[2], "reports": first.disputes[b]}
        for b in battles
        if b in first.disputes
    ]
    pending += [{"kind": "evidence", "figure": figure} for figure in missing]
    if all(c.order_asked() for c in courses):
        pending.append({"kind": "decision", "figure": "lotto", "question": "order"})
    orders = fates_in_common(courses, waiting=bool(battles))
    if battles:
        world = in_common(courses)
    else:
        world = first.world
        if not pending:
            first.finish()
    return {"position": position_of(world), "orders": orders, "pending": pending}
