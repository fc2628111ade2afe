"""KUEL's order language (chapter 11): every order in three languages, every country under every name."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.errors import BadInput
from league.core.orders import Mistake, Press
from league.games.kuel.orders import (
    Attack,
    Bid,
    Devastate,
    Give,
    Join,
    Leave,
    MapChoice,
    Order,
    Pass,
    Rematch,
    Result,
    Settings,
    Take,
)
from league.games.kuel.reader import LONGEST_LINE, LONGEST_SETTINGS, make_reader


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(f"config/kuel/{name}.toml").read_text(encoding="utf-8"))


BOARD, KEYWORDS = _table("board"), _table("keywords")
FIELDS: list[Mapping[str, Any]] = BOARD["field"]
IDS = [field["id"] for field in FIELDS]
READER = make_reader(BOARD, KEYWORDS)
NAMES = {"anna": "Anna", "ben": "Ben Berg", "seat-3": "Çelik", "john": "John"}


def order(text: str) -> Order:
    """The only order of a text that has no mistake."""
    (line,) = READER.parse(text, NAMES).lines
    assert line.order is not None, line
    return line.order


def mistake(text: str) -> Mistake:
    """The only mistake of a text that has no order."""
    (line,) = READER.parse(text, NAMES).lines
    assert line.mistake is not None, line
    return line.mistake


TABLE: list[tuple[Order, list[str]]] = [
    (
        Take("hungary"),
        ["take Budapest", "nimm Budapest", "Budapest einnehmen", "besetze Ungarn", "neem Boedapest", "bezet Hongarije"],
    ),
    (Take("hungary"), ["nimm Budapest ein", "ich nehme Ungarn ein", "neem Hongarije in", "take over Hungary"]),
    (
        Attack("france"),
        ["attack Paris", "greife Paris an", "greife an Paris", "Paris angreifen", "Angriff Paris", "Angriff auf Paris"],
    ),
    (
        Attack("france"),
        ["val Parijs aan", "val aan Parijs", "aanval Parijs", "aanval op Frankrijk", "Parijs aanvallen"],
    ),
    (Leave("belgium"), ["leave 7", "verlasse 7", "verlaat 7", "7 verlassen", "verlaat België", "räume Brüssel"]),
    (Devastate("austria"), ["devastate Vienna", "verwüste Wien", "verwueste Wien", "verwuste Wien", "verwoest Wenen"]),
    (Devastate("austria"), ["leave Vienna devastated", "verlasse Wien verwüstet", "verlaat Wenen verwoest"]),
    (
        Bid("czech_republic", 45),
        ["bid 45 Prague", "bid 45 on Prague", "bid 45 points on Prague", "biete 45 auf Prag", "bied 45 op Praag"],
    ),
    (
        Bid("czech_republic", 45),
        [
            "biete 45 Punkte auf Prag",
            "auf Prag biete ich 45 Punkte",
            "bied 45 punten op 17",
            "bid 45 17",
            "bid on 17 45",
        ],
    ),
    (Join("portugal"), ["join Lisbon", "einsteigen in Lissabon", "steige in Lissabon ein", "doe mee in Lissabon"]),
    (
        Give("ireland"),
        ["give Dublin", "gib ab Dublin", "gib Dublin ab", "geef Dublin", "give up Ireland", "Irland abgeben"],
    ),
    (Pass(), ["pass", "passe", "pas", "I pass", "Ich passe.", "ik pas", "pass this round, please"]),
    (
        Result("france", "won"),
        ["result Paris won", "Ergebnis Paris gewonnen", "uitslag Parijs gewonnen", "result: Paris: won"],
    ),
    (Result("france", "lost"), ["result Paris lost", "Ergebnis Paris verloren", "uitslag Parijs verloren"]),
    (
        Result("france", "winner", "anna"),
        [
            "result Paris winner Anna",
            "Ergebnis Paris Sieger Anna",
            "uitslag Parijs winnaar ANNA",
            "result 8 won by anna",
        ],
    ),
    (Rematch("france"), ["rematch Paris", "Revanche Paris", "herkansing Parijs", "Revanche um Paris"]),
    (
        MapChoice("france", "austria"),
        ["map Paris: Vienna", "Karte Paris: Wien", "kaart Parijs: Wenen", "map: Paris: Vienna", "Paris map: 15"],
    ),
    (
        Settings("france", "high resources: no fixed order, if possible"),
        [
            f"{word} Paris: high resources: no fixed order, if possible"
            for word in ("settings", "Einstellungen", "instellingen", "settings for")
        ],
    ),
]


@pytest.mark.parametrize(("meant", "text"), [(meant, text) for meant, texts in TABLE for text in texts])
def test_chapter_11(meant: Order, text: str) -> None:
    """Every order of chapter 11's table in German, English and Dutch, its verb first or last (K14, K52)."""
    assert order(text) == meant
    assert order(text.upper() if not isinstance(meant, Settings) else text) == meant


