"""Where pages tell players to write to: orders and keys go there, so all of a league's pages have to name the same."""

import re
from collections.abc import Collection, Mapping

from league.desk.proof.look_file import addresses_of, is_ours
from league.desk.proof.verify_told import Told
from league.records.audit import Fault

LINK = re.compile(rb'href="mailto:([^"<>]*)">([^<>]*)</a>')
TO = re.compile(rb" data-to *= *(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*))")
SHOWN = re.compile(rb'<p class="to"><span class="soft">[^<>]*</span> <span>([^<>]*)</span>')
FIELD = re.compile(rb"[a-z0-9_.-]*")  # of a map's arrow
NAMED = rb"mailto:", rb" data-to"  # letters that are searched for quickly
LONGEST = 200


def addresses_in(content: bytes) -> frozenset[str]:
    """Every address that a page in one case offers to write to: behind a link, in the order composer, beside its mail.

    Words of players are no tags, since their brackets are escaped: what they write counts for nothing here.
    """
    found = {one[1] for one in SHOWN.finditer(content)}
    for name in NAMED:
        at = content.find(name)
        while at >= 0:
            if content.rfind(b"<", 0, at) > content.rfind(b">", 0, at):
                found |= _linked(content, at) if name == NAMED[0] else _composed(content, at)
            at = content.find(name, at + 1)
    return frozenset(one.decode(errors="replace")[:LONGEST] for one in found)


def _linked(content: bytes, at: int) -> set[bytes]:
    """The address behind a link and the one that is its text."""
    found = LINK.match(content, at - len(b'href="'))
    return {found[1], found[2]} if found else {content[at : at + LONGEST].partition(b">")[0]}


def _composed(content: bytes, at: int) -> set[bytes]:
    found = TO.match(content, at)
    told = next((one for one in found.groups() if one is not None), b"") if found else b""
    return set() if FIELD.fullmatch(told) else {told}


def check_addresses(
    told: Told, pages: Mapping[str, Collection[str]], look: bytes | None, others: Collection[str] = ()
) -> None:
    """Each page against `look.json`, whose addresses they are made with; without any, against each other.

    `others` are those of the site's leagues, which its own pages may name.
    """
    known = {one.lower() for one in (*addresses_of(look), *others)}
    if not known and pages:
        known = set(min(pages.items())[1])
        known = known if len(known) == 1 else set()
    for name, shown in sorted(pages.items()):
        for one in sorted(set(shown) - known):
            what = (
                f"it tells players to write to {one!r}, and the league's address is {', '.join(sorted(known)) or '?'}"
            )
            if is_ours(look):
                told.fault(Fault("pages", name, "address", what))
            else:
                told.note("other_address", f"{name}: {what}")
