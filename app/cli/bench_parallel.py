"""`biplane bench parallel`: the tokens a second of several answers that are written at once."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.bench_speed import add_llama_server, engine_config, layers, model_of
from app.core.options import shared as options
from app.core.options.parser import positive

if TYPE_CHECKING:
    from engine.bench.parallel import ParallelReport


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parallel = benches.add_parser(
        "parallel",
        help="the tokens a second of several answers that are written at once",
        description="Measure one answer alone, and several at once, by turns, on a random model "
        "of the Qwen3.5-0.8B shape (or on --model). Rates are of all answers together, while all "
        "are written; without drafts.",
    )
    options.add_engine_options(parallel)
    parallel.add_argument(
        "--streams",
        type=positive,
        nargs="+",
        default=[2, 4],
        metavar="N",
        help="answers at once (default: 2 4)",
    )
    parallel.add_argument(
        "--tokens", type=positive, default=128, help="tokens of an answer (default: 128)"
    )
    parallel.add_argument(
        "--rounds", type=positive, default=5, help="medians are of so many rounds (default: 5)"
    )
    add_llama_server(parallel, "the same, in the same rounds,")
    parallel.add_argument(
        "--layers",
        type=layers,
        metavar="N",
        help="use fewer than the shape's 24 layers, for a quick try; every fourth has attention",
    )
    parallel.set_defaults(run=run, dtype="bfloat16")


def run(args: argparse.Namespace) -> int:
    from engine.bench.parallel import ParallelAsk, bench_parallel

    ask = ParallelAsk(tuple(args.streams), args.tokens, args.rounds, args.llama_server)
    with model_of(args) as model, engine_config(args) as config:
        report = bench_parallel(model, config, ask, options.progress)
    return options.show(args, report, print_parallel)


def print_parallel(report: ParallelReport) -> None:
    print(f"{report.machine}\n{report.model}, {report.weights}\n")
    for row in report.rows:
        many = "answer alone" if row.streams == 1 else "answers at once"
        beside = "" if row.beside is None else f", {row.beside:.2f} times llama-server"
        print(
            f"{row.engine:<13}{row.streams:>3} {many:<18}{row.tok_s:>9.1f} tok/s{row.ratio:>8.2f}x"
            f"{beside}"
        )
