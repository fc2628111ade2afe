"""What a game keeps secret until the match is over: records commit to it, the last one opens it, nothing leaks."""

import json
from base64 import b64encode
from collections.abc import Callable
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from league.desk.acts.change_seats import retire
from league.desk.acts.new_league import new_league
from league.desk.correcting.correct_figure import correct_figures
from league.desk.correcting.correct_round import Act
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.people.players import NewPlayer, add_players
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.desk.rebuild import rebuild
from league.records.freeze import root
from league.records.sealed import read_kept
from tests.desk.long_league import Long
from tests.desk.phases import tellings
from tests.desk.signed import SITE_SEED, alone
from tests.desk.sites import (
    BEGIN,
    LANGS,
    NAMES,
    add_league,
    address,
    at,
    copy,
    drop,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    run,
    sealed,
)
from tests.test_docs import faults

WEEK = timedelta(weeks=1)
SEATS = {"s1": "Anna", "s2": "Ben", "s3": "Carla"}
Body = dict[str, Any]


def open_union(path: Path) -> None:
    """A league of EUROPA, one phase a week."""
    site = opened(path, BEGIN)
    new_league(site, "union", game="europa", start=date(2024, 1, 2), lang="de")
    add_players(site, "union", [NewPlayer(name, address(name), LANGS[i]) for i, name in enumerate(SEATS.values())])
    site.engine.dispose()


def play(path: Path, number: int) -> None:
    """A week: orders with a condition that no event tells of, and the figure that decides the round."""
    wednesday = at("2024-01-03 10:00") + WEEK * (number - 1)
    for place, name in enumerate(SEATS.values()):
        text = f"PLACE IF germany > {6 + place} THEN italy 1\nFINAL\n"
        drop(path, letter(name, text, subject=f"week {number}"), wednesday)
    saturday = at("2024-01-06 21:00") + WEEK * (number - 1)
    mail_run(path, wednesday + timedelta(days=2))
    site = opened(path, saturday)
    table = {"lotto": "3 11 17 20 24 43", "lotto_day": saturday.date().isoformat()}
    enter_figures(site, "union", Entry(table, "evening paper", "test"))
    site.engine.dispose()
    run(path, saturday + timedelta(minutes=1))


