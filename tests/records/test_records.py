import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from json import dumps, loads

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.errors import Broken
from league.records.canonical import canonical, stamp
from league.records.chain import FIRST, SealedRecord, check_chain, seal
from league.records.freeze import (
    Held,
    convicts,
    nonce,
    public_key,
    receipt,
    root,
    sign,
    signing_seed,
    sorted_leaves,
    verified,
)
from league.records.keys import derive, match_secret, message_name

KEY = b"k" * 32
RECEIVED = datetime(2026, 11, 5, 21, 30, 15, tzinfo=UTC)
MAIL = sha256(b"From: anna@example.org\r\n\r\ntake Paris").hexdigest()
HELD = Held(
    "spring",
    "spring-1",
    3,
    "s1",
    1,
    RECEIVED,
    ("take Paris", "Zürich holds"),
    nonce(match_secret(KEY, "spring-1"), MAIL),
)

ascii_keys = st.text(st.characters(max_codepoint=127), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ascii_keys, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_canonical_json_says_the_same(value: object) -> None:
    """What was written is what is read, and writing that again gives the same bytes."""
    content = canonical(value)  # type: ignore[arg-type]
    assert loads(content) == value
    assert canonical(loads(content)) == content


@given(st.dictionaries(ascii_keys, st.integers(0, 9), max_size=6))
def test_ascii_keys_are_sorted_as_any_json_tool_sorts_them(value: dict[str, int]) -> None:
    """For our keys the canonical form is what `json.dumps` with sorted keys and no spaces writes."""
    written = dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert canonical(value) == written


def test_big_numbers_are_strings() -> None:
    """Numbers that other programs would round are written as text, on both sides of zero."""
    assert canonical([2**53 - 1, 2**53, -(2**53)]) == b'[9007199254740991,"9007199254740992","-9007199254740992"]'


@pytest.mark.parametrize("value", [1.5, {"straße": 1}, {1: 2}, b"bytes", {"a": [{"b": 0.0}]}, {1, 2}, "\ud800"])
def test_what_has_no_one_form_is_refused(value: object) -> None:
    """Floats, keys beyond ASCII and types that JSON doesn't know are program errors."""
    with pytest.raises(Broken):
        canonical(value)  # type: ignore[arg-type]


def test_moments_are_whole_utc_seconds() -> None:
    """A stamp names the instant whatever the zone, and refuses a moment without one."""
    moment = datetime(2026, 11, 5, 22, 30, 15, 999999, tzinfo=timezone(timedelta(hours=1)))
    assert stamp(moment) == "2026-11-05T21:30:15Z"
    with pytest.raises(Broken, match="zone"):
        stamp(moment.replace(tzinfo=None))


def _chain() -> list[SealedRecord]:
    records = [seal({"round": 0}, FIRST)]
    for number in (1, 2):
        records.append(seal({"round": number, "names": ["s1"]}, records[-1].sha256))
    return records


def test_a_chain_holds() -> None:
    """Records sealed one after the other follow each other, and sha256sum agrees with their hashes."""
    records = _chain()
    assert check_chain(records) == ()
    assert check_chain([record.json for record in records]) == ()
    done = subprocess.run(["sha256sum"], input=records[2].json, capture_output=True, check=True)
    assert done.stdout.decode().split()[0] == records[2].sha256


def test_a_changed_record_breaks_the_chain() -> None:
    """Changing a record shows at the record itself and at the one after it."""
    records = _chain()
    forged = replace(records[1], json=records[1].json.replace(b'"s1"', b'"s2"'))
    assert [fault.split(":")[0] for fault in check_chain([records[0], forged, records[2]])] == ["record 2", "record 3"]


def test_a_missing_or_swapped_record_breaks_the_chain() -> None:
    """No record can be left out or come earlier."""
    first, second, third = _chain()
    assert check_chain([first, third]) != ()
    assert check_chain([second, third]) != ()
    assert check_chain([first, third, second]) != ()


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"previous": ""}', b'{"previous":"","x":1.5}', b"\xff", b"1e999"]
)
def test_what_is_no_record_is_a_fault_and_no_crash(content: bytes) -> None:
    """Anything can be handed to the check; it says what is wrong."""
    assert len(check_chain([content])) == 1


