"""Reading a published folder by its manifest: every file once, each with its hash compared; pages as their figures."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from league.delivery.published import Published, Unread, is_plain
from league.desk.proof.chronicles import HISTORY
from league.desk.proof.look_file import FILE as LOOK
from league.desk.proof.plain_errors import doubled
from league.desk.proof.verify_addresses import addresses_in
from league.desk.proof.verify_pages import (
    FRONT_PAGE,
    JOURNAL_PAGE,
    PLAIN,
    Line,
    PageFacts,
    is_round_page,
    journal_lines,
    odd_content,
    odd_script,
    page_facts,
)
from league.desk.proof.verify_shared import SHARED, policy_of
from league.desk.proof.verify_told import Told
from league.records.audit import Fault, Found, Link
from league.records.manifest import FILE, Manifest, named, read_manifest
from league.records.press import FOLDER, NAMES_FILE
from league.reports.teaser import FILE as TEASER
from league.reports.teaser import THUMBNAIL

CHECKPOINT, BOARD, JOURNAL = "records/checkpoint", "board.toml", "journal.json"
Progress = Callable[[int], None]


@dataclass(slots=True)
class Read:
    """What a league's folder holds, as far as it is looked at again."""

    manifest: Manifest | None = None
    records: dict[str, bytes] = field(default_factory=dict)
    checkpoint: bytes | None = None
    board: bytes | None = None
    journal: bytes | None = None
    pages: dict[str, PageFacts] = field(default_factory=dict)
    fronts: dict[str, PageFacts] = field(default_factory=dict)  # the league's own page, in every language
    journal_pages: dict[str, tuple[Line, ...]] = field(default_factory=dict)
    history: bytes | None = None
    press: dict[str, bytes] = field(default_factory=dict)
    names: bytes | None = None
    look: bytes | None = None
    teaser: bytes | None = None
    thumbnail: bytes | None = None
    odd: dict[str, str] = field(default_factory=dict)  # pages that hold what none of ours does
    shared: dict[str, bytes] = field(default_factory=dict)  # what all pages of a site use
    choices: dict[str, bytes] = field(default_factory=dict)  # what the order composer offers
    policies: dict[str, str | None] = field(default_factory=dict)  # of every page
    addresses: dict[str, frozenset[str]] = field(default_factory=dict)  # of the pages that name any


def round_of(name: str) -> int | None:
    """The round that a file's name tells of: records/0003-v1.json, de/round-3.html."""
    stem = name.rpartition("/")[2]
    number = (
        stem[:4]
        if name.startswith(("records/", FOLDER))
        else stem.removeprefix("round-").partition(".")[0].partition("-")[0]
    )
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 7 else None


def read_folder(published: Published, folder: str, told: Told, progress: Progress, *, deep: bool) -> Read:
    """Every file of a folder: its own alone, or (`deep`) also those in folders below, against its manifest."""
    start, read = f"{folder}/" if folder else "", Read()
    read.manifest = _manifest(published, start, folder if deep else "", told)
    listed = read.manifest.files if read.manifest else {}
    present = [name.removeprefix(start) for name in published.names() or () if name.startswith(start)]
    here = {name for name in present if deep or "/" not in name}
    for name in sorted({*listed, *here} - {FILE}):
        _one(published, start, name, listed.get(name), told, read)
        progress(1)
    if deep or not folder:
        for name in published.strange():
            if name.startswith(start) and (deep or "/" not in name):
                told.fault(Fault("files", name, "", "a link or something else that is no plain file"))
    return read


def _manifest(published: Published, start: str, folder: str, told: Told) -> Manifest | None:
    told.looked("files")
    try:
        found = read_manifest(published.read(start + FILE))
    except Unread as error:
        told.fault(Fault("files", start + FILE, "", f"{error}; nothing says which files belong here"))
        return None
    if found is None:
        told.fault(Fault("files", start + FILE, "", "it isn't a signed manifest"))
        return None
    if folder and found.name != named(folder):
        told.fault(Fault("files", start + FILE, "line 1", f"it is of {found.name[:80]!r}, not of {named(folder)!r}"))
    for line in found.strange:
        told.fault(Fault("files", start + FILE, "", f"a line that is no hash and path: {line[:80]!r}"))
    return found


def _one(published: Published, start: str, name: str, wanted: str | None, told: Told, read: Read) -> None:
    told.looked("files")
    number, shown = round_of(name), ascii(start + name)[1:-1] if not name.isprintable() else start + name
    if not is_plain(name):
        told.fault(Fault("files", shown[:200], "", "no path that could be published"))
        return
    try:
        content = published.read(start + name)
    except Unread as error:
        told.fault(Fault("files", shown, "", str(error), number))
        return
    if wanted is None:
        told.fault(Fault("files", shown, "", "the manifest doesn't name it", number))
    elif sha256(content).hexdigest() != wanted:
        told.fault(Fault("files", shown, "", "its SHA-256 isn't the one in the manifest", number))
    _keep(name, content, read)
    if wanted is not None:  # else it is told already
        _look_over(name, content, read, top=not start)
    if wanted is not None and name.endswith(".json") and not name.startswith("records/"):  # those are canonical
        told.found("files", Link(shown, "", {}), partial(_doubled, content))


def _keep(name: str, content: bytes, read: Read) -> None:
    if name.startswith("records/") and name.endswith(".json"):
        read.records[name] = content
    elif name == CHECKPOINT:
        read.checkpoint = content
    elif name == BOARD:
        read.board = content
    elif name == JOURNAL:
        read.journal = content
    elif name == NAMES_FILE:
        read.names = content
    elif name == LOOK:
        read.look = content
    elif name == TEASER:
        read.teaser = content
    elif name == THUMBNAIL:
        read.thumbnail = content
    elif name.startswith(FOLDER):
        read.press[name] = content
    elif is_round_page(name):
        read.pages[name] = page_facts(content)
    elif name == HISTORY:
        read.history = content
    elif FRONT_PAGE.fullmatch(name):
        read.fronts[name] = page_facts(content)
    elif JOURNAL_PAGE.fullmatch(name):
        read.journal_pages[name] = journal_lines(content)


def _doubled(content: bytes) -> Found:
    if key := doubled(content):
        yield key, f"it has {key!r} twice, and readers take one or the other"


def _look_over(name: str, content: bytes, read: Read, *, top: bool) -> None:
    """What a page or a script could do, whatever it tells."""
    if top and name in SHARED:
        read.shared[name] = content
    elif name.endswith(".js") and (odd := odd_script(content)):
        read.odd[name] = odd
    elif name.endswith(".js"):
        read.choices[name] = content
    elif name.endswith((".html", ".htm")):
        plain = content.translate(PLAIN)
        read.policies[name] = policy_of(content)
        if odd := odd_content(plain):
            read.odd[name] = odd
        if found := addresses_in(plain):
            read.addresses[name] = found
