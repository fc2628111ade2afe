"""Check the catalogs: nothing said in a template or in code lacks its words in a language, no placeholder is lost.

    python tools/catalogs.py [FOLDER]

English is what the templates say; its catalog may be empty. German and Dutch have everything, and nothing unsure.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

TRANSLATED = ("de", "nl")
LANGUAGES = (*TRANSLATED, "en")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}")
TEMPLATES = ("jinja", "html", "svg", "xml", "txt", "js", "css", "ics")
JINJA = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}

Key = tuple[str, str | None]


def said(root: Path) -> dict[Key, str]:
    """Every message of templates and code, with the place where it is said."""
    found: dict[Key, str] = {}
    for folder, endings, method in (
        ("templates", TEMPLATES, "jinja2.ext:babel_extract"),
        ("league", ("py",), "python"),
    ):
        patterns = [f"**.{ending}" for ending in endings]
        options = dict.fromkeys(patterns, JINJA if folder == "templates" else {})
        for file, line, message, _, context in extract_from_dir(
            root / folder, [(p, method) for p in patterns], options
        ):
            text = message if isinstance(message, str) else message[0]
            found.setdefault((text, context), f"{folder}/{file}:{line}")
    return found


def catalogs(root: Path, lang: str) -> Iterator[tuple[Path, Catalog]]:
    """The catalogs of a language."""
    for file in sorted((root / "league/locales" / lang / "LC_MESSAGES").glob("*.po")):
        with file.open("rb") as source:
            yield file.relative_to(root), read_po(source, locale=lang)


def faults(root: Path) -> Iterator[str]:
    """What is wrong, a sentence each."""
    needed = said(root)
    for lang in LANGUAGES:
        known: set[Key] = set()
        for file, catalog in catalogs(root, lang):
            yield from (
                f"{file}:{message.lineno}: {fault}"
                for message in catalog
                if message.id
                for fault in _wrong(message, lang)
            )
            known |= {(_first(message.id), message.context) for message in catalog if message.id}
        if lang in TRANSLATED:
            yield from (f"{place}: no {lang} for {key[0]!r}" for key, place in needed.items() if key not in known)


def _wrong(message: Message, lang: str) -> Iterator[str]:
    texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
    if message.fuzzy:
        yield f"unsure (fuzzy): {_first(message.id)!r}"
    if lang in TRANSLATED and not all(texts):
        yield f"no translation of {_first(message.id)!r}"
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    wanted = set(PLACEHOLDER.findall(" ".join(ids)))
    for text in filter(None, texts):
        given = set(PLACEHOLDER.findall(text))
        if given - wanted or (len(texts) == 1 and wanted - given):
            yield f"placeholders differ, {sorted(wanted)} and {sorted(given)}: {text!r}"


def _first(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


def main(root: Path) -> int:
    """Print what is wrong; 1 if anything is."""
    wrong = list(faults(root))
    print("\n".join(wrong) if wrong else "Everything said has its words in every language.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
