"""The changes of a replay to the recorded settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from engine.cache.budget.balance import PlaneSizes, split_budget
from engine.config import EngineConfig, Mode
from engine.trace.settings import CacheSettings


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The settings to change; None keeps the recorded one. Names are those of EngineConfig.

    Attributes:
        device_bytes: EngineConfig's cache_bytes.
        disk_bytes: a replay's disk is empty at first and keeps everything, whatever its budget; 0
            is none.
    """

    policy: str | None = None
    mode: Mode | None = None
    interval: int | None = None
    decode_interval: int | None = None
    device_bytes: int | None = None
    state_share: float | None = None
    host_bytes: int | None = None
    disk_bytes: int | None = None

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
        names = ("policy", "mode", "interval", "decode_interval", "state_share")
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
