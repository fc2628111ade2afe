"""Letters into a Maildir, `league run`, a page and mails out: issue by issue what an organizer stands on."""

import re
from datetime import date
from pathlib import Path
from shutil import copyfile

import pytest

from tests.desk.sites import (
    NAMES,
    add_league,
    at,
    bodies,
    drop,
    figures,
    league,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    run,
    verdicts,
)

LETTERS = Path(__file__).parent / "letters"
WEDNESDAY, FRIDAY = at("2024-01-03 10:00"), at("2024-01-05 00:00")


# ------------------------------------------------------------------ six letters, one command


def test_six_letters_become_a_page_and_six_mails(tmp_path: Path) -> None:
    """Six hand-written mails in three languages, dropped into a Maildir: `league run` alone does the rest."""
    path = make_site(tmp_path / "site", received_by="mx.play.example")
    add_league(path, names=NAMES)
    for file in sorted(LETTERS.glob("*.eml")):
        copyfile(file, path / "mail" / "in" / "new" / file.name)
    done = league(path, FRIDAY, "run")
    assert (done.returncode, done.stderr) == (0, "")
    assert "6 accepted" in done.stdout
    (record,) = bodies(path)[1:]
    joined = {row["seat"]: row["orders"] for row in record["orders"]}
    assert joined == {
        "s1": ["join Iceland"],
        "s2": ["join Portugal", "join Portugal"],
        "s3": ["join France"],
        "s4": ["join Sweden"],
        "s5": ["join Soviet Union"],
        "s6": ["join Greece"],
    }
    assert [row["seat"] for row in record["orders"]] == ["s5", "s1", "s2", "s3", "s6", "s4"]  # as they arrived
    owners = {name: facts["owns"] for name, facts in record["position"]["players"].items()}
    assert owners == {
        "s1": ["iceland"],
        "s2": ["portugal"],
        "s3": ["france"],
        "s4": ["sweden"],
        "s5": ["soviet_union"],
        "s6": ["greece"],
    }
    page = public(path)["spring/round-1.html"].decode()
    assert all(name in page for name in NAMES)
    reports = outbox(path, "report")
    assert [out.to for out in reports] == [f"{name.lower()}@example.org" for name in NAMES]
    assert "“biedt 5 op Zwitzerland” bevat geen bekend opdrachtwoord" in outbox(path, "receipt", "Finn")[0].text
    assert "I come in peace." in "".join(out.text for out in reports)
    # welcome, receipt, freeze, report; one writes press
    assert len(list((path / "mail" / "out" / "new").iterdir())) == 6 * 4 + 5


def test_our_own_host_says_when_a_mail_arrived(tmp_path: Path) -> None:
    """With `received_by` the line of that host counts: neither the file's time nor a Date header nor other hosts."""
    path = make_site(tmp_path / "site", received_by="mx.play.example")
    add_league(path, names=NAMES[:2])
    ours = "from x by mx.play.example; {}"
    in_time = {"Received": ours.format("Thu, 4 Jan 2024 23:10:00 +0000")}  # ten minutes into the grace
    forged = {"Received": "from x by mx.evil.example; Wed, 3 Jan 2024 10:00:00 +0000"}
    drop(path, letter("Anna", "join Island", headers=in_time), at("2024-01-05 06:00"))
    drop(path, letter("Ben", "join Portugal", headers=forged), at("2024-01-05 06:00"))
    mail_run(path, at("2024-01-05 07:00"))
    assert {row["seat"] for row in bodies(path)[1]["orders"]} == {"s1"}
    assert sorted(verdicts(path)) == [("accepted", "readable"), ("late", "no_round_open")]


# ------------------------------------------------------------------ answers


