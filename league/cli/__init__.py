"""The command line: nouns, then verbs. A command's module is imported when that command is called, not before."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from league import __version__
from league.cli.common import Context, accept_globals, example, global_options
from league.core.errors import LeagueError

__all__ = ["Context", "cli", "main"]

REFUSED, INTERRUPTED = 1, 130
COLLECT_AFTER = 50_000  # objects; the default of 700 spends a tenth of a short run on looking for circles of imports


class Entry(NamedTuple):
    """A command that isn't imported yet: its module, what it is called there, and its line in the list."""

    module: str
    attribute: str
    help: str


COMMANDS = {
    "demo": Entry("league.cli.demo", "cli", "An offline league: bots mail orders, rounds are played, pages appear."),
    "init": Entry("league.cli.init", "cli", "Make a site: the folder in which leagues live."),
    "status": Entry("league.cli.status", "cli", "What is open, what is due, what waits for you."),
    "doctor": Entry("league.cli.doctor", "cli", "Look for what is wrong or weak in a site."),
    "log": Entry("league.cli.log", "cli", "The journal: who did what, when and why."),
    "games": Entry("league.cli.games", "cli", "The games that are installed, their options and rules."),
    "new": Entry("league.cli.new", "cli", "Open a league."),
    "player": Entry("league.cli.player", "cli", "The players of a league."),
    "mail": Entry("league.cli.mail", "cli", "Mail in and out."),
    "orders": Entry("league.cli.orders", "cli", "Orders: what came, and what a text would mean."),
    "draw": Entry("league.cli.draw", "cli", "Public figures and what the rules make of them."),
    "result": Entry("league.cli.result", "cli", "Results of battles."),
    "round": Entry("league.cli.round", "cli", "The open round: look at it, try it, resolve it."),
    "key": Entry("league.cli.key", "cli", "The key that signs receipts and records."),
    "publish": Entry("league.cli.publish", "cli", "Build the public pages."),
    "run": Entry("league.cli.run", "cli", "Everything that is due now, in the right order."),
    "backup": Entry("league.cli.backup", "cli", "One file that holds all that can't be made again."),
    "restore": Entry("league.cli.restore", "cli", "A site out of a backup."),
    "export": Entry("league.cli.export", "cli", "One league in one file, for another site; on hold here."),
    "import": Entry("league.cli.import", "cli", "A league from another site."),
    "verify": Entry("league.cli.verify", "cli", "Recompute what is published; hold saved mails against it."),
    "rebuild": Entry("league.cli.rebuild", "cli", "A site once more from raw mails, journal and key."),
    "adjudicate": Entry("league.cli.adjudicate", "cli", "A position and orders in, the outcome out; no site needed."),
    "simulate": Entry("league.cli.simulate", "cli", "Leagues of bots in memory: how a game plays out."),
    "cases": Entry("league.cli.cases", "cli", "Adjudication cases: situations with their expected outcome."),
}


class Lazy(click.Group):
    """A group that knows the names of its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which an organizer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        if cmd_name not in self.commands:
            command = getattr(import_module(entry.module), entry.attribute)
            self.commands[cmd_name] = accept_globals(command)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, or a usage error that names the nearest one."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1, cutoff=0)[0]
            ctx.fail(f"No such command {args[0]!r}; nearest: {near}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command by the table alone."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)
        ]

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; whatever is not foreseen is told as a fault of the program."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, LeagueError, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001  # the border of the program
            return _fault(error, ctx.obj or Context())


@click.group(
    cls=Lazy,
    params=list(global_options()),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("league demo", "league round status spring --json"),
)
@click.version_option(__version__, prog_name="league", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Run leagues that are played by mail."""
    ctx.obj = ctx.obj or Context()
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code: 0 done, 1 refused or a person is needed, 2 usage, 130 interrupted.

    A command ends with another code by returning it, or by `ctx.exit(code)`.
    """
    gc.set_threshold(COLLECT_AFTER)
    try:
        code = cli.main(args, prog_name="league", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except LeagueError as error:
        click.echo(f"Error: {error}", err=True)
        return REFUSED
    except click.Abort as error:
        return INTERRUPTED if isinstance(error.__cause__, KeyboardInterrupt) else REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except Exception as error:  # noqa: BLE001  # the border of the program
        return _fault(error, Context())
    return code if isinstance(code, int) else 0


def _fault(error: Exception, context: Context) -> int:
    """Tell that the program is at fault, and keep what its makers need: once for each fault, readable by us alone."""
    from hashlib import sha256
    from pathlib import Path
    from tempfile import gettempdir
    from traceback import format_exception

    if isinstance(error, OSError) and error.strerror:  # full, read-only, not ours: the world's trouble
        place = f": {error.filename}" if error.filename else ""
        click.echo(f"Error: {error.strerror}{place}. Mend that and run it again; nothing half done is kept.", err=True)
        return REFUSED
    if "disk is full" in str(error):
        click.echo("Error: the disk is full. Make room and run it again; nothing half done is kept.", err=True)
        return REFUSED
    told = "".join(format_exception(error))
    folder = context.site if (context.site / "league.toml").is_file() else Path(gettempdir())
    path = folder / f"league-fault-{sha256(told.encode(errors='replace')).hexdigest()[:12]}.txt"
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", errors="replace") as text:
            text.write(told)
        where = f"What happened is written down in {path}; please report it."
    except OSError as trouble:
        where = f"It could not be written down ({trouble.strerror}); -v shows it."
    if context.verbose:
        click.echo(told, err=True)
    kind = type(error).__name__
    click.echo(f"Error: this is a fault of the program ({kind}), not yours. {where}", err=True)
    return REFUSED
