"""The row of the CUDA part: offered where there is a card, installed, in progress or in use."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton

from app.core.words import format as fmt
from app.core.words.tr import tr
from app.settings.page.rows import FormRow
from app.ui.widgets import label, show_share


@dataclass(frozen=True, slots=True)
class CudaShown:
    """What the row shows.

    Attributes:
        offered: bytes to download; 0 if there is nothing to offer here.
        begun: bytes that an interrupted installation has left.
        installed: whether it is there; passed: whether it is used from the next start on.
        told: what its check said.
        share: of a running installation, 0 to 1; None while none runs.
        doing: what that does now, in words.
    """

    offered: int = 0
    begun: int = 0
    installed: bool = False
    passed: bool = False
    told: str = ""
    share: float | None = None
    doing: str = ""

    @property
    def absent(self) -> bool:
        return not (self.offered or self.begun or self.installed or self.share is not None)

    @property
    def sentence(self) -> str:
        if self.share is not None:
            return self.doing
        if self.installed:
            return self.told or tr("Installed, but not checked yet.")
        if self.begun:
            return tr("{done} of {size} have come.").format(
                done=fmt.byte_size(self.begun), size=fmt.byte_size(max(self.offered, self.begun))
            )
        return tr("Not installed; {size} to download, and about twice that on the disk.").format(
            size=fmt.byte_size(self.offered)
        )


class CudaRow(FormRow):
    """Attributes:
        status: how it is now.
        bar: of a running installation.
        install, stop, remove: the buttons.

    Signals:
        wanted: install it, or go on. stopped: stop that. removed: remove it.
    """

    wanted, stopped, removed = Signal(), Signal(), Signal()

    def __init__(self) -> None:
        super().__init__(
            tr("CUDA part"),
            tr(
                "Computes on an NVIDIA card. It comes from PyPI, is checked on this computer, and "
                "is used from the next start on; without it everything works on the processor."
            ),
            tr("gpu graphics nvidia download install remove"),
        )
        self.absent = True
        self.status = label("", "dim", wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress of the CUDA part"))
        self.texts.addWidget(self.status)
        self.texts.addSpacing(4)
        self.texts.addWidget(self.bar)
        self.install = QPushButton(tr("Install…"))
        self.stop = QPushButton(tr("Stop"))
        self.remove = QPushButton(tr("Remove…"))
        acts = ((self.install, self.wanted), (self.stop, self.stopped), (self.remove, self.removed))
        for button, signal in acts:
            button.clicked.connect(lambda _on=False, signal=signal: signal.emit())
            self.side.addWidget(button)
        self.show_part(CudaShown())

    def show_part(self, shown: CudaShown) -> None:
        """Show how it is; whether the row is there at all is its page's business."""
        runs = shown.share is not None
        self.absent = shown.absent
        self.status.setText(shown.sentence)
        self.bar.setVisible(runs)
        if runs:
            show_share(self.bar, shown.share)
        self.install.setText(tr("Go on") if shown.begun else tr("Install…"))
        self.install.setVisible(not runs and not shown.installed and bool(shown.offered))
        self.stop.setVisible(runs)
        self.remove.setVisible(not runs and (shown.installed or bool(shown.begun)))
