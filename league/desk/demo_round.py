"""What the bots of a demo mail in one round: their orders, and what goes wrong on the way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from league.core.evidence import Evidence
from league.desk.demo_cast import Cast, Player
from league.desk.demo_letters import Draft, Got, sent_again, write
from league.desk.demo_postbox import Postbox
from league.desk.turns import rules_of, start_of
from league.randomness.dice import Dice
from league.storage.rounds import Loaded

HOUR = timedelta(hours=1)
FIRST, APART = timedelta(days=-4, hours=8), timedelta(hours=8, minutes=23)  # Monday morning; the next some hours later
SECOND, SOON = timedelta(days=-1, hours=18), timedelta(minutes=13)  # Thursday evening
TRIES = 8
TOO_LATE = timedelta(minutes=40)  # after midnight, and after the grace


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message at the moment it reaches the site's mailbox."""

    name: str
    at: datetime
    raw: bytes


@dataclass(frozen=True, slots=True)
class Scene:
    """A round of the demo as its bots see it."""

    cast: Cast
    loaded: Loaded
    league: str  # address
    postbox: Postbox
    midnight: datetime  # the beginning of the Friday

    @classmethod
    def of(cls, cast: Cast, loaded: Loaded, league: str, outbox: Path) -> "Scene":
        """The scene of a round; times are those of the league's zone."""
        friday = cast.friday(loaded.round.number)
        midnight = datetime(friday.year, friday.month, friday.day, tzinfo=ZoneInfo(loaded.calendar["zone"]))
        return cls(cast, loaded, league, Postbox(outbox), midnight)

    @property
    def number(self) -> int:
        """The round's number."""
        return self.loaded.round.number

    def present(self) -> list[Player]:
        """Who has a seat."""
        return [p for p in self.cast.players if p.joins <= self.number]

    def orders(self, player: Player) -> str:
        """A bot's order lines."""
        return self._asked(player, "bot")

    def other_orders(self, player: Player) -> str:
        """Order lines that are not those it sent before, if there are any."""
        before = self.orders(player)
        tries = (self._asked(player, f"bot/{n}") for n in range(TRIES))
        return next((orders for orders in tries if orders != before), before)

    def _asked(self, player: Player, mood: str) -> str:
        """The dice are the bot's own and hang on no figure: none is known yet."""
        game = rules_of(self.loaded)
        seat = next(s.code for s in self.loaded.seats if s.name == player.name)
        dice = Dice.of(self.loaded.match_slug, self.number, Evidence(mood, self.midnight.date(), seat))
        return self.cast.bot(game, start_of(self.loaded, game), seat, dice, player.lang)


def first_mails(scene: Scene) -> Iterator[Delivery]:
    """From Monday on: everybody's orders, and mail from who has no seat."""
    for index, player in enumerate(scene.present()):
        kind = scene.cast.twist(scene.number, player.name)
        at = scene.midnight + FIRST + index * APART
        if kind != "late":
            yield _delivery(_first(scene, player, kind, at))
    for name in scene.cast.strangers(scene.number):
        someone = Player(name, "en", "web")
        orders = scene.orders(scene.present()[1])
        yield _delivery(_draft(scene, someone, "orders", orders, scene.midnight + FIRST + 30 * HOUR))


def second_mails(scene: Scene) -> Iterator[Delivery]:
    """Thursday evening: answers to our answers, second thoughts, machines that answer by themselves."""
    for index, player in enumerate(scene.present()):
        at = scene.midnight + SECOND + index * SOON
        kind = scene.cast.twist(scene.number, player.name)
        first = scene.midnight + FIRST + index * APART
        answered = scene.postbox.newest(player, at)
        if kind in ("typo", "chat"):
            words = "again" if kind == "typo" else "orders"
            yield _delivery(_draft(scene, player, words, scene.orders(player), at, answered))
        elif kind == "change":
            earlier = _own(_first(scene, player, kind, first))
            yield _delivery(_draft(scene, player, "change", scene.other_orders(player), at, earlier))
        elif kind == "twice":
            before = _delivery(_first(scene, player, kind, first))
            yield Delivery(f"{before.name}-again", at, sent_again(before.raw, at))
        elif kind == "away":
            yield _delivery(_away(scene, player, at, answered))


def late_mails(scene: Scene) -> Iterator[Delivery]:
    """After the freeze."""
    for player in scene.present():
        if scene.cast.twist(scene.number, player.name) == "late":
            at = scene.midnight + TOO_LATE
            answered = scene.postbox.newest(player, at)
            yield _delivery(_draft(scene, player, "late", scene.orders(player), at, answered))


def _first(scene: Scene, player: Player, kind: str, at: datetime) -> Draft:
    words = scene.cast.words[player.lang]
    orders = scene.orders(player)
    answered = scene.postbox.newest(player, at)
    if kind == "chat":
        return _draft(scene, player, "chat", "", at, answered)
    if kind == "typo":
        orders = _typo(orders)
    elif kind == "press":
        orders = f"{orders}\n\n{words['press']}"
    return _draft(scene, player, "orders", orders, at, answered)


def _draft(scene: Scene, player: Player, said: str, orders: str, at: datetime, answers: Got | None = None) -> Draft:
    words = scene.cast.words[player.lang]
    parts = [words["hello"], words[said].format(round=scene.number), orders, f"{words['bye']}\n{player.name}"]
    return Draft(
        player=player,
        to=scene.league,
        sent=at,
        name=f"{scene.number}.{at:%a%H%M}.{player.name}".lower(),
        subject=words["subject"].format(round=scene.number),
        text="\n\n".join(part for part in parts if part),
        words=words,
        answers=answers,
    )


def _away(scene: Scene, player: Player, at: datetime, answered: Got | None) -> Draft:
    words = scene.cast.words[player.lang]
    subject = f"{words['away_subject']}: {answered.subject}" if answered else words["away_subject"]
    draft = _draft(scene, player, "away", "", at)
    return replace(draft, subject=subject, headers=(("Auto-Submitted", "auto-replied"),))


def _typo(orders: str) -> str:
    """Two letters of the first line's longest word change places."""
    word = max(orders.splitlines()[0].split(), key=len)
    return orders.replace(word, word[0] + word[2] + word[1] + word[3:], 1)


def _own(draft: Draft) -> Got:
    """A bot's own mail, as it lies in its folder of sent mail."""
    return Got(f"<{draft.name}@example.org>", "", draft.player.name, draft.subject, draft.sent, draft.text)


def _delivery(draft: Draft) -> Delivery:
    return Delivery(draft.name, draft.sent, write(draft))
