"""A board that a league brings itself, from the file to mails, pages, records and their replay."""

import json
import re
import tomllib
from datetime import date
from hashlib import sha256
from pathlib import Path
from shutil import copyfile, copytree

import pytest

from league.core.errors import BadInput
from league.desk import registry
from league.desk.acts.new_league import new_league
from league.desk.leagues.turns import from_record
from league.desk.people.players import NewPlayer, add_players
from league.desk.proof.verify import verify
from league.records.canonical import digest
from tests.desk.sites import (
    LANGS,
    NAMES,
    ROOT,
    address,
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
)

EXAMPLE = ROOT / "docs/examples/board-archipelago/board.toml"
ORDERS = ("steige Nebelholm ein", "join Salt Bank", "meedoen Palmentuin")
BEGIN, WEDNESDAY, FRIDAY = at("2024-01-01 09:00"), at("2024-01-03 10:00"), at("2024-01-05 00:00")
SECOND_WEDNESDAY, SUNDAY = at("2024-01-10 10:00"), at("2024-01-14 12:00")
SHAPE = {
    "path": "M0 0h10v10h-10z",
    "capital_xy": [1, 2],
    "label_xy": [3, 4],
    "label_anchor": "middle",
    "label_size": "m",
    "capital_label_xy": None,
    "capital_label_anchor": None,
    "badge_xy": [5, 6],
    "marker_xy": [7, 8],
}


def islands(path: Path, board: Path = EXAMPLE, **options: object) -> None:
    """A league of three on a board."""
    site = opened(path, BEGIN)
    chosen = {"battles": "drawn", "preset": "gentle", **options}
    new_league(site, "islands", game="kuel", start=date(2024, 1, 2), lang="en", options=chosen, board=board)
    add_players(site, "islands", [NewPlayer(name, address(name), LANGS[i]) for i, name in enumerate(NAMES[:3])])
    site.engine.dispose()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds on the archipelago, the second with figures."""
    path = make_site(tmp_path_factory.mktemp("islands") / "site")
    islands(path)
    for name, text in zip(NAMES, ORDERS, strict=False):
        drop(path, letter(name, text), WEDNESDAY)
    mail_run(path, FRIDAY)
    for name, text in zip(NAMES, ("nimm Westklippe", "take Shell Beach", "neem 15\nneem Koraalrif"), strict=False):
        drop(path, letter(name, text, subject="Round 2"), SECOND_WEDNESDAY)
    mail_run(path, at("2024-01-12 00:00"))
    figures(path, SUNDAY, "islands")
    run(path, at("2024-01-14 12:01"))
    return path


def test_orders_name_the_boards_own_fields(played: Path) -> None:
    """Names in three languages, and numbers, are those of the file."""
    first, second = bodies(played)[1:]
    assert [row["orders"] for row in first["orders"]] == [["join Fog Holm"], ["join Salt Bank"], ["join Palm Garden"]]
    assert {seat: row["owns"] for seat, row in second["position"]["players"].items()} == {
        "s1": ["fog_holm", "west_cliff"],
        "s2": ["salt_bank", "shell_beach"],
        "s3": ["coral_reef", "palm_garden"],
    }


def test_the_draw_reads_for_the_number_of_fields(played: Path) -> None:
    """K46 and K50 on 15 fields: a close of 16704 names field 4; of 3 11 17 20 24 43 the first below 16 is 3."""
    events = {event["type"]: event for event in bodies(played)[2]["events"]}
    assert events["civil_war_drawn"]["country"] == "gull_rock"
    assert events["collapse_drawn"]["country"] == "salt_bank"


def test_mails_and_pages_name_them(played: Path) -> None:
    """Report mails and pages carry the fields' names in the reader's language, and the map shows the tiles."""
    assert "Westklippe" in outbox(played, "report", "Anna")[-1].text
    assert "Shell Beach" in outbox(played, "report", "Ben")[-1].text
    assert "Koraalrif" in outbox(played, "report", "Carla")[-1].text
    page = public(played)["islands/round-2.html"].decode()
    assert len(re.findall(r'<g class="land[ "]', page)) == 2 * 15
    assert '<path id="f-market_isle" d="M476 336h220v150h-220z"/>' in page
    assert "Iceland" not in page
    assert "first number below 16: 3" in page


def test_records_stand_on_the_board_and_replay_with_it(played: Path) -> None:
    """`tables_sha256` covers the file as published, and each round recomputed from its record is the record's."""
    published = public(played)["islands/board.toml"]
    assert published == EXAMPLE.read_bytes()
    board = published.decode()
    named = {body["rules"]["tables_sha256"] for body in bodies(played)}
    assert named == {registry.tables_sha256("kuel", board)}
    assert named != {registry.tables_sha256("kuel")}
    for body in bodies(played)[1:]:
        table = from_record(body, body["rules"]["options"], body["game"], board)
        assert table.game.position(table.outcome().state) == body["position"]