def _names(field: Mapping[str, Any]) -> list[str]:
    many = (field["name"], field["capital"], field.get("short", {}))
    return [name for names in many for name in names.values()] + [
        *field.get("aliases", ()),
        *KEYWORDS["names"].get(field["id"], ()),
    ]


def _typed(name: str) -> set[str]:
    written = name
    for accent, letters in {"ä": "ae", "ö": "oe", "ü": "ue", "Ö": "Oe", "ß": "ss"}.items():
        written = written.replace(accent, letters)
    stripped = "".join(c for c in normalize("NFD", name.replace("ß", "ss")) if ord(c) < 0x300)
    spaced = name.replace("-", " ")
    return {name, written, stripped, spaced, name.upper(), name.lower(), normalize("NFD", name), f"“{name}”!"}


@pytest.mark.parametrize("field", FIELDS, ids=IDS)
def test_every_name_of_every_country(field: Mapping[str, Any]) -> None:
    """A country is its number, name, capital, short name or alias, with accents, without, or written out."""
    verbs = ("take {}", "nimm {}", "{} einnehmen", "neem {}", "take the {}", "nimm die {}", "neem het {}")
    for name in [str(field["number"]), f"Nr. {field['number']}", *_names(field)]:
        for typed in _typed(name):
            for verb in verbs:
                assert order(verb.format(typed)) == Take(field["id"]), (verb, typed)


@pytest.mark.parametrize("field", FIELDS, ids=IDS)
def test_every_unique_beginning(field: Mapping[str, Any]) -> None:
    """A beginning of three letters that only one country has is enough; one that several have is asked about."""
    everyone = {other["id"]: [n.lower() for n in _names(other)] for other in FIELDS}
    articles = {"den", "the", "die", "der", "das", "het"}
    codes = {other["code"].lower() for other in FIELDS}
    for name in everyone[field["id"]]:
        for length in range(3, len(name)):
            start = name[:length]
            if not start.isascii() or not start.isalpha() or start in articles | codes | {"nie"}:  # `nie` says no
                continue
            owners = {i for i, names in everyone.items() if any(n.startswith(start) for n in names)}
            exact = {i for i, names in everyone.items() if start in names}
            (line,) = READER.parse(f"take {start}").lines
            if len(exact or owners) == 1:
                assert line.order == Take(*(exact or owners)), start
            else:
                assert line.mistake is not None
                assert line.mistake.reason == "ambiguous_country", start


@pytest.mark.parametrize("field", FIELDS, ids=IDS)
def test_every_code_is_answered(field: Mapping[str, Any]) -> None:
    """The board's code is answered with the country and not executed, even where it is a unique beginning (IRL)."""
    answer = mistake(f"take {field['code']}")
    assert (answer.reason, answer.facts["country"]) == ("code", field["id"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("nimm das Vereinigte Königreich", "great_britain"),
        ("Angriff auf die Tschechische Republik", "czech_republic"),
        ("nimm die Bundesrepublik Deutschland", "germany"),
        ("take Bosnia & Herzegovina, thank you", "bosnia"),
        ("take Paris (France)", "france"),
        ("take 8 France", "france"),
    ],
)
def test_names_within_a_sentence(typed: str, meant: str) -> None:
    """Inflected and doubled names are understood where they leave no doubt."""
    assert order(typed) in {Take(meant), Attack(meant)}


