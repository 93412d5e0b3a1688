"""`biplane bench quick`: this machine's speed, and the weight format that suits it."""

from __future__ import annotations

import argparse
import sys

from app.cli.speed_tables import MIB, gigabytes
from app.core.options import shared as options
from app.core.store.load_times import speed_file
from app.core.words import format as fmt
from app.core.words.model_words import advice
from engine.config import DEVICES
from engine.machine_speed import MachineSpeed, keep

# More than an idle desktop uses.
BUSY_PERCENT = 20


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    quick = benches.add_parser(
        "quick",
        help="this machine in under two minutes, and which format of the weights suits it",
        description="Measure how fast this machine reads, copies and multiplies, and how fast a "
        "model generated for it reads a prompt and answers, in each format of the weights. Needs "
        "no download and takes less than two minutes. The result is kept for the dialog that opens "
        "models.",
    )
    quick.add_argument(
        "--device", choices=DEVICES, default="auto", help="compute device (default: auto)"
    )
    quick.add_argument("--threads", type=int, default=0, help="CPU threads (default: the cores)")
    quick.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine.bench.quick import bench_quick
    from engine.config import EngineConfig
    from engine.errors import CacheError

    try:
        config = EngineConfig(device=args.device, threads=args.threads)
    except CacheError as error:
        raise options.UsageError(str(error)) from None
    speed = bench_quick(config, options.progress)
    options.show(args, speed, lambda said: print("\n".join(lines(said))), advice=advice(speed))
    file = speed_file()
    try:
        keep(speed, file)
    except OSError as error:
        print(f"The result could not be kept in {file}: {error.strerror}.", file=sys.stderr)
    return 0


def lines(speed: MachineSpeed) -> list[str]:
    """The result as text."""
    eight = "none" if speed.int8_flop_s is None else f"{speed.int8_flop_s / 1e12:.2f}"
    return [
        speed.machine,
        f"kernels: {speed.kernels}",
        f"reads {gigabytes(speed.read_bytes_s)}, copies {gigabytes(speed.copy_bytes_s)}; products "
        f"in TFLOP/s: bfloat16 {speed.bfloat16_flop_s / 1e12:.2f}, "
        f"float32 {speed.float32_flop_s / 1e12:.2f}, int8 {eight}",
        model_line(speed),
        "",
        f"{'':<9}{'':>11}{f'prefill of {speed.prompt}, tok/s':^30}"
        f"{f'decode after {speed.context}, tok/s':^30}".rstrip(),
        f"{'weights':<9}{'memory':>11}{'measured':>10}{'floor':>9}{'of floor':>10}"
        f"{'measured':>11}{'floor':>9}{'of floor':>10}",
        *(
            f"{row.weights:<9}{row.weight_bytes / MIB:>7,.0f} MiB"
            f"{row.prefill_tok_s:>10,.0f}{row.prefill_floor_tok_s:>9,.0f}"
            f"{row.prefill_tok_s / row.prefill_floor_tok_s:>10.0%}"
            f"{row.decode_tok_s:>11,.1f}{row.decode_floor_tok_s:>9,.1f}"
            f"{row.decode_tok_s / row.decode_floor_tok_s:>10.0%}"
            for row in speed.formats
        ),
        "",
        "A floor is the time of the matrix products alone, or of reading the weights once.",
        advice(speed),
        f"Measured in {fmt.seconds(speed.seconds)}.",
        *busy_lines(speed),
    ]


def busy_lines(speed: MachineSpeed) -> list[str]:
    """A warning if other programs were busy."""
    if speed.busy_percent < BUSY_PERCENT:
        return []
    return [
        f"Other programs took {speed.busy_percent}% of the processors just before: the figures are "
        "too low. Measure again when the machine is idle."
    ]


def model_line(speed: MachineSpeed) -> str:
    """The generated model, and why it was not larger."""
    size = f"{speed.parameters / 1e6:,.0f} million parameters in {speed.layers} layers"
    why = {
        "memory": f"only {fmt.byte_size(speed.free_bytes)} of memory are free",
        "disk": "the disk has too little room for temporary files",
        "time": "the whole one would take more than two minutes",
    }
    if not speed.limited_by:
        return f"generated model: the shape of Qwen3.5-0.8B, {size}"
    return f"generated model: less than Qwen3.5-0.8B, as {why[speed.limited_by]}: {size}"
