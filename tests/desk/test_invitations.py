"""Invitations by mail: nothing but the seat is public before the yes; a name of one's own; a no frees the seat."""

import json
from pathlib import Path

import pytest

from league.cli import main
from league.core.errors import BadInput
from league.desk.acts.change_seats import substitute
from league.desk.people.players import NewPlayer, add_players, read_players
from league.desk.post.roster import any_order_or_press
from tests.desk.sites import add_league, address, at, bodies, drop, letter, opened, outbox, public, rows, run, verdicts

MONDAY, WEDNESDAY, FRIDAY = at("2024-01-01 10:00"), at("2024-01-03 12:00"), at("2024-01-05 08:00")
GUESTS = (("Dagmar", "de"), ("Edith", "en"), ("Frouke", "nl"))


@pytest.fixture
def hosted(bare: Path) -> Path:
    """The league spring of Anna, with three who are invited, and an organizer who can be told."""
    file = bare / "league.toml"
    file.write_text(file.read_text().replace('organizer = ""', 'organizer = "gm@example.org"'))
    add_league(bare, names=("Anna",))
    add_players(opened(bare, MONDAY), "spring", [NewPlayer(n, address(n), lang) for n, lang in GUESTS], invite=True)
    return bare


def send(path: Path, name: str, text: str, arrived: str = "2024-01-03 10:00") -> str:
    """The last answer, in one line."""
    drop(path, letter(name, text, subject=f"Re: {arrived}"), at(arrived))
    run(path, max(at(arrived), WEDNESDAY))
    answers = [o for o in outbox(path, "", name) if not o.kind.startswith("invitation")]
    return " ".join(answers[-1].text.split())


def states(path: Path) -> dict[str, tuple[str, str, str]]:
    found = rows(
        path, "SELECT code, seat.status, name, player.status AS p FROM seat JOIN player ON player.id = player_id"
    )
    return {row["code"]: (row["status"], row["p"], row["name"]) for row in found}


def shown(path: Path) -> bytes:
    return b"".join(public(path).values())


def test_an_invitation_says_what_a_yes_means(hosted: Path) -> None:
    """In each one's language, by the name the organizer gave; no line of it is an order or a command."""
    mails = {out.to: out for out in outbox(hosted, "invitation")}
    assert mails.keys() == {address(name) for name, _ in GUESTS}
    said = {"Dagmar": "# annehmen – ", "Edith": "# accept – ", "Frouke": "# aannemen – "}
    for name, line in said.items():
        text = mails[address(name)].text
        assert line in text
        assert f"“{name}”" in text or f"„{name}“" in text
        assert "gm@example.org" in text
        assert not any_order_or_press(text)
        assert not [other for other, _ in GUESTS if other != name and other in text]


def test_an_answer_to_the_invitation_goes_before_orders(hosted: Path) -> None:
    """A name of one's own beside the first orders, or a no: never a yes under the name that the organizer gave."""
    send(hosted, "Edith", "name Bobbie\njoin Portugal")
    send(hosted, "Dagmar", "join Island\nablehnen", "2024-01-03 11:00")
    assert states(hosted)["s3"][0::2] == ("active", "Bobbie")
    assert states(hosted)["s2"][0] != "active"
    assert b"Dagmar" not in shown(hosted)
    assert b"Edith" not in shown(hosted)


def test_until_the_yes_only_the_seat_is_shown(hosted: Path) -> None:
    """On no page and in nobody else's mail; the seat takes part, and its mails come."""
    drop(hosted, letter("Anna", "join Island\nstatus"), at("2024-01-03 10:00"))
    run(hosted, FRIDAY)
    for name, _ in GUESTS:
        assert name.encode() not in shown(hosted)
        assert [out.kind.partition("/")[0] for out in outbox(hosted, "", name)] == ["invitation", "freeze", "report"]
        assert not [out for out in outbox(hosted, "", "Anna") if name in out.text]
    assert b">s2<" in shown(hosted) or b"s2" in shown(hosted)
    assert "Edith" not in str(bodies(hosted))


@pytest.mark.parametrize(("name", "word"), [("Dagmar", "Annehmen"), ("Edith", "i accept"), ("Frouke", "aannemen!")])
def test_a_yes_is_consent_to_the_name(hosted: Path, name: str, word: str) -> None:
    """From then on the name is public, on older pages too, and mails come."""
    run(hosted, FRIDAY)
    assert f"{name}" in send(hosted, name, word, "2024-01-07 10:00")
    assert ("active", "active", name) in states(hosted).values()
    assert name.encode() in public(hosted)["spring/index.html"]
    assert name.encode() in public(hosted)["spring/round-1.html"]
    assert verdicts(hosted) == [("accepted", "readable")]
    for other, _ in GUESTS:
        assert other == name or other.encode() not in shown(hosted)


