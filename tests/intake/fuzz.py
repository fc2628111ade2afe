"""The intake fuzzer: mails out of `soup.py` through everything that mail goes through, up to the answers' bytes.

`tools/fuzz.py` (`make fuzz`) runs it for as long as is asked; `test_fuzz.py` runs a slice with a fixed seed.
"""

# ruff: noqa: SIM905  # a list of words is easier to read as a text

import json
import multiprocessing
import os
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from email import message_from_bytes
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from traceback import format_exc
from typing import Any

from league import settings
from league.desk.acts.new_league import new_league
from league.desk.inbox.accept_mail import Accepted, fetch_from, judge_waiting
from league.desk.people.players import NewPlayer, add_players
from league.desk.post.roster import any_order_or_press
from league.desk.site import open_site
from league.games.kuel.reader import make_reader
from league.intake.mailbox import Fetch, raw_mail
from league.intake.message import open_letter
from league.intake.read import Reader, Reading, dry_run_line, read_mail
from league.intake.screen import Verdict
from tests.desk.sites import BEGIN, ROOT, at, copy, make_site, rows
from tests.intake.soup import ORGANIZER, OURS, PLAYERS, made
from tests.intake.standin import ROSTER

NOW = at("2024-01-03 12:00")
BATCH = 40
MOST_CPU = 2.0  # seconds for one mail; the limit in the product is 5 and is a net that no mail may need
STUCK = 120.0  # seconds of CPU for a batch
HEADERS = frozenset(
    "from to subject date message-id in-reply-to references reply-to mime-version content-type x-loop auto-submitted "
    "content-transfer-encoding content-language x-auto-response-suppress precedence list-unsubscribe list-id".split()
)


@dataclass(frozen=True, slots=True)
class Box:
    """A mailbox that holds what it is given."""

    raws: Sequence[bytes]

    def fetch(self) -> Fetch:
        """All at once, a second apart."""
        times = (at("2024-01-03 10:00") + timedelta(seconds=number) for number in range(len(self.raws)))
        return Fetch(NOW, (raw_mail(raw, when, "fuzz") for raw, when in zip(self.raws, times, strict=False)))

    def settle(self, digest: str) -> None:
        """Nothing lies anywhere."""

    def close(self) -> Sequence[str]:
        """Nothing was put away."""
        return ()


@dataclass(frozen=True, slots=True)
class Find:
    """What went wrong, and with which mails."""

    batch: int
    what: str
    raws: tuple[bytes, ...]

    def keep(self, folder: Path) -> Path:
        """A folder with each mail in a file, and what went wrong in another."""
        path = folder / f"batch-{self.batch:07d}"
        path.mkdir(parents=True, exist_ok=True)
        for number, raw in enumerate(self.raws):
            (path / f"{number:02d}.eml").write_bytes(raw)
        (path / "what.txt").write_text(self.what, encoding="utf-8")
        return path


def site_for_fuzz(path: Path) -> Path:
    """A league with the players whom the soup knows, all of them believed by their address."""
    make_site(path, proof="address", from_address=OURS, answers_per_hour=1000)
    file = path / settings.FILE
    found = settings.load(file)
    file.write_text(settings.as_toml(replace(found, site=replace(found.site, organizer=ORGANIZER))))
    site = open_site(path, BEGIN)
    new_league(site, "spring", game="kuel", start=date(2024, 1, 2), lang="de", options={"battles": "drawn"})
    names = ("Anna", "Ben", "Carla")
    players = [NewPlayer(*one) for one in zip(names, PLAYERS, ("de", "en", "nl"), strict=True)]
    add_players(site, "spring", players)
    site.engine.dispose()
    return path


# ------------------------------------------------------------------ what must hold of each mail


@cache
def kuel() -> Reader:
    """KUEL's own words."""
    config = ROOT / "config" / "kuel"
    game = make_reader(*(tomllib.loads((config / f"{name}.toml").read_text()) for name in ("board", "keywords")))
    return Reader(
        game.parse, lambda line: bool(game.parse(line).orders), game.notation, wording=lambda mistake: mistake.reason
    )


