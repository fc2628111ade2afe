"""The mails of one week of the demo, numbered as files and laid out on a page (folder `battle-week` of its site)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from shutil import rmtree

from sqlalchemy import Connection

from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of
from league.desk.site import Site, find_running
from league.intake.mailbox import RawMail
from league.intake.message import open_letter
from league.reports.mail_week import (
    BATTLES,
    CLOSED,
    ORDERS,
    ORGANIZER,
    REPORT,
    WeekMail,
    mail_week_page,
    mail_week_path,
)
from league.storage import engine as database
from league.storage import journal, mails, outbox, rounds
from league.storage.absences import SOURCE
from league.storage.rounds import Loaded

FOLDER = "battle-week"
AFTER = ("freeze", "fixtures", "dispute", "reminder", "report")
MOST = 10_000  # mails of a demo
Filed = tuple[WeekMail, bytes]  # with the bytes; none for what is no mail


def write_week(site: Site, slug: str, number: int) -> Path:
    """Lay out the round's mails; what lay there is gone. The page's path."""
    folder = site.path / FOLDER
    if folder.exists():
        rmtree(folder)
    folder.mkdir(mode=0o700)
    with database.read(site.engine) as connection:
        loaded = _loaded(connection, site, slug, number)
        week = [*_incoming(connection, loaded), *_outgoing(connection, loaded), *_acts(connection, loaded)]
    ordered = sorted(week, key=lambda item: _place(item[0]))
    shown = list(_filed(folder, loaded, ordered))
    info, league = site_info(site), league_info(site, loaded, rules_of(loaded))
    for lang in info.langs:
        page = mail_week_page(info, league, round_info(loaded.round, loaded), shown, lang)
        (folder / mail_week_path(info, lang)).write_text(page, encoding="utf-8")
    return folder / "index.html"


def _place(mail: WeekMail) -> tuple[datetime, bool, int, str]:
    """At the same moment the question goes before the answer, and the check sums before what follows from them."""
    return mail.at, mail.is_ours, AFTER.index(mail.kind) if mail.kind in AFTER else -1, mail.seat


def _loaded(connection: Connection, site: Site, slug: str, number: int) -> Loaded:
    match = find_running(site, connection, slug).match
    found = next(r for r in rounds.rounds(connection, match.id) if r.number == number)
    (loaded,) = rounds.load_chunk(connection, [found.id])
    return loaded


def _incoming(connection: Connection, loaded: Loaded) -> Iterator[Filed]:
    """What players sent; what a program wrote for those who are away is no mail."""
    judged = {j.mail_id: j for j in mails.verdicts(connection, league_id=loaded.league_id, limit=MOST)}
    codes = {seat.id: seat.code for seat in loaded.seats}
    for mail_id, verdict in judged.items():
        mail = mails.mail(connection, mail_id)
        if mail is None or mail.content is None or mail.source == SOURCE or not _in_week(loaded, mail.received_at):
            continue
        letter = open_letter(RawMail(mail.digest, mail.received_at, mail.content, mail.source))
        is_early = mail.received_at <= loaded.round.closes_at
        yield (
            WeekMail(
                at=mail.received_at,
                kind="orders" if is_early else "battle",
                seat=codes.get(verdict.seat_id or 0, ORGANIZER),
                is_ours=False,
                subject=letter.subject,
                text=letter.fresh,
                quoted=letter.quoted_lines,
                verdict=verdict.verdict,
                stage=ORDERS if is_early else BATTLES,
            ),
            mail.content,
        )


def _outgoing(connection: Connection, loaded: Loaded) -> Iterator[Filed]:
    seats = {seat.id: seat for seat in loaded.seats}
    for line in outbox.listing(connection, match_id=loaded.round.match_id, limit=MOST):
        raw = outbox.raw(connection, line.message_id)
        if raw is None or line.seat_id is None or not _in_week(loaded, line.created_at):
            continue
        mail = message_from_bytes(raw, _class=EmailMessage, policy=default)
        kind = line.kind.partition("/")[0]
        plain = mail.get_body(("plain",))
        yield (
            WeekMail(
                at=line.created_at,
                kind=kind,
                seat=seats[line.seat_id].code,
                is_ours=True,
                subject=str(mail["Subject"]),
                text=str(plain.get_content()) if plain is not None else "",
                lang=seats[line.seat_id].lang,
                stage=_stage(loaded, kind, line.created_at),
            ),
            raw,
        )


def _stage(loaded: Loaded, kind: str, at: datetime) -> str:
    if kind == "report":
        return REPORT
    if at == loaded.round.closes_at:
        return CLOSED
    return ORDERS if at < loaded.round.closes_at else BATTLES


def _acts(connection: Connection, loaded: Loaded) -> Iterator[Filed]:
    """The organizer's word, as the command that was given."""
    names, game = {seat.code: seat.name for seat in loaded.seats}, rules_of(loaded)
    for act in journal.acts(connection, loaded.league_id, limit=MOST):
        if act.act == "result enter" and _in_week(loaded, act.at):
            land, who = game.label(str(act.arguments["country"]), "en"), names[str(act.arguments["winner"])]
            command = f'league result enter {loaded.league_slug} "{land}" {who} --why "{act.why}"'
            yield WeekMail(act.at, "word", ORGANIZER, is_ours=False, subject="", text=command, stage=BATTLES), b""


def _in_week(loaded: Loaded, at: datetime) -> bool:
    return loaded.round.opens_at < at <= loaded.round.ends_at


def _filed(folder: Path, loaded: Loaded, week: Sequence[Filed]) -> Iterator[WeekMail]:
    """Each with its file, numbered in the order of their times."""
    names = {seat.code: seat.name.lower() for seat in loaded.seats}
    number = 0
    for mail, raw in week:
        if not raw:
            yield mail
            continue
        number += 1
        who = f"to-{names[mail.seat]}" if mail.is_ours else f"from-{names.get(mail.seat, 'stranger')}"
        file = f"{number:02}-{who}-{mail.kind}.eml"
        (folder / file).write_bytes(raw)
        yield replace(mail, file=file)
