"""HTML to lines: one block one line, quotes marked with `>`, what a reader can't see left out.

Own tokens instead of `html.parser`: that one takes quadratic time on unclosed constructs, this one is linear.
"""

import re
from collections.abc import Iterator
from html import unescape

_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9:-]{0,30})(?P<rest>(?>\"[^\"]*\"|'[^']*'|[^<>\"'])*+)>")
# fmt: off
_OPAQUE = frozenset({
    "head", "style", "script", "title", "template", "noscript", "textarea", "select", "svg", "math", "object", "iframe",
})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav",
    "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
})
# fmt: on
_CELLS = frozenset({"td", "th"})
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "col", "area", "base"})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|\bhidden(?=[\s=/]|$)", re.IGNORECASE)
_QUOTE_CLASS = re.compile(r"\bclass\s*=\s*[\"'][^\"']*\bgmail_quote\b", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f]+")


def lines_of(source: str) -> str:
    """The text as it stands on the screen, a line for each block, quoted lines prefixed."""
    out: list[str] = []
    line: list[str] = []
    quotes = _Depth()
    verbatim = 0
    for token, is_tag in _visible(source):
        if not is_tag:
            text = unescape(token)
            *whole, rest = text.split("\n") if verbatim > 0 else [text]
            for part in whole:
                line.append(part)
                _end_line(out, line, quoted=bool(quotes))
            line.append(rest)
            continue
        name, opening = token.lstrip("/").split(" ", 1)[0], not token.startswith("/")
        if name == "pre":
            verbatim += 1 if opening else -1
        if name in _CELLS:
            line.append(" ")
        if name in _BLOCKS:
            _end_line(out, line, quoted=bool(quotes))
        quotes.see(name, token, opening=opening)
    _end_line(out, line, quoted=bool(quotes))
    return "\n".join(out)


def _end_line(out: list[str], line: list[str], *, quoted: bool) -> None:
    text = _SPACES.sub(" ", "".join(line)).strip()
    line.clear()
    if text:
        out.append(f"> {text}" if quoted else text)
    elif out and out[-1]:
        out.append("")


class _Depth:
    """How deep we are in quotes: each is left where its own kind of element closes."""

    def __init__(self) -> None:
        self.open: list[list[int | str]] = []

    def __bool__(self) -> bool:
        return bool(self.open)

    def see(self, name: str, token: str, *, opening: bool) -> None:
        if opening and name not in _VOID:
            if self.open and self.open[-1][0] == name:
                self.open[-1][1] = int(self.open[-1][1]) + 1
            elif name == "blockquote" or (name == "div" and _QUOTE_CLASS.search(token)):
                self.open.append([name, 1])
        elif self.open and self.open[-1][0] == name:
            self.open[-1][1] = int(self.open[-1][1]) - 1
            if not self.open[-1][1]:
                self.open.pop()


def _visible(source: str) -> Iterator[tuple[str, bool]]:
    """Text and tags (`name attributes` or `/name`) without comments, opaque elements and hidden subtrees."""
    skipped, depth = "", 0
    for token, is_tag in _tokens(source):
        if not skipped:
            name = token.split(" ", 1)[0] if is_tag else ""
            if is_tag and not name.startswith("/") and name not in _VOID and _unseen(name, token):
                skipped, depth = name, 1
            else:
                yield token, is_tag
        elif is_tag and token.split(" ", 1)[0] == skipped:
            depth += skipped not in _OPAQUE
        elif is_tag and token == f"/{skipped}":
            depth -= 1
            if not depth:
                skipped = ""


def _unseen(name: str, token: str) -> bool:
    return name in _OPAQUE or bool(_HIDDEN.search(token))


def _tokens(source: str) -> Iterator[tuple[str, bool]]:
    at = 0
    while (start := source.find("<", at)) >= 0:
        if start > at:
            yield source[at:start], False
        hit = _TAG.match(source, start)
        if hit:
            name = hit["name"].lower()
            yield (f"/{name}" if hit["close"] else f"{name} {hit['rest']}"), True
            at = hit.end()
        elif source.startswith("<!--", start):
            end = source.find("-->", start + 4)
            at = len(source) if end < 0 else end + 3
        elif source[start + 1 : start + 2] in {"!", "?"}:
            end = source.find(">", start)
            at = len(source) if end < 0 else end + 1
        else:
            yield "<", False
            at = start + 1
    if at < len(source):
        yield source[at:], False
