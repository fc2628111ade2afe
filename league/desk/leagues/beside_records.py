"""What is published beside the chain: what seats are called, and the words whose hashes rounds' records hold."""

from collections.abc import Iterable, Iterator

from league.core.json import Json, JsonDict
from league.records.press import NAMES_FILE, names_json, press_file, press_json
from league.reports.context import LeagueInfo
from league.storage.orders import PressLine
from league.storage.rounds import Loaded, Round


def names_of(league: LeagueInfo) -> tuple[str, bytes]:
    """The file of display names: the only one in which a person has to be changed (DESIGN: Records)."""
    names = {seat.id: seat.name for seat in league.seats}
    return f"{league.slug}/{NAMES_FILE}", names_json(league.slug, league.match, names)


def messages_of(loaded: Loaded, found: Round, lines: Iterable[PressLine]) -> Iterator[tuple[str, bytes]]:
    """The file of a sealed round's messages to everybody; none where nobody wrote. `lines` is all of its press."""
    codes = {seat.id: seat.code for seat in loaded.seats}
    open_ = (line for line in lines if not line.recipients)
    rows: list[Json] = [_row(line, "" if line.anonymous else codes[line.seat_id]) for line in open_]
    if rows:
        place = f"{loaded.league_slug}/{press_file(found.number)}"
        yield place, press_json(loaded.league_slug, loaded.match_slug, found.number, rows)


def _row(line: PressLine, seat: str) -> JsonDict:
    """Without a salt where its words were changed because a person was forgotten."""
    return {"seat": seat, "text": line.text, "salt": line.salt, "sha256": line.sha256}
