"""A site's own `templates/` and `static/`: what lies there works, or is told with what would be right."""

import json
from hashlib import sha256
from os import mkfifo
from pathlib import Path
from shutil import copytree

import pytest

from league.cli import main
from league.core.errors import Refused
from league.delivery.site import current
from league.desk.figures.doctor import examine
from league.desk.leagues.infos import site_info
from league.desk.own_templates import look_slips
from league.desk.pages.publish_pages import publish_now
from league.records.manifest import read_manifest
from league.reports.environment import environment
from league.resources import bundled
from tests.desk.sites import at, opened, public

NOW = at("2024-01-03 10:00")
LINKS = ("card.html", "kuel", "league.html", "mail/frame.html", "week.html")
UMLAUT = "<p>\nf\xfcr alle\n".encode("latin-1")


def put(site: Path, name: str, content: str | bytes = "x") -> Path:
    file = site / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def told(site: Path) -> list[tuple[str, str]]:
    return [(slip.what, slip.do) for slip in look_slips(opened(site, NOW))]


def test_folders_within_static_are_published(spring: Path) -> None:
    """Under a name that says where they lie, with their bytes, in the manifest; the same file again the next time."""
    put(spring, "static/logo.svg", "<svg/>")
    put(spring, "static/fonts/serif/a.woff2", b"\0\1")
    publish_now(opened(spring, NOW), ())
    assert public(spring)["static-fonts-serif-a.woff2"] == b"\0\1"
    assert public(spring)["static-logo.svg"] == b"<svg/>"
    manifest = read_manifest(public(spring)["manifest"])
    assert manifest is not None
    assert manifest.files["static-fonts-serif-a.woff2"] == sha256(b"\0\1").hexdigest()
    inode = (spring / "public/static-fonts-serif-a.woff2").stat().st_ino
    before = current(spring)
    put(spring, "static/logo.svg", "<svg></svg>")
    publish_now(opened(spring, NOW), ())
    assert current(spring) != before
    assert (spring / "public/static-fonts-serif-a.woff2").stat().st_ino == inode
    assert told(spring) == []


def test_what_is_taken_away_is_public_no_more(spring: Path) -> None:
    """A file that is deleted here is gone from the pages and from their manifest; all others stay."""
    logo = put(spring, "static/logo.svg", "<svg/>")
    publish_now(opened(spring, NOW), ())
    before = public(spring)
    logo.unlink()
    publish_now(opened(spring, NOW), ())
    manifest = read_manifest(public(spring)["manifest"])
    assert manifest is not None
    assert "static-logo.svg" not in manifest.files
    assert set(before) - set(public(spring)) == {"static-logo.svg"}


def test_no_link_leads_out_of_static(spring: Path, tmp_path: Path) -> None:
    """Neither a link to a file nor one to a folder is followed, at any depth; each is told."""
    secret = put(tmp_path, "secret/key.png", "secret")
    put(spring, "static/deep/own.png", "own")
    (spring / "static/out.png").symlink_to(secret)
    (spring / "static/deep/out").symlink_to(secret.parent)
    (spring / "static/deep/up").symlink_to("../../secrets")
    publish_now(opened(spring, NOW), ())
    assert [name for name in public(spring) if name.startswith("static-")] == ["static-deep-own.png"]
    assert told(spring) == [
        (f"static/{name} is a link, so it isn't published", "put the file itself there")
        for name in ("out.png", "deep/out", "deep/up")
    ]


@pytest.mark.parametrize("name", ["static", "templates"])
def test_a_folder_elsewhere_is_told(spring: Path, tmp_path: Path, name: str) -> None:
    """`static` as a link is not looked into; a file in either's place is none."""
    put(tmp_path, "elsewhere/logo.svg")
    (spring / "static").symlink_to(tmp_path / "elsewhere")
    publish_now(opened(spring, NOW), ())
    assert "static-logo.svg" not in public(spring)
    (spring / "static").unlink()
    (spring / "templates").symlink_to(tmp_path / "elsewhere")
    put(tmp_path, "elsewhere/league.html", "{{ nope.x }}")
    publish_now(opened(spring, NOW), ())
    ((what, do),) = told(spring)
    assert what.startswith("templates is no folder that lies here itself")
    (spring / "templates").unlink()
    put(spring, name)
    ((what, do),) = told(spring)
    assert what.startswith(f"{name} is no folder")
    assert do == f"make a folder {name}/"


