"""`league rebuild`."""

from pathlib import Path

import click

from league.cli.common import Context, emit, example, json_option, pass_context, say


@click.command(epilog=example("league rebuild --site new leagues"))
@click.argument("source", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="FOLDER")
@json_option
@pass_context
def cli(context: Context, source: Path, as_json: bool) -> int:
    """Build the site in FOLDER anew in an empty one (--site), and compare the records.

    From raw mails with their times of arrival, players, figures, journal and key alone, by the program as it is
    now. Nothing is fetched, sent or published. Ends with 1 if a record doesn't come out to the byte.
    """
    from league.desk.rebuild import rebuild

    done = rebuild(context.site, source, context.now)
    told = {
        "site": str(done.path),
        "acts": done.acts,
        "mails": done.mails,
        "same": done.is_same,
        "matches": [
            {"match": m.match, "records": m.records, "same": m.same, "differs": m.differs, "missing": m.missing}
            for m in done.matches
        ],
        "troubles": list(done.troubles),
    }
    for trouble in done.troubles:
        say(context, f"trouble: {trouble}")
    lines = [f"{done.acts} acts and {done.mails} mails once more."]
    lines += [
        f"{m.match}: {m.same} of {m.records} records are the same to the byte"
        + (f"; the first that differs is that of {m.differs}" if m.differs else "")
        + (f"; none was made from that of {m.missing} on" if m.missing else "")
        for m in done.matches
    ]
    emit(told, as_json, "\n".join(lines))
    return 0 if done.is_same else 1
