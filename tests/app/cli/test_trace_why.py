"""`biplane trace why`: what a recording lost, in words for people and as data for scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.core.options.shared import demo_model_dir
from engine import Engine, EngineConfig, Message, Sampling
from engine.analysis.why.cause import Cause
from engine.analysis.why.suggestion import Behaviour
from engine.journal.lines import VERSION
from tests.assets.make_traces import TRACES

DEMO = Path(demo_model_dir()).parent / "demo.trace.jsonl.gz"
MANUAL = " ".join(f"Rule {n}: be kind, and look at page {3 * n}." for n in range(60))


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent that writes the time before its long system text, asked three times."""
    path = tmp_path_factory.mktemp("agent") / "agent.jsonl"
    with Engine.open(demo_model_dir(), EngineConfig(threads=1)) as engine:
        engine.record(path, text=True)
        for minute in (10, 25, 40):
            system = Message("system", f"It is 2026-11-22 09:{minute}. {MANUAL}")
            list(engine.generate((system, Message("user", "Hello")), Sampling.greedy(4)))
        engine.stop_recording()
    return path


def why(capsys: pytest.CaptureFixture[str], file: Path, *options: str) -> dict[str, Any]:
    assert main(["trace", "why", str(file), "--json", *options]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


class TestInWords:
    def test_the_bundled_recording(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["trace", "why", str(DEMO)]) == 0
        said = capsys.readouterr().out
        assert max(map(len, said.splitlines())) <= 80
        lines = [line.strip() for line in said.splitlines()]
        assert lines[0] == "demo.trace.jsonl.gz: 15 requests, 1,963 prompt tokens"
        first, second = (line for line in lines if " lost in " in line and "Nothing" not in line)
        assert first == "host memory full: 60 tokens lost in 2 requests"
        assert second == "message edited: 1 token lost in 1 request"
        assert "Request 9 · Conversation 1 · 129 tokens" in lines
        assert "Request 5, its prompt:" in lines
        assert "This prompt:" in lines
        text = " ".join(lines)
        assert "Remedy: Give the states 80% of the budget at first" in text
        assert "Effect: This turn would run 21 tokens instead of 71, less than 0.1 s sooner" in text
        assert text.endswith(
            "Nothing was lost in 12 requests: 8 thinking left out, 2 another chat, "
            "1 first sight, 1 everything reused."
        )

    def test_the_date_in_a_system_text_is_named_with_what_to_do(
        self, dated: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["trace", "why", str(dated), "--request", "3"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert "changed from “09:25” to “09:40”" in said
        assert "Remedy: Keep the date and the time out of the system text" in said
        assert "Predicted by replaying the recorded requests." in said

    def test_without_remedies_none_is_simulated(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["trace", "why", str(DEMO), "--no-remedies"]) == 0
        said = capsys.readouterr().out
        assert "host memory full: 60 tokens lost in 2 requests" in said
        assert "Remedy" not in said

    def test_texts_that_were_not_recorded_are_said_to_be(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small = TRACES / "small.jsonl.gz"
        assert main(["trace", "why", str(small), "--request", "8", "--no-remedies"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert "The trace has positions, but no texts" in said
        assert "This prompt:" not in said


class TestAsData:
    def test_the_causes_with_what_each_has_cost(
        self, dated: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        told = why(capsys, dated)
        assert (told["format"], told["file"], told["requests"]) == (1, "agent.jsonl", 3)
        assert told["complete"]
        assert not told["truncated"]
        assert told["reused"] + told["replayed"] + told["computed"] == told["tokens"]
        first, second = told["causes"]
        assert (first["cause"], first["requests"]) == (Cause.DATE_CHANGED, [2, 3])
        assert not first["normal"]
        assert told["lost"] == first["lost"] > 0
        assert (second["cause"], second["requests"]) == (Cause.FIRST_SIGHT, [1])
        assert second["normal"]
        assert second["worst"]["remedy"] is None

    def test_both_texts_and_the_simulated_remedy(
        self, dated: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        told = why(capsys, dated, "--request", "2")["request"]
        texts, remedy = told["texts"], told["remedy"]
        assert texts["request"] == 1
        assert "09:10" in texts["earlier"]
        assert "09:25" in texts["prompt"]
        assert remedy["behaviour"] == Behaviour.KEEP_THE_DATE_OUT
        was, now = remedy["effect"]["ran"]
        assert was == told["tokens"] - told["reused"]
        assert now < was / 4

    def test_all_requests_together_are_the_causes(self, capsys: pytest.CaptureFixture[str]) -> None:
        told = why(capsys, DEMO, "--no-remedies")
        assert sum(one["lost"] for one in told["causes"]) == told["lost"] == 61
        numbers = sorted(n for one in told["causes"] for n in one["requests"])
        assert numbers == list(range(1, 16))
        lost = [one["lost"] for one in told["causes"]]
        assert lost == sorted(lost, reverse=True)

    @pytest.mark.parametrize("version", range(1, VERSION))
    def test_files_of_older_versions_are_read(
        self, version: int, dated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        header, *lines = dated.read_text().splitlines()
        older = tmp_path / "older.jsonl"
        rest = [one for line in lines if (one := _older(json.loads(line))) is not None]
        told = json.loads(header) | {"version": version}
        del told["hash_window"]
        older.write_text("\n".join(map(json.dumps, (told, *rest))) + "\n")
        new, old = (why(capsys, one, "--no-remedies") for one in (dated, older))
        assert old["lost"] == new["lost"]
        texts = old["causes"][0]["worst"]["texts"]
        assert (texts["earlier"], texts["prompt"]) == (None, None)


def _older(line: dict[str, Any]) -> dict[str, Any] | None:
    """A line without what older versions did not have: texts, and the tokens of spans."""
    line.pop("tokens", None)
    line.pop("one_shot", None)
    return None if line["event"] == "Pieces" else line


class TestFilter:
    def test_only_requests_that_have_it_are_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        told = why(capsys, DEMO, "--no-remedies", "--filter", 'cause:"thinking left" chat:1')
        (cause,) = told["causes"]
        assert cause["cause"] == Cause.THINKING_DROPPED
        assert told["requests"] == len(cause["requests"]) < 8
        assert told["lost"] == 0

    def test_none_is_told_as_none(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["trace", "why", str(DEMO), "--filter", "lost:>1k"]) == 0
        assert capsys.readouterr().out == "demo.trace.jsonl.gz: 0 requests, 0 prompt tokens\n"

    def test_a_mistake_in_it_is_a_sentence(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["trace", "why", str(DEMO), "--filter", "tokens:many"]) == 2
        assert capsys.readouterr().err == (
            "biplane: “tokens” is a number: compare it like tokens:>100.\n"
        )


class TestInScripts:
    @pytest.mark.parametrize(("most", "code"), [("60", 1), ("61", 0)])
    def test_more_lost_than_allowed_fails(
        self, most: str, code: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["trace", "why", str(DEMO), "--no-remedies", "--fail-over", most]) == code
        said = "biplane: 61 tokens ran again, more than 60.\n" if code else ""
        assert capsys.readouterr().err == said

    def test_a_request_that_is_not_there_is_a_sentence(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["trace", "why", str(DEMO), "--request", "16"]) == 2
        said = capsys.readouterr().err
        assert said == "biplane: There is no request 16: demo.trace.jsonl.gz has 15 requests.\n"

    def test_a_recording_without_a_request_is_no_success(
        self, dated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        empty = tmp_path / "empty.jsonl"
        empty.write_text(dated.read_text().splitlines()[0] + "\n")
        assert main(["trace", "why", str(empty)]) == 1
        assert capsys.readouterr().err == "biplane: empty.jsonl has no request to explain.\n"

    def test_plain_marconi_lines_say_nothing_of_a_cache(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        names = ("session_id", "turn_id", "ts", "num_input_tokens", "num_output_tokens")
        line = dict.fromkeys(names, 1) | {"input_tokens": [5], "output_tokens": [6]}
        (tmp_path / "m.jsonl").write_text(json.dumps(line) + "\n")
        assert main(["trace", "why", str(tmp_path / "m.jsonl")]) == 1
        assert capsys.readouterr().err == (
            "biplane: m.jsonl has requests, but not what a cache did with them: run them on one "
            "with biplane trace replay.\n"
        )
