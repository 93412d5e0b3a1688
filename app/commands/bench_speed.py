"""`biplane bench prefill` and `biplane bench decode`: speed compared with the machine's limits."""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands import options
from app.commands.parser import positive

if TYPE_CHECKING:
    from engine.bench.decode import DecodeReport
    from engine.bench.machine import GemmRate, MachineRates
    from engine.bench.peer_report import Peer
    from engine.bench.prefill import EngineMemory, PrefillReport

MIB = 2**20
# Three linear layers, one with attention.
LEAST_LAYERS = 4
OF_FLOOR = (
    "The floor is the time of the matrix products alone, at the rate measured on this machine."
)


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    prefill = benches.add_parser(
        "prefill",
        help="prefill speed by prompt length, compared with the machine's own rates",
        description="Measure prefill on a random model of the Qwen3.5-0.8B shape (or on --model): "
        "tokens per second by length, a turn of 73 new tokens on a warm cache, and the share of "
        "what this machine's matrix products allow. Takes several minutes.",
    )
    prefill.add_argument(
        "--lengths",
        type=lengths,
        default=(512, 2048, 8192),
        metavar="N,N",
        help="prompt lengths in tokens (default: 512,2048,8192)",
    )
    prefill.add_argument(
        "--warm-context",
        type=positive,
        default=4800,
        metavar="N",
        help="tokens that the cache holds",
    )
    _add_common(prefill)
    prefill.set_defaults(run=run_prefill, dtype="bfloat16")
    decode = benches.add_parser(
        "decode",
        help="decode speed, compared with the machine's memory bandwidth",
        description="Measure decode on a random model of the Qwen3.5-0.8B shape (or on --model): "
        "tokens per second at several context lengths, the share of what reading the weights "
        "allows, and the speed of state copies. Takes several minutes.",
    )
    decode.add_argument(
        "--contexts",
        type=lengths,
        default=(500, 5000),
        metavar="N,N",
        help="context lengths in tokens (default: 500,5000)",
    )
    _add_common(decode)
    decode.set_defaults(run=run_decode, dtype="bfloat16")


def _add_common(parser: argparse.ArgumentParser) -> None:
    options.add_engine_options(parser)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--repeats",
        type=positive,
        default=3,
        metavar="N",
        help="runs per measurement; medians are reported",
    )
    parser.add_argument(
        "--layers",
        type=layers,
        metavar="N",
        help="use fewer than the shape's 24 layers, for a quick try; every fourth has attention",
    )
    parser.add_argument(
        "--gguf",
        type=Path,
        metavar="FILE",
        help="the same shape for llama-bench, if it is on the PATH",
    )
    parser.add_argument(
        "--no-peers", dest="peers", action="store_false", help="skip the other engines"
    )


def layers(text: str) -> int:
    """A number of layers that includes one of each kind."""
    number = positive(text)
    if number < LEAST_LAYERS:
        raise argparse.ArgumentTypeError(
            f"at least {LEAST_LAYERS} layers are needed to have one of each kind"
        )
    return number


def lengths(text: str) -> tuple[int, ...]:
    return tuple(positive(part) for part in text.split(","))


def run_prefill(args: argparse.Namespace) -> int:
    from app.commands.bench import progress
    from engine.bench.prefill import PrefillAsk, bench_prefill

    ask = PrefillAsk(args.lengths, args.repeats, args.warm_context)
    config = options.engine_config(args)
    with model_of(args) as model:
        report = bench_prefill(model, config, progress, ask, peers=args.peers, gguf=args.gguf)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
    else:
        print_prefill(report)
    return 0


def run_decode(args: argparse.Namespace) -> int:
    from app.commands.bench import progress
    from engine.bench.decode import DecodeAsk, bench_decode

    ask = DecodeAsk(args.contexts, repeats=args.repeats)
    config = options.engine_config(args)
    with model_of(args) as model:
        report = bench_decode(model, config, progress, ask, peers=args.peers, gguf=args.gguf)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
    else:
        print_decode(report)
    return 0


@contextmanager
def model_of(args: argparse.Namespace) -> Iterator[Path]:
    """The given folder, or a random model that is deleted afterwards."""
    if args.model:
        yield args.model
        return
    from app.commands.bench import progress
    from engine.bench.random_model import random_model
    from engine.model.random_checkpoint import QWEN35_0_8B

    config = dict(QWEN35_0_8B)
    if args.layers:
        config["num_hidden_layers"] = args.layers
    with tempfile.TemporaryDirectory() as folder:
        progress("writing a random model of the Qwen3.5-0.8B shape")
        # The files are written in bfloat16 or float32; "auto" would ask the model for its dtype.
        dtype = "bfloat16" if args.dtype == "auto" else args.dtype
        yield random_model(Path(folder) / "random-0.8B", config, dtype=dtype)


