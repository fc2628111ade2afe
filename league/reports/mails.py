"""Mails as text and HTML: no line of them is one that our own reader would take for an order (MAIL: decision 1).

Orders are echoed as `[1] take Paris – accepted`, technical lines are `# ` comments, press is prefixed with `| `,
and a `guard` that asks the game's reader has the last word. Reports are made in `report_mails.py`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from league import i18n
from league.core.json import Json
from league.reports.context import (
    CommandReport,
    KeptOrders,
    LeagueInfo,
    Mail,
    PauseInfo,
    Reads,
    Receipt,
    RoundInfo,
    SiteInfo,
)
from league.reports.late import TooLate
from league.reports.post import Post as _Post
from league.reports.texts import clean, clean_lines

NOTHING_KEPT = KeptOrders()


def receipt_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads, key: str = "") -> Mail:
    """The answer to an order mail: each line as understood, what stands now, the deadline, the signed block."""
    post = _Post.to(site, league, receipt.seat, reads, key)
    mistakes = [line for line in receipt.lines if line.mistake is not None]
    return post.mail("receipt", calendar=receipt.round, receipt=receipt, round=receipt.round, mistakes=mistakes)


def ask_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads, key: str = "") -> Mail:
    """The answer to a mail without a readable order: how orders are written, and what stands meanwhile."""
    return _Post.to(site, league, receipt.seat, reads, key).mail("ask", receipt=receipt, round=receipt.round)


def commands_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads) -> Mail:
    """The answer to a mail of commands alone: each with what became of it."""
    post = _Post.to(site, league, receipt.seat, reads)
    return post.mail("commands", receipt=receipt, round=receipt.round)


def press_mail(
    site: SiteInfo, league: LeagueInfo, seat: str, text: str, facts: Mapping[str, Json], reads: Reads
) -> Mail:
    """A player's message to others, prefixed line by line, with how to answer it through us."""
    return _Post.to(site, league, seat, reads).mail("press", lines=clean_lines(text), facts=facts)


def organizer_mail(site: SiteInfo, title: str, what: str, facts: Mapping[str, Json], reads: Reads) -> Mail:
    """To the organizer: what a player has done by mail that a person should know of."""
    return _Post(site, _no_league(site, title), i18n.supported(site.lang), reads).mail(
        "organizer", what=what, facts=facts, reports=()
    )


def organizer_answer(site: SiteInfo, what: str, reports: Sequence[CommandReport], reads: Reads) -> Mail:
    """To the organizer: what became of his commands, or that they need a reply to count."""
    post = _Post(site, _no_league(site, site.title), i18n.supported(site.lang), reads)
    return post.mail("organizer", what=what, facts={}, reports=reports)


def _no_league(site: SiteInfo, title: str) -> LeagueInfo:
    """For mails about the site, or about a league as a whole."""
    return LeagueInfo("", title, "kuel", site.lang, "UTC", "", (), lambda thing, _: thing)


def replies_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads) -> Mail:
    """The answer to a mail that holds replies alone: what was understood, and what is still open."""
    post = _Post.to(site, league, receipt.seat, reads)
    mistakes = [line for line in receipt.lines if line.mistake is not None or line.note is not None]
    return post.mail("replies", receipt=receipt, round=receipt.round, mistakes=mistakes)


def fixtures_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    round_: RoundInfo,
    battles: Sequence[Mapping[str, Json]],
    until: datetime,
    reads: Reads,
    key: str = "",
) -> Mail:
    """The battles that are due now, a fighter's own first: who, where, how, until when, and how to report."""
    own = [facts for facts in battles if _fights(seat, facts)]
    others = [facts for facts in battles if not _fights(seat, facts)]
    return _Post.to(site, league, seat, reads, key).mail("fixtures", round=round_, own=own, others=others, until=until)


def _fights(seat: str, facts: Mapping[str, Json]) -> bool:
    fighters = facts["fighters"]
    return isinstance(fighters, Sequence) and seat in fighters


def dispute_mail(
    site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, facts: Mapping[str, Json], reads: Reads
) -> Mail:
    """Reports of a battle contradict each other: who said what, that the organizer decides, how to give way."""
    return _Post.to(site, league, seat, reads).mail("dispute", round=round_, facts=facts)


def reminder_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    round_: RoundInfo,
    battles: Sequence[Mapping[str, Json]],
    until: datetime,
    reads: Reads,
) -> Mail:
    """The fighter's battles that nothing was heard of from him, shortly before the waiting ends."""
    return _Post.to(site, league, seat, reads).mail("reminder", round=round_, own=battles, until=until)


def remind_mail(site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, reads: Reads, key: str = "") -> Mail:
    """Some time before the deadline, to a player of whom no order has come."""
    return _Post.to(site, league, seat, reads, key).mail("remind", calendar=round_, round=round_)


def moved_mail(site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, reads: Reads) -> Mail:
    """A result came so late that the open round's deadline is a week later."""
    return _Post.to(site, league, seat, reads).mail("moved", calendar=round_, round=round_)


def late_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    why: TooLate,
    received: datetime,
    reads: Reads,
    kept: KeptOrders = NOTHING_KEPT,
    commands: Sequence[CommandReport] = (),
    *,
    late: bool = True,
    thread: str = "",
) -> Mail:
    """The answer to a mail that no round took: why it isn't counted, and when the next window opens.

    Not `late`: all that it wanted was that standing orders end, and they do.
    """
    post = _Post.to(site, league, seat, reads)
    return post.mail(
        "late", round=why.round, why=why, received=received, kept=kept, late=late, commands=commands, thread=thread
    )


