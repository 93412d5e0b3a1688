"""The settings of a cache: enough to replay it, with the same or other settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from engine.cache.budget.balance import PlaneSizes, split_budget
from engine.cache.journal.changes import Tuned
from engine.config import DraftSources, EngineConfig, Mode, StateFormat
from engine.plan.draft_depth import MOST_ROWS
from engine.snapshot import Untold

# Sizes are checked before a replay allocates: a pool of this many slots takes half a gigabyte.
MOST_SLOTS = 1 << 25
MOST_SLOT_BYTES = 1 << 40
SIZES = (
    ("kv_slots", 0, MOST_SLOTS),
    ("state_slots", 0, MOST_SLOTS),
    ("host_kv_slots", 0, MOST_SLOTS),
    ("host_state_slots", 0, MOST_SLOTS),
    ("kv_slot_bytes", 1, MOST_SLOT_BYTES),
    ("state_slot_bytes", 1, MOST_SLOT_BYTES),
    ("host_state_slot_bytes", 1, MOST_SLOT_BYTES),
)


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """A cache at the start of a recording, in slots.

    Attributes:
        policy: eviction policy.
        interval, decode_interval: tokens between checkpoints; see EngineConfig.
        kv_slots, state_slots: of the device tier.
        host_kv_slots, host_state_slots: of the host tier; both 0 if there is none.
        host_format: how states are stored on host.
        kv_slot_bytes, state_slot_bytes: bytes of one token of KV and of one state.
        host_state_slot_bytes: of one state on host, in its format.
        state_share: the states' initial share of the budget.
        adaptive: whether the split between the planes follows the workload.
        disk: whether there is a disk tier.
        mixture: whether the model routes its tokens to experts.
        drafts: where drafts are taken from; see EngineConfig. Each request has its own, too.
        most_drafted: tokens of a draft at most.
    """

    policy: str = "coverage"
    mode: Mode = "fast"
    interval: int = 1024
    decode_interval: int = 256
    kv_slots: int = 0
    state_slots: int = 0
    host_kv_slots: int = 0
    host_state_slots: int = 0
    host_format: StateFormat = "none"
    kv_slot_bytes: int = 1
    state_slot_bytes: int = 1
    host_state_slot_bytes: int = 1
    state_share: float = 0.5
    adaptive: bool = False
    disk: bool = False
    mixture: bool = False
    drafts: DraftSources = "off"
    most_drafted: int = MOST_ROWS - 1

    @property
    def absurd(self) -> str:
        """The name of a size that is too large, "" if all are possible."""
        for name, least, most in SIZES:
            if not least <= getattr(self, name) <= most:
                return name
        return "" if 0 <= self.state_share < 1 else "state_share"

    def tuned(self, change: Tuned) -> CacheSettings:
        """The settings after a change while the model was open."""
        now = replace(
            self,
            interval=change.interval,
            decode_interval=change.decode_interval,
            state_share=change.state_share,
        )
        if not change.kv_slots:
            return now
        return replace(now, kv_slots=change.kv_slots, state_slots=change.state_slots)

    @property
    def device_bytes(self) -> int:
        return self.kv_slots * self.kv_slot_bytes + self.state_slots * self.state_slot_bytes

    @property
    def host_bytes(self) -> int:
        kv, state = self.host_kv_slots, self.host_state_slots
        return kv * self.kv_slot_bytes + state * self.host_state_slot_bytes


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """The first line of a trace file.

    Attributes:
        model: its name.
        fingerprint: of the namespace of its files, "" without a disk tier.
        settings: what the cache was run with.
        started: seconds since 1970.
        complete: every request since the caches were empty is in the file.
        hashed: token ids are hashes, equal exactly where the prefixes are.
        text: the answers are included.
        untold: what the engine does not report, see CacheSnapshot; the file has none of it.
        lanes: labels of several engines; the nodes 1, 2 and so on below the root belong to them.
        hash_window: tokens per hash; 0 in an older file, whose hashes cover the whole prefix, so
            that nothing matches after a difference.
    """

    model: str
    fingerprint: str
    settings: CacheSettings
    started: float
    complete: bool
    hashed: bool
    text: bool
    untold: tuple[Untold, ...] = ()
    lanes: tuple[str, ...] = ()
    hash_window: int = 0


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The settings to change; None keeps the recorded one. Names are those of EngineConfig.

    Attributes:
        device_bytes: EngineConfig's cache_bytes.
        disk_bytes: a replay's disk starts empty and keeps everything, whatever its budget; 0
            disables it.
    """

    policy: str | None = None
    mode: Mode | None = None
    interval: int | None = None
    decode_interval: int | None = None
    device_bytes: int | None = None
    state_share: float | None = None
    host_bytes: int | None = None
    disk_bytes: int | None = None
    drafts: DraftSources | None = None
    most_drafted: int | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The settings to change, by name."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def changed(self, settings: CacheSettings) -> CacheSettings:
        """`settings` with the changes; bytes are split between the planes as initially.

        Raises CacheError if a value cannot be honoured.
        """
        # EngineConfig validates the values.
        EngineConfig(
            interval=self.interval or 0,
            decode_interval=self.decode_interval or 0,
            cache_bytes=self.device_bytes or 0,
            state_share=self.state_share or 0.0,
            host_bytes=self.host_bytes or 0,
            disk_bytes=self.disk_bytes or 0,
        )
        names = (
            *("policy", "mode", "interval", "decode_interval", "state_share"),
            *("drafts", "most_drafted"),
        )
        plain = {name: value for name, value in self.given.items() if name in names}
        before, settings = settings, replace(settings, **plain)
        if self.device_bytes is not None or self.state_share is not None:
            budget = before.device_bytes if self.device_bytes is None else self.device_bytes
            sizes = _split(budget, settings, settings.state_slot_bytes)
            settings = replace(settings, kv_slots=sizes.kv_slots, state_slots=sizes.state_slots)
        if self.host_bytes is not None or (self.state_share is not None and before.host_kv_slots):
            budget = before.host_bytes if self.host_bytes is None else self.host_bytes
            sizes = _split(budget, settings, settings.host_state_slot_bytes)
            settings = replace(
                settings, host_kv_slots=sizes.kv_slots, host_state_slots=sizes.state_slots
            )
        if self.disk_bytes is not None:
            settings = replace(settings, disk=self.disk_bytes > 0)
        return settings


def _split(budget: int, settings: CacheSettings, state_slot_bytes: int) -> PlaneSizes:
    return split_budget(
        budget,
        settings.state_share,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=state_slot_bytes,
    )