def test_a_clash_on_the_board_is_an_error() -> None:
    """A board on which two countries share a name is refused when it is read."""
    fields = [dict(field) for field in FIELDS]
    fields[3]["aliases"] = ["Rom"]
    with pytest.raises(BadInput, match="rom"):
        make_reader({"field": fields}, KEYWORDS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Frankreihc", "france"),
        ("Paaris", "france"),
        ("Budapset", "hungary"),
        ("Jugoslavien", "yugoslavia"),
        ("Oesterrreich", "austria"),
        ("Tschechein", "czech_republic"),
        ("Swizterland", "switzerland"),
        ("Moskuo", "soviet_union"),
    ],
)
def test_misspelt_countries_are_suggested(typed: str, meant: str) -> None:
    """A misspelt country is never guessed; the nearest names come back."""
    answer = mistake(f"take {typed}")
    assert answer.reason == "unknown_country"
    assert answer.facts["written"] == typed.lower()
    assert answer.facts["suggestions"][0] == meant  # type: ignore[index]  # a tuple by reading.py's table


@given(st.sampled_from([name for field in FIELDS for name in _names(field)]), st.sampled_from("qxz"), st.data())
def test_one_letter_too_many_is_never_executed(name: str, letter: str, data: st.DataObject) -> None:
    """No country is found under a name that nobody gave it."""
    place = data.draw(st.integers(1, len(name)))
    assert READER.parse(f"take {name[:place]}{letter}{name[place:]}").orders == ()


