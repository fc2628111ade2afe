import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.errors import BadInput
from league.core.toml_lines import key_lines, locate, nearest
from league.settings import (
    TABLES,
    GitTarget,
    Mail,
    Publish,
    RsyncTarget,
    S3Target,
    Settings,
    Site,
    Smtp,
    as_toml,
    defaults_toml,
    header,
    keys,
    load,
    parse,
    schema,
)

DOCS = Path(__file__).parent.parent / "docs"


def refusal(text: str) -> list[str]:
    with pytest.raises(BadInput) as caught:
        parse(text)
    return str(caught.value).split("\n")


def test_an_empty_file_means_the_defaults() -> None:
    """Nothing has to be written to have a site."""
    assert parse("") == Settings()


def test_the_file_of_init_means_the_defaults() -> None:
    """What `league init` writes changes nothing."""
    assert parse(defaults_toml()) == Settings()


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs", "Cn", "Co", "Cf"]), min_size=1),
    st.booleans(),
    st.integers(1, 2**40),
)
def test_settings_are_read_back_as_written(title: str, dutch: bool, size: int) -> None:
    """`as_toml` writes what `parse` reads, whatever letters a title has."""
    smtp = Smtp(host="mail.example.org", user="league", token_command=("get-token", title))
    mail = replace(Mail(), max_bytes=size, smtp=smtp)
    settings = Settings(site=Site(title=title, lang="nl" if dutch else "de"), mail=mail)
    assert parse(as_toml(settings)) == settings


def test_tables_that_can_stand_there_several_times_are_read_back() -> None:
    """Targets of publishing keep their order and their values."""
    several = (RsyncTarget(name="web", to="www@host.example.org:leagues"), RsyncTarget(name="here", to="/var/www"))
    git = GitTarget(name="hub", repository="https://host.example.org/a/b.git", keep=(), history=False)
    cloud = S3Target(name="cloud", bucket="leagues", access_key="AKIA", secret_key_env="SECRET")
    settings = Settings(publish=Publish(rsync=several, git=(git,), s3=(cloud,)))
    assert parse(as_toml(settings)) == settings
    assert settings.publish.targets == (*several, git, cloud)


