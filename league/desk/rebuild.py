"""`league rebuild`: a site once more, from raw mails, figures, journal and key alone, to the same bytes.

Everything goes the way it went: acts by the functions that did them, mails through intake, rounds closed and sealed at
the moments at which they were. Nothing is fetched, sent or published meanwhile. What comes out is held against the
records of the old site; where they differ, one of the two was not made by these rules from these mails.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from shutil import copy2
from typing import Any

from sqlalchemy import Connection, Engine

from league import settings
from league.core.errors import LeagueError, Refused
from league.core.json import Json
from league.desk import brought
from league.desk.acts.redo import CLOSES, FIRST, Act, redo
from league.desk.again import anew
from league.desk.clock import stamp
from league.desk.inbox.accept_mail import Accepted, judge_waiting, open_rounds
from league.desk.inbox.quarantine import TURNED_AWAY, WAITING
from league.desk.init_site import make_folders
from league.desk.leagues.public_journal import BY_MAIL, ORGANIZER, STANDBY
from league.desk.recovery import restored
from league.desk.recovery.put_orders import SOURCE, digest_of
from league.desk.rounds.resolve_rounds import resolve_rounds
from league.desk.run.freeze_rounds import freeze_rounds
from league.desk.site import CALENDAR, Site, open_site
from league.intake.proof import Proof
from league.reports.own_file import read_own
from league.storage import engine as database
from league.storage import leagues, outbox, raw, records
from league.storage.raw import Raw, Values

OLD = "went out before the site was built anew, or never"


@dataclass(frozen=True, slots=True)
class Same:
    """How the records of a match compare: how many there were, how many are the same.

    `differs` is the first that came out otherwise, `missing` the first that wasn't made at all.
    """

    match: str
    records: int
    same: int
    differs: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A site built anew."""

    path: Path
    acts: int
    mails: int
    matches: tuple[Same, ...]
    troubles: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether every record came out to the byte."""
        return all(match.same == match.records for match in self.matches) and not self.troubles


@dataclass(frozen=True)
class Replayed(Site):
    """The site at an earlier moment: the journal is copied, not written anew, and no mailbox is asked."""

    does_again = True
    counts: Mapping[tuple[str, int], int] = field(default_factory=dict)

    def acts_counted(self, match: str, number: int) -> int | None:
        """As many as there were then."""
        return self.counts.get((match, number))

    def write_down(
        self, connection: Connection, act: str, why: str = "", league_id: int | None = None, **arguments: Json
    ) -> None:
        """The act stands in the old journal already."""

    def open_words(self, *texts: str, what: str = "") -> None:
        """What was written down once is done again as it was."""


def rebuild(path: Path, source: Path, told: datetime | None = None) -> Rebuilt:
    """Build the site of another folder anew in an empty one."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Refused(f"{path} isn't empty; a site is built anew in a new folder: --site NEW")
    old = open_site(source, told)
    try:
        _require_own(old)
        _lay_out(old, path)
        new = open_site(path, told)
        try:
            return _replay(old, new)
        finally:
            new.engine.dispose()
    finally:
        old.engine.dispose()


def _require_own(old: Site) -> None:
    """Leagues that were brought here began with another site's key: their beginnings aren't here."""
    with database.read(old.engine) as connection:
        foreign = brought.is_brought(connection)
    for slug, made_at in foreign.items():
        raise Refused(
            f"{slug} was brought here from another site (as of {made_at}), and what happened before lies there: a site "
            f"with it can't be built anew. Keep backups; league verify recomputes its records from the published pages"
        )


def _lay_out(old: Site, path: Path) -> None:
    """An empty site with the old one's settings, key, templates and own files."""
    old.require_key()
    if old.settings.storage.url:
        raise Refused("a site on PostgreSQL is built anew from a copy whose league.toml names no [storage] url")
    make_folders(path)
    for key in sorted((old.path / "secrets").glob("*.key")):  # the site's, and the signing keys since
        copy2(key, path / "secrets" / key.name)
    for folder in ("templates", "static"):
        _copy_own(old.path / folder, path / folder)
    copy2(old.path / settings.FILE, path / settings.FILE)


