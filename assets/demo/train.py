"""Trains the demo model: `python -m assets.demo.train --minutes 85 --work /tmp/demo_train`.

Resumable: the work folder holds the whole state and is replaced atomically every few minutes, when
the model folder's weights are replaced too. Two single-threaded processes share every step: on a
busy machine that does twice the work per CPU second of one process with two threads.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn
from torch.multiprocessing.spawn import spawn

from assets.demo.batches import Batch, encode, make_batch, stream
from assets.demo.bundle import MODEL_FOLDER, write_weights
from assets.demo.corpus import VALUE_WEIGHT, sample
from assets.demo.network import Network, initialise
from assets.demo.shape import MARKER_TOKENS, Shape
from assets.demo.tokenizer import open_tokenizer

CHUNK = 64
PROBE_SEED = 4_242
MUON_RATE = 0.02
ADAM_RATE = 4e-3


@dataclass(slots=True)
class Progress:
    """Where a run stands; tokens include padding."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    next_dialogue: int = 0


@dataclass(frozen=True, slots=True)
class Stage:
    """Part of the curriculum: from `start` (share of the time) on, these dialogues and batches."""

    start: float
    turns: tuple[int, int]
    drills: float
    batch_tokens: int = 4096


STAGES = (
    Stage(0.0, (1, 3), 0.7),
    Stage(0.25, (1, 4), 0.3),
    Stage(0.35, (1, 7), 0.1),
    Stage(0.50, (1, 11), 0.05),
    Stage(0.70, (1, 22), 0.03),
)


def stage_at(share: float) -> Stage:
    """The stage of a run that has used `share` of its time."""
    return [stage for stage in STAGES if stage.start <= share][-1]


def rate_at(step: int, share: float) -> float:
    """Multiplier of the learning rates: warm-up, a plateau, then a straight line to zero."""
    return min(1.0, (step + 1) / 60, max(0.0, (1.0 - share) / 0.75))


def split(network: Network, ranks: int) -> tuple[list[list[nn.Parameter]], list[nn.Parameter]]:
    """Large matrices dealt out to the ranks, and everything else."""
    matrices: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for name, parameter in network.named_parameters():
        large = parameter.dim() == 2 and min(parameter.shape) >= 64 and "embed" not in name
        (matrices if large else others).append(parameter)
    return [matrices[rank::ranks] for rank in range(ranks)], others


def loss_of(network: Network, batch: Batch) -> Tensor:
    """Weighted mean cross-entropy of the learned positions, float32 scalar."""
    rows = network.hidden(batch.ids, torch.bfloat16, CHUNK).flatten(0, 1)[batch.places]
    each = F.cross_entropy(network.logits(rows).float(), batch.targets, reduction="none")
    return (each * batch.weights).sum() / batch.weights.sum()


@torch.no_grad()
def probe(network: Network, rows: list[tuple[list[int], list[float]]]) -> dict[str, float]:
    """Loss, and the share of last answers whose told values are all predicted (teacher-forced)."""
    start_id = Shape().vocab - len(MARKER_TOKENS) - 2
    losses, right, asked = [], 0, 0
    for first in range(0, len(rows), 16):
        group = rows[first : first + 16]
        batch = make_batch(group, CHUNK, 0)
        hidden = network.hidden(batch.ids, torch.bfloat16, CHUNK)
        losses.append(float(loss_of(network, batch)))
        guess = network.logits(hidden).argmax(-1)
        for row, (ids, weights) in enumerate(group):
            final = max(i for i, token in enumerate(ids) if token == start_id)
            spots = [i for i in range(final, len(ids)) if weights[i] == VALUE_WEIGHT]
            if spots:
                asked += 1
                right += all(int(guess[row, i - 1]) == ids[i] for i in spots)
    return {"probe_loss": sum(losses) / len(losses), "probe_recall": right / max(asked, 1)}


def gradient_of(parameter: nn.Parameter) -> Tensor:
    assert parameter.grad is not None
    return parameter.grad


def exchange(tensors: Sequence[Tensor], share: Callable[[Tensor], object]) -> None:
    """Flatten `tensors`, let `share` change the flat copy in place, and copy it back."""
    flat = torch.cat([tensor.flatten() for tensor in tensors])
    share(flat)
    parts = flat.split([tensor.numel() for tensor in tensors])
    for tensor, part in zip(tensors, parts, strict=True):
        tensor.copy_(part.view_as(tensor))


