"""Record what the cache does, then replay the requests with other cache settings.

Six chats take turns on a cache too small for all of them. The trace holds hashes instead of tokens
and its replay needs no model: with the recorded settings it reproduces the recorded hits, and with
others it shows what another eviction policy or more memory would have saved.

    python packaging/examples/what_if.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import assets
from engine import Engine, EngineConfig, Message, Sampling
from engine.analysis.replay import replay
from engine.analysis.report import Sums
from engine.journal.reader import TraceReader
from engine.journal.settings import WhatIf

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
SMALL = EngineConfig(cache_bytes=12 << 20, rebalance=False)


def show(title: str, sums: Sums) -> None:
    print(f"{title:<24}{sums.reused:>7} of {sums.total} tokens reused", end="")
    print(f" ({sums.reused_share:.0%}), {sums.replayed} replayed")


with TemporaryDirectory() as folder:
    trace = Path(folder) / "trace.jsonl.gz"
    with Engine.open(DEMO_MODEL, SMALL) as engine:
        engine.record(trace)
        for turn in range(4):
            for name in NAMES:
                chat = [Message("system", f"You talk to {name}. " * 20)]
                chat += [Message("user", f"This is line {n}.") for n in range(turn + 1)]
                list(engine.generate(chat, Sampling.greedy(8)))
        engine.stop_recording()

    changes = {
        "as recorded": WhatIf(),
        "least recently used": WhatIf(policy="lru"),
        "four times the memory": WhatIf(device_bytes=SMALL.cache_bytes * 4),
    }
    for title, change in changes.items():
        reader = TraceReader(trace)
        assert reader.header is not None, "a trace states the settings it was recorded with"
        report = replay(reader, reader.header.settings, change)
        if report.recorded is not None and report.as_recorded:
            show("recorded", report.recorded)
        show(title, report.replayed)
