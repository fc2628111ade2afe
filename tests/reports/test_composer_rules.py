"""What the composer of a league's page offers and refuses is what the rules say.

The script itself, in a real browser, against the engine, on random positions in three languages.
"""

import json
import os
import random  # noqa: TID251  # positions with a seed, the same in every run
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from league.core.composing import Choice, Composing
from league.core.orders import Fate, OrderMail, Rehearsed
from league.desk import registry
from league.i18n import LANGS
from league.intake.tokens import without_keys
from league.reports.composer import composer_data
from league.reports.context import LeagueInfo, SeatInfo, SiteInfo, Writing
from league.reports.page import saying
from league.reports.render import composer
from tests.games.europa.tables import GAME as EUROPA
from tests.games.europa.tables import Match
from tests.naive.leagues import random_options, random_position

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
SOAK = os.environ.get("LEAGUE_SOAK") == "1"
POSITIONS = 20_000 if SOAK else 1_500
BATCH = 500
CHECKED = 60 if SOAK else 2  # choices of a position that the engine is asked about
NAMES = ("Anna", "Jörg & Söhne", 'Ben "the Rock"', "O’Neill", "Zoë <3", "René-\nLuc", "Ḱelé 100 %", "{land}")
SITE = SiteInfo(title="", langs=LANGS)
OPTIONS = tuple(random_options(random.Random(seed)) for seed in range(16))
GOES = (Fate.DONE, None)
KIND_TEXT = {
    "take": "take {}",
    "attack": "attack {}",
    "leave": "leave {}",
    "devastate": "devastate {}",
    "join": "join {}",
    "bid": "bid 1 on {}",
}
KINDS = tuple(KIND_TEXT)

# For each position: every choice of the seat with the line that it writes, and a mail of some of them.
ASK = """(several) => JSON.stringify(JSON.parse(several).map(([data, whims]) => {
  const { choices, line, added, text } = leagueComposer;
  const seat = data.seats.find((one) => one.rows.length);
  const blank = (at) => (at ? `pick${at + 1}` : "pick");
  const picked = (choice, of) => Object.fromEntries(choice.picks.map((some, at) => [blank(at), of(some)]));
  const whim = (n) => { const next = whims.shift(); whims.push(next); return next % n; };
  const filled = (choice) => line(choice, {
    number: choice.low + (choice.high > choice.low ? whim(choice.high - choice.low + 1) : 0),
    ...picked(choice, (some) => some[whim(some.length)]), text: "fast; high resources" });
  const all = choices(data, seat);
  let lines = [];
  for (const choice of all.filter((one) => one.open)) if (whim(3) === 0) lines = added(lines, filled(choice));
  const least = (one) => line(one, { number: one.low, ...picked(one, (some) => some[0]), text: "fast" }).text;
  return { told: all.map((one) => [one.open, one.never, one.says, one.rule, least(one)]),
    mail: text(lines, "abcd-efgh-ijkl-mnop"), count: lines.length };
}))"""


@dataclass(frozen=True)
class Asked:
    """One position, and the seat that composes."""

    game: Any
    state: Any
    seat: str
    lang: str
    league: LeagueInfo
    composing: Composing
    data: Mapping[str, Any]
    names: Mapping[str, str]


def asked(seed: int) -> Asked:
    """A random position of a random league, and one of all who may write."""
    dice = random.Random(seed)  # the same in every run
    options = OPTIONS[seed % len(OPTIONS)]
    game: Any = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))
    state = game.restore(random_position(dice, options))
    seats = [*sorted(state.scores), *state.newcomers, "comes"]
    seat, lang = dice.choice(seats), dice.choice(LANGS)
    infos = tuple(SeatInfo(one, NAMES[at % len(NAMES)], lang, at) for at, one in enumerate(seats))
    league = LeagueInfo("spring", "Spring", "kuel", lang, "UTC", "spring@example.org", infos, game.label)
    made = game.composing(state, seat)
    data = composer_data(SITE, league, Writing({seat: made}), lang)
    return Asked(game, state, seat, lang, league, made, data, {one.id: one.name for one in infos})


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """An empty page that has the script."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = started.new_page()
        made.add_script_tag(content=composer(SITE))
        yield made
        started.close()


def answers(page: Page, several: Sequence[Asked]) -> list[dict[str, Any]]:
    """What the script says of these positions."""
    dice = random.Random(len(several))
    whims = [[dice.randrange(1 << 20) for _ in range(40)] for _ in several]
    asks = json.dumps([[one.data, whim] for one, whim in zip(several, whims, strict=True)])  # playwright's own is slow
    told: list[dict[str, Any]] = json.loads(page.evaluate(ASK, asks))
    return told


def rehearsed(one: Asked, text: str) -> list[Rehearsed]:
    """The engine's word on a text, all of which it understands and counts."""
    parsed = one.game.parse(one.state, one.seat, text, one.names)
    assert [line.mistake for line in parsed.lines if line.mistake] == [], text
    mails = [OrderMail(one.seat, parsed)]
    assert one.game.counts(one.state, mails) == ((None,) * len(parsed.lines),), text
    return list(one.game.rehearse(one.state, one.seat, mails))


