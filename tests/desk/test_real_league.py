"""Six people play four rounds over a real IMAP server and a real SMTP server, and the program is killed all the time.

Beside it the same letters are played in this process, from a folder, with no kill. Orders, events, fates, positions
and standings must be the same. What may differ, and is left out: nonces, leaves and roots, which hang on the raw bytes
of a letter (Dovecot writes its own lines on top), and with them the hashes that chain records; for the same reason the
ids of answers to late mails, and that a copy of a mail is told by its Message-ID and not by its bytes.
"""

import json
import random  # noqa: TID251  # moments of a kill, with a seed
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from league import settings
from league.core.evidence import Evidence
from league.desk.leagues.turns import rules_of, start_of
from league.failpoints import FAILPOINTS, KILLED
from league.games.kuel.bots import greedy_orders
from league.randomness.dice import Dice
from league.storage import engine as database
from league.storage import rounds
from tests.delivery.post_office import office
from tests.desk.forks import Forks
from tests.desk.mail_world import Exchange, Letter, Person, Windows
from tests.desk.sites import (
    NAMES,
    OUR_HOST,
    add_league,
    at,
    bodies,
    drop,
    figures,
    make_site,
    opened,
    rows,
    run,
)
from tests.intake.dovecot import PASSWORD, Dovecot

LEAGUE = "league@play.example"
PEOPLE = tuple(Person(name, ("de", "en", "nl")[i % 3], i < 3) for i, name in enumerate(NAMES))
ROUNDS, WEEK, LATER = 4, timedelta(weeks=1), timedelta(minutes=16)
SEED, RANDOM_KILLS = 20240104, 4
VARYING = {"leaf", "leaves", "nonce", "root", "previous"}
INTAKE = ("fetch.before_commit", "fetch.after_commit", "intake.before_commit", "intake.after_commit", "intake.settled")
FREEZE = ("freeze.before_commit", "freeze.after_commit")
SEAL = ("seal.before_commit", "seal.after_commit", "publish.before_switch", "publish.after_switch")
DRAW = ("draw.before_commit", "draw.after_commit")
OF_A_RUN = {"fetch", "intake", "freeze", "seal", "publish", "draw", "outbox", "smtp"}
WINDOW = ("smtp.data", "smtp.replied", "outbox.delivered")  # the server has the mail, and our books don't say so
KILLS: dict[tuple[int, str], Sequence[str]] = {  # where, in which round and before which run; elsewhere at random
    (1, "orders"): (*INTAKE, "outbox.sending", "smtp.mail", "smtp.data"),
    (1, "close"): (INTAKE[2], *FREEZE, "smtp.connect", "smtp.replied", "outbox.delivered", "outbox.sent"),
    (1, "figures"): (*SEAL, *DRAW, "smtp.data", "outbox.delivered"),
    (2, "orders"): (INTAKE[1], INTAKE[3], *WINDOW, "outbox.sent"),
    (2, "close"): (INTAKE[4], FREEZE[1], *WINDOW, "outbox.sending"),
    (2, "figures"): (SEAL[0], SEAL[2], DRAW[0], "smtp.connect", *WINDOW),
}


