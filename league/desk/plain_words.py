"""Words of the organizer that everybody will read: in records they can't be changed any more, so no address gets in."""

import re

from league.core.errors import BadInput

AT = r"(?:[@\uff20\ufe6b]|\s*[\[({<]\s*(?:at|ät|aet)\s*[\])}>]\s*)"  # anna@example.org, anna (at) example.org
ADDRESS = re.compile(rf"[^\s<>\"(),;:@\[\]]+{AT}[^\s<>\"(),;:@\[\]]+", re.IGNORECASE)


def without_address(text: str, what: str = "--why") -> str:
    """The text, as it is; `BadInput` where something like an address is in it."""
    found = ADDRESS.search(text)
    if found is not None:
        raise BadInput(
            f"{what} holds an address ({found[0][:80]}), and everybody will read it, in records for ever: leave it "
            f"out, or name the player or the seat"
        ).named("address_shown")
    return text