def save(path: Path, content: dict[str, object]) -> None:
    """Replace a file of the run's state atomically."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


def train(rank: int, ranks: int, given: argparse.Namespace) -> None:
    """One of `ranks` single-threaded processes that share every step; rank 0 writes the files."""
    # Before any thread starts: decays leave denormal numbers, which are a hundred times slower.
    torch.set_flush_denormal(True)
    torch.set_num_threads(1)
    rendezvous = f"file://{given.work.resolve()}/rendezvous"
    dist.init_process_group("gloo", init_method=rendezvous, rank=rank, world_size=ranks)
    network, at = Network(Shape()), Progress()
    initialise(network, given.seed)
    dealt, others = split(network, ranks)
    muon = torch.optim.Muon(dealt[rank], lr=MUON_RATE, weight_decay=0.01, momentum=0.95)
    adam = torch.optim.AdamW(others, lr=ADAM_RATE, betas=(0.9, 0.98), weight_decay=0.0)
    state = given.work / f"state{rank}.pt"
    if state.exists():
        content = torch.load(state, weights_only=True)
        network.load_state_dict(content["network"])
        muon.load_state_dict(content["muon"])
        adam.load_state_dict(content["adam"])
        at = Progress(**content["progress"])
    first_step = torch.tensor(at.step)
    dist.broadcast(first_step, 0)
    if int(first_step) != at.step:
        raise RuntimeError("the state files are of different steps; restart with an empty folder")
    tokenizer = open_tokenizer(MODEL_FOLDER)
    probes = encode(tokenizer, [sample(PROBE_SEED, i, (4, 12)) for i in range(96)])
    probes.sort(key=lambda row: len(row[0]))
    log = (given.work / f"log{rank}.jsonl").open("a", buffering=1)
    total_s, data_seed = given.minutes * 60, given.seed * ranks + rank
    stage: Stage | None = None
    batches: Iterator[tuple[int, Batch]] = iter(())
    recent: list[float] = []
    began, begun_tokens = time.monotonic(), at.tokens

    while at.seconds < total_s:
        share, started = at.seconds / total_s, time.monotonic()
        if stage_at(share) is not stage:
            stage = stage_at(share)
            length = stage.batch_tokens // ranks
            first = at.next_dialogue
            batches = stream(tokenizer, data_seed, first, stage.turns, length, CHUNK, stage.drills)
        at.next_dialogue, batch = next(batches)
        loss = loss_of(network, batch)
        loss.backward()
        with torch.no_grad():
            gradients = [gradient_of(parameter) for parameter in network.parameters()]
            exchange(gradients, lambda flat: dist.all_reduce(flat.div_(ranks)))
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            muon.param_groups[0]["lr"] = MUON_RATE * rate_at(at.step, share)
            adam.param_groups[0]["lr"] = ADAM_RATE * rate_at(at.step, share)
            muon.step()
            adam.step()
            network.zero_grad(set_to_none=True)
            # Each rank orthogonalises only its own matrices, then shows the others the result.
            for owner, owned in enumerate(dealt):
                exchange(owned, partial(dist.broadcast, src=owner))
        at.step += 1
        at.tokens += batch.ids.numel() * ranks
        passed = torch.tensor(at.seconds + time.monotonic() - started, dtype=torch.float64)
        dist.broadcast(passed, 0)
        at.seconds = float(passed)
        recent.append(float(loss.detach()))
        if at.step % 20 == 0:
            spent = time.monotonic() - began
            line = {"step": at.step, "tokens": at.tokens, "loss": sum(recent) / len(recent)}
            line |= {"share": round(share, 4), "rate": (at.tokens - begun_tokens) / spent}
            recent = []
            if at.step % 200 == 0 and rank == 0:
                line |= probe(network, probes)
            log.write(json.dumps(line) + "\n")
        finished = at.seconds >= total_s
        if at.step % given.save_every == 0 or finished:
            dist.barrier()
            content = {"network": network.state_dict(), "progress": asdict(at)}
            save(state, content | {"muon": muon.state_dict(), "adam": adam.state_dict()})
            if rank == 0 and not given.no_export:
                write_weights(MODEL_FOLDER, network.state_dict())
    dist.destroy_process_group()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=85.0, help="length of the whole run")
    parser.add_argument("--work", type=Path, required=True, help="folder of the resumable state")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save-every", type=int, default=150, help="steps")
    parser.add_argument("--processes", type=int, default=2, help="one thread each")
    parser.add_argument("--no-export", action="store_true", help="leave the model folder alone")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    (given.work / "rendezvous").unlink(missing_ok=True)
    spawn(train, args=(given.processes, given), nprocs=given.processes)


if __name__ == "__main__":
    main()
