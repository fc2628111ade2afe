"""`league export` and `league import`: a league moves to another site, and play goes on as if nothing had happened."""

import json
import re
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput, Refused
from league.desk.acts.enter_orders import enter_orders
from league.desk.acts.forget_player import forget
from league.desk.acts.signing_key import rotate_key
from league.desk.brought import file_of
from league.desk.moving.export_league import SORT, Wish
from league.desk.moving.import_league import import_league
from league.desk.moving.take_back import take_back
from league.desk.people.moved import moved_to
from league.desk.post.mind_outbox import hold, release
from league.desk.proof.verify import verify
from league.desk.rebuild import rebuild
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import restore
from league.desk.recovery.word_on_head import confirm
from league.failpoints import KILLED
from league.records.freeze import public_key
from league.storage import announcements, leagues, records
from league.storage import engine as database
from league.storage.archive import look
from tests.desk.forks import Forks, command
from tests.desk.moves import arrive, away, kinds, other_site, told
from tests.desk.phases import Match
from tests.desk.sites import (
    add_league,
    address,
    bodies,
    copy,
    drop,
    letter,
    mail_run,
    opened,
    outbox,
    public,
    rows,
    run,
    sealed,
    verdicts,
)
from tests.desk.weeks import replayed, utc, week, write
from tests.storage.postgres import Postgres

FIRST = date(2024, 1, 4)
SECOND, THIRD = FIRST + timedelta(weeks=1), FIRST + timedelta(weeks=2)
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
LEFT, CAME = utc(SECOND - timedelta(days=1), 12), utc(SECOND - timedelta(days=1), 18)  # a Wednesday
SUNDAY = utc(SECOND + timedelta(days=3), 12)


@pytest.fixture(scope="module")
def _played(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("played") / "site")
    for name, text in JOINS.items():
        write(path, name, text, FIRST)
    week(path, FIRST, pages=False)
    write(path, "Anna", "take London\npress to all: on to the sea", SECOND)
    write(path, "Carla", "take Spain", SECOND)
    run(path, utc(SECOND - timedelta(days=1), 11))
    return path


@pytest.fixture
def played(_played: Path, tmp_path: Path) -> Path:
    """The league spring after its first round, with orders for the second in the book."""
    return copy(_played, tmp_path / "site")


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A site on another machine."""
    return other_site(tmp_path / "new" / "site", utc(FIRST, 9))


def rest(path: Path, *, pages: bool = True) -> None:
    """The second round to its end and a third: orders after the move, one of them in the place of one before it."""
    write(path, "Ben", "take Spain", SECOND, days=0)
    write(path, "Anna", "take Stockholm", SECOND, days=0)
    week(path, SECOND, pages=False)
    write(path, "Carla", "take Rome", THIRD)
    week(path, THIRD, pages=pages)


def chain(path: Path) -> list[str]:
    return [record.sha256 for record in sealed(path)]


def key_bytes(path: Path) -> bytes:
    return (path / "secrets" / "site.key").read_bytes()


def holds(path: Path, *mails: Path) -> bool:
    found = verify(str(path / "public"), mails)
    assert found.holds, [one.faults[:3] for one in found.all]
    return True


# ------------------------------------------------------------------ play goes on


def test_rounds_come_out_as_if_the_league_had_never_moved(played: Path, new: Path, tmp_path: Path) -> None:
    """Records, leaves and positions are the same; the chain has two records of new keys more, the journal two acts."""
    stayed = copy(played, tmp_path / "stayed")
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    assert key_bytes(new) != key_bytes(played)
    for path in (stayed, new):
        rest(path, pages=False)
    assert told(bodies(new)) == told(bodies(stayed))
    assert kinds(stayed) == ["round"] * 4
    assert kinds(new) == ["round", "round", "key", "key", "round", "round"]
    assert chain(new)[:2] == chain(stayed)[:2]
    assert replayed(new) == 3
    one, other = (body["journal"]["acts"] for body in (bodies(stayed)[-1], bodies(new)[-1]))
    assert other == one + 2
    for table in ("position", "submission"):
        names = {"position": "round, version, body", "submission": "revision, digest, received_at, lines, nonce, leaf"}
        statement = f"SELECT {names[table]} FROM {table} ORDER BY 1, 2, 3"
        assert rows(new, statement) == rows(stayed, statement), table


def test_everything_published_still_holds(played: Path, new: Path, tmp_path: Path) -> None:
    """`league verify` finds no fault, on the old pages and on the new ones, nor with mails from before the move."""
    saved = tmp_path / "saved"
    saved.mkdir()
    for number, mail in enumerate(outbox(played)):
        if mail.kind.partition("/")[0] in ("receipt", "freeze", "report"):
            (saved / f"{number}.eml").write_bytes(mail.raw)
    assert len(list(saved.iterdir())) > 6
    file, _ = away(played, LEFT)
    run(played, LEFT + timedelta(hours=1))
    arrive(new, file, CAME)
    run(new, CAME)
    assert holds(played, saved)
    assert holds(new, saved)
    rest(new)
    assert holds(new, saved)
    acts = json.loads(public(new)["spring/journal.json"])["acts"]
    assert [act["act"] for act in acts if act["act"] in ("export", "import")] == ["export", "import"]
    assert all("salt" in act for act in acts)


def test_the_new_site_signs_with_its_own_key(played: Path, new: Path) -> None:
    """Two records hand each chain on, by way of a key that was made for the move; the old site's key stays there."""
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    bridge, own = (json.loads(record.body) for record in sealed(new)[-2:])
    old, ours = (public_key(opened(path, CAME).signing_seed) for path in (played, new))
    assert (bridge["replaces"], own["public_key"]) == (old, ours)
    assert own["replaces"] == bridge["public_key"]
    assert len({old, ours, bridge["public_key"]}) == 3
    raw = file.read_bytes()
    assert key_bytes(played).strip() not in raw
    seeds = re.findall(rb'"handover":"(\w{64})"', raw.replace(b" ", b""))
    assert len(seeds) == 1
    assert seeds[0] not in b"".join(path.read_bytes() for path in (new / "secrets").iterdir())


