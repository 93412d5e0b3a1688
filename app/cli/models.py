"""`biplane models`: download models, and inspect folders before opening them."""

from __future__ import annotations

import argparse
import dataclasses
import getpass
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.options.shared import UsageError
from app.core.store.downloads import downloads, endpoint
from app.core.words import format as fmt
from app.core.words.download_words import progress_line
from app.core.words.model_words import kernels_sentence, problem_lines
from engine.errors import BiplaneError

if TYPE_CHECKING:
    from engine.hub.download import Download
    from engine.model.fit import Fit, FormatSize
    from engine.model.inspect import ModelReport


_LOOK_S = 0.2


def _add_downloads(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the three commands to those of `biplane models`."""
    pull = actions.add_parser(
        "pull",
        aliases=["get"],
        help="download a model from Hugging Face",
        description="Download the files of a repository that a model needs, verify each, and list "
        "the model once it is whole. Ctrl+C pauses; the same command goes on. For a gated "
        "repository, a token is taken from HF_TOKEN or your keyring, or asked for with --token.",
    )
    pull.add_argument("repo", metavar="OWNER/NAME")
    pull.add_argument("--revision", default="main", help="branch, tag or commit (default: main)")
    pull.add_argument(
        "--file", metavar="NAME.gguf", help="which file of a repository with several GGUF files"
    )
    pull.add_argument("--token", action="store_true", help="ask for a token; it is not stored")
    pull.add_argument("--json", action="store_true", help="print what was downloaded as JSON")
    pull.set_defaults(run=run_pull)
    listed = actions.add_parser("list", help="downloaded models, and downloads to go on with")
    listed.add_argument("--json", action="store_true", help="also every file with its checksum")
    listed.set_defaults(run=run_list)
    remove = actions.add_parser(
        "remove",
        help="move a downloaded model to the trash, or give up a download",
        description="Move a downloaded model to the trash. What has come of a download that is "
        "not finished is deleted.",
    )
    remove.add_argument("repo", metavar="OWNER/NAME")
    remove.add_argument("--delete", action="store_true", help="delete for good, without the trash")
    remove.set_defaults(run=run_remove)


def run_pull(args: argparse.Namespace) -> int:
    from engine.hub.download import Download
    from engine.hub.failures import HubError
    from engine.hub.names import packed_model, repo_id
    from engine.hub.token import stored_token

    try:
        repo = repo_id(args.repo)
    except HubError as error:
        raise UsageError(str(error)) from None
    if args.file and not packed_model(args.file):
        raise UsageError(f"--file names a .gguf file, and {args.file} is none.")
    given = os.environ.get("HF_TOKEN", "")
    if args.token:
        given = getpass.getpass("Token (not shown, not stored): ").strip()
    download = Download(
        downloads(),
        repo,
        revision=args.revision,
        only=packed_model(args.file or ""),
        token=given or stored_token,
        endpoint=endpoint(),
    )
    download.start()
    try:
        _follow(download)
    except KeyboardInterrupt:
        download.pause()
        download.join(30)
    ended = download.progress
    if ended.phase == "paused":
        print("Paused; the same command goes on.", file=sys.stderr)
        return 130
    if ended.problem is not None:
        print(f"biplane: {ended.problem}", file=sys.stderr)
        return 1
    assert ended.manifest is not None, "a finished download has a manifest"
    if args.json:
        made = {"folder": str(ended.folder)} | dataclasses.asdict(ended.manifest)
        print(json.dumps(made, indent=2))
        return 0
    for file in ended.manifest.files:
        print(f"{file.name}  {fmt.byte_size(file.size)}  {file.digest}  verified")
    print(f"Open it with: biplane --model '{ended.folder}'")
    return 0


def _follow(download: Download) -> None:
    """Show progress until the download ends; on a terminal on one line."""
    shows = sys.stderr.isatty()
    while not download.join(_LOOK_S):
        if shows:
            print(
                f"\r\x1b[K{progress_line(download.progress)}", end="", file=sys.stderr, flush=True
            )
    if shows:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def run_list(args: argparse.Namespace) -> int:
    library = downloads()
    whole, begun = library.downloaded(), library.unfinished()
    if args.json:
        made = {
            "folder": str(library.root),
            "downloaded": [
                {"folder": str(each.place), "problem": each.problem}
                | dataclasses.asdict(each.manifest)
                for each in whole
            ],
            "unfinished": [
                {"done_bytes": each.done_bytes} | dataclasses.asdict(each.manifest)
                for each in begun
            ],
        }
        print(json.dumps(made, indent=2))
        return 0
    if not whole and not begun:
        print("No model has been downloaded: biplane models pull OWNER/NAME does so.")
    for each in whole:
        said = each.problem or str(each.place)
        print(f"{each.manifest.repo}  {fmt.byte_size(each.manifest.bytes)}  {said}")
    for left in begun:
        of = f"{fmt.byte_size(left.done_bytes)} of {fmt.byte_size(left.manifest.bytes)}"
        print(f"{left.manifest.repo}  {of}  not finished: pull it again to go on")
    return 0


def run_remove(args: argparse.Namespace) -> int:
    from app.ui.trash import to_trash
    from engine.hub.failures import HubError
    from engine.hub.names import repo_id

    library = downloads()
    try:
        repo = repo_id(args.repo)
    except HubError as error:
        raise UsageError(str(error)) from None
    found = next((each for each in library.downloaded() if each.manifest.repo == repo), None)
    begun = any(each.manifest.repo == repo for each in library.unfinished())
    if found is None and not begun:
        print(f"biplane: {repo} has not been downloaded.", file=sys.stderr)
        return 1
    try:
        if begun:
            library.discard(repo)
        if found is not None and args.delete:
            shutil.rmtree(found.folder)
    except OSError as error:
        print(f"biplane: {repo} cannot be deleted ({error.strerror}).", file=sys.stderr)
        return 1
    if found is not None and not args.delete and not to_trash(found.folder):
        print("biplane: there is no trash here; --delete deletes it for good.", file=sys.stderr)
        return 1
    what = "Deleted" if args.delete or found is None else "Moved to the trash:"
    print(f"{what} {repo}.")
    return 0


_MEMORY_NAMES = {"cpu": "memory", "cuda": "GPU memory"}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("models", help="download, list, remove and inspect models")
    actions = parser.add_subparsers(required=True, metavar="WHAT")
    inspect = actions.add_parser(
        "inspect",
        help="what a model folder or a .gguf file holds and what fits on this machine",
        description="Read the headers of a model folder or of a .gguf file, but no weights, and "
        "report the model's size, the memory it takes in each format, and what fits. Exit code 1 "
        "if something is missing, 2 if there is no model that Biplane can run.",
    )
    inspect.add_argument("folder", type=Path, metavar="MODEL")
    inspect.add_argument("--json", action="store_true", help="print every figure as JSON")
    inspect.set_defaults(run=run_inspect)
    _add_downloads(actions)


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
    """Every figure of the report, and the table's sentences."""
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
