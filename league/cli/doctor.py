"""`league doctor`."""

import sys

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

    `league doctor mail` tries the mailbox and sends two mails to the league's own address, one of them with a part
    behind a plus, to learn what your receiving host is called, where it vouches for senders, and whether plus addresses
    arrive. What it learned goes into league.toml if you say yes, or with --write. `league doctor sources` asks every
    source of public figures for the newest it should have, and shows what it says.
    """
    from league.desk.figures.doctor import examine
    from league.desk.site import open_site

    if write and what != "mail":
        raise click.UsageError("--write goes with league doctor mail")
    site = open_site(context.site, context.now, context.match)
    if what == "mail":
        from league.desk.inbox.doctor_mail import examine_mail

        found = examine_mail(site, write=write, seconds=float(wait))
    elif what == "sources":
        from league.desk.figures.fetch_figures import examine_sources

        found = examine_sources(site)
    else:
        found = examine(site)
    rows = [{"level": f.level, "what": f.what, "do": f.do} for f in found]
    lines = (f"{f.level:6} {f.what}" + (f"\n       -> {f.do}" if f.do else "") for f in found)
    emit(rows, as_json, lambda: "\n".join(lines))
    if not as_json and sys.stdin.isatty() and any(f.sets for f in found):
        from league.desk.inbox.doctor_mail import write_learned

        if click.confirm("Put what was learned into league.toml?", err=True):
            for done in write_learned(site, found):
                click.echo(f"{done.level:6} {done.what}", err=True)
    return 1 if any(f.level == "wrong" for f in found) else 0
