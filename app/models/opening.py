"""Opening models: a chosen folder, a recent one, or another weight format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.loading import Loading, loading
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.core.store.load_times import kept_speed
from app.core.words.model_words import opening_text
from app.core.words.tr import tr
from app.models.connecting import ConnectController
from app.models.failure_card import FailureCard
from app.models.logic.places import model_place
from app.models.logic.recent_models import place_text
from app.models.recent_menu import RecentMenu
from app.ui.file_dialog import file_dialog
from app.ui.menus.menus import Menus
from app.ui.notice_bar import WIDEST_PX
from app.ui.widgets import (
    DropDown,
    ElidedLabel,
    NameLabel,
    SpinBox,
    add_middle,
    label,
    set_tip,
    show_share,
)
from engine.config import WEIGHT_FORMATS, EngineConfig, WeightFormat
from engine.machine_speed import MachineSpeed

FORMAT_NAMES = {
    "stored": tr("As stored in the files"),
    "int8": tr("8 bits (int8)"),
    "int4": tr("4 bits (int4)"),
}
_MOST_MB = 1 << 20
_STEP_MB = 1024
_FIELD_PX = 30
_TIP = Qt.ItemDataRole.ToolTipRole
_ABOUT = tr(
    "Fewer bits take less memory and answer faster, but change the answers "
    "slightly: 4 bits made here do so more than a Q4_K_M file of the same model. "
    "Only mixture-of-experts models have routed experts: those that do not fit "
    "the memory given here are read from the files when needed."
)
# A bar that flashes up for a small model would be alarming, and move the text being read.
_SHOW_AFTER_MS = 400


class LoadingCard(QWidget):
    """A bar shown when opening a model takes longer than a moment.

    Attributes:
        title, stage: which model, and the current stage; its tooltip: what can be done meanwhile.
        bar: the progress.
        button: cancels opening.

    Signals:
        cancelled: the button was pressed.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Loading | None = None
        self.title = NameLabel("strong")
        self.stage = ElidedLabel("figures")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.button = QPushButton(tr("Cancel"))
        self.button.setProperty("kind", "small")
        self.button.setAccessibleName(tr("Cancel opening the model"))
        self.button.clicked.connect(self.cancelled)
        card = QFrame()
        card.setObjectName("card")
        card.setMaximumWidth(WIDEST_PX)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title)
        head.addWidget(self.stage, 1)
        head.addWidget(self.button)
        column = QVBoxLayout(card)
        column.setContentsMargins(14, 8, 10, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.bar)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 8, 24, 0)
        add_middle(outer, card)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_SHOW_AFTER_MS)
        self._wait.timeout.connect(self.show)
        self.hide()

    def show_session(self, session: Session) -> None:
        """Show the model being opened, or hide."""
        found = loading(session)
        if found is None:
            self._wait.stop()
            self.hide()
        elif self._shown is None:
            self._wait.start()
        if found is not None and found != self._shown:
            self.title.setText(found.title)
            self.stage.setText(found.stage)
            set_tip(self, found.note)
            self.button.setAccessibleDescription(found.note)
            show_share(self.bar, found.fraction)
            self.bar.setAccessibleName(found.title)
        self._shown = found


def ask_for_model(parent: QWidget, open_now: Path | None, chosen: Callable[[Path], object]) -> None:
    """Ask for a GGUF file, or for a file of a model folder, which stands for the folder.

    Starts in the last chosen folder, or next to the open model. `chosen` is called with the file or
    the folder unless the user cancels.
    """
    beside = None if open_now is None else open_now.parent
    title = tr("Choose a .gguf file, or the config.json of a model folder")
    dialog = file_dialog(parent, "models", title, first=beside)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    models = tr("Models ({patterns})").format(patterns="*.gguf *.GGUF config.json *.safetensors")
    dialog.setNameFilters([models, tr("All files ({patterns})").format(patterns="*")])
    dialog.fileSelected.connect(lambda path: chosen(model_place(Path(path))))
    dialog.open()


