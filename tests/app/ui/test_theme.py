"""The themes: readable, told apart by everyone, switched at run time."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QCompleter, QLineEdit
from pytestqt.qtbot import QtBot

from app.cache.logic.stretches import SPEAKERS
from app.cache.speech_painter import INK
from app.ui import theme
from app.ui.stylesheet import stylesheet
from tests.app.conftest import Desk
from tests.present import present

NAMES: tuple[theme.Mode, ...] = ("light", "dark")
# Machado et al. 2009, severity 1.0: what people with deuteranopia and protanopia see.
DEUTAN = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
PROTAN = np.array(
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]
)


def linear(colour: str) -> np.ndarray:
    made = QColor(colour)
    value = np.array((made.redF(), made.greenF(), made.blueF()))
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(first: str, second: str) -> float:
    weights = np.array([0.2126, 0.7152, 0.0722])
    light, dark = sorted((float(linear(c) @ weights) for c in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(value: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(value, 0, 1) / np.array([0.9505, 1.0, 1.089])
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


@pytest.mark.parametrize("name", NAMES)
class TestTokens:
    def test_text_is_readable_on_every_surface(self, name: str) -> None:
        colours = theme.load_theme(name).colours
        for text, surface in itertools.product(
            ("text", "dim", "faint"), ("window", "sidebar", "panel", "raised")
        ):
            assert contrast(colours[text], colours[surface]) >= 4.5, (text, surface)
        assert contrast(colours["on_accent"], colours["accent"]) >= 4.5
        assert contrast(colours["danger"], colours["danger_surface"]) >= 4.5
        for lane in theme.load_theme(name).lanes:
            assert contrast("#0e1116", lane) >= 4.5, lane

    def test_speakers_are_readable_and_stand_out(self, name: str) -> None:
        """Their words on their colour, and their edges from the background as graphics must."""
        colours = theme.load_theme(name).colours
        for speaker in SPEAKERS[1:]:
            fill, edge = colours[f"says_{speaker}"], colours[f"says_{speaker}_edge"]
            if speaker != "template":
                assert contrast(INK, fill) >= 4.5, speaker
            assert contrast(edge, colours["panel"]) >= 3, speaker

    @pytest.mark.parametrize("eye", [np.eye(3), DEUTAN, PROTAN], ids=["all", "deutan", "protan"])
    def test_speakers_that_follow_one_another_are_told_apart(
        self, name: str, eye: np.ndarray
    ) -> None:
        colours = theme.load_theme(name).colours
        pairs = itertools.combinations(("system", "user", "thinking", "assistant"), 2)
        for first, second in (*pairs, ("tool", "assistant"), ("tool", "thinking")):
            one, other = (lab(eye @ linear(colours[f"says_{who}"])) for who in (first, second))
            assert np.linalg.norm(one - other) >= 10, (first, second)

    @pytest.mark.parametrize("eye", [np.eye(3), DEUTAN, PROTAN], ids=["all", "deutan", "protan"])
    def test_neighbouring_lanes_are_told_apart(self, name: str, eye: np.ndarray) -> None:
        lanes = theme.load_theme(name).lanes
        for first, second in itertools.pairwise((*lanes, lanes[0])):
            distance = np.linalg.norm(lab(eye @ linear(first)) - lab(eye @ linear(second)))
            assert distance >= 10, (first, second, distance)

    @pytest.mark.parametrize("eye", [np.eye(3), DEUTAN, PROTAN], ids=["all", "deutan", "protan"])
    def test_the_rulers_colours_are_told_apart(self, name: str, eye: np.ndarray) -> None:
        colours = theme.load_theme(name).colours
        kinds = ("reused", "replayed", "computed")
        for first, second in itertools.combinations(kinds, 2):
            apart = lab(eye @ linear(colours[first])) - lab(eye @ linear(colours[second]))
            assert np.linalg.norm(apart) >= 12, (first, second)

    @pytest.mark.parametrize("eye", [np.eye(3), DEUTAN, PROTAN], ids=["all", "deutan", "protan"])
    def test_new_tokens_look_like_neither_a_plane_nor_a_loss(
        self, name: str, eye: np.ndarray
    ) -> None:
        colours = theme.load_theme(name).colours
        planes = ("kv_cached", "kv_locked", "state_cached", "state_locked", "accent")
        for other in (*planes, "reused", "replayed", "danger", "lost"):
            apart = lab(eye @ linear(colours["computed"])) - lab(eye @ linear(colours[other]))
            assert np.linalg.norm(apart) >= 24, other
        assert contrast(colours["computed"], colours["panel"]) >= 3

    def test_no_kind_of_reuse_is_red(self, name: str) -> None:
        for kind in ("reused", "replayed", "computed"):
            hue = QColor(theme.load_theme(name).colours[kind]).hue()
            assert 30 <= hue <= 300, kind

    def test_the_sheet_has_no_holes(self, name: str) -> None:
        sheet = stylesheet(theme.load_theme(name).colours, "Mono")
        assert not re.search(r"\$\w+", sheet)


class TestPopups:
    @pytest.mark.parametrize("name", NAMES)
    def test_a_list_that_pops_up_has_a_ground(self, qtbot: QtBot, name: theme.Mode) -> None:
        """As under a path in the dialog that opens a model: without one it is black."""
        field = QLineEdit()
        qtbot.addWidget(field)
        completer = QCompleter(["one", "two"], field)
        field.setCompleter(completer)
        try:
            theme.keeper().set_mode(name)
            popup = present(completer.popup())
            popup.resize(120, 80)
            # Top-level windows begin black on a screen; in a picture they begin as what it is.
            picture = QImage(popup.size(), QImage.Format.Format_RGB32)
            picture.fill(Qt.GlobalColor.magenta)
            popup.render(picture)
            ground = picture.pixelColor(picture.width() // 2, picture.height() - 3)
            assert ground == theme.current().colour("raised")
        finally:
            theme.keeper().set_mode("system")


class TestKeeper:
    def test_both_themes_have_the_same_tokens(self) -> None:
        light, dark = (theme.load_theme(name) for name in NAMES)
        assert light.colours.keys() == dark.colours.keys()
        assert light.syntax.keys() == dark.syntax.keys()
        assert len(light.lanes) == len(dark.lanes)

    def test_switching_repaints_the_window(self, desk: Desk) -> None:
        keeper = theme.keeper()
        desk.say("Show `code` and\n\n```py\nx = 1\n```")
        try:
            for name in ("dark", "light", "dark"):
                desk.window.menus.themes[name].trigger()
                assert theme.current().name == name
                picture = desk.window.grab().toImage()
                wanted = theme.current().colour("sidebar")
                assert picture.pixelColor(20, picture.height() // 2) == wanted
        finally:
            keeper.set_mode("system")
