"""`league verify` and verify.py: what is published holds, and whatever was changed in it is found where it was."""

import json
import os
import random  # noqa: TID251  # which byte is flipped, with a seed
import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree, rmtree
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

from league.cli import cli
from league.core.errors import BadInput, Refused
from league.delivery import published, verifier
from league.desk.acts.signing_key import rotate_key
from league.desk.leagues.recompute import recompute
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told, Verified
from league.records import chain
from league.records.audit import leaf_of
from league.records.canonical import canonical
from league.records.freeze import Receipt, public_key, sign, signing_seed
from league.records.freeze import root as root_over
from league.records.manifest import seal_manifest
from league.records.note import Checkpoint
from tests.desk.long_league import MATCH, SEED, SLUG, Body, Long
from tests.desk.signed import alone, resign
from tests.desk.sites import (
    KEY,
    ROOT,
    add_league,
    at,
    copy,
    drop,
    figures,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    run,
)

NAMES = ("Annegret", "Benedikt", "Carlotta")
OTHER = b"o" * 32
SUNDAY = at("2024-01-14 08:00")


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two leagues whose second round is closed and waits for figures."""
    path = make_site(tmp_path_factory.mktemp("verify") / "site")
    add_league(path, names=NAMES)
    add_league(path, "autumn", ("Dirk", "Eva"))
    for name, country in zip(NAMES, ("Island", "Portugal", "France"), strict=True):
        drop(path, letter(name, f"join {country}\npress to all: hello from {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    for name, text in zip(NAMES, ("biete 13 auf Prag", "take Spain", "neem Spanje"), strict=True):
        drop(path, letter(name, text), at("2024-01-10 10:00"))
    run(path, at("2024-01-12 01:00"))
    return path


@pytest.fixture(scope="session")
def played(waiting: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after two rounds, the third open."""
    path = copy(waiting, tmp_path_factory.mktemp("played") / "site")
    figures(path, at("2024-01-13 21:00"))
    run(path, SUNDAY)
    return path


@pytest.fixture(scope="session")
def bots() -> Long:
    """Six rounds of bots, battles drawn."""
    return Long.played(6)


@pytest.fixture
def long(bots: Long) -> Long:
    """The same, to be changed."""
    return deepcopy(bots)


def public(path: Path, target: Path) -> Path:
    """A copy of what is published, as a player downloads it."""
    return Path(copytree((path / "public").resolve(), target))


def told(found: Verified, league: str = "") -> Told:
    return next(one for one in found.all if one.league == league)


def league_of(where: Path) -> Told:
    """What is found about the only league."""
    return told(verify(str(where)), SLUG)


def places(found: Told) -> list[tuple[str, str, int | None, str]]:
    return [(fault.check, fault.file, fault.round, fault.field) for fault in found.faults]


# ------------------------------------------------------------------ what holds


def test_what_is_published_holds(played: Path) -> None:
    """A site with two leagues: files, chain, signatures, freezes, positions, rounds and pages, none of them empty."""
    found = verify(str(played))
    assert found.holds
    assert [one.league for one in found.all] == ["", "autumn", "spring"]
    spring = told(found, "spring")
    assert (spring.records, spring.rounds, spring.match) == (3, 2, "spring-1")
    assert {check for check, number in spring.checked.items() if number} == {
        *("files", "chain", "signatures", "freezes", "positions", "rounds", "journal", "press", "pages"),
    }
    assert spring.checked["pages"] == 15
    assert {note["code"] for note in spring.notes} == {"manual"}


def test_one_league_is_verified_by_itself(played: Path, tmp_path: Path) -> None:
    """The folder of one league, wherever it was copied to."""
    found = verify(str(copytree(played / "public" / "spring", tmp_path / "copied")))
    assert found.holds
    assert [one.league for one in found.all] == ["spring"]


def test_a_league_after_a_new_key_holds(played: Path, tmp_path: Path) -> None:
    """Records before the change under the old key, what is published now under the new one, mails of both times."""
    path = copy(played, tmp_path / "site")
    site = opened(path, SUNDAY)
    rotate_key(site, "to be sure")
    site.engine.dispose()
    run(path, SUNDAY)
    found = verify(str(path), [path / "mail" / "out"])
    assert found.holds, [one.faults for one in found.all]
    assert told(found, "spring").records == 4
    assert told(found, "spring").checked["mails"] > 10
    answer = alone(path / "public")
    assert answer.returncode == 0, answer.stdout


