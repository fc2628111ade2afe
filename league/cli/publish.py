"""`league publish`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from league.cli.common import Context, dry_run_option, emit, example, json_option, pass_context, say

if TYPE_CHECKING:
    from league.desk.own_files import Slip
    from league.desk.site import Site
    from league.desk.targets.bring_pages import Brought

PORT = 8000
WORDS = {
    "sent": "{changed} files sent, {gone} deleted",
    "same": "has these pages",
    "would": "would get {changed} files and lose {gone}",
    "failed": "{trouble}",
}


@click.command(
    epilog=example(
        "league publish", "league publish spring", "league publish --target web --dry-run", "league publish --serve"
    )
)
@click.argument("leagues", nargs=-1, metavar="[LEAGUE…]")
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Bring them to this target alone.")
@dry_run_option
@click.option("--serve", "serving", is_flag=True, help="Show them at an address of this machine until Ctrl-C.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"With --serve: the port ({PORT}; 0: a free one).")
@click.option("--host", metavar="HOST", help="With --serve: an address of this machine; 127.0.0.1 is for it alone.")
@json_option
@pass_context
def cli(
    context: Context,
    leagues: tuple[str, ...],
    targets: tuple[str, ...],
    dry_run: bool,
    serving: bool,
    port: int | None,
    host: str | None,
    as_json: bool,
) -> int:
    """Build the public pages: of the leagues named, or of all, anew; and bring them to where league.toml says.

    A target has to be asked again by hand, whatever it took before: what was changed there is mended. With --dry-run
    nothing is built or sent; it tells how each target differs from what is public. With --serve no target is asked.
    What in your templates/ and static/ is used by nothing, or breaks pages, is told with what would be right.
    Ends with 1 if a target took nothing.
    """
    from league.desk.site import open_site

    if serving and (targets or dry_run):
        raise click.UsageError("--serve shows pages on this machine and brings them nowhere; leave the others out")
    if not serving and (port is not None or host is not None):
        raise click.UsageError("--port and --host go with --serve")
    site = open_site(context.site, context.now, context.match)
    if serving:
        _serve(context, site, leagues, host, PORT if port is None else port)
        return 0
    return _publish(context, site, leagues, targets, dry=dry_run, as_json=as_json)


def _publish(
    context: Context, site: "Site", only: Sequence[str], targets: Sequence[str], *, dry: bool, as_json: bool
) -> int:
    from league.cli.run import bars
    from league.desk.pages.publish_everywhere import publish_everywhere

    slips = _tell_slips(context, site)
    done, brought = publish_everywhere(site, only, targets, dry=dry, step=bars(context)("sent"))
    told = {
        "build": done.number if done else None,
        "written": done.written if done else 0,
        "linked": done.linked if done else 0,
        "gone": done.gone if done else 0,
        "targets": [one.facts() for one in brought],
        "look": [{"what": slip.what, "do": slip.do} for slip in slips],
    }
    where = (site.path / "public" / "index.html").resolve()
    lines = [f"{done.written} files changed; look at {where}"] if done else []
    lines += [_line(one) for one in brought]
    emit(told, as_json, "\n".join(lines or ["there are no targets in league.toml"]))
    return 1 if any(one.trouble for one in brought) else 0


def _tell_slips(context: Context, site: "Site") -> "list[Slip]":
    """What of the own templates and files does nothing or breaks pages: told first, as these may not be built."""
    from league.desk.own_templates import look_slips

    slips = look_slips(site)
    for slip in slips:
        say(context, f"{slip.what}\n  -> {slip.do}")
    return slips


def _line(one: "Brought") -> str:
    said = WORDS[one.state].format(changed=one.changed, gone=one.gone, trouble=one.trouble)
    return f"{one.name} ({one.kind}): {said}"


def _serve(context: Context, site: "Site", only: Sequence[str], host: str | None, port: int) -> None:
    from league.desk.pages.publish_pages import publish_now
    from league.desk.pages.show_pages import show_pages

    _tell_slips(context, site)
    publish_now(site, only)
    show_pages(site, host, port, lambda address: say(context, f"{address} until Ctrl-C"))
