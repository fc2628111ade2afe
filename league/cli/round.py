"""`league round`."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import click

from league.cli.common import (
    Context,
    dry_run_option,
    emit,
    example,
    json_option,
    league_argument,
    pass_context,
    say,
)
from league.cli.correcting import correction_text, mode_options


@click.group(epilog=example("league round status spring"))
def cli() -> None:
    """The open round: look at it, try it, resolve it."""


def _waits(pending: object) -> str:
    """What a round waits for, in a line; seats, so that it can stand in a log."""
    items = pending if isinstance(pending, Sequence) and not isinstance(pending, str) else []
    words = []
    for item in items:
        if isinstance(item, Mapping):
            rest = " ".join(str(value) for key, value in item.items() if key not in {"kind", "fighters", "reports"})
            rest = f"until {rest}" if item["kind"] == "hold" else rest
            fighters = item.get("fighters")
            against = f" ({' against '.join(map(str, fighters))})" if isinstance(fighters, list) else ""
            said = item.get("reports")
            winners = [f"{seat} says {winner}" for seat, winner in said] if isinstance(said, list) else []
            disputed = f" (disputed: {', '.join(winners)})" if winners else ""
            words.append(f"{item['kind']} {rest}{against}{disputed}")
    return ", ".join(words)


def _battles(row: Mapping[str, object], names: Mapping[str, object]) -> list[str]:
    """The battles due now with the reports that are in, a line each."""
    found = row.get("battles")
    lines = []
    for battle in found if isinstance(found, list) else []:
        fighters = " against ".join(str(names[seat]) for seat in battle["fighters"])
        said = [f"{names[seat]} reports that {names[winner]} won" for seat, winner in battle["reports"]]
        disputed = "; disputed: league result enter decides" if battle["disputed"] else ""
        told = f"{', '.join(said) or 'no report yet'}{disputed}"
        lines.append(f"  battle for {battle['country']} (attempt {battle['attempt']}), {fighters}: {told}")
    return [*lines, f"  reports until: {row['replies_until']}"] if lines else []


@cli.command(epilog=example("league round status spring --json"))
@league_argument
@json_option
@pass_context
def status(context: Context, league: str, as_json: bool) -> None:
    """The rounds that aren't done: deadline, who has sent, what they wait for."""
    from league.desk.rounds.look import round_status
    from league.desk.site import open_site

    rows = round_status(open_site(context.site, context.now, context.match), league)

    def text() -> str:
        lines = []
        for row in rows:
            names = row["names"] if isinstance(row["names"], dict) else {}
            lines.append(f"Round {row['round']}: {row['status']}, orders due {row['deadline']} ({row['zone']})")
            for word in ("received", "missing"):
                seats = row[word]
                listed = [str(names[str(seat)]) for seat in seats] if isinstance(seats, list) else []
                lines.append(f"  {word}: {', '.join(listed) or 'none'}")
            if row["pending"]:
                lines.append(f"  waits for: {_waits(row['pending'])}")
            lines += _battles(row, names)
        return "\n".join(lines) or "Every round is done, and no other comes."

    emit(rows, as_json, text)


@cli.command(epilog=example("league round preview spring --json"))
@league_argument
@click.option("--reveal", is_flag=True, help="Also a round whose orders are sealed; it is written down.")
@json_option
@pass_context
def preview(context: Context, league: str, reveal: bool, as_json: bool) -> None:
    """What the rules say now to the round being evaluated; nothing is stored."""
    from league.desk.rounds.look import preview as try_round
    from league.desk.site import open_site

    found = try_round(open_site(context.site, context.now, context.match), league, context.lang, reveal=reveal)

    def text() -> str:
        events = found["events"] if isinstance(found["events"], list) else []
        lines = [f"Round {found['round']}{', provisional' if found['provisional'] else ''}"]
        lines += [f"  {event['text']}" for event in events if isinstance(event, dict)]
        if found["pending"]:
            lines.append(f"  waits for: {_waits(found['pending'])}")
        return "\n".join(lines)

    emit(found, as_json, text)


