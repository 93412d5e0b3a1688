"""`biplane bench agent`: a session of an agent through the server."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

from app.commands import options
from app.commands.parser import positive


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "agent",
        help="what the turns of an agent cost through the server",
        description="Run a session of tool calls through the server on this computer, and count "
        "the tokens that each turn processes.",
    )
    options.add_engine_options(parser)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--turns", type=positive, default=30, help="tool calls (default: 30)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine import Engine
    from engine.bench.agent import bench_agent

    with Engine.open(args.model or options.demo_model_dir(), options.engine_config(args)) as engine:
        report = bench_agent(engine, args.turns, _progress)
    if args.json:
        print(json.dumps(dataclasses.asdict(report), indent=2))
        return 0
    print(f"{report.model}\n{report.machine}\n")
    print(f"{'turn':>5}{'prompt':>9}{'processed':>11}{'replayed':>10}{'new':>7}{'first token':>13}")
    for row in report.turns:
        first = "" if row.first_token_s is None else f"{row.first_token_s:.3f} s"
        print(
            f"{row.turn:>5}{row.prompt:>9,}{row.processed:>11,}{row.replayed:>10,}"
            f"{row.added:>7,}{first:>13}"
        )
    return 0


def _progress(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)
