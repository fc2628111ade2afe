"""The plain values pages and mails are made from; the desk builds them from storage and `game.view()`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from pathlib import Path

from league.core.composing import Composing
from league.core.json import Json, JsonDict
from league.core.orders import NO_FACTS, Mistake, Press, Rehearsed, Ruling
from league.core.standings import Standings
from league.core.view import MapView, View
from league.i18n import LANGS
from league.reports.chronicle import Chronicle
from league.reports.front import Seasons
from league.reports.maps import Drawing
from league.reports.pictures import Sketch

Label = Callable[[str, str], str]  # (thing of the board, language) -> its name
Who = Callable[[str], str]  # seat -> display name
Reads = Callable[[str], bool]  # would the league's own order reader find an order or press in this text?


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """What every page of a site shares.

    `templates` and `locales` are folders that go before ours; `notices` stand on the site's own page;
    `games` names the folder of a plug-in's templates.
    `compiled` is a folder, there already and the site's alone, in which compiled templates and catalogs outlive the
    process.
    """

    title: str
    lang: str = "en"
    base_url: str = ""
    index: bool = False
    langs: tuple[str, ...] = LANGS
    templates: tuple[Path, ...] = ()
    locales: tuple[Path, ...] = ()
    games: tuple[tuple[str, Path], ...] = ()
    notices: tuple[str, ...] = ()
    compiled: Path | None = None
    pictures: bool = True  # whether report mails carry the map as a picture
    edition: int = 0  # of the site's own templates; another one where a file of theirs is another


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as it appears in public; `look` picks fill and symbol. `zone` empty: the league's."""

    id: str
    name: str
    lang: str
    look: int
    zone: str = ""
    left: bool = False  # retired


@dataclass(frozen=True, slots=True)
class PauseInfo:
    """Holidays of the league, both days among them."""

    first: date
    last: date
    why: str = ""


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option of the league, as chosen."""

    name: str
    value: str
    rule: str
    day: int | None = None  # of the week, Monday is 0: `value` goes on with its name
    time: str = ""


@dataclass(frozen=True, slots=True)
class LeagueInfo:
    """A league as every one of its pages needs it.

    `label` and `drawing` belong to the game (`drawing` None: a game without a map); `notices` are codes that the
    catalogs know or the organizer's own sentences; `rules_url` is relative to the league's folder, empty while
    there is no rules page.
    """

    slug: str
    title: str
    game: str
    lang: str
    zone: str
    address: str
    seats: tuple[SeatInfo, ...]
    label: Label
    drawing: Drawing | None = None
    options: tuple[OptionInfo, ...] = ()
    notices: tuple[str, ...] = ()
    rules_url: str = ""
    prize: str = ""  # what the month's leader wins (config), in the organizer's words
    pauses: tuple[PauseInfo, ...] = ()  # those that are still to come or under way
    match: str = ""  # which playing of the game it is: its rounds are others than those of the next
    moved: str | None = None  # to which address its mail goes since it is played elsewhere; None: it isn't
    last: int | None = None  # the number of the season's last round, where that is known

    @property
    def closes_early(self) -> bool:
        """Whether a round closes once everybody's orders are final."""
        return any((option.name, option.value) == ("early_close", "yes") for option in self.options)

    def seat(self, seat: str) -> SeatInfo | None:
        """The seat of that id, or None for one that is no longer on the list."""
        return next((s for s in self.seats if s.id == seat), None)

    def zone_of(self, seat: str) -> str:
        """Where the player's clock hangs."""
        known = self.seat(seat)
        return known.zone if known is not None and known.zone else self.zone


@dataclass(frozen=True, slots=True)
class RoundInfo:
    """A round's frame. `status`: open, frozen, waiting (for results or figures) or done.

    `revealed`: the organizer looked at sealed orders. `version` above 1 means a corrected record;
    `leaves` are the published leaves in the order of the root.
    """

    number: int
    opens: datetime
    deadline: datetime
    closes: datetime
    ends: datetime
    status: str = "done"
    version: int = 1
    frozen_late: bool = False
    revealed: bool = False
    root: str = ""
    leaves: tuple[str, ...] = ()
    record_sha256: str = ""
    record_file: str = ""  # what it is called within the league's records
    links: int = 0  # with this record the chain has so many, and `checkpoint` is the signature over that
    checkpoint: str = ""
    tool: str = ""
    moved: bool = False  # a late result moved its deadline by a week
    extended: bool = False  # the organizer gave it a later deadline
    phase: str = ""  # what it waits for, where that is known and rounds differ
    asks: Mapping[str, Mapping[str, Json]] | None = None  # seat -> what is wanted of it; None: the same of everybody

    def wants(self, seat: str) -> bool:
        """Whether it waits for orders of the seat."""
        return self.asks is None or seat in self.asks

    @property
    def early(self) -> bool:
        """Whether it was closed before its deadline, since everybody's orders were final."""
        return self.closes < self.deadline


