"""Files beside llama.cpp: the same distributions, and the same text, up to the rounding of rows.

    BIPLANE_LLAMA_SERVER=path/to/llama-server BIPLANE_GGUF=demo-Q8_0.gguf:demo-Q4_K_M.gguf \\
        pytest -s tests/engine/run/test_gguf_beside_llama.py

For files of the bundled model, whose vocabulary is small enough to compare whole. Both engines
round rows to 8 bits: ours per 32 inputs, llama.cpp per 256 where blocks have as many weights, which
moves its distributions further from those of the dequantised weights than ours.
"""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest
import torch
from torch import Tensor

from engine import Engine, EngineConfig, Message
from engine.bench.llama_server import llama_server
from engine.commands import Prompt
from engine.gguf.file import read_gguf
from engine.message import PromptOptions
from engine.model.hybrid import HybridModel
from tests.llama_server import GGUFS, needs_llama_server

pytestmark = needs_llama_server
ASKED: Prompt = (Message("user", "Tell me a story about a river and a boat."),)
TOKENS = 200
# Per 32 inputs and per 256; measured: 0.0006, and 0.0019 to 0.0031.
MOST_KL, MOST_KL_OF_SPANS = 1e-3, 4e-3
# Two tokens as likely as each other up to rounding, in nats.
TIE = 0.5


@pytest.mark.parametrize("gguf", GGUFS, ids=lambda path: path.stem)
def test_the_same_text_and_distributions(gguf: Path) -> None:
    with Engine.open(gguf, EngineConfig(threads=1)) as engine:
        prompt = engine.on_core(lambda core: core.prompt_ids(ASKED, PromptOptions()))
        with llama_server(gguf, 4096, 1) as url:
            ids, told, theirs = answered(url, prompt, engine.model.vocab_size)
        ours = engine.on_core(lambda core: distributions(core.model, prompt, ids))[told]
    kl = (theirs.exp() * (theirs - ours)).sum(-1)
    chosen = theirs.argmax(-1)
    gaps = theirs.gather(1, chosen[:, None]) - theirs.gather(1, ours.argmax(-1)[:, None])
    same = int((gaps == 0).sum())
    print(f"{gguf.name}: KL {kl.mean():.6f}, the same likeliest token {same} of {len(told)} times")
    spans = any(place.type.weights == 256 for place in read_gguf(gguf).tensors.values())
    assert kl.mean() <= (MOST_KL_OF_SPANS if spans else MOST_KL)
    assert len(ids) == TOKENS
    assert gaps.max() <= TIE
    assert same >= 0.95 * len(told) >= 0.9 * TOKENS


def answered(
    url: str, prompt: tuple[int, ...], vocabulary: int
) -> tuple[list[int], list[int], Tensor]:
    """A greedy answer of llama-server, and the logarithms of all probabilities where it tells them.

    Returns the answer's ids, going on behind its end, the places that are told of, and a row for
    each of those. It tells nothing of a token that ends within a character.
    """
    asked = {
        "prompt": list(prompt),
        "n_predict": TOKENS,
        "temperature": 0.0,
        "ignore_eos": True,
        "return_tokens": True,
        "n_probs": vocabulary,
    }
    request = urllib.request.Request(
        f"{url}/completion", json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as reply:
        answer = json.load(reply)
    told, ids = answer["completion_probabilities"], answer["tokens"]
    found = torch.full((len(told), vocabulary), -torch.inf)
    for row, each in zip(found, told, strict=True):
        for one in each["top_logprobs"]:
            row[one["id"]] = one["logprob"]
    assert found.isfinite().all(), "not every token has a probability"
    places: list[int] = []
    for each in told:
        places.append(ids.index(each["id"], places[-1] + 1 if places else 0))
    return ids, places, found


def distributions(model: HybridModel, prompt: tuple[int, ...], ids: list[int]) -> Tensor:
    """Ours at the same positions, one token at a time as an answer is decoded."""
    kv, states = model.make_kv_plane(len(prompt) + len(ids)), model.make_state_plane(1)
    given, rows, at = torch.tensor(prompt), [], 0
    for token in ids:
        end = at + len(given)
        logits = model.forward(given, at, kv, [(0, end)], states, 0, write_from=at)
        assert logits is not None
        rows.append(logits.flatten())
        given, at = torch.tensor([token]), end
    return torch.stack(rows).log_softmax(-1)
