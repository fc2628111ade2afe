"""`league backup` and `league restore`: the machine dies, and the league goes on as if it hadn't."""

import json
import sqlite3
import tarfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from sqlalchemy import URL

from league.core.errors import BadInput, Refused
from league.desk.acts.steer_round import hold, release
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.pages.publish_pages import publish_now
from league.desk.post.mind_outbox import release as release_outbox
from league.desk.proof.verify import verify
from league.desk.recovery.back_up import ALL, KEYS, NONE, back_up
from league.desk.recovery.restore import restore
from league.desk.recovery.restored import standing
from league.desk.recovery.word_on_head import accept, confirm
from league.failpoints import KILLED
from league.storage import dump
from league.storage.archive import look
from tests.desk.forks import Forks
from tests.desk.sites import bodies, copy, drop, letter, mail_run, opened, outbox, rows, run, sealed, verdicts
from tests.desk.test_imap_site import connected, put
from tests.desk.weeks import evaluate, utc, week, write
from tests.intake.dovecot import Dovecot

FIRST = date(2024, 1, 4)
SECOND, THIRD = FIRST + timedelta(weeks=1), FIRST + timedelta(weeks=2)
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
BACKUP = utc(FIRST + timedelta(days=3), 12)  # the Sunday after round 1
LATER = utc(SECOND + timedelta(days=4), 12)  # the Monday after round 2

# ------------------------------------------------------------------ a league, a backup, a dead machine


@pytest.fixture(scope="module")
def _played(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("played") / "site")
    for name, text in JOINS.items():
        write(path, name, text, FIRST)
    week(path, FIRST)
    return path


@pytest.fixture
def played(_played: Path, tmp_path: Path) -> Path:
    """The league spring after its first round."""
    return copy(_played, tmp_path / "site")


def backup(path: Path, when: Any = BACKUP, secrets: str = KEYS) -> Path:
    target = path.parent / "site.tar"
    back_up(opened(path, when), target, secrets)
    return target


def lost_round(path: Path) -> None:
    """Round 2, which the backup doesn't know: orders, and its evaluation."""
    write(path, "Anna", "take London", SECOND)
    write(path, "Ben", "take Spain", SECOND)
    week(path, SECOND)


def chain(path: Path) -> list[str]:
    return [record.sha256 for record in sealed(path)]


def told(path: Path) -> list[dict[str, Any]]:
    """What the records say of the game: the journal of a restored site has one act more."""
    return [{key: value for key, value in body.items() if key not in ("journal", "previous")} for body in bodies(path)]


def published(path: Path) -> list[dict[str, Any]]:
    """The published journal."""
    acts = json.loads((path / "public" / "spring" / "journal.json").read_bytes())["acts"]
    assert isinstance(acts, list)
    return acts


def revived(played: Path, file: Path, *, inbox: bool = True) -> Path:
    """The site out of the backup, with the mail folder of the dead machine if that could be saved."""
    path = played.parent / "revived"
    restore(path, file, LATER)
    if inbox:
        rmtree(path / "mail" / "in")
        copytree(played / "mail" / "in", path / "mail" / "in")
    return path


def test_a_league_goes_on_from_its_backup(played: Path) -> None:
    """What the backup had is there: the same records, mails and positions, and the next rounds come out the same."""
    file = backup(played)
    path = played.parent / "revived"
    restore(path, file, BACKUP)
    for table in ("record", "position", "submission", "mail", "seat", "player", "verdict", "evidence", "standing"):
        assert rows(path, f"SELECT * FROM {table}") == rows(played, f"SELECT * FROM {table}"), table
    confirm(opened(path, BACKUP), [chain(path)[-1]])
    release_outbox(opened(path, BACKUP), "")
    lost_round(played)
    lost_round(path)
    assert told(path) == told(played)
    assert len(chain(path)) == 3
    assert [act["act"] for act in published(path)][-2:] == ["restore --head", "draw enter"]
    assert path.joinpath("public", "spring", "round-2.html").is_file()


