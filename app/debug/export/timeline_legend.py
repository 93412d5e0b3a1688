"""What the colours of the timeline mean, for its picture."""

from __future__ import annotations

from app.debug.timeline.ink import LAYER_TOKENS, PART_TOKENS, REUSE_TOKENS
from app.debug.timeline.work import PARTS
from app.export.picture import Legend

TIMELINE_LEGEND: Legend = (
    *zip(PART_TOKENS, PARTS, strict=True),
    *zip(REUSE_TOKENS, ("reused", "replayed", "new"), strict=True),
    *zip(
        LAYER_TOKENS,
        ("KV of the tree", "KV of requests", "states of the tree", "states of requests"),
        strict=True,
    ),
    ("lost", "evicted, no copy left"),
    ("host", "copied to another tier"),
)
