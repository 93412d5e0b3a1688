"""A server on the bundled model, and ways to talk to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import assets
from engine import Engine, EngineConfig
from engine.net.server import ServeConfig, Server

DEMO = Path(assets.__file__).parent / "demo_model"
TOKEN = "a-token-of-the-tests"
MIB = 1 << 20


class Caller:
    """Sends raw requests to a server."""

    def __init__(self, server: Server) -> None:
        self.url = server.url
        self._http = httpx2.Client(base_url=server.url, timeout=60)

    def send(self, method: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        """With the token, unless headers say otherwise; a header "" is left out."""
        sent = {"authorization": f"Bearer {TOKEN}"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return self._http.request(
            method,
            path,
            content=content,
            headers={
                name.encode(): value.encode("latin-1") for name, value in sent.items() if value
            },
        )

    def post(self, path: str, body: object, **headers: str) -> Any:
        """The JSON of an answer that has to succeed."""
        response = self.send("POST", path, body, **headers)
        assert response.status_code == 200, response.text
        return response.json()

    def events(self, path: str, body: object) -> list[Any]:
        """The data of a stream's events, "[DONE]" included."""
        response = self.send("POST", path, body)
        assert response.status_code == 200, response.text
        lines = [line for line in response.text.splitlines() if line.startswith("data: ")]
        data = [line.removeprefix("data: ") for line in lines]
        return [one if one == "[DONE]" else json.loads(one) for one in data]

    def close(self) -> None:
        self._http.close()


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    config = EngineConfig(cache_bytes=128 * MIB, threads=1)
    with Engine.open(DEMO, config) as opened:
        yield opened
        opened.check_invariants()


@pytest.fixture(scope="module")
def server(engine: Engine) -> Iterator[Server]:
    made = Server(ServeConfig(port=0, token=TOKEN))
    made.attach(engine.loop, engine.model)
    made.start()
    yield made
    assert made.stop()


@pytest.fixture(scope="module")
def caller(server: Server) -> Iterator[Caller]:
    made = Caller(server)
    yield made
    made.close()
