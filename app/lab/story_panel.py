"""The story beside the tabs: the text of a step, its task, and the way to the others."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.words.glossary import marked
from app.core.words.tr import tr
from app.lab.asking_tab import LABELS
from app.lab.logic.story import NUMBERS, STEPS, Scene, filled, number_of, numbers_of
from app.lab.logic.story_place import StoryPlace
from app.ui import theme
from app.ui.glossed import GlossedLabel, fragments
from app.ui.widgets import DropDown, IconButton, label, set_state

_WIDE_PX, _FLAT_PX = 312, 156
_MOST_PX = (1 << 24) - 1
# A letter that no text has stands for a number until the terms are marked.
_FIRST_NUMBER = 0xE000


class NumbersLabel(GlossedLabel):
    """A text whose numbers are links to the parts of the figure that show them.

    Attributes:
        numbers: the text of each number on screen, by its name.

    Signals:
        pointed(str): the number under the pointer, or the one that was pressed; "" for none.
    """

    pointed = Signal(str)

    def __init__(self, *also: str) -> None:
        """also: labels that are terms here."""
        super().__init__("", *also)
        self.numbers: dict[str, str] = {}
        self._template = ""
        self.linkHovered.connect(self._point)
        self.linkActivated.connect(self._point)
        theme.keeper().changed.connect(self._restyle)

    def show_template(self, template: str, scene: Scene) -> None:
        """Show a template of the story with a scene's numbers."""
        self._template, self.numbers = template, filled(template, scene)
        self.setText(template.format(**self.numbers))

    def _rich(self, text: str) -> str:
        names = numbers_of(self._template)
        stands = {name: chr(_FIRST_NUMBER + at) for at, name in enumerate(names)}
        rich = marked(self._template.format(**stands), *self._also)
        for name, stand in stands.items():
            link = f'<a href="#{name}">{escape(self.numbers[name])}</a>'
            rich = rich.replace(stand, link)
        return rich

    def _draw_dots(self) -> None:
        """Numbers are strong, in the accent colour; terms are underlined."""
        super()._draw_dots()
        document = self.findChild(QTextDocument)
        assert isinstance(document, QTextDocument)
        strong = QTextCharFormat()
        strong.setFontWeight(600)
        strong.setForeground(theme.current().colour("accent"))
        strong.setUnderlineStyle(QTextCharFormat.UnderlineStyle.NoUnderline)
        strong.setFontUnderline(False)
        cursor = QTextCursor(document)
        for part in fragments(document):
            if part.charFormat().anchorHref().startswith("#"):
                cursor.setPosition(part.position())
                end = part.position() + part.length()
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(strong)
        self.update()

    def _point(self, link: str) -> None:
        name = link.removeprefix("#") if link.startswith("#") else ""
        self.pointed.emit(NUMBERS[name][0] if name in NUMBERS else "")

    def _restyle(self) -> None:
        if self._template:
            self._draw_dots()