def check_reading(raw: bytes) -> None:
    """A verdict out of the closed list with its reason, within its time, in words that can be printed."""
    begun = time.process_time()
    reading = read_mail(raw_mail(raw, NOW, "fuzz"), lambda _: kuel(), ROSTER)
    used = time.process_time() - begun
    assert used < MOST_CPU, f"{used:.2f} s of CPU"
    assert reading.verdict in set(Verdict)
    assert reading.reason
    assert reading.letter.problem not in {"unparsable", "took_too_long"}, _why(raw, reading)
    shown = json.loads(json.dumps(dry_run_line(reading)))
    assert reading.verdict.is_read or not (shown["orders"] or shown["text"] or shown["holds"])
    assert "\0" not in json.dumps(shown, ensure_ascii=False)
    json.dumps(shown, ensure_ascii=False).encode()


def _why(raw: bytes, reading: Reading) -> str:
    """An exception that became a verdict is a find as well; which one it was."""
    from league.intake import message
    from league.intake.mime import LIMITS, Unfit, take_apart

    mail = raw_mail(raw, NOW, "fuzz")
    try:
        whole, found = take_apart(raw, LIMITS)
        letter = message._letter(message.Letter("", mail.digest, len(raw)), whole, found, LIMITS)
        message.retrim(letter, kuel().counts, LIMITS)
    except Unfit as trouble:
        return f"unfit: {trouble.message}"
    except Exception:  # noqa: BLE001  # it is what is looked for
        return format_exc()
    return reading.letter.problem


# ------------------------------------------------------------------ what must hold of a batch in a site


def check_site(path: Path, raws: Sequence[bytes]) -> None:
    """One verdict for each mail, nothing set aside, and answers that are whole, go to players and are no orders."""
    with _opened(path) as site:
        done = Accepted()
        fetch_from(site, Box(raws), done)
        judge_waiting(site, done)
    assert done.troubles == [], _told(path, done)
    judged = rows(path, "SELECT digest, verdict, reason FROM mail LEFT JOIN verdict ON mail.id = mail_id")
    assert {row["digest"] for row in judged} == {raw_mail(raw, NOW, "").digest for raw in raws}
    assert len(judged) == len({row["digest"] for row in judged})
    assert {row["verdict"] for row in judged} <= {verdict.value for verdict in Verdict}
    assert all(row["reason"] for row in judged)
    for row in rows(path, "SELECT recipient, raw FROM outbox WHERE kind != 'welcome'"):
        check_answer(row["recipient"], row["raw"])


def _told(path: Path, done: Accepted) -> str:
    return "\n".join([*done.troubles, *(file.read_text() for file in path.glob("fault-*.txt"))])


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    site = open_site(path, NOW)
    try:
        yield site
    finally:
        site.engine.dispose()


def check_answer(recipient: str, raw: bytes) -> None:
    """A mail of ours as it would come back: no order in it, no header that a player made, no line too long."""
    assert recipient in {*PLAYERS, ORGANIZER}, recipient
    assert b"\r" not in raw.replace(b"\r\n", b"").replace(b"\n", b"")
    lines = raw.replace(b"\r\n", b"\n").split(b"\n")
    assert max(map(len, lines)) <= 998
    head, _, _ = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    assert head.isascii()
    assert b"\0" not in raw
    counted = Counter(name.lower() for name in message_from_bytes(head).keys())  # noqa: SIM118  # all, doubles too
    assert set(counted) <= HEADERS, set(counted) - HEADERS
    assert set(counted.values()) == {1}, counted
    letter = open_letter(raw_mail(raw, NOW, "answer"), any_order_or_press)
    assert not letter.problem, letter.problem
    for said in (letter.fresh, letter.text, letter.other):
        assert not any_order_or_press(said), said
        for line in said.split("\n"):
            assert not any_order_or_press(line), line


# ------------------------------------------------------------------ a campaign


def try_batch(seed: str, batch: int, template: Path, folder: Path) -> list[Find]:
    """All mails of a batch, each for itself and then all of them in one site."""
    raws = [made(seed, batch * BATCH + number) for number in range(BATCH)]
    finds = [Find(batch, what, (raw,)) for raw in raws if (what := _failing(lambda raw=raw: check_reading(raw)))]
    if what := _failing(lambda: _in_a_site(template, folder, raws)):
        alone = [raw for raw in raws if _failing(lambda raw=raw: _in_a_site(template, folder, [raw]))]
        finds.append(Find(batch, what, tuple(alone or raws)))
    return finds