def brake_mail(site: SiteInfo, league: LeagueInfo, seat: str, most: int, until: datetime, reads: Reads) -> Mail:
    """To a player who had `most` answers within an hour: what of his mails counts while they get none."""
    return _Post.to(site, league, seat, reads).mail("brake", most=most, until=until)


def which_mail(
    site: SiteInfo, league: LeagueInfo, seat: str, open_: Sequence[tuple[LeagueInfo, str, RoundInfo]], reads: Reads
) -> Mail:
    """The answer to a mail of somebody who plays several seats and doesn't say for which it is.

    `open_`: each league with his seat and the round that takes orders next, and so what it asks of him.
    """
    rows = [(info.slug, round_, _Post.to(site, info, own, reads).asks(round_)) for info, own, round_ in open_]
    return _Post.to(site, league, seat, reads).mail("which", leagues=rows)


def unproven_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    what: str,
    received: datetime,
    sender: str,
    key: str,
    reads: Reads,
) -> Mail:
    """Somebody wrote in the player's name and it isn't shown who; `what` is the rule that said so."""
    post, who = _Post.to(site, league, seat, reads), clean(sender)
    return post.mail("unproven", what=what, received=received, sender=who, key=key)


def away_mail(site: SiteInfo, league: LeagueInfo, seat: str, received: datetime, to: str, reads: Reads) -> Mail:
    """The league is on another site by now; `to` is where mail for it goes, if anybody said so."""
    return _Post.to(site, league, seat, reads).mail("away", received=received, to=clean(to))


def back_mail(
    site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, since: datetime, to: str, reads: Reads
) -> Mail:
    """The league was to move and didn't: it goes on here; `to` is where its mail was to go, if anybody said so."""
    post, is_open = _Post.to(site, league, seat, reads), round_.status == "open"
    return post.mail("back", round=round_, since=since, to=clean(to), is_open=is_open)


def unreadable_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    round_: RoundInfo,
    received: datetime,
    problem: str,
    limit: int,
    most: tuple[int, int],
    reads: Reads,
) -> Mail:
    """The answer to a mail that can't be read; `problem` is the code of why.

    `limit` is how many bytes a mail may have, `most` how many lines and letters of its author's own.
    """
    post, (lines, letters) = _Post.to(site, league, seat, reads), most
    return post.mail(
        "unreadable", round=round_, received=received, problem=problem, limit=limit, lines=lines, letters=letters
    )


def freeze_mail(site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, reads: Reads) -> Mail:
    """Root and leaves of the frozen orders, so that every player's mail server dates them."""
    return _Post.to(site, league, seat, reads).mail("freeze", round=round_)


def welcome_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    round_: RoundInfo | None,
    reads: Reads,
    key: str = "",
    link_key: str = "",
) -> Mail:
    """The first mail to a player: what the league is, where to write, how orders look, the first deadline.

    `key` shows that a mail is the player's; it stands in his own mails alone. `link_key`: the same, where the league's
    page has a composer.
    """
    return _Post.to(site, league, seat, reads, link_key).mail("welcome", calendar=round_, round=round_, key=key)


def invitation_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    name: str,
    organizer: str,
    round_: RoundInfo,
    reads: Reads,
    key: str = "",
    season: int = 1,
    before: str = "",
) -> Mail:
    """The first mail to somebody who is to play: what it is, what accepting means, and how to say yes or no.

    `before` is what the season before was called, to who played it.
    """
    post, values = _Post.to(site, league, seat, reads), {"season": season, "before": clean(before)}
    return post.mail(
        "invitation", calendar=round_, name=clean(name), organizer=organizer, round=round_, key=key, **values
    )


def seat_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    what: str,
    round_: RoundInfo,
    facts: Mapping[str, Json],
    reads: Reads,
    key: str = "",
    link_key: str = "",
) -> Mail:
    """What the organizer changed about a seat: retired, returned, replaced, takes_over, absent, present, new_key.

    `link_key` is for the link to the page's composer, where the player has a seat to write for.
    """
    return _Post.to(site, league, seat, reads, link_key).mail("seat", what=what, round=round_, facts=facts, key=key)


def standby_mail(
    site: SiteInfo,
    league: LeagueInfo,
    place: str,
    what: str,
    round_: RoundInfo,
    facts: Mapping[str, Json],
    reads: Reads,
    key: str = "",
) -> Mail:
    """To who stands by: that he does, that a seat is free for him or no more, and what became of his mail."""
    return _Post.to(site, league, place, reads).mail("standby", what=what, round=round_, facts=facts, key=key)


def round_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    what: str,
    round_: RoundInfo,
    facts: Mapping[str, Json],
    reads: Reads,
) -> Mail:
    """What the organizer did with a round: extended, held."""
    until = facts.get("until")
    moment = datetime.fromisoformat(str(until)) if until else None
    dated = round_ if what == "extended" else None
    return _Post.to(site, league, seat, reads).mail(what, calendar=dated, round=round_, facts=facts, until=moment)


def pause_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    pause: PauseInfo,
    round_: RoundInfo,
    reads: Reads,
    *,
    is_open: bool = False,
) -> Mail:
    """Holidays of the league, and when the round after them takes orders; `is_open`: it does already."""
    post = _Post.to(site, league, seat, reads)
    return post.mail("pause", calendar=round_, pause=pause, round=round_, is_open=is_open)
