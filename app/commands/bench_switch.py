"""`biplane bench switch`: its options, and its report in words."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from app.commands import options
from app.commands.parser import positive
from app.words import format as fmt

_CACHE_BYTES, _DISK_BYTES = 64 << 20, 256 << 20


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.bench.switching import bench_switching, copied_model

    first = args.model or options.demo_model_dir()
    with tempfile.TemporaryDirectory() as data:
        config = options.engine_config(args)
        config = replace(
            config,
            cache_bytes=config.cache_bytes or _CACHE_BYTES,
            disk_bytes=config.disk_bytes or _DISK_BYTES,
            # Its own: what is there already would be reused, too.
            cache_dir=Path(data) / "cache",
        )
        second = args.second or copied_model(first, Path(data) / "second")
        report = bench_switching(first, second, config, args.rounds, _progress)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
        return 0
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
    return 0


def _progress(what: str) -> None:
    print(what, file=sys.stderr)