def test_a_backup_holds_what_cannot_be_made_again(played: Path) -> None:
    """Settings, database, mail folders, own templates and the site's key, readable by its owner alone; no pages."""
    (played / "templates").mkdir()
    (played / "templates" / "mine.txt").write_text("hello")
    (played / "secrets" / "imap.password").write_text("hush")
    file = backup(played)
    names = [one.name for one in look(file).files]
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"league.toml", "database.sqlite", "mail", "secrets", "templates"}
    assert [name for name in names if name.startswith("secrets")] == ["secrets/site.key"]
    assert sum(name.startswith("mail/in/cur/") for name in names) == 3
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list((played / "backups").iterdir())
    (act,) = rows(played, "SELECT arguments FROM journal WHERE act = 'backup'")
    assert json.loads(act["arguments"]) == {"file": "site.tar", "secrets": "keys"}


def test_secrets_are_chosen(played: Path) -> None:
    """Passwords go in only on demand; without even the key the backup says so, and the restored site misses it."""
    (played / "secrets" / "imap.password").write_text("hush")
    site = opened(played, BACKUP)
    whole, none = played.parent / "all.tar", played.parent / "none.tar"
    assert back_up(site, whole, ALL).left_out == ()
    assert b"hush" in whole.read_bytes()
    told = back_up(site, none, NONE)
    assert [one.name for one in told.files if one.name.startswith("secrets")] == []
    assert any("site's key" in sentence for sentence in told.left_out)
    done = restore(played.parent / "keyless", none, BACKUP)
    assert "site.key" in done.missing[0]


def test_a_backup_is_of_one_moment(played: Path) -> None:
    """It holds what was committed, in the write-ahead log too, though others have the database open."""
    other = sqlite3.connect(played / "league.sqlite")
    other.execute("SELECT count(*) FROM mail").fetchall()
    write(played, "Anna", "take London", SECOND)
    mail_run(played, BACKUP)
    assert (played / "league.sqlite-wal").stat().st_size
    file = backup(played)
    other.close()
    path = played.parent / "revived"
    restore(path, file, BACKUP)
    assert rows(path, "SELECT digest FROM mail ORDER BY id") == rows(played, "SELECT digest FROM mail ORDER BY id")
    assert not (path / "league.sqlite-wal").exists()


def test_a_damaged_database_is_not_backed_up(played: Path) -> None:
    """A backup that couldn't be read would be found out when it is needed; so it is told now."""
    database = played / "league.sqlite"
    site = opened(played, BACKUP)
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'verdict'").fetchone()
    connection.close()
    content = bytearray(database.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    site.engine.dispose()
    database.write_bytes(content)
    with pytest.raises(Refused, match=r"damaged|malformed"):
        backup(played)
    assert not (played.parent / "site.tar").exists()


# ------------------------------------------------------------------ nothing is sealed on a guess


def test_a_restored_site_waits_for_a_word(played: Path) -> None:
    """It reads mail, and closes, resolves, publishes and sends nothing; the run says why and what to do."""
    file = backup(played)
    path = played.parent / "revived"
    restore(path, file, LATER)
    drop(path, letter("Anna", "take London"), utc(SECOND - timedelta(days=1), 10))
    entry = Entry({"dax_close": "1.00", "dax_day": (SECOND + timedelta(days=1)).isoformat()}, "paper", "test")
    enter_figures(opened(path, LATER), "spring", entry)
    done = run(path, LATER)
    assert done.accepted.fetched == 1
    assert sum(done.accepted.verdicts.values()) == 0  # what it answers isn't known yet
    assert (done.frozen.rounds, done.resolved.sealed, done.published, done.delivered.sent) == ([], [], None, 0)
    (trouble,) = done.troubles
    assert "restored from a backup of 2024-01-07T12:00:00Z" in trouble
    assert f"spring-1 that of round 1 ({chain(path)[-1][:16]}…)" in trouble
    assert all(words in trouble for words in ("--head HASH", "--public FOLDER", "--accept-head"))
    assert not (path / "public").exists()
    assert rows(path, "SELECT status FROM round ORDER BY number") == [
        {"status": status} for status in ("resolved", "open", "open")
    ]
    with pytest.raises(Refused, match="restored from a backup"):
        publish_now(opened(path, LATER), ())
    assert [found.certain for found in standing(opened(path, LATER))] == [False]


def test_the_hash_of_the_newest_mail_is_a_word(played: Path) -> None:
    """Of the last report: the league goes on. Of an older one, or of one that the backup doesn't know: refused."""
    report = outbox(played, "report")[0].text
    head = chain(played)[-1]
    assert head[:16] in report
    file = backup(played)
    lost_round(played)
    path = revived(played, file)
    site = opened(path, LATER)
    with pytest.raises(Refused, match=r"the record of round 0 of spring-1, and the backup knows round 1"):
        confirm(site, [chain(path)[0]])
    with pytest.raises(Refused, match=r"made after the backup.*--public"):
        confirm(site, [chain(played)[-1]])
    for bad in ("", "1234", "zz" * 32):
        with pytest.raises(BadInput, match="no hash"):
            confirm(site, [bad])
    assert not standing(site)[0].certain
    confirm(site, [head[:16].upper()])
    assert standing(site)[0].certain
    with pytest.raises(Refused, match="nothing waits"):
        confirm(site, [head])


def test_published_rounds_are_evaluated_again_to_the_same_bytes(played: Path) -> None:
    """With the pages and the mails there, the round that the backup doesn't know is sealed as it was published."""
    file = backup(played)
    write(played, "Anna", "take London", SECOND)
    run(played, utc(SECOND + timedelta(days=1)))
    hold(opened(played, utc(SECOND + timedelta(days=1), 9)), "spring", hours=99, why="a look")
    release(opened(played, utc(SECOND + timedelta(days=1), 10)), "spring", why="looked")
    evaluate(played, SECOND)
    assert [d["kind"] for d in bodies(played)[-1]["decisions"]] == ["release"]
    path = revived(played, file)
    confirm(opened(path, LATER), public=played / "public")
    (waits,) = standing(opened(path, LATER))
    assert (waits.certain, waits.to_come, waits.round) == (False, 1, 1)
    done = run(path, LATER)
    assert done.resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)
    assert standing(opened(path, LATER))[0].certain
    assert done.published is not None
    (act,) = rows(path, "SELECT act, arguments FROM journal WHERE act LIKE 'restore --%'")
    assert json.loads(act["arguments"]) == {"round": 2, "record": chain(played)[-1]}
    assert published(path)[: len(published(played))] == published(played)
    for site in (played, path):
        write(site, "Carla", "take Spain", THIRD)
        week(site, THIRD)
    assert told(path) == told(played)
    assert verify(str(path / "public")).holds


