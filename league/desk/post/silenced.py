"""The one mail in which a player is told that his mails get no answers for now, and what of them counts."""

from datetime import datetime

from league.desk.leagues.infos import league_info, site_info
from league.desk.leagues.turns import rules_of
from league.desk.post.brake import NOTICE
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.reports import mails as words
from league.storage.leagues import Membership
from league.storage.mails import Mail
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded


def silence(site: Site, shown: Loaded, to: Membership, mail: Mail, until: datetime) -> OutMail:
    """It is no answer to a mail: perhaps a program wrote that one."""
    league, most = league_info(site, shown, rules_of(shown)), site.settings.mail.answers_per_hour
    text = words.brake_mail(site_info(site), league, to.place.code, most, until, any_order_or_press)
    kind = f"{NOTICE}/{mail.digest}"
    return outgoing(site, kind, text, to.place, shown.match_slug, None, date=mail.received_at)
