"""Ways in which a stored state or its KV can be wrong, each planted under a right checkpoint."""

from __future__ import annotations

from collections.abc import Callable

import torch

from engine.cache.extents import part, to_slots
from engine.cache.holding import Holding
from engine.planes import LIVE_SLOT
from engine.run.core import Core
from engine.run.verify import _one_more

Plant = Callable[[Core, Holding, Holding], None]


def slot_of(held: Holding) -> int:
    assert held.checkpoint is not None
    return held.checkpoint.slot


def zeros(core: Core, held: Holding, other: Holding) -> None:
    core.store.states.zero(slot_of(held))


def anothers(core: Core, held: Holding, other: Holding) -> None:
    core.store.states.copy(slot_of(other), slot_of(held))


def a_token_early(core: Core, held: Holding, other: Holding) -> None:
    """An off-by-one error of an engine."""
    sequence = core.store.private_sequence(len(held.tokens) + 1)
    sequence.start(_one_more(held), None, headroom=0)
    sequence.forward(len(held.tokens) - 1, ())
    copied(core, held, sequence.states.parts(LIVE_SLOT))


def last_layer_of_another(core: Core, held: Holding, other: Holding) -> None:
    states = core.store.states
    for pool in (states.delta, states.conv):
        pool[slot_of(held)][-1] = pool[slot_of(other)][-1]


def delta_of_another_in_one_layer(core: Core, held: Holding, other: Holding) -> None:
    delta = core.store.states.delta
    middle = len(delta[0]) // 2
    delta[slot_of(held)][middle] = delta[slot_of(other)][middle]


def kv_one_token_off(core: Core, held: Holding, other: Holding) -> None:
    """The second half of the keys and values is one slot off."""
    end = len(held.tokens)
    slots = torch.from_numpy(to_slots(part(held.extents, end // 2, end)))
    for layer in core.store.kv.parts:
        layer[:, slots[1:]] = layer[:, slots[:-1]].clone()


def kv_after_a_wrong_state(core: Core, held: Holding, other: Holding) -> None:
    """The state is right again, but a run from zeros wrote the KV of the second half."""
    end = len(held.tokens)
    sequence = core.store.private_sequence(end + 1)
    sequence.start(_one_more(held), None, headroom=0)
    sequence.forward(end // 2, ())
    sequence.states.zero(LIVE_SLOT)
    sequence.forward(end, ())
    slots = torch.from_numpy(to_slots(held.extents))
    for layer, wrong in zip(core.store.kv.parts, sequence.kv.parts, strict=True):
        layer[:, slots] = wrong[:, :end]


def copied(core: Core, held: Holding, parts: tuple[torch.Tensor, ...]) -> None:
    for target, source in zip(core.store.states.parts(slot_of(held)), parts, strict=True):
        target.copy_(source)


PLANTS: tuple[Plant, ...] = (
    zeros,
    anothers,
    a_token_early,
    last_layer_of_another,
    delta_of_another_in_one_layer,
    kv_one_token_off,
    kv_after_a_wrong_state,
)
