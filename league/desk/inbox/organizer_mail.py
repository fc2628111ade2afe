"""The organizer by mail: the same acts as at the command line, for nobody but the address in the settings, proven.

No command runs on an address alone. Without proof by our own mail server a command counts in a reply to a mail that we
sent to the organizer, whose Message-ID nobody else has seen; any other is answered, once a day, by a mail to reply to.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from league.core.errors import LeagueError, Refused
from league.core.json import JsonDict
from league.desk.aside import set_aside
from league.desk.clock import stamp
from league.desk.inbox.nearly import UNCLEAR, nearly
from league.desk.leagues.calendar import open_for_change
from league.desk.post.answer_organizer import answer_organizer
from league.desk.post.roster import steering_words
from league.desk.recovery.put_orders import put_orders
from league.desk.rounds import enter_result, extend_round, hold_round
from league.desk.site import Site, find_running
from league.intake.read import Reading
from league.intake.screen import Verdict
from league.language.steering import Steered, Steering, read_steering
from league.reports.context import CommandReport
from league.storage import leagues, outbox
from league.storage.leagues import fold
from league.storage.mails import Mail
from league.storage.outbox import OutMail

UNPROVEN, DONE, NOTHING_ASKED = "organizer_unproven", "organizer", "organizer_no_command"
BY_MAIL = "by mail"
HOUR = extend_round.HOUR
MOST_HOURS = 366 * 24


@dataclass(frozen=True, slots=True)
class Heard:
    """A mail of the organizer's that was seen to: verdict, answer, and the matches whose rounds may have changed."""

    verdict: Verdict
    reason: str
    answer: OutMail | None
    matches: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


def listen(site: Site, connection: Connection, mail: Mail, reading: Reading, *, again: bool) -> Heard | None:
    """Carry out what the organizer asks for; None for whatever isn't the organizer's. `again`: the mail came before."""
    letter = reading.letter
    own = site.settings.site.organizer
    if not own or fold(letter.author) != fold(own) or not _may_be(reading):
        return None
    known = {league.slug for league in leagues.leagues(connection, "running")}
    asked = read_steering(letter.fresh, steering_words(), known)
    near = nearly(letter.fresh, asked, steering_words(), known)
    asked = replace(asked, lines=(*asked.lines, *near))
    if not asked.lines:
        return _nothing(site, connection, mail, reading)
    if again:
        return Heard(Verdict.DUPLICATE, "same_mail", None)
    if not (reading.verified or outbox.went_to(connection, [*letter.in_reply_to, *letter.references], own)):
        return Heard(Verdict.QUARANTINED, UNPROVEN, answer_organizer(site, "confirm", (), mail, letter))
    return _done(site, connection, mail, reading, asked)


def _nothing(site: Site, connection: Connection, mail: Mail, reading: Reading) -> Heard | None:
    """A plain "yes" to a mail of ours: he is told that it does nothing, once a day; unless he writes as a player."""
    letter = reading.letter
    is_ours = outbox.went_to(connection, [*letter.in_reply_to, *letter.references], site.settings.site.organizer)
    if reading.reason != "unknown_sender" or not is_ours:
        return None
    return Heard(Verdict.ASK, NOTHING_ASKED, answer_organizer(site, "nothing", (), mail, letter))


def _may_be(reading: Reading) -> bool:
    """Whether a person's own text was read; the address may be no player's."""
    return reading.verdict in (Verdict.ACCEPTED, Verdict.ASK) or reading.reason == "unknown_sender"


def _done(site: Site, connection: Connection, mail: Mail, reading: Reading, asked: Steered) -> Heard:
    acting = replace(site, who=f"organizer {BY_MAIL}")
    troubles: list[str] = []
    why = asked.why or BY_MAIL
    reports = tuple(_one(acting, connection, mail, line, why, troubles) for line in asked.lines)
    slugs = sorted({line.league for line in asked.lines if line.league})
    matches = tuple(find_running(site, connection, slug).match.slug for slug in slugs)
    answer = answer_organizer(site, "done", reports, mail, reading.letter)
    if all(line.problem == UNCLEAR for line in asked.lines):
        return Heard(Verdict.ASK, NOTHING_ASKED, answer, matches, tuple(troubles))
    return Heard(Verdict.ACCEPTED, DONE, answer, matches, tuple(troubles))


def _one(
    site: Site, connection: Connection, mail: Mail, line: Steering, why: str, troubles: list[str]
) -> CommandReport:
    if line.problem:
        return CommandReport(line.text, line.problem, {}, done=False)
    try:
        with connection.begin_nested():
            facts = ACTS[line.id](site, connection, mail, line, why)
    except LeagueError as no:
        return CommandReport(line.text, "refused", {"message": str(no), "reason": no.code, **no.facts}, done=False)
    except Exception as error:  # noqa: BLE001  # the border of a job
        troubles.append(set_aside(site, f"a command of mail {mail.digest}", error))
        return CommandReport(line.text, "fault", done=False)
    return CommandReport(line.text, line.id, facts)


def _extend(site: Site, connection: Connection, mail: Mail, line: Steering, why: str) -> JsonDict:
    """Of the round that was open when the mail came: it may be read only after the deadline."""
    running = find_running(site, connection, line.league)
    if "until" in line.facts:
        until = extend_round.read_deadline(str(line.facts["until"]), running.season.calendar["zone"])
    else:
        open_ = open_for_change(connection, running.season.calendar, running.match.id, mail.received_at)
        until = open_.deadline_at + _hours(line) * HOUR
    done = extend_round.extend(site, connection, running, until, why, mail.received_at)
    return {"round": done.round.number, "until": stamp(done.round.deadline_at)}


def _hours(line: Steering) -> int:
    hours = int(str(line.facts["hours"]))
    if hours > MOST_HOURS:
        raise Refused(f"a deadline moves by {MOST_HOURS} hours at most, not {hours}").named(
            "extend_hours", most=MOST_HOURS
        )
    return hours


def _hold(site: Site, connection: Connection, _: Mail, line: Steering, why: str) -> JsonDict:
    hours = int(str(line.facts["hours"])) or hold_round.USUAL
    done = hold_round.hold(site, connection, find_running(site, connection, line.league), hours, why)
    return {"round": done.round, "until": stamp(done.until)}


def _release(site: Site, connection: Connection, _: Mail, line: Steering, why: str) -> JsonDict:
    done = hold_round.release(site, connection, find_running(site, connection, line.league), why)
    return {"round": done.round, "until": stamp(done.extended.round.deadline_at) if done.extended else ""}


def _result(site: Site, connection: Connection, _: Mail, line: Steering, why: str) -> JsonDict:
    facts = line.facts
    attempt = int(str(facts["attempt"])) or None
    country, winner = str(facts["country"]), str(facts["winner"])
    enter_result.put_result(site, connection, line.league, country, winner, attempt=attempt, why=why)
    return {"country": country, "winner": winner}


def _enter(site: Site, connection: Connection, mail: Mail, line: Steering, why: str) -> JsonDict:
    name, text = str(line.facts["name"]), str(line.facts["text"])
    moment = min(mail.received_at, site.now)
    put_orders(site, connection, line.league, name, text, why=why, received_at=moment)
    return {"name": name}


ACTS: Mapping[str, Callable[[Site, Connection, Mail, Steering, str], JsonDict]] = {
    "extend": _extend,
    "hold": _hold,
    "release": _release,
    "result": _result,
    "enter": _enter,
}
