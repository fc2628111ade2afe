"""The fresh text, in the situations that letters alone don't pin down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.intake.trim import FENCES, normalise, trim
from tests.intake.standin import is_order


def fresh(text: str) -> list[str]:
    return [line for line in trim(text, is_order).text.split("\n") if line]


@pytest.mark.parametrize(
    "attribution",
    [
        "On Mon, Jan 5, 2026 at 9:00 AM Spring League <league@example.org> wrote:",
        "On 5 Jan 2026, at 09:00, Spring League wrote:",
        "On 05/01/2026 09:00, Spring League wrote:",
        "Am 05.01.26 um 09:00 schrieb Frühlingsliga:",
        "Am Mo., 5. Jan. 2026 um 09:00 Uhr schrieb Frühlingsliga <league@example.org>:",
        "Frühlingsliga <league@example.org> schrieb am Mo., 5. Jan. 2026, 09:00:",
        "Op ma 5 jan 2026 om 09:00 schreef Lenteliga <league@example.org>:",
        "Op 05-01-2026 om 09:00 heeft Lenteliga <league@example.org> het volgende geschreven:",
        "Le 5 janv. 2026 à 09:00, Ligue <league@example.org> a écrit :",
        "El lun, 5 ene 2026 a las 9:00, Liga (<league@example.org>) escribió:",
        "Il giorno lun 5 gen 2026 alle ore 09:00 Lega <league@example.org> ha scritto:",
        "Den mån 5 jan. 2026 kl 09:00 skrev Liga <league@example.org>:",
        "2026-01-05 9:00 GMT+01:00 Spring League <league@example.org>:",
        "5 января 2026 г., Лига <league@example.org> написала:",
        "league@example.org wrote:",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_attributions(attribution: str, gap: str) -> None:
    """The line that says who wrote goes with the quote, however a program words it and wherever it is wrapped."""
    assert fresh(f"take Paris{gap}{attribution}{gap}> take Rom\n\nbid 45 on Prag") == ["take Paris", "bid 45 on Prag"]
    words = attribution.split(" ")
    for cut in range(1, len(words)):
        wrapped = " ".join(words[:cut]) + "\n" + " ".join(words[cut:])
        left = fresh(f"take Paris\n{wrapped}{gap}> take Rom")
        assert left[0] == "take Paris"
        assert [line for line in left if is_order(line)] == ["take Paris"]
        assert sum(map(len, left[1:])) < 20  # at most a name that stood alone in a line


@pytest.mark.parametrize("verb", ["Ben wrote:", "Ben schrieb mir gestern:", "Note this:", "To all: hello"])
def test_prose_with_a_colon_is_no_attribution(verb: str) -> None:
    """A sentence that ends in a colon cuts nothing."""
    assert fresh(f"{verb}\ntake Paris") == [verb, "take Paris"]


@pytest.mark.parametrize("lang", sorted(FENCES))
@pytest.mark.parametrize("form", ["{}", "##- {} -##", "*** {}! ***"])
def test_fence(lang: str, form: str) -> None:
    """Below our own fence line nothing counts, unless it is quoted: then what follows the quote does."""
    fence = form.format(FENCES[lang])
    assert fresh(f"take Paris\n{fence}\ntake Rom") == ["take Paris"]
    assert fresh(f"> {fence}\n> take Rom\ntake Paris") == ["take Paris"]


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from Outlook for Android",
        "Get Outlook for iOS<https://example.net>",
        "Von meinem iPhone gesendet",
        "Von meinem Samsung Galaxy Smartphone gesendet.",
        "Gesendet von Mail für Windows",
        "Gesendet mit der WEB.DE Mail App",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Verstuurd vanaf mijn iPad",
        "Verzonden vanuit Outlook voor Android",
        "Envoyé de mon iPhone",
        "Отправлено с iPhone",
    ],
)
def test_mobile_signatures(line: str) -> None:
    """A phone's own line goes, alone or glued to an order, and never takes an order with it."""
    assert fresh(f"take Paris\n\n{line}\nbid 45 on Prag") == ["take Paris", "bid 45 on Prag"]
    assert fresh(f"take Paris {line}") == ["take Paris"]


def test_a_misspelt_order_is_kept_for_the_answer() -> None:
    """A line above an attribution that is no order stays: its writer must hear of the mistake."""
    assert fresh("tkae Paris\nOn 5 Jan 2026 Ben wrote:\n> x") == ["tkae Paris"]


def test_a_hard_wrapped_order_is_joined() -> None:
    """Two lines become one only if neither is an order and both together are."""
    long = "take " + "x" * 60
    reads = {f"{long} {'y' * 9}", "take Paris"}.__contains__
    assert trim(f"{long}\n{'y' * 9}\ntake Paris", reads).text == f"{long} {'y' * 9}\ntake Paris"
    assert trim(f"take\nParis\n{long}", reads).text == f"take\nParis\n{long}"


