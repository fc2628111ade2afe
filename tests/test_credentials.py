import sys
from base64 import b64encode
from pathlib import Path

import pytest

from league.core.errors import Refused
from league.credentials import Login, fetch_token, login, read_password

SECRET = "hunter2-and-more"


def secret_file(path: Path, content: bytes = SECRET.encode() + b"\n", mode: int = 0o600) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


def program(path: Path, code: str) -> list[str]:
    path.write_text(code)
    return [sys.executable, str(path)]


def test_a_password_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is found from the site's folder, a variable in the environment; without a user nobody logs in."""
    secret_file(tmp_path / "pw")
    monkeypatch.setenv("SMTP_PASSWORD", SECRET)
    assert login(tmp_path, "league", password_file="pw") == Login("league", SECRET)
    assert login(tmp_path, "league", password_env="SMTP_PASSWORD") == Login("league", SECRET)
    assert login(tmp_path, "", password_file="pw") is None


def test_a_token_comes_from_a_program_without_a_shell(tmp_path: Path) -> None:
    """The program gets its arguments as they are, and its one word is the token."""
    command = [*program(tmp_path / "t.py", "import sys; print(sys.argv[1])"), "$HOME;x"]
    found = login(tmp_path, "league", token_command=command)
    assert found == Login("league", token="$HOME;x")
    assert found.xoauth2() == "user=league\x01auth=Bearer $HOME;x\x01\x01"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (f"print('{SECRET}'); raise SystemExit(3)", "ended with 3"),
        (f"print('{SECRET} and words')", "printed no token"),
        ("pass", "printed no token"),
        (f"import sys, time; print('{SECRET}', file=sys.stderr, flush=True); time.sleep(60)", "more than 0.5 seconds"),
        (f"import sys; sys.stdout.buffer.write(b'{SECRET}\\xff')", "printed no token"),
    ],
)
def test_a_program_without_a_token_is_told_without_its_words(tmp_path: Path, code: str, said: str) -> None:
    """Whatever goes wrong is told; what the program printed isn't, for it may be the secret."""
    with pytest.raises(Refused, match=said) as caught:
        fetch_token(program(tmp_path / "t.py", code), 0.5)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A wrong path is told as what it is."""
    with pytest.raises(Refused, match=r"no-such-program.*No such file"):
        fetch_token([str(tmp_path / "no-such-program")])


def test_a_file_with_a_password_must_be_private(tmp_path: Path) -> None:
    """A file that others can read, that is empty or missing, is refused with what to do."""
    with pytest.raises(Refused, match="chmod 600"):
        read_password(secret_file(tmp_path / "open", mode=0o644))
    with pytest.raises(Refused, match="is empty"):
        read_password(secret_file(tmp_path / "empty", b"\n"))
    with pytest.raises(Refused, match="isn't UTF-8") as caught:
        read_password(secret_file(tmp_path / "latin", b"hunter\xff"))
    assert "hunter" not in str(caught.value)
    with pytest.raises(Refused, match="No such file"):
        read_password(tmp_path / "none")
    with pytest.raises(Refused, match="NO_SUCH, which"):
        login(tmp_path, "league", password_env="NO_SUCH", password_file="")
    with pytest.raises(Refused, match="and no password"):
        login(tmp_path, "league")


def test_no_secret_is_printed() -> None:
    """Neither a log of the value nor a server that repeats it shows password or token, plain or in base64."""
    for account in (Login("league", SECRET), Login("league", token=SECRET)):
        assert SECRET not in repr(account)
        said = [SECRET, b64encode(SECRET.encode()).decode(), b64encode(f"\0league\0{SECRET}".encode()).decode()]
        said.append(b64encode(account.xoauth2().encode()).decode())
        assert account.hide("535 " + " ".join(said)) == "535 … … … …"
