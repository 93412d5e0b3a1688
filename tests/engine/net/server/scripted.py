"""Answers of the bundled model that were decided beforehand: it was not taught to call tools.

Everything but the choice of the tokens is real: the model runs on them, and the cache keeps them.
"""

from __future__ import annotations

import re
from collections import deque

import pytest
import torch

from engine import Engine
from engine.run.sampler import Sampler

# Tags whole, everything else letter by letter.
_PARTS = re.compile(r"</?(?:think|tool_call)>|.", re.DOTALL)


class Script:
    """Texts that the model says next, one for each request; its own words once there is none."""

    def __init__(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        self._engine = engine
        self._answers: deque[list[int]] = deque()
        # Held, so that a later request's sampler is never taken for it by its address.
        self._sampler: Sampler | None = None
        self._rest: list[int] = []
        draw = Sampler.next

        def next_id(sampler: Sampler, logits: torch.Tensor) -> int:
            drawn = draw(sampler, logits)
            if sampler is not self._sampler:
                if not self._answers:
                    return drawn
                self._sampler, self._rest = sampler, self._answers.popleft()
            return self._rest.pop(0)

        monkeypatch.setattr(Sampler, "next", next_id)

    def add(self, answer: str, *, one_by_one: bool = False) -> None:
        """`one_by_one`: in tokens that a tokenizer would not choose."""

        def ids(core: object) -> list[int]:
            text = core.text  # type: ignore[attr-defined]
            return (
                [i for part in _PARTS.findall(answer) for i in text.encode(part)]
                if one_by_one
                else list(text.encode(answer))
            )

        end = self._engine.on_core(lambda core: min(core.text.end_ids))
        self._answers.append([*self._engine.on_core(ids), end])


@pytest.fixture
def script(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Script:
    return Script(engine, monkeypatch)
