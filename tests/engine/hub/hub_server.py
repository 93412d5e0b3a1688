"""A hub of one's own on 127.0.0.1: it speaks the protocol for small repositories, and can fail."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

REPO = "Org/Tiny-0.1B"
Files = dict[str, bytes]


def tiny_repo(seed: int = 0, shard_bytes: int = 300_000, shards: int = 3) -> Files:
    """Files like those of a published model; what is in the weights does not matter here."""
    rng = random.Random(seed)
    made = {
        ".gitattributes": b"*.safetensors filter=lfs\n",
        "README.md": b"# Tiny\n",
        "LICENSE": b"Do as you like.\n",
        "config.json": json.dumps({"model_type": "qwen3_5_text", "seed": seed}).encode(),
        "tokenizer.json": rng.randbytes(5_000),
        "chat_template.jinja": b"{{ messages }}",
        "pytorch_model.bin": rng.randbytes(500),
        "onnx/model.safetensors": rng.randbytes(500),
    }
    for at in range(shards):
        made[f"model-{at + 1:05}-of-{shards:05}.safetensors"] = rng.randbytes(shard_bytes + at)
    return made


def commit_of(files: Files) -> str:
    """A name for this content, as git would have one."""
    return hashlib.sha1(repr(sorted(files.items())).encode()).hexdigest()


@dataclass
class Faults:
    """What goes wrong from now on.

    Attributes:
        cut_after: bytes of an answer after which the connection is closed, so many times.
        chunk_s: seconds between two pieces of an answer of `chunk` bytes.
        wrong: files that come with another content of the same size.
        status: what every request for a file is answered with, while `times` lasts.
        no_ranges: the server sends whole files whatever was asked for.
        longer: files that come with more bytes than stated.
        silent_after: bytes of an answer after which nothing more is said, while the client stays;
            None for never.
    """

    cut_after: int = 0
    cuts: int = 0
    chunk: int = 1 << 16
    chunk_s: float = 0.0
    wrong: set[str] = field(default_factory=set)
    longer: set[str] = field(default_factory=set)
    status: int = 0
    times: int = 0
    no_ranges: bool = False
    silent_after: int | None = None


@dataclass(frozen=True)
class Listed:
    """A repository that searches find, and of which config.json alone can be fetched.

    Attributes:
        config: of config.json. parameters: 0 if the hub does not state them.
    """

    repo: str
    config: dict[str, object]
    tags: tuple[str, ...] = ("license:mit", "safetensors")
    parameters: int = 0
    downloads: int = 0

    @property
    def commit(self) -> str:
        return hashlib.sha1(self.repo.encode()).hexdigest()

    @property
    def all_tags(self) -> tuple[str, ...]:
        """The hub adds the architecture."""
        return (*self.tags, str(self.config.get("model_type")))

    def entry(self) -> dict[str, object]:
        made: dict[str, object] = {"_id": "0", "id": self.repo, "sha": self.commit}
        made |= {"tags": list(self.all_tags), "downloads": self.downloads}
        if self.parameters:
            made["safetensors"] = {
                "parameters": {"BF16": self.parameters},
                "total": self.parameters,
            }
        return made


class Hub:
    """The server's repositories, its faults, and what it was asked.

    Attributes:
        commits: content by commit; one that is taken away is lost. head: of REPO.
        search_status: what searches are refused with; 0 for not at all.
        token: the only one that is accepted. gated: whether files need it.
        listed: what searches find. searches: their words, in the order of the requests.
        asked: path and "Range" of each request for a file.
        agents: "User-Agent" headers.
        tokens_elsewhere: "Authorization" headers that reached the server of large files.
    """

    def __init__(self) -> None:
        self.faults = Faults()
        self.commits: dict[str, Files] = {}
        self.head = ""
        self.gated = False
        self.token = "hf_right"
        self.allowed = True
        self.listed: list[Listed] = []
        self.searches: list[str] = []
        self.search_status = 0
        self.asked: list[tuple[str, str]] = []
        self.agents: set[str] = set()
        self.tokens_elsewhere: list[str] = []
        self.endpoint = ""
        self.elsewhere = ""

    def publish(self, files: Files) -> str:
        """Make this the repository's content; returns the commit."""
        self.head = commit_of(files)
        self.commits[self.head] = files
        return self.head

    def content(self, name: str) -> bytes:
        return self.commits[self.head][name]


@contextmanager
def hub() -> Iterator[Hub]:
    """A running hub. Large files come from another origin, as they do from the real one."""
    made = Hub()
    servers = [_server(made), _server(made)]
    made.endpoint, made.elsewhere = (f"http://127.0.0.1:{s.server_address[1]}" for s in servers)
    threads = [
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        for server in servers
    ]
    for thread in threads:
        thread.start()
    try:
        yield made
    finally:
        # Whoever still writes slowly is waited for.
        made.faults.chunk_s = 0.0
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            server.server_close()
            thread.join()


