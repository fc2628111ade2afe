"""What a mail's headers say about who is talking: a person, a program, a list, a mail server."""

import re
from enum import StrEnum

from league.intake.headers import addresses, words
from league.intake.mime import Entity, Found


class Signal(StrEnum):
    """Marks that the rules decide on."""

    BOUNCE = "bounce"
    BOUNCE_WORDS = "bounce_words"
    AUTOMATIC = "automatic"
    AUTOMATIC_WORDS = "automatic_words"
    MARKED = "marked"  # by a header that a person's program may write as well
    MAILING_LIST = "mailing_list"
    ENCRYPTED = "encrypted"


_DAEMONS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "maildaemon", "mdaemon"})
_BULK = frozenset({"bulk", "junk", "auto_reply"})
_MACHINE_PARTS = frozenset({"calendar_answer", "reaction", "report:disposition-notification"})
_RETURNING = frozenset({"report:delivery-status", "report:feedback-report"})  # hazard 45: a click on "spam"
_BOUNCE_WORDS = re.compile(
    r"undeliver(?:able|ed mail)|delivery (?:status notification|failure|has failed)|mail delivery (?:failed|failure)|"
    r"failure notice|returned mail|unzustellbar|onbestelbaar|nicht zustellbar|nachricht unzustellbar|"
    r"niet bezorgd|warning: (?:could not send|message)",
    re.IGNORECASE,
)
# Whole subjects or prefixes with a colon, at the very start: people do write "Out of office next week, so early".
_AUTOMATIC_WORDS = re.compile(
    r"(?:automati(?:sche antwort|c reply|sch antwoord|sch bericht|sche reactie)|"
    r"auto(?:matic)?[- ]?(?:reply|response|antwort)|"
    r"out of (?:the )?office(?: auto-?reply)?|abwesen(?:heits(?:notiz|meldung|nachricht|benachrichtigung|assistent)|d)|"
    r"afwezig(?:heids(?:bericht|assistent|melding)|heid)?|ik ben afwezig|réponse automatique|respuesta automática|"
    r"gelesen|ungelesen gelöscht|read|not read|deleted|gelezen|niet gelezen|lu|"
    r"recall|rückruf|zurückgerufen|intrekken|"
    r"accepted|declined|tentative|zugesagt|abgesagt|angenommen|abgelehnt|mit vorbehalt|geaccepteerd|geweigerd)"
    r"\s*(?::.*|$)",
    re.IGNORECASE,
)
_PLAIN_WORDS = frozenset({"read", "lu", "deleted", "recall", "accepted", "declined", "abwesend", "afwezig"})


def signals(whole: Entity, found: Found) -> frozenset[Signal]:
    """All the marks that a message carries."""
    subject = words(whole.first("subject"))
    marks = {
        Signal.BOUNCE: _is_bounce(whole, found),
        Signal.BOUNCE_WORDS: bool(_BOUNCE_WORDS.match(subject)),
        Signal.AUTOMATIC: _is_automatic(whole, found),
        Signal.MARKED: _is_marked(whole),
        # A calendar part may be our own, come back with the answer: like a subject it doesn't outweigh an order.
        Signal.AUTOMATIC_WORDS: "calendar" in found.kinds or _says_automatic(subject),
        Signal.MAILING_LIST: _is_list(whole),
        Signal.ENCRYPTED: bool({"encrypted", "opaque"} & found.kinds),
    }
    return frozenset(mark for mark, found_it in marks.items() if found_it)


def _says_automatic(subject: str) -> bool:
    return bool(_AUTOMATIC_WORDS.fullmatch(subject)) and subject.lower() not in _PLAIN_WORDS


def _is_bounce(whole: Entity, found: Found) -> bool:
    """A null return path alone is also what receipts and out-of-office answers have."""
    if _RETURNING & found.kinds or whole.first("x-failed-recipients"):
        return True
    if any(author.partition("@")[0] in _DAEMONS for author in addresses(whole.first("from"))):
        return True
    return whole.first("return-path").strip() == "<>" and not _is_automatic(whole, found)


def _is_automatic(whole: Entity, found: Found) -> bool:
    return _is_marked(whole) or bool(_MACHINE_PARTS & found.kinds)


def _is_marked(whole: Entity) -> bool:
    """X-Auto-Response-Suppress says nothing: human mails carry it."""
    submitted = re.split(r"[\s;(]", whole.first("auto-submitted").strip().lower(), maxsplit=1)[0]
    if submitted not in {"", "no"} or whole.first("precedence").strip().lower() in _BULK:
        return True
    names = ("x-autoreply", "x-autorespond", "x-autoreply-from", "x-ms-exchange-inbox-rules-loop")
    return any(whole.first(name) for name in names)


def _is_list(whole: Entity) -> bool:
    names = ("list-id", "list-post", "mailing-list")
    return any(whole.first(name) for name in names) or whole.first("precedence").strip().lower() == "list"
