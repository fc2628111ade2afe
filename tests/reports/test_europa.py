"""EUROPA on pages and in mails: a match that bots play in memory, told so that nobody needs the rules to follow it."""

import json
import re
import tomllib
from dataclasses import dataclass, replace
from typing import Any

import pytest

from league.core.game import Outcome
from league.core.orders import Fate, Ruling
from league.core.view import MapView, Region, View
from league.desk.leagues.infos import drawing_of
from league.desk.post.roster import any_order_or_press
from league.games.europa.game import Europa
from league.games.europa.state import State
from league.i18n import LANGS
from league.reports import atlas
from league.reports.chronicle import Chronicle, Moment
from league.reports.context import (
    LeagueInfo,
    LeaguePage,
    LineReport,
    MailReport,
    RoundInfo,
    RoundReport,
    SeatInfo,
    SiteInfo,
)
from league.reports.render import league_page, round_page
from league.reports.report_mails import ReportMails
from tests.games.europa.tables import GAME, Match
from tests.reports.conftest import ROOT
from tests.reports.sight import EYES, apart, hue
from tests.reports.test_pages import check
from tests.reports.test_pictures import contrast

SEATS = tuple(SeatInfo(f"s{i + 1}", name, LANGS[i % 3], i) for i, name in enumerate(("Anna", "Ben", "Carla", "Dirk")))
CARDS = tomllib.loads((ROOT / "config/europa/countries.toml").read_text("utf-8"))["country"]
SHAPES = json.loads((ROOT / "config/europa/geometry.json").read_text("utf-8"))
SEA = "#dce8ec"  # of the style sheet


@dataclass(frozen=True)
class Deadline:
    """One deadline of the match: what was before, what came out, and what the public sees of it."""

    before: State
    outcome: Outcome[State]
    view: View

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """As records have them."""
        return tuple(json.loads(json.dumps(event.facts())) for event in self.outcome.events)

    def has(self, kind: str) -> bool:
        """Whether such a thing happened."""
        return any(event["type"] == kind for event in self.events)


@pytest.fixture(scope="module")
def game() -> Europa:
    return GAME


@pytest.fixture(scope="module")
def match() -> list[Deadline]:
    """From the start to the end; three plan, one does anything."""
    played = Match("told", ("random", "diplomat", "diplomat", "diplomat"))
    return [Deadline(one.before, one.outcome, GAME.view(one.before, one.outcome, None)) for one in played.play()]


@pytest.fixture(scope="module")
def union(game: Europa, league: LeagueInfo) -> LeagueInfo:
    return replace(
        league, game="europa", title="Union", seats=SEATS, label=game.label, drawing=drawing_of("europa"), rules_url=""
    )


def report_of(game: Europa, union: LeagueInfo, info: RoundInfo, one: Deadline) -> RoundReport:
    return RoundReport(
        union,
        replace(info, number=one.before.round),
        one.view,
        events=one.events,
        standings=game.score(one.outcome.state),
        previous=game.score(one.before),
        sealed=True,
    )


