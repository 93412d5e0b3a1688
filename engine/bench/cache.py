"""`biplane bench cache`: every workload on every model shape, budget and policy, with the bound."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.sim.runner import MODELS, ModelCost, plane_sizes, run_workload
from engine.analysis.sim.script import Workload
from engine.analysis.sim.unbounded import Bound, Unbounded, run_unbounded
from engine.analysis.sim.workloads import WORKLOADS
from engine.bench import tree_cost
from engine.bench.harness import Progress
from engine.bench.tree_cost import TreeCost
from engine.config import POLICY_NAMES
from engine.journal.request import RunRules

BUDGETS = (0.05, 0.10, 0.25, 0.50)
TIGHT_BUDGETS = (0.01, 0.02)
# Seeds 1 to 3 are used for tuning.
SEEDS = (11, 12, 13)
FIRST_MODEL = "9B"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to run: all seeds and tight budgets for the first model, one seed for the others.

    Attributes:
        requests: per workload.
        tree_sizes: node counts of the trees whose operations are timed.
    """

    requests: int
    seeds: tuple[int, ...]
    models: tuple[str, ...]
    budgets: tuple[float, ...]
    tight: tuple[float, ...]
    tree_sizes: tuple[int, ...]


FULL = Effort(600, SEEDS, ("9B", "0.8B", "27B", "Next"), BUDGETS, TIGHT_BUDGETS, tree_cost.SIZES)
QUICK = Effort(120, SEEDS[:1], (FIRST_MODEL,), (0.05, 0.25), (), tree_cost.SIZES[:2])


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """One workload on one model and budget under one policy, summed over the seeds.

    Attributes:
        budget: share of the workload's footprint; kv_slots and state_slots are the first seed's.
        reused, replayed, computed: prompt tokens; they sum to `tokens`.
        bound: upper bound on the tokens that any policy could reuse.
        flops, flops_saved: to run all prompts in full, and the part that reuse saved.
    """

    workload: str
    model: str
    budget: float
    policy: str
    seeds: tuple[int, ...]
    kv_slots: int
    state_slots: int
    tokens: int
    reused: int
    replayed: int
    computed: int
    bound: float
    flops: float
    flops_saved: float


@dataclass(frozen=True, slots=True)
class CacheReport:
    """What `biplane bench cache` measured."""

    requests: int
    rows: tuple[PolicyRow, ...]
    tree: tuple[TreeCost, ...]


def bench_cache(effort: Effort, progress: Progress) -> CacheReport:
    """Run everything in `effort`, reporting progress."""
    rows: list[PolicyRow] = []
    rules = RunRules()
    for name, make in WORKLOADS.items():
        progress(f"{name}: {effort.requests} requests, seeds {', '.join(map(str, effort.seeds))}")
        workloads = [make(seed, effort.requests) for seed in effort.seeds]
        known = [_Known(workload, run_unbounded(workload, rules)) for workload in workloads]
        for model in effort.models:
            first = model == FIRST_MODEL
            budgets = (*effort.tight, *effort.budgets) if first else effort.budgets
            for budget in budgets:
                seeded = known if first else known[:1]
                rows.extend(_rows(seeded, MODELS[model], budget, rules))
    tree = []
    for policy in POLICY_NAMES:
        for size in effort.tree_sizes:
            progress(f"a tree of {size:,} nodes under {policy}")
            tree.append(tree_cost.measure(policy, size))
    return CacheReport(effort.requests, tuple(rows), tuple(tree))


class _Known:
    """A workload, its run with unlimited room, and its bound: known before any policy runs."""

    def __init__(self, workload: Workload, whole: Unbounded) -> None:
        self.workload = workload
        self.whole = whole
        self.bound = Bound(whole.choices)


def _rows(known: list[_Known], model: ModelCost, budget: float, rules: RunRules) -> list[PolicyRow]:
    sizes = [plane_sizes(each.whole, model, budget) for each in known]
    bound = sum(
        each.bound.reused(size.kv_slots, size.state_slots)
        for each, size in zip(known, sizes, strict=True)
    )
    rows = []
    for policy in POLICY_NAMES:
        scores = [
            run_workload(each.workload, model, size, policy, rules)
            for each, size in zip(known, sizes, strict=True)
        ]
        rows.append(
            PolicyRow(
                workload=known[0].workload.name,
                model=model.name,
                budget=budget,
                policy=policy,
                seeds=tuple(each.workload.seed for each in known),
                kv_slots=sizes[0].kv_slots,
                state_slots=sizes[0].state_slots,
                tokens=sum(score.tokens for score in scores),
                reused=sum(score.reused for score in scores),
                replayed=sum(score.replayed for score in scores),
                computed=sum(score.computed for score in scores),
                bound=bound,
                flops=sum(score.flops for score in scores),
                flops_saved=sum(score.flops_saved for score in scores),
            )
        )
    return rows