@dataclass
class Play:
    """A site on real servers, and what was done to it."""

    path: Path
    dovecot: Dovecot
    exchange: Exchange
    forks: Forks
    letters: list[tuple[datetime, list[Letter]]] = field(default_factory=list)  # before which run which letters came
    places: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0  # seconds that a run takes
    struck: int = 0  # kills at a random moment that found it alive
    windows: Windows = field(default_factory=Windows)
    moments: random.Random = field(default_factory=lambda: random.Random(SEED))

    def come(self, letters: Sequence[Letter]) -> None:
        """The exchange hands them on."""
        for letter in letters:
            self.dovecot.deliver(letter.to.partition("@")[0], letter.raw)

    def run(self, now: datetime, letters: Sequence[Letter], places: Sequence[str] | None) -> None:
        """Letters come; then runs that are killed, and in the end one that isn't, and one for what was in doubt."""
        self.letters.append((now, list(letters)))
        self.come(letters)
        if places is None:
            for _ in range(RANDOM_KILLS):
                self._killed_at_random(now)
        for place in places or ():
            self._killed_at(now, place)
        for moment in (now, now + LATER):
            self.whole(moment)
        assert {row["state"] for row in rows(self.path, "SELECT state FROM outbox")} == {"sent"}

    def whole(self, now: datetime) -> None:
        """A run that isn't killed."""
        begun = time.monotonic()
        done = self.forks.league(self.path, now, "run")
        assert done.code == 0, done.err
        self.longest = max(self.longest, time.monotonic() - begun)

    def _killed_at(self, now: datetime, place: str) -> None:
        before = self.exchange.ids()
        ended = self.forks.league(self.path, now, "run", LEAGUE_FAILPOINT=place)
        assert ended.code == KILLED, (place, ended.err)
        self.places[place] += 1
        assert self._left(before) == (place in WINDOW), place

    def _killed_at_random(self, now: datetime) -> None:
        before = self.exchange.ids()
        ended = self.forks.killed(self.path, now, self.moments.uniform(0.0, self.longest), "run")
        assert ended.code in {0, -SIGKILL}, ended.err
        self.struck += ended.code == -SIGKILL
        assert self._left(before) <= 1

    def _left(self, before: Counter[str]) -> int:
        """How many mails a kill left of which our books don't say that the exchange has taken them."""
        self._wait()
        sending = rows(self.path, "SELECT message_id FROM outbox WHERE state = 'sending'")
        return self.windows.note([row["message_id"] for row in sending], before, self.exchange.ids())

    def _wait(self) -> None:
        """Until the exchange has seen the end of every connection: then what it took is known."""
        until = time.monotonic() + 20
        while self.exchange.ended < self.exchange.connections:
            assert time.monotonic() < until
            time.sleep(0.005)

    def answers(self, number: int, mood: str, who: Sequence[Person], begin: datetime) -> list[Letter]:
        """Everybody reads the newest mail and answers it with a bot's orders, a minute apart."""
        found = []
        for minute, person in enumerate(who):
            last = person.mailbox(self.dovecot)[-1]
            text = self._orders(number, mood, person)
            found.append(person.write(text, last, begin + timedelta(minutes=minute), LEAGUE, mood))
        return found

    def _orders(self, number: int, mood: str, person: Person) -> str:
        site = opened(self.path, at("2024-03-01 00:00"))
        with database.read(site.engine) as connection:
            (row,) = rows(self.path, "SELECT id FROM round WHERE number = ?", number)
            (loaded,) = rounds.load_chunk(connection, [row["id"]])
        site.engine.dispose()
        game: Any = rules_of(loaded)
        seat = next(seat.code for seat in loaded.seats if seat.name == person.name)
        dice = Dice.of("spring", number, Evidence("bot", date(2024, 1, 1), f"{mood} {seat}"))
        return greedy_orders(game, start_of(loaded, game), seat, dice, person.lang)


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


def real_site(path: Path, dovecot: Dovecot, port: int) -> None:
    """A site whose mail comes from the one server and goes to the other."""
    smtp = settings.Smtp(host="127.0.0.1", port=port, security="none", per_connection=3)
    imap = settings.Imap(
        host="localhost",
        port=dovecot.imaps,
        user="league",
        password_file="secrets/imap.password",
        ca_file=str(dovecot.base / "ca.pem"),
        processed="Processed",
    )
    common(path, smtp=smtp, imap=imap)
    (path / "secrets" / "imap.password").write_text(PASSWORD + "\n", encoding="utf-8")
    (path / "secrets" / "imap.password").chmod(0o600)


def common(path: Path, **mail: Any) -> None:
    """What both sites have in common."""
    make_site(path, received_by=OUR_HOST, plus_addresses=True, pictures=True, from_address=LEAGUE, **mail)
    add_league(path, names=NAMES)


def week(number: int, evening: datetime) -> dict[str, str]:
    """Figures of a round's week, made up."""
    balls = sorted(random.Random(number).sample(range(1, 50), 6))
    return {
        "dax_close": f"16{number}04.5{number}",
        "dax_day": f"{evening - timedelta(days=1):%Y-%m-%d}",
        "eurusd": f"1.09{number}2",
        "lotto": " ".join(map(str, balls)),
        "lotto_day": f"{evening:%Y-%m-%d}",
    }


def play(game: Play) -> None:
    """Four rounds: orders, second thoughts, copies and late ones, the freeze, figures, reports."""
    for number in range(1, ROUNDS + 1):
        thursday = at("2024-01-04 00:00") + WEEK * (number - 1)
        first = game.answers(number, "first", PEOPLE, thursday - timedelta(hours=38))
        game.run(thursday - timedelta(hours=12), first, KILLS.get((number, "orders")))
        second = game.answers(number, "second", PEOPLE[3:5], thursday + timedelta(hours=20))
        again = replace(first[1], raw=first[1].raw.replace(b"Message-ID: <", b"Message-ID: <again."))
        late = game.answers(number, "late", PEOPLE[:1], thursday + timedelta(hours=23, minutes=40))
        close = thursday + timedelta(hours=24, minutes=20)
        if number == 3:
            away(game, close)
        game.run(close, [*second, first[2], again, *late], KILLS.get((number, "close")))
        evening = thursday + timedelta(days=2, hours=21)
        figures(game.path, evening, **week(number, evening))
        game.run(evening + timedelta(minutes=30), [], KILLS.get((number, "figures")))


