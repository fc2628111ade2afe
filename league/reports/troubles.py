"""The mail in which the organizer is told of mail that didn't arrive."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.reports.context import Mail, Reads, SiteInfo
from league.reports.environment import environment, mended
from league.reports.post import GAPS
from league.reports.texts import clean, fold, guard


@dataclass(frozen=True, slots=True)
class Returned:
    """A mail of ours that didn't arrive, or may not have: to whom, and what a mail server says."""

    kind: str
    address: str
    name: str
    league: str
    mail: int
    words: str

    @property
    def who(self) -> str:
        """As the organizer knows him."""
        name = f"{clean(self.name)} ({clean(self.league)}), " if self.name else ""
        return name + clean(self.address, 200)


def trouble_mail(site: SiteInfo, lang: str, found: Sequence[Returned], reads: Reads) -> Mail:
    """What failed, came back or is late; what is stopped, and how to go on."""
    return mended(lambda: _trouble_mail(site, lang, found, reads))


def _trouble_mail(site: SiteInfo, lang: str, found: Sequence[Returned], reads: Reads) -> Mail:
    template = environment(lang, site).get_template("mail/trouble.txt")
    text = GAPS.sub("\n\n", template.render(title=clean(site.title), found=found, clean=clean))
    subject, _, body = text.partition("\n")
    return Mail(clean(subject, 150), guard(fold(body.strip("\n") + "\n"), reads))
