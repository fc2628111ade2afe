"""Catalogs of the player-facing text: `catalogs.py extract` brings them up to date, `catalogs.py check` judges them.

Every string of the templates and of `league/` has a place in each language; German and Dutch are translated in
full, English stands for itself. What the check finds it prints, a line a fault, and exits with 1.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from re import findall

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "league" / "locales"
LANGS = ("de", "en", "nl")
SOURCE = "en"
JINJA = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
METHODS: tuple[tuple[Path, list[tuple[str, str]], dict[str, dict[str, str]]], ...] = (
    (ROOT / "templates", [("**.html", "jinja2"), ("**.txt", "jinja2"), ("**.jinja", "jinja2")], {"**": JINJA}),
    (ROOT / "league", [("**.py", "python")], {}),
)
PLACEHOLDER = r"%\((\w+)\)[sd]"


def path(lang: str) -> Path:
    """Where a language's catalog lies."""
    return LOCALES / lang / "LC_MESSAGES" / "league.po"


def extracted() -> Catalog:
    """All strings in use, without places: a moved line is no change of a catalog."""
    catalog = Catalog(project="league", charset="utf-8")
    for folder, methods, options in METHODS:
        for _, _, message, _, context in extract_from_dir(folder, methods, options):
            catalog.add(message, context=context)
    return catalog


def read(lang: str) -> Catalog:
    """The stored catalog of a language; an empty one before the first time."""
    if not path(lang).exists():
        return Catalog(locale=lang, project="league", charset="utf-8")
    with path(lang).open("rb") as file:
        return read_po(file, locale=lang)


def extract() -> None:
    """New strings in, unused ones out, translations kept; the same input gives the same bytes."""
    template = extracted()
    for lang in LANGS:
        old = read(lang)
        new = Catalog(locale=lang, project="league", charset="utf-8", fuzzy=False)
        for message in sorted((m for m in template if m.id), key=_key):
            known = old.get(message.id, message.context)
            new.add(message.id, known.string if known else None, context=message.context)
        path(lang).parent.mkdir(parents=True, exist_ok=True)
        with path(lang).open("wb") as file:
            write_po(file, new, width=100, omit_header=False, sort_output=False)
        _strip_dates(path(lang))


def _key(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _strip_dates(file: Path) -> None:
    """Dates in a header would make every extraction a change."""
    dated = ('"POT-Creation', '"PO-Revision', "# Translations", "# Copyright", "# This file", "# FIRST")
    kept = [line for line in file.read_text("utf-8").split("\n") if not line.startswith(dated)]
    while kept and kept[0] in {"#", ""}:
        kept.pop(0)
    file.write_text("\n".join(kept), "utf-8")


def faults() -> Iterator[str]:
    """What is missing, fuzzy, left over, or has other placeholders than its source."""
    used = {(_key(m), m.context): m for m in extracted() if m.id}
    for lang in LANGS:
        stored = {(_key(m), m.context): m for m in read(lang) if m.id}
        for key in sorted(set(used) - set(stored)):
            yield f"{lang}: not in the catalog: {key[0][0]!r}"
        for key in sorted(set(stored) - set(used)):
            yield f"{lang}: no longer used: {key[0][0]!r}"
        for key in sorted(set(stored) & set(used)):
            yield from (f"{lang}: {fault}: {key[0][0]!r}" for fault in _message_faults(lang, stored[key]))


def _message_faults(lang: str, message: Message) -> Iterator[str]:
    strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    if message.fuzzy:
        yield "fuzzy"
    if lang != SOURCE and not all(strings):
        yield "not translated"
    wanted = set(findall(PLACEHOLDER, " ".join(_key(message))))
    for string in filter(None, strings):
        if set(findall(PLACEHOLDER, string)) != wanted and not (isinstance(message.id, tuple) and wanted):
            yield "other placeholders than its source"
        if not set(findall(PLACEHOLDER, string)) <= wanted:
            yield "a placeholder that nobody fills"


def main(arguments: list[str]) -> int:
    """The script: `extract` or `check`."""
    if arguments == ["extract"]:
        extract()
        return 0
    if arguments == ["check"]:
        found = list(faults())
        print("\n".join(found) if found else "catalogs are complete")
        return 1 if found else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