def print_prefill(report: PrefillReport) -> None:
    print_head(report)
    print(
        f"{'prompt':>8}{'seconds':>10}{'tok/s':>9}{'floor':>9}{'of floor':>10}   ms per token:"
        f"{'linear':>9}{'attention':>11}{'mlp':>8}{'rest':>8}"
    )
    for row in report.rows:
        layers = row.layers
        print(
            f"{row.tokens:>8,}{row.seconds:>10.2f}{row.tok_s:>9,.0f}{row.floor_tok_s:>9,.0f}"
            f"{row.ratio:>10.1%}{'':>16}{layers.linear_ms:>9.3f}{layers.attention_ms:>11.3f}"
            f"{layers.mlp_ms:>8.3f}{layers.rest_ms:>8.3f}"
        )
    print(OF_FLOOR)
    turn = report.warm_turn
    print(
        f"\n{turn.new} new tokens after {turn.context:,} in the cache ({turn.reused:,} reused, "
        f"{turn.replayed:,} replayed): first token in {turn.first_token_s:.3f} s, "
        f"floor {turn.floor_s:.3f} s ({turn.ratio:.1%} of it)"
    )
    print_memory(report.memory)
    ours = {row.tokens: row.tok_s for row in report.rows}
    for peer in report.peers:
        print_peer(peer)
        for theirs in peer.prefill:
            ways = (("one pass", theirs.one_pass_tok_s), ("in chunks", theirs.chunked_tok_s))
            speeds = ", ".join(
                f"{speed:,.0f} tok/s {way} (Biplane {ours[theirs.tokens] / speed:.1f} times that)"
                for way, speed in ways
                if speed is not None
            )
            print(f"{theirs.tokens:>8,}  {speeds}")


def print_decode(report: DecodeReport) -> None:
    print_head(report)
    print(
        f"{'context':>8}{'tok/s':>9}{'ms':>8}{'floor':>9}{'of floor':>10}{'with state, KV':>16}"
        f"{'operators':>11}"
    )
    for row in report.rows:
        print(
            f"{row.context:>8,}{row.tok_s:>9.1f}{1e3 * row.step_s:>8.1f}{row.floor_tok_s:>9.1f}"
            f"{row.ratio:>10.1%}{row.floor_all_tok_s:>16.1f}{row.operator_share:>11.1%}"
        )
    print(
        f"The floor reads {report.work.weight_bytes / MIB:,.0f} MiB of weights for every token. "
        f"Operator overhead: at most {1e3 * report.tiny_step_s:.1f} ms, a step through as many "
        "layers with hardly any weights."
    )
    copies = report.copies
    print(
        f"\na state of {copies.slot_bytes / MIB:.1f} MiB: restored in {1e3 * copies.restore_s:.2f} "
        f"ms ({gigabytes(copies.restore_bytes_s)}), forked in {1e3 * copies.fork_s:.2f} ms "
        f"({gigabytes(copies.fork_bytes_s)}), {copies.of_copy_rate:.0%} of a large copy's rate"
    )
    print_memory(report.memory)
    ours = {row.context: row.tok_s for row in report.rows}
    for peer in report.peers:
        print_peer(peer)
        for theirs in peer.decode:
            print(
                f"{theirs.context:>8,}  {theirs.tok_s:.1f} tok/s "
                f"(Biplane {ours[theirs.context] / theirs.tok_s:.1f} times that)"
            )


def print_head(report: PrefillReport | DecodeReport) -> None:
    rates: MachineRates = report.rates
    int8 = "none" if rates.int8 is None else teraflops(rates.int8)
    print(f"{report.model}, {report.dtype}, weights {report.weights}\n{report.machine}")
    print(
        f"reads {gigabytes(rates.read_bytes_s)}, copies {gigabytes(rates.copy_bytes_s)}; products "
        f"in TFLOP/s: bfloat16 {teraflops(rates.bfloat16)}, float32 {teraflops(rates.float32)}, "
        f"int8 {int8}\n"
    )


def print_memory(memory: EngineMemory) -> None:
    print(
        f"peak resident memory: {memory.loading_rss / MIB:,.0f} MiB while loading, "
        f"{memory.running_rss / MIB:,.0f} MiB after; held: weights "
        f"{memory.weights / MIB:,.0f}, KV plane {memory.kv_plane / MIB:,.0f}, state plane "
        f"{memory.state_plane / MIB:,.0f} MiB"
    )


def print_peer(peer: Peer) -> None:
    if peer.reason:
        print(f"\n{peer.name}: {peer.reason}")
        return
    peak = "" if peer.peak_rss_bytes is None else f", {peer.peak_rss_bytes / MIB:,.0f} MiB resident"
    print(f"\n{peer.name} {peer.version}{', ' if peer.model else ''}{peer.model}{peak}")


def gigabytes(rate: float) -> str:
    return f"{rate / 1e9:.1f} GB/s"


def teraflops(rates: tuple[GemmRate, ...]) -> str:
    return f"{max(rate.flop_s for rate in rates) / 1e12:.2f}"
