"""Random KUEL leagues: positions, mails, figures and results that no sane player would send, all from one seed."""

import random  # noqa: TID251  # seeded: the same leagues in every run
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from tests.naive.kuel import (
    BRUSSELS,
    COUNTRIES,
    GRACE,
    GROUNDS,
    GROUPS,
    NUMBERS,
    SEATS,
    Battle,
    Course,
    Document,
    Ground,
    constellations,
    deadline,
    evaluate,
    every_course,
    moment,
    options_of,
)

NAMES = ("Anna", "Ben", "Carla", "Dora", "Emil", "Fritz", "Greta", "Hugo", "Ida", "Jan", "Karl", "Lena", "Mia", "Nils")
MOST_COURSES = 120  # brute force stays affordable: more than that, and some battles are reported before
EU = sorted(GROUPS["eu"])
SETS = (  # worth being tried often: what gives a right
    (*(c for c in EU if c not in {"ireland", "france", "germany", BRUSSELS}),),
    (*(c for c in EU if c not in {"spain", "great_britain", "austria", "sweden"}),),
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
    extra = random.Random(f"extensions 22 {seed}")  # so that those without any still reach every rule
    options = random_options(dice) | {name: "on" for name in ("conditions", "standing") if extra.random() < 0.35}
    position = random_position(dice, options)
    for _ in range(rounds):
        full = random_round(dice, options, position)
        yield from stages(dice, full)
        done = evaluate(full)
        position = done["position"]
        if dice.random() < 0.05:
            position = random_position(dice, options)


def ground_of(document: Document) -> Ground:
    """How the league's countries lie."""
    return GROUNDS[options_of(document)["topology"]]


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
        "award": ["gained", "total"],
        "topology": ["tiles"],
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
    beside = ground_of({"options": options}).neighbours
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
            near = [s for s in roomy if owned[s] & beside[country]] or roomy
            if near:
                owned[dice.choice(near)].add(country)
                free.discard(country)
    players = [s for s in players if owned[s]]
    narrow = dice.random() < 0.3
    scores = {s: dice.randint(0, 2) if narrow else dice.randint(-30, 120) for s in players}
    position: Document = {"round": dice.randint(1, 40), "newcomers": [s for s in seats if s not in players][:3]}
    position["players"] = {s: {"score": scores[s], "owns": [c for c in COUNTRIES if c in owned[s]]} for s in players}
    position["markers"] = random_markers(dice, options, free, {c for s in players for c in owned[s]})
    if dice.random() < 0.3:
        position["month_start"] = {s: dice.randint(-20, 90) for s in players if dice.random() < 0.8}
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
    """A round in which everything is known: mails, figures, and the outcome of every battle that is fought."""
    document: Document = {"game": "kuel", "match": f"m{dice.randint(1, 3)}", "options": options, "position": position}
    document["evidence"] = random_evidence(dice, position)
    come_and_go(dice, document)
    timed = dice.random() < 0.7
    document["orders"] = random_mails(dice, document, timed=timed)
    if dice.random() < 0.7:
        document["orders"] += random_replies(dice, document, timed=timed)
    if dice.random() < 0.1:
        ends = date.fromisoformat(document["evidence"]["lotto_day"]) + timedelta(days=dice.randint(0, 9))
        document["round"] = {"ends": ends.isoformat()}
    if options["battles"] == "drawn":
        return document
    document["results"] = []
    if dice.random() < 0.1:  # nobody enters anything: what isn't a dispute ends by itself
        document["round"] = {**document.get("round", {}), "over": True}
    while more := every_open_battle(document):
        document["results"] += [{"country": c, "winner": dice.choice(f), "attempt": n} for c, f, n in more]
    if dice.random() < 0.2:
        quiet = [c for c in COUNTRIES if all(c not in m["text"] for m in document["orders"])]
        document["results"].append({"country": dice.choice(quiet), "winner": NAMES[0], "attempt": 1})
    return document


def every_open_battle(document: Document) -> list[Battle]:
    """What is still undecided."""
    return Course(document, []).undecided[:1]


def come_and_go(dice: random.Random, document: Document) -> None:
    """Now and then somebody retires or joins (K38)."""
    position = document["position"]
    here = [*position["players"], *position["newcomers"]]
    if dice.random() < 0.1:
        document["retired"] = dice.sample(here, min(len(here), dice.choice([1, 1, 2])))
    if dice.random() < 0.15:
        absent = [n for n in NAMES if n not in here]
        document["joined"] = dice.sample(absent, min(len(absent), dice.randint(1, 2)))


def writers(document: Document) -> list[str]:
    """All who may write."""
    position = document["position"]
    return [*position["players"], *position["newcomers"], *document.get("joined", [])]


def random_mails(dice: random.Random, document: Document, *, timed: bool) -> list[Document]:
    """Most players write, some twice, a few too early or too late."""
    mails: list[Document] = []
    targets = favourites(dice, document)
    for seat in writers(document):
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


def random_replies(dice: random.Random, document: Document, *, timed: bool) -> list[Document]:
    """What is written of the battles that may come: reports, rematches, maps, settings, countries to give."""
    course = Course(document, [dice.randint(0, 1) for _ in range(60)])
    mails: list[Document] = []
    for country, (fighters, owner) in course.sides.items():
        if dice.random() < 0.6:
            strangers = writers(document) if dice.random() < 0.1 else list(fighters)
            names = dice.choices(strangers, k=dice.randint(1, 3))
            mails += [{"seat": seat, "text": random_report(dice, document, country, seat, fighters)} for seat in names]
        chooser = owner and (course.right(owner, "eu10") or course.right(owner, "eu10_brussels"))
        if owner and dice.random() < (0.8 if chooser else 0.1):
            mails.append({"seat": owner, "text": random_terms(dice, country)})
        if dice.random() < 0.1:
            mails.append({"seat": dice.choice(fighters), "text": f"rematch {country}"})
    for seat, facts in document["position"]["players"].items():
        if dice.random() < 0.1:
            mails.append({"seat": seat, "text": f"give {dice.choice(facts['owns'])}"})
    for seat in writers(document):
        if dice.random() < 0.04:
            country = dice.choice(COUNTRIES)
            line = dice.choice([f"result {country} won", f"map {country}: france", f"settings {country}: slow"])
            mails.append({"seat": seat, "text": line})
    for mail in mails:
        if dice.random() < 0.1:
            mail["text"] += f"\n{dice.choice(mails)['text']}"
        if dice.random() < 0.04:
            mail["text"] += dice.choice(["\ntake spain", "\npass", "\nbid 3 spain", "\ntake atlantis"])
    dice.shuffle(mails)
    end = deadline(document)
    assert end is not None
    for mail in mails if timed else []:
        early = dice.random() < 0.1
        sent = random_time(dice, end) if early else (end + GRACE + timedelta(minutes=dice.randint(1, 2000))).isoformat()
        mail["received"] = sent
    return mails


def random_report(dice: random.Random, document: Document, country: str, seat: str, fighters: tuple[str, ...]) -> str:
    """One line, or two that differ; more often one's own victory than one's defeat."""
    everybody = writers(document)
    names = [seat, seat, *fighters] if dice.random() < 0.95 else everybody
    lines = []
    for _ in range(2 if dice.random() < 0.1 else 1):
        winner = dice.choice(names)
        plain = len(fighters) == 2 and winner in fighters and dice.random() < 0.5
        said = ("won" if winner == seat else "lost") if plain or dice.random() < 0.1 else f"winner {winner}"
        lines.append(f"result {country} {said}")
    return "\n".join(lines)


def random_terms(dice: random.Random, country: str) -> str:
    """A map or two, settings."""
    small = [c for c in COUNTRIES if SEATS[c] == 2]
    lines = [f"map {country}: {dice.choice([*COUNTRIES, *small])}" for _ in range(dice.randint(0, 2))]
    lines += [f"settings {country}: {dice.choice(['one peasant', 'low resources'])}" for _ in range(dice.randint(0, 2))]
    return "\n".join(lines) or f"map {country}: {country}"


def favourites(dice: random.Random, document: Document) -> list[str]:
    """A few countries that many orders name, so that contests come about; often at the border of one player."""
    owned = [set(facts["owns"]) for facts in document["position"]["players"].values()]
    if owned and dice.random() < 0.5:
        most = max(owned, key=len) if dice.random() < 0.5 else dice.choice(owned)
        border = sorted({n for c in most for n in ground_of(document).neighbours[c]} - most)
        return dice.sample(border, min(3, len(border)))
    return dice.sample(COUNTRIES, dice.randint(2, 8))


def random_text(dice: random.Random, document: Document, seat: str, targets: list[str]) -> str:
    """A mail's lines."""
    position = document["position"]
    lines: list[str] = []
    if dice.random() < 0.9:
        lines.append(random_move(dice, document, seat, targets))
    if dice.random() < 0.1 and lines and lines[0] != "pass":
        lines.insert(0, random_move(dice, document, seat, targets))
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
    rights = constellations(ground_of(document), set(owns))
    if lines and dice.random() < (0.8 if "nato8" in rights else 0.05):
        lines += [f"rematch {c}" for c in COUNTRIES if c in {*targets, *owns} and dice.random() < 0.7]
    if lines and dice.random() < (0.7 if {"eu10", "eu10_brussels"} & set(rights) else 0.03):
        lines += [random_terms(dice, c) for c in owns if dice.random() < 0.7]
    if dice.random() < 0.05:
        names = tuple(position["players"])
        lines.append(random_report(dice, document, dice.choice([*targets, *owns]), seat, names))
    if dice.random() < 0.05:
        lines.append("take atlantis")
    if "conditions" in document["options"]:
        lines = [conditional(dice, document, line, targets) for line in lines]
    if "standing" in document["options"]:
        lines = [dice.choice([line, line, f"standing: {line}", f"{line} (standing)"]) for line in lines]
    return "\n".join(lines) or "pass"


def conditional(dice: random.Random, document: Document, line: str, targets: list[str]) -> str:
    """Half of the moves under a condition, now and then an order that can't be under one."""
    verb, _, country = line.partition(" ")
    often = {
        "take": 0.5,
        "attack": 0.5,
        "leave": 0.5,
        "devastate": 0.5,
        "pass": 0.1,
        "join": 0.05,
        "bid": 0.05,
        "give": 0.05,
    }
    if dice.random() >= often.get(verb, 0):
        return line
    players = list(document["position"]["players"])
    about = dice.choice([country if country in COUNTRIES else "spain", *targets, *COUNTRIES[:3]])
    kinds = ["is free", "is free", "is mine", "is devastated", "is in civil war"]
    condition = f"{about} {dice.choice([*kinds, *(f'belongs to {seat}' for seat in players)])}"
    if dice.random() < 0.1:
        condition = f"I have at least {dice.choice([0, 5, 20, 60])} points"
    other = f"{dice.choice(['take', 'attack', 'leave', 'devastate'])} {dice.choice([*targets, *COUNTRIES])}"
    return f"if {condition} {line}" + dice.choice(["", f" else {other}", f" else {other}", " else pass"])


def random_move(dice: random.Random, document: Document, seat: str, targets: list[str]) -> str:
    """A move that often is legal, and often isn't."""
    position, ground = document["position"], ground_of(document)
    owner = {c: s for s, facts in position["players"].items() for c in facts["owns"]}
    own = {c for c, s in owner.items() if s == seat}
    if not own:
        verb = "join" if dice.random() < 0.85 else dice.choice(["take", "attack", "leave", "pass"])
        pool = sorted(ground.rim) if dice.random() < 0.8 else COUNTRIES
        wished = [c for c in pool if c in targets] or pool
        return "pass" if verb == "pass" else f"{verb} {dice.choice(wished)}"
    kind = dice.random()
    if kind < 0.05:
        return "pass"
    if kind < 0.15:
        return f"{dice.choice(['leave', 'devastate'])} {dice.choice(sorted(own))}"
    if kind < 0.2:
        return f"{dice.choice(['take', 'attack', 'leave', 'devastate', 'join'])} {dice.choice(COUNTRIES)}"
    border = sorted({n for c in own for n in ground.neighbours[c]} - own)
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
    if dice.random() < 0.5:
        end = deadline(full)
        assert end is not None
        unread = [m for m in full["orders"] if "received" in m and moment(m["received"]) > end + GRACE]
        unread = [m for m in unread if dice.random() < 0.5]
        document["orders"] = [m for m in full["orders"] if m not in unread]
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
        document["round"] = {**full.get("round", {}), "deadline": str(deadline(full))}
    document["evidence"] = evidence
    if dice.random() < 0.2:
        document["round"] = {**document.get("round", {}), "over": True}
    first = {r["country"] for r in document["results"] if r["attempt"] == 1}
    document["results"] = [r for r in document["results"] if r["country"] in first]
    hidden = [r for r in full.get("results", []) if r not in document["results"]]
    while hidden and too_many(document):
        document["results"] = [*document["results"], hidden.pop(0)]  # a battle's first attempt lies before its second
    fights = [battle for battle in Course(document, []).fought if battle[2] == 1]
    if fights and options_of(document)["battles"] == "reported" and dice.random() < 0.2:
        country, fighters, attempt = dice.choice(fights)  # the organizer's word, whatever was reported
        if all((r["country"], r["attempt"]) != (country, attempt) for r in document["results"]):
            word = {"country": country, "winner": dice.choice(fighters), "attempt": attempt}
            document["results"] = [*document["results"], word]
    return document


def too_many(document: Document) -> bool:
    """More courses than brute force likes."""
    return next(islice(every_course(document), MOST_COURSES, None), None) is not None


def sure(document: Document) -> bool:
    """No result names a winner who in some course wouldn't fight there: what holds then is nobody's rule."""
    return not any(course.misfits for course in every_course(document))
