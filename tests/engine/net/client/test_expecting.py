"""What a server should have reused by its own events, beside what it says that it did."""

from __future__ import annotations

import json
import random
import threading
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.commands import Cancel
from engine.net.client.expecting import tokens_in
from engine.net.counters.reading import CountersRead
from engine.net.kv_events.address import AddressError
from engine.net.kv_events.fleet import Fleet
from engine.net.kv_events.match import Expected, Finding, compare
from engine.net.kv_events.subscriber import Came
from tests.engine.net.client.client import Connect
from tests.engine.net.client.server import (
    MODEL,
    Reply,
    Server,
    as_json,
    end_events,
    models,
    serving,
    stream,
    text_event,
    usage,
)
from tests.engine.net.kv_events.sender import BLOCK, Sender

PROMPT = [1] * (6 * BLOCK) + [2]


class Followed:
    """A fleet of one engine that has told of some sequences."""

    def __init__(self, *sequences: list[int]) -> None:
        self.fleet = Fleet(["engine"])
        self.on = False
        self.looks = 0
        self.findings: list[Finding] = []
        sender = Sender(random.Random(0), again=0.0)
        for one in sequences:
            sender.store(one)
        self.fleet.take([Came(0, *sender.publish())])

    def start(self) -> None:
        self.on = True

    def stop(self) -> None:
        self.on = False

    def counted(self, read: CountersRead) -> None:
        self.looks += 1

    def expect(self, prompt: TokenArray) -> Expected:
        return self.fleet.expect(prompt)[0]

    def answered(self, expected: Expected, cached: int | None, ran: RequestRan | None) -> Finding:
        self.findings.append(compare(expected, cached))
        return self.findings[-1]


def server_of(cached: int | None, tokens: object = PROMPT, owner: str = "vllm") -> Server:
    def answer(_: dict[str, Any]) -> Reply:
        told = usage(len(PROMPT), 1, cached)
        return stream(text_event("Yes."), end_events(usage=told))

    others = {} if tokens is None else {"/tokenize": lambda: as_json({"tokens": tokens})}
    return Server(answer=answer, listed=models(MODEL, owner=owner), others=others)


class TestExpected:
    @pytest.mark.parametrize(
        ("cached", "sentence"),
        [
            (6 * BLOCK, "As expected: 24 tokens reused of 24 known."),
            (0, "KV for 24 tokens known, engine reused 0: no state, or a dropped block."),
            (2 * BLOCK, "KV for 24 tokens known and 24 expected, engine reused 8: no state"),
            (None, "KV for 24 tokens known; the engine does not say how many it reused. VLLM does"),
        ],
    )
    def test_it_stands_beside_what_is_reported(
        self, connect: Connect, cached: int | None, sentence: str
    ) -> None:
        with serving(server_of(cached)) as server:
            followed = Followed(PROMPT[:-1])
            client = connect(server.url, watch=lambda: followed).asked("hello")
            plan = client.end().report.plan
            assert followed.on
            assert client.loop.close(20)
        assert plan.expected == 6 * BLOCK
        assert plan.reused == (cached or 0)
        assert plan.detail.startswith(sentence)
        assert not followed.on
        assert len(followed.findings) == 1

    def test_the_tokens_are_asked_for_before_the_prompt_is_sent(self, connect: Connect) -> None:
        with serving(server_of(0)) as server:
            client = connect(server.url, watch=Followed).asked("hello", "there", "you")
            assert client.end().report.plan.expected == 0
        assert [one for one in server.paths if "metrics" not in one][-2:] == [
            "/tokenize",
            "/v1/chat/completions",
        ]

    @pytest.mark.parametrize("tokens", [None, [], "none", [1.5], [-1], [[1]], [1 << 40], ["a"]])
    def test_without_tokens_nothing_is_expected(self, connect: Connect, tokens: object) -> None:
        with serving(server_of(8, tokens)) as server:
            client = connect(server.url, watch=lambda: Followed(PROMPT)).asked("hello")
            plan = client.end().report.plan
        assert plan.expected is None
        assert plan.detail == "As vLLM reports; it does not say why."

    def test_a_server_that_cannot_tell_them_is_not_asked(self, connect: Connect) -> None:
        with serving(server_of(8, owner="llamacpp")) as server:
            client = connect(server.url, watch=lambda: Followed(PROMPT)).asked("hello")
            assert client.end().report.plan.expected is None
        assert "/tokenize" not in server.paths

    def test_stop_ends_the_wait_for_them(self, connect: Connect) -> None:
        slow, asked = server_of(8), threading.Event()

        def dawdle() -> Reply:
            asked.set()
            return Reply(pieces=(b"{", 20.0))

        slow.others["/tokenize"] = dawdle
        with serving(slow) as server:
            client = connect(server.url, watch=Followed).asked("hello")
            assert asked.wait(40)
            client.loop.post(Cancel(1))
            assert client.end().stop == "cancelled"
        assert not server.asked

    def test_a_stopped_answer_is_no_finding(self, connect: Connect) -> None:
        server, followed = server_of(8), Followed(PROMPT)
        server.answer = lambda _: stream(text_event("One"), 30.0)
        with serving(server):
            client = connect(server.url, watch=lambda: followed).asked("hello")
            client.until(lambda e: isinstance(e, events.TextDelta))
            client.loop.post(Cancel(1))
            assert client.end().report.plan.expected is None
        assert not followed.findings

    def test_an_address_that_cannot_be_used_is_a_notice(self, connect: Connect) -> None:
        def watch() -> Followed:
            raise AddressError("That is no address.")

        with serving(server_of(8)) as server:
            client = connect(server.url, watch=watch)
            client.ready()
            told = client.until(lambda e: isinstance(e, events.Notice))
            assert isinstance(told, events.Notice)
            assert told.sentence == "That is no address."
            client.say("hello")
            assert client.end().report.plan.expected is None


class TestTokens:
    def test_what_can_be_used(self) -> None:
        found = tokens_in(json.loads('{"tokens": [1, 2, 3]}'))
        assert found is not None
        assert np.array_equal(found, [1, 2, 3])
        assert found.dtype == np.int32
        assert tokens_in({}) is None
        assert tokens_in({"tokens": [1 << 70]}) is None
        assert tokens_in({"tokens": [True, False]}) is None
