"""transformers with flash-linear-attention on the same shape, with weights made on the device."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor

from engine.bench.harness import median
from engine.bench.machine import device_seconds
from engine.bench.peer_report import GpuPeer, GpuPeerAsk

FLA = "flash-linear-attention"
CHUNK = 2048


def found_versions() -> tuple[str, str] | str:
    """The versions, or a sentence that names what is not installed."""
    for module, package in (("transformers", "transformers"), ("fla", FLA)):
        if importlib.util.find_spec(module) is None:
            return f"{package} is not installed."
    return importlib.metadata.version("transformers"), importlib.metadata.version(FLA)


@torch.inference_mode()
def measure_peer(
    values: Mapping[str, Any], device: torch.device, dtype: torch.dtype, ask: GpuPeerAsk
) -> GpuPeer:
    """Time a prompt, and greedy tokens after a context; medians are reported."""
    versions = found_versions()
    if isinstance(versions, str):
        return GpuPeer(versions)
    try:
        network = _network(values, device, dtype)
        ids = _ids(network, max(ask.tokens, ask.context))
        prompt = ids[: ask.tokens]
        _prefill(network, prompt)
        read = partial(_prefill, network, prompt)
        prefill = median(partial(device_seconds, read, device), ask.repeats)
        context = ids[: ask.context]
        decode = median(partial(_decode_s, network, context, ask.new, device), ask.repeats)
    except (ImportError, RuntimeError, ValueError, TypeError, AttributeError) as error:
        return GpuPeer(f"transformers cannot run the shape: {error}", versions)
    return GpuPeer("", versions, ask.tokens / prefill, ask.new / decode)


def _network(values: Mapping[str, Any], device: torch.device, dtype: torch.dtype) -> Any:
    import transformers

    config = transformers.Qwen3_5TextConfig(**values)
    with torch.device(device):
        network = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype)
    return network.eval()


def _ids(network: Any, count: int) -> Tensor:
    draw = torch.Generator().manual_seed(count)
    return torch.randint(0, network.config.vocab_size, (count,), generator=draw).to(network.device)


def _prefill(network: Any, ids: Tensor) -> tuple[Any, Tensor]:
    """The cache after a prompt, and the last token's logits [vocab]."""
    cache, logits = None, ids
    for first in range(0, len(ids), CHUNK):
        part = ids[first : first + CHUNK]
        out = network(part[None], past_key_values=cache, use_cache=True, logits_to_keep=1)
        cache, logits = out.past_key_values, out.logits[0, -1]
    return cache, logits


def _decode_s(network: Any, ids: Tensor, new: int, device: torch.device) -> float:
    """Seconds of `new` greedy tokens; each is read on the host, as a chat has to."""
    cache, logits = _prefill(network, ids)

    def run() -> None:
        following = int(logits.argmax())
        for _ in range(new):
            token = torch.tensor([[following]], device=device)
            out = network(token, past_key_values=cache, use_cache=True)
            following = int(out.logits[0, -1].argmax())

    return device_seconds(run, device)