def test_players_keys_go_along(played: Path, new: Path) -> None:
    """A mail that nothing but the key of before proves is believed at the new site, and its answer has the same key."""
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    sites = [opened(path, CAME) for path in (played, new)]
    tokens = [[site.seat_token("spring-1", code, 1) for code in ("s1", "s2", "s3")] for site in sites]
    assert tokens[0] == tokens[1]
    assert sites[0].seat_token("spring-1", "s1", 2) != sites[1].seat_token("spring-1", "s1", 2)
    text = f"key {tokens[0][1]}\ntake Spain"
    drop(new, letter("Ben", text, proven=False), CAME)
    mail_run(new, CAME)
    (judged,) = rows(
        new, "SELECT verdict, proof FROM verdict WHERE sender = ? ORDER BY mail_id DESC LIMIT 1", address("Ben")
    )
    assert judged == {"verdict": "accepted", "proof": "token"}


def test_answers_to_mails_from_before_are_known(played: Path, new: Path) -> None:
    """A reply to a receipt of the old site is believed, though another key made that mail's id."""
    mail = outbox(played, "receipt", "Anna")[-1].mail
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    headers = {"In-Reply-To": str(mail["Message-ID"])}
    drop(new, letter("Anna", "take Stockholm", proven=False, headers=headers), CAME)
    mail_run(new, CAME)
    (judged,) = rows(
        new, "SELECT verdict, proof FROM verdict WHERE sender = ? ORDER BY mail_id DESC LIMIT 1", address("Anna")
    )
    assert judged == {"verdict": "accepted", "proof": "reply"}


def test_nobody_is_mailed_twice(played: Path, new: Path) -> None:
    """A reminder that went out before the move isn't written again after it."""
    soon = utc(SECOND, 4)
    mail_run(played, soon)
    reminded = [mail.to for mail in outbox(played, "remind")]
    assert reminded == [address("Ben")]
    file, _ = away(played, soon)
    arrive(new, file, soon + timedelta(hours=1))
    mail_run(new, soon + timedelta(hours=2))
    assert [mail.to for mail in outbox(new, "remind")] == reminded
    assert rows(new, "SELECT state FROM outbox WHERE state != 'sent'") == []


def test_what_waited_goes_out_from_the_new_site_alone(played: Path, new: Path) -> None:
    """Mail that was queued is held at the old site, comes along, and waits until a person lets it go."""
    hold(opened(played, LEFT), "")
    write(played, "Ben", "take Spain", SECOND)
    mail_run(played, LEFT)
    file, _ = away(played, LEFT)
    release(opened(played, LEFT), "")
    mail_run(played, LEFT + timedelta(hours=1))
    (row,) = rows(played, "SELECT state, trouble FROM outbox WHERE state != 'sent'")
    assert row == {"state": "held", "trouble": "it moved with its league; here it was queued"}
    done = arrive(new, file, CAME, let_go=False)
    assert (done.waiting, done.held) == (1, True)
    mail_run(new, CAME)
    assert not list((new / "mail" / "out" / "new").iterdir())
    release(opened(new, CAME), "")
    mail_run(new, CAME)
    assert len(list((new / "mail" / "out" / "new").iterdir())) == 1


def test_mails_that_came_here_before_the_league_are_judged_anew(played: Path, new: Path) -> None:
    """Who wrote to the new address before the import was a stranger then; his orders count from when they came."""
    early = CAME - timedelta(hours=3)
    drop(new, letter("Ben", "take Spain"), early)
    mail_run(new, early + timedelta(minutes=5))
    assert verdicts(new) == [("rejected", "unknown_sender")]
    file, _ = away(played, LEFT)
    done = arrive(new, file, CAME)
    assert done.again == 1
    mail_run(new, CAME)
    assert ("accepted", "readable") in verdicts(new)
    (row,) = rows(new, "SELECT received_at FROM submission ORDER BY id DESC LIMIT 1")
    assert row["received_at"].startswith(early.strftime("%Y-%m-%dT%H:%M"))


