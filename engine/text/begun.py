"""Takes up an answer where it was cut: the tokens of it that a prompt ends with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.errors import PromptError
from engine.message import Message
from engine.text.control_tokens import is_encodable
from engine.text.detokenizer import Detokenizer
from engine.text.prompt import BegunAnswer
from engine.text.think_splitter import ThinkSplitter

Encode = Callable[[str], tuple[int, ...]]


class BegunAnswers:
    """Turns the last message of a conversation into the tokens it was, or would have been."""

    def __init__(self, detokenizer: Callable[[], Detokenizer], encode: Encode) -> None:
        """`encode` takes sealed text, with the thinking tags as a detokenizer spells them."""
        self._detokenizer = detokenizer
        self._encode = encode
        self._tags = detokenizer().tags

    def take_up(
        self, message: Message, start: int, *, opened: bool, thinks: bool, gap: str
    ) -> tuple[BegunAnswer, bool]:
        """The answer so far, and whether its generated ids had to be replaced by its text.

        Generated ids are taken verbatim if they show what the message says.

        Args:
            start: tokens of the prompt before it.
            opened: the prompt has opened the answer's thinking block.
            thinks: the prompt lets the model think.
            gap: sealed: what the template writes between thinking and text; "" if unknown.

        Raises:
            PromptError: there is nothing to continue, or it contains half a surrogate pair.
        """
        if message.token_ids:
            thinking, text = self._shown(message.token_ids, opened)
            if _says(message, thinking, text):
                return BegunAnswer(start, message.token_ids, text, thinking), False
        if message.tool_calls:
            raise PromptError("An answer that calls a tool cannot be continued.")
        ids = self._encode(self._written(message, opened, thinks, gap))
        begun = BegunAnswer(start, ids, message.content, message.thinking)
        return begun, bool(message.token_ids)

    def _shown(self, ids: Sequence[int], opened: bool) -> tuple[str, str]:
        """Thinking and text of a cut answer."""
        detokenizer = self._detokenizer()
        splitter = ThinkSplitter(opened, self._tags)
        splitter.feed("".join(map(detokenizer.feed, ids)))
        splitter.finish()
        return splitter.thinking, splitter.answer

    def _written(self, message: Message, opened: bool, thinks: bool, gap: str) -> str:
        """The answer as the model would have written it after the prompt, sealed."""
        thinking, content = message.thinking, message.content
        if not (thinking or content):
            raise PromptError(
                "The last answer is empty, so there is nothing to continue: ask again instead."
            )
        if not (is_encodable(thinking) and is_encodable(content)):
            raise PromptError(
                "The conversation contains half of a surrogate pair; delete it and try again."
            )
        if not opened and not (thinks and thinking):
            if not content:
                raise PromptError(
                    "The last answer has only its thinking, which is turned off: turn thinking on "
                    "to continue, or ask again."
                )
            return content
        head = thinking if opened else f"{self._tags.opening}\n{thinking}"
        # A thought without an answer goes on.
        return head + (gap or f"\n{self._tags.closing}\n\n") + content if content else head


def _says(message: Message, thinking: str, text: str) -> bool:
    """Whether generated ids show a message's thinking and text; thinking may be left out."""
    content, said = message.content.strip(), text.strip()
    if message.tool_calls:
        said = said[: len(content)]
    # Earlier versions showed a character that was only begun.
    if said not in (content, content.removesuffix("\ufffd").strip()):
        return False
    return not message.thinking or thinking.strip() == message.thinking.strip()
