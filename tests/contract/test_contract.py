"""Every registered game keeps the protocol, an example that is installed from a wheel among them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from inspect import getmembers, isclass
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from league import i18n
from league.cli import cli
from league.core.composing import Composes
from league.core.errors import BadInput, BadPosition
from league.core.events import Event
from league.core.game import Game, Outcome, Plugin, Seat, Turn
from league.core.json import Json
from league.core.orders import OrderMail, Ruling
from league.desk import registry
from league.desk.post import roster
from league.desk.proof.verify import verify
from league.randomness.dice import Dice
from league.records.canonical import canonical
from league.reports.context import SiteInfo
from league.reports.words import Say

EXAMPLE = Path(__file__).parent.parent / "example_game"
GAMES = ("dots", "europa", "kuel")
SEATS = ("s1", "s2", "s3", "s4")
ROUNDS = 6
WEEK = {
    "dax_close": {"dax_close": "16594.21", "dax_day": "2024-01-05"},
    "eurusd": {"eurusd": "1.0921"},
    "lotto": {"lotto": "3 11 17 20 24 43", "lotto_day": "2024-01-06"},
}


def forget() -> None:
    """The registry looks again for what is installed."""
    caches = (registry._found, registry.plugin, registry._load, registry.tables, registry.tables_sha256)
    for cached in (*caches, roster._plain_games, roster._widest_games, roster._short_reads):
        cached.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The example's wheel, built and unpacked where Python finds it, entry point and all."""
    dist, place = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("site-packages")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(dist)], cwd=EXAMPLE, check=True, capture_output=True)
    with ZipFile(next(dist.glob("league_dots-*.whl"))) as wheel:
        wheel.extractall(place)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(place))
        forget()
        yield place
    forget()


def game_of(slug: str) -> tuple[Plugin, Game[Any, Any]]:
    found = registry.plugin(slug)
    return found, registry.load(slug, registry.check_options(found.meta, {}))


def say(slug: str, lang: str) -> Say:
    """The game's words: its own templates and catalogs where it brings them."""
    place = Path(str(import_module(registry.plugin(slug).package).__file__)).parent
    site = SiteInfo(
        title="",
        games=((slug, place / "templates"),) if (place / "templates").is_dir() else (),
        locales=(place / "locales",) if (place / "locales").is_dir() else (),
    )
    return Say(lang, registry.load(slug, {}).label, lambda seat: seat, slug, site)


def part(slug: str, name: str) -> ModuleType:
    return import_module(f"{registry.plugin(slug).package}.{name}")


def mails(slug: str, game: Game[Any, Any], state: Any, number: int) -> tuple[OrderMail[Any], ...]:
    """A mail of each seat by the game's own bot, one of them sent twice, and one that makes no sense."""
    noon, dice = (
        datetime(2024, 1, 2, 12, tzinfo=UTC),
        Dice("contract", number, "lotto", date(2024, 1, 6), "1 2 3 4 5 6"),
    )
    texts = [(seat, part(slug, "bots").random_orders(game, state, seat, dice, "de")) for seat in SEATS]
    texts += [texts[0], ("s2", "take nowhere\nclaim 1000")]
    return tuple(
        OrderMail(seat, game.parse(state, seat, text, {s: s for s in SEATS}), noon + timedelta(minutes=place))
        for place, (seat, text) in enumerate(texts)
    )


def match(slug: str) -> Iterator[tuple[Any, Turn[Any], Outcome[Any]]]:
    """Some rounds of random orders: where each started, what was known, what came of it."""
    _, game = game_of(slug)
    state = game.setup([Seat(seat, seat) for seat in SEATS], None)
    table = {key: value for figure in game.meta.figures for key, value in WEEK[figure].items()}
    for number in range(1, ROUNDS + 1):
        if game.phase(state) is None:
            return
        turn = Turn(
            mails=mails(slug, game, state, number),
            evidence=game.read_evidence(table),
            dice=Dice("contract", number, "lotto", date(2024, 1, 6), "3 11 17 20 24 43"),
            over=True,
        )
        outcome = game.adjudicate(state, turn)
        yield state, turn, outcome
        assert not outcome.pending
        state = outcome.state


def rulings(outcome: Outcome[Any]) -> Iterator[Ruling]:
    for fate in outcome.fates:
        yield from (fate.own, *fate.lines)


def told(slug: str) -> str:
    """A whole match as canonical JSON."""
    _, game = game_of(slug)
    rounds: list[Json] = [
        [game.position(outcome.state), [e.facts() for e in outcome.events], [r.reason for r in rulings(outcome)]]
        for _, _, outcome in match(slug)
    ]
    return canonical(rounds).decode()


