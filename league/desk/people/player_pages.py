"""The pages for players that a league has once: rules, order card, worked week."""

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from league.core.game import Meta
from league.core.schedule import Weekly
from league.desk import registry
from league.desk.leagues.infos import tells_rules
from league.desk.leagues.rhythm import RHYTHM
from league.desk.play.worked_week import tells_week, worked_week
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.rules import RulesInfo, documents
from league.storage.rounds import Loaded


def player_pages(info: SiteInfo, league: LeagueInfo, meta: Meta, loaded: Loaded) -> Iterable[tuple[str, bytes]]:
    """Every document in every language, by path; nothing of a game that brings no texts for them."""
    if not tells_rules(meta.slug):
        return
    about = rules_info(league, meta, loaded)
    for lang in info.langs:
        week = worked_week(meta.slug, about.options, lang)
        for path, text in documents(info, about, week, lang):
            yield path, text.encode()


def rules_info(league: LeagueInfo, meta: Meta, loaded: Loaded) -> RulesInfo:
    """What the league's rules depend on."""
    return RulesInfo(
        league=league,
        options=registry.filled(meta, loaded.options),
        defaults={option.name: option.default for option in meta.options},
        presets=meta.presets,
        week=Weekly(**loaded.calendar["week"]),
        grace_minutes=loaded.calendar["grace_minutes"],
        board=_board(meta.slug, loaded),
        tables=registry.tables(meta.slug),
        hours=loaded.calendar.get(RHYTHM, {}).get("hours", {}),
        grid=loaded.calendar.get(RHYTHM, {}).get("on", "week"),
        late_results=loaded.calendar.get("replies_until", "ends") != "ends",
        own_board=bool(registry.board_of(loaded.sources)),
        told=tells_week(meta.slug),
    )


def _board(slug: str, loaded: Loaded) -> Mapping[str, Any]:
    own = registry.board_of(loaded.sources)
    return tomllib.loads(own) if own else registry.tables(slug).get("board", {})
