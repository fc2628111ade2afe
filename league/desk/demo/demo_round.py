"""What the bots of a demo mail in one round: their orders, and what goes wrong on the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from league.core.evidence import Evidence
from league.desk.demo.demo_cast import Act, Cast, Player
from league.desk.demo.demo_letters import Draft, Got, sent_again, subject_of, write
from league.desk.demo.demo_postbox import Postbox
from league.desk.leagues.turns import rules_of, start_of
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
    def of(cls, cast: Cast, loaded: Loaded, league: str, postbox: Postbox) -> "Scene":
        """The scene of a round; times are those of the league's zone."""
        friday = cast.friday(loaded.round.number)
        midnight = datetime(friday.year, friday.month, friday.day, tzinfo=ZoneInfo(loaded.calendar["zone"]))
        return cls(cast, loaded, league, postbox, midnight)

    @property
    def number(self) -> int:
        """The round's number."""
        return self.loaded.round.number

    def present(self) -> list[Player]:
        """Who has a seat and plays."""
        seated = {seat.name for seat in self.loaded.seats if seat.status == "active"}
        return [p for p in self.cast.players if p.joins <= self.number and p.name in seated]

    def writing(self) -> list[tuple[int, Player, Mapping[str, Any]]]:
        """Who mails orders in this round, each with a place in the week and what goes wrong."""
        away = {a.player for number in range(1, self.number + 1) for a in self._absent(number)}
        placed = [(i, p, self.cast.twist(self.number, p.name)) for i, p in enumerate(self.present())]
        return [(i, p, twist) for i, p, twist in placed if p.name not in away and twist.get("kind") != "silent"]

    def _absent(self, number: int) -> list[Act]:
        return [a for a in self.cast.acts(number, "absent") if int(a.until) >= self.number]

    def orders(self, player: Player) -> str:
        """A player's order lines: the script's, else a bot's."""
        return self.cast.script.orders.get(self.number, {}).get(player.name) or self._asked(player, "bot")

    def other_orders(self, player: Player) -> str:
        """Order lines that are not those it sends in the end, if there are any."""
        after = self.orders(player)
        tries = (self._asked(player, f"bot/{n}") for n in range(TRIES))
        return next((orders for orders in tries if orders != after), after)

    def dice(self, mood: str, who: str) -> Dice:
        """The dice are the bots' own and hang on no figure: none is known yet."""
        return Dice.of(self.loaded.match_slug, self.number, Evidence(mood, self.midnight.date(), who))

    def _asked(self, player: Player, mood: str) -> str:
        game = rules_of(self.loaded)
        seat = next(s.code for s in self.loaded.seats if s.name == player.name)
        return self.cast.bot_of(player)(game, start_of(self.loaded, game), seat, self.dice(mood, seat), player.lang)


def first_mails(scene: Scene) -> Iterator[Delivery]:
    """From Monday on: everybody's orders, and mail from who has no seat."""
    for index, player, twist in scene.writing():
        if twist.get("kind") != "late" and (twist or scene.orders(player)):  # a phase may ask nothing of a player
            yield delivery(_first(scene, player, twist, scene.midnight + FIRST + index * APART))
    for name in scene.cast.strangers(scene.number):
        someone = Player(name, "en", "web")
        orders = scene.orders(scene.present()[1])
        yield delivery(draft_of(scene, someone, "orders", orders, scene.midnight + FIRST + 30 * HOUR))


def second_mails(scene: Scene) -> Iterator[Delivery]:
    """Thursday evening: answers to our answers, second thoughts, machines that answer by themselves."""
    for index, player, twist in scene.writing():
        at, first = scene.midnight + SECOND + index * SOON, scene.midnight + FIRST + index * APART
        kind = twist.get("kind", "")
        if kind in ("typo", "chat"):
            words = "again" if kind == "typo" else "orders"
            yield delivery(draft_of(scene, player, words, scene.orders(player), at, scene.postbox.newest(player, at)))
        elif kind == "change":
            earlier = _own(_first(scene, player, twist, first))
            yield delivery(draft_of(scene, player, "change", scene.orders(player), at, earlier))
        elif kind == "twice":
            before = delivery(_first(scene, player, twist, first))
            yield Delivery(f"{before.name}-again", at, sent_again(before.raw, at))
        elif kind == "away":
            yield delivery(_away(scene, player, at, scene.postbox.newest(player, at)))


def late_mails(scene: Scene) -> Iterator[Delivery]:
    """After the freeze."""
    for _, player, twist in scene.writing():
        if twist.get("kind") == "late":
            at = scene.midnight + TOO_LATE
            yield delivery(draft_of(scene, player, "late", scene.orders(player), at, scene.postbox.newest(player, at)))


def _first(scene: Scene, player: Player, twist: Mapping[str, Any], at: datetime) -> Draft:
    kind, text = twist.get("kind", ""), str(twist.get("text", ""))
    answered = scene.postbox.newest(player, at)
    if kind == "chat":
        return draft_of(scene, player, "chat", "", at, answered)
    orders = scene.orders(player)
    if kind == "typo":
        orders = text or _typo(orders)
    elif kind == "change":
        orders = text or scene.other_orders(player)
    elif kind == "press":
        orders = f"{orders}\n\n{text or scene.cast.words[player.lang]['press']}"
    return draft_of(scene, player, "orders", orders, at, answered)


def draft_of(scene: Scene, player: Player, said: str, orders: str, at: datetime, answers: Got | None = None) -> Draft:
    """A mail in the player's words around the lines that count; `said` is one of the words' names, or a sentence."""
    words = scene.cast.words[player.lang]
    opening = words.get(said, said).format(round=scene.number)
    parts = [words["hello"], opening, orders, f"{words['bye']}\n{player.name}"]
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
    draft = draft_of(scene, player, "away", "", at)
    return replace(draft, subject=subject, headers=(("Auto-Submitted", "auto-replied"),))


def _typo(orders: str) -> str:
    """Two letters of the first line's longest word change places."""
    word = max(orders.splitlines()[0].split(), key=len)
    return orders.replace(word, word[0] + word[2] + word[1] + word[3:], 1)


def _own(draft: Draft) -> Got:
    """A bot's own mail, as it lies in its folder of sent mail: an answer to it stays in the thread."""
    before = draft.answers
    thread = f"{before.references} {before.message_id}".strip() if before else ""
    to = before.reply_to if before else draft.to
    name, own_id = draft.player.name, f"<{draft.name}@example.org>"
    return Got(own_id, thread, name, subject_of(draft), draft.sent, draft.text, to)


def delivery(draft: Draft) -> Delivery:
    """A draft as it reaches us."""
    return Delivery(draft.name, draft.sent, write(draft))
