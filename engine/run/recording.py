"""Starting a trace of this engine: its header and settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from engine.cache.cache import TwoPlaneCache
from engine.config import EngineConfig
from engine.run.store import Store
from engine.trace.recorder import Recorder
from engine.trace.settings import CacheSettings, TraceHeader


def begin_recording(
    path: Path,
    store: Store,
    config: EngineConfig,
    model: str,
    notify: Callable[[str], None],
    *,
    text: bool,
) -> Recorder:
    """Start recording; call it between two requests.

    Args:
        notify: called on the writer's thread, with a sentence, if the file can no longer be
            written.
        text: record real token ids and answers instead of hashes.

    Raises:
        TraceError: the file cannot be written.
    """
    tiers: dict[str, TwoPlaneCache] = {"device": store.cache}
    if store.tiers.host is not None:
        tiers["host"] = store.tiers.host
    header = TraceHeader(
        model=model,
        fingerprint=store.namespace,
        settings=settings_of(store, config),
        started=time.time(),
        complete=store.history.complete,
        hashed=not text,
        text=text,
    )
    return Recorder(
        path,
        header,
        store.journal,
        tiers,
        time.monotonic(),
        before=store.history.entries(),
        notify=notify,
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
