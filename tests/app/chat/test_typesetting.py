"""Formulas become outlines, or are said to have none."""

from __future__ import annotations

from time import process_time

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.logic.mathematics import Formula
from app.chat.typesetting import NotTypeset, Outline, Source, Typesetter, typeset
from app.ui import theme

KINDS = (
    *("x", "E = mc^2", r"\frac{a+b}{2}", r"\sqrt[3]{y}", r"\sum_{i=1}^{n} i", "a < b > c"),
    *(
        r"\int_0^\infty e^{-x^2}\,dx",
        r"\hat{y}_i",
        r"\vec{v} \cdot \vec{w}",
        r"\overbrace{a+b}^{n}",
    ),
    *(r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", r"\begin{vmatrix} a & b \end{vmatrix}"),
    r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
    r"\begin{align} a &= b \nonumber \\ c &= d \end{align}",
    *(r"\left.\frac{d}{dx}\right|_{x=0}", r"\big\{ x \big\}", r"\mathbb{R}^n \to \mathcal{L}"),
    *(r"\text{softmax}(z)_i", r"\operatorname{Var}(X)", r"\boxed{x}", r"\cancel{x}", r"x \tag{1}"),
    *(r"\text{a\_b 50\%}", r"\binom{n}{k}", r"\lim_{x \to 0}", r"90^\circ", "f''(x)", "α ≤ β"),
)
UNKNOWN = (
    *(r"\foo{x}", r"\begin{foo} x \end{foo}", r"\frac{1}", "{x", "x}", "^", "", " "),
    *("x^2^3", "a & b", r"\left( x", r"\right)", "a\0b", r"\includegraphics{/etc/hosts}"),
    *(r"\input{/etc/hosts}", r"\text{" + "\ufdd5" + "}"),
)
HOSTILE = (
    *("x+" * 5000, r"\frac{1}{" * 200 + "x" + "}" * 200, "{" * 5000, r"\sqrt" * 220 + "x"),
    *(r"\newcommand{\a}{\a\a}\a", r"\def\a{\a}\a", r"\rule{1000000em}{1000000em}"),
    *(r"\hspace{1000000em}x", r"\begin{matrix}" + r"1&2&3&4&5&6\\" * 80 + r"\end{matrix}"),
)


@pytest.mark.parametrize("display", [False, True])
@pytest.mark.parametrize("latex", KINDS)
def test_a_formula_of_every_kind_has_an_outline_within_its_space(latex: str, display: bool) -> None:
    made = typeset(latex, display=display)
    ink = made.path.boundingRect()
    assert ink.width() > 0.1
    assert ink.height() > 0.1
    assert made.width > 0.3
    # Italic letters lean out of their space by a little.
    assert ink.left() > -0.15
    assert ink.right() < made.width + 0.15
    assert ink.top() == pytest.approx(-made.ascent, abs=0.15)
    assert ink.bottom() < made.descent + 0.15


def test_letters_stand_on_the_baseline_and_fractions_go_below_it() -> None:
    assert typeset("x", display=False).path.boundingRect().bottom() == pytest.approx(0, abs=0.02)
    assert typeset("y", display=False).descent > 0.15
    assert typeset(r"\frac{a}{b}", display=False).descent > 0.3
    inline, display = (typeset(r"\sum_{i=1}^n", display=d) for d in (False, True))
    assert display.ascent + display.descent > 1.3 * (inline.ascent + inline.descent)


def test_letters_that_the_face_for_mathematics_lacks_come_from_that_of_the_text(
    qapp: QApplication,
) -> None:
    theme.keeper()
    latex = r"面积 = \pi r^2 \text{ 如果 } r > 0"
    if not all(QFontMetrics(theme.ui_font()).inFontUcs4(ord(c)) for c in "面积如果"):
        pytest.skip("no font has these letters")
    made, without = (typeset(one, display=False) for one in (latex, r"= \pi r^2 r > 0"))
    assert made.width == pytest.approx(without.width + 4.5, abs=0.4)
    assert made.path.boundingRect().right() < made.width + 0.15


@pytest.mark.parametrize("latex", UNKNOWN)
def test_what_is_not_understood_is_said_to_be_so(latex: str) -> None:
    with pytest.raises(NotTypeset):
        typeset(latex, display=True)


@pytest.mark.parametrize("latex", HOSTILE)
def test_what_would_take_for_ever_or_all_the_window_is_refused_at_once(latex: str) -> None:
    typeset("x", display=True)
    before = process_time()
    with pytest.raises(NotTypeset):
        typeset(latex, display=True)
    assert process_time() - before < 2


def test_nesting_takes_no_more_than_its_square() -> None:
    before = process_time()
    typeset(r"\frac{1}{" * 20 + "x" + "}" * 20, display=True)
    assert process_time() - before < 3


def test_formulas_arrive_later_and_are_kept(qtbot: QtBot, qapp: QApplication) -> None:
    typesetter = Typesetter(qapp)
    wanted = [Formula(rf"\frac{{{n}}}{{x}}", "") for n in range(30)] + [Formula(r"\foo", "")]
    with qtbot.waitSignal(typesetter.arrived, timeout=20_000):
        assert Source.FOR_NOW in typesetter.outlines(wanted)
    qtbot.waitUntil(lambda: Source.FOR_NOW not in typesetter.outlines(wanted), timeout=20_000)
    made = typesetter.outlines(wanted)
    assert all(isinstance(one, Outline) for one in made[:-1])
    assert made[-1] is Source.FOR_GOOD
    assert typesetter.outlines(wanted) == made
