"""Download errors: a kind, which decides which remedy is offered, and one sentence."""

from __future__ import annotations

from typing import Literal

from engine.errors import BiplaneError

# The remedy: a connection, a licence to accept, another token, another name, room on the disk, none
# (refused, unsuitable), fetching again, or waiting.
Kind = Literal[
    "offline", "gated", "token", "missing", "disk", "refused", "unsuitable", "damaged", "busy"
]


class HubError(BiplaneError):
    """A repository cannot be listed or downloaded.

    Attributes:
        kind: determined by the remedy.
    """

    def __init__(self, kind: Kind, sentence: str, /, **fields: object) -> None:
        super().__init__(sentence, **fields)
        self.kind: Kind = kind


class Stopped(Exception):
    """The user paused or cancelled; what has been downloaded so far is on the disk."""
