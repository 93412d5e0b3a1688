"""llama-server, which runs beside Biplane on the same file."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.catalog import parsed
from engine.net.client.exchange import Exchange, Patience
from engine.net.client.sse import SseParser

PROGRAM = "llama-server"
_STARTING_S = 120.0


@contextmanager
def llama_server(
    gguf: Path, context: int, threads: int, slots: int = 1, drafts: str = ""
) -> Iterator[str]:
    """Run the llama-server on the PATH with a GGUF file; yields its address.

    Args:
        context: tokens that each slot must support.
        drafts: where its drafts come from, as its --spec-type says it.

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
    drafting = ("--spec-type", drafts) if drafts else ()
    command = [program, "--model", str(gguf), *where, *size, *drafting]
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


def write(
    url: str, prompt: Sequence[int], tokens: int, **sampling: float
) -> list[tuple[float, int]]:
    """Let it write an answer of exactly so many tokens.

    Returns when it had written how many, in seconds of `time.perf_counter`. Raises RemoteError.
    """
    body = {"prompt": list(prompt), "n_predict": tokens, "ignore_eos": True, "stream": True}
    heard: list[tuple[float, int]] = []
    parser = SseParser()
    with Exchange(Address.parse(url)) as asked:
        asked.ask("POST", "/completion", json.dumps(body | sampling).encode())
        for piece in asked.pieces():
            now = time.perf_counter()
            told = [
                event.get("tokens_predicted") for event in map(parsed, parser.feed(piece)) if event
            ]
            heard += [(now, count) for count in told if isinstance(count, int)]
    return heard
