"""`python -m app.bench.soak`: a long day of chatting, to see what grows and what stalls.

A real window on a real engine takes hundreds of turns over many conversations, chosen at random:
questions, edits, other answers, continuations, forks, steps between branches, stops. It watches
the memory of the process, the gaps of the GUI thread, the cache's invariants, and that the window
shows what the engine holds.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.bench.gaps import GapMeter
from app.cache.canvas import TreeCanvas
from app.cache.logic.planes import Part
from app.core.bridge import Bridge
from app.core.loops import Loop, run_loop
from app.core.options.shared import demo_model_dir
from app.core.session.cache_watch import INVARIANTS_HOLD
from app.core.session.changes import Change, Noted, Outcome
from app.core.session.keeper import Keeper
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.core.store.opening import open_store
from app.debugger.planes_panel import PlanesPanel
from app.debugger.tree_panel import TreePanel
from app.shell.gc_policy import GuiCollector
from app.shell.window import MainWindow
from engine.commands import CheckInvariants
from engine.config import EngineConfig
from engine.errors import BiplaneError
from engine.snapshot import CacheSnapshot, NodeView, PoolView
from kernels.host_memory import resident_bytes

if TYPE_CHECKING:
    from engine.run.core import Core


_MIB = 1 << 20
_CACHE_BYTES = 48 * _MIB
_ROW_TURNS = 50
_WARM_TURNS = 20
_SCRUBBED = 60
_ANSWER_S = 120.0
_LOAD_S = 180.0
# Mostly questions; the rest in the proportions of a restless user.
_ACTS = ("say",) * 10 + ("again", "edit", "edit answer", "continue", "step", "fork", "stop", "new")
_WORDS = (
    *("wing", "tail", "engine", "wire", "strut", "propeller", "field", "wind"),
    *("weight", "lift", "drag", "pilot", "map", "rudder"),
)
_Mark = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """The state after some turns: memory in bytes, the longest gap since the row before in ms."""

    turns: int
    rss: int
    widgets: int
    longest_gap_ms: float


@dataclass(frozen=True, slots=True)
class SoakReport:
    """The results of a soak.

    Attributes:
        start_rss: in bytes, after a warm-up.
        allowed_rss: that plus the budgets, plus 5 %.
        late_growth: of memory over the second half of the turns, in bytes.
        p95_gap_ms, longest_gap_ms: between iterations of the GUI thread's event loop.
        longest_by_act: the longest gap per kind of action, in ms.
        broken: violated cache invariants, and differences between window and engine.
        compared: how many times the window was compared with the engine.
        scrubbed: how many of those moments were compared again in the debugger.
        on_disk: in how many of these a checkpoint was only in a file.
    """

    turns: int
    conversations: int
    seed: int
    acts: dict[str, int]
    seconds: float
    start_rss: int
    allowed_rss: int
    late_growth: int
    p95_gap_ms: float
    longest_gap_ms: float
    longest_by_act: dict[str, float]
    broken: tuple[str, ...]
    compared: int
    scrubbed: int
    on_disk: int
    rows: tuple[Row, ...]

    @property
    def holds(self) -> bool:
        most = max(row.rss for row in self.rows)
        return most <= self.allowed_rss and self.longest_gap_ms <= 250 and not self.broken


def disagreements(bar: Sequence[Part], canvas: TreeCanvas, held: CacheSnapshot) -> tuple[str, ...]:
    """The differences between the window and `held`, in sentences; none if they agree."""
    return (*_of_bar(bar, held), *_of_tree(canvas, held), *_of_pools(held))


def _of_bar(bar: Sequence[Part], held: CacheSnapshot) -> Iterator[str]:
    memory = held.memory
    shown = {part.key: part.bytes for part in bar}
    total = memory.weights + memory.kv_plane + memory.state_plane + memory.workspace
    if sum(shown.values()) != total:
        yield f"The planes bar adds up to {sum(shown.values()):,} bytes, the engine to {total:,}."
    for plane, pool in (("kv", held.kv), ("state", held.state)):
        cached = shown.get(f"{plane}_locked", 0) + shown.get(f"{plane}_cached", 0)
        if cached != pool.cached * pool.slot_bytes:
            yield f"The bar shows {cached:,} bytes of cached {plane}, not those of {pool.cached:,}."


def _of_tree(canvas: TreeCanvas, held: CacheSnapshot) -> Iterator[str]:
    shown = canvas.model.snapshot
    drawn = () if shown is None else shown.nodes
    for name, one, other in (
        ("spans", _spans(drawn), _spans(held.nodes)),
        ("checkpoints", _checkpoints(drawn), _checkpoints(held.nodes)),
    ):
        if one != other:
            extra, missing = sum((one - other).values()), sum((other - one).values())
            yield f"The tree's {name} differ: {extra} are not in the engine, {missing} not drawn."


def _of_pools(held: CacheSnapshot) -> Iterator[str]:
    """The snapshot's tree compared with the allocators' own counts."""
    tokens = sum(node.end - node.start for node in held.nodes if node.tier == "device")
    states = sum(_on_device(node) for node in held.nodes)
    for name, counted, pool in (("KV", tokens, held.kv), ("state", states, held.state)):
        if counted != pool.cached:
            yield f"The tree has {counted:,} {name} slots, the allocator {pool.cached:,}."
        if not _adds_up(pool):
            yield f"The {name} allocator's counts do not add up: {pool}."


def _on_device(node: NodeView) -> bool:
    return node.checkpoint is not None and node.checkpoint.state.tier == "device"


def _adds_up(pool: PoolView) -> bool:
    return pool.free + pool.live + pool.cached == pool.total and pool.locked <= pool.cached


def _spans(nodes: Sequence[NodeView]) -> Counter[_Mark]:
    return Counter((node.id, node.start, node.end, node.tier) for node in nodes)


def _checkpoints(nodes: Sequence[NodeView]) -> Counter[_Mark]:
    return Counter(
        (node.id, node.end, node.checkpoint.state.provenance, node.checkpoint.state.tier)
        for node in nodes
        if node.checkpoint is not None
    )


class _Moment(NamedTuple):
    """The engine's state at a length of the tape."""

    entries: int
    held: CacheSnapshot


