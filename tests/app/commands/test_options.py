"""Shared options and the engine's configuration that they make."""

from __future__ import annotations

import argparse

import pytest

from app.commands.options import add_engine_options, engine_config
from engine.config import EngineConfig


def config_of(*argv: str) -> EngineConfig:
    parser = argparse.ArgumentParser()
    add_engine_options(parser)
    return engine_config(parser.parse_args(argv))


class TestWeights:
    def test_as_stored_and_every_expert_unless_said_otherwise(self) -> None:
        config = config_of()
        assert (config.weights, config.expert_bytes) == ("stored", 0)

    def test_what_was_said(self) -> None:
        config = config_of("--weights", "int4", "--experts-mb", "6144")
        assert (config.weights, config.expert_bytes) == ("int4", 6 << 30)

    def test_an_unknown_format_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            config_of("--weights", "int2")
        assert "int8" in capsys.readouterr().err
