"""A bounded parser of server-sent events (WHATWG HTML, section 9.2)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import RemoteError

MOST_LINE = 1 << 20
MOST_EVENT = 4 << 20
# Of comments and events without a text between two with one.
MOST_IDLE = 16 << 20


class SseParser:
    """Takes pieces of a stream as they arrive and yields the data of each complete event.

    Names, ids and comments are skipped: the chat protocol uses none. A line or an event longer than
    any server's ends the stream instead of filling the memory, and so do comments without an end.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._size = 0
        self._began = False
        self._idle = 0

    def feed(self, piece: bytes) -> Iterator[str]:
        """The data of the events that this piece completes.

        Raises:
            RemoteError: this is not an event stream, or exceeds the limits.
        """
        if not self._began and self._rest + piece:
            piece = self._start(piece)
        whole = self._rest + piece
        # A lone CR at the end may be the first half of a CR LF.
        held = whole.endswith(b"\r")
        lines = (whole[:-1] if held else whole).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *ended, rest = lines.split(b"\n")
        self._rest = rest + b"\r" if held else rest
        if len(self._rest) > MOST_LINE:
            raise RemoteError("The server sends a line without an end.")
        for line in ended:
            data = self._line(line)
            if data is not None:
                yield data

    @property
    def pending(self) -> bool:
        """Whether an event has begun but not ended."""
        return bool(self._data or self._rest.strip())

    def _start(self, piece: bytes) -> bytes:
        """Skip a byte order mark at the start of a stream."""
        self._began = True
        return piece.removeprefix(b"\xef\xbb\xbf")

    def _line(self, line: bytes) -> str | None:
        """Process one line; returns the data of the event that it ends, if any."""
        if not line:
            if not self._data:
                return None
            data, self._data, self._size = b"\n".join(self._data), [], 0
            self._idle = 0
            try:
                return data.decode()
            except UnicodeDecodeError:
                raise RemoteError("The server sends text that is not UTF-8.") from None
        if len(line) > MOST_LINE:
            raise RemoteError("The server sends a line that is longer than any answer's.")
        name, _, value = line.partition(b":")
        self._idle += len(line) + 1
        if self._idle > MOST_IDLE:
            raise RemoteError("The server sends comments without an end.")
        if name == b"data":
            value = value.removeprefix(b" ")
            self._data.append(value)
            self._size += len(value) + 1
            if self._size > MOST_EVENT:
                raise RemoteError("The server sends an event that is longer than any answer's.")
        return None
