"""`league doctor`: what is wrong or weak in a site, each with what to do about it."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from league.core.errors import Refused
from league.desk.own_templates import FOLDERS, look_slips
from league.desk.post.mind_outbox import mail_health
from league.desk.post.way_out import smtp
from league.desk.secrets import read_secret
from league.desk.site import SITE_KEY, Site
from league.desk.targets.bring_pages import NO_TARGET, probe
from league.desk.targets.channels import check_channels
from league.desk.targets.ways_there import place_of
from league.desk.trust import checks_signatures, trust_of
from league.settings import Mail
from league.storage import engine as database
from league.storage import mails, outbox

WEAK_DEFAULT = "league@league.invalid"


@dataclass(frozen=True, slots=True)
class Finding:
    """`level`: ok, weak (works, but know it) or wrong (a person has to act). `sets`: keys of [mail] that mend it."""

    level: str
    what: str
    do: str = ""
    sets: tuple[tuple[str, str | bool], ...] = ()


def examine(site: Site) -> list[Finding]:
    """Everything that can be seen from here, the worst last."""
    found = [*_files(site), *_settings(site), *_books(site), *_way_out(site), _senders(site.settings.mail)]
    found += [*_targets(site), *_channels(site), *_look(site)]
    rank = {"ok": 0, "weak": 1, "wrong": 2}
    return sorted(found, key=lambda f: rank[f.level])


def _look(site: Site) -> Iterable[Finding]:
    """The site's own templates and files: what breaks pages or mails, and what does nothing."""
    slips = look_slips(site)
    yield from (Finding("wrong" if slip.breaks else "weak", slip.what, slip.do) for slip in slips)
    if not slips and any((site.path / name).is_dir() for name in FOLDERS):
        yield Finding("ok", "every template and file of your own is used")


def _senders(mail: Mail) -> Finding:
    if mail.proof != "required":
        return Finding(
            "weak",
            "senders aren't verified: whoever writes under a player's registered address is believed",
            'set [mail] proof = "required", unless nobody else can write to this mailbox',
        )
    if trust_of(mail).has_host:
        return Finding("ok", "senders are verified: by your mail server's word, a key, or an answer to our mails")
    if checks_signatures(mail):
        return Finding("ok", "senders are verified: by DKIM signatures checked here, a key, or an answer to our mails")
    return Finding(
        "weak",
        "senders are verified by a key or an answer to our mails alone",
        "set [mail] authserv_id if your mail server checks DKIM and DMARC, else own_dkim",
    )


def _files(site: Site) -> Iterable[Finding]:
    try:
        read_secret(site.path / "secrets" / SITE_KEY)
        yield Finding("ok", "the site's key is there and readable by its owner alone")
    except Refused as error:
        yield Finding("wrong", str(error))
    if site.path.stat().st_mode & 0o077:
        yield Finding("weak", f"{site.path} can be read by others", f"chmod 700 {site.path}")
    elif os.name == "posix":
        yield Finding(
            "ok",
            "the site's folder is private; a web server under another account needs a copy of `public`",
        )
    inbox = site.path / site.settings.mail.inbox
    if all((inbox / part).is_dir() for part in ("new", "cur")):
        yield Finding("ok", f"mail is read from {inbox}")
    else:
        yield Finding("wrong", f"{inbox} is no Maildir: nothing can be read", "set [mail] inbox in league.toml")


def _settings(site: Site) -> Iterable[Finding]:
    mail = site.settings.mail
    if mail.from_address == WEAK_DEFAULT:
        yield Finding("weak", "the league's own address isn't set", "set [mail] from_address in league.toml")
    if mail.imap.host:
        yield Finding("ok", f"mail is read from {mail.imap.user} at {mail.imap.host}; league doctor mail tries it")
    if not mail.received_by:
        yield Finding(
            "weak",
            "arrival is taken from the mailbox, since [mail] received_by isn't set",
            "name your own receiving mail server there, so that its Received line counts; league doctor mail learns it",
        )


def _way_out(site: Site) -> Iterable[Finding]:
    """The mail server, asked without sending anything; hold and stopped addresses."""
    health = mail_health(site)
    if health["hold"]:
        yield Finding("weak", f"mail is on hold: {health['hold']}", "league mail outbox --release")
    stops = health["stopped"]
    if isinstance(stops, list) and stops:
        yield Finding("wrong", f"{len(stops)} addresses get no mail: it came back", "league status")
    if not site.settings.mail.smtp.host:
        yield Finding("ok", f"mail is put into {site.path / site.settings.mail.outbox}")
        return
    server = smtp(site)
    trouble = server.check()
    if trouble:
        yield Finding("wrong", f"mail can't be sent: {trouble}", "see [mail.smtp] in league.toml")
    else:
        yield Finding("ok", f"{server.server.named} takes our mail")


def _targets(site: Site) -> Iterable[Finding]:
    """Every place that pages are brought to, looked at; nothing is sent."""
    for target in site.settings.publish.targets:
        where = f"{target.name} ({place_of(target)})"
        if trouble := probe(site, target):
            yield Finding("wrong", f"{NO_TARGET} {where}: {trouble}", "see [publish] in league.toml")
        else:
            yield Finding("ok", f"pages can be brought to {where}")


def _channels(site: Site) -> Iterable[Finding]:
    """Every channel's address, read and understood; nothing is told there."""
    for channel, trouble in check_channels(site):
        if trouble:
            yield Finding(
                "wrong", f"nothing can be told in {channel.name}: {trouble}", "see [[announce]] in league.toml"
            )
        else:
            yield Finding("ok", f"{channel.name} is an address that Apprise knows; the next report is told there")


def _books(site: Site) -> Iterable[Finding]:
    with database.read(site.engine) as connection:
        counts = outbox.counts(connection)
        looked_at = mails.verdicts(connection, ("held", "unreadable"), limit=1000)
        waiting = mails.unjudged(connection, 1)
    if counts.get("failed"):
        yield Finding("wrong", f"{counts['failed']} mails could not be sent", "league mail outbox")
    if counts.get("in_doubt"):
        yield Finding(
            "weak",
            f"{counts['in_doubt']} mails may have gone out or not; they go again with the same id",
            "league mail outbox --state in_doubt",
        )
    if counts.get("queued", 0) + counts.get("sending", 0):
        yield Finding("weak", "mails wait in the outbox", "league run, or league mail send")
    faults = sorted(site.path.glob("*fault-*.txt"))
    if faults:
        yield Finding(
            "wrong", f"the program stumbled; its notes lie in {faults[-1].name}", "report it, then delete the file"
        )
    if looked_at:
        yield Finding("wrong", f"{len(looked_at)} mails wait for a person", "league mail quarantine list")
    if waiting:
        yield Finding("weak", "mails were fetched and not judged yet", "league run")
