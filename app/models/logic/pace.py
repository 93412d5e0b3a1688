"""About how fast a model will read and write here, from what was measured of this machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.machine_speed import FormatSpeed, MachineSpeed

if TYPE_CHECKING:
    from engine.model.needs import FormatNeeds, ModelNeeds


# Fewer bits are not worth less than this much speed, and four bits not less than this much more.
WORTH, FAR_WORTH = 1.1, 1.5
# Parameters below which what is measured of a larger model says nothing: other costs count.
SMALL = 100_000_000
CONTEXTS = (4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144)
USUAL_CONTEXT = 32_768


@dataclass(frozen=True, slots=True)
class Fit:
    """What a model takes of the memory that it runs in, in bytes.

    Attributes:
        weights, kv, states, host, workspace: its parts; host is 0 where that is other memory.
        others: what other programs have now.
        total: all the memory that there is.
        context: that was asked for, or the model's longest if that is less: then `longest`.
        expert_bytes: room for routed experts with which it would fit, the others staying in their
            files; 0 if that is not needed or does not help.
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
        """Colour token and bytes of each part, from left to right."""
        return (
            ("faint", self.others),
            ("weights", self.weights),
            ("kv_cached", self.kv),
            ("state_cached", self.states),
            ("host", self.host),
            ("workspace", self.workspace),
        )


def fit_of(needs: ModelNeeds, size: FormatNeeds, context: int, host_bytes: int) -> Fit:
    """host_bytes: that the cache may keep in main memory."""
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
    """Tokens a second, roughly; None where it is not known."""

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
        """Whether anything is known of its speed."""
        return self.pace.read_tok_s is not None or self.pace.write_tok_s is not None


def pace_of(needs: ModelNeeds, size: FormatNeeds, speed: MachineSpeed | None) -> Pace:
    """Scale what was measured by the work of a token: products for reading, bytes for writing."""
    found = _of_format(speed, size.weights)
    if speed is None or found is None or needs.parameters < SMALL:
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
        # Whatever is read from files while it runs depends on the disk.
        pace = Pace(None, None) if fit.expert_bytes else pace_of(needs, size, speed)
        made.append(FormatRow(size, fit, pace))
    return tuple(made)


def best(rows: tuple[FormatRow, ...]) -> FormatRow | None:
    """The format to choose: of those that fit, the closest to the original that is not much slower
    than another; where none fits whole, the smallest; None if none fits at all.
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


def _of_format(speed: MachineSpeed | None, weights: str) -> FormatSpeed | None:
    if speed is None:
        return None
    return next((each for each in speed.formats if each.weights == weights), None)