RSYNC = "[[publish.rsync]]\nname = 'web'\n"
GIT = "[[publish.git]]\nname = 'hub'\n"
CHAT = "[[announce]]\nname = 'chat'\n"
CLOUD = "[[publish.s3]]\nname = 'cloud'\nbucket = 'leagues'\naccess_key = 'A'\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[publish.rsync]\nname = 'web'", "league.toml:1: 'publish.rsync' can stand there several times: write"),
        ("\n" + RSYNC, "league.toml:2: [[publish.rsync]] needs 'to': Folder that holds the pages"),
        (RSYNC + "to = '-e sh'", 'league.toml:3: to = "-e sh" is no folder for pages; write it like /var/www/leagues'),
        (RSYNC + "to = 'host:-e'", 'league.toml:3: to = "host:-e" is no folder'),
        (RSYNC + "to = '-oProxyCommand=x:www'", "is no folder for pages"),
        (RSYNC + "to = 'www@-oProxyCommand=x:www'", "is no folder for pages"),
        (RSYNC + "to = 'host:a;b'", "is no folder for pages"),
        (RSYNC + "to = 'host:$(x)'", "is no folder for pages"),
        (RSYNC + "to = 'rsync://host'", "is no folder for pages"),
        (RSYNC + "to = '/'", "is no folder for pages"),
        (RSYNC + "to = 'a'\ntoo = 'b'", "league.toml:4: [[publish.rsync]] has no key 'too' (= \"b\"); nearest: to"),
        (RSYNC + "to = 'a'\nssh_port = 22", 'league.toml:4: ssh_port is set, and "a" isn\'t reached by ssh'),
        (RSYNC + "to = 'h:a'\npassword_env = 'P'", "league.toml:4: password_env is for a daemon, rsync://…"),
        (
            RSYNC + "to = 'a'\n" + GIT + "repository = 'b'\n" + RSYNC.replace("web", "hub") + "to = 'c'",
            "another target",
        ),
        ("[[publish.rsync]]\nname = 'My web'\nto = 'a'", 'name = "My web" is no short name'),
        (GIT + "repository = 'ext::sh -c x'", "is no repository; write it like git@host.example.org:anna/leagues.git"),
        (GIT + "repository = '--upload-pack=x'", "is no repository"),
        (GIT + "repository = 'a'\nbranch = '-f'", 'branch = "-f" is no name of a branch'),
        (GIT + "repository = 'a'\nbranch = 'a..b'", "is no name of a branch"),
        (GIT + "repository = 'a'\nkeep = ['a/b']", "keep = [\"a/b\"] holds 'a/b', which is no name of a file"),
        (GIT + "repository = 'git@h.example:a'\npassword_env = 'P'", "password_env is for a repository at https://…"),
        (CHAT, "league.toml:1: [[announce]] needs its address: say url_file or url_env"),
        (
            CHAT + "url_env = 'A'\nurl_file = 'b'",
            "league.toml:3: url_env is set beside url_file; leave one of them out",
        ),
        (CHAT + "url_env = 'A'\n" + CHAT + "url_env = 'B'", 'league.toml:5: name = "chat" is there twice'),
        (CHAT + "url_env = 'A'\nwhat = ['reports']", "holds 'reports', which is none of report, correction, deadline"),
        (CHAT + "url_env = 'A'\nwhat = []", "what = [] is empty; there are report, correction, deadline"),
        (CHAT + "url_env = 'A'\nlang = 'fr'", 'lang = "fr" is not a language we speak: de, en, nl'),
        (CHAT + "url = 'discord://hunter2'", "league.toml:3: [[announce]] has no key 'url'; nearest: url_env"),
        (CLOUD, "league.toml:4: access_key is set and no secret: say secret_key_file or secret_key_env"),
        (CLOUD + "secret_key_env = 'a'\nsecret_key_file = 'b'", "league.toml:5: secret_key_env is set beside"),
        (CLOUD + "secret_key_env = 'a'\nendpoint = 'http://s3.example.org'", "is readable for all on the way"),
        (CLOUD.replace("leagues", "My Pages"), 'bucket = "My Pages" is no name of a bucket'),
        (CLOUD + "secret_key_env = 'a'\nprefix = '../x'", 'prefix = "../x" is no folder; write it like leagues/2026'),
    ],
)
def test_a_target_that_can_not_be_meant_is_told(text: str, said: str) -> None:
    """Places that programs would take for options, secrets to no purpose, what is missing: each with its line."""
    assert said in "\n".join(refusal(text))


def test_a_password_in_an_address_is_not_repeated() -> None:
    """Not even in the message that says that it doesn't belong there."""
    (message,) = refusal(GIT + "repository = 'https://anna:hunter2@host.example.org/a.git'")
    assert message == (
        'league.toml:3: repository = "https://…@host.example.org/a.git" holds a password; name its file by '
        "password_file"
    )


