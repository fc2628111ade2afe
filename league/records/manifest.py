"""Manifests: the hash of every published file of a folder, signed.

The lines are those of `sha256sum`, so `sha256sum -c manifest` checks a downloaded folder; what it doesn't know begins
with `#`, and of the signature below it says that one line isn't its own. The site's manifest names those of its
folders, each folder's manifest the files in it.

    # league/spring
    # key 5f3x…=
    9f86d081…  index.html
    60303ae2…  records/0001-v1.json

    — league/spring AbCd…
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from league.records.freeze import public_key
from league.records.note import Note, read_note, sign_note, signed_by

FILE = "manifest"
SITE = "league"
KEY = "# key "
HEX = 64


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says, its signature not checked yet; `strange` are lines that aren't ours."""

    name: str
    key: str
    files: Mapping[str, str]
    note: Note
    strange: tuple[str, ...] = field(default=())

    def signed_by(self, key: str) -> bool:
        """Whether the owner of this public key signed it."""
        return signed_by(self.note, self.name, key)


def named(folder: str) -> str:
    """Under which name a folder's manifest is signed; "" is the site itself."""
    return f"{SITE}/{folder}" if folder else SITE


def seal_manifest(folder: str, files: Mapping[str, str], seed: bytes) -> bytes:
    """The manifest of these files; paths are as seen from the folder."""
    lines = [f"{files[path]}  {path}" for path in sorted(files)]
    name = named(folder)
    return sign_note("\n".join([f"# {name}", KEY + public_key(seed), *lines]) + "\n", name, seed)


def read_manifest(raw: bytes) -> Manifest | None:
    """The manifest in these bytes; None if they are none."""
    note = read_note(raw)
    lines = note.text.splitlines() if note else []
    if note is None or len(lines) < 2 or not lines[0].startswith("# ") or not lines[1].startswith(KEY):
        return None
    files: dict[str, str] = {}
    strange: list[str] = []
    for line in lines[2:]:
        digest, gap, path = line[:HEX], line[HEX : HEX + 2], line[HEX + 2 :]
        if gap != "  " or not path or set(digest) - set("0123456789abcdef") or path in files:
            strange.append(line)
        else:
            files[path] = digest
    return Manifest(lines[0][2:], lines[1].removeprefix(KEY), files, note, tuple(strange))
