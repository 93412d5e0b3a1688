"""Trains the demo model: `python -m assets.demo.train --minutes 85 --work /tmp/demo_train`.

Resumable: the work folder holds the whole state and is replaced atomically every few minutes, when
the model folder's weights are replaced too. Runs on two CPU cores.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assets.demo.batches import Batch, encode, make_batch, stream
from assets.demo.bundle import MODEL_FOLDER, write_weights
from assets.demo.corpus import VALUE_WEIGHT, sample
from assets.demo.network import Network, initialise
from assets.demo.shape import MARKER_TOKENS, Shape
from assets.demo.tokenizer import open_tokenizer

CHUNK = 64
PROBE_SEED = 4_242


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
    batch_tokens: int


STAGES = (
    Stage(0.0, (1, 3), 4096),
    Stage(0.12, (1, 6), 4096),
    Stage(0.30, (1, 9), 4096),
    Stage(0.50, (1, 13), 4096),
)


def stage_at(share: float) -> Stage:
    """The stage of a run that has used `share` of its time."""
    return [stage for stage in STAGES if stage.start <= share][-1]


def rate_at(step: int, share: float) -> float:
    """Multiplier of the learning rates: warm-up, a plateau, then a straight line to zero."""
    return min(1.0, (step + 1) / 60, max(0.0, (1.0 - share) / 0.75))


def optimisers(network: Network) -> list[torch.optim.Optimizer]:
    """Muon for the large matrices, AdamW for everything else."""
    matrices, others = [], []
    for name, parameter in network.named_parameters():
        large = parameter.dim() == 2 and min(parameter.shape) >= 64 and "embed" not in name
        (matrices if large else others).append(parameter)
    return [
        torch.optim.Muon(matrices, lr=0.02, weight_decay=0.01, momentum=0.95),
        torch.optim.AdamW(others, lr=4e-3, betas=(0.9, 0.98), weight_decay=0.0),
    ]


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


def save(work: Path, network: Network, optims: list[torch.optim.Optimizer], at: Progress) -> None:
    """Replace the run's state atomically."""
    content = {
        "network": network.state_dict(),
        "optimisers": [optimiser.state_dict() for optimiser in optims],
        "progress": asdict(at),
    }
    torch.save(content, work / "state.pt.part")
    os.replace(work / "state.pt.part", work / "state.pt")


def train(work: Path, total_s: float, seed: int, save_every_s: float, export: bool) -> None:
    """Run for `total_s` seconds over all resumptions, writing a JSON line of figures every 20 steps."""
    work.mkdir(parents=True, exist_ok=True)
    network, at = Network(Shape()), Progress()
    initialise(network, seed)
    optims = optimisers(network)
    if (work / "state.pt").exists():
        content = torch.load(work / "state.pt", weights_only=True)
        network.load_state_dict(content["network"])
        for optimiser, state in zip(optims, content["optimisers"]):
            optimiser.load_state_dict(state)
        at = Progress(**content["progress"])
    peaks = [[group["lr"] for group in optimiser.param_groups] for optimiser in optims]
    if at.step:
        peaks = [[0.02], [4e-3]]
    tokenizer = open_tokenizer(MODEL_FOLDER)
    probes = encode(tokenizer, [sample(PROBE_SEED, i, (4, 12)) for i in range(96)])
    probes.sort(key=lambda row: len(row[0]))
    log = (work / "log.jsonl").open("a", buffering=1)
    stage, batches = None, iter(())
    saved, recent, began, begun_tokens = time.monotonic(), [], time.monotonic(), at.tokens

    while at.seconds < total_s:
        share, started = at.seconds / total_s, time.monotonic()
        if stage_at(share) is not stage:
            stage = stage_at(share)
            batches = stream(
                tokenizer, seed, at.next_dialogue, stage.turns, stage.batch_tokens, CHUNK
            )
        at.next_dialogue, batch = next(batches)
        loss = loss_of(network, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        for optimiser, highest in zip(optims, peaks):
            for group, peak in zip(optimiser.param_groups, highest):
                group["lr"] = peak * rate_at(at.step, share)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        at.step += 1
        at.tokens += batch.ids.numel()
        at.seconds += time.monotonic() - started
        recent.append(float(loss.detach()))
        if at.step % 20 == 0:
            spent = time.monotonic() - began
            line = {"step": at.step, "tokens": at.tokens, "loss": sum(recent) / len(recent)}
            line |= {"share": round(share, 4), "rate": (at.tokens - begun_tokens) / spent}
            recent = []
            if at.step % 200 == 0:
                line |= probe(network, probes)
            log.write(json.dumps(line) + "\n")
        finished = at.seconds >= total_s
        if finished or time.monotonic() - saved > save_every_s:
            save(work, network, optims, at)
            if export:
                write_weights(MODEL_FOLDER, network.state_dict())
            saved = time.monotonic()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=85.0, help="length of the whole run")
    parser.add_argument("--work", type=Path, required=True, help="folder of the resumable state")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save-every", type=float, default=180.0, help="seconds")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-export", action="store_true", help="leave the model folder alone")
    given = parser.parse_args()
    # Before any thread starts: decays leave denormal numbers, which are a hundred times slower.
    torch.set_flush_denormal(True)
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    train(given.work, given.minutes * 60, given.seed, given.save_every, not given.no_export)


if __name__ == "__main__":
    main()
