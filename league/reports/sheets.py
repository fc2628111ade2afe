"""The style sheet: one file for a whole site, and of it what a kind of page needs, within the page.

Pages carry their style with them, so that they are painted without waiting for a second file. `style.css` says by
`/* part: NAME */` what is for which kinds of pages; what stands under `all`, or before any part, is for every page.
"""

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from markupsafe import Markup

from league.reports.context import SiteInfo
from league.reports.environment import environment

FILE = "style.css"
ALL = "all"
_PART = re.compile(r"/\* part: ([a-z]+) \*/\n?")
PARTS: Final = {
    "site.html": ("home", "seasons"),
    "league.html": ("hero", "league", "map", "numbers", "seasons"),
    "round.html": ("hero", "map", "numbers"),
    "players.html": ("numbers",),
    "records.html": (),
    "journal.html": (),
    "rules.html": ("papers",),
    "card.html": ("papers",),
    "week.html": ("papers",),
    "mails.html": ("papers",),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """The style sheet as it stands within a page, and the check sum by which the page's policy allows it."""

    text: Markup
    digest: str


def style_sheet(site: SiteInfo) -> str:
    """The one `style.css`, at the root of the published folder."""
    return environment(site.lang, site).get_template(FILE).render()


def sheet(site: SiteInfo, template: str) -> Sheet | None:
    """What pages of a template carry.

    None for what is no page of ours, and where the sheet couldn't stand there: what it refers to lies beside
    `style.css`, and a tag would end it.
    """
    parts = PARTS.get(template)
    return None if parts is None else _sheet(style_sheet(site), parts)


@lru_cache(maxsize=4 * len(PARTS))
def _sheet(text: str, parts: tuple[str, ...]) -> Sheet | None:
    if "url(" in text or "</" in text:
        return None
    begin, *rest = _PART.split(text)
    kept = [begin, *(piece for name, piece in zip(rest[::2], rest[1::2], strict=True) if name in {ALL, *parts})]
    held = "".join(kept)
    digest = b64encode(sha256(held.encode()).digest()).decode()
    return Sheet(Markup(held), f"sha256-{digest}")  # noqa: S704  # the site's own, and no tag in it
