"""`biplane bench gpu`: models of several sizes on an NVIDIA GPU, compared with its limits."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from app.cli.bench_speed import lengths
from app.cli.speed_tables import MIB, gigabytes
from app.core.options import shared as options

if TYPE_CHECKING:
    from engine.bench.gpu import GpuReport, GpuRun, GpuSpeed

NAMES = ("0.8B", "4B", "9B", "27B")
# Tokens before the first answer, if nothing else is asked for.
CONTEXTS = (4800, 65536)
NO_GPU = "There is no CUDA device on this machine, so there is nothing to measure."


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "gpu",
        help="models of several sizes on an NVIDIA GPU, compared with its limits",
        description="Measure random models of the family's sizes, made on the GPU: prefill and "
        "decode compared with the GPU's own rates, checkpoint restores, two turns of a long "
        "chat, and transformers with flash-linear-attention if both are installed. Takes "
        "minutes per size.",
    )
    parser.add_argument(
        "--shapes",
        type=shapes,
        default=NAMES,
        metavar="N,N",
        help=f"sizes to measure (default: {','.join(NAMES)})",
    )
    parser.add_argument(
        "--contexts",
        type=lengths,
        default=CONTEXTS,
        metavar="N,N",
        help="tokens before the first answer (default: 4800,65536)",
    )
    parser.set_defaults(run=run_gpu)


def shapes(text: str) -> tuple[str, ...]:
    """Parse names of known sizes."""
    names = tuple(text.split(","))
    if not set(names) <= set(NAMES):
        raise argparse.ArgumentTypeError(f'"{text}" is not a list of {", ".join(NAMES)}')
    return names


def run_gpu(args: argparse.Namespace) -> int:
    from engine.bench.gpu_rates import cuda_device

    device = cuda_device()
    if device is None:
        print(NO_GPU, file=sys.stderr)
        return 2
    from engine.bench.gpu import GpuAsk, bench_gpu

    report = bench_gpu(device, GpuAsk(shapes=args.shapes, contexts=args.contexts), options.progress)
    return options.show(args, report, print_gpu)


def print_gpu(report: GpuReport) -> None:
    rates = report.rates
    known = ", ".join(f"{name} {version or 'missing'}" for name, version in report.versions.items())
    print(f"{report.device}; {known}")
    print(
        f"reads {gigabytes(rates.read_bytes_s)}, copies {gigabytes(rates.copy_bytes_s)}, bfloat16 "
        f"products {rates.gemm_flop_s / 1e12:.0f} TFLOP/s\n"
    )
    print(
        f"{'shape':<7}{'weights':<9}{'MiB':>8}{'prefill tok/s':>15}{'of floor':>10}"
        f"{'decode tok/s':>14}{'of floor':>10}{'eager':>9}{'restore':>10}"
    )
    for run in report.runs:
        print_run(run)
    for name, peer in report.peers.items():
        if peer.reason:
            print(f"\ntransformers, {name}: {peer.reason}")
        else:
            print(
                f"\ntransformers, {name}: prefill {number(peer.prefill_tok_s)} tok/s, decode "
                f"{number(peer.decode_tok_s)} tok/s"
            )
    print("\nfloors: the matrix products alone for a prompt, one read of the weights for a token")


def print_run(run: GpuRun) -> None:
    restore = "-" if run.restore_s is None else f"{1e6 * run.restore_s:,.0f} µs"
    print(
        f"{run.shape:<7}{run.weights:<9}{run.weight_bytes / MIB:>8,.0f}{speed(run.prefill):>15}"
        f"{share(run.prefill):>10}{speed(run.decode):>14}{share(run.decode):>10}"
        f"{speed(run.eager):>9}{restore:>10}"
    )
    for turn in run.turns:
        print(
            f"       after {turn.context:,} tokens: first token in {turn.first_s:.3f} s, of the "
            f"next turn in {turn.second_s:.3f} s ({turn.reused:,} of {turn.prompt:,} reused), "
            f"{number(turn.decode_tok_s)} tok/s"
        )
    if run.reason:
        print(f"       {run.reason}")


def speed(found: GpuSpeed | None) -> str:
    return number(None if found is None else found.tok_s)


def share(found: GpuSpeed | None) -> str:
    return "-" if found is None else f"{found.ratio:.1%}"


def number(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:,.0f}"