def test_the_league_outlives_its_file(tmp_path: Path) -> None:
    """What the file becomes after `league new` is of no matter: the board is the season's."""
    path, file = make_site(tmp_path / "site"), tmp_path / "board.toml"
    copyfile(EXAMPLE, file)
    islands(path, file)
    file.write_text("nothing that is a board")
    drop(path, letter("Anna", "steige Nebelholm ein"), WEDNESDAY)
    run(path, FRIDAY)
    assert bodies(path)[1]["position"]["players"]["s1"]["owns"] == ["fog_holm"]


def test_whoever_verifies_the_league_plays_on_its_board(played: Path, tmp_path: Path) -> None:
    """`verify` evaluates the rounds on the published board; with another one, or none, they come out otherwise."""
    assert verify(str(played)).holds
    where = Path(copytree((played / "public").resolve(), tmp_path / "public"))
    (where / "islands" / "board.toml").unlink()
    found = next(one for one in verify(str(where)).all if one.league == "islands")
    assert {fault.check for fault in found.faults} >= {"files", "rounds"}


def test_a_league_on_the_games_board_beside_it_is_untouched(tmp_path: Path) -> None:
    """Two leagues of a site, two boards; the same order line means something on one of them only."""
    path = make_site(tmp_path / "site")
    islands(path)
    site = opened(path, BEGIN)
    new_league(site, "europe", game="kuel", start=date(2024, 1, 2), options={"topology": "tiles"})
    add_players(site, "europe", [NewPlayer("Dirk", address("Dirk"), "en")])
    site.engine.dispose()
    drop(path, letter("Anna", "join Fog Holm"), WEDNESDAY)
    drop(path, letter("Dirk", "join Iceland"), WEDNESDAY)
    run(path, FRIDAY)
    owned = [body["position"]["players"] for match in (1, 2) for body in bodies(path, match)[1:]]
    assert [row["owns"] for players in owned for row in players.values()] == [["fog_holm"], ["iceland"]]
    assert '<path id="f-switzerland" d="M476 336h220v150h-220z"/>' in public(path)["europe/index.html"].decode()
    assert "europe/board.toml" not in public(path)


def faults(path: Path, board: Path, **options: object) -> list[str]:
    """What `league new` says about a board, line by line, without the folder."""
    with pytest.raises(BadInput) as told:
        islands(path, board, **options)
    assert rows(path, "SELECT id FROM league") == []
    return str(told.value).replace(f"{board.parent}/", "").split("\n")


