"""Press: messages from player to player, passed on by mail at once, the writer's address hidden.

What was written to single players stands in their mails and in the book alone; what goes to everyone also stands in the
round's report. Nothing is passed on in part: one name that isn't understood, and the message comes back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from league import i18n, resources
from league.core.json import Json, JsonDict
from league.core.orders import Press
from league.desk.inbox.press_thread import (
    KIND,
    NOBODY,
    REPLY,
    Answered,
    is_back,
    is_unnamed,
    marked,
    without_signature,
)
from league.desk.leagues.infos import league_info, site_info
from league.desk.leagues.press_policy import ALL, OFF, PRIVATE, PUBLIC, Policy, policy_of
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press, command_words
from league.desk.site import Site
from league.language.fold import fold
from league.language.names import Ambiguous, Found, NameIndex, Thing
from league.records.press import press_hash, press_salt
from league.reports import mails as words
from league.reports.context import CommandReport
from league.storage import leagues
from league.storage.leagues import Membership, Place
from league.storage.mails import Mail
from league.storage.orders import PressLine
from league.storage.outbox import OutMail
from league.storage.rounds import RESOLVED, Loaded

LONGEST, MOST_LINES = 4000, 100


@dataclass(frozen=True, slots=True)
class Passed:
    """What became of a mail's press: the answer's lines, rows for the book, mails to those it was written to."""

    reports: tuple[CommandReport, ...] = ()
    lines: tuple[PressLine, ...] = ()
    mails: tuple[OutMail, ...] = ()


class _RefusedError(Exception):
    def __init__(self, code: str, **facts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.facts: JsonDict = dict(facts)


@dataclass(frozen=True, slots=True)
class _Meant:
    """Whom a message is for, and whether its writer wants to stay unnamed; nobody named: everyone.

    `reader_unnamed`: it answers somebody who isn't named to its writer.
    """

    to: tuple[Place, ...]
    anonymous: bool
    reader_unnamed: bool = False


def pass_on(
    site: Site,
    table: Loaded,
    member: Membership,
    mail: Mail,
    press: Sequence[Press],
    before: Sequence[PressLine],
    answered: Answered = NOBODY,
) -> Passed:
    """Pass a mail's messages on. `before` is what the seat wrote in this round; `answered` is what the mail answers.

    What goes back to its writer never names its reader.
    """
    done, known = Passed(), list(before)
    for number, written_to in enumerate(press, start=1):
        reply = is_back(written_to)
        message = _back(written_to, answered, member.place) if reply and answered.author else written_to
        written = f"{_shown(message.to, member.place.lang)}: {message.text}" if not reply else message.text
        try:
            meant = _checked(table, member, message, known, reply=reply)
            meant = replace(meant, reader_unnamed=reply and answered.author_unnamed)
        except _RefusedError as no:
            report = CommandReport(written, no.code, no.facts, done=False)
            done = replace(done, reports=(*done.reports, report))
            continue
        codes = tuple(place.code for place in meant.to)
        line = PressLine(
            table.round.id,
            member.place.id,
            mail.received_at,
            codes,
            message.text,
            mail.id,
            anonymous=meant.anonymous,
            reply=reply,
        )
        line = (
            line if codes else _committed(site, table, mail, line, "" if line.anonymous else member.place.code, number)
        )
        known.append(line)
        facts: JsonDict = {"to": list(codes), "round": table.round.number, "anonymous": meant.anonymous}
        code = REPLY if reply else "press_private" if codes else "press_public"
        done = Passed(
            (*done.reports, CommandReport(written, code, facts)),
            (*done.lines, line),
            (*done.mails, *_mails(site, table, member, mail, message, meant, number)),
        )
    return done


def _back(written: Press, answered: Answered, own: Place) -> Press:
    """The message to who wrote what is answered; who is unnamed in this thread stays so, and isn't to sign it."""
    if not (answered.reader_unnamed or is_unnamed(written)):
        return replace(written, to=(answered.author,))
    unnamed = min(command_words().keywords.role("anonymous"))
    text = without_signature(written.text, (own.code, own.name, own.own_name))
    return Press((unnamed, answered.author), text)


def _committed(site: Site, table: Loaded, mail: Mail, line: PressLine, seat: str, number: int) -> PressLine:
    """What goes to everyone gets the hash with which it enters the round's record."""
    salt = press_salt(site.match_secret(table.match_slug), mail.content or b"", mail.digest, number)
    made = press_hash(table.league_slug, table.match_slug, table.round.number, seat, line.text, salt)
    return replace(line, salt=salt, sha256=made)


