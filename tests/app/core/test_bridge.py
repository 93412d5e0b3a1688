"""The bridge: frames, models that come and go."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.core.folder_check import Found
from app.core.session.records import EnginePhase
from engine import commands, events
from engine.run.listeners import Outbox
from tests.app.conftest import Desk, MakeDesk
from tests.app.fake_loop import PacedLoop
from tests.present import present


def stage(desk: Desk) -> str:
    """What the model's button says of a model on its way."""
    return desk.window.model_button.toolTip().partition("\n")[0]


class TestOpening:
    def test_progress_then_ready(self, make_desk: MakeDesk) -> None:
        desk = make_desk(steps=1)
        desk.bridge.open_model(Path("/models/a"))
        stages: list[str] = []

        def ready() -> bool:
            stages.append(stage(desk))
            return desk.session.engine.model is not None

        desk.until(ready)
        assert "Reading weights, 33%" in stages
        assert desk.window.windowTitle() == "Qwen3.5-0.8B – Biplane"

    def test_a_failure_shows_its_sentence_and_a_way_out(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.open("broken")
        assert desk.window.card.isVisible()
        assert desk.window.card.sentence.text() == "config.json is missing in this folder."
        desk.open("good")
        assert desk.session.engine.phase is EnginePhase.READY
        assert not desk.window.card.isVisible()

    def test_another_model_waits_until_the_first_is_gone(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.loop.hold = True
        desk.bridge.open_model(Path("/models/other"))
        for _ in range(5):
            desk.bridge.take()
        assert len(desk.loops) == 1
        assert desk.session.engine.phase is EnginePhase.CLOSING
        desk.loop.hold = False
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)
        assert desk.loops[0].closed
        assert desk.prompt_ids("Again") == []

    def test_a_message_sent_while_the_model_changes_is_answered_by_the_new_one(
        self, desk: Desk
    ) -> None:
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: desk.session.engine.phase is EnginePhase.CLOSING)
        desk.say("Hello")
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[-1].text == "You said **Hello**."
        assert len(desk.loops) == 2

    def test_audits_in_idle_moments_go_on_with_the_next_model(self, desk: Desk) -> None:
        desk.window.menus.audit.trigger()
        assert desk.loop.posted[-1] == commands.AuditInBackground(True)
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: len(desk.loops) == 2)
        assert desk.loop.config.background_audit
        desk.window.menus.audit.trigger()
        assert desk.loop.posted[-1] == commands.AuditInBackground(False)


