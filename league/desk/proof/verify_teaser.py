"""What the site's front page shows of a league, its few best and its small map, against the records."""

import re
from collections.abc import Iterator, Mapping
from json import loads

from league.core.json import JsonDict
from league.desk.leagues.calendar import ONE_BY_ONE
from league.desk.leagues.infos import drawing_of, info_of_none
from league.desk.leagues.recompute import differences, game_of
from league.desk.proof.chronicles import chronicle, put_right
from league.records.audit import Body, Link
from league.reports.context import LeagueInfo, LeaguePage, RoundLink, SeatInfo
from league.reports.teaser import FILE, THUMBNAIL, files

FILLS = re.compile(r'<path d="[^"]*" ((?:class|fill)="[^>]*)/>')
SHAPES = re.compile(rb' (?:d|viewBox|width|height|x|y)="[^"<>]*"')  # those of a league's own board aren't published
CODE = re.compile(r"s([1-9]\d{0,5})")


def stands_after(chain: tuple[Link, ...], newest: Body) -> JsonDict:
    """The position with which the next round starts: the newest round's, or what a correction put in its place."""
    right = put_right((link.kind, link.sha256, link.body) for link in chain).get(newest["round"] + 1)
    ended: JsonDict = newest["position"]
    return right.after if right else ended


def teaser_faults(
    chain: tuple[Link, ...], newest: Body, names: Mapping[str, str], board: str, last: int | None, told: bytes | None
) -> Iterator[tuple[str, str]]:
    """Round, headlines, and who leads, with name and sign, in `teaser.json`."""
    if told is None:
        yield "", "it isn't there"
        return
    made, found = loads(_made(chain, newest, names, board, last)[FILE]), loads(told)
    if board:  # how large its map is only the site itself knows
        made["map"] = found["map"]
    yield from differences(found, made)


def map_faults(
    chain: tuple[Link, ...], newest: Body, names: Mapping[str, str], board: str, last: int | None, told: bytes | None
) -> Iterator[tuple[str, str]]:
    """Whose each field is, in `map.svg`, and that nothing else is in it."""
    made = _made(chain, newest, names, board, last).get(THUMBNAIL)
    if made is None or told is None:
        if made is not told:
            yield "", "it isn't there" if told is None else "the game has no map"
        return
    if told == made or (board and SHAPES.sub(b"", told) == SHAPES.sub(b"", made)):
        return
    shown, right = (FILLS.findall(one.decode(errors="replace")) for one in (told, made))
    wrong = [(at, one, other) for at, (one, other) in enumerate(zip(shown, right, strict=False), 1) if one != other]
    for number, one, other in wrong:
        yield f"field {number}", f"it shows {one[:80]}, and by the records it is {other[:80]}"
    if not wrong:
        yield "", "it isn't the map that this program draws"


def _made(
    chain: tuple[Link, ...], newest: Body, names: Mapping[str, str], board: str, last: int | None
) -> dict[str, bytes]:
    """Both files as they come out of the records, by name; `last` is the season's last round, where it has one."""
    game = game_of(newest, board)
    state = game.restore(stands_after(chain, newest))
    rows = chronicle(game, [newest])
    options, opening = newest["rules"]["options"], chain[0].body
    seats = tuple(SeatInfo(seat, name, "en", look_of(seat)) for seat, name in names.items())
    league = LeagueInfo(
        slug=str(newest["league"]),
        title="",
        game=str(newest["game"]),
        lang="en",
        zone=str(opening["calendar"]["zone"]),
        address="",
        seats=seats,
        label=game.label,
        drawing=drawing_of(str(newest["game"]), str(options.get("topology", "")), board),
    )
    moment = rows.moments[-1]
    ends = bool(opening["calendar"].get(ONE_BY_ONE)) and game.phase(state) is None
    page = LeaguePage(
        league=league,
        standings=game.score(state),
        map=game.view(state, None, None).before,
        rounds=(RoundLink(moment.round, moment.deadline),) if moment.deadline else (),
        over=ends or (last is not None and newest["round"] >= last),
        chronicle=rows,
    )
    return {name.rpartition("/")[2]: content for name, content in files(info_of_none(), page)}


def look_of(seat: str) -> int:
    """A seat's sign: codes count seats, and seats have signs in their order."""
    code = CODE.fullmatch(seat)
    return int(code[1]) - 1 if code else 0
