"""Parses lines of a trace file, which is untrusted: every field has a type and bounds.

Each line is declared once, by the record it becomes: the record's fields are those of the line,
and their types determine how each is written.
"""

from __future__ import annotations

import inspect
import json
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any, NoReturn, get_args, get_type_hints

import msgspec
import numpy as np
from msgspec import structs
from msgspec.structs import astuple

from engine.cache.journal.changes import (
    CacheFound,
    CacheOpened,
    Change,
    CheckpointStored,
    NodeAdded,
    SegmentAdded,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import DiskOffer, RequestRan, TokenArray, bare_request
from engine.drafted import Drafted
from engine.errors import TraceError
from engine.field_check import misfit
from engine.journal.fields import Number, StateSaid, Text, Token, Whole
from engine.journal.lines import FORMAT, READABLE, REQUEST, VERSION, TracedRequest, TraceEntry
from engine.journal.settings import CacheSettings, TraceHeader
from engine.snapshot import CheckpointView, NodeView, Untold
from engine.stored_state import StoredState, TierName

MARCONI_HEADROOM = 256
NO_DEFAULT = inspect.Parameter.empty
STOPS = ("end", "length", "context", "cancelled", "stop string", "failed", "refused")
# The bytes of one token, two digits each.
Digits = Annotated[str, msgspec.Meta(max_length=1 << 16, pattern="^([0-9a-fA-F]{2})*$")]
_LINE = (("seq", Whole), ("ts", Number), ("tier", Text))


def _span(tokens: list[int]) -> bytes:
    """Token ids as the bytes of NodeAdded."""
    made = array("i", tokens)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


class _Checkpoint(StateSaid):
    slot: Whole
    bytes: Whole
    created: Number
    last_used: Number
    hits: Whole

    def view(self) -> CheckpointView:
        rest = (self.slot, self.bytes, self.created, self.last_used, self.hits)
        return CheckpointView(self.state(), *rest)


class _Offer(StateSaid):
    outcome: Text

    def offer(self) -> DiskOffer:
        return DiskOffer(self.outcome, self.state(self.tier or "disk"))


class _Format(msgspec.Struct):
    format: Text
    version: Whole


class _Stored(StateSaid, kw_only=True, tag_field="event", tag=CheckpointStored.__name__):
    """A checkpoint whose state's fields are inlined in its line.

    Both have a tier: the line's is where it was stored, the state's where it came from.
    """

    seq: Whole
    ts: Number
    tier: TierName
    node: Whole
    slot: Whole
    hits: Whole
    origin: TierName | None = None

    def entry(self, seq: int) -> TraceEntry:
        state = self.state(self.origin or self.tier)
        stored = CheckpointStored(self.node, self.slot, self.hits, state)
        return TraceEntry(Entry(self.seq, self.ts, self.tier, stored))


# By the type of a record's field: its form in a line, and the conversion from that.
_SAID: dict[Any, Any] = {
    int: Whole,
    int | None: Whole | None,
    float: Number,
    float | None: Number | None,
    str: Text,
    tuple[int, ...]: tuple[Token, ...],
    tuple[str, ...]: tuple[Text, ...],
    tuple[Untold, ...]: tuple[Text, ...],
    tuple[tuple[str, int], ...]: dict[str, Whole],
    tuple[tuple[int, bytes], ...]: list[tuple[Token, Digits]],
    tuple[tuple[int, float], ...]: tuple[tuple[Whole, Number], ...],
    bytes: list[Token],
    TokenArray: list[Token],
    StoredState: StateSaid,
    CheckpointView | None: _Checkpoint | None,
    tuple[DiskOffer, ...]: list[_Offer],
}
_MADE: dict[Any, Callable[[Any], object]] = {
    tuple[Untold, ...]: lambda said: tuple(one for one in get_args(Untold) if one in said),
    tuple[tuple[str, int], ...]: lambda said: tuple(said.items()),
    tuple[tuple[int, bytes], ...]: lambda said: tuple((n, bytes.fromhex(d)) for n, d in said),
    bytes: _span,
    TokenArray: lambda said: np.array(said, np.int64),
    StoredState: lambda said: said.state(said.tier or "disk"),
    CheckpointView | None: lambda said: said.view(),
    tuple[DiskOffer, ...]: lambda said: tuple(one.offer() for one in said),
}


class _Shape:
    """How a record is written in a line or a part of one.

    Attributes:
        struct: what is decoded: `more`, then the fields of the record.
    """

    def __init__(
        self,
        record: Any,
        *,
        tag: str | None = None,
        more: Sequence[tuple[Any, ...]] = (),
        older: Iterable[str] | None = None,
        leave: Iterable[str] = (),
        rename: dict[str, str] | None = None,
    ) -> None:
        """Declare it; without a tag it is a part that later declarations may contain.

        Args:
            older: fields that older files omit or have as null; None: all that have a default.
            leave: fields of the record that a line omits.
        """
        known = inspect.signature(record).parameters
        hints = {name: hint for name, hint in get_type_hints(record).items() if name not in leave}
        fields: list[tuple[Any, ...]] = []
        self._late: list[tuple[int, Any]] = []
        for at, (name, hint) in enumerate(hints.items()):
            said, default = _SAID.get(hint, hint), known[name].default
            if default is not NO_DEFAULT if older is None else name in older:
                self._late.append((at, None if default is NO_DEFAULT else default))
                fields.append((name, said | None, None))
            else:
                fields.append((name, said))
        self.struct: Any = msgspec.defstruct(
            record.__name__,
            [*more, *fields],
            tag=tag,
            tag_field=tag and "event",
            kw_only=True,
            rename=rename,
            gc=False,
        )
        whole = tuple(hints) == tuple(known)
        # Positional arguments take half the time of keywords.
        self._new = (
            record if whole else lambda *values: record(**dict(zip(hints, values, strict=True)))
        )
        self._first = len(more)
        self._made = [(at, _MADE[hint]) for at, hint in enumerate(hints.values()) if hint in _MADE]
        if tag is None:
            _SAID[record], _MADE[record] = self.struct, self.made

    def made(self, said: Any) -> Any:
        """The record for decoded data."""
        values = list(astuple(said)[self._first :])
        for at, made in self._made:
            if values[at] is not None:
                values[at] = made(values[at])
        for at, default in self._late:
            if values[at] is None:
                values[at] = default
        return self._new(*values)


_Shape(CacheOpened)
_NODE = _Shape(
    NodeView,
    more=[("tokens", list[Token] | None, None)],
    older=["checkpoint", "pinned"],
    leave=["speech", "owners", "key", "doubtful", "lane", "state_told"],
)
_SAID[tuple[NodeView, ...]] = GenericAlias(list, (_NODE.struct,))
_MADE[tuple[NodeView, ...]] = lambda said: tuple(map(_NODE.made, said))
_Shape(CacheSettings, older=["mixture", "drafts", "most_drafted"])
_HEADER = _Shape(TraceHeader)
_COUNTS = [(name, Whole) for name in ("turn_id", "num_input_tokens", "num_output_tokens")]
_NAMES = {"prompt": "input_tokens", "decoded": "output_tokens", "owner": "session_id"}
_Shape(Drafted, older=[])
_RAN = _Shape(
    RequestRan,
    tag=REQUEST,
    more=[("seq", Whole), ("ts", Number), *_COUNTS],
    older=["one_shot", "drafts"],
    rename=_NAMES,
)
_MARCONI = msgspec.defstruct(
    "Marconi",
    [("ts", Number), *_COUNTS, ("owner", Whole), ("prompt", list[Token]), ("decoded", list[Token])],
    rename=_NAMES,
)


def read_header(raw: dict[str, Any]) -> TraceHeader:
    """Raises TraceError if the line is not a Biplane header or has an unsupported version."""
    about = _checked(raw, _Format)
    if about.format != FORMAT:
        raise TraceError(f'the format is not "{FORMAT}"')
    if about.version not in READABLE:
        raise TraceError(
            f"the format version is above {VERSION}: it needs a newer version of Biplane"
        )
    header: TraceHeader = _HEADER.made(_checked(raw, _HEADER.struct))
    if header.settings.absurd:
        raise TraceError(f'"{header.settings.absurd}" is larger than any cache')
    return header


def read_line(raw: bytes, seq: int) -> TraceEntry | None:
    """One line after the header; `seq` numbers a line without its own number.

    None if it is not a JSON object. Raises TraceError naming a field that is missing or wrong.
    """
    try:
        said = _LINES.decode(raw.decode())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        plain = parsed(raw)
        if plain is None:
            return None
        said = _checked(plain, _LINES.type if plain.get("event") is not None else _MARCONI)
    return _READERS[type(said)](said, seq)


def parsed(raw: bytes) -> dict[str, Any] | None:
    """A line as plain data, None if it is not a JSON object."""
    try:
        plain = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _checked(plain: dict[str, Any], shape: Any) -> Any:
    try:
        return msgspec.convert(plain, shape)
    except msgspec.ValidationError as error:
        field, clause = misfit(error)
        raise TraceError(f'"{field}" {clause}') from None
    except UnicodeError:
        raise TraceError("it has text that is not Unicode") from None


def _change(made: Callable[[Any], Any], said: Any, seq: int) -> TraceEntry:
    what = made(said)
    if isinstance(what, CacheFound):
        what = structs.replace(what, tokens=_spans(said.nodes))
    elif isinstance(what, (NodeAdded, SegmentAdded)) and what.tokens:
        _check_span(said)
    return TraceEntry(Entry(said.seq, said.ts, said.tier, what))


def _spans(nodes: list[Any]) -> tuple[bytes, ...]:
    """The tokens of every node; empty if any are unknown."""
    if any(node.tokens is None for node in nodes):
        return ()
    for node in nodes:
        _check_span(node)
    spans = tuple(_span(node.tokens) for node in nodes)
    return spans if any(spans) else ()


def _check_span(said: Any) -> None:
    if len(said.tokens) != max(said.end - said.start, 0):
        raise TraceError('"tokens" has another length than the span')


def _request(said: Any, seq: int) -> TraceEntry:
    ran: RequestRan = _RAN.made(said)
    if ran.stop not in STOPS:
        raise TraceError(f'"stop" is not one of {", ".join(STOPS)}')
    if ran.reused + ran.replayed + ran.computed != len(ran.prompt):
        raise TraceError("reused, replayed and computed do not sum to the prompt")
    if ran.position > len(ran.prompt) + len(ran.decoded):
        raise TraceError("more tokens were applied than there are")
    if not ran.drafts.of(len(ran.decoded)):
        raise TraceError("the drafts are not those of the answer")
    if not all(0 < offer.state.position <= len(ran.prompt) for offer in ran.offers):
        raise TraceError("a disk offer is outside the prompt")
    return _traced(said, ran, said.seq, recorded=True)


def _marconi(said: Any, seq: int) -> TraceEntry:
    prompt, decoded = (np.array(ids, np.int64) for ids in (said.prompt, said.decoded))
    ran = bare_request(prompt, decoded, seq)
    ran = replace(ran, headroom=min(len(decoded), MARCONI_HEADROOM))
    return _traced(said, ran, seq, recorded=False)


def _traced(said: Any, ran: RequestRan, seq: int, *, recorded: bool) -> TraceEntry:
    if not len(ran.prompt):
        raise TraceError("the prompt is empty")
    if (said.num_input_tokens, said.num_output_tokens) != (len(ran.prompt), len(ran.decoded)):
        raise TraceError("the token count does not match the list of tokens")
    # 0 means no owner.
    ran = replace(ran, owner=said.owner + 1)
    traced = TracedRequest(said.owner, said.turn_id, ran, recorded)
    return TraceEntry(Entry(seq, said.ts, "device", ran), traced)


def _readers() -> dict[Any, Callable[[Any, int], TraceEntry]]:
    """A reader for every struct that a line is decoded to."""
    made: dict[Any, Callable[[Any, int], TraceEntry]]
    made = {_RAN.struct: _request, _Stored: _Stored.entry}
    for kind in Change.__subclasses__():
        if kind is not CheckpointStored:
            # A found cache's spans are written in its nodes.
            leave = ["tokens"] if kind is CacheFound else []
            shape = _Shape(kind, tag=kind.__name__, more=_LINE, leave=leave)
            made[shape.struct] = partial(_change, shape.made)
    return made


_READERS = _readers()
_LINES = msgspec.json.Decoder(reduce(or_, _READERS))
_READERS[_MARCONI] = _marconi
