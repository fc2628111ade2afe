"""The public pages are brought to every target; one that takes nothing is asked less and less, and holds nothing up.

What a target has and how it is doing is a fact of the site each. Before anything is sent there for the first time the
place is looked at: it must be empty or hold pages of a league. Bringing pages again changes nothing, so after a crash
it is simply done again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from json import dumps, loads

from league.core.errors import Refused
from league.core.json import JsonDict
from league.delivery.targets.tree import Pushed, Step, Tree
from league.desk.aside import set_aside
from league.desk.clock import stamp
from league.desk.site import Site
from league.desk.targets.ways_there import kind_of, place_of, way_there
from league.records.manifest import FILE as MANIFEST
from league.settings import Target
from league.storage import engine as database
from league.storage import leagues, records
from league.storage.sending import RETRIES

STATE = "target."  # how the facts begin
NO_TARGET = "pages can't be brought to"  # how a run's trouble begins that is a target's
SENT, SAME, WAITS, FAILED, WOULD = "sent", "same", "waits", "failed", "would"


@dataclass(frozen=True, slots=True)
class State:
    """What a target has, and since when, until when and why it isn't tried.

    `place`: where pages of ours lie, `tried`: where the last try went; the settings may name another by now.
    """

    place: str = ""
    tried: str = ""
    has: str = ""
    at: str = ""
    since: str = ""
    until: str = ""
    tries: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of a target. `state`: sent, same (it has the pages), waits (it was asked lately), failed, would."""

    name: str
    kind: str
    state: str
    changed: int = 0
    gone: int = 0
    trouble: str = ""

    def facts(self) -> JsonDict:
        """For programs."""
        return asdict(self)

    @property
    def told(self) -> str:
        """The trouble as a run tells it; empty if there is none."""
        return f"{NO_TARGET} {self.name}: {self.trouble}" if self.trouble else ""


def bring_pages(
    site: Site, names: Sequence[str] = (), *, by_hand: bool = False, dry: bool = False, step: Step = lambda _: None
) -> tuple[Brought, ...]:
    """Bring what is public now to the targets named, or to all.

    `by_hand`: also to one that has these pages already, so that what was changed there is mended, and to one whose
    time to be asked again hasn't come.
    """
    wanted = chosen(site, names)
    tree = _tree(site) if wanted else None
    if tree is None:
        return ()
    identity = sha256((tree.root / MANIFEST).read_bytes()).hexdigest()
    return tuple(_bring(site, target, tree, identity, step, by_hand=by_hand or dry, dry=dry) for target in wanted)


def chosen(site: Site, names: Sequence[str]) -> list[Target]:
    """The targets of these names, or all; `Refused` names those there are."""
    known = {target.name: target for target in site.settings.publish.targets}
    for name in names:
        if name not in known:
            raise Refused(f"no target '{name}' in league.toml; there are: {', '.join(known) or 'none'}")
    return [target for target in known.values() if not names or target.name in names]


def _tree(site: Site) -> Tree | None:
    """What is public, with what it came of; None if nothing is."""
    root = (site.path / "public").resolve()
    if not (root / MANIFEST).is_file():
        return None
    with database.read(site.engine) as connection:
        last = records.last_sealed(connection)
    if last is None:
        return Tree(root, "Pages", datetime.fromtimestamp(0, tz=site.now.tzinfo))
    return Tree(root, f"{last.league}, round {last.round}" if last.round else f"{last.league} opens", last.sealed_at)


def _bring(site: Site, target: Target, tree: Tree, identity: str, step: Step, *, by_hand: bool, dry: bool) -> Brought:
    before, kind, place = state_of(site, target.name), kind_of(target), place_of(target)
    known = before.place == place
    if not by_hand and known and before.has == identity:
        return Brought(target.name, kind, SAME)
    if not by_hand and before.tried == place and before.until and site.now < datetime.fromisoformat(before.until):
        return Brought(target.name, kind, WAITS, trouble=before.words)
    done = _pushed(site, target, tree, step, known=known, dry=dry)
    if dry:
        return Brought(target.name, kind, FAILED if done.trouble else WOULD, done.changed, done.gone, done.trouble)
    with database.write(site.engine, "target") as connection:
        now = replace(_after(site, state_of(site, target.name), identity, done), tried=place)
        leagues.set_fact(connection, STATE + target.name, dumps(asdict(now)))
    state = FAILED if done.trouble else SENT if done.changed or done.gone else SAME
    return Brought(target.name, kind, state, done.changed, done.gone, done.trouble)


def _pushed(site: Site, target: Target, tree: Tree, step: Step, *, known: bool, dry: bool) -> Pushed:
    """The one try; a place that was never ours is looked at first, and from then on it is."""
    try:
        way = way_there(site, target)
        if not known and (why := way.probe()):
            return Pushed(trouble=why)
        if not known and not dry:
            with database.write(site.engine) as connection:
                leagues.set_fact(connection, STATE + target.name, dumps(asdict(State(place_of(target)))))
        return way.push(tree, dry=dry, step=step)
    except Exception as error:  # noqa: BLE001  # a target never stops a run
        return Pushed(trouble=set_aside(site, f"target {target.name}", error))


def _after(site: Site, before: State, identity: str, done: Pushed) -> State:
    if not done.trouble:
        return State(before.place, has=identity, at=stamp(site.now))
    tries = before.tries + 1
    until = site.now + RETRIES[min(tries, len(RETRIES)) - 1]
    since = before.since or stamp(site.now)
    return replace(before, since=since, until=stamp(until), tries=tries, words=done.trouble)


def state_of(site: Site, name: str) -> State:
    """How a target is doing."""
    with database.read(site.engine) as connection:
        return _read(leagues.fact(connection, STATE + name))


def _read(written: str | None) -> State:
    return State(**loads(written)) if written else State()


def failing(site: Site) -> Iterator[tuple[Target, State]]:
    """The targets that took nothing when they were tried last."""
    with database.read(site.engine) as connection:
        found = leagues.facts(connection, STATE)
    for target in site.settings.publish.targets:
        state = _read(found.get(target.name))
        if state.words:
            yield target, state


def targets(site: Site) -> Iterator[JsonDict]:
    """Every target and how it is doing, for programs."""
    for target in site.settings.publish.targets:
        state = state_of(site, target.name)
        yield {
            "name": target.name,
            "kind": kind_of(target),
            "place": place_of(target),
            "brought": state.at or None,
            "trouble": state.words,
            "since": state.since or None,
            "next_try": state.until or None,
        }


def probe(site: Site, target: Target) -> str:
    """Why nothing can be brought there; empty if it can."""
    try:
        return way_there(site, target).probe()
    except Exception as error:  # noqa: BLE001  # as above
        return set_aside(site, f"target {target.name}", error)
