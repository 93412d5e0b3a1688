"""A user's manual operations on all tiers; see cache/by_hand.py for those on one tier.

Each operation identifies its target by the tokens from the root to a node's end. It needs no model,
so a replay repeats it exactly. One that is impossible changes nothing and raises CacheError with
a sentence for the user.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.cache import by_hand
from engine.cache.eviction.cause import Cause
from engine.cache.node import Tokens
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import FileCause
from engine.cache.tiers.tiers import Tiers
from engine.errors import CacheError
from engine.stored_state import TierName

NO_TOKEN = -1
Deed = Literal["pin", "unpin", "drop state", "evict", "warm", "move to host"]


def do(tiers: Tiers, deed: Deed, tokens: Tokens) -> None:
    """Run an operation; between two requests only."""
    match deed:
        case "pin":
            pin(tiers, tokens)
        case "unpin":
            unpin(tiers, tokens)
        case "drop state":
            drop_state(tiers, tokens)
        case "evict":
            evict(tiers, tokens)
        case "warm":
            warm(tiers, tokens)
        case "move to host":
            move_to_host(tiers, tokens)


def tier_of_state(tiers: Tiers, tokens: Tokens) -> TierName | None:
    """The nearest tier with a usable state after exactly `tokens`; None if there is none."""
    passed = tiers.device.reader.passages(tokens)
    if passed and passed[-1].end == len(tokens) and passed[-1].holds:
        return "device"
    found = tiers.probe(one_more(tokens))
    if found.resume != len(tokens) or found.checkpoint is None:
        return None
    return found.checkpoint.state.tier


def pin(tiers: Tiers, tokens: Tokens) -> bool:
    """Pin the path and the state at its end, promoting it to the device; False if pinned."""
    if tier_of_state(tiers, tokens) in ("host", "disk"):
        warm(tiers, tokens)
    return tiers.device.by_hand(lambda parts: by_hand.pin(parts, tokens))


def unpin(tiers: Tiers, tokens: Tokens) -> bool:
    """Undo `pin`; False if it was not pinned."""
    return tiers.device.by_hand(lambda parts: by_hand.unpin(parts, tokens))


def drop_state(tiers: Tiers, tokens: Tokens) -> None:
    """Drop the device's state after `tokens`; copies on lower tiers stay."""
    cause = Cause.DROPPED_BY_USER
    tiers.device.by_hand(lambda parts: by_hand.drop_state(parts, tokens, cause))


def evict(tiers: Tiers, tokens: Tokens) -> None:
    """Remove every sequence through the end of `tokens` from every tier."""
    tiers.device.by_hand(lambda parts: by_hand.refuse_evict(parts, tokens))
    tiers.device.drop_passing(tokens, Cause.DROPPED_BY_USER)
    if tiers.host is not None:
        tiers.host.drop_passing(tokens, Cause.DROPPED_BY_USER)
    if tiers.disk is not None:
        tiers.disk.forget(tokens, FileCause.DROPPED_BY_USER)


def warm(tiers: Tiers, tokens: Tokens) -> TierName:
    """Copy the deepest state of these tokens to the device; returns the tier it came from.

    "device" if no lower tier has a deeper one. Raises CacheError if it could not be copied.
    """
    below = tiers.probe(one_more(tokens))
    came = tiers.promote(one_more(tokens))
    if came == "device" and below.checkpoint is not None:
        where = below.checkpoint.state.tier
        if where != "device" and _resume(tiers, tokens) < below.resume:
            raise CacheError(
                "The state could not be copied to the device: there is no room for it beside what "
                "is pinned or in use, or its copy is damaged."
            )
    return came


def move_to_host(tiers: Tiers, tokens: Tokens) -> None:
    """Copy the state after `tokens`, with the KV below it, to host memory; drop it on the device.

    Raises CacheError if there is no host tier, no room in it, or no state to move.
    """
    if tiers.host is None:
        raise CacheError(
            "There is no host memory tier: give the cache host memory in the settings, or with "
            "--host-mb."
        )
    tiers.device.by_hand(lambda parts: by_hand.refuse_drop(parts, tokens))
    node = tiers.device.by_hand(lambda parts: by_hand.find(parts, tokens))
    assert node is not None
    if node.checkpoint is not None and node.checkpoint.state.quarantined:
        raise CacheError("An audit found this state wrong, so it is copied nowhere.")
    outcome = tiers.copy_to_host(node.id)
    if outcome not in (Intake.TAKEN, Intake.PRESENT):
        raise CacheError("Host memory has no room for this state; nothing was moved.")
    drop_state(tiers, tokens)


def one_more(tokens: Tokens) -> Tokens:
    """The tokens and one that nothing continues with: a state without the hidden row suffices."""
    return np.append(tokens, NO_TOKEN).astype(np.int32)


def _resume(tiers: Tiers, tokens: Tokens) -> int:
    return tiers.device.reader.probe(one_more(tokens)).resume
