"""What pages tell of a league's other seasons: from the books that they are there, from teasers how they ended."""

from collections.abc import Callable, Mapping

from league.desk.leagues.seasons import Lines
from league.reports.front import SeasonLink, Seasons, Teaser
from league.storage.leagues import MOVED, League

ReadTeaser = Callable[[str], Teaser | None]


class SeasonLinks:
    """The other seasons of each league of a site."""

    def __init__(self, lines: Lines, known: Mapping[str, League], teaser: ReadTeaser) -> None:
        """`teaser` gives what is told of a league, as it will be published."""
        self._lines, self._known, self._teaser = lines, known, teaser

    def of(self, slug: str) -> Seasons:
        """Those before and after it; nothing for a league that has one season."""
        if not self._lines.is_known(slug):
            return Seasons()
        after = self._lines.after(slug)
        return Seasons(
            number=self._lines.number(slug),
            line=self._lines.first(slug),
            earlier=tuple(self._link(one.league, one.number, here=one.here) for one in self._lines.earlier(slug)),
            next=self._link(after, self._lines.number(after), here=True) if after else None,
        )

    def _link(self, slug: str, number: int, *, here: bool) -> SeasonLink:
        league = self._known.get(slug) if here else None
        if league is None:
            return SeasonLink(number, slug)
        told = self._teaser(slug) or Teaser(slug)
        return SeasonLink(
            number=number,
            slug=slug,
            title=league.title,
            lang=league.lang,
            zone=league.zone,
            over=told.over,
            moved=league.status == MOVED,
            rounds=told.round,
            ended=told.deadline,
            winners=told.leaders if told.over else (),
        )
