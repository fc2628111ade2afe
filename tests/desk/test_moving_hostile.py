"""A league's export is believed only where it is what `league export` writes; else nothing of it is anywhere."""

import io
import json
import re
import tarfile
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from league.core.errors import BadInput, LeagueError, Refused
from league.desk.moving.export_league import SORT
from league.desk.moving.import_league import import_league
from league.desk.recovery.back_up import back_up
from league.records.freeze import sign, signing_seed
from league.storage.archive import MANIFEST, look, pack, unpack
from league.storage.tables import metadata
from tests.desk.moves import arrive, away, other_site
from tests.desk.sites import KEY, add_league, bodies, copy, mail_run, make_site, opened, rows
from tests.desk.weeks import DAX, figures_of, utc, week, write

FIRST = date(2024, 1, 4)
SECOND = FIRST + timedelta(weeks=1)
LEFT, CAME = utc(SECOND - timedelta(days=1), 12), utc(SECOND - timedelta(days=1), 18)
Row = dict[str, Any]
About = dict[str, Any]
Change = Callable[[Path, About], None]


@pytest.fixture(scope="module")
def _file(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("hostile") / "site")
    write(path, "Anna", "join Island", FIRST)
    write(path, "Ben", "join Portugal", FIRST)
    week(path, FIRST, pages=False)
    write(path, "Anna", "take London", SECOND)
    mail_run(path, utc(SECOND - timedelta(days=1), 11))
    return away(path, LEFT)[0]


@pytest.fixture
def file(_file: Path, tmp_path: Path) -> Path:
    """The export of a league that was played for a week."""
    return Path(copyfile(_file, tmp_path / "spring.tar"))


@pytest.fixture(scope="module")
def _empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return other_site(tmp_path_factory.mktemp("empty") / "site", utc(FIRST, 9))


@pytest.fixture
def new(_empty: Path, tmp_path: Path) -> Path:
    """A site on another machine."""
    return copy(_empty, tmp_path / "new")


def altered(file: Path, change: Change, *, resigned: bool = True) -> Path:
    """The same export with something else in it, its check sums right again; signed by the key that may sign it."""
    found, room = look(file, SORT), file.parent / "room"
    room.mkdir()
    unpack(file, found, room, SORT)
    about = dict(found.about)
    old = about.pop("signature")
    change(room, about)
    target = file.parent / "altered.tar"
    files = [(one.name, room / one.name) for one in found.files if (room / one.name).exists()]
    seed = signing_seed(bytes.fromhex(KEY))
    pack(target, files, about, SORT, (lambda payload: sign(seed, payload)) if resigned else lambda _: str(old))
    return target


def lines(room: Path, table: str) -> list[Row]:
    return [json.loads(line) for line in (room / f"{table}.jsonl").read_text().splitlines()]


