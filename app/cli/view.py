"""`biplane view`: show a recorded trace, or engines elsewhere, in the window."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.core.options.watch import add_watch_options


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command for `--help`; the window parses its options itself (see app.cli.main)."""
    parser = subparsers.add_parser(
        "view",
        help="look at a recorded trace, or at engines elsewhere, in the window",
        description="Open the window with a recorded trace, or with the caches of vLLM or SGLang "
        "engines that publish KV events, in the debugger, without a model. "
        "The window's own options may follow.",
        epilog="vLLM and SGLang publish with --kv-events-config "
        """'{"enable_kv_cache_events": true, "publisher": "zmq", """
        """"endpoint": "tcp://*:5557", "replay_endpoint": "tcp://*:5558"}', """
        "on every interface: keep the ports behind a firewall.",
    )
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="a trace, .jsonl or .jsonl.gz"
    )
    add_watch_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.shell.main import main

    return main(["--trace", str(args.file)])
