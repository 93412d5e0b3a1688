"""The debugger: the tree in each view, every panel around it, and the tabs of the memory lab."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from queue import Queue
from typing import cast
from urllib.request import Request, urlopen

from app.debugger.compare_panel import ComparePanel
from app.debugger.logic.chosen import Chosen
from app.debugger.traces import demo_trace
from tours.chatting import VIEWS
from tours.guide import WAIT_S, Guide, Picture

SIDE = ("planes", "node", "why", "what-if")
BELOW = ("timeline", "requests", "evictions", "events", "invariants", "audits", "compare")
TABS = ("memory", "two memories", "prefill and decode", "recall")
# An agent that puts a billing header with a new code into its system text, and one that does not.
_CODES = ("13c6e", "1daa5", "0b7f2")
_AGENT = (
    "You are a coding agent that works in a terminal. Read a file before you change it, change as "
    "little as possible, and run the tests after each change. Never delete what you did not make. "
    "Say in one sentence what you will do, then do it. Ask where two readings are possible. "
) * 4
_ASKED = ("List the files.", "Which of them is a test?", "Write one for the parser.")


def debugger(guide: Guide) -> Iterator[Picture]:
    """Each view of the tree and each panel."""
    window, session = guide.window, guide.session
    window.debugger.show(True)
    for view in VIEWS:
        guide.act(f"/view {view}")
        yield Picture(f"debugger-{view}", window)
    guide.act(f"/view {VIEWS[0]}")
    yield Picture("debugger-node-none", window, lambda: guide.act("/debugger node"))
    source = guide.desk.state.source
    requests = source.tape.requests if source else ()
    snapshot = session.cache.snapshot
    deepest = max(snapshot.nodes, key=lambda node: node.end).id if snapshot else None
    for panel in (*SIDE, *BELOW):
        guide.act(f"/debugger {panel}")
        if panel == "node":
            guide.choose(Chosen(node=deepest))
        elif panel == "why":
            guide.choose(Chosen(request=len(requests) - 1))
        if panel == "compare":
            yield Picture("debugger-compare-none", window)
            _compare(guide)
        yield Picture(f"debugger-{panel}", window)
    for panel in ("engines", "clients"):
        guide.act(f"/debugger {panel}")
        yield Picture(f"debugger-{panel}-none", window)
    guide.act("/debugger planes")
    guide.act("/debugger timeline")


def _compare(guide: Guide) -> None:
    comparing = cast(ComparePanel, guide.desk.panels["compare"])
    comparing.compare(demo_trace())
    guide.until(lambda: comparing.other is not None)


def clients(guide: Guide) -> Iterator[Picture]:
    """Two agents use the window's server: why one of them reads everything anew each time."""
    window = guide.window
    window.menus.server.trigger()
    guide.until(lambda: bool(window.serving.facts.url))
    for name in ("pilot/0.4", "scribe/2.1"):
        messages: list[dict[str, str]] = []
        for code, question in zip(_CODES, _ASKED, strict=True):
            header = (
                f"x-anthropic-billing-header: cc_version=2.1.3; cch={code};\n"
                if "scribe" in name
                else ""
            )
            messages.append({"role": "user", "content": question})
            system = {"role": "system", "content": header + _AGENT}
            messages.append(_asked(guide, name, [system, *messages]))
    guide.stage.rest(0.6)
    guide.act("/debugger clients")
    source = guide.desk.state.source
    assert source is not None, "the desk shows the window's engine"
    guide.choose(Chosen(request=len(source.tape.requests) - 1))
    guide.act("/debugger why")
    yield Picture("debugger-clients", window)
    window.menus.server.trigger()
    window.debugger.show(False)


def _asked(guide: Guide, name: str, messages: list[dict[str, str]]) -> dict[str, str]:
    """The answer to a client, which asks on a thread of its own."""
    facts, answers = guide.window.serving.facts, Queue[dict[str, str]]()

    def ask() -> None:
        body = {"model": "demo_model", "messages": messages, "max_tokens": 16}
        request = Request(
            f"{facts.url}/v1/chat/completions",
            json.dumps(body).encode(),
            {
                "Authorization": f"Bearer {facts.token}",
                "Content-Type": "application/json",
                "User-Agent": name,
            },
        )
        with urlopen(request, timeout=WAIT_S) as answer:
            said = json.load(answer)["choices"][0]["message"]
        answers.put({"role": "assistant", "content": said["content"]})

    threading.Thread(target=ask).start()
    guide.until(lambda: not answers.empty())
    return answers.get()


def lab(guide: Guide) -> Iterator[Picture]:
    """The memory lab, whose window is as large as the picture."""
    shown = guide.window.lab
    for tab in TABS:
        guide.act(f"/lab {tab}")
        assert shown.window is not None, "opening a tab opens the window"
        if tab == "recall":
            yield Picture("lab-recall-no-needle", shown.window)
            guide.act("/needle 5512")
            guide.act("/query 5512")
        yield Picture(f"lab-{tab.replace(' ', '-')}", shown.window)
    assert shown.window is not None
    shown.window.close()
