"""What commands share: the context, options with one meaning everywhere, and how answers are printed.

Imported by `league --help`, so nothing but click and light modules of the standard library may be imported here.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, TypeVar

import click

from league.core.errors import Refused

if TYPE_CHECKING:
    from pathlib import Path

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

LANGUAGES = ("de", "en", "nl")
FIRST_YEAR, LAST_YEAR = 1990, 2199


def _path(name: str = ".") -> "Path":
    from pathlib import Path  # a tenth of what `league --help` may cost

    return Path(name)


@dataclass(frozen=True, slots=True)
class Context:
    """The global options. `now` and `lang` are None where the clock and the settings decide."""

    site: "Path" = field(default_factory=_path)
    now: datetime | None = None
    lang: str | None = None
    verbose: bool = False
    quiet: bool = False
    match: str = ""


class Instant(click.ParamType[datetime]):
    """An ISO time that says its zone; turned into UTC."""

    name = "instant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The time, or a usage error that shows how to write one."""
        if isinstance(value, datetime):
            return value.astimezone(UTC)
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a time; write it like 2026-01-08T22:59:00Z", param, ctx)
        if read.tzinfo is None:
            self.fail(f"{value!r} names no time zone; write {value}Z for UTC or {value}+01:00", param, ctx)
        if not FIRST_YEAR <= read.year <= LAST_YEAR:
            self.fail(f"{value!r} is out of reach; years from {FIRST_YEAR} to {LAST_YEAR} are", param, ctx)
        return read.astimezone(UTC)


def _remember(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that puts a global option into the context."""

    def remember(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
        if value is not None and value is not False:
            if name == "no_color":
                ctx.color = False
            else:
                value = _path(value) if name == "site" else value
                ctx.obj = replace(ctx.obj or Context(), **{name: value})
                ctx.find_root().obj = ctx.obj
        return value

    return remember


def global_options(*, hidden: bool = False) -> list[click.Option]:
    """The options that may stand before a command and after it; shown in the help of `league` alone."""
    told: dict[str, Any] = {"expose_value": False, "is_eager": True, "hidden": hidden}
    # Only before the command the environment counts: else it would win over an option that stands there.
    site_env = None if hidden else "LEAGUE_SITE"
    return [
        click.Option(
            ["--site"],
            type=click.Path(),
            metavar="D",
            envvar=site_env,
            help="Folder of the site (default: $LEAGUE_SITE, else the current folder).",
            callback=_remember("site"),
            **told,
        ),
        click.Option(
            ["--now"],
            type=Instant(),
            metavar="ISO",
            help="Act as if it were this time (tests, replays).",
            callback=_remember("now"),
            **told,
        ),
        click.Option(
            ["--lang"],
            type=click.Choice(LANGUAGES),
            help="Language of what is told about the game.",
            callback=_remember("lang"),
            **told,
        ),
        click.Option(
            ["-v", "--verbose"], is_flag=True, help="Tell more, also of faults.", callback=_remember("verbose"), **told
        ),
        click.Option(["--quiet"], is_flag=True, help="Tell only of trouble.", callback=_remember("quiet"), **told),
        click.Option(["--no-color"], is_flag=True, help="No colours.", callback=_remember("no_color"), **told),
    ]


def accept_globals(command: click.Command) -> click.Command:
    """Let the global options also stand after a command and its subcommands, unless an own option has that name."""
    own = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    command.params += [option for option in global_options(hidden=True) if not own & set(option.opts)]
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            accept_globals(inner)
    return command


def pass_context(command: Callable[Concatenate[Context, P], T]) -> Callable[P, T]:
    """Hand the command the `Context` as its first argument."""
    return click.make_pass_decorator(Context, ensure=True)(command)


def example(*lines: str) -> str:
    """The end of a command's help: `epilog=example("league status")`."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def json_option(command: F) -> F:
    """`--json`: the answer as JSON, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")(command)


def league_argument(command: F) -> F:
    """LEAGUE, the short name of a league, handed over as `league`; and `--match M`, which goes into the context."""
    named = click.option(
        "--match",
        metavar="M",
        help="Which match, where the league holds several.",
        expose_value=False,
        callback=_remember("match"),
    )
    return named(click.argument("league", metavar="LEAGUE")(command))


def dry_run_option(command: F) -> F:
    """`--dry-run`: tell what would be done and do nothing."""
    return click.option("--dry-run", is_flag=True, help="Tell what would be done, and do nothing.")(command)


def emit(data: object, as_json: bool, text: str | Callable[[], str]) -> None:
    """Print the answer: as JSON for programs, as text for people. A function of the text is only called if needed."""
    if as_json:
        click.echo(_json(data, indent=2))
    else:
        click.echo(text if isinstance(text, str) else text())


def emit_lines(rows: Iterable[object]) -> None:
    """Print JSON Lines: each row on a line as soon as it is there."""
    for row in rows:
        click.echo(_json(row))


def say(context: Context, message: str, *, detail: bool = False) -> None:
    """Talk to the person at the terminal, on stderr; `detail` is told with `-v` alone."""
    if context.verbose or not (context.quiet or detail):
        click.echo(message, err=True)


def die(message: str) -> NoReturn:
    """End the command with a message and exit code 1."""
    raise Refused(message)


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`; a file that is no text is a usage error."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else _path(path).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise click.FileError(path, error.strerror) from error
    except UnicodeDecodeError as error:
        message = f"{path} is not UTF-8."
        raise click.UsageError(message) from error


def _json(data: object, indent: int | None = None) -> str:
    from json import dumps

    return dumps(data, ensure_ascii=False, indent=indent)
