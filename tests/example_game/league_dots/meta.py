"""What the shell must know of Dots before loading it."""

from league.core.game import Meta, Option
from league.core.schedule import MarketDay, Weekly

META = Meta(
    slug="dots",
    title={"de": "Punkte", "en": "Dots", "nl": "Stippen"},
    seats=(2, 6),
    versions=("dots-1",),
    options=(Option("dots", 9, "D1", low=3, high=99),),
    presets={},
    figures=(),  # nothing is left to chance
    week=Weekly(opens_day=6, opens_hour=0, closes_day=3, closes_hour=24),
    market=MarketDay(weekday=4, opens_hour=9, closes_hour=17, closes_minute=30, zone="Europe/Berlin"),
    zone="Europe/Berlin",
)
