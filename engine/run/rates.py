"""Measured speeds of this engine on this machine, for realistic predictions."""

from __future__ import annotations


class Rates:
    """Running averages of prefill and decode speed.

    Attributes:
        prefill_tok_s: tokens per second of prefill, None before any measurement.
        decode_s: seconds of one decode step, None before any measurement.
    """

    def __init__(self) -> None:
        self.prefill_tok_s: float | None = None
        self.decode_s: float | None = None

    def observe_prefill(self, tokens: int, seconds: float) -> None:
        # Short runs are dominated by fixed costs and would make predictions for long ones too
        # pessimistic.
        if tokens >= 32 and seconds > 0:
            self.prefill_tok_s = _mixed(self.prefill_tok_s, tokens / seconds)

    def observe_decode(self, tokens: int, seconds: float) -> None:
        if tokens > 0 and seconds > 0:
            self.decode_s = _mixed(self.decode_s, seconds / tokens)

    def first_token_s(self, tokens_to_run: int) -> float | None:
        """Predicted seconds until the first token, with `tokens_to_run` prompt tokens to run."""
        if self.prefill_tok_s is None:
            return None
        return tokens_to_run / self.prefill_tok_s + (self.decode_s or 0.0)


def _mixed(old: float | None, new: float) -> float:
    return new if old is None else 0.7 * old + 0.3 * new
