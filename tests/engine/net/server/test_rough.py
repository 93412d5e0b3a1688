"""Clients that misbehave: many at once, gone, slow, half, and bodies of noise."""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
import json
import random
import socket
import threading
import time
from typing import Any

import pytest

from engine import Engine, EngineConfig
from engine.net.server import ServeConfig, Server
from engine.net.server.anthropic_body import counted, messages_asked
from engine.net.server.openai_body import chat_asked, completion_asked
from engine.net.server.problem import Refused
from engine.net.server.responses_body import responses_asked
from engine.net.server.wire import parsed
from tests.engine.net.server.conftest import DEMO, MIB, TOKEN, Caller
from tests.stopwatch import Stopwatch

CHAT = "/v1/chat/completions"
PATIENCE_S = 60.0
HEAD = f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"


# Any token is as likely as another, the end among thousands.
# With this seed an end comes only after 2,000 tokens.
_ANY: dict[str, Any] = {"temperature": 100, "top_k": -1, "top_p": 1, "seed": 10}
ENDLESS: dict[str, Any] = {"max_tokens": 4_000, **_ANY}


def asked(text: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}], "temperature": 0, **more}


def raw(server: Server) -> socket.socket:
    host, port = server.url.removeprefix("http://").rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def request(body: dict[str, Any]) -> bytes:
    content = json.dumps(body).encode()
    return (
        f"POST {CHAT} HTTP/1.1\r\n{HEAD}Content-Length: {len(content)}\r\n\r\n".encode() + content
    )


def until_idle(server: Server) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while server.snapshot.open:
        assert time.monotonic() < give_up, server.snapshot.open
        time.sleep(0.01)


def test_fifty_clients_at_once_get_their_own_answers(
    server: Server, caller: Caller, engine: Engine
) -> None:
    texts = [f"Hello, my name is number {n} and I like {n * 7}." for n in range(10)]
    alone = {
        text: caller.post(CHAT, asked(text, max_tokens=6))["choices"][0]["message"]["content"]
        for text in texts
    }

    def one(number: int) -> tuple[str, str]:
        own = Caller(server)
        try:
            text = texts[number % len(texts)]
            body = asked(text, max_tokens=6)
            if number % 2:
                return text, own.post(CHAT, body)["choices"][0]["message"]["content"]
            chunks = own.events(CHAT, body | {"stream": True})[:-1]
            deltas = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks]
            return text, "".join(deltas)
        finally:
            own.close()

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        for text, answer in pool.map(one, range(50)):
            assert answer == alone[text]
    until_idle(server)
    engine.check_invariants()


def test_a_client_that_leaves_stops_its_request(server: Server, engine: Engine) -> None:
    for stream in (True, False):
        with raw(server) as connection:
            connection.sendall(request(asked("Tell me a lot.", stream=stream, **ENDLESS)))
            give_up = time.monotonic() + PATIENCE_S
            while not any(one.state == "writing" for one in server.snapshot.open):
                assert time.monotonic() < give_up
                time.sleep(0.002)
        until_idle(server)
        assert server.snapshot.requests[-1].state == "stopped"
    # Nothing runs any more once the step is over that was under way, and what was read stays.
    give_up = time.monotonic() + PATIENCE_S
    while engine.snapshot().live is not None:
        assert time.monotonic() < give_up
        time.sleep(0.002)
    assert engine.on_core(lambda core: core.info.context) > 0


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_sends_no_more_still_gets_its_answer(server: Server, stream: bool) -> None:
    with raw(server) as connection:
        connection.sendall(request(asked("Hello!", max_tokens=6, stream=stream)))
        connection.shutdown(socket.SHUT_WR)
        told = b""
        while part := connection.recv(1 << 16):
            told += part
    *skipped, head, body = told.removesuffix(b"\r\n\r\n").split(
        b"\r\n\r\n", told.count(b" 100 ") + 1
    )
    assert set(skipped) <= {b"HTTP/1.1 100 Continue"}
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"finish_reason" in body
    assert b"[DONE]" in body or not stream


def test_a_waiting_one_that_leaves_never_runs(server: Server, caller: Caller) -> None:
    # Every place is taken.
    others = [raw(server) for _ in range(EngineConfig().parallel - 1)]
    for other in others:
        other.sendall(request(asked("Tell me a lot.", stream=True, **ENDLESS)))
    while len(server.snapshot.open) < len(others):
        time.sleep(0.002)
    first = raw(server)
    first.sendall(request(asked("Tell me a lot.", stream=True, **ENDLESS)))
    while len(server.snapshot.open) <= len(others):
        time.sleep(0.002)
    second = raw(server)
    second.sendall(request(asked("And me.", max_tokens=5)))
    while len(server.snapshot.open) < len(others) + 2:
        time.sleep(0.002)
    waiting = server.snapshot.requests[-1]
    second.close()
    give_up = time.monotonic() + PATIENCE_S
    while len(server.snapshot.open) > len(others) + 1:
        assert time.monotonic() < give_up
        time.sleep(0.002)
    for one in (first, *others):
        one.close()
    until_idle(server)
    ended = next(one for one in server.snapshot.requests if one.number == waiting.number)
    assert (ended.state, ended.plan) == ("stopped", None)