def test_every_fault_is_listed_with_its_line() -> None:
    """All faults of a file come at once, each with file, line, value and what would be right."""
    text = """[site]
titel = "Liga"
zone = "Europe/Berln"
lang = "fr"
[mail]
max_bytes = "1 MB"
base_url = "https://example.org"
inbox = 2025-01-01
from_address = "Anna"
[publsh]
index = true
"""
    assert refusal(text) == [
        "league.toml:2: [site] has no key 'titel' (= \"Liga\"); nearest: title",
        'league.toml:3: zone = "Europe/Berln" is not a time zone; nearest: Europe/Berlin',
        'league.toml:4: lang = "fr" is not a language we speak: de, en, nl',
        'league.toml:6: max_bytes = "1 MB" is a text in quotes; a whole number is needed here',
        "league.toml:7: [mail] has no key 'base_url' (= \"https://example.org\"); nearest: base_url in [site]",
        "league.toml:8: inbox = 2025-01-01 is a date or time; a text in quotes is needed here",
        'league.toml:9: from_address = "Anna" is not a mail address; write it like anna@example.org',
        "league.toml:10: there is no table [publsh]; nearest: [publish]",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 'A'", "league.toml:1: 'title' (= \"A\") stands outside every table; nearest: title in [site]"),
        ("\nsite = 1", "league.toml:2: 'site' is a table: write [site] on a line of its own and its keys below"),
        ("[publish]\nindex = 1", "league.toml:2: index = 1 is a whole number; true or false is needed here"),
        ("[mail]\nmax_bytes = true", "league.toml:2: max_bytes = true is true or false; a whole number is needed here"),
        ("[mail]\nmax_bytes = 0", "league.toml:2: max_bytes = 0 is too small; the least is 1"),
        (
            "[mail]\nkeep_mail_days = 1.5",
            "league.toml:2: keep_mail_days = 1.5 is a fraction; a whole number is needed here",
        ),
        ("[site]\nzone = 'Europe'", 'league.toml:2: zone = "Europe" is not a time zone; nearest: Europe/Rome'),
        ("[publish]\nqqq = 1", "league.toml:2: [publish] has no key 'qqq' (= 1); nearest: index, pictures"),
        (
            "qqq = 1",
            (
                "league.toml:1: 'qqq' (= 1) stands outside every table; nearest: "
                "[site], [mail], [mail.smtp], [mail.imap], [storage], [sources], [publish], "
                "[[publish.rsync]], [[publish.git]], [[publish.s3]], [[announce]]"
            ),
        ),
        (
            "[[site]]\ntitle = 'A'",
            "league.toml:1: 'site' is a table: write [site] on a line of its own and its keys below",
        ),
        ("[site]\r\n\r\ntitle = ''\r\n", 'league.toml:3: title = "" is not a title: one line, not empty'),
        (
            "[mail]\nsmtp = 'x'",
            "league.toml:2: 'mail.smtp' is a table: write [mail.smtp] on a line of its own and its keys below",
        ),
        (
            "[mail.smtp]\npassword = 'hunter2'",
            "league.toml:2: [mail.smtp] has no key 'password'; nearest: password_env",
        ),
        (
            "password = 'hunter2'",
            "league.toml:1: 'password' stands outside every table; nearest: password_env in [mail.smtp]",
        ),
        ("[mail.smtp]\nhots = 'x'", "league.toml:2: [mail.smtp] has no key 'hots' (= \"x\"); nearest: host"),
        (
            "[mail.smtp]\n\nsecurity = 'ssl'",
            'league.toml:3: security = "ssl" is no way to talk to a mail server: tls, starttls, none',
        ),
        (
            "[mail.smtp]\ntoken_command = 'pass show league'",
            'league.toml:2: token_command = "pass show league" is a text in quotes; a list of texts is needed here',
        ),
        (
            "[mail.smtp]\ntoken_command = ['p', 1]",
            'league.toml:2: token_command = ["p", 1] holds what is no text; a list of texts in quotes is needed here',
        ),
        (
            "[mail.smtp]\nhost = 'mail.example.org'\nsecurity = 'none'",
            (
                'league.toml:3: security = "none" would send passwords and orders readable for all to '
                'mail.example.org; use "tls" or "starttls", or say allow_plain = true'
            ),
        ),
        (
            "[mail.smtp]\nuser = 'league'",
            "league.toml:2: user is set and no password: say password_file, password_env or token_command",
        ),
        ("[mail.imap]\nfolders = []", 'league.toml:2: folders = [] names no folder; write it like ["INBOX"]'),
        ("[mail.imap]\nhost = 'mx.example.org'", "league.toml:2: host is set and user isn't: whose mailbox is read?"),
        (
            "[mail.imap]\nprocessed = 'INBOX'",
            'league.toml:2: processed = "INBOX" is read too, by folders; name another folder',
        ),
        ("[mail.smtp]\npassword_env = 'P'", "league.toml:2: password_env is set and user isn't: whose is it?"),
        (
            "[mail.smtp]\nuser = 'a'\npassword_env = 'P'\npassword_file = 'p'",
            "league.toml:3: password_env is set beside password_file; leave one of them out",
        ),
        ("site.titel = 'A'", "league.toml:1: [site] has no key 'titel' (= \"A\"); nearest: title"),
    ],
)
def test_a_fault_is_told_in_one_line(text: str, said: str) -> None:
    """A value out of place is named with its line and with what belongs there."""
    message = refusal(text)
    assert message == [said]


@pytest.mark.parametrize("text", ["[site]\ntitle = Liga\n", "[site]\nday = 2025-02-30\n", "[site]\ntitle = 'a\n"])
def test_broken_toml_names_its_line(text: str) -> None:
    """A syntax error and an impossible date are told with the line they stand on, and the line is shown."""
    (message,) = refusal(text)
    assert message.startswith(f"league.toml:2: this is not TOML: {text.splitlines()[1]!r}")


def test_a_file_that_stops_in_the_middle_names_its_last_line() -> None:
    """The parser says "end of document"; the message has a number all the same."""
    (message,) = refusal("[site]\ntitle = '''a\nb\n")
    assert message.startswith("league.toml:3: ")


