"""`league new` as it is typed: a league of its own, or (`--after`) the next season of one that is there.

A next season takes over from the one before whatever isn't said otherwise, and invites the players who have its seats.
What hangs on dates (pauses, moved deadlines) stays behind, and figures are asked of the site's sources of now.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.orders import NO_FACTS
from league.core.schedule import Weekly
from league.desk import registry
from league.desk.acts.new_league import NO_BOARD, new_league
from league.desk.leagues import press_policy, rhythm
from league.desk.leagues.calendar import DAYS, Pause, last_round
from league.desk.leagues.finals import ALLOWED, OPTION
from league.desk.leagues.late_figures import USUAL_DAYS, WAIT, make_late
from league.desk.leagues.press_policy import NAMES as PRESS
from league.desk.leagues.seasons import require_here
from league.desk.leagues.silence import LIMIT, WARN, make_policy, policy_of, usual_action
from league.desk.people.players import NewPlayer
from league.desk.post.mind_outbox import stopped_now
from league.desk.site import Site
from league.storage import engine as database
from league.storage import leagues
from league.storage.leagues import League, Season

Calendar = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """What an organizer says of a new league; None: nothing. `after`: the league of which it is the next season."""

    game: str | None = None
    after: str = ""
    invite: bool = True
    start: date | None = None
    title: str | None = None
    lang: str | None = None
    zone: str | None = None
    grace_minutes: int | None = None
    deadline: str | None = None
    every: tuple[str, ...] | None = None
    rounds: int | None = None
    replies_until: str | None = None
    hold_hours: int | None = None
    figure_late: str | None = None
    figure_late_days: int | None = None
    pauses: tuple[Pause, ...] = ()
    nmr_warn: int | None = None
    nmr_limit: int | None = None
    nmr_action: str | None = None
    prize: str | None = None
    options: Mapping[str, object] = NO_FACTS
    board: Path | None = None


USUAL = Wish(
    rounds=0,
    grace_minutes=15,
    replies_until="ends",
    hold_hours=0,
    figure_late=WAIT,
    figure_late_days=USUAL_DAYS,
    nmr_warn=WARN,
    nmr_limit=LIMIT,
    prize="",
)
TAKEN_OVER = (  # where nothing else is said
    *("game", "title", "lang", "zone", "grace_minutes", "deadline", "every", "rounds", "replies_until"),
    *("hold_hours", "figure_late", "figure_late_days", "nmr_warn", "nmr_limit", "nmr_action", "prize"),
)


@dataclass(frozen=True, slots=True)
class Opened:
    """The new league, which season it is, and how many players were invited."""

    league: League
    season: int
    invited: int


@dataclass(frozen=True, slots=True)
class _Before:
    """What the season before had: as somebody would have typed it, and what nobody types."""

    wish: Wish = USUAL
    notices: tuple[str, ...] = ()
    board: Mapping[str, str] = field(default_factory=dict)
    players: tuple[NewPlayer, ...] = ()


def open_new(site: Site, slug: str, wish: Wish) -> Opened:
    """The new league; `BadInput` says which of the arguments is wrong, `Refused` why it can't follow another."""
    had = _before(site, slug, wish) if wish.after else _Before()
    said = {name: getattr(wish, name) for name in TAKEN_OVER if getattr(wish, name) is not None}
    full = replace(had.wish, **said)
    if full.game is None:
        raise BadInput("say which game with --game (league games list), or which league it follows with --after")
    players = had.players if wish.invite else ()
    found = new_league(
        site,
        slug,
        game=full.game,
        start=wish.start,
        title=full.title,
        lang=full.lang,
        zone=full.zone,
        grace_minutes=_whole(full.grace_minutes),
        deadline=full.deadline,
        every=full.every or (),
        last=_whole(full.rounds),
        replies_until=str(full.replies_until),
        hold_hours=_whole(full.hold_hours),
        figure_late=make_late(str(full.figure_late), _whole(full.figure_late_days)),
        pauses=wish.pauses,
        nmr=make_policy(_whole(full.nmr_warn), _whole(full.nmr_limit), full.nmr_action or usual_action(full.game)),
        prize=full.prize or "",
        options=_options(full.game, had.wish.options, wish.options),
        notices=had.notices,
        board=wish.board,
        kept_board=had.board,
        after=wish.after,
        players=players,
    )
    with database.read(site.engine) as connection:
        return Opened(found, leagues.seasons(connection, found.id)[-1].number, len(players))


