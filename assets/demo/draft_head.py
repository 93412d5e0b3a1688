"""Trains the demo model's draft head: `python -m assets.demo.draft_head --minutes 15`.

The model itself does not change. The head learns what the model would say, not what the corpus
says: only that is ever accepted. It is also shown its own rows in place of the model's, as it meets
them when it drafts several tokens.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from random import Random

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assets.demo.batches import Batch, encode, make_batch, stream
from assets.demo.bundle import MODEL_FOLDER, load_network, read_weights, write_weights
from assets.demo.corpus import sample
from assets.demo.network import CenteredNorm, Layer, Linear, Network
from assets.demo.shape import Shape
from assets.demo.tokenizer import open_tokenizer

CHUNK, TOKENS, TURNS = 64, 4096, (1, 11)
# A draft of so many tokens; later ones count less, as they are kept only after all before.
DEPTHS = (1.0, 0.6, 0.4)
PROBE_SEED = 4_244
# Until this share of the time the network reads new conversations; then those come again.
FRESH = 0.5
RATE, WARM_UP_STEPS = 3e-3, 40


class DraftHead(nn.Module):
    """The head; parameter names are those of the published checkpoints below "mtp."."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.fc = Linear(2 * shape.hidden, shape.hidden)
        self.pre_fc_norm_embedding = CenteredNorm(shape.hidden, shape.eps)
        self.pre_fc_norm_hidden = CenteredNorm(shape.hidden, shape.eps)
        self.layers = nn.ModuleList([Layer(shape, "full_attention")])
        self.norm = CenteredNorm(shape.hidden, shape.eps)

    def forward(self, embedded: Tensor, rows: Tensor) -> Tensor:
        """Of tokens [batch, n, hidden] and the final rows before them, rows in place of theirs."""
        pairs = self.shape.rotary_dim // 2
        frequency = self.shape.rope_theta ** -(torch.arange(pairs).float() / pairs)
        angles = torch.arange(rows.shape[1]).float()[:, None] * frequency
        both = (self.pre_fc_norm_embedding(embedded), self.pre_fc_norm_hidden(rows))
        x = self.layers[0](self.fc(torch.cat(both, -1)), angles.cos(), angles.sin(), CHUNK)
        return self.norm(x)


def initialise(head: DraftHead, seed: int) -> None:
    """Matrices small and drawn; the input is the token at first, and the row before it."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in head.named_parameters():
            if parameter.dim() == 2:
                scale = parameter.shape[1] ** -0.5
                scale *= 0.5 if name.endswith(("o_proj.weight", "down_proj.weight")) else 1
                parameter.normal_(0, scale, generator=draw)


def depths(
    head: DraftHead, network: Network, batch: Batch, hidden: Tensor
) -> list[tuple[Tensor, Tensor]]:
    """For each depth the head's logits and the model's, [learned, vocab], where it says something.

    At depth d the row before a token is the head's own after d - 1 drafted tokens. hidden: the
    network's rows, which take longest.
    """
    with torch.no_grad():
        embedded = network.model.embed_tokens(batch.ids)
    width = batch.ids.shape[1]
    rows, found = hidden, []
    for depth in range(1, len(DEPTHS) + 1):
        rows = head(embedded[:, depth:], rows[:, : width - depth])
        places = batch.places[batch.places % width >= depth]
        spots = places // width * (width - depth) + places % width - depth
        with torch.no_grad():
            model = network.logits(hidden.flatten(0, 1)[places])
        found.append((network.logits(rows.flatten(0, 1)[spots]), model))
    return found


def loss_of(found: list[tuple[Tensor, Tensor]]) -> Tensor:
    """Cross-entropy to the model's own distributions, weighted by depth."""
    parts = [
        weight * F.cross_entropy(own, model.softmax(-1))
        for weight, (own, model) in zip(DEPTHS, found, strict=True)
    ]
    return torch.stack(parts).sum()


@torch.no_grad()
def kept(head: DraftHead, network: Network, batches: list[Batch]) -> list[float]:
    """For each depth how often the head's likeliest token is the model's."""
    hits, of = [0] * len(DEPTHS), [0] * len(DEPTHS)
    for batch in batches:
        hidden = network.hidden(batch.ids, torch.float32, CHUNK)
        for at, (own, model) in enumerate(depths(head, network, batch, hidden)):
            hits[at] += int((own.argmax(-1) == model.argmax(-1)).sum())
            of[at] += len(own)
    return [round(hit / all_, 4) for hit, all_ in zip(hits, of, strict=True)]


def train(given: argparse.Namespace) -> None:
    """Train, and put the head beside the weights that there are."""
    torch.set_flush_denormal(True)
    torch.set_num_threads(given.threads)
    shape = Shape()
    network, tokenizer = load_network(given.folder), open_tokenizer(given.folder)
    network.requires_grad_(False)
    head = DraftHead(shape)
    initialise(head, given.seed)
    adam = torch.optim.AdamW(head.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    rows = encode(tokenizer, [sample(PROBE_SEED, index, TURNS) for index in range(64)])
    rows.sort(key=lambda row: len(row[0]))
    probes = [make_batch(rows[first : first + 16], CHUNK, 0) for first in range(0, 64, 16)]
    batches = stream(tokenizer, given.seed, 0, TURNS, TOKENS, CHUNK, pool=192)
    began, step, recent, share = time.monotonic(), 0, 0.0, 0.0
    pool: list[tuple[Batch, Tensor]] = []
    draw = Random(given.seed)
    while share < 1:
        if share < FRESH:
            batch = next(batches)[1]
            with torch.no_grad():
                pool.append((batch, network.hidden(batch.ids, torch.float32, CHUNK)))
        loss = loss_of(depths(head, network, *(pool[-1] if share < FRESH else draw.choice(pool))))
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        adam.param_groups[0]["lr"] = RATE * min(1.0, (step + 1) / WARM_UP_STEPS, 1.3 * (1 - share))
        adam.step()
        adam.zero_grad(set_to_none=True)
        step += 1
        recent += float(loss.detach())
        share = (time.monotonic() - began) / (given.minutes * 60)
        if step % 20 == 0 or share >= 1:
            line = {"step": step, "share": round(share, 3), "loss": recent / (step % 20 or 20)}
            recent = 0.0
            if step % 100 == 0 or share >= 1:
                line["kept"] = kept(head, network, probes)
            print(json.dumps(line), flush=True)
    own = {f"mtp.{name}": tensor for name, tensor in head.state_dict().items()}
    write_weights(given.folder, {**read_weights(given.folder), **own})


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--folder", type=Path, default=MODEL_FOLDER, help="the model's")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