def _copy_own(old: Path, new: Path) -> None:
    """What lies there itself: a copy of what a link leads to would no longer be known as a link."""
    for file in () if old.is_symlink() else sorted(old.rglob("*")):
        parts = file.relative_to(old).parts
        content = read_own(old, *parts)
        if content is not None:
            new.joinpath(*parts).parent.mkdir(parents=True, exist_ok=True)
            new.joinpath(*parts).write_bytes(content)


def _replay(old: Site, new: Site) -> Rebuilt:
    with database.read(old.engine) as connection:
        found = raw.gather(connection)
        slugs = {league.id: league.slug for league in leagues.leagues(connection)}
    replay = _Replay(old.engine, new, found, slugs)
    troubles: list[str] = []
    with database.write(new.engine) as connection:  # until then it goes by the ids of our mails
        leagues.set_fact(connection, restored.MADE_ANEW, stamp(new.now))
    for moment in _moments(found):
        replay.play(moment)
        troubles += replay.troubles
        if troubles:  # what comes behind would only be wrong in other ways
            break
    replay.end()
    with database.write(new.engine) as connection:
        raw.put_away_outbox(connection, OLD)
        outbox.hold(connection, "built anew: look before anything goes out")
        restored.mark_restored(connection, [match for _, match, _ in restored.heads(connection)], new.now)
        new.write_down(connection, "rebuild")
    with database.read(old.engine) as before, database.read(new.engine) as after:
        matches = tuple(_compared(before, after))
    if any(match.same != match.records for match in matches):
        troubles += _over_restores(found)
    return Rebuilt(new.path, len(found.journal), len(found.mails), matches, tuple(troubles))


def _over_restores(found: Raw) -> Iterator[str]:
    """What came between a backup and its restore is known only as far as mails and the published journal tell it."""
    for row in found.journal:
        if row["act"] == raw.RESTORE:
            made_at = row["arguments"].get("made_at", "?")
            yield (
                f"this site was restored on {stamp(row['at'])} from a backup of {made_at}: what was done in between "
                f"on the machine before, and stands in no mail and in no published journal, can't be done again; "
                f"records since may differ for that reason alone"
            )


def _moments(found: Raw) -> list[datetime]:
    """Every moment at which something came in, was done, closed or sealed."""
    moments = {row["at"] for row in found.journal} | {at for at, _ in found.mails} | set(found.closed)
    return sorted(moments | {row["entered_at"] for row in found.figures} | {at for at, _ in found.sealed})