def _shown(names: Sequence[str], lang: str) -> str:
    return ", ".join(names) or str(resources.commands()["words"]["all"][i18n.supported(lang)][0])


def _checked(table: Loaded, member: Membership, message: Press, known: Sequence[PressLine], *, reply: bool) -> _Meant:
    """Whom it is for; `_RefusedError` where the league, a limit or a name stands against it.

    Replies are never compared with what was written before: "that again" would tell who an unnamed writer is.
    """
    policy = policy_of(table.calendar)
    if policy.mode == OFF:
        raise _RefusedError("press_off")
    if table.round.status == RESOLVED:
        raise _RefusedError("press_match_over")
    if is_back(message):
        raise _RefusedError("press_back_to_whom")
    try:
        meant = _meant(table, member, message.to)
    except _RefusedError as no:
        if reply:  # its name might tell who an unnamed writer is
            raise _RefusedError("press_back_gone") from no
        raise
    _allowed(policy, meant)
    if len(message.text) > LONGEST or message.text.count("\n") >= MOST_LINES:
        raise _RefusedError("press_long", letters=LONGEST, lines=MOST_LINES)
    codes = tuple(place.code for place in meant.to)
    if not reply and any(not one.reply and (one.recipients, one.text) == (codes, message.text) for one in known):
        raise _RefusedError("press_again")
    if len(known) >= policy.limit:
        raise _RefusedError("press_limit", limit=policy.limit)
    return meant


def _allowed(policy: Policy, meant: _Meant) -> None:
    wanted = PRIVATE if meant.to else PUBLIC
    if policy.mode not in (ALL, wanted):
        raise _RefusedError(f"press_no_{wanted}")
    if meant.anonymous and not policy.anonymous:
        raise _RefusedError("press_no_anonymous")


def _meant(table: Loaded, member: Membership, names: Sequence[str]) -> _Meant:
    role = command_words().keywords.role
    rest, anonymous = list(names), False
    first = fold(names[0]).split() if names else []
    if first and first[0] in role("anonymous"):
        anonymous = True
        left = names[0].split()[2 if len(first) > 1 and first[1] in role("press_to") else 1 :]
        rest = [" ".join(left), *names[1:]] if left else list(names[1:])
    if not rest or any(fold(name) in role("all") for name in rest):
        return _Meant((), anonymous)
    there = [
        seat for seat in table.seats if seat.status in leagues.PRESENT and seat.id != member.place.id and seat.address
    ]
    index = NameIndex.build((Thing(seat.code, (seat.code, seat.name)) for seat in table.seats), shared=True)
    codes = dict.fromkeys(_code(index, name, table) for name in rest)
    own = [seat for seat in there if seat.code in codes]
    if len(own) != len(codes):
        gone = next(code for code in codes if code not in {seat.code for seat in own})
        code = "press_to_yourself" if gone == member.place.code else "press_to_nobody_there"
        raise _RefusedError(code, seat=gone)
    return _Meant(tuple(own), anonymous)


def _code(index: NameIndex, name: str, table: Loaded) -> str:
    found = index.lookup(name)
    if isinstance(found, Found):
        return found.id
    near = found.ids if isinstance(found, Ambiguous) else getattr(found, "suggestions", ())
    there = {seat.code for seat in table.seats if seat.status in leagues.PRESENT}
    raise _RefusedError("press_unknown", written=name, suggestions=[seat for seat in near if seat in there])


def _mails(
    site: Site, table: Loaded, member: Membership, mail: Mail, message: Press, meant: _Meant, number: int
) -> list[OutMail]:
    """A mail of its own for each; nothing in it but the public name tells who wrote."""
    league, info = league_info(site, table, rules_of(table)), site_info(site)
    to = meant.to or tuple(
        s for s in table.seats if s.status in leagues.PRESENT and s.id != member.place.id and s.address
    )
    facts: Mapping[str, Json] = {
        "seat": "" if meant.anonymous else member.place.code,
        "to": [place.code for place in meant.to],
        "all": not meant.to,
    }
    kind = f"{KIND}/{member.place.code}/{mail.digest}/{number}"
    kept = marked(kind, writer_unnamed=meant.anonymous, reader_unnamed=meant.reader_unnamed)
    made = []
    for place in to:
        text = words.press_mail(info, league, place.code, message.text, facts, any_order_or_press)
        out = outgoing(site, kind, text, place, table.match_slug, table.round.number, date=mail.received_at)
        made.append(replace(out, kind=kept))  # the id tells nothing of it
    return made
