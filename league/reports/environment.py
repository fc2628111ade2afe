"""The Jinja environments: one a language and site, each template compiled once a process."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
    pass_eval_context,
    select_autoescape,
)
from jinja2.bccache import Bucket, BytecodeCache, FileSystemBytecodeCache
from jinja2.nodes import EvalContext
from markupsafe import Markup

from league.i18n import catalog
from league.reports.context import SiteInfo
from league.reports.own_loader import OwnLoader
from league.reports.spans import Span, forget
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


Made = TypeVar("Made")
_WITHOUT_OWN = ContextVar("without_own", default=False)
_NOTED: ContextVar[list[Exception] | None] = ContextVar("noted", default=None)


@contextmanager
def without_own() -> Iterator[None]:
    """Within this a site's own templates aren't used: what one of them breaks is written with ours instead."""
    token = _WITHOUT_OWN.set(True)
    try:
        yield
    finally:
        _WITHOUT_OWN.reset(token)


@contextmanager
def noting() -> Iterator[list[Exception]]:
    """Within this, what a site's own templates have broken is gathered, for the organizer."""
    found: list[Exception] = []
    token = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(token)


def mended(make: Callable[[], Made]) -> Made:
    """What `make` makes; where a template of the site's own breaks it, once more with ours: a slip costs no mail."""
    try:
        return make()
    except Exception as error:
        if _WITHOUT_OWN.get():
            raise
        forget()
        with without_own():
            made = make()  # raises again, if the fault is ours
        noted = _NOTED.get()
        if noted is not None:
            noted.append(error)
        return made


def environment(lang: str, site: SiteInfo) -> Environment:
    """The environment for a language: the site's templates first, then plug-ins', then ours; `!/` is always ours."""
    own = () if _WITHOUT_OWN.get() else site.templates
    return _environment(lang, own, site.games, site.locales, site.compiled, site.edition)


@cache
def module_of(made: Environment, name: str) -> Any:  # a template's macros and lists
    """A template's module; None where there is no such template, which is asked of every folder but once."""
    try:
        return made.get_template(name).module
    except TemplateNotFound:
        return None


@cache
def _environment(
    lang: str,
    own: tuple[Path, ...],
    games: tuple[tuple[str, Path], ...],
    locales: tuple[Path, ...],
    compiled: Path | None,
    _edition: int = 0,
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
    words = catalog(lang, locales, compiled)
    made.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]
    made.globals.update(gettext=_looked_up(words), _=_looked_up(words), range=Span)
    return made


def _looked_up(words: NullTranslations) -> Callable[..., str]:
    """Jinja's own `gettext` of the new style, but each sentence is looked up and marked as safe once.

    A page says hundreds, most of them without variables, and pages are made by the ten thousand.
    """
    plain: dict[tuple[str, bool], str] = {}
    whole: dict[tuple[str, bool], str] = {}

    @pass_eval_context
    def gettext(context: EvalContext, message: str, /, **variables: object) -> str:
        key = message, bool(context.autoescape)
        if not variables and key in whole:
            return whole[key]
        if key not in plain:
            said = words.gettext(message)
            plain[key] = Markup(said) if key[1] else said  # noqa: S704  # a catalog's own words, as Jinja has it
        if variables:
            return plain[key] % variables
        whole[key] = plain[key] % {}  # a doubled sign for per cent becomes one
        return whole[key]

    return gettext


def _loader(own: Sequence[Path], games: Sequence[tuple[str, Path]]) -> BaseLoader:
    ours = FileSystemLoader(str(bundled("templates")))
    return ChoiceLoader(
        [
            *(OwnLoader(place) for place in own),
            *(PrefixLoader({slug: FileSystemLoader(str(place))}) for slug, place in games),
            PrefixLoader({"!": ours}),
            ours,
        ]
    )
