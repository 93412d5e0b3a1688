"""What is pasted is cut without losing a character of it."""

from __future__ import annotations

import pytest

from app.chat.logic.markdown_stream import CODE_LINES, LONG_CHARS, Code, Prose
from app.chat.logic.pasted import cut


@pytest.mark.parametrize("lines", [1, CODE_LINES, CODE_LINES + 1, 3 * CODE_LINES])
def test_code_is_cut_between_lines(lines: int) -> None:
    text = "\n".join(f"  x{number}" for number in range(lines))
    made = cut(Code("py", text, closed=True))
    assert "\n".join(part.text for part in made) == text
    assert [part.joined for part in made] == [False] + [True] * (len(made) - 1)
    assert all(part.text.count("\n") < CODE_LINES for part in made)


@pytest.mark.parametrize("text", ["short", "a line of words\n" * 900, "word " * 5000, "x" * 9000])
def test_prose_is_cut_between_lines_else_between_words(text: str) -> None:
    made = cut(Prose(text))
    assert "".join("".join(part.text for part in made).split()) == "".join(text.split())
    assert all(len(part.text) <= LONG_CHARS for part in made)
    assert [part.joined for part in made] == [False] + [True] * (len(made) - 1)
    if "\n" in text:
        assert "\n".join(part.text for part in made) == text
