"""The timeline in the trace event format, which Perfetto and Chrome open. Without Qt.

Times are microseconds since the first request or entry. Requests are complete events in a thread
of their conversation, with their parts nested in them; cache events are instants in a thread of
their kind; bytes and speed are counters. A flow leads from an eviction to the request that missed
what it took: viewers attach flows to complete events only, so such an eviction has one of a
microsecond, too. Texts and titles of conversations are left out.
Source: "Trace Event Format", the Chromium project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.debugger.timeline.logic.columns import PARTS, Series
from app.debugger.timeline.logic.concerned import missed_of
from app.debugger.timeline.logic.events import KINDS
from app.debugger.timeline.logic.levels import LAYERS
from engine.analysis.ledger import Ledger
from engine.journal.tape import Tape

_PROCESS, _FIRST_KIND, _FIRST_CONVERSATION = 1, 10, 100

Event = dict[str, Any]


def trace_events(tape: Tape, series: Series, name: str) -> str:
    """The whole timeline as JSON; `name`: of the process."""
    events = [
        *_names(series, name),
        *_requests(tape, series),
        *_instants(series),
        *_flows(tape, series),
        *_bytes(series),
        *_speed(series),
    ]
    whole = {"traceEvents": events, "displayTimeUnit": "ms", "otherData": _about(tape)}
    return json.dumps(whole, separators=(",", ":"), allow_nan=False)


def _about(tape: Tape) -> dict[str, str]:
    header = tape.header
    if header is None:
        return {}
    said = header.settings
    return {
        "model": header.model,
        "policy": said.policy,
        "mode": said.mode,
        "interval": str(said.interval),
        "decode_interval": str(said.decode_interval),
        "device_bytes": str(said.device_bytes),
        "host_bytes": str(said.host_bytes),
    }


def _names(series: Series, name: str) -> Iterator[Event]:
    yield _meta("process_name", 0, name)
    # Conversations above the cache's events.
    for place, session in enumerate(dict.fromkeys(series.requests.session.tolist())):
        thread = _conversation(session)
        yield _meta("thread_name", thread, f"Conversation {session + 1}")
        yield _sorted(thread, place)
    below = len(series.requests)
    for kind in sorted({row.kind for row in series.events.rows}):
        yield _meta("thread_name", _FIRST_KIND + kind, KINDS[kind].name)
        yield _sorted(_FIRST_KIND + kind, below + KINDS[kind].order)


def _conversation(session: int) -> int:
    """The thread of a conversation."""
    return _FIRST_CONVERSATION + session


def _sorted(thread: int, place: int) -> Event:
    return {
        "ph": "M",
        "name": "thread_sort_index",
        "pid": _PROCESS,
        "tid": thread,
        "args": {"sort_index": place},
    }


def _meta(what: str, thread: int, name: str) -> Event:
    return {"ph": "M", "name": what, "pid": _PROCESS, "tid": thread, "args": {"name": name}}


def _requests(tape: Tape, series: Series) -> Iterator[Event]:
    requests = series.requests
    # Rounded to microseconds first, so that no part extends beyond its request.
    edges = np.round((requests.edges - series.start) * 1e6).astype(np.int64)
    for number in range(len(requests)):
        taped = tape.requests[number]
        ran = taped.bare
        reused, replayed, computed, decoded = requests.tokens[number].tolist()
        at = edges[number].tolist()
        thread = _conversation(taped.session)
        yield _slice(
            f"Request {number + 1}",
            "request",
            thread,
            at[0],
            at[-1],
            {
                "reused": reused,
                "replayed": replayed,
                "new": computed,
                "generated": decoded,
                "stop": ran.stop,
                "resumed_from": ran.resumed_from,
                "provenance": ran.provenance,
                "reason": ran.reason,
                "first_token_s": ran.first_token_s,
                "entry": taped.index,
            },
        )
        for part, name in enumerate(PARTS):
            if at[part + 1] > at[part]:
                args: Event = {"request": number + 1}
                yield _slice(name, "part", thread, at[part], at[part + 1], args)


def _slice(name: str, category: str, thread: int, start: int, end: int, args: Event) -> Event:
    return {
        "ph": "X",
        "name": name,
        "cat": category,
        "ts": start,
        "dur": end - start,
        "pid": _PROCESS,
        "tid": thread,
        "args": args,
    }


def _instants(series: Series) -> Iterator[Event]:
    events = series.events
    columns = zip(
        _stamps(events.time, series),
        events.row.tolist(),
        events.node.tolist(),
        events.index.tolist(),
        events.freed.tolist(),
        strict=True,
    )
    for ts, number, node, entry, (kv, state) in columns:
        row = events.rows[number]
        args: Event = {"tier": row.tier, "entry": entry}
        if row.cause:
            args["cause"] = row.cause
        if node >= 0:
            args["node"] = node
        if row.evicts:
            args |= {"kv_bytes": kv, "state_bytes": state, "copy": row.copy}
        yield {
            "ph": "i",
            "s": "t",
            "name": row.name,
            "cat": "eviction" if row.evicts else "cache",
            "ts": ts,
            "pid": _PROCESS,
            "tid": _FIRST_KIND + row.kind,
            "args": args,
        }


def _flows(tape: Tape, series: Series) -> Iterator[Event]:
    """From each eviction to the first request that missed what it took."""
    ledger = Ledger(tape)
    ledger.follow()
    for number, (event, request) in enumerate(missed_of(ledger, series)):
        events = series.events
        row, (ts,) = events.rows[events.row[event]], _stamps(events.time[[event]], series)
        thread = _FIRST_KIND + row.kind
        yield _slice(f"Missed by request {request + 1}", "missed", thread, ts, ts + 1, {})
        yield _flow("s", number, thread, ts)
        began, _ = _stamps(series.requests.edges[request, [0, -1]], series)
        yield _flow("f", number, _conversation(int(series.requests.session[request])), began)


def _flow(phase: str, number: int, thread: int, ts: int) -> Event:
    # It ends in the slice around its time, not in the next one.
    more = {"bp": "e"} if phase == "f" else {}
    return {
        "ph": phase,
        "name": "missed",
        "cat": "missed",
        "id": number,
        "ts": ts,
        "pid": _PROCESS,
        "tid": thread,
        **more,
    }


def _bytes(series: Series) -> Iterator[Event]:
    for tier, levels in series.levels.items():
        stamps = _stamps(levels.time, series)
        held = np.diff(levels.stack, axis=1, prepend=0).tolist()
        # The last of several changes at one time is the one in force.
        last = {ts: row for row, ts in enumerate(stamps)}
        for ts, row in last.items():
            args = dict(zip(LAYERS, held[row], strict=True))
            yield _counter(f"{tier} bytes", ts, args)
        for time, kv, state in levels.budgets.tolist():
            ts = round((time - series.start) * 1e6)
            planes = {"kv": int(kv), "state": int(state)}
            yield _counter(f"{tier} budget", ts, planes if tier != "disk" else {"files": int(kv)})


def _speed(series: Series) -> Iterator[Event]:
    """Tokens per second, from each point on."""
    sums, stamps = series.speed.sums, _stamps(series.speed.time, series)
    steps = np.diff(sums, axis=0)
    for ts, (prefill, decode, filling, writing) in zip(stamps[:-1], steps.tolist(), strict=True):
        made = {
            "prefill": prefill / filling if filling > 1e-9 else 0.0,
            "decode": decode / writing if writing > 1e-9 else 0.0,
        }
        yield _counter("tokens per second", ts, made)
    if stamps:
        yield _counter("tokens per second", stamps[-1], {"prefill": 0.0, "decode": 0.0})


def _counter(name: str, ts: int, args: Event) -> Event:
    return {"ph": "C", "name": name, "ts": ts, "pid": _PROCESS, "tid": 0, "args": args}


def _stamps(times: Any, series: Series) -> list[int]:
    """Microseconds since the start of the series."""
    made: list[int] = np.round((times - series.start) * 1e6).astype(np.int64).tolist()
    return made
