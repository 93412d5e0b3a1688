"""Every invariant of the two-plane cache, checked in one place."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from engine.cache import extents as kv_extents
from engine.cache.kv_pool import CACHED, FREE, STATUS_NAMES, KVPool
from engine.cache.locks import LockTable
from engine.cache.node import Node
from engine.cache.parts import Parts
from engine.cache.pins import Pins
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree
from engine.errors import InvariantError
from engine.snapshot import Checked, InvariantName


def check(parts: Parts) -> None:
    """Raises InvariantError naming the first violated invariant and where. Does not mutate."""
    nodes = parts.tree.preorder()
    for _, holds in _INVARIANTS:
        holds(parts, nodes)


def check_each(parts: Parts, tier: str) -> tuple[Checked, ...]:
    """Check all of them, even if one is violated. Does not mutate."""
    nodes = parts.tree.preorder()
    found = []
    for invariant, holds in _INVARIANTS:
        began, problem = time.perf_counter(), ""
        try:
            holds(parts, nodes)
        except InvariantError as error:
            problem = str(error)
        except (AttributeError, IndexError, KeyError) as error:
            # After another violation, parts of the structure may not even be readable.
            problem = f"not readable: {type(error).__name__}"
        found.append(Checked(tier, invariant, problem, time.perf_counter() - began))
    return tuple(found)
    _check_pins(nodes, parts.evictor.pins)


def _fail(name: str, what: str) -> None:
    raise InvariantError(f"{name}: {what}")


def _check_shape(tree: Tree, nodes: list[Node]) -> None:
    if tree.root.start or len(tree.root.tokens) or tree.root.extents or tree.root.checkpoint:
        _fail("root not empty", "the root holds tokens, KV or a checkpoint")
    if {n.id for n in nodes} != set(tree.nodes) or len(nodes) != len(tree.nodes):
        _fail("lost node", "the nodes by id are not the nodes of the tree")
    for node in nodes:
        if tree.nodes[node.id] is not node:
            _fail("lost node", f"node {node.id} is registered as another")
        for first, child in node.children.items():
            if child.parent is not node:
                _fail("wrong parent", f"node {child.id} does not point up to node {node.id}")
            if child.start != node.end:
                _fail(
                    "wrong start",
                    f"node {child.id} starts at {child.start}, its parent ends at {node.end}",
                )
            if not len(child.tokens):
                _fail("empty node", f"node {child.id} spans no tokens")
            if int(child.tokens[0]) != first:
                _fail("wrong key", f"node {child.id} is filed under another first token")
        firsts = [int(child.tokens[0]) for child in node.children.values()]
        if len(set(firsts)) != len(firsts):
            _fail("duplicated first token", f"two children of node {node.id} begin alike")
        if kv_extents.count(node.extents) != len(node.tokens):
            _fail(
                "KV hole",
                f"node {node.id} spans {len(node.tokens)} tokens "
                f"and holds {kv_extents.count(node.extents)} KV slots",
            )


def _check_kv_owners(nodes: list[Node], kv: KVPool) -> None:
    owners: npt.NDArray[np.int32] = np.zeros(kv.total, np.int32)
    for node in nodes:
        for first, length in node.extents:
            if first < 0 or length <= 0 or first + length > kv.total:
                _fail("no such KV slot", f"node {node.id} holds {length} slots from {first}")
            owners[first : first + length] += 1
    if (owners > 1).any():
        _fail("double owner", f"KV slot {int((owners > 1).argmax())} belongs to two nodes")
    stray = (owners == 1) & (kv.status != CACHED)
    if stray.any():
        slot = int(stray.argmax())
        _fail("double owner", f"KV slot {slot} is in the tree and {STATUS_NAMES[kv.status[slot]]}")
    leaked = (owners == 0) & (kv.status == CACHED)
    if leaked.any():
        _fail("leaked KV slot", f"slot {int(leaked.argmax())} is cached but in no node")


def _check_kv_pool(kv: KVPool) -> None:
    counted = np.bincount(kv.status, minlength=3).tolist()
    if counted != kv.counts or sum(counted) != kv.total:
        _fail("KV slots not conserved", f"counts say {kv.counts}, slots say {counted}")
    free: npt.NDArray[np.bool_] = np.zeros(kv.total, np.bool_)
    end_before = -1
    for first, length in kv.free_extents():
        if first <= end_before:
            _fail("free extents not merged", f"the free extent at {first} touches the one before")
        free[first : first + length] = True
        end_before = first + length
    if (free != (kv.status == FREE)).any():
        slot = int((free != (kv.status == FREE)).argmax())
        _fail("leaked KV slot", f"slot {slot} is free in one list and not in the other")


def _check_states(nodes: list[Node], states: StatePool) -> None:
    owner: dict[int, int] = {}
    for node in nodes:
        if node.checkpoint is None:
            continue
        slot = node.checkpoint.slot
        if not 1 <= slot <= states.total:
            _fail("no such state slot", f"node {node.id} holds slot {slot}")
        if slot in owner:
            _fail("double owner", f"state slot {slot} belongs to nodes {owner[slot]}, {node.id}")
        if states.status[slot] != CACHED:
            name = STATUS_NAMES[states.status[slot]]
            _fail("double owner", f"state slot {slot} is in the tree and {name}")
        owner[slot] = node.id
    by_status = Counter(states.status[1:])
    counted = [by_status[0], by_status[1], by_status[2]]
    if counted != states.counts or sum(counted) != states.total:
        _fail("state slots not conserved", f"counts say {states.counts}, slots say {counted}")
    if counted[CACHED] != len(owner):
        _fail("leaked state slot", f"{counted[CACHED]} cached, {len(owner)} in the tree")
    if states.free_list() != [s for s in range(1, states.total + 1) if not states.status[s]]:
        _fail("leaked state slot", "the free list is not the free slots")


def _check_locks(tree: Tree, nodes: list[Node], locks: LockTable) -> None:
    kv: Counter[int] = Counter()
    state: Counter[int] = Counter()
    for lock_id, held in locks.held.items():
        for node_id in (held.kv, held.state):
            if node_id is not None and node_id not in tree.nodes:
                _fail("lock imbalance", f"lock {lock_id} holds node {node_id}, which was removed")
        kv.update(n.id for n in tree.up(tree.nodes[held.kv]))
        if held.state is not None:
            state[held.state] += 1
    for node in nodes:
        if node.kv_lock < node.state_lock:
            _fail(
                "lock order",
                f"node {node.id} has kv_lock {node.kv_lock} < state_lock {node.state_lock}",
            )
        if (node.kv_lock, node.state_lock) != (kv[node.id], state[node.id]):
            _fail(
                "lock imbalance",
                f"node {node.id} counts {node.kv_lock}, {node.state_lock}; "
                f"held are {kv[node.id]}, {state[node.id]}",
            )
        if node.state_lock and node.checkpoint is None:
            _fail("lock imbalance", f"node {node.id} has a state lock but no checkpoint")


def _check_tombstones(nodes: list[Node]) -> None:
    for node in nodes:
        if node.bare:
            _fail("unlocked leaf tombstone", f"node {node.id} keeps KV that no state can use")
        if node.checkpoint is not None and node.loss is not None:
            _fail("stale loss", f"node {node.id} has a checkpoint and remembers losing it")


def _check_pins(nodes: list[Node], pins: Pins) -> None:
    if {node.id for node in nodes if node.pinned} != set(pins.nodes):
        _fail("lost pin", "the pinned nodes are not those in the list of pins")
    for node in nodes:
        if node.pinned and node.checkpoint is None:
            _fail("pin without a state", f"node {node.id} is pinned and has no checkpoint")


_INVARIANTS: tuple[tuple[InvariantName, Callable[[Parts, list[Node]], None]], ...] = (
    ("tree", lambda parts, nodes: _check_shape(parts.tree, nodes)),
    ("KV owners", lambda parts, nodes: _check_kv_owners(nodes, parts.kv)),
    ("KV pool", lambda parts, nodes: _check_kv_pool(parts.kv)),
    ("states", lambda parts, nodes: _check_states(nodes, parts.states)),
    ("locks", lambda parts, nodes: _check_locks(parts.tree, nodes, parts.locks)),
    ("tombstones", lambda parts, nodes: _check_tombstones(nodes)),
)
