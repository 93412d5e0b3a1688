"""Text that only goes on is written on, and looks as if it had been written at once."""

from __future__ import annotations

import random

import pytest
from pytestqt.qtbot import QtBot

from app.bench.stream import mixed
from app.chat.prose import ProseView, plain_growth
from app.ui import theme

GROWS = (
    ("The sky", "The sky is blue"),
    ("# Heading\n\nThe sky ", "# Heading\n\nThe sky is blue, they say; (always) so."),
    ("- one\n- two\n\nAfter the list", "- one\n- two\n\nAfter the list it goes on"),
    ("Der Himmel", "Der Himmel ist schön – oder?"),
    ("天空", "天空是蓝色的。"),
)
MEANS_MORE = (
    ("The **sk", "The **sky**"),
    ("The sky", "The sky *is*"),
    ("Seven", "Seven\n---"),
    ("Look at", "Look at https://example.com"),
    ("Look at", "Look at www.example.com"),
    ("Look at", "Look at [this](that)"),
    ("1", "1. one"),
    ("- one", "- one more"),
    ("A | B", "A | B and"),
    ("The sky", "The sky\n\nis blue"),
    ("It costs $5", "It costs $5 and then"),
    ("Two", "Two  spaces"),
    ("", "The sky"),
    ("The sky\n\n", "The sky\n\nis"),
    ("The sky", "A sky"),
    ("The sky", "The sk"),
)


@pytest.mark.parametrize(("before", "after"), GROWS)
def test_words_are_written_on(before: str, after: str) -> None:
    grown = plain_growth(before, after)
    assert grown is not None
    assert after.rstrip().endswith(grown.after)


@pytest.mark.parametrize(("before", "after"), MEANS_MORE)
def test_what_may_mean_more_is_read_anew(before: str, after: str) -> None:
    assert plain_growth(before, after) is None


def _prose(qtbot: QtBot) -> ProseView:
    theme.keeper()
    made = ProseView(14)
    qtbot.addWidget(made)
    made.resize(320, 500)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_it_looks_as_if_it_had_been_written_at_once(qtbot: QtBot, seed: int) -> None:
    rng, whole = random.Random(seed), mixed(2500)
    samples = [whole, *(after for _, after in (*GROWS, *MEANS_MORE))]
    for text in samples:
        streamed, at = _prose(qtbot), 0
        while at < len(text):
            at += rng.randint(1, 6)
            streamed.show_markdown(text[:at])
            if rng.random() < 0.1 or at >= len(text):
                once = _prose(qtbot)
                once.show_markdown(text[:at])
                assert streamed.document().toHtml() == once.document().toHtml()
                assert streamed.height_for(320) == once.height_for(320)


def test_most_tokens_of_prose_are_written_on(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    streamed, rendered = _prose(qtbot), list[str]()
    render = streamed._render

    def noted() -> None:
        rendered.append(streamed.source_text)
        render()

    monkeypatch.setattr(streamed, "_render", noted)
    text = "The sky is blue, since air scatters short waves most. " * 20
    for at in range(1, len(text), 4):
        streamed.show_markdown(text[:at])
    assert len(rendered) == 1


def test_what_is_selected_stays_selected_as_it_was(qtbot: QtBot) -> None:
    streamed = _prose(qtbot)
    streamed.show_markdown("The sky is blue")
    streamed.selectAll()
    streamed.show_markdown("The sky is blue, they say")
    assert streamed.textCursor().selectedText() == "The sky is blue"
