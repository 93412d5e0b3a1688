"""The window's gaps while the engine loads, prefills and decodes; one process per run."""

from __future__ import annotations

import json
import math
import pickle
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from app.bench.figure import Figure, figure
from app.bench.gaps import GapMeter
from app.bench.stage import Stage, stage
from app.core.session.records import EnginePhase, TurnState
from app.shell.main import SWITCH_INTERVAL_S
from engine.bench.harness import quantile, run_process
from engine.config import EngineConfig
from engine.errors import BiplaneError
from engine.reuse import ReuseReport

GAP_P95_MS, GAP_MOST_MS = 33.0, 150.0
# Percent.
DEBUGGER_COST = 2.0
# A slow model gets fewer tokens, for about this time; an answer may be longer than is measured.
ANSWER_TOKENS, ANSWER_S, MOST_TOKENS = 400, 10.0, 1600
LOAD_TIMEOUT_S = 180.0
ANSWER_TIMEOUT_S = 300.0
_RUN_TIMEOUT_S = 900.0
_ASKED = "Tell me about the cache of this program, slowly and with every detail you know."
_READ = "The window of the program answers while a long prompt is read, number {n}. "
_READ_TOKENS, _READ_S = 24_000, 10.0
# Sizes of the first answer, from which the speeds are taken.
_TRIED_SENTENCES, _TRIED_TOKENS = 20, 24
_SENTENCE_TOKENS = 24
_PROMPTS = 3
# The view that is open while an answer is written.
_SHOWN = ("", "pane", "debugger")
# Of what the frame gaps are told.
_GAPS = {
    "load": "model load",
    "prefill": "prefill",
    "decode": "decode, cache pane closed",
    "decode_pane": "decode, cache pane open",
    "decode_debugger": "decode, debugger open",
}
_MAIN = "import sys; from app.bench.writing import main; sys.exit(main())"
# The number of stretches with the view open, and the length of one.
PAIRS, STRETCH_S = 16, 1.0
_LEAST_TOKENS = 6
_TIMEOUT_S = 60.0


def stretches(
    made: Stage, show: Callable[[bool], None], ask: Callable[[], None], tok_s: float
) -> Iterator[float]:
    """Seconds per token, by the engine's clock: without the view, with it, without it, …

    Ends with the answer.

    Args:
        show: opens or closes the view, and waits for that.
        ask: starts an answer.
        tok_s: its approximate decode speed.
    """
    tokens, written = max(_LEAST_TOKENS, round(STRETCH_S * tok_s)), made.bridge.written

    def over() -> bool:
        return made.session.current.running is None

    written.clear()
    ask()
    made.until(lambda: bool(written) or over(), _TIMEOUT_S)
    for number in range(2 * PAIRS + 1):
        show(number % 2 == 1)
        begun, first = written[-1]
        wanted = first + tokens
        made.until(lambda wanted=wanted: written[-1][1] >= wanted or over(), _TIMEOUT_S)  # type: ignore[misc]
        ended, last = written[-1]
        if over():
            return
        yield (ended - begun) / (last - first)
    made.bridge.perform(made.session.stop())
    made.until(over, _TIMEOUT_S)


def shares(costs: list[float]) -> list[float]:
    """The view's cost in percent, for each stretch with it; see `stretches`."""
    last = len(costs) - 1
    return [100 * (1 - (costs[at - 1] + costs[at + 1]) / 2 / costs[at]) for at in range(1, last, 2)]


def margin(found: list[float]) -> float:
    """The margin of error of the shares' median in percent, at 95 % confidence."""
    return float(1.96 * 1.25 * statistics.stdev(found) / math.sqrt(len(found)))