@pytest.mark.parametrize(
    ("name", "what", "do"),
    [
        ("static/a.TTF", "static/a.TTF isn't published", "make it a .woff2"),
        ("static/x/b.gif", "static/x/b.gif isn't published", "make it a .png"),
        ("static/tool.js", "static/tool.js isn't published", "take it away; published are .avif, .css"),
        ("static/a\\b.png", "'static/a\\\\b.png' isn't published", "plain name"),
        ("static/a\nb.png", "'static/a\\nb.png' isn't published", "plain name"),
        ("templates/leage.html", "templates/leage.html is used by nothing", "templates/league.html? then rename it"),
        ("templates/League.html", "templates/League.html is used by nothing", "meant to be templates/league.html?"),
        (
            "templates/receipt.txt",
            "templates/receipt.txt is used by nothing",
            "meant to be templates/mail/receipt.txt?",
        ),
        ("templates/keul/events.jinja", "templates/keul/events.jinja is used", "or templates/kuel/events.jinja?"),
        ("templates/logo.png", "templates/logo.png is used by nothing", "go into static/"),
        ("templates/qqqqqq", "templates/qqqqqq is used by nothing", "take it away"),
        ("templates/round.html", "templates/round.html:1: there is no template prats.html", "nearest is parts.html"),
        ("template/round.html", "template/ is used by nothing", "meant to be templates/? then rename it"),
        ("Static/logo.svg", "Static/ is used by nothing", "meant to be static/? then rename it"),
    ],
)
def test_what_does_nothing_is_told(spring: Path, name: str, what: str, do: str) -> None:
    """What it is and what would be right; pages are built as if it weren't there."""
    put(spring, name, '{% import "prats.html" as parts %}' if name == "templates/round.html" else "x")
    ((said, right),) = told(spring)
    assert said.startswith(what)
    assert do in right
    if name != "templates/round.html":
        publish_now(opened(spring, NOW), ())
        assert not [name for name in public(spring) if name.startswith("static-")]


def test_two_files_of_one_name_are_told(spring: Path) -> None:
    """The one that lies less deep is published."""
    put(spring, "static/a-b.png", "first")
    put(spring, "static/a/b.png", "second")
    publish_now(opened(spring, NOW), ())
    assert public(spring)["static-a-b.png"] == b"first"
    ((what, _),) = told(spring)
    assert what == "static/a/b.png isn't published: static/a-b.png has its name there, static-a-b.png"


def test_what_is_used_isnt_told(spring: Path) -> None:
    """Parts that own templates ask for, one game's pages, a mail's own HTML, what may be missing, and hidden files."""
    put(spring, "templates/base.html", '{% extends "!/base.html" %}{% import "club/parts.html" as club %}')
    put(
        spring,
        "templates/club/parts.html",
        '{% include ["nope.html", "words.jinja"] %}{% include "x" ignore missing %}',
    )
    put(spring, "templates/kuel/page.html", "")
    put(spring, "templates/mail/receipt.html", "")
    put(spring, "templates/.league.html.swp", b"\xff")
    put(spring, "static/.DS_Store", b"\xff")
    assert told(spring) == []
    put(spring, "templates/any/part.html", "")
    assert len(told(spring)) == 1
    put(spring, "templates/league.html", '{% include "any/" ~ page.part %}')  # known only when it runs
    assert told(spring) == []


@pytest.mark.parametrize(
    ("name", "text", "what", "do"),
    [
        ("base.html", '{% extends "!/base.html" %}\n{% block brnad %}x{% endblock %}', ":2: !/base.html has", "brand"),
        ("league.html", '{% extends "!/league.html" %}{% block mian %}{% endblock %}', ":1: !/league.html has", "main"),
        ("round.html", '{% extends "base.html" %}{% block qqqq %}{% endblock %}', ":1: base.html has", "it has brand,"),
        ("site.html", '{% extends "site.html" %}', " extends itself", '"!/site.html"'),
    ],
)  # fmt: skip
def test_a_block_that_fills_nothing_is_told(spring: Path, name: str, text: str, what: str, do: str) -> None:
    """Of a template that extends another one, each block that this one lacks, with the nearest that it has."""
    put(spring, f"templates/{name}", text)
    ((said, right),) = told(spring)
    assert said.startswith(f"templates/{name}{what}")
    assert do in right


def test_a_block_that_fills_one_isnt_told(spring: Path) -> None:
    """One of what the parent extends in turn, one within another, those of a template that extends nothing."""
    put(
        spring,
        "templates/base.html",
        '{% extends "!/base.html" %}{% block foot %}{% block own %}{% endblock %}{% endblock %}',
    )
    put(
        spring,
        "templates/league.html",
        '{% extends "!/league.html" %}{% block own %}x{% endblock %}{% block brand %}{% endblock %}',
    )
    put(spring, "templates/card.html", "{% block anything %}{% endblock %}")
    put(spring, "templates/week.html", "{% extends p.other %}{% block anything %}{% endblock %}")
    assert told(spring) == []


