"""Files as part of a message's text, and back."""

from __future__ import annotations

import random

import pytest

from app.core.session.attachments import attachment, first_lines, joined, parted

PIECES = ("a", "`", "```", "````", "\n", "\n\n", "File: x", " ", "é", "\n```\n", "\n````\n\n")


def made_up(seed: int) -> str:
    rng = random.Random(seed)
    return "".join(rng.choices(PIECES, k=rng.randint(1, 30))).strip() or "x"


class TestJoined:
    def test_a_file_is_named_and_fenced_before_the_text(self) -> None:
        message = joined([attachment("a.py", "print(1)", 9)], "What is this?")
        assert message == "File: a.py\n```\nprint(1)\n```\n\nWhat is this?"

    def test_without_files_it_is_the_text(self) -> None:
        assert joined([], " Hello \n") == "Hello"

    def test_files_alone_are_a_message(self) -> None:
        one = joined([attachment("a", "x", 1)], "  ")
        assert parted(one).text == ""
        assert [file.name for file in parted(one).files] == ["a"]

    def test_the_fence_is_longer_than_any_inside(self) -> None:
        file = attachment("a.md", "```\ncode\n```\n`````x", 20)
        assert file.fence == "``````"
        assert parted(joined([file], "Q")).files[0].text == file.text

    def test_a_name_stays_on_one_line(self) -> None:
        file = attachment("a\nFile: b\x1b", "x", 1)
        assert "\n" not in file.name
        assert len(parted(joined([file], "Q")).files) == 1


class TestParted:
    @pytest.mark.parametrize("seed", range(200))
    def test_it_is_the_way_back(self, seed: int) -> None:
        contents = [made_up(seed * 7 + n) for n in range(seed % 4)]
        files = [attachment(f"{n}.txt", text, len(text)) for n, text in enumerate(contents)]
        text = "Why? " + made_up(seed + 1)
        found = parted(joined(files, text))
        assert [file.text for file in found.files] == contents
        assert found.text == text.strip()
        assert joined(found.files, found.text) == joined(files, text)

    @pytest.mark.parametrize(
        "text",
        [
            "File: a.py is broken",
            "File: a.py\n```\nnever closed",
            "File: a.py\n```\nx\n```y",
            "Hello\n\nFile: a\n```\nx\n```",
        ],
    )
    def test_what_only_looks_like_it_is_text(self, text: str) -> None:
        assert parted(text).files == ()
        assert parted(text).text == text

    def test_the_title_is_what_was_written_else_the_file(self) -> None:
        file = attachment("notes.txt", "x", 1)
        assert parted(joined([file], "Sum up")).title == "Sum up"
        assert parted(joined([file], "")).title == "notes.txt"


class TestFirstLines:
    def test_long_files_and_long_lines_are_cut(self) -> None:
        shown = first_lines(attachment("a", "\n".join(f"line {n}" for n in range(50)), 1), 3)
        assert shown == "line 0\nline 1\nline 2\n…"
        assert first_lines(attachment("a", "y" * 500_000, 1), 3, 10) == "y" * 10 + "…\n…"

    def test_a_short_one_is_whole(self) -> None:
        assert first_lines(attachment("a", "one\ntwo", 1)) == "one\ntwo"
