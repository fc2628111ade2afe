"""`league games`: what a game is, and its rules with a league's choices."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from league import resources
from league.core.errors import BadInput
from league.desk import registry
from league.desk.site import find_running, open_site
from league.storage import engine as database


def facts_of(game: str, lang: str) -> dict[str, Any]:
    """The game's facts as plain values."""
    meta = registry.plugin(game).meta
    return {
        "game": meta.slug,
        "title": meta.title[lang],
        "rules": meta.versions[-1],
        "seats": list(meta.seats),
        "figures": list(meta.figures),
        "options": [
            {
                "name": o.name,
                "default": o.default,
                "allowed": " or ".join(o.choices) if o.choices else f"{o.low} to {o.high}",
                "rule": o.rule,
            }
            for o in meta.options
        ],
        "presets": {name: dict(values) for name, values in meta.presets.items()},
    }


def rules_of(
    game: str, options: Mapping[str, object], path: Path | None, league: str | None, now: datetime | None
) -> dict[str, Any]:
    """The rules' text and the options that stand, those of a league of the site where one is named."""
    found = registry.plugin(game)
    chosen = registry.check_options(found.meta, options, "option")
    if path is not None and league is not None:
        site = open_site(path, now)
        with database.read(site.engine) as connection:
            chosen = dict(find_running(site, connection, league, moved_too=True).season.options)
    file = resources.of_game(found.package, "config") / "rules.md"
    if not file.is_file():
        raise BadInput(f"the game '{game}' brings no rules text")
    listed = "\n".join(f"- {name} = {value}" for name, value in chosen.items())
    return {"options": chosen, "text": f"{file.read_text(encoding='utf-8')}\n## Options of this league\n\n{listed}\n"}