def test_every_fault_is_told_with_file_and_line(bare: Path, tmp_path: Path) -> None:
    """Faults of form, of meaning and of the look stand in one answer, each with its line; nothing is stored."""
    text = EXAMPLE.read_text("utf-8")
    text = text.replace("number = 2\n", "number = 1\n").replace('de = "Salzbank"', 'de = "Nebelholm"')
    text = text.replace('{ id = "west_cliff", kind = "sea" }', '{ id = "atlantis", kind = "air" }')
    text = text.replace("tile = { col = 2, row = 3 }\n", "") + "\n[style]\nunowned = 'red;}</style>'\n"
    file = tmp_path / "board.toml"
    file.write_text(text, "utf-8")

    def line(written: str, after: str = "") -> int:
        start = text.index(after)
        return text.count("\n", 0, text.index(written, start)) + 1

    atlantis, tileless = line('id = "atlantis"'), line("[[field]]", "Lundey")
    assert faults(bare, file) == [
        f"board.toml:{atlantis}: field[2].neighbours[1].kind is 'air', a link is land or sea",
        f"board.toml:{line('number = 1', 'Skarvik')}: field[1].number is 1, a number given already",
        f"board.toml:{line('[[field]]')}: field: the numbers have gaps, missing are 2 (K1)",
        (
            f"board.toml:{line('salt_bank', 'Torrin')}: field[1].neighbours[2].id is 'salt_bank', "
            "but salt_bank doesn't name west_cliff"
        ),
        f"board.toml:{atlantis}: field[2].neighbours[1].id is 'atlantis', which is not on the board",
        (
            f"board.toml:{line('name =', 'number = 3')}: field[2].name: fog_holm and salt_bank could both be meant by "
            "'nebelholm'"
        ),
        f"board.toml:{line('unowned')}: style.unowned is no colour, write it like #ebb233",
        f"board.toml:{tileless}: field[4].tile is missing, the board has no geometry.json and is drawn as tiles",
    ]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"[map\n", "board.toml:1: no valid TOML"),
        (b"\xff", "board.toml: no UTF-8 text (byte 0)"),
        (b"{}", "a board is a TOML file"),
        (b" ", "board.toml: the file is empty"),
        (b"field = 3", "board.toml:1: field is missing"),
        (b"#" * 400_001, "board.toml: 400001 bytes are too many; 400000 are the most"),
    ],
)
def test_what_is_no_board_at_all_is_refused(bare: Path, tmp_path: Path, raw: bytes, told: str) -> None:
    """Broken TOML, foreign bytes, JSON, nothing, too much: each is told."""
    file = tmp_path / "board.toml"
    file.write_bytes(raw)
    (found,) = faults(bare, file)
    assert told in found


def test_in_tiles_a_board_needs_places_only(bare: Path, tmp_path: Path) -> None:
    """K9: the same file without links is a board of tiles, and no board of borders."""
    file = tmp_path / "board.toml"
    lines = EXAMPLE.read_text("utf-8").split("\n")
    kept = [one for one in lines if not one.startswith(("neighbours", "  { id", "]", "edges", "rand"))]
    text = "\n".join(kept).replace("penalty_pairs = [\n", "").replace("  { pair", "# { pair")
    file.write_text(text, "utf-8")
    assert [one.partition(": ")[2] for one in faults(bare, file)] == [
        "field: no field has rand = true, so nobody could enter (K35)"
    ]
    islands(bare, file, topology="tiles")
    assert "f-market_isle" in _published(bare)


def _published(path: Path) -> str:
    run(path, at("2024-01-01 09:01"))
    return public(path)["islands/index.html"].decode()


# Shapes of one's own


def geometry(path: Path, **changed: object) -> Path:
    """The example board with a geometry beside it."""
    file = path / "board.toml"
    copyfile(EXAMPLE, file)
    ids = [field["id"] for field in tomllib.loads(EXAMPLE.read_text("utf-8"))["field"]]
    shapes: dict[str, object] = {"viewBox": [0, 0, 100, 100], "fields": dict.fromkeys(ids, SHAPE)}
    (path / "geometry.json").write_text(json.dumps(shapes | changed, indent=1))
    return file


def test_a_geometry_beside_the_file_is_drawn(bare: Path, tmp_path: Path) -> None:
    """Its shapes are on the page, also when the file is gone; with topology tiles the tiles are."""
    file = geometry(tmp_path)
    islands(bare, file)
    (tmp_path / "geometry.json").unlink()
    assert '" d="M0 0h10v10h-10z"/>' in _published(bare)


def test_in_tiles_a_geometry_is_not_drawn(bare: Path, tmp_path: Path) -> None:
    """What the map shows is what the rules go by."""
    islands(bare, geometry(tmp_path), topology="tiles")
    assert '<path id="f-market_isle" d="M476 336h220v150h-220z"/>' in _published(bare)


