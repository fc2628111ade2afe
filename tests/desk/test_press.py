"""Press by mail: to one, some or all, the writer's address hidden, private press nowhere but in its mails."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput
from league.desk.acts.change_seats import retire
from league.desk.leagues.press_policy import Policy, policy_of, split_off
from league.desk.post.roster import any_order_or_press
from league.failpoints import KILLED
from tests.desk.forks import Forks
from tests.desk.sites import (
    Out,
    add_league,
    address,
    at,
    bodies,
    drop,
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

WEDNESDAY, FRIDAY = at("2024-01-03 12:00"), at("2024-01-05 08:00")


def send(
    path: Path, name: str, text: str, arrived: str = "2024-01-03 10:00", headers: Mapping[str, str] | None = None
) -> str:
    """The answer's text, in one line."""
    drop(path, letter(name, text, subject=f"press {arrived}", headers=headers), at(arrived))
    mail_run(path, max(at(arrived), WEDNESDAY))
    answers = [o for o in outbox(path, "", name) if o.kind.partition("/")[0] in ("commands", "receipt", "late", "ask")]
    return " ".join(answers[-1].text.split())


def press(path: Path, name: str = "") -> list[Out]:
    return outbox(path, "press", name)


def reply(path: Path, name: str, out: Out, text: str, arrived: str) -> str:
    return send(path, name, text, arrived, {"In-Reply-To": str(out.mail["Message-ID"])})


def league_with(tmp_path: Path, **options: Any) -> Path:
    path = make_site(tmp_path / "own")
    add_league(path, **options)
    return path


def test_orders_below_a_line_of_press_count(spring: Path) -> None:
    """`Press to Anna: hello`, orders, `end`: Anna reads hello, and every order stands."""
    answer = send(spring, "Ben", "Press to Anna: hello\n\njoin Iceland\ngive Iceland\nend")
    assert "[1] join Iceland" in answer
    assert "[2] give Iceland" in answer
    (out,) = press(spring, "Anna")
    assert "hello" in out.text
    assert "Iceland" not in out.text


def test_an_order_within_a_message_is_asked_about(spring: Path) -> None:
    """Nothing of it is passed on or carried out; the answer names the line, and a better mail counts."""
    answer = send(spring, "Ben", "press to Anna:\nhello\njoin Iceland\nsee you\nend")
    assert "Nothing of yours stands" in answer
    assert "[2] join Iceland – not understood It stands in the text of a press" in answer
    assert press(spring) == []
    assert verdicts(spring)[-1] == ("ask", "no_orders")
    answer = send(spring, "Ben", "join Iceland\npress to Anna:\nhello\nsee you\nend", "2024-01-03 11:00")
    assert "[1] join Iceland" in answer
    assert len(press(spring, "Anna")) == 1


def test_to_one_and_to_some(spring: Path) -> None:
    """Each gets a mail of our own in his language, with the public name and every reader's, and no address in it."""
    answer = send(spring, "Ben", "press to Anna: alliance?\npress to s1 and carla:\nwe three\nagainst nobody\nend")
    assert "Passed on to: Anna." in answer
    assert "Passed on to: Anna and Carla." in answer
    to_anna, both = press(spring, "Anna")
    assert str(to_anna.mail["Subject"]) == "[spring] Presse von Ben"
    assert "| Ben → Anna\n| alliance?\n" in to_anna.text
    assert "| Ben → Anna und Carla\n| we three\n| against nobody\n" in both.text
    (to_carla,) = press(spring, "Carla")
    assert "| Ben → Anna en Carla" in to_carla.text
    for out in press(spring):
        assert address("Ben").encode() not in out.raw
        assert b"league@play.example" in out.raw.partition(b"\r\n\r\n")[0]
        assert not any_order_or_press(out.text)
    assert verdicts(spring) == [("accepted", "readable")]
    assert rows(spring, "SELECT id FROM submission") == []  # press alone is no order mail


def test_to_everyone_and_in_the_report(spring: Path) -> None:
    """It goes out at once, and stands in the report and on the round's page."""
    assert "it will stand in the report of round 1" in send(
        spring, "Ben", "join Portugal\npress to all: peace & <b>quiet</b>"
    )
    assert Counter(out.to for out in press(spring)) == {address("Anna"): 1, address("Carla"): 1}
    run(spring, FRIDAY)
    assert b"peace &amp; &lt;b&gt;quiet&lt;/b&gt;" in public(spring)["spring/round-1.html"]
    assert "| peace & <b>quiet</b>" in outbox(spring, "report", "Anna")[0].text


