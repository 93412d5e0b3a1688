"""Renders dummy conversations, within a time limit that no template can exceed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from engine.errors import PromptError
from engine.message import Message
from engine.text.control_tokens import PromptText

# For all renderings of one prompt together: hundreds of a few milliseconds each.
MOST_SECONDS = 30.0
# A template that takes this long to fail once will do so again.
SLOW_SECONDS = 1.0
MOST_SLOW = 2


class Probes:
    """Renders probes for one prompt, within a time budget."""

    def __init__(self, write: Callable[[Sequence[Message], bool], PromptText]) -> None:
        self._write = write
        self._ends = time.perf_counter() + MOST_SECONDS
        self._slow = 0

    def render(self, messages: Sequence[Message], add_generation_prompt: bool) -> str:
        """The sealed text. Raises PromptError if the template refuses or has taken too long.

        Each rendering has its own limit, but a template may use all of it every time, and
        meanwhile the request could not be stopped.
        """
        began = time.perf_counter()
        if began > self._ends or self._slow >= MOST_SLOW:
            raise PromptError("The model's chat template takes too long to probe.")
        try:
            return self._write(messages, add_generation_prompt).sealed
        except PromptError:
            self._slow += time.perf_counter() - began > SLOW_SECONDS
            raise