def put(room: Path, table: str, found: list[Row]) -> None:
    (room / f"{table}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))


def each(table: str, **values: Any) -> Change:
    """Other values in the first row of a table."""

    def change(room: Path, _: About) -> None:
        found = lines(room, table)
        found[0].update(values)
        put(room, table, found)

    return change


def option(name: str, value: Any) -> Change:
    """Another value of an option."""

    def change(room: Path, _: About) -> None:
        put(room, "season", [{**row, "options": {**row["options"], name: value}} for row in lines(room, "season")])

    return change


def only(table: str, choose: Callable[[list[Row]], list[Row]]) -> Change:
    """Other rows of a table."""

    def change(room: Path, _: About) -> None:
        put(room, table, choose(lines(room, table)))

    return change


def raw(name: str, content: bytes) -> Change:
    """Another file."""

    def change(room: Path, _: About) -> None:
        (room / name).write_bytes(content)

    return change


def told(**values: Any) -> Change:
    """Another manifest."""

    def change(_: Path, about: About) -> None:
        about.update(values)

    return change


def without(table: str, column: str) -> Change:
    def change(room: Path, _: About) -> None:
        put(room, table, [{key: value for key, value in row.items() if key != column} for row in lines(room, table)])

    return change


def other_record(room: Path, _: About) -> None:
    """A record in other bytes, whose check sum is right."""
    found = lines(room, "record")
    body = b64decode(found[1]["body"]).replace(b'"Anna"', b'"Anne"').replace(b'"round":1', b'"round":1 ', 1)
    found[1] |= {"body": b64encode(body).decode(), "sha256": sha256(body).hexdigest()}
    put(room, "record", found)


def other_key(room: Path, _: About) -> None:
    secrets = json.loads((room / "secrets.json").read_text())
    (room / "secrets.json").write_text(json.dumps(secrets | {"handover": "44" * 32}))


def seatless(room: Path, _: About) -> None:
    (room / "seat.jsonl").unlink()


def deep() -> Any:
    found: Any = []
    for _ in range(70):
        found = [found]
    return found


def is_untouched(path: Path) -> None:
    """No row, no secret, no file of it is left: the site is as it was made."""
    for table in metadata.sorted_tables:
        found = rows(path, f"SELECT * FROM {table.name}")
        if table.name == "journal":
            assert [row["act"] for row in found] == ["init"]
        elif table.name == "site_fact":
            assert not [row for row in found if "brought" in row["key"] or "mail.hold" in row["key"]]
        else:
            assert found == [], table.name
    assert [one.name for one in (path / "secrets").iterdir()] == ["site.key"]
    assert not any((path / "backups").iterdir())


# What is altered -> the words of the refusal.
ALTERED: dict[str, tuple[Change, str]] = {
    "text for a number": (each("seat", position="1"), r"seat.jsonl:1: position is '1'"),
    "a number for text": (each("player", name=7), r"player.jsonl:1: name is 7"),
    "true for a number": (each("round", number=True), r"round.jsonl:1: number is True"),
    "a number that no table holds": (each("round", version=2**40), r"round.jsonl:1: version is 1099511627776"),
    "text for a truth": (each("seat", reports="yes"), r"seat.jsonl:1: reports is 'yes'"),
    "no time": (each("round", deadline_at="soon"), r"round.jsonl:1: deadline_at is 'soon'"),
    "a time without a zone": (each("round", deadline_at="2024-01-04T22:59:00"), "it names no zone"),
    "no bytes": (each("mail", content="not base64!"), r"mail.jsonl:1: content is"),
    "text for JSON": (each("season", options="none"), "an object is needed"),
    "a list for an object": (each("season", calendar=[]), r"season.jsonl:1: calendar is \[\]"),
    "an object for a list": (each("submission", lines={}), "a list is needed"),
    "a calendar that is none": (
        each("season", calendar={"week": 7}),
        "can't be gone on with as it is|round 2",
    ),
    "a board that is none": (each("season", sources={"board": 7}), "can't be gone on with as it is|round 2"),
    "options that the game doesn't know": (
        each("season", options={"topology": ["x"]}),
        "option.topology is .* allows borders or tiles",
    ),
    "an order that is none": (
        only("submission", lambda rows: [{**row, "lines": [7]} for row in rows]),
        "can't be gone on with as it is|round 2",
    ),
    "a round in no zone": (
        only("round", lambda rows: [{**row, "zone": "Mars/North"} for row in rows]),
        "zone 'Mars/North'",
    ),
    "JSON without end": (each("submission", lines=deep()), "nested too deeply"),
    "a NUL": (each("player", name="An\0na"), "NUL"),
    "half of a sign": (raw("player.jsonl", b'{"id":1,"name":"\\ud800"}\n'), r"player.jsonl:1"),
    "no JSON": (raw("mail.jsonl", b"{\n"), r"mail.jsonl:1: it isn't a row as JSON"),
    "not a number": (raw("seat.jsonl", b'{"id": NaN}\n'), "NaN is no number"),
    "brackets without end": (raw("seat.jsonl", b"[" * 200_000 + b"\n"), r"seat.jsonl:1: it isn't a row"),
    "a list for a row": (raw("seat.jsonl", b"[]\n"), "an object is needed"),
    "an unknown column": (each("seat", colour="red"), "seat has no column 'colour'"),
    "a missing column": (without("seat", "code"), r"seat.jsonl:1: code is missing"),
    "a row of nobody": (each("seat", player_id=99), "player_id names row 99 of player, which isn't in it"),
    "a number twice": (only("player", lambda rows: [rows[0], {**rows[1], "id": rows[0]["id"]}]), "have the number"),
    "an address twice": (
        only("player", lambda rows: [rows[0], {**rows[1], "address_key": rows[0]["address_key"]}, rows[2]]),
        "can't stand together",
    ),
    "a state that there isn't": (each("outbox", state="gone"), "can't stand together"),
    "a closed round without a root": (each("round", status="frozen", root=None), "it is frozen and has no root"),
    "a round of no kind": (each("round", status="gone"), "can't stand together"),
    "a recipient of two lines": (each("outbox", recipient="a@example.org\nBcc: b@example.org"), "must be one line"),
    "a mail's id with a line's end": (each("outbox", message_id="<a@example.org>\r\n"), "must be one line"),
    "a player of no kind": (each("player", status="zzz"), "the status 'zzz' isn't known"),
    "an address under another's name": (
        each("player", address_key="mallory@example.org"),
        "would be looked for as 'mallory@example.org'",
    ),
    "an option that is none": (
        option("topology", "<b>islands</b>"),
        "option.topology is '<b>islands</b>'",
    ),
    "a time that no calendar has": (
        each("round", deadline_at="0001-01-01T00:00:00+23:00"),
        "beyond every calendar|a time that no calendar has",
    ),
    "two leagues": (only("league", lambda rows: [rows[0], {**rows[0], "id": 9}]), "holds 2 leagues"),
    "no league": (only("league", lambda _: []), "season.league_id names row"),
    "another league": (each("league", slug="autumn"), "isn't the spring that its manifest names"),
    "another status": (each("league", status="moved"), "its status is 'moved'"),
    "an unknown language": (each("league", lang="tlh"), "language 'tlh'"),
    "an unknown zone": (each("player", zone="Mars/North"), "zone 'Mars/North' isn't known"),
    "a match with a path": (each("match", slug="../spring"), "its matches aren't|can't name a match"),
    "a seat with a path": (each("seat", code="../../s1"), r"seat '../../s1'"),
    "no address": (each("player", address="nobody"), "address 'nobody' is not a mail address"),
    "a name of two lines": (each("player", name="An\nna"), "is no name of one line"),
    "no position that a game knows": (
        only("position", lambda rows: [{**row, "body": {"score": "much"}} for row in rows]),
        "round 2",
    ),
    "rules that nobody knows": (each("season", rules="kuel-99"), "the game kuel here knows"),
    "a record that isn't canonical": (other_record, "the chain of spring-1 doesn't hold"),
    "a record's other check sum": (each("record", sha256="0" * 64), "isn't the record that its row says"),
    "a record of another kind": (each("record", kind="../x"), "isn't the record that its row says"),
    "a record less": (only("record", lambda rows: [rows[0], rows[2]]), "the chain of spring-1 doesn't hold"),
    "records in another order": (only("record", lambda rows: rows[::-1]), "the chain of spring-1 doesn't hold"),
    "a chain that isn't handed on": (only("record", lambda rows: rows[:2]), "one that hands the chain on"),
    "an act less": (only("journal", lambda rows: rows[1:]), "acts"),
    "an act in other words": (each("journal", why="because"), "aren't those that there were"),
    "no secrets": (raw("secrets.json", b"{}"), "doesn't hold the secrets"),
    "secrets that are none": (
        raw(
            "secrets.json",
            json.dumps({"handover": "22" * 32, "matches": {"spring-1": {"secret": "1", "tokens": []}}}).encode(),
        ),
        "doesn't hold the secrets",
    ),
    "secrets of another match": (
        raw("secrets.json", json.dumps({"handover": "22" * 32, "matches": {}}).encode()),
        "aren't those that its manifest",
    ),
    "another key than the one handed on to": (
        other_key,
        "hands the chain on to another key",
    ),
    "very many secrets": (raw("secrets.json", b" " * (5 << 20)), "too long"),
    "facts that are none": (raw("facts.json", b"[]"), r"facts.json: it can't be read"),
    "facts of nobody": (
        raw("facts.json", b'{"offers":{},"unanswered":[[99,"2024-01-01T00:00:00Z",[1]]]}'),
        "facts.json",
    ),
    "a path for a name": (told(league="../../etc"), "can't name a league"),
    "a list for a name": (told(league=["spring"]), "doesn't say what an export says"),
    "no matches": (told(matches=[]), "it holds no match"),
    "matches that are none": (told(matches=[7]), "doesn't say what an export says"),
    "another number of records": (told(matches=[{"match": "spring-1", "records": 3, "head": "0" * 64}]), "up to 0000"),
    "no time of making": (told(made_at="once"), "which is no time"),
    "a game that isn't here": (told(game="chess"), "no game 'chess' is installed"),
    "a table less": (seatless, "it holds no seat.jsonl"),
    "no revision": (told(revision="newest"), "names no revision"),
    "a newer revision": (told(revision="9999"), "written by a newer league .* install that version first"),
}


PYTHON = re.compile(
    r"\w+Error\b|constraint failed|object (has no|is not)|NoneType|'(list|dict|str|int)' object|Traceback"
)


@pytest.mark.parametrize("what", sorted(ALTERED))
def test_what_export_never_writes_is_refused(what: str, file: Path, new: Path) -> None:
    """Whoever can sign it: it is said where and what is wrong, and nothing of it is left anywhere."""
    change, words = ALTERED[what]
    with pytest.raises(LeagueError, match=words) as found:
        import_league(opened(new, CAME), altered(file, change))
    assert not PYTHON.search(str(found.value))
    is_untouched(new)


def test_what_was_changed_on_the_way_is_refused(file: Path, new: Path) -> None:
    """A sensible row that isn't the one that was exported, with all check sums right: the signature says so."""
    other = altered(
        file, each("player", address="mallory@example.org", address_key="mallory@example.org"), resigned=False
    )
    with pytest.raises(BadInput, match="it isn't as it was written: the key that signs spring-1"):
        import_league(opened(new, CAME), other)
    is_untouched(new)


def test_a_column_that_came_later_has_its_default(file: Path, new: Path) -> None:
    """A file of an older version lacks what its tables lacked; rows get what a migration would have given them."""
    done = arrive(new, altered(file, without("seat", "reports")), CAME)
    assert done.league == "spring"
    assert {row["reports"] for row in rows(new, "SELECT reports FROM seat")} == {1}
    week(new, SECOND, pages=False)
    assert len([body for body in bodies(new) if body["kind"] == "round"]) == 2


# ------------------------------------------------------------------ the archive itself


def tarred(path: Path, names: list[tuple[tarfile.TarInfo, bytes]], **about: Any) -> Path:
    """An archive as somebody else makes one."""
    manifest = json.dumps({"kind": SORT.kind, "files": [], **about}).encode()
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for entry, content in [(entry_of(MANIFEST, manifest), manifest), *names]:
            tar.addfile(entry, io.BytesIO(content))
    return path


def entry_of(name: str, content: bytes, **values: Any) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    for key, value in values.items():
        setattr(entry, key, value)
    return entry


def filled(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def listed(name: str, size: int = 2) -> Row:
    return {"name": name, "size": size, "sha256": "0" * 64, "mtime": 0}


ARCHIVES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "a path out of the folder": (lambda p: tarred(p, [], files=[listed("../league.jsonl")]), "no league's export has"),
    "an absolute path": (lambda p: tarred(p, [], files=[listed("/etc/passwd")]), "no league's export has"),
    "a file of the site": (lambda p: tarred(p, [], files=[listed("league.toml")]), "no league's export has"),
    "a folder": (lambda p: tarred(p, [], files=[listed("secrets/site.key")]), "no league's export has"),
    "a name twice": (lambda p: tarred(p, [], files=[listed("seat.jsonl")] * 2), "a name twice"),
    "very many files": (lambda p: tarred(p, [], files=[listed(f"seat.{n}") for n in range(99)]), "no league's export"),
    "a size beyond measure": (lambda p: tarred(p, [], files=[listed("mail.jsonl", 9 << 40)]), "more than a league's"),
    "a file that isn't listed": (lambda p: tarred(p, [(entry_of("seat.jsonl", b"{}"), b"{}")]), "doesn't list"),
    "a link": (
        lambda p: tarred(p, [(entry_of("seat.jsonl", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"), b"")],
                         files=[listed("seat.jsonl", 0)]),
        "no plain file",
    ),
    "a newer kind": (lambda p: tarred(p, [], kind="league-export-2"), "written by a newer league"),
    "no archive": (lambda p: filled(p, b"hello" * 999), "this is no league's export"),
    "nothing": (lambda p: filled(p, b""), "this is no league's export"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(ARCHIVES))
def test_no_such_archive_is_opened(what: str, new: Path, tmp_path: Path) -> None:
    """Paths, links, names, sizes: nothing is unpacked that an export doesn't have."""
    make, words = ARCHIVES[what]
    with pytest.raises(LeagueError, match=words):
        import_league(opened(new, CAME), make(tmp_path / "bad.tar"))
    is_untouched(new)


def test_a_file_that_was_cut_short_or_damaged_is_refused(file: Path, new: Path) -> None:
    """Wherever it ends, and whichever byte is another one."""
    whole = file.read_bytes()
    for part in (len(whole) // 3, len(whole) // 2, 600, len(whole) - 512, len(whole) - 1, len(whole) - 10240):
        file.write_bytes(whole[:part])
        with pytest.raises(BadInput):
            import_league(opened(new, CAME), file)
    at = whole.index(b"anna@example.org")
    file.write_bytes(whole[:at] + b"mall" + whole[at + 4 :])
    with pytest.raises(BadInput, match="its SHA-256 differs, nothing of it was taken"):
        import_league(opened(new, CAME), file)
    is_untouched(new)


def test_a_backup_is_no_export(tmp_path: Path, new: Path) -> None:
    """And the other way round: each says what it was given."""
    site = make_site(tmp_path / "other")
    back_up(opened(site, CAME), tmp_path / "site.tar")
    with pytest.raises(BadInput, match="of the kind 'league-backup-1', not 'league-export-1'"):
        import_league(opened(new, CAME), tmp_path / "site.tar")
    with pytest.raises(BadInput, match="this is no file but a folder; give the one that league export wrote"):
        import_league(opened(new, CAME), tmp_path)
    with pytest.raises(BadInput, match="there is no such file; give the one that league export wrote"):
        import_league(opened(new, CAME), tmp_path / "nothing.tar")


@pytest.mark.parametrize("dax", [DAX, "99999.99"])
def test_a_figure_that_stands_otherwise_here_is_refused(dax: str, file: Path, new: Path) -> None:
    """The league went by another value: a person has to say which is right. The same value is one figure."""
    add_league(new, "autumn", ("Dirk", "Eva"), now=utc(FIRST, 9), start=FIRST)
    mail_run(new, utc(FIRST + timedelta(days=1), 1))
    figures_of(new, FIRST, "autumn", dax_close=dax)
    if dax == DAX:
        arrive(new, file, CAME)
        assert len(rows(new, "SELECT * FROM evidence WHERE figure = 'dax_close'")) == 1
        return
    with pytest.raises(Refused, match=r"dax_close of 2024-01-05 is 99999\.99 here and 16704\.56 in the file"):
        import_league(opened(new, CAME), file)
    assert [row["slug"] for row in rows(new, "SELECT slug FROM league")] == ["autumn"]
