"""Requests and headers to write, read and replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.cache.journal.request_ran import RequestRan, bare_request
from engine.journal.settings import CacheSettings, TraceHeader

SETTINGS = CacheSettings(
    interval=64,
    decode_interval=8,
    kv_slots=400,
    state_slots=6,
    kv_slot_bytes=10,
    state_slot_bytes=1000,
    host_state_slot_bytes=1000,
)
HEADER = TraceHeader("tiny", "f00d", SETTINGS, 1e9, complete=True, hashed=True, text=False)


def request(prompt: Sequence[int], decoded: Sequence[int] = (), **known: Any) -> RequestRan:
    """A request that computed all of its prompt, with `known` put in."""
    ran = bare_request(np.asarray(prompt, np.int64), np.asarray(decoded, np.int64))
    timed = replace(
        ran,
        headroom=16,
        reason="first sight",
        lookup_ms=0.5,
        restore_ms=0.25,
        prefill_ms=100.0,
        first_token_s=0.125,
        total_s=1.0,
    )
    return replace(timed, **known)
