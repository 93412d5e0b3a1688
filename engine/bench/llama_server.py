"""llama-server, which runs beside Biplane on the same file."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.catalog import parsed, record
from engine.net.client.exchange import Exchange, Patience
from engine.net.client.sse import SseParser

PROGRAM = "llama-server"
_STARTING_S = 120.0


@contextmanager
def llama_server(
    gguf: Path, context: int, threads: int, slots: int = 1, more: Sequence[str] = ()
) -> Iterator[str]:
    """Run the llama-server on the PATH with a GGUF file; yields its address.

    Args:
        context: tokens that each slot must support.
        more: options of its own.

    Raises:
        RemoteError: it is not installed, or does not start.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise RemoteError(f"There is no {PROGRAM} on the PATH: build llama.cpp, or use --beside.")
    if not gguf.is_file():
        raise RemoteError(f"{gguf} is not a file: give the GGUF file of the model that is open.")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = ("--host", "127.0.0.1", "--port", str(port))
    size = ("--ctx-size", str(context * slots), "--parallel", str(slots), "--threads", str(threads))
    command = [program, "--model", str(gguf), *where, *size, *more]
    quiet = subprocess.DEVNULL
    running = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        url = f"http://127.0.0.1:{port}"
        _await(url, running)
        yield url
    finally:
        running.terminate()
        running.wait()


def _await(url: str, running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _STARTING_S
    address = Address.parse(url).beside("/health")
    while running.poll() is None and time.monotonic() < until:
        try:
            with Exchange(address, Patience(connect_s=1.0, read_s=5.0)) as asked:
                asked.ask("GET", address.path)
                return
        except RemoteError:
            time.sleep(0.1)
    raise RemoteError(f"{PROGRAM} does not start: run it by hand to see why, and use --beside.")


@dataclass(frozen=True, slots=True)
class Written:
    """An answer of llama-server.

    Attributes:
        heard: when it had written how many tokens, in seconds of `time.perf_counter`.
        drafted, kept: tokens of its drafts.
    """

    heard: list[tuple[float, int]]
    drafted: int
    kept: int

    @property
    def tok_s(self) -> float:
        """Tokens per second after the first."""
        (began, first), (ended, last) = self.heard[0], self.heard[-1]
        return (last - first) / (ended - began)


def write(url: str, prompt: Sequence[int], tokens: int, **sampling: float) -> Written:
    """Let it write an answer of exactly so many tokens. Raises RemoteError."""
    body = {"prompt": list(prompt), "n_predict": tokens, "ignore_eos": True, "stream": True}
    heard: list[tuple[float, int]] = []
    parser, timings = SseParser(), {}
    with Exchange(Address.parse(url)) as asked:
        asked.ask("POST", "/completion", json.dumps(body | sampling).encode())
        for piece in asked.pieces():
            now = time.perf_counter()
            for event in filter(None, map(parsed, parser.feed(piece))):
                heard.append((now, int(event.get("tokens_predicted", 0))))
                timings = record(event.get("timings"))
    return Written(heard, timings.get("draft_n", 0), timings.get("draft_n_accepted", 0))
