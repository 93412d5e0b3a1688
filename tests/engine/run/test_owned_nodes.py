"""A snapshot says of every node whose sequences run through it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import assets
from engine import Engine, EngineConfig, Message, Sampling
from engine.cache.journal.changes import Owned
from engine.commands import Submit
from engine.snapshot import CacheSnapshot
from tests.engine.run.conftest import Opener, ids

DEMO = Path(assets.__file__).parent / "demo_model"


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
        record = Owned(9, 0, np.array(ids(1, 200), "<i4").tobytes())
        engine.on_core(lambda core: core.store.log_change(record))
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
