"""The answer of one request: a new one, or one that is continued where it was cut."""

from __future__ import annotations

import torch

from engine.config import Sampling
from engine.events import StopReason
from engine.run.sampler import Sampler
from engine.run.stream import AnswerStream
from engine.text.prompt import RenderedPrompt
from engine.text.text_model import TextModel


class Answer:
    """What draws its tokens, and what makes text of them.

    Attributes:
        sampler: treats the tokens of an answer that is continued as generated.
        stream: shows only new text; its texts are those of the whole answer.
    """

    def __init__(
        self, text: TextModel, prompt: RenderedPrompt, sampling: Sampling, device: torch.device
    ) -> None:
        head, begun = prompt.head, prompt.begun
        self._earlier = () if begun is None else begun.ids
        self._text = text
        self.sampler = Sampler(sampling, head, device, self._earlier)
        self.stream = AnswerStream(text.detokenizer(), text.starts_thinking(head), sampling.stop)
        if begun is not None:
            self.stream.resume(begun)

    def ids(self, new: tuple[int, ...], stop: StopReason) -> tuple[int, ...]:
        """The ids of the whole answer as it is shown, for Message.token_ids."""
        ids = self._earlier + new
        return self._text.ids_showing(ids, self.stream.text) if stop == "stop string" else ids
