"""An archive is believed only where it keeps to what `league backup` writes."""

import io
import json
import os
import tarfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput, Refused
from league.storage import archive
from league.storage.archive import KIND, MANIFEST, is_ours, look, pack, unpack

TOML, DATABASE = b"[site]\n", b"SQLite format 3\0 and so on"
Told = dict[str, Any]


def listed(name: str, content: bytes, **changed: Any) -> Told:
    return {"name": name, "size": len(content), "sha256": sha256(content).hexdigest(), "mtime": 1704103200, **changed}


def made(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], files: list[Told], **about: Any) -> Path:
    """An archive as somebody else makes one."""
    manifest = json.dumps({"kind": KIND, "made_at": "2024-01-01T10:00:00Z", "files": files, **about}).encode()
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for entry, content in [(plain(MANIFEST, manifest), manifest), *members]:
            tar.addfile(entry, io.BytesIO(content))
    return path


def plain(name: str, content: bytes, **changed: Any) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    for key, value in changed.items():
        setattr(entry, key, value)
    return entry


def with_one(path: Path, name: str, content: bytes = TOML, **changed: Any) -> Path:
    return made(path, [(plain(name, content), content)], [listed(name, content, **changed)])


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A small archive of ours."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "toml").write_bytes(TOML)
    (source / "data").write_bytes(DATABASE)
    os.utime(source / "toml", (1704103200.75, 1704103200.75))
    target = tmp_path / "site.tar"
    long = "mail/in/cur/" + "x" * 150 + ":2,S"
    files = [("league.toml", source / "toml"), (long, source / "toml"), ("database.sqlite", source / "data")]
    pack(target, files, {"made_at": "2024-01-01T10:00:00Z"})
    return target


def test_what_was_packed_comes_out(packed: Path, tmp_path: Path) -> None:
    """Bytes, long names and times, for the owner's eyes alone; any tar can read it."""
    into = tmp_path / "out"
    into.mkdir()
    found = look(packed)
    unpack(packed, found, into)
    assert found.about == {"kind": KIND, "made_at": "2024-01-01T10:00:00Z"}
    assert (into / "database.sqlite").read_bytes() == DATABASE
    (mail,) = (into / "mail" / "in" / "cur").iterdir()
    assert mail.name.endswith(":2,S")
    assert (mail.read_bytes(), mail.stat().st_mtime) == (TOML, 1704103200)
    assert {file.stat().st_mode & 0o777 for file in (packed, mail, into / "league.toml")} == {0o600}
    with tarfile.open(packed) as tar:
        assert tar.getnames()[:2] == [MANIFEST, "league.toml"]


def test_every_changed_byte_is_found_or_means_nothing(packed: Path, tmp_path: Path) -> None:
    """Whatever byte is changed: it is refused, or the very same files come out (of padding, of fields we don't use)."""
    whole, good = packed.read_bytes(), look(packed)
    broken = tmp_path / "broken.tar"
    refused = 0
    for place in range(0, len(whole), 19):
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            found = look(broken)
        except BadInput:
            refused += 1
        else:
            assert {(f.name, f.sha256) for f in found.files} <= {(f.name, f.sha256) for f in good.files}
    assert refused > 100


@pytest.mark.parametrize("length", [0, 100, 511, 512, 700, 1500, 3000])
def test_a_cut_off_archive_is_refused(packed: Path, length: int) -> None:
    """A copy that was cut short is no backup."""
    packed.write_bytes(packed.read_bytes()[:length])
    with pytest.raises(BadInput, match=r"no backup|damaged|too early"):
        look(packed)


