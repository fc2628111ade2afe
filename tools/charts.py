"""Small charts as SVG: bars and lines, light and dark, readable without colour. The same values, the same bytes."""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

STYLE = """
svg { --paper: #fffdf8; --ink: #211d16; --soft: #655c4d; --line: #ddd3bf; --one: #0a4c69; --two: #b4531f; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #1c1f23; --ink: #ece7dc; --soft: #aba393; --line: #3a3d42; --one: #7fbfe0; --two: #f2a076; }
}
text { font: 13px system-ui, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
.title { font-weight: 650; font-size: 15px; } .soft { fill: var(--soft); font-size: 12px; } .end { text-anchor: end; }
.mid { text-anchor: middle; } .paper { fill: var(--paper); } .grid { stroke: var(--line); stroke-width: 1; }
.bar { fill: var(--one); } .low { fill: var(--two); } .mark { stroke: var(--ink); stroke-width: 2; }
.even { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 4 3; }
.path { fill: none; stroke-width: 2.5; } .s0 { stroke: var(--one); } .s1 { stroke: var(--two); stroke-dasharray: 7 3; }
"""
WIDTH, LEFT, RIGHT, TOP, ROW = 720, 225, 70, 64, 22
PLOT_LEFT, PLOT_RIGHT, HEIGHT, BOTTOM = 60, 110, 300, 46
STEPS = (1, 2, 5)


class Bar(NamedTuple):
    """A bar, and where its mark stands if it has one (what theory says)."""

    label: str
    value: float
    mark: float | None = None


def bars(title: str, about: str, rows: Sequence[Bar], even: float | None = None) -> str:
    """Horizontal bars, one below the other; `even` draws a dashed line through all."""
    least = min(0.0, *(row.value for row in rows))
    most = max(0.0, even or 0.0, *(max(row.value, row.mark or 0.0) for row in rows))
    scale = (WIDTH - LEFT - RIGHT) / ((most - least) or 1.0)
    height = TOP + ROW * len(rows) + 14

    def x(value: float) -> float:
        return LEFT + (value - least) * scale

    parts = [f'<line class="grid" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="{TOP - 6}" y2="{height - 10}"/>']
    for place, row in enumerate(rows):
        y, start, length = TOP + ROW * place, min(x(0), x(row.value)), abs(row.value) * scale
        kind = "bar" if row.value >= 0 else "low"
        parts.append(f'<text class="end" x="{LEFT - 10}" y="{y + 13}">{escape(row.label)}</text>')
        parts.append(f'<rect class="{kind}" x="{start:.1f}" y="{y + 2}" width="{length:.1f}" height="14" rx="2"/>')
        if row.mark is not None:
            parts.append(
                f'<line class="mark" x1="{x(row.mark):.1f}" x2="{x(row.mark):.1f}" y1="{y - 1}" y2="{y + 19}"/>'
            )
        end = max(x(row.value), x(row.mark or 0.0), x(0)) + 8
        parts.append(f'<text class="soft" x="{end:.1f}" y="{y + 13}">{round(row.value, 1) + 0.0:.1f}</text>')
    if even is not None:
        parts.append(f'<line class="even" x1="{x(even):.1f}" x2="{x(even):.1f}" y1="{TOP - 6}" y2="{height - 10}"/>')
    return _svg(title, about, height, parts)


def lines(title: str, about: str, series: Mapping[str, Sequence[float]]) -> str:
    """Up to two lines over rounds 1, 2, 3 …, each with its name at its end; the second is dashed."""
    count = max(len(values) for values in series.values())
    highest = max(max(values) for values in series.values())
    step = _step(highest / 5)
    most = step * max(ceil(highest / step), 1)

    def x(place: int) -> float:
        return PLOT_LEFT + place * (WIDTH - PLOT_LEFT - PLOT_RIGHT) / max(count - 1, 1)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - TOP) / most

    parts = []
    for tick in range(round(most / step) + 1):
        at = y(tick * step)
        parts.append(f'<line class="grid" x1="{PLOT_LEFT}" x2="{WIDTH - PLOT_RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text class="soft end" x="{PLOT_LEFT - 8}" y="{at + 4:.1f}">{tick * step:g}</text>')
    for place in range(0, count + 1, 5):
        shown = max(place, 1)
        parts.append(f'<text class="soft mid" x="{x(shown - 1):.1f}" y="{HEIGHT - BOTTOM + 20}">{shown}</text>')
    for number, (name, values) in enumerate(series.items()):
        way = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(values))
        parts.append(f'<polyline class="path s{number}" points="{way}"/>')
        parts.append(f'<text x="{x(len(values) - 1) + 8:.1f}" y="{y(values[-1]) + 4:.1f}">{escape(name)}</text>')
    parts.append(f'<text class="soft" x="{PLOT_LEFT}" y="{HEIGHT - 8}">round</text>')
    return _svg(title, about, HEIGHT, parts)


def _step(rough: float) -> float:
    """A round step that is at least so long."""
    size = 1.0
    while True:
        for factor in STEPS:
            if factor * size >= rough:
                return factor * size
        size *= 10


def _svg(title: str, about: str, height: int, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-labelledby="t d">\n<title id="t">{escape(title)}</title>\n<desc id="d">{escape(about)}</desc>'
    )
    body = [
        head,
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="6"/>',
        f'<text class="title" x="16" y="26">{escape(title)}</text>',
        f'<text class="soft" x="16" y="45">{escape(about)}</text>',
        *parts,
        "</svg>",
    ]
    return "\n".join(body) + "\n"
