"""The prompts of an agent's session on another server with the same model, token for token.

Templates and tool calls differ from server to server, and so would the prompts. So the very token
ids that Biplane ran are sent, as /v1/completions takes them. What the other server answers is
thrown away: the next prompt carries Biplane's answer, which is the same wherever both agree.
"""

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
from typing import Any

from engine.bench.progress import Progress
from engine.cache.journal.request_ran import RequestRan
from engine.errors import RemoteError
from engine.remote.chat.address import Address
from engine.remote.chat.catalog import PROGRAM_NAMES, read_catalog
from engine.remote.chat.exchange import Exchange, Patience
from engine.remote.chat.reading import items, parsed, record, text
from engine.remote.chat.usage import told_in

PROGRAM = "llama-server"
_MOST_BYTES = 4 << 20
_PATIENCE = Patience(connect_s=10.0, read_s=600.0)
_STARTING_S = 120.0


@dataclass(frozen=True, slots=True)
class BesideTurn:
    """One prompt on the other server, in tokens.

    Attributes:
        processed: of the prompt that ran there; None if the server does not say.
        same: its answer was Biplane's, so that the next prompt goes on with what it has.
        prompt_s: seconds for what it processed; None if the server does not say.
    """

    turn: int
    prompt: int
    processed: int | None
    same: bool
    prompt_s: float | None


@dataclass(frozen=True, slots=True)
class Beside:
    """Attributes:
    server: its name, or its address where that does not show.
    """

    server: str
    turns: tuple[BesideTurn, ...]


def beside(
    url: str, ran: Sequence[RequestRan], most: int, progress: Progress, token: str = ""
) -> Beside:
    """Send the prompts of some requests to a server, in their order.

    Args:
        most: tokens of each answer.

    Raises:
        RemoteError: it cannot be asked, or counts other tokens: it has another model.
    """
    address = Address.parse(url)
    catalog = read_catalog(address, token)
    program = PROGRAM_NAMES[catalog.program]
    name = address.place if catalog.program == "plain" else program
    rows = []
    for turn, one in enumerate(ran, 1):
        progress(f"turn {turn} of {len(ran)} on {name}")
        body = {
            "model": catalog.models[0].name,
            "prompt": one.prompt.tolist(),
            "max_tokens": most,
            "temperature": 0,
        }
        said = _sent(address, body, token)
        told = told_in(said)
        total = None if told is None else told.prompt
        if total is not None and total != len(one.prompt):
            raise RemoteError(
                f"{name} counts {total:,} tokens in a prompt of {len(one.prompt):,}: it must serve "
                "the model that Biplane has open."
            )
        cached = None if told is None else told.cached
        choice = record(next(iter(items(said.get("choices"))), None))
        timings = record(said.get("timings"))
        spent = timings.get("prompt_ms")
        rows.append(
            BesideTurn(
                turn,
                len(one.prompt),
                None if cached is None else len(one.prompt) - cached,
                # The answer's text has the call that it was begun with, too.
                one.text.rstrip().endswith(text(choice.get("text")).strip()),
                spent / 1000 if isinstance(spent, float | int) else None,
            )
        )
    return Beside(name, tuple(rows))


@contextmanager
def llama_server(gguf: Path, context: int, threads: int) -> Iterator[str]:
    """Run the llama-server of the PATH on a GGUF file; gives its address.

    context: tokens that it must hold.

    Raises:
        RemoteError: there is none, or it does not start.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise RemoteError(f"There is no {PROGRAM} on the PATH: build llama.cpp, or use --beside.")
    if not gguf.is_file():
        raise RemoteError(f"{gguf} is not a file: give the GGUF file of the model that is open.")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = ("--host", "127.0.0.1", "--port", str(port))
    size = ("--ctx-size", str(context), "--parallel", "1", "--threads", str(threads))
    command = [program, "--model", str(gguf), *where, *size]
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


def _sent(address: Address, body: dict[str, Any], token: str) -> dict[str, Any]:
    with Exchange(address, _PATIENCE) as asked:
        data = json.dumps(body).encode()
        asked.ask("POST", f"{address.path}/completions", data, token)
        found = parsed(asked.whole(_MOST_BYTES))
    if found is None:
        raise RemoteError(f"{address.place} answers with something that is not JSON.")
    return found
