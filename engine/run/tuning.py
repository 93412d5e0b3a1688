"""The settings of a core, which may change between two requests."""

from __future__ import annotations

from dataclasses import replace

from engine.cache.journal.changes import Tuned
from engine.commands import Tune
from engine.config import EngineConfig
from engine.run.store import Store

TUNABLE = ("interval", "decode_interval", "cache_bytes", "state_share", "drafts")
SIZES = {"cache_bytes", "state_share"}


class Tuning:
    """The settings a core was opened with, and the current ones.

    Attributes:
        config: for future requests.
    """

    def __init__(self, store: Store, config: EngineConfig) -> None:
        self._store = store
        self.config = self._opened = config

    @property
    def first(self) -> EngineConfig:
        """The settings at the start of a recording; the history has the changes since."""
        return self._opened if self._store.history.complete else self.config

    def tune(self, command: Tune) -> None:
        """Change the settings of future requests. Only while none runs; raises CacheError."""
        chosen = {name: getattr(command, name) for name in TUNABLE}
        wanted = {name: value for name, value in chosen.items() if value is not None}
        config = replace(self.config, **wanted)
        kv_slots = state_slots = 0
        if SIZES & wanted.keys():
            self._store.resize(config)
            kv_slots, state_slots = self._store.cache.reader.sizes
        self.config = config
        if wanted.keys() == {"drafts"}:
            # The cache never sees a draft, and neither does its journal.
            return
        self._store.log_change(
            Tuned(
                config.interval,
                config.decode_interval,
                kv_slots,
                state_slots,
                config.state_share,
                wanted.get("cache_bytes", 0),
            )
        )