def test_one_that_does_not_read_holds_nobody_up(server: Server, caller: Caller) -> None:
    with raw(server) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        slow.sendall(request(asked("Hello!", max_tokens=30, stream=True)))
        said = caller.post(CHAT, asked("Hello!", max_tokens=5))
        assert said["usage"]["completion_tokens"] <= 5
        slow.settimeout(PATIENCE_S)
        received = b""
        while b"[DONE]" not in received:
            part = slow.recv(64)
            assert part
            received += part


def test_half_a_request_is_given_up(engine: Engine) -> None:
    hasty = Server(ServeConfig(port=0, token=TOKEN, body_s=0.3))
    hasty.attach(engine.loop, engine.model)
    hasty.start()
    try:
        with raw(hasty) as one:
            one.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: loc")
            assert one.recv(100) == b""
        with raw(hasty) as one:
            head = f"POST {CHAT} HTTP/1.1\r\n{HEAD}Content-Length: 50\r\n\r\n"
            one.sendall(head.encode() + b'{"messages"')
            assert one.recv(4_000).startswith(b"HTTP/1.1 408")
        with raw(hasty) as one:
            assert one.recv(100) == b""
        caller = Caller(hasty)
        assert caller.post(CHAT, asked("Hello!", max_tokens=2))
        caller.close()
    finally:
        assert hasty.stop()


READERS = {
    CHAT: chat_asked,
    "/v1/completions": completion_asked,
    "/v1/responses": responses_asked,
    "/v1/messages": messages_asked,
    "/v1/messages/count_tokens": counted,
}
SEEDS: list[dict[str, Any]] = [
    asked("Hi", tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}]),
    {"prompt": "Hi", "stop": ["a"], "stream_options": {"include_usage": True}},
    {
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
            {"type": "function_call", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "output": "x"},
        ],
        "tool_choice": {"type": "function", "name": "f"},
        "tools": [{"type": "function", "name": "f"}],
    },
    {
        "system": [{"type": "text", "text": "x"}],
        "messages": [
            {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "content": "y"}]},
        ],
        "tools": [{"name": "f", "input_schema": {}}],
        "max_tokens": 1,
    },
]
PATHS = [
    [CHAT],
    ["/v1/completions"],
    ["/v1/responses"],
    ["/v1/messages", "/v1/messages/count_tokens"],
]
WASTE: list[Any] = [
    None,
    0,
    -1,
    1e999,
    "",
    "x" * 50,
    [],
    {},
    [[]],
    True,
    {"type": 5},
    "\ud800",
    10**30,
]


def tool(number: int) -> dict[str, Any]:
    return {"type": "function", "function": {"name": f"tool_{number}", "parameters": {}}}


