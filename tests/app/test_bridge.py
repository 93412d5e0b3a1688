"""The bridge: frames, models that come and go."""

from __future__ import annotations

from pathlib import Path

from fake_loop import PacedLoop

from app.session.records import EnginePhase
from engine import commands, events


class TestOpening:
    def test_progress_then_ready(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = make_desk(steps=1)
        desk.bridge.open_model(Path("/models/a"))
        stages = []
        desk.until(
            lambda: stages.append(desk.window.status.model.text()) or desk.session.engine.model
        )
        assert "Reading weights, 33%" in stages
        assert desk.window.windowTitle() == "Qwen3.5-0.8B – Biplane"

    def test_a_failure_shows_its_sentence_and_a_way_out(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = make_desk()
        desk.open("broken")
        assert desk.window.card.isVisible()
        assert desk.window.card.sentence.text() == "config.json is missing in this folder."
        desk.open("good")
        assert desk.session.engine.phase is EnginePhase.READY
        assert not desk.window.card.isVisible()

    def test_another_model_waits_until_the_first_is_gone(self, desk) -> None:  # type: ignore[no-untyped-def]
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
        assert desk.turns[-1].token_ids == ()

    def test_a_message_sent_while_the_model_changes_is_answered_by_the_new_one(self, desk) -> None:  # type: ignore[no-untyped-def]
        desk.bridge.open_model(Path("/models/other"))
        desk.say("Hello")
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[-1].text == "You said **Hello**."
        assert len(desk.loops) == 2

    def test_audits_in_idle_moments_go_on_with_the_next_model(self, desk) -> None:  # type: ignore[no-untyped-def]
        desk.window.menus.audit.trigger()
        assert desk.loop.posted[-1] == commands.AuditInBackground(True)
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: len(desk.loops) == 2)
        assert desk.loop.config.background_audit
        desk.window.menus.audit.trigger()
        assert desk.loop.posted[-1] == commands.AuditInBackground(False)


class TestCancel:
    def loading(self, make_desk):  # type: ignore[no-untyped-def]
        """A window whose model has read a part of its weights, and then no more."""
        desk = make_desk(steps=1)
        desk.bridge.open_model(Path("/models/large"))
        desk.until(lambda: desk.session.engine.fraction is not None)
        desk.loop.hold = True
        return desk

    def test_stage_share_and_a_way_out_are_shown(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = self.loading(make_desk)
        assert desk.window.status.model.text() == "Reading weights, 33%"
        assert desk.window.status.cancel.isVisible()
        desk.loop.hold = False
        desk.until(lambda: desk.session.engine.model is not None)
        assert not desk.window.status.cancel.isVisible()

    def test_it_is_over_at_once_though_the_engine_takes_its_time(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = self.loading(make_desk)
        desk.say("Hello", wait=False)
        desk.window.status.cancel.click()
        assert desk.loop.posted[-1] == commands.Close()
        assert desk.session.engine.phase is EnginePhase.NONE
        assert desk.window.card.isVisible()
        assert not desk.window.status.cancel.isVisible()
        assert not desk.session.busy
        assert desk.window.chat.composer.text == "Hello"

    def test_another_model_can_be_opened_as_soon_as_the_engine_is_gone(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = self.loading(make_desk)
        desk.window.status.cancel.click()
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

    def test_what_the_engine_said_last_is_not_shown(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = self.loading(make_desk)
        desk.window.status.cancel.click()
        desk.loop.emit(events.EngineFailed(sentence="Too late."))
        desk.loop.emit(events.EngineClosed())
        for _ in range(3):
            desk.bridge.take()
        assert desk.session.engine.phase is EnginePhase.NONE

    def test_a_model_that_is_ready_is_not_cancelled(self, desk) -> None:  # type: ignore[no-untyped-def]
        desk.bridge.cancel_opening()
        assert desk.session.engine.phase is EnginePhase.READY
        assert commands.Close() not in desk.loop.posted


class TestOpeningWith:
    def test_the_next_model_is_opened_with_what_was_chosen(self, desk) -> None:  # type: ignore[no-untyped-def]
        desk.bridge.open_next_with("int8", 3 << 30, False)
        assert len(desk.loops) == 1
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: len(desk.loops) == 2)
        assert (desk.loop.config.weights, desk.loop.config.expert_bytes) == ("int8", 3 << 30)

    def test_the_model_that_is_open_can_be_opened_anew(self, desk) -> None:  # type: ignore[no-untyped-def]
        desk.say("Hello")
        ids = desk.turns[-1].token_ids
        desk.bridge.open_next_with("int4", 0, True)
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)
        assert desk.loop.folder == desk.loops[0].folder
        assert desk.loop.config.weights == "int4"
        assert desk.turns[-1].token_ids == ids


class TestWatching:
    def test_snapshots_are_asked_for_only_while_the_pane_shows(self, desk) -> None:  # type: ignore[no-untyped-def]
        assert commands.WatchCache(True) in desk.loop.posted
        desk.window.menus.cache.trigger()
        assert desk.loop.posted[-1] == commands.WatchCache(False)
        desk.window.menus.cache.trigger()
        assert desk.loop.posted[-1] == commands.WatchCache(True)

    def test_closing_ends_the_thread(self, make_desk) -> None:  # type: ignore[no-untyped-def]
        desk = make_desk(kind=PacedLoop, rate=500)
        desk.bridge.open_model(Path("/models/a"))
        desk.qtbot.waitUntil(lambda: desk.session.engine.model is not None, timeout=5000)
        desk.close()
        assert desk.loop.closed
