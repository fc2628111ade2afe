"""A published league of as many rounds as wanted, made without mails and database: bots, records, pages, signatures."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from league.delivery.site import publish
from league.desk import registry
from league.desk.leagues.calendar import last_evaluation_day, make_calendar, round_of
from league.desk.leagues.infos import drawing_of
from league.desk.leagues.recompute import recompute
from league.desk.leagues.records import rules_named
from league.desk.leagues.reporting import report_of
from league.desk.leagues.seals import verifier
from league.desk.play import simulate
from league.records import chain
from league.records.freeze import leaf, public_key, root, sorted_leaves
from league.records.manifest import seal_manifest
from league.records.note import Checkpoint
from league.reports import paths, render
from league.reports.context import LeagueInfo, RoundInfo, SeatInfo, SiteInfo

SEED = b"s" * 32
SLUG, MATCH = "long", "long-1"
BEGIN = datetime.combine(simulate.MONDAY, time(), UTC) - timedelta(days=1)  # the Sunday before
WEEK, DAY = timedelta(days=7), timedelta(days=1)
Body = dict[str, Any]
SITE = SiteInfo("Demo", "de")


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Long:
    """The bodies of a chain; `change` them, and `publish` seals and signs whatever they are by then."""

    bodies: list[Body] = field(default_factory=list)
    seed: bytes = SEED

    @classmethod
    def played(cls, rounds: int, bots: str = "greedy*8", options: Mapping[str, object] | None = None) -> "Long":
        """A league of bots, each round recorded."""
        plan = simulate.make_plan("kuel", rounds, bots, options)
        (league,) = simulate.play(plan)
        opening: Body = {
            "kind": "opening",
            "league": SLUG,
            "match": MATCH,
            "game": "kuel",
            "rules": rules_named("kuel", "kuel-1", plan.options),
            "calendar": make_calendar(registry.plugin("kuel").meta, simulate.MONDAY, "Europe/Berlin", 15, None),
            "sources": {},
            "public_key": public_key(SEED),
            "opened_at": _stamp(BEGIN),
        }
        made = cls([opening])
        game = registry.load("kuel", plan.options)
        start = game.position(league.weeks[0].before)
        for number, week in enumerate(league.weeks, 1):
            rows = [_row(game, week.before, mail, number, place) for place, mail in enumerate(week.mails)]
            body = _body(opening, number, start, rows, simulate.make_figures(game.meta, _dice(number), number))
            body |= recompute(body)
            made.bodies.append(body)
            start = body["position"]
        return made

    def records(self) -> list[chain.SealedRecord]:
        """The chain of what the bodies say now."""
        found: list[chain.SealedRecord] = []
        for body in self.bodies:
            rest = {key: value for key, value in body.items() if key != "previous"}
            found.append(chain.seal(rest, found[-1].sha256 if found else chain.FIRST))
        return found

    def files(self, *, pages: bool = True) -> Iterator[tuple[str, bytes]]:
        """Records, checkpoint and the pages of the newest versions."""
        records, slug = self.records(), self.bodies[0]["league"]
        for body, record in zip(self.bodies, records, strict=True):
            kind = "" if body.get("kind") in ("opening", "round") else f"{body.get('kind')}-"
            number, version = body.get("number", body.get("round", 0)), body.get("version", 1)
            yield f"{slug}/records/{kind}{number:04d}-v{version}.json", record.json
        chain_ = Checkpoint(slug, self.bodies[0]["match"], len(records), records[-1].sha256)
        yield f"{slug}/records/checkpoint", chain_.sealed(self.seed)
        newest = {
            body["round"]: (body, record) for body, record in zip(self.bodies, records, strict=True) if "round" in body
        }
        yield "verify.py", verifier()
        for body, record in newest.values() if pages else ():
            for lang in SITE.langs:
                info = league_info(body)
                report = report_of(info, _round(body, record.sha256), json.loads(record.json), None, ())
                yield paths.round_path(info, body["round"], lang), render.round_page(SITE, report, lang).encode()

    def publish(self, path: Path, *, pages: bool = True) -> Path:
        """Sealed and signed in a folder; where it is public."""
        path.mkdir(parents=True, exist_ok=True)
        publish(path, self.files(pages=pages), seal=lambda folder, files: seal_manifest(folder, files, self.seed))
        return path / "public"

    def change(self, number: int, how: Callable[[Body], None]) -> None:
        """Change what a round's record says."""
        how(next(body for body in self.bodies if body.get("round") == number))


def _dice(number: int) -> Any:
    return simulate._dice("long", number, "figures")


def _row(game: Any, state: Any, mail: Any, number: int, place: int) -> Body:
    return {
        "seat": mail.seat,
        "phase": 1,
        "revision": 1,
        "received_at": _stamp(BEGIN + WEEK * (number - 1) + DAY * 2 + timedelta(minutes=place)),
        "orders": [game.notation(state, line.order) for line in mail.parsed.lines if line.order is not None],
        "replaces": True,
        "nonce": sha256(f"{number} {place}".encode()).hexdigest()[:32],
    }


def _body(opening: Body, number: int, start: Any, rows: list[Body], figures: Any) -> Body:
    its, following = (round_of(opening["calendar"], 0, n) for n in (number, number + 1))
    named = ("league", "match", "game", "rules")
    leaves = sorted_leaves(
        leaf(SLUG, MATCH, number, r["seat"], 1, datetime.fromisoformat(r["received_at"]), r["orders"], r["nonce"])
        for r in rows
    )
    return {
        "kind": "round",
        **{name: opening[name] for name in named},
        "round": number,
        "version": 1,
        "opens": _stamp(its.opens_at),
        "deadline": _stamp(its.deadline_at),
        "closes": _stamp(its.closes_at),
        "evaluated": _stamp(its.ends_at),
        "freeze": {"root": root(leaves), "leaves": list(leaves), "late": False},
        "start": start,
        "joined": [],
        "left": [],
        "ends": last_evaluation_day(its.ends_at, its.zone).isoformat(),
        "next_ends": last_evaluation_day(following.ends_at, its.zone).isoformat(),
        "orders": rows,
        "void": [],
        "evidence": [
            {
                "figure": e.figure,
                "day": e.day.isoformat(),
                "value": e.value,
                "status": "agreed",
                "source": "",
                "reason": "",
                "readings": [
                    {"source": name, "value": e.value, "day": e.day.isoformat(), "read_at": _stamp(its.closes_at)}
                    for name in ("one", "two")
                ],
            }
            for e in sorted(figures, key=lambda e: e.figure)
        ],
        "decisions": [],
        "over": False,
    }


def league_info(body: Body) -> LeagueInfo:
    """What pages need to know."""
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, body["rules"]["options"]))
    seats = sorted({*body["position"]["players"], *body["position"]["newcomers"]}, key=lambda code: (len(code), code))
    infos = tuple(SeatInfo(seat, f"Player {seat}", "en", place) for place, seat in enumerate(seats))
    return LeagueInfo(
        SLUG, "Long", "kuel", "de", "Europe/Berlin", "x@example.org", infos, game.label, drawing_of("kuel"), match=MATCH
    )


def _round(body: Body, sha: str) -> RoundInfo:
    opens, deadline, closes = (datetime.fromisoformat(body[key]) for key in ("opens", "deadline", "closes"))
    return RoundInfo(
        body["round"],
        opens,
        deadline,
        closes,
        closes + DAY,
        version=body["version"],
        root=body["freeze"]["root"],
        leaves=tuple(body["freeze"]["leaves"]),
        record_sha256=sha,
    )
