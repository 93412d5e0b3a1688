"""Everything that remembers: the two planes, their tree, and the tiers below."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from engine.cache.budget.balance import Balance
from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.journal import Journal
from engine.cache.lease import Lease
from engine.cache.match import Match
from engine.cache.resize import Moves
from engine.cache.tiers.tiers import Tiers
from engine.cache.view.departures import Departures
from engine.config import EngineConfig
from engine.model.decode_graph import DecodeGraph
from engine.model.hybrid import HybridModel
from engine.run.lower_tiers import LowerTiers, Written, untold
from engine.run.memory import size_planes
from engine.run.prepared import Prepared
from engine.run.sequence import LiveSequence
from engine.snapshot import ExpertsView, MemoryView
from engine.trace.history import History

Told = Callable[[str], None]


class Store:
    """What a model's runs are kept in, allocated once.

    Attributes:
        context: longest sequence in tokens that a request may have.
        kv, states: the device's planes.
        graph: the recorded decode step over them, on CUDA.
        cache: the device's tree.
        tiers: the same with what lies below.
        balance: how the budget is split between the planes.
        journal, tell: what they all tell, and how to tell it something that is no tier's.
        history: what was asked since the start.
        departures: what was evicted, on every tier.
        exact: whether runs have to be bit-equal to cold ones.
    """

    def __init__(self, folder: Path, model: HybridModel, config: EngineConfig, told: Told) -> None:
        """Allocate; raises CacheError where a budget is of no use.

        Args:
            told: is given a sentence for each thing worth knowing (a damaged file, a full disk).
        """
        self._model = model
        self.exact = config.mode == "exact"
        wanted = config.context or model.config.context
        kv_bytes, state_bytes = model.kv_slot_bytes(), model.state_slot_bytes()
        sizes = size_planes(
            config, kv_slot_bytes=kv_bytes, state_slot_bytes=state_bytes, context=wanted
        )
        self.context = min(wanted, sizes.kv_slots)
        self.journal = Journal()
        self.tell = self.journal.of("device", time.monotonic)
        self.history = History()
        self.journal.listen(self.history.on_entry)
        self.departures = Departures()
        self.journal.listen(self.departures.on_entry)
        self.cache = TwoPlaneCache(
            sizes.kv_slots,
            sizes.state_slots,
            kv_slot_bytes=kv_bytes,
            state_slot_bytes=state_bytes,
            policy=config.policy,
            journal=self.journal,
        )
        self.balance = Balance(
            self.cache,
            sizes.kv_slots * kv_bytes + sizes.state_slots * state_bytes,
            config.state_share if config.rebalance else 0.0,
            kv_slot_bytes=kv_bytes,
            state_slot_bytes=state_bytes,
        )
        self.kv = model.make_kv_plane(sizes.kv_slots)
        # The tree's slots and the live one.
        self.states = model.make_state_plane(sizes.state_slots + 1)
        self.graph: DecodeGraph | None = None
        if model.device.type == "cuda" and DecodeGraph.supports(model):
            self.graph = DecodeGraph(model, self.kv, self.states)
        self._lower = LowerTiers(
            folder, model, config, self.kv, self.states, told, self.journal, self.departures
        )
        self.departures.look_into("device", self.cache.reader)
        if self._lower.host is not None:
            self.departures.look_into("host", self._lower.host.reader)
        self.tiers = Tiers(
            self.cache,
            self._lower.host,
            self._lower.mover,
            self._lower.disk,
            host_format=config.compression,
            tell=self.tell,
        )

    def match(self, prepared: Prepared) -> Match:
        """Bring up what lies below, then match; lock it before anything else."""
        self._follow(self.balance.before(len(prepared.ids)))
        question = prepared.question()
        self.tiers.promote(prepared.ids, **question)
        return self.cache.match(prepared.ids, **question)

    @property
    def namespace(self) -> str:
        """The fingerprint under which files are kept; "" without a disk tier."""
        return self._lower.namespace

    def finished(self, match: Match) -> None:
        """A request is over: let the split of the budget follow what it lost."""
        self._follow(self.balance.after(match))

    def probe(self, prepared: Prepared) -> Match:
        """What `match` would answer; changes nothing."""
        return self.tiers.probe(prepared.ids, **prepared.question())

    def sequence(self) -> LiveSequence:
        """A live sequence that reads and feeds the cache."""
        return LiveSequence(
            self._model,
            self.kv,
            self.states,
            Lease(self.cache, exact=self.exact),
            exact=self.exact,
            graph=self.graph,
        )

    def private_sequence(self, slots: int) -> LiveSequence:
        """A live sequence on planes of its own, which neither reads nor feeds the cache."""
        return LiveSequence(
            self._model,
            self._model.make_kv_plane(slots),
            self._model.make_state_plane(1),
            None,
            exact=self.exact,
        )

    def memory(self) -> MemoryView:
        """Device bytes as allocated: all of them belong to one of the four.

        The state plane's sink is workspace.
        """
        graph = 0 if self.graph is None else self.graph.nbytes
        return MemoryView(
            weights=self._model.weight_bytes,
            kv_plane=self.kv.nbytes,
            state_plane=self.states.nbytes,
            workspace=self._model.workspace_bytes + self.states.slot_bytes + graph,
        )

    def experts(self) -> ExpertsView | None:
        """The routed experts that are resident; None where the model has none."""
        pool = self._model.experts
        if not pool.total:
            return None
        return ExpertsView(
            total=pool.total,
            resident=pool.resident,
            used_bytes=pool.used,
            budget_bytes=pool.budget or pool.used,
            hits=pool.hits,
            misses=pool.misses,
        )

    def _follow(self, moves: Moves | None) -> None:
        """Give the planes the sizes that the pools have now; the one that shrinks goes first."""
        if moves is None:
            return
        self.kv.move(moves.kv)
        self.states.move(moves.states)
        kv_slots, state_slots = self.cache.reader.sizes
        grows = kv_slots > self.kv.slots
        try:
            if not grows:
                self.kv.resize(kv_slots)
            self.states.resize(state_slots + 1)
            if grows:
                self.kv.resize(kv_slots)
        except (MemoryError, RuntimeError):
            # The pools must not hand out what could not be had; nothing lies there yet.
            self.cache.resize(self.kv.slots, self.states.slots - 1)

    def idle(self) -> bool:
        """One step of background work; False where none is left."""
        return self.tiers.save(1) > 0

    @property
    def pending(self) -> int:
        """Segments that the writer of files still has."""
        return 0 if self._lower.disk is None else self._lower.disk.pending

    def close(self, progress: Written = untold) -> None:
        """Put on disk what is not there yet and finish the writing, however long it takes.

        `progress(written, total)` is told bytes as they come to lie in files.
        """
        self._lower.finish(self.tiers, progress)
        self._lower.close()