@dataclass(frozen=True, slots=True)
class LineReport:
    """One order line: as written, as understood (`order`, see `order_facts`), and what became of it."""

    written: str
    ruling: Ruling
    notation: str = ""
    order: Mapping[str, Json] = field(default=NO_FACTS)


@dataclass(frozen=True, slots=True)
class MailReport:
    """One order mail and what became of its move (`own`) and of each line."""

    seat: str
    received: datetime | None
    own: Ruling
    lines: tuple[LineReport, ...]
    instructed: str = ""  # made by a standing instruction (absence) or by standing orders (standing)


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """What a source said, and when."""

    source: str
    value: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """An agreed figure. `status`: as records have it, but `entered` (by hand, then `note` is the reason) for manual."""

    figure: str
    day: str
    value: str
    source: str
    status: str = "agreed"
    note: str = ""
    readings: tuple[ReadingReport, ...] = ()  # who said what when, of equal answers in a row the first and the last
    doubts: tuple[ReadingReport, ...] = ()  # who says otherwise since


@dataclass(frozen=True, slots=True)
class PressReport:
    """A message as it came; `press.to` empty means everyone, `seat` empty that its writer isn't named."""

    seat: str
    press: Press


@dataclass(frozen=True, slots=True)
class CorrectionReport:
    """Why a round has one version more: what was and what is, and what follows for the position now.

    `cause` is the round whose correction made this one come out anew. The difference went into the start of round
    `next` (`applied`; `left` is what could not be put right), or the rounds `again` were evaluated again, which changes
    the position after them (`position`).
    """

    act: str
    why: str
    at: datetime
    version: int
    changes: tuple[Mapping[str, Json], ...]
    cause: int = 0
    next: int = 0
    applied: tuple[Mapping[str, Json], ...] = ()
    left: tuple[Mapping[str, Json], ...] = ()
    again: tuple[int, ...] = ()
    position: tuple[Mapping[str, Json], ...] = ()
    over: bool = False  # the match was already when it was corrected


