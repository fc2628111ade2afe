"""A new signing key: every chain says so, what was signed before still holds, and a crash changes nothing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import Refused
from league.desk.acts.signing_key import rotate_key, show_key
from league.desk.pages.publish_pages import publish_now
from league.failpoints import KILLED
from league.records.chain import check_chain
from league.records.freeze import public_key, verified
from league.records.manifest import read_manifest
from league.records.note import read_checkpoint, read_note, signed_by
from league.records.rotation import KIND, key_faults
from tests.desk.forks import Forks
from tests.desk.sites import (
    add_league,
    at,
    copy,
    drop,
    league,
    letter,
    mail_run,
    opened,
    outbox,
    public,
    rows,
    run,
    sealed,
)

MONDAY, TUESDAY, FRIDAY = at("2024-01-01 12:00"), at("2024-01-02 12:00"), at("2024-01-05 08:00")
WHY = "the old computer was stolen"


def rotated(path: Path, when: Any = TUESDAY, why: str = WHY) -> dict[str, Any]:
    site = opened(path, when)
    told = rotate_key(site, why)
    site.engine.dispose()
    return dict(told)


def key_of(path: Path) -> str:
    site = opened(path, FRIDAY)
    found = public_key(site.signing_seed)
    site.engine.dispose()
    return found


def signature_of(path: Path, name: str) -> tuple[str, str]:
    """Leaf and signature of a player's receipt."""
    text = outbox(path, "receipt", name)[-1].text
    leaf, made = re.search(r"# leaf (\w+)", text), re.search(r"# signature\n((?:# [\w+/=]+\n)+)", text)
    assert leaf
    assert made
    return leaf[1], made[1].replace("# ", "").replace("\n", "")


@pytest.fixture
def two(spring: Path) -> Path:
    """A site of two leagues."""
    add_league(spring, "autumn", ("Dirk", "Eva"))
    return spring


def test_every_chain_names_the_new_key(two: Path) -> None:
    """One record in each match, behind what was sealed before, signed by the old key and the new one."""
    before = key_of(two)
    told = rotated(two)
    assert (told["replaces"], told["public_key"], told["matches"]) == (before, key_of(two), 2)
    assert told["public_key"] != before
    for match in (1, 2):
        chain = sealed(two, match)
        assert [(record.kind, record.file) for record in chain] == [
            ("round", "0000-v1.json"),
            (KIND, "key-0001-v1.json"),
        ]
        assert check_chain([record.body for record in chain]) == ()
        body = json.loads(chain[1].body)
        assert (body["why"], body["public_key"], body["number"]) == (WHY, told["public_key"], 1)
        assert key_faults(body, before) == ()
        assert key_faults(body, told["public_key"]) == ("replaces: it isn't the key that was in force before",)
        assert key_faults({**body, "why": "another"}, before) == (
            "signatures.old: it isn't by that key",
            "signatures.new: it isn't by that key",
        )


def test_the_signatures_pin_the_place_in_the_chain(spring: Path) -> None:
    """Behind another record the same signatures hold no more, nor do those of a key that is none."""
    before = key_of(spring)
    rotated(spring)
    body = json.loads(sealed(spring)[1].body)
    assert key_faults({**body, "previous": "0" * 64}, before) != ()
    assert key_faults({**body, "public_key": "nonsense"}, before) != ()
    assert key_faults({**body, "signatures": None}, before) == ("signatures: they are missing",)


def test_receipts_are_signed_with_the_key_in_force(spring: Path) -> None:
    """A receipt before the change verifies with the old key, one after it with the new one, and the round is sealed."""
    old = key_of(spring)
    drop(spring, letter("Anna", "join Island"), MONDAY)
    mail_run(spring, MONDAY)
    leaf, made = signature_of(spring, "Anna")
    new = rotated(spring)["public_key"]
    drop(spring, letter("Anna", "join Portugal"), at("2024-01-03 10:00"))
    mail_run(spring, FRIDAY)
    later, again = signature_of(spring, "Anna")
    payloads = {row["leaf"]: row for row in rows(spring, "SELECT * FROM submission ORDER BY revision")}
    assert set(payloads) == {leaf, later}
    for which, signature, good, bad in ((leaf, made, old, new), (later, again, new, old)):
        row = payloads[which]
        moment = row["received_at"].replace(" ", "T")[:19] + "Z"
        payload = json.dumps(
            {"kind": "league-receipt-1", "leaf": which, "league": "spring", "match": "spring-1", "nonce": row["nonce"]}
            | {"received_at": moment, "revision": row["revision"], "round": 1, "seat": "s1"},
            separators=(",", ":"),
        ).encode()
        assert verified(good, payload, signature)
        assert not verified(bad, payload, signature)


