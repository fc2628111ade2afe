"""What the player wrote just now, without what he answers to: quotes, attributions, headers, signatures.

A line that reads as an order is never lost to an attribution
or a decoration, but always to a quote prefix or a cut. Nothing guesses signatures by greetings.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.language.lines import STRUCK, box_of, undecorated

IsOrder = Callable[[str], bool]

FENCES = {
    "de": "Bitte über dieser Zeile antworten",
    "en": "Please reply above this line",
    "nl": "Antwoord boven deze regel",
}
_FENCE_START = re.compile(r"bitte\s+über|please\s+reply|antwoord\s+boven", re.IGNORECASE)
_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+"
)
_SPACES = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_WORD = re.compile(r"\S{1,300}")  # composed word by word: sorting a long run of marks takes quadratic time
QUOTE_SIGNS = ">|»"
_QUOTED = re.compile(rf"\s{{0,3}}[{QUOTE_SIGNS}]")
_VERB = re.compile(
    r"\b(?:wrote|writes|schrieb|schreibt|geschrieben|schreef|schreven|geschreven|schrijft|écrit|ecrit|"
    r"escribió|escribio|escreveu|ha scritto|scrisse|skrev|kirjoitti|napisała?|napsala?|írta|yazdı)\b"
    r"|\b(?:написала?|пишет|писала?)\b|写道|寫道",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[^\s@<>]@\s?[a-z0-9-]{1,63}\.\s?[a-z0-9]", re.IGNORECASE)
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}\. \w+ \d\d", re.IGNORECASE
)
_OPENER = re.compile(
    r"(?:^|(?<=\s))(?:on|am|op|le|el|em|il|den|dne|w dniu|pe|на|il giorno)\s+"
    r"(?=[^\s,]{1,12}[.,]?\s|\d{1,4}[./-])(?=.{0,40}\d)",
    re.IGNORECASE,
)
_DATE_FIRST = re.compile(
    r"\s*(?:\w{2,10}[.,]+\s+)?(?:\d{1,2}\.?\s+\w+\.?,?\s+\d{4}|\d{4}-\d\d?-\d\d?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})\b"
)
_LABELS = {
    "from": "from|von|van|de|от|fra|från|da|od|lähettäjä|kimden",
    "sent": "sent|date|gesendet|datum|verzonden|envoyé|enviado|inviato|data|fecha|дата|отправлено|skickat|sendt|dato",
    "to": "to|an|aan|à|para|a|кому|til|till|komu|do|cc|kopie|copie",
    "subject": "subject|betreff|onderwerp|objet|asunto|assunto|oggetto|тема|emne|ämne|aihe|temat|předmět",
}
_LABEL = re.compile(
    r"[\s*]{0,4}(?:" + "|".join(f"(?P<{kind}>{names})" for kind, names in _LABELS.items()) + r")[\s*]{0,2}:",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"[\s\-‐–—_*=]{0,60}(?:original message|original appointment|ursprüngliche nachricht|original-?nachricht|"
    r"oorspronkelijk bericht|origineel bericht|message d'origine|message original|mensaje original|messaggio originale|"
    r"исходное сообщение|пересылаемое сообщение|forwarded message|weitergeleitete nachricht|doorgestuurd bericht|"
    r"message transféré|begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|"
    r"begin doorgestuurd bericht|début du message (?:transféré|réexpédié)|"
    r"начало переадресованного (?:сообщения|письма))"
    r"(?:\s+from .{1,80}|\s+von .{1,80})?[\s\-‐–—_*=:]{0,60}",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"\s*(?:[-_*=~#–—]\s?){2,}\s*|\s*—\s*")
_MOBILE = re.compile(
    r"(?:sent (?:from|via|with|using) (?:my|the|outlook|mail|gmail|yahoo|proton|k-9|samsung|windows|tuta)\b"
    r"|get outlook for\b"
    r"|(?:von meinem|von meiner|vom)\b.{1,60}\bgesendet"
    r"|gesendet (?:von (?:meinem|mail|outlook)|mit (?:der|dem|k-9|proton|outlook|gmx|web\.de)|aus)\b"
    r"|diese (?:nachricht|e-?mail) wurde (?:von|mit|über)\b.{1,80}\bgesendet"
    r"|outlook für (?:android|ios)\b|holen sie sich outlook\b|hol dir outlook\b"
    r"|(?:verstuurd|verzonden) (?:vanaf|vanuit|met|via|door)\b|outlook voor (?:android|ios)\b|download outlook voor\b"
    r"|envoyé (?:de|depuis|à partir de) (?:mon|ma|outlook|yahoo)\b|télécharger outlook\b|obtenez outlook\b"
    r"|отправлено (?:с|из) )",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\s*(?:[-*•·+–—‣▪]+|\d{1,2}[.)]|[a-z][.)])\s+")
_LONGEST_ATTRIBUTION = 400
_LONGEST_ORDER = 600
_MOBILE_WORDS = ("sent ", "outlook", "gesendet", "verstuurd", "verzonden", "envoyé", "отправлено")
_HARD_WRAP = 50


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The fresh text, and how many lines were left out: somebody's earlier words, a signature with orders."""

    text: str
    quoted: int = 0
    overlong: bool = False
    reads_order: bool = False
    hidden: int = 0