def test_a_mail_that_both_sites_have_is_one_mail(played: Path, new: Path) -> None:
    """Both read the same mailbox for a while: no order is doubled, and its nonce is that of its receipt."""
    raw = rows(played, "SELECT content FROM mail ORDER BY id DESC LIMIT 1")[0]["content"]
    drop(new, raw, utc(SECOND - timedelta(days=1), 10))
    mail_run(new, utc(SECOND - timedelta(days=1), 11))
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    mail_run(new, CAME)
    same = "SELECT digest, nonce, leaf FROM submission ORDER BY digest"
    assert rows(new, same) == rows(played, same)
    assert len(rows(new, "SELECT * FROM mail")) == len(rows(played, "SELECT * FROM mail"))


def test_a_site_can_take_a_league_beside_its_own(played: Path, new: Path) -> None:
    """Other leagues stay as they are, and who plays in both is named."""
    add_league(new, "autumn", ("Anna", "Eva"), now=utc(FIRST, 10), start=SECOND)
    drop(new, letter("Eva", "join Island"), utc(SECOND - timedelta(days=1), 10))
    run(new, utc(SECOND - timedelta(days=1), 11))
    before = {
        t: rows(new, f"SELECT * FROM {t} ORDER BY 1") for t in ("record", "submission", "seat", "player", "verdict")
    }
    file, _ = away(played, LEFT)
    assert arrive(new, file, CAME).elsewhere == ("Anna",)
    for table, known in before.items():
        assert rows(new, f"SELECT * FROM {table} ORDER BY 1")[: len(known)] == known, table
    week(new, SECOND, "spring")
    assert holds(new)
    assert {body["league"] for body in bodies(new, 1)} == {"autumn"}


def test_it_can_move_on(played: Path, new: Path, tmp_path: Path) -> None:
    """A third site takes it from the second: seals of acts, nonces and keys are still those of the first."""
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    week(new, SECOND)
    again, _ = away(new, SUNDAY)
    third = other_site(tmp_path / "third" / "site", utc(FIRST, 9), "33" * 32)
    arrive(third, again, SUNDAY + timedelta(hours=1))
    write(third, "Carla", "take Rome", THIRD)
    week(third, THIRD)
    assert holds(third)
    site, first = opened(third, SUNDAY + timedelta(days=30)), opened(played, SUNDAY)
    assert site.match_secret("spring-1") == first.match_secret("spring-1")
    assert kinds(third).count("key") == 4


def test_a_changed_signing_key_is_no_hindrance(played: Path, new: Path) -> None:
    """The key was changed before the move and is again after it; the chain tells of all of it."""
    rotate_key(opened(played, LEFT), "a new machine")
    file, _ = away(played, LEFT + timedelta(minutes=1))
    arrive(new, file, CAME)
    rotate_key(opened(new, CAME), "a newer one")
    rest(new)
    assert kinds(new).count("key") == 4
    assert holds(new)


# ------------------------------------------------------------------ sealed until the end


def to_the_end(match: Match) -> None:
    """Every phase that is left, until no round opens any more."""
    before = 0
    while match.round()["number"] != before:
        before = match.round()["number"]
        match.write(match.time("opens_at") + timedelta(hours=1))
        match.finish(pages=False)


def test_a_sealed_match_is_opened_as_if_it_had_never_moved(tmp_path: Path) -> None:
    """EUROPA: what every record commits to, and what opens it, hangs on the match's secret, which goes along."""
    match = Match.begin(tmp_path / "old" / "site").started(pages=False)
    match.write(match.time("opens_at") + timedelta(hours=1))
    mail_run(match.path, match.time("opens_at") + timedelta(hours=2))
    when = match.time("opens_at") + timedelta(hours=3)
    stayed = Match(copy(match.path, tmp_path / "stayed"), mails=match.mails)
    file, _ = away(match.path, when, "union")
    moved = Match(other_site(tmp_path / "new" / "site", utc(FIRST, 9)), mails=match.mails)
    arrive(moved.path, file, when + timedelta(hours=1))
    for one in (stayed, moved):
        one.finish(pages=False)
        to_the_end(one)
    assert told(moved.told()) == told(stayed.told())
    opened_ = [body for path in (stayed.path, moved.path) for body in bodies(path) if body["kind"] == "unsealed"]
    assert len(opened_) == 2
    assert [row["parts"] for row in opened_[0]["opened"]] == [row["parts"] for row in opened_[1]["opened"]]
    secrets = "SELECT secret FROM record WHERE kind = 'round' ORDER BY round, version"
    assert rows(moved.path, secrets) == rows(stayed.path, secrets)
    assert rows(moved.path, "SELECT nonce, leaf FROM submission ORDER BY leaf") == rows(
        stayed.path, "SELECT nonce, leaf FROM submission ORDER BY leaf"
    )
    run(moved.path, moved.time("ends_at") + timedelta(days=1))
    found = verify(str(moved.path / "public"))
    assert found.holds, [one.faults[:3] for one in found.all]


# ------------------------------------------------------------------ from one database to the other


