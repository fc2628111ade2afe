"""A small order language for the tests of intake: enough of KUEL's words to tell an order from prose."""

import re
from dataclasses import replace
from datetime import UTC, datetime

from league.core.orders import Line, Mistake, Parsed, Press
from league.intake.mailbox import RawMail, raw_mail
from league.intake.proof import Trust
from league.intake.read import Reader
from league.intake.screen import Place, Roster

NOW = datetime(2026, 1, 9, 12, 0, tzinfo=UTC)
ORDER = re.compile(
    r"(?:take|nimm|neem|leave|devastate|verwüste) \w+|(?:bid|biete|bied) \d+ (?:on|auf|op) \w+|pass", re.IGNORECASE
)
PRESS = re.compile(r"(?:press to|pers aan) (\w+): (.+)")

ANNA = Place("spring", "m1", "anna")
CARLA_SPRING, CARLA_AUTUMN = Place("spring", "m1", "carla"), Place("autumn", "m1", "carla")
ROSTER = Roster(
    places={
        "anna@example.com": (ANNA,),
        "ben@example.com": (Place("spring", "m1", "ben"),),
        "carla@example.net": (CARLA_SPRING, CARLA_AUTUMN),
    },
    sent={"<r3.carla.11@mail.league.example.org>": CARLA_AUTUMN},
    address="league@example.org",
    domain="mail.league.example.org",
    trust=Trust(required=False),  # what a mail says; who wrote it is another question
)
OWN_MAIL = "<r3.anna.1@mail.league.example.org>"
STRICT = replace(
    ROSTER,
    sent={**ROSTER.sent, OWN_MAIL: ANNA},
    proving=frozenset({*ROSTER.sent, OWN_MAIL}),
    tokens={"abcdefgh234567xy": ANNA, "zzzzyyyyxxxxwwww": CARLA_SPRING},
    trust=Trust("mx.example.org", received_by="mx.example.org"),
)


def is_order(line: str) -> bool:
    return bool(ORDER.fullmatch(line.strip()) or PRESS.fullmatch(line.strip()))


def parse(text: str) -> Parsed[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    press = tuple(Press((hit[1],), hit[2]) for line in lines if (hit := PRESS.fullmatch(line)))
    return Parsed(tuple(_line(line) for line in lines if not PRESS.fullmatch(line)), press)


def _line(line: str) -> Line[str]:
    return Line(line, order=line.lower()) if is_order(line) else Line(line, mistake=Mistake("no_verb"))


READER = Reader(parse, is_order, notation=str, wording=lambda mistake: mistake.reason)


def mail(content: bytes | str, source: str = "test") -> RawMail:
    return raw_mail(content.encode() if isinstance(content, str) else content, NOW, source)
