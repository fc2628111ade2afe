"""What a site's front page is made of, and what pages of a league's seasons tell of each other."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

LEAST = 3  # seasons from which on titles are counted
UNNAMED = re.compile(r"s\d+|Player \d+")  # who has no name of his own in public: never the same person twice


@dataclass(frozen=True, slots=True)
class Podium:
    """One of a league's best, with fill, symbol and ring of the sign (empty: none is drawn)."""

    name: str
    rank: int
    points: int
    fill: str = ""
    symbol: str = ""
    ring: int = 0


@dataclass(frozen=True, slots=True)
class Teaser:
    """What a league's card on the site's front page tells, as `teaser.json` has it.

    `round` is the newest that was evaluated (0: none), `deadline` its own; `heads` its headline by language.
    """

    slug: str
    round: int = 0
    deadline: datetime | None = None
    over: bool = False
    leaders: tuple[Podium, ...] = ()
    heads: Mapping[str, str] = field(default_factory=dict)
    map: tuple[int, ...] = ()  # width and height of the small map; empty: there is none


@dataclass(frozen=True, slots=True)
class SeasonLink:
    """Another season of a league, with how far it has come. Without a `title` it isn't on this site.

    `moved`: it is played elsewhere by now.
    """

    number: int
    slug: str
    title: str = ""
    lang: str = "en"
    zone: str = "UTC"
    over: bool = False
    moved: bool = False
    rounds: int = 0
    ended: datetime | None = None
    winners: tuple[Podium, ...] = ()


@dataclass(frozen=True, slots=True)
class Seasons:
    """Which season of its line a league is; `line` is what all of them that are here have in common.

    `earlier` are those before it, the newest first, `next` is the one after it.
    """

    number: int = 1
    line: str = ""
    earlier: tuple[SeasonLink, ...] = ()
    next: SeasonLink | None = None

    @property
    def several(self) -> bool:
        """Whether there is another one."""
        return bool(self.earlier or self.next)


@dataclass(frozen=True, slots=True)
class LeagueLink:
    """A league on the site's front page. `teaser` None: its pages are from before there were teasers."""

    slug: str
    title: str
    game: str
    lang: str
    players: int
    round: int
    deadline: datetime | None = None
    zone: str = "UTC"
    teaser: Teaser | None = None
    moved: str | None = None  # to which address its mail goes since it is played elsewhere; None: it isn't
    seasons: Seasons = field(default_factory=Seasons)  # which one it is, and the others

    @property
    def over(self) -> bool:
        """Whether its match is over, or nothing comes any more; of one that is played elsewhere nobody here knows."""
        return self.round > 0 and self.deadline is None and self.moved is None

    @property
    def as_season(self) -> SeasonLink:
        """The same as a season among others, once it is over."""
        told = self.teaser or Teaser(self.slug)
        return SeasonLink(
            number=self.seasons.number,
            slug=self.slug,
            title=self.title,
            lang=self.lang,
            zone=self.zone,
            over=self.over,
            rounds=self.round,
            ended=told.deadline,
            winners=told.leaders,
        )


@dataclass(frozen=True, slots=True)
class Archived:
    """The seasons of a league that are over, the newest first, and how many of them each player has won."""

    seasons: tuple[LeagueLink, ...]
    titles: tuple[tuple[str, int], ...] = ()

    @property
    def newest(self) -> LeagueLink:
        """The one that was over last."""
        return self.seasons[0]


def archive(done: Iterable[LeagueLink]) -> list[Archived]:
    """Leagues that are over, those of a line under one heading; what ended last comes first."""
    found: dict[str, list[LeagueLink]] = {}
    for link in sorted(done, key=_ended, reverse=True):
        found.setdefault(link.seasons.line or link.slug, []).append(link)
    lines = (tuple(sorted(several, key=lambda one: -one.seasons.number)) for several in found.values())
    return [Archived(several, titles(several)) for several in lines]


def _ended(link: LeagueLink) -> tuple[str, str]:
    ended = link.teaser.deadline if link.teaser else None
    return ended.isoformat() if ended else "", link.title


def titles(seasons: Sequence[LeagueLink]) -> tuple[tuple[str, int], ...]:
    """How often each player has won, most first, where there are seasons enough to count.

    A player is who bears a name in public: that an address stands behind two names is nobody's business.
    """
    if len(seasons) < LEAST:
        return ()
    won = Counter((one.name, UNNAMED.fullmatch(one.name) and link.slug) for link in seasons for one in _winners(link))
    return tuple((name, count) for (name, _), count in sorted(won.items(), key=lambda row: (-row[1], row[0][0])))


def _winners(link: LeagueLink) -> tuple[Podium, ...]:
    return link.teaser.leaders if link.teaser and link.teaser.over else ()
