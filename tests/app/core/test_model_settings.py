"""What the open model has, what it was asked to take over, and what the next opening gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.model_settings import ModelSettings
from app.core.session.applied import Applied, SettingsChange
from app.core.session.model import Session
from app.core.session.records import EnginePhase, EngineState, Place
from engine.commands import Tune
from engine.config import EngineConfig
from engine.events import Tuned
from engine.net.client.connection import Connection
from tests.present import present

HERE = Path("/models/a")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "cache.json"


@pytest.fixture
def settings(kept: Path) -> ModelSettings:
    return opened(kept)


def opened(kept: Path) -> ModelSettings:
    """Of a model that is ready."""
    session = Session()
    session.applied = Applied(kept)
    session.engine = EngineState(EnginePhase.READY)
    settings = ModelSettings(session, EngineConfig(interval=256))
    settings.place = HERE
    return settings


class TestForAll:
    def test_what_the_engine_takes_over_is_asked_of_it(self, settings: ModelSettings) -> None:
        settings.config = EngineConfig(interval=128)
        assert settings.waiting() == {"interval"}
        asked = present(settings.for_all("interval"))
        assert asked == Tune(1, interval=128)
        settings.answered(Tuned(number=1))
        assert settings.waiting() == frozenset()

    def test_what_it_refuses_waits_for_the_next_start(self, settings: ModelSettings) -> None:
        settings.config = EngineConfig(interval=128)
        settings.for_all("interval")
        settings.answered(Tuned(number=1, sentence="No memory."))
        assert settings.waiting() == {"interval"}

    def test_what_the_model_has_of_its_own_stays(self, settings: ModelSettings) -> None:
        settings.for_this(SettingsChange({"interval": 64}, reopen=False))
        settings.answered(Tuned(number=1))
        settings.config = EngineConfig(interval=128)
        assert settings.for_all("interval") is None
        assert settings.of(HERE).interval == 64

    @pytest.mark.parametrize("place", [None, Connection.parse("127.0.0.1:8080")], ids=str)
    def test_without_a_model_here_nothing_is_asked_and_nothing_waits(
        self, settings: ModelSettings, place: Place | None
    ) -> None:
        settings.place = place
        settings.config = EngineConfig(interval=128)
        assert settings.for_all("interval") is None
        assert not settings.waiting()
        assert not settings.own()
        assert settings.next is settings.config

    def test_the_rest_is_for_the_next_start(self, settings: ModelSettings) -> None:
        settings.config = EngineConfig(host_bytes=1 << 20)
        assert settings.for_all("host_bytes") is None
        assert settings.for_all("cache_bytes") is None


class TestForThis:
    def test_it_is_kept_once_the_engine_has_it(self, settings: ModelSettings, kept: Path) -> None:
        asked = settings.for_this(SettingsChange({"interval": 64}, reopen=False))
        assert asked == Tune(1, interval=64)
        assert not settings.own()
        settings.answered(Tuned(number=1))
        assert settings.own() == {"interval": 64}
        assert Applied(kept).remembered(str(HERE)) == {"interval": 64}

    def test_what_is_tried_is_kept_once_the_model_is_ready(
        self, settings: ModelSettings, kept: Path
    ) -> None:
        settings.try_with(SettingsChange({"mode": "fast"}, reopen=True))
        assert settings.of(HERE).mode == "fast"
        assert not kept.exists()
        settings.succeeded()
        assert Applied(kept).remembered(str(HERE)) == {"mode": "fast"}

    def test_what_is_tried_in_vain_is_taken_back(self, settings: ModelSettings) -> None:
        before = settings.of(HERE)
        settings.try_with(SettingsChange({"mode": "fast"}, reopen=True))
        assert not settings.failed(), "nothing that was remembered is to blame"
        assert settings.of(HERE) == before

    def test_what_an_earlier_run_applied_is_given_up(self, kept: Path) -> None:
        before = Applied(kept)
        before.apply(str(HERE), {"interval": 64})
        before.save()
        settings = opened(kept)
        assert settings.of(HERE).interval == 64
        assert settings.failed()
        assert settings.of(HERE).interval == 256
