"""Write the table of KUEL's events into its document, from the code; with `check`, only say whether it is up to date.

python tools/kuel_events.py [check]
"""

import sys
from dataclasses import fields
from inspect import getdoc, getmembers, isclass
from pathlib import Path
from typing import Any

from league.core.events import Event
from league.games.kuel import events

DOCUMENT = Path(__file__).parent.parent / "docs" / "games" / "kuel.md"
BEGIN, END = "<!-- events: made by tools/kuel_events.py -->", "<!-- end events -->"


def table() -> str:
    """One row an event: its type, its facts in order, its rule, what it tells."""
    kinds = [c for _, c in getmembers(events, isclass) if issubclass(c, Event) and c is not Event]
    rows = [_row(kind) for kind in sorted(kinds, key=lambda kind: kind.type())]
    return "\n".join(["| type | facts | rule | what it tells |", "|---|---|---|---|", *rows])


def _row(kind: Any) -> str:
    facts = ", ".join(f"`{f.name}`" for f in fields(kind) if f.name != "rule") or "–"
    rule = next(f.default for f in fields(kind) if f.name == "rule")
    told = " ".join((getdoc(kind) or "").split()).replace("|", "\\|")
    return f"| `{kind.type()}` | {facts} | {rule} | {told} |"


def renewed(text: str) -> str:
    """The document with the table of now."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def main(word: str = "") -> int:
    """1 if the document was to be checked and isn't up to date."""
    text = DOCUMENT.read_text(encoding="utf-8")
    fresh = renewed(text)
    if word == "check":
        if text != fresh:
            print("docs/games/kuel.md is not up to date; run: python tools/kuel_events.py")
        return int(text != fresh)
    DOCUMENT.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
