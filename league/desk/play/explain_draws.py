"""`league draw explain`: what weeks of figures make, with the working; no site needed."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from league.core.errors import BadInput
from league.core.json import Json, JsonDict
from league.desk import registry
from league.desk.words import say

COLUMNS = ("friday", "dax_close", "dax_day", "eurusd", "saturday", "lotto")


def explain_draws(
    game: str, lines: Iterable[str], name: str, options: Mapping[str, object], lang: str
) -> Iterator[JsonDict]:
    """A row of the table after the other; `BadInput` at the end names the lines that can't be read."""
    meta = registry.plugin(game).meta
    rules = registry.load(game, registry.check_options(meta, options, "option"))
    words = say(rules, lang)
    reader = csv.DictReader(lines)
    missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise BadInput(f"there is no column {missing[0]}; needed are {', '.join(COLUMNS)}", f"{name}:1")
    faults: list[str] = []
    for row in reader:
        where = f"{name}:{reader.line_num}"
        week = {column: (row[column] or "").strip() for column in COLUMNS}
        try:
            found = rules.explain(week)
        except BadInput as error:
            faults.append(f"{where}: {error.message}")
        else:
            yield {**found, "steps": _worded(found["steps"], words)}
    if faults:
        raise BadInput("\n".join(faults))


def _worded(steps: Json, words: Any) -> Sequence[str]:
    return [words.step(step) for step in steps] if isinstance(steps, list) else []
