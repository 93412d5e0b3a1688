"""Thousands of random operations against a plain model: which prefixes have KV or a state.

The model is one rule: exactly those prefixes have KV that lead to a checkpoint or are held by a
lock. In addition, every slot carries what was "written" to it, so a slot that is reallocated while
it is still being read shows foreign content.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeVar, get_args

import numpy as np
import pytest

from engine.cache import Lock, Match, TwoPlaneCache, by_hand
from engine.cache.eviction.cause import Cause
from engine.cache.extents import Extents, join, part, to_slots
from engine.cache.tree import as_tokens
from engine.config import POLICY_NAMES
from engine.errors import CacheError
from engine.stored_state import Provenance, StoredState
from tests.mostly_slow import mostly_slow

T = TypeVar("T")
Prefix = tuple[int, ...]
PROVENANCES = get_args(Provenance)
Kind = tuple[Provenance | Literal[""], int | None, bool]


@dataclass
class Request:
    """A running request: what it holds, reads and has inserted."""

    lock: Lock
    tokens: list[int]
    done: int
    extents: Extents
    state: Prefix | None

    @property
    def held(self) -> Prefix:
        return tuple(self.tokens[: self.done])


@dataclass
class World:
    """The cache under test, the model of it, and the content of its slots."""

    kv_slots: int
    state_slots: int
    policy: str
    seed: int
    states: dict[Prefix, Kind] = field(default_factory=dict)
    consumed: dict[Prefix, int] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    pins: set[Prefix] = field(default_factory=set)
    step: int = 0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.cache = TwoPlaneCache(
            self.kv_slots,
            self.state_slots,
            kv_slot_bytes=1,
            state_slot_bytes=100,
            policy=self.policy,
            clock=lambda: float(self.step),
        )
        self.kv_content: list[Prefix | None] = [None] * self.kv_slots
        self.state_content: list[Prefix | None] = [None] * (self.state_slots + 1)
        self.done: dict[str, int] = {}

    # ---- the model

    def closure(self) -> set[Prefix]:
        ends = [*self.states, *(r.held for r in self.requests)]
        return {end[:length] for end in ends for length in range(1, len(end) + 1)}

    def held(self, prefix: Prefix) -> bool:
        return any(r.held[: len(prefix)] == prefix for r in self.requests)

    def kept(self, prefix: Prefix) -> bool:
        """No policy may evict its KV."""
        return self.held(prefix) or any(pin[: len(prefix)] == prefix for pin in self.pins)

    def state_held(self, prefix: Prefix) -> bool:
        return any(r.state == prefix for r in self.requests)

    def expect(self, match: Match, tokens: list[int]) -> None:
        """Compare a match with the model's answer."""
        there, n = self.closure(), len(tokens)
        matched = max(k for k in range(n + 1) if k == 0 or tuple(tokens[:k]) in there)
        resume = max(
            (
                k
                for k in range(1, matched + 1)
                if tuple(tokens[:k]) in self.states and (k < n or self.states[tuple(tokens[:k])][2])
            ),
            default=0,
        )
        assert (match.total, match.matched, match.resume) == (n, matched, resume)
        self.expect_content(match.extents, tokens, matched)
        if resume:
            assert match.checkpoint is not None
            assert self.state_content[match.checkpoint.slot] == tuple(tokens[:resume])
            kind = (
                match.checkpoint.state.provenance,
                match.checkpoint.state.cut_hash,
                match.checkpoint.state.has_hidden,
            )
            assert kind == self.states[tuple(tokens[:resume])]

    def expect_content(self, extents: Extents, tokens: list[int], length: int) -> None:
        slots = to_slots(extents)
        assert len(slots) == length
        for at, slot in enumerate(slots):
            assert self.kv_content[slot] == tuple(tokens[: at + 1]), "foreign KV in a slot"

    def found(self) -> tuple[dict[Prefix, Kind], set[Prefix]]:
        """What the tree holds, read from its own views."""
        states: dict[Prefix, Kind] = {}
        there: set[Prefix] = set()
        whole: dict[int, Prefix] = {}
        for node in self.cache.reader.nodes():
            above = () if node.parent is None else whole[node.parent]
            tokens = above + tuple(self.cache.reader.tokens_of(node.id).tolist())
            whole[node.id] = tokens
            there |= {tokens[:k] for k in range(node.start + 1, node.end + 1)}
            if node.checkpoint is not None:
                assert self.state_content[node.checkpoint.slot] == tokens, "foreign state"
                states[tokens] = self.states.get(tokens, ("", None, False))
        return states, there

    def verify(self) -> None:
        self.cache.reader.check()
        states, there = self.found()
        assert states == self.states
        assert self.pinned() == self.pins
        assert there == self.closure()
        for request in self.requests:
            self.expect_content(request.extents, request.tokens, request.done)
        live_kv, live_states = self.cache.reader.kv_pool().live, self.cache.reader.state_pool().live
        assert (live_kv, live_states) == (0, 0), "an operation leaked slots"

    def pinned(self) -> set[Prefix]:
        """What the tree says is pinned."""
        reader = self.cache.reader
        return {
            tuple(reader.holding(node.id).tokens.tolist()) for node in reader.nodes() if node.pinned
        }

    def lost(self) -> set[Prefix]:
        """Checkpoints that the last operation evicted; removes them from the model."""
        left, _ = self.found()
        gone = set(self.states) - set(left)
        assert set(left) <= set(self.states)
        for prefix in gone:
            assert not self.state_held(prefix), "evicted under a lock"
            del self.states[prefix], self.consumed[prefix]
        return gone

    def lost_for_kv(self) -> set[Prefix]:
        gone = self.lost()
        for prefix in gone:
            assert not self.kept(prefix), "evicted KV under a lock or a pin"
            for other in self.states:
                assert other[: len(prefix)] != prefix, "an inner node was evicted before its leaf"
        return gone

    def lost_states(self, count: int, before: dict[Prefix, int]) -> set[Prefix]:
        free = [p for p in before if not self.state_held(p) and p not in self.pins]
        gone = self.lost()
        assert len(gone) == min(count, len(free))
        if self.policy == "lru":
            assert gone == set(sorted(free, key=before.__getitem__)[: len(gone)])
        return gone

    # ---- the operations

    def prompt(self) -> list[int]:
        """New tokens, or a prefix of known ones followed by new ones."""
        base: list[int] = []
        known = [*self.states, *(tuple(r.tokens) for r in self.requests)]
        if known and self.rng.random() < 0.75:
            base = list(known[int(self.rng.integers(len(known)))])
            if self.rng.random() < 0.5:
                base = base[: int(self.rng.integers(0, len(base) + 1))]
        extra = int(self.rng.integers(0, 6))
        return [*base, *self.rng.integers(0, 3, extra).tolist()][:18]

    def probe(self) -> None:
        tokens = self.prompt()
        before = self.cache.version, self.cache.reader.nodes()
        self.expect(self.cache.reader.probe(tokens), tokens)
        assert before == (self.cache.version, self.cache.reader.nodes())

    def match(self) -> tuple[list[int], Match]:
        tokens = self.prompt()
        match = self.cache.match(tokens)
        self.expect(match, tokens)
        if match.resume:
            self.consumed[tuple(tokens[: match.resume])] = self.step
        return tokens, match

    def start(self) -> None:
        if len(self.requests) >= 3:
            return
        tokens, match = self.match()
        state = tuple(tokens[: match.resume]) if match.resume else None
        lock = self.cache.lock(match)
        self.requests.append(Request(lock, tokens, match.matched, match.extents, state))

    def grow(self) -> None:
        """Run the next tokens: allocate, write, insert; decode once the prompt is done."""
        request = self.some_request()
        if request is None:
            return
        if request.done == len(request.tokens):
            request.tokens += self.rng.integers(0, 3, 2).tolist()
        more = int(self.rng.integers(1, len(request.tokens) - request.done + 1))
        # Sometimes rerun positions that the tree has, as exact mode does.
        again = int(self.rng.integers(0, request.done + 1)) if self.rng.random() < 0.2 else 0
        owned_from, end = request.done - again, request.done + more
        free = self.cache.reader.kv_pool().free
        unlocked = len([p for p in self.closure() if not self.kept(p)])
        own = self.cache.alloc_kv(end - owned_from)
        gone = self.lost_for_kv()
        if own is None:
            self.done["no kv"] = self.done.get("no kv", 0) + 1
            assert free + unlocked < end - owned_from
            assert not gone
            return
        assert free < end - owned_from or not gone, "needless eviction"
        for position, slot in zip(range(owned_from, end), to_slots(own), strict=True):
            self.kv_content[slot] = tuple(request.tokens[: position + 1])
        tags = self.rng.integers(0, 2, end) if self.rng.random() < 0.5 else None
        result = self.cache.insert(
            request.tokens[:end],
            join([part(request.extents, 0, owned_from), own]),
            owned_from=owned_from,
            lock=request.lock,
            tags=tags,
            prefer_new=bool(self.rng.random() < 0.5),
        )
        request.done, request.extents = end, result.extents

    def rerun(self) -> None:
        """Rewrite positions that the tree has, under the lock, as exact mode does."""
        request = self.some_request()
        if request is None or not request.done:
            return
        end = int(self.rng.integers(1, request.done + 1))
        owned_from = int(self.rng.integers(0, end))
        own = self.cache.alloc_kv(end - owned_from)
        self.lost_for_kv()
        if own is None:
            return
        for position, slot in zip(range(owned_from, end), to_slots(own), strict=True):
            self.kv_content[slot] = tuple(request.tokens[: position + 1])
        result = self.cache.insert(
            request.tokens[:end],
            join([part(request.extents, 0, owned_from), own]),
            owned_from=owned_from,
            lock=request.lock,
            tags=self.rng.integers(0, 3, end),
            prefer_new=bool(self.rng.random() < 0.8),
        )
        request.extents = join([result.extents, part(request.extents, end, request.done)])

    def donate(self) -> None:
        request = self.some_request()
        if request is None or not request.done:
            return
        before = dict(self.consumed)
        full = self.cache.reader.state_pool().free == 0
        slot = self.cache.alloc_state()
        self.lost_states(int(full), before)
        if slot is None:
            self.cache.note_skip()
            self.done["no state"] = self.done.get("no state", 0) + 1
            return
        position = int(self.rng.integers(1, request.done + 1))
        if self.rng.random() < 0.5:
            position = request.done
        prefix = tuple(request.tokens[:position])
        kind: Provenance = PROVENANCES[int(self.rng.choice(len(PROVENANCES)))]
        cut_hash = int(self.rng.integers(1, 3)) if kind == "prefill" else None
        new: Kind = (kind, cut_hash, bool(self.rng.random() < 0.5))
        old = self.states.get(prefix)
        wins = old is None or (not self.state_held(prefix) and better(new, old))
        self.state_content[slot] = prefix if wins else None
        state = StoredState(position, kind, cut_hash, new[2])
        taken = self.cache.donate(request.lock, slot, state)
        assert taken == wins
        if taken:
            self.states[prefix], self.consumed[prefix] = new, self.step

    def give_up(self) -> None:
        """Free an allocation again: a cancelled or refused request."""
        own = self.cache.alloc_kv(int(self.rng.integers(1, 6)))
        self.lost_for_kv()
        if own is not None:
            for slot in to_slots(own):
                self.kv_content[slot] = None
            self.cache.free_kv(own)

    def end(self) -> None:
        request = self.some_request()
        if request is not None:
            self.requests.remove(request)
            self.cache.unlock(request.lock)

    def copied(self) -> None:
        request = self.some_request()
        if request is not None:
            self.cache.release_state(request.lock)
            request.state = None

    def evict_kv(self) -> None:
        wanted = int(self.rng.integers(1, 8))
        unlocked = len([p for p in self.closure() if not self.kept(p)])
        freed = self.cache.evict_kv(wanted)
        self.lost_for_kv()
        assert freed >= min(wanted, unlocked)

    def evict_state(self) -> None:
        before, count = dict(self.consumed), int(self.rng.integers(1, 3))
        done = self.cache.evict_state(count)
        assert len(self.lost_states(count, before)) == done

    def evict_session(self) -> None:
        nodes = self.cache.reader.nodes()
        node = nodes[int(self.rng.integers(len(nodes)))].id
        path = self.cache.reader.path_of(node)
        top = tuple(int(t) for n in path for t in self.cache.reader.tokens_of(n))
        self.pins = {p for p in self.pins if p[: len(top)] != top}
        expected = {p for p in self.states if p[: len(top)] == top and not self.held(p)}
        left = {p: k for p, k in self.states.items() if p not in expected}
        ends = [*left, *(r.held for r in self.requests)]
        for length in range(len(top), 0, -1):
            prefix = top[:length]
            if any(end[:length] == prefix and len(end) > length for end in ends):
                break
            if self.held(prefix) or prefix in self.pins:
                break
            expected |= {prefix} & set(left)
            ends = [end for end in ends if end != prefix]
        self.cache.evict_session(node)
        assert self.lost() == expected

    def drop_all(self) -> None:
        self.pins.clear()
        expected = {p for p in self.states if not self.state_held(p)}
        self.cache.drop_all()
        assert self.lost() == expected

    # ---- by hand

    def pin(self) -> None:
        top = self.some_state()
        if top is None:
            return
        more = {one[:length] for one in {*self.pins, top} for length in range(1, len(one) + 1)}
        fits = 2 * len(more) <= self.kv_slots and 2 * (len(self.pins) + 1) <= self.state_slots
        if fits or top in self.pins:
            assert self.by_hand(by_hand.pin, top) == (top not in self.pins)
            self.pins.add(top)
        else:
            with pytest.raises(CacheError, match="may be pinned"):
                self.by_hand(by_hand.pin, top)
            self.done["pin refused"] = self.done.get("pin refused", 0) + 1

    def unpin(self) -> None:
        top = self.some_state()
        if top is not None:
            assert self.by_hand(by_hand.unpin, top) == (top in self.pins)
            self.pins.discard(top)

    def drop_state(self) -> None:
        top = self.some_state()
        if top is None:
            return
        leaf = not any(len(p) > len(top) and p[: len(top)] == top for p in self.closure())
        locked = self.state_held(top) or (leaf and self.held(top))
        if locked or top in self.pins:
            with pytest.raises(CacheError, match="running answer" if locked else "pinned"):
                self.by_hand(by_hand.drop_state, top, Cause.DROPPED_BY_USER)
            assert not self.lost()
        else:
            self.by_hand(by_hand.drop_state, top, Cause.DROPPED_BY_USER)
            assert self.lost() == {top}

    def evict(self) -> None:
        top = self.some_state()
        if top is None:
            return
        if self.kept(top):
            with pytest.raises(CacheError):
                self.by_hand(by_hand.refuse_evict, top)
            return
        below = {p for p in self.states if p[: len(top)] == top}
        self.by_hand(by_hand.refuse_evict, top)
        self.cache.drop_passing(top, Cause.DROPPED_BY_USER)
        assert self.lost() == below

    def by_hand(self, action: Callable[..., T], top: Prefix, *more: object) -> T:
        return self.cache.by_hand(lambda parts: action(parts, as_tokens(top), *more))

    def some_state(self) -> Prefix | None:
        known = list(self.states)
        return known[int(self.rng.integers(len(known)))] if known else None

    def some_request(self) -> Request | None:
        if not self.requests:
            return None
        return self.requests[int(self.rng.integers(len(self.requests)))]