def test_a_body_cannot_choose_its_predecessor() -> None:
    """`previous` is the chain's alone."""
    with pytest.raises(Broken, match="predecessor"):
        seal({"previous": "x"}, FIRST)


def test_a_leaf_can_be_made_by_hand() -> None:
    """The leaf is what the page says it is: SHA-256 of a list that any tool writes."""
    named = ["spring", "spring-1", 3, "s1", 1, "2026-11-05T21:30:15Z", ["take Paris", "Zürich holds"], HELD.nonce]
    by_hand = dumps(named, separators=(",", ":"), ensure_ascii=False)
    done = subprocess.run(["sha256sum"], input=by_hand.encode(), capture_output=True, check=True)
    assert HELD.leaf == done.stdout.decode().split()[0]
    assert len(HELD.nonce) == 32


def test_a_root_can_be_made_by_hand() -> None:
    """The root is SHA-256 of the sorted leaves as a JSON list, whatever order they came in."""
    leaves = [HELD.leaf, replace(HELD, seat="s2").leaf, replace(HELD, revision=2).leaf]
    text = "[" + ",".join(f'"{leaf}"' for leaf in sorted(leaves)) + "]"
    assert root(leaves) == root(reversed(leaves)) == sha256(text.encode()).hexdigest()
    assert sorted_leaves(leaves) == tuple(sorted(leaves))
    assert root([]) == sha256(b"[]").hexdigest()


def test_everything_in_a_leaf_matters() -> None:
    """Another seat, revision, time, text or nonce is another leaf."""
    changed = [
        replace(HELD, league="x"),
        replace(HELD, match="x"),
        replace(HELD, round=4),
        replace(HELD, seat="s2"),
        replace(HELD, revision=2),
        replace(HELD, received_at=RECEIVED + timedelta(seconds=1)),
        replace(HELD, orders=("take Paris",)),
        replace(HELD, nonce="0" * 32),
    ]
    assert len({held.leaf for held in [HELD, *changed]}) == 9


def test_a_receipt_convicts_a_freeze_without_it() -> None:
    """A signed receipt stands against a list of leaves that lacks its own."""
    given_receipt = receipt(HELD)
    assert not convicts(given_receipt, [HELD.leaf, "0" * 64])
    assert convicts(given_receipt, ["0" * 64])


def test_a_receipt_is_signed() -> None:
    """The signature fits this payload and this key, and no other."""
    seed = signing_seed(KEY)
    payload = receipt(HELD).payload()
    signature = sign(seed, payload)
    assert signature == sign(seed, payload)
    assert verified(public_key(seed), payload, signature)
    assert not verified(public_key(seed), receipt(replace(HELD, revision=2)).payload(), signature)
    assert not verified(public_key(b"x" * 32), payload, signature)
    assert not verified(public_key(seed), payload, "not base64!")
    assert not verified(public_key(seed), payload, "AAAA")
    assert loads(payload)["kind"] == "league-receipt-1"
    with pytest.raises(Broken, match="public key"):
        verified("AAAA", payload, signature)


def test_keys_for_different_ends_have_nothing_in_common() -> None:
    """Each purpose and each match has a key of its own."""
    keys = {match_secret(KEY, "a"), match_secret(KEY, "b"), match_secret(b"j" * 32, "a"), signing_seed(KEY)}
    keys |= {derive(KEY, "match", "a", "b"), derive(KEY, "match", "ab")}
    assert len(keys) == 6


def test_a_message_name_follows_from_what_the_mail_tells() -> None:
    """The same mail has the same name in every run; any other mail has another."""
    name = message_name(KEY, "report", "spring-1", 3, "s1", 1)
    assert name == message_name(KEY, "report", "spring-1", 3, "s1", 1)
    assert name.isalnum()
    assert name == name.lower()
    assert len(name) == 26
    others = [
        message_name(KEY, "receipt", "spring-1", 3, "s1", 1),
        message_name(KEY, "report", "spring-1", 3, "s2", 1),
        message_name(KEY, "report", "spring-1", 3, "s1", 2),
        message_name(KEY, "report", "spring-1", None, None, 1),
    ]
    assert len({name, *others}) == 5


def test_records_stay_light() -> None:
    """Importing the room pulls in no cryptography; only signing does."""
    code = "import sys, league.records.freeze, league.records.chain; print('cryptography' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
