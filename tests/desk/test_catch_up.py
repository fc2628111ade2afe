"""What came after a backup is done anew in its order of time, or it is said what is missing."""

from datetime import date, timedelta
from pathlib import Path
from shutil import copy2, copytree, rmtree
from typing import Any

import pytest

from league.core.errors import Refused
from league.desk.acts.change_seats import retire
from league.desk.acts.enter_orders import enter_orders
from league.desk.acts.signing_key import rotate_key, show_key
from league.desk.acts.steer_round import extend
from league.desk.people.players import NewPlayer, add_players
from league.desk.proof.verify import verify
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import restore
from league.desk.recovery.restored import standing
from league.desk.recovery.word_on_head import accept, confirm
from league.records.freeze import signing_seed
from league.records.manifest import seal_manifest
from tests.desk.forks import Forks
from tests.desk.sites import add_league, copy, drop, letter, mail_run, make_site, opened, outbox, rows, run, sealed
from tests.desk.weeks import evaluate, utc, week, write

FIRST = date(2024, 1, 4)
SECOND = FIRST + timedelta(weeks=1)
WEDNESDAY, FRIDAY = SECOND - timedelta(days=1), SECOND + timedelta(days=1)
BACKUP = utc(FIRST + timedelta(days=3), 12)
LATER = utc(SECOND + timedelta(days=4), 12)
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("fought") / "site")
    add_league(path, battles="reported")
    for name, text in JOINS.items():
        write(path, name, text, FIRST)
    week(path, FIRST)
    back_up(opened(path, BACKUP), path.parent / "site.tar")
    return path


@pytest.fixture
def played(_played: Path, tmp_path: Path) -> Path:
    """A league of battles by mail after its first round, with a backup beside it."""
    copy2(_played.parent / "site.tar", tmp_path / "site.tar")
    return copy(_played, tmp_path / "site")


def revived(played: Path, *, inbox: bool = True) -> Path:
    """The site out of the backup, with the old inbox if that could be saved."""
    path = played.parent / "revived"
    restore(path, played.parent / "site.tar", LATER)
    if inbox:
        rmtree(path / "mail" / "in")
        copytree(played / "mail" / "in", path / "mail" / "in")
    return path


def chain(path: Path) -> list[str]:
    return [record.sha256 for record in sealed(path)]


def answer(path: Path, kind: str, name: str, text: str, arrived: Any) -> None:
    """A mail that nothing proves but the mail of ours that it answers."""
    asked = str(outbox(path, kind, name)[-1].mail["Message-ID"])
    headers, own_id = {"In-Reply-To": asked}, f"<{kind}.{name}@example.org>"
    drop(path, letter(name, text, headers=headers, proven=False, message_id=own_id), arrived)


PROOFS = "SELECT verdict, reason, proof FROM verdict JOIN mail ON mail.id = mail_id ORDER BY received_at, digest"


def test_answers_to_mails_that_the_backup_does_not_know_are_believed(played: Path) -> None:
    """A receipt, a reminder, the question for a battle's result: each answered without a signature, as it was then."""
    write(played, "Anna", "take London", SECOND)
    write(played, "Carla", "take Spain", SECOND)
    mail_run(played, utc(WEDNESDAY, 12))
    answer(played, "receipt", "Anna", "take Norway", utc(WEDNESDAY, 13))
    extend(opened(played, utc(WEDNESDAY, 14)), "spring", hours=5, why="the server was down")
    mail_run(played, utc(SECOND, 10))  # Ben is reminded
    answer(played, "remind", "Ben", "take Spain", utc(SECOND, 11))
    mail_run(played, utc(SECOND, 12))
    retire(opened(played, utc(SECOND, 13)), "spring", "Anna", why="asked for it")
    mail_run(played, utc(FRIDAY, 6))
    mail_run(played, utc(FRIDAY, 7))
    answer(played, "fixtures", "Carla", "result Spain lost", utc(FRIDAY, 9))
    mail_run(played, utc(FRIDAY, 10))
    evaluate(played, SECOND)
    assert len(chain(played)) == 3
    assert [row["proof"] for row in rows(played, PROOFS)].count("reply") == 3
    path = revived(played)
    assert confirm(opened(path, LATER), public=played / "public") == ()  # nothing is left to be done by hand
    done = run(path, LATER)
    assert done.troubles == []
    assert done.resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)
    assert rows(path, PROOFS) == rows(played, PROOFS)
    assert verify(str(path / "public")).holds