@pytest.mark.parametrize(
    ("name", "text", "lang", "said", "subject"),
    [
        ("Anna", "nimm Atlantis\nsteige ein in Island", "de", "Einstieg: Island", "angekommen"),
        ("Ben", "take Atlantis\njoin Portugal", "en", "join Portugal", "Round 1"),
        ("Carla", "neem Atlantis\ndoe mee in Frankrijk", "nl", "instap: Frankrijk", "Ronde 1"),
    ],
)
def test_a_receipt_speaks_the_players_language_in_the_thread(
    name: str, text: str, lang: str, said: str, subject: str, spring: Path
) -> None:
    """Line by line what was understood, as an answer to the very mail, without a line that is an order itself."""
    raw = letter(name, text, message_id="<mine@example.org>", headers={"References": "<before@example.org>"})
    drop(spring, raw, WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    (out,) = outbox(spring)
    assert (out.kind, out.to) == ("receipt", f"{name.lower()}@example.org")
    assert out.mail["In-Reply-To"] == "<mine@example.org>"
    assert out.mail["References"].split() == ["<before@example.org>", "<mine@example.org>"]
    assert out.mail["Auto-Submitted"] == "auto-replied"
    assert out.mail["Content-Language"] == lang
    assert out.mail["Date"].datetime == WEDNESDAY
    assert subject in out.mail["Subject"]
    assert f"[1] {said}" in out.text
    assert "Atlantis" in out.text
    from league.desk.post.roster import any_order_or_press

    assert not any_order_or_press(out.text)


def test_what_is_not_understood_is_asked_and_shown(spring: Path) -> None:
    """A mail with nothing readable is answered at once, counts for nothing, and the organizer sees who is missing."""
    drop(spring, letter("Anna", "nimm Londen und Paris bitte!"), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert [v for v, _ in verdicts(spring)] == ["ask"]
    (out,) = outbox(spring)
    assert out.kind.startswith("ask/")
    assert rows(spring, "SELECT * FROM submission") == []


def test_a_report_goes_to_every_player_in_their_language(spring: Path) -> None:
    """Also to those who sent nothing; each in a thread-free mail with the standings."""
    drop(spring, letter("Anna", "join Island"), WEDNESDAY)
    mail_run(spring, FRIDAY)
    reports = {out.to.partition("@")[0]: out for out in outbox(spring, "report")}
    assert {name: out.mail["Content-Language"] for name, out in reports.items()} == {
        "anna": "de",
        "ben": "en",
        "carla": "nl",
    }
    assert "Island" in reports["anna"].text
    assert "Iceland" in reports["ben"].text
    assert "IJsland" in reports["carla"].text
    assert all("Anna" in out.text for out in reports.values())
    assert all(out.mail["Auto-Submitted"] == "auto-generated" for out in reports.values())


# ------------------------------------------------------------------ the same thing twice


def test_the_same_message_again_is_one_message(spring: Path) -> None:
    """By its bytes: delivered twice, or left in the box by a mail program, it isn't even a new mail."""
    raw = letter("Anna", "join Island")
    drop(spring, raw, WEDNESDAY)
    drop(spring, raw, at("2024-01-03 12:00"))
    run(spring, at("2024-01-03 13:00"))
    drop(spring, raw, at("2024-01-03 14:00"))
    run(spring, at("2024-01-03 15:00"))
    assert verdicts(spring) == [("accepted", "readable")]
    assert len(outbox(spring)) == 1
    assert list((spring / "mail" / "in" / "new").iterdir()) == []


def test_the_same_message_id_with_the_same_content_is_a_duplicate(spring: Path) -> None:
    """It came by another way (a further Received line): one receipt, one order mail."""
    raw = letter("Anna", "join Island", message_id="<one@example.org>")
    drop(spring, raw, WEDNESDAY)
    drop(spring, b"Received: from a by b; Wed, 3 Jan 2024 12:00:00 +0000\r\n" + raw, at("2024-01-03 12:00"))
    mail_run(spring, at("2024-01-03 13:00"))
    assert verdicts(spring) == [("accepted", "readable"), ("duplicate", "same_mail")]
    assert len(outbox(spring)) == 1


def test_the_same_message_id_with_other_content_waits_for_a_person(spring: Path) -> None:
    """Two texts under one id: the second is held, the first stands."""
    for text, arrived in (("join Island", WEDNESDAY), ("join Portugal", at("2024-01-03 12:00"))):
        drop(spring, letter("Anna", text, message_id="<one@example.org>"), arrived)
    mail_run(spring, at("2024-01-03 13:00"))
    assert verdicts(spring) == [("accepted", "readable"), ("held", "same_id_other_content")]
    mail_run(spring, FRIDAY)
    assert [row["orders"][0].split()[-1].lower() for row in bodies(spring)[1]["orders"]] == ["iceland"]


def test_a_resend_says_of_no_line_that_it_stands_that_doesnt(spring: Path) -> None:
    """Two joins in a mail: the later counts, and sent once more the first is told so again (K12)."""
    for hour, subject in (("10:00", "once"), ("11:00", "again")):
        drop(spring, letter("Ben", "join Greece\njoin Portugal", subject=subject), at(f"2024-01-03 {hour}"))
    mail_run(spring, at("2024-01-03 12:00"))
    text = " ".join(outbox(spring, "receipt", "Ben")[-1].text.split())
    assert "[1] join Greece – not used A later line of the same mail counts instead." in text
    assert "[2] join Portugal – already stands" in text


def test_a_resend_keeps_the_earlier_arrival(spring: Path) -> None:
    """The same orders in a new mail (K12): answered, but Anna stays before Ben, who wrote in between."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    drop(spring, letter("Ben", "join Island"), at("2024-01-03 11:00"))
    drop(spring, letter("Anna", "join Island", subject="just to be sure"), at("2024-01-03 12:00"))
    mail_run(spring, FRIDAY)
    assert [v for v, _ in verdicts(spring)] == ["accepted", "accepted", "duplicate"]
    assert len(outbox(spring, "receipt", "Anna")) == 2


def test_a_later_mail_replaces_the_earlier(spring: Path) -> None:
    """As a whole (K12), and the receipt says what stands now."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    drop(spring, letter("Anna", "join Portugal"), at("2024-01-03 12:00"))
    run(spring, FRIDAY)
    assert bodies(spring)[1]["position"]["players"]["s1"]["owns"] == ["portugal"]
    first, second = outbox(spring, "receipt", "Anna")
    assert "Island" in first.text
    assert "[1] Einstieg: Portugal" in second.text.split("==")[0]


# ------------------------------------------------------------------ too late, too early, nobody


def late_and_next_week(path: Path, arrived: str) -> None:
    drop(path, letter("Anna", "join Island"), WEDNESDAY)
    run(path, FRIDAY)
    drop(path, letter("Ben", "join Portugal"), at(arrived))
    run(path, at(arrived))


@pytest.mark.parametrize("arrived", ["2024-01-05 00:16", "2024-01-05 12:00", "2024-01-06 22:59"])
def test_between_freeze_and_the_next_window_a_mail_is_late(arrived: str, spring: Path) -> None:
    """Friday and Saturday are for the evaluation: answered with the next window, used for nothing (K10, K13)."""
    late_and_next_week(spring, arrived)
    assert verdicts(spring)[-1] == ("late", "no_round_open")
    (out,) = outbox(spring, "late/", "Ben")
    assert "Sunday, 7 January 2024" in out.text
    assert [r["round_id"] for r in rows(spring, "SELECT round_id FROM submission")] == [1]


def test_late_mails_may_count_for_the_next_round(tmp_path: Path) -> None:
    """With `late = next_round` the mail is kept for that one (K13)."""
    path = make_site(tmp_path / "site")
    add_league(path, late="next_round")
    late_and_next_week(path, "2024-01-05 12:00")
    assert verdicts(path)[-1] == ("accepted", "readable")
    assert [r["round_id"] for r in rows(path, "SELECT round_id FROM submission ORDER BY id")] == [1, 2]
    mail_run(path, at("2024-01-12 00:00"))
    assert bodies(path)[2]["position"]["players"]["s2"]["owns"] == ["portugal"]


def test_on_sunday_midnight_the_next_window_opens(spring: Path) -> None:
    """A mail of Sunday 00:00 league time is for the next round (K10)."""
    late_and_next_week(spring, "2024-01-06 23:00")
    assert verdicts(spring)[-1] == ("accepted", "readable")
    assert [r["round_id"] for r in rows(spring, "SELECT round_id FROM submission ORDER BY id")] == [1, 2]


def test_an_unknown_sender_is_rejected_in_silence(spring: Path) -> None:
    """Kept with the reason, answered by nothing: whoever it is learns nothing."""
    drop(spring, letter("Gero", "take Paris"), WEDNESDAY)
    drop(spring, letter("Anna", "take Paris", sender="anna@elsewhere.example"), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("rejected", "unknown_sender")] * 2
    assert outbox(spring) == []


def test_orders_for_the_next_round_may_come_before_the_last_is_resolved(spring: Path) -> None:
    """Round 2 waits for its figures while mails for round 3 are already in the book."""
    drop(spring, letter("Anna", "join Island"), WEDNESDAY)
    mail_run(spring, FRIDAY)
    drop(spring, letter("Anna", "nimm London"), at("2024-01-10 10:00"))
    mail_run(spring, at("2024-01-12 00:00"))
    drop(spring, letter("Anna", "nimm Dublin"), at("2024-01-15 10:00"))
    mail_run(spring, at("2024-01-15 11:00"))
    assert [r["status"] for r in rows(spring, "SELECT status FROM round ORDER BY number")] == [
        "resolved",
        "frozen",
        "open",
    ]
    assert len(outbox(spring, "receipt", "Anna")) == 3
    figures(spring, at("2024-01-15 12:00"))
    mail_run(spring, at("2024-01-15 12:00"))
    assert [b["round"] for b in bodies(spring) if b["kind"] == "round"] == [1, 2]
    mail_run(spring, at("2024-01-19 00:00"))
    waiting = rows(spring, "SELECT number, status FROM round WHERE status = 'frozen'")
    assert waiting == [{"number": 3, "status": "frozen"}]


# ------------------------------------------------------------------ what was on its way at the deadline


def test_arrived_in_time_but_fetched_after_the_deadline_counts(spring: Path) -> None:
    """The tool ran late: the mail lay in the box before the freeze, so it is in the book."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-04 23:14"))
    mail_run(spring, at("2024-01-05 14:00"))
    assert [row["seat"] for row in bodies(spring)[1]["orders"]] == ["s1"]


def test_what_shows_up_after_the_freeze_does_not_count(spring: Path) -> None:
    """No order enters after a freeze, whatever time its file has (DESIGN: Freeze)."""
    mail_run(spring, FRIDAY)
    assert rows(spring, "SELECT status FROM round WHERE number = 1") == [{"status": "resolved"}]
    drop(spring, letter("Anna", "join Island"), at("2024-01-04 12:00"))
    mail_run(spring, at("2024-01-05 14:00"))
    assert verdicts(spring) == [("late", "read_after_freeze")]
    assert bodies(spring)[1]["orders"] == []


def test_within_the_grace_a_mail_counts_and_nothing_is_frozen(spring: Path) -> None:
    """Until deadline + grace the round is open."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-04 23:10"))
    done = mail_run(spring, at("2024-01-04 23:14"))
    assert [v for v, _ in verdicts(spring)] == ["accepted"]
    assert done.resolved.sealed == []