def normalise(text: str) -> str:
    """One kind of line end and of space, nothing invisible, composed letters."""
    if "\r" in text or not text.isprintable():
        text = _NEWLINES.sub("\n", text)
        text = _INVISIBLE.sub("", _SPACES.sub(" ", text))
    return text if text.isascii() else _WORD.sub(_composed, text)


def _composed(word: re.Match[str]) -> str:
    return word[0] if word[0].isascii() else unicodedata.normalize("NFC", word[0])


def _without_armor(lines: list[str]) -> list[str]:
    """Of a text that PGP has signed in the clear the text: neither its head lines nor the signature below it."""
    kept: list[str] = []
    skips = ""
    for line in lines:
        if line.startswith("-----BEGIN PGP "):
            skips = "" if skips else "head" if "SIGNED MESSAGE" in line else "block"
        elif line.startswith("-----END PGP ") or (skips == "head" and not line.strip()):
            skips = ""
        elif not skips:
            kept.append(line.removeprefix("- ") if line.startswith("- -") else line)
    return kept


def trim(text: str, is_order: IsOrder, most_lines: int = 1_500, most_chars: int = 200_000) -> Trimmed:
    """The fresh text of a mail. Only lines without a quote prefix count towards the limits."""
    lines = normalise(text).split("\n")
    lines = _without_armor(lines) if "-----BEGIN PGP SIG" in text else lines
    return _Trimmer(lines, is_order, most_lines, most_chars).run()


def hidden_orders(lines: Sequence[str], is_order: IsOrder) -> int:
    """How many lines to tell of where nothing is read: all that say something, if one of them reads as an order."""
    said = [line for line in lines if line.strip()]
    return len(said) if any(map(is_order, said)) else 0


