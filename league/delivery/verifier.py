"""Check a published league without the program that made it.

python verify.py FOLDER

FOLDER is a site or one league as downloaded: `manifest` names every file of it. Checked are: every file against the
signed manifest, the chain of records, its keys and its checkpoint, the leaves and root of every round, messages against
their hashes, the dice of drawn battles, and the journal of the organizer's acts against the records that count them.
What is not: whether the rules were applied as written; `league verify` does that.

This file needs Python 3.11 and the package `cryptography`, and nothing else. It was written from the published
description of the formats and shares no code with the program, so that two have to be wrong in the same way. It ends
with 0 if everything holds, with 1 if something is broken, with 2 if there was nothing to check.
"""

import json
import os
import re
import stat
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST = 16_000_000  # bytes of one file
SAFE = 2**53 - 1
RANGE = 2**256
HEX = re.compile(r"[0-9a-f]{64}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
NAMED = {  # a record's kind, and what its file is called: number, version
    "opening": "0000-v1.json",
    "round": "{:04d}-v{}.json",
    "adjustment": "{:04d}-a{}.json",
    "key": "key-{:04d}-v1.json",
    "unsealed": "unsealed-{:04d}-v1.json",
}
EXPLAINING = ("player forget", "restore --head", "restore --public", "restore --accept-head")  # why salts may be gone
Told = Callable[[str, str], None]  # a file, and what is wrong with it


class BrokenError(Exception):
    """Something doesn't hold."""


# ---------------------------------------------------------------- bytes


def read(path: Path) -> bytes:
    """A plain file's bytes; a link or anything else isn't opened."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise BrokenError(getattr(error, "strerror", None) or "it can't be opened") from error
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise BrokenError("it is no plain file")
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise BrokenError("it is too big")
    return content


def files_in(folder: Path) -> Iterator[str]:
    """The path of everything below a folder that isn't a folder; links to folders aren't entered."""
    for place, folders, names in os.walk(folder):
        for name in [*names, *(name for name in folders if (Path(place) / name).is_symlink())]:
            yield (Path(place) / name).relative_to(folder).as_posix()


def canonical(value: Any) -> bytes:
    """RFC 8785 for what records hold: no fractions, keys in ASCII."""
    refuse_fractions(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def refuse_fractions(value: Any) -> None:
    """Numbers that programs read differently have no place in a record."""
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > SAFE):
        raise BrokenError("it holds a number that has no place in a record")
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        refuse_fractions(item)


def digest(value: Any) -> str:
    """SHA-256 over canonical JSON."""
    return sha256(canonical(value)).hexdigest()


def holds(key: str, payload: bytes, signature: str) -> bool:
    """Whether an Ed25519 signature is by this key; both in base64."""
    try:
        owner = Ed25519PublicKey.from_public_bytes(b64decode(key, validate=True))
        owner.verify(b64decode(signature, validate=True), payload)
    except (InvalidSignature, ValueError):
        return False
    return True


def note(content: bytes, name: str, key: str) -> str:
    """The text of a signed note (c2sp.org/signed-note), if this key signed it under this name."""
    text, gap, below = content.decode().rpartition("\n\n")
    text += "\n"
    if not gap or not below.endswith("\n"):
        raise BrokenError("it is no signed note")
    hint = sha256(name.encode() + b"\n\x01" + b64decode(key)).digest()[:4]
    for line in below.splitlines():
        dash, _, rest = line.partition(" ")
        signer, _, made = rest.rpartition(" ")
        raw = b64decode(made, validate=True)
        if dash == "\N{EM DASH}" and signer == name and raw[:4] == hint:
            owner = Ed25519PublicKey.from_public_bytes(b64decode(key))
            owner.verify(raw[4:], text.encode())
            return text
    raise BrokenError("it isn't signed by the key in force")


# ---------------------------------------------------------------- one league


def check_league(folder: Path, told: Told) -> tuple[str, str]:
    """Everything of a league that needs no rules; the line that sums it up, and the key in force."""
    records = {}
    for path in sorted((folder / "records").iterdir()):
        if path.suffix == ".json":
            with telling(told, f"records/{path.name}"):
                content = read(path)
                records[f"records/{path.name}"] = (record(content), sha256(content).hexdigest())
    chain = in_order(records, told)
    if not chain:
        told("records", "there is no opening record")
        return "nothing", ""
    key = keys(chain, told)
    first = chain[0][1]
    with telling(told, "records/checkpoint"):
        origin = f"league/{first['league']}/{first['match']}"
        lines = note(read(folder / "records" / "checkpoint"), origin, key).split("\n")
        if lines[:2] != [origin, str(len(chain))] or b64decode(lines[2]).hex() != chain[-1][2]:
            raise BrokenError(f"it isn't of these {len(chain)} records")
    with telling(told, "manifest"):
        check_manifest(folder, f"league/{first['league']}", key, told)
    with telling(told, "journal.json"):
        check_journal(folder, chain, told)
    rounds = [(file, body) for file, body, _ in chain if body.get("kind") == "round"]
    waiting = open_parts(chain, told)
    check_messages(folder, [body for _, body in rounds], told)
    battles = 0
    for file, body, _ in chain:
        with telling(told, file):
            check_sense(file, body)
    for file, body in rounds:
        with telling(told, file):
            check_freeze(body)
            battles += check_dice(body)
    later = f", {waiting} of them sealed until the end of the match" if waiting else ""
    return f"{len(chain)} records, {len(rounds)} rounds{later}, {battles} drawn battles, key {key}", key


def record(content: bytes) -> dict[str, Any]:
    """A record, which must be canonical."""
    body = json.loads(content)
    if not isinstance(body, dict) or canonical(body) != content:
        raise BrokenError("it isn't canonical JSON")
    return body


def in_order(records: dict[str, tuple[dict[str, Any], str]], told: Told) -> list[tuple[str, dict[str, Any], str]]:
    """File, body and hash of each record, as each names the one before it."""
    after: dict[str, list[str]] = {}
    for file, (body, _) in records.items():
        after.setdefault(str(body.get("previous")), []).append(file)
    chain, head = [], ""
    while found := after.pop(head, []):
        for other in found[1:]:
            told(other, f"it follows the same record as {found[0]}")
        body, head = records[found[0]]
        chain.append((found[0], body, head))
    for file in sorted(file for several in after.values() for file in several):
        told(file, "it names a record before it that isn't there")
    return chain if chain and chain[0][1].get("kind") == "opening" else []


def keys(chain: list[tuple[str, dict[str, Any], str]], told: Told) -> str:
    """The key in force: the opening's, or the one that records signed by both have put in its place."""
    key = str(chain[0][1].get("public_key"))
    for file, body, _ in chain:
        if body.get("kind") == "key":
            with telling(told, file):
                payload = canonical({name: value for name, value in body.items() if name != "signatures"})
                made, new = body["signatures"], str(body["public_key"])
                if body["replaces"] != key or not holds(key, payload, made["old"]):
                    raise BrokenError("the key in force before didn't sign it")
                if not holds(new, payload, made["new"]):
                    raise BrokenError("the new key didn't sign it")
                key = new
    return key


def check_sense(file: str, body: dict[str, Any]) -> None:
    """A record's file is called after what it tells; a round's times and figures don't contradict each other."""
    kind, number = str(body.get("kind")), body.get("number", body.get("round", 0))
    if kind not in NAMED:
        raise BrokenError(f"kind: {kind[:40]} is none that this file knows")
    if file != f"records/{NAMED[kind].format(number, body.get('version', 1))}":
        raise BrokenError("its name isn't that of the record in it")
    if kind == "round":
        opens, deadline, closes, evaluated = (body[name] for name in ("opens", "deadline", "closes", "evaluated"))
        if not all(MOMENT.fullmatch(one) for one in (opens, deadline, closes, evaluated)):
            raise BrokenError("opens, deadline, closes, evaluated: UTC in whole seconds is needed")
        early = body["freeze"].get("early") is True
        if not (opens < closes < deadline if early else opens < deadline <= closes) or closes > evaluated:
            raise BrokenError("deadline, closes, evaluated: they aren't one behind the other")
        if not (str(body["ends"]) >= closes[:10] and str(body["next_ends"] or "x") > body["ends"]):
            raise BrokenError("ends: it lies before the closing of the orders, or there is none")
        if body["evidence"] and max(row["day"] for row in body["evidence"]) < closes[:10]:
            raise BrokenError("closes: all figures of the round were known by then")
        for row in body["evidence"]:
            check_figure(row, evaluated)


def check_figure(row: dict[str, Any], evaluated: str) -> None:
    """How a figure came to stand is borne out by what sources said, or by a person's word."""
    status, figure, said = row["status"], row["figure"], row.get("readings", [])
    if any(one["read_at"] > evaluated for one in said):
        raise BrokenError(f"evidence: {figure} was read after the evaluation")
    same = [one for one in said if part(figure, one["value"]) == part(figure, row["value"])]
    if status in ("issuer", "agreed", "single"):
        heard = {one["source"] if status == "agreed" else one["read_at"] for one in same}
        if len(heard) < (1 if status == "single" else 2):
            raise BrokenError(f"evidence: {figure} stands as {status}, and the sources' answers don't say so")
    elif status in ("manual", "corrected", "confirmed"):
        if not (row["source"] and row["reason"]):
            raise BrokenError(f"evidence: {figure} stands by a person's word, without source or reason")
    elif status != "late" or row["value"] != "none":
        raise BrokenError(f"evidence: {figure} stands as {str(status)[:40]}")


def part(figure: str, value: str) -> str:
    """What the rules read of a value: of the DAX its integer part, of a rate what isn't a last zero."""
    if figure == "dax_close":
        return value.split(".", maxsplit=1)[0]
    return value.rstrip("0").rstrip(".") if figure == "eurusd" and "." in value else value


def open_parts(chain: list[tuple[str, dict[str, Any], str]], told: Told) -> int:
    """Orders that were sealed until the end of the match, put into their records; how many rounds are still sealed."""
    sealed = {hash_: body for _, body, hash_ in chain if "sealed" in body and "orders" not in body}
    for file, body, _ in chain:
        for row in body["opened"] if body.get("kind") == "unsealed" else ():
            with telling(told, file):
                check_parts(sealed.pop(row["record"]), row["parts"])
    return len(sealed)


def check_parts(body: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    """Each part is what the record has the hash of; together they are the round's orders."""
    found = {(one["seat"], one["part"]): one["sha256"] for one in body["sealed"]}
    rows: dict[str, list[Any]] = {"orders": [], "void": []}
    for one in parts:
        said = [body["league"], body["match"], body["round"], body["version"], one["seat"], one["part"]]
        if digest([*said, one["value"], one["salt"]]) != found.pop((one["seat"], one["part"])):
            raise BrokenError(f"{one['part']} of {one['seat']}: it isn't what round {body['round']} has the hash of")
        rows[one["part"]] += one["value"]
    if found:
        raise BrokenError(f"round {body['round']}: a part isn't opened")
    body |= {name: sorted(given, key=lambda row: int(row["place"])) for name, given in rows.items()}


def check_freeze(body: dict[str, Any]) -> None:
    """Leaves and root are those of the orders, with their nonces; of sealed orders the root is looked at alone."""
    if "sealed" in body and "orders" not in body:
        if digest(body["freeze"]["leaves"]) != body["freeze"]["root"]:
            raise BrokenError("freeze.root: it isn't that of the leaves")
        return
    made = sorted(leaf(body, row) for row in body["orders"] + body.get("void", []) if row.get("phase", 1) == 1)
    if made != body["freeze"]["leaves"]:
        raise BrokenError("freeze.leaves: they aren't those of the orders")
    if digest(made) != body["freeze"]["root"]:
        raise BrokenError("freeze.root: it isn't that of the leaves")


def leaf(body: dict[str, Any], row: dict[str, Any]) -> str:
    """SHA-256(JCS([league, match, round, seat, revision, received_at, orders, nonce]))."""
    mail = [row["seat"], row["revision"], row["received_at"], row["orders"], row["nonce"]]
    return digest([body["league"], body["match"], body["round"], *mail])


def check_messages(folder: Path, rounds: list[dict[str, Any]], told: Told) -> None:
    """Each message to everybody is one whose hash its round's record has; some may be gone, with who wrote them."""
    sealed: dict[Any, Any] = {body.get("round"): body.get("press") for body in rounds}
    first, place = (rounds or [{}])[0], folder / "press"
    for path in sorted(place.iterdir()) if place.is_dir() and not place.is_symlink() else ():
        with telling(told, f"press/{path.name}"):
            body = record(read(path))
            number = body["round"]
            hashes = sealed[number]
            if path.name != f"{number:04d}.json" or (body["league"], body["match"]) != (
                first["league"],
                first["match"],
            ):
                raise BrokenError("it is of another round")
            for row in body["press"] if hashes is not None else ():
                said = [body["league"], body["match"], number, row["seat"], row["text"], row["salt"]]
                if row["sha256"] not in hashes or (row["salt"] and digest(said) != row["sha256"]):
                    raise BrokenError("a message isn't one whose hash the round's record has")


def check_dice(body: dict[str, Any]) -> int:
    """The winner of every drawn battle is the one that the lottery's numbers pick; how many there were."""
    lotto = next((row for row in body["evidence"] if row["figure"] == "lotto"), None)
    drawn = [event for event in body["events"] if event["type"] == "battle" and event["how"] == "drawn"]
    for event in drawn:
        if lotto is None:
            raise BrokenError(f"events: the battle of {event['country']} was drawn without a lottery")
        purpose, fighters = f"battle/{event['country']}/{event['attempt']}", event["fighters"]
        number = roll([body["match"], body["round"], "lotto", lotto["day"], lotto["value"], purpose], len(fighters))
        if fighters[number] != event["winner"]:
            raise BrokenError(f"events: the dice give {event['country']} to {fighters[number]}")
    return len(drawn)


def roll(seed: list[Any], bound: int) -> int:
    """A number below the bound: SHA-256 over the list and a counter; too large ones are rolled again."""
    counter, fair = 0, RANGE - RANGE % bound
    while (number := int(digest([*seed, counter]), 16)) >= fair:
        counter += 1
    return number % bound


def check_journal(folder: Path, chain: list[tuple[str, dict[str, Any], str]], told: Told) -> None:
    """The acts are those sealed, as far as words are shown; the first of them are those that each record counts."""
    counted = [(file, body["journal"]) for file, body, _ in chain if "journal" in body]
    acts = json.loads(read(folder / "journal.json"))["acts"] if counted else []
    closed = max((str(body["closes"]) for _, body, _ in chain if body.get("kind") == "round"), default="")
    gone = any("salt" in act and act["act"] in EXPLAINING for act in acts)
    for act in acts:
        words = [act[name] for name in ("at", "who", "act", "why", "arguments")]
        if "salt" in act and digest([*words, act["salt"]]) != act["seal"]:
            raise BrokenError(f"the act of {act['at']} isn't what was sealed")
        if "salt" not in act and not gone and (act["why"] or act["arguments"] or act["at"] <= closed):
            raise BrokenError(f"the act of {act['at']} has no salt, and no act says why")
    counting = False
    for file, body, _ in chain:
        counting = counting or "journal" in body
        if counting and "journal" not in body and body.get("kind") not in ("opening", "unsealed"):
            told(file, "it doesn't count the journal's acts, and a record before it does")
    for file, state in counted:
        if len(acts) < state["acts"]:
            raise BrokenError(f"{file} counts {state['acts']} acts, and {len(acts)} are there")
        if digest([act["seal"] for act in acts[: state["acts"]]]) != state["sha256"]:
            raise BrokenError(f"its first {state['acts']} acts aren't those that {file} counts")


# ---------------------------------------------------------------- manifests


def check_manifest(folder: Path, name: str, key: str, told: Told) -> None:
    """Each file of a folder has the hash that the signed list gives, and none is there that the list doesn't name."""
    text = note(read(folder / "manifest"), name, key)
    listed = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            hash_, gap, path = line[:64], line[64:66], line[66:]
            if not HEX.fullmatch(hash_) or gap != "  " or path in listed:
                raise BrokenError("a line is no hash and path")
            listed[path] = hash_
    here = {path for path in files_in(folder) if name != "league" or "/" not in path} - {"manifest"}
    for path in sorted(here | set(listed)):
        with telling(told, path):
            if path not in listed:
                raise BrokenError("the manifest doesn't name it")
            if {"", ".", ".."} & set(path.split("/")) or "\\" in path:
                raise BrokenError("it is no path inside the folder")
            if sha256(read(inside(folder, path))).hexdigest() != listed[path]:
                raise BrokenError("its SHA-256 isn't the one in the manifest")


def inside(folder: Path, path: str) -> Path:
    """The file's place; no folder on the way to it may be a link."""
    place = folder
    for part in path.split("/"):
        if place != folder and place.is_symlink():
            raise BrokenError("it lies behind a link")
        place /= part
    return place


class telling:  # noqa: N801  # reads as a verb
    """Whatever goes wrong inside is told of one file, and the rest goes on."""

    def __init__(self, told: Told, file: str) -> None:
        self.told, self.file = told, file

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if error is None or not isinstance(error, Exception):
            return False
        if isinstance(error, BrokenError):
            self.told(self.file, str(error))
        else:
            self.told(self.file, f"it isn't what it should be ({type(error).__name__})")
        return True


def main(args: list[str]) -> int:
    """Check a folder and print what holds."""
    faults = 0

    def tell(where: str) -> Told:
        def told(file: str, what: str) -> None:
            nonlocal faults
            faults += 1
            sys.stdout.write(ascii(f"BROKEN {where}{file}: {what}")[1:-1] + "\n")

        return told

    top = Path(args[0]).resolve() if len(args) == 1 else Path()
    if len(args) != 1 or not top.is_dir():
        sys.stderr.write("usage: python verify.py FOLDER    a published site or league, as downloaded\n")
        return 2
    single = (top / "records").is_dir()
    leagues = [top] if single else sorted(path for path in top.iterdir() if path.is_dir())
    if not any((path / "records").is_dir() for path in leagues):
        sys.stderr.write(ascii(f"{top} holds no published league")[1:-1] + "\n")
        return 2
    keys_found = set()
    for league in leagues:
        where = "" if single else f"{league.name}/"
        with telling(tell(where), "records"):
            found, key = check_league(league, tell(where))
            keys_found.add(key)
            sys.stdout.write(ascii(f"{league.name}: {found}")[1:-1] + "\n")
    for key in () if single else sorted(keys_found):
        with telling(tell(""), "manifest"):
            check_manifest(top, "league", key, tell(""))
    sys.stdout.write(f"{faults} faults\n" if faults else "everything that this file checks holds\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