@pytest.mark.parametrize("word", ["Yes, please!", "ok"])
def test_a_plain_yes_to_the_invitation_accepts(word: str, hosted: Path) -> None:
    """In a reply to it; in a mail of its own it is told which lines the invitation waits for."""
    said = send(hosted, "Edith", word, "2024-01-03 09:00")
    assert "Your invitation waits for one of these lines: # accept" in said
    assert states(hosted)["s3"][0] == "invited"
    (invitation,) = (out for out in outbox(hosted, "invitation") if out.to == address("Edith"))
    drop(hosted, letter("Edith", word, headers={"In-Reply-To": str(invitation.mail["Message-ID"])}), WEDNESDAY)
    run(hosted, WEDNESDAY)
    assert "Welcome! You play" in " ".join(outbox(hosted, "commands", "Edith")[-1].text.split())
    assert states(hosted)["s3"][0] == "active"


@pytest.mark.parametrize(
    ("name", "text"), [("Edith", "yes, but rather as X"), ("Frouke", "aannemen, maar liever als X")]
)
def test_half_a_yes_is_told_how_to_answer(name: str, text: str, hosted: Path) -> None:
    """Nothing is guessed: accept, name and decline are shown, each in the guest's words."""
    said = send(hosted, name, text)
    forms = {"Edith": ("# accept –", "# decline –"), "Frouke": ("# aannemen –", "# naam …")}
    assert all(form in said for form in forms[name])


def test_a_name_of_ones_own(hosted: Path) -> None:
    """It is taken with the consent; one that is taken, or means something else, is asked for again."""
    assert "Somebody else here is called that" in send(hosted, "Edith", "name ANNA", "2024-01-03 09:00")
    for bad in ("name all", "name s1", "name #x", f"name {'x' * 41}", "name a|b"):
        assert "A name is one line" in send(hosted, "Edith", bad, f"2024-01-03 09:{20 + len(bad) % 39}")
    assert "A country of the board is called “Spanje”" in send(hosted, "Edith", "name Spanje", "2024-01-03 10:05")
    assert "begin with “status”" in send(hosted, "Edith", "name status", "2024-01-03 10:10")
    assert states(hosted)["s3"] == ("invited", "invited", "Edith")
    assert "you are called “Ed the Red”" in send(hosted, "Edith", "my name Ed the Red", "2024-01-03 10:30")
    assert states(hosted)["s3"] == ("active", "active", "Ed the Red")
    assert b"Ed the Red" in shown(hosted)
    assert b"Edith" not in shown(hosted)
    assert "you play already" in send(hosted, "Edith", "name Other", "2024-01-03 11:00")


def test_orders_are_a_yes(hosted: Path) -> None:
    """Who plays has accepted, and the answer says so."""
    text = send(hosted, "Edith", "join Portugal")
    assert "[1] join Portugal – accepted" in text
    assert "Welcome! You play" in text
    assert states(hosted)["s3"] == ("active", "active", "Edith")
    run(hosted, FRIDAY)
    assert len(outbox(hosted, "report", "Edith")) == 1
    assert b"Edith" in public(hosted)["spring/round-1.html"]


def test_a_question_or_orders_by_the_organizer_are_no_yes(hosted: Path) -> None:
    """Only the player himself can agree."""
    send(hosted, "Edith", "What is this about?")
    args = ("orders", "enter", "spring", "Edith", "-", "--why", "told by phone")
    import sys
    from io import BytesIO, TextIOWrapper

    before, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(b"join Portugal\n"))
    try:
        assert main(["--site", str(hosted), "--now", WEDNESDAY.isoformat(), *args]) == 0
    finally:
        sys.stdin = before
    assert states(hosted)["s3"] == ("invited", "invited", "Edith")


def test_a_no_frees_the_seat_and_tells_the_organizer(hosted: Path) -> None:
    """No more mail goes there, the name appears nowhere, and there is room for somebody else."""
    assert "no more mail comes to you" in send(hosted, "Edith", "decline")
    assert states(hosted)["s3"] == ("left", "declined", "Edith")
    (told,) = outbox(hosted, "organizer")
    assert "Edith (edith@example.org, seat s3) has declined" in " ".join(told.text.split())
    run(hosted, FRIDAY)
    assert b"Edith" not in shown(hosted)
    assert [out.kind.partition("/")[0] for out in outbox(hosted, "", "Edith")] == ["invitation", "commands"]
    drop(hosted, letter("Edith", "join Portugal"), at("2024-01-07 10:00"))
    run(hosted, at("2024-01-07 10:00"))
    assert verdicts(hosted)[-1] == ("rejected", "unknown_sender")


