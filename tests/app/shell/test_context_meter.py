"""The context meter in the window, and what is said near its end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from app.core.session.changes import Changed
from app.core.session.context_use import ContextUse
from app.shell.statusbar import ContextMeter
from app.ui import theme
from engine.commands import Probe, Submit
from engine.events import ProbeRefused
from tests.app.conftest import Desk
from tests.mostly_slow import mostly_slow
from tests.present import present


def narrow(desk: Desk, context: int) -> None:
    """Give the model a small context."""
    model = replace(present(desk.session.engine.model), context=context)
    desk.session.engine = replace(desk.session.engine, model=model)
    desk.window.apply(frozenset({Changed.ENGINE}))


def gauge(desk: Desk) -> None:
    """What the window asks for a moment after an answer."""
    desk.bridge.perform(desk.session.probe_conversation())
    desk.until(lambda: desk.session.forecast.gauged is not None)


class TestMeter:
    def test_without_a_conversation_there_is_none(self, desk: Desk) -> None:
        assert not desk.window.status.meter.isVisible()

    def test_it_shows_what_is_used_and_what_is_warm(self, desk: Desk) -> None:
        desk.say("word " * 400)
        gauge(desk)
        meter = desk.window.status.meter
        assert meter.isVisible()
        use = present(meter.use)
        assert use.window == 32_768
        assert 0 < present(use.warm) <= use.used
        assert f"{use.warm:,} warm" in meter.toolTip()
        assert f"{use.used:,} of 32,768" in meter.toolTip()
        assert meter.toolTip() == desk.window.status.context.toolTip()

    def test_the_window_asks_by_itself_after_an_answer(self, desk: Desk) -> None:
        desk.say("word " * 400)
        desk.qtbot.waitUntil(lambda: desk.session.forecast.gauged is not None)
        assert present(desk.window.status.meter.use).warm

    def test_the_draft_is_part_of_it(self, desk: Desk) -> None:
        desk.say("Hello")
        gauge(desk)
        before = present(desk.window.status.meter.use).used
        desk.window.chat.composer.set_text("word " * 200)
        composer = desk.window.chat.composer
        composer.paused.emit(composer.text)
        desk.until(lambda: desk.session.forecast.preview is not None)
        assert present(desk.window.status.meter.use).used >= before + 200

    def test_its_colours_are_where_its_figures_are(self, desk: Desk, mode: theme.Mode) -> None:
        meter = ContextMeter(desk.window)
        meter.resize(84, 16)
        meter.show_use(ContextUse(500, 250, 1000), "")
        assert meter.parts == (21.0, 42.0)
        picture = meter.grab().toImage()
        look = theme.current()
        row = picture.height() // 2
        assert picture.pixelColor(10, row).name() == look.colour("reused").name()
        assert picture.pixelColor(30, row).name() == look.colour("faint").name()
        assert picture.pixelColor(60, row).name() == look.colour("border").name()

    def test_a_long_notice_has_its_place(self, desk: Desk) -> None:
        desk.say("word " * 50)
        desk.window.resize(1000, 700)
        assert desk.window.status.meter.isVisible()
        desk.bridge.notify("A sentence that is so long that it needs the whole of the line. " * 2)
        assert not desk.window.status.meter.isVisible()
        desk.window.status.clearMessage()
        assert desk.window.status.meter.isVisible()


class TestNearTheEnd:
    def test_it_says_what_will_happen_and_offers_to_go_on(self, desk: Desk) -> None:
        desk.say("word " * 400)
        notice = desk.window.chat.context_notice
        assert not notice.isVisible()
        used = present(desk.window.status.meter.use).used
        narrow(desk, round(used / 0.92))
        assert notice.isVisible()
        assert "tokens of context are left" in notice.sentence.text() or "full" in (
            notice.sentence.text()
        )
        first = desk.session.current.id
        desk.window.chat.composer.set_text("One more thing")
        desk.qtbot.mouseClick(notice.button, Qt.MouseButton.LeftButton)
        assert desk.session.current.id != first
        assert desk.window.chat.composer.text == "One more thing"
        assert not notice.isVisible()
        desk.window.chats.chosen.emit(first)
        assert desk.window.chat.composer.text == ""
        assert notice.isVisible()

    def test_nothing_is_left_out_of_the_next_prompt(self, desk: Desk) -> None:
        desk.say("word " * 400)
        narrow(desk, round(present(desk.window.status.meter.use).used / 0.95))
        desk.say("And?")
        prompts = [c.prompt for c in desk.loop.posted if isinstance(c, Submit)]
        assert prompts[-1][: len(prompts[0])] == prompts[0]

    def test_the_last_messages_go_along_with_what_is_written(self, desk: Desk) -> None:
        for text in ("One", "Two", "Three"):
            desk.say(f"{text} " * 100)
        notice = desk.window.chat.context_notice
        narrow(desk, round(present(desk.window.status.meter.use).used / 0.95))
        assert notice.recent.text() == "Keep the last 2 messages"
        assert "the first 4 are left out" in notice.recent.toolTip()
        said = [turn.text for turn in desk.turns]
        desk.window.chat.composer.set_text("One more thing")
        notice.recent.setFocus()
        desk.qtbot.keyClick(notice.recent, Qt.Key.Key_Space)
        assert [turn.text for turn in desk.turns] == said[4:]
        assert desk.window.chat.composer.text == "One more thing"
        assert "were left out here" in desk.window.status.currentMessage()

    @pytest.mark.parametrize("width", mostly_slow([700, 1366, 1000]))
    def test_all_of_it_can_be_read(self, desk: Desk, width: int) -> None:
        desk.window.resize(width, 700)
        for text in ("One", "Two", "Three"):
            desk.say(f"{text} " * 100)
        narrow(desk, round(present(desk.window.status.meter.use).used / 0.95))
        desk.settle()
        notice = desk.window.chat.context_notice
        sentence = notice.sentence
        assert sentence.height() >= sentence.heightForWidth(sentence.width())
        for button in (notice.recent, notice.button):
            assert button.width() >= button.sizeHint().width()

    def test_a_message_that_does_not_fit_stays_and_is_said_to(self, desk: Desk) -> None:
        desk.say("One " * 100)
        narrow(desk, 600)
        composer = desk.window.chat.composer
        composer.set_text("word " * 300)
        desk.bridge.perform(desk.session.probe_draft(composer.text))
        (probe,) = [c for c in desk.loop.posted if isinstance(c, Probe)][-1:]
        refused = ProbeRefused(probe=probe.probe, sentence="It is too long.", tokens=900)
        desk.bridge.perform(desk.session.apply(refused))
        notice = desk.window.chat.context_notice
        assert notice.isVisible()
        assert notice.property("urgent") is True
        assert composer.hint == "does not fit: 900 of at most 600 tokens"
        assert composer._hint.property("kind") == "dangerSmall"
        assert composer.text.startswith("word word")
        composer.set_text("")
        composer.paused.emit("")
        assert composer.hint == ""
        assert not notice.property("urgent")