def test_a_round_that_waits_is_told(waiting: Path) -> None:
    """Closed and not evaluated: its orders can't be known yet, and that is no fault."""
    found = verify(str(waiting), [waiting / "mail" / "out"])
    assert found.holds, [one.faults for one in found.all]
    spring = told(found, "spring")
    assert {(row["code"], row["round"]) for row in spring.unknown} == {("sealed", 2), ("not_evaluated", 2)}


def test_a_receipt_that_the_freeze_leaves_out_convicts(waiting: Path, tmp_path: Path) -> None:
    """Before the evaluation already: the page of a closed round has the leaves, and the receipt's isn't there."""
    where = public(waiting, tmp_path / "public")
    mail = saved(waiting, tmp_path / "mail.eml", "receipt", "Benedikt")
    leaf_ = re.search(r"# leaf (\w+)", outbox(waiting, "receipt", "Benedikt")[-1].text)
    assert leaf_
    for page in where.rglob("round-2.html"):
        text = page.read_text()
        page.unlink()
        page.write_text(text.replace(leaf_[1], "0" * 64))
    found = told(verify(str(where), [mail]), "spring")
    assert [(fault.field, fault.round) for fault in found.faults if fault.check == "mails"] == [("leaf", 2)]


def test_a_golden_league_holds(tmp_path: Path) -> None:
    """Reported battles, disputes, newcomers, who left, a rematch: eighteen rounds, with the key of their opening."""
    golden = sorted((ROOT / "tests" / "golden" / "kuel-1").glob("0*.json"))
    made = Long([json.loads(file.read_bytes()) for file in golden], signing_seed(bytes.fromhex(KEY)))
    (found,) = verify(str(made.publish(tmp_path / "site", pages=False))).leagues
    assert [fault for fault in found.faults if fault.check != "pages"] == []
    assert found.rounds == 18


def test_a_late_freeze_is_told(played: Path, tmp_path: Path) -> None:
    """Orders that were closed after the figures were known hold, and are named."""
    path = copy(played, tmp_path / "site")
    figures(
        path,
        at("2024-01-20 21:00"),
        dax_close="16555.13",
        dax_day="2024-01-19",
        lotto="1 2 3 4 5 6",
        lotto_day="2024-01-20",
    )
    run(path, at("2024-01-21 09:00"))
    found = verify(str(path))
    assert found.holds, [one.faults for one in found.all]
    assert ("frozen_late", 3) in {(note["code"], note["round"]) for note in told(found, "spring").notes}


# ------------------------------------------------------------------ one byte


def flip(file: Path, chance: random.Random) -> None:
    """Another byte at a place by chance; hard links elsewhere keep theirs."""
    content = bytearray(file.read_bytes())
    place = chance.randrange(len(content))
    content[place] ^= chance.randrange(1, 256)
    file.unlink()
    file.write_bytes(bytes(content))


KINDS = (
    *("index.html", "style.css", "map.js", "composer.js", "manifest", "verify.py", "journal.json", "journal.html"),
    *("spring/journal.json", "spring/journal.html", "spring/names.json", "spring/press/0001.json"),
    *("spring/feed.xml", "spring/deadlines.ics", "spring/map.svg", "spring/orders.js", "spring/teaser.json"),
    *("spring/index.html", "spring/nl/index.html", "spring/rules.html", "spring/card.html", "spring/week.html"),
    *("spring/round-2.html", "spring/en/round-1.html", "spring/manifest", "spring/records/checkpoint"),
    *("spring/records/0000-v1.json", "spring/records/0001-v1.json", "spring/records/0002-v1.json"),
)


def test_every_kind_of_file_is_tried(played: Path) -> None:
    """The list of files to be changed has one of each kind that is published."""
    kinds = {str(Path(kind).with_stem("x")) for kind in KINDS}
    for file in (played / "public").resolve().rglob("*"):
        name = file.relative_to((played / "public").resolve()).as_posix()
        if file.is_file() and not name.startswith(("autumn/", "spring/en/", "spring/nl/", "index.")):
            assert str(Path(name).with_stem("x")) in kinds, name


@pytest.mark.parametrize("name", KINDS)
def test_one_flipped_byte_is_found(name: str, played: Path, tmp_path: Path) -> None:
    """In whatever published file, by both programs; and the first place named is that file."""
    where = public(played, tmp_path / "public")
    flip(where / name, random.Random(name))
    found = verify(str(where))
    assert not found.holds
    firsts = [one.first.file for one in found.all if one.first]
    assert name in firsts
    if name != "verify.py":
        answer = alone(where)
        assert answer.returncode == 1, name
        assert "BROKEN" in answer.stdout


