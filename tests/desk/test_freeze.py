"""Freeze, receipts and records: what a player can check with a Python and nothing of ours (DESIGN: Freeze, Chance)."""

import json
import quopri
import re
from base64 import b64decode, b64encode
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from sqlalchemy import Connection

from league.desk.inbox.accept_mail import Accepted, accept_mail
from league.desk.leagues.turns import from_record
from league.desk.run.freeze_rounds import freeze_rounds
from league.records.chain import check_chain
from league.storage import engine as database
from league.storage.mails import Mail, NewMail, store_mails, unjudged
from tests.desk.sites import (
    Out,
    add_league,
    at,
    bodies,
    copy,
    drop,
    figures,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    run,
    sealed,
)

NAMES = ("Annegret", "Benedikt", "Carlotta")
SECRETS = {"Annegret": "biete 13 auf Prag", "Benedikt": "take Spain", "Carlotta": "neem Rome"}
FRIDAY, WEDNESDAY, THURSDAY_LATE, SUNDAY = (
    at("2024-01-05 08:00"),
    at("2024-01-10 12:00"),
    at("2024-01-12 01:00"),
    at("2024-01-14 08:00"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds; the second with moves, a bid and a resend."""
    path = make_site(tmp_path_factory.mktemp("played") / "site")
    add_league(path, names=NAMES)
    for name, country in zip(NAMES, ("Island", "Portugal", "France"), strict=True):
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, FRIDAY)
    for name, text in SECRETS.items():
        drop(path, letter(name, f"{text}\npass" if name == "Annegret" else text), at("2024-01-10 10:00"))
    drop(path, letter("Benedikt", "take Spain", subject="once more"), at("2024-01-10 11:00"))
    run(path, WEDNESDAY)
    return path


@pytest.fixture(scope="module")
def frozen(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(played, tmp_path_factory.mktemp("frozen") / "site")
    run(path, THURSDAY_LATE)
    return path


@pytest.fixture(scope="module")
def done(frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(frozen, tmp_path_factory.mktemp("done") / "site")
    figures(path, SUNDAY)
    run(path, SUNDAY)
    return path


def jcs(value: Any) -> bytes:
    """RFC 8785 for what a leaf holds: strings and small numbers."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def block(out: Out) -> tuple[dict[str, Any], str]:
    """What a receipt signs and the signature, read from the mail's text alone."""
    leaf = re.search(r"^# leaf ([0-9a-f]{64})$", out.text, re.MULTILINE)
    nonce = re.search(r"^# nonce ([0-9a-f]{32})$", out.text, re.MULTILINE)
    signature = re.search(r"^# signature\n((?:# [A-Za-z0-9+/=]+\n)+)", out.text, re.MULTILINE)
    about = re.search(r"^# of (\S+) (\S+) (\d+) (s\d+) (\d+) (\S+Z)$", out.text, re.MULTILINE)
    assert leaf
    assert nonce
    assert signature
    assert about
    keys = ("league", "match", "round", "seat", "revision", "received_at")
    named = {key: int(value) if value.isdigit() else value for key, value in zip(keys, about.groups(), strict=True)}
    sign = signature[1].replace("# ", "").replace("\n", "")
    return {**named, "kind": "league-receipt-1", "leaf": leaf[1], "nonce": nonce[1]}, sign


def test_a_receipt_is_signed_by_the_key_of_the_opening_record(done: Path) -> None:
    """With the published key and the mail alone, for every receipt of both rounds."""
    key = Ed25519PublicKey.from_public_bytes(b64decode(bodies(done)[0]["public_key"]))
    receipts = outbox(done, "receipt")
    assert len(receipts) == 7
    for out in receipts:
        signed, signature = block(out)
        assert NAMES[int(signed["seat"][1:]) - 1].lower() in out.to
        key.verify(b64decode(signature), jcs(signed))
        with pytest.raises(InvalidSignature):
            key.verify(b64decode(signature), jcs({**signed, "revision": 9}))


def test_every_receipts_leaf_is_in_freeze_and_record(done: Path) -> None:
    """What was acknowledged was counted: in the freeze mail to everyone, on the page, in the record."""
    leaves = {block(out)[0]["leaf"] for out in outbox(done, "receipt")}
    recorded = {leaf for body in bodies(done)[1:] for leaf in body["freeze"]["leaves"]}
    assert leaves == recorded
    for body in bodies(done)[1:]:
        mails = [o for o in outbox(done, "freeze") if f" {body['round']}:" in o.mail["Subject"]]
        assert len(mails) == 3
        for out in mails:
            shown = re.findall(r"^# ([0-9a-f]{64})$", out.text, re.MULTILINE)
            assert shown == [body["freeze"]["root"], *body["freeze"]["leaves"]]
        assert body["freeze"]["root"] in public(done)[f"spring/round-{body['round']}.html"].decode()


def test_leaves_and_root_are_recomputed_with_the_standard_library(done: Path) -> None:
    """From the published file alone: SHA-256 over JSON."""
    for name, content in public(done).items():
        if not re.fullmatch(r"spring/records/000[12]-v1\.json", name):
            continue
        body = json.loads(content)
        made = [
            sha256(
                jcs(
                    [
                        body["league"],
                        body["match"],
                        body["round"],
                        row["seat"],
                        row["revision"],
                        row["received_at"],
                        row["orders"],
                        row["nonce"],
                    ]
                )
            ).hexdigest()
            for row in body["orders"]
        ]
        assert sorted(made) == body["freeze"]["leaves"]
        assert sha256(jcs(sorted(made))).hexdigest() == body["freeze"]["root"]


def test_records_are_a_chain(done: Path) -> None:
    """Each names the SHA-256 of the file before it; the published files are the books' bytes."""
    published = [content for name, content in sorted(public(done).items()) if "/records/0" in name]
    assert published == [record.body for record in sealed(done)]
    assert check_chain(published) == ()
    for before, after in pairwise(published):
        assert json.loads(after)["previous"] == sha256(before).hexdigest()
    assert check_chain([published[0], published[2]]) != ()


def test_a_record_replayed_gives_what_it_says(done: Path) -> None:
    """Start, orders, evidence and decisions of the record lead to its events, its position and its standings."""
    for body in bodies(done)[1:]:
        table = from_record(body, body["rules"]["options"], body["game"])
        outcome = table.outcome()
        assert outcome.pending == ()
        assert json.loads(json.dumps([dict(e.facts()) for e in outcome.events])) == body["events"]
        assert json.loads(json.dumps(table.game.position(outcome.state))) == body["position"]
        assert [[p.rank, p.seat, p.points] for p in table.game.score(outcome.state)] == body["standings"]


def test_a_freeze_in_time_is_not_marked_and_a_late_one_is(frozen: Path, done: Path, tmp_path: Path) -> None:
    """Frozen after the Friday's close was known: the page and the record say so."""
    assert bodies(done)[2]["freeze"]["late"] is False
    late = make_site(tmp_path / "late")
    add_league(late, names=NAMES)
    drop(late, letter("Annegret", "join Island"), at("2024-01-03 10:00"))
    run(late, at("2024-01-05 16:00"))  # 17:00 in Frankfurt, before the close
    assert bodies(late)[1]["freeze"]["late"] is False
    run(late, at("2024-01-12 18:00"))
    assert rows(late, "SELECT number, frozen_late FROM round WHERE number = 2") == [{"number": 2, "frozen_late": 1}]
    page = public(late)["spring/en/round-2.html"].decode()
    assert page != public(frozen)["spring/en/round-2.html"].decode()
    assert bodies(late)[2]["freeze"]["late"] is True


def test_an_empty_round_has_the_root_of_nothing(spring: Path) -> None:
    """Nobody wrote: `printf '[]' | sha256sum`."""
    mail_run(spring, FRIDAY)
    assert bodies(spring)[1]["freeze"]["root"] == sha256(b"[]").hexdigest()


def test_no_record_names_a_person(done: Path) -> None:
    """Names and addresses stand in no byte of any record, published or in the books; names in files of their own."""
    with_names = {"spring/names.json", "spring/teaser.json"}  # beside the chain, made anew where a name changes
    files = [c for n, c in public(done).items() if n.endswith(".json") and n not in with_names]
    for content in [r.body for r in sealed(done)] + files:
        for name in NAMES:
            assert name.encode() not in content
            assert name.lower().encode() not in content
        assert b"example.org" not in content


def test_no_address_is_published(done: Path) -> None:
    """Players' addresses stand on no page."""
    assert not [name for name, content in public(done).items() if b"example.org" in content]


WORDS = {  # of each secret what no page and no other's mail may hold, in any language
    "Annegret": ("Prag", "Prague", "Praag", "Czech", "Tschech", "Tsjech"),
    "Benedikt": ("Spain", "Spanien", "Spanje", "Madrid"),
    "Carlotta": ("Rome", "Rom ", "Italy", "Italien", "Italië"),
}


@pytest.mark.parametrize("when", ["played", "frozen"])
def test_nobodys_orders_are_seen_before_the_evaluation(when: str, request: pytest.FixtureRequest) -> None:
    """Neither while the round is open nor between freeze and figures: no order or bid in another player's mail.

    Searched in the decoded text and in the bytes as sent, plain and in base64. The report of the round before has a
    map, which names every country.
    """
    path: Path = request.getfixturevalue(when)
    mails = outbox(path)
    assert len(mails) >= 7
    for owner, words in WORDS.items():
        for out in mails:
            if out.to == f"{owner.lower()}@example.org":
                continue
            for word in (SECRETS[owner],) if out.kind == "report" else (*words, SECRETS[owner]):
                assert word.encode() not in quopri.decodestring(out.raw), (owner, out.kind, out.to)
                assert b64encode(word.encode()).rstrip(b"=") not in out.raw


@pytest.mark.parametrize("when", ["played", "frozen"])
def test_the_pages_hold_no_order_before_the_evaluation(when: str, request: pytest.FixtureRequest) -> None:
    """A page of the open or frozen round tells no more than that somebody wrote: it is the page of other orders too.

    Two sites differ in the orders of round 2 alone; every published byte is the same but leaves and root.
    """
    path: Path = request.getfixturevalue(when)
    other = make_site(path.parent / "other")
    add_league(other, names=NAMES)
    for name, country in zip(NAMES, ("Island", "Portugal", "France"), strict=True):
        drop(other, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    run(other, FRIDAY)
    for name, text in zip(NAMES, ("nimm London", "pass", "neem Duitsland\nbied 7 op Wenen"), strict=True):
        drop(other, letter(name, text), at("2024-01-10 10:00"))
    drop(other, letter("Benedikt", "pass", subject="once more"), at("2024-01-10 11:00"))
    run(other, WEDNESDAY)
    if when == "frozen":
        run(other, THURSDAY_LATE)
    hashes = re.compile(rb"[0-9a-f]{64}|\n\xe2\x80\x94 .*")  # and what signs them
    ours, theirs = public(path), public(other)
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert hashes.sub(b"", ours[name]) == hashes.sub(b"", theirs[name]), name


def test_after_the_evaluation_all_orders_are_public(done: Path) -> None:
    """Also those that failed, and the bid (K90)."""
    page = public(done)["spring/en/round-2.html"].decode()
    assert "Spain" in page
    assert "Italy" in page
    assert "Czech Republic" in page


def test_a_mail_that_another_command_has_just_taken_in_is_judged_before_the_freeze(spring: Path) -> None:
    """Kept by `mail read` between a run's last look at the box and its freeze: it arrived in time, so it counts."""
    raw = letter("Annegret", "join Island", sender="anna@example.org")
    site = opened(spring, FRIDAY)
    arrived = at("2024-01-04 22:00")
    with database.write(site.engine) as connection:
        store_mails(connection, [NewMail(sha256(raw).hexdigest(), raw, "-", arrived, arrived)])
    assert freeze_rounds(site, Accepted()).rounds == [("spring", 1)]
    site.engine.dispose()
    assert rows(spring, "SELECT verdict FROM verdict") == [{"verdict": "accepted"}]
    mail_run(spring, FRIDAY)
    assert [row["seat"] for row in bodies(spring)[1]["orders"]] == ["s1"]


def test_a_mail_that_two_commands_look_at_is_judged_by_one(spring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both saw it without a verdict; the second finds the first's, and answers nobody twice."""
    raw = letter("Anna", "join Island\n\npress to all: hello")
    drop(spring, re.sub(rb"Message-ID: [^\r]*\r\n", b"", raw), at("2024-01-03 10:00"))  # no id tells the two apart
    site = opened(spring, at("2024-01-03 11:00"))
    waiting = unjudged

    def slow(connection: Connection, limit: int = 200, until: datetime | None = None) -> tuple[Mail, ...]:
        found = waiting(connection, limit, until)
        monkeypatch.undo()
        mail_run(spring, at("2024-01-03 11:00"))  # the other command, faster
        return found

    monkeypatch.setattr("league.storage.mails.unjudged", slow)
    assert accept_mail(site).verdicts == {}
    site.engine.dispose()
    assert len(outbox(spring, "receipt")) == 1
    assert len(rows(spring, "SELECT * FROM submission")) == 1
    assert len(rows(spring, "SELECT * FROM press")) == 1