def test_to_postgresql_and_back(played: Path, postgres: Postgres, tmp_path: Path) -> None:
    """SQLite, PostgreSQL, SQLite: the league is the same after each move, and on PostgreSQL a round is played."""
    stayed = copy(played, tmp_path / "stayed")
    url = postgres.url(postgres.create())
    middle = other_site(tmp_path / "middle" / "site", utc(FIRST, 9), "33" * 32, url)
    last = other_site(tmp_path / "last" / "site", utc(FIRST, 9))
    file, _ = away(played, LEFT)
    arrive(middle, file, CAME)
    write(middle, "Ben", "take Spain", SECOND, days=0)
    week(middle, SECOND)
    assert holds(middle)
    again, _ = away(middle, SUNDAY)
    arrive(last, again, SUNDAY + timedelta(hours=1))
    write(stayed, "Ben", "take Spain", SECOND, days=0)
    week(stayed, SECOND, pages=False)
    for path in (stayed, last):
        write(path, "Carla", "take Rome", THIRD)
        week(path, THIRD, pages=path == last)
    assert told(bodies(last)) == told(bodies(stayed))
    assert holds(last)


def test_a_whole_import_or_none_on_postgresql(
    played: Path, postgres: Postgres, tmp_path: Path, processes: Forks
) -> None:
    """Killed before the commit nothing of it is there, and the same command brings it whole."""
    url = postgres.url(postgres.create())
    path = other_site(tmp_path / "pg" / "site", utc(FIRST, 9), url=url)
    file, _ = away(played, LEFT)
    for name in ("import.written", "import.before_commit"):
        assert processes.league(path, CAME, "import", str(file), LEAGUE_FAILPOINT=name).code == KILLED
        site = opened(path, CAME)
        with database.read(site.engine) as connection:
            assert leagues.league(connection, "spring") is None
        site.engine.dispose()
    done = processes.league(path, CAME, "import", str(file))
    assert done.code == 0, done.err
    site = opened(path, CAME)
    with database.read(site.engine) as connection:
        found = leagues.match(connection, "spring-1")
        assert found is not None
        assert len(records.chain(connection, found.id)) == 4
    site.engine.dispose()


# ------------------------------------------------------------------ the old site


def test_the_old_site_plays_it_no_more(played: Path) -> None:
    """Nothing is closed, resolved, reminded of or entered there; what it says of it names the way back."""
    away(played, LEFT)
    before = (chain(played), rows(played, "SELECT number, status FROM round ORDER BY number"))
    run(played, utc(SECOND + timedelta(days=1), 1))
    run(played, SUNDAY)
    assert (chain(played), rows(played, "SELECT number, status FROM round ORDER BY number")) == before
    with pytest.raises(Refused, match=r"spring has moved to another site and is on hold here.*--undo"):
        enter_orders(opened(played, SUNDAY), "spring", "Ben", "take Spain", why="by phone", received_at=None)
    assert holds(played)


def test_who_writes_to_the_old_site_is_told(played: Path) -> None:
    """Once a day, at the address on file, with the new address; the mail is kept, and nothing in it counts."""
    away(played, LEFT, wish=Wish(to="leagues@new.example"))
    for minute in (10, 20):
        moment = LEFT + timedelta(minutes=minute)
        drop(played, letter("Carla", f"take Rome\n# {minute}"), moment)
        mail_run(played, moment)
    told_ = outbox(played, "away")
    assert [mail.to for mail in told_] == [address("Carla")]
    assert "leagues@new.example" in told_[0].text
    assert verdicts(played)[-2:] == [("held", "moved_league")] * 2
    assert rows(played, "SELECT state FROM outbox WHERE kind LIKE 'away%'") == [{"state": "sent"}]
    assert len(rows(played, "SELECT * FROM submission WHERE seat_id = 3")) == 2


def test_a_player_of_two_leagues_is_not_misread(played: Path) -> None:
    """His mail that says it is for the league that left isn't taken for orders in the one that stayed."""
    add_league(played, "autumn", ("Anna", "Eva"), now=LEFT, start=THIRD)
    away(played, LEFT)
    drop(played, letter("Anna", "take London", subject="[spring] orders"), LEFT + timedelta(minutes=1))
    drop(played, letter("Anna", "join Rome", subject="[autumn] orders"), LEFT + timedelta(minutes=2))
    mail_run(played, LEFT + timedelta(minutes=5))
    assert verdicts(played)[-2:] == [("held", "moved_league"), ("accepted", "readable")]


def test_a_player_of_two_leagues_is_asked_and_told(played: Path) -> None:
    """A mail that names neither: he is asked about the one that is here, and told that the other has moved.

    Taken for the one that is here it would replace orders there that were never meant to go.
    """
    add_league(played, "autumn", ("Anna", "Eva"), now=LEFT, start=THIRD)
    away(played, LEFT)
    drop(played, letter("Anna", "take London"), LEFT + timedelta(minutes=1))
    mail_run(played, LEFT + timedelta(minutes=5))
    assert verdicts(played)[-1] == ("ask", "which_league")
    (asked,) = outbox(played, "which")
    assert "[autumn]" in asked.text
    assert "[spring]" not in asked.text
    assert [mail.to for mail in outbox(played, "away")] == [address("Anna")]


