"""What the fighters of a demo mail about their battles: those of the script, and a loser's word about all others."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from league.desk.demo.demo_cast import Fought, Player, Said
from league.desk.demo.demo_round import Delivery, Scene, delivery, draft_of
from league.desk.leagues.turns import rules_of
from league.desk.rounds.enter_result import Battle

EVENING, APART = timedelta(hours=19), timedelta(minutes=17)  # Friday, after work
ANSWERED = timedelta(minutes=40)  # the winner sees the loser's mail, and writes as well
WAVES = (timedelta(), timedelta(days=1, hours=10))  # from Friday on: a rematch is fought when it is known


def battle_mails(scene: Scene, battles: Sequence[Battle]) -> Iterator[Delivery]:
    """A wave's mails; nobody reports the battles that the script keeps silent about."""
    for place, battle in enumerate(battles):
        fought = scene.cast.script.battle(scene.number, battle.country)
        if fought.mails:
            yield from (_said(scene, mail) for mail in fought.mails if mail.attempt == battle.attempt)
        elif not fought.silent:
            yield from _reports(scene, battle, fought, place)


def _said(scene: Scene, said: Said) -> Delivery:
    at = scene.midnight + WAVES[said.attempt - 1] + timedelta(hours=said.hours)
    player = next(p for p in scene.cast.players if p.name == said.player)
    return _mail(scene, player, said.say or "won", said.text, at)


def _reports(scene: Scene, battle: Battle, fought: Fought, place: int) -> Iterator[Delivery]:
    """The loser says so; in every second battle the winner does as well."""
    names = [name for _, name in battle.fighters]
    winner = fought.winner if fought.winner in names else names[_by_lot(scene, battle)]
    loser = next(name for name in names if name != winner)
    at = scene.midnight + WAVES[battle.attempt - 1] + EVENING * (battle.attempt == 1) + (place + 1) * APART
    both = ((loser, at), (winner, at + ANSWERED)) if place % 2 else ((loser, at),)
    for name, moment in both:
        player = next(p for p in scene.cast.players if p.name == name)
        said = "melee" if len(names) > len(("one", "other")) else ("won" if name == winner else "lost")
        yield _mail(scene, player, said, _line(scene, player, battle, said, winner), moment)


def _by_lot(scene: Scene, battle: Battle) -> int:
    """The strength that day."""
    return scene.dice("fight", battle.country).below(len(battle.fighters), f"attempt/{battle.attempt}")


def _line(scene: Scene, player: Player, battle: Battle, said: str, winner: str) -> str:
    land = rules_of(scene.loaded).label(battle.country, player.lang)
    return scene.cast.words[player.lang][f"{said}_line"].format(land=land, who=winner)


def _mail(scene: Scene, player: Player, said: str, text: str, at: datetime) -> Delivery:
    return delivery(draft_of(scene, player, said, text, at, scene.postbox.newest(player, at)))
