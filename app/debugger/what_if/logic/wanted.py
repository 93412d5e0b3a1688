"""The settings of the sliders, and differences between two of them. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from engine.cache.journal.changes import Tuned
from engine.config import DraftSources, Mode
from engine.journal.settings import CacheSettings, WhatIf
from engine.plan.draft_depth import MOST_ROWS

# What can change while the model stays open; see engine.commands.Tune.
LIVE = frozenset({"interval", "decode_interval", "device_bytes", "state_share"})
# Drafts are set for the program, see Settings > Engine.
OF_DRAFTS = frozenset({"drafts", "most_drafted"})
# Settings with another name in EngineConfig.
_CONFIG_NAMES = {"device_bytes": "cache_bytes"}
# Assumed for a disk tier whose budget is not recorded.
SOME_DISK = 4 << 30


@dataclass(frozen=True, slots=True)
class Wanted:
    """A value for every setting, named as in WhatIf."""

    policy: str = "coverage"
    mode: Mode = "fast"
    interval: int = 1024
    decode_interval: int = 256
    device_bytes: int = 0
    state_share: float = 0.5
    host_bytes: int = 0
    disk_bytes: int = 0
    drafts: DraftSources = "off"
    most_drafted: int = MOST_ROWS - 1

    def differing(self, other: Wanted) -> dict[str, Any]:
        """The settings that differ from `other`, by name."""
        names = [field.name for field in fields(self)]
        return {
            name: getattr(self, name)
            for name in names
            if getattr(self, name) != getattr(other, name)
        }

    def what_if(self, recorded: Wanted) -> WhatIf:
        """The what-if that turns the recorded settings into these."""
        return WhatIf(**self.differing(recorded))

    def filled(self, what_if: WhatIf) -> Wanted:
        """These settings, updated by a what-if."""
        return replace(self, **what_if.given)


def wanted_of(settings: CacheSettings, disk_bytes: int = SOME_DISK) -> Wanted:
    """The settings that a cache was opened with; `disk_bytes` of its disk tier, if any."""
    return Wanted(
        policy=settings.policy,
        mode=settings.mode,
        interval=settings.interval,
        decode_interval=settings.decode_interval,
        device_bytes=settings.device_bytes,
        state_share=settings.state_share,
        host_bytes=settings.host_bytes,
        disk_bytes=disk_bytes if settings.disk else 0,
        drafts=settings.drafts,
        most_drafted=settings.most_drafted,
    )


def tuned(wanted: Wanted, settings: CacheSettings, change: Tuned) -> Wanted:
    """The settings after a change while the model was open."""
    now = replace(
        wanted,
        interval=change.interval,
        decode_interval=change.decode_interval,
        state_share=change.state_share,
    )
    if not change.kv_slots:
        return now
    if change.budget:
        return replace(now, device_bytes=change.budget)
    return replace(now, device_bytes=settings.tuned(change).device_bytes)


def config_fields(changes: dict[str, Any]) -> dict[str, Any]:
    """Changes that can be applied here, by their names in EngineConfig."""
    return {
        _CONFIG_NAMES.get(name, name): value
        for name, value in changes.items()
        if name not in OF_DRAFTS
    }


def wanted_name(field: str) -> str:
    """The name in Wanted of a field of EngineConfig."""
    return next((name for name, other in _CONFIG_NAMES.items() if other == field), field)
