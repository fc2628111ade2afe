"""A real Dovecot of our own: no root needed, ports of its own on the loopback, gone with the tests.

2.3 and 2.4 have other names for most settings; which ones are written is chosen by the version that is installed.
Those of 2.3 (Debian 12) are tried with every run. Those of 2.4 (Debian 13) follow its documentation; a server that
doesn't take them says so in its log, which the failing test shows.
"""

import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import digest as hmac
from imaplib import IMAP4
from ipaddress import ip_address
from json import dumps
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from imapclient import IMAPClient

BINARY = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
LMTP = Path("/usr/lib/dovecot/lmtp")
PASSWORD = "s3cret-ümlaut"
HOST = "mx.example.org"  # what its Received lines say
TOKEN_KEY = b"a key that only this server knows"
COMMON = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
first_valid_gid = 1
listen = 127.0.0.1
protocols = imap lmtp
hostname = {host}
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
mailbox_idle_check_interval = 1 s
mail_max_userip_connections = 100
recipient_delimiter = +
ssl = yes
ssl_client_ca_dir =
ssl_min_protocol = TLSv1.2
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
"""
OF_2_3 = """
auth_username_format = %n
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
ssl_cert = <{base}/server.pem
ssl_key = <{base}/server.key
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {base}/oauth2.conf
}}
passdb {{
  driver = static
  mechanisms = plain login
  args = password={password}
}}
userdb {{
  driver = static
  args = home={base}/home/%n allow_all_users=yes
}}
"""
FIRST_OF_2_4 = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
"""  # has to come before everything else
OF_2_4 = """
auth_username_format = %{{user | username}}
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = ~/Maildir
ssl_server_cert_file = {base}/server.pem
ssl_server_key_file = {base}/server.key
oauth2 {{
  introspection_mode = local
  username_attribute = sub
  oauth2_local_validation {{
    dict fs {{
      fs posix {{
        prefix = {base}/keys/
      }}
    }}
  }}
}}
passdb static {{
  mechanisms_filter = plain login
  password = {password}
}}
userdb static {{
  allow_all_users = yes
  fields {{
    home = {base}/home/%{{user | username}}
  }}
}}
"""
CONFIGS = {"2.3": COMMON + OF_2_3, "2.4": FIRST_OF_2_4 + COMMON + OF_2_4}
OAUTH2 = """
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={base}/keys/
username_attribute = sub
"""


def missing() -> str:
    """Why no Dovecot can run here; empty if one can."""
    if BINARY is None or not LMTP.exists():
        return "there is no Dovecot here: install the Debian packages dovecot-imapd and dovecot-lmtpd"
    if version() not in CONFIGS:
        known = " and ".join(CONFIGS)
        return f"these tests know the settings of Dovecot {known}, and this is {version() or 'none that says'}"
    return ""


def version() -> str:
    """Of the Dovecot that is installed, the first two numbers."""
    told = subprocess.run([str(BINARY), "--version"], capture_output=True, text=True, check=False).stdout
    return ".".join(told.split(maxsplit=1)[0].split(".")[:2]) if told.strip() else ""


