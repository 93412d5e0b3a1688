"""A chat with the real llama-server, where it was built: see CONTRIBUTING.md for how.

    BIPLANE_LLAMA_SERVER=path/to/llama-server BIPLANE_GGUF=path/to/model.gguf \\
        pytest tests/engine/net/client/test_llama_server.py
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import events
from engine.bench.llama_server import llama_server
from engine.commands import Cancel
from engine.message import PromptOptions
from engine.net.client.address import Address
from engine.net.client.catalog import read_catalog
from engine.net.counters.reading import CountersRead
from tests.engine.net.client.client import Client, Connect
from tests.llama_server import GGUFS, needs_llama_server

pytestmark = needs_llama_server
KEY = "a-key-of-the-tests"
STORY = "Tell me about the sea, the wind and the boats in the harbour of a small town."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with llama_server(
        GGUFS[0], 4096, 1, more=("--metrics", "--jinja", "--api-key", KEY)
    ) as address:
        yield address


@pytest.fixture
def client(connect: Connect, url: str) -> Client:
    catalog = read_catalog(Address.parse(url), KEY)
    made: Client = connect(url, model=catalog.models[0].name, token=KEY)
    assert made.ready().remote == "llama-server"
    return made


def test_an_answer_streams_and_says_what_it_took(client: Client) -> None:
    client.say(STORY, max_tokens=16, temperature=0, ignore_end=True)
    done = client.end()
    assert done.text
    assert len(client.deltas) > 4
    assert done.stop == "length"
    assert done.report.generated == 16
    assert done.report.decode_tok_s
    assert done.report.plan.total > 10
    assert not done.report.plan.unknown


def test_the_same_again_is_reused(client: Client) -> None:
    client.say(STORY, max_tokens=4, temperature=0)
    client.end()
    client.say(STORY, max_tokens=4, temperature=0, number=2)
    again = client.end(2).report.plan
    assert again.reused > again.total // 2
    (started,) = [e for e in client.told if isinstance(e, events.RequestStarted) and e.request == 2]
    assert started.plan.reused == again.reused


def test_stopping_frees_the_server(client: Client) -> None:
    client.say(STORY, max_tokens=3000, ignore_end=True)
    client.until(lambda e: isinstance(e, events.TextDelta))
    client.loop.post(Cancel(1))
    assert client.end().stop == "cancelled"
    client.say("Hello.", max_tokens=4, number=2)
    assert client.end(2).stop in ("length", "end")


def test_an_answer_is_continued(client: Client) -> None:
    client.say(
        "Hello.", "Once upon a", number=3, max_tokens=4, options=PromptOptions(continues=True)
    )
    assert client.end(3).text.startswith("Once upon a")


def test_its_counters(client: Client) -> None:
    client.say(STORY, max_tokens=4)
    client.end()
    read = client.until(lambda e: isinstance(e, CountersRead) and bool(e.readings))
    assert isinstance(read, CountersRead)
    assert {"prompt rate", "answer rate", "running", "longest"} <= {
        one.key for one in read.readings
    }


def test_a_wrong_key(connect: Connect, url: str) -> None:
    wrong: Client = connect(url, token="no")
    assert "refuses the token" in wrong.failure()


def test_a_prompt_that_is_too_long(client: Client) -> None:
    client.say("word " * 9000, max_tokens=4)
    assert "error 400" in client.fails()
