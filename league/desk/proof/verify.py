"""`league verify`: a published site or league recomputed from its own records, and a player's mails held against it."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from league.core.errors import Broken, Refused
from league.delivery.published import Published, Unread, is_address, open_published
from league.desk.proof.look_file import addresses_of, is_ours
from league.desk.proof.plain_errors import in_words
from league.desk.proof.verify_addresses import check_addresses
from league.desk.proof.verify_files import CHECKPOINT, Read, read_folder
from league.desk.proof.verify_front import check_front
from league.desk.proof.verify_journal import acts_of, check_journal
from league.desk.proof.verify_mails import check_mails, read_mails
from league.desk.proof.verify_moved import left_at, moved_to
from league.desk.proof.verify_pages import PageFacts, names_in, page_faults, page_number, waiting_faults
from league.desk.proof.verify_press import check_press
from league.desk.proof.verify_rounds import board_in, check_records
from league.desk.proof.verify_seasons import season_faults
from league.desk.proof.verify_shared import check_policies, check_shared
from league.desk.proof.verify_told import Told, Verified
from league.records.audit import (
    OPENING,
    ROUND,
    Fault,
    Found,
    InForce,
    Link,
    checkpoint_faults,
    in_order,
    keys_of,
    opened_chain,
    read_link,
)
from league.records.manifest import FILE, SITE, Manifest, read_manifest
from league.records.sealed import KIND as UNSEALED

UNCOMPARED = "what they do, and tell beyond tables and check sums, isn't compared"
Stage = Callable[[str], Callable[[int], None]]


def quiet(_: str) -> Callable[[int], None]:
    """For who wants no progress told."""
    return lambda _: None


def on_disk(place: str) -> Path | None:
    """The path that a place is; None for an address on the web."""
    return None if is_address(place) else Path(place)


class Chain:
    """A league's records in order, with the keys that were in force; what mails and pages are held against."""

    def __init__(self, told: Told, links: Sequence[Link], keys: Sequence[InForce], read: Read) -> None:
        """`links` in the order sealed."""
        self.told, self.links, self.keys, self.read = told, tuple(links), tuple(keys), read

    @property
    def newest(self) -> dict[int, Link]:
        """Of each round the record that stands."""
        return {link.round: link for link in self.links if link.kind == ROUND and link.round is not None}

    @property
    def gone(self) -> str:
        """When the league left these pages for another place, by their journal; empty if it didn't."""
        return left_at(self.links, acts_of(self.read.journal) or ())

    def version(self, number: int, version: int) -> Link | None:
        """A round's record of this version."""
        found = (link for link in self.links if link.kind == ROUND and link.round == number)
        return next((link for link in found if link.body.get("version") == version), None)

    def pages_of(self, number: int) -> list[PageFacts]:
        """The figures of a round's pages."""
        return [page for name, page in self.read.pages.items() if page_number(name) == (number, 0)]


def verify(place: str, mails: Sequence[Path] = (), stage: Stage = quiet) -> Verified:
    """Check everything that is published at a path or an address, and these saved mails against it."""
    published = open_published(place)
    kind = _kind(published)
    if kind == SITE:
        site, leagues = _site(published, stage)
    else:
        site, leagues = None, [_league(published, "", stage, kind.partition("/")[2])]
    chains = {chain.told.league: chain for chain in leagues}
    if mails:
        read = read_mails(mails)
        site = site or Told("")
        check_mails(read, chains, site)
    if site is not None and not site.checked and not site.faults:
        site = None
    return Verified(published.where, site, tuple(chain.told for chain in leagues))


def _kind(published: Published) -> str:
    """What the place is of: the site ("league") or one league ("league/spring"), by manifest or by what lies there."""
    try:
        found = read_manifest(published.read(FILE))
    except Unread as error:
        found, why = None, str(error)
    else:
        why = "it isn't a signed manifest"
    if found is not None and found.name.partition("/")[0] == SITE:
        return found.name
    names = published.names() or ()
    if any(name.startswith("records/") for name in names):
        return f"{SITE}/"
    if any("/records/" in name for name in names):
        return SITE
    mails = any(name.endswith((".eml", ".mbox")) for name in names)
    hint = "; for saved mails say with --against where the league is published" if mails else ""
    raise Refused(f"{published.where} is no published site or league: manifest: {why}{hint}")


def _site(published: Published, stage: Stage) -> tuple[Told, list[Chain]]:
    told = Told("")
    read = read_folder(published, "", told, stage("files"), deep=False)
    listed = read.manifest.files if read.manifest else {}
    names = {name.partition("/")[0] for name in (*(published.names() or ()), *listed) if "/" in name}
    leagues = [_league(published, name, stage, name) for name in sorted(names)]
    keys = {chain.told.public_key for chain in leagues if chain.told.public_key}
    if read.manifest is not None:
        _signed(told, FILE, read.manifest, sorted(keys) or [read.manifest.key])
    check_shared(told, read.shared, listed, read.look)
    openings = {chain.told.league: chain.links[0] for chain in leagues if chain.links}
    for chain in leagues:
        for fault in season_faults(chain.told.league, chain.links[0], openings) if chain.links else ():
            chain.told.fault(fault)
    _odd(told, read, [one for chain in leagues for one in addresses_of(chain.read.look)])
    return told, leagues


