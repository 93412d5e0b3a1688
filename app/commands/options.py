"""Options that several subcommands share, and what they make of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from engine import EngineConfig, Sampling


def demo_model_dir() -> Path:
    """The bundled model's folder."""
    import assets

    return Path(assets.__file__).parent / "demo_model"


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", type=Path, metavar="FOLDER", help="model folder (default: the bundled demo)"
    )
    parser.add_argument("--mode", choices=("fast", "exact"), default="fast")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--dtype", default="auto", help="auto, float32, bfloat16 or float16")
    parser.add_argument("--interval", type=int, default=1024, help="tokens between checkpoints")
    parser.add_argument("--policy", choices=("coverage", "lru"), default="coverage")
    parser.add_argument(
        "--cache-mb", type=int, default=0, help="budget of both planes in MiB (0: automatic)"
    )
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (0: automatic)")


def engine_config(args: argparse.Namespace) -> EngineConfig:
    """Raises CacheError where a value cannot be honoured."""
    return EngineConfig(
        device=args.device,
        dtype=args.dtype,
        mode=args.mode,
        interval=args.interval,
        policy=args.policy,
        cache_bytes=args.cache_mb << 20,
        threads=args.threads,
    )


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