@pytest.mark.parametrize("moment", ["23:15:00", "23:15:01", "23:15:59"])
def test_no_round_closes_while_a_mail_of_the_last_second_may_be_under_way(moment: str, spring: Path) -> None:
    """Stamped in the grace and delivered behind its end, it counts: a run closes a minute after the grace."""
    assert mail_run(spring, at(f"2024-01-04 {moment}")).frozen.rounds == []
    drop(spring, letter("Anna", "join Island"), at("2024-01-04 23:14:59"))
    done = mail_run(spring, at("2024-01-04 23:16"))
    assert [v for v, _ in verdicts(spring)] == ["accepted"]
    assert done.frozen.rounds == [("spring", 1)]


# ------------------------------------------------------------------ the clock is put forward and back


@pytest.mark.parametrize(
    ("start", "midnight"),
    [
        (date(2026, 3, 24), "2026-03-26T23:00"),  # the change is on the Sunday after, 29 March
        (date(2026, 3, 29), "2026-04-02T22:00"),  # the window opens in winter time and closes in summer time
        (date(2026, 10, 20), "2026-10-22T22:00"),
        (date(2026, 10, 25), "2026-10-29T23:00"),  # 25 October
    ],
)
def test_thursday_midnight_stays_thursday_midnight(start: date, midnight: str, bare: Path) -> None:
    """Orders close on Thursday 24:00 in Berlin, in the weeks in which the clock is changed too."""
    begin = at("2026-03-01 10:00") if start.month == 3 else at("2026-10-01 10:00")
    add_league(bare, start=start, now=begin)
    (first,) = rows(bare, "SELECT deadline_at, opens_at FROM round")
    assert first["deadline_at"].replace(" ", "T").startswith(midnight)
    deadline = at(midnight)
    drop(bare, letter("Anna", "join Island"), deadline.replace(minute=14))
    drop(bare, letter("Ben", "join Portugal"), deadline.replace(minute=16))
    mail_run(bare, deadline.replace(minute=20))
    assert [v for v, _ in verdicts(bare)] == ["accepted", "late"]