def test_a_file_that_nobody_names_is_found(played: Path, tmp_path: Path) -> None:
    """Something that was put there by hand, and something that was taken away."""
    where = public(played, tmp_path / "public")
    (where / "spring" / "extra.html").write_text("news")
    (where / "autumn" / "card.html").unlink()
    found = verify(str(where))
    assert places(told(found, "spring")) == [("files", "spring/extra.html", None, "")]
    assert places(told(found, "autumn")) == [("files", "autumn/card.html", None, "")]
    answer = alone(where).stdout
    assert "spring/extra.html: the manifest doesn't name it" in answer
    assert "BROKEN autumn/card.html" in answer


# ------------------------------------------------------------------ an organizer who cheats, and signs it all


@pytest.mark.parametrize("name", ["a\\b.html", "a\u200bb.html", "a\nb.html"])
def test_a_file_with_an_odd_name_is_found(name: str, played: Path, tmp_path: Path) -> None:
    """Within a league's folder too, by both verifiers."""
    where = public(played, tmp_path / "odd")
    (where / "spring" / name).write_text("a lie")
    assert not verify(str(where)).holds
    assert alone(where).returncode == 1


def test_a_league_without_its_records_is_found(played: Path, tmp_path: Path) -> None:
    """Beside one that has them: a folder of pages is no league that nobody has to look at."""
    where = public(played, tmp_path / "bare")
    rmtree(where / "autumn" / "records")
    (where / "autumn" / "index.html").write_text("a lie")
    assert not verify(str(where)).holds
    assert alone(where).returncode == 1


def test_the_league_of_bots_holds(bots: Long, tmp_path: Path) -> None:
    """Both programs, drawn battles among what they check."""
    where = bots.publish(tmp_path / "site")
    found = verify(str(where))
    assert found.holds, [one.faults for one in found.all]
    answer = alone(where)
    assert answer.returncode == 0, answer.stdout
    assert ", 0 drawn battles" not in answer.stdout


def points(body: Body) -> None:
    seat = min(body["position"]["players"])
    body["position"]["players"][seat]["score"] += 1


def table(body: Body) -> None:
    body["standings"][0][2] += 1


def fate(body: Body) -> None:
    body["fates"][0]["own"]["reason"] = "lapsed"


def order(body: Body) -> None:
    body["orders"][0]["orders"] = ["pass"]


def gone(body: Body) -> None:
    body["orders"].pop()
    body["fates"].pop()


def figure(body: Body) -> None:
    next(row for row in body["evidence"] if row["figure"] == "dax_close")["value"] = "15077.50"


def start(body: Body) -> None:
    seat = max(body["start"]["players"])
    body["start"]["players"][seat]["score"] += 5


def options(body: Body) -> None:
    body["rules"] = {**body["rules"], "options": {**body["rules"]["options"], "debt": "stop_at_zero"}}


def root(body: Body) -> None:
    body["freeze"]["root"] = "0" * 64


def leaf(body: Body) -> None:
    body["freeze"]["leaves"][0] = "0" * 64


def last_week(body: Body) -> None:
    row = next(row for row in body["evidence"] if row["figure"] == "lotto")
    row["day"] = (date.fromisoformat(row["day"]) - timedelta(days=7)).isoformat()


