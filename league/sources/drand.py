"""drand, the public randomness beacon: optional, for matches that can't wait for a lottery."""

from datetime import UTC, date, datetime, time

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.web import as_json, get

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"  # quicknet
URL = f"https://api.drand.sh/{CHAIN}/public/"
GENESIS, PERIOD = 1692803367, 3


def round_at(moment: datetime) -> int:
    """The first round of the beacon at or after a moment."""
    return max(-(-(int(moment.timestamp()) - GENESIS) // PERIOD), 0) + 1


def source(name: str = "drand", url: str = URL) -> Source:
    """The round of a day's noon, UTC; its value is the 64 hexadecimal digits of its randomness."""

    def read(day: date, now: datetime) -> Reading:
        noon = datetime.combine(day, time(12), UTC)
        if now < noon:
            raise Unanswered(Why.NOT_YET, f"{day}, 12:00 UTC hasn't come")
        number = round_at(noon)
        found = as_json(get(f"{url}{number}", now), "drand")
        value = str(found.get("randomness", "")) if isinstance(found, dict) else ""
        if not isinstance(found, dict) or found.get("round") != number or len(value) != 64:
            raise Unanswered(Why.STRANGE, "drand answered with another round")
        if not set(value) <= set("0123456789abcdef"):
            raise Unanswered(Why.STRANGE, "drand answered with no number")
        return Reading(name, "drand", day, value, now)

    return Source(name, "drand", Role.ISSUER, "drand", read, "drand quicknet, round of noon UTC")
