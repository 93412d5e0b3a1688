"""Replays a user's manual cache operations on a cache without a model.

The steps are those of run/by_hand.py, in the same order, so that a replay stays exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

import numpy as np

from engine.cache.journal.changes import ByUser
from engine.cache.lease import Lease
from engine.cache.match import Tags
from engine.cache.tiers import by_hand
from engine.cache.tiers.tiers import Tiers
from engine.errors import CacheError
from engine.journal.request import RunRules
from engine.plan.cuts import tags_for
from engine.plan.passes import asked_plan, plan_passes


def repeat(tiers: Tiers, done: ByUser, rules: RunRules) -> None:
    """Repeat the operation; a no-op if other settings make it impossible."""
    tokens = np.array(done.tokens, np.int32)
    if not len(tokens):
        return
    if done.action == "checkpoint":
        _checkpoint(tiers, done, rules)
    elif done.action in get_args(by_hand.Deed):
        try:
            by_hand.do(tiers, cast(by_hand.Deed, done.action), tokens)
        except CacheError:
            return


def tags_of(done: ByUser, rules: RunRules) -> Tags | None:
    """The tags that a checkpoint's run required; None if it required none."""
    if done.action != "checkpoint" or rules.mode != "exact" or not done.cuts:
        return None
    tokens = np.array(done.tokens, np.int64)
    plan = asked_plan(done.cuts, done.splits)
    return tags_for(plan, len(tokens), tokens if rules.mixture else None)


def _checkpoint(tiers: Tiers, done: ByUser, rules: RunRules) -> None:
    total = len(done.tokens)
    if not done.cuts or done.cuts[-1] != total:
        return
    ids = np.array(done.tokens, np.int64)
    plan = asked_plan(done.cuts, done.splits)
    tags = tags_of(done, rules)
    hashed = ids if rules.mixture else None
    hashes: Mapping[int, int] = {} if tags is None else plan.cut_hashes(hashed)
    lookup: dict[str, Any] = {} if tags is None else {"cut_hash_at": hashes.get, "tags": tags}
    tiers.promote(ids, **lookup)
    match = tiers.device.match(ids, **lookup)
    lease = Lease(tiers.device, exact=rules.mode == "exact")
    try:
        opened = lease.open(ids, match, tags=tags, cut_hashes=hashes, whys={total: "asked for"})
        if not opened:
            return
        for planned in plan_passes(plan, total, match.resume, None, rules.mode):
            if planned.end > done.ran_to:
                break
            stores = planned.scan_splits + ((planned.end,) if planned.stores else ())
            lease.store(lease.take_states(stores), planned.end, "prefill")
    finally:
        lease.close()