CHEATS: dict[str, tuple[Callable[[Body], None], str, str]] = {
    "points given": (points, "rounds", "position.players."),
    "another table": (table, "rounds", "standings"),
    "another fate": (fate, "rounds", "fates"),
    "an order changed": (order, "freezes", "freeze.leaves"),
    "an order dropped": (gone, "freezes", "freeze.leaves"),
    "another figure": (figure, "rounds", "events"),
    "last week's lottery": (last_week, "rounds", "evidence["),
    "another start": (start, "positions", "start"),
    "other options": (options, "chain", "rules.options"),
    "another root": (root, "freezes", "freeze.root"),
    "another leaf": (leaf, "freezes", "freeze.leaves"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_signed_cheat_is_found(cheat: str, long: Long, tmp_path: Path) -> None:
    """Records changed by who has the key, with all hashes and signatures made anew: the first fault is where it was."""
    how, check, field = CHEATS[cheat]
    long.change(3, how)
    where = long.publish(tmp_path / "site", pages=False)
    found = league_of(where)
    faults = [fault for fault in found.faults if fault.check != "pages"]
    assert any(fault.check == check and fault.round == 3 and fault.field.startswith(field) for fault in faults), faults
    assert min(fault.round or 0 for fault in faults) == 3
    if check == "freezes":
        assert "records/0003-v1.json: freeze." in alone(where).stdout


def test_a_loaded_die_is_found_without_the_rules(long: Long, tmp_path: Path) -> None:
    """A drawn battle given to somebody else: verify.py rolls the dice again."""
    number, event = next(
        (body["round"], event)
        for body in long.bodies[1:]
        for event in body["events"]
        if event["type"] == "battle" and event["how"] == "drawn"
    )
    event["winner"] = next(seat for seat in event["fighters"] if seat != event["winner"])
    answer = alone(long.publish(tmp_path / "site", pages=False))
    assert f"records/{number:04d}-v1.json: events: the dice give {event['country']} to" in answer.stdout
    assert answer.returncode == 1


def test_a_chain_with_new_hashes_and_no_signature_is_found(long: Long, tmp_path: Path) -> None:
    """Somebody without the key rewrites history: hashes hold, the signatures don't."""
    long.change(3, points)
    long.seed = OTHER
    where = long.publish(tmp_path / "site", pages=False)
    found = league_of(where)
    wrong = {(fault.file, fault.field) for fault in found.faults if fault.check == "signatures"}
    assert wrong == {("records/checkpoint", "signature"), ("manifest", "signature")}
    assert alone(where).returncode == 1


def test_dropped_records_are_found(long: Long, tmp_path: Path) -> None:
    """The last ones taken away, by who hasn't the key: the checkpoint counts more."""
    where = long.publish(tmp_path / "site", pages=False)
    (where / SLUG / "records" / "0006-v1.json").unlink()
    found = league_of(where)
    assert ("signatures", "records/checkpoint", None, "line 2") in places(found)
    assert "it isn't of these 6 records" in alone(where).stdout


def test_a_round_left_out_is_found(long: Long, tmp_path: Path) -> None:
    """By who has the key: the round before it is missing, and the next one starts from elsewhere."""
    del long.bodies[3]
    found = league_of(long.publish(tmp_path / "site", pages=False))
    assert ("positions", "records/0004-v1.json", 4, "round") in places(found)


def test_swapped_rounds_are_found(long: Long, tmp_path: Path) -> None:
    """Two rounds in the wrong order: neither starts where the one before ended."""
    long.bodies[2], long.bodies[3] = long.bodies[3], long.bodies[2]
    found = league_of(long.publish(tmp_path / "site", pages=False))
    assert ("positions", "records/0003-v1.json", 3, "round") in places(found)
    assert found.first is not None
    assert found.first.check == "positions"


def test_two_histories_are_found(long: Long, tmp_path: Path) -> None:
    """Two records that follow the same one: whichever is right, one shouldn't be there."""
    where = long.publish(tmp_path / "site", pages=False)
    body = deepcopy(long.bodies[-1])
    points(body)
    second = chain.seal(body, long.records()[-2].sha256)
    (where / SLUG / "records" / "0006-v9.json").write_bytes(second.json)
    assert "follows the same record" in " ".join(fault.what for fault in league_of(where).faults)
    assert "it follows the same record as" in alone(where).stdout


def test_a_page_that_says_something_else_is_found(long: Long, tmp_path: Path) -> None:
    """Points on a page that aren't the record's, under a manifest that is signed for it."""
    where = long.publish(tmp_path / "site")
    page = where / SLUG / "nl" / "round-4.html"
    score = next(str(row[2]) for row in long.bodies[4]["standings"])
    text = page.read_text().replace(f'<td class="num strong">{score}</td>', f'<td class="num strong">{score}9</td>')
    page.unlink()
    page.write_text(text)
    resign(where)
    found = league_of(where)
    assert places(found) == [("pages", "nl/round-4.html", 4, "standings")]


# ------------------------------------------------------------------ corrections


def corrected(long: Long, number: int, mode: str) -> Body:
    """A second version of a round with another DAX close, at the end of the chain."""
    old = next(body for body in long.bodies if body.get("round") == number)
    body = deepcopy(old)
    figure(body)
    row = next(row for row in body["evidence"] if row["figure"] == "dax_close")
    row |= {"status": "corrected", "source": "paper", "reason": "a typo"}
    body |= recompute(body)
    at_ = {"act": "draw correct", "by": "organizer", "why": "a typo", "at": body["evaluated"], "mode": mode}
    index = long.bodies.index(old)
    body |= {"version": 2, "supersedes": long.records()[index].sha256, "correction": at_}
    long.bodies.append(body)
    return body


def test_a_corrected_last_round_holds(long: Long, tmp_path: Path) -> None:
    """A second version supersedes the first, both are published, and the page shows the second."""
    corrected(long, 6, "recompute")
    found = league_of(long.publish(tmp_path / "site"))
    assert found.holds, found.faults
    assert ("corrected", 6) in {(note["code"], note["round"]) for note in found.notes}


def test_later_rounds_evaluated_again_hold(long: Long, tmp_path: Path) -> None:
    """`recompute`: each later round has a second version that starts where the one before it ends now."""
    position = corrected(long, 4, "recompute")["position"]
    for number in (5, 6):
        index, old = next((i, body) for i, body in enumerate(long.bodies) if body.get("round") == number)
        body = {**deepcopy(old), "start": position, "cause": 4}
        body |= recompute(body)
        body |= {"version": 2, "supersedes": long.records()[index].sha256, "correction": long.bodies[7]["correction"]}
        long.bodies.append(body)
        position = body["position"]
    found = league_of(long.publish(tmp_path / "site", pages=False))
    assert [fault for fault in found.faults if fault.check != "pages"] == []


def test_orders_changed_in_a_correction_are_found(long: Long, tmp_path: Path) -> None:
    """No correction may touch what was sealed: the second version has the first one's orders and freeze."""
    corrected(long, 6, "recompute")
    gone(long.bodies[-1])
    found = league_of(long.publish(tmp_path / "site", pages=False))
    assert ("positions", "records/0006-v2.json", 6, "orders") in places(found)


def test_a_correction_that_names_no_version_is_found(long: Long, tmp_path: Path) -> None:
    """A record of a round that was sealed already, without saying which it supersedes."""
    corrected(long, 6, "recompute")
    del long.bodies[-1]["supersedes"]
    found = league_of(long.publish(tmp_path / "site", pages=False))
    assert ("positions", "records/0006-v2.json", 6, "supersedes") in places(found)


# ------------------------------------------------------------------ saved mails


def saved(path: Path, target: Path, kind: str, name: str) -> Path:
    """A mail as a player's program saves it."""
    target.write_bytes(outbox(path, kind, name)[-1].raw)
    return target


def test_saved_mails_hold(played: Path, tmp_path: Path) -> None:
    """A receipt, the mail with the leaves and the report, as files, as an mbox and as a Maildir."""
    kinds = [saved(played, tmp_path / f"{kind}.eml", kind, "Benedikt") for kind in ("receipt", "freeze", "report")]
    found = verify(str(played), kinds)
    assert found.holds
    assert told(found, "spring").checked["mails"] == 3
    box = tmp_path / "box"
    box.write_bytes(b"".join(b"From league\n" + file.read_bytes().replace(b"\r\n", b"\n") + b"\n\n" for file in kinds))
    assert told(verify(str(played), [box]), "spring").checked["mails"] == 3
    assert told(verify(str(played), [played / "mail" / "out"]), "spring").checked["mails"] == 18


def test_a_folder_of_saved_mails_is_read(played: Path, tmp_path: Path) -> None:
    """Files out of a mail program, an mbox and a Maildir below them; what is no mail is left alone."""
    folder = tmp_path / "saved"
    (folder / "old").mkdir(parents=True)
    for kind in ("receipt", "freeze"):
        saved(played, folder / f"{kind}.eml", kind, "Benedikt")
    report = outbox(played, "report", "Benedikt")[-1].raw.replace(b"\r\n", b"\n")
    (folder / "old" / "Inbox").write_bytes(b"From league\n" + report + b"\n")
    copytree(played / "mail" / "out", folder / "old" / "Maildir")
    (folder / "notes.txt").write_text("what I think of it\n")
    (folder / ".hidden").write_bytes(b"\0")
    found = verify(str(played), [folder])
    assert found.holds
    assert told(found, "spring").checked["mails"] == 3 + 18
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no file in this folder is a mail"):
        verify(str(played), [tmp_path / "empty"])
    with pytest.raises(Refused, match="say with --against"):
        verify(str(folder))


def test_a_forwarded_mail_is_read(played: Path, tmp_path: Path) -> None:
    """Quoted with `>`, below somebody's words: the check sums are the same."""
    text = outbox(played, "receipt", "Annegret")[-1].text
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    file = tmp_path / "forwarded.eml"
    file.write_bytes(letter("Benedikt", f"Look at this:\n\n{quoted}"))
    found = verify(str(played), [file])
    assert (found.holds, told(found, "spring").checked["mails"]) == (True, 1)


def rewritten(long: Long, tmp_path: Path) -> Path:
    """The whole league made anew by who has the key, with another order in round 3."""
    long.change(3, lambda body: body.update(long_without(body)))
    for before, after in zip(long.bodies[3:], long.bodies[4:], strict=False):
        after["start"] = before["position"]
        after.update(recompute(after))
    return long.publish(tmp_path / "forged", pages=False)


def long_without(body: Body) -> Body:
    rows = body["orders"][:-1]
    leaves = sorted(leaf_of(body, row) for row in rows)
    made = {**body, "orders": rows, "freeze": {"root": root_over(leaves), "leaves": leaves, "late": False}}
    return {**made, **recompute(made)}


def mail_of(lines: list[str], file: Path) -> Path:
    file.write_bytes(letter("league", "\n".join(f"# {line}" for line in lines) + "\n"))
    return file


def test_a_league_made_anew_is_convicted_by_mails(long: Long, bots: Long, tmp_path: Path) -> None:
    """Everything recomputed and signed again: by itself it holds, but a player's three mails say otherwise."""
    where = rewritten(long, tmp_path)
    assert [fault for fault in league_of(where).faults if fault.check != "pages"] == []
    third = bots.bodies[3]
    record = bots.records()[3]
    row = third["orders"][-1]
    about = f"{SLUG} {MATCH} 3"
    moment = datetime.fromisoformat(row["received_at"])
    given = Receipt(SLUG, MATCH, 3, row["seat"], 1, moment, row["nonce"], leaf_of(third, row))
    made = sign(SEED, given.payload())
    receipt = [f"of {about} {row['seat']} 1 {row['received_at']}", f"leaf {given.leaf}", f"nonce {given.nonce}"]
    receipt += ["signature", made[:64], made[64:]]
    freeze = [f"of {about}", "root", third["freeze"]["root"], "8 leaves", *third["freeze"]["leaves"]]
    signature = Checkpoint(SLUG, MATCH, 4, record.sha256).signature(SEED)
    report = [f"of {about}", "root", third["freeze"]["root"], "record SHA-256", record.sha256, "checkpoint 4"]
    report += [signature[:64], signature[64:]]
    mails = [mail_of(lines, tmp_path / f"{n}.eml") for n, lines in enumerate((receipt, freeze, report))]
    honest = verify(str(bots.publish(tmp_path / "honest", pages=False)), mails)
    assert [fault for fault in told(honest, SLUG).faults if fault.check == "mails"] == []
    found = told(verify(str(where), mails), SLUG)
    assert [(Path(f.file).stem, f.round, f.field) for f in found.faults if f.check == "mails"] == [
        ("0", 3, "leaf"),
        ("0", 3, "leaf"),
        ("1", 3, "root"),
        ("2", 3, "record SHA-256"),
    ]


@pytest.mark.parametrize("kind", ["receipt", "freeze", "report"])
def test_a_forged_mail_is_found(kind: str, played: Path, tmp_path: Path) -> None:
    """Nobody can accuse the organizer with a mail that he changed himself: receipts and reports are signed."""
    text = outbox(played, kind, "Benedikt")[-1].text
    head = {"receipt": "# leaf ", "freeze": "# root\n# ", "report": "# record SHA-256\n# "}[kind]
    place = text.index(head) + len(head)
    file = tmp_path / "forged.eml"
    file.write_bytes(letter("league", text[:place] + ("0" if text[place] != "0" else "1") + text[place + 1 :]))
    found = told(verify(str(played), [file]), "spring")
    field = {"receipt": "signature", "freeze": "root", "report": "record SHA-256"}[kind]
    assert [(fault.check, fault.field) for fault in found.faults] == [("mails", field)]


def test_mails_of_other_leagues_and_of_none(played: Path, tmp_path: Path) -> None:
    """A league that isn't published there is a fault; a mail without our lines is told of."""
    text = outbox(played, "freeze", "Benedikt")[-1].text.replace("# of spring spring-1", "# of summer summer-1")
    (tmp_path / "other.eml").write_bytes(letter("league", text))
    (tmp_path / "none.eml").write_bytes(letter("league", "Hello"))
    found = told(verify(str(played), [tmp_path / "other.eml", tmp_path / "none.eml"]))
    assert [(fault.check, fault.field) for fault in found.faults] == [("mails", "of")]
    assert [note["code"] for note in found.notes] == ["silent_mails"]
    assert not verify(str(played), [tmp_path / "none.eml"]).holds


# ------------------------------------------------------------------ strangers' bytes


ODD: tuple[Any, ...] = (None, 0, -1, 2**40, "", "x", [], {}, [None], {"a": []}, [[]], True)


def test_odd_records_are_told_and_nothing_more(long: Long, tmp_path: Path) -> None:
    """Each key of a round's record given something odd, or taken away: a fault, and never a traceback."""
    whole = long.bodies[3]
    names = sorted({*whole, "correction", "supersedes"} - {"kind", "league", "match", "round"})
    for place, name in enumerate(names):
        for value in [*ODD[place % 3 :: 3], "gone"]:
            long.bodies[3] = {**deepcopy(whole), name: value}
            if value == "gone":
                del long.bodies[3][name]
            where = long.publish(tmp_path / "odd", pages=False)
            found = league_of(where)
            assert verifier.main([str(where)]) in {0, 1}
            if name not in {"evaluated", "joined", "left", "void", "over", "next_ends", "correction", "supersedes"}:
                assert any(fault.round == 3 for fault in found.faults), (name, value)


BYTES = {
    "nothing": b"",
    "no JSON": b"{",
    "deep": b"[" * 100_000,
    "a list": b"[]",
    "a fraction": b'{"previous":1.5}',
    "no number": b'{"previous":NaN}',
    "a huge number": b'{"previous":' + b"9" * 6000 + b"}",
    "half a pair": b'{"previous":"\\ud800"}',
    "no UTF-8": b'{"previous":"\xff"}',
    "spaces": b'{ "previous":""}',
    "twice": b'{"a":1,"a":1}',
    "an odd key": '{"ü":1}'.encode(),
}


@pytest.mark.parametrize("kind", BYTES)
def test_bytes_that_are_no_record_are_told(kind: str, bots: Long, tmp_path: Path) -> None:
    """Whatever a file among the records holds, it is named as the one that can't be read."""
    where = bots.publish(tmp_path / "site", pages=False)
    (where / SLUG / "records" / "0003-v1.json").unlink()
    (where / SLUG / "records" / "0003-v1.json").write_bytes(BYTES[kind])
    resign(where)
    found = league_of(where)
    assert ("chain", "records/0003-v1.json", None, "") in places(found)
    assert "records/0003-v1.json" in alone(where).stdout


@pytest.mark.parametrize("path", ["../../secret", "/etc/passwd", "a/../../secret", "a//b", ".", "\\x"])
def test_paths_of_a_manifest_lead_nowhere(path: str, bots: Long, tmp_path: Path) -> None:
    """A signed manifest that names something outside: it isn't opened, and told."""
    where = bots.publish(tmp_path / "site", pages=False)
    (where.parent / "secret").write_text("secret")
    (where / "manifest").unlink()
    (where / "manifest").write_bytes(seal_manifest("", {path: "0" * 64}, SEED))
    site = told(verify(str(where)))
    assert any("no path that could be published" in fault.what for fault in site.faults)
    assert alone(where).returncode == 1


def test_links_are_not_followed(bots: Long, tmp_path: Path) -> None:
    """A link to a file or a folder elsewhere, a pipe: named, and never opened."""
    where = bots.publish(tmp_path / "site", pages=False).resolve()
    (tmp_path / "secret.json").write_text("{}")
    (where / SLUG / "records" / "0007-v1.json").symlink_to(tmp_path / "secret.json")
    (where / SLUG / "more").symlink_to(tmp_path)
    os.mkfifo(where / SLUG / "pipe")
    found = league_of(where)
    strange = {fault.file for fault in found.faults if "no plain file" in fault.what}
    assert strange == {f"{SLUG}/records/0007-v1.json", f"{SLUG}/more", f"{SLUG}/pipe"}
    answer = alone(where)
    assert answer.returncode == 1
    assert all(f"BROKEN {SLUG}/{name}" in answer.stdout for name in ("records/0007-v1.json", "more", "pipe"))


def test_a_file_too_big_is_not_read(bots: Long, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit it is told, whatever the manifest says of it."""
    where = bots.publish(tmp_path / "site", pages=False)
    monkeypatch.setattr(published, "MOST", 4_000)
    assert any("more than 4000 bytes" in fault.what for fault in league_of(where).faults)


# ------------------------------------------------------------------ over HTTP


@dataclass
class Served:
    """A web server of a published folder, honest or not."""

    url: str
    asked: list[str]
    answers: dict[str, tuple[int, dict[str, str], bytes]]
    passwords: list[str] = field(default_factory=list)


@pytest.fixture
def served(played: Path) -> Iterator[Served]:
    """The played site on a server of its own."""
    root = (played / "public").resolve()
    made = Served("", [], {})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            made.passwords += self.headers.get_all("Authorization", [])
            file = root / self.path.lstrip("/")
            code, headers, body = made.answers.get(self.path) or (
                (200, {}, file.read_bytes()) if file.is_file() else (404, {}, b"")
            )
            self.send_response(code)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_verified(served: Served, played: Path) -> None:
    """The site, and one league by the address of its page; every file is asked for once."""
    assert verify(served.url).holds
    files = [name for name in served.asked if not name.endswith("manifest")]
    there = [file for file in (played / "public").resolve().rglob("*") if file.is_file() and file.name != "manifest"]
    assert len(files) == len({*files}) == len(there)
    found = verify(f"{served.url}spring/index.html", [played / "mail" / "out"])
    assert told(found, "spring").holds


def test_an_address_that_changed_something_is_found(served: Served) -> None:
    """A file that is another one on the web, and one that isn't there."""
    served.answers["/spring/records/0001-v1.json"] = (200, {}, b"{}")
    served.answers["/spring/card.html"] = (404, {}, b"")
    files = {fault.file for fault in told(verify(served.url), "spring").faults if fault.check == "files"}
    assert files == {"spring/records/0001-v1.json", "spring/card.html"}


def test_no_other_host_is_asked(served: Served) -> None:
    """A redirect on the same server is followed, one to another server isn't, and a circle ends."""
    served.answers["/spring/card.html"] = (302, {"Location": "/autumn/card.html"}, b"")
    served.answers["/style.css"] = (302, {"Location": "http://localhost:1/style.css"}, b"")
    served.answers["/verify.py"] = (302, {"Location": "/verify.py"}, b"")
    found = verify(served.url)
    whats = {fault.file: fault.what for fault in told(found).faults}
    assert "another one (localhost)" in whats["style.css"]
    assert "from address to address" in whats["verify.py"]
    assert "/autumn/card.html" in served.asked


def test_no_password_is_sent(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a .netrc has for the server stays where it is."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login anna password secret\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    assert verify(f"{served.url}spring/").holds
    assert served.asked
    assert served.passwords == []


def test_a_server_that_never_ends_is_left(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """More bytes than a file may have."""
    monkeypatch.setattr(published, "MOST", 50_000)
    served.answers["/spring/index.html"] = (200, {}, b"x" * 60_000)
    whats = {fault.file: fault.what for fault in told(verify(served.url), "spring").faults}
    assert "more than 50000 bytes" in whats["spring/index.html"]


# ------------------------------------------------------------------ the command


def test_the_command_says_what_holds(played: Path) -> None:
    """One screen, and exit code 0."""
    done = CliRunner().invoke(cli, ["verify", str(played / "public")], standalone_mode=False)
    assert (done.return_value, done.exception) == (0, None)
    assert "spring: 2 rounds in 3 records, head " in done.output
    assert "BROKEN" not in done.output
    assert len(done.output.splitlines()) < 30


def test_the_command_says_what_breaks(long: Long, tmp_path: Path) -> None:
    """The first place, with file, round and field, and exit code 1."""
    long.change(3, points)
    where = long.publish(tmp_path / "site", pages=False)
    done = CliRunner().invoke(cli, ["verify", str(where / SLUG)], standalone_mode=False)
    assert done.return_value == 1
    assert "first place that breaks: records/0003-v1.json, round 3, position.players." in done.output


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["verify"], "Missing argument"),
        (["verify", "nowhere"], "no such file or folder"),
        (["verify", "a", "b"], "one published place at a time"),
        (["verify", "mail.eml"], "say with --against"),
        (["verify", "mail.eml", "--against", "nowhere"], "no such file or folder"),
    ],
)
def test_the_command_is_used_right(
    args: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can't be meant is told, with exit code 2."""
    monkeypatch.chdir(tmp_path)
    Path("mail.eml").write_bytes(letter("league", "x"))
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 2
    assert words in done.output


def test_a_folder_that_is_no_league_is_refused(tmp_path: Path) -> None:
    """Nothing published there: a sentence, by both programs."""
    done = CliRunner().invoke(cli, ["verify", str(tmp_path)])
    assert done.exit_code == 1
    assert "no published site or league" in str(done.exception)
    (tmp_path / "site").mkdir()
    answer = alone(tmp_path / "site")
    assert answer.returncode == 2
    assert "holds no published league" in answer.stderr


def test_the_verifier_needs_nothing_of_ours() -> None:
    """verify.py imports the standard library and `cryptography`, and is published as it lies in the package."""
    source = Path(verifier.__file__).read_text(encoding="utf-8")
    imported = {
        line.split()[1].partition(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))
    }
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}


def test_the_two_write_the_same_canonical_json() -> None:
    """Where records are concerned, the verifier's few lines and RFC 8785 agree to the byte."""
    values: list[Any] = [{"b": [1, None, True], "a": 'é"\\\n\x01\x7f\u2028'}, [], {}, "x", [2**53 - 1, -5, {"": {}}]]
    for value in values:
        assert verifier.canonical(value) == canonical(value)


def test_the_keys_of_the_tests_are_two() -> None:
    """A forger's key is another one."""
    assert public_key(SEED) != public_key(OTHER)
    assert json.loads(Long.played(1, "greedy*2").records()[0].json)["public_key"] == public_key(SEED)
