"""A player's saved mails against what is published: receipts, the mails with the leaves, reports (docs/player.md)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Protocol

from league.core.errors import BadInput, Broken
from league.desk.proof.verify_pages import PageFacts
from league.desk.proof.verify_told import Told
from league.intake.mailbox import open_path
from league.records.audit import ROUND, Fault, InForce, Link, leaf_of, signed_head
from league.records.canonical import stamp
from league.records.freeze import KIND, REPLY, Receipt, verified
from league.records.sealed import is_sealed

LINE = re.compile(r"^[ \t>]*# ?(.*?)[ \t\r]*$", re.MULTILINE)
HASH = re.compile(r"[0-9a-f]{64}")
PIECE = re.compile(r"[A-Za-z0-9+/]{1,64}={0,2}")
MOST_MAILS, MOST_TEXT, MOST_LINES = 10_000, 400_000, 5_000
DEEPEST = 4  # folders within a folder
SIGNED = 88  # characters of a signature in base64
AT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Said:
    """What a mail of ours says in its `#` lines: of which match and round, and its check sums."""

    source: str
    league: str
    match: str
    round: int
    receipt: Receipt | None = None
    signature: str = ""
    root: str = ""
    leaves: tuple[str, ...] = ()
    record: str = ""
    size: int = 0


class Held(Protocol):
    """A league's records that mails are held against."""

    @property
    def told(self) -> Told:
        """Where faults go."""
        ...

    @property
    def links(self) -> Sequence[Link]:
        """The chain in the order sealed."""
        ...

    @property
    def keys(self) -> Sequence[InForce]:
        """The keys that were in force."""
        ...

    @property
    def gone(self) -> str:
        """When the league left these pages, as their journal writes it; empty if it didn't."""
        ...

    def pages_of(self, number: int) -> Sequence[PageFacts]:
        """The figures of a round's pages."""
        ...


@dataclass(frozen=True, slots=True)
class Mails:
    """What was found in saved mails; `silent` of them hold nothing that could be checked."""

    said: tuple[Said, ...]
    silent: int
    troubles: tuple[str, ...]


def read_mails(paths: Sequence[Path]) -> Mails:
    """Every mail of files, mboxes, Maildirs and folders of them; `BadInput` where a path holds none."""
    said: list[Said] = []
    troubles: list[str] = []
    silent = 0
    for path in _each(paths):
        fetch = open_path(path, datetime.fromtimestamp(0, UTC)).fetch()
        for number, mail in enumerate(fetch.mails):
            if number >= MOST_MAILS:
                raise BadInput(f"it holds more than {MOST_MAILS} mails", str(path))
            found = tuple(blocks(mail.source, text_of(mail.content)))
            said += found
            silent += not found
        troubles += fetch.troubles
    return Mails(tuple(said), silent, tuple(troubles))


def _each(paths: Sequence[Path]) -> Iterator[Path]:
    """The paths, and in the place of a folder that is no Maildir what lies in it, but for links and hidden files."""
    for path in paths:
        if not path.is_dir() or _is_maildir(path):
            yield path
            continue
        inside = list(islice(_inside(path, DEEPEST), MOST_MAILS + 1))
        if not inside:
            raise BadInput("no file in this folder is a mail (.eml) or an mbox, and it is no Maildir", str(path))
        if len(inside) > MOST_MAILS:
            raise BadInput(f"it holds more than {MOST_MAILS} files", str(path))
        yield from inside


