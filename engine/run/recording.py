"""Recordings of this engine: trace files and feeds for viewers."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.journal import Entry
from engine.cache.owners import Owners, owned_records
from engine.config import EngineConfig
from engine.journal.feed import Feed
from engine.journal.narrator import Beside, PieceOf
from engine.journal.recorder import Recorder, Recording, beginning
from engine.journal.settings import CacheSettings, TraceHeader
from engine.run.running import Running
from engine.run.store import Store
from engine.run.tuning import Tuning


class Recordings:
    """The trace file being written, if any, and feeds for viewers.

    A file starts and ends between two requests, a feed at any time.
    """

    def __init__(
        self,
        store: Store,
        tuning: Tuning,
        model: str,
        piece: PieceOf,
        owners: Owners,
        running: Running,
        notify: Callable[[str], None],
    ) -> None:
        """Records nothing yet.

        Args:
            model: its name.
            piece: the bytes of a token id.
            owners: the owner of each sequence.
            running: the running request.
            notify: called on the writer's thread, with a sentence, if a file can no longer be
                written.
        """
        self._store, self._tuning, self._model = store, tuning, model
        self._piece, self._owners, self._running = piece, owners, running
        self._notify = notify
        self._recorder: Recorder | None = None

    def start(self, path: Path, *, text: bool) -> None:
        """Start a trace file; a previous one ends. Raises TraceError if it cannot be written.

        `text`: with real token ids, their text and the answers instead of hashes.
        """
        self.stop()
        store = self._store
        self._recorder = Recorder(
            path,
            self._header(text=text),
            store.journal,
            _caches(store),
            time.monotonic(),
            before=store.history.entries(),
            piece=self._piece if text else None,
            owned=owned_records(self._owners),
            beside=_beside(store),
            disk=store.lower.disk,
            notify=self._notify,
        )

    def stop(self) -> Recording | None:
        """End the trace file; None if none was being written."""
        recorder, self._recorder = self._recorder, None
        return None if recorder is None else recorder.stop()

    def feed(self, *, history: bool = True) -> Feed:
        """All journal entries from now on, for a viewer.

        history: preceded by the requests so far.
        """
        store, caches, now = self._store, _caches(self._store), time.monotonic()
        disk, before = store.lower.disk, store.history.entries() if history else ()
        owned = owned_records(self._owners)
        first = beginning(before, store.journal, caches, now, _beside(store), disk, owned)
        running = (Entry(store.journal.seq, now, "device", one) for one in self._running.changes())
        return Feed(
            self._header(text=True),
            store.journal,
            caches,
            self._piece,
            chain(first, running),
            disk,
        )

    def _header(self, *, text: bool) -> TraceHeader:
        store = self._store
        return TraceHeader(
            model=self._model,
            fingerprint=store.namespace,
            settings=_settings(store, self._tuning.first),
            started=time.time(),
            complete=store.history.complete,
            hashed=not text,
            text=text,
        )


def _caches(store: Store) -> dict[str, TwoPlaneCache]:
    host = store.tiers.host
    return {"device": store.cache} | ({} if host is None else {"host": host})


def _beside(store: Store) -> Beside:
    # The live slot is the one outside the cache.
    return Beside(1, store.model_memory(), store.tiers.quarantined)


def _settings(store: Store, config: EngineConfig) -> CacheSettings:
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
        mixture=store.mixture,
        drafts=config.drafts,
    )