class _Trimmer:
    """One pass over the lines, top to bottom."""

    def __init__(self, lines: Sequence[str], is_order: IsOrder, most_lines: int, most_chars: int) -> None:
        self.overlong = False
        self.lines = self._within(lines, most_lines, most_chars)
        self.unseen = len(lines) - len(self.lines)
        self.reads = is_order
        self.answers: dict[str, bool] = {}
        self.kept: list[str] = []
        self.quoted = 0
        self.signature = False
        self.unread: list[str] = []  # below a signature's mark
        self.verbs: dict[int, bool] = {}
        self.glued: dict[int, str] = {}
        self.attributions = self._attributions()
        self.order_ahead = -1

    def _within(self, lines: Sequence[str], most_lines: int, most_chars: int) -> Sequence[str]:
        count = chars = 0
        for index, line in enumerate(lines):
            if not _QUOTED.match(line):
                count += 1
                chars += len(line)
                if count > most_lines or chars > most_chars:
                    self.overlong = True
                    return lines[:index]
        return lines

    def is_order(self, line: str) -> bool:
        """Asked of the game at most once a line, and never of a monster."""
        line = line.strip()
        if not line or len(line) > _LONGEST_ORDER:
            return False
        if line not in self.answers:
            self.answers[line] = self.reads(line)
        return self.answers[line]

    def run(self) -> Trimmed:
        """All below a cut is quote, and so is what lies past the limit."""
        index = 0
        while 0 <= index < len(self.lines):
            index = self._step(index)
        if index < 0:
            self.overlong = False
        lines = _rejoined([self._undecorated(line) for line in self.kept], self.is_order)
        text = "\n".join(lines).strip("\n")
        hidden = hidden_orders(self.unread, lambda line: self.is_order(self._undecorated(line)))
        return Trimmed(text, self.quoted, self.overlong, any(self.is_order(line) for line in lines), hidden)

    def _step(self, index: int) -> int:
        """Judge one line (or one attribution); the next line to look at, -1 when the rest is quote."""
        line = self.lines[index]
        if _QUOTED.match(line):
            self.signature = False
            self.quoted += 1
            return index + 1
        if index in self.attributions:
            return self._attribution(index)
        if self._cuts(index):
            return self._cut(index)
        if self.signature:
            self.unread.append(line)
            return index + 1
        if line == "-- " or _DECORATION.fullmatch(line):
            self.signature = line == "-- " or not self._order_follows(index)
            return index + 1
        return self._keep(index)

    def _cut(self, index: int) -> int:
        self.quoted += sum(bool(line.strip()) for line in self.lines[index:]) + self.unseen
        return -1

    def _cuts(self, index: int) -> bool:
        line = self.lines[index]
        if len(line) > _LONGEST_ATTRIBUTION or not line.strip():
            return False
        return bool(_SEPARATOR.fullmatch(line)) or self._fence(index) or self._header_block(index)

    def _fence(self, index: int) -> bool:
        """Our own line that says where to write; clients wrap it."""
        if not _FENCE_START.search(self.lines[index]):
            return False
        letters = _letters(" ".join(self.lines[index : index + 2]))
        return any(fence in letters for fence in _FENCES)

    def _header_block(self, index: int) -> bool:
        first = _LABEL.match(self.lines[index])
        if not first or self.is_order(self.lines[index]):
            return False
        kinds = {first.lastgroup}
        for line in [line for line in self.lines[index + 1 : index + 10] if line.strip()][:6]:
            if self.is_order(line):
                break
            label = _LABEL.match(line[:_LONGEST_ATTRIBUTION])
            if label:
                kinds.add(label.lastgroup)
        return len(kinds) >= (2 if "from" in kinds else 3)

    def _attributions(self) -> dict[int, int]:
        """First line -> line after the last, for every "... wrote:" of one to four lines."""
        found: dict[int, int] = {}
        for end, line in enumerate(self.lines):
            if line.rstrip().endswith((":", "：")) and not _QUOTED.match(line):
                start = self._attribution_start(end)
                if start is not None:
                    found[start] = end + 1
                    if not self._quote_follows(end + 1):
                        break  # all below it will be cut
        return found

    def _attribution_start(self, end: int) -> int | None:
        """The shortest stretch that says who wrote when, taken up to the line where the sentence begins."""
        verb = any(self._has_verb(line) for line in range(max(end - 3, 0), end + 1))
        if not verb and not self._quote_follows(end + 1):
            return None
        start = None
        for first in range(end, max(end - 4, -1), -1):
            line = self.lines[first]
            if not line.strip() or _QUOTED.match(line) or self.is_order(line) or len(line) > _LONGEST_ATTRIBUTION:
                break
            text = " ".join(self.lines[first : end + 1])
            if start is None and self._is_attribution(text, end):
                start = first
            if start is not None and self._opens(first):
                return first
            if start is not None and (_DATE_FIRST.match(line) or _ends_in_address(line)):
                start = first
        return start

    def _has_verb(self, index: int) -> bool:
        if index not in self.verbs:
            line = self.lines[index]
            self.verbs[index] = len(line) <= _LONGEST_ATTRIBUTION and bool(_VERB.search(line))
        return self.verbs[index]

    def _is_attribution(self, text: str, end: int) -> bool:
        if len(text) > _LONGEST_ATTRIBUTION:
            return False
        verb, address, date = (bool(clue.search(text)) for clue in (_VERB, _ADDRESS, _DATE))
        if verb and (address or date):
            return True
        return (verb or (address and date)) and self._quote_follows(end + 1)

    def _opens(self, index: int) -> bool:
        """The sentence begins in this line, perhaps behind an order that the client glued it to."""
        line = self.lines[index]
        wrapped = " ".join(self.lines[index : index + 2])  # the date may stand in the next line
        for hit in list(_OPENER.finditer(wrapped[: 2 * _LONGEST_ATTRIBUTION]))[:10]:
            head = wrapped[: hit.start()]
            if hit.start() >= len(line):
                return False
            if not head.strip():
                return True
            if self.is_order(head):
                self.glued[index] = head
                return True
        return False

    def _quote_follows(self, index: int) -> bool:
        after = next((line for line in self.lines[index : index + 4] if line.strip()), "")
        return bool(_QUOTED.match(after))

    def _attribution(self, index: int) -> int:
        """Over a prefixed quote only the attribution goes; over an unprefixed one everything."""
        after = self.attributions[index]
        if index in self.glued and not self.signature:
            self.kept.append(self.glued[index])
        self.signature = False
        if self._quote_follows(after):
            self.quoted += after - index
            return after
        return self._cut(index)

    def _order_follows(self, index: int) -> bool:
        """Is there an order between this decoration and the next quote? Then it divides, else it ends."""
        if self.order_ahead > index:
            return True
        for ahead in range(index + 1, len(self.lines)):
            if _QUOTED.match(self.lines[ahead]) or ahead in self.attributions or self._cuts(ahead):
                return False
            if self.is_order(self._undecorated(self.lines[ahead])):
                self.order_ahead = ahead
                return True
        return False

    def _keep(self, index: int) -> int:
        line = self.lines[index].rstrip()
        likely = any(word in line.casefold() for word in _MOBILE_WORDS)
        mobile = _MOBILE.search(line[:_LONGEST_ORDER]) if likely else None
        if mobile and not self.is_order(line):
            head = line[: mobile.start()].rstrip(" *_")
            if not head.strip():
                return index + 1
            if self.is_order(self._undecorated(head)):
                line = head
        if self._torn_quote(index):
            self.quoted += 1
            return index + 1
        self.kept.append(line)
        return index + 1

    def _torn_quote(self, index: int) -> bool:
        """The end of a long quoted line that a client wrapped without a prefix."""
        if not 0 < index < len(self.lines) - 1 or not self.lines[index].strip():
            return False
        above, below = self.lines[index - 1], self.lines[index + 1]
        torn = len(above) >= 60 and bool(_QUOTED.match(above) and _QUOTED.match(below))
        return torn and not self.is_order(self._undecorated(self.lines[index]))

    def _undecorated(self, line: str) -> str:
        """Bullets, numbers, boxes and stars around an order, if it is one without them; crossed out is crossed out."""
        if self.is_order(line) or box_of(line) == STRUCK:
            return line
        head = line[: _LONGEST_ORDER + 9]
        for bare in (_BULLET.sub("", head, count=1), undecorated(head.strip()), line.strip(" *_")):
            if bare != line and self.is_order(bare):
                return bare
        return line


def _ends_in_address(line: str) -> bool:
    return line.rstrip().endswith(">") and bool(_ADDRESS.search(line))


def _rejoined(lines: Sequence[str], is_order: IsOrder) -> list[str]:
    """A long order that a client wrapped: joined only if neither half is one and both together are."""
    out: list[str] = []
    index = 0
    while index < len(lines):
        pair = lines[index : index + 2]
        if len(pair) == 2 and len(pair[0]) >= _HARD_WRAP and pair[1].strip() and not any(map(is_order, pair)):
            joined = " ".join(part.strip() for part in pair)
            if is_order(joined):
                out.append(joined)
                index += 2
                continue
        out.append(lines[index])
        index += 1
    return out


def _letters(text: str) -> str:
    return "".join(char for char in text[:_LONGEST_ATTRIBUTION].casefold() if char.isalpha())


_FENCES = tuple(_letters(fence) for fence in FENCES.values())
