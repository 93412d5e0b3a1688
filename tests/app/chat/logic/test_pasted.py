"""What a user wrote or pasted."""

from __future__ import annotations

from app.chat.logic.markdown_stream import Code, Prose
from app.chat.logic.pasted import MOST_LINES, shortened, user_blocks

PASTE = """Please look at this, it is slow:

def total(values):
    result = 0

    for value in values:
        result += value
    return result

And here:

```js
const x = 1;
```
What would you change?"""


class TestBlocks:
    def test_code_is_told_from_words(self) -> None:
        made = user_blocks(PASTE)
        assert [type(part) for part in made] == [Prose, Code, Prose, Code, Prose]
        assert made[1].text.startswith("def total(values):\n    result = 0\n\n    for")
        assert made[3] == Code("js", "const x = 1;", closed=True)
        assert made[4] == Prose("What would you change?")

    def test_words_in_lines_stay_words(self) -> None:
        text = "Dear all,\nthank you.\n\n- one\n- two\n  - three\n\nIf so: fine.\nYours"
        assert user_blocks(text) == [Prose(text)]

    def test_indentation_stays(self) -> None:
        assert user_blocks("  a\nb") == [Prose("  a\nb")]


class TestShortened:
    def test_a_short_message_is_shown_as_it_is(self) -> None:
        assert shortened("word " * 100) is None
        assert shortened("line\n" * (MOST_LINES - 1)) is None

    def test_a_long_one_is_cut_at_a_line(self) -> None:
        made = shortened("\n".join(f"line {n}" for n in range(300)))
        assert made is not None
        assert made.lines == 300
        assert made.text.endswith("line 7")

    def test_one_long_line_is_cut_between_words(self) -> None:
        made = shortened("word " * 1500)
        assert made is not None
        assert made.lines == 1
        assert made.text.endswith("word …")