def test_a_substitute_is_asked_too(hosted: Path) -> None:
    """The seat waits for the yes; until then the one before is gone and nobody is named."""
    site = opened(hosted, WEDNESDAY)
    place, number = substitute(site, "spring", "Anna", NewPlayer("Gerda", address("Gerda"), "en"), invite=True)
    assert (place.status, number) == ("invited", 1)
    assert [out.kind.partition("/")[0] for out in outbox(hosted, "", "Gerda")] == ["invitation"]
    assert "Welcome!" in send(hosted, "Gerda", "substitute accept")
    assert states(hosted)["s1"] == ("active", "active", "Gerda")


def test_the_command_line_invites_unless_told_otherwise(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`player list` shows who hasn't answered; `--no-invite` is for who was asked already; a file adds many at once."""

    def cli(*args: str) -> str:
        assert main(["--site", str(spring), "--now", MONDAY.isoformat(), "player", *args]) == 0
        return capsys.readouterr().out

    assert cli("add", "spring", "Dirk", "dirk@example.org") == (
        "Dirk is invited, has seat s4 and plays from round 1 on.\n"
    )
    assert json.loads(cli("add", "spring", "Eva", "eva@example.org", "--no-invite", "--json"))["status"] == "active"
    file = spring / "players.csv"
    file.write_text("name,address,lang\nFinn,finn@example.org,nl\nGero,gero@example.org,\n", encoding="utf-8")
    assert [row["status"] for row in json.loads(cli("import", "spring", str(file), "--json"))] == ["invited"] * 2
    assert {out.to for out in outbox(spring, "invitation")} == {address(n) for n in ("Dirk", "Finn", "Gero")}
    listed = cli("list", "spring").splitlines()
    assert [line.endswith("  invited") for line in listed] == [False, False, False, True, False, True, True]
    assert [line.split()[1] for line in listed] == ["Anna", "Ben", "Carla", "Dirk", "Eva", "Finn", "Gero"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the first line must be"),
        ("name;address\nA;b@example.org", "the first line must be"),
        ("name,address,phone\n", "the first line must be"),
        ("name,address\nAnna,anna@example.org,de", "more or fewer fields"),
        ("name,address,lang\nAnna,anna@example.org", "more or fewer fields"),
        ("name,address\n", "nobody in it"),
    ],
)
def test_a_file_that_is_no_list_of_players(text: str, said: str) -> None:
    """What is wrong is told with the line."""
    with pytest.raises(BadInput, match=said):
        read_players(text, "players.csv")


# ------------------------------------------------------------------ once more


def test_an_invitation_goes_out_again(hosted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With an id of its own and the same key; twice in the same moment it is one mail. Who plays isn't invited."""
    place = ["--site", str(hosted), "player", "invite", "spring"]
    for now in (WEDNESDAY, WEDNESDAY):
        assert main(["--now", now.isoformat(), *place, "Edith"]) == 0
    first, again = outbox(hosted, "invitation", "Edith")
    assert first.mail["Message-ID"] != again.mail["Message-ID"]
    assert again.text.partition("key ")[2][:19] == first.text.partition("key ")[2][:19] != ""
    assert "Edith is invited again" in capsys.readouterr().out
    assert len(rows(hosted, "SELECT id FROM journal WHERE act = 'player invite'")) == 2
    assert main(["--now", WEDNESDAY.isoformat(), *place, "Anna"]) == 1
    assert "Anna plays in spring already" in capsys.readouterr().err
    assert main(["--now", WEDNESDAY.isoformat(), *place, "Nobody"]) == 1
    assert "nobody called 'Nobody' plays in spring" in capsys.readouterr().err


def test_a_name_tells_nothing_of_who_else_is_invited(hosted: Path) -> None:
    """A name that another invited player has may be taken; he is asked for another one, and his orders count."""
    assert "Edith" in send(hosted, "Dagmar", "name Edith")
    assert states(hosted)["s2"] == ("active", "active", "Edith")
    said = send(hosted, "Edith", "accept", "2024-01-03 10:10")
    assert "not done" in said
    assert states(hosted)["s3"] == ("invited", "invited", "Edith")
    said = send(hosted, "Edith", "join Iceland", "2024-01-03 10:20")
    assert "[1] join Iceland" in said
    assert states(hosted)["s3"][0] == "invited"
    send(hosted, "Edith", "name Edda", "2024-01-03 10:30")
    assert states(hosted)["s3"] == ("active", "active", "Edda")