def test_a_player_of_several_leagues_is_asked_and_told(played: Path) -> None:
    """A mail that names none: he is asked about those that are here, and told where the other has moved."""
    for slug in ("autumn", "winter"):
        add_league(played, slug, ("Anna", "Eva"), now=LEFT, start=THIRD)
    away(played, LEFT)
    drop(played, letter("Anna", "join London"), LEFT + timedelta(minutes=1))
    mail_run(played, LEFT + timedelta(minutes=5))
    assert verdicts(played)[-1] == ("ask", "which_league")
    (asked,) = outbox(played, "which")
    assert "[autumn]" in asked.text
    assert "[winter]" in asked.text
    assert "[spring]" not in asked.text
    assert [mail.to for mail in outbox(played, "away")] == [address("Anna")]


def test_taken_back_it_goes_on_where_it_was(played: Path, tmp_path: Path) -> None:
    """`--undo`: rounds come out as if nobody had ever thought of moving, and waiting mail goes out."""
    stayed = copy(played, tmp_path / "stayed")
    hold(opened(played, LEFT), "")
    write(played, "Ben", "take Spain", SECOND)
    run(played, LEFT)
    write(stayed, "Ben", "take Spain", SECOND)
    run(stayed, LEFT)
    away(played, LEFT)
    take_back(opened(played, CAME), "spring", "the new machine wasn't ready")
    release(opened(played, CAME), "")
    for path in (played, stayed):
        week(path, SECOND)
    assert told(bodies(played)) == told(bodies(stayed))
    assert rows(played, "SELECT * FROM outbox WHERE state != 'sent'") == []
    assert holds(played)
    with pytest.raises(Refused, match="hasn't moved"):
        take_back(opened(played, SUNDAY), "spring", "")


def test_the_same_file_is_written_once_more(played: Path) -> None:
    """The export of a league that has left gives the same bytes, whatever came meanwhile."""
    file, first = away(played, LEFT)
    drop(played, letter("Carla", "take Rome"), CAME)
    run(played, CAME)
    other, again = away(played, SUNDAY, name="again.tar")
    assert (first.again, again.again) == (False, True)
    assert other.read_bytes() == file.read_bytes()


def test_what_was_done_since_makes_another_file(played: Path, processes: Forks) -> None:
    """Whoever was forgotten isn't in a file that is written once more, and it says that it isn't the same."""
    file, first = away(played, LEFT)
    forget(opened(played, CAME), "spring", "Carla", why="asked for it")
    other, again = away(played, SUNDAY, name="again.tar")
    assert first.changed == ()
    assert again.changed == ("player forget (2024-01-10T18:00:00Z)",)
    assert b"carla@example.org" in file.read_bytes()
    assert b"carla@example.org" not in other.read_bytes()
    done = processes.league(played, SUNDAY, "export", "spring", str(played.parent / "third.tar"))
    assert "It isn't the file of before: since the league left there was player forget" in done.out


def test_an_address_that_is_given_later_is_taken(played: Path) -> None:
    """Who writes from then on is told it, the pages name it, and the journal has it; a site built anew has it too."""
    away(played, LEFT)
    away(played, CAME, wish=Wish(to="brandnew@new.example"), name="again.tar")
    drop(played, letter("Carla", "take Rome"), CAME + timedelta(minutes=1))
    run(played, CAME + timedelta(minutes=5))
    assert "brandnew@new.example" in outbox(played, "away")[0].text
    assert "mailto:brandnew@new.example" in (played / "public" / "index.html").read_text("utf-8")
    acts = json.loads(public(played)["spring/journal.json"])["acts"]
    assert [act["act"] for act in acts][-2:] == ["export", "export --to"]
    done = rebuild(played.parent / "anew", played, CAME + timedelta(minutes=10))
    assert done.is_same, done.troubles
    assert moved_to_address(played.parent / "anew") == "brandnew@new.example"


def moved_to_address(path: Path) -> str | None:
    with database.read(opened(path, SUNDAY).engine) as connection:
        return moved_to(connection, "spring")


def test_taken_back_everybody_is_told_and_heard(played: Path) -> None:
    """Each player gets a mail; what he wrote while the league was on hold counts from when it came."""
    away(played, LEFT, wish=Wish(to="leagues@new.example"))
    written = LEFT + timedelta(minutes=10)
    drop(played, letter("Carla", "take Rome"), written)
    run(played, written)
    assert verdicts(played)[-1] == ("held", "moved_league")
    take_back(opened(played, CAME), "spring", "the new machine wasn't ready")
    run(played, CAME)
    assert verdicts(played)[-1] == ("accepted", "readable")
    (row,) = rows(played, "SELECT received_at FROM submission ORDER BY id DESC LIMIT 1")
    assert row["received_at"].startswith(written.strftime("%Y-%m-%dT%H:%M"))
    told_ = outbox(played, "back")
    assert sorted(mail.to for mail in told_) == sorted(map(address, JOINS))
    assert all("leagues@new.example" in mail.text for mail in told_)
    assert rows(played, "SELECT * FROM outbox WHERE state != 'sent'") == []
    week(played, SECOND)
    assert holds(played)
    done = rebuild(played.parent / "anew", played, SUNDAY)
    assert done.is_same, done.troubles