class OpeningDialog(QDialog):
    """Asks for the model, its weight format and the memory for routed experts.

    Attributes:
        model, weights, experts: the fields.
        measured: the recommended format by the last measurement.
        later: saves the choice for the next model.
        reload: opens the model in the first field with the choice.

    Signals:
        chosen: format, bytes for experts, and the folder to open now; None for none.
    """

    # The bytes for experts exceed Qt's int.
    chosen = Signal(str, object, object)

    def __init__(
        self,
        parent: QWidget,
        config: EngineConfig,
        current: Path | None = None,
        recent: Sequence[Path] = (),
        speed: MachineSpeed | None = None,
    ) -> None:
        """current: the open model, else the last one; recent: suggestions; speed: this machine's,
        if measured.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Weights and experts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._current = current
        self.model = DropDown()
        self.model.setAccessibleName(tr("Model"))
        self.model.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        others = [folder for folder in recent if folder != current]
        offered = [*([current] if current is not None else []), *others]
        names = [folder.name for folder in offered]
        for folder in offered:
            # The path distinguishes equal names; the tooltip always shows it.
            alike = names.count(folder.name) > 1
            where = tr(" in {place}").format(place=place_text(folder)) if alike else ""
            self.model.addItem(f"{folder.name}{where}", folder)
            self.model.setItemData(self.model.count() - 1, str(folder), _TIP)
        if current is None:
            self.model.setCurrentIndex(-1)
            self.model.setPlaceholderText(
                tr("No model was opened yet") if not others else tr("Choose")
            )
        self.model.currentIndexChanged.connect(self._name_button)
        self.weights = DropDown()
        for format_ in WEIGHT_FORMATS:
            self.weights.addItem(FORMAT_NAMES[format_], format_)
        self.weights.setCurrentIndex(WEIGHT_FORMATS.index(config.weights))
        self.weights.setAccessibleName(tr("Format of weights"))
        self.experts = SpinBox()
        self.experts.setRange(0, _MOST_MB)
        self.experts.setSingleStep(_STEP_MB)
        self.experts.setGroupSeparatorShown(True)
        self.experts.setSuffix(" MiB")
        self.experts.setSpecialValueText(tr("All"))
        self.experts.setValue(min(config.expert_bytes >> 20, _MOST_MB))
        self.experts.setAccessibleName(tr("Memory for routed experts"))
        self.measured = label(opening_text(speed), "dim", wrap=True)
        self.measured.setAccessibleName(tr("Which format suits this machine"))
        self.reload = QPushButton(tr("Reload model"))
        self.reload.setAutoDefault(False)
        self.reload.clicked.connect(lambda: self._choose(reload=True))
        self.later = QPushButton(tr("Use for next model"))
        self.later.setProperty("kind", "primary")
        self.later.setDefault(True)
        self.later.clicked.connect(lambda: self._choose(reload=False))
        self._build()
        self._name_button()

    def show_problems(self, problems: Mapping[Path, str]) -> None:
        """Disable suggestions that cannot be opened, and show why."""
        items = self.model.model()
        for row in range(self.model.count()):
            folder = self.model.itemData(row)
            problem = problems.get(folder, "")
            if problem and folder != self._current and isinstance(items, QStandardItemModel):
                items.item(row).setEnabled(False)
                self.model.setItemData(row, f"{folder}\n{problem}", _TIP)

    def _build(self) -> None:
        for field in (self.model, self.weights, self.experts):
            field.setMinimumHeight(_FIELD_PX)
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.addRow(tr("Model"), self.model)
        form.addRow(tr("Format of weights"), self.weights)
        form.addRow(tr("Memory for routed experts"), self.experts)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.reload, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.later, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        about = label(_ABOUT, "dim", wrap=True)
        about.setMinimumWidth(400)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(16)
        column.addLayout(form)
        column.addWidget(about)
        column.addWidget(self.measured)
        column.addWidget(buttons)

    def _name_button(self) -> None:
        folder = self.model.currentData()
        again = folder is None or folder == self._current
        self.reload.setText(tr("Reload model") if again else tr("Open model"))
        self.reload.setEnabled(folder is not None)

    def _choose(self, *, reload: bool) -> None:
        folder = self.model.currentData() if reload else None
        self.chosen.emit(self.weights.currentData(), self.experts.value() << 20, folder)
        self.close()


class OpeningController:
    """Connects the actions for opening a model, or cancelling that, with the bridge."""

    def __init__(
        self,
        bridge: Bridge,
        window: QWidget,
        menus: Menus,
        recent: RecentMenu,
        card: FailureCard,
        loading: LoadingCard,
        connecting: ConnectController,
    ) -> None:
        """window: the parent of the dialogs."""
        self._bridge, self._window, self._recent = bridge, window, recent
        self._card, self._loading = card, loading
        menus.open_model.triggered.connect(self._ask_model)
        menus.opening.triggered.connect(self._ask_format)
        recent.chosen.connect(bridge.open_model)
        menus.connection.triggered.connect(lambda: connecting.ask())
        card.connect_wanted.connect(lambda: connecting.ask(bridge.connection))
        card.choose.connect(self._ask_model)
        card.models_wanted.connect(menus.models.trigger)
        card.gone_back.connect(bridge.go_back)
        loading.cancelled.connect(bridge.cancel_opening)

    def refresh(self) -> None:
        """Show what is open or being opened, or why nothing is."""
        session = self._bridge.session
        self._card.show_session(session)
        self._loading.show_session(session)
        ready = session.engine.phase is EnginePhase.READY
        self._recent.show_open(self._bridge.folder if ready else None)

    def apply(self, changes: frozenset[Change]) -> None:
        """Refresh what changed."""
        if Changed.ENGINE in changes:
            self.refresh()

    def _ask_model(self) -> None:
        ask_for_model(self._window, self._bridge.folder, self._bridge.open_model)

    def _ask_format(self) -> None:
        """Ask for the weight format, and reload the model if the user wants to."""
        bridge, recent = self._bridge, self._recent
        dialog = OpeningDialog(
            self._window, bridge.settings.config, bridge.folder, recent.folders, kept_speed()
        )
        dialog.show_problems(recent.problems)
        recent.looked.connect(dialog.show_problems)
        dialog.chosen.connect(self._open_with)
        dialog.open()

    def _open_with(self, weights: WeightFormat, expert_bytes: int, folder: Path | None) -> None:
        self._bridge.open_next_with(weights, expert_bytes)
        if folder is not None:
            self._bridge.open_model(folder)
