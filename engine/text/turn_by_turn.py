"""Writes each turn of a conversation as its template wrote it while that turn was the last.

Most templates write the thinking of the last turn only, so the prompt of every turn departs from
the one before where that had thought. Written turn by turn, it continues it instead. No template is
special-cased: the conversation is rendered up to the end of each turn, and the turn taken from it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from engine.message import Message, PromptOptions
from engine.text.anchors import prefix_keys
from engine.text.layout import Closings, Render, find_places

# Characters; beyond it the turns used longest ago are rendered anew.
MOST_KEPT = 8 << 20


class TurnByTurn:
    """Renders with one template; turns are remembered by the conversation up to their end."""

    def __init__(self) -> None:
        self._turns: OrderedDict[int, str | None] = OrderedDict()
        self._size = 0
        self._closings: dict[bool, Closings] = {}

    def render(
        self, render: Render, messages: Sequence[Message], options: PromptOptions, ends: bool
    ) -> str:
        """The text of a conversation, as `render` writes it where a turn cannot be found in it.

        Args:
            ends: see Render; of the last turn.

        Raises PromptError if the template refuses the conversation up to the end of a turn.
        """
        starts = [k for k, message in enumerate(messages) if message.role == "user"][1:]
        if not starts:
            return render(messages, ends)
        keys = prefix_keys(messages, options)
        parts: list[str] = []
        for start, end in zip([0, *starts], [*starts, len(messages)], strict=True):
            last = end == len(messages) and ends
            key = hash((keys[end], start, last))
            if key not in self._turns:
                self._add(key, self._turn(render, messages[:end], start, options, last))
            self._turns.move_to_end(key)
            turn = self._turns[key]
            if turn is None:
                return render(messages, ends)
            parts.append(turn)
        return "".join(parts)

    def _turn(
        self,
        render: Render,
        messages: Sequence[Message],
        start: int,
        options: PromptOptions,
        ends: bool,
    ) -> str | None:
        """The messages from `start` on; None if it is not known where they begin."""
        text = render(messages, ends)
        if not start:
            return text
        closings = self._closings.get(options.thinking)
        if closings is None:
            closings = self._closings[options.thinking] = Closings.probe(render)
        places = find_places(lambda given, _: render(given, ends), messages, text, closings)
        return None if places is None else text[places[start].start :]

    def _add(self, key: int, turn: str | None) -> None:
        self._turns[key] = turn
        self._size += len(turn or "")
        while self._size > MOST_KEPT and len(self._turns) > 1:
            _, gone = self._turns.popitem(last=False)
            self._size -= len(gone or "")
