"""What a site adds to its pages: pictures for shared links, and files of its own."""

from datetime import date
from pathlib import Path

import pytest

from league.desk.pages.publish_pages import publish_now
from league.desk.proof.verify import verify
from tests.desk.sites import add_league, make_site, opened, public
from tests.desk.weeks import utc, week, write

FIRST = date(2024, 1, 4)
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with an address, after one round."""
    path = make_site(tmp_path_factory.mktemp("served") / "site")
    settings = path / "league.toml"
    settings.write_text(
        settings.read_text("utf-8").replace('base_url = ""', 'base_url = "https://play.example"'), "utf-8"
    )
    add_league(path)
    write(path, "Anna", "join Island", FIRST)
    week(path, FIRST)
    return path


def test_a_round_has_its_picture_once(served: Path) -> None:
    """It is published beside the round, both pages name it by its whole address, and it isn't drawn again."""
    files = public(served)
    (name,) = [name for name in files if name.startswith("spring/pictures/")]
    assert files[name].startswith(PNG)
    for page in ("spring/round-1.html", "spring/index.html", "spring/en/round-1.html"):
        assert f'<meta property="og:image" content="https://play.example/{name}">'.encode() in files[page]
    before = (served / "public" / name).stat().st_ino
    site = opened(served, utc(date(2024, 1, 9), 12))
    assert publish_now(site, ()).written == 0
    site.engine.dispose()
    assert (served / "public" / name).stat().st_ino == before


def test_a_site_brings_files_of_its_own(served: Path) -> None:
    """Pictures, fonts and styles in `static/` are published; anything else, and what a link leads to, is not."""
    folder = served / "static"
    (folder / "inner").mkdir(parents=True)
    (folder / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "notes.txt.bak").write_text("private")
    (folder / ".hidden.png").write_bytes(PNG)
    (folder / "key.png").symlink_to(served / "secrets" / "site.key")
    site = opened(served, utc(date(2024, 1, 9), 13))
    publish_now(site, ())
    site.engine.dispose()
    files = public(served)
    assert [name for name in files if "static" in name] == ["static-logo.svg"]
    assert b"  static-logo.svg\n" in files["manifest"]
    assert verify(str(served / "public")).holds
