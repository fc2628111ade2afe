"""`league doctor`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.command(epilog=example("league doctor --json", "league doctor sources", "league doctor mail --write"))
@click.argument("what", required=False, type=click.Choice(["mail", "sources"]))
@click.option("--write", is_flag=True, help="With mail: put what was learned into league.toml.")
@click.option("--wait", type=click.IntRange(1), default=120, metavar="SECONDS", help="With mail: wait so long (120).")
@json_option
@pass_context
def cli(context: Context, what: str | None, write: bool, wait: int, as_json: bool) -> int:
    """Look for what is wrong or weak in a site, and say what to do about it.

    `league doctor mail` tries the mailbox and sends one mail to the league's own address, to learn from it what your
    receiving host is called and whether it vouches for senders. `league doctor sources` asks every source of public
    figures for the newest it should have, and shows what it says.
    """
    from league.desk.doctor import examine
    from league.desk.site import open_site

    if write and what != "mail":
        raise click.UsageError("--write goes with league doctor mail")
    site = open_site(context.site, context.now, context.match)
    if what == "mail":
        from league.desk.doctor_mail import examine_mail

        found = examine_mail(site, write=write, seconds=float(wait))
    elif what == "sources":
        from league.desk.fetch_figures import examine_sources

        found = examine_sources(site)
    else:
        found = examine(site)
    rows = [{"level": f.level, "what": f.what, "do": f.do} for f in found]
    lines = (f"{f.level:6} {f.what}" + (f"\n       -> {f.do}" if f.do else "") for f in found)
    emit(rows, as_json, lambda: "\n".join(lines))
    return 1 if any(f.level == "wrong" for f in found) else 0
