"""The tiers under the device's cache: what is evicted there is shadowed in host memory and on disk.

The host tier is a second two-plane cache with slots of its own. It is a shadow: whatever it holds
it holds whole, a checkpoint with all the KV under it, so it never depends on what the device still
has. The disk tier holds segments from checkpoint to checkpoint. Before a prompt is matched, the
tier with the deepest checkpoint for it hands that up, and the match finds it on the device.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.cache.cache import TwoPlaneCache
from engine.cache.eviction.cause import Cause
from engine.cache.holding import Holding
from engine.cache.journal.changes import CheckpointCopied
from engine.cache.journal.journal import Tell, silent
from engine.cache.match import ChainAt, CheckpointRef, Match, Tags
from engine.cache.node import Tokens
from engine.cache.runs import Runs, part
from engine.cache.tiers.intake import MOVE_ERRORS, Incoming, Intake, take_in
from engine.cache.tiers.lower import Disk, Mover, OnDisk
from engine.cache.tiers.saving import Saver
from engine.cache.tree import TokenIds, as_tokens
from engine.config import StateFormat
from engine.reuse import Reason
from engine.stored_state import StoredState, TierName
from engine.verdict import Verdict

# How often a prompt may meet a damaged file before it is run without the disk.
DISK_TRIES = 8
NO_NODE = -1


class Tiers:
    """Host and disk under a device's cache; either may be missing.

    Attributes:
        device, host, disk: the tiers, the upper one first.
        quarantined: checkpoints that an audit found to be wrong.
        met_damage: the last promotion came upon a damaged file.
        moved: how many checkpoints went which way, with which outcome: (from, to, outcome).
    """

    def __init__(
        self,
        device: TwoPlaneCache,
        host: TwoPlaneCache | None = None,
        mover: Mover | None = None,
        disk: Disk | None = None,
        *,
        host_format: StateFormat = "none",
        tell: Tell = silent,
    ) -> None:
        assert (host is None) == (mover is None), "a host tier needs something that moves bytes"
        self.device = device
        self.host = host
        self.disk = disk
        self.moved: Counter[tuple[TierName, TierName, Intake]] = Counter()
        self.met_damage = False
        self.quarantined = 0
        self._mover = mover
        self._host_format = host_format
        self._tell = tell
        if host is not None or disk is not None:
            device.demote_to(self._leaving_device)
        if host is not None and disk is not None:
            host.demote_to(self._leaving_host)
        self._saver = None
        if disk is not None:
            self._saver = Saver(device, disk, lambda holding: self._to_disk(holding, "device"))

    # ---- questions

    @property
    def version(self) -> int:
        """Grows with every visible change on any tier."""
        host = 0 if self.host is None else self.host.version
        return self.device.version + host + (0 if self.disk is None else self.disk.version)

    def probe(
        self, tokens: TokenIds, *, chain: ChainAt | None = None, tags: Tags | None = None
    ) -> Match:
        """What a match after `promote` would answer. Changes nothing on any tier."""
        wanted = as_tokens(tokens)
        here = self.device.reader.probe(wanted, chain=chain, tags=tags)
        below = self._deepest_below(wanted, here.resume, chain, tags)
        if below is None:
            return here
        at, _ = below
        resume = at.state.position
        matched = max(here.matched, resume)
        return replace(
            here,
            matched=matched,
            resume=resume,
            checkpoint=replace(at, node=NO_NODE),
            state_reason=Reason.NONE if resume == matched else here.state_reason,
            token_reason=Reason.NONE if matched == here.total else here.token_reason,
        )

    def check(self) -> None:
        """Raises InvariantError naming the first broken invariant of any tier."""
        self.device.reader.check()
        if self.host is not None:
            self.host.reader.check()

    # ---- up

    def promote(
        self, tokens: TokenIds, *, chain: ChainAt | None = None, tags: Tags | None = None
    ) -> TierName:
        """Bring the deepest usable checkpoint of a prompt to the device, with the KV under it.

        Returns the tier it came from; "device" where nothing deeper lay below, or it could not be
        moved. Match and lock right afterwards.
        """
        wanted = as_tokens(tokens)
        self.met_damage = False
        if self.host is None and self.disk is None:
            return "device"
        for _ in range(DISK_TRIES):
            resume = self.device.reader.probe(wanted, chain=chain, tags=tags).resume
            below = self._deepest_below(wanted, resume, chain, tags)
            if below is None:
                return "device"
            at, on_disk = below
            if on_disk is None:
                outcome = self._up_from_host(wanted, at, exact=chain is not None)
            else:
                outcome = self._up_from_disk(wanted, on_disk, exact=chain is not None)
            self._note(at.state.position, at.state.tier, "device", outcome)
            if outcome is Intake.TAKEN:
                return at.state.tier
            self.met_damage |= on_disk is not None and outcome is Intake.FAILED
            # A damaged file is no longer found, so the next best may be tried.
            if on_disk is None or outcome is not Intake.FAILED:
                return "device"
        return "device"

    def _deepest_below(
        self, tokens: Tokens, resume: int, chain: ChainAt | None, tags: Tags | None
    ) -> tuple[CheckpointRef, OnDisk | None] | None:
        """The deepest checkpoint beyond `resume`; of two equally deep ones the nearer tier's."""
        best: tuple[CheckpointRef, OnDisk | None] | None = None
        if self.host is not None:
            there = self.host.reader.probe(tokens, chain=chain, tags=tags)
            if there.checkpoint is not None and there.resume > resume:
                at = there.checkpoint
                best = replace(at, state=replace(at.state, tier="host")), None
                resume = there.resume
        if self.disk is not None:
            found = self.disk.find(tokens, _usable(chain, tags))
            if found is not None and found.state.position > resume:
                best = CheckpointRef(NO_NODE, NO_NODE, found.state), found
        return best

    def _up_from_host(self, tokens: Tokens, at: CheckpointRef, *, exact: bool) -> Intake:
        host, mover = self.host, self._mover
        assert host is not None
        assert mover is not None
        # A match and not a probe: what the host tier keeps follows its own recency.
        lock = host.lock(host.match(tokens, usable=lambda one: one.position == at.state.position))
        held = host.reader.holding(at.node)

        def fetch(start: int, runs: Runs, slot: int) -> StoredState | None:
            mover.kv_to_device(part(held.runs, start, at.state.position), runs)
            mover.state_to_device(at.slot, slot)
            return at.state

        try:
            return take_in(self.device, Incoming(held.tokens, held.tags, exact), fetch)
        finally:
            host.unlock(lock)

    def _up_from_disk(self, tokens: Tokens, found: OnDisk, *, exact: bool) -> Intake:
        disk = self.disk
        assert disk is not None

        def fetch(start: int, runs: Runs, slot: int) -> StoredState | None:
            return found.state if disk.restore(found, start, runs, slot) else None

        incoming = Incoming(tokens[: found.state.position], found.tags, exact)
        return take_in(self.device, incoming, fetch)

    def stamp(self, node: int, verdict: Verdict) -> None:
        """Note what an audit said of a device checkpoint; a wrong one is used on no tier again.

        One that should be exact and drifted is not used in exact mode again, on no tier either.
        """
        held = self.device.reader.holding(node)
        promised = held.checkpoint is not None and held.checkpoint.state.exact
        self.device.stamp(node, verdict)
        wrong = verdict.status == "quarantined"
        if not (wrong or (promised and verdict.status == "drifted")):
            return
        self.quarantined += wrong
        cause = Cause.QUARANTINED_ABOVE if wrong else Cause.DRIFTED_ABOVE
        self._drop_below(held.tokens, self.device.reader.position_above(node), cause)

    def _drop_below(self, tokens: Tokens, beyond: int, cause: Cause) -> None:
        """Nothing under the device keeps what was found wrong after `tokens`, or came of it.

        What lies there between `beyond`, where the device has the checkpoint before, and the wrong
        one may be what that came of; nobody can audit it there, so it goes as well.
        """
        if self.host is not None:
            for node in self.host.reader.path_ends(tokens, beyond):
                self.host.drop_passing(self.host.reader.holding(node).tokens, cause)
            self.host.drop_passing(tokens, cause)
        if self.disk is not None:
            self.disk.remove(tokens, beyond)

    # ---- down

    def save(self, most: int | None = None) -> int:
        """Hand checkpoints that no file has yet to the disk, what was used last first.

        Call it when idle: the bytes are copied now and written in the background. Returns how many
        were handed over, at most `most`.
        """
        saved = 0
        while self._saver is not None and saved != most and self._saver.save_one():
            saved += 1
        return saved

    def unsaved(self) -> list[tuple[Holding, int]]:
        """What `save` would hand over if there were room for all of it; see Saver.unsaved."""
        return [] if self._saver is None else self._saver.unsaved()

    def clear(self) -> None:
        """Evict everything on every tier that no request holds."""
        self.device.drop_all()
        if self.host is not None:
            self.host.drop_all()
        if self.disk is not None:
            self.disk.clear()

    def _leaving_device(self, node: int) -> TierName | None:
        """Returns the tier that has the checkpoint then."""
        holding = self.device.reader.holding(node)
        if holding.checkpoint is None or holding.checkpoint.state.quarantined:
            return None
        if self.host is not None:
            outcome = self._to_host(holding)
            self._note(len(holding.tokens), "device", "host", outcome)
            if outcome in (Intake.TAKEN, Intake.THERE):
                return "host"
        # Also what the host has no room for.
        if self.disk is not None:
            self._to_disk(holding, "device")
        return self._filed(holding)

    def _leaving_host(self, node: int) -> TierName | None:
        assert self.host is not None
        holding = self.host.reader.holding(node)
        self._to_disk(holding, "host")
        return self._filed(holding)

    def _filed(self, holding: Holding) -> TierName | None:
        """ "disk" where a file has the checkpoint, whoever wrote it and when."""
        return "disk" if self.disk is not None and self.disk.holds(holding.tokens) else None

    def _note(self, position: int, source: TierName, target: TierName, outcome: Intake) -> None:
        self.moved[source, target, outcome] += 1
        self._tell(CheckpointCopied(position, source, target, outcome))

    def _to_disk(self, holding: Holding, tier: TierName) -> Intake:
        disk, checkpoint = self.disk, holding.checkpoint
        assert disk is not None
        if checkpoint is None or checkpoint.state.quarantined:
            return Intake.THERE
        try:
            outcome = Intake.TAKEN if disk.save(holding, tier) else Intake.THERE
        except MOVE_ERRORS:
            outcome = Intake.FAILED
        if outcome is not Intake.THERE:
            self._note(len(holding.tokens), tier, "disk", outcome)
        return outcome

    def _to_host(self, holding: Holding) -> Intake:
        """Shadow a device checkpoint: what the host lacks of its KV, and the state."""
        host, mover, held = self.host, self._mover, holding.checkpoint
        assert host is not None
        assert mover is not None
        assert held is not None
        if host.refresh(holding.tokens, held.state):
            return Intake.THERE

        def fetch(start: int, runs: Runs, slot: int) -> StoredState | None:
            mover.kv_to_host(part(holding.runs, start, len(holding.tokens)), runs)
            error = mover.state_to_host(held.slot, slot)
            return replace(held.state, tier="device").packed(self._host_format, error)

        return take_in(host, Incoming(holding.tokens, holding.tags, held.state.exact), fetch)


def _usable(chain: ChainAt | None, tags: Tags | None) -> Callable[[OnDisk], bool]:
    """Exact mode's condition on files: the same as on checkpoints in the tree."""

    def usable(found: OnDisk) -> bool:
        if chain is None:
            return True
        end = found.state.position
        return (
            found.state.exact
            and found.state.cut_hash == chain(end)
            and (tags is None or bool(np.array_equal(found.tags, tags[:end])))
        )

    return usable
