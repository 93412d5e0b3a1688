"""`biplane view`: look at a recorded trace in the window."""

from __future__ import annotations

import argparse
from pathlib import Path


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """For `--help`; the window itself reads what else is said (see app.cli)."""
    parser = subparsers.add_parser(
        "view",
        help="look at a recorded trace in the window",
        description="Open the window with a recorded trace in the debugger, without a model. "
        "The window's own options may follow.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a trace, .jsonl or .jsonl.gz")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.main import main

    return main(["--trace", str(args.file)])
