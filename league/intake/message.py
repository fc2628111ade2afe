"""Bytes to a letter: everything that is decided on later, read once, with limits, never with an exception."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from league.intake import headers
from league.intake.headers import arrival
from league.intake.html import lines_of
from league.intake.mailbox import RawMail
from league.intake.mime import LIMITS, Block, Entity, Found, Limits, Unfit, heads, take_apart
from league.intake.proof import RECEIVED, RESULTS, Proof
from league.intake.signals import Signal, signals
from league.intake.timelimit import TookTooLong, at_most
from league.intake.tokens import without_keys
from league.intake.trim import QUOTE_SIGNS, IsOrder, hidden_orders, normalise, trim

_LONGEST_STUB = 300
_MOST_ATTACHED = 50  # lines of attached texts that are looked at
_STUB = re.compile(
    r"\b(?:in|im|as|als|en|au) (?:an? )?html\b|html[- ]?(?:format|mail|e-?mail|nachricht|message|bericht|version)"
    r"|(?:support|display|anzeigen|weergeven|unterstützt|ondersteunt)\w* .{0,40}html"
    r"|(?:view|open) this .{0,30}in (?:a|your) browser",
    re.IGNORECASE,
)
MADE_ID = "<sha256:"  # how the id begins that we give to a mail without one; nobody else knows it
UNDATED = f"{MADE_ID}undated-"  # the same of a mail without a date: only its arrival tells two of them apart
__all__ = ["MADE_ID", "UNDATED", "Letter", "Signal", "arrival", "open_letter", "retrim"]


class Form(StrEnum):
    """In what form the text came."""

    PLAIN = "plain"
    HTML = "html"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as a person means it. `problem` is the code of why it can't be read; then all else may be empty."""

    message_id: str
    digest: str
    size: int
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()  # an empty string for an address that can't be told for certain
    recipients: tuple[str, ...] = ()
    subject: str = ""
    received: tuple[str, ...] = ()
    trace: tuple[tuple[str, str], ...] = ()  # Received and Authentication-Results, top to bottom
    loops: tuple[str, ...] = ()
    signals: frozenset[Signal] = frozenset()
    text: str = ""
    other: str = ""  # the same in HTML, where a mail has both forms
    form: Form = Form.NONE
    attachments: int = 0
    attached: str = ""  # text in attachments, which is never read
    fresh: str = ""
    keys: tuple[str, ...] = ()  # of `key` lines, which stand nowhere else any more
    quoted_lines: int = 0  # all that were passed over and that are told of
    hidden_lines: int = 0  # of those the ones below a signature or in attachments
    reads_order: bool = False
    content_key: str = ""
    extent: int = 0  # how many letters the content key is made of
    arrived: datetime | None = None
    problem: str = ""
    proof: Proof = Proof.NONE  # by what the author is believed, once the roster is known

    @property
    def author(self) -> str:
        """The one author's address; nothing if there isn't exactly one."""
        return self.authors[0] if len(self.authors) == 1 else ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells this mail from all others: its author and the id that the author's program gave it."""
        return self.author, self.message_id

    @property
    def has_html_only(self) -> bool:
        """The sender's program gave no plain text."""
        return self.form is Form.HTML


def no_order(_: str) -> bool:
    """For callers that know no game yet."""
    return False


def open_letter(mail: RawMail, is_order: IsOrder = no_order, limits: Limits = LIMITS) -> Letter:
    """The letter in a message. Whatever goes wrong is its `problem`."""
    blank = Letter(f"{MADE_ID}{mail.digest}>", mail.digest, len(mail.content), arrived=mail.received_at)
    try:
        with at_most(limits.seconds):
            whole, found = take_apart(mail.content, limits)
            letter = _letter(blank, whole, found, limits)
            words = said(letter.text)
            known = replace(letter, content_key=content_key(letter.author, words), extent=len(words))
            return retrim(known, is_order, limits)
    except Exception as trouble:  # noqa: BLE001 - hostile bytes find every hole; a mail that can't be read is a verdict
        return replace(_sender_only(blank, mail.content, limits), problem=_problem(trouble))


def _problem(trouble: Exception) -> str:
    """The code of why a mail can't be read."""
    if isinstance(trouble, Unfit):
        return trouble.message
    return "took_too_long" if isinstance(trouble, TookTooLong) else "unparsable"


