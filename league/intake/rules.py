"""The rules by which a letter gets its verdict, in order; a rule's name is the reason that is stored.

Senders can't be proven yet: an address that matches is enough, and every row says `verified = False`.
"""

from league.intake.message import Letter, Signal
from league.intake.screen import Roster, Rule, Verdict, base, place_of


def unreadable(letter: Letter, _: Roster) -> Verdict | None:
    """Over a limit, or no mail at all."""
    return Verdict.UNREADABLE if letter.problem else None


def own_mail(letter: Letter, roster: Roster) -> Verdict | None:
    """Ours, come back: answering it would be a loop."""
    local, _, domain = letter.message_id.strip("<>").rpartition("@")
    ours = bool(roster.domain) and domain.lower() == roster.domain.lower() and local.startswith(roster.id_prefix)
    if ours or letter.message_id in roster.sent:
        return Verdict.IGNORED
    own = roster.address.lower()
    if own and (base(own) in {base(author) for author in letter.authors if author} or own in letter.loops):
        return Verdict.IGNORED
    return None


def bounce(letter: Letter, _: Roster) -> Verdict | None:
    """A mail server reports on a mail of ours."""
    by_words = Signal.BOUNCE_WORDS in letter.signals and not letter.reads_order
    return Verdict.BOUNCE if Signal.BOUNCE in letter.signals or by_words else None


def automatic(letter: Letter, _: Roster) -> Verdict | None:
    """A program writes: out of office, a receipt, a calendar, a reaction. A subject alone never outweighs an order."""
    by_words = Signal.AUTOMATIC_WORDS in letter.signals and not letter.reads_order
    return Verdict.IGNORED if Signal.AUTOMATIC in letter.signals or by_words else None


def mailing_list(letter: Letter, _: Roster) -> Verdict | None:
    """Orders come from a person, not through a list that others write to."""
    return Verdict.REJECTED if Signal.MAILING_LIST in letter.signals else None


def no_single_author(letter: Letter, _: Roster) -> Verdict | None:
    """Two authors or an address with a trick in it: nobody's orders."""
    return None if letter.author else Verdict.REJECTED


def unknown_sender(letter: Letter, roster: Roster) -> Verdict | None:
    """Not a player's registered address."""
    return None if letter.author in roster.places else Verdict.REJECTED


def same_mail(letter: Letter, roster: Roster) -> Verdict | None:
    """The same message by another way, or fetched again."""
    return Verdict.DUPLICATE if roster.seen.get(letter.key) == letter.content_key else None


def same_id_other_content(letter: Letter, roster: Roster) -> Verdict | None:
    """One message id of one author with two texts: a person has to look."""
    return Verdict.HELD if letter.key in roster.seen else None


def which_league(letter: Letter, roster: Roster) -> Verdict | None:
    """Its author plays several seats and doesn't say for which this is."""
    return None if place_of(letter, roster) else Verdict.ASK


def encrypted(letter: Letter, _: Roster) -> Verdict | None:
    """Nothing we have a key for."""
    return Verdict.ASK if Signal.ENCRYPTED in letter.signals and not letter.fresh else None


def only_quotes(letter: Letter, _: Roster) -> Verdict | None:
    """Written inside the quoted text, or sent off empty: nothing of it is run."""
    return Verdict.ASK if not letter.fresh and letter.quoted_lines else None


def only_attachments(letter: Letter, _: Roster) -> Verdict | None:
    """Orders in a picture or a file are not read."""
    return Verdict.ASK if not letter.fresh and letter.attachments else None


def empty(letter: Letter, _: Roster) -> Verdict | None:
    """No text at all."""
    return Verdict.ASK if not letter.fresh else None


def readable(_letter: Letter, _: Roster) -> Verdict | None:
    """A person's fresh text, for a seat that is known; what it says is the game's to read."""
    return Verdict.ACCEPTED


_BEFORE: tuple[Rule, ...] = (unreadable, own_mail, bounce, automatic, mailing_list, no_single_author)
_SEEN: tuple[Rule, ...] = (same_mail, same_id_other_content)
_TEXT: tuple[Rule, ...] = (encrypted, only_quotes, only_attachments, empty, readable)

RULES: tuple[Rule, ...] = (*_BEFORE, unknown_sender, *_SEEN, which_league, *_TEXT)
WITHOUT_ROSTER: tuple[Rule, ...] = (*_BEFORE, *_SEEN, *_TEXT)  # to look at a mail where there is no site
