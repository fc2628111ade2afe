"""Random KUEL leagues: positions, mails, figures and results that no sane player would send, all from one seed."""

import random  # noqa: TID251  # seeded: the same leagues in every run
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from tests.naive.kuel import (
    COUNTRIES,
    EDGE_COUNTRIES,
    NEIGHBOURS,
    NUMBERS,
    Course,
    Document,
    constellations,
    deadline,
    evaluate,
    every_course,
    options_of,
)

NAMES = ("Anna", "Ben", "Carla", "Dora", "Emil", "Fritz", "Greta", "Hugo", "Ida", "Jan", "Karl", "Lena", "Mia", "Nils")
MOST_COURSES = 120  # brute force stays affordable: more than that, and some battles are reported before
SETS = (  # worth being tried often: what gives a right
    ("iceland", "great_britain", "netherlands", "norway", "denmark", "czech_republic", "poland", "hungary"),
    ("czech_republic", "slovakia", "poland", "hungary", "soviet_union", "bulgaria"),
    ("soviet_union", "bulgaria", "slovakia", "hungary", "spain"),
    ("spain", "portugal", "great_britain", "netherlands", "belgium", "france", "greece"),
    ("germany", "austria", "italy", "slovenia", "croatia", "bosnia", "hungary", "macedonia", "bulgaria", "denmark"),
    ("switzerland", "iceland"),
    ("iceland", "ireland", "portugal", "spain", "great_britain", "france", "sweden", "norway"),
    ("italy", "finland", "soviet_union", "bulgaria", "greece"),
)


def leagues(seed: int, rounds: int) -> Iterator[Document]:
    """The documents of one league, each round several times: with less and with more of it known."""
    dice = random.Random(seed)
    options = random_options(dice)
    position = random_position(dice, options)
    for _ in range(rounds):
        full = random_round(dice, options, position)
        yield from stages(dice, full)
        done = evaluate(full)
        position = done["position"]
        if dice.random() < 0.1:
            absent = [n for n in NAMES if n not in position["players"] and n not in position["newcomers"]]
            position["newcomers"] += absent[: dice.randint(0, 2)]
        if dice.random() < 0.05:
            position = random_position(dice, options)


def random_options(dice: random.Random) -> Document:
    """What a league chose; often little."""
    options: Document = {"battles": dice.choice(["reported", "reported", "drawn"])}
    if dice.random() < 0.3:
        options["preset"] = dice.choice(["classic", "gentle"])
    choices: dict[str, list[Any]] = {
        "civil_war_rounds": [0, 1, 3],
        "rounding": ["once", "each"],
        "lotto_order": ["drawn", "sorted"],
        "debt": ["allowed", "stop_at_zero"],
        "max_players": [8, 14],
    }
    for name, values in choices.items():
        if dice.random() < 0.3:
            options[name] = dice.choice(values)
    return options


# ---- positions ---------------------------------------------------------------------------------------------------


def random_position(dice: random.Random, options: Document) -> Document:
    """Players with countries that often hang together, a few newcomers, markers."""
    most = int(options_of({"options": options})["max_players"])
    seats = list(NAMES[: dice.randint(6, 14)])
    dice.shuffle(seats)
    players = seats[: min(most, dice.randint(1, len(seats)))]
    free = set(COUNTRIES)
    owned: dict[str, set[str]] = {seat: set() for seat in players}
    if dice.random() < 0.75:
        owned[players[0]] = set(dice.choice([*SETS, *SETS[:2]]))
        free -= owned[players[0]]
    most_owned = dice.choice([4, 10, 12, 15])
    density = dice.choice([0.3, 0.7, 1.0])
    for seat in players:
        if not owned[seat] and free:
            owned[seat] = {dice.choice(sorted(free))}
            free -= owned[seat]
    for country in sorted(free):
        if dice.random() < density:
            roomy = [s for s in players if len(owned[s]) < most_owned]
            beside = [s for s in roomy if owned[s] & NEIGHBOURS[country]] or roomy
            if beside:
                owned[dice.choice(beside)].add(country)
                free.discard(country)
    players = [s for s in players if owned[s]]
    narrow = dice.random() < 0.3
    scores = {s: dice.randint(0, 2) if narrow else dice.randint(-30, 120) for s in players}
    position: Document = {"round": dice.randint(1, 40), "newcomers": [s for s in seats if s not in players][:3]}
    position["players"] = {s: {"score": scores[s], "owns": [c for c in COUNTRIES if c in owned[s]]} for s in players}
    position["markers"] = random_markers(dice, options, free, {c for s in players for c in owned[s]})
    return position


