"""What the site's key puts under chains and published files."""

from collections.abc import Callable, Mapping
from importlib.resources import files

from league.desk.site import Site
from league.records.manifest import seal_manifest
from league.records.note import Checkpoint
from league.storage.rounds import Loaded

CHECKPOINT = "checkpoint"  # beside a match's records
VERIFIER = "verify.py"  # at the site's root


def checkpoint_after(loaded: Loaded, head: str) -> Checkpoint:
    """The chain of the round's match with one record more, whose hash is this."""
    return Checkpoint(loaded.league_slug, loaded.match_slug, loaded.links + 1, head)


def manifests(site: Site) -> Callable[[str, Mapping[str, str]], bytes]:
    """What signs the list of a published folder's files."""
    return lambda folder, files: seal_manifest(folder, files, site.signing_seed)


def verifier() -> bytes:
    """The program of one file that checks a published league without ours."""
    return (files("league") / "delivery" / "verifier.py").read_bytes()
