"""The cost of a flush of streamed text on the window's thread: session, store, layout, paint."""

from __future__ import annotations

import time
from collections.abc import Iterator

from app.bench.figure import Figure, figure
from app.bench.stage import Stage
from app.bench.stream import FLUSH_CHARS, mixed
from app.core.session.records import EnginePhase, EngineState
from engine.bench.harness import quantile
from engine.events import TextDelta

FLUSH_P95_MS = 8.0
_FLUSHES = 300
# Time for the store to write, as at thirty flushes a second.
_BETWEEN_S = 0.008


def flush_costs(stage: Stage, conversation: int | None) -> list[float]:
    """Stream an answer into a conversation, or a new one; milliseconds of each flush."""
    session, window = stage.session, stage.window
    if conversation is None:
        window.drafts.new_conversation()
    else:
        window.chats.chosen.emit(conversation)
    stage.rest()
    before, session.engine = session.engine, EngineState(EnginePhase.LOADING)
    window.drafts.send("Go on.")
    turn = session.current.turns[-1]
    assert turn.request is not None
    text, costs = mixed(_FLUSHES * FLUSH_CHARS), []
    for number in range(_FLUSHES):
        piece = text[number * FLUSH_CHARS : (number + 1) * FLUSH_CHARS]
        event = TextDelta(
            request=turn.request,
            channel="answer",
            text=piece,
            tokens=number + 1,
            time=time.monotonic(),
        )
        costs.append(
            stage.cost_ms(lambda event=event: stage.bridge.perform(session.apply(event)))  # type: ignore[misc]
        )
        time.sleep(_BETWEEN_S)
        stage.pump()
    stage.bridge.perform(session.stop())
    session.engine = before
    stage.rest()
    return costs


def figures(short: list[list[float]], long: list[list[float]]) -> Iterator[Figure]:
    """Figures from the costs of each run."""
    for name, where, runs in (("short", "a new", short), ("long", "a 250k-token", long)):
        costs = [quantile(run, 0.95) for run in runs]
        yield figure(f"flush_{name}_p95", f"flush p95, {where} conversation", costs, FLUSH_P95_MS)
        most = [max(run) for run in runs]
        yield figure(f"flush_{name}_most", f"longest flush, {where} conversation", most, None)
