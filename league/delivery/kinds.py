"""What kind of thing a published file is, by its name, for servers that have to be told."""

KINDS = {
    ".avif": "image/avif",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".ics": "text/calendar; charset=utf-8",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".toml": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/atom+xml; charset=utf-8",
}
PLAIN = "text/plain; charset=utf-8"  # a manifest, a checkpoint, a program to read before it is run


def kind_of(name: str) -> str:
    """The media type of a file of the published folder."""
    stem, dot, suffix = name.rpartition("/")[2].rpartition(".")
    return KINDS.get(f".{suffix.lower()}", PLAIN) if stem and dot else PLAIN