@cli.command(
    epilog=example("league round resolve spring", "league round resolve spring --over --why 'no results came'")
)
@league_argument
@click.option("--over", is_flag=True, help="Wait for no more results: what isn't reported stays as it was (K33).")
@click.option("--why", default="", help="Reason; it is written down.")
@json_option
@pass_context
def resolve(context: Context, league: str, over: bool, why: str, as_json: bool) -> int:
    """Freeze the round if its time is over, and resolve it if it has all it needs.

    Pages and mails go out with the next `league run` or `league publish` and `league mail send`.
    """
    from league.desk.run.resolve_one import resolve_one
    from league.desk.site import open_site

    done = resolve_one(open_site(context.site, context.now, context.match), league, over=over, why=why)
    told = {
        "sealed": [number for _, number in done.sealed],
        "waiting": [{"round": w.round, "pending": list(w.pending), "trouble": w.trouble} for w in done.waiting],
    }
    for waiting in done.waiting:
        say(context, f"Round {waiting.round} waits for: {waiting.trouble or _waits(waiting.pending)}")
    sealed = ", ".join(str(number) for _, number in done.sealed)
    emit(told, as_json, f"Resolved: round {sealed}." if sealed else "Nothing was resolved.")
    return 0 if done.sealed or not done.waiting else 1


@cli.command(
    epilog=example(
        "league round reopen spring --round 3 --why 'a figure was corrected for the other league' --dry-run",
        "league round reopen spring --round 3 --why 'a figure was corrected for the other league'",
    )
)
@league_argument
@click.option("--round", "number", type=click.IntRange(1), required=True, help="Which round.")
@click.option("--why", required=True, help="Reason; it stands in the record and everyone is told.")
@mode_options
@dry_run_option
@json_option
@pass_context
def reopen(context: Context, league: str, number: int, why: str, mode: str, dry_run: bool, as_json: bool) -> None:
    """Evaluate a round again whose report is out, with what is known now; a new version takes its record's place.

    A wrong figure is put right with `league draw correct`, a wrong result with `league result enter --round`.
    """
    from league.desk.correcting.correct_round import Act, reopen, worded
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    found = reopen(site, league, number, Act("round reopen", why, mode, dry_run=dry_run))
    told = worded(site, league, found, context.lang)
    emit(told, as_json, lambda: correction_text(told))


@cli.command(epilog=example("league round pause spring --from 2024-12-22 --to 2025-01-04 --why 'between the years'"))
@league_argument
@click.option("--from", "first", required=True, type=click.DateTime(["%Y-%m-%d"]), help="The first day.")
@click.option("--to", "last", required=True, type=click.DateTime(["%Y-%m-%d"]), help="The last day.")
@click.option("--why", default="", help="Reason; it is written down and everyone is told.")
@json_option
@pass_context
def pause(context: Context, league: str, first: datetime, last: datetime, why: str, as_json: bool) -> None:
    """Holidays: weeks whose deadline falls into these days have no round; the numbers go on behind them."""
    from league.desk.acts.pause_rounds import pause_rounds
    from league.desk.clock import stamp
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    done = pause_rounds(site, league, first.date(), last.date(), why=why)
    told = {
        "from": done.pause.first.isoformat(),
        "to": done.pause.last.isoformat(),
        "round": done.round.number,
        "opens": stamp(done.round.opens_at),
        "deadline": stamp(done.round.deadline_at),
    }
    emit(told, as_json, f"Paused. Orders for round {done.round.number} are due {stamp(done.round.deadline_at)}.")


