"""Formulas as text."""

from __future__ import annotations

import pytest

from app.chat.logic.mathematics import readable, to_unicode


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"A = \pi r^2", "A = π r²"),
        (r"x_{n+1}", "xₙ₊₁"),
        (r"\frac{a+b}{2}", "(a+b)/2"),
        (r"\sqrt{x+1} \le \sqrt[3]{y}", "√(x+1) ≤ ³√y"),
        (r"\sum_{i=1}^{n} i", "∑ᵢ₌₁ⁿ i"),
        (r"\alpha \to \Omega, x \in \mathbb{R}^n", "α → Ω, x ∈ ℝⁿ"),
        (r"2\sin x + \log_2 n", "2 sin x + log₂ n"),
        (r"\left( \frac{1}{2} \right)", "( 1/2 )"),
        (r"e^{-x^2}", "e^(-x²)"),
        (r"90^\circ", "90°"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a = b\nc = d"),
    ],
)
def test_a_formula_becomes_unicode(latex: str, text: str) -> None:
    assert to_unicode(latex) == text


@pytest.mark.parametrize(
    "latex",
    [r"\begin{pmatrix} 1 & 2 \end{pmatrix}", r"\unknown{x}", r"\frac{1}", "{x", "x}", "^", "\\"],
)
def test_what_has_no_form_is_said_to_have_none(latex: str) -> None:
    assert to_unicode(latex) is None


class TestInText:
    def test_all_four_ways_to_write_a_formula(self) -> None:
        assert readable(r"so $x^2$ and \(y_1\)") == "so x² and y₁"
        assert readable(r"$$x \ge 1$$").strip() == "x ≥ 1"
        assert readable("\\[\nx \\ne 1\n\\]").strip() == "x ≠ 1"

    @pytest.mark.parametrize(
        "text",
        ["from $5 to $10", "it is $5, or $10.", "`$x^2$`", "``a ` $x^2$``", r"\$x^2\$", "US$ a$"],
    )
    def test_prices_and_code_are_no_formulas(self, text: str) -> None:
        assert readable(text) == text

    def test_what_cannot_be_turned_stays_in_a_monospaced_face(self) -> None:
        assert readable(r"so $\foo{x}$.") == r"so `$\foo{x}$`."

    def test_what_means_something_in_markdown_is_escaped(self) -> None:
        assert readable("$a * b * c$") == r"a \* b \* c"

    def test_half_a_formula_stays_as_it_is(self) -> None:
        assert readable("so $$x^2") == "so $$x^2"
        assert readable(r"so \[ x^2") == r"so \[ x^2"
