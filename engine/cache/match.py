"""The answer to "how much of this prompt is here": three parts, and the reason for each gap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.cache.eviction.cause import Cause
from engine.cache.kv_pool import SUSPECT
from engine.cache.node import Loss, Tokens
from engine.cache.parts import Parts
from engine.cache.runs import Runs
from engine.cache.tree import Tree, Walk, as_tokens
from engine.reuse import Reason
from engine.stored_state import StoredState

Tags = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CheckpointRef:
    """A checkpoint in the tree, by number. `slot` stays valid while a lock holds it."""

    node: int
    slot: int
    state: StoredState


Usable = Callable[[StoredState], bool]
ChainAt = Callable[[int], int | None]


@dataclass(frozen=True, slots=True)
class Match:
    """What a prompt of `total` tokens finds: reuse [0, resume), replay [resume, matched), compute.

    Attributes:
        matched: length of the token match.
        resume: position of `checkpoint`, 0 where there is none.
        kv_valid: KV of [0, kv_valid) may be read. It is `matched`, except where the KV beyond has
            to be written anew: in exact mode it was computed under other cuts, or an audit found
            the state after it to be wrong.
        node: the deepest node that lies fully inside the match (0: the root).
        tail: the node that the match entered only in part, if any.
        runs: the physical runs of [0, matched); valid while a lock on this match is held.
        state_reason: why resume < matched; NONE where they are equal.
        token_reason: why matched < total; NONE where they are equal.
        lost: what was evicted, where the reason is that something was: where, by which cause, when.
    """

    total: int
    matched: int
    resume: int
    kv_valid: int
    node: int
    tail: int | None
    checkpoint: CheckpointRef | None
    runs: Runs
    state_reason: Reason
    token_reason: Reason
    lost: Loss | None

    @property
    def replayed(self) -> int:
        return self.matched - self.resume

    @property
    def computed(self) -> int:
        return self.total - self.matched

    @property
    def full(self) -> bool:
        """The checkpoint's hidden row answers: no token has to run."""
        return self.total > 0 and self.resume == self.total

    @property
    def reason(self) -> Reason:
        """The one cause to name: that of the longer gap."""
        if self.state_reason is Reason.NONE:
            return self.token_reason
        if self.token_reason is Reason.NONE or self.replayed >= self.computed:
            return self.state_reason
        return self.token_reason


def find(
    parts: Parts,
    tokens: Tokens,
    usable: Usable | None,
    chain: ChainAt | None,
    tags: Tags | None,
) -> tuple[Match, Walk]:
    """Answer without changing anything; the walk is for whoever refreshes recency."""
    tree, pool = parts.tree, parts.kv
    walk = tree.walk(tokens)
    total, runs = len(tokens), walk.runs()
    kv_valid = walk.matched
    if tags is not None:
        assert len(tags) == total, "exact mode needs one tag per prompt token"
        same = pool.tags_of(runs) == tags[: walk.matched]
        if not same.all():
            kv_valid = int(same.argmin())
    if pool.any_suspect:
        suspect = pool.tags_of(runs) == SUSPECT
        if suspect.any():
            kv_valid = min(kv_valid, int(suspect.argmax()))
    chosen: CheckpointRef | None = None
    refused: tuple[int, Reason] | None = None
    for node in reversed(walk.path):
        if node.checkpoint is None:
            continue
        state = node.checkpoint.state
        if state.position == total and not state.has_hidden:
            continue
        why = _refusal(state, kv_valid, usable, chain)
        if why is None:
            chosen = CheckpointRef(node.id, node.checkpoint.slot, state)
            break
        refused = refused or (state.position, why)
    resume = chosen.state.position if chosen is not None else 0
    state_reason, lost = _state_reason(walk, resume, refused)
    token_reason, gone = _token_reason(tree, walk, tokens)
    match = Match(
        total=total,
        matched=walk.matched,
        resume=resume,
        kv_valid=kv_valid,
        node=walk.path[-1].id,
        tail=walk.tail.id if walk.tail is not None else None,
        checkpoint=chosen,
        runs=runs,
        state_reason=state_reason,
        token_reason=token_reason,
        lost=lost or gone,
    )
    return match, walk


def continuation(tree: Tree, match: Match, most: int) -> Tokens:
    """See TwoPlaneCache.continuation."""
    if match.tail is not None:
        node = tree.node(match.tail)
        return node.tokens[match.matched - node.start :][:most].copy()
    children = tree.node(match.node).children.values()
    if not children:
        return as_tokens([])
    return max(children, key=lambda child: child.used).tokens[:most].copy()


def _refusal(
    state: StoredState, kv_valid: int, usable: Usable | None, chain: ChainAt | None
) -> Reason | None:
    """Why a checkpoint on the path may not be used; None where it may."""
    if state.quarantined:
        return Reason.QUARANTINED
    if chain is not None:
        if state.stored != "none":
            return Reason.COMPRESSED
        if not state.exact or state.cut_hash != chain(state.position):
            return Reason.NOT_EXACT
    fits = state.position <= kv_valid and (usable is None or usable(state))
    return None if fits else Reason.NOT_EXACT


def _state_reason(
    walk: Walk, resume: int, refused: tuple[int, Reason] | None
) -> tuple[Reason, Loss | None]:
    """The deepest thing in the way: a checkpoint that was refused, or one that was evicted."""
    if resume == walk.matched:
        return Reason.NONE, None
    barred = 0 if refused is None else refused[0]
    for node in reversed(walk.path):
        if node.end <= max(resume, barred):
            break
        if node.loss is not None:
            return Reason.CHECKPOINT_EVICTED, node.loss
    return (Reason.NO_CHECKPOINT if refused is None else refused[1]), None


def _token_reason(tree: Tree, walk: Walk, tokens: Tokens) -> tuple[Reason, Loss | None]:
    if walk.matched == len(tokens):
        return Reason.NONE, None
    if walk.tail is not None:
        return Reason.DIVERGED, None
    last = walk.path[-1]
    gone = tree.gone_below(last, tokens[walk.matched :])
    if gone is not None:
        # A tail that never had a checkpoint was not evicted: it could not be kept without one.
        never = gone.cause == Cause.UNCOVERED_TAIL
        return (Reason.NO_CHECKPOINT if never else Reason.CHECKPOINT_EVICTED), gone
    if not walk.matched:
        return Reason.FIRST_SIGHT, None
    return (Reason.NEW_TOKENS if last.is_leaf else Reason.DIVERGED), None
