"""The rules by which a letter gets its verdict, in order; a rule's name is the reason that is stored.

A registered address is a claim. What proves it is `letter.proof`, found before the rules are asked (screen.proof_of).
"""

from league.intake.copies import has_other_content, is_copy
from league.intake.message import Letter, Signal
from league.intake.proof import Proof
from league.intake.screen import Roster, Rule, Verdict, base, claimed, holder, place_of
from league.intake.signature import Signed


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


def _is_players(letter: Letter, roster: Roster) -> bool:
    """Orders of a player who is believed: somebody has to hear of it if they don't count."""
    believed = letter.author in roster.places and letter.proof is not Proof.NONE
    return believed and letter.reads_order and not is_copy(letter, roster.seen)


def automatic_with_orders(letter: Letter, roster: Roster) -> Verdict | None:
    """A player's orders, marked as a program's (`Precedence: bulk`): a filter or a script may send what he wrote.

    They count for nothing and aren't answered, as it may be a loop; but the organizer sees them.
    """
    is_marked = Signal.MARKED in letter.signals and letter.proof is not Proof.ORGANIZER
    return Verdict.IGNORED if is_marked and _is_players(letter, roster) else None


def list_with_orders(letter: Letter, roster: Roster) -> Verdict | None:
    """A player's orders by way of a mailing list (hazard 46): the organizer sees them."""
    by_list = Signal.MAILING_LIST in letter.signals and letter.proof is not Proof.ORGANIZER
    return Verdict.REJECTED if by_list and _is_players(letter, roster) else None


def automatic(letter: Letter, _: Roster) -> Verdict | None:
    """A program writes: out of office, a receipt, a calendar, a reaction. A subject alone never outweighs an order.

    Nor does a mark, where the organizer stands for the author.
    """
    if Signal.MARKED in letter.signals and letter.proof is Proof.ORGANIZER:
        return None
    by_words = Signal.AUTOMATIC_WORDS in letter.signals and not letter.reads_order
    return Verdict.IGNORED if Signal.AUTOMATIC in letter.signals or by_words else None


def mailing_list(letter: Letter, _: Roster) -> Verdict | None:
    """Orders come from a person, not through a list that others write to."""
    by_list = Signal.MAILING_LIST in letter.signals and letter.proof is not Proof.ORGANIZER
    return Verdict.REJECTED if by_list else None


def no_single_author(letter: Letter, _: Roster) -> Verdict | None:
    """Two authors or an address with a trick in it: nobody's orders."""
    return None if letter.author else Verdict.REJECTED


def token_alone(letter: Letter, roster: Roster) -> Verdict | None:
    """A token or an answer from an address that isn't registered: it may have leaked (MAIL.md, hazards 65 and 71)."""
    unknown = letter.author not in roster.places and holder(letter, roster) is not None
    return Verdict.QUARANTINED if unknown else None


def unknown_sender(letter: Letter, roster: Roster) -> Verdict | None:
    """Not a player's registered address."""
    return None if letter.author in roster.places else Verdict.REJECTED


def token_of_another_seat(letter: Letter, roster: Roster) -> Verdict | None:
    """A player with somebody else's token: one of the two isn't who he seems."""
    own = roster.places.get(letter.author, ())
    strange = any(place not in own for place in claimed(letter, roster))
    return Verdict.QUARANTINED if strange and letter.proof is not Proof.ORGANIZER else None


def key_not_fetched(letter: Letter, roster: Roster) -> Verdict | None:
    """Signed, but the key to check the signature with couldn't be had in time: the token would have been needed."""
    unknown = letter.proof is Proof.NONE and roster.signed.get(letter.digest) is Signed.UNKNOWN
    return Verdict.QUARANTINED if unknown else None


def unproven(letter: Letter, _: Roster) -> Verdict | None:
    """Anybody can write under a registered address; nothing shows that the player did (hazard 60)."""
    return Verdict.QUARANTINED if letter.proof is Proof.NONE else None


def same_mail(letter: Letter, roster: Roster) -> Verdict | None:
    """The same message by another way, or fetched again."""
    return Verdict.DUPLICATE if is_copy(letter, roster.seen) else None


def same_id_other_content(letter: Letter, roster: Roster) -> Verdict | None:
    """One message id of one author with two texts: its author is asked, or a person has to look."""
    is_other = letter.proof is not Proof.ORGANIZER and has_other_content(letter, roster.seen)
    return Verdict.HELD if is_other else None


def which_league(letter: Letter, roster: Roster) -> Verdict | None:
    """Its author plays several seats and doesn't say for which this is."""
    return None if place_of(letter, roster) else Verdict.ASK


def encrypted(letter: Letter, _: Roster) -> Verdict | None:
    """Nothing we have a key for."""
    return Verdict.ASK if Signal.ENCRYPTED in letter.signals and not letter.fresh else None


def only_quotes(letter: Letter, _: Roster) -> Verdict | None:
    """Written inside the quoted text, or sent off empty: nothing of it is run."""
    return Verdict.ASK if not letter.fresh and letter.quoted_lines > letter.hidden_lines else None


def only_attachments(letter: Letter, _: Roster) -> Verdict | None:
    """Orders in a picture or a file are not read."""
    return Verdict.ASK if not letter.fresh and letter.attachments else None


def empty(letter: Letter, _: Roster) -> Verdict | None:
    """No text at all."""
    return Verdict.ASK if not letter.fresh else None


def is_person(letter: Letter, roster: Roster) -> bool:
    """Nobody's program wrote it, as far as its headers tell: for mails that can't be read and are answered."""
    return not any(rule(letter, roster) for rule in _BEFORE[1:])


def readable(_letter: Letter, _: Roster) -> Verdict | None:
    """A person's fresh text, for a seat that is known; what it says is the game's to read."""
    return Verdict.ACCEPTED


_PROGRAM: tuple[Rule, ...] = (automatic_with_orders, list_with_orders, automatic, mailing_list)
_BEFORE: tuple[Rule, ...] = (unreadable, own_mail, bounce, *_PROGRAM, no_single_author)
_SEEN: tuple[Rule, ...] = (same_mail, same_id_other_content)
_TEXT: tuple[Rule, ...] = (encrypted, only_quotes, only_attachments, empty, readable)

# A copy of a mail that counts already changes nothing, whoever sends it: it is no matter for a notice.
_WHO: tuple[Rule, ...] = (token_alone, unknown_sender, same_mail, token_of_another_seat, key_not_fetched, unproven)

UNCOUNTED = (automatic_with_orders.__name__, list_with_orders.__name__)  # reasons that the organizer has to know of
RULES: tuple[Rule, ...] = (*_BEFORE, *_WHO, same_id_other_content, which_league, *_TEXT)
WITHOUT_ROSTER: tuple[Rule, ...] = (*_BEFORE, *_SEEN, *_TEXT)  # to look at a mail where there is no site