MISTAKES: list[tuple[str, str, dict[str, Any]]] = [
    ("tkae Paris", "unknown_verb", {"suggestions": ("take",)}),
    ("atack 7", "unknown_verb", {"suggestions": ("attack",)}),
    ("Paris angriefen", "unknown_verb", {"suggestions": ("attack",)}),
    ("Paris", "unknown_verb", {"written": "Paris", "suggestions": ()}),
    ("bit 45 on Prague", "unknown_verb", {"suggestions": ("bid",)}),
    ("take Paris 8 bit", "extra_words", {"country": "france"}),
    ("erobere Paris", "unknown_verb", {}),
    ("cancel all", "unknown_verb", {}),
    ("gib Dublin auf", "unknown_verb", {}),
    ("take", "missing_country", {"verb": "take"}),
    ("take the", "missing_country", {"verb": "take"}),
    ("bid 45", "missing_country", {"verb": "bid"}),
    ("take Gondor", "unknown_country", {"suggestions": ()}),
    ("take 29", "unknown_country", {"written": "29"}),
    ("take 07", "unknown_country", {"written": "07"}),
    ("take -7", "unknown_country", {"written": "-7"}),
    ("take 1.5", "unknown_country", {"written": "1.5"}),
    ("take ７", "unknown_country", {}),
    ("take ²", "unknown_country", {}),
    ("take Bel", "ambiguous_country", {"candidates": ("belgium", "yugoslavia")}),
    ("take Рaris", "unknown_country", {}),  # the first letter is Cyrillic
    ("take CH", "code", {"country": "switzerland"}),
    ("take I", "code", {"country": "italy"}),
    ("take Paris because it is cheap", "extra_words", {"country": "france"}),
    ("my uncle will take Paris", "extra_words", {"verb": "take"}),
    ("pass auf", "extra_words", {"verb": "pass"}),
    ("take Paris and bid 10 on Prague", "two_orders", {"verbs": ("take", "bid")}),
    ("take Paris, take Prague", "two_orders", {"verbs": ("take",)}),
    ("take Paris and Prague", "two_orders", {"candidates": ("france", "czech_republic")}),
    ("take 7 or 8", "two_orders", {"candidates": ("belgium", "france")}),
    ("don't take Paris", "negated", {"verb": "take", "written": "dont"}),
    ("don’t take Paris", "negated", {"verb": "take"}),
    ("nimm Paris nicht", "negated", {"verb": "take", "written": "nicht"}),
    ("nicht angreifen", "negated", {"verb": "attack"}),
    ("kein Angriff auf Paris", "negated", {"verb": "attack"}),
    ("geen aanval op Parijs", "negated", {"verb": "attack"}),
    ("no bid on Prague", "negated", {"verb": "bid"}),
    ("take Paris if Ben leaves", "conditional", {"written": "if"}),
    ("falls frei, nimm Paris", "conditional", {"written": "falls"}),
    ("neem Parijs als het kan", "conditional", {"written": "als"}),
    ("settings Paris", "missing_text", {"verb": "settings", "country": "france"}),
    ("map Paris:", "missing_text", {"verb": "map", "country": "france"}),
    ("map Paris: Gondor", "unknown_country", {"verb": "map"}),
    ("take Paris?", "question", {"verb": "take"}),
    ("map Paris: Vienna?", "question", {"verb": "map"}),
    ("you attack Paris", "extra_words", {"verb": "attack"}),
    ("you pass", "extra_words", {"verb": "pass"}),
    ("bid 10 on Prague, 20 on Vienna", "two_orders", {"verbs": ("bid",)}),
    ("take Bundes", "ambiguous_country", {}),
    ("bid on Prague", "missing_amount", {}),
    ("bid on 17", "missing_amount", {}),
    ("bid forty on Prague", "missing_amount", {}),
    ("bid 0 on Prague", "bid_too_low", {"written": "0", "least": 1}),
    ("bid -5 on Prague", "bid_too_low", {"written": "-5"}),
    ("bid – 5 on Prague", "bid_too_low", {"written": "-5"}),
    ("17 45 bieten", "bad_number", {}),
    ("result Paris", "missing_outcome", {"country": "france"}),
    ("result Paris won lost", "two_outcomes", {"country": "france"}),
    ("result Paris winner", "missing_player", {"country": "france"}),
    ("result Paris winner Bob", "unknown_player", {"written": "bob"}),
    ("result Paris winner Bne Berg", "unknown_player", {"suggestions": ("ben",)}),
    ("result Paris take Prague won", "two_orders", {}),
    ("press: hello", "press_to_nobody", {}),
    ("take Paris " + "x" * LONGEST_LINE, "too_long", {"verb": "take", "limit": LONGEST_LINE}),
    ("settings Paris: " + "x" * (LONGEST_SETTINGS + 1), "too_long", {"verb": "settings"}),
]


@pytest.mark.parametrize(("text", "reason", "facts"), MISTAKES)
def test_why_a_line_is_not_understood(text: str, reason: str, facts: dict[str, Any]) -> None:
    """Doubt is never executed: the answer names the reason and its facts."""
    answer = mistake(text)
    assert answer.reason == reason
    assert answer.rule in {"11", "K33", "K52", "K63", "K64"}
    assert {key: answer.facts[key] for key in facts} == facts


@pytest.mark.parametrize(
    "number",
    [
        "1.000",
        "1,000",
        "1 000",
        "40,-",
        "4.5",
        "1e3",
        "0x10",
        "+45",
        "045",
        "45-50",
        "٤٥",
        "４５",
        "4²",
        "½",
        "45€",
        "9" * 10,
    ],
)
def test_k52_numbers_have_one_form(number: str) -> None:
    """A bid is plain digits; anything that could be read in two ways is asked about."""
    answer = mistake(f"bid {number} on Prague")
    assert (answer.reason, answer.rule) == ("bad_number", "K52")


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("Ben", "ben"),
        ("ben berg", "ben"),
        ("Celik", "seat-3"),
        ("çelik", "seat-3"),
        ("seat-3", "seat-3"),
        ("is Anna", "anna"),
    ],
)
def test_k33_winners_are_named(text: str, seat: str) -> None:
    """A winner is a player's name, its unique beginning, or the seat."""
    assert order(f"result Paris winner {text}") == Result("france", "winner", seat)


