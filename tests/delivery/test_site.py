import subprocess
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import league.core
from league.core.errors import Broken
from league.delivery.site import Published, current, publish
from league.records.manifest import read_manifest, seal_manifest

ROOT = Path(league.core.__file__).parent.parent.parent


def _public(site: Path) -> dict[str, bytes]:
    top = site / "public"
    return {str(file.relative_to(top)): file.read_bytes() for file in top.rglob("*") if file.is_file()}


def test_a_publication_is_what_was_given(tmp_path: Path) -> None:
    """The files are there, under a link to a numbered build."""
    files = {"index.html": b"home", "spring/index.html": b"spring", "spring/rounds/1.html": b"one"}
    assert publish(tmp_path, files.items()) == Published(1, 3, 0, 0)
    assert _public(tmp_path) == files
    assert (tmp_path / "public").readlink() == Path("builds/1")
    assert current(tmp_path) == 1


def test_unchanged_files_are_the_same_files(tmp_path: Path) -> None:
    """A file with the same bytes keeps its inode and its time; a changed one is new, a missing one gone."""
    publish(tmp_path, [("a", b"1"), ("b", b"2"), ("c/d", b"3")])
    before = (tmp_path / "public/a").stat()
    old = (tmp_path / "public").resolve()
    assert publish(tmp_path, [("a", b"1"), ("b", b"X")]) == Published(2, 1, 1, 1)
    after = (tmp_path / "public/a").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert _public(tmp_path) == {"a": b"1", "b": b"X"}
    assert (old / "b").read_bytes() == b"2"


def test_other_leagues_stay_as_they_were(tmp_path: Path) -> None:
    """Publishing one league touches no other one, and replaces all of its own."""
    publish(tmp_path, [("index.html", b"home"), ("l1/a", b"1"), ("l1/old/b", b"2"), ("l2/a/b", b"3"), ("l2/c", b"4")])
    inode = (tmp_path / "public/l2/a/b").stat().st_ino
    assert publish(tmp_path, [("index.html", b"new"), ("l1/a", b"1")], ["l1"]) == Published(2, 1, 3, 1)
    assert _public(tmp_path) == {"index.html": b"new", "l1/a": b"1", "l2/a/b": b"3", "l2/c": b"4"}
    assert (tmp_path / "public/l2/a/b").stat().st_ino == inode


def test_a_league_can_be_taken_off(tmp_path: Path) -> None:
    """Naming a folder and giving nothing for it takes it away, and leaves no empty folder."""
    publish(tmp_path, [("l1/a/b", b"1"), ("l2/a", b"2")])
    assert publish(tmp_path, [], ["l1"]).gone == 1
    assert _public(tmp_path) == {"l2/a": b"2"}
    assert not (tmp_path / "public/l1").exists()


def test_nothing_new_is_no_new_build(tmp_path: Path) -> None:
    """Publishing what is public already changes nothing at all."""
    publish(tmp_path, [("a", b"1"), ("b/c", b"2")])
    assert not publish(tmp_path, [("a", b"1"), ("b/c", b"2")]).changed
    assert publish(tmp_path, [("b/c", b"2")], ["b"]) == Published(1, 0, 2, 0)
    assert [entry.name for entry in (tmp_path / "builds").iterdir()] == ["1"]


def test_a_file_can_become_a_folder_and_back(tmp_path: Path) -> None:
    """What was a file may be a folder in the next build, and the other way round."""
    publish(tmp_path, [("a", b"1"), ("k", b"2")])
    assert publish(tmp_path, [("a/b/c", b"3")], []).gone == 1
    assert _public(tmp_path) == {"a/b/c": b"3", "k": b"2"}
    publish(tmp_path, [("a", b"1")], [])
    assert _public(tmp_path) == {"a": b"1", "k": b"2"}


names = st.sampled_from(["a", "b", "l1/a", "l1/b", "l1/x/c", "l2/a", "l2/x/y/z", "l3/a"])
contents = st.dictionaries(names, st.sampled_from([b"1", b"2"]), max_size=8)


