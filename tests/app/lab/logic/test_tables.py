"""The lab's tables hold the figures of its tabs, and nothing else."""

from __future__ import annotations

import csv
import io

from app.core.session.ledger import Ran
from app.lab.logic.arithmetic import designs, layer_memory
from app.lab.logic.phase_sentences import positions
from app.lab.logic.tables import memories_csv, memory_csv, phases_csv, recall_csv
from engine.readings import LayerRecall, RecallReading
from tests.app.core.session.test_ledger import report
from tests.app.fake_loop import MODEL
from tests.app.lab.readings import memory

SHAPE = MODEL.cache_shape


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


class TestMemory:
    def test_the_parts_of_each_design_add_up_to_it(self) -> None:
        found = [row for row in rows(memory_csv(SHAPE, 12_345)) if row["of"] == "design"]
        for tokens in {int(row["tokens"]) for row in found}:
            for design in designs(SHAPE, tokens):
                own = [
                    int(row["bytes"])
                    for row in found
                    if row["name"] == design.key and int(row["tokens"]) == tokens
                ]
                assert sum(own) == design.bytes
        assert {"12345", str(SHAPE.window)} <= {row["tokens"] for row in found}

    def test_the_published_figures_are_among_them(self) -> None:
        found = rows(memory_csv(SHAPE, 32_768))
        every_head = [
            int(row["bytes"])
            for row in found
            if row["name"] == "every_head" and row["tokens"] == "32768"
        ]
        assert sum(every_head) == designs(SHAPE, 32_768)[0].bytes
        full = [row for row in found if row["of"] == "layer" and row["name"] == "3 full"]
        assert sum(int(row["bytes"]) for row in full) == 64 << 20

    def test_every_layer_is_there(self) -> None:
        found = [row for row in rows(memory_csv(SHAPE, 100)) if row["of"] == "layer"]
        for index, kind in enumerate(SHAPE.kinds):
            own = [int(row["bytes"]) for row in found if row["name"] == f"{index} {kind}"]
            assert sum(own) == layer_memory(SHAPE, index, 100).bytes


def test_each_token_has_each_figure_of_each_head() -> None:
    reading = memory()
    found = rows(memories_csv(reading))
    state, entries = reading.state, reading.entries
    assert state is not None
    assert entries is not None
    per_token = 2 * len(entries.keys) + 5 * len(state.heads)
    assert len(found) == per_token * len(reading.texts)
    last = len(reading.texts) - 1
    one = next(
        row
        for row in found
        if row["figure"] == "change"
        and int(row["position"]) == reading.start + last
        and row["head"] == "0"
    )
    assert float(one["value"]) == state.heads[0].changes[last]
    assert one["text"] == reading.texts[last]


def test_requests_with_and_without_the_cache() -> None:
    runs = tuple(Ran(n, 'A "chat", quoted', "end", report()) for n in (1, 2))
    found = rows(phases_csv(runs))
    assert [row["conversation"] for row in found] == ['A "chat", quoted'] * 2
    sums = positions(runs[0])
    assert (int(found[0]["positions_cached"]), int(found[0]["positions_cold"])) == (
        sums.cached,
        sums.cold,
    )
    parts = (int(found[0][name]) for name in ("reused", "replayed", "new"))
    assert sum(parts) == int(found[0]["prompt_tokens"])


def test_layers_heads_and_queries() -> None:
    layers = (
        LayerRecall(0, "linear", (0.1, 0.2), ((0.1, 0.2),), (0.9, 0.8), ((0.9, 0.8),)),
        LayerRecall(3, "full", (0.3, 0.4), ((0.3, 0.4), (0.5, 0.6))),
    )
    found = rows(recall_csv(RecallReading(9, 0, ("a",) * 9, (2, 3), 7, layers)))
    assert len(found) == 2 * (2 + 3)
    last = found[-1]
    assert (last["layer"], last["head"], last["query"]) == ("3", "1", "8")
    assert (last["share"], last["answer"]) == ("0.6", "")
    assert found[1]["answer"] == "0.8"
