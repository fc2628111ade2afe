"""Commands by mail are carried out where their mail is booked: in the transaction of its verdict, so exactly once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from league.core.json import Json
from league.desk.aside import set_aside
from league.desk.inbox import commands_info, commands_seat
from league.desk.people.office import DeclinedError, Office, Told
from league.language.commands import CommandLine
from league.reports.context import CommandReport

MOST_COMMANDS = 25  # of one mail
Act = Callable[[Office, Mapping[str, Json]], Told]

ACTS: Mapping[str, Act] = {
    "status": commands_info.status,
    "help": commands_info.help_,
    "rules": commands_info.rules,
    "report": commands_info.report,
    "reports_off": commands_seat.reports_off,
    "reports_on": commands_seat.reports_on,
    "language": commands_seat.language,
    "zone": commands_seat.zone,
    "absent": commands_seat.absent,
    "back": commands_seat.back,
    "resign": commands_seat.resign,
    "accept": commands_seat.accept,
    "name": commands_seat.name,
    "decline": commands_seat.decline,
}


@dataclass(frozen=True, slots=True)
class Obeyed:
    """What became of a mail's commands; `troubles` are faults of the program among them."""

    reports: tuple[CommandReport, ...] = ()
    troubles: tuple[str, ...] = ()


def obey(office: Office, lines: Sequence[CommandLine]) -> Obeyed:
    """Carry out a mail's commands one after the other; one that can't be done undoes nothing of the others."""
    troubles: list[str] = []
    done: dict[int, CommandReport] = {}
    once = _once(lines)
    once, left = once[:MOST_COMMANDS], once[MOST_COMMANDS:]
    for place in sorted(range(len(once)), key=lambda place: not _is_first(once[place])):
        done[place] = _one(office.as_of_now(), once[place], troubles)
    reports = [done[place] for place in range(len(once))]
    reports += [CommandReport(line.text, "too_many_commands", {"most": MOST_COMMANDS}, done=False) for line in left[:1]]
    return Obeyed(tuple(reports), tuple(troubles))


def _once(lines: Sequence[CommandLine]) -> Sequence[CommandLine]:
    """The same command twice in a mail is one, where it stands last: `absent`, `back`, `absent` again is an absence."""
    kept: dict[tuple[str, str], CommandLine] = {}
    for line in lines:
        key = (line.command.id, str(line.command.facts)) if line.command else ("", line.text)
        kept.pop(key, None)
        kept[key] = line
    return tuple(kept.values())


def _is_first(line: CommandLine) -> bool:
    """Language and clock change before anything is told in them."""
    return line.command is not None and line.command.id in ("language", "zone")


def _one(office: Office, line: CommandLine, troubles: list[str]) -> CommandReport:
    if line.command is None:
        mistake = line.mistake
        return CommandReport(line.text, mistake.reason if mistake else "", mistake.facts if mistake else {}, done=False)
    try:
        with office.connection.begin_nested():
            told = ACTS[line.command.id](office, line.command.facts)
    except DeclinedError as no:
        return CommandReport(line.text, no.code, no.facts, done=False)
    except Exception as error:  # noqa: BLE001  # the border of a job: a command's fault costs nobody the orders beside it
        troubles.append(set_aside(office.site, f"a command of mail {office.mail.digest}", error))
        return CommandReport(line.text, "fault", done=False)
    return CommandReport(line.text, told.code, told.facts)