def test_a_missing_mail_keeps_it_waiting(played: Path) -> None:
    """Another root would come out: nothing is closed, no mail tells a root, and whose orders are missing is named."""
    file = backup(played)
    lost_round(played)
    path = revived(played, file, inbox=False)
    confirm(opened(path, LATER), public=played / "public")
    done = run(path, LATER)
    assert (done.frozen.rounds, done.resolved.sealed) == ([], [])
    (trouble,) = done.accepted.troubles
    assert "round 2 of spring stays open: it was closed before, with 2 order mails (its record)" in trouble
    assert "the site has 0: missing are those of s1, received 2024-01-10T10:00:00Z; s2, received 2024" in trouble
    assert not rows(path, "SELECT id FROM outbox WHERE kind = 'freeze' AND round = 2")
    assert len(chain(path)) == 2
    for name in sorted((played / "mail" / "in" / "cur").iterdir())[-2:]:  # they are found after all
        drop(path, name.read_bytes(), utc(SECOND - timedelta(days=1), 10), name.name.partition(":")[0])
    assert run(path, LATER).resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)


def test_what_cannot_be_found_is_given_up_with_a_reason(played: Path) -> None:
    """On a person's word the round is closed with what there is, and the chain says from where it went on."""
    file = backup(played)
    lost_round(played)
    path = revived(played, file, inbox=False)
    confirm(opened(path, LATER), public=played / "public")
    run(path, LATER)
    accept(opened(path, LATER), "the mails of that week are lost")
    assert run(path, LATER).resolved.sealed == [("spring", 2)]
    assert chain(path)[:2] == chain(played)[:2]
    assert chain(path)[2] != chain(played)[2]