def test_the_window_after_a_change_opens_at_midnight_too(bare: Path) -> None:
    """On 29 March 2026 the day begins in winter time: a mail at 00:00 is in the new window, one before isn't."""
    add_league(bare, start=date(2026, 3, 24), now=at("2026-03-20 10:00"))
    mail_run(bare, at("2026-03-27 08:00"))
    drop(bare, letter("Anna", "join Island"), at("2026-03-28 22:59"))
    drop(bare, letter("Ben", "join Portugal"), at("2026-03-28 23:00"))
    mail_run(bare, at("2026-03-29 08:00"))
    assert [v for v, _ in verdicts(bare)] == ["late", "accepted"]


# ------------------------------------------------------------------ one player, two leagues


def test_a_player_of_two_leagues_says_which(spring: Path) -> None:
    """[slug] in the subject decides; without it the player is asked, and nothing is guessed."""
    add_league(spring, "autumn", ("Anna", "Dirk"))
    drop(spring, letter("Anna", "join Island", subject="[autumn] Zug"), WEDNESDAY)
    drop(spring, letter("Anna", "join Portugal", subject="Re: [spring] Runde 1"), at("2024-01-03 11:00"))
    drop(spring, letter("Anna", "join France", subject="mein Zug"), at("2024-01-03 12:00"))
    drop(spring, letter("Dirk", "join Zweden", subject="mein Zug"), at("2024-01-03 13:00"))
    mail_run(spring, FRIDAY)
    (asked,) = outbox(spring, "which", "Anna")
    text = " ".join(asked.text.split())
    assert "- [autumn] Runde 1: Befehle bis: Donnerstag, 4. Januar 2024, 24:00 (Europe/Berlin)" in text
    assert "- [spring] Runde 1: Befehle bis:" in text
    assert verdicts(spring) == [
        ("accepted", "readable"),
        ("accepted", "readable"),
        ("ask", "which_league"),
        ("accepted", "readable"),
    ]
    spring_1, autumn_1 = bodies(spring, 1)[1], bodies(spring, 2)[1]
    assert spring_1["position"]["players"]["s1"]["owns"] == ["portugal"]
    assert autumn_1["position"]["players"]["s1"]["owns"] == ["iceland"]
    assert autumn_1["position"]["players"]["s2"]["owns"] == ["sweden"]


