"""A view that counts checkpoints by how they were written, added as CONTRIBUTING.md says."""

from __future__ import annotations

from collections import Counter

from PySide6.QtWidgets import QVBoxLayout

from app.cache.planes_view import SnapshotView
from app.ui.widgets import label
from engine.snapshot import CacheSnapshot


class ProvenanceView(SnapshotView):
    def __init__(self) -> None:
        super().__init__()
        self.line = label("", "figures")
        QVBoxLayout(self).addWidget(self.line)

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        self.line.setText(provenance_text(snapshot))


def provenance_text(snapshot: CacheSnapshot | None) -> str:
    held = [node.checkpoint for node in snapshot.nodes if node.checkpoint] if snapshot else []
    counts = Counter(checkpoint.state.provenance for checkpoint in held)
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"
