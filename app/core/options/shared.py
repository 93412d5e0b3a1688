"""Options that several subcommands share, and the settings built from them."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import platformdirs

from app.core.log import LEVELS
from app.core.options.parser import mebibytes, some_file_text, some_text
from app.core.session.settings import NAMES, merged, problem
from engine import BiplaneError, CacheError, EngineConfig, Sampling
from engine.config import (
    DEVICES,
    DRAFT_SOURCES,
    DTYPE_NAMES,
    MODES,
    POLICY_NAMES,
    STATE_FORMATS,
    WEIGHT_FORMATS,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Report = TypeVar("Report", bound="DataclassInstance")
# Disk space for the cache files of the window and the terminal chat.
CHAT_DISK_MB = 4096
# Fields of EngineConfig that are also settings of the window, by their option.
_FIELDS = {
    "mode": "mode",
    "device": "device",
    "weights": "weights",
    "experts_mb": "expert_bytes",
    "interval": "interval",
    "decode_interval": "decode_interval",
    "state_share": "state_share",
    "policy": "policy",
    "cache_mb": "cache_bytes",
    "host_mb": "host_bytes",
    "disk_mb": "disk_bytes",
    "compress": "compression",
    "drafts": "drafts",
    "parallel": "parallel",
    "threads": "threads",
}


class UsageError(BiplaneError):
    """The request is invalid for any model: exit code 2."""


def demo_model_dir() -> Path:
    """The bundled model's folder."""
    import assets

    return Path(assets.__file__).parent / "demo_model"


def add_engine_options(parser: argparse._ActionsContainer, *, disk_mb: int = 0) -> None:
    """Add the engine's settings.

    Args:
        disk_mb: default of the disk tier; chats keep their states on disk.
    """
    parser.add_argument(
        "--model",
        type=Path,
        metavar="MODEL",
        help="model folder or .gguf file (default: the bundled demo)",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="fast",
        help="exact: resume only where logits stay bit-equal (default: fast)",
    )
    parser.add_argument(
        "--device", choices=DEVICES, default="auto", help="compute device (default: auto)"
    )
    parser.add_argument(
        "--dtype",
        choices=DTYPE_NAMES,
        default="auto",
        help="dtype of the weights (default: as stored)",
    )
    parser.add_argument(
        "--weights",
        choices=WEIGHT_FORMATS,
        default="stored",
        help="format of the weights in memory (default: as stored)",
    )
    parser.add_argument(
        "--experts-mb",
        type=mebibytes,
        default=0,
        metavar="N",
        help="memory in MiB for the routed experts of a mixture; the rest are read from the files "
        "when needed (default: 0, keep all)",
    )
    parser.add_argument("--interval", type=int, default=1024, help="tokens between checkpoints")
    parser.add_argument(
        "--decode-interval",
        type=int,
        default=256,
        metavar="N",
        help="tokens of an answer between checkpoints (default: 256)",
    )
    parser.add_argument("--policy", choices=POLICY_NAMES, default="coverage")
    parser.add_argument(
        "--cache-mb",
        type=mebibytes,
        default=0,
        metavar="N",
        help="memory for both planes in MiB (default: based on free memory)",
    )
    parser.add_argument(
        "--state-share",
        type=float,
        default=0.5,
        metavar="N",
        help="part of --cache-mb and --host-mb for states at first, 0 to 1 (default: 0.5)",
    )
    parser.add_argument(
        "--host-mb",
        type=mebibytes,
        default=0,
        metavar="N",
        help="memory in MiB for what the planes evict (default: 0, none)",
    )
    parser.add_argument(
        "--disk-mb",
        type=mebibytes,
        default=disk_mb,
        metavar="N",
        help="disk space in MiB for a cache that survives a restart; "
        f"0 writes no files (default: {disk_mb:,})",
    )
    parser.add_argument(
        "--cache-dir",
        type=Path,
        metavar="FOLDER",
        help="folder of those files (default: in your user cache)",
    )
    parser.add_argument(
        "--compress",
        choices=STATE_FORMATS,
        default="none",
        help="format of the states in host memory and files (default: none)",
    )
    parser.add_argument(
        "--drafts",
        choices=DRAFT_SOURCES,
        default="auto",
        help="check likely tokens together: those that followed alike in everything cached (auto), "
        "only in the conversation (text), or none; answers stay the same (default: auto)",
    )
    parser.add_argument(
        "--parallel",
        type=int,
        default=4,
        help="requests that run side by side, a chat in the window not counted (default: 4)",
    )
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (default: the cores)")


def add_log_option(parser: argparse._ActionsContainer) -> None:
    """Add --log-level."""
    parser.add_argument(
        "--log-level",
        choices=LEVELS,
        default="info",
        help="how much to log; debug may include text of conversations (default: info)",
    )


