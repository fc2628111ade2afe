"""Signed notes, checkpoints and manifests: what is under the site's signature, byte for byte."""

import shutil
import subprocess
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.errors import Broken
from league.records.freeze import public_key, sign
from league.records.manifest import read_manifest, seal_manifest
from league.records.note import Checkpoint, key_hash, read_checkpoint, read_note, sign_note, signed_by

SEED, OTHER = b"s" * 32, b"o" * 32
KEY = public_key(SEED)
HEAD = sha256(b"head").hexdigest()
CHAIN = Checkpoint("spring", "spring-1", 4, HEAD)


def test_a_note_reads_as_the_specification_has_it() -> None:
    """The example of c2sp.org/signed-note: its key's hash, its text and its signature all hold."""
    key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    name, claimed, raw = key.split("+")
    public = b64encode(b64decode(raw)[1:]).decode()
    assert key_hash(name, public).hex() == claimed
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    line = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    note = read_note(f"{text}\n{line}\n".encode())
    assert note is not None
    assert note.text == text
    assert signed_by(note, name, public)
    assert not signed_by(note, "PeterNewman", public)
    assert not signed_by(note, name, KEY)


def test_a_checkpoint_is_three_lines_under_a_signature() -> None:
    """Origin, size and the head in base64, signed under the origin's name; the same bytes each time."""
    raw = CHAIN.sealed(SEED)
    lines = raw.decode().split("\n")
    assert lines[:4] == ["league/spring/spring-1", "4", b64encode(bytes.fromhex(HEAD)).decode(), ""]
    assert lines[4].startswith("— league/spring/spring-1 ")
    assert raw == CHAIN.sealed(SEED)
    note = read_note(raw)
    assert note is not None
    assert read_checkpoint(note) == CHAIN
    assert signed_by(note, CHAIN.origin, KEY)


def test_the_signature_in_a_mail_is_the_notes() -> None:
    """What report mails carry is the checkpoint's own signature: with size and head it is checked without the file."""
    made = CHAIN.signature(SEED)
    raw = b64decode(CHAIN.sealed(SEED).decode().split()[-1])
    assert b64encode(raw[4:]).decode() == made
    assert CHAIN.signed_by(KEY, made)
    assert not Checkpoint("spring", "spring-1", 5, HEAD).signed_by(KEY, made)


@given(st.integers(0, len(CHAIN.sealed(SEED)) - 1), st.integers(1, 255))
def test_a_flipped_byte_breaks_a_note(place: int, by: int) -> None:
    """Whatever single byte of a checkpoint is another one: it can't be read, or isn't signed, or says so."""
    raw = bytearray(CHAIN.sealed(SEED))
    raw[place] ^= by
    note = read_note(bytes(raw))
    assert note is None or not signed_by(note, CHAIN.origin, KEY)


@given(st.binary(max_size=200))
def test_whatever_bytes_are_no_note(raw: bytes) -> None:
    """Bytes that nobody signed are read as no note, and nothing is raised."""
    assert read_note(raw) is None or b"\xe2\x80\x94" in raw
    assert read_manifest(raw) is None


def test_a_second_signature_may_stand_beside_ours() -> None:
    """A witness adds a line of its own; ours must still hold."""
    text = CHAIN.text
    ours, theirs = (
        sign_note(text, name, seed).decode().split("\n\n")[1] for name, seed in ((CHAIN.origin, SEED), ("w", OTHER))
    )
    note = read_note(f"{text}\n{ours}{theirs}".encode())
    assert note is not None
    assert signed_by(note, CHAIN.origin, KEY)
    assert signed_by(note, "w", public_key(OTHER))
    assert not signed_by(note, CHAIN.origin, public_key(OTHER))


@pytest.mark.parametrize("text", ["", "no end", "a\tb\n", "a\0\n"])
def test_only_whole_lines_are_signed(text: str) -> None:
    """A text without its last newline, or with control characters, makes no note."""
    with pytest.raises(Broken):
        sign_note(text, "x", SEED)


def test_a_manifest_is_what_sha256sum_reads(tmp_path: Path) -> None:
    """`sha256sum -c` checks the folder with it, and finds a changed file."""
    tool = shutil.which("sha256sum")
    assert tool is not None
    (tmp_path / "sub").mkdir()
    files = {"index.html": b"home", "sub/a b.json": b"{}"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    sealed = seal_manifest("spring", {n: sha256(c).hexdigest() for n, c in files.items()}, SEED)
    (tmp_path / "manifest").write_bytes(sealed)
    done = subprocess.run([tool, "-c", "manifest"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "index.html: OK\nsub/a b.json: OK\n")
    (tmp_path / "index.html").write_bytes(b"hole")
    assert subprocess.run([tool, "-c", "manifest"], cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_a_manifest_comes_back_as_it_was() -> None:
    """Name, key and files; the signature holds for this name and key alone."""
    files = {"b": HEAD, "a/ü": sha256(b"").hexdigest()}
    found = read_manifest(seal_manifest("spring", files, SEED))
    assert found is not None
    assert (found.name, found.key, dict(found.files), found.strange) == ("league/spring", KEY, files, ())
    assert found.signed_by(KEY)
    assert not found.signed_by(public_key(OTHER))


def test_strange_lines_of_a_manifest_are_named() -> None:
    """A line that is no hash and path, or a path named twice, is no file and is told."""
    text = f"# league\n# key {KEY}\n{HEAD}  a\n{HEAD}  a\nnonsense\n{HEAD.upper()}  b\n"
    found = read_manifest(sign_note(text, "league", SEED))
    assert found is not None
    assert list(found.files) == ["a"]
    assert found.strange == (f"{HEAD}  a", "nonsense", f"{HEAD.upper()}  b")


def test_a_bare_signature_is_no_key_hash() -> None:
    """A line whose base64 is too short, or whose name has a space, is no signature."""
    made = sign(SEED, CHAIN.text.encode())
    for line in ("— x AAAA", f"— a b {made}", f"— a+b {made}", f"- x {made}", "— x !!"):
        assert read_note(f"{CHAIN.text}\n{line}\n".encode()) is None
