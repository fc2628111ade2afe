"""A published folder that was changed by who has the key, and verify.py as a stranger runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from league.delivery import verifier
from league.records.canonical import canonical
from league.records.freeze import signing_seed
from league.records.manifest import seal_manifest
from tests.desk.long_league import SEED, SLUG
from tests.desk.sites import KEY

SITE_SEED = signing_seed(bytes.fromhex(KEY))


def resign(where: Path, seed: bytes = SEED, slug: str = SLUG) -> None:
    """New manifests for what lies there."""
    for folder in (slug, ""):
        top = where / folder
        files = [
            file
            for file in top.rglob("*")
            if file.is_file() and (folder or file.parent == top or file.name == "manifest")
        ]
        hashes = {file.relative_to(top).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files}
        hashes.pop("manifest", None)
        (top / "manifest").unlink()
        (top / "manifest").write_bytes(seal_manifest(folder, hashes, seed))


def rewrite(where: Path, name: str, change: Callable[[str], str], slug: str = "spring") -> None:
    """Change a league's published file and sign for it; hard links elsewhere keep their bytes."""
    file = where / slug / name
    text = change(file.read_text())
    file.unlink()
    file.write_text(text)
    resign(where, SITE_SEED, slug)


def rewrite_json(where: Path, name: str, change: Callable[[Any], None], slug: str = "spring") -> None:
    """The same for a file of canonical JSON."""

    def changed(text: str) -> str:
        body = json.loads(text)
        change(body)
        return canonical(body).decode()

    rewrite(where, name, changed, slug)


def alone(where: Path) -> subprocess.CompletedProcess[str]:
    """verify.py as a stranger runs it: isolated, elsewhere, from where it is published."""
    script = where / "verify.py" if (where / "verify.py").is_file() else Path(verifier.__file__)
    copied = where.parent / "downloaded-verify.py"
    copied.write_bytes(script.read_bytes())
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [sys.executable, "-I", str(copied), str(where)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env=env)
