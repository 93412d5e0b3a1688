"""Lines of a trace file: one JSON object each, a header first, then one entry per line.

A request's line has the fields of a Marconi trace (session_id, turn_id, ts, num_input_tokens,
num_output_tokens, input_tokens, output_tokens) and additional ones of our own. Every other line
has an "event" field with its type. So a Marconi reader can use the request lines unchanged, and a
file of plain Marconi lines can be replayed here.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from msgspec import Struct, structs

from engine.cache.journal.changes import (
    ByUser,
    CacheFound,
    CheckpointStored,
    NodeAdded,
    Owned,
    Pieces,
    RequestBegan,
    SegmentAdded,
    SegmentsUsed,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import DiskOffer, RequestRan
from engine.journal.fields import state_fields, verdict_fields
from engine.journal.settings import TraceHeader
from engine.plain import as_plain

FORMAT = "biplane trace"
# Since 2 a line has the tier a checkpoint was stored on and may have the tokens of spans; since 3
# the disk tier's segments are included.
VERSION = 3
READABLE = (1, 2, 3)
HEADER = "header"
REQUEST = "request"
TIMES = frozenset({"created", "last_used", "time"})


@dataclass(frozen=True, slots=True)
class TracedRequest:
    """A request of a trace.

    Attributes:
        session_id, turn_id: the conversation, and the turn in it, from 0.
        recorded: it ran on a cache and records what it reused; a Marconi line is only a request.
    """

    session_id: int
    turn_id: int
    ran: RequestRan
    recorded: bool


class TraceEntry(Struct, frozen=True, gc=False):
    """One line: a journal entry; a request also has its place in a session."""

    entry: Entry
    request: TracedRequest | None = None


def header_line(header: TraceHeader) -> str:
    return _line({"event": HEADER, "format": FORMAT, "version": VERSION, **asdict(header)})


def entry_line(entry: Entry, origin: float, request: TracedRequest | None = None) -> str:
    """The line of an entry; times are seconds after `origin`."""
    ts = entry.time - origin
    if request is not None:
        return _line(_request(request, ts, entry.seq))
    what = entry.what
    assert not isinstance(what, RequestRan), "a request needs its place in a session"
    head = {"event": type(what).__name__, "seq": entry.seq, "ts": ts, "tier": entry.tier}
    if isinstance(what, CacheFound):
        return _line(head | _found(what, origin))
    if isinstance(what, CheckpointStored):
        own = {"node": what.node, "slot": what.slot, "hits": what.hits}
        # Both have a tier: the line's is where it was stored, the state's where it came from.
        return _line(state_fields(what.state) | {"origin": what.state.tier} | head | own)
    if isinstance(what, NodeAdded | Owned | RequestBegan):
        return _line(head | structs.asdict(what) | _tokens(what.tokens))
    if isinstance(what, SegmentAdded):
        return _line(head | _segment(what, origin))
    if isinstance(what, SegmentsUsed):
        return _line(head | {"keys": what.keys, "used": what.used - origin})
    if isinstance(what, Pieces):
        return _line(head | {"pieces": [[one, piece.hex()] for one, piece in what.pieces]})
    if isinstance(what, ByUser):
        return _line(head | structs.asdict(what) | {"offers": [_offer(one) for one in what.offers]})
    return _line(head | structs.asdict(what))


def _request(request: TracedRequest, ts: float, seq: int) -> dict[str, Any]:
    ran = request.ran
    own = {
        field.name: getattr(ran, field.name)
        for field in fields(ran)
        if field.name not in ("prompt", "decoded", "offers", "owner", "drafts")
    }
    return {
        "event": REQUEST,
        "session_id": request.session_id,
        "turn_id": request.turn_id,
        "ts": ts,
        "num_input_tokens": len(ran.prompt),
        "num_output_tokens": len(ran.decoded),
        "input_tokens": ran.prompt.tolist(),
        "output_tokens": ran.decoded.tolist(),
        "seq": seq,
        **own,
        "offers": [_offer(offer) for offer in ran.offers],
        "drafts": asdict(ran.drafts) | {"tried": _numbers(ran.drafts.tried)},
    }


def _offer(offer: DiskOffer) -> dict[str, Any]:
    return {"outcome": offer.outcome, **state_fields(offer.state)}


def _found(what: CacheFound, origin: float) -> dict[str, Any]:
    nodes = []
    for node, tokens in zip(what.nodes, what.tokens or (b"",) * len(what.nodes), strict=True):
        raw = as_plain(node) | _tokens(tokens)
        held = raw["checkpoint"] or {}
        if node.checkpoint is not None:
            held["chain"] = held.pop("cut_hash")
        for part in (raw, held, held.get("verdict") or {}):
            for name in TIMES.intersection(part):
                part[name] -= origin
        nodes.append(raw)
    return {
        "opened": structs.asdict(what.opened),
        "nodes": nodes,
        "live_kv": what.live_kv,
        "live_states": what.live_states,
        "evicted": dict(what.evicted),
        "skipped": what.skipped,
        "own_states": what.own_states,
        "weights": what.weights,
        "workspace": what.workspace,
        "quarantined": what.quarantined,
    }


def _segment(what: SegmentAdded, origin: float) -> dict[str, Any]:
    verdict = what.state.verdict
    times = {"created": what.created - origin, "used": what.used - origin}
    own = structs.asdict(what) | times
    own["state"] = state_fields(what.state)
    own["state"]["verdict"] = verdict and verdict_fields(verdict, origin)
    return own | _tokens(what.tokens)


def _tokens(tokens: bytes) -> dict[str, list[int]]:
    return {"tokens": _numbers(tokens)}


def _numbers(packed: bytes) -> list[int]:
    found: list[int] = np.frombuffer(packed, "<i4").tolist()
    return found


def _line(raw: dict[str, Any]) -> str:
    return json.dumps(raw, separators=(",", ":"), allow_nan=False) + "\n"
