"""A snapshot says of every node whose sequences run through it."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np

import assets
from engine import Engine, EngineConfig, Message, Sampling
from engine.cache.node import Tokens
from engine.cache.owners import Owners
from engine.cache.tree import as_tokens, common_prefix
from engine.commands import Submit
from engine.snapshot import CacheSnapshot, NodeView
from tests.app.samples import node
from tests.engine.run.conftest import Opener, ids

DEMO = Path(assets.__file__).parent / "demo_model"


def tree(sequences: list[Tokens]) -> list[tuple[NodeView, Tokens]]:
    """The radix tree of some sequences, built by comparing every pair."""
    cuts = {0: {0}}
    for number, one in enumerate(sequences):
        cuts[number] = {common_prefix(one, other) for other in sequences} | {0, len(one)}
    made: dict[bytes, tuple[NodeView, Tokens]] = {b"": (node(0, None, 0, 0), as_tokens([]))}
    for number, one in enumerate(sequences):
        above = 0
        edges = sorted(cuts[number])
        for start, end in pairwise(edges):
            name = one[:end].tobytes()
            if name not in made:
                made[name] = node(len(made), above, start, end), one[start:end]
            above = made[name][0].id
    return list(made.values())


class TestOwnersOfNodes:
    def test_they_are_those_of_each_node_asked_alone(self) -> None:
        """Against the answer for one node, over random sequences that share beginnings."""
        chance = random.Random(3)
        for _ in range(40):
            owners = Owners()
            sequences: list[Tokens] = []
            for number in range(chance.randint(1, 12)):
                start = sequences[chance.randrange(len(sequences))] if sequences else as_tokens([])
                kept = start[: chance.randint(0, len(start))]
                rest = as_tokens([chance.randint(1, 3) for _ in range(chance.randint(1, 9))])
                sequences.append(np.concatenate([kept, rest]))
                owners.add(1 + number % 4, sequences[-1])
            # Some were evicted, and diverge from what is left in the middle of a node.
            nodes = tree(chance.sample(sequences, k=max(1, len(sequences) - 3)))
            found = owners.of_nodes(nodes).owners
            paths = {0: as_tokens([])}
            for one, tokens in nodes:
                if one.parent is None:
                    continue
                paths[one.id] = np.concatenate([paths[one.parent], tokens])
                alone = tuple(o.owner for o in owners.of(paths[one.id], one.start))
                assert found.get(one.id, ()) == alone

    def test_a_change_has_another_version(self) -> None:
        owners = Owners()
        seen = {owners.version}
        owners.add(1, ids(1, 5))
        seen.add(owners.version)
        owners.drop(1)
        seen.add(owners.version)
        assert len(seen) == 3


def shown(engine: Engine, owner: int) -> set[int]:
    """The nodes of an owner in a snapshot."""
    return {one.id for one in engine.snapshot().nodes if owner in one.owners}


class TestSnapshots:
    def test_every_node_names_its_conversations(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        greedy = Sampling(temperature=0, max_tokens=4)

        def submit(request: int, owner: int, prompt: tuple[int, ...]) -> None:
            ask = Submit(request, prompt, greedy, owner=owner)
            engine.on_core(lambda core: core.run(ask, lambda _: None, lambda: False))

        common = ids(1, 100)
        submit(1, 7, common + ids(2, 60))
        assert {one.owners for one in engine.snapshot().nodes if one.parent is not None} == {(7,)}
        submit(2, 8, common + ids(3, 60))
        held = {one.owners for one in engine.snapshot().nodes if one.parent is not None}
        assert held == {(8, 7), (7,), (8,)}
        at_fork = [one for one in engine.snapshot().nodes if one.owners == (8, 7)]
        assert max(one.end for one in at_fork) == 100

    def test_what_is_claimed_later_is_named_without_a_change_of_the_cache(
        self, open_engine: Opener
    ) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, 200))
        before = engine.snapshot()
        assert not any(one.owners for one in before.nodes)
        engine.on_core(lambda core: core.background.owners.add(9, ids(1, 200)))
        after = engine.snapshot()
        assert after.version == before.version
        assert shown(engine, 9) == {one.id for one in after.nodes if one.parent is not None}


class TestRunningRequest:
    def test_it_says_who_speaks_in_its_prompt_and_whose_it_is(self) -> None:
        messages = (Message("user", "Why is the sky blue?"),)
        ask = Submit(1, messages, Sampling(temperature=0, max_tokens=4), owner=5)
        seen: list[CacheSnapshot] = []
        with Engine.open(DEMO, EngineConfig(cache_bytes=8 << 20)) as demo:
            demo.on_core(
                lambda core: core.run(ask, lambda _: seen.append(core.snapshot()), lambda: False)
            )
        running = [one.live for one in seen if one.live is not None]
        assert running
        roles = [part.role for part in running[0].speech]
        assert roles[0] == "user"
        assert roles[-1] in ("assistant", "thinking")
        assert running[0].speech[0].start == 0
        assert running[0].owner == 5
