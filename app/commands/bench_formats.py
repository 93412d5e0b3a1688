"""`biplane bench formats`: what keeping weights in 8 or 4 bits costs in quality."""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
from pathlib import Path

from app.commands import options
from app.commands.bench_speed import layers


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    formats = benches.add_parser(
        "formats",
        help="what weights in 8 or 4 bits cost in memory and quality",
        description="Run the same conversations on the stored weights and on each format made from "
        "them, and measure how far apart the predictions are at every position.",
    )
    options.add_engine_options(formats)
    formats.add_argument("--json", action="store_true")
    formats.add_argument(
        "--random",
        type=layers,
        metavar="LAYERS",
        help="use a random model of the Qwen3.5-0.8B shape with this many layers",
    )
    formats.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine.bench.formats import bench_formats
    from engine.bench.random_model import random_model
    from engine.model.random_checkpoint import QWEN35_0_8B

    config = options.engine_config(args)
    with tempfile.TemporaryDirectory() as folder:
        model = args.model or options.demo_model_dir()
        if args.random:
            # With its own head: a random tied one only ever repeats the token before it.
            sizes = {
                **QWEN35_0_8B,
                "num_hidden_layers": args.random,
                "vocab_size": 32_768,
                "tie_word_embeddings": False,
            }
            model = random_model(Path(folder) / "random", sizes, dtype="bfloat16")
        report = bench_formats(model, config, options.progress)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
        return 0
    print(f"{report.model}, {report.dtype}, {report.positions:,} positions")
    print(f"{'weights':<18}{'MiB':>9}{'KL mean':>10}{'median':>10}{'worst':>10}{'same top':>10}")
    for row in report.rows:
        print(
            f"{row.weights:<18}{row.weight_bytes / 2**20:>9,.1f}{row.kl_mean:>10.5f}"
            f"{row.kl_median:>10.5f}{row.kl_worst:>10.4f}{row.same_top:>10.2%}"
        )
    return 0
