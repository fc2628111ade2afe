"""What pages do and where they send players: a forger who signs anew changes neither scripts nor addresses unseen."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.records.audit import Fault
from tests.desk.signed import SITE_SEED, resign, rewrite, rewrite_json
from tests.desk.sites import add_league, at, copy, drop, letter, make_site, run

FRIDAY = at("2024-01-05 08:00")
MINE, OTHER = "league@play.example", "thief@evil.example"
WORDS = (
    'mailto:x@example.org, data-to="me@example.org" onclick=a() href="//x" rel=stylesheet data-src=x <form action=x>'
)


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("shared") / "site")
    add_league(path, names=("Anna", "Ben", "Carla"))
    for name, country in (("Anna", "Island"), ("Ben", "France"), ("Carla", "Portugal")):
        drop(path, letter(name, f"join {country}\npress to all: {WORDS}"), at("2024-01-03 10:00"))
    run(path, FRIDAY)
    return path


@pytest.fixture
def where(_played: Path, tmp_path: Path) -> Path:
    played = copy(_played, tmp_path / "site")
    return Path(copytree((played / "public").resolve(), tmp_path / "public"))


def found(place: Path, league: str = "spring") -> Told:
    return next(one for one in verify(str(place)).all if one.league == league)


def faults(place: Path) -> list[Fault]:
    return [fault for told in verify(str(place)).all for fault in told.faults]


def at_top(where: Path, name: str, change: Callable[[str], str]) -> None:
    """Change one of the site's own files and sign for it."""
    file = where / name
    text = change(file.read_text())
    file.unlink()
    file.write_text(text)
    resign(where, SITE_SEED, "spring")


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


def test_what_players_write_is_no_part_of_a_page(where: Path) -> None:
    """Words that look like links, handlers and forms are words: the site holds, and nothing is to be told."""
    assert [(told.faults, told.notes) for told in verify(str(where)).all] == [([], []), ([], [])]


@pytest.mark.parametrize("name", ["index.html", "en/index.html", "card.html", "nl/rules.html"])
def test_another_address_on_one_page_is_found(name: str, where: Path) -> None:
    """Behind its links, in the order composer and beside the mail that it makes."""
    rewrite(where, name, replaced(MINE, OTHER))
    assert {(fault.file, fault.field) for fault in faults(where)} == {(name, "address")}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f'data-to="{MINE}"', f'data-to="{OTHER}"'),
        (f'data-to="{MINE}"', f"data-to='{OTHER}'"),
        (f'href="mailto:{MINE}"', f'href="mailto:{OTHER}"'),
        (f'href="mailto:{MINE}"', f"href='mailto:{OTHER}'"),
        (f">{MINE}</a>", f">{OTHER}</a>"),
        (f"<span>{MINE}</span>", f"<span>{OTHER}</span>"),
    ],
)
def test_each_place_that_names_an_address_is_looked_at(old: str, new: str, where: Path) -> None:
    """A link that says one address and leads to another, and a composer that alone writes elsewhere."""
    rewrite(where, "index.html", replaced(old, new))
    assert [(fault.file, fault.field) for fault in faults(where)] == [("index.html", "address")]


def test_without_the_look_s_addresses_pages_are_held_against_each_other(where: Path) -> None:
    """Who takes them out of `look.json` has to change every page."""
    rewrite_json(where, "look.json", lambda body: body.pop("addresses"))
    assert faults(where) == []
    rewrite(where, "index.html", replaced(MINE, OTHER))
    assert [(fault.file, fault.field) for fault in faults(where)] == [("index.html", "address")]


def test_another_address_under_a_look_of_one_s_own_is_told(where: Path) -> None:
    """Templates of a site's own may name more addresses: a player is shown them all the same."""
    rewrite_json(where, "look.json", lambda body: body.update(own_templates=True))
    rewrite(where, "index.html", replaced(MINE, OTHER))
    told = found(where)
    assert (told.faults, {note["code"] for note in told.notes}) == ([], {"own_look", "other_address"})


@pytest.mark.parametrize("name", ["composer.js", "map.js", "style.css", "verify.py"])
def test_what_all_pages_share_is_ours_byte_for_byte(name: str, where: Path) -> None:
    """A line more in a script, in the style sheet or in what players are told to check with is found."""
    at_top(where, name, lambda text: text + 'fetch("//x");\n')
    assert [(fault.check, fault.file) for fault in faults(where)] == [("pages", name)]
    at_top(where, "look.json", replaced('"league 0', '"league 99'))
    told = found(where, "")
    assert (told.faults, [note["code"] for note in told.notes]) == ([], ["odd_file", "own_look"])


@pytest.mark.parametrize("name", ["composer.js", "map.js", "style.css", "verify.py"])
def test_what_all_pages_share_has_to_be_there(name: str, where: Path) -> None:
    """Under this program's own look."""
    (where / name).unlink()
    resign(where, SITE_SEED, "spring")
    assert [(fault.file, fault.what) for fault in faults(where)] == [(name, "it isn't there")]


def test_another_script_beside_ours_is_found(where: Path) -> None:
    """At the top as in a league's folder."""
    (where / "more.js").write_text("alert(1)")
    resign(where, SITE_SEED, "spring")
    assert [(fault.check, fault.file) for fault in faults(where)] == [("pages", "more.js")]


def without_policy(text: str) -> str:
    begin, _, rest = text.partition('<meta http-equiv="Content-Security-Policy"')
    return begin + rest.partition(">\n")[2]


def late_policy(text: str) -> str:
    return text.replace('<meta charset="utf-8">\n', '<meta charset="utf-8">\n<title>x</title>\n', 1)


def wider_policy(text: str) -> str:
    return text.replace("default-src 'self'", "default-src *", 1)


def other_style(text: str) -> str:
    return text.replace("'sha256-", "'sha256-AAAA", 1).replace("=';", "';", 1)


@pytest.mark.parametrize("change", [without_policy, late_policy, wider_policy, other_style])
def test_every_page_has_our_policy(change: Callable[[str], str], where: Path) -> None:
    """One that is gone, comes late, allows more or another style; on a league's page and on the site's front page."""
    rewrite(where, "en/week.html", change)
    at_top(where, "index.nl.html", change)
    assert {(fault.check, fault.file) for fault in faults(where)} == {
        ("pages", "en/week.html"),
        ("pages", "index.nl.html"),
    }


FOREIGN = {
    "a form": '<form action="http://evil.example"><input name="key"></form>',
    "a script": "<script>alert(1)</script>",
    "a frame": "<iframe src=//evil.example></iframe>",
    "a handler without quotes": "<p onclick=steal()>Ben</p>",
    "a link elsewhere": '<a href="https://evil.example">Write here</a>',
    "a link elsewhere without a scheme": '<a href="//evil.example">Write here</a>',
    "a link in other letters": '<a href="&#109;ailto:thief@evil.example">Write here</a>',
    "a style sheet": '<link rel="stylesheet" href="spring/map.svg">',
    "choices from elsewhere": '<div class="composer" data-src="static-x.svg"></div>',
    "a moving link": '<svg><a><set attributeName="href" to="x"/></a></svg>',
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_does_something_is_found_on_every_page(what: str, where: Path) -> None:
    """On the site's front page, on its journal and on a league's."""
    rewrite(where, "en/players.html", replaced("</main>", f"{FOREIGN[what]}</main>"))
    for name in ("index.html", "journal.de.html"):
        at_top(where, name, replaced("</main>", f"{FOREIGN[what]}</main>"))
    assert {fault.file for fault in faults(where)} >= {"en/players.html", "index.html", "journal.de.html"}
