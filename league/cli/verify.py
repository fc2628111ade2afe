"""`league verify`."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from league.cli.common import Context, emit, example, json_option, pass_context

if TYPE_CHECKING:
    from league.desk.proof.verify_told import Told

NAMES = {
    "files": "files are those of the signed manifest",
    "chain": "records hang together",
    "signatures": "signatures are by the key in force",
    "sealed": "what was sealed is opened as it was sealed",
    "freezes": "rounds' leaves and roots come from their orders",
    "positions": "rounds begin where the one before ended",
    "rounds": "rounds come out as recorded, evaluated again",
    "journal": "the journal is the one that the records count",
    "press": "messages are those whose hashes are sealed",
    "pages": "pages say what the records say",
    "mails": "saved mails agree",
}
ROWS = 6  # of what isn't known, and of what is worth a look


@click.command(
    epilog=example(
        "league verify https://play.example.org/spring/",
        "league verify receipt.eml report.eml --against https://play.example.org/",
        "league verify ~/leagues/public --json",
    )
)
@click.argument("places", nargs=-1, required=True, metavar="PATH|URL…")
@click.option("--against", metavar="PATH|URL", help="What is published; the PATHs are then saved mails.")
@json_option
@pass_context
def cli(context: Context, places: tuple[str, ...], against: str | None, as_json: bool) -> int:
    """Recompute a published site or league from its own records; hold a player's saved mails against it.

    PATH is a published folder (a site's or one league's), URL where it is public. With --against the PATHs are mails
    as your mail program saves them (.eml, mbox, Maildir, a folder of them): receipts, mails with leaves, reports.
    Needs no site. Ends with 0 if everything holds, with 1 if something doesn't.
    """
    from pathlib import Path

    from league.desk.proof.verify import on_disk, verify

    mails = [Path(place) for place in places] if against else []
    where = against or places[0]
    folder = on_disk(where)
    if not against and len(places) > 1:
        raise click.UsageError(
            "one published place at a time; for saved mails say with --against where it is published"
        )
    if not against and folder and folder.is_file():
        raise click.UsageError(f"{where} is a file; for a saved mail say with --against where the league is published")
    for path in [*([folder] if folder else []), *mails]:
        if not path.exists():
            raise click.UsageError(f"{path}: no such file or folder")
    found = verify(where, mails, _bars(context))
    told = {"where": found.where, "holds": found.holds, "places": [one.facts() for one in found.all]}
    emit(told, as_json, lambda: "\n\n".join(_text(one) for one in found.all))
    return 0 if found.holds else 1


def _bars(context: Context) -> Callable[[str], Callable[[int], None]]:
    """A growing count on a terminal, nothing in a pipe."""
    shown, done = sys.stderr.isatty() and not context.quiet, {"files": 0, "rounds": 0}

    def stage(name: str) -> Callable[[int], None]:
        def step(number: int) -> None:
            done[name] += number
            if shown:
                click.echo(f"\r{done['files']} files, {done['rounds']} records ", nl=False, err=True)

        return step

    return stage


def _text(told: "Told") -> str:
    facts: dict[str, Any] = told.facts()
    lines = [_head(facts)]
    for check, numbers in facts["checks"].items():
        broken = numbers["broken"]
        mark = click.style("holds ", fg="green") if not broken else click.style("BROKEN", fg="red", bold=True)
        rest = f"{broken} faults" if broken else str(numbers["checked"])
        lines.append(f"  {mark}  {NAMES[check]} ({rest})")
    if facts["first"]:
        lines.append(f"  first place that breaks: {_place(facts['first'])}")
        lines += [f"    also: {_place(row)}" for row in facts["faults"] if row != facts["first"]][:ROWS]
    lines += _rows("can't be known yet", facts["unknown"]) + _rows("worth a look", facts["notes"])
    return "\n".join(lines)


def _head(facts: dict[str, Any]) -> str:
    if not facts["league"]:
        return "the site's own files"
    head = f", head {facts['head'][:16]}…" if facts["head"] else ""
    return f"{facts['league']}: {facts['rounds']} rounds in {facts['records']} records{head}"


def _place(row: dict[str, Any]) -> str:
    number = f", round {row['round']}" if row["round"] is not None else ""
    field = f", {row['field']}" if row["field"] else ""
    return f"{row['file'] or 'the mails'}{number}{field}: {row['what']}"


def _rows(title: str, rows: list[dict[str, Any]]) -> list[str]:
    """What was found, rounds of the same kind on one line."""
    kinds: dict[str, list[Any]] = {}
    for row in rows:
        kinds.setdefault(row["what"], []).append(row["round"])
    lines = []
    for what, found in list(kinds.items())[:ROWS]:
        numbers = sorted({number for number in found if number is not None})
        named = ", ".join(map(str, numbers[:ROWS]))
        more = f" and {len(numbers) - ROWS} more" if len(numbers) > ROWS else ""
        lines.append(f"  {title}: {f'round {named}{more}: ' if named else ''}{what}")
    return lines