def test_pages_that_do_not_go_on_from_the_backup_are_refused(played: Path) -> None:
    """An older copy, another site's pages, no pages at all, a chain that splits: none of them says what is newest."""
    old = played.parent / "old"
    copytree(played / "public", old)
    lost_round(played)
    file = backup(played, LATER)
    path = revived(played, file)
    site = opened(path, LATER)
    with pytest.raises(Refused, match="an older copy, or another league"):
        confirm(site, public=old)
    with pytest.raises(Refused, match="has no records of spring"):
        confirm(site, public=played / "mail")
    split = played.parent / "split"
    copytree(played / "public", split)
    for name, text in (("a", "{}"), ("b", '{"x":1}')):
        body = json.dumps({"previous": chain(played)[-1], **json.loads(text)})
        (split / "spring" / "records" / f"{name}.json").write_text(body)
    with pytest.raises(Refused, match="two records of spring follow the same one"):
        confirm(site, public=split)
    (split / "spring" / "records" / "a.json").write_text("[" * 9)
    with pytest.raises(BadInput, match="can't be read"):
        confirm(site, public=split)
    confirm(site, public=played / "public")
    assert standing(site)[0].certain


def test_going_on_without_knowing_needs_a_reason_and_shows(played: Path) -> None:
    """A person can say so; the journal has it with the record from which the league went on."""
    file = backup(played)
    path = revived(played, file)
    with pytest.raises(BadInput, match="--accept-head needs --why"):
        accept(opened(path, LATER), " ")
    accept(opened(path, LATER), "no mail of that week is left")
    (act,) = rows(path, "SELECT act, why, league_id, arguments FROM journal WHERE act LIKE 'restore --%'")
    assert (act["act"], act["why"], act["league_id"]) == ("restore --accept-head", "no mail of that week is left", 1)
    assert json.loads(act["arguments"]) == {"round": 1, "record": chain(path)[-1]}


# ------------------------------------------------------------------ what came after the backup comes again


def test_mails_since_the_backup_are_taken_again_and_not_doubled(played: Path) -> None:
    """Those that the dead machine had settled are read again; those that the backup knows stay one."""
    file = backup(played)
    write(played, "Anna", "take London", SECOND)
    mail_run(played, utc(SECOND, 12))
    path = revived(played, file)
    confirm(opened(path, LATER), [chain(path)[-1]])
    done = mail_run(path, LATER)
    assert (done.accepted.fetched, done.accepted.repeated) == (1, 3)
    assert mail_run(path, LATER).accepted.repeated == 0
    assert verdicts(path) == verdicts(played)
    query = "SELECT digest, received_at, leaf FROM submission ORDER BY id"
    assert rows(path, query) == rows(played, query)


def test_a_mailbox_is_read_again_where_judged_mails_were_put(spring: Path, dovecot: Dovecot) -> None:
    """Mails that were moved away since the backup are fetched from there, once, and moved nowhere."""
    user = "revived"
    connected(spring, dovecot, user, processed="Done", rejected="Refused", folders=("INBOX",))
    put(dovecot, user, letter("Anna", JOINS["Anna"]), utc(FIRST - timedelta(days=2), 10))
    mail_run(spring, utc(FIRST - timedelta(days=2), 11))
    file = backup(spring, utc(FIRST - timedelta(days=2), 12), ALL)
    put(dovecot, user, letter("Ben", JOINS["Ben"]), utc(FIRST - timedelta(days=1), 10))
    put(dovecot, user, letter("Gero", "hello"), utc(FIRST - timedelta(days=1), 10))
    mail_run(spring, utc(FIRST - timedelta(days=1), 11))
    person = dovecot.person(user)
    assert (person.folder_status("Done")[b"MESSAGES"], person.folder_status("INBOX")[b"MESSAGES"]) == (2, 0)
    path = spring.parent / "revived"
    restore(path, file, utc(FIRST - timedelta(days=1), 12))
    confirm(opened(path, utc(FIRST - timedelta(days=1), 12)), [chain(path)[-1]])
    done = mail_run(path, utc(FIRST - timedelta(days=1), 13))
    assert (done.accepted.fetched, done.accepted.repeated) == (2, 1)
    again = mail_run(path, utc(FIRST - timedelta(days=1), 14))
    assert (again.accepted.fetched, again.accepted.repeated) == (0, 0)
    assert sorted(verdicts(path)) == sorted(verdicts(spring))
    leaves = "SELECT leaf FROM submission ORDER BY leaf"
    assert rows(path, leaves) == rows(spring, leaves)
    assert person.folder_status("Done")[b"MESSAGES"] == 2


