"""The timeline looks as it did, in both themes.

`python -m tests.app.debugger.timeline.test_golden` draws the golden images anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.debugger.logic.chosen import Chosen
from app.debugger.timeline.logic.viewport import stack_of
from app.debugger.timeline.view import TimelineView
from app.ui import theme
from tests.app.debugger.timeline.conftest import golden_series
from tests.mostly_slow import mostly_slow

IMAGES = Path(__file__).parents[3] / "assets" / "golden"
SIZE = QSize(960, 480)
# Small enough that another font's letters make no difference, and a missing track does.
COMPARED = QSize(240, 120)
MOST_APART = 0.8
MODES: tuple[theme.Mode, ...] = ("light", "dark")


def drawn(view: TimelineView) -> QImage:
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.paint(painter, QSizeF(SIZE))
    painter.end()
    return image


def made(mode: theme.Mode, trace: str = "small") -> TimelineView:
    """With an interval, a marker, a choice and a moment in the past."""
    theme.keeper().set_mode(mode)
    series = golden_series(trace)
    view = TimelineView()
    view.resize(SIZE)
    view.scene.show([stack_of(series)])
    clock = view.scene.stacks[0].clock
    places = clock.place([series.requests.began[3], series.requests.ended[5]]).tolist()
    view.scene.interval = (places[0], places[1])
    view.scene.mark(0, float(clock.place(series.requests.began[8])))
    view.show_choice(Chosen(request=10), Chosen())
    view.show_moment(float(series.requests.ended[7]), live=False)
    return view


def apart(one: QImage, other: QImage) -> float:
    """Mean difference of colour values, 0 to 255, of the images made small."""
    small = [
        image.convertToFormat(QImage.Format.Format_RGB888).scaled(
            COMPARED,
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        for image in (one, other)
    ]
    values = [
        np.frombuffer(image.constBits(), np.uint8)[: image.sizeInBytes()].astype(np.int64)
        for image in small
    ]
    return float(np.abs(values[0] - values[1]).mean())


def image_path(mode: theme.Mode) -> Path:
    return IMAGES / f"timeline-{mode}.png"


@pytest.fixture(autouse=True)
def as_it_was(qtbot: QtBot) -> Iterator[None]:
    yield
    theme.keeper().set_mode("system")


@pytest.mark.parametrize("mode", mostly_slow(MODES))
def test_it_looks_as_it_did(qtbot: QtBot, mode: theme.Mode) -> None:
    golden = QImage(str(image_path(mode)))
    assert not golden.isNull()
    view = made(mode)
    qtbot.addWidget(view)
    assert apart(drawn(view), golden) < MOST_APART


@pytest.mark.parametrize("mode", mostly_slow(MODES))
def test_the_comparison_would_notice(qtbot: QtBot, mode: theme.Mode) -> None:
    golden = QImage(str(image_path(mode)))
    folded = made(mode)
    qtbot.addWidget(folded)
    folded.scene.toggle("device")
    assert apart(drawn(folded), golden) > MOST_APART
    other = made(mode, "tiers")
    qtbot.addWidget(other)
    assert apart(drawn(other), golden) > MOST_APART


if __name__ == "__main__":
    app = QApplication([])
    IMAGES.mkdir(exist_ok=True)
    for each in MODES:
        drawn(made(each)).save(str(image_path(each)))
