"""Asking a server over HTTPS: bounded in time and size, and every trouble told in one way."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from league.sources.answer import Unanswered, Why

MOST = 3_000_000
SECONDS = (10, 30)  # to connect, to wait for the next bytes
AGENT = "league (figures for a play-by-mail league; a few questions a week)"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
LONGEST_WAIT = 7 * 24 * 3600


def get(url: str, now: datetime, **params: str) -> bytes:
    """The body of an answer 200; `Unanswered` for everything else."""
    import requests

    host = _host(url)
    try:
        with requests.get(
            url, params=params, headers={"User-Agent": AGENT}, timeout=SECONDS, stream=True, allow_redirects=True
        ) as answer:
            _host(answer.url)
            if answer.status_code in {429, 503}:
                raise Unanswered(Why.LIMIT, f"{host} wants fewer questions", _wait(answer.headers, now))
            if answer.status_code in {404, 204}:
                raise Unanswered(Why.NOT_YET, f"{host} has nothing there ({answer.status_code})")
            if answer.status_code != 200:
                raise Unanswered(Why.UNREACHABLE, f"{host} answered {answer.status_code}")
            return _body(answer, host)
    except requests.exceptions.SSLError:
        raise Unanswered(Why.UNREACHABLE, f"{host} can't prove who it is (its certificate)") from None
    except requests.exceptions.Timeout:
        raise Unanswered(Why.UNREACHABLE, f"{host} took too long") from None
    except requests.exceptions.RequestException as trouble:
        raise Unanswered(Why.UNREACHABLE, f"{host} can't be reached ({type(trouble).__name__})") from None


def _body(answer: Any, host: str) -> bytes:
    body = b""
    for piece in answer.iter_content(64_000):
        body += piece
        if len(body) > MOST:
            raise Unanswered(Why.STRANGE, f"{host} sent more than {MOST} bytes")
    return body


def _host(url: str) -> str:
    """The server's name; only HTTPS, or this machine itself."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise Unanswered(Why.NOT_SET_UP, f"{parts.hostname or 'the address'} isn't asked without https")
    return parts.hostname or ""


def _wait(headers: Any, now: datetime) -> int:
    """Seconds in a Retry-After header: a number or a date (RFC 9110, 10.2.3)."""
    written = str(headers.get("Retry-After", "")).strip()
    if written.isdecimal():
        return min(int(written), LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(written)
    except (TypeError, ValueError):
        return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return min(max(int((moment - now).total_seconds()), 0), LONGEST_WAIT)


def text(body: bytes, host: str) -> str:
    """A body as text; `Unanswered` for a web page where figures should be (a wall, a consent form, a limit)."""
    try:
        found = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        found = body.decode("cp1252", "replace")
    if found.lstrip()[:15].lower().startswith(("<!doctype html", "<html", "<head")):
        raise Unanswered(Why.STRANGE, f"{host} sent a web page instead of figures")
    return found


def as_json(body: bytes, host: str) -> Any:
    """A body as JSON, numbers with a point as exact decimals written in it."""
    from decimal import Decimal

    try:
        return json.loads(text(body, host), parse_float=Decimal)
    except (ValueError, RecursionError):
        raise Unanswered(Why.STRANGE, f"{host} sent something that isn't JSON") from None