def check_mail(one: Asked, mail: str, count: int) -> None:
    """What the composer writes is read without a mistake, line by line, and its key is found."""
    rest, keys = without_keys(mail)
    assert keys == ("abcdefghijklmnop",)
    assert len(rehearsed(one, rest)) == count


def check_choice(one: Asked, choice: Choice, told: list[Any]) -> None:
    """One choice: what the script says of it against the engine's rehearsal of its line alone."""
    is_open, never, says, rule, text = told
    (found,) = rehearsed(one, text)
    words = saying(SITE, one.league, one.lang)
    assert is_open == choice.open
    if choice.kind == "give":  # it goes nowhere unless a newcomer needs it, and that is what is said
        assert says == words.rehearsed(found)
        return
    assert is_open == (found.ruling.fate in GOES), (text, found)
    if is_open or not one.state.auctions:
        assert says == words.rehearsed(found), text
        assert never == (found.certain and not is_open)
    else:  # who wins an auction first may do more: the script says so beforehand, the engine once there is a bid
        assert found.certain or not never
        assert words.reason(found.ruling.reason, found.ruling.facts) in says
    if not is_open:
        assert rule == words.rule(found.ruling.rule)


def check_left_out(one: Asked, dice: random.Random) -> None:
    """What isn't even listed can't be carried out: a country of others left, a player who joins."""
    kind, country = dice.choice(KINDS), dice.choice(one.game.board.countries).id
    listed = {(choice.kind, choice.land) for choice in one.composing.choices}
    text = KIND_TEXT[kind].format(one.game.label(country, "en"))
    if (kind, country) not in listed:
        (found,) = rehearsed(one, text)
        assert found.ruling.fate is Fate.FAILED or found.ruling.reason == "given", (text, found)


def test_the_script_offers_what_the_rules_allow_and_refuses_what_they_forbid(page: Page) -> None:
    """On random positions what is offered is understood and goes through, and the rest fails as it is told."""
    seen: dict[str, int] = {}
    for start in range(0, POSITIONS, BATCH):
        several = [asked(seed) for seed in range(start, start + BATCH)]
        for one, answer in zip(several, answers(page, several), strict=True):
            check_mail(one, answer["mail"], answer["count"])
            dice = random.Random(one.seat)
            check_left_out(one, dice)
            rows = list(zip(one.composing.choices, answer["told"], strict=True))
            for choice, told in dice.sample(rows, min(CHECKED, len(rows))):
                check_choice(one, choice, told)
                reason = choice.told.ruling.reason
                seen[reason] = seen.get(reason, 0) + 1
    wanted = {"done", "not_neighbour", "last_country", "devastated", "open_auction", "at_limit", "no_mercenaries"}
    wanted |= {"occupied", "not_edge", "field_marked", "reconstruction", "no_points", "cannot_pay", "given", "battle"}
    assert wanted <= set(seen), wanted - set(seen)


def phases(lang: str) -> Iterator[Asked]:
    """Every seat in every phase of a match of bots, as long as something is asked of it."""
    played = Match(f"composed in {lang}", ("random", "diplomat", "diplomat", "diplomat", "random"))
    for step in played.play():
        for seat in sorted(step.before.players):
            infos = tuple(SeatInfo(one, one, lang, at) for at, one in enumerate(sorted(step.before.players)))
            league = LeagueInfo("union", "Union", "europa", lang, "UTC", "union@example.org", infos, EUROPA.label)
            made = EUROPA.composing(step.before, seat)
            if made.choices:
                data = composer_data(SITE, league, Writing({seat: made}), lang)
                yield Asked(EUROPA, step.before, seat, lang, league, made, data, {})


@pytest.mark.parametrize("lang", LANGS)
def test_each_phase_of_europa_offers_what_it_takes(page: Page, lang: str) -> None:
    """Pawns for peace, placements, ballots: every line is understood, counts, and is told as the rules tell it."""
    several, seen = list(phases(lang)), set()
    for one, answer in zip(several, answers(page, several), strict=True):
        check_mail(one, answer["mail"], answer["count"])
        words = saying(SITE, one.league, lang)
        for choice, (is_open, never, says, _, text) in zip(one.composing.choices, answer["told"], strict=True):
            (found,) = rehearsed(one, text)
            assert says == words.rehearsed(found), text
            assert is_open == (found.ruling.fate in GOES)
            assert never != is_open
            seen.add((choice.kind, is_open))
    kinds = {"peace", "plan", "place", "election", "default", "final"}
    assert seen == {(kind, True) for kind in kinds} | {("place", False)}