HOSTILE = (
    "../evil", "/etc/cron.d/evil", "mail/../../evil", "mail//x", "mail/./x", "mail/", "secrets", "mail", "public/x",
    "builds/1/x", "run.lock", "mail\\x", "mail/a\nb", "mail/" + "d/" * 20 + "x", "mail/" + "x" * 256, "C:/x", "",
    "manifest.json", "league.toml/x", "cache/x.py", "backups/x", "mail/\x00", ".gitignore", "league.sqlite",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_no_site_has_are_refused(name: str, tmp_path: Path) -> None:
    """Nothing can be written outside of a site's own places, or over what runs there."""
    assert not is_ours(name)
    with pytest.raises(BadInput):
        look(with_one(tmp_path / "bad.tar", name))


KINDS: dict[str, Any] = {
    "a link": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    "a hard link": {"type": tarfile.LNKTYPE, "linkname": "league.toml"},
    "a device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 5},
    "a pipe": {"type": tarfile.FIFOTYPE},
    "a folder": {"type": tarfile.DIRTYPE},
    "a sparse file": {"type": tarfile.GNUTYPE_SPARSE},
}


@pytest.mark.parametrize("kind", KINDS)
def test_only_plain_files_are_unpacked(kind: str, tmp_path: Path) -> None:
    """A link, a device, a pipe, a folder, a file with holes: none of them is in a backup."""
    entry = plain("mail/x", b"", **KINDS[kind])
    with pytest.raises(BadInput, match=r"no plain file|damaged"):
        look(made(tmp_path / "bad.tar", [(entry, b"")], [listed("mail/x", b"")]))


def twice(path: Path) -> Path:
    one = plain("league.toml", TOML)
    return made(path, [(one, TOML), (one, TOML)], [listed("league.toml", TOML)] * 2)


def below_a_file(path: Path) -> Path:
    names = ("mail/x", "mail/x/y")
    return made(path, [(plain(n, TOML), TOML) for n in names], [listed(n, TOML) for n in names])


def unlisted(path: Path) -> Path:
    names = ("league.toml", "mail/x")
    return made(path, [(plain(n, TOML), TOML) for n in names], [listed("league.toml", TOML)])


def too_long_a_header(path: Path) -> Path:
    entry = plain("league.toml", TOML, pax_headers={"comment": "x" * (2 << 20)})
    return made(path, [(entry, TOML)], [listed("league.toml", TOML)])


def huge(path: Path) -> Path:
    made(path, [], [])
    entry = plain("mail/x", b"")
    entry.size = 8 << 30
    path.write_bytes(path.read_bytes()[:-10240] + entry.tobuf(tarfile.GNU_FORMAT))
    return path


def packed_small(path: Path) -> Path:
    """A bomb: a gigabyte that weighs a few bytes."""
    with tarfile.open(path, "w:gz") as tar:
        tar.addfile(plain(MANIFEST, bytes(1 << 20)), io.BytesIO(bytes(1 << 20)))
    return path


def deep(path: Path) -> Path:
    return made(path, [], [], nest=json.loads("[" * 900 + "]" * 900))


BAD: dict[str, Callable[[Path], Path]] = {
    "the same name twice": twice,
    "a file in the place of a folder": below_a_file,
    "a file that isn't listed": unlisted,
    "a header of megabytes": too_long_a_header,
    "a size that isn't there": huge,
    "compressed": packed_small,
    "another hash": lambda path: with_one(path, "league.toml", sha256="00" * 32),
    "another size": lambda path: with_one(path, "league.toml", size=3),
    "a size below nothing": lambda path: with_one(path, "league.toml", size=-1),
    "a time out of reach": lambda path: with_one(path, "league.toml", mtime=1 << 62),
    "a key too many": lambda path: with_one(path, "league.toml", mode=0o4755),
    "a size that is a word": lambda path: with_one(path, "league.toml", size="7"),
    "no files": lambda path: made(path, [], {}),  # type: ignore[arg-type]
    "another kind": lambda path: made(path, [], [], kind="league-backup-9"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_backup_never_writes_is_refused(what: str, tmp_path: Path) -> None:
    """Bombs, doubles, lies about sizes and hashes end in a message, before anything is written."""
    with pytest.raises(BadInput):
        look(BAD[what](tmp_path / "bad.tar"))


def test_a_manifest_that_nests_deeply_harms_nothing(tmp_path: Path) -> None:
    """It is read or refused, never a crash."""
    try:
        found = look(deep(tmp_path / "deep.tar"))
    except BadInput:
        return
    assert found.files == ()


def test_no_archive_is_no_backup(tmp_path: Path) -> None:
    """Another file, a folder, nothing at all: each is told."""
    (tmp_path / "text").write_text("hello " * 500)
    for path in (tmp_path / "text", tmp_path, tmp_path / "nothing"):
        with pytest.raises(BadInput, match=r"no backup|no such file|no file"):
            look(path)


def test_what_changes_between_the_looks_is_refused(packed: Path, tmp_path: Path) -> None:
    """What is unpacked is what was looked at."""
    found = look(packed)
    other = with_one(tmp_path / "other.tar", "league.toml")
    with pytest.raises(BadInput, match="changed"):
        unpack(other, found, tmp_path)


def test_a_disk_without_room_is_told_before(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is unpacked where it doesn't fit."""
    found = look(packed)
    monkeypatch.setattr(archive, "disk_usage", lambda _: type("Usage", (), {"free": 3})())
    with pytest.raises(Refused, match="room for"):
        unpack(packed, found, tmp_path)


def test_a_file_that_changes_while_it_is_packed_spoils_the_backup(tmp_path: Path) -> None:
    """Half of one state and half of another is no backup: nothing is left but the message."""
    file = tmp_path / "mail"
    file.write_bytes(TOML)

    reads = iter(range(9))

    class Changing(type(file)):  # type: ignore[misc]  # the platform's own kind of path
        """Whenever it is opened, it has become something else."""

        def open(self, *args: Any, **more: Any) -> Any:
            Path(self).write_bytes(b"%d" % next(reads))
            return super().open(*args, **more)

    with pytest.raises(Refused, match="was changed while it was being packed"):
        pack(tmp_path / "site.tar", [("mail/x", Changing(file))], {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mail"]


def test_a_backup_replaces_nothing(packed: Path) -> None:
    """The last good backup isn't written over."""
    before = packed.read_bytes()
    with pytest.raises(Refused, match="is there already"):
        pack(packed, [], {})
    assert packed.read_bytes() == before
