from collections import Counter
from pathlib import Path

from tests.desk.sites import at, drop, letter, mail_run, outbox


def test_every_header_of_our_mails_stands_once(spring: Path) -> None:
    """No header comes twice, in answers, freeze mails and reports alike."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    mail_run(spring, at("2024-01-05 08:00"))
    assert {out.kind for out in outbox(spring)} == {"receipt", "freeze", "report"}
    for out in outbox(spring):
        assert max(Counter(name.lower() for name in out.mail.keys()).values()) == 1  # noqa: SIM118  # with its doubles
        assert out.mail["X-Loop"] == "league@play.example"