def random_markers(dice: random.Random, options: Document, free: set[str], held: set[str]) -> Document:
    """Markers that can lie where they lie."""
    rounds = options_of({"options": options})["civil_war_rounds"]
    markers: Document = {}
    for country in sorted(free):
        here: Document = {}
        if dice.random() < 0.2:
            here["civil_war"] = dice.randint(1, rounds) if rounds else True
        if dice.random() < 0.15:
            here["devastation"] = dice.randint(1, 3)
        elif dice.random() < 0.25:
            here["collapse"] = {"auction_rounds_left": dice.randint(1, 3)}
        if here:
            markers[country] = here
    for country in sorted(held):
        if dice.random() < 0.1:
            markers[country] = {"collapse": {"payments_left": dice.randint(1, 3)}}
    return markers


# ---- mails -------------------------------------------------------------------------------------------------------


def random_round(dice: random.Random, options: Document, position: Document) -> Document:
    """A round in which everything is known: mails, figures, and the result of every battle that is fought."""
    document: Document = {"game": "kuel", "match": f"m{dice.randint(1, 3)}", "options": options, "position": position}
    document["evidence"] = random_evidence(dice, position)
    document["orders"] = random_mails(dice, document)
    if options["battles"] == "drawn":
        return document
    course = Course(document, [dice.randint(0, 1) for _ in range(60)])
    found = zip(course.undecided, course.picks, strict=True)  # a pick beyond the fighters is nobody
    document["results"] = [
        {"country": c, "winner": f[pick], "attempt": n} for (c, f, n), pick in found if pick < len(f)
    ]
    while more := every_open_battle(document):
        document["results"] += [{"country": c, "winner": dice.choice(f), "attempt": n} for c, f, n in more]
    if dice.random() < 0.2:
        quiet = [c for c in COUNTRIES if all(c not in m["text"] for m in document["orders"])]
        document["results"].append({"country": dice.choice(quiet), "winner": NAMES[0], "attempt": 1})
    return document


def every_open_battle(document: Document) -> list[tuple[str, tuple[str, ...], int]]:
    """What is still undecided."""
    return Course(document, []).undecided[:1]


def random_mails(dice: random.Random, document: Document) -> list[Document]:
    """Most players write, some twice, a few too early or too late."""
    position = document["position"]
    timed = dice.random() < 0.7
    mails: list[Document] = []
    targets = favourites(dice, position)
    for seat in [*position["players"], *position["newcomers"]]:
        if dice.random() < 0.15:
            continue
        text = random_text(dice, document, seat, targets)
        mails.append({"seat": seat, "text": text})
        if dice.random() < 0.2:
            again = text if dice.random() < 0.3 else random_text(dice, document, seat, targets)
            mails.append({"seat": seat, "text": again})
    dice.shuffle(mails)
    if timed:
        end = deadline(document)
        assert end is not None
        for mail in mails:
            mail["received"] = random_time(dice, end)
    return mails


def random_time(dice: random.Random, end: datetime) -> str:
    """Within the window as a rule; now and then exactly where it begins or ends."""
    if dice.random() < 0.9:
        return (end - timedelta(hours=dice.randint(1, 90), minutes=dice.randint(0, 3))).isoformat()
    late = dice.choice([timedelta(minutes=m) for m in (0, 14, 15, 16)] + [timedelta(days=d) for d in (-5, -6, -8, 3)])
    return (end + late).isoformat()


def favourites(dice: random.Random, position: Document) -> list[str]:
    """A few countries that many orders name, so that contests come about; often at the border of one player."""
    owned = [set(facts["owns"]) for facts in position["players"].values()]
    if owned and dice.random() < 0.5:
        most = max(owned, key=len) if dice.random() < 0.5 else dice.choice(owned)
        border = sorted({n for c in most for n in NEIGHBOURS[c]} - most)
        return dice.sample(border, min(3, len(border)))
    return dice.sample(COUNTRIES, dice.randint(2, 8))


def random_text(dice: random.Random, document: Document, seat: str, targets: list[str]) -> str:
    """A mail's lines."""
    position = document["position"]
    lines: list[str] = []
    if dice.random() < 0.9:
        lines.append(random_move(dice, position, seat, targets))
    if dice.random() < 0.1 and lines and lines[0] != "pass":
        lines.insert(0, random_move(dice, position, seat, targets))
    auctions = [c for c, m in position["markers"].items() if "auction_rounds_left" in m.get("collapse", {})]
    for country in auctions:
        if dice.random() < 0.6:
            lines.append(f"bid {dice.choice([1, 2, 5, 10, 10, 20, 40])} {country}")
            if dice.random() < 0.1:
                lines.append(f"bid {dice.randint(1, 9)} {country}")
    if dice.random() < 0.05:
        lines.append(f"bid {dice.randint(1, 9)} {dice.choice(COUNTRIES)}")
    owns = position["players"].get(seat, {"owns": []})["owns"]
    if dice.random() < 0.3:
        lines.append(f"give {dice.choice(owns or COUNTRIES)}")
    if lines and dice.random() < (0.8 if "nato8" in constellations(set(owns)) else 0.05):
        lines += [f"rematch {c}" for c in COUNTRIES if c in {*targets, *owns} and dice.random() < 0.7]
    if dice.random() < 0.05:
        lines.append("take atlantis")
    return "\n".join(lines) or "pass"


