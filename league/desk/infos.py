"""A league, its seats and rounds as reports know them."""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from league import resources
from league.core.game import Game
from league.desk import registry
from league.desk.site import Site
from league.records.freeze import sorted_leaves
from league.reports.context import LeagueInfo, OptionInfo, RoundInfo, SeatInfo, SiteInfo
from league.reports.maps import Drawing, drawing
from league.storage.leagues import Place
from league.storage.rounds import Loaded, NewRound, Round

UNPROVEN = "senders_unverified"  # until senders can be verified, every page says so


@lru_cache
def drawing_of(slug: str) -> Drawing | None:
    """The game's map, drawn once a process; None for a game without one."""
    package = registry.plugin(slug).package
    geometry = resources.of_game(package, "config") / "geometry.json"
    if not geometry.is_file():
        return None
    return drawing(json.loads(geometry.read_text(encoding="utf-8")), resources.tables(package)["board"])


def site_info(site: Site) -> SiteInfo:
    """What every page of the site shares."""
    own = site.path / "templates"
    return SiteInfo(
        title=site.settings.site.title,
        lang=site.settings.site.lang,
        base_url=site.settings.site.base_url,
        index=site.settings.publish.index,
        templates=(own,) if own.is_dir() else (),
        locales=_of_plugins("locales"),
        games=tuple((slug, folder) for slug in registry.slugs() if (folder := _own(slug, "templates")) is not None),
        compiled=_compiled(site),
        notices=(UNPROVEN,),
    )


@lru_cache
def _own(slug: str, name: str) -> Path | None:
    """A folder that a plug-in's package brings itself (DESIGN: Plug-ins); None where ours serves."""
    package = registry.plugin(slug).package
    folder = Path(str(files(package))) / name
    return folder if folder.is_dir() else None


def _of_plugins(name: str) -> tuple[Path, ...]:
    return tuple(folder for slug in registry.slugs() if (folder := _own(slug, name)) is not None)


def _compiled(site: Site) -> Path:
    """Where compiled templates outlive the process: compiling them costs more than all the rest of a small run."""
    folder = site.path / "cache"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def league_info(site: Site, loaded: Loaded, game: Game[object, object]) -> LeagueInfo:
    """The league as pages and mails need it."""
    meta = game.meta
    return LeagueInfo(
        slug=loaded.league_slug,
        title=loaded.title,
        game=loaded.game,
        lang=loaded.lang,
        zone=loaded.calendar["zone"],
        address=site.settings.mail.from_address,
        seats=seat_infos(loaded.seats),
        label=game.label,
        drawing=drawing_of(loaded.game),
        options=tuple(OptionInfo(o.name, str(loaded.options[o.name]), o.rule) for o in meta.options),
        notices=(UNPROVEN, *loaded.sources.get("notices", ())),
    )


def seat_infos(seats: Sequence[Place]) -> tuple[SeatInfo, ...]:
    """Seats by position: the position picks the look."""
    return tuple(SeatInfo(s.code, s.name, s.lang, s.position - 1, s.zone) for s in seats)


REVEALED = "revealed"  # the decision that keeps an organizer's look at sealed orders


def round_info(round_: Round, loaded: Loaded | None = None, *, status: str = "", record: str = "") -> RoundInfo:
    """A round's frame; the leaves come from the book once it is frozen."""
    words = {"open": "open", "frozen": "frozen", "resolved": "done"}
    leaves = sorted_leaves(s.leaf for s in loaded.submissions) if loaded and round_.root else ()
    return RoundInfo(
        number=round_.number,
        opens=round_.opens_at,
        deadline=round_.deadline_at,
        closes=round_.closes_at,
        ends=round_.ends_at,
        status=status or words[round_.status],
        version=max(round_.version, 1),
        frozen_late=round_.frozen_late,
        revealed=loaded is not None and any(d.kind == REVEALED for d in loaded.decisions),
        root=round_.root or "",
        leaves=leaves,
        record_sha256=record,
    )


def next_round_info(new: NewRound) -> RoundInfo:
    """A round that isn't open yet."""
    return RoundInfo(new.number, new.opens_at, new.deadline_at, new.closes_at, new.ends_at, "open")
