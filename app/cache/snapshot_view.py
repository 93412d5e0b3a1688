"""A widget that shows something of a snapshot of the cache."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engine.snapshot import CacheSnapshot


class SnapshotView(QWidget):
    """A part of the cache pane that is fed with snapshots; `CachePane.add_section` puts it in."""

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        """Show it. Called when the cache changed, not at each token; None: there is no model."""
        raise NotImplementedError