def test_all_that_is_registered_is_tried() -> None:
    """No game escapes these checks."""
    assert registry.slugs() == GAMES


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_says_what_it_is(slug: str) -> None:
    """A plug-in's meta has its name, titles in every language, and defaults and presets that its own options allow."""
    found, game = game_of(slug)
    assert found.api == registry.API
    assert found.meta.slug == slug == game.meta.slug
    assert set(found.meta.title) == set(i18n.LANGS)
    assert found.meta.versions
    defaults = {option.name: option.default for option in found.meta.options}
    assert registry.check_options(found.meta, defaults) == defaults
    assert all(registry.check_options(found.meta, {"preset": name}) for name in found.meta.presets)


@pytest.mark.parametrize("slug", GAMES)
def test_a_position_is_the_whole_state(slug: str) -> None:
    """What is written as JSON and read back is the same state and leads to the same outcome."""
    _, game = game_of(slug)
    for state, turn, outcome in match(slug):
        again = game.restore(json.loads(canonical(game.position(state))))
        assert game.position(again) == game.position(state)
        assert game.adjudicate(again, turn) == outcome


@pytest.mark.parametrize("slug", GAMES)
def test_a_round_changes_nothing_but_its_outcome(slug: str) -> None:
    """Adjudicating twice gives the same, and the start is what it was."""
    _, game = game_of(slug)
    for state, turn, outcome in match(slug):
        before = canonical(game.position(state))
        assert game.adjudicate(state, turn) == outcome
        assert canonical(game.position(state)) == before


@pytest.mark.parametrize("slug", GAMES)
def test_every_mail_and_line_has_its_fate(slug: str) -> None:
    """One fate a mail, one ruling a line, each with the rule it follows from, and none still waiting."""
    for _, turn, outcome in match(slug):
        assert len(outcome.fates) == len(turn.mails)
        for mail, fate in zip(turn.mails, outcome.fates, strict=True):
            assert len(fate.lines) == len(mail.parsed.lines)
        assert all(ruling.fate is not None and ruling.rule for ruling in rulings(outcome))


@pytest.mark.parametrize("slug", GAMES)
def test_notation_is_read_back(slug: str) -> None:
    """An order written by the game is the same order when the game reads it."""
    _, game = game_of(slug)
    seen = 0
    for state, turn, _ in match(slug):
        for mail in turn.mails:
            for order in mail.parsed.orders:
                assert game.parse(state, mail.seat, game.notation(state, order)).orders == (order,)
                seen += 1
    assert seen >= len(SEATS)


@pytest.mark.parametrize("slug", GAMES)
def test_counts_agree_with_the_fates(slug: str) -> None:
    """A line of which `counts` says that it doesn't count has that fate in the outcome."""
    _, game = game_of(slug)
    for state, turn, outcome in match(slug):
        for fate, row in zip(outcome.fates, game.counts(state, turn.mails), strict=True):
            assert all(out is None or out.fate is ruling.fate for ruling, out in zip(fate.lines, row, strict=True))


@pytest.mark.parametrize("lang", i18n.LANGS)
@pytest.mark.parametrize("slug", GAMES)
def test_every_event_has_its_words(slug: str, lang: str) -> None:
    """Each kind of event has a sentence in every language, and those that happened are told without a neutral word."""
    kinds = [c.type() for _, c in getmembers(part(slug, "events"), isclass) if issubclass(c, Event) and c is not Event]
    words = say(slug, lang)
    assert kinds
    assert [kind for kind in kinds if not hasattr(words.words("events"), kind)] == []
    for _, _, outcome in match(slug):
        for event in outcome.events:
            assert words.event(event.facts()) != words._neutral("event", event.facts())


@pytest.mark.parametrize("lang", i18n.LANGS)
@pytest.mark.parametrize("slug", GAMES)
def test_every_reason_has_its_words(slug: str, lang: str) -> None:
    """Whatever fate an order met, the player is told why in his language."""
    words = say(slug, lang)
    for _, _, outcome in match(slug):
        for ruling in rulings(outcome):
            assert words.reason(ruling.reason, ruling.facts) != words._neutral("reason", ruling.facts)


