"""`league status`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from textwrap import wrap
from typing import Any

import click

from league.cli.common import Context, emit, example, json_option, pass_context

WIDTH = 80
COLOURS = {"missing": "yellow", "not_understood": "red", "replied": "yellow", "away": "cyan", "standing": "cyan"}
SOON, AT_ONCE = 24 * 3600, 2 * 3600
FIGURE_WORDS = {"not_yet": "not known yet", "waiting": "being fetched", "late": "late", "by_hand": "to be entered"}
MOST_AHEAD = 3
LONG_NAME = 24  # columns; a longer name has a line of its own
Row = Mapping[str, Any]
Style = Callable[[str], str]
Label = Callable[..., str]  # a heading in the language that was asked for


@click.command(epilog=example("league status", "league status --json"))
@json_option
@pass_context
def cli(context: Context, as_json: bool) -> int:
    """What is open, what is due, what waits for you; what you must do comes first, with the command to type.

    Ends with 1 if something needs a person.
    """
    from league.desk.overview.status import site_status, told, words_of
    from league.desk.site import open_site

    site = open_site(context.site, context.now, context.match)
    status = site_status(site)
    lang = context.lang or "en"
    shown = told(site, status, lang)
    emit(shown, as_json, lambda: "\n".join(page(shown, site.now, words_of(site, lang).label)))
    return 1 if status.needs_person else 0


def page(shown: Row, now: datetime, label: Label) -> Iterator[str]:
    """The whole answer, at most 80 columns wide but for commands and long names."""
    yield from _todo(shown["todo"], label)
    yield from _leagues(shown["leagues"], label)
    yield ""
    yield from _health(shown, now)
    yield from _targets(shown["targets"], now)


def _todo(items: Sequence[Row], label: Label) -> Iterator[str]:
    if not items:
        yield click.style(label("nothing"), fg="green")
    for item in items:
        sign, colour = ("!", "red") if item["must"] else ("?", "yellow")
        where = f"{item['league']}: " if item["league"] else ""
        first, *rest = wrap(f"{where}{item['text']}", WIDTH - 2)
        yield f"{click.style(sign, fg=colour, bold=True)} {first}"
        yield from (f"  {line}" for line in rest)
        yield f"    {click.style(str(item['command']), bold=True)}"
    yield ""


def _leagues(rows: Sequence[Row], label: Label) -> Iterator[str]:
    if not rows:
        yield label("no_league")
        return
    heads = [label(one) for one in ("league", "round", "deadline", "left", "sent")]
    name = max(len(heads[0]), min(LONG_NAME, max(len(str(row["league"])) for row in rows)))
    number, due = len(heads[1]), max(len(heads[2]), *(len(str(row["due"])) for row in rows))
    head = f"{heads[0]:{name}}  {heads[1]}  {heads[2]:{due}}  {heads[3]:9}  {heads[4]}"
    yield click.style(head, bold=True)
    for row in rows:
        left = f"{_span(row['seconds_left']) if row['seconds_left'] is not None else '-':9}"
        sent = sum(seat["state"] == "sent" for seat in row["seats"])
        count = f"{sent}/{len(row['seats'])}" if row["seats"] else row["status"]
        styled = click.style(left, fg=_urgent(row["seconds_left"]))
        slug = str(row["league"])
        if len(slug) > name:
            yield slug
            slug = ""
        yield f"{slug:{name}}  {row['round']:>{number}}  {row['due']:{due}}  {styled}  {count}"
        yield from _details(row, label)


def _urgent(left: int | None) -> str | None:
    if left is None or left > SOON:
        return None
    return "red" if left <= AT_ONCE else "yellow"


def _details(row: Row, label: Label) -> Iterator[str]:
    by_state: dict[str, list[Row]] = {}
    for seat in row["seats"]:
        by_state.setdefault(seat["state"], []).append(seat)
    for state, colour in COLOURS.items():
        if state in by_state:
            yield from _labelled(by_state[state][0]["text"], [seat["name"] for seat in by_state[state]], colour)
    puzzled = [s["name"] for s in row["seats"] if s["not_understood"] and s["state"] != "not_understood"]
    if puzzled:
        yield from _labelled(label("puzzled"), puzzled, "yellow")
    bounced = [seat["name"] for seat in row["seats"] if seat["bounced"]]
    if bounced:
        yield from _labelled(label("bounced"), bounced, "red")
    names = {seat["seat"]: seat["name"] for seat in row["seats"]}
    for found in row["evaluating"]:
        waits = list(_waits(found, names))
        if waits:
            yield from _labelled(label("waits", round=found["round"]), waits, "yellow")
    for item in row["next"][:MOST_AHEAD]:
        yield from _labelled(item["when"], [item["text"]], "blue")


def _waits(found: Row, names: Mapping[str, str]) -> Iterator[str]:
    for figure in found["figures"]:
        said = ", ".join(f"{one['source']} says {one['value']}" for one in figure["readings"])
        word = FIGURE_WORDS.get(figure["status"], figure["status"])
        yield f"{figure['figure']} ({word}{f': {said}' if said else ''})"
    for battle in found["battles"]:
        fighters = " and ".join(names.get(seat, seat) for seat in battle["fighters"])
        yield f"the battle for {battle['country']} ({fighters}{'; disputed' if battle['disputed'] else ''})"


def _labelled(label: str, items: Sequence[str], colour: str) -> Iterator[str]:
    first, *rest = wrap(f"{label}: {', '.join(items)}", WIDTH - 2, subsequent_indent="  ")
    yield f"  {click.style(first[: len(label) + 1], fg=colour)}{first[len(label) + 1 :]}"
    yield from (f"  {line}" for line in rest)


def _health(shown: Row, now: datetime) -> Iterator[str]:
    health = shown["health"]
    last = _read(health["last_run"])
    parts = [
        f"last run: {_ago(now - last) if last else 'never'}",
        f"inbox: {'not readable' if health['inbox'] else 'readable'}",
        f"outbox: {', '.join(f'{n} {state}' for state, n in shown['outbox'].items()) or 'empty'}",
        f"disk: {health['disk_free'] / 2**30:.1f} GB free",
    ]
    oldest = _read(health["oldest_waiting"])
    parts += [f"oldest waiting mail: {_ago(now - oldest)}"] if oldest else []
    yield from wrap("; ".join(parts), WIDTH)
    yield from _mail(shown["mail"])


def _mail(mail: Row) -> Iterator[str]:
    told = [f"mail is on hold: {mail['hold']}"] if mail["hold"] else []
    told += [f"mail can't be sent {mail['trouble']}"] if mail["trouble"] else []
    told += [f"no mail goes to {stop['name'] or stop['address']}: {stop['words']}" for stop in mail["stopped"]]
    for line in told:
        yield from wrap(line, WIDTH, subsequent_indent="  ")


def _targets(rows: Sequence[Row], now: datetime) -> Iterator[str]:
    for row in rows:
        brought = _read(row["brought"])
        told = f"pages at {row['name']} ({row['place']}): "
        told += f"not since {row['since']}" if row["trouble"] else _ago(now - brought) if brought else "not yet"
        yield from wrap(told, WIDTH, subsequent_indent="  ")


def _read(written: str | None) -> datetime | None:
    return datetime.fromisoformat(written).astimezone(UTC) if written else None


def _ago(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    return f"{_span(seconds)} ago" if seconds >= 60 else "just now"


def _span(seconds: int) -> str:
    """The two largest units."""
    if seconds <= 0:
        return "over"
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes:02} m" if hours else f"{minutes} m"
