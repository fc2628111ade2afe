"""Pages into a folder by rsync: on this machine, through ssh, or to a daemon."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from time import monotonic

from league.delivery.targets.program import Done, run
from league.delivery.targets.tree import FRONTS, MANIFEST, Pushed, Step, Tree, not_ours

MISSING = "No such file or directory"
CONNECT = 20  # seconds
# Readable for a web server under another account, whatever the site's own folder allows.
LOOKS = ("--recursive", "--times", "--omit-dir-times", "--perms", "--chmod=D755,F644", "--out-format=%i %n")


@dataclass(frozen=True, slots=True)
class Rsync:
    """`to` as rsync has it. Contents are compared, so that what was changed over there is mended."""

    to: str
    ssh_key: str = ""
    ssh_port: int = 0
    password: str = field(default="", repr=False)
    timeout: int = 60
    seconds: float = 900

    def probe(self) -> str:
        """Whether the folder is the pages', empty, or not there yet."""
        done = self._rsync("--list-only", "--", f"{self.to.rstrip('/')}/", until=monotonic() + self.seconds)
        if done.code and MISSING in done.err:
            return ""
        if done.trouble:
            return _hinted(done.trouble)
        names = [name for name in _listed(done.out) if name != "."]
        return not_ours(self.to, names) if names and MANIFEST not in names else ""

    def push(self, tree: Tree, *, dry: bool, step: Step) -> Pushed:
        """New files, changed ones, fronts; each its own pass, since rsync has an order of its own within one."""
        until = monotonic() + self.seconds
        changed = gone = 0
        for options in _passes(dry=dry):
            done = self._rsync(*options, "--", f"{tree.root}/", f"{self.to.rstrip('/')}/", until=until)
            sent, taken = _counted(done.out)
            changed, gone = changed + sent, gone + taken
            step(sent)
            if done.trouble:
                return Pushed(changed, gone, _hinted(done.trouble))
        return Pushed(changed, gone)

    def _rsync(self, *arguments: str, until: float) -> Done:
        argv = ["rsync", f"--timeout={self.timeout}", *self._shell(), *arguments]
        more = {"RSYNC_PASSWORD": self.password} if self.password else {}
        return run(argv, seconds=max(1.0, until - monotonic()), more=more, hide=[self.password])

    def _shell(self) -> Iterator[str]:
        """How ssh is called: it must not ask anybody anything."""
        if self.to.startswith("rsync://"):
            yield f"--contimeout={CONNECT}"
        elif ":" in self.to:
            ssh = ["ssh", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={CONNECT}"]
            ssh += ["-i", _quoted(self.ssh_key), "-o", "IdentitiesOnly=yes"] if self.ssh_key else []
            ssh += ["-p", str(self.ssh_port)] if self.ssh_port else []
            yield f"--rsh={' '.join(ssh)}"


def _passes(*, dry: bool) -> Iterator[Sequence[str]]:
    whole = (*LOOKS, "--checksum", "--delete-after")
    if dry:
        yield (*whole, "--dry-run")
        return
    yield (*LOOKS, "--ignore-existing")
    yield (*LOOKS, "--checksum", *(f"--exclude={name}" for name in FRONTS))
    yield whole


def _quoted(path: str) -> str:
    """A word of rsync's own command line for ssh, which knows quotes and no backslashes."""
    return "'" + path.replace("'", "''") + "'"


def _counted(out: str) -> tuple[int, int]:
    """Files sent and taken away, as `--out-format=%i` tells them."""
    lines = out.splitlines()
    return sum(line[:2] in ("<f", ">f") for line in lines), sum(line.startswith("*deleting") for line in lines)


def _listed(out: str) -> Iterator[str]:
    """Names in a listing: behind rights, size, day and time."""
    rows = (line.split(None, 4) for line in out.splitlines())
    return chain.from_iterable(row[4:5] for row in rows if len(row) == 5 and row[0][:1] in "-dl")


def _hinted(words: str) -> str:
    """With what to do about it, where that is known."""
    if "Host key verification failed" in words:
        return f"{words}. Connect once by hand with ssh, from this account, and accept the server's key"
    if "Permission denied (" in words:
        return f"{words}. The server takes none of this account's keys; name one by ssh_key_file"
    return words