@pytest.fixture(scope="module")
def under_way(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two phases played: seats and the first placement."""
    path = make_site(tmp_path_factory.mktemp("union") / "site")
    open_union(path)
    for number in (1, 2):
        play(path, number)
    return path


@pytest.fixture(scope="module")
def over(under_way: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All but one have given up in the third."""
    path = copy(under_way, tmp_path_factory.mktemp("over") / "site")
    for seat in ("s1", "s2"):
        retire(opened(path, at("2024-01-15 09:00")), "union", seat, why="moved away")
    play(path, 3)
    return path


def union(place: Path) -> Told:
    return next(one for one in verify(str(place)).all if one.league == "union")


def records(path: Path) -> list[Body]:
    return [json.loads(one.body) for one in sealed(path)]


# ------------------------------------------------------------------ before the end


def test_a_record_commits_to_every_part_of_every_seat(under_way: Path) -> None:
    """Whoever sent something or not: a salted hash of each part, and no order, fate or nonce."""
    for body in records(under_way)[1:]:
        assert {(row["seat"], row["part"]) for row in body["sealed"]} == {
            (s, p) for s in SEATS for p in ("orders", "void")
        }
        assert not {"orders", "void", "fates"} & set(body)
        assert faults("record-round", body) == []
        assert "nonce" not in json.dumps(body)


def test_until_the_end_it_is_told_that_it_is_sealed(under_way: Path) -> None:
    """That is no fault: both programs say so, and check what can be checked."""
    found = union(under_way)
    assert found.faults == []
    assert {(row["code"], row["round"]) for row in found.unknown} == {("sealed_until_end", 1), ("sealed_until_end", 2)}
    answer = alone(under_way / "public")
    assert answer.returncode == 0, answer.stdout
    assert "2 of them sealed until the end of the match" in answer.stdout


def test_receipts_hold_before_the_end(under_way: Path) -> None:
    """Their leaves are in the freeze; that the record doesn't show their orders yet convicts nobody."""
    (found,) = (one for one in verify(str(under_way), [under_way / "mail" / "out"]).all if one.league == "union")
    assert found.faults == []
    assert found.checked["mails"] >= len(SEATS) * 2
    assert {(row["code"], row["round"]) for row in found.unknown} == {("sealed_until_end", 1), ("sealed_until_end", 2)}


def test_a_receipt_whose_leaf_is_missing_convicts_before_the_end(under_way: Path, tmp_path: Path) -> None:
    """Orders that the organizer lost are found by their seat, sealed or not."""

    def lose(bodies: list[Body]) -> None:
        freeze = next(body for body in bodies if body.get("round") == 2)["freeze"]
        freeze["leaves"] = freeze["leaves"][1:]
        freeze["root"] = root(freeze["leaves"])

    where = changed(under_way, tmp_path / "lost", lose)
    found = next(one for one in verify(str(where), [under_way / "mail" / "out"]).all if one.league == "union")
    assert ("leaf", 2) in {(fault.field, fault.round) for fault in found.faults if fault.check == "mails"}


def spellings(secret: str) -> set[bytes]:
    """A secret as it could stand in a file or mail."""
    plain = secret.encode()
    return {plain, plain.upper(), plain.lower(), b64encode(plain).rstrip(b"=")[:-1], quote(secret).encode()}


def test_nothing_that_is_sealed_is_published_or_told_to_another_seat(under_way: Path) -> None:
    """Notations, nonces and salts of every seat: in no published byte and in no mail but to that seat itself."""
    kept = [part for one in sealed(under_way) if one.secret for part in read_kept(one.secret)]
    secrets = {(part.seat, part.salt) for part in kept}
    for part in kept:
        for row in part.value:
            lines = {said for line in row["orders"] if len(line) > 6 for said in tellings(line)}
            secrets |= {(part.seat, row["nonce"]), *((part.seat, line) for line in lines)}
    assert len({secret for _, secret in secrets if "PLACE" in secret.upper()}) >= 3
    pages = {
        name: (content, unescape(content.decode(errors="replace")).encode())
        for name, content in public(under_way).items()
    }
    for seat, secret in secrets:
        own = {s for s, other in secrets if other == secret} | {seat}
        for spelling in spellings(secret):
            assert not [name for name, both in pages.items() if any(spelling in one for one in both)], secret
            others = [out for out in outbox(under_way) if out.to not in {address(SEATS[one]) for one in own}]
            assert not [out.kind for out in others if spelling in out.raw or spelling in out.text.encode()], secret


def test_a_correction_keeps_it_sealed(under_way: Path, tmp_path: Path) -> None:
    """The second version commits anew; the books know the orders, and the pages don't."""
    path = copy(under_way, tmp_path / "site")
    entry = Entry({"lotto": "4 11 17 20 24 43", "lotto_day": "2024-01-06"}, "paper", "test")
    correct_figures(opened(path, at("2024-01-15 12:00")), "union", entry, Act("draw correct", "a typo", "recompute"))
    run(path, at("2024-01-15 12:01"))
    bodies = [body for body in records(path) if body["kind"] == "round"]
    assert [(body["round"], body["version"]) for body in bodies] == [(1, 1), (2, 1), (1, 2), (2, 2)]
    assert all("sealed" in body and "orders" not in body for body in bodies)
    assert bodies[0]["sealed"] != bodies[2]["sealed"]
    assert union(path).faults == []
    assert alone(path / "public").returncode == 0


# ------------------------------------------------------------------ the end


def test_at_the_end_everything_is_opened(over: Path) -> None:
    """Behind the last round a record with all orders and salts; every round comes out from them."""
    last = records(over)[-1]
    assert faults("record-unsealed", last) == []
    assert [row["round"] for row in last["opened"]] == [1, 2, 3]
    found = union(over)
    assert (found.faults, found.unknown, found.checked["sealed"]) == ([], [], 1)
    assert found.checked["rounds"] == 3
    answer = alone(over / "public")
    assert answer.returncode == 0, answer.stdout
    assert "sealed until" not in answer.stdout
    assert b"place if germany.total &gt; 7" in public(over)["union/en/round-2.html"].lower()
    assert "unsealed-0001-v1.json" in {Path(name).name for name in public(over)}


def changed(path: Path, target: Path, how: Callable[[list[Body]], None]) -> Path:
    """The chain changed by who has the key, with all hashes and signatures made anew."""
    bodies = [{name: value for name, value in body.items() if name != "journal"} for body in records(path)]
    before = [one.sha256 for one in sealed(path)]
    how(bodies)
    made = Long(bodies, SITE_SEED)
    after = [one.sha256 for one in made.records()]
    names = dict(zip(before, after, strict=False))
    for body in bodies:
        for row in filter(None, body.get("opened", ())):
            row["record"] = names.get(row["record"], row["record"])
    return made.publish(target, pages=False)


def order(bodies: list[Body]) -> None:
    part = next(part for part in bodies[-1]["opened"][1]["parts"] if part["value"])
    part["value"][0]["orders"] = ["PASS"]


def salt(bodies: list[Body]) -> None:
    bodies[-1]["opened"][0]["parts"][0]["salt"] = "0" * 32


def part(bodies: list[Body]) -> None:
    del bodies[-1]["opened"][1]["parts"][0]


def row(bodies: list[Body]) -> None:
    del bodies[-1]["opened"][2]


def nothing(bodies: list[Body]) -> None:
    del bodies[-1]


def commitment(bodies: list[Body]) -> None:
    bodies[2]["sealed"][0]["sha256"] = "0" * 64


def seat(bodies: list[Body]) -> None:
    bodies[2]["sealed"] = [one for one in bodies[2]["sealed"] if one["seat"] != "s2"]


def record(bodies: list[Body]) -> None:
    bodies[-1]["opened"][0]["record"] = "0" * 64


def shape(bodies: list[Body]) -> None:
    bodies[-1]["opened"] = [None]


@pytest.mark.parametrize("cheat", [order, salt, part, row, nothing, commitment, seat, record, shape])
def test_a_cheat_in_what_was_sealed_is_found(cheat: Callable[[list[Body]], None], over: Path, tmp_path: Path) -> None:
    """Another order than the one committed to, another salt, something that isn't opened: by both programs."""
    where = changed(over, tmp_path / "site", cheat)
    found = [fault for fault in union(where).faults if fault.check not in ("pages", "press")]
    assert found
    assert all(fault.check in ("sealed", "rounds") for fault in found), found
    answer = alone(where)  # that a match is over, only who knows the rules can say
    assert answer.returncode == (0 if cheat in (row, nothing) else 1), answer.stdout


def test_a_game_without_secrets_can_hide_nothing(tmp_path: Path) -> None:
    """Orders that stay away from the records of a game which keeps none sealed are missed."""
    path = make_site(tmp_path / "site")
    add_league(path)
    for number, name in enumerate(NAMES[:3]):
        drop(path, letter(name, f"join {('Island', 'Portugal', 'France')[number]}"), at("2024-01-03 10:00"))
    run(path, at("2024-01-05 08:00"))
    bodies = [json.loads(one.body) for one in sealed(path)]
    shown = {name: value for name, value in bodies[1].items() if name not in ("orders", "void", "fates")}
    parts = [{"seat": s, "part": p, "sha256": "0" * 64} for s in SEATS for p in ("orders", "void")]
    where = Long([bodies[0], {**shown, "sealed": parts}], SITE_SEED).publish(tmp_path / "hidden", pages=False)
    (found,) = verify(str(where)).leagues
    assert ("rounds", 1, "sealed") in {(fault.check, fault.round, fault.field) for fault in found.faults}


def test_a_site_built_anew_seals_the_same(over: Path, tmp_path: Path) -> None:
    """From mails, figures, journal and key: the commitments and what opens them, to the byte."""
    made = rebuild(tmp_path / "anew", over, at("2024-02-01 12:00"))
    assert made.is_same, (made.troubles, made.matches)
    assert [one.records for one in made.matches] == [len(sealed(over))]