def test_private_press_is_nowhere_else(spring: Path) -> None:
    """Not in any published byte, any record, or any mail but those to its readers and the writer's own answer."""
    send(spring, "Ben", "join Portugal\npress to Anna: XYZZYsecret plan\npress to Anna, Carla: PLUGHsecret too")
    send(spring, "Anna", "join Island\npress to Ben: QUUXsecret", "2024-01-03 11:00")
    run(spring, FRIDAY)
    assert bodies(spring)[-1]["round"] == 1
    for word in ("XYZZY", "PLUGH", "QUUX"):
        assert not [name for name, content in public(spring).items() if word.encode() in content]
        assert word not in str(bodies(spring))
    seen = {word: {out.to for out in outbox(spring) if word in out.text} for word in ("XYZZY", "PLUGH", "QUUX")}
    assert seen["XYZZY"] == {address("Anna"), address("Ben")}
    assert seen["PLUGH"] == {address("Anna"), address("Ben"), address("Carla")}
    assert seen["QUUX"] == {address("Anna"), address("Ben")}


def test_a_reply_goes_back_to_the_writer(spring: Path) -> None:
    """Hitting reply is enough; what it says is never taken for an order unless it is one."""
    send(spring, "Ben", "press to Anna: shall we?")
    (first,) = press(spring, "Anna")
    answer = reply(spring, "Anna", first, "Ja, aber ohne Carla.\nTake Paris and Rome?", "2024-01-03 11:00")
    assert "an niemanden sonst" in answer
    (back,) = press(spring, "Ben")
    assert "| Anna → Ben\n| Ja, aber ohne Carla.\n| Take Paris and Rome?" in back.text
    answer = reply(spring, "Ben", back, "join Portugal\nfine", "2024-01-03 11:30")
    assert "This stands now for round 1" in answer
    assert len(press(spring, "Anna")) == 1
    assert [row["reason"] for row in rows(spring, "SELECT reason FROM verdict ORDER BY mail_id")] == [
        "readable", "press_reply", "readable",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "slip", ["take Sweeden", "attack Pariss", "bid 1,5 on Prague", "absend until 4", "prss to Ben: hi"]
)
def test_a_reply_with_a_slip_in_an_order_is_told_to_nobody(spring: Path, slip: str) -> None:
    """A misspelt order or command under a message isn't passed on to a rival: it is asked about."""
    send(spring, "Ben", "press to Anna: shall we?")
    (first,) = press(spring, "Anna")
    reply(spring, "Anna", first, slip, "2024-01-03 11:00")
    assert press(spring, "Ben") == []
    assert [row["verdict"] for row in rows(spring, "SELECT verdict FROM verdict ORDER BY mail_id")] == [
        "accepted",
        "ask",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "I won't attack France if you leave Spain.",
        "You take Spain, I take France.",
        "Nimm du Spanien, ich nehme Frankreich",
        "Als jij Spanje neemt, neem ik Frankrijk niet",
        "Deal! I leave Sweden to you.\nYou may attack Norway with your army if you like",
        "I see that you bid 45 on Prague, which is far too much",
    ],
)
def test_a_reply_that_speaks_of_countries_is_passed_on(spring: Path, said: str) -> None:
    """Sentences to the other player are press, whatever of them would be a mistake as an order."""
    send(spring, "Ben", "press to Anna: shall we?")
    (first,) = press(spring, "Anna")
    assert "an niemanden sonst" in reply(spring, "Anna", first, said, "2024-01-03 11:00")
    (back,) = press(spring, "Ben")
    assert "| " + said.replace("\n", "\n| ") in back.text
    assert rows(spring, "SELECT id FROM submission") == []