class TestChanging:
    """Another model is opened while one can be used."""

    def named(self, desk: Desk) -> str:
        return Path(present(desk.session.engine.model).folder).name

    def test_a_bad_folder_leaves_the_open_model_alone(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.found = Found("config.json is missing in bad.")
        desk.bridge.open_model(Path("/models/bad"))
        card = desk.window.card
        desk.until(card.isVisible)
        assert desk.session.engine.phase is EnginePhase.READY
        assert len(desk.loops) == 1
        assert commands.Close() not in desk.loop.posted
        assert card.sentence.text() == "config.json is missing in bad."
        desk.say("Still there?")
        assert desk.turns[-1].text == "You said **Still there?**."
        assert desk.turns[1].token_ids != ()
        assert card.back.text() == "Continue with Qwen3.5-0.8B"
        card.back.click()
        assert not card.isVisible()

    def test_the_open_model_answers_while_the_folder_is_looked_at(self, desk: Desk) -> None:
        desk.found = None
        desk.bridge.open_model(Path("/models/other"))
        desk.say("Hello")
        assert desk.turns[-1].text == "You said **Hello**."
        assert stage(desk) == "Opening other: checking the folder"
        desk.looks[-1].found = Found()
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)
        assert self.named(desk) == "other"
        assert desk.turns[-1].text == "You said **Hello**."

    def test_with_memory_for_both_the_old_one_answers_until_the_new_one_is_ready(
        self, desk: Desk
    ) -> None:
        desk.say("Hello")
        desk.found = Found(beside=True)
        old = desk.loop
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: len(desk.loops) == 2)
        desk.loop.steps = 1
        desk.until(lambda: present(desk.session.coming).fraction is not None)
        desk.loop.hold = True
        assert stage(desk) == "Opening other: reading weights, 33%"
        desk.say("Meanwhile")
        assert desk.turns[-1].text == "You said **Meanwhile**."
        assert old.posted[-1] != commands.Close()
        assert self.named(desk) == "model"
        desk.loop.hold = False
        desk.until(lambda: self.named(desk) == "other")
        assert desk.session.coming is None
        assert desk.session.engine.phase is EnginePhase.READY
        assert old.posted[-1] == commands.Close()
        assert desk.prompt_ids("Again") == []
        desk.until(lambda: old.closed)
        desk.say("Who is there?")
        assert any(isinstance(posted, commands.Submit) for posted in desk.loop.posted)
        assert desk.session.cache.snapshot is not None

    def test_a_failure_beside_the_open_model_costs_nothing(self, desk: Desk) -> None:
        desk.found = Found(beside=True)
        desk.bridge.open_model(Path("/models/broken"))
        desk.until(desk.window.card.isVisible)
        assert desk.window.card.sentence.text() == "config.json is missing in this folder."
        assert desk.session.engine.phase is EnginePhase.READY
        desk.say("Hello")
        assert desk.turns[-1].text == "You said **Hello**."
        assert commands.Close() not in desk.loops[0].posted

    @pytest.mark.parametrize("beside", [True, False])
    def test_an_answer_is_finished_before_the_models_change(
        self, make_desk: MakeDesk, beside: bool
    ) -> None:
        desk = make_desk(steps=1, found=Found(beside=beside))
        desk.open()
        desk.say("word " * 60, wait=False)
        desk.bridge.open_model(Path("/models/other"))
        waited: list[str] = []

        def answered() -> bool:
            waited.append(stage(desk))
            return not desk.session.busy

        desk.until(answered)
        assert "Opening other: waiting for the answer to finish" in waited
        assert desk.turns[-1].text == f"You said **{('word ' * 60).strip()}**."
        desk.until(lambda: desk.session.engine.model is not None and self.named(desk) == "other")

    def test_where_the_old_one_had_to_go_the_card_brings_it_back(self, desk: Desk) -> None:
        desk.bridge.open_model(Path("/models/broken"))
        desk.until(lambda: desk.session.engine.phase is EnginePhase.FAILED)
        card = desk.window.card
        assert card.isVisible()
        assert card.back.text() == "Reopen Qwen3.5-0.8B"
        card.back.click()
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        assert desk.loop.folder == desk.loops[0].folder
        assert not card.isVisible()

    def test_it_comes_back_in_the_format_that_worked(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.open("model")
        desk.bridge.open_next_with("int4", 1 << 30)
        desk.bridge.open_model(Path("/models/broken"))
        desk.until(lambda: desk.session.engine.phase is EnginePhase.FAILED)
        desk.window.card.back.click()
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        assert (desk.loop.config.weights, desk.loop.config.expert_bytes) == ("stored", 0)

    def test_the_same_folder_by_another_name_is_not_opened_twice(self, make_desk: MakeDesk) -> None:
        desk = make_desk(found=Found(beside=True))
        desk.bridge.open_model(Path("models/a"))
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        desk.loop.hold = True
        desk.bridge.open_model(Path.cwd() / "models" / "a")
        assert desk.session.engine.phase is EnginePhase.CLOSING
        assert len(desk.loops) == 1
        desk.loop.hold = False
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)

    def test_nothing_is_offered_where_nothing_ever_worked(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.open("broken")
        assert desk.window.card.isVisible()
        assert not desk.window.card.back.isVisible()

    def test_it_can_be_given_up(self, desk: Desk) -> None:
        desk.found = Found(beside=True)
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: len(desk.loops) == 2)
        coming = desk.loop
        desk.window.menus.cancel_opening.trigger()
        assert desk.session.coming is None
        assert coming.posted[-1] == commands.Close()
        desk.until(lambda: coming.closed)
        assert self.named(desk) == "model"
        assert not desk.window.card.isVisible()
        assert not desk.window.menus.cancel_opening.isEnabled()

    @pytest.mark.parametrize(
        "found", [Found("It is broken."), Found(), Found(beside=True)], ids=str
    )
    def test_the_open_one_may_go_down_meanwhile(self, desk: Desk, found: Found) -> None:
        desk.found = None
        desk.bridge.open_model(Path("/models/other"))
        desk.loop.emit(events.EngineFailed(sentence="The engine stopped."))
        desk.loop.emit(events.EngineClosed())
        desk.until(lambda: desk.session.engine.phase is EnginePhase.FAILED)
        desk.looks[-1].found = found
        desk.until(lambda: desk.session.coming is None)
        if found.problem:
            assert desk.window.card.sentence.text() == "It is broken."
            assert desk.window.card.back.text() == "Reopen Qwen3.5-0.8B"
        else:
            desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
            assert self.named(desk) == "other"

    def test_a_refusal_is_forgotten_when_the_open_one_goes_down(self, desk: Desk) -> None:
        desk.found = Found("It is broken.")
        desk.bridge.open_model(Path("/models/other"))
        desk.until(desk.window.card.isVisible)
        desk.loop.emit(events.EngineFailed(sentence="The engine stopped."))
        desk.loop.emit(events.EngineClosed())
        desk.until(lambda: desk.session.engine.phase is EnginePhase.FAILED)
        assert desk.window.card.sentence.text() == "The engine stopped."
        assert desk.window.card.back.text() == "Reopen Qwen3.5-0.8B"

    def test_another_choice_replaces_the_one_that_is_on_its_way(self, desk: Desk) -> None:
        desk.found = None
        desk.bridge.open_model(Path("/models/other"))
        desk.found = Found(beside=True)
        desk.bridge.open_model(Path("/models/third"))
        desk.until(lambda: self.named(desk) == "third")
        assert [loop.folder.name for loop in desk.loops] == ["model", "third"]


