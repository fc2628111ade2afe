"""HTML to lines: one block one line, quotes marked with `>`, what a reader can't see left out.

The tree is a browser's (lexbor), walked without recursion. Building it takes quadratic time on nested elements and
on attributes, so depth is bounded and attributes that say nothing to us are dropped before. Mail programs mark what
they quote by structure: the sets of classes, ids and names below list how.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from league.intake.mime import Unfit

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode as Node

DEEPEST = 1_500
_SIGNATURE_LINES = ("-- ", "--\u00a0")
# fmt: off
_OPAQUE = frozenset({
    "head", "style", "script", "title", "template", "noscript", "textarea", "select", "svg", "math", "object", "iframe",
    "audio", "video", "canvas", "noframes", "noembed", "datalist",
    "s", "strike", "del",  # crossed out: taken back
})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav",
    "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
})
# fmt: on
_CELLS = frozenset({"td", "th"})
_RAISED = {"sup": "^", "sub": "_"}  # so that a 2 above a 1 doesn't make a 12
_HIDDEN = re.compile(
    r"line-through|display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]*[1-9])"
    r"|opacity\s*:\s*0(?![.\d]*[1-9])|max-height\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_VERBATIM = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_WORD_BORDER = re.compile(r"border-top\s*:\s*solid", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9:-]{0,30})"
    r"(?:(?P<rest>(?>\"[^\"]*\"|'[^']*'|[^<>\"'])*+)>|(?P<torn>[^<>]*)>?)"
)
_ATTRIBUTE = re.compile(r"([^\s=/\"'>]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_TELLING = frozenset({"class", "id", "style", "name", "hidden", "data-marker"})
_LONGEST_VALUE = 2_000
_NESTS = frozenset({
    "div", "span", "blockquote", "table", "font", "b", "i", "u", "em", "strong", "a", "center", "section", "article",
    "ul", "ol", "dl", "small", "big", "code", "tt", "s",
})  # fmt: skip

# How mail programs mark what they quote; ids come with `x_` before them once another program has quoted them.
_QUOTE_CLASSES = frozenset({
    "gmail_attr", "gmail_extra", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote",
    "zmail_extra", "moz-forward-container", "apple-mail-quoted", "freebirdmailquote",
})  # fmt: skip
_SIGNATURE_CLASSES = frozenset({
    "gmail_signature", "moz-signature", "protonmail_signature_block", "tutanota_signature", "mobile_signature",
    "k9mail-signature",
})  # fmt: skip
_SIGNATURE_IDS = frozenset({"signature", "_rc_sig", "ms-outlook-mobile-signature", "applemailsignature", "zsignature"})
_QUOTE_NAMES = frozenset({"quote", "messagereplysection", "quoted-content"})
_REST_IDS = frozenset({
    "divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message-container", "outlookmessageheader",
})  # fmt: skip
_QUOTE_MARKERS = frozenset({"__quoted_text__", "__headers__"})
_SENDERS = re.compile(r"\s*(?:from|von|van|de|от|fra|från|da|od)\s*:", re.IGNORECASE)


def lines_of(source: str) -> str:
    """The text as it stands on the screen, a line for each block, quoted lines prefixed; `Unfit` for a bomb."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(_lean(source)).root
    return "\n".join(_Walk().run(root)) if root is not None else ""


def _lean(source: str) -> str:
    """The same elements with the attributes that tell us something."""
    depth = 0

    def bare(hit: re.Match[str]) -> str:
        nonlocal depth
        name = hit["name"].lower()
        if name in _NESTS:  # what a browser doesn't close by itself
            depth = max(depth - 1, 0) if hit["close"] else depth + 1
            if depth > DEEPEST:
                raise Unfit("nested_too_deep")
        if hit["close"]:
            return f"</{name}>"
        kept = "".join(_telling(hit["rest"] or "")) if hit["rest"] else ""
        return f"<{name}{kept}>"

    return _TAG.sub(bare, source)


def _telling(attributes: str) -> Iterator[str]:
    seen = set()
    for key, value in _ATTRIBUTE.findall(attributes):
        name = key.lower()
        if name in _TELLING and name not in seen and len(value) <= _LONGEST_VALUE:
            seen.add(name)
            yield f" {name}={value}" if value else f" {name}"