def away(game: Play, now: datetime) -> None:
    """The mailbox is away when a round is due: it stays open."""
    game.dovecot.stop()
    assert game.forks.league(game.path, now, "run").code == 1
    game.dovecot.start()
    assert rows(game.path, "SELECT count(*) AS frozen FROM round WHERE status != 'open'") == [{"frozen": 2}]


def quiet(path: Path, game: Play) -> None:
    """The same letters from a folder, and every run once."""
    common(path)
    figured = {now: number for number, (now, _) in enumerate(game.letters[2::3], start=1)}
    for now, letters in game.letters:
        for letter in letters:
            drop(path, letter.raw, letter.at)
        if now in figured:
            evening = now - timedelta(minutes=30)
            figures(path, evening, **week(figured[now], evening))
        for moment in (now, now + LATER):
            assert run(path, moment).troubles == []


def same(value: Any) -> Any:
    """A record without what hangs on the raw bytes of letters."""
    if isinstance(value, dict):
        return {key: same(inner) for key, inner in value.items() if key not in VARYING}
    return [same(inner) for inner in value] if isinstance(value, list) else value


def verdicts_of(path: Path) -> Counter[str]:
    """How often each verdict was given, with its reason."""
    return Counter(f"{row['verdict']}/{row['reason']}" for row in rows(path, "SELECT verdict, reason FROM verdict"))


def sent(path: Path) -> list[dict[str, Any]]:
    """The mails of a site."""
    return rows(path, "SELECT kind, recipient, message_id FROM outbox")


def named(path: Path) -> Counter[tuple[str, str, str]]:
    """The mails of a site by kind, recipient and id; the id of an answer to a late mail hangs on that mail's bytes."""
    split = [(*row["kind"].partition("/")[::2], row["recipient"], row["message_id"]) for row in sent(path)]
    return Counter((kind, to, "" if digest else name) for kind, digest, to, name in split)


def test_a_league_of_six_over_real_servers(
    tmp_path: Path, dovecot: Dovecot, forks: Forks, capsys: pytest.CaptureFixture[str]
) -> None:
    """No order lost or doubled, every mail there; one is there twice only where a kill fell into SMTP's own window."""
    exchange = Exchange(dovecot=dovecot)
    with office(exchange) as port:
        real_site(tmp_path / "real", dovecot, port)
        game = Play(tmp_path / "real", dovecot, exchange, forks)
        game.whole(at("2024-01-01 10:00"))  # the first mails go out
        play(game)
    quiet(tmp_path / "quiet", game)
    assert set(game.places) == {place for place in FAILPOINTS if place.partition(".")[0] in OF_A_RUN}
    assert game.struck > 0

    # every order exactly as in the quiet league
    real, calm = (bodies(tmp_path / name) for name in ("real", "quiet"))
    assert [record.get("round", 0) for record in real] == [0, 1, 2, 3, 4]
    assert same(real) == same(calm)
    assert [len(record["orders"]) for record in real[1:]] == [9] * ROUNDS  # of six, two once more, and a copy
    judged, calmly = verdicts_of(tmp_path / "real"), verdicts_of(tmp_path / "quiet")
    assert judged == calmly + Counter({"duplicate/same_mail": ROUNDS})  # by other ways, so other bytes: judged twice
    assert calmly.total() == sum(len(letters) for _, letters in game.letters) - ROUNDS
    assert calmly["late/no_round_open"] == ROUNDS

    # every mail in its mailbox, with the bytes that went out
    stored = {row["message_id"]: row["recipient"] for row in sent(game.path)}
    assert {kind for kind, *_ in named(game.path)} == {"welcome", "receipt", "late", "freeze", "report"}
    assert named(game.path) == named(tmp_path / "quiet")
    copies: dict[str, list[bytes]] = {}
    for _, _, raw in exchange.taken:
        copies.setdefault(str(message_from_bytes(raw)["Message-ID"]), []).append(raw)
    assert set(copies) == set(stored)
    assert all(len(set(raws)) == 1 for raws in copies.values())
    for person in PEOPLE:
        got = person.mailbox(dovecot)
        assert Counter(str(message_from_bytes(raw)["Message-ID"]) for raw in got) == {
            name: len(copies[name]) for name, to in stored.items() if to.partition("@")[0] == person.user
        }
        assert all(raw.endswith(copies[str(message_from_bytes(raw)["Message-ID"])][0]) for raw in got)

    # what is there twice, and why
    twice = Counter({name: len(raws) - 1 for name, raws in copies.items() if len(raws) > 1})
    assert twice == game.windows.counted
    with capsys.disabled():
        print(json.dumps({"kills": game.places.total() + game.struck, "mails": len(stored), "twice": twice.total()}))
