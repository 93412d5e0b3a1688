"""What a request should reuse by the engine's own KV events, compared with what it reports."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.commands import Submit
from engine.errors import RemoteError
from engine.net.client.catalog import Program, parsed
from engine.net.client.connection import Connection
from engine.net.client.exchange import Exchange, Patience
from engine.net.client.wire import tokenize_body_of
from engine.net.counters.reading import CountersRead
from engine.net.kv_events.match import Expected, Finding, finding_sentence
from engine.reuse import ReusePlan
from engine.sentence import in_turn

# The prompt's tokens are requested before it is sent, which must not hold it up.
PATIENCE = Patience(connect_s=3.0, read_s=5.0)
# These read messages at /tokenize; an unknown program may.
_TOKENIZING: frozenset[Program] = frozenset({"vllm", "sglang", "plain"})
_MOST_TOKENS = 4_000_000
_MOST_BYTES = 64 << 20
log = logging.getLogger(__name__)


class Watcher(Protocol):
    """Follows the KV events of the engine in use."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def counted(self, read: CountersRead) -> None:
        """The engine's counters were polled."""

    def expect(self, prompt: TokenArray) -> Expected:
        """What the engine has cached of a prompt now."""

    def answered(self, expected: Expected, cached: int | None, ran: RequestRan | None) -> Finding:
        """The prompt was answered; `cached`: tokens the engine reports as reused."""


class Expecting:
    """For one request: `ask` before it is sent, `settle` at its end, both on its thread."""

    def __init__(self, watcher: Watcher, connection: Connection, program: Program) -> None:
        self._watcher, self._connection, self._program = watcher, connection, program
        self._expected: Expected | None = None

    def ask(self, submit: Submit, token: str, exchange: Exchange) -> None:
        """Find out what the engine has of the prompt; without its tokens nothing is expected."""
        if self._program not in _TOKENIZING:
            return
        try:
            tokens = self._tokens(submit, token, exchange)
        except RemoteError as error:
            log.info("The prompt's tokens are unavailable: %s", type(error).__name__)
            return
        if tokens is not None:
            self._expected = self._watcher.expect(tokens)

    def settle(self, plan: ReusePlan) -> ReusePlan:
        """The plan with the expected reuse, and the finding as its reason."""
        expected = self._expected
        if expected is None:
            return plan
        cached = None if plan.unknown or not plan.total else plan.reused
        sentence = finding_sentence(self._watcher.answered(expected, cached, None))
        if cached is None:
            # The plan already explains how to make the server report it.
            sentence = in_turn(sentence, plan.detail)
        return replace(plan, expected=expected.reusable, detail=sentence)

    def _tokens(self, submit: Submit, token: str, exchange: Exchange) -> TokenArray | None:
        place = self._connection.address.beside("/tokenize")
        with exchange.beside(place, PATIENCE) as asked:
            body = tokenize_body_of(submit, self._connection.model)
            asked.ask("POST", place.path, body, token)
            return tokens_in(parsed(asked.whole(_MOST_BYTES)) or {})


def tokens_in(answer: dict[str, Any]) -> TokenArray | None:
    """The tokens of a /tokenize answer; None if it has no usable ones."""
    found = answer.get("tokens")
    if not isinstance(found, list) or not 0 < len(found) <= _MOST_TOKENS:
        return None
    try:
        made = np.array(found)
    except (ValueError, OverflowError):
        return None
    if made.ndim != 1 or made.dtype.kind != "i" or made.min() < 0 or made.max() >= 1 << 31:
        return None
    return made.astype(np.int32)