@given(contents, st.lists(st.tuples(st.sampled_from(["", "l1", "l2", "l2/x"]), contents), max_size=4))
def test_publications_add_up(
    tmp_path_factory: pytest.TempPathFactory,
    first: dict[str, bytes],
    rest: list[tuple[str, dict[str, bytes]]],
) -> None:
    """However leagues are published one after the other, public is what each was last published as."""
    site = tmp_path_factory.mktemp("site")
    publish(site, first.items())
    wanted = dict(first)
    for folder, files in rest:
        before = dict(wanted)
        wanted = {n: c for n, c in wanted.items() if folder and not n.startswith(f"{folder}/")} | files
        done = publish(site, iter(files.items()), [folder])
        assert _public(site) == wanted
        assert done.changed == (wanted != before)


def test_old_builds_go(tmp_path: Path) -> None:
    """The last three builds stay."""
    for number in range(6):
        publish(tmp_path, [("a", str(number).encode())])
    assert sorted(entry.name for entry in (tmp_path / "builds").iterdir()) == ["4", "5", "6"]


@pytest.mark.parametrize("name", ["", "/a", "../a", "a/../b", "a//b", "./a", "a/", "a\\b", "a\0", "a\nb"])
def test_no_path_leaves_the_build(tmp_path: Path, name: str) -> None:
    """A path that isn't plain and relative is a program error, and nothing becomes public."""
    with pytest.raises(Broken, match="plain relative path"):
        publish(tmp_path, [(name, b"x")])
    assert current(tmp_path) is None


def test_a_file_twice_is_an_error(tmp_path: Path) -> None:
    """Two contents for one path are a program error."""
    with pytest.raises(Broken, match="twice"):
        publish(tmp_path, [("a", b"1"), ("a", b"2")])


def test_a_folder_named_public_is_left_alone(tmp_path: Path) -> None:
    """What a person put where the link belongs isn't overwritten."""
    (tmp_path / "public").mkdir()
    with pytest.raises(Broken, match="no link"):
        publish(tmp_path, [("a", b"1")])


def test_a_failed_publication_changes_nothing(tmp_path: Path) -> None:
    """When a page can't be made the old build stays public, and the next publication clears the debris."""

    def pages() -> Iterator[tuple[str, bytes]]:
        yield "a", b"2"
        raise ZeroDivisionError

    publish(tmp_path, [("a", b"1")])
    with pytest.raises(ZeroDivisionError):
        publish(tmp_path, pages())
    assert _public(tmp_path) == {"a": b"1"}
    publish(tmp_path, [("a", b"3")])
    assert sorted(entry.name for entry in (tmp_path / "builds").iterdir()) == ["1", "2"]


@pytest.mark.parametrize(("place", "seen"), [("before_switch", b"1"), ("after_switch", b"2")])
def test_a_killed_publication_shows_the_old_or_the_new(tmp_path: Path, place: str, seen: bytes) -> None:
    """A crash around the switch leaves a whole build public, and the next run ends where no crash would have."""
    publish(tmp_path, [("a", b"1")])
    code = (
        "from pathlib import Path\nfrom league.delivery.site import publish\n"
        f"publish(Path({str(tmp_path)!r}), [('a', b'2')])\n"
    )
    env = {"LEAGUE_FAILPOINT": f"publish.{place}"}
    assert subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, check=False).returncode == 137
    assert _public(tmp_path) == {"a": seen}
    (tmp_path / "public.tmp").symlink_to("builds/77")
    publish(tmp_path, [("a", b"2")])
    assert _public(tmp_path) == {"a": b"2"}
    publish(tmp_path, [("a", b"3")])
    assert _public(tmp_path) == {"a": b"3"}
    assert not (tmp_path / "public.tmp").is_symlink()


# ------------------------------------------------------------------ manifests


def _seal(folder: str, files: Mapping[str, str]) -> bytes:
    return seal_manifest(folder, files, b"k" * 32)


def _listed(site: Path, name: str = "manifest") -> dict[str, str]:
    found = read_manifest((site / "public" / name).read_bytes())
    assert found is not None
    return dict(found.files)