def progress(what: str) -> None:
    """Report what a command is doing, apart from its output."""
    print(f"… {what}", file=sys.stderr, flush=True)


def show(
    args: argparse.Namespace, report: Report, words: Callable[[Report], None], **more: object
) -> int:
    """Print a report, a dataclass: as JSON with `more` if requested, else in words."""
    if args.json:
        print(json.dumps(dataclasses.asdict(report) | more, indent=2))
    else:
        words(report)
    return 0


def engine_config(args: argparse.Namespace) -> EngineConfig:
    """The engine's settings. Raises UsageError if a value is invalid."""
    try:
        return EngineConfig(
            device=args.device,
            dtype=args.dtype,
            weights=args.weights,
            expert_bytes=args.experts_mb << 20,
            mode=args.mode,
            interval=args.interval,
            decode_interval=args.decode_interval,
            state_share=args.state_share,
            policy=args.policy,
            cache_bytes=args.cache_mb << 20,
            host_bytes=args.host_mb << 20,
            disk_bytes=args.disk_mb << 20,
            cache_dir=_cache_dir(args),
            compression=args.compress,
            drafts=args.drafts,
            parallel=args.parallel,
            threads=args.threads,
        )
    except CacheError as error:
        raise UsageError(str(error)) from None


def named_settings(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> frozenset[str]:
    """The settable EngineConfig fields that are given on a valid command line."""
    return frozenset(_FIELDS[option] for option in named_options(parser, argv, _FIELDS))


def named_options(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, options: Iterable[str]
) -> frozenset[str]:
    """Which of some options are given on a valid command line."""
    # An attribute that the namespace already has gets no default.
    blank = argparse.Namespace(**dict.fromkeys(options))
    seen = parser.parse_args(argv, blank)
    return frozenset(option for option in options if getattr(seen, option) is not None)


def _cache_dir(args: argparse.Namespace) -> Path | None:
    """The folder for files; None if none are kept. Raises UsageError if it is not writable."""
    given: Path | None = args.cache_dir
    # Converted weights are saved next to the states.
    if not args.disk_mb and args.weights == "stored":
        return given
    if given is None:
        return default_cache_dir()
    try:
        given.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=given):
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"--cache-dir {given} cannot be written: {reason}.") from None
    return given


def default_cache_dir() -> Path:
    """The user's cache folder, whose files may be deleted."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "states"


def default_history_file() -> Path:
    """The terminal chat's input history, in the user's state folder."""
    return platformdirs.user_state_path("biplane", appauthor=False) / "chat_history"


def add_sampling_options(parser: argparse.ArgumentParser) -> None:
    """Add the sampling options; those not given default to the model's own."""
    group = parser.add_argument_group(
        "sampling",
        "What is not given is taken from the model's generation_config.json, else as said here.",
    )
    for name, type_, meaning in (
        ("temperature", float, "0 is greedy, 1 samples as the model predicts (0.7)"),
        ("top-p", float, "keep the likeliest tokens up to this probability; 1 keeps all (0.95)"),
        ("top-k", int, "keep this many of the likeliest tokens; 0 keeps all (20)"),
        ("min-p", float, "drop tokens below this share of the likeliest one's probability (0)"),
        ("repetition-penalty", float, "above 1, tokens that were seen become less likely (1)"),
        ("presence-penalty", float, "above 0, tokens of the answer so far become less likely (0)"),
        ("max-tokens", int, "longest answer in tokens (1024)"),
        ("seed", int, "the same seed gives the same answer (random)"),
    ):
        group.add_argument(f"--{name}", type=type_, metavar="N", help=meaning)
    group.add_argument(
        "--stop",
        action="append",
        type=some_text,
        metavar="TEXT",
        help="end answers before this text; may be repeated (none)",
    )
    group.add_argument(
        "--json-schema",
        dest="grammar",
        type=some_file_text,
        metavar="FILE",
        help="answers are JSON that the schema in this file allows (none)",
    )
    parser.add_argument("--think", action="store_true", help="let the model think first")


def given_sampling(args: argparse.Namespace) -> dict[str, object]:
    """The given options of `add_sampling_options`. Raises UsageError."""
    given = {name: getattr(args, name) for name in NAMES if getattr(args, name) is not None}
    if "stop" in given:
        given["stop"] = tuple(given["stop"])
    for name, value in given.items():
        sentence = problem(name, value)
        if sentence:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"--json-schema: {sentence}"
                if name == "grammar"
                else option + sentence.removeprefix(name)
            )
    return given


def sampling_of(args: argparse.Namespace, recommended: Sampling) -> Sampling:
    """The model's own defaults, overridden by the user's options. Raises UsageError.

    Passing `Sampling()` instead checks for invalid values before a model is loaded.
    """
    return merged(recommended, given_sampling(args))
