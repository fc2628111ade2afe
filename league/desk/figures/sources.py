"""The sources of a site: those that `league.toml` names, in its order, with their keys from outside."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date

from league import credentials
from league.core.errors import BadInput, Refused
from league.core.toml_lines import syntax_line
from league.desk.site import Site
from league.sources import ecb, lotto_brandenburg, lotto_de, stooq, table, yahoo
from league.sources.answer import Role, Source, Unanswered, Why

OFFLINE = "LEAGUE_OFFLINE"  # an environment variable: nothing is asked of the net
FIGURES = ("dax_close", "eurusd", "lotto")


def is_offline() -> bool:
    """Whether this machine was told to ask nobody."""
    return bool(os.environ.get(OFFLINE))


def closed_days(site: Site) -> frozenset[date]:
    """Days that config adds to the exchange's holidays."""
    return frozenset(date.fromisoformat(day) for day in site.settings.sources.closed_days)


def order_of(site: Site) -> dict[str, list[str]]:
    """Figure -> names of its sources: what a new season's opening record fixes."""
    return {figure: list(getattr(site.settings.sources, figure)) for figure in FIGURES}


def sources_of(site: Site, order: Mapping[str, Sequence[str]]) -> dict[str, tuple[Source, ...]]:
    """The sources in a season's order; `BadInput` for a name that nobody knows."""
    known = {source.name: source for source in _known(site)}
    found = {}
    for figure, names in order.items():
        for name in names:
            if name not in known or known[name].figure not in (figure, f"{figure}_set"):
                fitting = [n for n, source in known.items() if source.figure in (figure, f"{figure}_set")]
                raise BadInput(
                    f"[sources] {figure} names '{name}', which gives no {figure}; there are: {', '.join(fitting)}",
                    str(site.path / "league.toml"),
                )
        found[figure] = tuple(known[name] for name in names)
    return found


def _known(site: Site) -> list[Source]:
    return [
        yahoo.source(),
        stooq.source(lambda: _stooq_key(site)),
        ecb.xml_source("ecb", ecb.DAILY),
        ecb.xml_source("ecb_90_days", ecb.NINETY_DAYS),
        ecb.portal_source(),
        lotto_de.source(),
        lotto_brandenburg.source(),
        *(table.source(layout) for layout in _layouts(site)),
    ]


def _stooq_key(site: Site) -> str:
    chosen = site.settings.sources
    if chosen.stooq_key_env:
        return os.environ.get(chosen.stooq_key_env, "")
    try:
        return credentials.read_password(site.path / chosen.stooq_key_file) if chosen.stooq_key_file else ""
    except Refused as trouble:
        raise Unanswered(Why.NOT_SET_UP, str(trouble)) from None


def _layouts(site: Site) -> list[table.Layout]:
    """The providers that the site describes itself; every fault with the file and the table it is in."""
    if not site.settings.sources.tables:
        return []
    path = site.path / site.settings.sources.tables
    try:
        text = path.read_text(encoding="utf-8")
        written = tomllib.loads(text)
    except OSError as error:
        raise BadInput(error.strerror or str(error), str(path)) from None
    except UnicodeDecodeError:
        raise BadInput("this is not UTF-8", str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"this is not TOML ({error})", f"{path}:{syntax_line(text, error)}") from None
    faults = [fault for name, values in written.items() for fault in _faults(name, values)]
    if faults:
        raise BadInput.several([f"{path}: {fault}" for fault in faults])
    return [_layout(name, values) for name, values in written.items()]


def _layout(name: str, values: Mapping[str, str]) -> table.Layout:
    given = {key: value for key, value in values.items() if key != "role"}
    return table.Layout(name=name, role=Role(values.get("role", "vendor")), **given)


def _faults(name: str, values: object) -> list[str]:
    """What is wrong with a described provider."""
    if not isinstance(values, dict):
        return [f"'{name}' is no table; write [{name}] and its keys below"]
    keys = [f.name for f in fields(table.Layout) if f.name != "name"]
    faults = [f"[{name}] knows no '{key}'; it knows: {', '.join(keys)}" for key in values if key not in keys]
    faults += [f"[{name}] {key} must be text" for key, value in values.items() if not isinstance(value, str)]
    faults += [f"[{name}] lacks '{key}'" for key in ("figure", "url") if not values.get(key)]
    choices = {
        "figure": (*FIGURES, "lotto_set"),
        "kind": ("csv", "json"),
        "number_form": ("en", "de"),
        "role": [role.value for role in Role],
    }
    for key, allowed in choices.items():
        if key in values and values[key] not in allowed:
            faults.append(f"[{name}] {key} is '{values[key]}'; it can be {', '.join(allowed)}")
    return faults