class TestCancel:
    def loading(self, make_desk: MakeDesk) -> Desk:
        """A window whose model has read a part of its weights, and then no more."""
        desk = make_desk(steps=1)
        desk.bridge.open_model(Path("/models/large"))
        desk.until(lambda: desk.session.engine.fraction is not None)
        desk.loop.hold = True
        return desk

    def test_stage_share_and_a_way_out_are_shown(self, make_desk: MakeDesk) -> None:
        desk = self.loading(make_desk)
        assert stage(desk) == "Reading weights, 33%"
        assert desk.window.menus.cancel_opening.isEnabled()
        desk.loop.hold = False
        desk.until(lambda: desk.session.engine.model is not None)
        assert not desk.window.menus.cancel_opening.isEnabled()

    def test_it_is_over_at_once_though_the_engine_takes_its_time(self, make_desk: MakeDesk) -> None:
        desk = self.loading(make_desk)
        desk.say("Hello", wait=False)
        desk.window.menus.cancel_opening.trigger()
        assert desk.loop.posted[-1] == commands.Close()
        assert desk.session.engine.phase is EnginePhase.NONE
        assert desk.window.card.isVisible()
        assert not desk.window.menus.cancel_opening.isEnabled()
        assert not desk.session.busy
        assert desk.window.chat.composer.text == "Hello"

    def test_another_model_can_be_opened_as_soon_as_the_engine_is_gone(
        self, make_desk: MakeDesk
    ) -> None:
        desk = self.loading(make_desk)
        desk.window.menus.cancel_opening.trigger()
        desk.bridge.open_model(Path("/models/small"))
        assert desk.session.engine.phase is EnginePhase.CLOSING
        for _ in range(3):
            desk.bridge.take()
        assert len(desk.loops) == 1
        desk.loop.hold = False
        desk.loop._ready = True
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        assert desk.loops[0].closed
        assert desk.loop.folder == Path("/models/small")
        assert not desk.window.card.isVisible()

    def test_what_the_engine_said_last_is_not_shown(self, make_desk: MakeDesk) -> None:
        desk = self.loading(make_desk)
        desk.window.menus.cancel_opening.trigger()
        desk.loop.emit(events.EngineFailed(sentence="Too late."))
        desk.loop.emit(events.EngineClosed())
        for _ in range(3):
            desk.bridge.take()
        assert desk.session.engine.phase is EnginePhase.NONE

    def test_a_model_that_is_ready_is_not_cancelled(self, desk: Desk) -> None:
        desk.bridge.cancel_opening()
        assert desk.session.engine.phase is EnginePhase.READY
        assert commands.Close() not in desk.loop.posted


