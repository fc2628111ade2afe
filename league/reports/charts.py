"""Charts as SVG, made while publishing: no program runs in the reader's browser, and print shows them too."""

from collections.abc import Sequence
from html import escape

from league.reports.maps import SYMBOLS, Drawing, Look, Point

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 60, 178, 14, 40
ENDS = (10, HEIGHT - 10)  # between these heights the lines' signs stand, beside the marks of the axis below
LEAD, DASHES = 26, 8  # how far a sign stands from its line's end; and kinds of lines on paper (style.css)
DOT = 5
NAMES, VALUES, ROW = 190, 70, 34  # of one round's rows: room for names and numbers at the sides, and their height


Series = tuple[str, int, Sequence[int | None]]  # name, look, points a round; None before the player joined


def chart(
    drawing_: Drawing | None, rounds: Sequence[int], rows: Sequence[Series], title: str, text: str, name: str = "chart"
) -> str:
    """Points over the rounds as lines that end in the owners' symbols; `name` is its id on the page.

    It begins where there is something to see. A line of one point is a dot; where all are, a player has a row each.
    A round that stands there twice has a step: what a correction made of its end.
    """
    rows = [row for row in rows if row[2] and row[2][-1] is not None]
    if not rounds or not rows:
        return ""
    first = min(next(i for i, v in enumerate(points) if v is not None) for _, _, points in rows)
    rounds, rows = rounds[first:], [(who, look, points[first:]) for who, look, points in rows]
    head = f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(text)}</desc>'
    height, inner = _lines(drawing_, rounds, rows) if set(rounds[1:]) - {rounds[0]} else _dots(drawing_, rows)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{name}-t {name}-d">'
        f"{head}{inner}</svg>"
    )


def _scale(values: Sequence[int]) -> tuple[int, int, int]:
    """The lowest and the highest number of an axis, and how far apart its marks are."""
    low, high = min(0, *values), max(1, *values)
    step = _step(high - low)
    return low // step * step, -(-high // step) * step, step