@cli.command(epilog=example("league round last spring 26 --why 'the season ends with the year'"))
@league_argument
@click.argument("number", type=int)
@click.option("--why", default="", help="Reason; it is written down and everybody can read it.")
@json_option
@pass_context
def last(context: Context, league: str, number: int, why: str, as_json: bool) -> None:
    """Let the season end with the round NUMBER (0: it has no end any more).

    For games that would go on for ever. Nothing opens behind that round, its report is the result, and the league
    stands in the archive.
    """
    from league.desk.acts.last_round import set_last
    from league.desk.site import open_site

    done = set_last(open_site(context.site, context.now, context.match), league, number, why=why)
    words = f"{league} ends with round {done.last}" if done.last else f"{league} has no last round"
    emit({"last": done.last, "newest": done.newest}, as_json, f"{words}; the newest now is round {done.newest}.")


@cli.command(
    epilog=example(
        "league round extend spring --until '2024-01-05 08:00' --why 'the mail server was down'",
        "league round extend spring --hours 24 --why 'the mail server was down'",
    )
)
@league_argument
@click.option("--until", default="", metavar="TIME", help="The new deadline on the league's clock, or an ISO time.")
@click.option("--hours", type=click.IntRange(1, 24 * 56), default=None, help="So many hours more.")
@click.option("--why", default="", help="Reason; it is written down and everyone is told.")
@json_option
@pass_context
def extend(context: Context, league: str, until: str, hours: int | None, why: str, as_json: bool) -> None:
    """Give the open round a later deadline, for everyone.

    Past the opening of the exchange whose figures decide, the round's figures are those of the week after, and the
    rounds behind it move by a week.
    """
    from league.desk.acts.steer_round import extend as move
    from league.desk.clock import stamp
    from league.desk.site import open_site

    if bool(until) == (hours is not None):
        raise click.UsageError("Say --until or --hours.")
    done = move(open_site(context.site, context.now, context.match), league, until=until, hours=hours or 0, why=why)
    told = {
        "round": done.round.number,
        "deadline": stamp(done.round.deadline_at),
        "closes": stamp(done.round.closes_at),
        "weeks": done.weeks,
    }
    moved = f"; its figures are those of {done.weeks} week{'s' * (done.weeks > 1)} later" if done.weeks else ""
    emit(told, as_json, f"Orders for round {done.round.number} are due {stamp(done.round.deadline_at)}{moved}.")


@cli.command(epilog=example("league round hold spring --hours 12 --why 'a battle looks strange'"))
@league_argument
@click.option("--hours", type=click.IntRange(1, 24 * 14), default=24, show_default=True, help="For how long at most.")
@click.option("--why", default="", help="Reason; it is written down and everyone is told.")
@json_option
@pass_context
def hold(context: Context, league: str, hours: int, why: str, as_json: bool) -> None:
    """Let a round wait for your look before its report goes out; it goes on by itself when the time is over."""
    from league.desk.acts.steer_round import hold as wait
    from league.desk.clock import stamp
    from league.desk.site import open_site

    done = wait(open_site(context.site, context.now, context.match), league, hours=hours, why=why)
    told = {"round": done.round, "until": stamp(done.until)}
    emit(told, as_json, f"Round {done.round} waits until {stamp(done.until)} at most.")


@cli.command(epilog=example("league round release spring --why 'all is well'"))
@league_argument
@click.option("--why", default="", help="Reason; it is written down, and told where a deadline moves.")
@json_option
@pass_context
def release(context: Context, league: str, why: str, as_json: bool) -> None:
    """Let a held round go on; after an outage, with a new deadline for everyone."""
    from league.desk.acts.steer_round import release as go_on
    from league.desk.clock import stamp
    from league.desk.site import open_site

    done = go_on(open_site(context.site, context.now, context.match), league, why=why)
    moved = stamp(done.extended.round.deadline_at) if done.extended else None
    text = f"Orders for round {done.round} are due {moved}." if moved else f"Round {done.round} goes on."
    emit({"round": done.round, "deadline": moved}, as_json, text)
