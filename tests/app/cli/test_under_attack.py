"""`biplane serve` as a process: noise, slow clients and clients that leave; its memory afterwards.

`BIPLANE_ATTACK=10` sends ten times as much, twice: 10,000 bodies of noise, 200 slow ones, 300
that leave.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from tests.app.cli.test_serve import serving as process
from tests.engine.net.server.test_rough import CHAT, ENDLESS, Noise, asked

TIMES = int(os.environ.get("BIPLANE_ATTACK", "1"))
TOKEN = "mine"  # as `process` says
CLIENTS = 8


@dataclass(frozen=True)
class Serving:
    """A server in a process of its own."""

    process: psutil.Process
    port: int

    def memory(self) -> int:
        """Its own bytes."""
        return int(self.process.memory_full_info().uss)

    def connect(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, path: str, content: bytes, connection: HTTPConnection) -> int:
        connection.request("POST", path, content, {"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def begun(self, body: dict[str, Any], promised: int = 0) -> socket.socket:
        """A request whose body may be longer than what is sent."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        content = json.dumps(body).encode()
        head = f"POST {CHAT} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        size = f"Content-Length: {len(content) + promised}\r\n\r\n"
        made.sendall((head + size).encode() + content)
        return made


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    with process(tmp_path, 8) as (program, told):
        port = urlsplit(told["openai_base_url"]).port
        assert port is not None
        yield Serving(psutil.Process(program.pid), port)


def noise(serving: Serving, seed: int) -> Counter[int]:
    """Bodies of which most are broken, over one connection."""
    statuses: Counter[int] = Counter()
    made, connection = Noise(seed), serving.connect()
    for _ in range(1_000 // CLIENTS):
        statuses[serving.ask(*made.next(), connection)] += 1
    connection.close()
    return statuses


def slow(serving: Serving, number: int) -> Counter[int]:
    """The last bytes of a body come one by one, or never."""
    made = serving.begun(asked("Hello!", max_tokens=1), promised=20)
    for _ in range(20 if number % 2 else 5):
        time.sleep(0.02)
        made.sendall(b" ")
    statuses: Counter[int] = Counter()
    if number % 2:
        statuses[int(made.makefile("rb").readline().split()[1])] += 1
    made.close()
    return statuses


def leaving(serving: Serving, number: int) -> Counter[int]:
    """A client that leaves: before its answer, or in the middle of it."""
    body = asked(f"{number}: tell me all.", stream=number % 3 > 0) | ENDLESS
    made = serving.begun(body)
    if number % 3:
        made.recv(256)
    time.sleep(0.05)
    made.close()
    return Counter()


def attack(serving: Serving, times: int) -> Counter[int]:
    """How often each status was answered."""
    statuses: Counter[int] = Counter()
    kinds: tuple[tuple[Callable[[Serving, int], Counter[int]], int], ...] = (
        (noise, CLIENTS),
        (slow, 20),
        (leaving, 30),
    )
    with ThreadPoolExecutor(CLIENTS) as clients:
        for kind, count in kinds:
            for found in clients.map(partial(kind, serving), range(times * count)):
                statuses += found
    return statuses


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_no_answer_blames_the_server_and_its_memory_comes_back(serving: Serving) -> None:
    # The first ones fill what is kept of requests: the cache, the journal, the counters.
    attack(serving, TIMES)
    before = serving.memory()
    statuses = attack(serving, TIMES)
    give_up = time.monotonic() + 60
    while serving.memory() > 1.1 * before and time.monotonic() < give_up:
        time.sleep(0.5)
    print(dict(statuses), before >> 20, "MiB before,", serving.memory() >> 20, "MiB after")
    assert serving.memory() < 1.1 * before
    assert set(statuses) <= {200, 400}, statuses
    assert statuses[400] > 500 * TIMES
    connection = serving.connect()
    content = json.dumps(asked("Hello!", max_tokens=1)).encode()
    assert serving.ask(CHAT, content, connection) == 200
    connection.close()