def _whole(number: int | None) -> int:
    return number or 0


def _options(game: str, had: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """The options of the season before with those that are given in their place, a preset's among them."""
    preset = registry.plugin(game).meta.presets.get(str(given.get("preset")), {})
    return {name: value for name, value in had.items() if name not in preset} | dict(given)


# ------------------------------------------------------------------ the season before


def _before(site: Site, slug: str, wish: Wish) -> _Before:
    with database.read(site.engine) as connection:
        league = require_here(connection, wish.after)
        if league.game not in registry.slugs():
            raise Refused(f"{league.slug} plays {league.game}, which isn't installed here any more; install it first")
        if wish.game not in (None, league.game):
            raise Refused(
                f"{league.slug} plays {league.game}, and its next season is the same game: leave --game out, or open a "
                f"league of its own without --after"
            )
        season = leagues.seasons(connection, league.id)[-1]
        return _Before(
            wish=_wish_of(slug, league, season),
            notices=tuple(season.sources.get("notices", ())),
            board=season.sources.get("board", NO_BOARD),
            players=_players(connection, season),
        )


def _wish_of(slug: str, league: League, season: Season) -> Wish:
    calendar, policy = season.calendar, policy_of(season.calendar)
    every, deadline = _rhythm(calendar, season.options)
    late = calendar.get("figure_late", {"action": WAIT, "days": USUAL_DAYS})
    return Wish(
        game=league.game,
        title=slug if league.title == league.slug else league.title,
        lang=league.lang,
        zone=league.zone,
        grace_minutes=calendar["grace_minutes"],
        deadline=deadline,
        every=every,
        rounds=last_round(calendar) or 0,
        replies_until=calendar.get("replies_until", USUAL.replies_until),
        hold_hours=calendar.get("hold_hours", USUAL.hold_hours),
        figure_late=late["action"],
        figure_late_days=late["days"],
        nmr_warn=policy.warn,
        nmr_limit=policy.limit,
        nmr_action=policy.action,
        prize=season.sources.get("prize", ""),
        options={**_known(league.game, season.options), **_press(calendar)},
    )


def _known(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that the game still has."""
    names = {option.name for option in registry.plugin(game).meta.options}
    return {name: value for name, value in options.items() if name in names}


def _press(calendar: Calendar) -> dict[str, object]:
    policy = press_policy.policy_of(calendar)
    return dict(zip(PRESS, (policy.mode, "on" if policy.anonymous else "off", policy.limit), strict=True))


def _rhythm(calendar: Calendar, options: Mapping[str, Any]) -> tuple[tuple[str, ...], str | None]:
    """`--every` and `--deadline` as they would have been typed."""
    week = Weekly(**calendar["week"])
    time = f"{week.closes_hour}:{week.closes_minute:02}"
    told = calendar.get(rhythm.RHYTHM)
    if told is None:
        return (), f"{DAYS[week.closes_day]} {time}"
    every = tuple(f"{kind}={hours}h" if kind else f"{hours}h" for kind, hours in sorted(told["hours"].items()))
    if options.get(OPTION) == ALLOWED and every == (f"{rhythm.USUAL}h",) and told["on"] == rhythm.WEEKLY:
        every = ()  # that came with the option, and goes with it
    on: dict[str, str | None] = {rhythm.HOUR: None, rhythm.DAILY: time}
    return every, on.get(told["on"], f"{DAYS[week.closes_day]} {time}")


def _players(connection: Connection, season: Season) -> tuple[NewPlayer, ...]:
    """Who has a seat now, by seats: nobody who left, was forgotten, or whom mail doesn't reach."""
    silenced = stopped_now(connection)
    seats: Sequence[leagues.Place] = leagues.seats(connection, [leagues.matches(connection, [season.id])[-1].id])
    return tuple(
        NewPlayer(seat.own_name, seat.address, seat.lang, seat.zone)
        for seat in seats
        if seat.status == leagues.ACTIVE and seat.address and leagues.fold(seat.address) not in silenced
    )
