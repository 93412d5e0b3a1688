"""The memory lab on the real engine: it reads the conversation as it stands, and follows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.lab.asking_tab import CONVERSATION, EXAMPLE
from app.lab.logic.example import TEXT
from app.lab.window import MemoryLab
from app.shell.script import parse_step
from app.shell.script_actor import ScriptActor
from engine.readings import RecallReading
from tests.app.test_settings_real import Program
from tests.present import present


@pytest.fixture
def program(qtbot: QtBot, tmp_path: Path) -> Iterator[Program]:
    made = Program(qtbot, tmp_path / "data")
    yield made
    made.close()


def opened(program: Program, tab: str) -> MemoryLab:
    assert program.window.lab.open_tab(tab)
    return present(program.window.lab.window)


def read(program: Program) -> RecallReading | None:
    """The reading of a needle, once it is there."""
    lab = program.session.lab
    return (
        lab.recall if lab.open is None and lab.recall is not None and lab.recall.queries else None
    )


class TestTwoMemories:
    def test_it_reads_the_conversation_and_follows_it(self, program: Program) -> None:
        answer = program.ask("Hello, my name is Ada.")
        lab = opened(program, "Two memories")
        program.until(lambda: program.session.lab.memory is not None)
        reading = present(program.session.lab.memory)
        assert "".join(reading.texts).endswith(answer.text)
        plan = present(answer.plan)
        # The prompt and the answer, of which an end token is no part.
        assert reading.total == plan.total + answer.generated
        assert lab.memories.token.text().startswith(f"Token {reading.total} of {reading.total}: ")
        program.ask("What is my name?")
        program.until(lambda: present(program.session.lab.memory).total > reading.total)
        assert lab.memories.transport.count == len(present(program.session.lab.memory).texts)

    def test_another_layer_is_another_reading(self, program: Program) -> None:
        program.ask("Hello, my name is Ada.")
        lab = opened(program, "Two memories")
        program.until(lambda: program.session.lab.memory is not None)
        lab.memories.linear.setCurrentText("Layer 5")
        lab.memories.full.setCurrentText("Layer 7")
        program.until(lambda: program.session.lab.open is None)
        reading = present(program.session.lab.memory)
        assert present(reading.state).layer == 5
        assert present(reading.entries).layer == 7

    def test_an_empty_conversation_and_a_text(self, program: Program) -> None:
        lab = opened(program, "Two memories")
        assert lab.memories.source.source.currentText() == EXAMPLE
        program.until(lambda: program.session.lab.memory is not None)
        assert "".join(present(program.session.lab.memory).texts) == TEXT
        lab.memories.source.source.setCurrentText(CONVERSATION)
        program.until(lambda: "no messages yet" in lab.memories.source.status.text())
        lab.memories.source.source.setCurrentIndex(1)
        lab.memories.source.text.setText("The cat sat on the mat.")
        lab.memories.ask()
        program.until(lambda: program.session.lab.open is None)
        assert "".join(present(program.session.lab.memory).texts) == "The cat sat on the mat."

    def test_closing_the_lab_ends_the_question(self, program: Program) -> None:
        program.ask("Hello, my name is Ada.")
        lab = opened(program, "Two memories")
        lab.memories.ask()
        lab.close()
        assert program.session.lab.open is None
        program.ask("Go on.")


class TestRecall:
    def test_a_name_that_is_said_again(self, program: Program) -> None:
        """The bundled model copies it with full attention, from the token before it."""
        program.ask("Hello, my name is Ada and my number is 4711.")
        program.ask("What is my name?")
        lab = opened(program, "Recall")
        program.until(lambda: read(program) is not None)
        reading = present(read(program))
        places = [at for at, text in enumerate(reading.texts) if text == " Ad"]
        assert len(places) >= 2
        lab.recall.finder.setText("Ada")
        lab.recall.tokens.caret = 0
        lab.recall.finder.returnPressed.emit()
        program.until(lambda: program.session.lab.open is None)
        lab.recall.tokens.query_chosen.emit(places[-1] - 1)
        program.until(lambda: program.session.lab.open is None)
        found = present(program.session.lab.recall)
        assert found.needle == (places[0], places[0] + 2)
        query = lab.recall.bars.query
        assert found.first_query + query == places[-1] - 1
        assert lab.recall.query_words.text().endswith('next token is " Ad".')
        best = max(layer.shares[query] for layer in found.layers if layer.kind == "full")
        assert best > 10 * 2 / places[-1]

    def test_by_a_script(self, program: Program) -> None:
        """The needle is where it was said first, the query just before it is said again."""
        program.ask("Hello, my name is Ada and my number is 4711.")
        program.ask("What is my name?")
        actor = ScriptActor(program.window, program.bridge)
        for step in ("/lab recall", "/needle Ada", "/query Ada"):
            assert actor.do(parse_step(step)) == ""
            program.until(lambda: not actor.waits)
        found = present(program.session.lab.recall)
        places = [at for at, text in enumerate(found.texts) if text == " Ad"]
        assert found.needle == (places[0], places[0] + 2)
        bars = present(program.window.lab.window).recall.bars
        assert found.first_query + bars.query == places[-1] - 1

    def test_coming_back_to_a_tab_asks_nothing(self, program: Program) -> None:
        program.ask("Hello, my name is Ada.")
        lab = opened(program, "Recall")
        program.until(lambda: read(program) is not None)
        before = program.session.lab.recall
        assert lab.show_tab("Memory")
        assert lab.show_tab("Recall")
        assert program.session.lab.open is None
        assert program.session.lab.recall is before