def _signed(told: Told, file: str, manifest: Manifest, keys: Sequence[str]) -> None:
    told.looked("signatures")
    for key in keys:
        if not _holds(manifest, key):
            told.fault(Fault("signatures", file, "signature", f"it isn't by the key in force, {key[:60]}"))


def _holds(manifest: Manifest, key: str) -> bool:
    try:
        return manifest.key == key and manifest.signed_by(key)
    except Broken:
        return False


# ---------------------------------------------------------------- one league


def _league(published: Published, folder: str, stage: Stage, name: str) -> Chain:
    told = Told(name)
    read = read_folder(published, folder, told, stage("files"), deep=True)
    links = []
    for file, content in sorted(read.records.items()):
        found = read_link(file, content)
        if isinstance(found, Fault):
            told.fault(found)
        else:
            links.append(found)
    chain, faults = in_order(links)
    for fault in faults:
        told.fault(fault)
    told.looked("chain", len(read.records))
    if not chain or chain[0].kind != OPENING:
        told.fault(Fault("chain", "records/0000-v1.json", "", "there is no opening record to begin with"))
        return Chain(told, (), (), read)
    keys = _keys(told, chain, read)
    chain = tuple(_opened(told, chain))
    check_records(told, chain, read, stage("rounds"))
    check_journal(told, chain, read.journal)
    made = Chain(told, chain, keys, read)
    check_press(told, made.newest, read)
    _pages(made)
    if made.gone:
        told.note("moved", f"these pages were left on {made.gone} for {moved_to(read.look)}; check the new ones too")
    check_front(told, made.links, made.newest, read, board_in(read))
    return made


def _opened(told: Told, chain: Sequence[Link]) -> Sequence[Link]:
    """The chain with what its records commit to in their place, where it is opened."""
    whole: Sequence[Link] = chain
    told.looked("sealed", sum(link.kind == UNSEALED for link in chain))
    try:
        whole, faults = opened_chain(chain)
    except Exception as error:  # noqa: BLE001  # the border to what strangers wrote
        faults = (Fault("sealed", "", "", f"what a record opens can't be read: {in_words(error)}"),)
    for fault in faults:
        told.fault(fault)
    return whole


def _keys(told: Told, chain: Sequence[Link], read: Read) -> tuple[InForce, ...]:
    """The keys of the chain; checkpoint and manifest under the one in force."""
    try:
        keys, faults = keys_of(chain)
    except Exception as error:  # noqa: BLE001  # as above
        told_why = f"a key's record can't be read: {in_words(error)}"
        keys, faults = (InForce("", 0),), (Fault("signatures", "", "", told_why),)
    for fault in faults:
        told.fault(fault)
    told.looked("signatures", len(keys))
    last = chain[-1]
    told.public_key, told.head = keys[-1].public_key, last.sha256
    at_checkpoint = Link(CHECKPOINT, "", {})
    if read.checkpoint is None:
        told.fault(Fault("signatures", CHECKPOINT, "", "it isn't there: nothing signs the records"))
    else:
        told.looked("signatures")
        told.found("signatures", at_checkpoint, partial(checkpoint_faults, read.checkpoint, chain, keys))
    if read.manifest is not None:
        _signed(told, FILE, read.manifest, [keys[-1].public_key])
    return keys


def _pages(chain: Chain) -> None:
    told, newest, waiting, names = chain.told, chain.newest, set(), names_in(chain.read.names)
    _odd(told, chain.read)
    for name, page in sorted(chain.read.pages.items()):
        number, version = page_number(name)
        link = chain.version(number, version) if version else newest.get(number)
        if link is None and not version:
            waiting.add(number)
            told.found("pages", Link(name, "", {"round": number}), partial(waiting_faults, page))
        else:
            told.looked("pages")
            at_page = Link(name, "", {"round": number})
            search = partial(page_faults, page, link, names) if link else partial(_no_record, version)
            told.found("pages", at_page, search)
    for number in sorted(waiting):
        told.not_known("sealed", "its orders are closed and sealed until it is evaluated", number)
    for number in sorted(newest.keys() - {page_number(name)[0] for name in chain.read.pages}):
        told.fault(Fault("pages", f"round-{number}.html", "", "the round has no page", number))


def _odd(told: Told, read: Read, addresses: Sequence[str] = ()) -> None:
    """What this program never puts into a page: a fault where it made the page, else something to look at."""
    ours = is_ours(read.look)
    if not ours:
        told.note("own_look", f"another program or the site's own templates made its pages: {UNCOMPARED}")
    check_policies(told, read.policies, read.look)
    check_addresses(told, read.addresses, read.look, addresses)
    for name, what in sorted(read.odd.items()):
        if ours:
            told.fault(Fault("pages", name, "", f"it holds {what}, which no page of this program does"))
        else:
            told.note("odd_page", f"{name} holds {what}; another program or the site's own templates made it")


def _no_record(version: int) -> Found:
    yield "", f"there is no record of version {version}"
