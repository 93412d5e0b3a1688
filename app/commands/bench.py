"""`biplane bench`: measure the engine on this machine."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from app.commands import (
    bench_agent,
    bench_formats,
    bench_gpu,
    bench_quick,
    bench_remote,
    bench_speed,
    bench_switch,
    options,
)
from app.commands.parser import positive

if TYPE_CHECKING:
    from app.bench_gui import GuiReport
    from engine.bench.cache import CacheReport
    from engine.bench.turns import TurnsReport


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("bench", help="measure the engine on this machine")
    benches = parser.add_subparsers(required=True, metavar="WHAT")
    turns = benches.add_parser(
        "turns",
        help="what each way of returning to a chat costs",
        description="Measure a long chat on a random model of the Qwen3.5-0.8B shape: time to "
        "the first token with and without the state plane, and tokens processed for each way "
        "of returning to a chat.",
    )
    options.add_engine_options(turns)
    turns.add_argument("--json", action="store_true")
    turns.add_argument("--context", type=positive, default=4800, help="words in the system prompt")
    turns.add_argument(
        "--layers",
        type=bench_speed.layers,
        help="use fewer than the shape's 24 layers, for a quick try",
    )
    turns.set_defaults(run=run_turns, dtype="bfloat16")
    gui = benches.add_parser(
        "gui",
        help="how smooth the window is: opening, scrolling, streaming, searching, starting",
        description="Measure the real window on the real engine: open and scroll conversations of "
        "250,000 tokens, stream into them, search 10,000 messages, start in a fresh process, draw "
        "trees of 50,000 nodes, seek in a trace of a million entries, and look at the frame gaps "
        "while a model loads, reads a prompt and writes, and at what the pane and the debugger "
        "take of its tokens per second. Takes some minutes.",
    )
    options.add_engine_options(gui)
    gui.add_argument("--json", action="store_true")
    gui.add_argument(
        "--answers", type=positive, default=2, help="answers a run in each state of the cache pane"
    )
    gui.add_argument("--runs", type=positive, default=3, help="medians are of so many runs")
    gui.add_argument(
        "--only",
        choices=("start", "search", "read", "stream", "draw", "seek", "write"),
        action="append",
        help="measure only this part; may be repeated",
    )
    gui.set_defaults(run=run_gui)
    cache = benches.add_parser(
        "cache",
        help="what the eviction policies keep, on simulated workloads",
        description="Run seeded workloads on a cache without a model, under every eviction policy "
        "and at several budgets; compare with a bound on what any policy could reuse, and time "
        "the tree itself. Takes several minutes.",
    )
    cache.add_argument("--json", action="store_true")
    cache.add_argument("--quick", action="store_true", help="run a small part, in half a minute")
    cache.set_defaults(run=run_cache)
    bench_quick.add(benches)
    bench_formats.add(benches)
    bench_speed.add(benches)
    bench_gpu.add(benches)
    bench_remote.add(benches)
    bench_switch.add(benches)
    bench_agent.add(benches)


def run_turns(args: argparse.Namespace) -> int:
    from engine.bench.turns import bench_turns

    config = options.engine_config(args)
    with bench_speed.model_of(args) as model:
        report = bench_turns(model, config, options.progress, context_words=args.context)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
    else:
        print_turns(report)
    return 0


def run_gui(args: argparse.Namespace) -> int:
    from app.main import SWITCH_INTERVAL_S
    from app.preflight import desktop_problem

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    problem = desktop_problem()
    if problem:
        print(problem, file=sys.stderr)
        return 2
    from app.bench_gui import PARTS, GuiAsk, bench_gui

    ask = GuiAsk(args.answers, args.runs, tuple(args.only or PARTS))
    report = bench_gui(
        args.model or options.demo_model_dir(), options.engine_config(args), ask, options.progress
    )
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
    else:
        print_gui(report)
    return 0


def print_gui(report: GuiReport) -> None:
    print(f"{report.processor}; display {report.display}; medians of {report.runs} runs")
    print("load of the machine {:.1f} before, {:.1f} after".format(*report.load))
    if report.model:
        print(f"model {report.model}")
    for one in report.figures:
        budget = "" if one.budget is None else f"of {one.budget:g} {one.unit}"
        verdict = "" if one.budget is None else "holds" if one.holds else "MISSED"
        print(f"{one.what:<76}{one.value:>9.2f} {one.unit:<3}{budget:>12}  {verdict}")


def run_cache(args: argparse.Namespace) -> int:
    from engine.bench.cache import FULL, QUICK, bench_cache

    report = bench_cache(QUICK if args.quick else FULL, options.progress)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
    else:
        print_cache(report)
    return 0


def print_turns(report: TurnsReport) -> None:
    print(f"{report.model}, {report.dtype}, context {report.context:,}\n{report.machine}\n")
    print(f"{'checkpoints':<22}{'turn 1':>9}{'turn 2':>9}{'turn 10':>9}{'state plane':>14}")
    for row in report.planes:
        times = "".join(f"{turn.first_token_s:>7.2f} s" for turn in row.turns)
        print(f"{row.setting:<22}{times}{row.state_bytes / 2**20:>10.0f} MiB")
    print(
        f"\n{'way back':<30}{'prompt':>8}{'processed':>11}{'of which new':>14}{'first token':>13}"
    )
    for way in report.ways:
        print(
            f"{way.way:<30}{way.prompt:>8,}{way.processed:>11,}{way.new:>14,}"
            f"{way.first_token_s:>11.2f} s"
        )
    restart = report.restart
    sooner = restart.cold.first_token_s / restart.extension.first_token_s
    equal = "bit-equal to" if restart.bit_equal else "not bit-equal to"
    print(
        f"\nafter a restart the first token arrives {sooner:.1f} times sooner than cold "
        f"({restart.opened_bytes / 2**20:,.0f} MiB of files), its logits {equal} a cold run's"
    )


def print_cache(report: CacheReport) -> None:
    print(f"{report.requests:,} requests per workload and seed; shares are of the prompts' tokens")
    print(
        f"{'workload':<13}{'model':<6}{'budget':>7}{'KV slots':>11}{'states':>8}  {'policy':<10}"
        f"{'reused':>8}{'replayed':>10}{'computed':>10}{'FLOPs saved':>13}"
        f"{'bound':>8}{'of bound':>10}"
    )
    for row in report.rows:
        print(
            f"{row.workload:<13}{row.model:<6}{row.budget:>7.0%}{row.kv_slots:>11,}"
            f"{row.state_slots:>8,}  {row.policy:<10}{row.reused / row.tokens:>8.1%}"
            f"{row.replayed / row.tokens:>10.1%}{row.computed / row.tokens:>10.1%}"
            f"{row.flops_saved / row.flops:>13.1%}{row.bound / row.tokens:>8.1%}"
            f"{row.reused / max(row.bound, 1):>10.1%}"
        )
    print("\nthe tree: medians for paths of 50 nodes of 16 tokens")
    print(
        f"{'policy':<10}{'nodes':>9}{'match':>10}{'insert':>10}{'evict state':>13}"
        f"{'evict KV':>11}{'memory per node':>18}"
    )
    for tree in report.tree:
        print(
            f"{tree.policy:<10}{tree.nodes:>9,}{tree.match_us:>7.0f} µs{tree.insert_us:>7.0f} µs"
            f"{tree.evict_state_us:>10.0f} µs{tree.evict_kv_us:>8.0f} µs"
            f"{tree.node_bytes:>12,.0f} bytes"
        )