def test_an_answer_to_our_mail_finds_its_league(spring: Path) -> None:
    """Whoever answers the report needn't name the league."""
    add_league(spring, "autumn", ("Anna", "Dirk"))
    mail_run(spring, FRIDAY)
    report = next(o for o in outbox(spring, "report", "Anna") if "autumn" in o.mail["Subject"])
    headers = {"In-Reply-To": report.mail["Message-ID"]}
    drop(spring, letter("Anna", "join Island", subject="AW: Bericht", headers=headers), at("2024-01-09 10:00"))
    mail_run(spring, at("2024-01-09 11:00"))
    slugs = rows(spring, "SELECT slug FROM verdict JOIN league ON league.id = league_id WHERE verdict = 'accepted'")
    assert slugs == [{"slug": "autumn"}]


# ------------------------------------------------------------------ what stays the same


def test_a_mail_that_can_not_be_read_is_a_verdict(spring: Path) -> None:
    """Garbage, an empty file, a file over the limit: kept, judged, and the run goes on."""
    drop(spring, b"", WEDNESDAY)
    drop(spring, bytes(range(256)) * 40, WEDNESDAY)
    drop(spring, letter("Anna", "join Island") + b"x" * 1_100_000, WEDNESDAY)
    drop(spring, letter("Ben", "join Portugal"), WEDNESDAY)
    done = mail_run(spring, WEDNESDAY)
    assert done.accepted.troubles == []
    kinds = sorted(v for v, _ in verdicts(spring))
    assert len(kinds) == 4
    assert kinds.count("accepted") == 1
    assert "unreadable" in kinds


def test_message_ids_follow_from_what_a_mail_tells(spring: Path, tmp_path: Path) -> None:
    """Two sites with the same key and the same acts send the same bytes."""
    from tests.desk.sites import copy

    twin = copy(spring, tmp_path / "twin")
    for path in (spring, twin):
        drop(path, letter("Anna", "join Island"), WEDNESDAY)
        run(path, FRIDAY)
    assert [o.raw for o in outbox(spring)] == [o.raw for o in outbox(twin)]
    assert public(spring) == public(twin)
    ids = [o.mail["Message-ID"] for o in outbox(spring)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"<league\.[a-z2-7]{26}@play\.example>", one) for one in ids)
    assert opened(spring, FRIDAY).domain == "play.example"


def test_an_answer_that_cannot_be_made_costs_nobody_the_order(spring: Path) -> None:
    """With a broken template of the site's own the order is in the book all the same, and the organizer is told."""
    (spring / "templates" / "mail").mkdir(parents=True)
    (spring / "templates" / "mail" / "receipt.txt").write_text("{{ nobody.knows.this }}")
    drop(spring, letter("Anna", "join Iceland"), WEDNESDAY)
    done = mail_run(spring, WEDNESDAY)
    assert verdicts(spring)[-1][0] == "accepted"
    assert len(rows(spring, "SELECT * FROM submission")) == 1
    (trouble,) = done.troubles
    assert trouble.startswith("templates/mail/receipt.txt:1: 'nobody' is undefined")
    assert len(outbox(spring, "receipt", "Anna")) == 1
