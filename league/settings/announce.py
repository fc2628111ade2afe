"""[[announce]] of `league.toml`: where the world is told of a report, through Apprise."""

from dataclasses import dataclass

from league.settings import checks
from league.settings.checks import key

REPORT, CORRECTION, DEADLINE = "report", "correction", "deadline"


@dataclass(frozen=True, slots=True)
class Announce:
    """[[announce]]: a channel of Discord, Matrix, Telegram, a mail address, or whatever else Apprise knows."""

    name: str = key("", "What it is called, in what is told of it.", checks.short_name, required=True)
    url_file: str = key(
        "", "File with Apprise's address of it, of mode 0600; relative to the site's folder. The address is a secret."
    )
    url_env: str = key("", "Environment variable with that address.")
    leagues: tuple[str, ...] = key((), "Short names of the leagues that are told there; empty: all of them.")
    what: tuple[str, ...] = key(
        (REPORT, CORRECTION),
        "What is told: report (a round's report is out), correction (it got another version), deadline (orders are due "
        "soon).",
        checks.some_of(REPORT, CORRECTION, DEADLINE),
        minItems=1,
    )
    deadline_hours: int = key(
        24,
        "So many hours before a deadline it is told, where that is wanted.",
        checks.reminding,
        minimum=0,
        maximum=168,
    )
    lang: str = key("", "Language: de, en or nl; empty: the league's own.", checks.language_or_none)
    picture: bool = key(default=True, about="Whether the round's map goes with it.")
