"""`league doctor`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(epilog=example("league doctor --json", "league doctor sources"))
@click.argument("what", required=False, type=click.Choice(["sources"]))
@json_option
@pass_context
def cli(context: Context, what: str | None, as_json: bool) -> int:
    """Look for what is wrong or weak in a site, and say what to do about it.

    `league doctor sources` asks every source of public figures for the newest it should have, and shows what it says.
    """
    from league.desk.doctor import examine
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    if what == "sources":
        from league.desk.fetch_figures import examine_sources

        found = examine_sources(site)
    else:
        found = examine(site)
    rows = [{"level": f.level, "what": f.what, "do": f.do} for f in found]
    lines = (f"{f.level:6} {f.what}" + (f"\n       -> {f.do}" if f.do else "") for f in found)
    emit(rows, as_json, lambda: "\n".join(lines))
    return 1 if any(f.level == "wrong" for f in found) else 0
