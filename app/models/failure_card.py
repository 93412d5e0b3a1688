"""Over the chat: a welcome if no model is open, or a bar if one could not be opened."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.session.model import Session
from app.core.session.records import EnginePhase, EngineState
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.ui.notice_bar import NoticeBar
from app.ui.widgets import IconButton, add_middle, set_state

_WELCOME = tr("Download one that fits this machine, or choose a file.")
_WHICH = tr(
    "A Qwen3.5, Qwen3.6 or Qwen3-Next model: its .gguf file, or the config.json of the folder "
    "with tokenizer.json and *.safetensors"
)


class FailureCard(QWidget):
    """Says why no model, or not the requested one, is open, and offers ways to continue.

    Attributes:
        bar: holds all of it; title, sentence: the problem, and what to do.
        models: opens the Models window; shown while no model is open.
        button: chooses another model.
        connect_: asks for an engine elsewhere instead.
        back: returns to the model that is still open, or reopens the last one.
        diagnose: copies the diagnostics; shown after a failure.
        dismiss: goes back, too, if another model is still open.

    Signals:
        models_wanted: the user wants to open the Models window.
        choose: the user wants another folder.
        connect_wanted: the user wants an engine elsewhere.
        gone_back: the user chose to go back.
        diagnosed: the user wants the diagnostics.
    """

    models_wanted = Signal()
    choose = Signal()
    connect_wanted = Signal()
    gone_back = Signal()
    diagnosed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = NoticeBar()
        self.title, self.sentence = self.bar.title, self.bar.sentence
        self.models = QPushButton(tr("Find a model…"))
        self.models.setProperty("kind", "primary")
        self.models.setToolTip(tr("Models to download, and which of them fit this machine"))
        self.models.clicked.connect(self.models_wanted)
        self.button = QPushButton(tr("Choose another file…"))
        self.button.setProperty("kind", "primary")
        self.button.setToolTip(_WHICH)
        self.button.clicked.connect(self.choose)
        self.connect_ = QPushButton(tr("Connect…"))
        self.connect_.setToolTip(tr("Chat with a model that another program serves"))
        self.connect_.setAccessibleName(tr("Connect to an engine elsewhere"))
        self.connect_.clicked.connect(self.connect_wanted)
        self.back = QPushButton()
        self.back.clicked.connect(self.gone_back)
        self.dismiss = IconButton("close", tr("Dismiss"), self.gone_back.emit, size=14)
        self.bar.add_close(self.dismiss)
        self.diagnose = QPushButton(tr("Copy diagnostics"))
        self.diagnose.clicked.connect(self.diagnosed)
        for button in (self.models, self.button, self.connect_, self.back, self.diagnose):
            self.bar.add_button(button)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 8, 24, 0)
        add_middle(outer, self.bar)
        self.hide()

    def show_session(self, session: Session) -> None:
        engine, refused = session.engine, session.refused
        failed = engine.phase is EnginePhase.FAILED
        missing = engine.phase is EnginePhase.NONE
        self.setVisible(failed or missing or refused is not None)
        self.back.setVisible(bool(session.previous))
        self.dismiss.setVisible(refused is not None)
        self.diagnose.setVisible(failed or refused is not None)
        if refused is not None:
            title = tr("{name} could not be opened").format(name=refused.name)
            sentence = said(refused.sentence)
            self.back.setText(tr("Continue with {previous}").format(previous=session.previous))
        else:
            title, sentence = _title(engine), said(engine.sentence) if failed else _WELCOME
            self.back.setText(tr("Reopen {previous}").format(previous=session.previous))
        another = failed or refused is not None
        self.button.setText(tr("Choose another file…") if another else tr("Choose a file…"))
        # A model that worked a moment ago is the best choice.
        reopens = failed and bool(engine.stopped) and refused is None
        set_state(self.back, "kind", "primary" if reopens else "")
        set_state(self.button, "kind", "" if reopens or not another else "primary")
        self.models.setVisible(not another)
        self.bar.lead(self.back if reopens else self.button if another else self.models)
        self.bar.say(title, sentence, folds=another)

    def restyle(self) -> None:
        self.bar.restyle()


def _title(engine: EngineState) -> str:
    """The title for the engine's own state, if no other model was refused."""
    if engine.phase is not EnginePhase.FAILED:
        return tr("Open a model")
    if engine.elsewhere:
        return tr("There is no connection")
    if engine.stopped:
        return tr("{name} has stopped").format(name=engine.stopped)
    return tr("The model could not be opened")
