"""Our client and our server, both real, on the bundled model: a chat goes round as it should."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import assets
from engine import Engine, EngineConfig, events
from engine.commands import Cancel
from engine.config import Sampling
from engine.message import Message
from engine.net.server import ServeConfig, Server
from tests.engine.net.client.client import Client, Connect

DEMO = Path(assets.__file__).parent / "demo_model"
TOKEN = "a-token-of-the-tests"
QUESTION = "Hello, who are you?"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(DEMO, EngineConfig(cache_bytes=48 << 20, threads=1)) as opened:
        yield opened
        opened.check_invariants()


@pytest.fixture(scope="module")
def server(engine: Engine) -> Iterator[Server]:
    made = Server(ServeConfig(port=0, token=TOKEN))
    made.attach(engine.loop, engine.model)
    made.start()
    yield made
    assert made.stop()


@pytest.fixture
def client(connect: Connect, server: Server, engine: Engine) -> Client:
    made: Client = connect(server.url, model=engine.model.name, token=TOKEN)
    model = made.ready()
    assert model.remote == "Biplane"
    return made


def test_the_answer_is_that_of_the_engine_itself(client: Client, engine: Engine) -> None:
    client.say(QUESTION, max_tokens=24, temperature=0, seed=7)
    there = client.end()
    sampling = Sampling(max_tokens=24, temperature=0, seed=7)
    *_, here = engine.generate([Message("user", QUESTION)], sampling, reuse=False)
    assert isinstance(here, events.RequestFinished)
    assert there.text.strip() == here.text.strip()
    assert there.report.generated == here.report.generated
    assert there.report.plan.total == here.report.plan.total


def test_the_second_turn_says_what_was_reused(client: Client) -> None:
    client.say(QUESTION, max_tokens=24, temperature=0)
    first = client.end()
    client.say(QUESTION, first.text, "And what can you do?", number=2, max_tokens=8)
    plan = client.end(2).report.plan
    assert plan.reused > 0
    assert not plan.unknown
    assert plan.reused + plan.replayed + plan.computed == plan.total
    assert plan.reported_by == "Biplane"
    assert plan.detail


def test_stopping(client: Client) -> None:
    client.say(QUESTION, max_tokens=2000, temperature=1, ignore_end=True)
    client.until(lambda one: isinstance(one, events.TextDelta))
    client.loop.post(Cancel(1))
    assert client.end().stop == "cancelled"


def test_a_wrong_token(connect: Connect, server: Server, engine: Engine) -> None:
    wrong: Client = connect(server.url, model=engine.model.name, token="wrong")
    assert "refuses the token" in wrong.failure()


def test_no_token(connect: Connect, server: Server, engine: Engine) -> None:
    none: Client = connect(server.url, model=engine.model.name)
    assert "asks for a token" in none.failure()


def test_a_question_that_is_too_long(client: Client) -> None:
    client.say("word " * 20_000, max_tokens=8)
    assert "error 400" in client.fails()
