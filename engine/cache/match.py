"""How much of a prompt is cached: three parts, and the reason for each gap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.cache.eviction.cause import Cause
from engine.cache.extents import Extents
from engine.cache.kv_pool import SUSPECT
from engine.cache.node import Loss, Tokens
from engine.cache.parts import Parts
from engine.cache.tree import Tree, Walk, as_tokens
from engine.reuse import Reason
from engine.stored_state import StoredState

Tags = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CheckpointRef:
    """A reference to a checkpoint in the tree. `slot` stays valid while a lock holds it."""

    node: int
    slot: int
    state: StoredState


Usable = Callable[[StoredState], bool]
CutHashAt = Callable[[int], int | None]


@dataclass(frozen=True, slots=True)
class Match:
    """A prompt of `total` tokens: reuse [0, resume), replay [resume, matched), compute the rest.

    Attributes:
        matched: length of the token match.
        resume: position of `checkpoint`, 0 if there is none.
        kv_valid: KV of [0, kv_valid) may be read. Equals `matched`, unless the KV beyond it must be
            rewritten: in exact mode it was computed under other cuts, or an audit found the state
            after it to be wrong.
        node: the deepest node that is entirely inside the match (0: the root).
        tail: the node that the match entered only partly, if any.
        extents: the physical extents of [0, matched); valid while a lock on this match is held.
        state_reason: why resume < matched; NONE if they are equal.
        token_reason: why matched < total; NONE if they are equal.
        lost: if an eviction is the reason: what was evicted, where, why and when.
    """

    total: int
    matched: int
    resume: int
    kv_valid: int
    node: int
    tail: int | None
    checkpoint: CheckpointRef | None
    extents: Extents
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
        """The checkpoint's hidden row suffices: no token has to run."""
        return self.total > 0 and self.resume == self.total

    @property
    def reason(self) -> Reason:
        """The reason to report: that of the longer gap."""
        if self.state_reason is Reason.NONE:
            return self.token_reason
        if self.token_reason is Reason.NONE or self.replayed >= self.computed:
            return self.state_reason
        return self.token_reason


def find(
    parts: Parts,
    tokens: Tokens,
    usable: Usable | None,
    cut_hash_at: CutHashAt | None,
    tags: Tags | None,
) -> tuple[Match, Walk]:
    """Match without changing anything; the caller refreshes recency along the walk."""
    tree, pool = parts.tree, parts.kv
    walk = tree.walk(tokens)
    total, extents = len(tokens), walk.extents()
    kv_valid = walk.matched
    if tags is not None:
        assert len(tags) == total, "exact mode needs one tag per prompt token"
        same = pool.tags_of(extents) == tags[: walk.matched]
        if not same.all():
            kv_valid = int(same.argmin())
    if pool.any_suspect:
        suspect = pool.tags_of(extents) == SUSPECT
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
        why = _refusal(state, kv_valid, usable, cut_hash_at)
        if why is None:
            chosen = CheckpointRef(node.id, node.checkpoint.slot, state)
            break
        refused = refused or (state.position, why)
    resume = chosen.state.position if chosen is not None else 0
    state_reason, lost = _state_reason(walk, resume, refused)
    token_reason, token_loss = _token_reason(tree, walk, tokens)
    match = Match(
        total=total,
        matched=walk.matched,
        resume=resume,
        kv_valid=kv_valid,
        node=walk.path[-1].id,
        tail=walk.tail.id if walk.tail is not None else None,
        checkpoint=chosen,
        extents=extents,
        state_reason=state_reason,
        token_reason=token_reason,
        lost=lost or token_loss,
    )
    return match, walk


def continuation(tree: Tree, match: Match, limit: int) -> Tokens:
    """See TwoPlaneCache.continuation."""
    if match.tail is not None:
        node = tree.node(match.tail)
        return node.tokens[match.matched - node.start :][:limit].copy()
    children = tree.node(match.node).children.values()
    if not children:
        return as_tokens([])
    return max(children, key=lambda child: child.used).tokens[:limit].copy()


def _refusal(
    state: StoredState, kv_valid: int, usable: Usable | None, cut_hash_at: CutHashAt | None
) -> Reason | None:
    """Why a checkpoint on the path may not be used; None if it may."""
    if state.quarantined:
        return Reason.QUARANTINED
    if cut_hash_at is not None:
        if state.stored != "none":
            return Reason.COMPRESSED
        if not state.exact or state.cut_hash != cut_hash_at(state.position):
            return Reason.NOT_EXACT
    fits = state.position <= kv_valid and (usable is None or usable(state))
    return None if fits else Reason.NOT_EXACT


def _state_reason(
    walk: Walk, resume: int, refused: tuple[int, Reason] | None
) -> tuple[Reason, Loss | None]:
    """The deepest obstacle: a checkpoint that was refused, or one that was evicted."""
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
    loss = tree.gone_below(last, tokens[walk.matched :])
    if loss is not None:
        # A tail that never had a checkpoint was not evicted: without one it could not be kept.
        uncovered = loss.cause == Cause.UNCOVERED_TAIL
        return (Reason.NO_CHECKPOINT if uncovered else Reason.CHECKPOINT_EVICTED), loss
    if not walk.matched:
        return Reason.FIRST_SIGHT, None
    return (Reason.NEW_TOKENS if last.is_leaf else Reason.DIVERGED), None
