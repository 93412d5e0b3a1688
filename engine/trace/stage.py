"""The caches of a replay: tiers as in an engine, but without planes."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.cache.budget.balance import Balance
from engine.cache.cache import TwoPlaneCache
from engine.cache.extents import Extents
from engine.cache.journal.journal import Journal, silent
from engine.cache.tiers.lower import Disk
from engine.cache.tiers.tiers import Tiers
from engine.trace.settings import CacheSettings


class NoBytes:
    """The mover of a cache without planes: every copy succeeds and moves nothing."""

    def kv_to_host(self, device: Extents, host: Extents) -> None:
        pass

    def kv_to_device(self, host: Extents, device: Extents) -> None:
        pass

    def state_to_host(self, device: int, host: int) -> float:
        return 0.0

    def state_to_device(self, host: int, device: int) -> None:
        pass


def make_tiers(
    settings: CacheSettings,
    disk: Disk | None = None,
    *,
    journal: Journal | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Tiers:
    """Empty tiers without planes. Raises CacheError if there is no such policy.

    Args:
        journal: receives every change, with the times of `clock` in seconds.
    """
    log_change = silent if journal is None else journal.of("device", clock)
    device = TwoPlaneCache(
        settings.kv_slots,
        settings.state_slots,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=settings.state_slot_bytes,
        policy=settings.policy,
        clock=clock,
        journal=journal,
    )
    if not settings.host_kv_slots:
        return Tiers(device, disk=disk, log_change=log_change)
    host = TwoPlaneCache(
        settings.host_kv_slots,
        settings.host_state_slots,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=settings.host_state_slot_bytes,
        policy=settings.policy,
        clock=clock,
        journal=journal,
        tier="host",
    )
    return Tiers(
        device, host, NoBytes(), disk, host_format=settings.host_format, log_change=log_change
    )


def make_balance(settings: CacheSettings, tiers: Tiers) -> Balance:
    """The balancer of the split between the planes, if it is adaptive."""
    return Balance(
        tiers.device,
        settings.device_bytes,
        settings.state_share if settings.adaptive else 0.0,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=settings.state_slot_bytes,
    )
