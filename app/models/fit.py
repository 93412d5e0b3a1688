"""Whether a model fits this machine at a chosen context, as the parts of a bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.model.needs import FormatNeeds, ModelNeeds

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
    made = {name: getattr(fit, name) for name in Fit.__slots__}
    return Fit(**made | {"weights": fit.weights - size.routed_bytes + room, "expert_bytes": room})
