"""A vote, or anything else that many add to, as one bar: who has how much of it, and how much is needed.

Whoever adds has a part with sign and number; what doesn't count is hollow, so that colour is never the only sign.
"""

from collections.abc import Sequence
from html import escape

from league.reports.maps import SYMBOLS, Drawing

WIDTH, LEFT, TOP, TALL, HEIGHT = 480, 4, 22, 34, 62
ROOM = 46  # a narrower part has no number
Part = tuple[str, int, int, bool]  # name, look, amount, whether it counts
Mark = tuple[int, str]  # twice the amount, so that a half can be marked; what is needed


def stack(drawing: Drawing, parts: Sequence[Part], marks: Sequence[Mark], text: str) -> str:
    """The bar; `text` says the same to a screen reader."""
    whole = max(2 * sum(amount for _, _, amount, _ in parts), *(place for place, _ in marks), 1)
    drawn, at = "", 0
    for name, look, amount, counts in parts:
        x, end = _x(at, whole), _x(at + 2 * amount, whole)
        drawn += _part(drawing, name, look, amount, (x, end), counts=counts)
        at += 2 * amount
    lines = "".join(_mark(_x(place, whole), label) for place, label in marks)
    return (
        f'<svg class="stack" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(text)}">'
        f'<rect class="bed" x="{LEFT}" y="{TOP}" width="{WIDTH - 2 * LEFT}" height="{TALL}"/>{drawn}{lines}</svg>'
    )


def _x(twice: int, whole: int) -> int:
    return LEFT + (WIDTH - 2 * LEFT) * twice // whole


def _part(drawing: Drawing, name: str, index: int, amount: int, span: tuple[int, int], *, counts: bool) -> str:
    look, (x, end) = drawing.look(index), span
    middle, kind = (x + end) // 2, "full" if counts else "hollow"
    wide = end - x >= ROOM
    number = f'<text x="{middle + 12}" y="{TOP + 23}">{amount}</text>' if wide else ""
    return (
        f'<g class="{kind}"><title>{escape(name)}: {amount}</title>'
        f'<rect x="{x}" y="{TOP}" width="{end - x}" height="{TALL}" fill="{look.fill}"/>'
        f'<g transform="translate({middle - 10 if wide else middle} {TOP + TALL // 2}) scale(.5)">'
        f'<circle r="24" class="ground"/><path d="{SYMBOLS[look.symbol]}" class="sym" fill="{look.fill}"/></g>'
        f"{number}</g>"
    )


def _mark(x: int, label: str) -> str:
    anchor = "start" if x < WIDTH // 4 else "end" if x > 3 * WIDTH // 4 else "middle"
    return (
        f'<path class="need" d="M{x} {TOP - 4}V{TOP + TALL + 4}"/>'
        f'<text class="needed" x="{x}" y="{TOP - 8}" text-anchor="{anchor}">{escape(label)}</text>'
    )
