"""Shared options and the engine's configuration that they make."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from app.core.options.shared import (
    UsageError,
    add_engine_options,
    add_sampling_options,
    engine_config,
    given_sampling,
    named_settings,
    sampling_of,
)
from app.core.session.settings import NAMES
from app.shell.options import parse
from engine.config import EngineConfig, Sampling


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


def args_of(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_sampling_options(parser)
    return parser.parse_args(argv)


EACH = {
    "temperature": ("0.3", 0.3),
    "top_p": ("0.8", 0.8),
    "top_k": ("7", 7),
    "min_p": ("0.05", 0.05),
    "repetition_penalty": ("1.2", 1.2),
    "presence_penalty": ("-1.5", -1.5),
    "max_tokens": ("99", 99),
    "seed": ("5", 5),
    "stop": ("END", ("END",)),
}
BAD = [
    ("temperature", "200", "a number from 0 to 100"),
    ("temperature", "nan", "a number from 0 to 100"),
    ("top_p", "1.5", "a number from 0 to 1"),
    ("top_k", "-1", "a whole number of at least 0"),
    ("min_p", "-0.1", "a number from 0 to 1"),
    ("repetition_penalty", "0", "a number from 0.01 to 100"),
    ("presence_penalty", "101", "a number from -100 to 100"),
    ("max_tokens", "0", "a whole number of at least 1"),
]


class TestSampling:
    def test_every_setting_of_a_conversation_is_an_option(self) -> None:
        # A schema is in a file.
        assert set(EACH) == set(NAMES) - {"grammar"}
        argv = [part for name, (text, _) in EACH.items() for part in (option(name), text)]
        given = given_sampling(args_of(*argv))
        assert given == {name: value for name, (_, value) in EACH.items()}
        assert parse(argv).given == given

    def test_what_is_not_given_is_the_models(self) -> None:
        recommended = Sampling(temperature=0.1, top_k=3, max_tokens=77)
        assert given_sampling(args_of()) == {}
        assert sampling_of(args_of(), recommended) == recommended
        made = sampling_of(args_of("--top-k", "0"), recommended)
        assert made == Sampling(temperature=0.1, top_k=0, max_tokens=77)

    def test_a_schema_is_read_from_a_file(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "person.json"
        file.write_text('{"type": "object"}\n')
        asked = "--json-schema", str(file)
        assert given_sampling(args_of(*asked)) == {"grammar": '{"type": "object"}'}
        file.write_text("[1]")
        with pytest.raises(UsageError, match="must be a JSON schema"):
            given_sampling(args_of(*asked))
        file.unlink()
        with pytest.raises(SystemExit):
            parse([*asked])
        assert "cannot be read" in capsys.readouterr().err

    def test_stop_may_be_repeated(self) -> None:
        given = given_sampling(args_of("--stop", "A", "--stop", " B"))
        assert given["stop"] == ("A", " B")

    @pytest.mark.parametrize(("name", "text", "wanted"), BAD)
    def test_a_value_out_of_range_is_one_sentence(
        self, name: str, text: str, wanted: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(UsageError) as refused:
            given_sampling(args_of(option(name), text))
        assert str(refused.value).startswith(f"{option(name)} is ")
        assert wanted in str(refused.value)
        with pytest.raises(SystemExit) as left:
            parse([option(name), text])
        assert left.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1

    def test_an_empty_stop_string_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as left:
            parse(["--stop", ""])
        assert left.value.code == 2
        assert "leave the option out" in capsys.readouterr().err


def option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


class TestNamedSettings:
    def named(self, *argv: str) -> frozenset[str]:
        parser = argparse.ArgumentParser()
        add_engine_options(parser, disk_mb=4096)
        return named_settings(parser, argv)

    def test_defaults_are_not_named(self) -> None:
        assert self.named() == frozenset()

    def test_what_is_given_is_also_as_its_default(self) -> None:
        assert self.named("--interval", "1024", "--disk-mb", "4096") == {"interval", "disk_bytes"}
        named = self.named("--cache-mb=0", "--host-mb", "8", "--policy", "lru", "--mode", "fast")
        assert named == {"cache_bytes", "host_bytes", "policy", "mode"}