def test_every_template_of_ours_may_be_replaced(spring: Path) -> None:
    """A copy of any of them is no slip: none is called by a name that we wouldn't know."""
    copytree(str(bundled("templates")), spring / "templates")
    assert told(spring) == []


def test_a_template_that_is_no_utf8_is_named(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the doctor and by what can't be published, with its line: no fault of the program, and nothing is lost."""
    publish_now(opened(spring, NOW), ())
    before = public(spring)
    put(spring, "templates/league.html", UMLAUT)
    wrong = [(found.what, found.do) for found in examine(opened(spring, NOW)) if found.level == "wrong"]
    assert wrong == [("templates/league.html:2: it isn't UTF-8 (byte 0xfc)", "save it as UTF-8")]
    with pytest.raises(Refused, match=r"templates/league\.html:2: it isn't UTF-8 \(byte 0xfc\)"):
        publish_now(opened(spring, NOW), ())
    assert public(spring) == before
    assert main(["--now", "2024-01-03T10:00:00Z", "--site", str(spring), "publish"]) == 1
    said = capsys.readouterr().err
    assert "templates/league.html:2: it isn't UTF-8 (byte 0xfc)" in said
    assert "fault of the program" not in said
    assert not list(spring.glob("*fault-*"))


def test_no_link_leads_out_of_templates(spring: Path, tmp_path: Path) -> None:
    """Not to the site's key, not from a page, a part or a mail; nor what is no file at all: ours is used, each told."""
    secret = put(tmp_path, "elsewhere/round.html", "SECRET")
    (spring / "templates/mail").mkdir(parents=True)
    (spring / "templates/card.html").symlink_to(spring / "secrets/site.key")
    (spring / "templates/league.html").symlink_to("/etc/passwd")
    (spring / "templates/mail/frame.html").symlink_to(secret)
    (spring / "templates/kuel").symlink_to(secret.parent)
    (spring / "templates/week.html").symlink_to("nowhere")
    (spring / "templates/rules.html").mkdir()
    mkfifo(spring / "templates/journal.html")
    put(
        spring,
        "templates/base.html",
        '{% extends "!/base.html" %}{% block foot %}{% include "club.html" %}{% endblock %}',
    )
    put(spring, "templates/club.html", '{% include ["kuel/round.html", "!/words.jinja"] %}ours')
    assert set(told(spring)) == {
        *((f"templates/{name} is a link, so it isn't used", "put the file itself there") for name in LINKS),
        ("templates/journal.html is no file that can be used", "take it away"),
        ("templates/rules.html is a folder, so ours is used", "make it a file, or take it away"),
    }
    publish_now(opened(spring, NOW), ())
    pages = b"".join(content for name, content in public(spring).items() if name.endswith(".html"))
    assert b"ours" in pages
    for kept in (b"SECRET", b"root:", (spring / "secrets/site.key").read_bytes().strip()):
        assert kept not in pages
    levels = {one.what: one.level for one in examine(opened(spring, NOW)) if one.what.startswith("templates/")}
    assert set(levels.values()) == {"weak"}
    assert len(levels) == len(LINKS) + 2


def test_a_template_that_becomes_a_link_is_not_read(spring: Path) -> None:
    """What counts is what lies there when it is read, by a mail's template too: whoever looked before saw a file."""
    site = opened(spring, NOW)
    put(spring, "templates/card.html", "mine")
    put(spring, "templates/mail/look.html", "mine")
    reader = environment("en", site_info(site))
    for name in ("card.html", "mail/look.html"):
        (spring / "templates" / name).unlink()
        (spring / "templates" / name).symlink_to(spring / "secrets/site.key")
        assert reader.get_template(name).filename == str(bundled("templates") / name)
    (spring / "templates").rename(spring / "moved")
    (spring / "templates").symlink_to("moved")
    put(spring, "moved/round.html", "mine")
    assert reader.get_template("round.html").filename == str(bundled("templates") / "round.html")
    assert site_info(site).templates == ()


def test_publish_and_doctor_tell_it(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To the person in sentences, to programs as values; what does nothing is weak and stops nothing."""
    put(spring, "static/a.ttf")
    how = ["--now", "2024-01-03T10:00:00Z", "--site", str(spring)]
    assert main([*how, "publish", "--json"]) == 0
    out, err = capsys.readouterr()
    slip = {"what": "static/a.ttf isn't published: no file of this kind is", "do": "make it a .woff2"}
    assert json.loads(out)["look"] == [slip]
    assert f"{slip['what']}\n  -> {slip['do']}\n" in err
    main([*how, "doctor", "--json"])
    assert {"level": "weak", **slip} in json.loads(capsys.readouterr().out)
    (spring / "static/a.ttf").rename(spring / "static/a.woff2")
    main([*how, "doctor", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert {"level": "ok", "what": "every template and file of your own is used", "do": ""} in found
