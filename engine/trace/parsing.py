"""Parses lines of a trace file; every field is validated, since the file is untrusted."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from engine.cache.journal import changes
from engine.cache.journal.changes import (
    ByUser,
    CacheFound,
    CacheOpened,
    CheckpointStored,
    NodeAdded,
    Pieces,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import DiskOffer, RequestKind, RequestRan, bare_request
from engine.cache.journal.segments import SegmentAdded
from engine.config import Mode, StateFormat
from engine.errors import TraceError
from engine.snapshot import CheckpointView, NodeView, Untold
from engine.stored_state import Provenance, StoredState, TierName, Why
from engine.trace.fields import LONGEST_TEXT, MOST, Fields, read_state
from engine.trace.lines import FORMAT, READABLE, REQUEST, VERSION, TracedRequest, TraceEntry
from engine.trace.settings import CacheSettings, TraceHeader

MARCONI_HEADROOM = 256
STOPS = ("end", "length", "context", "cancelled", "stop string", "failed", "refused")
# Of a cache that a recording found; older files do not have them.
BESIDE = ("own_states", "weights", "workspace", "quarantined")
KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(changes.Change)}
HINTS = {kind: get_type_hints(kind) for kind in KINDS.values()}
Reader = Callable[[dict[str, Any]], Entry | None]
_INT = "type({0}) is int and 0 <= {0} < MOST"
_TESTS: dict[Any, str] = {
    int: _INT,
    int | None: "({0} is None or " + _INT + ")",
    # Neither infinities nor what is not a number pass the comparisons.
    float: "type({0}) is float and -MOST < {0} < MOST",
    str: "type({0}) is str and len({0}) <= LONGEST_TEXT",
    bool: "type({0}) is bool",
    bytes: "({0} := span({0})) is not None",
}
_PROVENANCES, _FORMATS = frozenset(get_args(Provenance)), frozenset(get_args(StateFormat))
_TIERS, _WHYS = frozenset(get_args(TierName)), frozenset(get_args(Why))


def quick_entry(raw: object) -> Entry | None:
    """The entry of a parsed line; None if the careful reader has to look at it."""
    if type(raw) is not dict:
        return None
    try:
        return _READERS[raw["event"]](raw)
    except (KeyError, TypeError):
        return None


def _quick_lines_span(tokens: object) -> bytes | None:
    """Token ids as the bytes of NodeAdded; None if they are not token ids."""
    if type(tokens) is not list:
        return None
    if not tokens:
        return b""
    if set(map(type, tokens)) != {int} or min(tokens) < 0:
        return None
    try:
        made = array("i", tokens)
    except OverflowError:
        return None
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _reader(kind: Any) -> Reader:
    """A function that reads lines of one kind; a field with a default may be missing."""
    known: dict[str, Any] = {
        "MOST": MOST,
        "LONGEST_TEXT": LONGEST_TEXT,
        "Entry": Entry,
        "Kind": kind,
        "span": _quick_lines_span,
    }
    hints = get_type_hints(kind)
    lines, tests = [], []
    for name, said in {"seq": int, "ts": float, "tier": str, **hints}.items():
        taken = f'raw["{name}"]'
        if name in kind._field_defaults and said is not bytes:
            known[f"_{name}"] = kind._field_defaults[name]
            taken += f' if raw.get("{name}") is not None else _{name}'
        lines.append(f"    {name} = {taken}\n")
        tests.append(_TESTS[said].format(name))
    if kind is NodeAdded:
        tests.append("len(tokens) in (0, 4 * (end - start))")
    made = f"Entry(seq, ts, tier, Kind({', '.join(hints)}))"
    exec(
        f"def read(raw):\n{''.join(lines)}    return {made} if {' and '.join(tests)} else None\n",
        known,
    )
    reader: Reader = known["read"]
    return reader


def _stored(raw: dict[str, Any]) -> Entry | None:
    """A checkpoint, whose state stands among the fields of its line."""
    if "verdict" in raw or raw.get("exact") is not None:
        return None
    seq, ts, tier = raw["seq"], raw["ts"], raw["tier"]
    node, slot, hits = raw["node"], raw["slot"], raw["hits"]
    for number in (seq, node, slot, hits):
        if type(number) is not int or not 0 <= number < MOST:
            return None
    if type(ts) is not float or not -MOST < ts < MOST or tier not in _TIERS:
        return None
    state = _state(
        raw["position"],
        raw["provenance"],
        raw["chain"],
        raw["has_hidden"],
        raw["stored"],
        raw["error"],
        raw["origin"],
        raw["why"],
    )
    if state is None:
        return None
    return Entry(seq, ts, tier, CheckpointStored(node, slot, hits, state))


# The copies of a state on several tiers are one object.
@lru_cache(maxsize=4096, typed=True)
def _state(
    position: int,
    provenance: Provenance,
    chain: int | None,
    has_hidden: bool,
    stored: StateFormat,
    error: float,
    origin: TierName,
    why: Why,
) -> StoredState | None:
    known = (
        type(position) is int
        and 0 <= position < MOST
        and (chain is None or (type(chain) is int and 0 <= chain < MOST))
        and type(has_hidden) is bool
        and type(error) is float
        and -MOST < error < MOST
        and provenance in _PROVENANCES
        and stored in _FORMATS
        and origin in _TIERS
        and why in _WHYS
    )
    if not known:
        return None
    return StoredState(position, provenance, chain, has_hidden, stored, error, origin, None, why)


def _readers() -> dict[str, Reader]:
    made: dict[str, Reader] = {"CheckpointStored": _stored}
    for kind in get_args(changes.Change):
        hints = get_type_hints(kind)
        if kind not in (CheckpointStored, changes.Pieces) and set(hints.values()) <= _TESTS.keys():
            made[kind.__name__] = _reader(kind)
    return made


_READERS = _readers()


def read_header(raw: Fields) -> TraceHeader:
    """Raises TraceError if the line is not a Biplane header or has another version."""
    if raw.text("format") != FORMAT:
        raise TraceError(f'the format is not "{FORMAT}"')
    if raw.whole("version") not in READABLE:
        raise TraceError(
            f"the format version is above {VERSION}: it needs a newer version of Biplane"
        )
    said = raw.inner("settings")
    settings = CacheSettings(
        policy=said.text("policy"),
        mode=said.one_of("mode", get_args(Mode)),
        interval=said.whole("interval"),
        decode_interval=said.whole("decode_interval"),
        kv_slots=said.whole("kv_slots"),
        state_slots=said.whole("state_slots"),
        host_kv_slots=said.whole("host_kv_slots"),
        host_state_slots=said.whole("host_state_slots"),
        host_format=said.one_of("host_format", get_args(StateFormat)),
        kv_slot_bytes=said.whole("kv_slot_bytes"),
        state_slot_bytes=said.whole("state_slot_bytes"),
        host_state_slot_bytes=said.whole("host_state_slot_bytes"),
        state_share=said.number("state_share"),
        adaptive=said.flag("adaptive"),
        disk=said.flag("disk"),
        # Older files do not say.
        mixture=said.has("mixture") and said.flag("mixture"),
    )
    if settings.absurd:
        raise TraceError(f'"{settings.absurd}" is larger than any cache')
    return TraceHeader(
        model=raw.text("model"),
        fingerprint=raw.text("fingerprint"),
        settings=settings,
        started=raw.number("started"),
        complete=raw.flag("complete"),
        hashed=raw.flag("hashed"),
        text=raw.flag("text"),
        untold=tuple(one for one in get_args(Untold) if one in _texts(raw, "untold")),
        lanes=_texts(raw, "lanes"),
        hash_window=raw.whole("hash_window") if raw.has("hash_window") else 0,
    )


def _texts(raw: Fields, name: str) -> tuple[str, ...]:
    """Of a field that older files do not have."""
    return raw.texts(name) if raw.has(name) else ()


def read_entry(raw: Fields, seq: int) -> TraceEntry:
    """One line after the header; `seq` numbers a line without its own number."""
    if not raw.has("event"):
        return _marconi(raw, seq)
    event = raw.text("event")
    if event == REQUEST:
        traced = TracedRequest(raw.whole("session_id"), raw.whole("turn_id"), _ran(raw), True)
        entry = Entry(raw.whole("seq"), raw.number("ts"), "device", traced.ran)
        return TraceEntry(entry, traced)
    kind = KINDS.get(event)
    if kind is None:
        raise TraceError(f'"{event[:40]}" is not a known event')
    what = _cache_found(raw) if kind is CacheFound else _change(kind, raw)
    return TraceEntry(Entry(raw.whole("seq"), raw.number("ts"), raw.text("tier"), what))


def _change(kind: Any, raw: Fields) -> Any:
    reads: dict[Any, Callable[[str], object]] = {
        int: raw.whole,
        int | None: raw.maybe_whole,
        float: raw.number,
        str: raw.text,
        bool: raw.flag,
        tuple[int, ...]: lambda name: tuple(raw.tokens(name).tolist()),
        tuple[str, ...]: raw.texts,
        bytes: lambda name: raw.tokens(name).astype("<i4").tobytes(),
        StoredState: lambda name: read_state(raw.inner(name), "disk"),
    }
    if kind is Pieces:
        return Pieces(raw.pieces("pieces"))
    if kind is CheckpointStored:
        state = read_state(raw)
        if raw.has("origin"):
            state = state.on(raw.one_of("origin", get_args(TierName)))
        return CheckpointStored(raw.whole("node"), raw.whole("slot"), raw.whole("hits"), state)
    if kind is ByUser:
        return ByUser(
            raw.text("action"),
            tuple(raw.tokens("tokens").tolist()),
            raw.wholes("cuts"),
            raw.wholes("splits"),
            raw.whole("ran_to"),
            tuple(_offer(offer) for offer in raw.each("offers")),
        )
    # Fields with a default were added later: older files do not have them.
    there = {
        n: said for n, said in HINTS[kind].items() if n not in kind._field_defaults or raw.has(n)
    }
    change = kind(**{name: reads[said](name) for name, said in there.items()})
    if kind in (NodeAdded, SegmentAdded) and len(change.tokens) not in (
        0,
        4 * (change.end - change.start),
    ):
        raise TraceError('"tokens" has another length than the span')
    return change


def _cache_found(raw: Fields) -> CacheFound:
    nodes = raw.each("nodes")
    told = all(node.has("tokens") for node in nodes)
    spans = tuple(_span(node) for node in nodes if told)
    return CacheFound(
        opened=_change(CacheOpened, raw.inner("opened")),
        nodes=tuple(_node(node) for node in nodes),
        live_kv=raw.whole("live_kv"),
        live_states=raw.whole("live_states"),
        evicted=raw.counts("evicted"),
        skipped=raw.whole("skipped"),
        tokens=spans if any(spans) else (),
        **{name: raw.whole(name) for name in BESIDE if raw.has(name)},
    )


def _span(node: Fields) -> bytes:
    tokens = node.tokens("tokens")
    if len(tokens) != max(node.whole("end") - node.whole("start"), 0):
        raise TraceError('"tokens" has another length than the span')
    return tokens.astype("<i4").tobytes()


def _node(raw: Fields) -> NodeView:
    held = _checkpoint(raw.inner("checkpoint")) if raw.has("checkpoint") else None
    return NodeView(
        id=raw.whole("id"),
        parent=raw.maybe_whole("parent"),
        start=raw.whole("start"),
        end=raw.whole("end"),
        kv_lock=raw.whole("kv_lock"),
        state_lock=raw.whole("state_lock"),
        kv_bytes=raw.whole("kv_bytes"),
        created=raw.number("created"),
        last_used=raw.number("last_used"),
        hits=raw.whole("hits"),
        checkpoint=held,
        text=raw.text("text"),
        tier=raw.text("tier"),
        pinned=raw.has("pinned") and raw.flag("pinned"),
    )


def _checkpoint(raw: Fields) -> CheckpointView:
    return CheckpointView(
        state=read_state(raw),
        slot=raw.whole("slot"),
        bytes=raw.whole("bytes"),
        created=raw.number("created"),
        last_used=raw.number("last_used"),
        hits=raw.whole("hits"),
    )


def _ran(raw: Fields) -> RequestRan:
    ran = RequestRan(
        request=raw.whole("request"),
        kind=raw.one_of("kind", get_args(RequestKind)),
        reuse=raw.flag("reuse"),
        prompt=raw.tokens("input_tokens"),
        decoded=raw.tokens("output_tokens"),
        anchors=raw.wholes("anchors"),
        headroom=raw.whole("headroom"),
        position=raw.whole("position"),
        stop=raw.one_of("stop", STOPS),
        drops=raw.wholes("drops"),
        offers=tuple(_offer(offer) for offer in raw.each("offers")),
        reused=raw.whole("reused"),
        replayed=raw.whole("replayed"),
        computed=raw.whole("computed"),
        resumed_from=raw.text("resumed_from"),
        provenance=raw.text("provenance"),
        reason=raw.text("reason"),
        lookup_ms=raw.number("lookup_ms"),
        restore_ms=raw.number("restore_ms"),
        prefill_ms=raw.number("prefill_ms"),
        first_token_s=raw.maybe_number("first_token_s"),
        total_s=raw.number("total_s"),
        text=raw.text("text"),
        # 0 is nobody.
        owner=raw.whole("session_id") + 1,
        one_shot=raw.has("one_shot") and raw.flag("one_shot"),
    )
    _check_sizes(raw, ran)
    if ran.reused + ran.replayed + ran.computed != len(ran.prompt):
        raise TraceError("reused, replayed and computed do not sum to the prompt")
    if ran.position > len(ran.prompt) + len(ran.decoded):
        raise TraceError("more tokens were applied than there are")
    if not all(0 < offer.state.position <= len(ran.prompt) for offer in ran.offers):
        raise TraceError("a disk offer is outside the prompt")
    return ran


def _offer(raw: Fields) -> DiskOffer:
    return DiskOffer(raw.text("outcome"), read_state(raw, "disk"))


def _marconi(raw: Fields, seq: int) -> TraceEntry:
    prompt, decoded = raw.tokens("input_tokens"), raw.tokens("output_tokens")
    ran = replace(
        bare_request(prompt, decoded, seq),
        headroom=min(len(decoded), MARCONI_HEADROOM),
        owner=raw.whole("session_id") + 1,
    )
    _check_sizes(raw, ran)
    traced = TracedRequest(raw.whole("session_id"), raw.whole("turn_id"), ran, False)
    return TraceEntry(Entry(seq, raw.number("ts"), "device", ran), traced)


def _check_sizes(raw: Fields, ran: RequestRan) -> None:
    if not len(ran.prompt):
        raise TraceError("the prompt is empty")
    sizes = raw.whole("num_input_tokens"), raw.whole("num_output_tokens")
    if sizes != (len(ran.prompt), len(ran.decoded)):
        raise TraceError("the token count does not match the list of tokens")
