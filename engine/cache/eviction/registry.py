"""The eviction policies by name: one line each."""

from __future__ import annotations

from engine.cache.eviction.coverage import Coverage
from engine.cache.eviction.flops import Flops
from engine.cache.eviction.lru import Lru
from engine.cache.eviction.policy import Policy
from engine.errors import CacheError

# engine/config.py lists the names that users may choose (POLICY_NAMES); a test keeps both equal.
POLICIES: dict[str, type[Policy]] = {
    "coverage": Coverage,
    "flops": Flops,
    "lru": Lru,
}


def make_policy(name: str) -> Policy:
    """A new policy called `name`, for one cache. Raises CacheError if the name is unknown."""
    if name not in POLICIES:
        known = ", ".join(f'"{known}"' for known in sorted(POLICIES))
        raise CacheError(f'There is no eviction policy "{name}"; choose one of {known}.')
    return POLICIES[name]()