def test_a_file_in_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    """Latin-1 from an old editor is named and not guessed at."""
    file = tmp_path / "league.toml"
    file.write_bytes("[site]\n\ntitle = 'Süd'\n".encode("latin-1"))
    with pytest.raises(BadInput, match=r"league\.toml:3: this is not UTF-8"):
        load(file)


def test_a_mark_in_front_of_the_file_is_passed_over(tmp_path: Path) -> None:
    """Editors that write a byte order mark write a valid file."""
    file = tmp_path / "league.toml"
    file.write_bytes(b"\xef\xbb\xbf[site]\r\ntitle = 'A'\r\n")
    assert load(file).site.title == "A"


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    """The first command in an empty folder is told about `league init`."""
    with pytest.raises(BadInput, match="league init"):
        load(tmp_path / "league.toml")


def test_the_documentation_has_the_schema_of_the_program() -> None:
    """docs/config.md carries the JSON Schema as the program gives it, and explains every key."""
    text = (DOCS / "config.md").read_text(encoding="utf-8")
    shown = text.split("```json\n")[1].split("```")[0]
    assert json.loads(shown) == schema()
    for table in TABLES:
        assert f"## `{header(table)}`" in text
        own = text.partition(f"## `{header(table)}`")[2].partition("\n## ")[0]
        assert [f"| `{key.name}` |" in own for key in keys(table)] == [True] * len(keys(table)), table


TEXT = """# [no.table]
a = 1
"b c".'d"' = \"\"\"
[not.a.table]
x = "y" \\\"\"\" still
\"\"\"\"
[t] # comment
list = [ # [x]
  "]", 'a,b', [1, 2],
  { k = 1, "m.n" = [ {o = 2} ] },
  1979-05-27 07:32:00,
]
lit = '''
z = 1'''''
[[rows]]
n = 1
[rows.sub]
deep.er = true
[[rows]]
n = 2
[[rows.inner]]
q = {}
[[rows.inner]]
q = []
[t.u."v.w"]
last = "=#"
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("a",), 2),
        (("b c", 'd"'), 3),
        (("t",), 7),
        (("t", "list"), 8),
        (("t", "list", 0), 9),
        (("t", "list", 2, 1), 9),
        (("t", "list", 3, "k"), 10),
        (("t", "list", 3, "m.n", 0, "o"), 10),
        (("t", "list", 4), 11),
        (("t", "lit"), 13),
        (("rows",), 15),
        (("rows", 0), 15),
        (("rows", 0, "n"), 16),
        (("rows", 0, "sub"), 17),
        (("rows", 0, "sub", "deep", "er"), 18),
        (("rows", 1, "n"), 20),
        (("rows", 1, "inner", 0, "q"), 22),
        (("rows", 1, "inner", 1, "q"), 24),
        (("t", "u", "v.w", "last"), 26),
        (("not",), None),
        (("x",), None),
        (("z",), None),
    ],
)
def test_a_key_is_found_on_its_line(path: tuple[str | int, ...], line: int | None) -> None:
    """Strings, comments, lists and repeated tables don't mislead the search for a key's line."""
    assert locate(TEXT, path) == line


def paths(value: object, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    here = {path} if path else set()
    if isinstance(value, dict):
        return here.union(*(paths(inner, (*path, key)) for key, inner in value.items()))
    if isinstance(value, list):
        return here.union(*(paths(inner, (*path, n)) for n, inner in enumerate(value)))
    return here


def test_the_search_knows_exactly_the_keys_of_the_text() -> None:
    """It finds everything that the parser finds, and nothing else."""
    assert set(key_lines(TEXT)) == paths(tomllib.loads(TEXT))


@pytest.mark.parametrize("file", sorted((DOCS.parent / "config").rglob("*.toml")), ids=lambda file: file.stem)
def test_every_key_of_our_own_files_has_a_line(file: Path) -> None:
    """The tables of the games are found through as well."""
    text = file.read_text(encoding="utf-8")
    assert set(key_lines(text)) == paths(tomllib.loads(text))


def test_what_is_missing_is_told_where_it_is_missed() -> None:
    """The line of a key that isn't there is that of the table around it."""
    assert nearest(TEXT, ("rows", 1, "name")) == 19
    assert nearest(TEXT, ("nothing",)) == 1
