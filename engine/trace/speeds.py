"""The speed of the recorded machine, from its own requests, for honest predictions."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.journal.request_ran import RequestRan

# Shorter prefills are dominated by fixed costs, and count only if there are no longer ones.
LONG_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Speeds:
    """Means over a trace.

    Attributes:
        prefill_tok_s: tokens per second of replay and prefill; None before any measurement.
        restore_s: seconds to take slots and to copy a checkpoint on the device.
        far_restore_s: the same for one from host or disk, including the lookup, since that is
        when it is copied; None if there was none.
        rest_s: the other costs of a first token: the lookup and one sampling step.
    """

    prefill_tok_s: float | None
    restore_s: float
    far_restore_s: float | None
    rest_s: float

    def first_token_s(self, ran: int, tier: str) -> float | None:
        """Predicted seconds to the first token with `ran` tokens to run; None if unknown."""
        if self.prefill_tok_s is None:
            return None
        near = self.restore_s if tier else 0.0
        restore = near if tier in ("", "device") else self.far_restore_s or near
        return ran / self.prefill_tok_s + restore + self.rest_s


class SpeedMeter:
    """Sums over the requests of a trace, one at a time."""

    def __init__(self) -> None:
        self._prefills: dict[bool, list[tuple[int, float]]] = {False: [], True: []}
        self._restores: dict[bool, list[float]] = {False: [], True: []}
        self._rests: list[float] = []

    def observe(self, ran: RequestRan) -> None:
        """Add a request that ran on the recorded machine."""
        tokens = ran.replayed + ran.computed
        if tokens and ran.prefill_ms > 0 and ran.position >= len(ran.prompt):
            self._prefills[tokens >= LONG_TOKENS].append((tokens, ran.prefill_ms / 1e3))
        far = ran.resumed_from not in ("", "device")
        lookup_s, restore_s = ran.lookup_ms / 1e3, ran.restore_ms / 1e3
        if ran.resumed_from:
            self._restores[far].append(restore_s + (lookup_s if far else 0.0))
        if ran.first_token_s is not None and not far:
            self._rests.append(max(ran.first_token_s - restore_s - ran.prefill_ms / 1e3, 0.0))

    def speeds(self) -> Speeds:
        far = self._restores[True]
        runs = self._prefills[True] or self._prefills[False]
        seconds = sum(seconds for _, seconds in runs)
        return Speeds(
            prefill_tok_s=sum(tokens for tokens, _ in runs) / seconds if runs else None,
            restore_s=_mean(self._restores[False]),
            far_restore_s=_mean(far) if far else None,
            rest_s=_mean(self._rests),
        )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