def test_a_mailbox_that_cannot_be_read_is_read_anew_later(played: Path) -> None:
    """The rescan isn't over before everything was read to its end."""
    file = backup(played)
    write(played, "Anna", "take London", SECOND)
    mail_run(played, utc(SECOND, 12))
    path = revived(played, file)
    link = path / "mail" / "in" / "new" / "a"
    link.symlink_to("/nowhere")
    assert not mail_run(path, LATER).accepted.complete
    link.unlink()
    assert mail_run(path, LATER).accepted.repeated == 4


def test_nothing_goes_out_before_somebody_releases_it(played: Path) -> None:
    """What was in the outbox may have gone since: the hold says so, and stays until a person takes it off."""
    write(played, "Anna", "take London", SECOND)
    file = backup(played)
    path = played.parent / "revived"
    restore(path, file, LATER)
    confirm(opened(path, LATER), [chain(path)[-1]])
    held = run(path, LATER).delivered
    assert (held.sent, held.waiting > 0) == (0, True)
    assert "restored from a backup" in held.held
    before = len(list((path / "mail" / "out" / "new").iterdir()))
    release_outbox(opened(path, LATER), "looked")
    run(path, LATER)
    assert len(list((path / "mail" / "out" / "new").iterdir())) > before


# ------------------------------------------------------------------ bad input, bad moments


