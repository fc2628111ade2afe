"""What the shell must know of KUEL before loading it: importable without the rest."""

from league.core.game import Meta, Option
from league.core.schedule import MarketDay, Weekly

OPTIONS = (
    Option("over_limit", "keep", "K5", ("keep",)),
    Option("last_country_events", "spared", "K7", ("spared",)),
    Option("topology", "borders", "K9", ("borders", "tiles")),
    Option("resubmit", "replace", "K12", ("replace",)),
    Option("late", "reject", "K13", ("reject", "next_round")),
    Option("battles", "reported", "K33", ("reported", "drawn")),
    Option("unreported", "status_quo", "K33", ("status_quo",)),
    Option("one_report", "counts", "K33", ("counts",)),
    Option("start", "join", "K39", ("join", "board")),
    Option("max_players", 14, "K39", low=2, high=28),
    Option("civil_war_rounds", 0, "K43", low=0, high=52),
    Option("rounding", "once", "K46", ("once", "each")),
    Option("lotto_order", "drawn", "K51", ("drawn", "sorted")),
    Option("debt", "allowed", "K55", ("allowed", "stop_at_zero")),
    Option("award", "total", "K80", ("total", "gained")),
    Option("conditions", "off", "11", ("off", "on")),
    Option("standing", "off", "11", ("off", "on")),
    Option("show_received", "names", "K90", ("names", "count", "none")),
)

META = Meta(
    slug="kuel",
    title={"de": "KUEL", "en": "KUEL", "nl": "KUEL"},
    seats=(1, 28),
    versions=("kuel-1",),
    options=OPTIONS,
    presets={"classic": {}, "gentle": {"debt": "stop_at_zero", "civil_war_rounds": 6}},
    figures=("dax_close", "eurusd", "lotto"),
    week=Weekly(opens_day=6, opens_hour=0, closes_day=3, closes_hour=24),
    market=MarketDay(weekday=4, opens_hour=9, closes_hour=17, closes_minute=30, zone="Europe/Berlin"),
    zone="Europe/Berlin",
    dispensable=("dax_close", "eurusd", "lotto"),
)
