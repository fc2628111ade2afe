"""A site whose mail goes over a real SMTP server: killed, on hold, slowed down, two at once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from league.desk.post.verp import envelope
from league.desk.post.way_out import Single
from league.failpoints import FAILPOINTS, KILLED
from league.settings import Smtp
from tests.delivery.post_office import Post, office
from tests.desk.forks import Forks, command
from tests.desk.sites import add_league, at, drop, letter, mail_run, make_site, opened, rows

FRIDAY = at("2024-01-05 08:00")
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
PLACES = tuple(name for name in FAILPOINTS if name.startswith(("smtp.", "outbox.")))
TAKEN_UNKNOWN = {"smtp.data", "smtp.replied", "outbox.delivered"}  # the server has the mail, and our books don't say so


@contextmanager
def posted(path: Path, post: Post | None = None, **smtp: Any) -> Iterator[Post]:
    """A site with a league, three mails in, and a server that takes its mails."""
    made = post or Post()
    with office(made) as port:
        make_site(path, smtp=Smtp(host="127.0.0.1", port=port, security="none", **smtp))
        add_league(path)
        with connect(path / "league.sqlite") as book:  # the first mail, which everybody gets, isn't looked at here
            book.execute("DELETE FROM outbox WHERE kind = 'welcome'")
        book.close()
        for name, text in JOINS.items():
            drop(path, letter(name, text), at("2024-01-03 10:00"))
        yield made


def states(path: Path) -> Counter[str]:
    return Counter(row["state"] for row in rows(path, "SELECT state FROM outbox"))


@pytest.mark.parametrize("hit", [1, 2])
@pytest.mark.parametrize("place", PLACES)
def test_killed_while_mail_goes_out(place: str, hit: int, tmp_path: Path, processes: Forks) -> None:
    """Killed at any step of SMTP: no mail is lost, and one goes twice only if the server had it and we can't know."""
    with posted(tmp_path / "site", per_connection=2) as post:
        path = tmp_path / "site"
        killed = processes.league(path, FRIDAY, "run", LEAGUE_FAILPOINT=f"{place}:{hit}")
        if place == "outbox.sending" and hit == 2:  # all mails are one batch
            assert killed.code == 0
        else:
            assert killed.code == KILLED, killed.err
        again = processes.league(path, FRIDAY, "run")
        assert again.code == 0, again.err
        assert states(path)["in_doubt"] == (1 if killed.code == KILLED else 0)
        later = processes.league(path, FRIDAY + timedelta(minutes=16), "run")
        assert later.code == 0, later.err
        assert states(path) == {"sent": 9}
    stored = {row["message_id"]: row["raw"] for row in rows(path, "SELECT message_id, raw FROM outbox")}
    counted = post.ids()
    assert set(counted) == set(stored), "every mail arrived"
    assert all(raw == stored[str(message_from_bytes(raw)["Message-ID"])] for _, _, raw in post.taken)
    twice = sum(counted.values()) - len(counted)
    assert twice == (1 if place in TAKEN_UNKNOWN else 0)


def test_two_senders_at_once_send_once(tmp_path: Path, processes: Forks) -> None:
    """Two runs and two `mail send` started in the same moment: each mail goes out exactly once."""
    path = tmp_path / "site"
    with posted(path) as post:
        runs = [command(path, FRIDAY, "run"), command(path, FRIDAY, "mail", "send")] * 2
        ended = processes.at_once(*runs)
        assert [e.code for e in ended] == [0] * 4, ended
        assert processes.league(path, FRIDAY, "run").code == 0
    assert set(post.ids().values()) == {1}
    assert len(post.taken) == 9


def test_many_mails_go_over_few_connections(tmp_path: Path) -> None:
    """Five hundred mails in one run: at least fifty a connection."""
    path = tmp_path / "site"
    with posted(path) as post:
        site = opened(path, FRIDAY)
        from league.desk.post.send_mail import send_mail
        from league.storage import engine as database
        from league.storage.outbox import OutMail, queue

        with database.write(site.engine) as connection:
            queue(
                connection,
                [
                    OutMail(
                        f"<{n}@play.example>",
                        "report",
                        f"p{n}@example.org",
                        b"Message-ID: <%d@x>\r\n\r\nx\r\n" % n,
                        FRIDAY,
                    )
                    for n in range(500)
                ],
            )
        assert send_mail(site).sent == 500
        site.engine.dispose()
    assert len(post.taken) / post.connections >= 50


def test_answers_go_before_reports_and_the_hour_is_kept(tmp_path: Path) -> None:
    """With four mails an hour the receipts come first and the reports last; none is lost."""
    path = tmp_path / "site"
    with posted(path, per_hour=4) as post:
        assert mail_run(path, FRIDAY).delivered.waiting == 5
        assert len(post.taken) == 4
        assert mail_run(path, FRIDAY + timedelta(minutes=59)).delivered.sent == 0
        assert mail_run(path, FRIDAY + timedelta(minutes=61)).delivered.sent == 4
        assert mail_run(path, FRIDAY + timedelta(minutes=122)).delivered.waiting == 0
    kinds = {row["message_id"]: row["kind"] for row in rows(path, "SELECT message_id, kind FROM outbox")}
    order = [kinds[str(message_from_bytes(raw)["Message-ID"])].partition("/")[0] for _, _, raw in post.taken]
    assert order == ["receipt"] * 3 + ["freeze"] * 3 + ["report"] * 3