def random_move(dice: random.Random, position: Document, seat: str, targets: list[str]) -> str:
    """A move that often is legal, and often isn't."""
    owner = {c: s for s, facts in position["players"].items() for c in facts["owns"]}
    own = {c for c, s in owner.items() if s == seat}
    if not own:
        verb = "join" if dice.random() < 0.85 else dice.choice(["take", "attack", "leave", "pass"])
        pool = sorted(EDGE_COUNTRIES) if dice.random() < 0.8 else COUNTRIES
        wished = [c for c in pool if c in targets] or pool
        return "pass" if verb == "pass" else f"{verb} {dice.choice(wished)}"
    kind = dice.random()
    if kind < 0.05:
        return "pass"
    if kind < 0.15:
        return f"{dice.choice(['leave', 'devastate'])} {dice.choice(sorted(own))}"
    if kind < 0.2:
        return f"{dice.choice(['take', 'attack', 'leave', 'devastate', 'join'])} {dice.choice(COUNTRIES)}"
    border = sorted({n for c in own for n in NEIGHBOURS[c]} - own)
    wished = [c for c in border if c in targets] or border or COUNTRIES
    country = dice.choice(wished)
    verb = "attack" if country in owner else "take"
    if dice.random() < 0.1:
        verb = "take" if verb == "attack" else "attack"
    return f"{verb} {country}"


# ---- figures -----------------------------------------------------------------------------------------------------


def random_evidence(dice: random.Random, position: Document) -> Document:
    """A week's figures, with more wars and collapses than the world has."""
    friday = date(2023, 1, 6) + timedelta(weeks=dice.randint(0, 100))
    small = list(NUMBERS)
    numbers = (
        dice.sample([n for n in range(1, 50) if dice.random() < 0.5 or n > 28] + [7], 6) if dice.random() < 0.9 else []
    )
    numbers = numbers or [33, 29, 30, 41, 48, 49]
    if len(set(numbers)) < 6:
        numbers = [*dice.sample(small, 5), 44]
    if dice.random() < 0.3 and not {11, 22, 33, 44} & set(numbers):
        numbers[dice.randint(0, 5)] = dice.choice([11, 22, 33, 44])
    held = [c for facts in position["players"].values() for c in facts["owns"]]
    ending = dice.randint(0, 99)
    if held and dice.random() < 0.4:
        ending = COUNTRIES.index(dice.choice(held)) + 1
    return {
        "dax_close": f"{dice.randint(12, 18)}{dice.randint(0, 9)}{ending:02d}.{dice.randint(0, 99):02d}",
        "dax_day": (friday - timedelta(days=dice.choice([0] * 9 + [1]))).isoformat(),
        "eurusd": dice.choice(["1.0823", "0.9712", "1.0000"]),
        "lotto": numbers,
        "lotto_day": (friday + timedelta(days=1)).isoformat(),
    }


# ---- less and more known -----------------------------------------------------------------------------------------


def stages(dice: random.Random, full: Document) -> Iterator[Document]:
    """The round with parts of its figures and results, and whole."""
    for _ in range(2):
        yield partly(dice, full)
    yield full


def partly(dice: random.Random, full: Document) -> Document:
    """Some results, some figures; the waiting over now and then."""
    document = dict(full)
    share = dice.choice([0.0, 0.3, 0.7])
    document["results"] = [r for r in full.get("results", []) if dice.random() < share]
    evidence = dict(full["evidence"])
    for figure in ("dax_close", "eurusd", "lotto"):
        if dice.random() < 0.3:
            del evidence[figure]
            if figure == "dax_close":
                del evidence["dax_day"]
    if "lotto" not in evidence:
        del evidence["lotto_day"]
    if not {"dax_day", "lotto_day"} & set(evidence):
        evidence = {}
        document["round"] = {"deadline": str(deadline(full))}
    document["evidence"] = evidence
    if dice.random() < 0.2:
        document["round"] = {**document.get("round", {}), "over": True}
    first = {r["country"] for r in document["results"] if r["attempt"] == 1}
    document["results"] = [r for r in document["results"] if r["country"] in first]
    hidden = [r for r in full.get("results", []) if r not in document["results"]]
    while hidden and too_many(document):
        document["results"] = [*document["results"], hidden.pop(0)]  # a battle's first attempt lies before its second
    return document


def too_many(document: Document) -> bool:
    """More courses than brute force likes."""
    return next(islice(every_course(document), MOST_COURSES, None), None) is not None


def sure(document: Document) -> bool:
    """No result names a winner who in some course wouldn't fight there: what holds then is nobody's rule."""
    return not any(course.misfits for course in every_course(document))
