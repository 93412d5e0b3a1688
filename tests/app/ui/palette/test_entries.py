"""The rows of the palette: by kind, the best ones first."""

from __future__ import annotations

from app.core.words.tr import set_texts
from app.ui.palette.entries import Kind, PaletteEntry, PaletteRow, rows_for


def entry(kind: Kind, title: str, refusal: str = "", *, always: bool = False) -> PaletteEntry:
    return PaletteEntry(kind, title, lambda: None, refusal=refusal, always=always)


ENTRIES = [
    entry("conversation", "Stop signs of Europe"),
    *(entry("conversation", f"Talk {n}") for n in range(9)),
    entry("model", "qwen-small"),
    entry("command", "Find in conversation"),
    entry("command", "Stop"),
]


def shown(rows: tuple[PaletteRow, ...]) -> list[str]:
    return [row.entry.title if row.entry is not None else f"[{row.heading}]" for row in rows]


class TestRows:
    def test_kinds_stand_in_the_order_of_their_best(self) -> None:
        assert shown(rows_for("stop", ENTRIES)) == [
            "[Commands]",
            "Stop",
            "[Conversations]",
            "Stop signs of Europe",
        ]

    def test_a_mark_limits_it_to_commands(self) -> None:
        assert shown(rows_for("> stop", ENTRIES)) == ["[Commands]", "Stop"]
        assert shown(rows_for(">", ENTRIES)) == ["[Commands]", "Find in conversation", "Stop"]

    def test_unasked_it_shows_a_few_of_each(self) -> None:
        rows = shown(rows_for("", ENTRIES))
        assert rows[0] == "[Conversations]"
        assert len([row for row in rows if row.startswith(("Talk", "Stop s"))]) == 5
        assert rows[-3:] == ["[Commands]", "Find in conversation", "Stop"]

    def test_what_cannot_be_done_comes_after_what_can(self) -> None:
        rows = shown(rows_for("a", [entry("command", "Ab", "needs it"), entry("command", "Ab c")]))
        assert rows == ["[Commands]", "Ab c", "Ab"]

    def test_some_answer_to_everything_last(self) -> None:
        made = [entry("text", "Search", always=True), *ENTRIES]
        assert shown(rows_for("stop", made))[-1] == "Search"
        assert shown(rows_for("zzz", made)) == ["[Messages]", "Search"]
        assert shown(rows_for("", made)).count("Search") == 0

    def test_english_words_find_what_stands_there_in_another_language(self) -> None:
        set_texts({"Open model…": "打开模型…"})
        try:
            made = [entry("command", "打开模型…"), entry("conversation", "问候")]
            assert shown(rows_for("open", made))[1:] == ["打开模型…"]
            assert shown(rows_for("模型", made))[1:] == ["打开模型…"]
            assert shown(rows_for("greet", made)) == []
        finally:
            set_texts({})
