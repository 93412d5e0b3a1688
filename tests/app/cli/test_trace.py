"""`biplane trace`: record a chat on the bundled model, replay it, look at a moment."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from app.cli.main import main
from app.debugger.traces import demo_trace

SAID = "hello there\nwhat is the capital of France?\n/again\n/new\nhello there\ntell me a story\n"
SMALL = ["--cache-mb", "8", "--interval", "64", "--max-tokens", "24", "--threads", "1"]


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded chat."""
    path = tmp_path_factory.mktemp("trace") / "chat.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(SAID))
        assert main(["trace", "record", str(path), *SMALL]) == 0
    return path


class TestReplay:
    def test_with_nothing_changed_the_recorded_hits_come_out(
        self, trace: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["trace", "replay", str(trace)]) == 0
        assert "every request reused what it did in the recording" in capsys.readouterr().out
        assert main(["trace", "replay", str(trace), "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (report["as_recorded"], report["exact"], report["differing"]) == (True, True, 0)
        assert len(report["requests"]) == 5
        assert report["replayed"]["reused"] == report["recorded"]["reused"] > 0
        assert report["replayed"]["first_token_s"] > 0

    def test_with_settings_changed_it_says_with_which(
        self, trace: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        changes = ["--policy", "lru", "--interval", "128", "--device-mb", "3", "--host-mb", "20"]
        assert main(["trace", "replay", str(trace), *changes]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith("lru, fast, a checkpoint every 128 tokens, device 3.00 MiB")
        assert "device to host" in shown
        assert "every request" not in shown

    def test_drafts_are_replayed_with_other_sources(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        written = {}
        for drafts in ("off", "text", "auto"):
            args = ["trace", "replay", str(demo_trace()), "--json", "--drafts", drafts]
            assert main(args) == 0
            report = json.loads(capsys.readouterr().out)
            written[drafts] = report["writing"]
            assert report["recorded_writing"]["kept"] > 20
        assert written["off"]["passes"] == written["off"]["answered"]
        assert written["auto"]["kept"] > written["text"]["kept"] >= written["off"]["kept"] == 0
        assert main(["trace", "replay", str(demo_trace()), "--most-drafted", "0"]) == 0
        said = capsys.readouterr().out
        assert "0 of 0 drafted tokens kept" in said
        assert f"replay: {written['off']['passes']} passes" in said

    @pytest.mark.parametrize("action", ["replay", "show", "why"])
    @pytest.mark.parametrize("form", [[], ["--json"]])
    def test_a_file_that_is_cut_off_is_said_to_be_and_fails(
        self,
        trace: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        action: str,
        form: list[str],
    ) -> None:
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(trace.read_bytes()[:-9])
        assert main(["trace", action, str(cut), *form]) == 1
        said = capsys.readouterr()
        assert said.err == (
            "biplane: cut.jsonl is cut off: its last line is incomplete and was left out.\n"
        )
        # What is whole is shown.
        assert json.loads(said.out)["truncated"] if form else said.out

    def test_a_file_that_is_none_is_a_sentence(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "no.jsonl").write_text("nothing\n")
        assert main(["trace", "replay", str(tmp_path / "no.jsonl")]) == 1
        assert capsys.readouterr().err == "biplane: no.jsonl, line 1: it is not a JSON object.\n"

    def test_plain_marconi_lines_are_replayed(
        self, trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        names = ["session_id", "turn_id", "ts", "num_input_tokens", "num_output_tokens"]
        names += ["input_tokens", "output_tokens"]
        lines = [json.loads(line) for line in trace.read_text().splitlines()]
        plain = [{n: raw[n] for n in names} for raw in lines if raw["event"] == "request"]
        path = tmp_path / "marconi.jsonl"
        path.write_text("\n".join(json.dumps(raw) for raw in plain))
        assert main(["trace", "replay", str(path), "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["recorded"] is None
        assert report["replayed"]["requests"] == 5


class TestShow:
    def test_the_beginning_and_the_end(
        self, trace: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["trace", "show", str(trace), "--at", "0", "--json"]) == 0
        before = json.loads(capsys.readouterr().out)
        assert (before["requests"], len(before["tiers"]["device"]["nodes"])) == (0, 1)
        assert main(["trace", "show", str(trace), "--json"]) == 0
        after = json.loads(capsys.readouterr().out)
        assert after["requests"] == 5
        assert len(after["tiers"]["device"]["nodes"]) > 5
        assert main(["trace", "show", str(trace)]) == 0
        assert "5 requests" in capsys.readouterr().out

    def test_no_word_of_the_chat_is_in_the_file(self, trace: Path) -> None:
        text = trace.read_text()
        assert "France" not in text
        assert "hello" not in text
