"""`league doctor mail`: the mailbox is tried, and one mail to ourselves tells what our receiving host writes.

Only what that host states about arrival and about senders is believed, so its names have to be known exactly.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep

from league import settings
from league.core.errors import Refused
from league.core.toml_lines import locate
from league.delivery.mail import Headers, compose
from league.delivery.maildir import write_through
from league.desk.clock import stamp
from league.desk.doctor import Finding
from league.desk.inboxes import CLOCKS_DIFFER, account
from league.desk.site import Site
from league.desk.way_out import send_now
from league.intake import headers
from league.intake.headers import host_of
from league.intake.imap.lookup import headers_of, look_at
from league.intake.mailbox import open_path
from league.intake.mime import entity, glance, plain_text
from league.intake.proof import RECEIVED, RESULTS, Style, read_statement
from league.storage import engine as database

Send = Callable[[Site, str, str, bytes], None]  # recipient, Message-ID, the whole mail
PAUSE = 3.0
TEXT = "This mail went from the league program to itself, to learn how it arrives. It may be deleted.\n"
TRACE = (RECEIVED.encode(), RESULTS.encode())


@dataclass(frozen=True, slots=True)
class Learned:
    """What a mail to ourselves shows; empty where it shows nothing."""

    received_by: str
    authserv_id: str
    style: Style | None  # where the statement on the sender stands; None: there is none
    hops: tuple[headers.Hop, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """How the trial is made: the way out, how long to wait, and how."""

    send: Send = send_now
    seconds: float = 120.0
    pause: Callable[[float], None] = sleep


def examine_mail(site: Site, *, write: bool, seconds: float = 120.0, trial: Trial | None = None) -> list[Finding]:
    """Everything about mail that only trying it shows."""
    found = list(_mailbox(site))
    if any(finding.level == "wrong" for finding in found):
        return found
    if not site.settings.mail.smtp.host and trial is None:
        where = site.path / site.settings.mail.outbox
        found.append(
            Finding(
                "weak",
                f"mails go into the Maildir {where} and from there nowhere, so none can come back to be learned from",
                "set [mail.smtp] in league.toml",
            )
        )
        return found
    return [*found, *_trip(site, trial or Trial(seconds=seconds), write=write)]


def _mailbox(site: Site) -> Iterator[Finding]:
    if not site.settings.mail.imap.host:
        return
    try:
        seen = look_at(account(site), site.now)
    except Refused as trouble:
        yield Finding("wrong", str(trouble), "no mail comes in and no round closes until this is mended")
        return
    folders = ", ".join(f"{name} ({count})" for name, count in seen.folders)
    yield Finding("ok", f"the mailbox lets us in; folders that are read, with their mails: {folders}")
    if not seen.idles:
        yield Finding("weak", "the server has no IDLE; league run --watch asks once a minute")
    if not seen.moves and (site.settings.mail.imap.processed or site.settings.mail.imap.rejected):
        yield Finding("wrong", "the server can't move single mails", "leave processed and rejected empty")
    yield from _clock(site, seen.clock - site.now if seen.clock else None)


def _clock(site: Site, ahead: timedelta | None) -> Iterator[Finding]:
    if ahead is None:
        yield Finding(
            "weak", "the server's clock isn't known before a round closes", "name a folder with [mail.imap] marker"
        )
    elif abs(ahead) > CLOCKS_DIFFER:
        word = "ahead of" if ahead > timedelta() else "behind"
        yield Finding("wrong", f"the server's clock is {abs(ahead)} {word} ours ({stamp(site.now)})", "set it right")
    else:
        yield Finding("ok", f"the server's clock and ours are {abs(ahead).seconds} seconds apart")


def _trip(site: Site, trial: Trial, *, write: bool) -> Iterator[Finding]:
    """Send the mail, wait for it, learn."""
    address = site.settings.mail.from_address
    message_id = f"<doctor.{token_hex(10)}@{site.domain}>"
    told = Headers(address, address, "A mail to ourselves", site.now, message_id)
    try:
        trial.send(site, address, message_id, compose(told, TEXT))
    except Refused as trouble:
        yield Finding("wrong", str(trouble), "no mail goes out until this is mended")
        return
    came = _wait_for(site, message_id, trial)
    if came is None:
        yield Finding(
            "wrong",
            f"a mail from {address} to itself didn't come in within {trial.seconds:.0f} seconds",
            "see whether it lies in a spam folder or came back, and whether that address leads to the mailbox "
            "that is read; --wait 600 waits longer",
        )
        return
    learned = learn(came)
    way = ", then ".join(f"{hop.by} at {stamp(hop.at) if hop.at else '?'}" for hop in reversed(learned.hops))
    yield Finding("ok", f"a mail from {address} to itself arrived; its way: {way or 'no host wrote a line'}")
    yield from _findings(site, learned, write=write)


def _wait_for(site: Site, message_id: str, trial: Trial) -> bytes | None:
    until = monotonic() + trial.seconds
    while (came := _find(site, message_id)) is None and monotonic() < until:
        trial.pause(PAUSE)
    return came


def _find(site: Site, message_id: str) -> bytes | None:
    if site.settings.mail.imap.host and (found := headers_of(account(site), message_id)):
        return found
    box = open_path(site.path / site.settings.mail.inbox, site.now)
    wanted = (mail.content for mail in box.fetch().mails if message_id in glance(mail.content, b"message-id"))
    return next(wanted, None)


def learn(raw: bytes) -> Learned:
    """The topmost host with a name, and who states something about the sender, where (hazards 61 and 62)."""
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0] + b"\n\n"
    found = [(name.decode(), plain_text(value)) for name, value in entity(head).headers if name in TRACE]
    way = headers.hops([value for name, value in found if name == RECEIVED])
    host = next((hop.by for hop in way if _is_name(hop.by)), "")
    statement = next((at for at, (name, _) in enumerate(found) if name == RESULTS), None)
    if statement is None:
        return Learned(host, "", None, way)
    name, _ = read_statement(found[statement][1])
    own = next(
        (at for at, (name, value) in enumerate(found) if host and name == RECEIVED and host_of(value) == host), 0
    )
    style = Style.MICROSOFT if not name else Style.ABOVE if statement < own else Style.TOPMOST
    return Learned(host, name, style, way)


def _is_name(host: str) -> bool:
    """Some large hosts have lines of their own inside, with an address in the place of a name."""
    return any(char.isalpha() for char in host.rpartition(".")[2]) and ":" not in host


def _findings(site: Site, learned: Learned, *, write: bool) -> Iterator[Finding]:
    mail = site.settings.mail
    for key, value, what in (
        ("received_by", learned.received_by, "mail is taken in by"),
        ("authserv_id", learned.authserv_id, "senders are vouched for by"),
    ):
        if not value:
            continue
        line = f'[mail] {key} = "{value}"'
        if getattr(mail, key) == value:
            yield Finding("ok", f"{what} {value}, as league.toml says")
        elif write:
            write_key(site, key, value)
            yield Finding("ok", f"{what} {value}; written into league.toml: {line}")
        else:
            yield Finding("weak", f"{what} {value}", f"put into league.toml (or run with --write): {line}")
    if not learned.received_by:
        yield Finding(
            "weak", "no Received line names a host", "leave [mail] received_by empty: the mailbox's time counts"
        )
    yield from _style(learned)


def _style(learned: Learned) -> Iterator[Finding]:
    match learned.style:
        case None:
            yield Finding(
                "weak",
                "the receiving host states nothing about the sender of a mail from ourselves",
                "look for an Authentication-Results header in a mail from another provider: its first word is the "
                "[mail] authserv_id",
            )
        case Style.MICROSOFT:
            yield Finding(
                "weak", "the receiving host's statement about senders bears no name, as Microsoft 365 writes it"
            )
        case Style.TOPMOST:
            yield Finding("weak", "the receiving host writes its statement about senders below its own Received line")
        case Style.ABOVE:
            yield Finding("ok", "the receiving host's statement about senders stands above its own Received line")


def write_key(site: Site, key: str, value: str) -> None:
    """Set a key of [mail] in league.toml; comments and all else stay as they are."""
    path: Path = site.path / settings.FILE
    changed = with_key(path.read_text(encoding="utf-8-sig"), key, value)
    settings.parse(changed, str(path))  # never leave a file behind that can't be read
    draft = path.with_suffix(".toml.new")
    write_through(draft, changed.encode(), path.stat().st_mode & 0o777)
    draft.replace(path)
    with database.write(site.engine) as connection:
        site.write_down(connection, "doctor mail", key=key, value=value)


def with_key(text: str, key: str, value: str) -> str:
    """The text with the key set in its table [mail]."""
    lines = text.splitlines()
    line = f'{key} = "{value}"'
    if at := locate(text, ("mail", key)):
        lines[at - 1] = line
    elif at := locate(text, ("mail",)):
        lines.insert(at, line)
    else:
        lines += ["", "[mail]", line]
    return "\n".join(lines) + "\n"
