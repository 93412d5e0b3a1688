"""Connects the device's cache to lower tiers: evictions are demoted to host memory and disk.

The host tier is a second two-plane cache with its own slots. It holds full copies only, each
checkpoint with all the KV below it, so it never depends on the device's content. The disk tier
holds segments from checkpoint to checkpoint. Before a prompt is matched, the tier with its deepest
checkpoint promotes that one, and the match finds it on the device.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.cache.cache import TwoPlaneCache
from engine.cache.eviction.cause import Cause
from engine.cache.extents import Extents, part
from engine.cache.holding import Holding
from engine.cache.journal.changes import CheckpointCopied
from engine.cache.journal.journal import LogChange, silent
from engine.cache.lines import Line
from engine.cache.match import CheckpointRef, CutHashAt, Match, Tags
from engine.cache.node import Tokens
from engine.cache.tiers.intake import MOVE_ERRORS, Incoming, Intake, take_in
from engine.cache.tiers.lower import Disk, Mover, OnDisk
from engine.cache.tiers.saving import Saver
from engine.cache.tree import TokenIds, as_tokens
from engine.config import StateFormat
from engine.drafted import Source
from engine.reuse import Reason
from engine.snapshot import Checked
from engine.stored_state import StoredState, TierName
from engine.verdict import Verdict

# How many damaged files a prompt may meet before it runs without the disk.
DISK_TRIES = 8
NO_NODE = -1


class Tiers:
    """Host and disk below a device's cache; either may be missing.

    Attributes:
        device, host, disk: the tiers, top first.
        quarantined: checkpoints that an audit found wrong.
        met_damage: whether the last promotion met a damaged file.
        moved: number of copies by (from, to, outcome).
    """

    def __init__(
        self,
        device: TwoPlaneCache,
        host: TwoPlaneCache | None = None,
        mover: Mover | None = None,
        disk: Disk | None = None,
        *,
        host_format: StateFormat = "none",
        log_change: LogChange = silent,
    ) -> None:
        assert (host is None) == (mover is None), "a host tier needs a mover"
        self.device = device
        self.host = host
        self.disk = disk
        self.moved: Counter[tuple[TierName, TierName, Intake]] = Counter()
        self.met_damage = False
        self.quarantined = 0
        self._mover = mover
        self._host_format = host_format
        self._log_change = log_change
        if host is not None or disk is not None:
            device.demote_to(self._demote_from_device)
        if host is not None and disk is not None:
            host.demote_to(self._demote_from_host)
        self._saver = None
        if disk is not None:
            self._saver = Saver(device, disk, lambda holding: self._to_disk(holding, "device"))

    # ---- queries

    def lines(self, overlap: int, limit: int) -> dict[Source, tuple[Line, ...]]:
        """All cached paths, see CacheReader.lines; those of files first, of the device last."""
        found: dict[Source, tuple[Line, ...]] = {}
        if self.disk is not None:
            found["disk"] = self.disk.lines(self._known, overlap, limit)
        if self.host is not None:
            found["host"] = self.host.reader.lines(overlap, limit)
        found["device"] = self.device.reader.lines(overlap, limit)
        return found

    def _known(self, tokens: Tokens) -> int:
        """How many tokens of a path are in memory."""
        readers = [one.reader for one in (self.device, self.host) if one is not None]
        return max(reader.probe(tokens).matched for reader in readers)

    def settle(self) -> None:
        """Process what the file writer has finished."""
        if self.disk is not None:
            self.disk.settle()

    def probe(
        self, tokens: TokenIds, *, cut_hash_at: CutHashAt | None = None, tags: Tags | None = None
    ) -> Match:
        """What a match after `promote` would return. Changes nothing on any tier."""
        wanted = as_tokens(tokens)
        on_device = self.device.reader.probe(wanted, cut_hash_at=cut_hash_at, tags=tags)
        below = self._deepest_below(wanted, on_device.resume, cut_hash_at, tags)
        if below is None:
            return on_device
        at, _ = below
        resume = at.state.position
        matched = max(on_device.matched, resume)
        return replace(
            on_device,
            matched=matched,
            resume=resume,
            checkpoint=replace(at, node=NO_NODE),
            state_reason=Reason.NONE if resume == matched else on_device.state_reason,
            token_reason=Reason.NONE if matched == on_device.total else on_device.token_reason,
        )

    def check(self) -> None:
        """Raises InvariantError naming the first broken invariant of any tier."""
        self.device.reader.check()
        if self.host is not None:
            self.host.reader.check()

    def check_each(self) -> tuple[Checked, ...]:
        """Every invariant of every tier, and whether it holds."""
        host = () if self.host is None else self.host.reader.check_each("host")
        return self.device.reader.check_each("device") + host

    # ---- promotion

    def promote(
        self, tokens: TokenIds, *, cut_hash_at: CutHashAt | None = None, tags: Tags | None = None
    ) -> TierName:
        """Copy the deepest usable checkpoint of a prompt to the device, with the KV below it.

        Returns the tier it came from; "device" if no lower tier had a deeper one or it could not be
        moved. Match and lock right afterwards.
        """
        wanted = as_tokens(tokens)
        self.met_damage = False
        if self.host is None and self.disk is None:
            return "device"
        for _ in range(DISK_TRIES):
            resume = self.device.reader.probe(wanted, cut_hash_at=cut_hash_at, tags=tags).resume
            below = self._deepest_below(wanted, resume, cut_hash_at, tags)
            if below is None:
                return "device"
            at, on_disk = below
            if on_disk is None:
                outcome = self._promote_from_host(wanted, at, exact=cut_hash_at is not None)
            else:
                outcome = self._promote_from_disk(wanted, on_disk, exact=cut_hash_at is not None)
            self._log_copy(at.state.position, at.state.tier, "device", outcome)
            if outcome is Intake.TAKEN:
                return at.state.tier
            self.met_damage |= on_disk is not None and outcome is Intake.FAILED
            # A damaged file is no longer found, so try the next best.
            if on_disk is None or outcome is not Intake.FAILED:
                return "device"
        return "device"

    def _deepest_below(
        self, tokens: Tokens, resume: int, cut_hash_at: CutHashAt | None, tags: Tags | None
    ) -> tuple[CheckpointRef, OnDisk | None] | None:
        """The deepest checkpoint beyond `resume`; of equally deep ones, the nearer tier's."""
        best: tuple[CheckpointRef, OnDisk | None] | None = None
        if self.host is not None:
            on_host = self.host.reader.probe(tokens, cut_hash_at=cut_hash_at, tags=tags)
            if on_host.checkpoint is not None and on_host.resume > resume:
                at = on_host.checkpoint
                best = replace(at, state=at.state.on("host")), None
                resume = on_host.resume
        if self.disk is not None:
            found = self.disk.find(tokens, _usable(cut_hash_at, tags))
            if found is not None and found.state.position > resume:
                best = CheckpointRef(NO_NODE, NO_NODE, found.state), found
        return best

    def _promote_from_host(self, tokens: Tokens, at: CheckpointRef, *, exact: bool) -> Intake:
        host, mover = self.host, self._mover
        assert host is not None
        assert mover is not None
        # A match, not a probe: the host tier evicts by its own recency.
        lock = host.lock(host.match(tokens, usable=lambda one: one.position == at.state.position))
        held = host.reader.holding(at.node)

        def fetch(start: int, extents: Extents, slot: int) -> StoredState | None:
            mover.kv_to_device(part(held.extents, start, at.state.position), extents)
            mover.state_to_device(at.slot, slot)
            return at.state

        try:
            incoming = Incoming(held.tokens, held.tags, exact, held.one_shot)
            return take_in(self.device, incoming, fetch)
        finally:
            host.unlock(lock)

    def _promote_from_disk(self, tokens: Tokens, found: OnDisk, *, exact: bool) -> Intake:
        disk = self.disk
        assert disk is not None

        def fetch(start: int, extents: Extents, slot: int) -> StoredState | None:
            return found.state if disk.restore(found, start, extents, slot) else None

        incoming = Incoming(tokens[: found.state.position], found.tags, exact)
        return take_in(self.device, incoming, fetch)

    def stamp(self, node: int, verdict: Verdict, *, background: bool = False) -> None:
        """Record an audit's verdict on a device checkpoint; no tier uses a wrong one again.

        An exact one that has drifted is not used in exact mode again, on any tier.
        """
        held = self.device.reader.holding(node)
        promised = held.checkpoint is not None and held.checkpoint.state.exact
        self.device.stamp(node, verdict, background=background)
        wrong = verdict.status == "quarantined"
        if not (wrong or (promised and verdict.status == "drifted")):
            return
        self.quarantined += wrong
        cause = Cause.QUARANTINED_ABOVE if wrong else Cause.DRIFTED_ABOVE
        self._drop_below(held.tokens, self.device.reader.position_above(node), cause)

    def _drop_below(self, tokens: Tokens, beyond: int, cause: Cause) -> None:
        """Remove from the lower tiers what was found wrong after `tokens`, and all it may affect.

        A checkpoint there between `beyond`, the device's previous checkpoint, and the wrong one may
        be what the wrong one derives from; it cannot be audited there, so it is removed too.
        """
        if self.host is not None:
            for node in self.host.reader.path_ends(tokens, beyond):
                self.host.drop_passing(self.host.reader.holding(node).tokens, cause)
            self.host.drop_passing(tokens, cause)
        if self.disk is not None:
            self.disk.remove(tokens, beyond)

    # ---- demotion

    def copy_to_host(self, node: int) -> Intake:
        """Copy the checkpoint of a device node to the host tier, which must exist."""
        holding = self.device.reader.holding(node)
        outcome = self._to_host(holding)
        self._log_copy(len(holding.tokens), "device", "host", outcome)
        return outcome

    def save(self, limit: int | None = None) -> int:
        """Save checkpoints that no file has yet to disk, most recently used first.

        Call it when idle: the bytes are copied now and written in the background. Returns how many
        were accepted, at most `limit`.
        """
        saved = 0
        while self._saver is not None and saved != limit and self._saver.save_one():
            saved += 1
        return saved

    def unsaved(self) -> list[tuple[Holding, int]]:
        """What `save` would write if there were room for all of it; see Saver.unsaved."""
        return [] if self._saver is None else self._saver.unsaved()

    def forget(self, tokens: TokenIds) -> None:
        """Evict every sequence that begins with `tokens`, on every tier; between requests only."""
        wanted = as_tokens(tokens)
        # From the bottom, as in `clear`.
        if self.disk is not None:
            self.disk.forget(wanted)
        if self.host is not None:
            self.host.drop_passing(wanted, Cause.DELETED)
        self.device.drop_passing(wanted, Cause.DELETED)

    def held_bytes(self) -> int:
        """Bytes of everything cached on all tiers, counting every copy."""
        held = 0 if self.disk is None else self.disk.view().used_bytes
        for cache in (self.device, self.host):
            if cache is not None:
                held += sum(
                    pool.cached * pool.slot_bytes
                    for pool in (cache.reader.kv_pool(), cache.reader.state_pool())
                )
        return held

    def clear(self) -> None:
        """Evict everything that no request holds, on every tier."""
        # From the bottom, so that each loss is counted once, with the device's part of it.
        if self.disk is not None:
            self.disk.clear()
        if self.host is not None:
            self.host.drop_all()
        self.device.drop_all()

    def _demote_from_device(self, node: int) -> TierName | None:
        """Demote the checkpoint of `node`; returns the tier that then holds it."""
        holding = self.device.reader.holding(node)
        if holding.checkpoint is None or holding.checkpoint.state.quarantined:
            return None
        if self.host is not None:
            outcome = self.copy_to_host(node)
            if outcome in (Intake.TAKEN, Intake.PRESENT):
                return "host"
        # Reached also if the host has no room.
        if self.disk is not None:
            self._to_disk(holding, "device")
        return self._disk_if_stored(holding)

    def _demote_from_host(self, node: int) -> TierName | None:
        assert self.host is not None
        holding = self.host.reader.holding(node)
        self._to_disk(holding, "host")
        return self._disk_if_stored(holding)

    def _disk_if_stored(self, holding: Holding) -> TierName | None:
        """ "disk" if a file has the checkpoint, whoever wrote it."""
        return "disk" if self.disk is not None and self.disk.holds(holding.tokens) else None

    def _log_copy(self, position: int, source: TierName, target: TierName, outcome: Intake) -> None:
        self.moved[source, target, outcome] += 1
        self._log_change(CheckpointCopied(position, source, target, outcome))

    def _to_disk(self, holding: Holding, tier: TierName) -> Intake:
        disk, checkpoint = self.disk, holding.checkpoint
        assert disk is not None
        if checkpoint is None or checkpoint.state.quarantined:
            return Intake.PRESENT
        try:
            outcome = Intake.TAKEN if disk.save(holding, tier) else Intake.PRESENT
        except MOVE_ERRORS:
            outcome = Intake.FAILED
        if outcome is not Intake.PRESENT:
            self._log_copy(len(holding.tokens), tier, "disk", outcome)
        return outcome

    def _to_host(self, holding: Holding) -> Intake:
        """Copy a device checkpoint to the host: the state, and the KV that the host lacks."""
        host, mover, held = self.host, self._mover, holding.checkpoint
        assert host is not None
        assert mover is not None
        assert held is not None
        one_shot = holding.one_shot
        if host.refresh(holding.tokens, held.state, one_shot=one_shot):
            return Intake.PRESENT

        def fetch(start: int, extents: Extents, slot: int) -> StoredState | None:
            mover.kv_to_host(part(holding.extents, start, len(holding.tokens)), extents)
            error = mover.state_to_host(held.slot, slot)
            return held.state.on("device").packed(self._host_format, error)

        incoming = Incoming(holding.tokens, holding.tags, held.state.exact, one_shot)
        return take_in(host, incoming, fetch)


def _usable(cut_hash_at: CutHashAt | None, tags: Tags | None) -> Callable[[OnDisk], bool]:
    """Exact mode's condition on files, the same as on checkpoints in the tree."""

    def usable(found: OnDisk) -> bool:
        if cut_hash_at is None:
            return True
        end = found.state.position
        return (
            found.state.exact
            and found.state.cut_hash == cut_hash_at(end)
            and (tags is None or bool(np.array_equal(found.tags, tags[:end])))
        )

    return usable
