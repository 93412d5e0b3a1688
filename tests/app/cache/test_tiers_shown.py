"""What the pane and the answer line say of tiers, packed states and audits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from app.cache.drawer import NodeDrawer
from app.cache.logic.planes import plane_texts
from app.cache.logic.table import PROVENANCES, build_table
from app.cache.planes_view import PlanesView
from app.core.session.changes import Noted
from app.core.session.event_log import MOST_NOTICES
from app.core.session.model import Session
from app.core.words.explain import (
    checkpoint_note,
    evictions_text,
    node_facts,
    node_title,
    node_tooltip,
)
from app.core.words.stats_line import stats_detail, stats_line
from engine import events
from engine.config import StateFormat
from engine.snapshot import TIERS, CheckpointView, DiskView, HostView, NodeView, PoolView
from engine.stored_state import StoredState, TierName
from engine.verdict import Verdict
from tests.app.buttons import button
from tests.app.samples import node, plan, report, snapshot

RIGHT = Verdict("verified", 1e-6, 1e-9, 1.0)
WRONG = Verdict("quarantined", 0.9, 3.5, 1.0)
POOL = PoolView(100, 60, 0, 40, 0, 10)
BELOW = {"host": HostView(POOL, structs.replace(POOL, slot_bytes=1000)), "disk": None}


def point(
    tier: TierName = "device",
    verdict: Verdict | None = None,
    error: float = 0.0,
    exact: bool = False,
) -> CheckpointView:
    stored: StateFormat = "int8" if error else "none"
    state = StoredState(
        10, cut_hash=1 if exact else None, stored=stored, error=error, tier=tier, verdict=verdict
    )
    return CheckpointView(state, 1, 1000, 0.0, 0.0, 1)


def held(tier: TierName, checkpoint: CheckpointView) -> NodeView:
    return structs.replace(node(3, 0, 0, 10), checkpoint=checkpoint, tier=tier)


class TestWords:
    def test_a_state_on_disk_says_so(self) -> None:
        facts = {f.name: f.value for f in node_facts(held("disk", point("disk", None, 0.004)), 0.0)}
        assert facts["Checkpoint"] == "at 10, prefill, on disk, int8, error 0.4%"
        assert facts["Location"] == "on disk"
        assert facts["Audit"] == "not yet"

    def test_only_the_device_numbers_its_nodes(self) -> None:
        assert node_title(held("device", point())) == "Node 3"
        assert node_title(held("disk", point("disk"))) == "Node on disk"

    def test_verdicts(self) -> None:
        right = {f.name: f.value for f in node_facts(held("device", point(verdict=RIGHT)), 0.0)}
        wrong = {f.name: f.value for f in node_facts(held("device", point(verdict=WRONG)), 0.0)}
        assert right["Audit"] == "verified: 0.001% off, KL 1e-09"
        assert wrong["Audit"].startswith("quarantined: 90% off")
        assert "quarantined" in node_tooltip(held("device", point(verdict=WRONG)), 0.0)

    def test_the_note_promises_nothing_of_a_wrong_or_packed_state(self) -> None:
        assert "nothing resumes from it" in checkpoint_note(point(verdict=WRONG))
        assert "stored as int8" in checkpoint_note(point("disk", None, 0.004))
        assert checkpoint_note(None) == ""

    def test_quarantines_are_counted(self) -> None:
        assert "found wrong: 3" in evictions_text(structs.replace(snapshot(), quarantined=3))

    def test_the_answer_line_marks_where_a_state_came_from(self) -> None:
        plain = stats_line(report(plan(100, 0, 5)))
        assert "from" not in plain
        disk = stats_line(report(plan(100, 0, 5, tier="disk")))
        assert " · from disk · " in disk
        packed = plan(100, 0, 5, tier="host", stored="int8", error=0.004, verdict=RIGHT)
        assert " · from host memory, int8, error 0.4% · " in stats_line(report(packed))
        assert "verified" in stats_detail(report(packed))

    @pytest.mark.parametrize(
        ("provenance", "words"),
        [("decode", "while writing"), ("branch", "where a conversation forked"), ("prefill", "")],
    )
    def test_the_detail_says_what_is_only_equal_within_rounding(
        self, provenance: str, words: str
    ) -> None:
        text = stats_detail(report(plan(4_864, 0, 5, provenance=provenance)))
        assert ("by rounding" in text) == bool(words)
        assert not words or f"Resumed at 4,864 from a state taken {words}" in text

    def test_the_time_of_a_replay_is_told_apart(self) -> None:
        assert "replay 40 ms · prefill 150 ms" in stats_detail(
            report(plan(100, 9, 5), replay_ms=40.0)
        )


class TestPane:
    def test_tiers_have_lines_only_where_they_are(self, qtbot: QtBot) -> None:
        view = PlanesView()
        qtbot.addWidget(view)
        view.show_snapshot(snapshot())
        lower = [cell for key in ("host", "disk") for cell in view._rows[key]]
        assert all(cell.isHidden() for cell in lower)
        disk = DiskView(7, 5 << 20, 64 << 20, 0, 0)
        shown = structs.replace(snapshot(), host=BELOW["host"], disk=disk)
        view.show_snapshot(shown)
        assert not any(cell.isHidden() for cell in lower)
        texts = {text.key: text for text in plane_texts(shown)}
        assert texts["disk"].bytes == "5.00 MiB of 64.0 MiB"
        assert texts["host"].slots == "40 checkpoints"

    def test_a_wrong_state_has_a_mark_of_its_own(self) -> None:
        given = snapshot(
            held("device", point(verdict=WRONG)), structs.replace(node(4, 0, 0, 9), tier="host")
        )
        table = build_table(given)
        rows = {int(number): row for row, number in enumerate(table.ids)}
        assert PROVENANCES[table.provenance[rows[3]]] == "wrong"
        assert TIERS[table.tier[rows[4]]] == "host"
        assert np.count_nonzero(table.tier) == 1

    def test_only_what_is_on_the_device_can_be_verified(self, qtbot: QtBot) -> None:
        drawer = NodeDrawer()
        qtbot.addWidget(drawer)
        asked: list[object] = []
        drawer.verified.connect(asked.append)
        verify = button(drawer, "Verify")
        drawer.show_node(held("device", point()), 0.0)
        assert not verify.isHidden()
        verify.click()
        assert asked == [3]
        drawer.show_node(held("disk", point("disk")), 0.0)
        assert verify.isHidden()


class TestEventLog:
    def test_notices_are_kept_and_said(self) -> None:
        session = Session()
        for number in range(MOST_NOTICES + 100):
            sentence = f"The cache file {number} was skipped."
            outcome = session.apply(events.Notice(sentence=sentence))
            assert outcome.changes == {Noted(sentence)}
        assert len(session.log.notices) == MOST_NOTICES
        assert str(MOST_NOTICES + 99) in session.log.notices[-1]

    def test_a_verdict_is_said(self) -> None:
        said = Session().apply(events.NodeVerified(node=3, verdict=WRONG))
        assert {change.text for change in said.changes if isinstance(change, Noted)} == {
            "The checkpoint was wrong, up to 90% away from a cold run, and is no longer used."
        }
        drifted = Verdict("drifted", 0.01, 1e-3, 1.0)
        heard = Session()
        heard.apply(events.NodeVerified(node=3, verdict=drifted, background=True))
        assert len(heard.log.notices) == 1
        none = Session().apply(events.NodeVerified(node=3, verdict=None))
        assert none.changes

    @pytest.mark.parametrize("verdict", [RIGHT, Verdict("unclear", 0.3, 0.1, 1.0)])
    def test_that_no_fault_was_found_is_said_only_to_who_asked(self, verdict: Verdict) -> None:
        session = Session()
        done = events.NodeVerified(node=3, verdict=verdict, background=True)
        assert not session.apply(done).changes
        assert session.apply(replace(done, background=False)).changes
        assert len(session.log.notices) == 1
