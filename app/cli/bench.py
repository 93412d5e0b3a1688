"""`biplane bench`: measure the engine on this machine."""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import bench_drafts, bench_gpu, bench_parallel, bench_quick, bench_speed
from app.core.options import shared as options
from app.core.options.parser import positive
from app.core.words import format as fmt

if TYPE_CHECKING:
    from app.bench.gui import GuiReport
    from app.bench.switching import SwitchingReport
    from engine.bench.agent import AgentReport, Beside
    from engine.bench.agents import AgentsReport
    from engine.bench.cache import CacheReport
    from engine.bench.formats import FormatsReport
    from engine.bench.remote import RemoteCost
    from engine.bench.turns import TurnsReport
    from engine.cache.journal.request_ran import RequestRan

# Defaults of `bench switch`.
_CACHE_BYTES, _DISK_BYTES = 64 << 20, 256 << 20


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
    cache.add_argument("--quick", action="store_true", help="run a small part, in half a minute")
    cache.set_defaults(run=run_cache)
    bench_drafts.add(benches)
    bench_parallel.add(benches)
    bench_quick.add(benches)
    _add_formats(benches)
    bench_speed.add(benches)
    bench_gpu.add(benches)
    _add_remote(benches)
    _add_switch(benches)
    _add_agent(benches)
    for each in benches.choices.values():
        each.add_argument("--json", action="store_true")


def run_turns(args: argparse.Namespace) -> int:
    from engine.bench.turns import bench_turns

    config = options.engine_config(args)
    with bench_speed.model_of(args) as model:
        report = bench_turns(model, config, options.progress, context_words=args.context)
    return options.show(args, report, print_turns)


def run_gui(args: argparse.Namespace) -> int:
    from app.shell.main import SWITCH_INTERVAL_S
    from app.shell.preflight import desktop_problem

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    problem = desktop_problem()
    if problem:
        print(problem, file=sys.stderr)
        return 2
    from app.bench.gui import PARTS, GuiAsk, bench_gui

    ask = GuiAsk(args.answers, args.runs, tuple(args.only or PARTS))
    report = bench_gui(
        args.model or options.demo_model_dir(), options.engine_config(args), ask, options.progress
    )
    return options.show(args, report, print_gui)


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
    return options.show(args, report, print_cache)


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