def _sum(content: bytes) -> str:
    return sha256(content).hexdigest()


FILES = [("index.html", b"home"), ("l1/a", b"1"), ("l1/r/b", b"2"), ("l2/a", b"3")]


def test_a_manifest_names_every_file(tmp_path: Path) -> None:
    """Each folder's lists its files; the site's own files and the folders' manifests stand in the site's."""
    publish(tmp_path, FILES, seal=_seal)
    assert _listed(tmp_path, "l1/manifest") == {"a": _sum(b"1"), "r/b": _sum(b"2")}
    manifests = {name: _sum((tmp_path / "public" / name).read_bytes()) for name in ("l1/manifest", "l2/manifest")}
    assert _listed(tmp_path) == {"index.html": _sum(b"home"), **manifests}
    assert publish(tmp_path, FILES, seal=_seal).changed is False


def test_a_part_of_a_folder_keeps_the_rest_in_its_manifest(tmp_path: Path) -> None:
    """Files that are taken over stay listed, without being read again: the old manifest's word stands for them."""
    publish(tmp_path, FILES, seal=_seal)
    before = {name: _listed(tmp_path, name) for name in ("l1/manifest", "l2/manifest")}
    (tmp_path / "public/l1/r/b").write_bytes(b"changed by hand")
    (tmp_path / "public/l2/a").write_bytes(b"and this")
    publish(tmp_path, [("l1/a", b"new")], [], seal=_seal)
    assert _listed(tmp_path, "l1/manifest") == before["l1/manifest"] | {"a": _sum(b"new")}
    assert _listed(tmp_path, "l2/manifest") == before["l2/manifest"]
    assert _listed(tmp_path)["l1/manifest"] == _sum((tmp_path / "public/l1/manifest").read_bytes())


def test_what_is_gone_is_gone_from_the_manifest(tmp_path: Path) -> None:
    """A replaced folder's manifest names what it has now; a folder taken off leaves no line."""
    publish(tmp_path, FILES, seal=_seal)
    publish(tmp_path, [("l1/a", b"1")], ["l1", "l2"], seal=_seal)
    assert _listed(tmp_path, "l1/manifest") == {"a": _sum(b"1")}
    assert set(_listed(tmp_path)) == {"index.html", "l1/manifest"}
    assert not (tmp_path / "public/l2").exists()


def test_a_site_without_manifests_gets_them(tmp_path: Path) -> None:
    """What an older version published is read once and listed, folders that didn't change among it."""
    publish(tmp_path, FILES)
    publish(tmp_path, [("l1/a", b"1")], [], seal=_seal)
    assert _listed(tmp_path, "l2/manifest") == {"a": _sum(b"3")}
    assert _listed(tmp_path, "l1/manifest") == {"a": _sum(b"1"), "r/b": _sum(b"2")}
    assert set(_listed(tmp_path)) == {"index.html", "l1/manifest", "l2/manifest"}


def test_nobody_else_publishes_a_manifest(tmp_path: Path) -> None:
    """A page of that name would be one that nothing covers."""
    with pytest.raises(Broken, match="twice"):
        publish(tmp_path, [*FILES, ("l1/manifest", b"mine")], seal=_seal)


def test_what_a_crash_left_half_made_is_in_no_manifest(tmp_path: Path) -> None:
    """A build that ended in its middle leaves pages behind that nobody sees, and the next one names none of them."""
    publish(tmp_path, FILES, seal=_seal)

    def dying() -> Iterator[tuple[str, bytes]]:
        yield "l1/half", b"made"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish(tmp_path, dying(), [], seal=_seal)
    assert (tmp_path / "builds" / "2.tmp" / "l1" / "half").is_file()
    before = _listed(tmp_path, "l1/manifest")
    publish(tmp_path, [("l2/b", b"5")], [], seal=_seal)
    assert _listed(tmp_path, "l1/manifest") == before
    assert set(_listed(tmp_path, "l2/manifest")) == {"a", "b"}
    assert not list((tmp_path / "builds").glob("*.tmp"))
