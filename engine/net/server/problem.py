"""The server's errors: one sentence and one JSON body per kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import BiplaneError

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
}


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
    """

    kind: Kind
    sentence: str
    param: str = ""
    code: str = ""

    @property
    def status(self) -> int:
        return STATUS[self.kind]

    def body(self, path: str) -> dict[str, Any]:
        """The JSON that clients of the interface at `path` expect."""
        if path.startswith("/v1/messages"):
            return {"type": "error", "error": {"type": self.kind, "message": self.sentence}}
        return {
            "error": {
                "message": self.sentence,
                "type": self.kind,
                "param": self.param or None,
                "code": self.code or None,
            }
        }


def wrong(param: str, sentence: str) -> Refused:
    """The error for an invalid field of the body."""
    return Refused("invalid_request_error", sentence, param)
