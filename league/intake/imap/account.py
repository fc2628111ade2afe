"""Whose mailbox it is, how to get in, and the ledger of what was seen there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from league.credentials import Login
from league.intake.mailbox import MAX_BYTES, Shelf


@dataclass(frozen=True, slots=True)
class Account:
    """A mailbox on a server. `login` is asked anew for every connection: a token may have run out."""

    host: str
    user: str
    login: Callable[[], Login] = field(repr=False)
    port: int = 993
    security: str = "tls"  # tls, starttls, none
    ca_file: str = ""
    folders: tuple[str, ...] = ("INBOX",)
    also: tuple[str, ...] = ()  # folders that are read where they exist, and from which nothing is moved
    processed: str = ""
    rejected: str = ""
    marker: str = ""
    sender: str = "league@league.invalid"  # of the marker, so that intake knows it as our own mail
    scan_days: int = 30
    timeout: float = 60.0
    max_bytes: int = MAX_BYTES

    @property
    def name(self) -> str:
        """What the ledger and messages call it. Not the port: the same mails lie behind all of them."""
        return f"{self.user}@{self.host}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A mail that has its verdict and still lies where it came in."""

    uid: int
    verdict: str


class Ledger(Protocol):
    """What was seen on a server; rows come into it in the transaction that keeps the mail."""

    def last(self, shelf: Shelf) -> int:
        """The highest UID ever seen there; 0 for none."""
        ...

    def known(self, shelf: Shelf, uids: Sequence[int]) -> frozenset[int]:
        """Those of these UIDs that were seen."""
        ...

    def judged(self, shelf: Shelf) -> Sequence[Judged]:
        """What could be put away there."""
        ...

    def put_away(self, shelf: Shelf, where: Mapping[int, str]) -> None:
        """These UIDs now lie in another folder; an empty one says that a person had taken them away before."""
        ...
