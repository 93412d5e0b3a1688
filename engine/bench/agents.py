"""`biplane bench agent --agents N`: several agents at once, and a person in the window beside them.

Each works on a task of its own, with the rules and tools of all. What they have in common has to
run once; the person's message has to wait for one pass at most.
"""

from __future__ import annotations

import http.client
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count, pairwise, takewhile

from engine import events
from engine.api import Engine
from engine.bench.agent import TASK, TOOL, opening, sent, served, session
from engine.bench.harness import Progress
from engine.bench.machine import machine_line
from engine.bench.timed import exactly, token_ids, warm_up
from engine.net.server.server import Server

_ALONE, _MESSAGE_TOKENS, _LONG_TOKENS, _BETWEEN_S = 5, 60, 1200, 0.3


@dataclass(frozen=True, slots=True)
class AgentsReport:
    """Attributes:
    prompts: tokens of all prompts; processed: those that ran; replayed: of them, those from the
        last common checkpoint to where tasks part; least: what is new, and what is common once.
    pass_s: the longest pass over a prompt, without the agents.
    alone_s, beside_s: from a message of the person to its first token.
    seconds: until the last agent had ended.
    """

    machine: str
    model: str
    agents: int
    turns: int
    prompts: int
    processed: int
    replayed: int
    least: int
    pass_s: float
    alone_s: tuple[float, ...]
    beside_s: tuple[float, ...]
    seconds: float


def bench_agents(engine: Engine, agents: int, turns: int, progress: Progress) -> AgentsReport:
    """Run so many agents at once, each with `turns` tool turns, through a server on `engine`."""
    warm_up(engine)
    tasks = [f"{TASK} Yours is part {at}." for at in range(1, agents + 1)]
    message = partial(_message, engine, count(1))
    pass_s = _longest_pass(engine)
    alone = tuple(message() for _ in range(_ALONE))
    engine.drop_cache()
    with served(engine) as server, ThreadPoolExecutor(agents) as pool:
        # The first agent's words are enough.
        told = [progress, *(lambda what: None for _ in tasks[1:])]
        began, beside = time.perf_counter(), []
        running = [
            pool.submit(session, server, task, turns, tell)
            for task, tell in zip(tasks, told, strict=True)
        ]
        while not all(one.done() for one in running):
            beside.append(message())
            time.sleep(_BETWEEN_S)
        seconds = time.perf_counter() - began
        rows = [row for one in running for row in one.result()]
        common = _common(server, tasks)
    return AgentsReport(
        machine_line(engine),
        engine.model.name,
        agents,
        turns,
        sum(row.prompt for row in rows),
        sum(row.processed for row in rows),
        sum(row.replayed for row in rows),
        sum(row.added for row in rows) - (agents - 1) * common,
        pass_s,
        alone,
        tuple(beside),
        seconds,
    )


def _message(engine: Engine, numbers: count[int]) -> float:
    """Seconds to the first token after a message in a new chat."""
    prompt = token_ids(next(numbers), _MESSAGE_TOKENS, engine.model.vocab_size)
    began = time.perf_counter()
    heard = [one.time for one in engine.generate(prompt, exactly(8)) if _is_text(one)]
    return heard[0] - began


def _is_text(event: events.Event) -> bool:
    return isinstance(event, events.TextDelta)


def _longest_pass(engine: Engine) -> float:
    prompt = token_ids(0, _LONG_TOKENS, engine.model.vocab_size)
    told = [
        one.time
        for one in engine.generate(prompt, exactly(1))
        if isinstance(one, events.RequestStarted | events.PrefillProgress | events.TextDelta)
    ]
    return max(later - earlier for earlier, later in pairwise(told))


def _common(server: Server, tasks: list[str]) -> int:
    """Tokens that the prompts of all tasks begin with."""
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=600)
    prompts = [
        sent(
            connection,
            server.config.token,
            "/tokenize",
            {"messages": opening(task), "tools": [TOOL]},
        )["tokens"]
        for task in tasks
    ]
    connection.close()
    return sum(1 for _ in takewhile(lambda at: len(set(at)) == 1, zip(*prompts, strict=False)))
