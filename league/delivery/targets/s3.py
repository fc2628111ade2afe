"""Pages into a bucket of Amazon S3, or of anything that speaks its language.

What lies there is listed with its check sums, so only what differs is sent. obstore is loaded when it is needed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import md5
from time import monotonic
from typing import TYPE_CHECKING, Any

from league.delivery.kinds import kind_of
from league.delivery.targets.tree import MANIFEST, Pushed, Step, Tree, brief, files, is_front, not_ours

if TYPE_CHECKING:
    from obstore.store import S3Credential, S3Store

AT_ONCE = 8  # requests under way
FOREVER = 365 * 24 * 3600
NAMED_BY_CONTENT = re.compile(r"-[0-9a-f]{16}\.png$")
RETRIES = 3
ABSENT = "obstore isn't installed here: pip install 'league[s3]'"


@dataclass(frozen=True, slots=True)
class S3:
    """A bucket, or a folder in it."""

    endpoint: str
    bucket: str
    prefix: str
    region: str
    access_key: str
    secret_key: str = field(repr=False)
    path_style: bool = True
    max_age: int = 60
    timeout: int = 60
    seconds: float = 900

    def probe(self) -> str:
        """Whether the bucket can be listed, and holds nothing but pages."""
        try:
            names = list(self._listed(self._store()))
        except Exception as error:  # noqa: BLE001  # whatever the library raises is the server's word or the network's
            return self._words(error)
        where = f"{self.bucket}/{self.prefix}" if self.prefix else self.bucket
        return not_ours(where, names) if names and MANIFEST not in names else ""

    def push(self, tree: Tree, *, dry: bool, step: Step) -> Pushed:
        """What is new, what differs, the fronts, and away with the rest."""
        changed = gone = 0
        until = monotonic() + self.seconds
        try:
            store = self._store()
            there = self._listed(store)
            sums = {
                name: md5((tree.root / name).read_bytes(), usedforsecurity=False).hexdigest()
                for name in files(tree.root)
            }
            differs = [name for name, digest in sums.items() if there.get(name) != digest]
            extra = sorted(there.keys() - sums.keys())
            if dry:
                return Pushed(len(differs), len(extra))
            for group in _in_order(differs, there):
                for _ in _each(lambda name: self._send(store, tree, name), group, until):
                    changed += 1
                    step(1)
            if extra:
                _delete(store, extra)
                gone = len(extra)
        except Exception as error:  # noqa: BLE001  # as above
            return Pushed(changed, gone, self._words(error))
        return Pushed(changed, gone)

    def _store(self) -> "S3Store":
        """The bucket, with our own credentials alone, whatever the environment holds."""
        from obstore.store import S3Store

        return S3Store(
            self.bucket,
            prefix=self.prefix.strip("/") or None,
            endpoint=self.endpoint.rstrip("/"),
            region=self.region,
            virtual_hosted_style_request=not self.path_style,
            skip_signature=False,
            credential_provider=self._credentials,
            client_options={
                "allow_http": self.endpoint.startswith("http://"),
                "connect_timeout": timedelta(seconds=min(20, self.timeout)),
                "timeout": timedelta(seconds=self.timeout),
            },
            retry_config={"max_retries": RETRIES, "retry_timeout": timedelta(seconds=self.timeout)},
        )

    def _credentials(self) -> "S3Credential":
        return {
            "access_key_id": self.access_key,
            "secret_access_key": self.secret_key,
            "token": None,
            "expires_at": None,
        }

    def _listed(self, store: "S3Store") -> Mapping[str, str]:
        """Everything there with its check sum: that of a whole upload is the MD5 of its bytes."""
        import obstore

        found = (one for several in obstore.list(store, chunk_size=1000) for one in several)
        return {one["path"]: (one["e_tag"] or "").strip('"') for one in found}

    def _send(self, store: "S3Store", tree: Tree, name: str) -> None:
        import obstore

        age = f"public, max-age={FOREVER}, immutable" if NAMED_BY_CONTENT.search(name) else self._fresh()
        attributes = {"Content-Type": kind_of(name), "Cache-Control": age}
        obstore.put(store, name, (tree.root / name).read_bytes(), attributes=attributes, use_multipart=False)

    def _fresh(self) -> str:
        return f"public, max-age={self.max_age}" if self.max_age else "no-cache"

    def _words(self, error: Exception) -> str:
        """What went wrong in a line: the server's own word if it said one."""
        if isinstance(error, ImportError):
            return ABSENT
        said = str(error)
        code, message = re.search(r"<Code>(.*?)</Code>", said), re.search(r"<Message>(.*?)</Message>", said)
        if code:
            said = f"{self.endpoint} says {code[1]}" + (f": {message[1]}" if message else "")
        return brief(said.replace(self.secret_key, "…").partition("\n\nDebug source")[0])


def _in_order(names: Sequence[str], there: Mapping[str, str]) -> Iterable[Sequence[str]]:
    """New ones, to which nothing leads yet; then those that may lead to them; then the fronts."""
    yield [name for name in names if name not in there]
    yield [name for name in names if name in there and not is_front(name)]
    yield [name for name in names if name in there and is_front(name)]


def _delete(store: "S3Store", names: Sequence[str]) -> None:
    import obstore

    obstore.delete(store, names)


def _each(work: Callable[[str], Any], names: Sequence[str], until: float) -> Iterable[None]:
    """Some at a time, all done before the next group; at the first trouble no more are begun."""

    def one(name: str) -> None:
        if monotonic() > until:
            raise TimeoutError("cut off: it took too long; the next run goes on")
        work(name)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        under_way: list[Future[None]] = [pool.submit(one, name) for name in names]
        try:
            for done in under_way:
                done.result()
                yield
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
