"""A league, its seats and rounds as reports know them."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from league import resources
from league.core.game import Game
from league.desk import registry
from league.desk.leagues import rhythm
from league.desk.leagues.calendar import extended, last_day, last_round, pauses
from league.desk.leagues.turns import phase_of
from league.desk.site import Site
from league.records.freeze import sorted_leaves
from league.reports.context import LeagueInfo, OptionInfo, PauseInfo, RoundInfo, SeatInfo, SiteInfo
from league.reports.maps import Drawing, drawing, tile_drawing
from league.reports.rules import RULES
from league.storage.leagues import Place
from league.storage.orders import ORDERS
from league.storage.rounds import Loaded, NewRound, Round

UNPROVEN = "senders_unverified"  # where a registered address is enough, every page says so


@lru_cache(maxsize=32)
def drawing_of(slug: str, topology: str = "", board: str = "", geometry: str = "") -> Drawing | None:
    """The map of a game or of a league's own board (the texts of its files), drawn once a process; None without."""
    package = registry.plugin(slug).package
    tables = registry.tables(slug).get("board", {})
    if board:
        own = tomllib.loads(board)
        tables = own | {"style": tables.get("style", {}) | own.get("style", {})}
    elif topology != "tiles":
        file = resources.of_game(package, "config") / "geometry.json"
        geometry = file.read_text(encoding="utf-8") if file.is_file() else ""
        if not geometry:
            return None
    if topology == "tiles" or not geometry:
        return tile_drawing(tables, links=topology != "tiles")
    shapes = json.loads(geometry)
    return drawing(shapes, tables or shapes["board"])


def site_info(site: Site) -> SiteInfo:
    """What every page of the site shares."""
    own = site.path / "templates"
    is_own = own.is_dir() and not own.is_symlink()
    return SiteInfo(
        title=site.settings.site.title,
        lang=site.settings.site.lang,
        base_url=site.settings.site.base_url,
        index=site.settings.publish.index,
        templates=(own,) if is_own else (),
        locales=_of_plugins("locales"),
        games=_templates_of_plugins(),
        compiled=_compiled(site),
        notices=_warnings(site),
        pictures=site.settings.mail.pictures,
        edition=_edition(own) if is_own else 0,
    )


def info_of_none() -> SiteInfo:
    """As a site without a look of its own has it: what this program and its plug-ins make of a league's records."""
    return SiteInfo(title="", locales=_of_plugins("locales"), games=_templates_of_plugins())


def _templates_of_plugins() -> tuple[tuple[str, Path], ...]:
    return tuple((slug, folder) for slug in registry.slugs() if (folder := _own(slug, "templates")) is not None)


def _edition(folder: Path) -> int:
    """So that `run --watch` sees a template that was mended: names, sizes and times of all files in the folder."""
    return hash(tuple(sorted((str(file), *_size_and_time(file)) for file in folder.rglob("*"))))


def _size_and_time(file: Path) -> tuple[int, int]:
    try:
        found = file.lstat()
    except OSError:  # an editor's own file, gone again
        return 0, 0
    return found.st_size, found.st_mtime_ns


def _warnings(site: Site) -> tuple[str, ...]:
    return () if site.settings.mail.proof == "required" else (UNPROVEN,)


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
    return folder.resolve()  # sites that share the folder share what is compiled in this process too


def league_info(site: Site, loaded: Loaded, game: Game[object, object]) -> LeagueInfo:
    """The league as pages and mails need it."""
    meta = game.meta
    chosen = registry.filled(meta, loaded.options)
    return LeagueInfo(
        slug=loaded.league_slug,
        title=loaded.title,
        game=loaded.game,
        lang=loaded.lang,
        zone=loaded.calendar["zone"],
        address=site.settings.mail.from_address,
        seats=seat_infos(loaded.seats),
        label=game.label,
        drawing=_drawing(loaded),
        options=(
            *(OptionInfo(o.name, str(chosen[o.name]), o.rule) for o in meta.options),
            *_rhythm(loaded),
            *_late(loaded),
        ),
        notices=(*_warnings(site), *loaded.sources.get("notices", ())),
        prize=str(loaded.sources.get("prize", "")),
        pauses=pause_infos(loaded.calendar, loaded.round.number),
        rules_url=RULES if tells_rules(loaded.game) else "",
        match=loaded.match_slug,
        last=last_round(loaded.calendar),
    )


def _rhythm(loaded: Loaded) -> tuple[OptionInfo, ...]:
    """How long phases are open, where deadlines count from the report before."""
    if rhythm.RHYTHM not in loaded.calendar:
        return ()
    day, time = rhythm.closing(loaded.calendar)
    return (OptionInfo("every", rhythm.told(loaded.calendar), "", day, time),)


def _late(loaded: Loaded) -> tuple[OptionInfo, ...]:
    """What becomes of a round whose figures don't come, where it doesn't wait."""
    rule = loaded.calendar.get("figure_late")
    return (OptionInfo("figure_late", f"{rule['action']} ({rule['days']} d)", ""),) if rule else ()


@lru_cache
def tells_rules(slug: str) -> bool:
    """Whether the game brings the texts of a rules page."""
    folder = resources.of_game(registry.plugin(slug).package, "templates")
    return (folder / "rules" / "data.jinja").is_file()


def _drawing(loaded: Loaded) -> Drawing | None:
    own = loaded.sources.get("board", {})
    topology = str(loaded.options.get("topology", ""))
    return drawing_of(loaded.game, topology, own.get("toml", ""), own.get("geometry", ""))


def seat_infos(seats: Sequence[Place]) -> tuple[SeatInfo, ...]:
    """Seats by position: the position picks the look."""
    return tuple(SeatInfo(s.code, s.name, s.lang, s.position - 1, s.zone, s.status == "left") for s in seats)


def pause_infos(calendar: Mapping[str, Any], number: int) -> tuple[PauseInfo, ...]:
    """The holidays that the round of this number comes before or after, and those behind it."""
    before = last_day(calendar, number - 1) if number > 1 else date.min  # by a rhythm: that of its deadline
    return tuple(PauseInfo(p.first, p.last, p.why) for p in pauses(calendar) if p.last > before)


REVEALED = "revealed"  # the decision that keeps an organizer's look at sealed orders


def round_info(round_: Round, loaded: Loaded | None = None, *, status: str = "", record: str = "") -> RoundInfo:
    """A round's frame; the leaves come from the book once it is frozen."""
    words = {"open": "open", "frozen": "frozen", "resolved": "done"}
    leaves = sorted_leaves(s.leaf for s in loaded.submissions if s.phase == ORDERS) if loaded and round_.root else ()
    phase = phase_of(loaded) if loaded is not None else None
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
        moved=loaded is not None
        and round_.number in loaded.calendar.get("moved", ())
        and not extended(loaded.calendar, round_.number),
        extended=loaded is not None and extended(loaded.calendar, round_.number) is not None,
        phase=phase.kind if phase is not None else "",
        asks={ask.seat: ask.facts for ask in phase.asks} if phase is not None else None,
    )


def next_round_info(new: NewRound) -> RoundInfo:
    """A round that isn't open yet."""
    return RoundInfo(new.number, new.opens_at, new.deadline_at, new.closes_at, new.ends_at, "open")
