"""`biplane bench agent`: what a session of an agent costs when it comes through the server.

An agent works in turns: the model answers with a tool call, the agent sends everything back with
the result. The bundled model was not taught to call tools, so each call is put into its mouth as
the beginning of its answer; the model adds a few tokens of its own. Everything else is real: the
server, its connections, the template, the cache.
"""

from __future__ import annotations

import http.client
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.bench.progress import Progress
from engine.bench.turns import machine
from engine.cache.journal.request_ran import RequestRan
from engine.serve.config import ServeConfig
from engine.serve.server import Server
from engine.trace.tape import read_tape

OWN_TOKENS = 4
RULES = (
    "You are a coding agent that works in a terminal. Read a file before you change it, run the "
    "tests after each change, and answer in few words. "
)
TOOL = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Read a file of the project.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """One request of the session, in tokens.

    Attributes:
        prompt: of the whole prompt.
        processed: of it that ran: replayed and new.
        added: what the prompt has beyond the last prompt and its answer.
        first_token_s: to the first token; None if there was none.
    """

    turn: int
    prompt: int
    processed: int
    replayed: int
    added: int
    first_token_s: float | None


@dataclass(frozen=True, slots=True)
class AgentReport:
    """A session on one machine."""

    machine: str
    model: str
    turns: tuple[AgentTurn, ...]


def recorded_agent(
    engine: Engine, turns: int, progress: Progress
) -> tuple[AgentReport, tuple[RequestRan, ...]]:
    """Run a session, and what each of its requests was, with token ids and text."""
    with tempfile.TemporaryDirectory(prefix="biplane-") as folder:
        trace = Path(folder) / "agent.jsonl"
        engine.record(trace, text=True)
        report = bench_agent(engine, turns, progress)
        engine.stop_recording()
        return report, tuple(one.ran for one in read_tape(trace).requests)


def bench_agent(engine: Engine, turns: int, progress: Progress) -> AgentReport:
    """Run a session of so many tool turns through a server on `engine`."""
    server = Server(ServeConfig(hosts=("127.0.0.1",), port=0))
    server.attach(engine.loop, engine.model)
    server.start()
    try:
        address = server.url.removeprefix("http://")
        connection = http.client.HTTPConnection(address, timeout=600)
        rows = _session(connection, server.config.token, turns, progress)
        connection.close()
    finally:
        server.stop()
    return AgentReport(machine(engine), engine.model.name, rows)


def _session(
    connection: http.client.HTTPConnection, token: str, turns: int, progress: Progress
) -> tuple[AgentTurn, ...]:
    history: list[dict[str, Any]] = [
        {"role": "system", "content": RULES * 8},
        {"role": "user", "content": "Look through the project and say what each module does."},
    ]
    rows: list[AgentTurn] = []
    before = 0
    for turn in range(1, turns + 1):
        progress(f"turn {turn} of {turns}")
        call = {"name": "read_file", "arguments": {"path": f"src/module_{turn}.py"}}
        begun = f"I read module {turn}.\n<tool_call>\n{json.dumps(call)}\n</tool_call>"
        body = {
            "messages": [*history, {"role": "assistant", "content": begun}],
            "tools": [TOOL],
            "max_tokens": OWN_TOKENS,
            "temperature": 0,
        }
        said = _sent(connection, token, body)
        usage, told = said["usage"], said["usage"]["biplane"]
        rows.append(
            AgentTurn(
                turn,
                usage["prompt_tokens"],
                told["replayed"] + told["new"],
                told["replayed"],
                usage["prompt_tokens"] - before,
                told["first_token_s"],
            )
        )
        # Where the limit ended the answer, its last token is sampled and not applied: the next
        # prompt reads it. A stop token is counted in no answer.
        said_tokens = usage["completion_tokens"]
        before = usage["prompt_tokens"] + said_tokens - (said_tokens == OWN_TOKENS)
        message = said["choices"][0]["message"]
        history.append(
            {
                "role": "assistant",
                "content": f"I read module {turn}.{message['content'] or ''}",
                "tool_calls": message["tool_calls"],
            }
        )
        source = f"def function_{turn}(value):\n    return value * {turn}\n"
        history.append(
            {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": source}
        )
    return tuple(rows)


def _sent(
    connection: http.client.HTTPConnection, token: str, body: dict[str, Any]
) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    response = connection.getresponse()
    said: dict[str, Any] = json.loads(response.read())
    if response.status != 200:
        raise RuntimeError(said["error"]["message"])
    return said
