"""Options that several subcommands share, and what they make of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import platformdirs

from app.log import LEVELS
from engine import EngineConfig, Sampling
from engine.config import POLICY_NAMES, STATE_FORMATS, WEIGHT_FORMATS

# What the window and the terminal chat may keep on disk.
CHAT_DISK_MB = 4096


def demo_model_dir() -> Path:
    """The bundled model's folder."""
    import assets

    return Path(assets.__file__).parent / "demo_model"


def add_engine_options(parser: argparse._ActionsContainer, *, disk_mb: int = 0) -> None:
    """The engine's settings.

    Args:
        disk_mb: default of the disk tier: conversations that go on keep their states on disk.
    """
    parser.add_argument(
        "--model", type=Path, metavar="FOLDER", help="model folder (default: the bundled demo)"
    )
    parser.add_argument(
        "--mode",
        choices=("fast", "exact"),
        default="fast",
        help="exact: resume only where logits stay bit-equal (default: fast)",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (default: auto)")
    parser.add_argument("--dtype", default="auto", help="auto, float32, bfloat16 or float16")
    parser.add_argument(
        "--weights",
        choices=WEIGHT_FORMATS,
        default="stored",
        help="format of the weights in memory (default: as they are stored)",
    )
    parser.add_argument(
        "--experts-mb",
        type=int,
        default=0,
        metavar="N",
        help="memory in MiB for the routed experts of a mixture; the rest is read from the files "
        "when it is needed (default: 0, all are kept)",
    )
    parser.add_argument("--interval", type=int, default=1024, help="tokens between checkpoints")
    parser.add_argument("--policy", choices=POLICY_NAMES, default="coverage")
    parser.add_argument(
        "--cache-mb",
        type=int,
        default=0,
        metavar="N",
        help="memory of both planes in MiB (default: chosen from what is free)",
    )
    parser.add_argument(
        "--host-mb",
        type=int,
        default=0,
        metavar="N",
        help="memory in MiB for what the planes evict (default: 0, none)",
    )
    parser.add_argument(
        "--disk-mb",
        type=int,
        default=disk_mb,
        metavar="N",
        help=f"files in MiB that survive a restart; 0 writes none (default: {disk_mb:,})",
    )
    parser.add_argument(
        "--cache-dir", type=Path, metavar="FOLDER", help="where those files lie (default: yours)"
    )
    parser.add_argument(
        "--compress",
        choices=STATE_FORMATS,
        default="none",
        help="format of the states in host memory and files (default: none)",
    )
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (default: the cores)")


def add_log_option(parser: argparse._ActionsContainer) -> None:
    """How much goes to the log."""
    parser.add_argument(
        "--log-level",
        choices=LEVELS,
        default="info",
        help="what is written to the log; debug may write text of conversations (default: info)",
    )


def engine_config(args: argparse.Namespace) -> EngineConfig:
    """Raises CacheError where a value cannot be honoured."""
    return EngineConfig(
        device=args.device,
        dtype=args.dtype,
        weights=args.weights,
        expert_bytes=args.experts_mb << 20,
        mode=args.mode,
        interval=args.interval,
        policy=args.policy,
        cache_bytes=args.cache_mb << 20,
        host_bytes=args.host_mb << 20,
        disk_bytes=args.disk_mb << 20,
        # Weights in another format are made once and kept beside the states.
        cache_dir=args.cache_dir
        or (default_cache_dir() if args.disk_mb or args.weights != "stored" else None),
        compression=args.compress,
        threads=args.threads,
    )


def default_cache_dir() -> Path:
    """The user's own folder for files that may be lost."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "states"


def add_sampling_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--temperature", type=float, help="0 is greedy (default: the model's own)")
    parser.add_argument("--top-k", type=int)
    parser.add_argument("--top-p", type=float)
    parser.add_argument("--min-p", type=float)
    parser.add_argument("--repetition-penalty", type=float)
    parser.add_argument("--presence-penalty", type=float)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--stop", action="append", default=[], metavar="TEXT")
    parser.add_argument("--think", action="store_true", help="let the model think first")


def sampling_of(args: argparse.Namespace, recommended: Sampling) -> Sampling:
    """The model's own defaults, overridden by what the user said."""
    names = [
        "max_tokens",
        "temperature",
        "top_k",
        "top_p",
        "min_p",
        "repetition_penalty",
        "presence_penalty",
        "seed",
    ]
    said = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    return replace(recommended, stop=tuple(args.stop)).merged(said)
