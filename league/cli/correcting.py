"""What commands share that put a sealed round right: how later rounds are treated, and how the answer reads."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

import click

F = TypeVar("F", bound=Callable[..., Any])


def mode_options(command: F) -> F:
    """`--from-now` or `--recompute`, handed over as `mode`; empty for what is usual. Both together are refused."""

    @wraps(command)
    def with_mode(*args: Any, from_now: bool, recompute: bool, **options: Any) -> Any:
        if from_now and recompute:
            raise click.UsageError("--from-now and --recompute exclude each other: choose one")
        mode = "from_now" if from_now else "recompute" if recompute else ""
        return command(*args, mode=mode, **options)

    again = click.option("--recompute", is_flag=True, help="Evaluate the rounds after it again.")
    now = click.option(
        "--from-now",
        is_flag=True,
        help="Let later rounds stand and put the difference into the position now (usual once the next is closed).",
    )
    return cast("F", now(again(with_mode)))


def correction_text(told: Mapping[str, Any]) -> str:
    """What a correction did or would do, for people."""
    if told["already"]:
        first = f"This was done before: round {told['round']} is sealed again as version {told['version']} already."
        lines = [f"{first} Nothing is done twice; pages and mails follow with league run. What was → what is:"]
    else:
        done = "is" if told["done"] else "would be"
        lines = [f"Round {told['round']} {done} sealed again as version {told['version']}. What was → what is:"]
    lines += _listed(told["changes"], "nothing of the position")
    if told["again"]:
        lines.append(f"Evaluated again: round {', '.join(map(str, told['again']))}.")
    if told["mode"] == "from_now" or told["again"]:
        where = "final position" if told["over"] else f"position with which round {told['next_round']} starts"
        lines.append(f"In the {where}:")
        lines += _listed(told["position"], "nothing")
    if told["not_applied"]:
        lines.append("Not put right:")
        lines += _listed(told["not_applied"], "")
    if told["over"]:
        lines.append("The match stays over.")
    elif told["next_closed"]:
        lines.append(
            f"The orders of round {told['next_round']} are closed already; they are evaluated from the position as it "
            f"is put right. To let that round stand as it was ordered, correct after its report."
        )
    else:
        lines.append(f"Orders that are in for round {told['next_round']} stand, and are read against that position.")
    return "\n".join(lines)


def _listed(changes: Any, none: str) -> list[str]:
    return [f"  {change['text']}" for change in changes] or [f"  {none}"]