class TestOpeningWith:
    def test_the_next_model_is_opened_with_what_was_chosen(self, desk: Desk) -> None:
        desk.bridge.open_next_with("int8", 3 << 30)
        assert len(desk.loops) == 1
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: len(desk.loops) == 2)
        assert (desk.loop.config.weights, desk.loop.config.expert_bytes) == ("int8", 3 << 30)

    def test_the_model_that_is_open_can_be_opened_anew(self, desk: Desk) -> None:
        desk.say("Hello")
        ids = desk.turns[-1].token_ids
        desk.bridge.open_next_with("int4", 0)
        desk.bridge.open_model(present(desk.bridge.folder))
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)
        assert desk.loop.folder == desk.loops[0].folder
        assert desk.loop.config.weights == "int4"
        assert desk.turns[-1].token_ids == ids


class TestWatching:
    def test_the_cache_is_looked_at_only_while_the_pane_shows(self, desk: Desk) -> None:
        assert desk.session.cache.watched
        desk.window.menus.cache.trigger()
        before = desk.session.cache.snapshot
        desk.say("Hello")
        assert desk.session.cache.snapshot is before
        desk.window.menus.cache.trigger()
        assert len(present(desk.session.cache.snapshot).nodes) > 1

    def test_closing_ends_the_thread(self, make_desk: MakeDesk) -> None:
        desk = make_desk(kind=PacedLoop, rate=500)
        desk.bridge.open_model(Path("/models/a"))
        desk.qtbot.waitUntil(lambda: desk.session.engine.model is not None)
        desk.close()
        assert desk.loop.closed


def at_rest(desk: Desk, outbox: Outbox) -> list[QTimer]:
    """Open a model whose events come through `outbox`; the bridge's timers, which have stopped."""
    desk.open()
    desk.loop.drain = outbox.drain  # type: ignore[method-assign]
    desk.loop.wake_with_next = outbox.wake_with_next  # type: ignore[method-assign]
    timers = desk.bridge.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    desk.qtbot.waitUntil(lambda: not any(one.isActive() for one in timers))
    return timers


class TestAtRest:
    def test_no_timer_runs_until_the_engine_tells_something(self, make_desk: MakeDesk) -> None:
        desk, outbox = make_desk(), Outbox()
        timers = at_rest(desk, outbox)
        Thread(target=outbox.put, args=(events.Notice(sentence="The disk is full."),)).start()
        desk.qtbot.waitUntil(lambda: "The disk is full." in desk.window.status.notice)
        desk.qtbot.waitUntil(lambda: not any(one.isActive() for one in timers))

    def test_what_was_on_its_way_while_it_closed_wakes_nothing(self, make_desk: MakeDesk) -> None:
        desk, outbox = make_desk(), Outbox()
        timers = at_rest(desk, outbox)
        late = Thread(target=outbox.put, args=(events.EngineClosed(),))
        late.start()
        late.join()
        desk.bridge.close(0)
        QApplication.processEvents()
        assert not any(one.isActive() for one in timers)
