"""A server that answers as S3 does, as far as pages need it: keys, listings in pages, signatures that must be right.

The signature is checked by the steps of AWS Signature Version 4 as its documentation has them; `test_s3.py` holds the
check against the documentation's own worked example before anything else is held against the check.
"""

import hmac
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import md5, sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import escape

ACCESS, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
BUCKET, REGION = "pages", "eu-central-1"
PAGE = 4  # keys of one answer, so that every listing has several


def signature(method: str, target: str, headers: Mapping[str, str], secret: str) -> str:
    """What the signature of a request has to be; `headers` with names in small letters."""
    told = dict(part.strip().split("=", 1) for part in headers["authorization"].split(" ", 1)[1].split(","))
    scope, at = told["Credential"].split("/", 1)[1], headers["x-amz-date"]
    path, query = urlsplit(target).path, urlsplit(target).query
    pairs = sorted((quote(k, safe="-_.~"), quote(v, safe="-_.~")) for k, v in parse_qsl(query, keep_blank_values=True))
    names = told["SignedHeaders"].split(";")
    canonical = "\n".join(
        [
            method,
            quote(unquote(path), safe="/-_.~"),
            "&".join(f"{k}={v}" for k, v in pairs),
            *(f"{name}:{' '.join(headers[name].split())}" for name in names),
            "",
            told["SignedHeaders"],
            headers["x-amz-content-sha256"],
        ]
    )
    to_sign = "\n".join(["AWS4-HMAC-SHA256", at, scope, sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, to_sign.encode(), "sha256").hex()


@dataclass(frozen=True)
class Held:
    """An object: its bytes and how it is served."""

    content: bytes
    kind: str
    cache: str


@dataclass
class Bucket:
    """What the server holds, what it was asked in order, and what it is to refuse."""

    held: dict[str, Held] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)  # changes alone: method and key
    fails: dict[str, int] = field(default_factory=dict)  # key -> status, for ever
    states: list[dict[str, bytes]] = field(default_factory=list)  # what was there after each change
    lock: Lock = field(default_factory=Lock)
    address: str = ""

    def files(self) -> dict[str, bytes]:
        return {name: one.content for name, one in self.held.items()}


@contextmanager
def s3_server() -> Iterator[Bucket]:
    """It listens on the loopback, over plain HTTP."""
    bucket = Bucket()

    class Handler(_Handler):
        pages = bucket

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        bucket.address = f"http://127.0.0.1:{server.server_address[1]}"
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield bucket
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages: Bucket

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_DELETE(self) -> None:
        self._answer()

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if wrong := self._refusal(headers, body):
            return self._error(*wrong)
        bucket, _, key = unquote(urlsplit(self.path).path).lstrip("/").partition("/")
        if bucket != BUCKET:
            return self._error(404, "NoSuchBucket", "The specified bucket does not exist")
        if key in self.pages.fails:
            return self._error(self.pages.fails[key], "InternalError", "We encountered an internal error.")
        if self.command == "GET" and not key:
            return self._send(200, self._listing())
        if self.command == "POST" and urlsplit(self.path).query.rstrip("=") == "delete":
            return self._delete(headers, body)
        if self.command != "PUT" or not key:
            return self._error(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")
        with self.pages.lock:
            self.pages.asked.append(("PUT", key))
            self.pages.held[key] = Held(body, headers.get("content-type", ""), headers.get("cache-control", ""))
            self.pages.states.append(self.pages.files())
        return self._send(200, b"", ETag=f'"{md5(body).hexdigest()}"')

    def _delete(self, headers: Mapping[str, str], body: bytes) -> None:
        """Several at once; the request must carry a check sum of its body."""
        sums = {"content-md5": md5(body).digest(), "x-amz-checksum-sha256": sha256(body).digest()}
        given = [b64decode(headers[name]) == value for name, value in sums.items() if name in headers]
        if not given or not all(given):
            return self._error(400, "InvalidRequest", "Missing required header for this request: Content-MD5")
        names = [key.text or "" for key in fromstring(body).iter() if key.tag.rpartition("}")[2] == "Key"]
        with self.pages.lock:
            for name in names:
                self.pages.asked.append(("DELETE", name))
                self.pages.held.pop(name, None)
            self.pages.states.append(self.pages.files())
        rows = "".join(f"<Deleted><Key>{escape(name)}</Key></Deleted>" for name in names)
        text = f'<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{rows}</DeleteResult>'
        return self._send(200, f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode())

    def _refusal(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str, str] | None:
        if not headers.get("authorization", "").startswith("AWS4-HMAC-SHA256 "):
            return 403, "AccessDenied", "Access Denied"
        if f"Credential={ACCESS}/" not in headers["authorization"]:
            return 403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records."
        if headers["authorization"].rpartition("Signature=")[2] != signature(self.command, self.path, headers, SECRET):
            return 403, "SignatureDoesNotMatch", "The request signature we calculated does not match."
        if f"/{REGION}/s3/aws4_request" not in headers["authorization"]:
            return 400, "AuthorizationHeaderMalformed", f"The region is wrong; expecting '{REGION}'"
        told = headers["x-amz-content-sha256"]
        if told not in ("UNSIGNED-PAYLOAD", sha256(body).hexdigest()):
            return 400, "XAmzContentSHA256Mismatch", "The provided 'x-amz-content-sha256' header does not match."
        return None

    def _listing(self) -> bytes:
        asked = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        assert asked["list-type"] == "2"
        start, after = asked.get("prefix", ""), asked.get("continuation-token", "")
        names = [name for name in sorted(self.pages.held) if name.startswith(start) and name > after]
        shown, more = names[:PAGE], len(names) > PAGE
        rows = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>2024-01-13T21:00:00.000Z</LastModified>"
            f"<ETag>&quot;{md5(self.pages.held[name].content).hexdigest()}&quot;</ETag>"
            f"<Size>{len(self.pages.held[name].content)}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for name in shown
        )
        token = f"<NextContinuationToken>{escape(shown[-1])}</NextContinuationToken>" if more else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Name>{BUCKET}</Name><Prefix>{escape(start)}</Prefix><KeyCount>{len(shown)}</KeyCount>"
            f"<MaxKeys>{PAGE}</MaxKeys><IsTruncated>{str(more).lower()}</IsTruncated>{rows}{token}</ListBucketResult>"
        ).encode()

    def _error(self, status: int, code: str, message: str) -> None:
        text = f"<Error><Code>{code}</Code><Message>{message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>"
        self._send(status, f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode())

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/xml", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