def test_pages_are_signed_anew(two: Path) -> None:
    """With the next publication checkpoint and manifests of every league are under the new key."""
    site = opened(two, MONDAY)
    publish_now(site, ())
    site.engine.dispose()
    old, new = key_of(two), rotated(two)["public_key"]
    assert "spring/records/key-0001-v1.json" not in public(two)
    run(two, TUESDAY)
    files = public(two)
    for slug in ("spring", "autumn"):
        assert f"{slug}/records/key-0001-v1.json" in files
        note = read_note(files[f"{slug}/records/checkpoint"])
        assert note is not None
        checkpoint = read_checkpoint(note)
        assert checkpoint is not None
        assert checkpoint.size == 2
        assert signed_by(note, checkpoint.origin, new)
        assert not signed_by(note, checkpoint.origin, old)
    for name in ("manifest", "spring/manifest", "autumn/manifest"):
        manifest = read_manifest(files[name])
        assert manifest is not None
        assert (manifest.key, manifest.signed_by(new)) == (new, True)


def test_a_league_that_begins_later_begins_with_the_new_key(spring: Path) -> None:
    """Its opening record names the key in force, and needs no record of the change."""
    new = rotated(spring)["public_key"]
    add_league(spring, "autumn", ("Dirk", "Eva"), now=TUESDAY)
    assert json.loads(sealed(spring, 2)[0].body)["public_key"] == new


def test_keys_follow_each_other(spring: Path) -> None:
    """Each change replaces the key before it; `key show` tells them all with their reasons."""
    first = key_of(spring)
    second = rotated(spring)["public_key"]
    third = rotated(spring, at("2024-01-03 12:00"), "to be sure")["public_key"]
    site = opened(spring, FRIDAY)
    told = show_key(site)
    assert (told["public_key"], told["since"]) == (third, "2024-01-03T12:00:00Z")
    assert isinstance(told["earlier"], list)
    assert [(row["public_key"], row["why"]) for row in told["earlier"] if isinstance(row, dict)] == [
        (first, WHY),
        (second, "to be sure"),
    ]
    bodies = [json.loads(record.body) for record in sealed(spring)]
    assert [body["number"] for body in bodies[1:]] == [1, 2]
    assert key_faults(bodies[1], first) == key_faults(bodies[2], second) == ()


@pytest.mark.parametrize("why", ["", "  ", "two\nlines"])
def test_a_new_key_needs_a_reason(spring: Path, why: str) -> None:
    """Without one, or with one of several lines, nothing changes."""
    before = key_of(spring)
    site = opened(spring, TUESDAY)
    with pytest.raises(Refused, match="reason"):
        rotate_key(site, why)
    assert key_of(spring) == before


def test_a_lost_key_is_told(spring: Path) -> None:
    """Without the file of later keys nothing is signed with an older one by mistake."""
    rotated(spring)
    (spring / "secrets" / "signing.key").unlink()
    site = opened(spring, FRIDAY)
    with pytest.raises(Refused, match=r"signing\.key lacks the key"):
        site.require_key()


def test_the_keys_are_readable_by_their_owner_alone(spring: Path) -> None:
    """The file has mode 0600, one line a key, and nothing beside it."""
    rotated(spring)
    rotated(spring, FRIDAY)
    file = spring / "secrets" / "signing.key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [len(line) for line in file.read_text().splitlines()] == [64, 64]
    assert sorted(path.name for path in file.parent.iterdir()) == ["signing.key", "site.key"]


@pytest.mark.parametrize("place", ["key.written", "key.before_commit", "key.after_commit"])
def test_killed_while_changing_the_key(place: str, two: Path, processes: Forks, tmp_path: Path) -> None:
    """Killed anywhere: the site goes on with one key, the old or the new, and never makes two out of one change."""
    path = copy(two, tmp_path / "killed")
    before = key_of(path)
    command = ("key", "rotate", "--why", WHY)
    assert processes.league(path, TUESDAY, *command, LEAGUE_FAILPOINT=place).code == KILLED
    done = place == "key.after_commit"
    assert (key_of(path) != before) is done
    if not done:
        left = (path / "secrets" / "signing.key").read_text()
        again = processes.league(path, TUESDAY, *command)
        assert again.code == 0, again.err
        assert (path / "secrets" / "signing.key").read_text() == left
    assert [len(sealed(path, match)) for match in (1, 2)] == [2, 2]
    assert len(rows(path, "SELECT * FROM journal WHERE act = 'key rotate'")) == 1
    assert json.loads(sealed(path, 1)[1].body)["public_key"] == key_of(path)


def test_the_commands_tell_the_public_key(spring: Path) -> None:
    """`key rotate` and `key show` print it, in JSON too, and no secret."""
    told = league(spring, TUESDAY, "key", "rotate", "--why", WHY, "--json")
    shown = league(spring, TUESDAY, "key", "show", "--json")
    assert (told.returncode, shown.returncode) == (0, 0)
    new = json.loads(told.stdout)["public_key"]
    assert json.loads(shown.stdout)["public_key"] == new
    words = league(spring, TUESDAY, "key", "show").stdout
    assert words.startswith(f"{new}  in force since 2024-01-02T12:00:00Z\n")
    assert WHY in words
    secret = (spring / "secrets" / "signing.key").read_text().strip()
    assert secret not in told.stdout + shown.stdout + words
