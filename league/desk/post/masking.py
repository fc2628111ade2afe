"""What players don't know of each other is taken out of messages: registered addresses, and the keys of seats.

People answer below quoted headers and sign with their address without a thought; a message passes nothing of it on.
"""

import re
from collections.abc import Iterable

from sqlalchemy import Connection

from league.desk.site import Site
from league.desk.trust import token_of
from league.intake.screen import base
from league.intake.tokens import token
from league.storage import leagues
from league.storage.leagues import Place

HIDDEN = "[…]"
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,200}\w")
_KEY = re.compile(r"(?<![a-z0-9])[a-z0-9]{4}(?:-?[a-z0-9]{4}){3}(?![a-z0-9])", re.IGNORECASE)


def masked(connection: Connection, site: Site, match: str, seats: Iterable[Place], text: str) -> str:
    """The text without any player's address and any seat's key; the league's own address stays, without a plus part."""
    if "@" in text:
        text = _without_addresses(connection, site, text)
    own = {token_of(site, match, place) for place in seats}
    return _KEY.sub(lambda hit: HIDDEN if token(hit[0]) in own else hit[0], text)


def _without_addresses(connection: Connection, site: Site, text: str) -> str:
    found = set(_ADDRESS.findall(text))
    known = {member.address_key for member in leagues.memberships(connection, found | {base(one) for one in found})}
    ours = leagues.fold(site.settings.mail.from_address)

    def shown(hit: re.Match[str]) -> str:
        address = leagues.fold(hit[0])
        if base(address) == base(ours):
            return ours
        return HIDDEN if {address, base(address)} & known else hit[0]

    return _ADDRESS.sub(shown, text)
