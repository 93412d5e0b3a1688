"""Errors from outside our own code, each with one sentence a user can act on."""

from __future__ import annotations

from engine.sentence import Sentence, say

# Some errors quote the whole text that caused them.
LONGEST_SAID = 160


class BiplaneError(Exception):
    """Base of every error that is shown to a user; `str(error)` is one plain sentence."""

    def __init__(self, sentence: str, /, **fields: object) -> None:
        """sentence: or the template of one, with its fields: see engine/sentence.py."""
        super().__init__(Sentence.of(sentence, fields) if fields else sentence)


def unexpected(what: str, error: BaseException) -> str:
    """The sentence for an internal error: what failed; the traceback is in the log."""
    said = str(error)[:LONGEST_SAID].strip()
    kind = type(error).__name__
    return (
        say("{what} failed ({kind}: {said}); see the log.", what=what, kind=kind, said=said)
        if said
        else say("{what} failed ({kind}); see the log.", what=what, kind=kind)
    )


class ModelError(BiplaneError):
    """A model folder cannot be used: names the file, the field or tensor, and what was expected."""


class LoadCancelled(BiplaneError):
    """Loading was cancelled; raised through the progress callback."""


class PromptError(BiplaneError):
    """A prompt cannot be run: too long, empty, refused by its template, or badly sampled."""


class PromptTooLong(PromptError):
    """A prompt does not fit into the context.

    Attributes:
        tokens: of the prompt; None if it is so long that they were not counted.
        least: of the prompt, at least.
        context: how many fit.
    """

    def __init__(self, tokens: int, context: int, *, counted: bool = True) -> None:
        """tokens: of the prompt; if they were not `counted`, a lower bound."""
        super().__init__(
            say(
                "The prompt has {tokens:,} tokens, but the context holds only {context:,}: shorten "
                "the conversation or start a new one.",
                tokens=tokens,
                context=context,
            )
            if counted
            else say(
                "The prompt has at least {tokens:,} tokens, but the context holds only "
                "{context:,}: shorten the conversation or start a new one.",
                tokens=tokens,
                context=context,
            )
        )
        self.tokens = tokens if counted else None
        self.least, self.context = tokens, context


class CacheError(BiplaneError):
    """A setting of the engine cannot be honoured: names it, its value and what it must be."""


class TraceError(BiplaneError):
    """A trace file cannot be read or written: names the file, the line, and what is wrong."""


class RemoteError(BiplaneError):
    """A remote server cannot be used: names it, what is wrong, and what to do."""


class InvariantError(AssertionError):
    """The cache violated one of its own invariants; the message names which."""