SCRIPT = 'M0 0"/><script>alert(1)</script><path d="'


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"image": "https://example.org/map.png"}, "image is unknown here"),
        ({"graticule": SCRIPT}, "graticule is no path"),
        ({"background": {"sea": "url(#x)"}}, "background.sea is no path"),
        ({"sea_links": [{"path": "M0 0", "href": "x"}]}, "sea_links[0].href is unknown here"),
        ({"sea_links": [{"between": ["a", "b"]}]}, "sea_links[0].path is no path"),
        ({"viewBox": [0, 0, 0, 10]}, "viewBox is no list of four whole numbers"),
        ({"viewBox": "0 0 9 9"}, "viewBox is no list of four whole numbers"),
        ({"inset": [0, 0, 9]}, "inset is no list of four whole numbers"),
        ({"fields": []}, "fields is missing"),
    ],
)
def test_a_geometry_holds_paths_and_numbers_only(
    bare: Path, tmp_path: Path, changed: dict[str, object], told: str
) -> None:
    """Pictures, references, scripts and whatever else isn't path data is refused with its line."""
    (found,) = faults(bare, geometry(tmp_path, **changed))
    assert told in found
    assert found.startswith("geometry.json:")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("path", SCRIPT),
        ("path", "L0 0"),
        ("path", None),
        ("capital_xy", [1]),
        ("label_xy", [1.5, 2]),
        ("badge_xy", [True, 2]),
        ("marker_xy", [10**9, 0]),
        ("capital_label_xy", "x"),
        ("label_anchor", "left"),
        ("label_size", "xl"),
        ("capital_label_anchor", "top"),
        ("onclick", "alert(1)"),
    ],
)
def test_a_shape_is_refused_with_its_place(bare: Path, tmp_path: Path, key: str, value: object) -> None:
    """Each key of a shape holds what it should, and there are no others."""
    file = geometry(tmp_path)
    text = json.loads((tmp_path / "geometry.json").read_text())
    text["fields"]["beacon"] |= {key: value}
    (tmp_path / "geometry.json").write_text(json.dumps(text))
    (found,) = faults(bare, file)
    assert found.startswith(f"geometry.json:1: fields.beacon.{key} ")


def test_shapes_are_those_of_the_board(bare: Path, tmp_path: Path) -> None:
    """A field without a shape and a shape without a field are faults."""
    file = geometry(tmp_path)
    text = json.loads((tmp_path / "geometry.json").read_text())
    text["fields"]["atlantis"] = text["fields"].pop("beacon")
    (tmp_path / "geometry.json").write_text(json.dumps(text))
    assert [one.partition(": ")[2] for one in faults(bare, file)] == [
        "fields.beacon is missing, each field needs a shape",
        "fields.atlantis is not on the board",
    ]


# On the command line


def test_the_commands_take_a_board(bare: Path, tmp_path: Path) -> None:
    """`league new --board` opens the league, `league adjudicate --board` plays a position on it without a site."""
    done = league(bare, BEGIN, "new", "islands", "--game", "kuel", "--start", "2024-01-02", "--board", str(EXAMPLE))
    assert (done.returncode, done.stderr) == (0, "")
    position = tmp_path / "position.toml"
    position.write_text(
        '[position.players.Anna]\nscore = 5\nowns = ["fog_holm"]\n'
        '[[orders]]\nseat = "Anna"\nreceived = "2024-01-03T10:00:00+01:00"\ntext = "take West Cliff"\n'
        '[evidence]\ndax_close = "16704.56"\ndax_day = "2024-01-05"\nlotto = "3 11 17 20 24 43"\n'
    )
    done = league(bare, BEGIN, "adjudicate", "kuel", str(position), "--board", str(EXAMPLE), "--json")
    assert json.loads(done.stdout)["position"]["players"]["Anna"]["owns"] == ["fog_holm", "west_cliff"]
    done = league(bare, BEGIN, "adjudicate", "kuel", str(position), "--json")
    assert done.returncode == 1
    assert "fog_holm" in done.stderr


def test_the_digest_of_tables_is_that_of_the_files(played: Path) -> None:
    """Anyone can make `tables_sha256` from the published board and the program's other tables."""
    texts = {file.name: file.read_bytes() for file in (ROOT / "config/kuel").glob("*.toml")}
    texts["board.toml"] = public(played)["islands/board.toml"]
    made = digest([[name, sha256(texts[name]).hexdigest()] for name in sorted(texts)])
    assert made == bodies(played)[0]["rules"]["tables_sha256"]
