"""The cost of a flush of streamed text on the window's thread, up to a megabyte of answer.

    python -m app.bench.stream

An answer grows by a frame's worth of text, and all its consequences are processed at once: the
Markdown, the layout, the scroll position and the painting. The costs are given for each tenth of
the text, which shows whether they grow with the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QApplication

from app.chat.view import ChatView
from app.core.session.records import Conversation, Turn, TurnState
from app.ui import theme
from engine.bench.harness import quantile

TOTAL_CHARS = 1_000_000
# 30 flushes a second of 40 characters are about 300 tokens a second.
FLUSH_CHARS = 40
STEPS = 10
# Only the end of each tenth of the text is streamed and measured; the rest is added at once.
MEASURED = 200

_MIXED = """## Part {n}

Some words with **bold** ones, `code` and a formula $x_{n} = \\frac{{a}}{{b}}$ in a paragraph as
long as paragraphs are, which is a few lines of text on the screen of an ordinary computer.

- one item, and then a second one
- two items
  - one inside

> What somebody said about it.

```python
def part_{n}(value: int) -> int:
    return value + {n}
```

| name | value |
|---|---|
| part | {n} |

"""
_LINE = "    total_{n} = compute(total_{n}, scale={n})  # a line of code\n"


def mixed(chars: int) -> str:
    """Markdown of all kinds."""
    return _repeated(_MIXED, chars)


def prose(chars: int) -> str:
    """Paragraphs only."""
    return _repeated("Part {n}. " + "some more words of it " * 20 + "\n\n", chars)


def code(chars: int) -> str:
    """One unclosed fenced block."""
    return "```python\n" + _repeated(_LINE, chars)


def listing(chars: int) -> str:
    """One endless list."""
    return _repeated("- item {n} of a list, with a few words\n", chars)


WORKLOADS: dict[str, Callable[[int], str]] = {
    "mixed": mixed,
    "prose": prose,
    "code": code,
    "list": listing,
}


@dataclass(frozen=True, slots=True)
class FlushCosts:
    """The time of each flush in milliseconds, in order of the text.

    Attributes:
        costs_ms: wall-clock time.
        thread_ms: CPU time of the window's thread.
    """

    name: str
    costs_ms: tuple[float, ...]
    thread_ms: tuple[float, ...]


def between(costs: Sequence[float], first: float, last: float = 1.0) -> Sequence[float]:
    """Those of the flushes between two shares of the text."""
    return costs[int(first * len(costs)) : max(1, int(last * len(costs)))]


def measure(name: str, chars: int = TOTAL_CHARS) -> FlushCosts:
    """Stream one of WORKLOADS into a conversation on screen."""
    app = QApplication.instance() or QApplication(["biplane"])
    theme.keeper()
    view = ChatView()
    view.resize(760, 700)
    view.show()
    talk = Conversation(1)
    turn = Turn(2, "assistant", state=TurnState.WRITING)
    talk.turns = [Turn(1, "user", text="Write."), turn]
    view.show_conversation(talk)
    app.processEvents()
    costs: list[float] = []
    thread: list[float] = []
    for piece in _pieces(WORKLOADS[name](chars)):
        turn.text += piece
        begun, ran = time.perf_counter(), time.thread_time()
        view.show_turn(turn)
        # Size changes propagate through two layouts and the scroll bar; then it paints.
        for _ in range(3):
            app.processEvents()
        if len(piece) <= FLUSH_CHARS:
            costs.append(1e3 * (time.perf_counter() - begun))
            thread.append(1e3 * (time.thread_time() - ran))
    view.hide()
    view.deleteLater()
    app.processEvents()
    return FlushCosts(name, tuple(costs), tuple(thread))


def _repeated(text: str, chars: int) -> str:
    made: list[str] = []
    length = 0
    while length < chars:
        made.append(text.replace("{n}", str(len(made))).replace("{{", "{").replace("}}", "}"))
        length += len(made[-1])
    return "".join(made)[:chars]


def _pieces(text: str) -> Iterator[str]:
    tenth = len(text) // STEPS
    for begin in range(0, STEPS * tenth, tenth):
        fine = begin + max(0, tenth - MEASURED * FLUSH_CHARS)
        if fine > begin:
            yield text[begin:fine]
        for at in range(fine, begin + tenth, FLUSH_CHARS):
            yield text[at : min(at + FLUSH_CHARS, begin + tenth)]


def main() -> None:
    print(f"{FLUSH_CHARS} characters a flush, {TOTAL_CHARS:,} in all; milliseconds")
    for name in WORKLOADS:
        made = measure(name)
        for clock, costs in (("clock", made.costs_ms), ("thread", made.thread_ms)):
            tenths = (
                quantile(between(costs, k / STEPS, (k + 1) / STEPS), 0.5) for k in range(STEPS)
            )
            print(
                f"{name:<6} {clock:<6} p50 {quantile(costs, 0.5):5.2f}  "
                f"p95 {quantile(costs, 0.95):5.2f}  p99 {quantile(costs, 0.99):5.2f}  "
                f"last tenth p95 {quantile(between(costs, 0.9), 0.95):5.2f}  "
                f"p50 by tenths {' '.join(f'{cost:.1f}' for cost in tenths)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