def test_nothing_of_a_quote_is_run() -> None:
    """Nested, spaced and other quote signs are all prefixes."""
    assert fresh(">> take Rom\n > take Rom\n| take Rom\n» take Rom\n>take Rom\ntake Paris") == ["take Paris"]


@pytest.mark.parametrize(
    "line",
    [
        "-----Original Message-----",
        "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐",
        "-------- Ursprüngliche Nachricht --------",
        "-----Original-Nachricht-----",
        "-------- Oorspronkelijk bericht --------",
        "----Origineel Bericht----",
        "---------- Forwarded message ---------",
        "---------- Forwarded message from Ben <ben@example.com> ----------",
        "Begin forwarded message:",
        "Anfang der weitergeleiteten Nachricht:",
        "Begin doorgestuurd bericht:",
        "-------- Message d'origine --------",
    ],
)
def test_separators(line: str) -> None:
    """Below the line by which a program announces an earlier mail nothing counts."""
    assert fresh(f"take Paris\n{line}\ntake Rom\n> x\ntake Rom") == ["take Paris"]


def test_two_labels_are_no_header_block() -> None:
    """A word with a colon is no header; a block needs a sender and one more, or three."""
    assert fresh("To: all\nSubject: peace\ntake Paris") == ["To: all", "Subject: peace", "take Paris"]
    assert fresh("From: Ben\ntake Paris\nSent: today") == ["From: Ben", "take Paris", "Sent: today"]
    assert fresh("take Paris\nFrom: Ben\n\nSent: today\ntake Rom") == ["take Paris"]


def test_after_a_signature_text_counts_again_below_a_quote() -> None:
    """A signature ends where the next quote begins."""
    assert fresh("take Paris\n-- \ntake Rom\n> x\nbid 45 on Prag") == ["take Paris", "bid 45 on Prag"]


def test_normalise() -> None:
    """One kind of line end and of space, nothing invisible, composed letters; a mark's long run stays harmless."""
    assert normalise("a\r\nb\rc\u2028d\u00a0e\u200bf\u00adg\0\ufeffh\u202eu\u0308") == "a\nb\nc\nd efghü"
    assert normalise("a" + "\u0316\u0301" * 50_000).startswith("á")


@given(st.text(), st.text())
def test_orders_above_all_are_never_lost(above: str, below: str) -> None:
    """Whatever follows, an order in the first line is read; and a prefixed one never is."""
    left = fresh(f"take Paris\n{below}")
    assert left[:1] == ["take Paris"]
    quoted = "\n".join(f"> {line}" for line in [*above.splitlines(), "take Rom"])
    assert "take Rom" not in fresh(f"take Paris\n{quoted}")


WITHOUT_QUOTES = [
    "take Paris",
    "bid 4 on Prag",
    "--",
    "***",
    "",
    "Sent from my iPhone",
    "Ben",
    "Sent: 1",
    "To: all",
    "x:",
]


@given(st.lists(st.sampled_from(WITHOUT_QUOTES)))
def test_where_nothing_is_quoted_no_order_is_lost(lines: list[str]) -> None:
    """Lines drawn, names, phones' signatures and words with a colon never cost an order."""
    assert [line for line in fresh("\n".join(lines)) if is_order(line)] == [line for line in lines if is_order(line)]


@pytest.mark.parametrize(
    "body", ["x {}\n", "x {}:\n", "--\nx {}\n", "On 5 Jan 2026 x {}:\n> q\n", "{}" + "y" * 60 + "\n"]
)
def test_the_game_is_asked_a_bounded_number_of_times(body: str) -> None:
    """However a text is built, a line costs a few questions to the game: trimming can't be made slow through it."""
    asked: list[str] = []

    def never(line: str) -> bool:
        asked.append(line)
        return False

    trim("".join(body.format(number) for number in range(900)), never)
    assert len(asked) <= 4 * 900
    assert max(map(len, asked), default=0) <= 600


def test_a_clear_signed_text_is_the_text() -> None:
    """PGP's head lines and signature are no text; dashes that it escaped are as they were; what follows counts."""
    signed = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

take Paris
- - take Rom
-----BEGIN PGP SIGNATURE-----

take Wien
iQEzBAEBCAAdFiEEtake
-----END PGP SIGNATURE-----
bid 45 on Prag"""
    assert trim(signed, is_order).text == "take Paris\ntake Rom\nbid 45 on Prag"


def test_a_signature_without_end_goes_to_the_end() -> None:
    """A mail that was cut in its signature holds no orders there."""
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\n\ntake Paris\n-----BEGIN PGP SIGNATURE-----\n\ntake Wien"
    assert trim(signed, is_order).text == "take Paris"


def test_orders_below_a_signature_are_told_of() -> None:
    """They stay unread, but never unseen: all lines there are counted if one of them reads as an order."""
    kept = trim("take Paris\n-- \nBen\ntake Rom\n", is_order)
    assert (kept.text, kept.hidden, kept.quoted) == ("take Paris", 2, 0)
    assert trim("take Paris\n-- \nBen\nBerlin\n", is_order).hidden == 0
