"""Every link of a published folder, followed without a browser: to files that are there, and to anchors within them."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

LINK = re.compile(r'<(?!use\b)[a-z]+\b[^>]*? (?:href|src|data-src)="([^"]*)"')
INNER = re.compile(r'<use\b[^>]*? href="#([^"]*)"')
ANCHOR = re.compile(r' id="([^"]*)"')
NEVER = "none"  # what a map's halo refers to while it lies around nothing


def dead_links(public: Path, site: str = "") -> list[str]:
    """Links that lead nowhere, each as `page: link`; whole addresses that begin with `site` are its own."""
    files = {file.relative_to(public).as_posix(): file for file in sorted(public.rglob("*")) if file.is_file()}
    pages = {name: file.read_text("utf-8") for name, file in files.items() if name.endswith(".html")}
    anchors = {name: set(ANCHOR.findall(page)) for name, page in pages.items()}
    found = [f"{name}: #{one} (drawn)" for name, page in pages.items() for one in drawn(page) - anchors[name]]
    for name, page in pages.items():
        links = sorted({link.replace("&amp;", "&") for link in LINK.findall(page)})
        found += [f"{name}: {link}" for link in links if not leads(name, link, files, anchors, site)]
    for name, file in files.items():
        if name.endswith("feed.xml"):
            links = [one.get("href", "") for one in ET.parse(file).iter("{http://www.w3.org/2005/Atom}link")]
            found += [f"{name}: {link}" for link in links if not leads(name, link, files, anchors, site)]
    return found


def drawn(page: str) -> set[str]:
    """What the maps of a page refer to."""
    return set(INNER.findall(page)) - {NEVER}


def leads(page: str, link: str, files: dict[str, Path], anchors: dict[str, set[str]], site: str) -> bool:
    """Whether a link leads to a file of the folder, and to an anchor that is there."""
    if site and link.startswith(site):
        page, link = "", link.removeprefix(site)
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme in ("mailto", "data") and bool(parts.path)
    target = normpath(join(dirname(page), unquote(parts.path))) if parts.path else page
    if (target if target in files else f"{target}/index.html") not in files:
        return False
    return not parts.fragment or unquote(parts.fragment) in anchors.get(target, set())