def test_a_round_that_is_closed_on_the_page_is_not_closed_without_its_orders(played: Path) -> None:
    """No second root is told; whose orders are missing is said as far as saved receipts name them."""
    write(played, "Anna", "take London", SECOND)
    write(played, "Ben", "take Spain", SECOND)
    run(played, FRIDAY_RUN)
    path = revived(played, inbox=False)
    confirm(opened(path, LATER), public=played / "public")
    assert standing(opened(path, LATER))[0].certain
    done = mail_run(path, LATER)
    assert (done.frozen.rounds, done.resolved.sealed) == ([], [])
    (trouble,) = done.frozen.troubles
    assert "round 2 of spring stays open: it was closed before, with 2 order mails (round-2.html)" in trouble
    assert "the site has 0: missing are 2 whose sender nobody published yet" in trouble
    saved = [path.parent / "freeze.eml", path.parent / "receipt.eml"]
    saved[0].write_bytes(outbox(played, "freeze", "Ben")[-1].raw)
    saved[1].write_bytes(outbox(played, "receipt", "Ben")[-1].raw)
    confirm(opened(path, LATER), mails=saved)
    (trouble,) = mail_run(path, LATER).frozen.troubles
    assert "missing are those of s2, received 2024-01-10T10:00:00Z; missing are 1 whose sender" in trouble
    assert not rows(path, "SELECT id FROM outbox WHERE kind = 'freeze' AND round = 2")
    for number, mail in enumerate(sorted((played / "mail" / "in" / "cur").iterdir())[-2:]):
        drop(path, mail.read_bytes(), utc(WEDNESDAY, 10), f"found.{number}")
    root = "SELECT root, frozen_late FROM round WHERE number = 2"
    assert mail_run(path, LATER).frozen.rounds == [("spring", 2)]
    assert rows(path, root) == rows(played, root)


FRIDAY_RUN = utc(FRIDAY)


def test_a_mail_alone_can_tell_that_a_round_was_closed(played: Path) -> None:
    """Without pages: the report says what the newest record is, the mail with the leaves what was closed behind it."""
    write(played, "Anna", "take London", SECOND)
    mail_run(played, FRIDAY_RUN)
    path = revived(played, inbox=False)
    saved = [path.parent / "report.eml", path.parent / "freeze.eml"]
    saved[0].write_bytes(outbox(played, "report", "Ben")[-1].raw)
    saved[1].write_bytes(outbox(played, "freeze", "Ben")[-1].raw)
    confirm(opened(path, LATER), mails=saved)
    assert standing(opened(path, LATER))[0].certain
    (trouble,) = mail_run(path, LATER).frozen.troubles
    assert "round 2 of spring stays open: it was closed before, with 1 order mails" in trouble
    accept(opened(path, LATER), "the mail is lost")
    assert mail_run(path, LATER).frozen.rounds == [("spring", 2)]


def save(played: Path, *kinds: str) -> list[Path]:
    """All mails of these kinds that Ben got, in their order, each as a file."""
    found = [one for kind in kinds for one in outbox(played, kind, "Ben")]
    saved = [played.parent / f"{number}.eml" for number in range(len(found))]
    for file, one in zip(saved, found, strict=True):
        file.write_bytes(one.raw)
    return saved


@pytest.mark.parametrize("turn", [1, -1])
def test_a_newer_report_counts_wherever_it_lies(turn: int, played: Path) -> None:
    """The report of the backup's own round beside a newer one: nothing is certain, whichever is read first."""
    week(played, SECOND)
    old, new = save(played, "report")
    path = revived(played)
    with pytest.raises(Refused, match=r"the report of round 2 of spring in .* was made after the backup"):
        confirm(opened(path, LATER), mails=[old, new][::turn])
    assert not standing(opened(path, LATER))[0].certain
    confirm(opened(path, LATER), public=played / "public", mails=[old, new])  # the pages know it too
    assert standing(opened(path, LATER))[0].to_come == 1
    confirm(opened(path, LATER), mails=[old])
    assert standing(opened(path, LATER))[0].to_come == 1
    with pytest.raises(Refused, match="pages that were given have newer"):
        confirm(opened(path, LATER), [chain(path)[-1]])


