"""`league doctor mail`: the mailbox is tried, and one mail to ourselves tells what our receiving host writes.

Only what that host states about arrival and about senders is believed, so its names have to be known exactly.
"""

from collections.abc import Callable, Iterator, Sequence
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
from league.desk.figures.doctor import Finding
from league.desk.inbox.inboxes import CLOCKS_DIFFER, account
from league.desk.post.way_out import send_now
from league.desk.site import Site
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
SECOND_CHANCE = 20.0  # seconds that a mail to the plus address has at least once the plain one has come
STYLES: dict[Style | None, str] = {
    Style.ABOVE: "its statement about senders stands above its own Received line",
    Style.TOPMOST: "its statement about senders stands below its own Received line",
    Style.MICROSOFT: "its statement about senders bears no name, as Microsoft 365 writes it",
}
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
    """Send a mail to the league's own address and one to its plus address, wait for both, learn."""
    address = site.settings.mail.from_address
    plain = _made_id(site)
    try:
        _send(site, trial, address, plain)
    except Refused as trouble:
        yield Finding("wrong", str(trouble), "no mail goes out until this is mended")
        return
    refused = ""
    plus = _made_id(site)
    try:
        _send(site, trial, plus_address(site), plus)
    except Refused as trouble:
        refused = str(trouble)
    came = _wait_for(site, [plain] if refused else [plain, plus], trial)
    if plain not in came:
        yield Finding(
            "wrong",
            f"a mail from {address} to itself didn't come in within {trial.seconds:.0f} seconds",
            "see whether it lies in a spam folder or came back, and whether that address leads to the mailbox "
            "that is read; --wait 600 waits longer",
        )
        return
    learned = learn(came[plain])
    way = ", then ".join(f"{hop.by} at {stamp(hop.at) if hop.at else '?'}" for hop in reversed(learned.hops))
    yield Finding("ok", f"a mail from {address} to itself arrived; its way: {way or 'no host wrote a line'}")
    found = [*_findings(site, learned), _plus(site, trial, refused, arrived=plus in came)]
    yield from _written(site, found) if write else found


def _made_id(site: Site) -> str:
    return f"<doctor.{token_hex(10)}@{site.domain}>"


def _send(site: Site, trial: Trial, recipient: str, message_id: str) -> None:
    told = Headers(site.settings.mail.from_address, recipient, "A mail to ourselves", site.now, message_id)
    trial.send(site, recipient, message_id, compose(told, TEXT))


def plus_address(site: Site) -> str:
    """An address as players and bounces get it, if such mail arrives."""
    local, _, domain = site.settings.mail.from_address.rpartition("@")
    return f"{local}+doctor@{domain}"


def _wait_for(site: Site, message_ids: Sequence[str], trial: Trial) -> dict[str, bytes]:
    """Those that came. When the first has come, the others get as long again."""
    begun = monotonic()
    until = begun + trial.seconds
    came: dict[str, bytes] = {}
    while True:
        for name in message_ids:
            if name not in came and (raw := _find(site, name)) is not None:
                came[name] = raw
                until = min(until, monotonic() + max(monotonic() - begun, SECOND_CHANCE))
        if len(came) == len(message_ids) or monotonic() >= until:
            return came
        trial.pause(PAUSE)


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


def _findings(site: Site, learned: Learned) -> Iterator[Finding]:
    for key, value, what in (
        ("received_by", learned.received_by, "mail is taken in by {}"),
        ("authserv_id", learned.authserv_id, "senders are vouched for by {}"),
        ("authserv_style", learned.style or "", STYLES.get(learned.style, "")),
    ):
        if value:
            yield _learned(site, key, str(value), what.format(value))
    if not learned.received_by:
        yield Finding(
            "weak", "no Received line names a host", "leave [mail] received_by empty: the mailbox's time counts"
        )
    if learned.style is None:
        yield Finding(
            "weak",
            "the receiving host states nothing about the sender of a mail from ourselves",
            "look for an Authentication-Results header in a mail from another provider: its first word is the "
            "[mail] authserv_id",
        )


def _learned(site: Site, key: str, value: str | bool, what: str) -> Finding:
    if getattr(site.settings.mail, key) == value:
        return Finding("ok", f"{what}, as league.toml says")
    line = f"[mail] {key} = {settings.literal(value)}"
    return Finding("weak", what, f"put into league.toml (or run with --write): {line}", ((key, value),))


def _plus(site: Site, trial: Trial, refused: str, *, arrived: bool) -> Finding:
    """Whether players can answer to an address with their key in it, and bounces come to one of their own."""
    address, used = plus_address(site), site.settings.mail.plus_addresses
    if arrived:
        return _learned(site, "plus_addresses", True, f"mail to {address} arrives too, and may be sent from there")
    why = refused or f"a mail to {address} didn't come in within {trial.seconds:.0f} seconds"
    if not used:
        return Finding("weak", f"{why}: players answer to the plain address, as league.toml says")
    told = "put into league.toml (or run with --write): [mail] plus_addresses = false; players' answers would be lost"
    return Finding("wrong", why, told, (("plus_addresses", False),))


def _written(site: Site, found: Sequence[Finding]) -> Iterator[Finding]:
    """What was learned goes into the file, each finding saying so."""
    for one in found:
        for key, value in one.sets:
            write_key(site, key, value)
            line = f"[mail] {key} = {settings.literal(value)}"
            yield Finding("ok", f"{one.what}; written into league.toml: {line}")
        if not one.sets:
            yield one


def write_learned(site: Site, found: Sequence[Finding]) -> list[Finding]:
    """Write what findings would set, after somebody has said yes; those findings, done."""
    return list(_written(site, [one for one in found if one.sets]))


def write_key(site: Site, key: str, value: str | bool) -> None:
    """Set a key of [mail] in league.toml; comments and all else stay as they are."""
    path: Path = site.path / settings.FILE
    changed = with_key(path.read_text(encoding="utf-8-sig"), key, value)
    settings.parse(changed, str(path))  # never leave a file behind that can't be read
    draft = path.with_suffix(".toml.new")
    write_through(draft, changed.encode(), path.stat().st_mode & 0o777)
    draft.replace(path)
    with database.write(site.engine) as connection:
        site.write_down(connection, "doctor mail", key=key, value=value)


def with_key(text: str, key: str, value: str | bool) -> str:
    """The text with the key set in its table [mail]."""
    lines = text.splitlines()
    line = f"{key} = {settings.literal(value)}"
    if at := locate(text, ("mail", key)):
        lines[at - 1] = line
    elif at := locate(text, ("mail",)):
        lines.insert(at, line)
    else:
        lines += ["", "[mail]", line]
    return "\n".join(lines) + "\n"