@pytest.mark.parametrize("lang", i18n.LANGS)
@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != "dots"])
def test_what_a_page_can_compose_is_read_back(slug: str, lang: str) -> None:
    """Each choice of each seat, filled in, is one order that counts, and each has its words."""
    _, game = game_of(slug)
    assert isinstance(game, Composes)
    words, seen = say(slug, lang), 0
    for state, _, _ in match(slug):
        for seat in SEATS:
            made = game.composing(state, seat)
            texts = {sentence.kind: sentence.text[lang] for sentence in made.sentences}
            for choice in made.choices:
                picks = {
                    f"pick{n or ''}": some[-1].text[lang] for n, some in zip(("", 2, 3), choice.picks, strict=False)
                }
                land = game.label(choice.land, lang)
                filled = texts[choice.kind].format(land=land, number=choice.high, text="slow", **picks)
                parsed = game.parse(state, seat, filled)
                assert len(parsed.orders) == len(parsed.lines) == 1, filled
                assert game.counts(state, [OrderMail(seat, parsed)]) == ((None,),)
                assert words.rehearsed(choice.told)
                assert not any(hinge for hinge in choice.told.hinges if not words.hinge(hinge))
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("slug", GAMES)
def test_the_table_and_the_view_know_the_seats(slug: str) -> None:
    """Standings hold every seat once, and what the public sees is what every seat sees of an evaluated round."""
    _, game = game_of(slug)
    for state, _, outcome in match(slug):
        table = game.score(outcome.state)
        assert len({place.seat for place in table}) == len(table)
        assert {place.seat for place in table} <= set(SEATS)
        public = game.view(state, outcome, None)
        assert public.position == game.position(outcome.state)


@pytest.mark.parametrize("slug", GAMES)
def test_a_position_that_is_none_is_refused(slug: str) -> None:
    """Nonsense is told as such, with all that is wrong."""
    _, game = game_of(slug)
    with pytest.raises(BadPosition) as refused:
        game.restore({"round": 1, "players": {"s1": {"owns": ["nowhere"]}, "s2": {"owns": ["never"]}}})
    assert len(refused.value.faults) >= 2
    with pytest.raises(BadInput):
        game.read_evidence({"weather": "fine"})


@pytest.mark.parametrize("slug", GAMES)
def test_the_order_of_sets_decides_nothing(slug: str, installed: Path) -> None:
    """A match comes out the same under two hash seeds."""
    program = f"import runpy; print(runpy.run_path({str(__file__)!r})['told']({slug!r}))"
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(installed)},
        ).stdout
        for seed in ("1", "2")
    }
    assert answers == {told(slug) + "\n"}


def test_another_protocol_is_refused_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in for another api says which of the two has to be updated."""
    other = registry.plugin("dots")
    monkeypatch.setattr(sys.modules["league_dots"], "PLUGIN", Plugin(2, other.meta, other.load, other.package))
    registry.plugin.cache_clear()
    try:
        with pytest.raises(BadInput, match="speaks plug-in protocol 2; this program speaks 1"):
            registry.plugin("dots")
    finally:
        registry.plugin.cache_clear()


MAIL = "From: {0} <{0}@example.org>\nTo: league@play.example\nSubject: orders\nMessage-ID: <{0}@example.org>\n\n{1}\n"


def test_a_league_of_the_plug_in_runs(tmp_path: Path) -> None:
    """An installed game needs no change of ours to be played from mail to page."""
    site = tmp_path / "site"

    def league(now: str, *words: str) -> str:
        done = CliRunner().invoke(cli, [*words, "--site", str(site), "--now", now], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    league("2024-01-01T09:00:00Z", "init", str(site), "--from", "league@play.example")
    settings = site / "league.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace('proof = "required"', 'proof = "address"'))
    league("2024-01-01T09:00:00Z", "new", "row", "--game", "dots", "--start", "2024-01-02")
    for name, text in (("anna", "claim 3"), ("ben", "claim 3"), ("carla", "claim 7")):
        league("2024-01-01T09:00:00Z", "player", "add", "row", name.title(), f"{name}@example.org")
        (site / "mail/in/new" / name).write_text(MAIL.format(name, text), encoding="utf-8")
    assert "3 accepted" in league("2024-01-03T09:00:00Z", "run")
    assert "Resolved: row 1" in league("2024-01-05T00:00:00Z", "run")
    record = json.loads((site / "public/row/records/0001-v1.json").read_text(encoding="utf-8"))
    assert [event["type"] for event in record["events"]] == ["clash", "claimed"]
    assert (site / "public/row/round-1.html").is_file()
    assert verify(str(site)).holds


@pytest.mark.parametrize("slug", GAMES)
def test_a_rehearsal_is_kept_and_worded(slug: str) -> None:
    """What a seat is told of its own orders beforehand comes true where it is certain, and reads in every language."""
    _, game = game_of(slug)
    for state, turn, outcome in match(slug):
        for seat in SEATS:
            places = [place for place, mail in enumerate(turn.mails) if mail.seat == seat]
            for told in game.rehearse(state, seat, [turn.mails[place] for place in places]):
                ruling = outcome.fates[places[told.mail]].lines[told.line]
                assert not told.certain or told.ruling.fate == ruling.fate
                assert all(say(slug, lang).rehearsed(told) for lang in i18n.LANGS)
                assert all(say(slug, "en")._say("rehearsal", hinge.code, hinge.facts) for hinge in told.hinges)