def _sender_only(blank: Letter, content: bytes, limits: Limits) -> Letter:
    """Of a mail that can't be read what its headers say, so that its author can be told."""
    try:
        return replace(_letter(blank, heads(content, limits), Found(), limits), form=Form.NONE)
    except Exception:  # noqa: BLE001 - as above
        return blank


def _letter(blank: Letter, whole: Entity, found: Found, limits: Limits) -> Letter:
    blocks = [_without_stub(block) for block in found.blocks]
    text = "\n".join(_texts(blocks))
    plain = any(block.plain.strip() for block in blocks)
    both = any(block.plain.strip() and block.html for block in blocks)
    own_ids = headers.ids(whole.first("message-id"))
    return replace(
        blank,
        message_id=own_ids[0] if own_ids else _made_id(whole, text),
        in_reply_to=headers.ids(whole.first("in-reply-to")),
        references=headers.ids(whole.first("references")),
        authors=tuple(
            author for value in whole.values("from") for author in headers.addresses(value, limits.addresses)
        ),
        recipients=tuple(_recipients(whole, limits)),
        subject=headers.words(whole.first("subject")),
        received=whole.values("received"),
        trace=whole.several(RECEIVED, RESULTS),
        loops=tuple(value.strip().lower() for value in whole.values("x-loop")),
        signals=signals(whole, found),
        text=text,
        other="\n".join(_other_texts(blocks)) if both else "",
        form=Form.PLAIN if plain else Form.HTML if text.strip() else Form.NONE,
        attachments=found.attachments,
        attached="\n".join(found.unread),
    )


def _texts(blocks: list[Block]) -> Iterator[str]:
    """Plain text where there is any, else what the HTML shows."""
    for block in blocks:
        yield block.plain if block.plain.strip() or not block.html else lines_of(block.html)


def _other_texts(blocks: list[Block]) -> Iterator[str]:
    """What the HTML shows, plain text where there is no HTML."""
    for block in blocks:
        yield lines_of(block.html) if block.html else block.plain


def _without_stub(block: Block) -> Block:
    """Plain text that only says that the mail is in HTML is none."""
    is_stub = bool(block.html) and len(block.plain) < _LONGEST_STUB and _STUB.search(block.plain)
    return replace(block, plain="") if is_stub else block


def _recipients(whole: Entity, limits: Limits) -> Iterator[str]:
    for name in ("delivered-to", "x-original-to", "envelope-to", "to", "cc"):
        for value in whole.values(name)[: limits.addresses]:
            yield from filter(None, headers.addresses(value, limits.addresses))


def _made_id(whole: Entity, text: str) -> str:
    """An id for a mail without one; the same for every copy of it, whatever way it came."""
    parts = [*(whole.first(name) for name in ("from", "to", "date", "subject")), text]
    digest = sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()
    return f"{MADE_ID if whole.first('date') else UNDATED}{digest}>"


def said(text: str) -> str:
    """What an author says outside of quotes, for finding doubles; the same whatever game reads it, now or later."""
    lines = (line.lstrip() for line in normalise(text).split("\n"))
    own = (line for line in lines if line and line[0] not in QUOTE_SIGNS)
    return "\n".join(" ".join(line.split()) for line in own).casefold()


def content_key(author: str, words: str) -> str:
    """The key of what somebody said."""
    return sha256(f"{author}\n{words}".encode("utf-8", "replace")).hexdigest()


def retrim(letter: Letter, is_order: IsOrder, limits: Limits = LIMITS) -> Letter:
    """The letter's fresh text once it is known what an order looks like."""
    trimmed = trim(letter.text, is_order, limits.lines, limits.text)
    if trimmed.overlong:
        return replace(letter, fresh="", problem="text_too_long")
    fresh, keys = without_keys(trimmed.text)
    hidden = trimmed.hidden + hidden_orders(letter.attached.splitlines()[:_MOST_ATTACHED], is_order)
    return replace(
        letter,
        fresh=fresh,
        keys=keys,
        quoted_lines=trimmed.quoted + hidden,
        hidden_lines=hidden,
        reads_order=trimmed.reads_order,
    )