@pytest.mark.parametrize(
    "unclear",
    [
        "France is mine!",
        "take Sweeden, thank you",
        "could you bid 1,5 on Prague for me",
        "grab France",
        "I think that I will\nattack Pariss",
        "I like what you say\ntake Sweeden",
        "press Anna what do you think of Paris",
        "Press Carla hello my friend",
        "Attack Norway with your army if you like",
    ],
)
def test_an_unclear_reply_is_asked_about(spring: Path, unclear: str) -> None:
    """Nobody but its writer reads it, and the answer tells how to pass it on; done so, it reaches the other player."""
    send(spring, "Ben", "press to Anna: shall we?")
    (first,) = press(spring, "Anna")
    answer = reply(spring, "Anna", first, unclear, "2024-01-03 11:00")
    assert "beantwortet die Nachricht eines anderen Spielers" in answer
    assert "# presse zurück: …" in answer
    assert press(spring, "Ben") == []
    (asked,) = outbox(spring, "ask", "Anna")
    answers_ours = {"In-Reply-To": str(asked.mail["Message-ID"]), "References": str(asked.mail["References"])}
    again = "presse zurück:\n" + unclear.replace("take", "have").replace("attack", "have") + "\nende"
    assert "an niemanden sonst" in send(spring, "Anna", again, "2024-01-03 11:30", answers_ours)
    (back,) = press(spring, "Ben")
    assert unclear.partition("\n")[0].replace("take", "have") in back.text


def test_orders_in_a_reply_to_a_message_are_orders(spring: Path) -> None:
    """They count, nothing of the mail is passed on, and the receipt says both and how it would be passed on."""
    send(spring, "Ben", "press to Anna: shall we?")
    (first,) = press(spring, "Anna")
    answer = reply(spring, "Anna", first, "I agree with you.\njoin Island", "2024-01-03 11:00")
    assert "[1] Einstieg: Island" in answer
    assert "# presse zurück: …" in answer
    assert press(spring, "Ben") == []
    assert len(rows(spring, "SELECT id FROM submission")) == 1
    both = "join Portugal\npress back: I agree with you."
    answer = reply(spring, "Anna", first, both, "2024-01-03 11:30")
    assert "an niemanden sonst" in answer
    assert "nichts davon" not in answer
    assert len(press(spring, "Ben")) == 1
    assert len(rows(spring, "SELECT id FROM submission")) == 2


@pytest.mark.parametrize(
    "said",
    [
        "Please leave Portugal.",
        "Leave Portugal!",
        "I'll take France then.",
        "Then take France",
        "Hi,\n\nattack Paris please\n\nFred",
        "Ich nehme Frankreich",
        "Bitte verlasse Portugal",
        "Ik neem Frankrijk dan",
        "join Sweden\nPlease leave Portugal",
    ],
)
def test_an_order_with_talk_around_it_in_a_reply_is_asked_about(spring: Path, said: str) -> None:
    """It may be said to the other player: what stands stays, nobody gets it, and the answer names both ways."""
    send(spring, "Anna", "join Portugal")
    send(spring, "Ben", "press to Anna: what shall we do?")
    answer = reply(spring, "Anna", press(spring, "Anna")[0], said, "2024-01-03 11:00")
    assert "beantwortet die Nachricht eines anderen Spielers" in answer
    assert "# presse zurück: …" in answer
    assert "Einstieg: Portugal" in answer
    assert verdicts(spring)[-1] == ("ask", "no_orders")
    assert press(spring, "Ben") == []
    assert len(rows(spring, "SELECT id FROM submission")) == 1


def test_a_bare_order_in_a_reply_counts_and_says_that_nothing_was_passed_on(spring: Path) -> None:
    """The order alone, with no word beside it: the receipt says what became of it and how text is passed on."""
    send(spring, "Ben", "press to Anna: what shall we do?")
    answer = reply(spring, "Anna", press(spring, "Anna")[0], "join Portugal", "2024-01-03 11:00")
    assert "[1] Einstieg: Portugal" in answer
    assert "nichts davon" in answer
    assert press(spring, "Ben") == []


def test_an_order_with_a_please_in_any_other_mail_is_an_order(spring: Path) -> None:
    """Only a reply to a player may be said to him."""
    assert "[1] join Portugal" in send(spring, "Ben", "Please join Portugal.")


