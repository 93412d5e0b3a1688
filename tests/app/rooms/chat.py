"""The conversation and what stands around it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chat.answer_message import AnswerMessage
from app.core.session.records import EnginePhase
from app.core.session.search import grouped, summary
from app.core.store.search import CLOSE, OPEN, Hit
from app.core.store.searcher import Answer
from app.core.words.remarks import saving_text
from assets.demo import requests
from engine.events import EngineReady
from engine.message import Message
from engine.reuse import Reason
from tests.app.fake_loop import MODEL
from tests.app.rooms.visit import View, Views, Visit, own
from tests.app.samples import plan, report
from tests.present import present

CODE = "Here it is:\n\n```python\ndef add(a, b):\n    return a + b\n```\n\nThat is **all**."
WORDS = "You said so. " * 12


def views() -> Views:
    yield from _without_a_model()
    yield from _talking()
    yield from _cut_and_queued()
    yield from _two_models()
    yield from _at_the_end_of_the_context()


def answer(messages: tuple[Message, ...]) -> tuple[str, str]:
    """Thinking, and an answer of its own kind to some questions."""
    said = {own("code"): CODE, own("python"): requests.ANSWERS[0], own("on"): "Go on. " * 200}
    return "Let me think about it.", said.get(messages[-1].content, WORDS)


def _without_a_model() -> Views:
    visit = Visit()
    yield visit.at("no model")
    visit.desk.open("broken")
    yield visit.at("refused")
    visit.desk.open()
    yield visit.at("empty chat")
    visit.leave()


def _talking() -> Views:
    visit = Visit(answer=answer)
    desk, window = visit.desk, visit.window
    desk.open()
    desk.session.set_thinking(True)
    desk.say(own("code"))
    yield visit.at("code and thinking")
    widget = window.chat.view.widgets[desk.turns[-1].id]
    assert isinstance(widget, AnswerMessage)
    widget.thinking.toggle()
    yield visit.at("thinking, unfolded")
    desk.say(own("python"))
    yield visit.at("an honest answer")
    window.menus.regenerate.trigger()
    desk.until(lambda: not desk.session.busy)
    yield visit.at("two versions")
    yield from _foot(visit)
    desk.say("FAIL")
    yield visit.at("a question that failed")
    window.menus.edit_last.trigger()
    yield visit.at("editing a message")
    _escape(visit)
    window.menus.edit_answer.trigger()
    yield visit.at("editing an answer")
    _escape(visit)
    yield _with_files(visit)
    window.menus.find.trigger()
    yield visit.at("find")
    _escape(visit)
    yield _found(visit)
    window.chats.show_results(False)
    window.menus.chat_settings.trigger()
    yield visit.at("settings of the conversation")
    window.chat.settings.fold.setChecked(True)
    yield visit.at("all settings of the conversation")
    yield from visit.dialogs("a preset", window.chat.settings.presets.ask_save)
    window.settings.close()
    window.chats.deleted.emit(desk.session.current.id)
    yield visit.at("deleted")
    visit.leave()


def _foot(visit: Visit) -> Views:
    """What stands under an answer, at times."""
    view, turn = visit.window.chat.view, visit.desk.turns[-1]
    turn.report = report(
        plan(16, 0, 4300, reason=Reason.SYSTEM_TEXT_CHANGED, again=4210), prefill_ms=2000.0
    )
    view.show_turn(turn)
    view.show_note(turn.id, saving_text(report(plan(4800, 0, 20)), [report(plan(0, 0, 900))]))
    yield visit.at("a miss and a saving")
    visit.window.preferences.set("show_figures", True)
    yield visit.at("all figures")
    visit.window.preferences.set("show_figures", False)
    widget = view.widgets[turn.id]
    assert isinstance(widget, AnswerMessage)
    yield from visit.dialogs("more actions", widget.menu.click)


def _escape(visit: Visit) -> None:
    QTest.keyClick(present(visit.window.focusWidget()), Qt.Key.Key_Escape)


def _with_files(visit: Visit) -> View:
    composer = visit.window.chat.composer
    paths = [visit.folder / name for name in (own("spars"), own("a_much_longer_name_of_a_file"))]
    for path in paths:
        path.write_text("one\ntwo\nthree\n")
    visit.window.attaching.add(paths)
    visit.window.attaching.wait()
    visit.desk.until(lambda: len(composer.chips.chips) == len(paths))
    composer.set_text("Something to send")
    return visit.at("files in the composer")


def _found(visit: Visit) -> View:
    current = visit.desk.session.current
    hit = Hit(current.id, current.turns[0].id, f"some {OPEN}code{CLOSE} here", 1.0)
    found = Answer("code", (hit,))
    several = grouped(found, visit.desk.session.conversations)
    visit.window.chats.results.show_found(several, summary(found, several))
    visit.window.chats.show_results(True)
    return visit.at("search results")


def _cut_and_queued() -> Views:
    visit = Visit(answer=answer)
    desk = visit.desk
    desk.session.given = {"max_tokens": 4}
    desk.open()
    desk.say(own("Count"))
    yield visit.at("an answer that was cut")
    visit.leave()
    visit = Visit(answer=answer)
    desk = visit.desk
    desk.open()
    desk.loop.steps = 1
    desk.say(own("on"), wait=False)
    desk.until(lambda: len(desk.turns) == 2 and len(desk.turns[1].text) > 10)
    desk.say(own("The next question"), wait=False)
    desk.say(own("And the one after it, which is longer than there is room for. "), wait=False)
    yield visit.at("messages that wait")
    desk.loop.steps = 90
    desk.until(lambda: not desk.session.busy)
    visit.leave()


def _two_models() -> Views:
    visit = Visit()
    desk = visit.desk
    desk.open()
    desk.say(own("Hello"))
    visit.window.menus.new.trigger()
    desk.bridge.open_model(Path("/models/other"))
    desk.until(lambda: desk.session.engine.phase is EnginePhase.READY and not desk.session.coming)
    desk.say(own("Who are you?"))
    visit.window.drafts.select(desk.session.conversations[1].id)
    yield visit.at("a conversation with another model")
    visit.leave()


def _at_the_end_of_the_context() -> Views:
    visit = Visit()
    desk = visit.desk
    desk.open()
    for text in ("One", "Two", "Three"):
        desk.say(own(text) * 100)
    desk.bridge.perform(desk.session.probe_conversation())
    meter = visit.window.status.meter
    desk.until(lambda: meter.use is not None)
    model = replace(MODEL, context=round(present(meter.use).used / 0.95))
    desk.bridge.perform(desk.session.apply(EngineReady(model=model)))
    yield visit.at("the context is nearly full")
    visit.leave()
