"""The splitter of streaming Markdown."""

from __future__ import annotations

import random

import pytest

from app.chat.logic.markdown_stream import (
    CHUNK_CHARS,
    CODE_LINES,
    LONG_CHARS,
    Code,
    MarkdownStream,
    Prose,
    split,
)

ANSWER = """Here is a function.

```python
def f(x):

    return x
```

Then:

- one
- two

  ```sh
  ls

  cat
  ```

| a | b |
|---|---|
| 1 | 2 |

~~~
tilde ``` inside
~~~
done"""


class TestSplit:
    def test_fences_are_parts_of_their_own(self) -> None:
        made = split(ANSWER)
        assert [type(part) for part in made] == [Prose, Code, Prose, Code, Prose]
        assert made[1] == Code("python", "def f(x):\n\n    return x", closed=True)
        assert made[3] == Code("", "tilde ``` inside", closed=True)

    def test_a_fence_in_a_list_stays_prose(self) -> None:
        assert "```sh" in split(ANSWER)[2].text

    def test_an_open_fence_is_not_closed(self) -> None:
        assert split("a\n\n```py\nx = 1") == [Prose("a"), Code("py", "x = 1", closed=False)]

    def test_a_fence_that_ends_with_the_text_is_closed(self) -> None:
        assert split("```py\nx = 1\n```") == [Code("py", "x = 1", closed=True)]

    def test_long_prose_is_cut_at_a_paragraph(self) -> None:
        text = "\n\n".join(["word " * 60] * 20)
        made = split(text)
        assert len(made) > 3
        assert all(len(part.text) < 2 * CHUNK_CHARS for part in made)
        assert "\n\n".join(part.text.strip() for part in made).split() == text.split()

    def test_a_list_is_cut_only_when_long_and_its_numbers_go_on(self) -> None:
        items = [f"{n}. {'word ' * 30}" for n in range(1, 40)]
        assert len(split("\n\n".join(items[:12]))) == 1
        made = split("\n\n".join(items))
        assert 1 < len(made) < 5
        assert [part.text.split(". ")[0] for part in made] != ["1"] * len(made)
        assert [isinstance(part, Prose) and part.joined for part in made[1:]] == [True] * (
            len(made) - 1
        )
        assert "\n\n".join(part.text.strip() for part in made).split() == " ".join(items).split()

    def test_a_list_numbered_with_ones_is_not_cut(self) -> None:
        assert len(split("\n".join("1. " + "word " * 30 for _ in range(40)))) == 1

    def test_a_long_table_repeats_its_head(self) -> None:
        rows = [f"| {n} | {'word ' * 10}|" for n in range(100)]
        made = split("\n".join(["| n | words |", "|---|---|", *rows]))
        assert len(made) > 2
        assert all(part.text.startswith("| n | words |\n|---|---|\n| ") for part in made)
        shown = [line for part in made for line in part.text.split("\n")[2:]]
        assert shown == rows

    def test_a_line_without_an_end_is_cut_between_words(self) -> None:
        text = "word " * 4000
        made = split(text)
        assert len(made) > 5
        assert all(len(part.text) <= LONG_CHARS for part in made)
        assert " ".join(part.text.strip() for part in made).split() == text.split()

    @pytest.mark.parametrize("text", ["", "\n\n", "   "], ids=["empty", "breaks", "blanks"])
    def test_nothing_gives_nothing(self, text: str) -> None:
        assert split(text) == []


class TestStreaming:
    @pytest.mark.parametrize("seed", range(8))
    def test_any_cutting_ends_in_the_same_parts(self, seed: int) -> None:
        rng = random.Random(seed)
        table = "| a | b |\n|---|---|\n" + "| some | words |\n" * 300
        text = ANSWER * 4 + "\n\n" + "word " * 1500 + "\n\n" + table + "\n```\n\n\nx\n\n```"
        stream = MarkdownStream()
        at = 0
        while at < len(text):
            step = rng.randint(1, 17)
            stream.feed(text[at : at + step])
            at += step
        stream.finish()
        assert stream.blocks == split(text)
        assert stream.fed == text

    def test_parts_before_the_last_never_change(self) -> None:
        stream = MarkdownStream()
        final: list[object] = []
        for character in ANSWER * 3:
            first = stream.feed(character)
            assert stream.blocks[: len(final)] == final
            assert first >= len(final)
            final = list(stream.blocks[:first])

    def test_backticks_are_held_back_until_they_are_known(self) -> None:
        stream = MarkdownStream()
        stream.feed("text\n")
        stream.feed("``")
        assert stream.blocks == [Prose("text")]
        stream.feed("` is not a fence` here")
        stream.finish()
        assert "``` is" in stream.blocks[-1].text or isinstance(stream.blocks[-1], Code)

    def test_inline_code_at_the_start_of_a_line_shows(self) -> None:
        stream = MarkdownStream()
        stream.feed("`x`")
        assert stream.blocks == [Prose("`x`")]


class TestLongCode:
    LINES = tuple(f"line {number}" for number in range(5 * CODE_LINES // 2))

    @pytest.mark.parametrize("lines", [0, 1, CODE_LINES, CODE_LINES + 1, len(LINES)])
    @pytest.mark.parametrize("after", ["", "\n\nThe end."])
    def test_it_is_cut_into_parts_that_go_on(self, lines: int, after: str) -> None:
        text = "Before\n\n```py\n" + "".join(f"{line}\n" for line in self.LINES[:lines]) + "```"
        blocks = split(text + after)
        code = [block for block in blocks if isinstance(block, Code)]
        assert [block.joined for block in code] == [False] + [True] * (len(code) - 1)
        assert len(code) == max(1, -(-lines // CODE_LINES))
        assert "\n".join(block.text for block in code) == "\n".join(self.LINES[:lines])
        assert all(block.closed and block.language == "py" for block in code)
        assert len(blocks) == 1 + len(code) + bool(after)

    def test_streamed_it_becomes_the_same(self) -> None:
        text = "```py\n" + "\n".join(self.LINES) + "\n```\n\nThe end."
        stream = MarkdownStream()
        for at in range(0, len(text), 7):
            stream.feed(text[at : at + 7])
            shown = "\n".join(block.text for block in stream.blocks if isinstance(block, Code))
            code = text[6 : at + 7].partition("\n```")[0]
            # A line feed at the end is not shown yet, nor a mark that may end the code.
            assert code.startswith(shown)
            assert len(code) - len(shown) <= 4
        stream.finish()
        assert stream.blocks == split(text)
