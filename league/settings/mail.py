"""[mail] of `league.toml`: where mail comes in and goes out, and whom to believe."""

from dataclasses import dataclass

from league.settings import checks
from league.settings.checks import key


@dataclass(frozen=True, slots=True)
class Smtp:
    """[mail.smtp]: the server that takes our mails."""

    host: str = key("", "Mail server that takes our mails; empty: they go into the Maildir `outbox`.", checks.host)
    port: int = key(0, "0: 465 with tls, 587 with starttls, 25 with none.", checks.port, minimum=0, maximum=65535)
    security: str = key(
        "tls",
        "tls, starttls, or none, which needs a server on this machine or `allow_plain`.",
        checks.security,
        enum=list(checks.SECURITY),
    )
    allow_plain: bool = key(
        default=False, about="With security none: send mail and password readable for all on the way to the server."
    )
    ca_file: str = key("", "Certificates to trust instead of the system's, for a server with one of its own.")
    user: str = key("", "Account at the server; empty: it wants none.")
    password_file: str = key("", "File with the password, of mode 0600; relative to the site's folder.")
    password_env: str = key("", "Environment variable with the password.")
    token_command: tuple[str, ...] = key(
        (), "Program with its arguments that prints an OAuth2 token, for servers that take no password.", checks.program
    )
    timeout: int = key(60, "Seconds to wait for an answer of the server.", checks.positive, minimum=1)
    per_connection: int = key(100, "So many mails go over one connection.", checks.positive, minimum=1)
    per_hour: int = key(0, "So many mails go out in an hour at most; 0: no limit.", checks.not_negative, minimum=0)
    per_domain_per_hour: int = key(
        0, "The same for the addresses of one domain, such as gmx.de.", checks.not_negative, minimum=0
    )
    bounce_address: str = key("", "Address that bounces go to; empty: `from_address`.", checks.address)
    verp: str = key(
        "auto",
        "Whether each mail gets its own address for bounces (league+b-…@…); auto: where `plus_addresses` says that "
        "mail to such addresses arrives; off if the server allows no such sender.",
        checks.one_of(*checks.SWITCH),
        enum=list(checks.SWITCH),
    )


@dataclass(frozen=True, slots=True)
class Imap:
    """[mail.imap]: a mailbox on a mail server, read besides `inbox`."""

    host: str = key("", "Mail server whose mailbox is read, as its certificate names it; empty: none is.", checks.host)
    port: int = key(0, "0: 993 with tls, 143 with starttls or none.", checks.port, minimum=0, maximum=65535)
    security: str = key(
        "tls",
        "tls, starttls, or none, which needs a server on this machine or `allow_plain`.",
        checks.security,
        enum=list(checks.SECURITY),
    )
    allow_plain: bool = key(
        default=False, about="With security none: let mail and password be readable for all on the way."
    )
    ca_file: str = key("", "Certificates to trust instead of the system's, for a server with one of its own.")
    user: str = key("", "Account at the server, often the whole address.")
    password_file: str = key("", "File with the password, of mode 0600; relative to the site's folder.")
    password_env: str = key("", "Environment variable with the password.")
    token_command: tuple[str, ...] = key(
        (), "Program with its arguments that prints an OAuth2 token, for servers that take no password.", checks.program
    )
    timeout: int = key(60, "Seconds to wait for an answer of the server.", checks.positive, minimum=1)
    folders: tuple[str, ...] = key(("INBOX",), "Folders that are read.", checks.folders, minItems=1)
    processed: str = key("", "Folder that mails are moved to once they are judged; empty: they stay.")
    rejected: str = key("", "The same for mails that were rejected, ignored or unreadable.")
    marker: str = key(
        "League-Marker",
        "Folder of our own for the note that proves, before a round closes, what the server's clock says; empty: none.",
    )
    scan_days: int = key(
        30, "A command first looks at all mails of so many days, whatever was seen.", checks.positive, minimum=1
    )


@dataclass(frozen=True, slots=True)
class Mail:
    """[mail]: where mail comes in and goes out."""

    inbox: str = key("mail/in", "Maildir that is read; a relative path begins at the site's folder.", checks.folder)
    outbox: str = key("mail/out", "Maildir that answers and reports are put into.", checks.folder)
    from_address: str = key(
        "league@league.invalid", "Sender of everything we send; players answer to it.", checks.required_address
    )
    received_by: str = key(
        "",
        "Host name of your own receiving mail server: only its word on arrival and on senders is believed.",
        checks.host,
    )
    proof: str = key(
        "required",
        "required: who wrote a mail has to be shown; address: a registered address is enough, for a closed network.",
        checks.one_of(*checks.PROOFS),
        enum=list(checks.PROOFS),
    )
    authserv_id: str = key(
        "",
        "Name under which it vouches for senders (Authentication-Results); `league doctor mail` learns it.",
        checks.host,
    )
    pictures: bool = key(
        default=True,
        about="Whether reports carry the map as a picture; drawing it takes a fifth of a second a round.",
    )
    authserv_style: str = key(
        "above",
        "Where it stands: above your server's Received line; topmost of the mail, where your provider removes forged "
        "ones (Gmail, Rspamd); microsoft: as topmost, without a name (Microsoft 365).",
        checks.one_of(*checks.STYLES),
        enum=list(checks.STYLES),
    )
    own_dkim: str = key(
        "auto",
        "Whether DKIM signatures are checked here, by DNS; auto: where no server of your own states anything.",
        checks.one_of(*checks.SWITCH),
        enum=list(checks.SWITCH),
    )
    plus_addresses: bool = key(
        default=False,
        about="Whether mail to league+anything@… arrives too: players then answer to an address with their key in it.",
    )
    answers_per_hour: int = key(
        10, "So many answers go to one address in an hour; then there is silence.", checks.positive, minimum=1
    )
    max_bytes: int = key(1_000_000, "A larger message is kept and not read.", checks.positive, minimum=1)
    keep_mail_days: int = key(
        90,
        "How long raw messages are kept after the season's end; nothing is deleted yet.",
        checks.not_negative,
        minimum=0,
    )
    remind_hours: int = key(
        24,
        "So many hours before a deadline players are reminded of whom nothing has come; 0: nobody is.",
        checks.reminding,
        minimum=0,
        maximum=168,
    )
    smtp: Smtp = Smtp()
    imap: Imap = Imap()
