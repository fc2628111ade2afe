"""What the shell must know of EUROPA before loading it: importable without the rest."""

from league.core.game import Meta, Option
from league.core.schedule import MarketDay, Weekly

OPTIONS = (
    Option("move_scope", "adjacent", "A4", ("adjacent", "eu_border")),
    Option("elections_per_mail", 5, "8", low=0, high=38),
    Option("early_close", "no", "8", ("no", "yes")),
    Option("show_received", "count", "8", ("count", "names", "none")),
)

META = Meta(
    slug="europa",
    title={"de": "EUROPA 1945–2030", "en": "EUROPA 1945–2030", "nl": "EUROPA 1945–2030"},
    seats=(3, 6),
    versions=("europa-1",),
    options=OPTIONS,
    presets={"classic": {}},
    figures=("lotto",),
    week=Weekly(opens_day=6, opens_hour=0, closes_day=3, closes_hour=24),
    market=MarketDay(weekday=5, opens_hour=12, closes_hour=19, closes_minute=30, zone="Europe/Berlin"),
    zone="Europe/Berlin",
    open_at_end=True,
    by_line=True,
    one_by_one=True,
    nmr_action="offer",
    phases=("peace", "place", "vote"),
    draws=(
        MarketDay(weekday=2, opens_hour=12, closes_hour=18, closes_minute=25, zone="Europe/Berlin"),
        MarketDay(weekday=5, opens_hour=12, closes_hour=19, closes_minute=25, zone="Europe/Berlin"),
    ),
)