def _lines(drawing_: Drawing | None, rounds: Sequence[int], rows: Sequence[Series]) -> tuple[int, str]:
    low, high, step = _scale([v for _, _, points in rows for v in points if v is not None])
    shown = tuple(dict.fromkeys(rounds))
    across = {n: LEFT + (WIDTH - LEFT - RIGHT) * i // (len(shown) - 1) for i, n in enumerate(shown)}
    xs = [across[n] for n in rounds]

    def at(value: int) -> int:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) // (high - low)

    grid = "".join(
        f'<path class="line" d="M{LEFT} {at(v)}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 8}" y="{at(v) + 4}" class="y">{v}</text>'
        for v in range(low, high + 1, step)
    )
    every = max(1, len(shown) // 12)
    marks = "".join(f'<text x="{across[n]}" y="{HEIGHT - 10}" class="x">{n}</text>' for n in shown[::every])
    paths = [[(x, at(v)) for x, v in zip(xs, points, strict=True) if v is not None] for _, _, points in rows]
    ends = _spread([path[-1][1] for path in paths])
    drawn = "".join(_series(drawing_, row, path, end) for row, path, end in zip(rows, paths, ends, strict=True))
    return HEIGHT, f"{grid}{marks}{drawn}"


def _dots(drawing_: Drawing | None, rows: Sequence[Series]) -> tuple[int, str]:
    """The best above; equal ones would cover each other, if they stood over their round."""
    found = sorted(((points[-1] or 0, who, look) for who, look, points in rows), key=lambda row: -row[0])
    low, high, step = _scale([value for value, _, _ in found])
    foot = TOP + ROW * len(found)

    def at(value: int) -> int:
        return NAMES + (WIDTH - NAMES - VALUES) * (value - low) // (high - low)

    grid = "".join(
        f'<path class="line" d="M{at(v)} {TOP}V{foot}"/><text x="{at(v)}" y="{foot + 26}" class="x">{v}</text>'
        for v in range(low, high + 1, step)
    )
    drawn = "".join(
        f'<g class="series"><text x="{NAMES - 16}" y="{y + 5}" class="who">{escape(_short(who))}</text>'
        f'<path class="stem" d="M{at(0)} {y}H{at(value)}"/>{_sign(drawing_, look, at(value), y)}'
        f'<text x="{at(value) + 16}" y="{y + 5}">{value}</text></g>'
        for y, (value, who, look) in zip(range(TOP + ROW // 2, foot, ROW), found, strict=True)
    )
    return foot + BOTTOM, f"{grid}{drawn}"


def _short(name: str) -> str:
    return name if len(name) <= 12 else f"{name[:11]}…"


def _look(drawing_: Drawing | None, index: int) -> Look:
    return (drawing_ or Drawing((0, 0, 0, 0), {}, "", "")).look(index)


def _sign(drawing_: Drawing | None, index: int, x: int, y: int) -> str:
    look = _look(drawing_, index)
    path = SYMBOLS[look.symbol]
    return f'<g transform="translate({x} {y}) scale(.55)"><path d="{path}" class="sym" fill="{look.fill}"/></g>'


def _line(points: Sequence[Point], fill: str) -> str:
    """A line with an edge; on paper it has dashes of its own."""
    if len(points) == 1:
        ((x, y),) = points
        return f'<circle cx="{x}" cy="{y}" r="{DOT}" fill="{fill}"/>'
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    return f'<path class="under of" d="{path}"/><path class="of" d="{path}" stroke="{fill}"/>'


def _series(drawing_: Drawing | None, row: Series, points: Sequence[Point], end: int) -> str:
    name, index, _ = row
    x, y = points[-1]
    lead = f'<path class="lead" d="M{x} {y}L{x + LEAD} {end}"/>'
    return (
        f'<g class="series d{index % DASHES}">{lead}{_line(points, _look(drawing_, index).fill)}'
        f"{_sign(drawing_, index, x + LEAD, end)}"
        f'<text x="{x + LEAD + 14}" y="{end + 4}">{escape(_short(name))}</text></g>'
    )


def _step(span: int) -> int:
    """A round distance between grid lines that gives at most six of them."""
    for power in (1, 10, 100, 1000, 10000, 100000):
        for first in (1, 2, 5):
            if span <= first * power * 6:
                return first * power
    return span


def _spread(heights: Sequence[int]) -> list[int]:
    """The same heights, moved apart so that the names at the lines' ends don't cover each other, and no farther.

    Heights that are too close make a block, which stands about their middle.
    """
    top, foot = ENDS
    room = min(20, (foot - top) // max(1, len(heights)))
    order = sorted(range(len(heights)), key=lambda i: (heights[i], i))
    blocks: list[list[int]] = []  # of where each one's block would begin
    for place, i in enumerate(order):
        blocks.append([heights[i] - place * room])
        while len(blocks) > 1 and _middle(blocks[-2]) > _middle(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    limit = foot - room * (len(heights) - 1)
    starts = [max(top, min(_middle(block), limit)) for block in blocks for _ in block]
    placed = {i: start + place * room for place, (i, start) in enumerate(zip(order, starts, strict=True))}
    return [placed[i] for i in range(len(heights))]


def _middle(block: Sequence[int]) -> int:
    return sum(block) // len(block)


BAR, SPACE, TALL = 14, 6, 36


def bars(values: Sequence[int]) -> str:
    """A few gains as small bars above and below a line; the numbers stand beside it, so it says nothing aloud."""
    most = max((abs(value) for value in values), default=0) or 1
    half = TALL // 2
    drawn = "".join(
        f'<rect class="{"minus" if value < 0 else "plus"}" x="{i * (BAR + SPACE)}" width="{BAR}"'
        f' y="{half if value < 0 else half - max(1, half * value // most)}"'
        f' height="{max(1, half * abs(value) // most)}"/>'
        for i, value in enumerate(values)
    )
    across = max(1, len(values) * (BAR + SPACE) - SPACE)
    return (
        f'<svg class="bars" viewBox="0 0 {across} {TALL}" width="{across}" height="{TALL}" aria-hidden="true"'
        f' focusable="false">{drawn}<path class="line" d="M0 {half}H{across}"/></svg>'
    )
