import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError

import league.core
from league.core.errors import BadInput
from league.delivery.outbox import Handed, Outcome
from league.storage import decisions, evidence, leagues, mails, orders, outbox, records, rounds, sending
from league.storage.engine import read, write
from tests.storage.builders import DAY, NOW, league_of, new_round, submission

ROOT = Path(league.core.__file__).parent.parent.parent


def _mail(number: int) -> mails.NewMail:
    return mails.NewMail(f"digest{number}", b"From: anna", "maildir", NOW + number * DAY, NOW)


def _verdict(mail_id: int, message_id: str = "<1@example.org>") -> mails.Judged:
    return mails.Judged(mail_id, "accepted", "", "has_orders", message_id, "anna@example.org", ("orders",), False, NOW)


def test_the_same_mail_twice_is_one_mail(engine: Engine) -> None:
    """A message that was stored before stays as it was, and only the new one is told as fresh."""
    with write(engine) as connection:
        first = mails.store_mails(connection, [_mail(1), _mail(1)])
        again = mails.store_mails(connection, [replace(_mail(1), source="mbox"), _mail(2)])
        stored = mails.mail(connection, first.ids["digest1"])
    assert first.fresh == {"digest1"}
    assert again.fresh == {"digest2"}
    assert again.ids["digest1"] == first.ids["digest1"]
    assert stored is not None
    assert (stored.source, stored.content, stored.size) == ("maildir", b"From: anna", 10)


def test_a_mail_gets_one_verdict(engine: Engine) -> None:
    """The first verdict stands, a judged mail isn't offered again, and a person can overrule."""
    with write(engine) as connection:
        ids = mails.store_mails(connection, [_mail(2), _mail(1)]).ids
        assert [mail.digest for mail in mails.unjudged(connection)] == ["digest1", "digest2"]
        assert mails.store_verdicts(connection, [_verdict(ids["digest1"])]) == 1
        assert mails.store_verdicts(connection, [replace(_verdict(ids["digest1"]), verdict="ignored")]) == 0
        assert [mail.digest for mail in mails.unjudged(connection)] == ["digest2"]
        assert mails.verdicts(connection, ("accepted",)) == (_verdict(ids["digest1"]),)
        mails.overrule(connection, replace(_verdict(ids["digest1"]), verdict="held"))
        assert [verdict.verdict for verdict in mails.verdicts(connection)] == ["held"]


def test_a_message_id_is_known_by_its_mails(engine: Engine) -> None:
    """Two mails of one sender with one Message-ID are named as they came; nothing else does."""
    with write(engine) as connection:
        ids = mails.store_mails(connection, [_mail(1), _mail(2), _mail(3)]).ids
        judged = [_verdict(ids["digest1"]), _verdict(ids["digest2"]), _verdict(ids["digest3"], "")]
        mails.store_verdicts(connection, judged)
        sender = judged[0].sender
        asked = [
            (sender, "<1@example.org>"),
            (sender, ""),
            (sender, "<2@example.org>"),
            ("x@example.org", "<1@example.org>"),
        ]
        assert mails.known_mails(connection, asked) == {(sender, "<1@example.org>"): (ids["digest1"], ids["digest2"])}


def test_old_contents_go_and_digests_stay(engine: Engine) -> None:
    """After its keeping time a mail's bytes are gone, and it is still known."""
    with write(engine) as connection:
        mails.store_mails(connection, [_mail(1), _mail(5)])
        assert mails.drop_contents(connection, NOW + 2 * DAY) == 1
        again = mails.store_mails(connection, [_mail(1)])
        stored = mails.mail(connection, again.ids["digest1"])
    assert again.fresh == frozenset()
    assert stored is not None
    assert stored.content is None


