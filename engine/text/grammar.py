"""Grammars that an answer has to follow: compiled once, then asked which tokens may come next.

The grammars are Lark's with JSON schemas inside, as llguidance reads them
(https://github.com/guidance-ai/llguidance/blob/main/docs/syntax.md). It works on the bytes of the
tokens, so a model folder's tokenizer and a GGUF file's are the same to it.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import PromptError
from engine.text.json_rule import is_schema, read_schema

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

    from engine.text.text_model import TextModel

MOST_KEPT = 64
# Before it, llguidance expects the name of a special token, which no text can spell.
_SPECIAL = b"\xff"
# After the thinking, templates leave lines empty.
_AFTER_THINKING = "start: gap? @body\ngap: /\\n{1,2}/"


class Grammars:
    """Compiles grammars for the tokens of one model and keeps the latest. Thread-safe."""

    def __init__(self, text: TextModel, vocab_size: int) -> None:
        """vocab_size: of the logits, which may be padded."""
        self._text = text
        self._vocab_size = vocab_size
        self._ends = tuple(sorted(text.end_ids))
        self._tokens: LLTokenizer | None = None
        self._kept: OrderedDict[tuple[str, bool], LLMatcher] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, grammar: str) -> str:
        """Compile a grammar. Returns what is wrong with it; "" if nothing is."""
        matcher = self._compiled(grammar, False)
        return _said(matcher) if matcher.is_error() else ""

    def literal(self, text: str) -> str:
        """How a grammar spells a text: its added tokens by their ids, which only they can match."""
        parts: list[str] = []
        control = self._text.control_ids
        for is_control, group in itertools.groupby(self._text.encode(text), control.__contains__):
            ids = list(group)
            plain = json.dumps(self._text.decode(ids), ensure_ascii=False)
            parts += [f"<[{one}]>" for one in ids] if is_control else [plain]
        return " ".join(parts)

    def constraint(self, grammar: str, *, thinking: bool) -> Constraint:
        """What follows a grammar in one answer; `thinking`: once the thinking is over.

        Raises PromptError if the grammar cannot be compiled, or the end of the thinking not seen.
        """
        after = self._text.think_close_id if thinking else None
        if thinking and after is None:
            raise PromptError(
                "This model writes the end of its thinking in several tokens, so no format can "
                "follow it: turn thinking off."
            )
        matcher = self._compiled(grammar, thinking)
        if matcher.is_error():
            raise PromptError("The format cannot be compiled: {said}.", said=_said(matcher))
        return Constraint(matcher.deep_copy(), self._vocab_size, self._ends, after)

    def prepare(self) -> None:
        """Arrange the model's tokens, which takes a second for large vocabularies. Idempotent."""
        with self._lock:
            self._arranged()

    def _compiled(self, grammar: str, thinking: bool) -> LLMatcher:
        from llguidance import LLMatcher

        key = grammar, thinking
        with self._lock:
            known = self._kept.pop(key, None)
            if known is None:
                parts = [{"lark_grammar": _lark(grammar)}]
                if thinking:
                    body = parts[0] | {"name": "body"}
                    parts = [{"lark_grammar": _AFTER_THINKING}, body]
                known = LLMatcher(self._arranged(), json.dumps({"grammars": parts}), log_level=0)
            self._kept[key] = known
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return known

    def _arranged(self) -> LLTokenizer:
        from llguidance import LLTokenizer, TokenizerWrapper

        if self._tokens is None:
            vocabulary = _Vocabulary(self._text, self._vocab_size, self._ends[0])
            self._tokens = LLTokenizer(TokenizerWrapper(vocabulary), slices=[])
        return self._tokens


def _lark(grammar: str) -> str:
    """A grammar, which may be given by a JSON schema."""
    try:
        return read_schema(grammar) if is_schema(grammar) else grammar
    except ValueError as error:
        raise PromptError("The JSON schema {error}.", error=error) from None


class Constraint:
    """Follows one answer from token to token."""

    def __init__(
        self, matcher: LLMatcher, vocab_size: int, ends: Sequence[int], after: int | None
    ) -> None:
        """
        Args:
            ends: tokens that end an answer.
            after: the token after which the grammar holds; None: from the start.
        """
        self._matcher = matcher
        self._ends = list(ends)
        self._after = after
        self._vocab_size = vocab_size
        self._forced: deque[int] = deque()
        self._bits = np.zeros(-(-vocab_size // 32), np.uint32)

    def forced(self) -> int | None:
        """The next token, if only one may come; faster than `allowed`."""
        if self._after is not None or self._matcher.is_stopped():
            return None
        if not self._forced:
            self._forced.extend(self._matcher.compute_ff_tokens())
        return self._forced[0] if self._forced else None

    def allowed(self) -> NDArray[np.bool_] | None:
        """Whether each token may come next, [vocab]; None while all may."""
        if self._after is not None:
            return None
        if self._matcher.is_stopped():
            self._check()
            self._bits.fill(0)
        else:
            self._matcher.unsafe_compute_mask_ptr(self._bits.ctypes.data, self._bits.nbytes)
            self._check()
        flags = np.unpackbits(self._bits.view(np.uint8), count=self._vocab_size, bitorder="little")
        allowed = flags.view(np.bool_)
        if self._matcher.is_stopped() or allowed[self._ends].any():
            allowed[self._ends] = True
        return allowed

    def take(self, token: int) -> None:
        """A token was drawn."""
        if self._after is not None:
            if token == self._after:
                self._after = None
        elif token not in self._ends and not self._matcher.is_stopped():
            self._matcher.consume_token(token)
            if self._forced and self._forced.popleft() != token:
                self._forced.clear()

    def resume(self, ids: Sequence[int]) -> None:
        """Go on after the tokens of a cut answer. Raises PromptError if it does not follow."""
        for token in ids:
            self.take(token)
            if self._matcher.is_error():
                raise PromptError(
                    "The answer so far is not what its JSON schema allows, so it cannot be "
                    "continued: ask again, or remove the schema."
                )

    def _check(self) -> None:
        if self._matcher.is_error():
            said = _said(self._matcher)
            raise PromptError("The format of the answer became too complex: {said}.", said=said)


class _Vocabulary:
    """A model's tokens in the form that llguidance takes."""

    bos_token_id: int | None = None

    def __init__(self, text: TextModel, size: int, end: int) -> None:
        self.eos_token_id = end
        special = text.control_ids
        self.special_token_ids = sorted(special)
        self.tokens = [
            _SPECIAL + text.piece(token) if token in special else text.piece(token)
            for token in range(size)
        ]

        self._text = text

    def __call__(self, text: str | bytes) -> list[int]:
        return self._text.encode(text if isinstance(text, str) else text.decode("utf-8", "replace"))


def _said(matcher: Any) -> str:
    """llguidance's sentence, without the excerpt of the grammar that follows it."""
    lines = matcher.get_error().splitlines()
    said = " ".join(line.strip() for line in lines[:4] if " | " not in line and line.strip(" ^"))
    return said.partition("failed to compile JSON schema: ")[2].strip() or said.strip()
