"""Comparisons with other engines, if the code that runs them is available."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from engine.bench.peer_report import GpuPeer, GpuPeerAsk, Peer, PeerAsk

OTHERS = "other engines"
NEEDS_SOURCE = "Comparing with other engines needs a source checkout of Biplane."


def all_peers(folder: Path, dtype: str, ggufs: Sequence[Path], ask: PeerAsk) -> tuple[Peer, ...]:
    """Every peer in turn, llama.cpp once per file; one that cannot run gives the reason."""
    try:
        from engine.bench.peers import processes
    except ImportError:
        return (Peer(OTHERS, None, NEEDS_SOURCE),)
    return processes.all_peers(folder, dtype, ggufs, ask)


def llama_peer(gguf: Path, ask: PeerAsk) -> Peer:
    """llama.cpp on one file, or the reason why it cannot run."""
    try:
        from engine.bench.peers import processes
    except ImportError:
        return Peer(OTHERS, None, NEEDS_SOURCE)
    return processes.llama_peer(gguf, ask)


def gpu_peer(
    values: Mapping[str, Any], device: torch.device, dtype: torch.dtype, ask: GpuPeerAsk
) -> GpuPeer:
    """transformers on the shape `values` (as in config.json), or the reason it did not run."""
    try:
        from engine.bench.peers.gpu_peer import measure_peer
    except ImportError:
        return GpuPeer(NEEDS_SOURCE)
    return measure_peer(values, device, dtype, ask)
