"""Small wheels, a list of them, and a server that has them and can fail in the usual ways."""

from __future__ import annotations

import hashlib
import io
import platform
import re
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from app.core.cuda.wheels import FORMAT, Wheel, WheelList

_RANGE = re.compile(r"bytes=(\d+)-")


def wheel(members: Mapping[str, bytes | str]) -> bytes:
    """An archive with these members."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


@dataclass
class Shop:
    """What the server has, and how it behaves.

    Attributes:
        files: by name.
        cut: of a file, after how many bytes each answer ends; taken once for each entry.
        ranges: whether parts can be asked for.
        asked: names, and where each answer began.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    cut: dict[str, list[int]] = field(default_factory=dict)
    ranges: bool = True
    asked: list[tuple[str, int]] = field(default_factory=list)
    url: str = ""

    def listed(self, **others: bytes) -> WheelList:
        """A list of all files; `others`: what is served in place of one, by its package."""
        wheels = []
        for name, content in self.files.items():
            package, version, *_ = name.split("-")
            digest = hashlib.sha256(content).hexdigest()
            url = f"{self.url}/{name}"
            wheels.append(Wheel(package, version, name, url, digest, len(content)))
        for package, content in others.items():
            self.files[next(name for name in self.files if name.startswith(package))] = content
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        return WheelList(FORMAT, python, platform.machine(), 580, tuple(wheels))


@contextmanager
def serving(shop: Shop) -> Iterator[Shop]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.removeprefix("/")
            content = shop.files.get(name)
            if content is None:
                self.send_error(404)
                return
            found = _RANGE.fullmatch(self.headers.get("Range", ""))
            start = int(found[1]) if found and shop.ranges else 0
            shop.asked.append((name, start))
            rest = content[start:]
            cut = shop.cut.get(name, [])
            sent = rest[: cut.pop(0)] if cut else rest
            self.send_response(206 if start else 200)
            if start:
                self.send_header(
                    "Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}"
                )
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        shop.url = f"http://127.0.0.1:{served.server_port}"
        yield shop
        served.shutdown()
        thread.join()