def _in_a_site(template: Path, folder: Path, raws: Sequence[bytes]) -> None:
    path = copy(template, folder / "site")
    try:
        check_site(path, raws)
    finally:
        rmtree(path)


def _failing(check: Any) -> str:
    try:
        check()
    except Exception:  # noqa: BLE001  # it is what is looked for
        return format_exc()
    return ""


@dataclass
class Campaign:
    """Batches on several processors until the time is over; a processor that dies or sticks is a find too."""

    seed: str
    minutes: float
    finds: Path
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    first: int = 0

    def run(self) -> tuple[int, int]:
        """The number of mails tried, and of batches in which something went wrong."""
        with TemporaryDirectory() as name:
            base = Path(name)
            template = site_for_fuzz(base / "template")
            kuel()
            until = time.monotonic() + self.minutes * 60
            lanes = [_Lane(self, template, base / f"lane{number}", number, until) for number in range(self.jobs)]
            for lane in lanes:
                lane.start()
            while any([lane.is_busy() for lane in lanes]):  # noqa: C419  # each is to be looked after
                time.sleep(0.2)
        return sum(lane.tried for lane in lanes) * BATCH, len(list(self.finds.glob("batch-*")))


@dataclass
class _Lane:
    """Every n-th batch, in a process of its own."""

    campaign: Campaign
    template: Path
    folder: Path
    number: int
    until: float
    at: Any = field(default_factory=lambda: multiprocessing.get_context("fork").Value("q", -1))
    process: Any = None

    @property
    def tried(self) -> int:
        """Batches that were begun."""
        return 0 if self.at.value < 0 else (self.at.value - self._begin) // self.campaign.jobs + 1

    @property
    def _begin(self) -> int:
        return self.campaign.first + self.number

    def start(self) -> None:
        """Begin, or go on behind the batch that was the last."""
        self.folder.mkdir(exist_ok=True)
        following = self._begin if self.at.value < 0 else self.at.value + self.campaign.jobs
        self.process = multiprocessing.get_context("fork").Process(target=self._go, args=(following,))
        self.process.start()

    def _go(self, batch: int) -> None:
        while time.monotonic() < self.until:
            self.at.value = batch
            for find in try_batch(self.campaign.seed, batch, self.template, self.folder):
                print(f"something went wrong: {find.keep(self.campaign.finds)}\n{find.what}", flush=True)
            batch += self.campaign.jobs

    def is_busy(self) -> bool:
        """Whether it goes on. One that died or sticks leaves its batch as a find, and begins anew behind it."""
        if self.process.is_alive():
            if self._is_stuck():
                self.process.kill()
                self._lost("sticks")
            return True
        if self.process.exitcode == 0:
            return False
        self._lost(f"died ({self.process.exitcode})")
        return True

    _seen: tuple[int, float] = (-2, 0.0)

    def _is_stuck(self) -> bool:
        if self._seen[0] != self.at.value:
            self._seen = (self.at.value, _cpu(self.process.pid))
        return _cpu(self.process.pid) - self._seen[1] > STUCK

    def _lost(self, how: str) -> None:
        self.process.join()
        batch = max(self.at.value, self._begin)
        raws = tuple(made(self.campaign.seed, batch * BATCH + number) for number in range(BATCH))
        print(f"something went wrong: {Find(batch, f'the process {how}', raws).keep(self.campaign.finds)}", flush=True)
        rmtree(self.folder, ignore_errors=True)
        self.start()


def _cpu(pid: int) -> float:
    """CPU seconds of a process, where the system tells them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def again(folder: Path) -> list[str]:
    """What goes wrong today with the mails of a find, each for itself and all together."""
    raws = [file.read_bytes() for file in sorted(folder.glob("*.eml"))]
    told = [what for raw in raws if (what := _failing(lambda raw=raw: check_reading(raw)))]
    with TemporaryDirectory() as name:
        template = site_for_fuzz(Path(name) / "template")
        what = _failing(lambda: _in_a_site(template, Path(name), raws))
    return [*told, *([what] if what else [])]
