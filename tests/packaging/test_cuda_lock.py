"""The list of the CUDA part is made of pip's report, and is one that the program reads."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import pytest

from app.core.cuda.wheels import read

SCRIPT = Path(__file__).parents[2] / "packaging" / "cuda_lock.py"
FILE = "nvidia_x-1.0%2Bcu13-py3-none-manylinux_2_27_x86_64.whl"


class Sizes(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "12345")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("no_proxy", "*")
    with HTTPServer(("127.0.0.1", 0), Sizes) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cuda_lock", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def entry(index: str, name: str, file: str) -> dict[str, object]:
    """As pip's report lists a package."""
    about = {"url": f"{index}/{file}", "archive_info": {"hashes": {"sha256": "ab" * 32}}}
    return {"download_info": about, "metadata": {"name": name, "version": "1.0+cu13"}}


def test_what_pip_resolves_is_pinned_but_for_what_the_program_has(
    index: str, script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def resolve(wanted: list[str]) -> list[dict[str, object]]:
        asked.extend(wanted)
        return [
            entry(index, "nvidia_x", FILE),
            entry(index, "Torch", "torch-1.0-py3-none-any.whl"),
            entry(index, "Jinja2", "jinja2-1.0-py3-none-any.whl"),
        ]

    monkeypatch.setattr(script, "resolve", resolve)
    pins, have, out = (tmp_path / name for name in ("pins.txt", "have.txt", "cuda.json"))
    pins.write_text("torch==2.0\nfla-core==0.6.0\nother==1\n")
    have.write_text("jinja2==3.1\ntorch==2.0\n")
    words = ["cuda_lock.py", "--pins", str(pins), "--have", str(have), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", words)
    assert script.main() == 0
    assert asked == ["torch==2.0", "fla-core==0.6.0"]
    made = read(out.read_bytes())
    assert [(one.name, one.size) for one in made.wheels] == [("nvidia-x", 12345), ("torch", 12345)]
    assert made.wheels[0].file == FILE.replace("%2B", "+")
    assert json.loads(out.read_bytes())["wheels"][0]["sha256"] == "ab" * 32
