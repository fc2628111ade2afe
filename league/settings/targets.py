"""[[publish.rsync]], [[publish.git]], [[publish.s3]] of `league.toml`: where pages are brought, besides `public`."""

from dataclasses import dataclass

from league.settings import checks
from league.settings.checks import key

NAME = "What the target is called, in what is told of it and after --target."
TIMEOUT = "Seconds without a sign of life from the other side after which a try is given up."
MINUTES = "Minutes after which a try is cut off; the next run goes on where it ended."


@dataclass(frozen=True, slots=True)
class RsyncTarget:
    """[[publish.rsync]]: a folder on this machine, behind ssh, or of an rsync daemon."""

    name: str = key("", NAME, checks.short_name, required=True)
    to: str = key(
        "",
        "Folder that holds the pages and nothing else: /var/www/leagues, www@host.example.org:leagues, or "
        "rsync://www@host.example.org/leagues.",
        checks.rsync_folder,
        required=True,
    )
    ssh_key_file: str = key("", "Private key for ssh, without a passphrase; empty: what ssh finds by itself.")
    ssh_port: int = key(0, "Port of ssh; 0: what ssh takes by itself.", checks.port, minimum=0, maximum=65535)
    password_file: str = key("", "For a daemon: file with the password, of mode 0600; relative to the site's folder.")
    password_env: str = key("", "For a daemon: environment variable with the password.")
    timeout: int = key(60, TIMEOUT, checks.positive, minimum=1)
    minutes: int = key(15, MINUTES, checks.positive, minimum=1)


@dataclass(frozen=True, slots=True)
class GitTarget:
    """[[publish.git]]: a branch of a repository, as hosts of static pages serve it."""

    name: str = key("", NAME, checks.short_name, required=True)
    repository: str = key(
        "",
        "Where it is pushed to: git@host.example.org:anna/leagues.git, https://host.example.org/anna/leagues.git, or a "
        "folder.",
        checks.repository,
        required=True,
    )
    branch: str = key("gh-pages", "Branch that holds the pages and nothing else.", checks.branch, minLength=1)
    keep: tuple[str, ...] = key(
        ("CNAME", ".domains", ".nojekyll"), "Files at the top of the branch that stay as they are.", checks.top_files
    )
    history: bool = key(
        default=True,
        about="Whether the branch keeps earlier pages; off: it is always one commit, pushed by force.",
    )
    ssh_key_file: str = key("", "Private key for ssh, without a passphrase; empty: what ssh finds by itself.")
    user: str = key("", "With https: account whose password or token it is; empty: one that any name goes with.")
    password_file: str = key("", "With https: file with the password or token, of mode 0600; relative to the site.")
    password_env: str = key("", "With https: environment variable with it.")
    minutes: int = key(15, MINUTES, checks.positive, minimum=1)


@dataclass(frozen=True, slots=True)
class S3Target:
    """[[publish.s3]]: a bucket of Amazon S3 or anything that speaks its language."""

    name: str = key("", NAME, checks.short_name, required=True)
    bucket: str = key("", "Bucket that holds the pages.", checks.bucket, required=True)
    prefix: str = key("", "Folder in it that holds the pages and nothing else; empty: the whole bucket.", checks.prefix)
    endpoint: str = key("", "Address of the server, like https://s3.example.org; empty: Amazon's.", checks.web_address)
    region: str = key("us-east-1", "Region of the bucket.", checks.word, minLength=1)
    path_style: bool = key(
        default=True, about="Whether the bucket's name stands in the path; off: before the server's name."
    )
    access_key: str = key("", "Name of the access key.", checks.word, required=True)
    secret_key_file: str = key("", "File with the secret key, of mode 0600; relative to the site's folder.")
    secret_key_env: str = key("", "Environment variable with the secret key.")
    max_age: int = key(
        60, "So many seconds browsers may show a page without asking again.", checks.not_negative, minimum=0
    )
    timeout: int = key(60, TIMEOUT, checks.positive, minimum=1)
    minutes: int = key(15, MINUTES, checks.positive, minimum=1)


Target = RsyncTarget | GitTarget | S3Target
