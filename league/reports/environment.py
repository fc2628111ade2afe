"""The Jinja environments: one a language and site, each template compiled once a process."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    select_autoescape,
)
from jinja2.bccache import Bucket, BytecodeCache, FileSystemBytecodeCache

from league.i18n import catalog
from league.reports.context import SiteInfo
from league.resources import bundled


class _Compiled(BytecodeCache):
    """Templates compiled for one language serve the others: words are looked up when a template runs."""

    def __init__(self) -> None:
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.code:
            bucket.bytecode_from_string(self.code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


def environment(lang: str, site: SiteInfo) -> Environment:
    """The environment for a language: the site's templates first, then plug-ins', then ours; `!/` is always ours."""
    return _environment(lang, site.templates, site.games, site.locales, site.compiled)


@cache
def _environment(
    lang: str,
    own: tuple[Path, ...],
    games: tuple[tuple[str, Path], ...],
    locales: tuple[Path, ...],
    compiled: Path | None,
) -> Environment:
    made = Environment(
        loader=_loader(own, games),
        autoescape=select_autoescape(("html", "svg", "xml")),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_COMPILED if compiled is None else FileSystemBytecodeCache(str(compiled)),
        auto_reload=False,
        cache_size=-1,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(catalog(lang, locales, compiled), newstyle=True)  # type: ignore[attr-defined]
    return made


def _loader(own: Sequence[Path], games: Sequence[tuple[str, Path]]) -> BaseLoader:
    ours = FileSystemLoader(str(bundled("templates")))
    return ChoiceLoader(
        [
            *(FileSystemLoader(str(place)) for place in own),
            *(PrefixLoader({slug: FileSystemLoader(str(place))}) for slug, place in games),
            PrefixLoader({"!": ours}),
            ours,
        ]
    )
