"""`biplane models`: download models, and inspect folders before opening them."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands import downloads
from app.words import format as fmt
from app.words.model_words import kernels_sentence, problem_lines
from engine.errors import BiplaneError

if TYPE_CHECKING:
    from engine.model.fit import Fit, FormatSize
    from engine.model.inspect import ModelReport

_MEMORY_NAMES = {"cpu": "memory", "cuda": "GPU memory"}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("models", help="download, list, remove and inspect models")
    actions = parser.add_subparsers(required=True, metavar="WHAT")
    inspect = actions.add_parser(
        "inspect",
        help="what a model folder holds and what fits on this machine",
        description="Read the headers of a model folder, but no weights, and report the model's "
        "size, the memory it takes in each format, and what fits. Exit code 1 if something is "
        "missing, 2 if the folder holds no model that Biplane can run.",
    )
    inspect.add_argument("folder", type=Path, metavar="FOLDER")
    inspect.add_argument("--json", action="store_true", help="print every figure as JSON")
    inspect.set_defaults(run=run_inspect)
    downloads.add(actions)


def run_inspect(args: argparse.Namespace) -> int:
    from engine.model.inspect import inspect_model

    try:
        report = inspect_model(args.folder)
    except BiplaneError as error:
        print(f"biplane: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(as_json(report), indent=2))
    else:
        print("\n".join(lines(report)))
    return 0 if report.complete else 1


def as_json(report: ModelReport) -> dict[str, object]:
    """Every figure, and the sentences of the table."""
    made = dataclasses.asdict(report)
    for row, size in zip(made["formats"], report.formats, strict=True):
        row["name"] = size.name
    for row, fit in zip(made["fits"], report.fits, strict=True):
        row["sentence"] = fit_text(fit, report)
    return {**made, "complete": report.complete}


def lines(report: ModelReport) -> list[str]:
    """The report as text."""
    lines = [
        ("model", f"{report.name} ({report.model_type}, family {report.family})"),
        (
            "layers",
            f"{report.layers}: {report.linear_layers} linear, {report.full_layers} full attention",
        ),
        ("sizes", sizes_text(report)),
        ("parameters", parameters_text(report)),
        ("files", f"{fmt.byte_size(report.disk_bytes)}, {report.stored}"),
        *(("unused", text) for text in unused_texts(report)),
        ("kernels", kernels_sentence(report.kernels)),
    ]
    if experts := report.experts:
        lines.insert(
            3,
            (
                "experts",
                f"{experts.count:,} per layer, {experts.per_token:,} active per token, "
                f"width {experts.width:,}, {parameter_text(experts.parameters)} parameters",
            ),
        )
    return [
        *(f"{name:<12}{text}" for name, text in lines),
        "",
        *table(report.formats),
        *fit_lines(report),
        *problem_lines(report),
    ]


def sizes_text(report: ModelReport) -> str:
    # A mixture may have no dense feed-forward layers at all.
    width = report.intermediate_size
    dense = f"feed-forward {width:,}, " if width else ""
    return (
        f"hidden {report.hidden_size:,}, {dense}vocabulary {report.vocab_size:,}, "
        f"context {report.context:,}"
    )


def parameters_text(report: ModelReport) -> str:
    text = parameter_text(report.parameters)
    if report.active_parameters == report.parameters:
        return f"{text}, all active per token"
    return f"{text}, {parameter_text(report.active_parameters)} active per token"


def parameter_text(value: int) -> str:
    """752,393,024 -> "752 M", 34,660,610,688 -> "34.7 B"."""
    for limit, name in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if value >= limit:
            amount = value / limit
            return f"{amount:.{2 if amount < 10 else 1 if amount < 100 else 0}f} {name}"
    return str(value)


def unused_texts(report: ModelReport) -> list[str]:
    return [
        f"{fmt.plural(group.tensors, 'tensor')}, {group.purpose} ({fmt.byte_size(group.bytes)})"
        for group in report.unused
    ]


def table(sizes: tuple[FormatSize, ...]) -> list[str]:
    """Bytes per format."""
    mixture = any(size.routed_bytes for size in sizes)
    head = f"{'in memory as':<14}{'weights':>12}"
    head += f"{'of it experts':>16}" if mixture else ""
    made = [head + f"{'KV per token':>15}{'checkpoint':>13}"]
    for size in sizes:
        row = f"{size.name:<14}{fmt.byte_size(size.weight_bytes):>12}"
        row += f"{fmt.byte_size(size.routed_bytes):>16}" if mixture else ""
        row += f"{fmt.byte_size(size.kv_token_bytes):>15}"
        made.append(row + f"{fmt.byte_size(size.checkpoint_bytes):>13}")
    return made


def fit_lines(report: ModelReport) -> list[str]:
    made = []
    for memory in report.memories:
        made += ["", f"{fmt.byte_size(memory.free_bytes)} of {_MEMORY_NAMES[memory.device]} free:"]
        made += [
            f"  {fit.format:<12}{fit_text(fit, report)}"
            for fit in report.fits
            if fit.device == memory.device
        ]
    return made


def fit_text(fit: Fit, report: ModelReport) -> str:
    """How much memory a format leaves for the cache, or that it does not fit and what would."""
    from engine.model.fit import CHECKPOINTS

    if fit.fits:
        whole = " (its longest)" if fit.context == report.context else ""
        return (
            f"fits: {fmt.byte_size(fit.left_bytes)} left, {fit.context:,} tokens of context"
            f"{whole} with {CHECKPOINTS} checkpoints"
        )
    if fit.expert_bytes is not None:
        return (
            f"fits with {fmt.byte_size(fit.expert_bytes)} of its experts in memory and the rest "
            f"mapped from the files (--experts-mb {max(fit.expert_bytes >> 20, 1)})"
        )
    others = [o.format for o in report.fits if o.fits and o.device == fit.device]
    if others:
        return f"does not fit; {' and '.join(others)} would"
    if any(o.expert_bytes is not None for o in report.fits if o.device == fit.device):
        return "does not fit, even with its experts mapped from the files"
    if fit.left_bytes < 0:
        return f"does not fit: {fmt.byte_size(-fit.left_bytes)} more memory is needed"
    return "the weights fit, but leave too little for a conversation"