def test_a_folder_with_something_in_it_is_left_alone(played: Path, tmp_path: Path) -> None:
    """Not over a site, not beside somebody's files, not over a file."""
    file = backup(played)
    before = sorted(path.name for path in played.iterdir())
    with pytest.raises(Refused, match="isn't empty"):
        restore(played, file, LATER)
    assert sorted(path.name for path in played.iterdir()) == before
    with pytest.raises(Refused, match="is no folder"):
        restore(file, file, LATER)
    (tmp_path / "new").mkdir()
    restore(tmp_path / "new", file, LATER)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def lacks(name: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        _repack(file, lambda about: about["files"].remove(next(f for f in about["files"] if f["name"] == name)))

    return change


def says(**more: Any) -> Callable[[Path], None]:
    return lambda file: _repack(file, lambda about: about.update(more))


def _repack(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """The archive with another manifest."""
    import io

    with tarfile.open(file) as tar:
        content = {entry.name: tar.extractfile(entry).read() for entry in tar if entry.isreg()}  # type: ignore[union-attr]
    about = json.loads(content.pop("manifest.json"))
    change(about)
    kept = [("manifest.json", json.dumps(about).encode()), *((f["name"], content[f["name"]]) for f in about["files"])]
    with tarfile.open(file, "w") as tar:
        for name, body in kept:
            entry = tarfile.TarInfo(name)
            entry.size = len(body)
            tar.addfile(entry, io.BytesIO(body))


NO_WHOLE: dict[str, Callable[[Path], None]] = {
    "no whole backup": lacks("league.toml"),
    "no database": lacks("database.sqlite"),
    "which is no time": says(made_at="yesterday"),
    "made_at None": says(made_at=None),
    "without a zone": says(made_at="2024-01-01T10:00:00"),
}


@pytest.mark.parametrize("words", NO_WHOLE)
def test_an_archive_that_is_no_whole_backup_leaves_nothing(words: str, played: Path, tmp_path: Path) -> None:
    """It is told what is missing, and the folder is as empty as before."""
    file = backup(played)
    NO_WHOLE[words](file)
    with pytest.raises(BadInput, match=words):
        restore(tmp_path / "new", file, LATER)
    assert not list((tmp_path / "new").iterdir())


def test_a_clock_behind_the_backup_is_refused(played: Path, tmp_path: Path) -> None:
    """A restored site keeps to the journal it knows, and a try that was refused leaves an empty folder."""
    file = backup(played)
    with pytest.raises(Refused, match="the clock says"):
        restore(tmp_path / "new", file, BACKUP - timedelta(days=1))
    assert not list((tmp_path / "new").iterdir())


@pytest.mark.parametrize("name", ["restore.before_commit", "restore.after_commit", "restore.before_switch"])
def test_a_restore_that_dies_is_no_site(name: str, played: Path, tmp_path: Path, processes: Forks) -> None:
    """The same command clears what it left and does it; beside a file of somebody else's it says so and leaves both."""
    file = backup(played)
    new = tmp_path / "new"
    assert processes.league(new, LATER, "restore", str(file), LEAGUE_FAILPOINT=name).code == KILLED
    assert not (new / "league.toml").exists()
    (new / "notes.txt").write_text("my own")
    again = processes.league(new, LATER, "restore", str(file))
    assert again.code == 1
    assert "cut short" in again.err
    assert "notes.txt lies beside" in again.err
    (new / "notes.txt").unlink()
    done = processes.league(new, LATER, "restore", str(file), "--head", chain(played)[-1])
    assert done.code == 0, done.err
    assert chain(new) == chain(played)


@pytest.mark.parametrize("name", ["backup.before_commit", "backup.after_commit", "backup.before_switch"])
def test_a_backup_that_dies_leaves_no_backup(name: str, played: Path, tmp_path: Path, processes: Forks) -> None:
    """No half archive under the name; the next one clears what was left and is whole."""
    file = tmp_path / "new.tar"
    assert processes.league(played, BACKUP, "backup", str(file), LEAGUE_FAILPOINT=name).code == KILLED
    assert not file.exists()
    assert processes.league(played, BACKUP, "backup", str(file)).code == 0
    assert look(file).about["made_at"] == "2024-01-07T12:00:00Z"
    assert not list((played / "backups").iterdir())
    assert [path.name for path in tmp_path.glob("new*")] == ["new.tar"]


@pytest.mark.parametrize("name", ["confirm.before_commit", "confirm.after_commit"])
def test_a_word_that_is_cut_short_is_given_or_not(name: str, played: Path, processes: Forks) -> None:
    """Killed before the commit it wasn't said, after it it was; saying it again does no harm."""
    file = backup(played)
    path = revived(played, file)
    head = chain(path)[-1]
    assert processes.league(path, LATER, "restore", "--head", head, LEAGUE_FAILPOINT=name).code == KILLED
    assert standing(opened(path, LATER))[0].certain is (name == "confirm.after_commit")


def test_the_commands_say_what_they_did(played: Path, tmp_path: Path, processes: Forks) -> None:
    """File, size and what is left out; then how it stands with each league, and 1 until it is certain."""
    file = tmp_path / "new.tar"
    told = json.loads(processes.league(played, BACKUP, "backup", str(file), "--json").out)
    assert list(told) == ["file", "bytes", "files", "left_out", "heads"]
    assert [(head["match"], head["round"], head["sha256"]) for head in told["heads"]] == [
        ("spring-1", 1, chain(played)[-1])
    ]
    assert processes.league(played, BACKUP, "backup", str(file)).code == 1
    new = tmp_path / "new"
    done = processes.league(new, LATER, "restore", str(file), "--json")
    assert done.code == 1
    (match,) = json.loads(done.out)["matches"]
    assert (match["round"], match["certain"], match["to_come"]) == (1, False, 0)
    words = processes.league(new, LATER, "restore", "--accept-head", "--why", "nobody knows").out
    assert "it goes on" in words
    for wrong in (["restore"], ["backup", str(file), "--with-secrets", "--without-key"]):
        assert processes.league(new, LATER, *wrong).code == 2
    assert processes.league(new, LATER, "backup", str(tmp_path / "no" / "x.tar")).code == 1


def test_a_program_of_postgresql_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message says what to install, and no password is in it."""
    monkeypatch.setattr(dump, "which", lambda _: None)
    with pytest.raises(Refused, match=r"pg_restore isn't installed.*postgresql-client"):
        dump.load_dump(tmp_path / "x", URL.create("postgresql", "leagues", "hush", "localhost"))


def test_figures_of_a_lost_week_need_not_be_entered_again(played: Path) -> None:
    """They stand in the published record, with who gave them; other ones for the same day stay refused."""
    file = backup(played)
    lost_round(played)
    path = revived(played, file)
    confirm(opened(path, LATER), public=played / "public")
    query = "SELECT figure, day, value, status, source, reason FROM evidence ORDER BY figure, day"
    assert rows(path, query) == rows(played, query)
    friday = (SECOND + timedelta(days=1)).isoformat()
    with pytest.raises(Refused, match="already"):
        enter_figures(opened(path, LATER), "spring", Entry({"dax_close": "1.00", "dax_day": friday}, "me", "no"))