def test_every_mail_with_leaves_protects_its_own_round(played: Path) -> None:
    """Two rounds were closed and waited for figures: neither is closed again without its orders."""
    third = SECOND + timedelta(weeks=1)
    write(played, "Anna", "take London", SECOND)
    mail_run(played, FRIDAY_RUN)
    write(played, "Ben", "take Spain", third)
    mail_run(played, utc(third + timedelta(days=1)))
    path, later = revived(played, inbox=False), utc(third + timedelta(days=2))
    confirm(opened(path, later), mails=save(played, "report", "freeze"))
    second, last = mail_run(path, later).frozen.troubles
    assert "round 2 of spring stays open: it was closed before, with 1 order mails" in second
    assert "round 3 of spring stays open: it was closed before, with 1 order mails" in last
    write(path, "Anna", "take London", SECOND)
    done = mail_run(path, later)
    assert done.frozen.rounds == [("spring", 2)]
    assert done.frozen.troubles == [last]
    accept(opened(path, later), "the mail is lost")
    assert mail_run(path, later).frozen.rounds == [("spring", 3)]


def test_a_mail_by_a_newer_key_is_no_word_that_all_is_well(played: Path) -> None:
    """A receipt signed since the key was changed: it is said, and the old key isn't put back in force unseen."""
    rotate_key(opened(played, utc(WEDNESDAY, 8)), "a computer was stolen")
    write(played, "Ben", "take Spain", SECOND)
    run(played, FRIDAY_RUN)
    path, saved = revived(played), save(played, "report", "receipt")
    with pytest.raises(Refused, match="of round 2, is signed by a key that the records here don't name"):
        confirm(opened(path, LATER), mails=saved)
    assert not standing(opened(path, LATER))[0].certain
    with pytest.raises(Refused, match="put the old key back in force"):
        accept(opened(path, LATER), "who knows")
    copy2(played / "secrets" / "signing.key", path / "secrets" / "signing.key")
    confirm(opened(path, LATER), public=played / "public", mails=saved)
    assert standing(opened(path, LATER))[0].certain


def test_a_newer_report_by_a_newer_key_tells_both(played: Path) -> None:
    """That the key was changed is remembered too: the old one isn't put back in force without a word."""
    rotate_key(opened(played, utc(WEDNESDAY, 8)), "a computer was stolen")
    week(played, SECOND, pages=False)
    path = revived(played)
    with pytest.raises(Refused, match=r"made after the backup.*And .*signed by a key that the records here don't name"):
        confirm(opened(path, LATER), mails=save(played, "report"))
    with pytest.raises(Refused, match="put the old key back in force"):
        accept(opened(path, LATER), "who knows")


def test_orders_entered_by_hand_come_back(played: Path) -> None:
    """From the published record, in its words; before there is one, by the organizer, who gives the time of arrival."""
    write(played, "Anna", "take London", SECOND)
    told = utc(WEDNESDAY, 15)
    enter_orders(opened(played, utc(SECOND, 8)), "spring", "Ben", "nimm Spanien", why="by phone", received_at=told)
    run(played, FRIDAY_RUN)
    closed = copy(played, played.parent / "closed")
    evaluate(played, SECOND)
    path = revived(played)
    confirm(opened(path, LATER), public=played / "public")
    assert mail_run(path, LATER).resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)
    assert len(rows(path, "SELECT id FROM mail WHERE source = 'organizer'")) == 1

    rmtree(path)
    path = revived(closed)
    (left,) = confirm(opened(path, LATER), public=closed / "public")
    assert "'orders enter' of 2024-01-11T08:00:00Z came after the backup" in left
    assert "--received-at" in left
    (trouble,) = mail_run(path, LATER).frozen.troubles
    assert "missing are 1 whose sender nobody published yet" in trouble
    enter_orders(opened(path, LATER), "spring", "Ben", "take Spain", why="by phone", received_at=told)
    assert mail_run(path, LATER).frozen.rounds == [("spring", 2)]
    leaves = "SELECT leaf FROM submission ORDER BY leaf"
    assert rows(path, leaves) == rows(closed, leaves)
    assert [act["act"] for act in rows(path, "SELECT act FROM journal")].count("orders enter") == 1


