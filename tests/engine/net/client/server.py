"""A server of our own that speaks as much of the protocol as a test needs, on a real socket."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "tiny"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request gets.

    Attributes:
        pieces: of the body; a float is a rest in seconds, None breaks the connection off.
        whole: with a Content-Length; else in chunks.
    """

    status: int = 200
    kind: str = "application/json"
    pieces: tuple[bytes | float | None, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    whole: bool = False


def event(value: object) -> bytes:
    data = value if isinstance(value, str) else json.dumps(value)
    return f"data: {data}\n\n".encode()


def text_event(text: str, *, thinking: bool = False) -> bytes:
    name = "reasoning_content" if thinking else "content"
    return event({"choices": [{"index": 0, "delta": {name: text}, "finish_reason": None}]})


def end_events(reason: str = "stop", usage: object = None, **more: Any) -> bytes:
    made = event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    if usage is not None:
        made += event({"choices": [], "usage": usage, **more})
    return made + event("[DONE]")


def usage(prompt: int, generated: int, cached: int | None) -> dict[str, Any]:
    details = {} if cached is None else {"prompt_tokens_details": {"cached_tokens": cached}}
    return {"prompt_tokens": prompt, "completion_tokens": generated, **details}


def stream(*pieces: bytes | float | None) -> Reply:
    return Reply(kind="text/event-stream", pieces=pieces)


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(status, pieces=(json.dumps(value).encode(),), whole=True)


def models(*names: str, owner: str = "somebody", **more: Any) -> Reply:
    listed = [{"id": name, "object": "model", "owned_by": owner, **more} for name in names]
    return as_json({"object": "list", "data": listed})


def echo(body: dict[str, Any]) -> Reply:
    """Says the last message back, a word at a time; all that was said before counts as cached."""
    messages = body["messages"]
    words = f"You said {messages[-1]['content']}.".split(" ")
    said = [text_event(word if not at else f" {word}") for at, word in enumerate(words)]
    sizes = [len(m["content"].split()) for m in messages]
    told = usage(sum(sizes), len(words), sum(sizes[:-1]))
    return stream(*said, end_events(usage=told))


Answerer = Callable[[dict[str, Any]], Reply]


@dataclass
class Server:
    """Attributes:
    url: its address, without a path.
    asked: bodies of the chat requests so far.
    heads: the headers of all requests.
    paths: of all requests.
    broken: connections that the client closed while they were written.
    listed: what /v1/models gets.
    others: further resources, by path.
    """

    url: str = ""
    answer: Answerer = echo
    listed: Reply = field(default_factory=lambda: models(MODEL))
    others: dict[str, Callable[[], Reply]] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    broken: threading.Event = field(default_factory=threading.Event)
    ending: threading.Event = field(default_factory=threading.Event)

    def reply(self, method: str, path: str, body: bytes) -> Reply:
        self.paths.append(path)
        if (method, path) == ("GET", "/v1/models"):
            return self.listed
        if (method, path) == ("POST", "/v1/chat/completions"):
            self.asked.append(json.loads(body))
            return self.answer(self.asked[-1])
        if path in self.others:
            return self.others[path]()
        return Reply(404, "text/plain", (b"not here",), whole=True)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    speaks: Server

    def do_GET(self) -> None:
        self._serve("GET", b"")

    def do_POST(self) -> None:
        self._serve("POST", self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def _serve(self, method: str, body: bytes) -> None:
        self.close_connection = True
        server = self.speaks
        server.heads.append(dict(self.headers))
        reply = server.reply(method, self.path, body)
        try:
            self._send(reply)
        except OSError:
            server.broken.set()

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers:
            self.send_header(name, value)
        if reply.whole:
            size = sum(len(piece) for piece in reply.pieces if isinstance(piece, bytes))
            self.send_header("Content-Length", str(size))
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in reply.pieces:
            if piece is None:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if isinstance(piece, float):
                self._rest(piece)
            elif reply.whole:
                self.wfile.write(piece)
            else:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if not reply.whole:
            self.wfile.write(b"0\r\n\r\n")

    def _rest(self, seconds: float) -> None:
        """Wait; a client that goes away meanwhile is noticed."""
        self.connection.settimeout(seconds)
        try:
            if self.connection.recv(1) == b"":
                self.speaks.broken.set()
                raise ConnectionResetError
        except TimeoutError:
            self.connection.settimeout(None)

    def log_message(self, *_: object) -> None:
        pass


def handler_of(server: Server) -> type[BaseHTTPRequestHandler]:
    """What the standard library's servers take."""
    return type("Handler", (_Handler,), {"speaks": server})


@contextmanager
def serving(server: Server | None = None, **fields: Any) -> Iterator[Server]:
    """Serve on a free port of this computer."""
    made = server or Server(**fields)
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(made))
    http.daemon_threads = False
    made.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), name="test-server")
    thread.start()
    try:
        yield made
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


@contextmanager
def raw_server(*pieces: bytes, hold_s: float = 0.0) -> Iterator[str]:
    """Answers whoever connects with bytes of the test's choice, and closes; yields its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    ending = threading.Event()

    def serve() -> None:
        while not ending.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(2)
                try:
                    connection.recv(1 << 16)
                    for piece in pieces:
                        connection.sendall(piece)
                    ending.wait(hold_s)
                except OSError:
                    pass

    thread = threading.Thread(target=serve, name="test-raw-server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        ending.set()
        # Wakes the accept.
        with socket.create_connection(listener.getsockname()[:2]):
            pass
        listener.close()
        thread.join()


def free_port() -> int:
    """A port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