@pytest.mark.parametrize(
    "said",
    [
        "press back: attack Paris\nThen I'll leave Spain.",
        "press back: attack Paris\nI will leave Spain",
        "press back: attack Paris\n\nThen I'll leave Spain.",
        "press to Ben: attack Paris\nThen I'll leave Spain.",
    ],
)
def test_a_message_is_never_passed_on_by_half(spring: Path, said: str) -> None:
    """A sentence below a line of press that may be an order belongs to it, or not: asked about, and nobody has it."""
    send(spring, "Ben", "press to Anna: what shall we do?")
    answer = reply(spring, "Anna", press(spring, "Anna")[0], said, "2024-01-03 11:00")
    assert press(spring, "Ben") == []
    assert verdicts(spring)[-1] == ("ask", "no_orders")
    assert rows(spring, "SELECT id FROM submission") == []
    assert "Ihr Text enthält eine Zeile, die auch ein Befehl ist" in answer


def test_a_message_of_several_sentences_is_passed_on_whole(spring: Path) -> None:
    """What can't be an order goes along with the line above it."""
    send(spring, "Ben", "press to Anna: what shall we do?")
    text = "press back: I like your plan\nand will think about it.\n\nSee you next week in the north"
    reply(spring, "Anna", press(spring, "Anna")[0], text, "2024-01-03 11:00")
    (out,) = press(spring, "Ben")
    assert "| and will think about it.\n|\n| See you next week in the north" in out.text


def test_a_reply_to_who_left_names_nobody(tmp_path: Path) -> None:
    """The writer isn't there any more: that his name isn't told goes for the answer too."""
    spring = league_with(tmp_path, press_anonymous="on")
    send(spring, "Ben", "join Portugal\npress anonymous to Anna: who am I?")
    (out,) = press(spring, "Anna")
    site = opened(spring, at("2024-01-03 12:30"))
    retire(site, "spring", "Ben", why="moved")
    site.engine.dispose()
    answer = reply(spring, "Anna", out, "Das bist du, nicht wahr?", "2024-01-03 13:00")
    assert "Wer diese Nachricht geschrieben hat, bekommt jetzt keine." in answer
    assert "Ben" not in answer
    assert press(spring, "Ben") == []


def test_press_back_needs_a_message_that_it_answers(spring: Path) -> None:
    """Without one nobody is guessed, and a reply by an unnamed player's reader still names nobody."""
    answer = send(spring, "Ben", "press back: hello")
    assert "Your mail answers no message of a player." in answer
    assert press(spring) == []


def test_text_below_a_quoted_message_is_told_how_it_goes_on(spring: Path) -> None:
    """A program that names no thread leaves the quote; nobody is guessed from it, and the answer shows the form."""
    send(spring, "Ben", "press to Anna: shall we?")
    (first,) = press(spring, "Anna")
    quoted = "\n".join(f"> {line}" for line in first.text.splitlines())
    answer = send(spring, "Anna", f"{quoted}\n\nYou may have Spain.", "2024-01-03 11:00")
    assert "zitiert die Nachricht eines anderen Spielers" in answer
    assert "# presse an NAME: …" in answer
    assert press(spring, "Ben") == []


def test_an_unnamed_writer_stays_unnamed(tmp_path: Path) -> None:
    """In mails, on the page, to who replies; and no answer tells by chance who it is."""
    spring = league_with(tmp_path, press_anonymous="on")
    assert "You aren't named." in send(spring, "Ben", "join Portugal\npress anonymous to all: who am I?\nEnde")
    (out,) = press(spring, "Anna")
    assert "Ben" not in out.text
    assert str(out.mail["Subject"]).endswith("Presse von jemandem, der nicht genannt wird")
    for place, text in enumerate(("guess", "guess")):
        answer = reply(spring, "Anna", out, text, f"2024-01-03 11:1{place}")
        assert "Ben" not in answer
        assert "nicht getan" not in answer
    assert "nicht getan" not in send(spring, "Anna", "press to Ben: guess", "2024-01-03 11:30")
    assert [o.text.count("| guess") for o in press(spring, "Ben")] == [1, 1, 1]
    run(spring, FRIDAY)
    page = public(spring)["spring/round-1.html"].decode()
    assert "who am I?" in page
    assert "jemand, der nicht genannt wird" in page


