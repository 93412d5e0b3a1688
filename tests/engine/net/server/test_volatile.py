"""Lines that agents change with every request: named always, left out if the user wants it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine import Engine, Message
from engine.net.server import ServeConfig, Server
from engine.net.server.volatile import volatile_spans, without
from tests.engine.net.server.agents import RULES
from tests.engine.net.server.conftest import TOKEN, Caller

CHAT = "/v1/chat/completions"


@pytest.fixture(scope="module")
def tidy(engine: Engine) -> Iterator[Caller]:
    server = Server(ServeConfig(port=0, token=TOKEN, leave_out_volatile=True))
    server.attach(engine.loop, engine.model)
    server.start()
    caller = Caller(server)
    yield caller
    caller.close()
    assert server.stop()


def body(code: str) -> dict[str, Any]:
    head = f"x-anthropic-billing-header: cc_version=2.1; cch={code};\n{RULES}"
    asked = {"role": "user", "content": "Hello!"}
    return {"messages": [{"role": "system", "content": head}, asked], "max_tokens": 2}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("x-anthropic-billing-header: a; cch=1;\nBe kind.", "Be kind."),
        ("Be kind.\n<total_tokens>1234 left</total_tokens>\nBe brief.", "Be kind.\nBe brief."),
        ("It is 12:34:56 now.", "It is 12:34 now."),
        ("Nothing: 1:2 and 3:4:5 and code a:b.", "Nothing: 1:2 and 3:4:5 and code a:b."),
    ],
)
def test_what_is_found(text: str, left: str) -> None:
    messages = (Message("system", text), Message("user", text))
    spans = volatile_spans(messages, removed=True)
    assert [text[span.start : span.end] for span in spans] == [span.text for span in spans]
    assert without(messages, spans) == (Message("system", left), Message("user", text))


@pytest.mark.parametrize("removed", [False, True])
def test_a_uuid_is_named_and_stays(removed: bool) -> None:
    """It may be part of a path that the model needs."""
    told = "The session is 1b4e28ba-2fa1-11d2-883f-0016D3CCA427, in /tmp."
    messages = (Message("system", told), Message("user", "Hm?"))
    (span,) = volatile_spans(messages, removed=removed)
    assert span.text == "1b4e28ba-2fa1-11d2-883f-0016D3CCA427"
    assert not span.removed
    assert without(messages, [span]) == messages


def test_it_is_named_with_what_it_costs(caller: Caller, server: Server, engine: Engine) -> None:
    engine.drop_cache()
    caller.post(CHAT, body("aaaa"))
    usage = caller.post(CHAT, body("bbbb"))["usage"]
    (span,) = usage["biplane"]["volatile"]
    assert span["text"].startswith("x-anthropic-billing-header")
    assert (span["message"], span["start"], span["removed"]) == (0, 0, False)
    assert span["would_save"] == usage["prompt_tokens"] - usage["biplane"]["reused"] > 100
    assert "billing header" in server.snapshot.requests[-1].notes[0]


def test_without_it_the_cache_is_used(tidy: Caller, engine: Engine) -> None:
    engine.drop_cache()
    tidy.post(CHAT, body("aaaa"))
    usage = tidy.post(CHAT, body("bbbb"))["usage"]
    assert usage["prompt_tokens_details"]["cached_tokens"] == usage["prompt_tokens"]
    assert usage["biplane"]["volatile"][0]["removed"]
