"""Files that a site brings itself for its look: a logo, fonts, pictures, published beside the pages as `static-NAME`.

They lie at the root, since each folder there is a league's.
"""

from collections.abc import Iterable
from pathlib import Path

FOLDER = "static"
KINDS = frozenset({".avif", ".css", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp", ".woff2"})


def own_files(site: Path) -> Iterable[tuple[str, bytes]]:
    """What lies in the site's `static` folder and is of a kind that pages use; nothing hidden, nothing by a link."""
    folder = site / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        return
    for file in sorted(folder.iterdir()):
        plain = file.is_file() and not file.is_symlink() and not file.name.startswith(".")
        if plain and file.suffix.lower() in KINDS and file.name.isprintable():
            yield f"{FOLDER}-{file.name}", file.read_bytes()
