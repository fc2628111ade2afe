"""Pages into a bucket, over HTTP, with signatures that are checked."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from league.delivery.targets.s3 import S3
from league.delivery.targets.tree import Pushed, is_front
from tests.delivery.builds import AFTER, BEFORE, build, dead_links, push
from tests.delivery.s3_server import ACCESS, BUCKET, REGION, SECRET, Bucket, Held, s3_server, signature

pytest.importorskip("obstore", reason="obstore is needed: pip install 'league[s3]'")


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with s3_server() as made:
        yield made


def at(bucket: Bucket, prefix: str = "") -> S3:
    return S3(bucket.address, BUCKET, prefix, REGION, ACCESS, SECRET, timeout=5)


def test_the_check_of_signatures_is_amazon_s() -> None:
    """The documentation's own example of a signed request has the signature that the test server asks for."""
    headers = {
        "authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=-",
        "host": "examplebucket.s3.amazonaws.com",
        "range": "bytes=0-9",
        "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "x-amz-date": "20130524T000000Z",
    }
    told = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    assert signature("GET", "/test.txt", headers, SECRET) == told


@pytest.mark.parametrize("prefix", ["", "leagues/2024"])
def test_the_bucket_becomes_the_build(prefix: str, bucket: Bucket, tmp_path: Path) -> None:
    """What differs is sent and nothing else, what is gone is deleted, and nothing beside the prefix is touched."""
    if prefix:
        bucket.held["other/thesis.pdf"] = Held(b"x", "", "")
    beside = bucket.files()
    start, target = f"{prefix}/" if prefix else "", at(bucket, prefix)
    assert target.probe() == ""
    assert push(target, build(tmp_path / "1", BEFORE)) == Pushed(len(BEFORE), 0)
    assert target.probe() == ""
    second = build(tmp_path / "2", AFTER)
    bucket.asked.clear()
    assert push(target, second, dry=True) == Pushed(9, 1)
    assert bucket.asked == []
    assert push(target, second) == Pushed(9, 1)
    changed = {name for name, content in AFTER.items() if BEFORE.get(name) != content}
    assert sorted(bucket.asked[:-1]) == sorted(("PUT", start + name) for name in changed)
    assert bucket.asked[-1] == ("DELETE", f"{start}spring/gone.html")
    assert bucket.files() == beside | {start + name: content for name, content in AFTER.items()}
    assert push(target, second) == Pushed()


def test_no_page_ever_leads_to_one_that_is_not_there(bucket: Bucket, tmp_path: Path) -> None:
    """After every single change all links lead somewhere; fronts that were there change last, before what is gone."""
    push(at(bucket), build(tmp_path / "1", BEFORE))
    bucket.asked.clear()
    bucket.states.clear()
    push(at(bucket), build(tmp_path / "2", AFTER))
    at_rest = [state for state in bucket.states if "spring/round-2.html" in state and "autumn/round-1.html" in state]
    assert [dead_links(state) for state in at_rest] == [[]] * len(at_rest)
    fronts = [n for n, (_, key) in enumerate(bucket.asked) if is_front(key) and key in BEFORE]
    assert fronts == list(range(len(bucket.asked) - 1 - len(fronts), len(bucket.asked) - 1))
    old = [state for state in bucket.states if state not in at_rest]  # of these only new pages, to which nothing leads
    assert all(state[name] == content for state in old for name, content in BEFORE.items())


def test_files_say_what_they_are(bucket: Bucket, tmp_path: Path) -> None:
    """Types by name; pages are asked for anew after a minute, pictures named by their content never."""
    push(at(bucket), build(tmp_path / "1", AFTER))
    held = bucket.held
    assert held["index.html"].kind == "text/html; charset=utf-8"
    assert held["style.css"].kind == "text/css; charset=utf-8"
    assert held["spring/feed.xml"].kind == "application/atom+xml; charset=utf-8"
    assert held["manifest"].kind == "text/plain; charset=utf-8"
    assert held["index.html"].cache == "public, max-age=60"
    picture = held["spring/pictures/round-2-0123456789abcdef.png"]
    assert (picture.kind, picture.cache) == ("image/png", "public, max-age=31536000, immutable")
    push(replace(at(bucket, "x"), max_age=0), build(tmp_path / "2", BEFORE))
    assert held["x/index.html"].cache == "no-cache"


def test_a_bucket_of_something_else_is_refused(bucket: Bucket) -> None:
    """Nothing is deleted that isn't a page: a prefix that holds other things is told."""
    bucket.held["thesis.pdf"] = Held(b"x", "", "")
    assert "pages holds thesis.pdf" in at(bucket).probe()
    assert at(bucket, "leagues").probe() == ""


def test_trouble_is_told_in_the_server_s_words(bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong secret, no bucket, wrong region, nobody there, no library: a value in a line, without the secret."""
    tree, right = build(tmp_path / "1", BEFORE), at(bucket)
    wrong = replace(right, secret_key="s3cret-word")
    assert "SignatureDoesNotMatch" in wrong.probe()
    assert "NoSuchBucket: The specified bucket does not exist" in replace(right, bucket="none").probe()
    assert "AuthorizationHeaderMalformed" in push(replace(right, region="us-east-1"), tree).trouble
    nobody = push(replace(right, endpoint="http://127.0.0.1:9", timeout=1), tree).trouble
    assert nobody
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    assert right.probe() == "obstore isn't installed here: pip install 'league[s3]'"
    for words in (wrong.probe(), nobody, repr(wrong), repr(right)):
        assert "s3cret-word" not in words
        assert SECRET not in words
        assert "\n" not in words


def test_a_try_that_fails_half_way_is_gone_on_with(bucket: Bucket, tmp_path: Path) -> None:
    """A page that the server won't take stops it before any front; the next try sends the rest."""
    push(at(bucket), build(tmp_path / "1", BEFORE))
    bucket.fails["spring/round-1.html"] = 403
    done = push(at(bucket), second := build(tmp_path / "2", AFTER))
    assert "InternalError" in done.trouble
    assert bucket.files()["index.html"] == BEFORE["index.html"]
    assert "spring/gone.html" in bucket.files()
    assert done.changed == 4
    bucket.fails.clear()
    bucket.asked.clear()
    assert push(at(bucket), second) == Pushed(9 - 4, 1)
    assert bucket.files() == AFTER


def test_the_environment_s_account_is_not_used(bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and a session of another account, set for other programs, change nothing."""
    for name, value in {
        "ACCESS_KEY_ID": "OTHER",
        "SECRET_ACCESS_KEY": "x",
        "SESSION_TOKEN": "y",
        "REGION": "z",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert push(at(bucket), build(tmp_path / "1", BEFORE)) == Pushed(len(BEFORE), 0)
