"""Run the audit's conversations on an engine, step by step, cold and cached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.api import Engine
from engine.audit.conversations import ANSWER_TOKENS, CONVERSATIONS, Answers, Step, TokenIds
from engine.commands import Prompt
from engine.config import Sampling
from engine.errors import PromptError
from engine.events import RequestFailed, RequestFinished
from engine.message import Message, PromptOptions
from engine.reuse import ReusePlan, ReuseReport
from engine.run.verify import Bound, Comparison, compare
from engine.verdict import Verdict


@dataclass(frozen=True, slots=True)
class AuditStep:
    """One prompt, cached against cold.

    Attributes:
        plan: what the prompt reused, and why no more.
        passed: the step meets the mode's guarantee.
        verdict: in fast mode, on the state and the KV that the cached run stored for the prompt.
        report: of the answer generated for it; None if no answer was requested.
    """

    plan: ReusePlan
    comparison: Comparison
    passed: bool
    verdict: Verdict | None = None
    report: ReuseReport | None = None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One conversation: token sums over its steps, and the worst of its comparisons."""

    name: str
    steps: tuple[AuditStep, ...]
    reused: int
    replayed: int
    computed: int
    largest: float
    relative: float
    kl: float
    bit_equal: bool
    passed: bool


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Every row, and whether all of them meet the mode's guarantee."""

    model: str
    mode: str
    dtype: str
    rows: tuple[AuditRow, ...]
    passed: bool


def audit(
    engine: Engine,
    *,
    plant_wrong_state: bool = False,
    on_row: Callable[[AuditRow], None] | None = None,
) -> AuditReport:
    """Run every conversation; the cache is dropped before each.

    In exact mode a row passes if every step is bit-equal; in fast mode if differences are within
    rounding. Fast mode compares the state and the KV that the logits were computed from, since
    wrong ones may give similar logits, and right ones may not if rounding flips a near tie in a
    router. In either mode, asking the same prompt twice must reuse something.

    Args:
        plant_wrong_state: corrupt every stored state before each step, to see the audit fail.
        on_row: called with each row when it is complete.
    """
    mode, bound = engine.on_core(lambda core: (core.tuning.config.mode, core.rounding("none")))
    rows = []
    for conversation in CONVERSATIONS:
        row = _row(engine, conversation, None if mode == "exact" else bound, plant_wrong_state)
        rows.append(row)
        if on_row is not None:
            on_row(row)
    return AuditReport(
        model=engine.model.name,
        mode=mode,
        dtype=engine.model.dtype,
        rows=tuple(rows),
        passed=all(row.passed for row in rows),
    )


def _row(
    engine: Engine,
    conversation: Callable[[TokenIds], Answers],
    bound: Bound | None,
    plant: bool,
) -> AuditRow:
    """bound: on the differences; None requires equal bits."""
    engine.drop_cache()

    def token_ids(prompt: Prompt, options: PromptOptions) -> tuple[int, ...]:
        return engine.on_core(lambda core: core.prompt_ids(prompt, options))

    script = conversation(token_ids)
    steps: list[AuditStep] = []
    step = next(script)
    while True:
        checked = _check(engine, step, bound, plant)
        answer = Message("assistant", "")
        if step.answer:
            answer, report = _answer(engine, step)
            checked = replace(checked, report=report)
        steps.append(checked)
        try:
            step = script.send(answer)
        except StopIteration:
            break
    return _summed(conversation.__name__, tuple(steps))


def _check(engine: Engine, step: Step, bound: Bound | None, plant: bool) -> AuditStep:
    if plant:
        engine.on_core(lambda core: core.store.spoil_states())
    cached = engine.logits(step.prompt, True, step.options)
    cold = engine.logits(step.prompt, False, step.options)
    seen = compare(cached.logits, cold.logits)
    if bound is None:
        return AuditStep(cached.plan, seen, seen.bit_equal)
    alike = seen.relative <= bound.relative and seen.kl <= bound.kl
    verdict = _verdict(engine, step)
    if verdict is None or verdict.status == "drifted":
        return AuditStep(cached.plan, seen, alike, verdict)
    return AuditStep(cached.plan, seen, verdict.status != "quarantined", verdict)


def _verdict(engine: Engine, step: Step) -> Verdict | None:
    """The verdict on the state that the cached run stored at the prompt's end; None if none was."""
    plan = engine.probe(step.prompt, step.options)
    if plan.checkpoint is None or plan.reused != plan.total:
        return None
    return engine.verify(plan.checkpoint)


def _answer(engine: Engine, step: Step) -> tuple[Message, ReuseReport]:
    for event in engine.generate(step.prompt, Sampling.greedy(ANSWER_TOKENS), step.options):
        if isinstance(event, RequestFinished):
            said = Message(
                "assistant", event.text, thinking=event.thinking, token_ids=event.token_ids
            )
            return said, event.report
        if isinstance(event, RequestFailed):
            raise PromptError(event.sentence)
    raise AssertionError("a request ended without an end event")


def _summed(name: str, steps: tuple[AuditStep, ...]) -> AuditRow:
    comparisons = [step.comparison for step in steps]
    kept = all(step.passed for step in steps)
    if name in ("same_prompt_twice", "regenerate"):
        kept = kept and steps[-1].plan.reused > 0
    return AuditRow(
        name=name,
        steps=steps,
        reused=sum(step.plan.reused for step in steps),
        replayed=sum(step.plan.replayed for step in steps),
        computed=sum(step.plan.computed for step in steps),
        largest=max(c.largest for c in comparisons),
        relative=max(c.relative for c in comparisons),
        kl=max(c.kl for c in comparisons),
        bit_equal=all(c.bit_equal for c in comparisons),
        passed=kept,
    )
