"""Make docs/games/kuel-balance.md and its charts from thousands of simulated leagues: the same bytes every time.

python tools/kuel_balance.py [--out FOLDER] [--percent N] [--jobs N]      N percent of the leagues, for a quick look
"""

import argparse
import os
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from charts import Bar, bars, lines
from kuel_counts import (
    CHANCE,
    CLASSIC,
    EQUAL,
    GENTLE,
    LEADS,
    MIXED,
    ROUNDS,
    SEATS,
    Found,
    Sums,
    fall_theory,
    merged,
    play_all,
    war_theory,
)

from league.desk import registry
from league.desk.play.simulate import HOLIDAYS

ITEMS = {
    "countries": "countries (one point each)",
    "seven_connected": "7 connected countries",
    "eu10": "10 EU countries",
    "eu10_brussels": "10 EU countries with Brussels",
    "weu7": "7 WEU countries",
    "nato8": "8 NATO countries",
    "moscow_wp3": "Moscow and 3 ex-Warsaw-Pact",
    "wp6": "all 6 ex-Warsaw-Pact",
    "german3": "3 German-speaking countries",
    "west_east": "west to east",
    "north_south": "north to south",
    "swiss_alone": "Switzerland alone",
    "axis": "Berlin, Vienna and Rome",
    "swiss_neighbours": "Switzerland's neighbours",
    "germany_netherlands": "Germany and Netherlands",
    "yugoslavia_croatia": "Yugoslavia and Croatia",
    "great_britain_ireland": "Great Britain and Ireland",
    "czech_republic_slovakia": "Czech Republic and Slovakia",
}
STRIVEN_FOR = tuple(ITEMS)[1:12]


def percent(part: Fraction | float, whole: Fraction | float) -> float:
    """A share in percent, 0 of nothing."""
    return float(100 * part / whole) if whole else 0.0


def per(total: Fraction | float, count: Fraction | float) -> float:
    """A mean, 0 of nothing."""
    return float(total / count) if count else 0.0


def name_of(country: str) -> str:
    """What a country is called in English."""
    return registry.load("kuel", {}).label(country, "en")


def countries() -> list[str]:
    """By number."""
    game: Any = registry.load("kuel", {})
    return [c.id for c in game.board.countries]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    align = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, align, *rows))


def prose(text: str) -> str:
    """Paragraphs as they are meant: a line each, but for tables; list items stand together."""
    parts = []
    for block in text.strip().split("\n\n"):
        rows = [row.strip() for row in block.strip().splitlines()]
        parts.append("\n".join(rows) if rows[0].startswith("|") else " ".join(rows))
    return "\n\n".join(parts).replace("\n\n- ", "\n- ").replace("\n- ", "\n\n- ", 1)


class Starts(NamedTuple):
    """A start country: how many began there, how often they won, and how sure that is."""

    country: str
    times: int
    won: float
    unsure: float
    points: float


def starts_of(sums: Sums) -> list[Starts]:
    """Every country somebody began in, best first."""
    found = []
    for country in countries():
        times = sums["start", country]
        if times:
            share = per(sums["start_won", country], times)
            unsure = 100 * sqrt(share * (1 - share) / times)
            found.append(Starts(country, times, 100 * share, unsure, per(sums["start_points", country], times)))
    return sorted(found, key=lambda s: (-s.won, s.country))