def _server(made: Hub) -> ThreadingHTTPServer:
    kind = type("Handler", (_Handler,), {"hub": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    server.daemon_threads = False
    return server


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    # One connection for each answer, so that no thread waits for another request.
    protocol_version = "HTTP/1.0"

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.hub.agents.add(self.headers.get("User-Agent", ""))
        path = unquote(urlsplit(self.path).path)
        if path == "/api/models":
            self._search(parse_qs(urlsplit(self.path).query))
        elif path.startswith("/api/models/"):
            self._list(path.removeprefix("/api/models/"))
        elif path.startswith("/lfs/"):
            if token := self.headers.get("Authorization"):
                self.hub.tokens_elsewhere.append(token)
            commit, _, name = path.removeprefix("/lfs/").partition("/")
            self._send(commit, name)
        else:
            self._resolve(path.lstrip("/"))

    def _search(self, asked: dict[str, list[str]]) -> None:
        """As the hub does: every word in the name, every filter among the tags."""
        words = asked.get("search", [""])[0]
        self.hub.searches.append(words)
        if self.hub.search_status:
            self._refuse(self.hub.search_status, "", "")
            return
        found = [
            each
            for each in self.hub.listed
            if all(word.casefold() in each.repo.casefold() for word in words.split())
            and set(asked.get("filter", ())) <= set(each.all_tags)
        ]
        found.sort(key=lambda each: -each.downloads)
        self._json([each.entry() for each in found[: int(asked["limit"][0])]])

    def _list(self, rest: str) -> None:
        repo, _, revision = rest.partition("/revision/")
        commit = self.hub.head if revision in ("", "main") else revision
        token = self.headers.get("Authorization", "")
        if token and token != f"Bearer {self.hub.token}":
            self._refuse(401, "", "Invalid credentials in Authorization header")
        elif repo != REPO:
            self._refuse(401, "RepoNotFound", "Invalid username or password.")
        elif commit not in self.hub.commits:
            self._refuse(404, "RevisionNotFound", "Invalid rev id")
        else:
            siblings = [
                _sibling(name, content) for name, content in self.hub.commits[commit].items()
            ]
            self._json(
                {
                    "id": repo,
                    "modelId": repo,
                    "sha": commit,
                    "gated": "manual" if self.hub.gated else False,
                    "tags": ["safetensors", "license:apache-2.0"],
                    "siblings": siblings,
                }
            )

    def _resolve(self, rest: str) -> None:
        repo, _, tail = rest.partition("/resolve/")
        commit, _, name = tail.partition("/")
        faults = self.hub.faults
        listed = {each.repo: each for each in self.hub.listed}
        if repo in listed and name == "config.json" and commit == listed[repo].commit:
            self._json(listed[repo].config)
        elif faults.times > 0:
            faults.times -= 1
            self._refuse(faults.status, "", "")
        elif repo != REPO or commit not in self.hub.commits:
            self._refuse(404, "RevisionNotFound", "Invalid rev id")
        elif self.hub.gated and not self._may_read():
            status = 403 if self.headers.get("Authorization") else 401
            self._refuse(status, "GatedRepo", "Access to this model is restricted.")
        elif name not in self.hub.commits[commit]:
            self._refuse(404, "EntryNotFound", "Entry not found")
        elif _is_large(name):
            self.send_response(302)
            self.send_header("Location", f"{self.hub.elsewhere}/lfs/{commit}/{name}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._send(commit, name)

    def _may_read(self) -> bool:
        right = self.headers.get("Authorization") == f"Bearer {self.hub.token}"
        return right and self.hub.allowed

    def _send(self, commit: str, name: str) -> None:
        faults, content = self.hub.faults, self.hub.commits[commit][name]
        if name in faults.wrong:
            content = bytes(byte ^ 1 for byte in content)
        if name in faults.longer:
            content += b"more"
        asked = self.headers.get("Range", "")
        self.hub.asked.append((name, asked))
        start = 0
        if asked and not faults.no_ranges:
            start = int(asked.removeprefix("bytes=").partition("-")[0])
            if start >= len(content):
                self._refuse(416, "", "")
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        body = content[start:]
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.end_headers()
        if self.command != "HEAD":
            self._pour(body)

    def _pour(self, body: bytes) -> None:
        faults, sent = self.hub.faults, 0
        if faults.silent_after is not None and len(body) > faults.silent_after:
            self.wfile.write(body[: faults.silent_after])
            self.wfile.flush()
            # Until the client has given up and closes.
            self.connection.settimeout(60.0)
            with contextlib.suppress(OSError):
                self.connection.recv(1)
            self.close_connection = True
            return
        for at in range(0, len(body), faults.chunk):
            piece = body[at : at + faults.chunk]
            if faults.cuts and sent + len(piece) > faults.cut_after:
                faults.cuts -= 1
                self.wfile.write(piece[: max(faults.cut_after - sent, 0)])
                self.wfile.flush()
                self.close_connection = True
                return
            try:
                self.wfile.write(piece)
            except OSError:
                self.close_connection = True
                return
            sent += len(piece)
            if faults.chunk_s:
                time.sleep(faults.chunk_s)

    def _refuse(self, status: int, code: str, message: str) -> None:
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        if message:
            self.send_header("X-Error-Message", message)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _json(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _is_large(name: str) -> bool:
    return name.endswith((".safetensors", ".bin", "tokenizer.json"))


def _sibling(name: str, content: bytes) -> dict[str, object]:
    git = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    made: dict[str, object] = {"rfilename": name, "size": len(content), "blobId": git}
    if _is_large(name):
        sha256 = hashlib.sha256(content).hexdigest()
        made["lfs"] = {"sha256": sha256, "size": len(content), "pointerSize": 130}
    return made