def test_k33_a_winner_may_be_called_anything() -> None:
    """What follows `winner` is a name, even one that looks like an order or a refusal."""
    names = {"a": "Pass", "b": "No", "c": "Winner", "d": "Twin", "e": "twin"}
    for seat in ("a", "b", "c"):
        assert READER.parse(f"result Paris winner {names[seat]}", names).orders == (Result("france", "winner", seat),)
    (line,) = READER.parse("result Paris winner Twin", names).lines
    assert line.mistake is not None
    assert (line.mistake.reason, line.mistake.facts["candidates"]) == ("ambiguous_player", ("d", "e"))
    assert order("Ergebnis Paris Sieger ich") == Result("france", "won")


def test_k63_maps_have_names_too() -> None:
    """A map is named by the country it is printed on or by its own name."""
    for field in FIELDS:
        for name in (*_names(field), *field["battle_map"].values()):
            assert order(f"map Paris: {name}") == MapChoice("france", field["id"])


def test_k12_what_replaces_an_earlier_mail() -> None:
    """Moves, bids, gives and pass replace; press, results, rematch, map and settings replace nothing."""
    replacing = ["take 7", "attack 7", "leave 7", "devastate 7", "join 7", "pass", "bid 1 on 7", "give 7"]
    others = [
        "result 7 won",
        "rematch 7",
        "map 7: 8",
        "settings 7: fast",
        "press to all: take 7",
        "take Gondor",
        "hello",
    ]
    assert all(READER.parse(text).replaces for text in replacing)
    assert not READER.parse("\n".join(others)).replaces


def test_k12_every_line_of_a_mail_is_kept() -> None:
    """Of several moves all are handed on in order; which of them counts is the rules' business."""
    assert READER.parse("take 7\nleave 8\nbid 1 on 17\nbid 2 on 17").orders == (
        Take("belgium"),
        Leave("france"),
        Bid("czech_republic", 1),
        Bid("czech_republic", 2),
    )


def test_a_whole_mail() -> None:
    """Greetings and footers are no mistakes, a bad line stops no good one, and press is no order."""
    text = (
        "Hallo zusammen,\n\n- nimm Österreich\n- bieete 45 auf Prag\n* biete 30 auf Prag  \npress to Ben: nimm Rom\n"
        "end\n"
        "Gruß John\nDiese Nachricht ist nur für ihren Empfänger bestimmt und darf von niemand sonst gelesen werden.\n"
        "[1] take Paris – accepted\n"
    )
    read = READER.read(text, NAMES)
    assert read.parsed.orders == (Take("austria"), Bid("czech_republic", 30))
    assert [line.text for line in read.parsed.lines] == [
        "- nimm Österreich",
        "- bieete 45 auf Prag",
        "* biete 30 auf Prag",
    ]
    assert read.parsed.press == (Press(("Ben",), "nimm Rom"),)
    assert [line[:9] for line in read.prose] == ["[1] take ", "Hallo zus", "Gruß John", "Diese Nac"]


@pytest.mark.parametrize(
    "text",
    [
        "Hallo zusammen,",
        "Gruß Anna",
        "Hi John",
        "Take care, Ben",
        "Pass auf dich auf",
        "Best wishes",
        "Danke!",
        "...",
        "Tel. 0301234567",
    ],
)
def test_chat_is_no_mistake(text: str) -> None:
    """A greeting or a sign-off is neither an order nor a mistake, and is counted as not read."""
    read = READER.read(text, NAMES)
    assert read.parsed.lines == ()
    assert read.prose in {(text,), ()}


