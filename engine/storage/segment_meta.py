"""A segment's description without its bytes, as text from an untrusted file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from engine.config import StateFormat
from engine.stored_state import Provenance, StoredState, Why
from engine.verdict import Verdict, VerdictStatus

SUFFIX = ".safetensors"
KEY = re.compile(r"[0-9a-f]{32}")
FILE_NAME = re.compile(KEY.pattern + re.escape(SUFFIX))
# Hashes and positions fit; a number of a thousand digits would break later arithmetic.
MOST = 1 << 63
# The types of a segment's fields in a file; the verdict is looked at on its own.
KINDS: dict[str, tuple[type, ...]] = {
    "key": (str,),
    "parent": (str,),
    "start": (int,),
    "end": (int,),
    "provenance": (str,),
    "chain": (int, type(None)),
    "has_hidden": (bool,),
    "stored": (str,),
    "error": (float, int),
    "created": (float, int),
    "verdict": (list, type(None)),
}


@dataclass(frozen=True, slots=True)
class SegmentMeta:
    """A segment's description: everything needed before its bytes are read.

    Times are seconds since 1970.

    Attributes:
        key: hash of the tokens [0, end): names the state and the file.
        parent: key of the segment that ends at `start`, "" where it starts at 0.
        start: the segment has the tokens and the KV of [start, end), and the state at `end`.
        created: when the state was stored.
        state: the state at `end`; its error may be infinite.
    """

    key: str
    parent: str
    start: int
    created: float
    state: StoredState

    @property
    def end(self) -> int:
        return self.state.position

    @property
    def file_name(self) -> str:
        return self.key + SUFFIX


def meta_text(meta: SegmentMeta) -> str:
    """The text stored in a file: JSON, but with Infinity for infinite figures."""
    state, verdict = meta.state, meta.state.verdict
    # In this order: the text has a checksum.
    raw = {
        "key": meta.key,
        "parent": meta.parent,
        "start": meta.start,
        "end": meta.end,
        "provenance": state.provenance,
        "chain": state.cut_hash,
        "has_hidden": state.has_hidden,
        "stored": state.stored,
        "error": state.error,
        "created": meta.created,
        "verdict": verdict and (verdict.status, verdict.largest, verdict.kl, verdict.time),
    }
    assert raw.keys() == KINDS.keys(), "every field of a file has a type"
    # Older files have no such field.
    return json.dumps(raw | ({"why": state.why} if state.why else {}))


def meta_of(text: str) -> SegmentMeta:
    """The segment described by a text.

    Raises TypeError, ValueError or LookupError: a correct checksum does not imply trust.
    """
    raw: Mapping[str, Any] = json.loads(text)
    for name, kinds in KINDS.items():
        if type(raw[name]) not in kinds:
            raise TypeError(f"{name} of a segment")
    for name in ("start", "end", "chain", "error", "created"):
        _check_figure(raw[name])
    if raw["provenance"] not in get_args(Provenance) or raw["stored"] not in get_args(StateFormat):
        raise ValueError("state of a segment")
    state = StoredState(
        position=raw["end"],
        provenance=raw["provenance"],
        cut_hash=raw["chain"],
        has_hidden=raw["has_hidden"],
        stored=raw["stored"],
        error=raw["error"],
        tier="disk",
        verdict=None if raw["verdict"] is None else _verdict(raw["verdict"]),
        why=_why(raw.get("why", "")),
    )
    meta = SegmentMeta(raw["key"], raw["parent"], raw["start"], raw["created"], state)
    _check_sense(meta)
    return meta


def _why(raw: object) -> Why:
    """Whatever else a file says of it, a newer version's for instance, is not known here."""
    return next((why for why in get_args(Why) if why == raw), "")


def _verdict(raw: list[Any]) -> Verdict:
    status, *figures = raw
    if len(figures) != 3 or not {type(figure) for figure in figures} <= {float, int}:
        raise TypeError("verdict of a segment")
    for figure in figures:
        _check_figure(figure)
    if status not in get_args(VerdictStatus):
        raise ValueError("verdict of a segment")
    return Verdict(status, *figures)


def _check_figure(figure: float | None) -> None:
    if isinstance(figure, int) and abs(figure) >= MOST:
        raise ValueError("a figure of a segment")


def _check_sense(meta: SegmentMeta) -> None:
    """Raises ValueError if the fields are inconsistent."""
    if not 0 <= meta.start < meta.end:
        raise ValueError("span of a segment")
    # Only what starts at 0 hangs under the root.
    if bool(meta.parent) != bool(meta.start):
        raise ValueError("parent of a segment")
    if not KEY.fullmatch(meta.key) or (meta.parent and not KEY.fullmatch(meta.parent)):
        raise ValueError("key of a segment")
    if not math.isfinite(meta.created):
        raise ValueError("time of a segment")