class StoryPanel(QFrame):
    """Shows one step; beside the tabs, or above them where that is too narrow.

    Attributes:
        steps: chooses a step.
        words, task, told: its texts; `told` is hidden until the task is done.
        back, again, forward, leave: buttons.

    Signals:
        chosen(int): go to a step.
        replayed: let the figure move again.
        left: leave the story.
        pointed(str): show this part of the figure; "" for none.
    """

    chosen = Signal(int)
    replayed = Signal()
    left = Signal()
    pointed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("story")
        self.setAccessibleName(tr("The story"))
        self._at = 0
        self.steps = DropDown()
        self.steps.setAccessibleName(tr("Step of the story"))
        self.steps.setSizeAdjustPolicy(
            DropDown.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.steps.setMinimumContentsLength(16)
        self.steps.activated.connect(self.chosen)
        self.progress = label("", "figures")
        self.words, self.task, self.told = NumbersLabel(*LABELS), NumbersLabel(), NumbersLabel()
        for text in (self.words, self.task, self.told):
            text.pointed.connect(self.pointed)
        self.leave = IconButton("close", tr("Leave the story"), self.left.emit, size=14)
        self.again = IconButton("again", tr("Let the figure move again"), self.replayed.emit)
        self.back, self.forward = QPushButton(tr("Back")), QPushButton(tr("Next"))
        self.back.setProperty("kind", "small")
        self.forward.setProperty("kind", "primarySmall")
        self.back.clicked.connect(lambda: self.chosen.emit(self._at - 1))
        self.forward.clicked.connect(self._go_on)
        for button in (self.back, self.forward):
            button.setAutoDefault(False)
        self._scroll = QScrollArea()
        self._build()

    def show_place(self, place: StoryPlace) -> None:
        """Show which step it is, and which ones are done."""
        self._at = number_of(place)
        names = [
            ("✓ " if step.id in place.done else "") + f"{at}. {step.title}"
            for at, step in enumerate(STEPS, 1)
        ]
        if [self.steps.itemText(at) for at in range(self.steps.count())] != names:
            self.steps.clear()
            self.steps.addItems(names)
        self.steps.setCurrentIndex(self._at)
        self.progress.setText(
            tr("{done} of {steps} done").format(done=len(place.done), steps=len(STEPS))
        )
        self.back.setEnabled(self._at > 0)
        self.forward.setText(tr("Next") if self._at < len(STEPS) - 1 else tr("Explore freely"))

    def show_scene(self, scene: Scene, *, done: bool) -> None:
        """Show the step's texts with the numbers of a scene."""
        step = STEPS[self._at]
        self.words.show_template(step.words, scene)
        self.task.show_template(step.task, scene)
        self._done.setVisible(done)
        self.told.setVisible(done)
        if done:
            self.told.show_template(step.told, scene)

    def lie(self, *, flat: bool) -> None:
        """Lie above the tabs, or stand beside them."""
        self.setMinimumSize(0 if flat else _WIDE_PX, _FLAT_PX if flat else 0)
        self.setMaximumSize(_MOST_PX if flat else _WIDE_PX, _FLAT_PX if flat else _MOST_PX)
        set_state(self, "flat", flat)
        self._name.setVisible(not flat)
        ways = QBoxLayout.Direction
        self._texts.setDirection(ways.LeftToRight if flat else ways.TopToBottom)
        self._texts.setStretch(0, 3 if flat else 0)
        self._texts.setStretch(1, 2 if flat else 1)
        beside = ((0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1))
        above = ((0, 2, 1), (0, 0, 1), (1, 0, 3), (0, 1, 1))
        parts = (self._head, self.steps, self._scroll, self._foot)
        for part, (row, column, wide) in zip(parts, above if flat else beside, strict=True):
            self._grid.addWidget(part, row, column, 1, wide)
        self._grid.setRowStretch(1, 1 if flat else 0)
        self._grid.setRowStretch(2, 0 if flat else 1)

    def _go_on(self) -> None:
        if self._at < len(STEPS) - 1:
            self.chosen.emit(self._at + 1)
        else:
            self.left.emit()

    def _build(self) -> None:
        self._head, self._foot = QWidget(), QWidget()
        self._name = label(tr("THE STORY"), "section")
        foot = QHBoxLayout(self._foot)
        foot.addWidget(self.back)
        foot.addWidget(self.again)
        foot.addStretch(1)
        foot.addWidget(self.forward)
        head = QHBoxLayout(self._head)
        head.addWidget(self._name)
        head.addWidget(self.progress)
        head.addStretch(1)
        head.addWidget(self.leave)
        for row in (head, foot):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(8)
        self._done = label(tr("✓ Done"), "figuresGood")
        content = QWidget()
        self._texts = QBoxLayout(QBoxLayout.Direction.TopToBottom, content)
        self._texts.setContentsMargins(0, 0, 8, 0)
        self._texts.setSpacing(12)
        self._texts.addLayout(_column(self.words))
        tried = _column(label(tr("TRY IT"), "section"), self.task, self._done, self.told)
        self._texts.addLayout(tried)
        self._scroll.setObjectName("ringed")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(content)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 8, 8, 10)
        self._grid.setSpacing(8)
        self._grid.setColumnStretch(0, 1)
        self.lie(flat=False)


def _column(*parts: QWidget) -> QVBoxLayout:
    made = QVBoxLayout()
    made.setSpacing(6)
    for part in parts:
        made.addWidget(part)
    made.addStretch(1)
    return made
