"""A stored state, wherever its bytes are: the single list of a checkpoint's attributes.

The tree, a match, the tiers, the files, the journal and the views each contain this record and add
where the state is stored; a new attribute is one line here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from engine.config import STATE_FORMATS, StateFormat
from engine.verdict import Verdict

Provenance = Literal["prefill", "decode", "branch"]
TierName = Literal["device", "host", "disk"]
Why = Literal[
    "",
    "system end",
    "user start",
    "before thinking",
    "answer start",
    "tool call",
    "interval",
    "branch",
    "end of prompt",
    "end of answer",
    "stopped",
    "asked for",
]


@dataclass(frozen=True, slots=True)
class StoredState:
    """The state of all linear layers after exactly `position` tokens.

    Attributes:
        provenance: how it was written.
        cut_hash: cut hash of the run that computed it; None: never bit-equal to a prefill.
        has_hidden: the last hidden row is stored too, so that a prompt may end right here.
        stored: the coarsest format that its bytes, or those it was computed from, went through.
        error: the largest relative error measured on any of these, by compression or by an audit;
            0 is exact.
        tier: where its bytes were before they were last copied here; in a view, the nearest tier
            that has them.
        verdict: an audit's, None before any.
        why: the reason for storing it, "" if unknown. It does not describe the bytes, so states
            that differ only in it are equal.
    """

    position: int
    provenance: Provenance = "prefill"
    cut_hash: int | None = None
    has_hidden: bool = False
    stored: StateFormat = "none"
    error: float = 0.0
    tier: TierName = "device"
    verdict: Verdict | None = None
    why: Why = field(default="", compare=False)

    @property
    def whole(self) -> bool:
        """Whether neither it nor anything it derives from was compressed or found to differ."""
        return self.stored == "none" and not self.error and not self.drifted

    @property
    def exact(self) -> bool:
        """Whether, as far as known, its bytes are those that a prefill at these cuts wrote."""
        return self.whole and self.provenance == "prefill" and self.cut_hash is not None

    @property
    def verified(self) -> bool:
        """Whether an audit found it right."""
        return self.verdict is not None and self.verdict.status == "verified"

    @property
    def drifted(self) -> bool:
        """Whether an audit found it beyond rounding, but harmless."""
        return self.verdict is not None and self.verdict.status == "drifted"

    @property
    def quarantined(self) -> bool:
        """Whether an audit found it wrong: never to be used again."""
        return self.verdict is not None and self.verdict.status == "quarantined"

    def better_than(self, other: StoredState) -> bool:
        """Whether it should replace `other`, which is stored for the same tokens."""
        if other.quarantined:
            return True
        if self.exact and (not other.exact or self.cut_hash != other.cut_hash):
            return True
        # Finer bytes win, then the row that lets a prompt end right there.
        if self._coarseness != other._coarseness:
            return self._coarseness < other._coarseness
        return self.has_hidden and not other.has_hidden and (self.exact or not other.exact)

    def computed_from(self, source: StoredState | None) -> StoredState:
        """This state, if the run that computed it had resumed from `source`.

        It is no better than its source. A verdict on `source` is not inherited, except for the
        difference that it measured.
        """
        if source is None:
            return self
        measured = source.verdict.largest if source.verdict and source.drifted else 0.0
        return replace(self, stored=source.stored, error=max(source.error, measured))

    def on(self, tier: TierName) -> StoredState:
        """This state with its bytes on `tier`."""
        return self if self.tier == tier else replace(self, tier=tier)

    def packed(self, form: StateFormat, error: float) -> StoredState:
        """This state after a copy in format `form`, which added a relative error of `error`."""
        coarser = max(self.stored, form, key=STATE_FORMATS.index)
        return replace(self, stored=coarser, error=max(self.error, error))

    @property
    def _coarseness(self) -> int:
        """0: as a prefill or decode wrote it; 1: computed from a drifted state; then by format."""
        if self.stored != "none":
            return 1 + STATE_FORMATS.index(self.stored)
        return 0 if self.whole else 1
