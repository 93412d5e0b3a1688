"""Trains the bundled model further: `python -m assets.demo.refine --minutes 60 --work FOLDER`.

Unlike `train`, which starts from nothing and wants a processor with bfloat16 arithmetic, this
starts from a model folder's weights and takes float32 and AdamW alone. The work folder becomes a
model folder of its own; the bundled weights are left as they are.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import torch
import torch.distributed as dist
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.multiprocessing.spawn import spawn

from assets.demo.batches import Batch, batches_of, encode, make_batch
from assets.demo.bundle import MODEL_FOLDER, load_network, write_settings, write_weights
from assets.demo.corpus import Sample, cut_short, sample
from assets.demo.network import Network
from assets.demo.shape import Shape
from assets.demo.tokenizer import open_tokenizer
from assets.demo.train import exchange, gradient_of

# Short conversations fill chunks of 16 tokens better than the 64 of `train`.
CHUNK = 16
TURNS = (1, 7)
POOL = 384
PROBE_SEED = 4_243
WARM_UP_STEPS = 12


def rate_at(step: int, share: float) -> float:
    """Multiplier of the learning rate: a short warm-up, then a straight line to zero."""
    return min(1.0, (step + 1) / WARM_UP_STEPS, max(0.0, 1.0 - share))


def loss_of(network: Network, batch: Batch) -> Tensor:
    """Weighted mean cross-entropy of the learned positions, float32 scalar."""
    rows = network.hidden(batch.ids, torch.float32, CHUNK).flatten(0, 1)[batch.places]
    each = F.cross_entropy(network.logits(rows), batch.targets, reduction="none")
    return (each * batch.weights).sum() / batch.weights.sum()


def _conversations(seed: int, first: int, count: int) -> list[Sample]:
    """Samples from number `first` on; of most honest answers only the beginning."""
    items = []
    for index in range(first, first + count):
        item = sample(seed, index, TURNS, thinking=0.25)
        items.append(cut_short(item) if index % 4 else item)
    return items


def _stream(tokenizer: Tokenizer, seed: int, batch_tokens: int) -> Iterator[Batch]:
    """Endless batches of rows of about one length, in random order."""
    first = 0
    while True:
        rows = encode(tokenizer, _conversations(seed, first, POOL))
        first += POOL
        yield from batches_of(rows, batch_tokens, CHUNK, Random(f"{seed}/{first}"), 0)


def refine(rank: int, ranks: int, given: argparse.Namespace) -> None:
    """One of `ranks` single-threaded processes that share every step; rank 0 writes the files."""
    # Before any thread starts: decays leave denormal numbers, which are a hundred times slower.
    torch.set_flush_denormal(True)
    torch.set_num_threads(1)
    rendezvous = f"file://{given.work.resolve()}/rendezvous"
    dist.init_process_group("gloo", init_method=rendezvous, rank=rank, world_size=ranks)
    network, tokenizer = load_network(given.start), open_tokenizer(given.start)
    parameters = list(network.parameters())
    adam = torch.optim.AdamW(parameters, lr=given.rate, betas=(0.9, 0.98), weight_decay=0.0)
    rows = encode(tokenizer, [sample(PROBE_SEED, index, TURNS) for index in range(48)])
    probe = make_batch(sorted(rows, key=lambda row: len(row[0])), CHUNK, 0)
    batches = _stream(tokenizer, given.seed * ranks + rank, given.tokens // ranks)
    log = (given.work / f"log{rank}.jsonl").open("a", buffering=1)
    began, step, tokens, recent = time.monotonic(), 0, 0, 0.0
    share = torch.zeros(1, dtype=torch.float64)
    while float(share) < 1.0:
        batch = next(batches)
        loss = loss_of(network, batch)
        loss.backward()
        with torch.no_grad():
            gradients = [gradient_of(parameter) for parameter in parameters]
            exchange(gradients, lambda flat: dist.all_reduce(flat.div_(ranks)))
            nn.utils.clip_grad_norm_(parameters, 1.0)
            adam.param_groups[0]["lr"] = given.rate * rate_at(step, float(share))
            adam.step()
            network.zero_grad(set_to_none=True)
        step += 1
        tokens += batch.ids.numel() * ranks
        recent += float(loss.detach())
        share.fill_((time.monotonic() - began) / (given.minutes * 60))
        dist.broadcast(share, 0)
        if step % 20 == 0:
            line = {"step": step, "tokens": tokens, "share": float(share), "loss": recent / 20}
            recent = 0.0
            if step % 100 == 0 and rank == 0:
                with torch.no_grad():
                    line["probe_loss"] = float(loss_of(network, probe))
            log.write(json.dumps(line) + "\n")
        if rank == 0 and (step % given.save_every == 0 or float(share) >= 1.0):
            write_weights(given.work, network.state_dict())
    dist.destroy_process_group()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--work", type=Path, required=True, help="the new model folder")
    parser.add_argument("--from", dest="start", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the start")
    parser.add_argument("--tokens", type=int, default=2048, help="tokens of a step")
    parser.add_argument("--save-every", type=int, default=50, help="steps")
    parser.add_argument("--processes", type=int, default=2, help="one thread each")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    (given.work / "rendezvous").unlink(missing_ok=True)
    write_settings(given.work, Shape(), open_tokenizer(given.start))
    spawn(refine, args=(given.processes, given), nprocs=given.processes)


if __name__ == "__main__":
    main()
