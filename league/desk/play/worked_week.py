"""The worked week of the player documents: an invented round with a real week's figures, as the engine decides it."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from league import resources
from league.core.game import Options, Value
from league.desk import registry
from league.desk.play.adjudicate import adjudicate_document
from league.reports.rules import WeekAccount, WeekMail, WorkedWeek


def worked_week(slug: str, options: Options, lang: str) -> WorkedWeek | None:
    """The week as a league with these options would see it, in a language; None for a game that tells none."""
    return _worked(slug, tuple(sorted(options.items())), lang)


@lru_cache(maxsize=32)
def _worked(slug: str, options: tuple[tuple[str, Value], ...], lang: str) -> WorkedWeek | None:
    if not tells_week(slug):
        return None
    folder = _folder(slug)
    example, weeks = (tomllib.loads((folder / f"{n}.toml").read_text(encoding="utf-8")) for n in ("example", "weeks"))
    figures = next(week for week in weeks["weeks"] if week["friday"] == example["friday"])
    document = document_of(example, figures, dict(options))
    return _told(document, adjudicate_document(document, game=slug, lang=lang))


def tells_week(slug: str) -> bool:
    """Whether the game brings an example."""
    return (_folder(slug) / "example.toml").is_file()


def _folder(slug: str) -> Traversable:
    return resources.of_game(registry.plugin(slug).package, "config") / "demo"


def document_of(example: Mapping[str, Any], figures: Mapping[str, str], options: Options) -> dict[str, Any]:
    """The example in the form of `league adjudicate`, with those of the league's options that it follows."""
    chosen = {name: options[name] for name in example["follows"]}
    orders = [
        {key: value for key, value in row.items() if key != "battles"}
        for row in example["orders"]
        if row.get("battles", chosen["battles"]) == chosen["battles"]
    ]
    evidence = {key: value for key, value in figures.items() if key not in ("friday", "lotto")}
    return {
        "match": example["match"],
        "options": chosen,
        "round": example["round"],
        "position": example["position"],
        "orders": orders,
        "evidence": evidence | {"lotto": [int(number) for number in figures["lotto"].split()]},
    }


def _told(document: Mapping[str, Any], outcome: Mapping[str, Any]) -> WorkedWeek:
    before, after = document["position"]["players"], outcome["position"]["players"]
    mails = tuple(
        WeekMail(row["seat"], row["received"], document["orders"][place]["text"], tuple(row["lines"]))
        for place, row in enumerate(_with_times(document, outcome))
    )
    accounts = tuple(
        WeekAccount(
            name,
            before.get(name, {}).get("score", 0),
            after[name]["score"],
            tuple(before.get(name, {}).get("owns", ())),
            tuple(after[name]["owns"]),
            tuple(e for e in outcome["events"] if e["type"] == "points" and e["seat"] == name),
        )
        for name in sorted(after, key=lambda name: -after[name]["score"])
    )
    return WorkedWeek(document["round"]["number"], mails, tuple(outcome["events"]), accounts)


def _with_times(document: Mapping[str, Any], outcome: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The mails with what became of their lines, their times as they stand in the example."""
    rows = zip(outcome["orders"], document["orders"], strict=True)
    return [{**row, "received": given["received"]} for row, given in rows]
