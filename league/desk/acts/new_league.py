"""`league new`: a league with its first season, match and round, all in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from secrets import token_hex
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.core.json import Json, JsonDict
from league.core.orders import NO_FACTS
from league.desk import registry
from league.desk.acts.last_round import check_rounds
from league.desk.figures.sources import order_of, sources_of
from league.desk.leagues import press_policy, seasons
from league.desk.leagues.calendar import ONE_BY_ONE, Pause, last_day, make_calendar, round_of, week_at_most, with_last
from league.desk.leagues.finals import ALLOWED, OPTION
from league.desk.leagues.records import opening_record
from league.desk.leagues.silence import Policy
from league.desk.own_board import BOARD, keep_board, read_board
from league.desk.people.players import NewPlayer, seat_players
from league.desk.site import Site, find_running
from league.records.freeze import public_key
from league.storage import engine as database
from league.storage import leagues
from league.storage.engine import plain
from league.storage.records import store_records
from league.storage.rounds import open_rounds

SLUG_LENGTH = 40
PRIZE_LENGTH = 200
NO_BOARD: Mapping[str, str] = MappingProxyType({})
RESERVED = ("public", "style", "index", "manifest", "verify")


def new_league(
    site: Site,
    slug: str,
    *,
    game: str,
    start: date | None,
    title: str | None = None,
    lang: str | None = None,
    zone: str | None = None,
    grace_minutes: int = 15,
    deadline: str | None = None,
    every: Sequence[str] = (),
    last: int = 0,
    replies_until: str = "ends",
    hold_hours: int = 0,
    figure_late: Mapping[str, Json] = NO_FACTS,
    pauses: Sequence[Pause] = (),
    nmr: Policy | None = None,
    prize: str = "",
    options: Mapping[str, object] = NO_FACTS,
    notices: tuple[str, ...] = (),
    board: Path | None = None,
    kept_board: Mapping[str, str] = NO_BOARD,
    after: str = "",
    players: Sequence[NewPlayer] = (),
) -> leagues.League:
    """The new league; `BadInput` says which of the arguments is wrong.

    Orders are first due on the first closing day from `start` on (None: from tomorrow on). `every`: how long phases
    are open after the report before, as `make_rhythm` reads it; then `deadline` may be a time of day alone. `last`: the
    number of the season's last round (0: it has none).
    `replies_until`: when the waiting for replies ends by itself, "ends" (as the next window opens) or "deadline" (the
    next round's). `figure_late`: what `make_late` says. `pauses` are holidays, `nmr` says what follows from silence
    (None: as usual in the game), `prize` is what the month's leader wins. `notices` stand on every page and mail.
    `board`: a board.toml that stands for the game's own; `kept_board` is one that an earlier season has kept.
    `after` is the league of which this is the next season, `players` are invited.
    """
    check_slug(slug)
    meta = registry.plugin(game).meta
    own_options, press = press_policy.split_off(options)
    chosen = registry.check_options(meta, own_options, "option")
    where = zone or meta.zone
    if where not in available_timezones():
        raise BadInput(f"zone '{where}' is no time zone; write it like Europe/Berlin")
    _check_prize(prize)
    site.open_words(title or "", what="--title")
    site.open_words(prize, what="--prize")
    first = start or site.now.astimezone(ZoneInfo(where)).date() + timedelta(days=1)
    if chosen.get(OPTION) == ALLOWED and not every:
        every, deadline = week_at_most(meta, deadline)
    check_rounds(meta, last)
    calendar = with_last(make_calendar(meta, first, where, grace_minutes, deadline, pauses, every), last)
    order = order_of(site)
    sources_of(site, order)  # a wrong name is told now
    calendar |= {ONE_BY_ONE: True} if meta.one_by_one else {}
    policy = nmr or Policy(action=meta.nmr_action)
    calendar |= {"replies_until": replies_until, "nmr": policy.facts(), "press": press.facts()}
    calendar |= {"hold_hours": hold_hours} if hold_hours else {}
    if figure_late and not meta.dispensable:
        raise BadInput(f"figure_late can't be no_event: no round of {game} can go on without its figures")
    calendar |= figure_late
    own = read_board(board, game, chosen) if board is not None else keep_board(kept_board, game, chosen)
    closes = round_of(calendar, 0, 1).closes_at
    if closes <= site.now:
        closed = closes.astimezone(ZoneInfo(where))
        raise BadInput(
            f"start {first}: the first round would have closed on {closed:%Y-%m-%d %H:%M} already; "
            f"give a later day, or none for the next one"
        )
    opening = Opening(
        slug=slug,
        game=game,
        title=title or slug,
        lang=lang or site.settings.site.lang,
        zone=where,
        rules=meta.versions[-1],
        options=dict(chosen),
        sources=_sources(notices=list(notices), board=own, prize=prize, figures=order),
        calendar=calendar,
    )
    with database.write(site.engine) as connection:
        if leagues.league(connection, slug) is not None:
            raise BadInput(
                f"a league named {slug} is already there; its next season is a league with a name of its own: "
                f"league new NAME --after {slug}"
            )
        if after:
            sources = {**opening.sources, seasons.FIELD: seasons.follow(connection, after).facts()}
            opening = replace(opening, sources=sources)
        found = open_league(site, connection, opening, board.name if board else BOARD if own else "")
        if players:
            seat_players(site, connection, find_running(site, connection, slug), players, invite=True)
        return found


@dataclass(frozen=True, slots=True)
class Opening:
    """All that is fixed as a league opens; the journal keeps it whole, so that the act can be done again."""

    slug: str
    game: str
    title: str
    lang: str
    zone: str
    rules: str
    options: Mapping[str, Any]
    sources: Mapping[str, Any]
    calendar: Mapping[str, Any]


def open_league(site: Site, connection: Connection, new: Opening, board: str = "") -> leagues.League:
    """The league with its season, match, first round and opening record; `board` is what its file was called."""
    slug, now, after = new.slug, site.now, seasons.follows(new.sources)
    league_id = leagues.add_league(
        connection, slug=slug, game=new.game, title=new.title, lang=new.lang, zone=new.zone, now=now
    )
    season_id = leagues.add_season(
        connection,
        league_id,
        number=after.season if after else 1,
        rules=new.rules,
        options=dict(new.options),
        sources=dict(new.sources),
        calendar=dict(new.calendar),
        now=now,
    )
    match_id = leagues.add_match(connection, season_id, slug=f"{slug}-1")
    first = round_of(new.calendar, match_id, 1)
    # Who hears of the league early may join early: nothing was open before.
    open_rounds(connection, [replace(first, opens_at=min(first.opens_at, now))])
    opened = opening_record(
        league=slug,
        match_id=match_id,
        match=f"{slug}-1",
        game=new.game,
        rules=new.rules,
        options=new.options,
        calendar=new.calendar,
        public_key=public_key(site.signing_seed),
        now=now,
        sources=new.sources.get("figures", {}),
        board=registry.board_of(new.sources),
        after=after,
    )
    store_records(connection, [opened])
    leagues.mark_unpublished(connection, [slug, *([after.league] if after else [])], token_hex(8))
    why = f"{new.game}, first orders due {last_day(new.calendar, 1)}"
    why += f"; season {after.season}, after {after.league}" if after else ""
    site.write_down(connection, "new", why, league_id, board=board, **plain(new))
    found = leagues.league(connection, slug)
    if found is None:
        raise BadInput(f"league {slug} could not be stored")
    return found


def _sources(**given: Any) -> JsonDict:
    """What lies beside the options; nothing for what wasn't given."""
    return {name: value for name, value in given.items() if value}


def _check_prize(prize: str) -> None:
    if len(prize) > PRIZE_LENGTH or (prize and not prize.isprintable()):
        raise BadInput(f"the prize's text must be one line of up to {PRIZE_LENGTH} characters")


def check_slug(slug: str) -> str:
    """The name of a league or a match, which is a folder's as well; `BadInput` for any other."""
    fine = slug.isascii() and slug == slug.lower() and slug.replace("-", "").isalnum() and not slug.startswith("-")
    if not fine or len(slug) > SLUG_LENGTH or slug in RESERVED:
        raise BadInput(f"'{slug}' can't name a league; use up to {SLUG_LENGTH} of a-z, 0-9 and -, like spring-2026")
    return slug
