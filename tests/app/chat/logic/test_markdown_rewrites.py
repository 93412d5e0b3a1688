"""What Qt's Markdown does not know is written in what it knows."""

from __future__ import annotations

import pytest

from app.chat.logic.markdown_rewrites import NOTE, prepared


@pytest.mark.parametrize("mark", ["<br>", "<br/>", "<BR />", " <br> "])
def test_a_break_in_html_breaks_the_line(mark: str) -> None:
    assert prepared(f"| a{mark}b |")[0] == "| a\u2028b |"


@pytest.mark.parametrize(
    ("picture", "link"),
    [
        ("![a cat](https://a.org/cat.png)", "[a cat](https://a.org/cat.png)"),
        ('![a cat](/cat_(1).png "Cat")', '[a cat](/cat_(1).png "Cat")'),
        ("![](cat.png)", "[image](cat.png)"),
        ("![a cat][one]", "[a cat][one]"),
        ("[![a badge](b.svg)](https://a.org)", "[a badge](https://a.org)"),
        ("So ![half a", "So ![half a"),
        ("Look! [A link](https://a.org)", "Look! [A link](https://a.org)"),
    ],
)
def test_a_picture_becomes_a_link(picture: str, link: str) -> None:
    assert prepared(picture)[0] == link


def test_footnotes_are_marked_where_they_are_used_and_where_they_are() -> None:
    text = "So[^1] and[^a_b].\n\n[^1]: One\n[^a_b]: https://a.org"
    one, two = rf"[\[1\]]({NOTE})", rf"[\[a\_b\]]({NOTE})"
    assert prepared(text)[0] == f"So{one} and{two}.\n\n\n{one} One\n\n{two} https://a.org"


@pytest.mark.parametrize(
    "text",
    [
        *("The set [^abc] of characters", "[^a-z]", "`[^1] <br> ![a](b)`", "a < b", "[^", "[^1"),
        "``a ` <br>``",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert prepared(text) == (text, [])