@dataclass(frozen=True, slots=True)
class AdjustedReport:
    """The position with which a round starts was put right: because of which round, and what was changed in it."""

    cause: int
    why: str
    at: datetime
    applied: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """All that a round's page and mails are made from. `view` is the public's; `events` are `Event.facts()`.

    With anything `pending` the report is provisional and says so. `following` is the round that opens next.
    """

    league: LeagueInfo
    round: RoundInfo
    view: View
    events: tuple[Mapping[str, Json], ...] = ()
    mails: tuple[MailReport, ...] = ()
    standings: Standings = ()
    previous: Standings = ()
    pending: tuple[Mapping[str, Json], ...] = ()
    evidence: tuple[EvidenceReport, ...] = ()
    press: tuple[PressReport, ...] = ()
    following: RoundInfo | None = None
    away: tuple[str, ...] = ()  # seats that had no part in the round: not come yet, or left before
    missed: Mapping[str, int] = field(default_factory=dict)  # seat -> rounds in a row without a word, where it warns
    missed_limit: int = 0  # from how many on something is done
    missed_action: str = "tell"
    replies_until: datetime | None = None
    correction: CorrectionReport | None = None  # of a version above 1
    newest: int = 0  # the version that stands, on the page of an older one
    sealed: bool = False  # nobody may see its orders before the match is over
    own: tuple[MailReport, ...] = ()  # then they are here, each for its own seat's mail alone
    adjusted: tuple[AdjustedReport, ...] = ()  # why it doesn't start where the round before it ended
    has_next: bool = False  # the round after it has a page already
    picture: str = ""  # where a picture of its map lies within the league's folder
    over: bool = False  # no round comes after it: its standings are the result


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A line in the league's list of rounds; `headline` are facts of events worth a sentence."""

    number: int
    deadline: datetime
    status: str = "done"
    version: int = 1
    headline: tuple[Mapping[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class RecordLink:
    """A record as published. `kind` is round (0: the opening), adjustment, key or unsealed."""

    file: str
    kind: str
    number: int
    version: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Writing:
    """What seats may write now: orders for the open round, replies to the round `waits` (0: none takes any).

    `unsure`: the open round's start isn't settled yet, so that what its orders meet can't be told.
    """

    orders: Mapping[str, Composing] = field(default_factory=dict)
    replies: Mapping[str, Composing] = field(default_factory=dict)
    waits: int = 0
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """The league's front page. `received`: seats heard from; how much of it shows is `show_received`'s word (K90)."""

    league: LeagueInfo
    standings: Standings = ()
    map: MapView | None = None
    rounds: tuple[RoundLink, ...] = ()
    open: RoundInfo | None = None
    received: tuple[str, ...] = ()
    show_received: str = "names"
    missed: Mapping[str, int] = field(default_factory=dict)  # seat -> closed rounds in a row without a word
    offered: tuple[str, ...] = ()  # seats that are offered to who stands by
    adjusted: tuple[AdjustedReport, ...] = ()  # why the position isn't that after the last round
    over: bool = False  # the match is
    chronicle: Chronicle = field(default_factory=Chronicle)
    following: RoundInfo | None = None  # the round after the open one
    last: RoundInfo | None = None  # the newest round that closed
    records: tuple[RecordLink, ...] = ()
    picture: str = ""  # where a picture of the map lies within the league's folder
    extra: Mapping[str, Json] = field(default=NO_FACTS)  # as the game's view has them
    columns: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    writing: Writing | None = None  # None: the game can't say what there is to choose from
    seasons: Seasons = field(default_factory=Seasons)  # which one it is, and the others


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One line of a mail as it was read: an order with its notation, or a mistake, or what it was passed over for."""

    written: str
    order: Mapping[str, Json] = field(default=NO_FACTS)
    notation: str = ""
    mistake: Mistake | None = None
    number: int = 0  # its place among the mail's lines, counted from 1
    note: Ruling | None = None
    reply: Ruling | None = None  # what the round being evaluated says to it
    replied: bool = False  # it counts for the round being evaluated, not for the open one
    told: Rehearsed | None = None  # what would become of it now


@dataclass(frozen=True, slots=True)
class CommandReport:
    """What became of a command of a mail: `code` says which sentence tells it, `facts` are what the sentence needs."""

    written: str
    code: str
    facts: Mapping[str, Json] = field(default=NO_FACTS)
    done: bool = True


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A round that takes replies: what it still waits for, and until when."""

    round: RoundInfo
    pending: tuple[Mapping[str, Json], ...] = ()
    until: datetime | None = None
    battles: tuple[Mapping[str, Json], ...] = ()  # of which the reader's report is missing


@dataclass(frozen=True, slots=True)
class KeptOrders:
    """What is kept for rounds without a mail of the player's. `what` did the mail: set, ended, none (to end), or ""."""

    lines: tuple[ReceiptLine, ...] = ()
    what: str = ""


@dataclass(frozen=True, slots=True)
class Seal:
    """What lets a player prove that a mail was booked: check sum, nonce, and the signature over what it names."""

    leaf: str
    nonce: str
    signature: str
    signed: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A mail that got no answer when it came. `what` became of it: orders, replies, late, again, nothing, held.

    `lines` are those that weren't understood.
    """

    received: datetime
    what: str
    lines: tuple["ReceiptLine", ...] = ()
    seal: Seal | None = None


@dataclass(frozen=True, slots=True)
class Finals:
    """Where rounds close early: whether a seat's orders are final, or no longer.

    `missing`: how many others' aren't; None where nobody is told. `is_bare`: nothing of it stands but that word.
    """

    is_final: bool
    taken_back: bool
    missing: int | None
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an order mail.

    `standing` is the whole set that now counts (empty: none); `replaced` is the revision whose place this mail
    took (0: none); `revision` 0 says that this mail has none, as nothing of it counts: the signed block is empty then.
    """

    seat: str
    round: RoundInfo
    received: datetime
    lines: tuple[ReceiptLine, ...]
    standing: tuple[ReceiptLine, ...] = ()
    revision: int = 0
    replaced: int = 0
    quoted: int = 0
    leaf: str = ""
    nonce: str = ""
    signature: str = ""
    signed: str = ""  # league, match, round, seat, revision and time of arrival, as the signature has them
    subject: str = ""
    evaluation: Evaluation | None = None
    more: int = 0  # lines of a very long mail that aren't listed
    why: str = ""  # the rule by which a mail held nothing that can be used
    kept: KeptOrders = KeptOrders()
    commands: tuple[CommandReport, ...] = ()
    invited: str = ""  # the name under which the reader is invited, while the invitation waits for an answer
    opens: datetime | None = None  # no round takes orders before that
    reply: Seal | None = None  # of what was booked for the round being evaluated
    final: Finals | None = None  # None where rounds don't close early
    by_line: bool = False  # a mail takes the place of lines that it repeats, not of earlier mails as a whole
    thread: str = ""  # it "answers" or "quotes" another player's message
    unanswered: tuple[Unanswered, ...] = ()  # mails before it that are answered with it


@dataclass(frozen=True, slots=True)
class Deadline:
    """A round's deadline as an event of a calendar."""

    uid: str
    name: str  # of the file
    instant: datetime
    summary: str
    description: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail's subject and text, ready for the outbox.

    `html` says the same as the text, in pieces that each end with a line: what stands between the first and the last
    is the reader's own, those two are the same for many.
    """

    subject: str
    text: str
    html: tuple[str, ...] = ()
    picture: Sketch | None = None
    deadline: Deadline | None = None
    unsubscribe: str = ""  # subject of the mail by which a reader asks for no more of these


def order_facts(order: object) -> JsonDict:
    """An order dataclass as `{type, …fields}`, the form in which the game's templates word it."""
    if not is_dataclass(order):
        return {}
    named: JsonDict = {"type": snake(type(order).__name__)}
    for f in fields(order):
        value = getattr(order, f.name)
        named[f.name] = order_facts(value) if is_dataclass(value) else value
    return named


def snake(name: str) -> str:
    """`MapChoice` -> `map_choice`."""
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))
