"""Estimates a model's speed on this machine, from the machine's measurements."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.machine_speed import FormatSpeed, MachineSpeed

if TYPE_CHECKING:
    from engine.model.needs import FormatNeeds, ModelNeeds


# Speed-ups from which lower precision is recommended: int8, and int4.
WORTH, FAR_WORTH = 1.1, 1.5
# For models with fewer parameters the measurements do not apply: other costs dominate.
SMALL = 100_000_000
CONTEXTS = (4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144)
USUAL_CONTEXT = 32_768


@dataclass(frozen=True, slots=True)
class Fit:
    """The memory that a model takes, in bytes.

    Attributes:
        weights, kv, states, host, workspace: its parts; host is 0 if that is other memory.
        others: used by other programs now.
        total: all of the memory.
        context: the requested one, or the model's maximum if that is less: then `longest`.
        expert_bytes: limit for routed experts with which it would fit, the others staying in their
            files; 0 if none is needed or helps.
    """

    weights: int
    kv: int
    states: int
    host: int
    workspace: int
    others: int
    total: int
    context: int
    expert_bytes: int
    longest: bool = False

    @property
    def needed(self) -> int:
        return self.weights + self.kv + self.states + self.host + self.workspace

    @property
    def free(self) -> int:
        return self.total - self.others

    @property
    def fits(self) -> bool:
        return self.needed <= self.free

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """Colour token and bytes of each part, left to right."""
        return (
            ("faint", self.others),
            ("weights", self.weights),
            ("kv_cached", self.kv),
            ("state_cached", self.states),
            ("host", self.host),
            ("workspace", self.workspace),
        )


def fit_of(needs: ModelNeeds, size: FormatNeeds, context: int, host_bytes: int) -> Fit:
    """host_bytes: the cache's limit in main memory."""
    longest = context > needs.context
    context = min(context, needs.context)
    fit = Fit(
        weights=size.weight_bytes,
        kv=context * size.kv_token_bytes,
        states=size.state_bytes,
        host=host_bytes if needs.device == "cpu" else 0,
        workspace=needs.workspace_bytes,
        others=max(needs.total_bytes - needs.free_bytes - needs.own_bytes, 0),
        total=needs.total_bytes,
        context=context,
        expert_bytes=0,
        longest=longest,
    )
    if fit.fits or not size.routed_bytes:
        return fit
    room = fit.free - (fit.needed - size.routed_bytes)
    least = size.routed_bytes // 20
    if room < least:
        return fit
    return replace(fit, weights=fit.weights - size.routed_bytes + room, expert_bytes=room)


@dataclass(frozen=True, slots=True)
class Pace:
    """Estimated tokens per second; None if unknown."""

    read_tok_s: float | None
    write_tok_s: float | None


@dataclass(frozen=True, slots=True)
class FormatRow:
    """One format of a model on this machine."""

    size: FormatNeeds
    fit: Fit
    pace: Pace

    @property
    def paced(self) -> bool:
        """Whether a speed is known."""
        return self.pace.read_tok_s is not None or self.pace.write_tok_s is not None


def pace_of(needs: ModelNeeds, size: FormatNeeds, speed: MachineSpeed | None) -> Pace:
    """Scale the measurements by the work per token: products for prefill, bytes for decode."""
    if speed is None or needs.parameters < SMALL:
        return Pace(None, None)
    found = _of_format(speed, size, needs.parameters)
    if found is None:
        return Pace(None, None)
    reads = None
    if speed.token_flops and needs.token_flops:
        reads = found.prefill_tok_s * speed.token_flops / needs.token_flops
    writes = found.decode_tok_s * found.weight_bytes / max(size.read_bytes, 1)
    return Pace(reads, writes)


def rows_of(
    needs: ModelNeeds, context: int, host_bytes: int, speed: MachineSpeed | None
) -> tuple[FormatRow, ...]:
    """Every format of a model."""
    made = []
    for size in needs.formats:
        fit = fit_of(needs, size, context, host_bytes)
        # Speed depends on the disk if experts are read while it runs.
        pace = Pace(None, None) if fit.expert_bytes else pace_of(needs, size, speed)
        made.append(FormatRow(size, fit, pace))
    return tuple(made)


def best(rows: tuple[FormatRow, ...]) -> FormatRow | None:
    """The recommended format: of those that fit, the most accurate that is not much slower than
    another; the smallest if none fits whole; None if none fits at all.
    """
    able = [row for row in rows if row.fit.fits]
    whole = [row for row in able if not row.fit.expert_bytes]
    if not whole:
        return able[-1] if able else None
    chosen = whole[0]
    for row in whole[1:]:
        worth = FAR_WORTH if row.size.weights == "int4" else WORTH
        old, new = chosen.pace.write_tok_s, row.pace.write_tok_s
        if old is not None and new is not None and new > worth * old:
            chosen = row
    return chosen


def _of_format(speed: MachineSpeed, size: FormatNeeds, parameters: int) -> FormatSpeed | None:
    """The measurement that says most about a format; None if there is none.

    Of weights as they are stored, the one with the most similar number of bytes per weight: blocks
    of a GGUF file cost about what our own formats do at their size.
    """
    if size.weights != "stored":
        return next((each for each in speed.formats if each.weights == size.weights), None)
    wanted = max(size.weight_bytes, 1) / parameters

    def unlike(each: FormatSpeed) -> float:
        return abs(math.log(each.weight_bytes / max(speed.parameters, 1) / wanted))

    return min(speed.formats, key=unlike)
