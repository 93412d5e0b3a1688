"""The sequence that the lab looks at: a conversation as the model has read it, or a text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from engine.commands import PLAIN, Prompt
from engine.message import PromptOptions
from engine.run.core import Core
from engine.text.text_model import TextModel

Ids = npt.NDArray[np.int64]


def sequence_ids(core: Core, prompt: Prompt, options: PromptOptions, typed: str) -> Ids:
    """The token ids of a prompt, or of a text in its place. Raises PromptError if it cannot run."""
    if typed:
        # Half a surrogate pair is no text.
        text = typed.encode("utf-8", "replace").decode()
        prompt, options = tuple(core.text.encode(text)), PLAIN
    return np.asarray(core.prompt_ids(prompt, options), np.int64)


def token_texts(text: TextModel, ids: Iterable[int]) -> tuple[str, ...]:
    """The text of each token alone; bytes that are no character become U+FFFD."""
    return tuple(text.decode([token]) for token in ids)
