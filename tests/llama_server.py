"""The real llama-server, where it was built: see CONTRIBUTING.md for how.

BIPLANE_LLAMA_SERVER is its path, BIPLANE_GGUF that of a file, or of several with colons between.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.catalog import read_catalog
from tests.engine.net.client.server import free_port

PROGRAM = os.environ.get("BIPLANE_LLAMA_SERVER", "")
GGUFS = [Path(each) for each in os.environ.get("BIPLANE_GGUF", "").split(os.pathsep) if each]
needs_llama_server = pytest.mark.skipif(
    not (PROGRAM and GGUFS), reason="needs BIPLANE_LLAMA_SERVER and BIPLANE_GGUF"
)


@contextmanager
def llama_server(gguf: Path, log: Path, key: str = "") -> Iterator[str]:
    """Its address, while it runs on a file with one slot."""
    port = free_port()
    command = [PROGRAM, "-m", str(gguf), "--host", "127.0.0.1", "--port", str(port)]
    command += ["-t", "1", "-c", "4096", "-np", "1", "--metrics", "--jinja"]
    command += ["--api-key", key] if key else []
    with log.open("wb") as output:
        made = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        address = f"http://127.0.0.1:{port}"
        try:
            _wait(address, key, made, log)
            yield address
        finally:
            made.terminate()
            made.wait(60)


def _wait(address: str, key: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text(errors="replace")[-2000:]
        try:
            read_catalog(Address.parse(address), key)
            return
        except RemoteError:
            time.sleep(0.1)
    raise AssertionError("it did not start")
