"""What the tracks show, for each server that we know."""

from __future__ import annotations

from engine.net.counters.known import TRACKS
from engine.net.counters.reading import readings_of, samples_of
from tests.engine.net.counters.texts import LLAMA, SGLANG, VLLM, VLLM_LATER


def shown(now: bytes, before: bytes | None = None, seconds: float = 2) -> dict[str, float | None]:
    earlier = None if before is None else samples_of(before)
    return {one.key: one.value for one in readings_of(samples_of(now), earlier, seconds)}


class TestVllm:
    def test_at_first(self) -> None:
        first = shown(VLLM)
        assert first["kv in use"] == 0.5
        assert first["running"] == 3.0
        assert first["prefix hits"] is None
        assert first["prompt rate"] is None

    def test_two_seconds_later(self) -> None:
        later = shown(VLLM_LATER, VLLM)
        assert later["prefix hits"] == 0.75
        assert later["prompt rate"] == 1000.0
        assert later["answer rate"] == 20.0
        assert later["preemptions"] == 0.0

    def test_nothing_was_asked_meanwhile(self) -> None:
        assert shown(VLLM, VLLM)["prefix hits"] is None

    def test_it_was_started_again(self) -> None:
        again = shown(VLLM, VLLM_LATER)
        assert again["prompt rate"] is None
        assert again["prefix hits"] is None


class TestSglang:
    def test_both_planes(self) -> None:
        found = shown(SGLANG)
        assert found["mamba in use"] == 0.9
        assert (found["mamba used"], found["mamba free"], found["mamba evictable"]) == (58, 6, 40)
        assert found["tokens in use"] == 0.5
        assert found["kv in use"] == 0.28
        assert found["hit rate"] == 0.75
        assert found["host"] == 4096


class TestLlamaServer:
    def test_what_there_is(self) -> None:
        later = LLAMA.replace(b"_total 62", b"_total 162").replace(b"_total 24", b"_total 34")
        found = shown(later, LLAMA)
        assert found == {
            "prompt rate": 50.0,
            "answer rate": 5.0,
            "running": 1.0,
            "waiting": 0.0,
            "longest": 86.0,
        }


class TestTracks:
    def test_each_has_its_own_name(self) -> None:
        keys = [track.key for track in TRACKS]
        assert len(set(keys)) == len(keys)
        assert all(bool(track.over) == (track.how == "share") for track in TRACKS)
