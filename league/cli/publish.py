"""`league publish`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(epilog=example("league publish", "league publish spring"))
@click.argument("leagues", nargs=-1, metavar="[LEAGUE…]")
@json_option
@pass_context
def cli(context: Context, leagues: tuple[str, ...], as_json: bool) -> None:
    """Build the public pages: of the leagues named, or of all, anew."""
    from league.desk.pages.publish_pages import publish_now
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    done = publish_now(site, leagues)
    told = {"build": done.number, "written": done.written, "linked": done.linked, "gone": done.gone}
    where = (site.path / "public" / "index.html").resolve()
    emit(told, as_json, f"{done.written} files changed; look at {where}")
