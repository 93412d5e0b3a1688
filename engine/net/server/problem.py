"""The server's errors: one sentence and one JSON body per kind."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Any, Literal

from engine.config import Sampling
from engine.errors import BiplaneError, PromptTooLong

Kind = Literal[
    "invalid_request_error",
    "authentication_error",
    "permission_error",
    "not_found_error",
    "method_not_allowed",
    "timeout_error",
    "request_too_large",
    "rate_limit_error",
    "api_error",
    "overloaded_error",
    "not_supported",
]
STATUS: dict[Kind, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "method_not_allowed": 405,
    "timeout_error": 408,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 503,
    "not_supported": 501,
}
# When to ask again, where waiting helps.
_RETRY_S: dict[Kind, int] = {"rate_limit_error": 1, "overloaded_error": 2}
OVERFLOW = "context_length_exceeded"
_ANTHROPIC = "/v1/messages"


class ServeError(BiplaneError):
    """The server cannot be started; the sentence says what to do."""


@dataclass
class Refused(Exception):
    """A request to be answered with an error.

    Attributes:
        kind: of the error; it determines the HTTP status.
        sentence: what is wrong and how to fix it.
        param: the invalid field of the body, "" if none.
        code: a short name for programs to check, "" if there is none.
        overflow: tokens of a prompt that does not fit (at least), and how many fit.
        allowed: the methods that are possible there instead.
    """

    kind: Kind
    sentence: str
    param: str = ""
    code: str = ""
    overflow: tuple[int, int] | None = None
    allowed: str = ""

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """What the answer says besides."""
        told = {"retry-after": _RETRY_S.get(self.kind, ""), "allow": self.allowed}
        return [(name.encode(), str(value).encode()) for name, value in told.items() if value]

    def said(self, path: str) -> str:
        """The sentence, of an overflow in the words by which clients of `path` recognise it."""
        if self.overflow is None:
            return self.sentence
        tokens, context = self.overflow
        if path.startswith(_ANTHROPIC):
            return f"prompt is too long: {tokens} tokens > {context} maximum. {self.sentence}"
        return f"This model's maximum context length is {context} tokens. {self.sentence}"

    @property
    def status(self) -> int:
        return STATUS[self.kind]

    def body(self, path: str) -> dict[str, Any]:
        """The JSON that clients of the interface at `path` expect."""
        if path.startswith(_ANTHROPIC):
            return {"type": "error", "error": {"type": self.kind, "message": self.said(path)}}
        if path.startswith("/api/"):
            return {"error": self.said(path)}
        return {
            "error": {
                "message": self.said(path),
                "type": self.kind,
                "param": self.param or None,
                "code": self.code or None,
            }
        }


def wrong(param: str, sentence: str) -> Refused:
    """The error for an invalid field of the body."""
    return Refused("invalid_request_error", sentence, param)


def overflowing(tokens: int, context: int, sentence: str) -> Refused:
    """The error for a prompt of so many tokens, at least."""
    return Refused("invalid_request_error", sentence, code=OVERFLOW, overflow=(tokens, context))


def refusal(error: BiplaneError) -> Refused:
    """The error for a request that the engine cannot run."""
    if isinstance(error, PromptTooLong):
        return overflowing(error.least, error.context, str(error))
    return refusal_saying(str(error))


def refusal_saying(sentence: str) -> Refused:
    """The same, of the engine's sentence: one about a field of Sampling begins with its name."""
    first = sentence.split(" ", 1)[0]
    named = first in {field.name for field in fields_of(Sampling)}
    return wrong(first if named else "", sentence)
