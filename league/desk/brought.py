"""What came with a league from another site: match secrets and seats' keys that the site's own key doesn't make.

They lie under `secrets/`, one file a league, so that whoever has the database alone has none of them. The database says
that they must be there, and which: a match that lost its secret is never gone on with under another one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import JsonDict
from league.storage import leagues

BROUGHT = "brought/"  # how the facts begin that say of a match that it was brought here
KIND = "league-brought-1"
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Brought:
    """A match that came from another site: its secret, and the tokens that its seats have (by seat and version)."""

    league: str
    made_at: str
    secret: bytes
    tokens: Mapping[tuple[str, int], str]


def file_of(folder: Path, league: str) -> Path:
    """Where the secrets of a league lie that was brought to the site in this folder."""
    return folder / "secrets" / f"brought-{league}.key"


def written(matches: Mapping[str, Brought]) -> str:
    """The secrets of a league's matches, as the file holds them."""
    told: JsonDict = {
        "kind": KIND,
        "matches": {
            slug: {"secret": one.secret.hex(), "tokens": [[*key, token] for key, token in sorted(one.tokens.items())]}
            for slug, one in sorted(matches.items())
        },
    }
    return json.dumps(told)


def note(connection: Connection, matches: Mapping[str, Brought]) -> None:
    """Say in the database that these matches were brought here, and by what their secrets are known."""
    for slug, one in matches.items():
        told = {"league": one.league, "made_at": one.made_at, "sha256": sha256(one.secret).hexdigest()}
        leagues.set_fact(connection, BROUGHT + slug, json.dumps(told))


def is_brought(connection: Connection) -> dict[str, str]:
    """The leagues that were brought to the site, each with the time of the export."""
    told = [json.loads(fact) for fact in leagues.facts(connection, BROUGHT).values()]
    return {str(one["league"]): str(one["made_at"]) for one in told}


def brought_in(connection: Connection, folder: Path) -> dict[str, Brought]:
    """Every match that was brought to the site; `Refused` names the file that is missing or another one."""
    return {slug: _brought(folder, slug, json.loads(fact)) for slug, fact in leagues.facts(connection, BROUGHT).items()}


def _brought(folder: Path, slug: str, fact: JsonDict) -> Brought:
    path = file_of(folder, str(fact["league"]))
    try:
        if path.stat().st_mode & 0o077:
            raise Refused(f"{path} can be read by others; run: chmod 600 {path}")
        told = json.loads(path.read_text())["matches"][slug]
        secret = bytes.fromhex(told["secret"])
        tokens = {(str(seat), int(version)): str(token) for seat, version, token in told["tokens"]}
    except OSError as error:
        raise Refused(
            f"{path} can't be read ({error.strerror}); it holds the secrets that {slug} brought from another site, and "
            f"without them its receipts and sealed orders can't be gone on with: restore it from a backup"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(f"{path} isn't what was brought with {slug}; restore it from a backup") from error
    if sha256(secret).hexdigest() != fact["sha256"]:
        raise Refused(f"{path} has another secret than the one that was brought with {slug}; restore it from a backup")
    return Brought(str(fact["league"]), str(fact["made_at"]), secret, tokens)
