from datetime import UTC, datetime

from sqlalchemy import Engine, func, select

from league.storage import outbox, parts
from league.storage.engine import read, write
from league.storage.outbox import OutMail
from league.storage.parts import Part, Place
from league.storage.sending import Queue
from league.storage.tables import MAIL_PART

NOW = datetime(2024, 1, 3, 10, tzinfo=UTC)
MAP, OTHER = Part("aa", "<svg>a map</svg>", 480), Part("bb", "<svg>another</svg>", 480)


def _mail(number: int, part: Part | None = MAP) -> OutMail:
    place = Place(part, len(b"before")) if part else None
    return OutMail(f"<{number}@x>", "report", "anna@example.org", b"before behind", NOW, shared=place)


def test_a_mail_waits_for_its_part_and_goes_out_whole(engine: Engine) -> None:
    """What isn't drawn yet holds up its own mails alone; drawn, it stands in its place, the same for all."""
    with write(engine) as connection:
        outbox.queue(connection, [_mail(1), _mail(2), _mail(3, None), _mail(4, OTHER)])
        assert parts.undrawn(connection, 10) == (MAP, OTHER)
    queue = Queue(engine, NOW)
    assert [one.message_id for one in queue.take(10)] == ["<3@x>"]
    with write(engine) as connection:
        parts.drawn(connection, {"aa": b"[picture]"})
        assert parts.undrawn(connection, 10) == (OTHER,)
        assert outbox.raw(connection, "<1@x>") == b"before[picture] behind"
        assert outbox.raw(connection, "<3@x>") == b"before behind"
        assert outbox.raw(connection, "<9@x>") is None
    taken = {one.message_id: one.raw for one in queue.take(10)}
    whole = b"before[picture] behind"
    assert taken == {"<1@x>": whole, "<2@x>": whole}


def test_a_part_is_kept_once_and_as_it_was_drawn_first(engine: Engine) -> None:
    """Queueing again or drawing again changes nothing, and the source goes when it is drawn."""
    with write(engine) as connection:
        outbox.queue(connection, [_mail(1), _mail(2)])
        parts.drawn(connection, {"aa": b"first"})
        outbox.queue(connection, [_mail(3)])
        parts.drawn(connection, {"aa": b"second"})
        parts.drawn(connection, {})
    with read(engine) as connection:
        assert connection.execute(select(func.count()).select_from(MAIL_PART)).scalar() == 1
        assert connection.execute(select(MAIL_PART.c.source, MAIL_PART.c.content)).one() == (None, b"first")
        assert parts.contents(connection, []) == {}