def saved(path: Path, into: Path) -> Path:
    """Receipts, mails with leaves and reports of a site, one file each."""
    into.mkdir()
    for number, mail in enumerate(outbox(path)):
        if mail.kind.partition("/")[0] in ("receipt", "freeze", "report"):
            (into / f"{number}.eml").write_bytes(mail.raw)
    return into


def test_mails_of_after_the_move_accuse_nobody_on_the_pages_that_were_left(
    played: Path, new: Path, tmp_path: Path
) -> None:
    """They can't be checked there, and it is said where they can; one of before that doesn't agree still convicts."""
    file, _ = away(played, LEFT, wish=Wish(to="leagues@new.example"))
    run(played, LEFT + timedelta(hours=1))
    arrive(new, file, CAME)
    rest(new)
    mails = saved(new, tmp_path / "mails")
    found = verify(str(played / "public"), [mails])
    assert found.holds, [one.faults[:3] for one in found.all]
    (spring,) = found.leagues
    assert {row["code"] for row in spring.unknown if "check it against the new pages" in str(row["what"])} == {"moved"}
    (note,) = [row for row in spring.notes if row["code"] == "moved"]
    assert "left on 2024-01-10T12:00:00Z for leagues@new.example" in str(note["what"])
    old = saved(played, tmp_path / "old")
    before = next(path for path in sorted(old.iterdir()) if b"# signature" in path.read_bytes())
    lines = before.read_text().splitlines(keepends=True)
    place = next(at for at, line in enumerate(lines) if line.startswith("# signature")) + 1
    lines[place] = "# " + lines[place][2:].swapcase()
    before.write_text("".join(lines))
    assert not verify(str(played / "public"), [before]).holds


def test_who_plays_on_has_not_left(played: Path, new: Path, tmp_path: Path) -> None:
    """An act says that the league left, and records go on behind it: a mail that they don't have convicts."""
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    rest(new)
    mails = saved(new, tmp_path / "mails")
    with database.write(opened(played, CAME).engine) as connection:
        found = leagues.league(connection, "spring")
        assert found is not None
        leagues.set_league_status(connection, found.id, leagues.RUNNING)
    week(played, SECOND)
    assert not verify(str(played / "public"), [mails]).holds


def test_a_copy_leaves_the_league_where_it_is(played: Path, new: Path) -> None:
    """It goes on at the old site; in the copy no mail waits, and the journal of both says what it is."""
    hold(opened(played, LEFT), "")
    write(played, "Ben", "take Spain", SECOND)
    mail_run(played, LEFT)
    file, done = away(played, LEFT, wish=Wish(copy=True))
    assert done.copy
    assert rows(played, "SELECT status FROM league") == [{"status": "running"}]
    assert arrive(new, file, CAME).copy
    assert rows(new, "SELECT * FROM outbox WHERE state != 'sent'") == []
    release(opened(played, CAME), "")
    week(played, SECOND, pages=False)
    assert len(bodies(played)) == 3
    (act,) = rows(new, "SELECT arguments FROM journal WHERE act = 'import'")
    assert json.loads(act["arguments"])["copied"] == 1


def test_a_restored_old_site_knows_that_the_league_left(played: Path, tmp_path: Path) -> None:
    """A backup from before the move doesn't bring it back into play: the published journal says that it left."""
    file = tmp_path / "old.tar"
    back_up(opened(played, LEFT), file)
    away(played, LEFT + timedelta(minutes=5))
    run(played, LEFT + timedelta(minutes=6))
    revived = tmp_path / "revived"
    restore(revived, file, CAME)
    confirm(opened(revived, CAME), [], played / "public")
    run(revived, CAME)
    assert rows(revived, "SELECT status FROM league") == [{"status": "moved"}]


# ------------------------------------------------------------------ killed, twice at once


