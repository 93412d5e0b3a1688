"""`biplane audit`: check that cached runs give the same results as cold ones."""

from __future__ import annotations

import argparse
import json

from app.core.options import shared as options
from app.core.words.stats_line import reuse_text
from engine import Engine
from engine.plain import as_plain


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "audit",
        help="compare cached with cold runs",
        description="Replay ten fixed conversations cold and cached, and compare the logits and, "
        "in fast mode, the states and KV behind them. Exit code 1 if any row breaks the mode's "
        "promise: bit-equal in exact mode, within rounding in fast mode.",
    )
    options.add_engine_options(parser)
    parser.add_argument("--json", action="store_true", help="print every step as JSON")
    parser.add_argument(
        "--plant-wrong-state",
        action="store_true",
        help="corrupt every stored state first: the audit must then fail",
    )
    parser.add_argument(
        "--explain", action="store_true", help="explain for every prompt why it did not reuse more"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine.audit import AuditRow, audit

    def show(row: AuditRow) -> None:
        verdict = "bit-equal" if row.bit_equal else f"largest difference {row.largest:.3g}"
        print(
            f"{row.name:<20} {row.reused:>7,} reused {row.replayed:>6,} replayed "
            f"{row.computed:>6,} computed   {verdict}{'' if row.passed else '   FAILED'}",
            flush=True,
        )
        if args.explain:
            for step in row.steps:
                print(f"    {reuse_text(step.plan)}: {step.plan.detail}", flush=True)

    with Engine.open(args.model or options.demo_model_dir(), options.engine_config(args)) as engine:
        report = audit(
            engine,
            plant_wrong_state=args.plant_wrong_state,
            on_row=None if args.json else show,
        )
    if args.json:
        print(json.dumps(as_plain(report), indent=2))
    else:
        print(
            f"{report.model}, {report.mode}, {report.dtype}: "
            + ("passed" if report.passed else "FAILED")
        )
    return 0 if report.passed else 1