def _add_formats(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    formats = benches.add_parser(
        "formats",
        help="what weights in 8 or 4 bits cost in memory and quality",
        description="Run the same conversations on the stored weights and on each format made from "
        "them, and measure how far apart the predictions are at every position.",
    )
    options.add_engine_options(formats)
    formats.add_argument(
        "--random",
        type=bench_speed.layers,
        metavar="LAYERS",
        help="use a random model of the Qwen3.5-0.8B shape with this many layers",
    )
    formats.add_argument(
        "--gguf",
        type=Path,
        nargs="+",
        default=(),
        metavar="FILE",
        help="the same model in GGUF files, for a row each",
    )
    formats.set_defaults(run=run_formats)


def run_formats(args: argparse.Namespace) -> int:
    from engine.bench.formats import bench_formats
    from engine.bench.random_model import random_model
    from engine.model.family import QWEN35_0_8B

    config = options.engine_config(args)
    with tempfile.TemporaryDirectory() as folder:
        model = args.model or options.demo_model_dir()
        if args.random:
            # With its own head: a random tied one would only repeat the previous token.
            sizes = {
                **QWEN35_0_8B,
                "num_hidden_layers": args.random,
                "vocab_size": 32_768,
                "tie_word_embeddings": False,
            }
            model = random_model(Path(folder) / "random", sizes, dtype="bfloat16")
        report = bench_formats(model, config, options.progress, args.gguf)
    return options.show(args, report, print_formats)


def print_formats(report: FormatsReport) -> None:
    print(f"{report.model}, {report.dtype}, {report.positions:,} positions")
    wide = max(len(row.weights) for row in report.rows)
    print(
        f"{'weights':<{wide}}{'MiB':>9}{'bits':>7}{'KL mean':>10}{'median':>10}{'worst':>10}"
        f"{'same top':>10}"
    )
    for row in report.rows:
        print(
            f"{row.weights:<{wide}}{row.weight_bytes / 2**20:>9,.1f}{row.bits:>7.2f}"
            f"{row.kl_mean:>10.5f}{row.kl_median:>10.5f}{row.kl_worst:>10.4f}{row.same_top:>10.2%}"
        )


def _add_remote(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "remote",
        help="how many events of engines elsewhere can be followed",
        description="Rebuild the caches of a made-up fleet from its KV events, then follow more "
        "events at a rate. Takes about a minute, and a gigabyte of memory.",
    )
    parser.add_argument("--workers", type=positive, default=64)
    parser.add_argument("--blocks", type=positive, default=1_000_000, help="of all workers")
    parser.add_argument("--rate", type=positive, default=20_000, help="events a second")
    parser.add_argument("--seconds", type=positive, default=5)
    parser.set_defaults(run=run_remote)


def run_remote(args: argparse.Namespace) -> int:
    from engine.bench.remote import measure

    cost = measure(args.workers, args.blocks, args.rate, args.seconds, options.progress)
    return options.show(args, cost, print_remote)


def print_remote(cost: RemoteCost) -> None:
    first, later = cost.snapshot_s
    print(f"{cost.workers} workers, {cost.blocks:,} blocks of 16 tokens, {cost.nodes:,} nodes")
    print(f"rebuilt and drawn     {cost.fill_s:8.1f} s of one processor")
    print(f"memory                {cost.nbytes / 2**20:8,.0f} MiB, the tape included")
    print(f"followed              {cost.events / cost.seconds:8,.0f} events a second")
    print(f"                      {cost.busy:8.2f} s of processor time a second")
    print(f"behind at the end     {cost.behind_s:8.2f} s; trees drawn {cost.late_s:.1f} s late")
    print(f"inferred requests     {cost.unlisted:8,} not listed")
    print(f"snapshot for panes    {first:8.2f} s the first, {later:.2f} s a later one")


def _add_switch(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "switch",
        help="what switching between two models and back costs",
        description="Chat with two models in turn and measure what the first question after coming "
        "back reuses, how long it takes, and what the caches of both take. The second model is "
        "--second, or a copy of the first one with a cache of its own.",
    )
    options.add_engine_options(parser)
    parser.add_argument("--second", type=Path, metavar="FOLDER", help="the other model")
    parser.add_argument("--rounds", type=positive, default=10, help="times to come back")
    parser.set_defaults(run=run_switch)


def run_switch(args: argparse.Namespace) -> int:
    from app.bench.switching import bench_switching, copied_model

    first = args.model or options.demo_model_dir()
    with tempfile.TemporaryDirectory() as data:
        config = options.engine_config(args)
        config = dataclasses.replace(
            config,
            cache_bytes=config.cache_bytes or _CACHE_BYTES,
            disk_bytes=config.disk_bytes or _DISK_BYTES,
            # A separate folder: an existing cache would be reused, too.
            cache_dir=Path(data) / "cache",
        )
        second = args.second or copied_model(first, Path(data) / "second")
        report = bench_switching(first, second, config, args.rounds, _say)
    return options.show(args, report, print_switch)


def print_switch(report: SwitchingReport) -> None:
    for number, one in enumerate(report.returns, 1):
        print(
            f"return {number:>2}: prompt {one.prompt:>6,} tokens, {one.reused:>6,} reused; open in "
            f"{fmt.seconds(one.switch_s)}, first token in {fmt.seconds(one.first_token_s)}; planes "
            f"{fmt.byte_size(one.cache_bytes)}, files {fmt.byte_size(one.file_bytes)}, process "
            f"{fmt.byte_size(one.rss_bytes)}"
        )
    print(
        f"reused {report.reused_share:.0%} of the prompts after coming back; median "
        f"{fmt.seconds(report.switch_s)} to open, {fmt.seconds(report.first_token_s)} to the first "
        f"token; budgets {fmt.byte_size(report.cache_budget)} and "
        f"{fmt.byte_size(report.disk_budget)} on disk; left behind: "
        f"{', '.join(report.threads + report.files) or 'nothing'}"
    )


def _say(what: str) -> None:
    print(what, file=sys.stderr)


def _add_agent(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "agent",
        help="what the turns of an agent cost through the server",
        description="Run a session of tool calls through the server on this computer, and count "
        "the tokens that each turn processes.",
    )
    options.add_engine_options(parser)
    parser.add_argument(
        "--beside",
        metavar="ADDRESS",
        help="then send the same prompts, token for token, to another server with this model",
    )
    bench_speed.add_llama_server(parser, "the same")
    parser.add_argument("--turns", type=positive, default=30, help="tool calls (default: 30)")
    parser.add_argument(
        "--agents",
        type=positive,
        default=1,
        help="so many at once with the same rules, beside messages from the window (default: 1)",
    )
    parser.set_defaults(run=run_agent)


def run_agent(args: argparse.Namespace) -> int:
    from engine import Engine
    from engine.bench.agent import recorded_agent

    with Engine.open(args.model or options.demo_model_dir(), options.engine_config(args)) as engine:
        if args.agents > 1:
            from engine.bench.agents import bench_agents

            made = bench_agents(engine, args.agents, args.turns, options.progress)
            return options.show(args, made, print_agents)
        report, ran = recorded_agent(engine, args.turns, options.progress)
    others = _others(args, ran)
    beside = [dataclasses.asdict(one) for one in others]
    options.show(args, report, print_agent, beside=beside)
    if not args.json:
        for other in others:
            _print_other(other)
    return 0


def print_agent(report: AgentReport) -> None:
    print(f"{report.model}\n{report.machine}\n")
    print(f"{'turn':>5}{'prompt':>9}{'processed':>11}{'replayed':>10}{'new':>7}{'first token':>13}")
    for row in report.turns:
        first = "" if row.first_token_s is None else f"{row.first_token_s:.3f} s"
        print(
            f"{row.turn:>5}{row.prompt:>9,}{row.processed:>11,}{row.replayed:>10,}"
            f"{row.added:>7,}{first:>13}"
        )
    print(f"  all{sum(r.prompt for r in report.turns):>9,}", end="")
    print(f"{sum(r.processed for r in report.turns):>11,}")


def print_agents(report: AgentsReport) -> None:
    print(f"{report.machine}\n{report.model}, {report.agents} agents of {report.turns} turns\n")
    print(f"tokens of all prompts  {report.prompts:>9,}")
    print(f"new, and common once   {report.least:>9,}")
    print(f"processed              {report.processed:>9,}, of which replayed {report.replayed:,}")
    print(
        f"\nIn {report.seconds:.1f} s. A pass takes up to {report.pass_s:.3f} s. A message from the"
    )
    print("window had its first token after")
    for where, times in (("alone", report.alone_s), ("beside the agents", report.beside_s)):
        middle, most = statistics.median(times), max(times)
        print(f"  {where:<19}{middle:.3f} s, at most {most:.3f} s ({len(times)} messages)")


def _others(args: argparse.Namespace, ran: Sequence[RequestRan]) -> list[Beside]:
    """The same prompts on other engines."""
    from engine.bench.agent import OWN_TOKENS, beside
    from engine.bench.llama_server import llama_server

    found = []
    if args.beside:
        found.append(beside(args.beside, ran, OWN_TOKENS, options.progress))
    if args.llama_server:
        longest = max(len(one.prompt) for one in ran)
        with llama_server(args.llama_server, longest + 256, args.threads or 1) as url:
            found.append(beside(url, ran, OWN_TOKENS, options.progress))
    return found


def _print_other(other: Beside) -> None:
    print(f"\nThe same prompts on {other.server}, token for token\n")
    print(f"{'turn':>5}{'prompt':>9}{'processed':>11}{'prompt took':>13}{'same answer':>13}")
    for row in other.turns:
        processed = "not told" if row.processed is None else f"{row.processed:,}"
        took = "" if row.prompt_s is None else f"{row.prompt_s:.3f} s"
        same = "yes" if row.same else "no"
        print(f"{row.turn:>5}{row.prompt:>9,}{processed:>11}{took:>13}{same:>13}")
    print(f"  all{sum(row.prompt for row in other.turns):>9,}", end="")
    print(f"{sum(row.processed or 0 for row in other.turns):>11,}")
