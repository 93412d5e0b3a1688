"""`biplane check`: whether this computer, and this installation, are in order."""

from __future__ import annotations

import argparse
import dataclasses
import json

from app.core.options import shared as options

_MARKS = {"ok": "ok", "note": "note", "problem": "PROBLEM"}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "check",
        help="look for what could keep Biplane from working",
        description="Look at memory, disks, folders, processor, graphics driver and display. "
        "With --all also run the kernels against their references, the bundled model against "
        "stored logits, its cached against cold runs, the server, and a window that nobody sees. "
        "Exit code 1 if there is a problem.",
    )
    parser.add_argument("--all", action="store_true", help="run everything; takes about a minute")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.core.checks.finding import Finding, worst
    from app.core.checks.program import program_findings
    from app.shell.findings import quick_findings

    found: list[Finding] = []

    def tell(one: Finding) -> None:
        found.append(one)
        if not args.json:
            took = f" ({one.seconds:.1f} s)" if one.seconds is not None else ""
            print(f"{_MARKS[one.level]:<8} {one.title}: {one.text}{took}", flush=True)

    for one in quick_findings():
        tell(one)
    if args.all:
        for one in program_findings(options.demo_model_dir(), options.progress):
            tell(one)
    level = worst(found)
    if args.json:
        listed = [dataclasses.asdict(one) for one in found]
        print(json.dumps({"level": level, "findings": listed}, indent=2))
    return 1 if level == "problem" else 0
