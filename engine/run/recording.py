"""Starting a trace of this engine: its header and settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from engine.cache.cache import TwoPlaneCache
from engine.config import EngineConfig
from engine.run.store import Store
from engine.trace.feed import Feed
from engine.trace.narrator import Beside
from engine.trace.pieces import PieceOf
from engine.trace.recorder import Recorder, beginning
from engine.trace.settings import CacheSettings, TraceHeader


def begin_recording(
    path: Path,
    store: Store,
    config: EngineConfig,
    model: str,
    notify: Callable[[str], None],
    piece: PieceOf,
    *,
    text: bool,
) -> Recorder:
    """Start recording; call it between two requests.

    Args:
        notify: called on the writer's thread, with a sentence, if the file can no longer be
            written.
        piece: the bytes of a token id.
        text: record real token ids, their text and the answers instead of hashes.

    Raises:
        TraceError: the file cannot be written.
    """
    return Recorder(
        path,
        _header(store, config, model, text=text),
        store.journal,
        _caches(store),
        time.monotonic(),
        before=store.history.entries(),
        piece=piece if text else None,
        beside=_beside(store),
        notify=notify,
    )


def begin_feed(store: Store, config: EngineConfig, model: str, piece: PieceOf) -> Feed:
    """Start handing the journal to a viewer; call it between two requests."""
    caches, now = _caches(store), time.monotonic()
    header = _header(store, config, model, text=True)
    first = beginning(store.history.entries(), store.journal, caches, now, _beside(store))
    return Feed(header, store.journal, caches, piece, first)


def _caches(store: Store) -> dict[str, TwoPlaneCache]:
    host = store.tiers.host
    return {"device": store.cache} | ({} if host is None else {"host": host})


def _beside(store: Store) -> Beside:
    memory = store.memory()
    # The live slot is the one outside the cache.
    return Beside(1, memory.weights, memory.workspace, store.tiers.quarantined)


def _header(store: Store, config: EngineConfig, model: str, *, text: bool) -> TraceHeader:
    return TraceHeader(
        model=model,
        fingerprint=store.namespace,
        settings=settings_of(store, config),
        started=time.time(),
        complete=store.history.complete,
        hashed=not text,
        text=text,
    )


def settings_of(store: Store, config: EngineConfig) -> CacheSettings:
    """The caches' initial settings."""
    device = store.cache.opened
    host = None if store.tiers.host is None else store.tiers.host.opened
    return CacheSettings(
        policy=config.policy,
        mode=config.mode,
        interval=config.interval,
        decode_interval=config.decode_interval,
        kv_slots=device.kv_slots,
        state_slots=device.state_slots,
        host_kv_slots=0 if host is None else host.kv_slots,
        host_state_slots=0 if host is None else host.state_slots,
        host_format=config.compression,
        kv_slot_bytes=device.kv_slot_bytes,
        state_slot_bytes=device.state_slot_bytes,
        host_state_slot_bytes=(device if host is None else host).state_slot_bytes,
        state_share=config.state_share,
        adaptive=config.rebalance,
        disk=store.tiers.disk is not None,
    )