class Document:
    """The text and the charts, made of the sums of all fields."""

    def __init__(self, found: Found, percent_played: int) -> None:
        self.found, self.percent = found, percent_played
        self.charts: dict[str, str] = {}
        self.thinking = merged(found[bots, preset] for bots in EQUAL for preset in (CLASSIC, GENTLE))
        self.everything = merged(found.values())

    def text(self) -> str:
        """The whole page."""
        parts = [
            self.head(),
            self.short(),
            self.starts(),
            self.draws(),
            self.points(),
            self.luck(),
            self.leaders(),
            self.gentle(),
            self.how(),
        ]
        return "\n\n".join(parts) + "\n"

    def chart(self, file: str, svg: str, title: str) -> str:
        """Keep a chart; the line that shows it."""
        self.charts[file] = svg
        return f"![{title}](balance/{file})"

    def head(self) -> str:
        """What this is."""
        return prose(f"""
            # How KUEL plays: balance and luck

            {self.everything["leagues",]:,} leagues of {ROUNDS} rounds, played by programs with made-up figures as fair
            as the real ones. Programs don't talk, bluff or bear a grudge, so read this as what rules and map do by
            themselves. This page is made by `make balance`; don't edit it by hand.
        """)

    def short(self) -> str:
        """The findings."""
        best, worst = starts_of(self.thinking)[:3], starts_of(self.thinking)[-3:]
        classic, gentle = (self.found[EQUAL[1], preset] for preset in (CLASSIC, GENTLE))
        mixed = self.found[MIXED, CLASSIC]
        items = ", ".join(ITEMS[name] for name, _ in _leading_items(classic)[1:4])
        lead = percent(classic["ahead_won", 10], classic["leagues",])
        ends = [per(classic["place_points", place], classic["place", place]) for place in (1, 4, SEATS)]
        rebuilt = [per(classic["luck_rebuilt", who], classic["luck_seats", who]) for who in ("first", "last")]
        debt, free = (
            [self._end(sums, what, of) for sums in (classic, gentle)]
            for what, of in (("debt", "players"), ("unowned", "fields"))
        )
        return prose(f"""
            ## In short

            - **Where to start.** Even would be {100 / SEATS:.1f} %. {_listed(best)} win most, {_listed(worst)} least.

            - **Classic or gentle.** With bots that look ahead {debt[0]:.0f} % of the players end a classic league in
            debt, a gentle one {debt[1]:.0f} %; of the countries {free[0]:.0f} % have no owner at its end, in a gentle
            one {free[1]:.0f} %.

            - **Skill and luck.** In a mixed field a bot that looks ahead wins {_won(mixed, "lookahead"):.0f} % of the
            leagues it plays, a greedy one {_won(mixed, "greedy"):.0f} %, one that moves at random
            {_won(mixed, "random"):.0f} %.

            - **Among equals.** The winner of a classic league ends with {ends[0]:.0f} points, the fourth with
            {ends[1]:.0f}, the last with {ends[2]:.0f}. Rebuilding collapsed countries cost the last
            {rebuilt[1]:.0f} points, the winner {rebuilt[0]:.0f}.

            - **The lead.** It changes {per(classic["changes",], classic["leagues",]):.1f} times in a classic league of
            {ROUNDS} rounds; who leads after round 10 wins {lead:.0f} % of them.

            - **What brings the points.** Apart from the point that each country brings: {items}.
        """)

    def _end(self, sums: Sums, what: str, of: str, number: int = ROUNDS) -> float:
        return percent(sums[what, number], sums[of, number])

    def starts(self) -> str:
        """Who wins from where."""
        pooled = starts_of(self.thinking)
        chart = self.chart(
            "starts.svg",
            bars(
                "Leagues won, by the country a player began in",
                f"percent; the dashed line is an even {100 / SEATS:.1f}",
                [Bar(name_of(s.country), s.won) for s in pooled],
                even=100 / SEATS,
            ),
            "Leagues won by start country",
        )
        kinds = [{s.country: s for s in starts_of(self._both(bots))} for bots in EQUAL]
        rows = []
        for s in pooled:
            own = [f"{kind[s.country].won:.1f}" if s.country in kind else "–" for kind in kinds]
            rows.append([name_of(s.country), f"{s.times:,}", f"{s.won:.1f} ± {s.unsure:.1f}", *own, f"{s.points:.0f}"])
        head = ["began in", "times", "won %", "greedy %", "look-ahead %", "points at the end"]
        return prose(f"""
            ## Who wins from where

            Eight equal bots, greedy or looking ahead, in classic and gentle leagues, begin as newcomers in an edge
            country they choose. The ± is one standard error: differences smaller than two of them mean little. How
            often a country was chosen is the bots' taste; what came of it is the map's doing.

            {chart}

            {table(head, rows)}
        """)

    def _both(self, bots: str) -> Sums:
        return merged(self.found[bots, preset] for preset in (CLASSIC, GENTLE))

    def draws(self) -> str:
        """Civil war and collapse against theory."""
        sums, wars, falls = self.everything, war_theory("1.1", "0.9"), fall_theory()
        above = war_theory("1.1")
        war_draws, fall_draws = sums["war_draws",], sums["fall_draws",]
        seen = {c: percent(sums["war_drawn", c], war_draws) for c in countries()}
        fell = {c: percent(sums["fall_drawn", c], fall_draws) for c in falls}
        charts = [
            self.chart(file, bars(title, about, [Bar(name_of(c), values[c], theory[c]) for c in countries()]), title)
            for file, title, about, values, theory in (
                ("civil-war.svg", "Civil wars drawn", "percent of all rounds; the stroke is theory", seen, wars),
                ("collapse.svg", "Collapses drawn", "percent of all rounds; the stroke is theory", fell, falls),
            )
        ]
        rows = [
            [
                name_of(c),
                f"{wars[c]:.2f}",
                f"{above[c]:.2f}",
                f"{seen[c]:.2f}",
                f"{percent(sums['war', c], war_draws):.2f}",
                f"{percent(sums['war_lost', c], war_draws):.2f}",
                f"{falls[c]:.2f}",
                f"{fell[c]:.2f}",
                f"{percent(sums['fall_owned', c], fall_draws):.2f}",
            ]
            for c in countries()
        ]
        head = [
            "percent of rounds",
            "war: theory",
            "euro above",
            "drawn",
            "broke out",
            "cost an owner",
            "collapse: theory",
            "drawn",
            "hit an owner",
        ]
        often = sorted(countries(), key=lambda c: -wars[c])
        top, low = wars[often[0]], wars[often[-1]]
        worst, calm = ([c for c in often if abs(wars[c] - edge) < 1e-9] for edge in (top, low))
        averted = sum(sums["averted", why] for why in ("protected", "last_country", "already"))
        nothing = percent(averted, sum(sums["war_drawn", c] for c in countries()))
        numbers = {c: place for place, c in enumerate(countries(), start=1)}
        double, single = (
            max(falls[c] for c in countries() if (numbers[c] in {11, 22}) is yes) for yes in (True, False)
        )
        return prose(f"""
            ## Civil war and collapse

            The halving table is not the same for all: {_names(worst)} are drawn in {top:.1f} % of the rounds each,
            {_names(calm)} in {low:.1f} %. Here the euro stands above and below the dollar alike; for years on end it is
            above, and then halves are rounded down, as in the second column. A collapse is likelier in the countries
            with the numbers 11 and 22 ({_names([c for c in countries() if numbers[c] in {11, 22}])}), which are
            repdigits themselves: {double:.1f} % against {single:.1f} %. The world economy collapses in
            {falls["world"]:.2f} % of the rounds by theory, {fell["world"]:.2f} % here. Of the civil wars drawn
            {nothing:.0f} % changed nothing: the country was burning already, protected, or its owner's last.

            {charts[0]}

            {charts[1]}

            {table(head, rows)}
        """)

    def points(self) -> str:
        """Points by constellation."""
        both = [self.found[EQUAL[1], preset] for preset in (CLASSIC, GENTLE)]
        shares = [_shares(sums) for sums in both]
        order = [item for item, _ in _leading_items(both[0])]
        order += [item for item, _ in _leading_items(both[1]) if item not in order]
        chart = self.chart(
            "constellations.svg",
            bars(
                "Where points come from",
                "percent of all points won in classic leagues of bots that look ahead; below zero are penalties",
                [Bar(ITEMS[item], shares[0].get(item, 0.0)) for item in order],
            ),
            "Points by constellation",
        )
        rows = []
        for item in order:
            cells = [f"{round(shares[0].get(item, 0.0), 1) + 0.0:.1f}"]
            cells.append(f"{percent(both[0]['item_leagues', item], both[0]['leagues',]):.0f}")
            cells.append(f"{per(100 * both[0]['item_rounds', item], both[0]['item_rounds', 'countries']):.1f}")
            cells += [
                f"{round(shares[1].get(item, 0.0), 1) + 0.0:.1f}",
                f"{percent(both[1]['item_leagues', item], both[1]['leagues',]):.0f}",
            ]
            rows.append([ITEMS[item], *cells])
        never = [item for item in STRIVEN_FOR if item not in order]
        told = f" Nobody ever reached {', '.join(ITEMS[item] for item in never)}." if never else ""
        head = [
            "constellation",
            "share of points %",
            "leagues with it %",
            "of all turns %",
            "gentle: share %",
            "gentle: leagues %",
        ]
        return prose(f"""
            ## Points by constellation

            Eight bots that look ahead. *Leagues with it*: somebody held it for a round at least. *Of all turns*: in how
            many of a player's rounds it was scored.{told}

            {chart}

            {table(head, rows)}
        """)

    def luck(self) -> str:
        """What draws cost, and the spread between equals."""
        look = self.found[EQUAL[1], CLASSIC]
        places = range(1, SEATS + 1)
        chart = self.chart(
            "places.svg",
            bars(
                "Points at the end, by place",
                f"mean of classic leagues of {SEATS} equal bots that look ahead, after {ROUNDS} rounds",
                [Bar(f"place {p}", per(look["place_points", p], look["place", p])) for p in places],
            ),
            "Points by place among equal bots",
        )
        spread = [
            [
                f"place {p}",
                *(
                    f"{per(sums['place_points', p], sums['place', p]):.0f}"
                    for bots in EQUAL
                    for sums in (self.found[bots, CLASSIC], self.found[bots, GENTLE])
                ),
            ]
            for p in places
        ]
        costs = []
        for preset in (CLASSIC, GENTLE):
            sums = self.found[EQUAL[1], preset]
            for who, word in (("all", "everybody"), ("first", "the winner"), ("last", "the last")):
                seats = sums["luck_seats", who]
                cells = [f"{per(sums[key, who], seats):.1f}" for key in ("luck_rebuilt", "luck_world", "luck_wars")]
                fought = sums["luck_battles", who]
                costs.append(
                    [
                        f"{preset}: {word}",
                        *cells,
                        f"{per(fought, seats):.1f}",
                        f"{percent(sums['luck_won', who], fought):.0f}",
                    ]
                )
        mixed = [
            [
                kind,
                *(
                    f"{value:.1f}"
                    for sums in (self.found[MIXED, CLASSIC], self.found[MIXED, GENTLE])
                    for value in (_won(sums, kind), per(sums["bot_points", kind], sums["bot_seats", kind]))
                ),
            ]
            for kind in ("lookahead", "greedy", "random")
        ]
        win = percent(look["luck_won", "first"], look["luck_battles", "first"])
        lose = percent(look["luck_won", "last"], look["luck_battles", "last"])
        paid = ["a player", "reconstruction", "world collapse", "countries lost to civil war", "battles", "won %"]
        return prose(f"""
            ## How lucky one has to be

            Equal bots differ by luck alone: seats, battles and draws. The winner of a classic league won {win:.0f} % of
            the battles he was in, the last {lose:.0f} %; a battle among three is won by one, so all together are below
            half. What the figures cost a player in a league, in points and in countries:

            {table(paid, costs)}

            {chart}

            {table(["points", "greedy", "greedy, gentle", "look-ahead", "look-ahead, gentle"], spread)}

            Skill shows when unequal bots meet: three that look ahead, three greedy, two random. Were all equal, each
            would win {100 / SEATS:.1f} % of its leagues.

            {table(["bot", "won %", "points", "gentle: won %", "gentle: points"], mixed)}
        """)

    def leaders(self) -> str:
        """Changes of the leader and streaks."""
        rows = []
        for bots in (*EQUAL, CHANCE):
            for preset in (CLASSIC, GENTLE):
                sums = self.found[bots, preset]
                runs = {key[1]: n for key, n in sums.items() if key[0] == "streak"}
                total = sum(runs.values())
                cells = [
                    f"{per(sums['changes',], sums['leagues',]):.1f}",
                    f"{per(sum(length * n for length, n in runs.items()), total):.1f}",
                    f"{per(sums['longest',], sums['leagues',]):.1f}",
                    *(f"{percent(sums['ahead_won', n], sums['leagues',]):.0f}" for n in LEADS),
                ]
                rows.append([f"{bots.split('*')[0]}, {preset}", *cells])
        head = ["bots", "leader changes", "mean streak", "longest streak"]
        head += [f"led after {n}, won %" for n in LEADS]
        return prose(f"""
            ## The lead

            How often the lead goes to somebody else, for how many rounds somebody leads alone (the mean of all streaks,
            and of each league's longest), and how often who led after {LEADS[0]}, {LEADS[1]} or {LEADS[2]} rounds won
            in the end.

            {table(head, rows)}
        """)

    def gentle(self) -> str:
        """Classic against gentle."""
        classic, gentle = self.found[CHANCE, CLASSIC], self.found[CHANCE, GENTLE]
        charts = [
            self.chart(
                f"{file}.svg",
                lines(
                    title,
                    f"percent, {SEATS} bots that move at random",
                    {
                        preset: [percent(sums[what, n], sums[of, n]) for n in range(1, ROUNDS + 1)]
                        for preset, sums in ((CLASSIC, classic), (GENTLE, gentle))
                    },
                ),
                title,
            )
            for file, title, what, of in (
                ("debt", "Players in debt", "debt", "players"),
                ("unowned", "Countries without an owner", "unowned", "fields"),
            )
        ]
        rows = []
        for bots in (CHANCE, *EQUAL):
            for what, of, word in (
                ("debt", "players", "players in debt"),
                ("unowned", "fields", "countries without an owner"),
                ("warring", "fields", "countries in civil war"),
            ):
                both = [self.found[bots, preset] for preset in (CLASSIC, GENTLE)]
                ends = [f"{self._end(sums, what, of):.1f}" for sums in both]
                means = [f"{_over_all(sums, what, of):.1f}" for sums in both]
                rows.append([f"{bots.split('*')[0]}: {word}", *ends, *means])
        by_round = [
            [
                str(n),
                *(
                    f"{self._end(s, w, o, n):.1f}"
                    for w, o in (("debt", "players"), ("unowned", "fields"))
                    for s in (classic, gentle)
                ),
            ]
            for n in (1, 2, 3, 5, 10, 15, 20, 25, 30)
        ]
        debt = [self._end(sums, "debt", "players") for sums in (classic, gentle)]
        free = [self._end(sums, "unowned", "fields") for sums in (classic, gentle)]
        greedy = [self._end(self.found[EQUAL[0], preset], "unowned", "fields") for preset in (CLASSIC, GENTLE)]
        sides = ["percent", "classic, end", "gentle, end", "classic, mean", "gentle, mean"]
        rounds = ["round", "debt, classic", "debt, gentle", "unowned, classic", "unowned, gentle"]
        return prose(f"""
            ## Classic or gentle

            `gentle` lets nobody pay more than he has for reconstruction (K55), and ends a civil war after six rounds
            (K43). Over {classic["leagues",]:,} leagues each of {SEATS} random bots, players in debt at the end go from
            {debt[0]:.0f} to {debt[1]:.0f} %, countries without an owner from {free[0]:.0f} to {free[1]:.0f} %: random
            players leave and devastate what they have, so many stand empty either way. Greedy ones hold on to theirs,
            and unowned countries go from {greedy[0]:.0f} to {greedy[1]:.0f} %. A league that should last is better off
            with `gentle`; in `classic` the east burns out and debts stay.

            {charts[0]}

            {charts[1]}

            {table(sides, rows)}

            The random leagues round by round, as in the charts:

            {table(rounds, by_round)}
        """)

    def how(self) -> str:
        """How it was measured."""
        rows = [[bots, preset, f"{sums['leagues',]:,}"] for (bots, preset), sums in self.found.items()]
        part = "" if self.percent == 100 else f" This copy was made of {self.percent} % of them."
        return prose(f"""
            ## How this was measured

            Seats begin as newcomers (`start=join`), battles are drawn with equal chances (`battles=drawn`). Every
            ending of the DAX is as likely, one Friday in {HOLIDAYS} is a holiday, the euro stands above or below the
            dollar alike, six balls of 49 come in a random order. `random` makes any legal move; `greedy` the one with
            most points in sight; `lookahead` weighs its move and the best move after it, with the chance that either
            fails, the civil wars to be expected, what neighbours threaten and what it takes from them. None sees the
            figures or the others' orders. All hangs on one seed, so the same program makes the same page.{part} The
            same for your own options:

            `league simulate kuel --rounds 30 --leagues 100 --bots lookahead*8 --option preset=gentle`

            {table(["bots", "preset", "leagues"], rows)}
        """)