@pytest.mark.parametrize(
    "answer",
    [
        "Glad to hear it, and you?\nBen",
        "press back: Glad to hear it\nBen",
        "press anonymous back: Glad to hear it",
        "Presse anonym zurück: Glad to hear it",
        "pers anoniem terug: Glad to hear it\n\nBen",
    ],
)
def test_who_wrote_unnamed_stays_so_down_the_thread(tmp_path: Path, answer: str) -> None:
    """He answers the answer to his message, and that one's answer: only a line that names its reader names him."""
    spring = league_with(tmp_path, press_anonymous="on")
    send(spring, "Ben", "press anonymous to all: who am I?")
    (out,) = press(spring, "Anna")
    for hour in (11, 12):
        reply(spring, "Anna", out, "Das gefällt mir gut", f"2024-01-03 {hour}:00")
        asked = press(spring, "Ben")[-1]
        assert "| Anna → " in asked.text
        assert "You aren't named." in reply(spring, "Ben", asked, answer, f"2024-01-03 {hour}:20")
        out = press(spring, "Anna")[-1]
        assert "| jemand, der nicht genannt wird → Anna\n| Glad to hear it" in out.text
        assert "Ben" not in out.text + str(out.mail["Subject"])
    reply(spring, "Ben", press(spring, "Ben")[-1], "press to Anna: It was me", "2024-01-03 13:00")
    assert "| Ben → Anna\n| It was me" in press(spring, "Anna")[-1].text
    assert all(row["anonymous"] for row in rows(spring, "SELECT anonymous FROM press WHERE text LIKE 'Glad%'"))


def test_who_is_named_may_answer_without_a_name(tmp_path: Path) -> None:
    """`press anonymous back:` where the league allows it; where it doesn't, the answer says so and nothing goes out."""
    for name, allowed in (("on", True), ("off", False)):
        spring = league_with(tmp_path / name, press_anonymous=name)
        send(spring, "Ben", "press to Anna: shall we?")
        answer = reply(spring, "Anna", press(spring, "Anna")[0], "presse anonym zurück: nein", "2024-01-03 11:00")
        assert ("Du wirst nicht genannt." in answer) is allowed
        assert ("steht unter jeder Nachricht" in answer) is not allowed
        assert [out.text.count("Anna") for out in press(spring, "Ben")] == ([0] if allowed else [])


@pytest.mark.parametrize(
    ("options", "text", "said"),
    [
        ({"press": "off"}, "press to all: hi", "no messages are passed on"),
        ({"press": "public"}, "press to Anna: hi", "messages go to everyone, not to single players"),
        ({"press": "private"}, "press to all: hi", "messages go to single players, not to everyone"),
        ({}, "press anonymous to Anna: hi", "every message names its writer"),
        ({}, "press to Anne: hi", "Nobody here is called “Anne”. Is one of these meant? Anna"),
        ({}, "press to Anna, Zorro: hi", "Nobody here is called “Zorro”."),
        ({}, "press to Ben: hi", "This is for yourself."),
        ({}, "press to Anna:\n" + "x\n" * 101 + "end", "at most 4000 letters and 100 lines"),
        ({}, "press to Anna: " + "x" * 4001, "at most 4000 letters and 100 lines"),
        ({"press_limit": 2}, "press to Anna: a\npress to all: b\npress to Anna: c", "2 messages are all"),
        ({}, "press to Anna: a\npress to Anna: a", "The very same message was passed on before."),
    ],
)
def test_a_refused_message_tells_why(tmp_path: Path, options: dict[str, Any], text: str, said: str) -> None:
    """Nothing of it is passed on, not even to those of its readers that are understood."""
    spring = league_with(tmp_path, **options)
    assert said in send(spring, "Ben", text)
    wanted = text.count("press") - 1 if "a\n" in text else 0
    assert len(rows(spring, "SELECT id FROM press")) == wanted


def test_a_message_tells_no_address_and_no_key(spring: Path) -> None:
    """Quoted headers, signatures, plus addresses, keys: hidden in the mail, in the book and on the page."""
    (welcome,) = outbox(spring, "welcome", "Ben")
    (key,) = re.findall(r"^# key (\S+)$", welcome.text, re.MULTILINE)
    told = [
        "a deal?",
        "From: Carla <Carla@Example.org>, to: mailto:anna@example.org.",
        f"my key is {key}, or {key.replace('-', '').upper()}",
        f"league+spring-1.{key.replace('-', '')}@play.example wrote; write to stranger@example.net",
        "Ben, ben+diplomacy@example.org",
    ]
    send(spring, "Ben", "press to all:\n" + "\n".join(told) + "\nend")
    (out,) = press(spring, "Anna")
    said = out.text.casefold()
    assert "a deal?" in said
    assert "stranger@example.net" in said
    assert "league@play.example wrote" in said
    for secret in ("carla@", "anna@", "ben@", "ben+", key, key.replace("-", "")):
        assert secret not in said, secret
        assert secret not in str(rows(spring, "SELECT text FROM press")).casefold(), secret


