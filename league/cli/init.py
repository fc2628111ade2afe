"""`league init`."""

from pathlib import Path

import click

from league.cli.common import Context, example, pass_context, say


@click.command(epilog=example("league init ~/leagues --title 'Spring leagues' --from league@example.org"))
@click.argument("folder", type=click.Path(path_type=Path), metavar="D")
@click.option("--title", help="What the site is called.")
@click.option("--from", "from_address", help="The league's own mail address.")
@click.option("--lang", type=click.Choice(["de", "en", "nl"]), help="Language of pages and of players who chose none.")
@click.option("--zone", help="Time zone of deadlines, like Europe/Berlin.")
@pass_context
def cli(
    context: Context, folder: Path, title: str | None, from_address: str | None, lang: str | None, zone: str | None
) -> None:
    """Make a site: the folder in which leagues live.

    D is created if it isn't there, for its owner's eyes alone. What is chosen here can be changed later in
    D/league.toml.
    """
    from dataclasses import replace

    from league.desk.init_site import init_site
    from league.settings import Settings, as_toml, parse

    chosen = Settings()
    chosen = replace(
        chosen,
        site=replace(
            chosen.site,
            title=title or chosen.site.title,
            lang=lang or chosen.site.lang,
            zone=zone or chosen.site.zone,
        ),
        mail=replace(chosen.mail, from_address=from_address or chosen.mail.from_address),
    )
    parse(as_toml(chosen), "the options")  # the same checks as for the file
    made = init_site(folder, context.now, chosen)
    say(context, f"A site lies in {made.path}; next: league --site {made.path} new SLUG --game kuel")
