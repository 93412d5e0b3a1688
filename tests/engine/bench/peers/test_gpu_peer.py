"""transformers on a tiny shape and whatever device there is."""

from __future__ import annotations

import sys

import pytest
import torch

from engine.bench.peer_report import GpuPeerAsk
from engine.bench.peers import gpu_peer
from tests.engine.bench import conftest as tiny

CPU = torch.device("cpu")
TINY = tiny.TINY | {"max_position_embeddings": 4096, "tie_word_embeddings": False}
ASK = GpuPeerAsk(tokens=40, context=20, new=3, repeats=1)


class TestPeer:
    @pytest.mark.slow
    def test_runs_the_shape(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Without a GPU its model classes would route to kernels that cannot run.
        monkeypatch.setitem(sys.modules, "fla", None)
        monkeypatch.setattr(gpu_peer, "found_versions", lambda: ("5", "0"))
        peer = gpu_peer.measure_peer(TINY, CPU, torch.float32, ASK)
        assert peer.reason == ""
        assert peer.prefill_tok_s is not None
        assert peer.prefill_tok_s > 0
        assert peer.decode_tok_s is not None

    def test_says_what_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        peer = gpu_peer.measure_peer(TINY, CPU, torch.float32, ASK)
        assert peer.reason == "transformers is not installed."