@dataclass(slots=True)
class _Walk:
    """One pass through the tree; the counters say inside of how many such elements we are."""

    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    quotes: int = 0
    verbatim: int = 0
    cells: int = 0  # inside of a cell whose text is one line
    rest: bool = False  # everything from here on is quoted

    def run(self, root: "Node") -> list[str]:
        """Enter and leave every element in the order of the text."""
        for node, entering in _steps(root):
            tag = node.tag or ""
            if tag == "-text":
                self._text(node.text_content or "")
            else:
                self._element(node, tag, 1 if entering else -1)
        self._end_line()
        return self.lines

    def _element(self, node: "Node", tag: str, step: int) -> None:
        marks = _marks(node, tag)
        if step > 0 and marks.rest:
            self._end_line()
            self.rest = True
        if step > 0 and tag in _RAISED:
            self.line.append(_RAISED[tag])
        if tag in _CELLS:
            self.line.append(" ")
            self.cells += step * marks.cell
        elif tag in _BLOCKS and not self.cells:
            self._end_line()
        self.verbatim += step * marks.verbatim
        if marks.quote:
            self._end_line()
            self.quotes += step

    def _text(self, text: str) -> None:
        whole = text.split("\n") if self.verbatim else [text]
        for part in whole[:-1]:
            self.line.append(part)
            self._end_line()
        self.line.append(whole[-1])

    def _end_line(self) -> None:
        whole = "".join(self.line).strip("\r\n\t")
        text = whole if whole in _SIGNATURE_LINES else _SPACES.sub(" ", whole).strip()
        self.line.clear()
        if text:
            self.lines.append(f"> {text}" if self.quotes or self.rest else text)
        elif self.lines and self.lines[-1]:
            self.lines.append("")


def _steps(root: "Node") -> Iterator[tuple["Node", bool]]:
    """Every node that can be seen, elements twice: entered and left."""
    node: Node | None = root
    while node is not None:
        yield node, True
        child = None if _is_unseen(node) else node.child
        while child is None:
            if node.tag != "-text":
                yield node, False
            if node.mem_id == root.mem_id:
                return
            child = node.next
            if child is None:
                above = node.parent
                if above is None:
                    return
                node = above
                continue
        node = child


def _is_unseen(node: "Node") -> bool:
    tag = node.tag or ""
    if tag.startswith(("-", "!")):
        return True
    if tag in _OPAQUE:
        return True
    known = node.attributes
    if not known:
        return False
    if "hidden" in known or _HIDDEN.search(known.get("style") or ""):
        return True
    return bool(_words(known, "class") & _SIGNATURE_CLASSES) or _id(known) in _SIGNATURE_IDS


@dataclass(frozen=True, slots=True)
class _Marks:
    quote: bool = False
    rest: bool = False
    verbatim: bool = False
    cell: bool = False


_PLAIN, _QUOTE, _PRE, _CELL = _Marks(), _Marks(quote=True), _Marks(verbatim=True), _Marks(cell=True)


def _marks(node: "Node", tag: str) -> _Marks:
    """What an element says about the text in it."""
    if tag == "blockquote":
        return _QUOTE
    if tag == "pre":
        return _PRE
    if tag in _CELLS:
        return _CELL if _is_one_line(node) else _PLAIN
    known = node.attributes
    if not known:
        return _PLAIN
    style = known.get("style") or ""
    if _id(known) in _REST_IDS or (_WORD_BORDER.search(style) and _SENDERS.match(_first_text(node))):
        return _Marks(rest=True)
    return _Marks(quote=_is_quote(node, known), verbatim=bool(style and _VERBATIM.search(style)))


def _is_quote(node: "Node", known: dict[str, str | None]) -> bool:
    classes = _words(known, "class")
    if classes & {"gmail_quote", "gmail_quote_container"}:  # bottom posting stands in it too, behind the quote itself
        return not _has_blockquote(node)
    marker = (known.get("data-marker") or "").lower()
    name = (known.get("name") or "").lower()
    return bool(classes & _QUOTE_CLASSES) or name in _QUOTE_NAMES or marker in _QUOTE_MARKERS


def _first_text(node: "Node") -> str:
    """The first words in an element, looked for along the edge alone."""
    inner = node.child
    for _ in range(30):
        if inner is None:
            return ""
        text = (inner.text_content or "").strip() if inner.tag == "-text" else ""
        if text:
            return text
        inner = inner.next if inner.tag == "-text" or inner.child is None else inner.child
    return ""


def _has_blockquote(node: "Node") -> bool:
    inner = node.child
    while inner is not None:
        if inner.tag == "blockquote":
            return True
        inner = inner.next
    return False


def _words(known: dict[str, str | None], name: str) -> set[str]:
    return {word.removeprefix("x_") for word in (known.get(name) or "").lower().split()}


def _id(known: dict[str, str | None]) -> str:
    return (known.get("id") or "").lower().removeprefix("x_")


def _is_one_line(cell: "Node") -> bool:
    """A table as an order form: whatever stands in a cell, it is one line's part (at most one paragraph, no break)."""
    blocks = 0
    node = cell.child
    while node is not None:
        blocks += node.tag in _BLOCKS
        if node.tag == "br" or blocks > 1:
            return False
        inner = node.child if node.tag in _BLOCKS else None
        while inner is not None:
            if inner.tag in _BLOCKS:
                return False
            inner = inner.next
        node = node.next
    return True