# The largest of their kind, and the error that each is answered with.
HUGE: dict[str, tuple[dict[str, Any], str]] = {
    "openings": (
        asked("x", tools=[tool(0)])
        | {
            "messages": [
                {"role": "user", "content": "x"},
                {"role": "assistant", "content": "<tool_call>" * 100_000},
            ]
        },
        "at least 68,7",
    ),
    "tools": (asked("x", tools=[tool(n) for n in range(100_000)]), "at least 100,000 tokens"),
    "messages": ({"messages": [*asked("x")["messages"] * 200_000]}, "at least 200,000 tokens"),
    "a text": (asked("words and words " * 1_000_000), "at least 999,999 tokens"),
    "values": (asked("x", stop=["a"] * 1_000_002), "more than 1,000,000 commas"),
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_request_that_is_far_too_large_holds_nobody_up(
    server: Server, caller: Caller, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    body, said = HUGE[kind]
    held: list[float] = []
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        held.append(time.thread_time() - began)

    content = json.dumps(body).encode()
    caller.post(CHAT, asked("Hello!", max_tokens=1))
    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    watch = Stopwatch()
    response = caller.send("POST", CHAT, content)
    # Reading the same on the event loop takes seconds.
    assert max(held) < 0.1
    assert watch.spent_s() < 3
    assert response.status_code in (400, 413)
    assert said in response.json()["error"]["message"]
    assert not server.snapshot.open


def test_half_of_a_surrogate_pair_is_named(caller: Caller) -> None:
    for text in ("\ud800", "\udc00 and more", "before \ud83d after", "x" * 100_000 + "\ud800"):
        response = caller.send("POST", CHAT, asked(text))
        assert response.status_code == 400
        assert "half of a surrogate pair" in response.json()["error"]["message"]


class Noise:
    """Bodies that were sound before something in them was broken."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def next(self) -> tuple[str, bytes]:
        """A path, and a body for it."""
        seed = self._rng.choice(SEEDS)
        body = self._broken(seed)
        if isinstance(body, dict):
            # What can still be run may cost the model one token.
            body |= {"max_output_tokens" if "input" in seed else "max_tokens": 1}
        content = json.dumps(body).encode()
        if self._rng.random() < 0.3:
            content = content[: self._rng.randrange(len(content) + 1)]
        # Mostly where such a body belongs.
        paths = list(READERS) if self._rng.random() < 0.2 else PATHS[SEEDS.index(seed)]
        return self._rng.choice(paths), content

    def _broken(self, value: Any) -> Any:
        rng = self._rng
        if isinstance(value, dict) and value and rng.random() < 0.85:
            key = rng.choice(list(value))
            return value | {key: self._broken(value[key])}
        if isinstance(value, list) and value and rng.random() < 0.85:
            at = rng.randrange(len(value))
            return [*value[:at], self._broken(value[at]), *value[at + 1 :]]
        return rng.choice(WASTE)


def test_ten_thousand_bodies_of_noise_are_read_or_refused_with_a_sentence() -> None:
    noise, read = Noise(1), 0
    refusals: list[Refused] = []
    for _ in range(10_000):
        path, content = noise.next()
        try:
            READERS[path](parsed(content))
            read += 1
        except Refused as refused:
            refusals.append(refused)
    assert 500 < read < 9_500
    assert {refused.kind for refused in refusals} == {"invalid_request_error"}
    assert all(refused.sentence.endswith(".") for refused in refusals)


@pytest.mark.slow
def test_noise_over_one_connection(server: Server, engine: Engine) -> None:
    noise, statuses = Noise(2), set()
    with raw(server) as connection, connection.makefile("rb") as stream:
        for _ in range(150):
            path, content = noise.next()
            head = f"POST {path} HTTP/1.1\r\n{HEAD}Content-Length: {len(content)}\r\n\r\n"
            connection.sendall(head.encode() + content)
            status = int(stream.readline().split()[1])
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            answer = json.loads(stream.read(length))
            assert status == 200 or answer["error"]["message"], (status, answer)
            statuses.add(status)
    assert statuses == {200, 400}
    engine.check_invariants()


def test_nothing_is_left_behind(server: Server, caller: Caller) -> None:
    until_idle(server)
    threads = {thread.name for thread in threading.enumerate()}
    caller.post(CHAT, asked("Hello!", max_tokens=2))
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(20):
        caller.post(CHAT, asked("Hello!", max_tokens=2))
    gc.collect()
    # Records of requests are kept, but only the latest.
    assert len(gc.get_objects()) - before < 2_000
    assert {thread.name for thread in threading.enumerate()} <= threads


def title_of(number: int) -> dict[str, Any]:
    return asked(f"{number} is a number. What is its title? {'Be brief. ' * 20}", max_tokens=2)


def test_requests_without_history_stay_while_there_is_room(
    server: Server, caller: Caller, engine: Engine
) -> None:
    engine.drop_cache()
    before = dict(engine.snapshot().evicted)
    first = asked("Hello! I am the chat that goes on.", max_tokens=4)
    said = caller.post(CHAT, first)["choices"][0]["message"]
    for number in range(10):
        caller.post(CHAT, title_of(number))
    turns = [*first["messages"], {"role": "assistant", "content": said["content"]}]
    longer = first | {"messages": [*turns, {"role": "user", "content": "And?"}]}
    assert caller.post(CHAT, longer)["usage"]["biplane"]["reused"] > 0
    for body in (longer, *map(title_of, range(10))):
        usage = caller.post(CHAT, body)["usage"]
        assert usage["prompt_tokens_details"]["cached_tokens"] == usage["prompt_tokens"]
    assert dict(engine.snapshot().evicted) == before
    engine.check_invariants()


def test_requests_without_history_go_before_a_chat_when_room_is_needed() -> None:
    config = EngineConfig(cache_bytes=8 * MIB, context=512, threads=1, rebalance=False)
    chat = [*asked("Hello! I am the chat that goes on.")["messages"]]
    chat += [{"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "Stay!"}]
    with Engine.open(DEMO, config) as small:
        own = Server(ServeConfig(port=0, token=TOKEN))
        own.attach(small.loop, small.model)
        own.start()
        caller = Caller(own)
        try:
            body = {"messages": chat, "temperature": 0, "max_tokens": 2}
            caller.post(CHAT, body)
            for number in range(40):
                caller.post(CHAT, title_of(number))
            evicted = dict(small.snapshot().evicted)
            assert evicted["one-shot request"] > 0
            assert not {"kv pressure", "state pressure", "conversation deleted"} & set(evicted)
            told = caller.send("GET", "/metrics").text
            assert (
                f'biplane_evictions_total{{cause="one-shot request"}} {evicted["one-shot request"]}'
                in told
            )
            usage = caller.post(CHAT, body)["usage"]
            assert usage["prompt_tokens_details"]["cached_tokens"] == usage["prompt_tokens"]
            small.check_invariants()
        finally:
            caller.close()
            assert own.stop()