def test_an_order_mail_counts_once(engine: Engine) -> None:
    """The same mail for the same seat and phase is one submission, and revisions count on."""
    with write(engine) as connection:
        match, round_id = league_of(connection)
        seat = leagues.seats(connection, [match])[0].id
        assert orders.store_submissions(connection, [submission(round_id, seat)]) == 1
        assert orders.store_submissions(connection, [replace(submission(round_id, seat), revision=2)]) == 0
        assert orders.store_submissions(connection, [replace(submission(round_id, seat), phase=2)]) == 1
        assert orders.store_submissions(connection, [submission(round_id, seat, 2)]) == 1
        assert orders.last_revisions(connection, [round_id]) == {(round_id, seat): 2}


def test_orders_come_out_in_order_of_arrival(engine: Engine) -> None:
    """Whatever order mails are stored in, they are read by arrival, then by their place in the mailbox."""
    with write(engine) as connection:
        match, round_id = league_of(connection, names=("Anna", "Ben", "Carla"))
        anna, ben, carla = (place.id for place in leagues.seats(connection, [match]))
        book = [
            submission(round_id, carla, minute=5, sequence=2),
            submission(round_id, ben, minute=9, sequence=1),
            submission(round_id, anna, minute=5, sequence=1),
        ]
        orders.store_submissions(connection, book)
        assert orders.submissions(connection, [round_id]) == (book[2], book[0], book[1])


def test_press_is_kept_with_its_recipients(engine: Engine) -> None:
    """Press comes back as written."""
    with write(engine) as connection:
        match, round_id = league_of(connection)
        seat = leagues.seats(connection, [match])[0].id
        line = orders.PressLine(round_id, seat, NOW, ("Ben",), "Guten Morgen, Zürich")
        orders.store_press(connection, [line])
        assert orders.press(connection, [round_id]) == (line,)


def test_a_corrected_figure_is_a_further_entry(engine: Engine) -> None:
    """The correction stands, the earlier entry stays in the book, and the same value isn't entered twice."""
    friday = date(2026, 11, 6)
    first = evidence.Figure("dax_close", friday, "15229.10", "manual", "a newspaper", "no vendor", NOW)
    with write(engine) as connection:
        evidence.enter(connection, first)
        assert evidence.enter(connection, replace(first, source="another")) == first
        second = evidence.enter(connection, replace(first, value="15229.20", reason="misprint"))
        assert second.revision == 2
        assert evidence.known(connection, friday, friday) == (second,)
        assert evidence.known(connection, friday, friday, ("eurusd",)) == ()
        assert evidence.history(connection, "dax_close", friday) == (first, second)


def test_a_superseded_decision_is_out_of_force(engine: Engine) -> None:
    """A decision that was taken back is read on demand only."""
    with write(engine) as connection:
        _, round_id = league_of(connection)
        entered = decisions.Entered(round_id, "battle", {"winner": "s1"}, "organizer", NOW)
        decisions.decide(connection, [entered, replace(entered, facts={"winner": "s2"})])
        decisions.supersede(connection, decisions.decisions(connection, [round_id])[0].id, NOW)
        assert [d.facts["winner"] for d in decisions.decisions(connection, [round_id])] == ["s2"]
        assert len(decisions.decisions(connection, [round_id], superseded=True)) == 2


def test_a_round_moves_one_step_once(engine: Engine) -> None:
    """Each step is taken by the first who asks, and never backwards or twice."""
    with write(engine) as connection:
        match, round_id = league_of(connection)
        assert not rounds.resolve(connection, round_id)
        assert rounds.reschedule(connection, round_id, deadline_at=NOW, closes_at=NOW, ends_at=NOW + DAY)
        assert rounds.freeze(connection, round_id, now=NOW, late=True, root="ab")
        assert not rounds.freeze(connection, round_id, now=NOW, late=False, root="cd")
        assert not rounds.reschedule(connection, round_id, deadline_at=NOW, closes_at=NOW, ends_at=NOW)
        assert rounds.resolve(connection, round_id)
        assert rounds.correct(connection, round_id, from_version=1)
        assert not rounds.correct(connection, round_id, from_version=1)
        (stored,) = rounds.rounds(connection, match)
    assert (stored.status, stored.root, stored.frozen_late, stored.frozen_at, stored.version) == (
        "resolved",
        "ab",
        True,
        NOW,
        2,
    )