def plain(page: str) -> str:
    """What stands on a page, without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


# ------------------------------------------------------------------ the map


def test_every_card_has_its_shape(game: Europa) -> None:
    """All 38 countries that can join are drawn, under the names of their cards, and no other."""
    assert list(SHAPES["fields"]) == list(game.board.playable)
    named = {row["id"]: row["name"] for row in SHAPES["board"]["field"]}
    assert named == {c["id"]: {lang: c["name"][lang] for lang in LANGS} for c in CARDS if c["playable"]}
    near = {row["id"]: {one["id"] for one in row["neighbours"]} for row in SHAPES["board"]["field"]}
    assert near == {country: set(game.board.links[country]) & set(near) for country in near}
    assert "public domain" in SHAPES["source"]


def test_a_country_is_drawn_as_it_is() -> None:
    """Covered, in the Union, tense, at war: each has a ground, a pattern or an icon, and no two have the same."""
    drawing = drawing_of("europa")
    assert drawing is not None
    marks = ("hidden", "member", "tension", "war", "refused")
    assert set(drawing.markers) == set(marks)
    assert len({(drawing.markers[m].pattern, drawing.markers[m].icon) for m in marks}) == len(marks)
    member = atlas.land(drawing, Region("france", None, ("member",)), {})
    assert f'fill="{drawing.markers["member"].fill}"' in member
    assert "url(#m-tension)" in atlas.land(drawing, Region("france", None, ("tension",)), {})
    assert 'href="#k-war"' in atlas.icons(drawing, Region("france", None, ("war",)))
    assert atlas.icons(drawing, Region("russia", None, ("hidden",))) == ""


def test_the_union_s_colour_is_no_party_s() -> None:
    """Parties are called by their colours: its ground is another hue than each of theirs, and stays apart from them.

    So it does from all other grounds, and for eyes that see no red, green or blue; what is written on it is read.
    """
    drawing = drawing_of("europa")
    assert drawing is not None
    union, star = drawing.markers["member"].fill, drawing.markers["member"].colour
    parties = [fill for fill, _ in drawing.owners]
    grounds = [drawing.unowned, drawing.markers["hidden"].fill, SHAPES["board"]["style"]["off_board"], SEA]
    for other in parties + grounds:
        assert min(apart(union, other, eyes) for eyes in EYES) > 0.09, other
    for party in parties[:-1]:  # white has no hue
        assert abs((hue(union) - hue(party) + 180) % 360 - 180) > 30, party
    assert contrast(union, "#211d16") >= 4.5
    assert contrast(star, "#fffdf8") >= 4.5
    assert all(apart(star, party, eyes) > 0.25 for party in parties for eyes in EYES)  # a party's sign is a star too


def test_a_page_carries_the_icons_of_its_game_alone() -> None:
    """KUEL's pages and pictures know nothing of pawns and bolts, EUROPA's nothing of flames."""
    kuel, union = drawing_of("kuel"), drawing_of("europa")
    assert kuel is not None
    assert union is not None
    assert set(re.findall('id="i-([a-z-]+)"', atlas.definitions(kuel))) == {"flame", "crossed-swords", "falling-line"}
    assert set(re.findall('id="i-([a-z-]+)"', atlas.definitions(union))) == {
        "crossed-swords",
        "star",
        "bolt",
        "bar",
        "pawn",
    }


def test_pawns_stand_where_there_is_room() -> None:
    """By party in France, their sum in Luxembourg; the badge has the election's number, or isn't there."""
    drawing = drawing_of("europa")
    assert drawing is not None
    regions = (
        Region("france", None, (), False, {"s1": 3, "s2": 1}, "7"),
        Region("luxembourg", None, (), False, {"s1": 2, "s2": 2}, ""),
    )
    drawn = atlas.picture(drawing, MapView(regions), "en", {"s1": 0, "s2": 1}, "map", "words")
    france, luxembourg = (
        re.search(f'<g class="pieces(?: out)?" data-id="{name}" [^>]*>(.*?)</g></g>', drawn)
        for name in ("france", "luxembourg")
    )
    assert france is not None
    assert luxembourg is not None
    assert re.findall(r">(\d+)</text>", france[0] + "</g>")[:2] == ["3", "1"]
    assert re.findall(r">(\d+)</text>", luxembourg[0]) == ["4"]
    assert '<g class="badge free in none" ' in drawn
    assert ">7</text>" in drawn


# ------------------------------------------------------------------ pages


@pytest.mark.parametrize("lang", LANGS)
def test_every_kind_of_round_is_told(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline], lang: str
) -> None:
    """Well-formed in every language: headline, epoch and phase, the track, no orders and nothing left unworded."""
    by_phase = {one.before.phase: one for one in match}
    assert set(by_phase) == {"START", "PEACE", "PLACE1", "PLACE2", "VOTE"}
    for one in (*by_phase.values(), match[0]):
        page = round_page(site, report_of(game, union, round_info, one), lang)
        check(page)
        heading = re.search(r"<h1>(.*?)</h1>", page)
        assert heading is not None
        assert not re.search(r"(Round|Runde|Ronde) \d", heading[1])
        assert 'class="track"' in page
        assert "%(" not in page
        said = plain(page).split()
        assert not [event["type"] for event in one.events if "_" in event["type"] and event["type"] in said]
        assert not {draw["kind"] for draw in one.view.draws} & set(re.findall(r"<h3>(\w+) ", page))


def test_where_nobody_gains_there_is_no_account(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """Pawns are placed and nobody has points for it: six empty accounts would say nothing."""
    placed = next(one for one in match if one.before.phase == "PLACE1")
    last = next(one for one in match if one.has("president"))
    assert 'id="points"' not in round_page(site, report_of(game, union, round_info, placed), "en")
    page = round_page(site, report_of(game, union, round_info, last), "en")
    accounts = page.split('id="points"')[1].split("</section>")[0]
    gained = [seat for seat, items in last.view.items.items() if items]
    assert accounts.count("<table ") == len(gained) < len(SEATS)
    idle = plain(accounts.partition("Without points in this round:")[2])
    assert idle.count(",") == len(SEATS) - len(gained) - 1


def test_a_vote_is_a_picture(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """A bar for who is there against what is needed, and one for each proposal; it says the same in words."""
    one = next(d for d in match if d.has("joined"))
    page = round_page(site, report_of(game, union, round_info, one), "en")
    opened = [e for e in one.events if e["type"] == "election_opened" and e["present"]]
    voted = [e for e in one.events if e["type"] == "voted"]
    assert page.count('class="stack"') == len(opened) + len(voted)
    assert page.count('class="need"') == len(opened) + len(voted)
    for vote in voted:
        assert f"more than half of {vote['total']}" in page
    joined = next(e for e in one.events if e["type"] == "joined")
    number = f"{joined['number']} {game.label(joined['country'], 'en')}"
    assert f"{number} joined the Union" in plain(page)


def test_peace_is_a_picture(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """What was given against the level of conflict."""
    one = next(d for d in match if d.has("committed"))
    page = round_page(site, report_of(game, union, round_info, one), "en")
    committed = next(e for e in one.events if e["type"] == "committed")
    assert f"level of conflict: {committed['level']}" in page


def test_the_end_is_told(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """Who wins and of what quality the victory is stand in the headline, and both kinds of points in the table."""
    last = match[-1]
    page = round_page(site, report_of(game, union, round_info, last), "en")
    won, level = (next(e for e in last.events if e["type"] == kind) for kind in ("won", "final_level"))
    heading = re.search(r"<h1>(.*?)</h1>", page)
    assert heading is not None
    assert "win" in heading[1]
    assert any(
        word in heading[1] for word in ("example to the world", "growing together", "fragile", "third world war")
    )
    assert f"Level of conflict: {level['level']}" in plain(page)
    ended = plain(page).partition("How the match ended")[2]
    assert plain(page.split('id="happened"')[1].split("</section>")[0]).count("President of the Union") == 0
    assert "victory point" in ended
    assert "President of the Union" in ended
    colours = dict(re.findall(r"(Blue|Green|Red|Yellow|Purple|White) (Anna|Ben|Carla|Dirk|Eva|Finn)\b", plain(page)))
    assert len(colours) == len(set(colours.values())) == len(match[-1].outcome.state.players)
    assert re.search(rf"<td class=\"num strong\">{won['victory']}</td>", page)
    assert f'<td class="num">{won["political"]}</td>' in page


def test_the_league_is_told_on_its_page(game: Europa, union: LeagueInfo, site: SiteInfo, match: list[Deadline]) -> None:
    """Map, replay, tracks, and where victory points come from; nothing of countries that change hands."""
    moments = tuple(
        Moment(d.before.round, None, view.before.regions, game.score(d.outcome.state), d.events, columns=view.columns)
        for d in match
        if (view := game.view(d.outcome.state, None, None)).before is not None
    )
    view = game.view(match[-1].outcome.state, None, None)
    page = league_page(
        site,
        LeaguePage(
            union,
            standings=game.score(match[-1].outcome.state),
            map=view.before,
            chronicle=Chronicle(moments),
            extra=view.extra,
            columns=view.columns,
        ),
        "en",
    )
    check(page)
    film = json.loads(re.search(r'id="rounds-data">(.*?)</script>', page)[1])  # type: ignore[index]
    assert film["pieces"]
    assert film["fills"]
    assert any(one.get("c") for one in film["rounds"])
    assert any(one.get("g") for one in film["rounds"])
    first = game.score(match[-1].outcome.state)[0].seat
    assert film["rounds"][-1]["k"][0] == [view.columns["political"][first], view.columns["pawns"][first]]
    assert page.count('<td class="num beside">') == 2 * len(SEATS)
    assert "Where the points come from" in page
    assert "election won" in page
    assert "Fights won" not in page
    assert "Countries over the rounds" not in page
    assert 'class="twain">\n<section aria-labelledby="history"' not in page  # nothing stands beside it


# ------------------------------------------------------------------ mails


def test_mails_tell_the_map_by_pawns(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """Where whose pawns are, a headline for a round of placing, and political points in the table."""
    one = next(d for d in match if d.before.phase == "PLACE1")
    mail = ReportMails(site, report_of(game, union, round_info, one), lambda _: False).mail("s2")
    text = " ".join(mail.text.split())
    assert "Pawns for" in text
    assert "no country changed hands" not in text
    assert "Points, Change, Politics, Pawns" in text
    country, pawns = next(iter(one.outcome.state.board.items()))
    assert f"{game.label(country, 'en')}: {next(iter(pawns.values()))}" in text
    assert "Owner" not in "".join(mail.html)


def test_every_report_has_its_html(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """In three languages and at every kind of deadline; what would read as an order or a command costs the HTML."""
    by_phase = {one.before.phase: one for one in match}
    for one in (*by_phase.values(), match[-1]):
        made = ReportMails(site, report_of(game, union, round_info, one), any_order_or_press)
        assert [bool(made.mail(seat.id).html) for seat in SEATS] == [True] * len(SEATS), one.before.phase


def test_a_long_ballot_is_shown_whole(
    game: Europa, union: LeagueInfo, site: SiteInfo, round_info: RoundInfo, match: list[Deadline]
) -> None:
    """What was read of an order is never cut: its player must see all of it. Elections nobody came to are one line."""
    one = next(d for d in match if d.before.phase == "VOTE")
    ballot = f"ELECTION france: PROPOSE {' > '.join(['blue+green+red'] * 9)}; POLICY ALL SHARE 12; MOVE germany > spain"
    line = LineReport(ballot, Ruling(Fate.DONE, "voted", "M6"), ballot)
    own = (MailReport("s2", round_info.opens, Ruling(Fate.DONE, "voted", "M6"), (line,)),)
    mail = ReportMails(site, replace(report_of(game, union, round_info, one), own=own), lambda _: False).mail("s2")
    assert ballot in " ".join(mail.text.split())
    assert "Nobody is there" not in mail.text
    assert any(not event["present"] for event in one.events if event["type"] == "election_opened")
