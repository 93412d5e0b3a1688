"""The splitter of streaming Markdown."""

from __future__ import annotations

import random

import pytest

from app.chat.markdown_stream import CHUNK_CHARS, Code, MarkdownStream, Prose, split

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

    def test_a_long_list_is_never_cut(self) -> None:
        text = "\n\n".join(f"{n}. {'word ' * 30}" for n in range(1, 40))
        assert len(split(text)) == 1

    @pytest.mark.parametrize("text", ["", "\n\n", "   "], ids=["empty", "breaks", "blanks"])
    def test_nothing_gives_nothing(self, text: str) -> None:
        assert split(text) == []


class TestStreaming:
    @pytest.mark.parametrize("seed", range(8))
    def test_any_cutting_ends_in_the_same_parts(self, seed: int) -> None:
        rng = random.Random(seed)
        text = ANSWER * 4
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