def test_the_answer_to_a_long_mail_stays_short(spring: Path) -> None:
    """Orders, mistakes, results, commands and four hundred messages: one answer, in which like is told once."""
    lines = ["join Iceland", *(f"take Sweeden{n}" for n in range(99)), "status", "result Paris won"]
    send(spring, "Ben", "\n".join([*lines, *(f"press to Anna: deal {n}" for n in range(400))]))
    (answer,) = [out for out in outbox(spring, "", "Ben") if out.kind == "receipt"]
    assert len(press(spring, "Anna")) == 20
    assert "375 more were refused for the same reasons." in answer.text
    assert len(answer.text.splitlines()) < 300
    assert len(answer.raw) < 100_000


def test_hostile_press_is_harmless(spring: Path) -> None:
    """No control or bidi character, no line that could be an order, an echo or a comment of ours, no second header."""
    evil = "join Paris\n[1] take Rome – accepted\n# leaf 00\n== Report ==\n\u202eevil\u202c\x07\r\nBcc: x@y.z\nresign"
    send(spring, "Ben", f"press to Anna: {evil}\nend")
    (out,) = press(spring, "Anna")
    lines = out.text.split("\n")
    for written in ("join Paris", "[1] take Rome – accepted", "# leaf 00", "== Report ==", "evil", "resign"):
        assert f"| {written}" in lines
    assert not any_order_or_press(out.text)
    assert out.mail["Bcc"] is None
    drop(spring, letter("Anna", out.text, subject="sent back"), at("2024-01-03 11:00"))
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring)[-1] == ("ask", "no_orders")


def test_press_when_no_round_is_open(spring: Path) -> None:
    """People write when they like; it is counted for the round that opens next."""
    mail_run(spring, FRIDAY)
    assert "Passed on to: Anna." in send(spring, "Ben", "press to Anna: after hours", "2024-01-05 10:00")
    assert verdicts(spring) == [("accepted", "readable")]
    assert rows(spring, "SELECT round_id FROM press") == [{"round_id": 2}]


def test_a_strangers_press_goes_nowhere(spring: Path) -> None:
    """Only who is known by his address is passed on."""
    drop(spring, letter("Eve", "press to all: hi", sender="eve@example.net"), at("2024-01-03 10:00"))
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("rejected", "unknown_sender")]
    assert press(spring) == []


@pytest.mark.parametrize("place", ["intake.before_commit", "intake.after_commit", "intake.settled"])
def test_killed_and_run_again_press_goes_out_once(spring: Path, processes: Forks, place: str) -> None:
    """The mails lie in the outbox in the transaction of the verdict; the same mail again passes nothing on."""
    raw = letter("Ben", "press to Anna: once")
    drop(spring, raw, at("2024-01-03 10:00"))
    assert processes.league(spring, WEDNESDAY, "run", LEAGUE_FAILPOINT=place).code == KILLED
    drop(spring, raw, at("2024-01-03 11:00"))
    assert processes.league(spring, WEDNESDAY, "run").code == 0
    assert len(press(spring)) == 1
    assert len(rows(spring, "SELECT id FROM press")) == 1


def test_the_policy_is_fixed_with_the_season(tmp_path: Path) -> None:
    """It stands in the opening record; a value that there isn't is refused with those there are."""
    spring = league_with(tmp_path, press="private", press_limit="7")
    calendar = bodies(spring)[0]["calendar"]
    assert policy_of(calendar) == Policy("private", anonymous=False, limit=7)
    assert policy_of({}) == Policy("all", anonymous=False, limit=20)
    for options in ({"press": "some"}, {"press_anonymous": "yes"}, {"press_limit": "0"}, {"press_limit": "many"}):
        with pytest.raises(BadInput, match="option press"):
            split_off(options)