def better(new: Kind, old: Kind) -> bool:
    """Which checkpoint stays, formulated independently of the cache."""
    rank = {False: 0, True: 1}
    new_exact, old_exact = new[1] is not None, old[1] is not None
    if new_exact and old_exact and new[1] != old[1]:
        return True
    if new_exact != old_exact:
        return new_exact
    return rank[new[2]] > rank[old[2]]


WEIGHTS = {
    "probe": 10,
    "match": 6,
    "start": 12,
    "grow": 26,
    "rerun": 4,
    "donate": 26,
    "end": 9,
    "copied": 3,
    "give_up": 3,
    "evict_kv": 3,
    "evict_state": 5,
    "evict_session": 2,
    "drop_all": 0.9,
    "pin": 4,
    "unpin": 3,
    "drop_state": 2,
    "evict": 1,
}


# KV slots, state slots and seed.
# The first two, of which one is without states, in every run.
SIZES = [(60, 8, 2), (30, 0, 6), (200, 40, 1), (40, 3, 3), (25, 12, 4), (60, 1, 5)]


def operate(world: World, steps: int = 1500) -> None:
    """So many random operations, everything verified after each; then all is given back."""
    print(
        f"seed {world.seed}, {world.kv_slots} KV slots, {world.state_slots} state slots, "
        f"{world.policy}"
    )
    names, weights = list(WEIGHTS), np.array(list(WEIGHTS.values()))
    order = world.rng.choice(len(names), size=steps, p=weights / weights.sum())
    for step, choice in enumerate(order):
        world.step = step + 1
        name = names[choice]
        getattr(world, name)()
        world.done[name] = world.done.get(name, 0) + 1
        world.verify()
    while world.requests:
        world.end()
        world.verify()
    world.drop_all()
    world.verify()
    assert world.cache.reader.kv_pool().free == world.kv_slots
    assert world.cache.reader.state_pool().free == world.state_slots
    assert len(world.cache.reader.nodes()) == 1
    assert set(names) <= set(world.done)
    print(dict(sorted(world.done.items())), world.cache.reader.evicted)


@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize(("kv_slots", "state_slots", "seed"), mostly_slow(SIZES, 2))
def test_the_cache_and_the_model_agree(
    kv_slots: int, state_slots: int, seed: int, policy: str
) -> None:
    operate(World(kv_slots, state_slots, policy, seed))


def test_small_pools_run_dry_in_both_planes() -> None:
    """The paths that fail for lack of slots are actually exercised."""
    dry: set[str] = set()
    for seed in range(3):
        world = World(10, 2, "coverage", seed)
        for step in range(400):
            world.step = step + 1
            name = str(world.rng.choice(["start", "grow", "donate", "donate", "match", "end"]))
            getattr(world, name)()
            world.verify()
        dry |= set(world.done)
    assert {"no kv", "no state"} <= dry