def test_orders_entered_by_hand_come_back_once(played: Path) -> None:
    """Run after run while a mail is missing each act enters its orders a single time; then the same record comes."""
    write(played, "Anna", "take London", SECOND)
    told = utc(WEDNESDAY, 15)
    enter_orders(opened(played, utc(SECOND, 8)), "spring", "Ben", "take Spain", why="by phone", received_at=told)
    week(played, SECOND)
    path = revived(played, inbox=False)
    confirm(opened(path, LATER), public=played / "public")
    for _ in range(3):
        (trouble,) = mail_run(path, LATER).accepted.troubles
        assert "missing are those of s1, received 2024-01-10T10:00:00Z" in trouble
        assert len(rows(path, "SELECT id FROM mail WHERE source = 'organizer'")) == 1
    write(path, "Anna", "take London", SECOND)
    assert mail_run(path, LATER).resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)


def test_a_key_that_was_changed_since_is_not_put_back_unseen(played: Path) -> None:
    """It is said in which record it was changed and which file is needed; with that the league goes on under it."""
    rotate_key(opened(played, utc(WEDNESDAY, 8)), "a computer was stolen")
    write(played, "Anna", "take London", SECOND)
    week(played, SECOND)
    path = revived(played)
    with pytest.raises(Refused, match=r"changed after the backup, on 2024-01-10T08:00:00Z \(record key-0001 of spring"):
        confirm(opened(path, LATER), public=played / "public")
    with pytest.raises(Refused, match=r"signing\.key doesn't have it.*put the old key back in force"):
        accept(opened(path, LATER), "who knows")
    other = copy(path, played.parent / "other")
    copy2(played / "secrets" / "signing.key", path / "secrets" / "signing.key")
    confirm(opened(path, LATER), public=played / "public")
    assert run(path, LATER).resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)
    assert show_key(opened(path, LATER))["public_key"] == show_key(opened(played, LATER))["public_key"]
    assert verify(str(path / "public")).holds
    accept(opened(other, LATER), "the key is lost with the machine", old_key=True)
    assert standing(opened(other, LATER))[0].certain


def test_what_came_after_a_new_key_is_signed_by_it(played: Path) -> None:
    """A round before the change and one after it in the same run: reports, checkpoint, manifests as they were."""
    third = SECOND + timedelta(weeks=1)
    week(played, SECOND)
    rotate_key(opened(played, utc(third - timedelta(days=2), 8)), "a computer was stolen")
    week(played, third)
    path, later = revived(played), utc(third + timedelta(days=3))
    copy2(played / "secrets" / "signing.key", path / "secrets" / "signing.key")
    confirm(opened(path, later), public=played / "public")
    assert run(path, later).resolved.sealed == [("spring", 2), ("spring", 3)]
    assert chain(path) == chain(played)
    assert verify(str(path / "public")).holds
    reports = [[one.raw for one in outbox(site, "report", "Ben")][-2:] for site in (path, played)]
    assert reports[0] == reports[1]
    manifest = (path / "public" / "manifest").read_bytes()
    assert run(path, later).published is None
    (path / "public" / "manifest").write_bytes(copy_of_old_key(played))
    assert run(path, later).published is not None
    assert (path / "public" / "manifest").read_bytes() == manifest


def copy_of_old_key(played: Path) -> bytes:
    """A manifest that the site's first key has signed."""
    return seal_manifest("", {}, signing_seed(opened(played, LATER + timedelta(weeks=2)).key))


def test_what_only_a_person_can_do_again_is_said(played: Path, processes: Forks) -> None:
    """Names and addresses of who came since aren't public: the command says what to do, and it comes out the same."""
    add_players(opened(played, utc(WEDNESDAY, 8)), "spring", [NewPlayer("Gero", "gero@example.org")])
    write(played, "Anna", "take London", SECOND)
    week(played, SECOND)
    path = revived(played)
    told = processes.league(path, LATER, "restore", "--public", str(played / "public"))
    assert told.code == 1
    assert "To be done again: spring: 'player add' (s4) of 2024-01-10T08:00:00Z came after the backup" in told.out
    add_players(opened(path, LATER), "spring", [NewPlayer("Gero", "gero@example.org")])
    assert mail_run(path, LATER).resolved.sealed == [("spring", 2)]
    assert chain(path) == chain(played)


def test_a_restore_after_weeks_catches_up_before_it_asks_about_the_clock(played: Path) -> None:
    """What was closed then is closed again; what has been due since waits for a person, as after any long sleep."""
    write(played, "Anna", "take London", SECOND)
    week(played, SECOND)
    path = revived(played)
    confirm(opened(path, LATER), public=played / "public")
    with pytest.raises(Refused, match="a round should have closed on 2024-01-18T23:15:00Z"):
        run(path, LATER + timedelta(weeks=4))
    assert chain(path) == chain(played)
