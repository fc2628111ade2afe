"""Languages: catalogs read from .po at start, and dates and numbers as players read them.

Babel is imported where it is used, so that a command that prints one line doesn't pay for it.
"""

import struct
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from zoneinfo import ZoneInfo

LANGS = ("de", "en", "nl")
LOCALES = {"de": "de_DE", "en": "en_GB", "nl": "nl_NL"}
NATIVE = {"de": "Deutsch", "en": "English", "nl": "Nederlands"}
KNOWN = 4096  # days and times whose words are kept: Babel works each out anew, and pages name the same ones
MINUS = "\N{MINUS SIGN}"


def folder() -> Path:
    """Where our own catalogs lie."""
    return Path(str(files("league"))) / "locales"


def supported(lang: str) -> str:
    """The language we can speak that is nearest to a tag such as `de-AT`; English for all others."""
    short = lang.replace("_", "-").split("-")[0].lower()
    return short if short in LANGS else "en"


@cache
def catalog(lang: str, extra: tuple[Path, ...] = (), kept: Path | None = None) -> NullTranslations:
    """The catalog of a language; those in `extra` (a plug-in's, a site's) go before ours.

    `kept` is a folder, there already and nobody else's, in which compiled catalogs outlive the process.
    """
    chain = [read for place in (*extra, folder()) for read in _domains(place, lang, kept)]
    head: NullTranslations = chain[0] if chain else NullTranslations()
    for other in chain[1:]:
        head.add_fallback(other)
    return head


def _domains(place: Path, lang: str, kept: Path | None) -> list[GNUTranslations]:
    return [_read(path.read_bytes(), kept) for path in sorted((place / lang / "LC_MESSAGES").glob("*.po"))]


def _read(source: bytes, kept: Path | None) -> GNUTranslations:
    if kept is None:
        return GNUTranslations(BytesIO(_compiled(source)))
    file = kept / f"{sha256(source).hexdigest()}.mo"
    try:
        return GNUTranslations(BytesIO(file.read_bytes()))
    except (OSError, UnicodeDecodeError, struct.error):  # not there yet, or the disk spoilt it
        made = _compiled(source)
        _keep(file, made)
        return GNUTranslations(BytesIO(made))


def _compiled(source: bytes) -> bytes:
    """A catalog as gettext reads it; ten times the work of reading it."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = BytesIO()
    write_mo(made, read_po(BytesIO(source)))
    return made.getvalue()


def _keep(file: Path, content: bytes) -> None:
    """Two processes may write it at once, and one that can't write it works without."""
    with suppress(OSError), NamedTemporaryFile(dir=file.parent, delete=False) as made:
        made.write(content)
        Path(made.name).replace(file)


@lru_cache(KNOWN)
def day(value: date | str, lang: str) -> str:
    """A day with its weekday: `Friday 5 January 2024`."""
    from babel.dates import format_date

    read = date.fromisoformat(value) if isinstance(value, str) else value
    return format_date(read, "full", locale=LOCALES[lang])


@lru_cache(KNOWN)
def weekday(number: int, lang: str) -> str:
    """A day of the week, Monday is 0: `Thursday`."""
    from babel.dates import get_day_names

    return str(get_day_names("wide", context="stand-alone", locale=LOCALES[lang])[number])


@lru_cache(KNOWN)
def month(value: str, lang: str) -> str:
    """A month of `2024-01`: `January 2024`."""
    from babel.dates import format_date

    return format_date(date.fromisoformat(f"{value}-01"), "LLLL y", locale=LOCALES[lang])


@lru_cache(KNOWN)
def date_of(value: date | str, lang: str) -> str:
    """A day in few letters, for tables: `5 Jan 2024`."""
    from babel.dates import format_date

    read = date.fromisoformat(value) if isinstance(value, str) else value
    return format_date(read, "medium", locale=LOCALES[lang])


def when(instant: datetime, zone: str, lang: str) -> str:
    """A wall-clock time in a zone; midnight is the 24:00 of the day that ends, as deadlines are announced."""
    local, of_day = instant.astimezone(ZoneInfo(zone)), day_of(instant, zone)
    clock = f"{local:%H:%M}" if of_day == local.date() else "24:00"
    return f"{day(of_day, lang)}, {clock} ({zone})"


@lru_cache(KNOWN)
def moment(instant: datetime, zone: str, lang: str) -> str:
    """When something was, in few letters: `Fri 12 Jan, 19:17`. No deadline: midnight is the 00:00 that begins."""
    from babel.dates import format_skeleton

    local = instant.astimezone(ZoneInfo(zone))
    return f"{format_skeleton('MMMEd', local, locale=LOCALES[lang])}, {local:%H:%M}"


def noted(instant: datetime, zone: str, lang: str) -> str:
    """When something was, with its year: `12 Jan 2024, 19:17`."""
    local = instant.astimezone(ZoneInfo(zone))
    return f"{date_of(local.date(), lang)}, {local:%H:%M}"


def day_of(instant: datetime, zone: str) -> date:
    """The day to which a deadline belongs: midnight is the end of a day, not the beginning of the next."""
    return (instant.astimezone(ZoneInfo(zone)) - timedelta(microseconds=1)).date()


def start(instant: datetime, zone: str, lang: str) -> str:
    """The same for the beginning of something: midnight is the 00:00 of the day that begins."""
    local = instant.astimezone(ZoneInfo(zone))
    return f"{day(local.date(), lang)}, {local:%H:%M} ({zone})"


def utc(instant: datetime) -> str:
    """The same instant for everyone: `2024-01-11 23:00 UTC`."""
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def number(value: int | str, lang: str) -> str:
    """A number with the language's signs; a decimal keeps the digits that were published."""
    sign = MINUS if str(value).startswith("-") else ""
    whole, _, rest = str(value).lstrip("-").partition(".")
    if not whole.isdigit() or (rest and not rest.isdigit()):
        return str(value)
    groups, point = (",", ".") if lang == "en" else (".", ",")
    grouped = whole if len(whole) < 5 else f"{int(whole):,}".replace(",", groups)
    return f"{sign}{grouped}{point}{rest}" if rest else f"{sign}{grouped}"


def signed(value: int, lang: str) -> str:
    """A change: `+7`, a minus sign, or `±0`."""
    if value == 0:
        return "±0"
    return f"+{number(value, lang)}" if value > 0 else number(value, lang)


def listed(items: Sequence[str], lang: str) -> str:
    """`A, B and C` in the language."""
    return _listed(tuple(items), lang) if items else ""


IF = {"en": "if ", "de": "wenn ", "nl": "als "}  # what conditions begin with


def conditions(clauses: Sequence[str], lang: str) -> str:
    """`if A and B` of `if A` and `if B`: what all of them begin with is said once."""
    lead = IF[lang]
    begun = (before.startswith(lead) for before in ("", *clauses))
    short = [one.removeprefix(lead) if again else one for one, again in zip(clauses, begun, strict=False)]
    return listed(short, lang)


@lru_cache(KNOWN)
def _listed(items: tuple[str, ...], lang: str) -> str:
    from babel.lists import format_list

    return format_list(list(items), locale=LOCALES[lang])


def either(items: Sequence[str], lang: str) -> str:
    """`A, B or C` in the language."""
    from babel.lists import format_list

    return format_list(list(items), style="or", locale=LOCALES[lang]) if items else ""
