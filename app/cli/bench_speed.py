"""`biplane bench prefill` and `biplane bench decode`: speed compared with the machine's limits."""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.options import shared as options
from app.core.options.parser import positive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.config import EngineConfig, WeightFormat

# Prompts and contexts in tokens, and how often each is measured, if nothing else is asked for.
LENGTHS, WARM_CONTEXT, CONTEXTS, REPEATS = (512, 2048, 8192), 4800, (500, 5000, 32_000), 3
# Three linear layers, one with attention.
LEAST_LAYERS = 4


def add(benches: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    prefill = benches.add_parser(
        "prefill",
        help="prefill speed by prompt length, compared with the machine's own rates",
        description="Measure prefill on a random model of the Qwen3.5-0.8B shape (or on --model): "
        "tokens per second by length, a turn of 73 new tokens on a warm cache, and the share of "
        "what this machine's matrix products allow. Takes several minutes.",
    )
    prefill.add_argument(
        "--lengths",
        type=lengths,
        default=LENGTHS,
        metavar="N,N",
        help="prompt lengths in tokens (default: 512,2048,8192)",
    )
    prefill.add_argument(
        "--warm-context",
        type=positive,
        default=WARM_CONTEXT,
        metavar="N",
        help="tokens that the cache holds",
    )
    _add_common(prefill)
    prefill.set_defaults(run=run_prefill, dtype="bfloat16")
    decode = benches.add_parser(
        "decode",
        help="decode speed, compared with the machine's memory bandwidth",
        description="Measure decode on a random model of the Qwen3.5-0.8B shape (or on --model): "
        "tokens per second at several context lengths, the share of what reading the weights "
        "allows, passes of a few rows, state copies, and starting again. Takes several minutes, "
        "and with other engines up to an hour.",
    )
    decode.add_argument(
        "--contexts",
        type=lengths,
        default=CONTEXTS,
        metavar="N,N",
        help="context lengths in tokens (default: 500,5000,32000)",
    )
    _add_common(decode)
    decode.set_defaults(run=run_decode, dtype="bfloat16")


def _add_common(parser: argparse.ArgumentParser) -> None:
    options.add_engine_options(parser)
    parser.add_argument(
        "--repeats",
        type=positive,
        default=REPEATS,
        metavar="N",
        help="runs per measurement; medians are reported",
    )
    parser.add_argument(
        "--layers",
        type=layers,
        metavar="N",
        help="use fewer than the shape's 24 layers, for a quick try; every fourth has attention",
    )
    parser.add_argument(
        "--all-formats",
        action="store_true",
        help="measure the weights as stored, in int8 and in int4, one after the other",
    )
    parser.add_argument(
        "--gguf",
        type=Path,
        nargs="+",
        default=(),
        metavar="FILE",
        help="the same shape for llama-bench, if it is on the PATH: BF16, Q8_0, Q4_0",
    )
    parser.add_argument(
        "--turns",
        type=positive,
        default=0,
        metavar="N",
        help="runs by turns with llama-bench, one of ours and one of theirs, which compares both "
        "where the machine's speed changes. Both open each --gguf FILE, and nothing else is "
        "measured; with --model or --all-formats, decode needs a --gguf FILE for each format",
    )
    parser.add_argument(
        "--no-peers", dest="peers", action="store_false", help="skip the other engines"
    )


def add_llama_server(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--llama-server",
        type=Path,
        metavar="GGUF",
        help=f"{what} on the llama-server of the PATH, which is started with this file",
    )


def layers(text: str) -> int:
    """Parse a number of layers that includes one of each kind."""
    number = positive(text)
    if number < LEAST_LAYERS:
        raise argparse.ArgumentTypeError(
            f"at least {LEAST_LAYERS} layers are needed to have one of each kind"
        )
    return number


def lengths(text: str) -> tuple[int, ...]:
    return tuple(positive(part) for part in text.split(","))


def run_prefill(args: argparse.Namespace) -> int:
    from app.cli.speed_tables import print_prefill
    from engine.bench.prefill import PrefillAsk, bench_prefill

    if args.turns:
        return run_same_files(args, prompts=args.lengths)
    ask = PrefillAsk(args.lengths, args.repeats, args.warm_context)
    others = {"peers": args.peers, "ggufs": args.gguf}
    with model_of(args) as model, engine_config(args) as config:
        report = bench_prefill(model, config, formats_of(args), options.progress, ask, **others)
    return options.show(args, report, print_prefill)


def run_decode(args: argparse.Namespace) -> int:
    from app.cli.speed_tables import print_decode
    from engine.bench.decode import DecodeAsk, bench_decode

    if args.turns and not (args.model or args.all_formats):
        return run_same_files(args, contexts=args.contexts)
    ask = DecodeAsk(args.contexts, repeats=args.repeats, turns=args.turns)
    others = {"peers": args.peers, "ggufs": args.gguf}
    with model_of(args) as model, engine_config(args) as config:
        report = bench_decode(model, config, formats_of(args), options.progress, ask, **others)
    return options.show(args, report, print_decode)


def run_same_files(
    args: argparse.Namespace, *, prompts: tuple[int, ...] = (), contexts: tuple[int, ...] = ()
) -> int:
    """Both engines on the same files, by turns."""
    from app.cli.speed_tables import print_same_files
    from engine.bench.by_turns import same_files
    from engine.bench.decode import ANSWER_TOKENS
    from engine.bench.peer_report import PeerAsk

    if not args.gguf or args.model or args.all_formats:
        raise options.UsageError("These turns need --gguf FILE, which both engines open.")
    ask = PeerAsk(args.threads, prompts, contexts, ANSWER_TOKENS)
    with engine_config(args) as config:
        report = same_files(args.gguf, config, options.progress, ask, args.turns)
    return options.show(args, report, print_same_files)


def formats_of(args: argparse.Namespace) -> tuple[WeightFormat, ...]:
    """The weight formats to measure."""
    from engine.bench.formats import FORMATS

    return FORMATS if args.all_formats else (args.weights,)


@contextmanager
def engine_config(args: argparse.Namespace) -> Iterator[EngineConfig]:
    """The given settings; quantised weights go to a folder that is deleted afterwards."""
    config = options.engine_config(args)
    if args.cache_dir is not None:
        yield config
        return
    with tempfile.TemporaryDirectory() as folder:
        yield dataclasses.replace(config, cache_dir=Path(folder))


@contextmanager
def model_of(args: argparse.Namespace, *, draft_head: bool = False) -> Iterator[Path]:
    """The given folder, or a random model that is deleted afterwards."""
    if args.model:
        yield args.model
        return
    from engine.bench.random_model import random_model
    from engine.model.family import QWEN35_0_8B

    config = dict(QWEN35_0_8B)
    if args.layers:
        config["num_hidden_layers"] = args.layers
    with tempfile.TemporaryDirectory() as folder:
        options.progress("writing a random model of the Qwen3.5-0.8B shape")
        # The files are written in bfloat16 or float32; "auto" would ask the model for its dtype.
        dtype = "bfloat16" if args.dtype == "auto" else args.dtype
        yield random_model(Path(folder) / "random-0.8B", config, dtype=dtype, draft_head=draft_head)
