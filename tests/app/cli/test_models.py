"""`biplane models inspect`: what it prints, and with which exit code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.main import main
from app.cli.models import fit_text, lines, parameter_text
from app.core.options.shared import demo_model_dir
from app.core.words.model_words import kernels_sentence, problem_lines
from engine.model.fit import Fit, Memory
from engine.model.inspect import ModelReport, inspect_model
from kernels.native.library import in_use


@pytest.fixture(scope="module")
def report() -> ModelReport:
    return inspect_model(demo_model_dir(), (Memory("cpu", 8 << 30),))


class TestCommand:
    def test_the_bundled_model(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["models", "inspect", str(demo_model_dir())]) == 0
        shown = capsys.readouterr().out
        assert "linear" in shown
        assert kernels_sentence(in_use()) in shown
        assert "int4" in shown
        assert "fits:" in shown

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["models", "inspect", str(demo_model_dir()), "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["complete"]
        assert shown["kernels"] == in_use()
        assert shown["layers"] == shown["linear_layers"] + shown["full_layers"]
        assert {"int8", "int4"} <= {row["name"] for row in shown["formats"]}
        assert all(row["sentence"] for row in shown["fits"])

    def test_a_bad_folder_is_one_sentence(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["models", "inspect", str(tmp_path), "--json"]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("biplane: ")
        assert captured.err.count("\n") == 1

    def test_what_is_missing_is_named_and_is_no_success(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for file in demo_model_dir().iterdir():
            if file.is_file():
                (tmp_path / file.name).write_bytes(file.read_bytes())
        config = json.loads((tmp_path / "config.json").read_text())
        text = config.get("text_config", config)
        text["num_hidden_layers"] += 1
        text.pop("layer_types", None)
        text["full_attention_interval"] = 4
        (tmp_path / "config.json").write_text(json.dumps(config))
        assert main(["models", "inspect", str(tmp_path)]) == 1
        assert "Missing tensors" in capsys.readouterr().out


class TestWords:
    def test_parameters(self) -> None:
        assert parameter_text(752_393_024) == "752 M"
        assert parameter_text(34_660_610_688) == "34.7 B"
        assert parameter_text(1_234_567) == "1.23 M"
        assert parameter_text(999) == "999"

    def test_every_way_of_not_fitting_says_what_would(self, report: ModelReport) -> None:
        no = Fit("cpu", "bfloat16", False, -(3 << 30), 0, None)
        yes = Fit("cpu", "int4", True, 1 << 30, 9_000, None)
        other = replace(yes, device="cuda")
        mapped = replace(no, format="int8", expert_bytes=5 << 30)
        assert fit_text(no, replace(report, fits=(no, yes))) == "does not fit; int4 would"
        assert "3.00 GiB more" in fit_text(no, replace(report, fits=(no, other)))
        assert "even with its experts" in fit_text(no, replace(report, fits=(no, mapped)))
        assert "--experts-mb 5120" in fit_text(mapped, replace(report, fits=(no, mapped)))
        assert "too little" in fit_text(replace(no, left_bytes=5), replace(report, fits=(no,)))

    def test_the_models_longest_context_is_called_so(self, report: ModelReport) -> None:
        whole = Fit("cpu", "int4", True, 1 << 30, report.context, None)
        assert "(its longest)" in fit_text(whole, report)
        assert "longest" not in fit_text(replace(whole, context=1_024), report)

    def test_lines_are_no_wider_than_a_terminal(self, report: ModelReport) -> None:
        assert max(map(len, lines(report))) <= 100

    def test_of_many_problems_some_are_named(self, report: ModelReport) -> None:
        many = replace(report, missing=tuple(f"t{n}" for n in range(9)), wrong=("x.",) * 7)
        lines = "\n".join(problem_lines(many))
        assert "(9): t0, t1, t2, t3, t4 and 4 more." in lines
        assert lines.endswith("2 more tensors cannot be loaded as they are.")
        assert problem_lines(report) == []
