"""Where the formulas of a text are."""

from __future__ import annotations

import pytest

from app.chat.logic.mathematics import FIRST_PLACE, Formula, restored, set_apart

ONE, TWO = chr(FIRST_PLACE), chr(FIRST_PLACE + 1)


def test_all_four_ways_to_write_a_formula() -> None:
    assert set_apart(r"so $x^2$ and \(y_1\)") == (
        f"so {ONE} and {TWO}",
        [Formula("x^2", "$x^2$"), Formula("y_1", r"\(y_1\)")],
    )
    assert set_apart(r"$$x \ge 1$$") == (
        f"\n\n{ONE}\n\n",
        [Formula(r"x \ge 1", r"$$x \ge 1$$", display=True)],
    )
    _, (found,) = set_apart("\\[\nx \\ne\n  1\n\\]")
    assert found == Formula(r"x \ne 1", r"\[ x \ne 1 \]", display=True)


@pytest.mark.parametrize(
    "text",
    [
        *("from $5 to $10", "it is $5, or $10.", "`$x^2$`", "``a ` $x^2$``", r"\$x^2\$", "US$ a$"),
        *("see https://example.com/$a^b$", "[this](/a$b^c$)", "echo $$"),
    ],
)
def test_prices_code_and_addresses_are_no_formulas(text: str) -> None:
    assert set_apart(text) == (text, [])


@pytest.mark.parametrize("text", ["so $$x^2", r"so \[ x^2", "so $x", r"so \( x"])
def test_half_a_formula_in_a_line_stays_as_it_is(text: str) -> None:
    assert set_apart(text) == (text, [])


def test_half_a_formula_on_its_own_line_is_shown_as_it_is() -> None:
    text, formulas = set_apart("so\n\n$$\na_1 *b* c_1 \\\\")
    assert (text, formulas) == ("so\n\n\\$\\$  \na\\_1 \\*b\\* c\\_1 \\\\\\\\", [])
    closed = "$$\n\nA paragraph with *words*"
    assert set_apart(closed) == (closed, []), "no formula has an empty line"


def test_a_formula_of_its_own_stays_in_its_list_and_leaves_the_marks_of_its_quotation() -> None:
    assert set_apart("1. so\n   $$x$$\n   and")[0] == f"1. so\n   \n\n   {ONE}\n\n   \n   and"
    text, (found,) = set_apart("> so\n> \\[\n> x = 1\n> \\]")
    assert (text, found.latex) == (f"> so\n> {ONE}", "x = 1")


def test_the_sources_can_be_put_back() -> None:
    text, formulas = set_apart("so $x^2$ and $y_1$")
    assert restored(text, formulas) == "so $x^2$ and $y_1$"


def test_characters_that_would_be_taken_for_a_formula_are_left_out() -> None:
    assert set_apart(f"{TWO}$x$") == (ONE, [Formula("x", "$x$")])
