"""What must be in the database after a kill, from what the program told while it lived."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.core.store.records import StoredMessage

# So long after it was shown, a complete message is in the database. On a quiet machine it takes a
# few milliseconds, which half of all have to keep; the rest is for a machine with too much to do,
# and one message in fifty may come upon a moment when nothing of ours runs at all.
COMMIT_S, STALL_S = 1.0, 3.0
# Drafts and answers that are being written are saved twice a second.
SAVED_S = 0.5 + COMMIT_S


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as the window showed it.

    Attributes:
        at: when, on the clock of all processes.
        text: all of it if it is complete, else what there was.
        kept: another reader of the database has seen it complete.
    """

    at: float
    conversation: int
    parent: int | None
    role: str
    text: str
    kept: bool = False


@dataclass(slots=True)
class Expected:
    """Adds up the reports of all rounds.

    Attributes:
        whole: the last complete text of a message, by id.
        partial: what was shown of an answer since it is being written, by id.
        drafts: (when, text) by conversation; the first one is that of the start.
        queues: (when, messages that wait to be sent) by conversation, as the drafts.
        left: when conversations were deleted.
        back: when deleted ones were restored.
        acting: what the user did last, and in which conversation; it may not be reported yet.
        lost: (id, age in seconds) of messages that a kill took, within their time.
        lags: seconds from showing a message as complete to its being in the database.
    """

    whole: dict[int, Shown] = field(default_factory=dict)
    partial: dict[int, list[Shown]] = field(default_factory=dict)
    drafts: dict[int, list[tuple[float, str]]] = field(default_factory=dict)
    queues: dict[int, list[tuple[float, list[str]]]] = field(default_factory=dict)
    left: dict[int, float] = field(default_factory=dict)
    back: dict[int, float] = field(default_factory=dict)
    acting: tuple[str, int] = ("", 0)
    lost: list[tuple[int, float]] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    _listed: set[int] = field(default_factory=set)

    def read(self, path: Path) -> list[Any]:
        """Take in the report of a round; returns what the user found at its start."""
        started: list[Any] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            at, what, *more = json.loads(line)
            match what:
                case "start":
                    started = more
                case "complete" | "partial":
                    self._shown(what == "complete", more[0], Shown(at, *more[1:]))
                case "kept":
                    self._kept(at, *more)
                case "typed":
                    self.drafts.setdefault(more[0], [(0.0, "")]).append((at, more[1]))
                case "queue":
                    self.queues.setdefault(more[0], [(0.0, [])]).append((at, more[1]))
                case "acting":
                    self.acting = (more[0], more[1])
                case "list":
                    self._list(at, set(more[0]))
                case "gone":
                    self.whole.pop(more[0], None)
                    self.partial.pop(more[0], None)
        return started

    def settle(
        self,
        messages: Mapping[int, StoredMessage],
        drafts: Mapping[int, str],
        queues: Mapping[int, list[str]],
    ) -> None:
        """The next round begins with what there is."""
        there = self.whole.keys() & messages.keys()
        self.whole = {
            one: replace(self.whole[one], kept=True, text=messages[one].content)
            for one in there
            if messages[one].complete
        }
        self.partial, self.left, self.back, self._listed = {}, {}, {}, set()
        self.drafts = {one: [(0.0, text)] for one, text in drafts.items()}
        self.queues = {one: [(0.0, texts)] for one, texts in queues.items()}

    def _shown(self, complete: bool, one: int, shown: Shown) -> None:
        if complete:
            before = self.whole.get(one)
            again = before is not None and before.text == shown.text and before.kept
            # What is read back at a start, or goes on and fails, is in the database already.
            self.whole[one] = replace(shown, kept=again)
            self.partial.pop(one, None)
        else:
            self.partial.setdefault(one, []).append(shown)

    def _kept(self, at: float, one: int, text: str) -> None:
        shown = self.whole.get(one)
        if shown is not None and shown.text == text and not shown.kept:
            self.lags.append(at - shown.at)
            self.whole[one] = replace(shown, kept=True)

    def _list(self, at: float, there: set[int]) -> None:
        self.left |= dict.fromkeys(self._listed - there, at)
        self.back |= dict.fromkeys(there & self.left.keys(), at)
        for one in there:
            self.left.pop(one, None)
        self._listed = there
