"""The leagues on a site's front page: the list from the database, what is told of each from its published teaser."""

from collections.abc import Iterable

from sqlalchemy import Connection

from league.desk import registry
from league.desk.leagues.seasons import lines
from league.desk.pages.season_links import SeasonLinks
from league.desk.people.moved import moved_to
from league.desk.site import Site
from league.reports.front import LeagueLink, Teaser
from league.reports.teaser import FILE, read
from league.storage import leagues

Teasers = dict[str, Teaser | None]  # by slug, of the leagues whose pages are made in this publication
Files = Iterable[tuple[str, bytes]]


def noted(files: Files, told: Teasers) -> Files:
    """The same files; a teaser on its way is written down."""
    for name, content in files:
        slug, _, file = name.partition("/")
        if file == FILE:
            told[slug] = read(content)
        yield name, content


def season_links(site: Site, connection: Connection, told: Teasers) -> SeasonLinks:
    """What pages tell of other seasons; in one statement where no league has any."""
    known = lines(connection)
    titles = {one.slug: one for one in leagues.leagues(connection)} if known.any else {}
    return SeasonLinks(known, titles, lambda slug: told[slug] if slug in told else _published(site, slug))


def league_links(site: Site, connection: Connection, told: Teasers) -> list[LeagueLink]:
    """The site's leagues, in a handful of statements however many they are."""
    others = season_links(site, connection, told)
    return [
        LeagueLink(
            slug=row.slug,
            title=row.title,
            game=_title(row.game),
            lang=row.lang,
            players=row.players,
            round=row.round,
            deadline=row.deadline_at,
            zone=row.zone,
            teaser=told[row.slug] if row.slug in told else _published(site, row.slug),
            moved=moved_to(connection, row.slug) if row.status == leagues.MOVED else None,
            seasons=others.of(row.slug),
        )
        for row in leagues.overview(connection)
    ]


def _published(site: Site, slug: str) -> Teaser | None:
    try:
        return read((site.path / "public" / slug / FILE).read_bytes())
    except OSError:  # from before there were teasers
        return None


def _title(game: str) -> str:
    """The game's own title; of one that isn't installed any more its short name."""
    return registry.plugin(game).meta.title["en"] if game in registry.slugs() else game