def test_of_two_processes_one_takes_the_round(engine: Engine, tmp_path: Path) -> None:
    """Two processes that want the same round at the same time: exactly one gets it."""
    with write(engine) as connection:
        _, round_id = league_of(connection)
    code = (
        "import sys\nfrom league.storage.engine import *\nfrom league.storage.rounds import claim\n"
        f"e = open_engine({str(tmp_path / 'league.db')!r})\nprint('ready', flush=True)\nsys.stdin.readline()\n"
        f"with write(e) as c: print(claim(c, {round_id}, 'open', 'frozen'))\n"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for _ in range(2)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    answers = [racer.communicate()[0].strip() for racer in racers]
    assert sorted(answers) == ["False", "True"]


def test_due_are_closed_and_waiting_rounds(engine: Engine) -> None:
    """A round is due once its grace is over; frozen ones stay due; leagues that are over have none."""
    with write(engine) as connection:
        made = [league_of(connection, f"l{n}")[1] for n in range(4)]
        rounds.claim(connection, made[1], "open", "frozen")
        rounds.claim(connection, made[2], "open", "resolved")
        leagues.set_league_status(connection, leagues.leagues(connection)[3].id, "over")
        before = rounds.due_rounds(connection, NOW, 10)
        after = rounds.due_rounds(connection, NOW + DAY, 10)
        assert [due.round_id for due in before] == [made[1]]
        assert [(due.round_id, due.status) for due in after] == [(made[0], "open"), (made[1], "frozen")]
        assert rounds.due_rounds(connection, NOW + DAY, 1) == after[:1]
        assert rounds.due_rounds(connection, NOW + DAY, 1, after=made[0]) == after[1:]
        assert rounds.next_closing(connection) == NOW + DAY / 96


def test_a_chunk_loads_with_three_statements(engine: Engine) -> None:
    """Twenty-five rounds cost as many statements as one, and each has what is its own."""
    with write(engine) as connection:
        made = [league_of(connection, f"l{n:02}") for n in range(25)]
        for match, round_id in made:
            places = leagues.seats(connection, [match])
            orders.store_submissions(connection, [submission(round_id, places[1].id)])
            records.store_positions(connection, [records.Start(match, 1, v, {"v": v}) for v in (1, 2)])
            records.store_records(connection, [records.Sealed(match, 0, 1, b"{}", f"head{match}", "", NOW)])
    seen: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *args: seen.append(args[2]))
    with read(engine) as connection:
        chunk = rounds.load_chunk(connection, [round_id for _, round_id in made])
    assert len([statement for statement in seen if statement.startswith("SELECT")]) == 3
    assert [loaded.league_slug for loaded in chunk] == [f"l{n:02}" for n in range(25)]
    for loaded, (match, round_id) in zip(chunk, made, strict=True):
        assert loaded.round.id == round_id
        assert loaded.position == {"v": 2}
        assert loaded.head == f"head{match}"
        assert [place.name for place in loaded.seats] == ["Anna", "Ben"]
        assert [mail.seat_id for mail in loaded.submissions] == [loaded.seats[1].id]
        assert loaded.decisions == ()
        assert loaded.options == {"a": 1}


def test_a_chunk_brings_its_decisions(engine: Engine) -> None:
    """A decision in force comes with its round."""
    with write(engine) as connection:
        _, round_id = league_of(connection)
        decisions.decide(connection, [decisions.Entered(round_id, "battle", {"winner": "s1"}, "organizer", NOW)])
        (loaded,) = rounds.load_chunk(connection, [round_id])
    assert [decision.facts for decision in loaded.decisions] == [{"winner": "s1"}]
    assert loaded.position is None
    assert loaded.head == ""


def test_the_current_round_is_the_newest(engine: Engine) -> None:
    """Of a match's rounds the last opened is the current one."""
    with write(engine) as connection:
        match, _ = league_of(connection)
        rounds.open_rounds(connection, [new_round(match, 2)])
        assert rounds.current(connection, [match])[match].number == 2
    with pytest.raises(IntegrityError), write(engine) as connection:
        rounds.open_rounds(connection, [new_round(match, 2)])