@dataclass
class _Replay:
    """The old site's beginnings, and the new site as far as it has come."""

    old: Engine
    new: Site
    found: Raw
    slugs: dict[int, str]

    def __post_init__(self) -> None:
        self.troubles: list[str] = []
        self.before = datetime.min.replace(tzinfo=UTC)

    def play(self, moment: datetime) -> None:
        """Everything of one moment, in the order in which a run does it."""
        acts = [row for row in self.found.journal if row["at"] == moment]
        done = [row for row in acts if _is_done_here(row)]
        mails = [key for at, key in self.found.mails if at == moment]
        sealed = sorted({slug for at, slug in self.found.sealed if at == moment})
        site = self._at(moment)
        open_rounds(site)
        self._keep("reading", [r for r in self.found.readings if self.before < r["read_at"] <= moment])
        self.before = moment
        self._redo(moment, [row for row in done if row["act"] in FIRST])
        if mails:
            resolve_rounds(site, seal=False)  # as the runs since the last moment did: what they asked is answered now
            self._mails(site, mails)
        late = [row for row in done if row["who"] == CALENDAR and row["act"] not in CLOSES]
        self._redo(moment, [row for row in done if row["act"] not in FIRST and row not in late])
        if moment in self.found.closed:
            self.troubles += freeze_rounds(site, Accepted()).troubles
        self._figures(moment)
        self._keep("journal", acts)  # leagues are there by now
        if mails or sealed or moment in self.found.closed:
            resolve_rounds(site, seal=False)
        for slug in sealed:
            waiting = resolve_rounds(site, slug).waiting
            self.troubles += [f"{w.league}, round {w.round}: {w.trouble}" for w in waiting if w.trouble]
        self._redo(moment, late)

    def end(self) -> None:
        """What sources said after the last moment at which anything was done."""
        self._keep("reading", [row for row in self.found.readings if self.before < row["read_at"]])

    def _figures(self, moment: datetime) -> None:
        """The figures that came to stand then; a correction done again has entered its own."""
        with database.read(self.new.engine) as connection:
            rows = [row for row in self.found.figures if row["entered_at"] == moment]
            absent = raw.absent_figures(connection, rows) if rows else ()
        self._keep("evidence", absent)

    def _at(self, moment: datetime, who: str = ORGANIZER) -> Site:
        """The site at that moment, without a mailbox on a server and without a look into the DNS."""
        chosen = self.new.settings
        mail = replace(chosen.mail, imap=settings.Imap(), own_dkim="off")
        chosen = replace(chosen, mail=mail)
        return Replayed(self.new.path, chosen, self.new.engine, moment, who, counts=self.found.counted)

    def _keep(self, what: str, rows: Sequence[Values]) -> None:
        if rows:
            with database.write(self.new.engine) as connection:
                raw.lay(connection, what, rows)

    def _redo(self, moment: datetime, rows: list[Values]) -> None:
        for row in rows:
            league = self.slugs.get(row["league_id"], "")
            act = Act(row["act"], row["why"], league, row["arguments"], self.found.players)
            try:
                redo(self._at(moment, row["who"]), act)
            except LeagueError as error:
                self.troubles.append(f"{stamp(moment)}, {row['act']}: {error}")

    def _mails(self, site: Site, ids: Sequence[int]) -> None:
        """Mails as they were kept, with their numbers and times of arrival, through intake once more."""
        with database.read(self.old) as connection:
            rows = [_as_it_came(*raw.mail_values(connection, key)) for key in ids]
        gone = [row["id"] for row in rows if row["content"] is None]
        if gone:
            self.troubles.append(f"the bytes of {len(gone)} mails are no longer kept; what they said is lost")
            return
        changed = [str(row["id"]) for row in rows if not _is_what_came(row)]
        if changed:
            self.troubles.append(
                f"the bytes of mail {', '.join(changed)} aren't those that came: their SHA-256 differs"
            )
            return
        self._keep("mail", rows)
        done = Accepted()
        judge_waiting(site, done)
        self.troubles += done.troubles


def _as_it_came(row: dict[str, Json], judged: Mapping[str, Any]) -> dict[str, Json]:
    """Before any word of the organizer on it. A signature was checked with a key that may be gone from the DNS.

    A mail that waited for a person, and still does or was turned away, was never believed: it is held again.
    """
    by_signature = judged.get("proof") == Proof.DKIM.value and not _waited(judged)
    return {**row, "vouched": row["source"] == SOURCE or by_signature}


def _waited(judged: Mapping[str, Any]) -> bool:
    return judged["verdict"] in WAITING or judged["reason"] == TURNED_AWAY


def _is_what_came(row: Mapping[str, Any]) -> bool:
    """Whether the bytes are those whose digest the leaf hangs on."""
    digest = sha256(row["content"]).hexdigest()
    if row["source"] == SOURCE and row["digest"] == digest_of(row["content"]):
        return True
    return row["digest"] in (digest, anew(digest, row["received_at"]))


def _is_done_here(row: Values) -> bool:
    """What somebody asked for by mail comes about by the mail itself."""
    return not (BY_MAIL.fullmatch(row["who"]) or STANDBY.fullmatch(row["who"]) or row["who"] == f"{ORGANIZER} by mail")


def _compared(before: Connection, after: Connection) -> Iterator[Same]:
    known = {match: head for _, match, head in restored.heads(after)}
    for _, match, head in restored.heads(before):
        theirs = records.chain(before, head.match_id)
        ours = records.chain(after, known[match].match_id) if match in known else ()
        hashes = [record.sha256 for record in ours]
        same = sum(one.sha256 == other for one, other in zip(theirs, hashes, strict=False))
        other = next((one for one, made in zip(theirs, hashes, strict=False) if one.sha256 != made), None)
        unmade = theirs[len(hashes)] if len(theirs) > len(hashes) else None
        yield Same(match, len(theirs), same, _named(other), _named(unmade))


def _named(record: records.Sealed | None) -> str:
    return f"round {record.round}, version {record.version}" if record is not None else ""