class _Held(NamedTuple):
    """The engine's state, and the number of the journal's last entry."""

    snapshot: CacheSnapshot
    seq: int


class Soak:
    """One window, used at random."""

    def __init__(
        self, app: QApplication, folder: Path, config: EngineConfig, data: Path, seed: int
    ) -> None:
        """data: the folder for the conversations."""
        self._app, self._folder, self._seed = app, folder, seed
        self._config = config
        self._random = random.Random(seed)
        self._noted: list[str] = []
        self._broken: list[str] = []
        self._acts: dict[str, int] = {}
        self._gaps: list[float] = []
        self._longest: dict[str, float] = {}
        self._moments: list[_Moment] = []
        self._ask: Callable[[], Future[_Held]] | None = None
        session = self.session = Session(given={"max_tokens": 48, "seed": seed})
        self.bridge = Bridge(session, config, self._make_loop)
        self.keeper = Keeper(
            session, open_store(data, self._broken.append).store, self._broken.append
        )
        self.keeper.restore()
        self.bridge.changed.connect(self.keeper.keep)
        self.bridge.changed.connect(self._hear)
        self.window = MainWindow(self.bridge)
        self.window.resize(1366, 768)
        self.window.show()
        self._collector = GuiCollector(self.window)
        self._collector.start()
        self._meter = GapMeter()

    def run(self, turns: int, conversations: int) -> SoakReport:
        """Run. Raises BiplaneError if the model does not open or an answer does not end in time."""
        session, began = self.session, time.monotonic()
        self.bridge.open_model(self._folder)
        self._until(lambda: session.engine.phase is not EnginePhase.LOADING, _LOAD_S)
        if session.engine.phase is not EnginePhase.READY:
            raise BiplaneError(session.engine.sentence or "The model did not open.")
        self._collector.settle()
        start = 0
        rows: list[Row] = []
        self._meter.start()
        for turn in range(1, turns + 1):
            self._turn(turn, turns, conversations)
            if turn == min(_WARM_TURNS, turns):
                start = resident_bytes()
            if turn % _ROW_TURNS == 0 or turn == turns:
                rows.append(self._row(turn))
        self._meter.stop()
        budgets = self._config.cache_bytes + self._config.host_bytes
        half = rows[len(rows) // 2]
        scrubbed = self._scrub()
        gaps = sorted(self._gaps)
        return SoakReport(
            turns=turns,
            conversations=len(session.conversations),
            seed=self._seed,
            acts=dict(sorted(self._acts.items())),
            seconds=time.monotonic() - began,
            start_rss=start,
            allowed_rss=round(1.05 * (start + budgets)),
            late_growth=rows[-1].rss - half.rss,
            p95_gap_ms=statistics.quantiles(gaps, n=20)[-1],
            longest_gap_ms=gaps[-1],
            longest_by_act=dict(sorted(self._longest.items())),
            broken=tuple(self._broken),
            compared=len(self._moments),
            scrubbed=len(scrubbed),
            on_disk=sum(map(_in_files_alone, scrubbed)),
            rows=tuple(rows),
        )

    def close(self) -> None:
        self._meter.stop()
        self._collector.stop()
        self.window.hide()
        self.bridge.close(30.0)
        self.bridge.changed.disconnect()
        self.keeper.close()
        self.window.deleteLater()
        self.bridge.deleteLater()
        self._app.processEvents()

    def _turn(self, turn: int, turns: int, conversations: int) -> None:
        session = self.session
        wanted = min(conversations, 1 + turn * conversations * 2 // turns)
        if len(session.conversations) < wanted:
            self._act("new")
        elif self._random.random() < 0.2:
            other = self._random.choice(session.conversations)
            self.window.drafts.select(other.id)
        act = self._random.choice(_ACTS)
        if act in ("new", "fork") and len(session.conversations) >= conversations:
            act = "say"
        self._act(act if session.current.turns else "say")

    def _act(self, act: str) -> None:
        self._acts[act] = self._acts.get(act, 0) + 1
        before = len(self._meter.gaps_ms)
        self._do(act)
        self._until(lambda: not self.session.busy, _ANSWER_S)
        longest = max(self._meter.gaps_ms[before:], default=0.0)
        self._longest[act] = max(self._longest.get(act, 0.0), longest)
        self._compare(act)

    def _compare(self, act: str) -> None:
        """Compare the window with the engine, once it shows the engine's latest version."""
        cache, held = self.window.cache, self._held()
        ends = time.monotonic() + _ANSWER_S
        # Checkpoints may still be being written to the lower tiers.
        while self._behind(held):
            self._frame(ends)
            held = self._held()
        self._moments.append(_Moment(self._index_of(held.seq), held.snapshot))
        for said in disagreements(cache.planes.bar.parts, cache.canvas, held.snapshot):
            self._broken.append(f"After turn {sum(self._acts.values())} ({act}): {said}")

    def _behind(self, held: _Held) -> bool:
        """Whether the window shows an earlier or later state than `held`."""
        known, tape = self.session.cache.snapshot, self.session.cache.tape
        shown = self.window.cache.canvas.model.snapshot
        if known is None or shown is None or shown.version != known.version:
            return True
        return tape.entry(len(tape) - 1).seq != held.seq

    def _index_of(self, seq: int) -> int:
        """The tape's moment after the journal entry with that number."""
        tape, index = self.session.cache.tape, len(self.session.cache.tape)
        while tape.entry(index - 1).seq > seq:
            index -= 1
        return index

    def _scrub(self) -> list[CacheSnapshot]:
        """Seek to moments of the soak in the debugger; returns the state held at each."""
        self.window.debugger.show(True)
        desk, tape = self.window.debugger.desk, self.session.cache.tape
        assert desk is not None
        planes, tree = desk.panels["planes"], desk.panels["tree"]
        assert isinstance(planes, PlanesPanel)
        assert isinstance(tree, TreePanel)
        known = [moment for moment in self._moments if moment.entries >= tape.first]
        chosen = self._random.sample(known, min(_SCRUBBED, len(known)))
        for moment in chosen:
            desk.state.seek(moment.entries)
            shown = desk.state.moment.snapshot
            assert shown is not None
            held = moment.held
            found = [*disagreements(planes.planes.bar.parts, tree.canvas, held)]
            if shown.disk != held.disk:
                found.append(f"The disk tier is {shown.disk}, in the engine it was {held.disk}.")
            self._broken += [f"Back at entry {moment.entries:,}: {said}" for said in found]
            self._app.processEvents()
        self.window.debugger.show(False)
        return [moment.held for moment in chosen]

    def _held(self) -> _Held:
        assert self._ask is not None
        answer = self._ask()
        self._until(answer.done, _ANSWER_S)
        return answer.result()

    def _make_loop(self, folder: Path, config: EngineConfig) -> Loop:
        loop = run_loop(folder, config)
        self._ask = partial(loop.call, _held, anytime=True)
        return loop

    def _do(self, act: str) -> None:
        session, turns = self.session, self.session.current.turns
        some = self._random.choice([t for t in turns if t.role != "error"] or [None])
        match act:
            case "say":
                self.window.drafts.send(self._text())
            case "new":
                self.window.menus.new.trigger()
            case "step" if some is not None:
                self._perform(session.show_sibling(some.id, self._random.choice((-1, 1))))
            case "again" if some is not None:
                self._perform(session.regenerate(some.id))
            case "edit" if some is not None:
                self._perform(session.edit(some.id, self._text()))
            case "edit answer" if some is not None:
                self._perform(session.edit_answer(some.id, self._text()))
            case "continue" if some is not None:
                self._perform(session.continue_answer(some.id))
            case "fork" if some is not None:
                self.window.drafts.go(lambda: session.fork(some.id))
            case "stop":
                self.window.drafts.send(self._text())
                self._until(self._has_begun, _ANSWER_S)
                self._perform(session.stop())

    def _has_begun(self) -> bool:
        running = self.session.current.running
        return running is None or running.tokens > 3

    def _perform(self, outcome: Outcome) -> None:
        self.bridge.perform(outcome)

    def _text(self) -> str:
        return " ".join(self._random.choices(_WORDS, k=self._random.randint(3, 60)))

    def _row(self, turn: int) -> Row:
        """Measure the current state; the cost of the check itself is included."""
        self._noted.clear()
        self.bridge.ask(CheckInvariants())
        self._until(lambda: bool(self._noted), _ANSWER_S)
        self._broken += [said for said in self._noted if said != INVARIANTS_HOLD]
        since, self._meter.gaps_ms = self._meter.gaps_ms, []
        self._gaps += since
        row = Row(turn, resident_bytes(), len(self.window.findChildren(QWidget)), max(since))
        print(
            f"{row.turns:>5} turns  {row.rss / _MIB:7.0f} MiB  {row.widgets:>5} widgets"
            f"  longest gap {row.longest_gap_ms:4.0f} ms",
            file=sys.stderr,
        )
        return row

    def _hear(self, changes: frozenset[Change]) -> None:
        self._noted += [change.text for change in changes if isinstance(change, Noted)]

    def _until(self, done: Callable[[], bool], timeout_s: float) -> None:
        ends = time.monotonic() + timeout_s
        while not done():
            self._frame(ends)

    def _frame(self, ends: float) -> None:
        if time.monotonic() > ends:
            raise BiplaneError("The engine did not respond in time.")
        self._app.processEvents()
        # Deferred deletions only happen by themselves inside exec().
        self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        time.sleep(0.001)


def _held(core: Core) -> _Held:
    return _Held(core.read_anew(), core.store.journal.seq)


def _in_files_alone(held: CacheSnapshot) -> bool:
    points = (node.checkpoint for node in held.nodes if node.checkpoint is not None)
    return any(point.state.tier == "disk" for point in points)


def soak(
    folder: Path, turns: int, conversations: int, seed: int, cache_bytes: int = _CACHE_BYTES
) -> SoakReport:
    """Soak an engine with that budget, and a smaller one for host memory.

    Raises BiplaneError if the model does not open or an answer does not end in time.
    """
    app = QApplication.instance() or QApplication(["biplane"])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as folder_name:
        config = EngineConfig(
            cache_bytes=cache_bytes,
            host_bytes=cache_bytes * 2 // 3,
            disk_bytes=64 * _MIB,
            cache_dir=Path(folder_name) / "cache",
        )
        work = Soak(app, folder, config, Path(folder_name) / "conversations", seed)
        try:
            return work.run(turns, conversations)
        finally:
            work.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m app.bench.soak", description=__doc__)
    parser.add_argument("--model", type=Path, default=demo_model_dir())
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--conversations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    given = parser.parse_args()
    print(f"seed {given.seed}", file=sys.stderr)
    report = soak(given.model, given.turns, given.conversations, given.seed)
    print(json.dumps(asdict(report) | {"holds": report.holds}, indent=1))
    return 0 if report.holds else 1


if __name__ == "__main__":
    sys.exit(main())