def test_phases_and_asks_follow_their_round(engine: Engine) -> None:
    """A round can wait for replies, and each is answered once."""
    with write(engine) as connection:
        match, round_id = league_of(connection)
        seat = leagues.seats(connection, [match])[0].id
        phase = rounds.add_phase(connection, rounds.PhaseLine(round_id, 2, "replies", "open", NOW))
        rounds.ask(connection, [rounds.AskLine(phase, seat, "rematch", {"country": "spain"}, NOW)])
        (asked,) = rounds.asks(connection, [phase])
        rounds.answer(connection, [asked.id])
        assert rounds.asks(connection, [phase]) == (replace(asked, answered=True),)
        assert rounds.set_phase_status(connection, phase, "open", "closed")
        assert not rounds.set_phase_status(connection, phase, "open", "closed")
        assert [p.status for p in rounds.phases(connection, [round_id])] == ["closed"]


def test_records_form_a_book(engine: Engine) -> None:
    """Records come out in the order sealed, the head is the last, and a version is sealed once."""
    with write(engine) as connection:
        match, _ = league_of(connection)
        sealed = [records.Sealed(match, n, 1, b"{}", f"sha{n}", f"sha{n - 1}", NOW) for n in range(3)]
        records.store_records(connection, sealed[:2])
        mark = records.newest(connection)
        assert records.sealed_since(connection, mark) == ()
        records.store_records(connection, sealed[2:])
        assert records.sealed_since(connection, mark) == (match,)
        assert records.chain(connection, match) == tuple(sealed)
        assert records.heads(connection, [match]) == {match: sealed[2]}
        records.store_positions(connection, [records.Start(match, 1, 1, {"b": 1, "a": 2})])
        assert records.position(connection, match, 1) == records.Start(match, 1, 1, {"b": 1, "a": 2})
        assert records.position(connection, match, 2) is None
    with pytest.raises(IntegrityError), write(engine) as connection:
        records.store_records(connection, sealed[:1])


def test_an_address_plays_once_in_a_league(engine: Engine) -> None:
    """Upper and lower case make no second player."""
    with write(engine) as connection:
        league_of(connection)
        (found,) = leagues.leagues(connection)
        with pytest.raises(BadInput, match="already plays"):
            leagues.add_player(
                connection, found.id, name="A", address=" ANNA@example.org", lang="de", zone="UTC", now=NOW
            )


def test_an_address_leads_to_its_seats(engine: Engine) -> None:
    """A sender is found in every running league of the site, and in no other."""
    with write(engine) as connection:
        league_of(connection, "l1")
        league_of(connection, "l2")
        league_of(connection, "l3")
        leagues.set_league_status(connection, leagues.leagues(connection)[2].id, "over")
        found = leagues.memberships(connection, ["Anna@Example.org", "nobody@example.org"])
    assert [(one.league_slug, one.match_slug, one.place.code) for one in found] == [
        ("l1", "l1-1", "s1"),
        ("l2", "l2-1", "s1"),
    ]


def test_a_forgotten_player_leaves_the_seat(engine: Engine) -> None:
    """Name and address go; the seat stays, and the address can come back."""
    with write(engine) as connection:
        match, _ = league_of(connection)
        place = leagues.seats(connection, [match])[0]
        assert place.player_id is not None
        leagues.forget_player(connection, place.player_id, "s1")
        after = leagues.seats(connection, [match])[0]
        assert (after.code, after.name, after.address) == ("s1", "s1", "")
        assert leagues.memberships(connection, ["anna@example.org"]) == ()


def test_an_empty_seat_has_no_words(engine: Engine) -> None:
    """A seat that nobody sits on is listed with empty words."""
    with write(engine) as connection:
        match, _ = league_of(connection)
        leagues.set_seat(connection, leagues.seats(connection, [match])[0].id, player_id=None, left_round=3)
        place = leagues.seats(connection, [match])[0]
    assert (place.player_id, place.name, place.address, place.left_round) == (None, "", "", 3)


