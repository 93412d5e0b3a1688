"""`biplane bench agent`: a session of an agent through the server."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands import options
from app.commands.parser import positive

if TYPE_CHECKING:
    from engine.bench.agent import Beside
    from engine.cache.journal.request_ran import RequestRan


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "agent",
        help="what the turns of an agent cost through the server",
        description="Run a session of tool calls through the server on this computer, and count "
        "the tokens that each turn processes.",
    )
    options.add_engine_options(parser)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--beside",
        metavar="ADDRESS",
        help="then send the same prompts, token for token, to another server with this model",
    )
    parser.add_argument(
        "--llama-server",
        type=Path,
        metavar="GGUF",
        help="the same on the llama-server of the PATH, which is started with this file",
    )
    parser.add_argument("--turns", type=positive, default=30, help="tool calls (default: 30)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine import Engine
    from engine.bench.agent import recorded_agent

    with Engine.open(args.model or options.demo_model_dir(), options.engine_config(args)) as engine:
        report, ran = recorded_agent(engine, args.turns, _progress)
    others = _others(args, ran)
    if args.json:
        made = dataclasses.asdict(report) | {"beside": [dataclasses.asdict(one) for one in others]}
        print(json.dumps(made, indent=2))
        return 0
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
    for other in others:
        _print_other(other)
    return 0


def _others(args: argparse.Namespace, ran: Sequence[RequestRan]) -> list[Beside]:
    """The same prompts elsewhere."""
    from engine.bench.agent import OWN_TOKENS, beside, llama_server

    found = []
    if args.beside:
        found.append(beside(args.beside, ran, OWN_TOKENS, _progress))
    if args.llama_server:
        longest = max(len(one.prompt) for one in ran)
        with llama_server(args.llama_server, longest + 256, args.threads or 1) as url:
            found.append(beside(url, ran, OWN_TOKENS, _progress))
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


def _progress(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)
