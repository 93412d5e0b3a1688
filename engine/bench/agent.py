"""`biplane bench agent`: what an agent's session costs when it runs through the server.

An agent works in turns: the model answers with a tool call, the agent sends everything back with
the result. The bundled model was not trained to call tools, so each call is prefilled as the start
of its answer; the model adds a few tokens of its own. Everything else is real: the server, its
connections, the template, the cache.
"""

from __future__ import annotations

import http.client
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.bench.harness import Progress
from engine.bench.machine import machine_line
from engine.cache.journal.request_ran import RequestRan
from engine.errors import RemoteError
from engine.journal.tape import read_tape
from engine.net.client.address import Address
from engine.net.client.catalog import PROGRAM_NAMES, items, parsed, read_catalog, record, text
from engine.net.client.exchange import Exchange, Patience
from engine.net.client.usage import told_in
from engine.net.server.config import ServeConfig
from engine.net.server.server import Server

OWN_TOKENS = 4
RULES = (
    "You are a coding agent that works in a terminal. Read a file before you change it, run the "
    "tests after each change, and answer in few words. "
)
TASK = "Look through the project and say what each module does."
CHAT = "/v1/chat/completions"
TOOL = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Read a file of the project.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}
_MOST_BYTES = 4 << 20
_PATIENCE = Patience(connect_s=10.0, read_s=600.0)


@dataclass(frozen=True, slots=True)
class BesideTurn:
    """One prompt on the other server, in tokens.

    Attributes:
        processed: of the prompt that ran there; None if the server does not report it.
        same: whether its answer was Biplane's, so that the next prompt extends what it has cached.
        prompt_s: seconds for what it processed; None if the server does not report it.
    """

    turn: int
    prompt: int
    processed: int | None
    same: bool
    prompt_s: float | None


@dataclass(frozen=True, slots=True)
class Beside:
    """Attributes:
    server: its name, or its address if that is unknown.
    """

    server: str
    turns: tuple[BesideTurn, ...]


def beside(
    url: str, ran: Sequence[RequestRan], most: int, progress: Progress, token: str = ""
) -> Beside:
    """Send the prompts of some requests to a server, in order.

    Args:
        most: tokens of each answer.

    Raises:
        RemoteError: it cannot be used, or counts other tokens: it has another model.
    """
    address = Address.parse(url)
    catalog = read_catalog(address, token)
    program = PROGRAM_NAMES[catalog.program]
    name = address.place if catalog.program == "plain" else program
    rows = []
    for turn, one in enumerate(ran, 1):
        progress(f"turn {turn} of {len(ran)} on {name}")
        body = {
            "model": catalog.models[0].name,
            "prompt": one.prompt.tolist(),
            "max_tokens": most,
            "temperature": 0,
        }
        said = _agent_beside_sent(address, body, token)
        told = told_in(said)
        total = None if told is None else told.prompt
        if total is not None and total != len(one.prompt):
            raise RemoteError(
                f"{name} counts {total:,} tokens in a prompt of {len(one.prompt):,}: it must serve "
                "the model that Biplane has open."
            )
        cached = None if told is None else told.cached
        choice = record(next(iter(items(said.get("choices"))), None))
        timings = record(said.get("timings"))
        spent = timings.get("prompt_ms")
        rows.append(
            BesideTurn(
                turn,
                len(one.prompt),
                None if cached is None else len(one.prompt) - cached,
                # The answer's text also includes the call that it was started with.
                one.text.rstrip().endswith(text(choice.get("text")).strip()),
                spent / 1000 if isinstance(spent, float | int) else None,
            )
        )
    return Beside(name, tuple(rows))


def _agent_beside_sent(address: Address, body: dict[str, Any], token: str) -> dict[str, Any]:
    with Exchange(address, _PATIENCE) as asked:
        data = json.dumps(body).encode()
        asked.ask("POST", f"{address.path}/completions", data, token)
        found = parsed(asked.whole(_MOST_BYTES))
    if found is None:
        raise RemoteError(f"{address.place} answers with something that is not JSON.")
    return found


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """One request of the session, in tokens.

    Attributes:
        prompt: of the whole prompt.
        processed: tokens of it that ran: replayed and new.
        added: tokens of the prompt beyond the last prompt and its answer.
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
    """Run a session, and return each of its requests with token ids and text."""
    with tempfile.TemporaryDirectory(prefix="biplane-") as folder:
        trace = Path(folder) / "agent.jsonl"
        engine.record(trace, text=True)
        report = bench_agent(engine, turns, progress)
        engine.stop_recording()
        return report, tuple(one.ran for one in read_tape(trace).requests)


def bench_agent(engine: Engine, turns: int, progress: Progress) -> AgentReport:
    """Run a session of `turns` tool turns through a server on `engine`."""
    with served(engine) as server:
        rows = session(server, TASK, turns, progress)
    return AgentReport(machine_line(engine), engine.model.name, rows)


@contextmanager
def served(engine: Engine) -> Iterator[Server]:
    """A server of its own, at a free port."""
    server = Server(ServeConfig(hosts=("127.0.0.1",), port=0))
    server.attach(engine.loop, engine.model)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def opening(task: str) -> list[dict[str, Any]]:
    """The messages that an agent begins with."""
    return [{"role": "system", "content": RULES * 8}, {"role": "user", "content": task}]


def session(server: Server, task: str, turns: int, progress: Progress) -> tuple[AgentTurn, ...]:
    """Run one agent, to its last turn."""
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=600)
    history = opening(task)
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
        said = sent(connection, server.config.token, CHAT, body)
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
        # If the limit ended the answer, its last token is sampled but not applied: the next prompt
        # reads it. A stop token is counted in no answer.
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
    connection.close()
    return tuple(rows)


def sent(
    connection: http.client.HTTPConnection, token: str, path: str, body: dict[str, Any]
) -> dict[str, Any]:
    """The answer to one request. Raises RuntimeError if it is refused."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(body), headers)
    response = connection.getresponse()
    said: dict[str, Any] = json.loads(response.read())
    if response.status != 200:
        raise RuntimeError(said["error"]["message"])
    return said
