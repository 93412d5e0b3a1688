"""`biplane serve`: its options, and the whole command as a program runs it."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import make_parser
from app.cli.serve import TOKEN_VARIABLE, serve_config
from app.core.options.shared import UsageError


def parsed(*options: str) -> argparse.Namespace:
    return make_parser().parse_args(["serve", *options])


def test_this_computer_alone_with_a_token_of_its_own() -> None:
    config = serve_config(parsed())
    assert config.hosts == ("127.0.0.1", "::1")
    assert len(config.token) > 30


def test_the_token_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "mine")
    assert serve_config(parsed()).token == "mine"
    monkeypatch.setenv(TOKEN_VARIABLE, "two words")
    with pytest.raises(UsageError, match="without spaces"):
        serve_config(parsed())


def test_without_a_token_only_here() -> None:
    assert serve_config(parsed("--no-token")).token == ""
    with pytest.raises(UsageError, match=r"127\.0\.0\.1"):
        serve_config(parsed("--no-token", "--host", "0.0.0.0"))


@pytest.mark.parametrize("port", ["-1", "70000", "x"])
def test_a_port_that_is_none(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parsed("--port", port)
    assert left.value.code == 2
    assert "not a port" in capsys.readouterr().err


@contextmanager
def serving(folder: Path, cache_mb: int) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The command as a process that ends well, and what it says of itself."""
    environment = os.environ | {TOKEN_VARIABLE: "mine", "XDG_STATE_HOME": str(folder)}
    options = ["--port", "0", "--json", "--disk-mb", "0", "--cache-mb", str(cache_mb)]
    with subprocess.Popen(
        [sys.executable, "-m", "app.cli.main", "serve", *options, "--threads", "1"],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    ) as program:
        assert program.stdout is not None
        yield program, json.loads(program.stdout.readline())
        program.send_signal(signal.SIGTERM)
        assert program.wait(60) == 0


def test_the_command(tmp_path: Path) -> None:
    with serving(tmp_path, 32) as (_, told):
        request = urllib.request.Request(
            f"{told['openai_base_url']}/models",
            headers={"Authorization": f"Bearer {told['token']}"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            assert json.load(response)["data"][0]["id"] == told["model"]


def test_the_token_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert serve_config(parsed()).token == serve_config(parsed()).token


def test_clients_can_wait_for_the_model(tmp_path: Path) -> None:
    environment = os.environ | {TOKEN_VARIABLE: "mine", "XDG_STATE_HOME": str(tmp_path)}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--json", "--disk-mb", "0", "--cache-mb", "32"]
    statuses: list[int] = []
    patience: set[str] = set()
    with subprocess.Popen(
        [sys.executable, "-m", "app.cli.main", "serve", *options],
        stdout=subprocess.DEVNULL,
        env=environment,
    ) as program:
        give_up = time.monotonic() + 60
        while statuses[-1:] != [200] and time.monotonic() < give_up:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=60) as told:
                    statuses.append(told.status)
            except urllib.error.HTTPError as error:
                statuses.append(error.code)
                patience.add(error.headers["Retry-After"])
            except OSError:
                time.sleep(0.02)
        program.send_signal(signal.SIGTERM)
        assert program.wait(60) == 0
    assert set(statuses) == {503, 200}
    assert patience == {"2"}
