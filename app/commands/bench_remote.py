"""`biplane bench remote`: how many events of engines elsewhere can be followed."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from app.commands.parser import positive

if TYPE_CHECKING:
    from engine.bench.remote import RemoteCost


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = benches.add_parser(
        "remote",
        help="how many events of engines elsewhere can be followed",
        description="Rebuild the caches of a made-up fleet from its KV events, then follow more "
        "events at a rate. Takes about a minute, and a gigabyte of memory.",
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--workers", type=positive, default=64)
    parser.add_argument("--blocks", type=positive, default=1_000_000, help="of all workers")
    parser.add_argument("--rate", type=positive, default=20_000, help="events a second")
    parser.add_argument("--seconds", type=positive, default=5)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine.bench.remote import measure

    cost = measure(args.workers, args.blocks, args.rate, args.seconds, _progress)
    if args.json:
        print(json.dumps(dataclasses.asdict(cost), indent=2))
    else:
        _print(cost)
    return 0


def _print(cost: RemoteCost) -> None:
    first, later = cost.snapshot_s
    print(f"{cost.workers} workers, {cost.blocks:,} blocks of 16 tokens, {cost.nodes:,} nodes")
    print(f"rebuilt and drawn     {cost.fill_s:8.1f} s of one processor")
    print(f"memory                {cost.nbytes / 2**20:8,.0f} MiB, the tape included")
    print(f"followed              {cost.events / cost.seconds:8,.0f} events a second")
    print(f"                      {cost.busy:8.2f} s of processor time a second")
    print(f"behind at the end     {cost.behind_s:8.2f} s; trees drawn {cost.late_s:.1f} s late")
    print(f"inferred requests     {cost.unlisted:8,} not listed")
    print(f"snapshot for panes    {first:8.2f} s the first, {later:.2f} s a later one")


def _progress(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)
