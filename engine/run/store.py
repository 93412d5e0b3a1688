"""All stored state: the two planes, their tree, and the tiers below."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from engine.analysis.history import History
from engine.cache.budget.balance import Balance, PlaneSizes
from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import ModelMemory
from engine.cache.journal.journal import Journal
from engine.cache.lease import Lease
from engine.cache.match import Match
from engine.cache.node import Tokens
from engine.cache.resize import Moves
from engine.cache.tiers.tiers import Tiers
from engine.config import EngineConfig
from engine.errors import CacheError
from engine.model.decode_graph import DecodeGraph
from engine.model.few_rows import Kept
from engine.model.hybrid import HybridModel
from engine.planes import LIVE_SLOT
from engine.reuse import Reason
from engine.run.lower_tiers import LowerTiers, Notify, Written, no_progress
from engine.run.memory import size_planes
from engine.run.prepared import Prepared
from engine.run.sequence import LiveSequence
from engine.snapshot import MemoryView
from kernels.host_memory import FreedMemory


class Store:
    """The memory of a model's requests, allocated once.

    Attributes:
        context: maximum tokens of a request's sequence.
        kv, states: the device's planes.
        graph: the captured decode step over them, on CUDA.
        cache: the device's tree.
        tiers: the tree with the tiers below it.
        balance: the split of the budget between the planes.
        journal, log_change: the changes of all tiers, and a way to log one that belongs to no tier.
        history: all requests since the start.
        exact: whether runs must be bit-equal to cold ones.
        mixture: whether the model routes its tokens to experts.
    """

    def __init__(
        self, folder: Path, model: HybridModel, config: EngineConfig, notify: Notify
    ) -> None:
        """Allocate; raises CacheError if a budget is too small to use.

        Args:
            notify: called with each sentence worth reporting (a damaged file, a full disk).
        """
        self._model = model
        self.exact = config.mode == "exact"
        self.mixture = model.config.experts is not None
        wanted = config.context or model.config.context
        kv_bytes, state_bytes = model.kv_slot_bytes(), model.state_slot_bytes()
        sizes = size_planes(
            config, kv_slot_bytes=kv_bytes, state_slot_bytes=state_bytes, context=wanted
        )
        self.context = min(wanted, sizes.kv_slots)
        self.journal = Journal()
        self.log_change = self.journal.of("device", time.monotonic)
        self.history = History()
        self.journal.listen(self.history.on_entry)
        self.cache = TwoPlaneCache(
            sizes.kv_slots,
            sizes.state_slots,
            kv_slot_bytes=kv_bytes,
            state_slot_bytes=state_bytes,
            policy=config.policy,
            journal=self.journal,
        )
        self._slot_bytes = {"kv_slot_bytes": kv_bytes, "state_slot_bytes": state_bytes}
        self.balance = self._make_balance(sizes, config)
        self.kv = model.make_kv_plane(sizes.kv_slots)
        # The tree's slots plus the live one.
        self.states = model.make_state_plane(sizes.state_slots + 1)
        self.graph: DecodeGraph | None = None
        if model.step_ops is not None and DecodeGraph.supports(model):
            self.graph = DecodeGraph(model, self.kv, self.states)
        # Buffers for drafted rows: all of them, and those that no sequence has.
        self._kept: list[Kept] = [] if self.graph is None else [self.graph.kept]
        self._spare: list[Kept] = []
        self._freed = FreedMemory()
        self._lower = LowerTiers(folder, model, config, self.kv, self.states, notify, self.journal)
        self.tiers = Tiers(
            self.cache,
            self._lower.host,
            self._lower.mover,
            self._lower.disk,
            host_format=config.compression,
            log_change=self.log_change,
        )
        self._logged = self.model_memory()

    def resize(self, config: EngineConfig) -> None:
        """Change the planes' budget or split. Only while no request runs.

        Raises:
            CacheError: impossible while the model is open; nothing changes, except that what does
                not fit may have been evicted.
        """
        if not config.cache_bytes:
            # The budget chosen at the start, not what would be chosen now.
            config = replace(config, cache_bytes=self._budget)
        sizes = size_planes(config, context=self.context, **self._slot_bytes)
        if sizes.kv_slots < self.context:
            raise CacheError(
                "With these budgets there is no room for the context of {context:,} tokens "
                "that the model was opened with: open the model again with them.",
                context=self.context,
            )
        if not sizes.state_slots and self.cache.reader.sizes[1]:
            raise CacheError("The state plane can only be turned off when the model is opened.")
        self._apply(self.cache.resize(sizes.kv_slots, sizes.state_slots))
        if self.cache.reader.sizes != (sizes.kv_slots, sizes.state_slots):
            raise CacheError("There is not enough memory for planes of that size.")
        self.balance = self._make_balance(sizes, config)

    def _make_balance(self, sizes: PlaneSizes, config: EngineConfig) -> Balance:
        slot = self._slot_bytes
        self._budget = (
            sizes.kv_slots * slot["kv_slot_bytes"] + sizes.state_slots * slot["state_slot_bytes"]
        )
        return Balance(
            self.cache,
            self._budget,
            config.state_share if config.rebalance else 0.0,
            **self._slot_bytes,
        )

    def match(self, prepared: Prepared, *, resize: bool = True) -> Match:
        """Promote from the lower tiers, then match; lock the match before anything else.

        resize: whether the planes may change their sizes: nothing runs.
        """
        if resize:
            self._apply(self.balance.before_request(len(prepared.ids)))
        match_arguments = prepared.match_arguments()
        self.tiers.promote(prepared.ids, **match_arguments)
        return self.cache.match(prepared.ids, **match_arguments)

    @property
    def lower(self) -> LowerTiers:
        """The host and disk tiers."""
        return self._lower

    @property
    def namespace(self) -> str:
        """The fingerprint of its files; "" without a disk tier."""
        return self._lower.namespace

    def finished(self, match: Match, *, resize: bool = True) -> None:
        """A request ended: adapt the budget's split to its losses, and tidy up; see `match`."""
        self._apply(self.balance.after_request(match, resize=resize))
        self._freed.tidy()

    def probe(self, prepared: Prepared) -> Match:
        """What `match` would return. Changes nothing."""
        return self.tiers.probe(prepared.ids, **prepared.match_arguments())

    def sequence(self, live: int | None = LIVE_SLOT, *, one_shot: bool = False) -> LiveSequence:
        """A live sequence that reads and writes the cache; `one_shot`: see Submit.

        live: its live slot; None: a slot of the pool.
        """
        # The step was captured over the live slot.
        graph = self.graph if live == LIVE_SLOT else None
        return LiveSequence(
            self._model,
            self.kv,
            self.states,
            Lease(self.cache, exact=self.exact, one_shot=one_shot),
            exact=self.exact,
            live=live,
            graph=graph,
            kept=self._take_kept() if graph is None else graph.kept,
            give_back=self._spare.append if graph is None else lambda kept: None,
        )

    def _take_kept(self) -> Kept | None:
        """Buffers for drafted rows, which return when the sequence is released."""
        if not self._spare and (made := self._model.make_kept_rows()) is not None:
            self._kept.append(made)
            self._spare.append(made)
        return self._spare.pop() if self._spare else None

    def private_sequence(self, slots: int) -> LiveSequence:
        """A live sequence on private planes, which neither reads nor writes the cache."""
        return LiveSequence(
            self._model,
            self._model.make_kv_plane(slots),
            self._model.make_state_plane(1),
            None,
            exact=self.exact,
            kept=self._take_kept(),
            give_back=self._spare.append,
        )

    def memory(self) -> MemoryView:
        """Allocated device bytes; each belongs to one of the four categories.

        The state plane's sink counts as workspace.
        """
        graph = 0 if self.graph is None else self.graph.nbytes
        return MemoryView(
            weights=self._model.weight_bytes,
            kv_plane=self.kv.nbytes,
            state_plane=self.states.nbytes,
            workspace=self._model.workspace_bytes
            + self.states.slot_bytes
            + graph
            + self._kept_bytes(),
            drafts=self._draft_bytes() + self.kv.slots * self._draft_kv(),
        )

    def _kept_bytes(self) -> int:
        """Of the buffers for drafted rows."""
        return sum(buffers.nbytes for buffers in self._kept)

    def _draft_bytes(self) -> int:
        """What drafts take of the weights and the workspace."""
        return self._model.draft_bytes + self._kept_bytes()

    def _draft_kv(self) -> int:
        """What the draft head's layer takes of a token's KV."""
        config = self._model.config
        return self.kv.slot_bytes // config.kv_layers if config.draft_head else 0

    def model_memory(self) -> ModelMemory:
        """The model's memory besides the planes, and its routed experts."""
        memory, pool = self.memory(), self._model.experts
        return ModelMemory(
            weights=memory.weights,
            workspace=memory.workspace,
            experts=pool.total,
            resident=pool.resident,
            resident_bytes=pool.used,
            expert_budget=(pool.budget or pool.used) if pool.total else 0,
            expert_hits=pool.hits,
            expert_misses=pool.misses,
            drafts=self._draft_bytes(),
            draft_kv=self._draft_kv(),
        )

    def log_memory(self) -> None:
        """Log the model's memory if it has changed."""
        now = self.model_memory()
        if now != self._logged:
            self._logged = now
            self.log_change(now)

    def _apply(self, moves: Moves | None) -> None:
        """Resize the planes to match the pools; the one that shrinks goes first."""
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
            # The pools must not offer memory that could not be allocated; it holds nothing yet.
            self.cache.resize(self.kv.slots, self.states.slots - 1)

    def idle(self) -> bool:
        """One step of background work; False if none is left."""
        return self.tiers.save(1) > 0

    @property
    def pending(self) -> int:
        """Segments that the file writer has yet to write."""
        return 0 if self._lower.disk is None else self._lower.disk.pending

    def damage(self) -> Reason | None:
        """Why a file that the last match wanted could not be used; None if none failed."""
        disk = self._lower.disk
        if not self.tiers.met_damage or disk is None:
            return None
        return Reason.FILE_GONE if disk.missed_a_file else Reason.DAMAGED_FILE

    def written_elsewhere(self, tokens: Tokens, positions: Iterable[int]) -> int:
        """See DiskTier.written_elsewhere."""
        disk = self._lower.disk
        return 0 if disk is None else disk.written_elsewhere(tokens, positions)

    def filed_with(self, run: Tokens) -> Tokens | None:
        """See DiskTier.sequence_with."""
        disk = self._lower.disk
        return None if disk is None else disk.sequence_with(run)

    def spoil_states(self) -> int:
        """Corrupt every stored state, to test that audits fail. Returns how many there were."""
        points = [node.checkpoint for node in self.cache.reader.nodes()]
        slots = [point.slot for point in points if point is not None]
        for slot in slots:
            self.states.zero(slot)
        return len(slots)

    def close(self, progress: Written = no_progress) -> None:
        """Save unsaved data to disk and finish writing, however long it takes.

        `progress(written, total)` is called with byte counts as files are written.
        """
        self._lower.finish(self.tiers, progress)
        self._lower.close()
