"""`league publish`: pages built anew and brought to the targets."""

from collections.abc import Sequence

from league.core.errors import Refused
from league.delivery.site import Published
from league.delivery.targets.tree import Step
from league.desk.pages.publish_pages import LOCK_SECONDS, publish_pages
from league.desk.recovery.restored import waits_for_word
from league.desk.site import Site
from league.desk.targets.bring_pages import Brought, bring_pages, chosen
from league.storage.lock import run_lock


def publish_everywhere(
    site: Site, only: Sequence[str], names: Sequence[str], *, dry: bool, step: Step
) -> tuple[Published | None, tuple[Brought, ...]]:
    """The leagues named, or all, built and brought to the targets named, or all; `dry`: told what would be brought."""
    for words in waits_for_word(site):
        raise Refused(words)
    chosen(site, names)
    with run_lock(site.path, f"league publish of {site.who}", LOCK_SECONDS, site.engine):
        found = None if dry else publish_pages(site, only, everything=not only)
        if found is None and not dry:
            raise Refused("there is nothing to publish")
        return found, bring_pages(site, names, by_hand=True, dry=dry, step=step)
