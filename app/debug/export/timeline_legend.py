"""What the colours of the timeline mean, for its picture."""

from __future__ import annotations

from app.debug.timeline.ink import LAYER_TOKENS, PART_TOKENS, REUSE_TOKENS
from app.debug.timeline.work import PARTS
from app.export.picture import Legend
from app.words.tr import tr

TIMELINE_LEGEND: Legend = (
    *zip(PART_TOKENS, PARTS, strict=True),
    *zip(REUSE_TOKENS, (tr("reused"), tr("replayed"), tr("new")), strict=True),
    *zip(
        LAYER_TOKENS,
        (
            tr("KV of the tree"),
            tr("KV of requests"),
            tr("states of the tree"),
            tr("states of requests"),
        ),
        strict=True,
    ),
    ("lost", tr("evicted, no copy left")),
    ("host", tr("copied to another tier")),
)
