"""An IMAP server that says what a test wants it to say: for answers that no real server gives on demand."""

import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

Answer = Callable[[str, str], str]  # tag and command -> the lines of the answer, the tagged one included


@dataclass
class Scripted:
    """One connection after another on a port of its own."""

    answer: Answer
    said: list[str] = field(default_factory=list)  # what clients said

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rwb") as stream:
                self._talk(connection, stream)  # type: ignore[arg-type]

    def _talk(self, connection: socket.socket, stream: "socket.SocketIO") -> None:
        connection.settimeout(10)
        try:
            stream.write(b"* OK ready\r\n")
            stream.flush()
            while line := stream.readline():
                said = line.decode().strip()
                self.said.append(said)
                tag, _, command = said.partition(" ")
                if literal := re.search(r"\{(\d+)\}$", said):
                    stream.write(b"+ go on\r\n")
                    stream.flush()
                    stream.read(int(literal[1]) + 2)
                stream.write(self.answer(tag, command).replace("\n", "\r\n").encode("latin-1"))
                stream.flush()
        except OSError:
            return


def ordinary(tag: str, command: str) -> str:
    """What most servers say to what every client says first."""
    verb = command.split(maxsplit=1)[0].upper()
    match verb:
        case "CAPABILITY":
            return f"* CAPABILITY IMAP4rev1 UIDPLUS\n{tag} OK done\n"
        case "EXAMINE" | "SELECT":
            told = "* 5 EXISTS\n* 0 RECENT\n* FLAGS ()\n* OK [UIDVALIDITY 7] ok\n* OK [UIDNEXT 100] ok\n"
            return f"{told}{tag} OK [READ-ONLY] done\n" if verb == "EXAMINE" else f"{told}{tag} OK [READ-WRITE] done\n"
        case "LOGOUT":
            return f"* BYE\n{tag} OK done\n"
        case _:
            return f"{tag} OK done\n"
