"""`python -m engine.bench.peers.transformers_peer FOLDER`: transformers' speed as one line of JSON.

A separate process, so that neither engine's memory and threads affect the other.
"""

from __future__ import annotations

import argparse
import copy
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor

from engine.bench.harness import median, seconds
from engine.bench.peer_report import Peer, PeerAsk, PeerDecode, PeerPrefill
from engine.bench.timed import peak_bytes

NAME = "transformers"
CHUNK = 512
WARM_TOKENS = 64


def measure(folder: Path, dtype: str, ask: PeerAsk) -> Peer:
    """Load the folder and measure; a model that does not load is a reason, not an error."""
    if not torch.cuda.is_available():
        # If these kernels can be imported, its model classes use them even without a GPU, and fail.
        sys.modules["fla"] = None  # type: ignore[assignment]
    try:
        import transformers
    except ImportError:
        return Peer(NAME, None, "transformers is not installed.")
    torch.set_num_threads(ask.threads)
    try:
        network = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=getattr(torch, dtype)
        )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        return Peer(NAME, transformers.__version__, f"transformers cannot load it: {error}")
    network.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    with torch.inference_mode():
        _prefill(network, _ids(network, WARM_TOKENS), CHUNK)
        return Peer(
            NAME,
            transformers.__version__,
            "",
            prefill=tuple(_prefill_row(network, tokens, ask.repeats) for tokens in ask.prompts),
            decode=tuple(_decode_row(network, context, ask) for context in ask.contexts),
            peak_rss_bytes=peak_bytes(),
        )


def _prefill_row(network: Any, tokens: int, repeats: int) -> PeerPrefill:
    ids = _ids(network, tokens)

    def speed(chunk: int) -> float:
        def read() -> tuple[Any, Tensor]:
            cache, logits = _prefill(network, ids, chunk)
            # Reading a value waits for a device that has only queued the work.
            float(logits[0])
            return cache, logits

        return tokens / median(partial(seconds, read), repeats)

    return PeerPrefill(tokens, one_pass_tok_s=speed(tokens), chunked_tok_s=speed(CHUNK))


def _decode_row(network: Any, context: int, ask: PeerAsk) -> PeerDecode:
    """Greedy tokens after a context, in a loop that keeps the cache."""
    filled, logits = _prefill(network, _ids(network, context), CHUNK)

    def decode(cache: Any, following: Tensor) -> None:
        for _ in range(ask.new):
            out = network(following.view(1, 1), past_key_values=cache, use_cache=True)
            following = out.logits[0, -1].argmax()
        int(following)

    def speed() -> float:
        # A cache cannot be cut back, and reading a long context again would take minutes.
        return ask.new / seconds(partial(decode, copy.deepcopy(filled), logits.argmax()))

    return PeerDecode(context, median(speed, ask.repeats))


def _prefill(network: Any, ids: Tensor, chunk: int) -> tuple[Any, Tensor]:
    """The cache after a prompt, and the last token's logits [vocab]."""
    cache, logits = None, None
    for first in range(0, len(ids), chunk):
        part = ids[first : first + chunk]
        out = network(part[None], past_key_values=cache, use_cache=True, logits_to_keep=1)
        cache, logits = out.past_key_values, out.logits[0, -1]
    assert logits is not None
    return cache, logits


def _ids(network: Any, count: int) -> Tensor:
    draw = torch.Generator().manual_seed(count)
    vocab = network.config.get_text_config().vocab_size
    return torch.randint(0, vocab, (count,), generator=draw).to(network.device)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dtype", required=True)
    parser.add_argument("--ask", required=True, help="of PeerAsk, as JSON")
    args = parser.parse_args(argv)
    ask = msgspec.json.decode(args.ask, type=PeerAsk)
    print(msgspec.json.encode(measure(args.folder, args.dtype, ask)).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