def _won(sums: Sums, kind: str) -> float:
    return percent(sums["bot_won", kind], sums["bot_seats", kind])


def _over_all(sums: Sums, what: str, of: str) -> float:
    rounds = range(1, ROUNDS + 1)
    return percent(sum(sums[what, n] for n in rounds), sum(sums[of, n] for n in rounds))


def _leading_items(sums: Sums) -> list[tuple[str, float]]:
    return sorted(_shares(sums).items(), key=lambda pair: (-pair[1], pair[0]))


def _shares(sums: Sums) -> dict[str, float]:
    """Each item's share of the points won, penalties against the same whole."""
    points = {key[1]: value for key, value in sums.items() if key[0] == "item_points"}
    won = sum(value for value in points.values() if value > 0)
    return {item: percent(value, won) for item, value in points.items()}


def _listed(found: Sequence[Starts]) -> str:
    return _and([f"{name_of(s.country)} ({s.won:.0f} %)" for s in found])


def _names(found: Sequence[str]) -> str:
    return _and([name_of(country) for country in found])


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def write(folder: Path, document: Document) -> None:
    """The page and its charts."""
    text = document.text()
    (folder / "balance").mkdir(parents=True, exist_ok=True)
    (folder / "kuel-balance.md").write_text(text, encoding="utf-8")
    for name, svg in document.charts.items():
        (folder / "balance" / name).write_text(svg, encoding="utf-8")


def main(args: Sequence[str] | None = None) -> int:
    """Play, count, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs" / "games")
    parser.add_argument("--percent", type=int, default=100, choices=range(1, 101), metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    chosen = parser.parse_args(args)
    write(chosen.out, Document(play_all(chosen.percent, chosen.jobs), chosen.percent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