@dataclass(frozen=True, slots=True)
class Job:
    """The task of a process."""

    folder: Path
    config: EngineConfig
    answers: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run. Gaps and flushes in milliseconds, speeds in tokens per second.

    Attributes:
        gaps: while each of _GAPS goes on.
        tok_s: of each answer with no view open.
        gui_us, rest_us: CPU time per token of the window's thread, and of all others, in
            microseconds for each answer; by the view shown.
        taken: the view's cost in percent of tokens per second, for each stretch with it open.
    """

    model: str
    gaps: dict[str, list[float]]
    flushes: list[float]
    tok_s: list[float]
    debugger_share: list[float]
    gui_us: dict[str, list[float]]
    rest_us: dict[str, list[float]]
    taken: dict[str, list[float]]


def writing_run(job: Job) -> Run:
    """One run in its own process, as an engine's libraries are imported once per process.

    Raises BiplaneError.
    """
    done = run_process([sys.executable, "-c", _MAIN], pickle.dumps(job), _RUN_TIMEOUT_S)
    if done.code:
        raise BiplaneError(done.last_error or "The measuring process ended.")
    return Run(**json.loads(done.output.splitlines()[-1]))


def figures(runs: list[Run]) -> Iterator[Figure]:
    for name, what in _GAPS.items():
        p95 = [quantile(run.gaps[name], 0.95) for run in runs]
        most = [max(run.gaps[name]) for run in runs]
        yield figure(f"gap_{name}_p95", f"frame gap p95, {what}", p95, GAP_P95_MS)
        yield figure(f"gap_{name}_most", f"longest frame gap, {what}", most, GAP_MOST_MS)
    flushes = [quantile(run.flushes, 0.95) for run in runs]
    yield figure("flush_engine_p95", "flush p95 while the engine writes", flushes, 8.0)
    speeds = [statistics.median(run.tok_s) for run in runs]
    yield figure("tok_s", "tokens per second, nothing else open", speeds, None, unit="tok/s")
    for shown, what, budget in (
        ("pane", "the open pane", None),
        ("debugger", "the debugger", DEBUGGER_COST),
    ):
        costs = [statistics.median(run.taken[shown]) for run in runs]
        words = f"share of tokens/s that {what} takes"
        yield figure(f"{shown}_cost", words, costs, budget, unit="%")
        margins = [margin(run.taken[shown]) for run in runs]
        yield figure(f"{shown}_cost_margin", f"{words}: more or less", margins, None, unit="%")
    yield from _processor_figures(runs)
    what = "share of the time that the debugger itself computes"
    shares = [statistics.median(run.debugger_share) for run in runs]
    yield figure("debugger_share", what, shares, None, unit="%")


def _processor_figures(runs: list[Run]) -> Iterator[Figure]:
    """CPU time of an answer, which other load affects much less than speed."""
    for shown, what in (("", "nothing else"), ("pane", "the pane"), ("debugger", "the debugger")):
        for name, of, column in (
            ("gui", "the window's thread", [run.gui_us[shown] for run in runs]),
            ("rest", "all other threads", [run.rest_us[shown] for run in runs]),
        ):
            costs = [statistics.median(one) for one in column]
            words = f"{of} computes for each token, {what} open"
            yield figure(f"{name}_us_{shown or 'closed'}", words, costs, None, unit="µs")
    for shown, what in (("pane", "the open pane"), ("debugger", "the debugger")):
        words = f"share of the processor's time for a token that {what} adds"
        shares = [_added(run, shown) for run in runs]
        yield figure(f"{shown}_processor", words, shares, None, unit="%")


def _added(run: Run, shown: str) -> float:
    """Percent, comparing each answer with the previous one without the view."""
    closed = [a + b for a, b in zip(run.gui_us[""], run.rest_us[""], strict=True)]
    opened = [a + b for a, b in zip(run.gui_us[shown], run.rest_us[shown], strict=True)]
    return 100 * statistics.median(b / a - 1 for a, b in zip(closed, opened, strict=True))


def measured(job: Job) -> Run:
    """Load, prefill, and write answers with no view, the pane, and the debugger."""
    given = {"max_tokens": MOST_TOKENS, "seed": 1, "ignore_end": True}
    with tempfile.TemporaryDirectory() as folder, stage(Path(folder), job.config, **given) as made:
        meter = GapMeter()
        meter.start()
        made.bridge.open_model(job.folder)
        session = made.session
        made.until(lambda: session.engine.phase is not EnginePhase.LOADING, LOAD_TIMEOUT_S)
        gaps: dict[str, list[float]] = {name: [] for name in _GAPS}
        gaps["load"] = meter.stop()
        model = session.engine.model
        if model is None:
            raise BiplaneError(session.engine.sentence or "The model did not open.")
        made.collector.settle()
        size = _size(made, model.context)
        for shown in _SHOWN:
            _show(made, shown)
            _answer(made, _ASKED, size.answer)
        _show(made, "")
        for number in range(_PROMPTS):
            gaps["prefill"] += _read(made, number, size.read)
        made.bridge.costs_ms.clear()
        speeds: list[float] = []
        shares: list[float] = []
        gui_us: dict[str, list[float]] = {shown: [] for shown in _SHOWN}
        rest_us: dict[str, list[float]] = {shown: [] for shown in _SHOWN}
        for _ in range(job.answers):
            for shown in _SHOWN:
                _show(made, shown)
                meter.start()
                here, everywhere = time.thread_time(), time.process_time()
                report = _answer(made, _ASKED, size.answer)
                assert report.decode_tok_s is not None
                if not shown:
                    speeds.append(report.decode_tok_s)
                mine = time.thread_time() - here
                others = time.process_time() - everywhere - mine
                gaps[f"decode_{shown}" if shown else "decode"] += meter.stop()
                gui_us[shown].append(1e6 * mine / report.generated)
                rest_us[shown].append(1e6 * others / report.generated)
                if shown == "debugger":
                    shares.append(100 * made.window.debugger.cost.share)
        _show(made, "")
        tok_s = statistics.median(speeds)
        taken = {shown: _shares(made, shown, tok_s, size.answer) for shown in _SHOWN if shown}
        flushes = made.bridge.costs_ms
        return Run(model.name, gaps, flushes, speeds, shares, gui_us, rest_us, taken)


def _shares(made: Stage, shown: str, tok_s: float, tokens: int) -> list[float]:
    """The cost of the pane or the debugger in percent of tokens per second."""

    def show(on: bool) -> None:
        _show(made, shown if on else "")

    found = shares(list(stretches(made, show, lambda: _ask(made, _ASKED), tok_s)))
    if len(found) == PAIRS:
        return found
    # The model writes too fast, or too little, to measure parts of an answer.
    costs = []
    for number in range(2 * PAIRS + 1):
        show(number % 2 == 1)
        report = _answer(made, _ASKED, tokens)
        assert report.decode_tok_s is not None
        costs.append(1 / report.decode_tok_s)
    return shares(costs)


def _show(made: Stage, shown: str) -> None:
    """Show one of _SHOWN next to or in place of the chat."""
    made.window.debugger.show(shown == "debugger")
    made.window.show_cache(shown == "pane")
    made.rest()


@dataclass(frozen=True, slots=True)
class _Size:
    """The sizes to measure: tokens of an answer and of a prompt."""

    answer: int
    read: int


def _size(made: Stage, context: int) -> _Size:
    """Sizes that take this model seconds, estimated from a first short answer."""
    report = _answer(made, _READ.format(n=_PROMPTS) * _TRIED_SENTENCES, _TRIED_TOKENS)
    assert report.decode_tok_s is not None
    assert report.first_token_s is not None
    prompt = report.plan.total
    answer = max(_TRIED_TOKENS, min(ANSWER_TOKENS, int(ANSWER_S * report.decode_tok_s)))
    read = min(_READ_TOKENS, context - MOST_TOKENS, int(_READ_S * prompt / report.first_token_s))
    return _Size(answer, max(prompt, read))


def _read(made: Stage, number: int, tokens: int) -> list[float]:
    """The gaps while a long, uncached prompt is prefilled."""
    session, meter = made.session, GapMeter()
    sentences = max(_TRIED_SENTENCES, (tokens - 200) // _SENTENCE_TOKENS)
    made.window.menus.new.trigger()
    meter.start()
    made.window.drafts.send(_READ.format(n=number) * sentences)
    busy = (TurnState.WAITING, TurnState.QUEUED, TurnState.READING)
    made.until(lambda: session.current.turns[-1].state not in busy, ANSWER_TIMEOUT_S)
    gaps = meter.stop()
    turn = session.current.turns[-1]
    if turn.role == "error":
        raise BiplaneError(turn.text)
    made.bridge.perform(session.stop())
    made.until(lambda: session.current.running is None, ANSWER_TIMEOUT_S)
    return gaps


def _ask(made: Stage, asked: str) -> None:
    made.window.menus.new.trigger()
    made.window.drafts.send(asked)


def _answer(made: Stage, asked: str, tokens: int) -> ReuseReport:
    """Ask in a new conversation, and stop the answer after a number of tokens."""
    _ask(made, asked)
    session = made.session
    made.until(
        lambda: session.current.running is None or session.current.turns[-1].tokens >= tokens,
        ANSWER_TIMEOUT_S,
    )
    made.bridge.perform(session.stop())
    made.until(lambda: session.current.running is None, ANSWER_TIMEOUT_S)
    turn = session.current.turns[-1]
    if turn.report is None or turn.report.decode_tok_s is None:
        raise BiplaneError(turn.text or "The answer did not finish.")
    return turn.report


def main() -> int:
    """Run the pickled job from standard input, and print the run as JSON."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    job = pickle.load(sys.stdin.buffer)
    assert isinstance(job, Job)
    print(json.dumps(asdict(measured(job))))
    return 0
