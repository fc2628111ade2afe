"""Pages as a commit on a branch, pushed from a bare repository that the site keeps for it.

The same pages after the same records are the same commit, so a push that was cut short is done again and not twice.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import Self
from urllib.parse import urlsplit

from league.core.errors import LeagueError
from league.delivery.targets.program import Done, run
from league.delivery.targets.tree import MANIFEST, Pushed, Step, Tree, brief, not_ours

CONNECT = 20  # seconds
NO_JEKYLL = ".nojekyll"  # GitHub would run the pages through Jekyll, which leaves some out
REMOTE = "refs/remotes/target"
# Whatever the account has set for its own work: nothing of it may change a page, run a program or ask a question.
OWN = (
    ("core.autocrlf", "false"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.fileMode", "false"),
    ("core.quotePath", "false"),
    ("gc.autoDetach", "false"),  # nothing goes on when we are done
    ("credential.helper", ""),
)


class _Trouble(LeagueError):
    """What git says that it can't do."""


@dataclass(frozen=True, slots=True)
class Git:
    """`store`: the bare repository of our own. `person`: name and address of who commits."""

    repository: str
    branch: str
    store: Path
    person: tuple[str, str]
    keep: tuple[str, ...] = (NO_JEKYLL,)
    history: bool = True
    ssh_key: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    seconds: float = 900

    def probe(self) -> str:
        """Whether the repository answers, and the branch holds nothing but pages."""
        try:
            with _Work(self) as work:
                work.fetch()
                work.look()
        except _Trouble as trouble:
            return str(trouble)
        return ""

    def push(self, tree: Tree, *, dry: bool, step: Step) -> Pushed:
        """One commit on top of what is there; nothing is pushed if the branch has these pages already."""
        try:
            with _Work(self) as work:
                work.fetch()
                before, after = work.tree_of(work.head), work.tree(tree.root)
                changed, gone = work.difference(before, after)
                if not dry and before != after:
                    work.push(work.commit(after, tree))
                    step(changed)
                return Pushed(changed, gone)
        except _Trouble as trouble:
            return Pushed(trouble=str(trouble))


class _Work:
    """One try: a budget of time, an index of its own, and where the branch stands over there."""

    def __init__(self, target: Git) -> None:
        self.target, self.head = target, ""
        self.until = monotonic() + target.seconds
        self.index = target.store / "league.index"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self.index.unlink(missing_ok=True)

    def fetch(self) -> None:
        """Learn where the branch stands."""
        target = self.target
        if not (target.store / "HEAD").is_file():
            target.store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.git("init", "--quiet", "--bare", "--", str(target.store), inside=False)
        (target.store / "league.index.lock").unlink(missing_ok=True)  # of a try that was killed
        ref = f"refs/heads/{target.branch}"
        if not self.git("ls-remote", "--", target.repository, ref).strip():
            return
        depth = () if target.history else ("--depth=1",)
        self.git("fetch", "--quiet", "--no-tags", *depth, "--", target.repository, f"+{ref}:{REMOTE}")
        self.head = self.git("rev-parse", "--verify", f"{REMOTE}^{{commit}}").strip()

    def look(self) -> None:
        """A branch that was never ours must be empty or hold pages."""
        names = self.git("ls-tree", "--name-only", "-z", self.head).split("\0")[:-1] if self.head else []
        others = [name for name in names if name not in self.target.keep]
        if others and MANIFEST not in others:
            raise _Trouble(not_ours(f"the branch {self.target.branch}", others))

    def tree(self, root: Path) -> str:
        """The tree of the pages, with the files that are to stay."""
        self.index.unlink(missing_ok=True)
        self.git(f"--work-tree={root}", "-C", str(root), "add", "--all", "--force", "--", ".")
        for name in self.target.keep:
            kept = self.git("ls-tree", self.head, "--", name).split() if self.head else []
            if kept and kept[1] == "blob":
                self.git("update-index", "--add", "--cacheinfo", f"{kept[0]},{kept[2]},{name}")
            elif name == NO_JEKYLL:
                empty = self.git("hash-object", "-w", "-t", "blob", "--", "/dev/null").strip()
                self.git("update-index", "--add", "--cacheinfo", f"100644,{empty},{name}")
        return self.git("write-tree").strip()

    def tree_of(self, commit: str) -> str:
        """A commit's tree; the empty one of a branch that isn't there."""
        if not commit:
            return self.git("hash-object", "-w", "-t", "tree", "--", "/dev/null").strip()
        return self.git("rev-parse", "--verify", f"{commit}^{{tree}}").strip()

    def difference(self, before: str, after: str) -> tuple[int, int]:
        """How many files are new or changed, how many gone."""
        out = self.git("diff-tree", "-r", "--no-renames", "--name-status", "-z", before, after)
        signs = out.split("\0")[:-1:2]
        return sum(sign != "D" for sign in signs), signs.count("D")

    def commit(self, tree: str, told: Tree) -> str:
        """The commit; who and when are the site and its newest record, so that it comes out the same again."""
        name, address = self.target.person
        date = f"{int(told.at.timestamp())} +0000"
        who = {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", name), ("EMAIL", address), ("DATE", date))
        }
        parent = ("-p", self.head) if self.head and self.target.history else ()
        return self.git("commit-tree", tree, *parent, "-m", brief(told.told), more=who).strip()

    def push(self, commit: str) -> None:
        """Without force, so that nobody's commit is lost; with it where the branch is to have one commit alone."""
        ref = f"refs/heads/{self.target.branch}"
        # Even then only over the commit that was looked at.
        force = () if self.target.history else (f"--force-with-lease={ref}:{self.head}",)
        self.git("push", "--quiet", "--no-verify", *force, "--", self.target.repository, f"{commit}:{ref}")

    def git(self, *arguments: str, inside: bool = True, more: Mapping[str, str] | None = None) -> str:
        """What git says; `_Trouble` if it fails."""
        place = [f"--git-dir={self.target.store}"] if inside else []
        env = {**self._env(), **(more or {})}
        argv: Sequence[str] = ["git", *place, *arguments]
        left = max(1.0, self.until - monotonic())
        done: Done = run(argv, seconds=left, more=env, hide=[self.target.password, self._basic()])
        if done.trouble:
            raise _Trouble(done.trouble)
        return done.out

    def _env(self) -> dict[str, str]:
        target = self.target
        ssh = ["ssh", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={CONNECT}"]
        ssh += ["-i", quote(target.ssh_key), "-o", "IdentitiesOnly=yes"] if target.ssh_key else []
        config = [*OWN]
        if target.password:  # in the environment, which only this account reads: argument lists are seen by all
            at = urlsplit(target.repository)
            config.append((f"http.{at.scheme}://{at.netloc}/.extraHeader", f"Authorization: Basic {self._basic()}"))
        told = {f"GIT_CONFIG_{part}_{n}": pair[i] for n, pair in enumerate(config) for i, part in _PARTS}
        return {
            "GIT_INDEX_FILE": str(self.index),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "true",
            "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
            "GIT_SSH_COMMAND": " ".join(ssh),
            "GIT_CONFIG_COUNT": str(len(config)),
            **told,
        }

    def _basic(self) -> str:
        """Account and password as HTTP has them."""
        if not self.target.password:
            return ""
        return b64encode(f"{self.target.user or 'git'}:{self.target.password}".encode()).decode()


_PARTS = ((0, "KEY"), (1, "VALUE"))