def test_a_line_that_the_mail_program_broke() -> None:
    """Two lines that are an order only together are joined if the first is long enough to have been broken."""
    start = f"{'bitte, ' * 7}biete 45 Punkte auf"
    assert READER.parse(f"{start}\nPrag").orders == (Bid("czech_republic", 45),)
    assert READER.parse(f"{start}\n\nPrag").orders == ()
    assert READER.parse(f"{start}\nGondor").orders == ()
    assert READER.parse("biete 45 Punkte auf\nPrag").orders == ()


def test_doubt_reaches_into_the_next_line() -> None:
    """An order right below a line that ends in `do not` isn't executed; a blank line parts them."""
    (line,) = READER.parse("Please do not\ntake Paris").lines
    assert line.mistake is not None
    assert line.mistake.reason == "negated"
    assert READER.parse("I would rather not\n\ntake Paris").orders == (Take("france"),)


COUNTRY = st.sampled_from(IDS)
LINE = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40)
ORDERS: st.SearchStrategy[Order] = st.one_of(
    *(COUNTRY.map(kind) for kind in (Take, Attack, Leave, Devastate, Join, Give, Rematch)),
    st.just(Pass()),
    st.builds(Bid, COUNTRY, st.integers(1, 999_999_999)),
    st.builds(Result, COUNTRY, st.sampled_from(["won", "lost"])),
    st.builds(Result, COUNTRY, st.just("winner"), st.sampled_from(list(NAMES))),
    st.builds(MapChoice, COUNTRY, COUNTRY),
    st.builds(Settings, COUNTRY, LINE),
)


@given(ORDERS)
def test_notation_is_read_back(meant: Order) -> None:
    """What we write is read as what it was."""
    if isinstance(meant, Settings):
        meant = order(READER.notation(Settings(meant.country, f"x{meant.text}")))
    assert order(READER.notation(meant)) == meant


@given(ORDERS, st.integers(1, 99))
def test_what_our_mails_write_is_never_an_order(meant: Order, number: int) -> None:
    """An echo (`[1] …`) or a comment is no order, and no mistake either unless it could be meant as one."""
    written = READER.notation(meant)
    for bare in (f"[{number}] {written}", f"- [{number}] {written}"):
        assert READER.parse(bare, NAMES).orders == ()
    for echo in (
        f"[{number}] {written} – accepted",
        f"# {written}",
        f"> [{number}] {written}",
    ):
        parsed = READER.parse(echo, NAMES)
        assert (parsed.lines, parsed.press, parsed.replaces) == ((), (), False)


PIECES = st.sampled_from(
    [
        *(
            "take",
            "bid",
            "45",
            "-5",
            "on",
            "Prague",
            "Paris",
            "7",
            "angreifen",
            "greife",
            "an",
            "not",
            "if",
            "press",
            "to",
            "all",
        ),
        *(
            ":",
            "end",
            "#",
            "result",
            "winner",
            "won",
            "Anna",
            "map",
            "settings",
            "\n",
            "\r",
            "\u2028",
            "-",
            "1.",
            "²",
            "ﷺ",
            "I",
        ),
    ]
)


@given(
    st.one_of(st.text(), st.lists(PIECES, max_size=30).map(" ".join)), st.dictionaries(st.text(), st.text(), max_size=4)
)
def test_no_text_is_an_exception(text: str, names: dict[str, str]) -> None:
    """Whatever is written, each line is an order, a mistake or neither."""
    read = READER.read(text, names)
    for line in read.parsed.lines:
        assert (line.order is None) != (line.mistake is None)
        assert line.text == line.text.strip()
        assert "\n" not in line.text


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "take " * 40_000,
        "take Gondorr\n" * 2_000,
        "press to all\n" * 2_000,
        "press to a:\n" * 2_000,
        "- " * 100_000,
        "ﷺ" * 60_000,
        "a\u0301\u0301\u0301" * 20_000,
        "\n" * 200_000,
        ("!" * 499 + "\n") * 400,
        ("take " + "1" * 490 + "\n") * 400,
    ],
)
def test_hostile_mails(text: str) -> None:
    """Size and strangeness are no way to get an order in, nor to bring the reader down."""
    assert READER.parse(text, NAMES).orders == ()