@dataclass
class Dovecot:
    """One server with as many users as are asked for, all with the same password."""

    base: Path
    imap: int
    imaps: int
    lmtp: int
    process: "subprocess.Popen[bytes] | None" = field(default=None)
    persons: list[Any] = field(default_factory=list)

    @classmethod
    def make(cls) -> "Dovecot":
        """Settings and certificates; `start` starts it."""
        base = Path(tempfile.mkdtemp(prefix="dovecot-"))  # pytest's own folders are closed to `nobody`
        imap, imaps, lmtp = free_ports(3)
        made = cls(base, imap, imaps, lmtp)
        for name in ("run", "state", "home", "keys/default/HS256"):
            (base / name).mkdir(parents=True)
        made_certificate(base, "localhost")
        (base / "keys/default/HS256/default").write_bytes(b64encode(TOKEN_KEY))
        (base / "oauth2.conf").write_text(OAUTH2.format(base=base))
        user, group = account()
        ports = {"imap": made.imap, "imaps": made.imaps, "lmtp": made.lmtp}
        text = CONFIGS[version()].format(base=base, user=user, group=group, host=HOST, password=PASSWORD, **ports)
        (base / "dovecot.conf").write_text(text)
        made._give_away()
        return made

    def start(self) -> None:
        """Come back when it answers."""
        assert BINARY is not None
        command = [BINARY, "-F", "-c", str(self.base / "dovecot.conf")]
        if os.geteuid() == 0:
            user, group = account()
            command = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *command]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        until = time.monotonic() + 20
        while not all(answers(port) for port in (self.imap, self.imaps, self.lmtp)):
            assert self.process.poll() is None, (self.base / "log").read_text()
            assert time.monotonic() < until, "Dovecot doesn't answer"
            time.sleep(0.02)

    def stop(self) -> None:
        """Kill it at once with all that belongs to it, as a power cut would."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
            self.process = None
            until = time.monotonic() + 20
            while answers(self.imap):  # its children took a moment longer
                assert time.monotonic() < until
                time.sleep(0.02)
            (self.base / "run" / "master.pid").unlink(missing_ok=True)

    def remove(self) -> None:
        """Leave nothing behind."""
        self.stop()
        shutil.rmtree(self.base, ignore_errors=True)

    def deliver(self, user: str, *raws: bytes) -> None:
        """Mails come in by LMTP, as from a mail server."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as server:
            for raw in raws:
                server.sendmail("anna@example.org", [f"{user}@{HOST}"], raw)

    def person(self, user: str) -> Any:
        """A mail program of the person whose mailbox it is."""
        client = IMAPClient("127.0.0.1", self.imap, ssl=False, timeout=20)
        client.plain_login(user, PASSWORD)
        client.normalise_times = False
        self.persons.append(client)
        return client

    def forget_persons(self) -> None:
        """Their connections are closed."""
        while self.persons:
            with suppress(OSError, IMAP4.error):
                self.persons.pop().shutdown()

    def lay(self, user: str, raws: Sequence[bytes], when: datetime) -> None:
        """Lay thousands of mails into an inbox before its owner first looks."""
        box = self.base / "home" / user / "Maildir"
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir(parents=True, exist_ok=True)
        for number, raw in enumerate(raws):
            file = box / "new" / f"{int(when.timestamp())}.M{number:06d}.laid"
            file.write_bytes(raw)
            os.utime(file, (when.timestamp(), when.timestamp()))
        self._give_away()

    def change_uids(self, user: str) -> None:
        """The folder loses its UIDs, as after a restore from a backup: a new UIDVALIDITY."""
        box = self.base / "home" / user / "Maildir"
        for file in [*box.glob("dovecot*index*"), *box.glob("dovecot-uidlist")]:
            file.unlink()

    def _give_away(self) -> None:
        if os.geteuid() == 0:
            known = pwd.getpwnam(account()[0])
            for path in (self.base, *self.base.rglob("*")):
                os.chown(path, known.pw_uid, known.pw_gid)


def account() -> tuple[str, str]:
    """The user and group it runs as: we ourselves, but never root."""
    known = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    import grp

    return known.pw_name, grp.getgrgid(known.pw_gid).gr_name


def free_ports(number: int) -> list[int]:
    """Ports that nobody uses at this moment."""
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


def answers(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


def made_certificate(base: Path, name: str) -> None:
    """A CA of our own in `ca.pem`, and a certificate signed by it for one host name (not for 127.0.0.1's)."""
    now = datetime.now(UTC)  # noqa: TID251  # certificates are valid in real time
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "CA of the tests")])
    times = {"not_before": now - timedelta(days=1), "not_after": now + timedelta(days=30)}

    def sign(subject: x509.Name, public: ec.EllipticCurvePublicKey, *extensions: tuple[Any, bool]) -> x509.Certificate:
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(ca_name).public_key(public)
        builder = builder.serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(times["not_before"]).not_valid_after(times["not_after"])
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(ca_key, hashes.SHA256())

    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    ca = sign(ca_name, ca_key.public_key(), (x509.BasicConstraints(ca=True, path_length=None), True), (usage, True))
    names = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.9"))])
    server = sign(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), key.public_key(), (names, False))
    pem = serialization.Encoding.PEM
    (base / "ca.pem").write_bytes(ca.public_bytes(pem))
    (base / "server.pem").write_bytes(server.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (base / "server.key").write_bytes(private)


def token_of(user: str) -> str:
    """An access token that this server believes: a JWT signed with its key."""

    def part(value: object) -> bytes:
        return urlsafe_b64encode(dumps(value).encode()).rstrip(b"=")

    now = int(time.time())  # noqa: TID251  # the server looks at its own clock
    signed = part({"alg": "HS256", "typ": "JWT"}) + b"." + part({"sub": user, "iat": now, "exp": now + 3600})
    mark = urlsafe_b64encode(hmac(TOKEN_KEY, signed, sha256)).rstrip(b"=")
    return (signed + b"." + mark).decode()
