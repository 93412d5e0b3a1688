"""Without the code that runs other engines, as in an installed copy, there is a reason."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from engine.bench.comparison import NEEDS_SOURCE, all_peers, gpu_peer
from engine.bench.peer_report import GpuPeerAsk, PeerAsk

ASK = PeerAsk(threads=1)
GPU_ASK = GpuPeerAsk(tokens=4, context=2, new=1, repeats=1)


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the package were not there."""
    for name in [name for name in sys.modules if name.startswith("engine.bench.peers")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "engine.bench.peers", None)


@pytest.mark.usefixtures("_installed")
class TestInstalled:
    def test_a_report_says_what_a_comparison_needs(self, tmp_path: Path) -> None:
        (peer,) = all_peers(tmp_path, "bfloat16", (), ASK)
        assert (peer.name, peer.version, peer.reason) == ("other engines", None, NEEDS_SOURCE)

    def test_so_does_one_of_a_gpu(self) -> None:
        found = gpu_peer({}, torch.device("cpu"), torch.float32, GPU_ASK)
        assert (found.reason, found.versions) == (NEEDS_SOURCE, None)


def test_in_a_source_checkout_every_peer_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    peers = all_peers(tmp_path, "bfloat16", (), ASK)
    assert [peer.name for peer in peers] == ["transformers", "llama.cpp"]
    assert NEEDS_SOURCE not in {peer.reason for peer in peers}
