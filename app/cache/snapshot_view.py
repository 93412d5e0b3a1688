"""A widget that shows part of a cache snapshot."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engine.snapshot import CacheSnapshot


class SnapshotView(QWidget):
    """A section of the cache pane that shows snapshots; `CachePane.add_section` adds it."""

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        """Show `snapshot`; None: no model is open. Called when the cache changes, not per token."""
        raise NotImplementedError