def _out(number: int) -> outbox.OutMail:
    return outbox.OutMail(f"<{number}@example.org>", "receipt", "anna@example.org", b"mail", NOW)


def test_a_mail_is_queued_once(engine: Engine) -> None:
    """The same Message-ID again changes nothing, whatever state it has reached."""
    with write(engine) as connection:
        assert outbox.queue(connection, [_out(1), _out(2)]) == 2
        assert outbox.queue(connection, [replace(_out(1), raw=b"other"), _out(3)]) == 1
        assert outbox.raw(connection, "<1@example.org>") == b"mail"
        assert outbox.counts(connection) == {"queued": 3}


def test_a_mail_half_sent_is_taken_again(engine: Engine) -> None:
    """What a crash left as being sent is offered again; what went out isn't."""
    with write(engine) as connection:
        outbox.queue(connection, [_out(n) for n in range(1, 4)])
    queue = sending.Queue(engine, NOW)
    first = queue.take(2)
    assert [mail.message_id for mail in first] == ["<1@example.org>", "<2@example.org>"]
    queue.settle([Handed(first[0].id, Outcome.SENT), Handed(first[1].id, Outcome.REFUSED, "550 no such user")])
    queue.close()
    assert [mail.message_id for mail in queue.take(10)] == ["<3@example.org>"]
    assert queue.take(10) == ()
    with write(engine) as connection:
        assert sending.recover(connection, NOW, exact=True) == 0
    assert [mail.message_id for mail in queue.take(10)] == ["<3@example.org>"]
    with read(engine) as connection:
        lines = outbox.listing(connection)
    assert [(line.state, line.attempts, line.trouble) for line in lines] == [
        ("sending", 1, ""),
        ("failed", 1, "550 no such user"),
        ("sent", 1, ""),
    ]


def test_a_held_outbox_sends_nothing(engine: Engine) -> None:
    """On hold nothing is offered, whenever it was queued, until it is released."""
    with write(engine) as connection:
        outbox.queue(connection, [_out(1)])
        outbox.hold(connection, "restored from a backup")
        outbox.queue(connection, [_out(2)])
    assert sending.Queue(engine, NOW).take(10) == ()
    with write(engine) as connection:
        assert outbox.held(connection) == "restored from a backup"
        assert outbox.release(connection)
        assert not outbox.release(connection)
    assert len(sending.Queue(engine, NOW).take(10)) == 2


def test_unresolved_and_lagging_rounds_are_found(engine: Engine) -> None:
    """A match lags once its newest round has closed; its unresolved rounds are listed by number."""
    with write(engine) as connection:
        match, first = league_of(connection)
        other, _ = league_of(connection, "summer")
        leagues.set_match_status(connection, other, "over")
        assert rounds.lagging(connection, NOW) == ()
        ((late, calendar),) = rounds.lagging(connection, NOW + DAY)
        assert (late.id, calendar) == (first, {})
        rounds.open_rounds(connection, [replace(new_round(match, 2), closes_at=NOW + 7 * DAY)])
        assert rounds.lagging(connection, NOW + DAY) == ()
        assert [one.number for one in rounds.unresolved(connection, [match])[match]] == [1, 2]
        rounds.claim(connection, first, "open", "resolved")
        assert [one.number for one in rounds.unresolved(connection, [match])[match]] == [2]


def test_an_answer_finds_the_seat_it_was_sent_to(engine: Engine) -> None:
    """A Message-ID of ours leads to match and seat; any other leads nowhere."""
    with write(engine) as connection:
        match, _ = league_of(connection)
        seat = leagues.seats(connection, [match])[0].id
        outbox.queue(connection, [replace(_out(1), match_id=match, seat_id=seat), _out(2)])
        asked = ["<1@example.org>", "<2@example.org>", "<3@example.org>"]
        (found,) = outbox.sent_to(connection, asked).items()
        assert found == ("<1@example.org>", outbox.Sent(match, seat, "anna@example.org", NOW))
