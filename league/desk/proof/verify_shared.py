"""What all pages of a site share, byte for byte with ours (scripts, style sheet, `verify.py`), and each page's policy.

A page's content security policy lets it load nothing from elsewhere, run no script of its own and use no other style
than the one whose check sum it names. So who changes what pages do has to change one of these.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Final

from league.desk.leagues.infos import info_of_none
from league.desk.leagues.seals import VERIFIER, verifier
from league.desk.proof.look_file import is_ours
from league.desk.proof.verify_told import Told
from league.records.audit import Fault
from league.reports import render
from league.reports.sheets import FILE as STYLE
from league.reports.sheets import PARTS, sheet, style_sheet

SHARED: Final = frozenset({"map.js", "composer.js", STYLE, VERIFIER})
BEGIN = re.compile(
    rb'\s*<!doctype html>\n<html lang="[A-Za-z-]{2,12}">\n<head>\n<meta charset="utf-8">\n'
    rb'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    rb'<meta http-equiv="Content-Security-Policy" content="default-src \'self\'; '
    rb"(?:style-src 'self' '(sha256-[A-Za-z0-9+/=]{44})'; )?"
    rb"img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'\">\n"
)


@cache
def made() -> Mapping[str, bytes]:
    """The shared files of this version."""
    info = info_of_none()
    return {
        "map.js": render.script(info).encode(),
        "composer.js": render.composer(info).encode(),
        STYLE: style_sheet(info).encode(),
        VERIFIER: verifier(),
    }


@cache
def sheets() -> frozenset[str]:
    """The check sums of what pages of this version carry as their style."""
    found = (sheet(info_of_none(), template) for template in PARTS)
    return frozenset(one.digest for one in found if one is not None)


def policy_of(content: bytes) -> str | None:
    """The check sum of the style that a page's policy allows (empty: of none); None where the policy isn't ours."""
    found = BEGIN.match(content)
    return None if found is None else (found[1] or b"").decode()


def check_policies(told: Told, policies: Mapping[str, str | None], look: bytes | None) -> None:
    """Every page has our policy, before anything that could do something; one of ours our style as well."""
    ours = is_ours(look)
    for name, digest in sorted(policies.items()):
        if digest is None:
            what = "it doesn't begin with this program's content security policy"
        elif ours and digest not in sheets():
            what = "its style isn't this program's"
        else:
            continue
        if ours:
            told.fault(Fault("pages", name, "head", what))
        else:
            told.note("odd_page", f"{name}: {what}")


def check_shared(told: Told, found: Mapping[str, bytes], listed: Collection[str], look: bytes | None) -> None:
    """The files that this version publishes for all pages; of another program or look what differs is only told."""
    for name in sorted(SHARED):
        content = found.get(name)
        if is_ours(look) and content is None and name not in listed:  # else it is told already
            told.fault(Fault("pages", name, "", "it isn't there"))
        elif content is not None and content != made()[name]:
            told.looked("pages")
            if is_ours(look):
                told.fault(Fault("pages", name, "", "it isn't the file that this version of the program publishes"))
            else:
                told.note("odd_file", f"{name} isn't this version's; another one or the site's own templates made it")
        elif content is not None:
            told.looked("pages")
