"""Write config/exonyms.toml: what countries (and capitals) are called in languages that no order may be written in.

Names come from the Unicode CLDR as Babel brings it; what that lacks (countries that are gone, shorter and older names)
stands in `BY_HAND`. Run it again after an update of Babel: `python tools/build_exonyms.py > config/exonyms.toml`.
"""

import babel
from babel import Locale

LANGUAGES = "fr it es pt ca ro pl cs sk sl hr hu bg mk sr sr_Latn ru uk el tr sv da nb nn fi et lv lt is ga".split()
COUNTRIES = {
    "albania": "AL", "andorra": "AD", "austria": "AT", "belarus": "BY", "belgium": "BE", "bosnia": "BA",
    "bulgaria": "BG", "croatia": "HR", "czech_republic": "CZ", "denmark": "DK", "estonia": "EE", "finland": "FI",
    "france": "FR", "germany": "DE", "great_britain": "GB", "greece": "GR", "hungary": "HU", "iceland": "IS",
    "ireland": "IE", "italy": "IT", "latvia": "LV", "liechtenstein": "LI", "lithuania": "LT", "luxembourg": "LU",
    "macedonia": "MK", "moldova": "MD", "monaco": "MC", "netherlands": "NL", "norway": "NO", "poland": "PL",
    "portugal": "PT", "romania": "RO", "russia": "RU", "san_marino": "SM", "slovakia": "SK", "slovenia": "SI",
    "soviet_union": "RU", "spain": "ES", "sweden": "SE", "switzerland": "CH", "turkey": "TR", "ukraine": "UA",
    "yugoslavia": "",
}  # fmt: skip
CAPITALS = {
    "albania": "Tirane", "andorra": "Andorra", "austria": "Vienna", "belarus": "Minsk", "belgium": "Brussels",
    "bosnia": "Sarajevo", "bulgaria": "Sofia", "croatia": "Zagreb", "czech_republic": "Prague",
    "denmark": "Copenhagen", "estonia": "Tallinn", "finland": "Helsinki", "france": "Paris", "germany": "Berlin",
    "great_britain": "London", "greece": "Athens", "hungary": "Budapest", "ireland": "Dublin", "italy": "Rome",
    "latvia": "Riga", "lithuania": "Vilnius", "luxembourg": "Luxembourg", "macedonia": "Skopje",
    "moldova": "Chisinau", "monaco": "Monaco", "netherlands": "Amsterdam", "norway": "Oslo", "poland": "Warsaw",
    "portugal": "Lisbon", "romania": "Bucharest", "russia": "Moscow", "slovakia": "Bratislava",
    "slovenia": "Ljubljana", "soviet_union": "Moscow", "spain": "Madrid", "sweden": "Stockholm",
    "ukraine": "Kiev", "yugoslavia": "Belgrade",
}  # fmt: skip
BY_HAND = {
    "bosnia": ["Bosnie", "Bosnia", "Bośnia", "Bosna", "Босния"],
    "czech_republic": [
        "République tchèque", "Repubblica Ceca", "República Checa", "Chequia", "Republika Czeska", "Česká republika",
        "Češka", "Чешская Республика",
    ],
    "great_britain": [
        "Grande-Bretagne", "Angleterre", "Gran Bretagna", "Inghilterra", "Gran Bretaña", "Inglaterra", "Grã-Bretanha",
        "Wielka Brytania", "Anglia", "Velká Británie", "Великобритания", "Англия", "Storbritannien", "Nagy-Britannia",
    ],
    "greece": ["Hellas"],
    "ireland": ["Éire"],
    "macedonia": ["Macédoine", "Macedonia", "Macedonia del Norte", "Makedonija", "Македония", "Macedónia"],
    "netherlands": ["Hollande", "Olanda", "Holanda", "Holandia", "Nizozemsko", "Голландия", "Hollandia"],
    "soviet_union": [
        "URSS", "Union soviétique", "Unione Sovietica", "Unión Soviética", "União Soviética", "ZSRR",
        "Związek Radziecki", "Sovětský svaz", "СССР", "Советский Союз", "Sovjetunionen", "Szovjetunió",
    ],
    "switzerland": ["Suisse", "Svizzera"],
    "yugoslavia": [
        "Yougoslavie", "Iugoslavia", "Jugoslavia", "Yugoslavia", "Iugoslávia", "Jugosławia", "Jugoslávie",
        "Jugoslavija", "Jugoszlávia", "Iugoslavia", "Югославия", "Југославија", "Югославія", "Γιουγκοσλαβία",
        "Yugoslavya", "Jugoslavien", "Jugoslaavia",
    ],
}  # fmt: skip
HEAD = """\
# What countries and capitals are called in other languages. Data only, made by tools/build_exonyms.py.
#
# No order is understood by these names: an order line with one of them is asked about, and the answer names the
# country. A league that wants a name to count puts it among the `aliases` of its own board.

[meta]
format = 1
source = "Unicode CLDR through Babel {version}: names of territories, and of time zones' cities for capitals ({languages})"
by_hand = "Yugoslavia, the Soviet Union, shorter and older names of Bosnia, the Czech Republic, Great Britain, Macedonia, the Netherlands"

[names]
"""


def names(country: str, code: str) -> list[str]:
    """Each name once, in the order of the languages."""
    found: list[str] = []
    for tag in LANGUAGES:
        locale = Locale.parse(tag)
        found.append(locale.territories.get(code, ""))
        found.append(city(locale, CAPITALS.get(country, "")))
    bare = (name.removeprefix("an ") for name in found)  # the Irish article
    return [name for name in dict.fromkeys([*bare, *BY_HAND.get(country, ())]) if name]


def city(locale: Locale, capital: str) -> str:
    """The capital's name, where a time zone is called after it."""
    zone = locale.time_zones.get(f"Europe/{capital}")
    return str(zone["city"]) if zone is not None and "city" in zone else ""


def main() -> None:
    """Print the table."""
    print(HEAD.format(version=babel.__version__, languages=", ".join(LANGUAGES)), end="")
    for country, code in COUNTRIES.items():
        listed = ", ".join(f'"{name}"' for name in names(country, code))
        print(f"{country} = [{listed}]")


if __name__ == "__main__":
    main()