def _inside(folder: Path, depth: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir() and not _is_maildir(path):
            yield from _inside(path, depth - 1) if depth else ()
        elif path.is_dir() or _is_mail(path):
            yield path


def _is_maildir(path: Path) -> bool:
    return all((path / part).is_dir() for part in ("new", "cur"))


def _is_mail(path: Path) -> bool:
    """Whether a file among others is a message or an mbox; whatever else lies there is left alone."""
    try:
        open_path(path, datetime.fromtimestamp(0, UTC))
    except BadInput:
        return False
    return path.is_file()


def text_of(content: bytes) -> str:
    """A mail's text part, or its bytes as they are: our lines stand in both."""
    try:
        mail = message_from_bytes(content, policy=policy.default)
        part = mail.get_body(("plain",))
        text = part.get_content() if part is not None else content.decode(errors="replace")
    except Exception:  # noqa: BLE001  # the parser of the standard library raises whatever a mail makes it
        text = content.decode(errors="replace")
    return str(text)[:MOST_TEXT]


# ---------------------------------------------------------------- reading our lines


def blocks(source: str, text: str) -> Iterator[Said]:
    """What the `#` lines of a mail say; each begins with `of` and what it is of."""
    lines = [found[1] for found in LINE.finditer(text)][:MOST_LINES]
    starts = [place for place, line in enumerate(lines) if line.startswith("of ")]
    for start, end in pairwise([*starts, len(lines)]):
        words = lines[start].split()[1:]
        found = None
        if len(words) == 6:
            found = _receipt(source, words, lines[start + 1 : end])
        elif len(words) == 3:
            found = _round(source, words, lines[start + 1 : end])
        if found is not None:
            yield found


def _receipt(source: str, words: Sequence[str], lines: Sequence[str]) -> Said | None:
    league, match, number, seat, revision, received = words
    values = dict(line.split(" ", 1) for line in lines if line.startswith(("leaf ", "nonce ")))
    try:
        moment = datetime.strptime(received, AT).replace(tzinfo=UTC)
        given = Receipt(
            league, match, _number(number), seat, _number(revision), moment, values["nonce"], values["leaf"]
        )
    except (ValueError, KeyError):
        return None
    return Said(source, league, match, given.round, receipt=given, signature=_behind(lines, "signature"))


def _round(source: str, words: Sequence[str], lines: Sequence[str]) -> Said | None:
    league, match, number = words
    try:
        said = Said(source, league, match, _number(number))
    except ValueError:
        return None
    hashes = [line for line in lines if HASH.fullmatch(line)]
    if "record SHA-256" in lines:
        size = next((line.split()[1] for line in lines if re.fullmatch(r"checkpoint \d{1,9}", line)), "0")
        record = _after(lines, "record SHA-256")
        signature = _behind(lines, f"checkpoint {size}")
        return Said(
            source,
            league,
            match,
            said.round,
            record=record,
            size=int(size),
            signature=signature,
            root=_after(lines, "root"),
        )
    if "root" not in lines or not hashes:
        return None
    return Said(source, league, match, said.round, root=_after(lines, "root"), leaves=tuple(hashes[1:]))


def _number(written: str) -> int:
    if not written.isascii() or not written.isdecimal() or len(written) > 7:
        raise ValueError(written)
    return int(written)


def _after(lines: Sequence[str], head: str) -> str:
    place = lines.index(head) + 1 if head in lines else len(lines)
    return lines[place] if place < len(lines) and HASH.fullmatch(lines[place]) else ""


def _behind(lines: Sequence[str], head: str) -> str:
    """The pieces of a signature that follow a line."""
    made = ""
    for line in lines[lines.index(head) + 1 :] if head in lines else ():
        if len(made) >= SIGNED or not PIECE.fullmatch(line):
            break
        made += line
    return made


# ---------------------------------------------------------------- holding them against the records


def check_mails(mails: Mails, leagues: Mapping[str, Held], site: Told) -> None:
    """Each mail against its league; one of a league that isn't published here is told."""
    for trouble in mails.troubles:
        site.fault(Fault("mails", trouble[:200], "", "it couldn't be read"))
    if mails.silent:
        site.note("silent_mails", f"{mails.silent} mails hold nothing that could be checked")
    if not mails.said:
        site.fault(Fault("mails", "", "", "none of the mails holds a receipt, leaves or a report of a league"))
    for said in mails.said:
        held = leagues.get(said.league)
        told = held.told if held is not None else site
        told.looked("mails")
        if held is None:
            told.fault(_fault(said, "of", f"no league {said.league[:60]!r} is published here"))
        elif not held.links or held.links[0].body.get("match") != said.match:
            told.fault(_fault(said, "of", f"its match {said.match[:60]!r} isn't published here"))
        else:
            told.found("mails", Link(said.source, "", {"round": said.round}), partial(_check, said, held))


def _fault(said: Said, field: str, what: str) -> Fault:
    return Fault("mails", said.source, field, what, said.round)


def _check(said: Said, held: Held) -> Iterator[tuple[str, str]]:
    versions = [link for link in held.links if link.kind == ROUND and link.round == said.round]
    if said.receipt is not None:
        yield from _check_receipt(said, said.receipt, held, versions)
    elif said.record:
        yield from _check_report(said, held, versions)
    else:
        yield from _check_freeze(said, held, versions)


def _check_receipt(said: Said, given: Receipt, held: Held, versions: Sequence[Link]) -> Iterator[tuple[str, str]]:
    reply = replace(given, kind=REPLY)
    signers = list(_signers(held, versions))
    kinds = [one.kind for one in (given, reply) if any(_signed(key, one, said.signature) for key in signers)]
    if not kinds and held.gone and stamp(given.received_at) > held.gone:
        _not_here(held, "a receipt", said.round)
        return
    if not kinds:
        yield "signature", "it isn't the league's: no key in force then made it"
        return
    if not versions and kinds[0] == KIND:
        pages = held.pages_of(said.round)
        if pages and not any(given.leaf in page.hashes for page in pages):
            yield "leaf", "the orders are closed without it: the receipt's word is broken"
        held.told.not_known("not_evaluated", "the round of a receipt isn't evaluated yet", said.round)
        return
    if not versions:
        held.told.not_known("not_evaluated", "the round of a receipt isn't evaluated yet", said.round)
        return
    body = versions[0].body
    if kinds[0] == KIND and given.leaf not in body["freeze"]["leaves"]:
        yield "leaf", "the freeze doesn't have it: the receipt's word is broken"
    if is_sealed(body):
        held.told.not_known("sealed_until_end", "a receipt's orders are sealed until the end of the match", said.round)
        return
    rows = [row for row in (*body["orders"], *body.get("void", ())) if row["nonce"] == given.nonce]
    if not any(leaf_of(body, row) == given.leaf for row in rows):
        yield "leaf", "the round's record has no such orders of this seat"


def _signed(key: str, given: Receipt, signature: str) -> bool:
    try:
        return verified(key, given.payload(), signature)
    except (Broken, ValueError):
        return False


def _signers(held: Held, versions: Sequence[Link]) -> Iterator[str]:
    """The keys that may have signed a receipt of the round: an older one than that of its opening can't."""
    opens = str(versions[0].body.get("opens", "")) if versions else ""
    for place, key in enumerate(held.keys):
        following = held.keys[place + 1].since if place + 1 < len(held.keys) else ""
        if not (opens and following and following < opens):
            yield key.public_key


def _check_report(said: Said, held: Held, versions: Sequence[Link]) -> Iterator[tuple[str, str]]:
    hashes = [link.sha256 for link in held.links]
    if said.record not in [link.sha256 for link in versions]:
        if held.gone and said.size > len(held.links) and not _known_head(said, held):
            _not_here(held, "a report", said.round)
            return
        now = versions[-1].sha256 if versions else "none"
        yield "record SHA-256", f"the mail names the record {said.record}, and published is {now}"
        return
    if said.record != versions[-1].sha256:
        held.told.note("older_version", "the mail is of a version that was corrected since", said.round)
    if not said.size:
        held.told.note("no_checkpoint", "the mail has no signature over the records", said.round)
        return
    place = hashes.index(said.record)
    if place != said.size - 1:
        yield "checkpoint", f"the mail counts {said.size} records up to it, and there are {place + 1}"
    elif not signed_head(held.links[0].body, said.size, said.record, held.keys, said.signature):
        yield "checkpoint", "its signature isn't by the key in force then"


def _known_head(said: Said, held: Held) -> bool:
    """Whether a key of these pages signed more records than they have: then some were taken away."""
    opening = held.links[0].body
    return any(
        signed_head(opening, said.size, said.record, [replace(key, place=0)], said.signature) for key in held.keys
    )


def _not_here(held: Held, what: str, number: int) -> None:
    """A mail of after the move that no key of before has signed: the pages of now can say what it is worth."""
    told = f"{what} is of after {held.gone}, when the league left these pages, and by no key of theirs"
    held.told.not_known("moved", f"{told}; check it against the new pages", number)


def _check_freeze(said: Said, held: Held, versions: Sequence[Link]) -> Iterator[tuple[str, str]]:
    if versions:
        freeze = versions[0].body["freeze"]
        if freeze["root"] != said.root:
            yield "root", f"the mail names {said.root}, and the record {freeze['root']}"
        elif list(said.leaves) != freeze["leaves"]:
            yield "leaves", "they aren't those of the record"
        return
    pages = held.pages_of(said.round)
    if not pages:
        held.told.not_known("not_evaluated", "the round of a mail isn't published yet", said.round)
    elif not all(said.root in page.hashes for page in pages):
        yield "root", f"the mail names {said.root}, and the page doesn't"
    else:
        held.told.not_known("sealed", "its orders are closed and sealed until it is evaluated", said.round)