@pytest.mark.parametrize("name", ["export.before_commit", "export.after_commit", "export.before_switch"])
def test_an_export_that_dies_is_done_again(name: str, played: Path, processes: Forks) -> None:
    """No half file under the name; the same command writes it, and it is the one that no crash would have given."""
    other = copy(played, played.parent / "other" / "site")
    whole, _ = away(other, LEFT)
    file = played.parent / "mine" / whole.name
    file.parent.mkdir()
    assert processes.league(played, LEFT, "export", "spring", str(file), LEAGUE_FAILPOINT=name).code == KILLED
    assert not file.exists()
    done = processes.league(played, LEFT, "export", "spring", str(file), "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["again"] is (name != "export.before_commit")
    assert file.read_bytes() == whole.read_bytes()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert not list((played / "backups").iterdir())


@pytest.mark.parametrize("name", ["import.written", "import.before_commit", "import.after_commit"])
def test_an_import_that_dies_leaves_all_or_nothing(name: str, played: Path, new: Path, processes: Forks) -> None:
    """Killed before the commit nothing is there, and it is done again; behind it the league is there."""
    file, _ = away(played, LEFT)
    assert processes.league(new, CAME, "import", str(file), LEAGUE_FAILPOINT=name).code == KILLED
    there = name == "import.after_commit"
    assert len(rows(new, "SELECT * FROM league")) == there
    again = processes.league(new, CAME, "import", str(file))
    assert again.code == there
    assert ("is here already" in again.err) is there
    release(opened(new, CAME), "")
    rest(new)
    assert holds(new)
    assert len(bodies(new)) == 6


def test_two_at_once(played: Path, new: Path, processes: Forks) -> None:
    """Of two imports in the same moment one brings the league, and the other says that it is here."""
    file, _ = away(played, LEFT)
    ended = processes.at_once(*(command(new, CAME, "import", str(file)) for _ in range(2)))
    assert sorted(one.code for one in ended) == [0, 1]
    assert any("is here already" in one.err for one in ended)
    assert len(sealed(new)) == 4


# ------------------------------------------------------------------ what it leaves to be done


def test_a_backup_of_the_new_site_has_what_was_brought(played: Path, new: Path, tmp_path: Path) -> None:
    """Restored, it goes on under the match's own secret; without that file it says so and goes on with nothing."""
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    run(new, CAME)
    archive = tmp_path / "new.tar"
    back_up(opened(new, CAME), archive)
    revived = tmp_path / "revived"
    restore(revived, archive, CAME)
    confirm(opened(revived, CAME), [chain(new)[-1]])
    release(opened(revived, CAME), "")
    for path in (new, revived):
        write(path, "Ben", "take Spain", SECOND, days=0)
        week(path, SECOND)
    assert told(bodies(revived)) == told(bodies(new))
    file_of(revived, "spring").unlink()
    with pytest.raises(Refused, match=r"brought-spring.key can't be read .* restore it from a backup"):
        opened(revived, SUNDAY).match_secret("spring-1")


def test_a_site_with_a_brought_league_is_not_built_anew(played: Path, new: Path, tmp_path: Path) -> None:
    """Its beginnings lie elsewhere, and it is said before anything is done."""
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    with pytest.raises(Refused, match="spring was brought here from another site"):
        rebuild(tmp_path / "anew", new, CAME)
    assert not (tmp_path / "anew").exists()


def test_a_site_that_a_league_has_left_is_built_anew(played: Path, tmp_path: Path) -> None:
    """All records come out to the byte, and the league is on hold there too."""
    away(played, LEFT)
    done = rebuild(tmp_path / "anew", played, CAME)
    assert done.is_same, done.troubles
    assert rows(tmp_path / "anew", "SELECT status FROM league") == [{"status": "moved"}]


def test_the_commands_say_what_they_did(played: Path, new: Path, processes: Forks) -> None:
    """What went, up to which record, and what is to be done at either site; programs get the same as JSON."""
    file = played.parent / "league.tar"
    done = processes.league(played, LEFT, "export", "spring", str(file))
    assert done.code == 0, done.err
    assert f"spring-1: 2 records up to {chain(played)[-1]}" in done.out
    assert "league export spring --undo" in done.out
    assert processes.league(played, LEFT, "export", "spring", str(file)).code == 1
    came = processes.league(new, CAME, "import", str(file))
    assert came.code == 0, came.err
    assert chain(played)[-1] in came.out
    assert "league mail outbox --release" in came.out
    assert "salt" not in processes.league(new, CAME, "log", "spring", "--json").out
    assert processes.league(played, LEFT, "export", "spring", "--undo", "--copy").code == 2
    back: dict[str, Any] = json.loads(processes.league(played, CAME, "export", "spring", "--undo", "--json").out)
    assert back == {"league": "spring", "moved": False}
    assert look(file, SORT).about["league"] == "spring"


def test_what_is_under_way_is_refused(played: Path, new: Path, tmp_path: Path) -> None:
    """A restored site that waits for a word, a clock behind the league's, a league that came back."""
    archive = tmp_path / "old.tar"
    back_up(opened(played, LEFT), archive)
    revived = tmp_path / "revived"
    restore(revived, archive, CAME)
    with pytest.raises(Refused, match="it isn't certain yet that it knows the newest record"):
        away(revived, CAME, name="never.tar")
    file, _ = away(played, LEFT)
    with pytest.raises(Refused, match="the clock here says"):
        import_league(opened(new, LEFT - timedelta(hours=1)), file)
    with pytest.raises(Refused, match="was played on this site and has left it"):
        import_league(opened(played, CAME), file)
    assert not (tmp_path / "never.tar").exists()


def test_an_address_that_the_site_sends_from_is_no_players(tmp_path: Path, played: Path) -> None:
    """Its mails would answer themselves; the league isn't taken."""
    path = other_site(tmp_path / "own" / "site", utc(FIRST, 9), from_address=address("Ben"))
    file, _ = away(played, LEFT)
    with pytest.raises(BadInput, match=r"ben@example\.org is the one that this site sends from"):
        import_league(opened(path, CAME), file)
    assert rows(path, "SELECT * FROM league") == []
    assert not file_of(path, "spring").exists()


def test_what_is_owed_goes_along(played: Path, new: Path) -> None:
    """Who got no answer, since he had had too many, gets it from the new site when the silence ends."""
    for minute in range(14):
        moment = LEFT - timedelta(minutes=30 - minute)
        drop(played, letter("Anna", "take Stockholm", message_id=f"<many.{minute}@example.org>"), moment)
    mail_run(played, LEFT - timedelta(minutes=10))
    (owed,) = rows(played, "SELECT value FROM site_fact WHERE key LIKE 'unanswered/%'")
    assert len(owed["value"].split()) > 2
    file, _ = away(played, LEFT)
    mail_run(played, LEFT + timedelta(hours=2))
    assert rows(played, "SELECT value FROM site_fact WHERE key LIKE 'unanswered/%'") == []
    arrive(new, file, LEFT + timedelta(minutes=1))
    before = len(outbox(new, "receipt", "Anna"))
    mail_run(new, LEFT + timedelta(hours=2))
    assert len(outbox(new, "receipt", "Anna")) == before + 1


def test_the_old_pages_say_so(played: Path, processes: Forks) -> None:
    """No deadline, no address to write to and no composer are left on them, but a sentence, and the new address."""
    away(played, LEFT, wish=Wish(to="leagues@new.example"))
    run(played, LEFT)
    for lang, words in ((".", "wird inzwischen anderswo gespielt"), ("en", "is played at another place now")):
        page = (played / "public" / "spring" / lang / "index.html").read_text("utf-8")
        assert words in page
        assert "mailto:leagues@new.example" in page
        assert "mailto:league@play.example" not in page
        assert 'id="write"' not in page
        calendar = (played / "public" / "spring" / lang / "deadlines.ics").read_text("utf-8")
        assert calendar.count("BEGIN:VEVENT") == 1
    status = processes.league(played, LEFT, "status")
    assert status.code == 0, status.err
    (row,) = json.loads(processes.league(played, LEFT, "status", "--json").out)["leagues"]
    assert (row["status"], row["deadline"]) == ("moved", None)
    assert holds(played)


def test_the_front_page_does_not_call_a_moved_league_over(played: Path) -> None:
    """It stands as moved, with the new address, and with no winner and no count of rounds, in every language."""
    away(played, LEFT, wish=Wish(to="leagues@new.example"))
    run(played, LEFT)
    for lang, words in ((".de", "wird inzwischen anderswo"), ("", "at another place now"), (".nl", "ergens anders")):
        page = (played / "public" / f"index{lang}.html").read_text("utf-8")
        shown = page[page.index("<main") : page.index("</main>")]
        assert words in shown.lower()
        assert "mailto:leagues@new.example" in shown
        assert 'id="archive"' not in shown
        assert not [name for name in JOINS if name in shown]
        assert not re.search(r"\b(runden?|rounds?|rondes?)\b", shown.lower())
    take_back(opened(played, CAME), "spring", "")
    run(played, CAME)
    assert 'id="moved"' not in (played / "public" / "index.html").read_text("utf-8")


def test_a_moved_league_announces_no_deadline(played: Path) -> None:
    """Neither its calendar nor a round's page names one to come, and each of its pages says that it has moved."""
    assert "BEGIN:VEVENT" in (played / "public" / "spring" / "deadlines.ics").read_text()
    away(played, LEFT)
    run(played, LEFT)
    folder = played / "public" / "spring" / "en"
    (start,) = re.findall(r"^DTSTART:(\w+)", (folder / "deadlines.ics").read_text(), re.MULTILINE)
    assert datetime.strptime(start, "%Y%m%dT%H%M%S%z") < LEFT
    page = (folder / "round-1.html").read_text("utf-8")
    assert 'id="following"' not in page
    assert "mailto:league@play.example" not in page
    for file in folder.glob("*.html"):
        assert "is played at another place now" in file.read_text("utf-8"), file.name
    assert holds(played)
    take_back(opened(played, CAME), "spring", "")
    run(played, CAME)
    assert 'id="following"' in (folder / "round-1.html").read_text("utf-8")


def test_no_channel_is_told_of_old_rounds(played: Path, new: Path) -> None:
    """What was sealed before the league came was told where it came from; what is sealed here is yet to be told."""
    site = opened(new, CAME)
    with database.write(site.engine) as connection:
        announcements.set_mark(connection, "chat", 0)
    file, _ = away(played, LEFT)
    arrive(new, file, CAME)
    told_ = rows(new, "SELECT kind, round, state FROM announcement ORDER BY kind")
    assert told_ == [{"kind": kind, "round": 1, "state": "lapsed"} for kind in ("correction", "report")]
    with database.read(site.engine) as connection:
        assert announcements.mark(connection, "chat", CAME) == 0


def test_the_old_site_can_forget_and_change_its_key(played: Path) -> None:
    """Both must be possible there for ever, and what is published there still holds."""
    away(played, LEFT)
    forget(opened(played, CAME), "spring", "Carla", why="asked for it")
    rotate_key(opened(played, CAME), "a new machine")
    run(played, CAME + timedelta(hours=1))
    assert rows(played, "SELECT address FROM player WHERE name NOT IN ('Anna', 'Ben')") == [{"address": None}]
    assert holds(played)
