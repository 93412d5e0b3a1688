"""`biplane bench drafts`: what drafts gain on texts that repeat, and cost on texts that do not."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.bench_speed import add_llama_server, engine_config, layers, model_of
from app.core.options import shared as options
from app.core.options.parser import positive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.bench.drafts import DraftReport, DraftRow


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    drafts = benches.add_parser(
        "drafts",
        help="what drafts gain where a text repeats, and cost where none does",
        description="Measure answers with drafts and without, by turns, on a random model of the "
        "Qwen3.5-0.8B shape (or on --model): written again with the same seed, after an edit of "
        "an early message, a file written again with three changes, code of the prompt repeated "
        "with edits, and random text. But for the first, answers are given token by token, as a "
        "random model repeats nothing; passes, drafts and the cache are the engine's own. Last, "
        "random text with the model's draft head, forced to be right with two chances.",
    )
    options.add_engine_options(drafts)
    drafts.add_argument(
        "--tokens", type=positive, default=256, help="tokens of an answer (default: 256)"
    )
    drafts.add_argument(
        "--rounds", type=positive, default=3, help="medians are of so many rounds (default: 3)"
    )
    add_llama_server(drafts, "what needs no given answer, with drafts and without")
    drafts.add_argument(
        "--layers",
        type=layers,
        metavar="N",
        help="use fewer than the shape's 24 layers, for a quick try; every fourth has attention",
    )
    drafts.set_defaults(run=run, dtype="bfloat16")


def run(args: argparse.Namespace) -> int:
    from engine.bench.drafts import DraftAsk, bench_drafts

    if args.drafts == "off":
        raise options.UsageError("--drafts off leaves nothing to measure: give auto or text.")
    ask = DraftAsk(args.tokens, args.rounds, args.llama_server)
    with model_of(args, draft_head=True) as model, engine_config(args) as config:
        report = bench_drafts(model, config, ask, options.progress)
    return options.show(args, report, print_drafts)


def print_drafts(report: DraftReport) -> None:
    print(f"{report.machine}\n{report.model}, {report.weights}\n")
    print_rows("Biplane", report.rows)
    one = dict(report.rows_ms).get(1)
    if one:
        costs = ", ".join(f"{rows} {took / one:.2f}" for rows, took in report.rows_ms)
        print(f"\nA pass by its rows, as a multiple of one row ({one:.1f} ms): {costs}")
        print(
            f"After a pass the states go on in {report.keep_ms:.2f} ms, {report.keep_ms / one:.1%} "
            f"of one row's; reading and writing them once takes {report.floor_ms:.2f} ms."
        )
    if report.beside:
        print()
        print_rows("llama-server", report.beside)


def print_rows(engine: str, rows: Sequence[DraftRow]) -> None:
    print(
        f"{engine:<36}{'without':>9}{'with':>9} tok/s{'gain':>8}{'a step':>9}"
        f"{'drafted':>9}{'kept':>7}"
    )
    for row in rows:
        kept = f"{row.kept / row.drafted:.0%}" if row.drafted else ""
        print(
            f"{row.workload:<36}{row.plain_tok_s:>9.1f}{row.tok_s:>9.1f}      "
            f"{row.ratio:>7.2f}x{row.a_step:>9.1f}{row.drafted:>9,}{kept:>7}"
        )