def test_a_domain_has_its_own_pace(tmp_path: Path) -> None:
    """Players of one provider wait for their turn; those of another don't wait with them."""
    path = tmp_path / "site"
    with posted(path, per_domain_per_hour=2) as post:
        site = opened(path, FRIDAY)
        from league.desk.people.players import NewPlayer, add_players

        add_players(site, "spring", [NewPlayer("Dirk", "dirk@example.net")])
        site.engine.dispose()
        mail_run(path, FRIDAY)
    domains = Counter(to.partition("@")[2] for _, to, _ in post.taken)
    assert domains == {"example.org": 2, "example.net": 2}


def test_a_server_that_is_away_is_asked_less_and_less(tmp_path: Path) -> None:
    """Nothing fails for a server that doesn't answer, however long; what waited goes when it is back."""
    path = tmp_path / "site"
    post = Post(lambda stage, _: "550 5.7.1 go away" if stage == "mail" else None)
    with posted(path, post):
        done = mail_run(path, FRIDAY)
        assert "go away" in done.delivered.trouble
        for minutes, asked in ((0.5, 1), (1, 2), (5, 2), (6, 3), (20, 3), (21, 4)):
            mail_run(path, FRIDAY + timedelta(minutes=minutes))
            assert post.connections == asked, minutes
        assert states(path) == {"queued": 9}
        late = FRIDAY + timedelta(days=4)
        assert mail_run(path, late).delivered.trouble
        assert states(path) == {"queued": 9}
        post.wrong = lambda stage, nth: None  # noqa: ARG005
        assert mail_run(path, late + timedelta(minutes=1)).delivered.sent == 0
        assert mail_run(path, late + timedelta(hours=4)).delivered.sent == 9
        assert rows(path, "SELECT * FROM site_fact WHERE key LIKE 'mail.%'") == []


def test_by_hand_the_server_is_asked_at_once(tmp_path: Path, processes: Forks) -> None:
    """`league mail send` doesn't wait for the server's time, and ends with 1 when nothing can go."""
    path = tmp_path / "site"
    post = Post(lambda stage, _: "550 5.7.1 go away" if stage == "mail" else None)
    with posted(path, post):
        assert processes.league(path, FRIDAY, "run").code == 1
        told = processes.league(path, FRIDAY, "mail", "send")
        assert told.code == 1
        assert "550 5.7.1 go away" in told.out
        shown = processes.league(path, FRIDAY, "status")
        assert "mail can't be sent since 2024-01-05T08:00:00Z" in shown.out
        post.wrong = lambda stage, nth: None  # noqa: ARG005
        assert processes.league(path, FRIDAY, "mail", "send").out.startswith("9 mails went out, 0 failed.")


def test_the_doctor_asks_the_server_and_sends_nothing(tmp_path: Path, processes: Forks) -> None:
    """What `league doctor` says about the server is what the server said."""
    path = tmp_path / "site"
    with posted(path) as post:
        assert "takes our mail" in processes.league(path, FRIDAY, "doctor").out
        assert set(post.reached) == {"ehlo"}
    gone = processes.league(path, FRIDAY, "doctor")
    assert gone.code == 1
    assert "mail can't be sent: 127.0.0.1:" in gone.out
    assert "Connection refused" in gone.out


def test_each_mail_has_a_bounce_address_of_its_own(tmp_path: Path) -> None:
    """The envelope sender is never empty, and different for each mail where the settings say so; else the plain one."""
    with posted(tmp_path / "a", verp="on") as post:
        mail_run(tmp_path / "a", FRIDAY)
    senders = {sender for sender, _, _ in post.taken}
    assert len(senders) == 9
    assert all(sender.startswith("league+b-") and sender.endswith("@play.example") for sender in senders)
    assert max(len(sender.partition("@")[0]) for sender in senders) <= 64
    with posted(tmp_path / "b", verp="off", bounce_address="bounces@play.example") as post:
        mail_run(tmp_path / "b", FRIDAY)
    assert {sender for sender, _, _ in post.taken} == {"bounces@play.example"}


@pytest.mark.parametrize(
    ("verp", "plus", "bounces", "used"),
    [
        ("auto", False, "", False),
        ("auto", True, "", True),
        ("auto", True, "bounces@play.example", False),  # what arrives at the one address says nothing of the other
        ("on", False, "bounces@play.example", True),
        ("off", True, "", False),
    ],
)
def test_bounce_addresses_are_used_where_they_are_known_to_arrive(
    tmp_path: Path, verp: str, plus: bool, bounces: str, used: bool
) -> None:
    """Or where somebody says so; elsewhere every bounce would be lost."""
    path = make_site(tmp_path / "site", plus_addresses=plus, smtp=Smtp(verp=verp, bounce_address=bounces))
    site = opened(path, FRIDAY)
    sender = envelope(site, Single("anna@example.org", "<x@play.example>", b"", id=7))
    site.engine.dispose()
    assert ("+b-" in sender) is used
