"""`biplane trace`: record cache activity, replay it, explain it, show one moment."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import trace_why
from app.cli.chat import Conversation, add_chat_options
from app.core.options import shared as options
from app.core.options.parser import amount, positive
from app.core.words import format as shown
from engine.config import DRAFT_SOURCES, POLICY_NAMES, Sampling
from engine.plan.draft_depth import MOST_ROWS

if TYPE_CHECKING:
    from engine.analysis.redrafting import Passes
    from engine.analysis.report import ReplayReport, Sums
    from engine.analysis.show import Moment
    from engine.journal.settings import CacheSettings
    from engine.snapshot import NodeView

# The default for a file that does not say: that of Qwen3.5-0.8B.
KV_BYTES = 12 << 10
STATE_BYTES = 19_537_920
DEVICE_BYTES = 4 << 30
WORST_SHOWN = 10


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "trace",
        help="record cache activity, replay it with other settings, explain it",
        description="Record requests and every change of the cache to a file, replay its requests "
        "with other cache settings and no model, say why tokens ran that had run before, or show "
        "the cache at a moment of the trace.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    _add_record(actions)
    _add_replay(actions)
    trace_why.add(actions)
    _add_show(actions)


def _add_record(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "record",
        help="chat in the terminal and record",
        description="Chat in the terminal while recording. Messages may also come from standard "
        "input, one per line. Token ids are written as hashes unless --text is given.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help=".jsonl, or .jsonl.gz")
    parser.add_argument("--text", action="store_true", help="write real token ids and the answers")
    add_chat_options(parser)
    parser.set_defaults(run=run_record)


def _add_replay(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "replay",
        help="replay with other cache settings",
        description="Run the requests of a trace on a cache without a model. Settings that are not "
        "given are as recorded; with none given the replay must reproduce the recorded hits, and "
        "exit code 1 means that it did not. Plain Marconi traces can be replayed too.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--policy", choices=POLICY_NAMES)
    parser.add_argument("--mode", choices=("fast", "exact"))
    parser.add_argument("--interval", type=int, metavar="C", help="tokens between checkpoints")
    parser.add_argument("--decode-interval", type=int, metavar="D")
    parser.add_argument(
        *("--cache-mb", "--device-mb"),
        dest="device_mb",
        type=amount,
        metavar="N",
        help="both planes, in MiB",
    )
    parser.add_argument(
        "--state-share", type=float, metavar="N", help="part of both for states at first, 0 to 1"
    )
    parser.add_argument("--host-mb", type=amount, metavar="N", help="host tier, in MiB; 0: none")
    parser.add_argument(
        "--drafts", choices=DRAFT_SOURCES, help="where drafts come from (default: as each request)"
    )
    parser.add_argument(
        "--most-drafted",
        type=int,
        choices=range(MOST_ROWS),
        metavar="N",
        help="tokens of a draft at most; 0: none (default: 15)",
    )
    parser.add_argument(
        "--kv-bytes",
        type=positive,
        default=KV_BYTES,
        metavar="N",
        help="per token of KV, for a file that does not say (default: Qwen3.5-0.8B)",
    )
    parser.add_argument(
        "--state-bytes",
        type=positive,
        default=STATE_BYTES,
        metavar="N",
        help="per checkpoint, for a file that does not say (default: Qwen3.5-0.8B)",
    )
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run_replay)


def _add_show(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "show",
        help="show the cache at a moment of a trace",
        description="Rebuild the cache as it was SECONDS after the recording began.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--at",
        type=amount,
        metavar="SECONDS",
        help="seconds since the recording began (default: the end)",
    )
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run_show)


def run_record(args: argparse.Namespace) -> int:
    from engine import Engine

    config = options.engine_config(args)
    options.sampling_of(args, Sampling())
    with Engine.open(args.model or options.demo_model_dir(), config) as engine:
        engine.record(args.file, text=args.text)
        code = Conversation(engine, args).loop(f"{engine.model.name}, recording to {args.file}")
        done = engine.stop_recording()
    if done is None or done.problem:
        print(f"biplane: {done.problem if done else 'Nothing was recorded.'}", file=sys.stderr)
        return 1
    size = shown.byte_size(args.file.stat().st_size)
    print(f"Recorded {shown.plural(done.lines, 'line')} ({size}) in {args.file}.")
    return code


def run_replay(args: argparse.Namespace) -> int:
    from engine.analysis.replay import replay_file
    from engine.journal.settings import WhatIf

    what_if = WhatIf(
        policy=args.policy,
        mode=args.mode,
        interval=args.interval,
        decode_interval=args.decode_interval,
        device_bytes=_bytes(args.device_mb),
        state_share=args.state_share,
        host_bytes=_bytes(args.host_mb),
        drafts=args.drafts,
        most_drafted=args.most_drafted,
    )
    report = replay_file(args.file, what_if, assumed(args))
    if args.json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        print_replay(report)
    differs = report.as_recorded and report.exact and report.differing
    return 1 if _is_cut_off(args.file, report.truncated) or differs else 0


def run_show(args: argparse.Namespace) -> int:
    from engine.analysis.show import moment_of

    moment = moment_of(args.file, args.at)
    if args.json:
        print(json.dumps(moment.as_json(), indent=2))
    else:
        print_moment(moment)
    return int(_is_cut_off(args.file, moment.truncated))


def assumed(args: argparse.Namespace) -> CacheSettings:
    """The settings assumed for a file that states none."""
    from engine.journal.settings import CacheSettings, WhatIf

    sizes = CacheSettings(
        kv_slot_bytes=args.kv_bytes,
        state_slot_bytes=args.state_bytes,
        host_state_slot_bytes=args.state_bytes,
    )
    return WhatIf(device_bytes=DEVICE_BYTES).changed(sizes)


def print_replay(report: ReplayReport) -> None:
    settings = report.settings
    print(
        f"{settings.policy}, {settings.mode}, a checkpoint every {settings.interval:,} tokens, "
        f"device {shown.byte_size(settings.device_bytes)}, "
        f"host {shown.byte_size(settings.host_bytes)}"
        + (", as recorded" if report.as_recorded else "")
    )
    print(
        f"{'':<10}{'requests':>9}{'tokens':>12}{'reused':>18}{'replayed':>11}{'computed':>11}",
        end="",
    )
    print(f"{'first token':>14}")
    if report.recorded is not None:
        print_sums("recorded", report.recorded)
    print_sums("replay", report.replayed)
    print_written("recorded", report.recorded_writing)
    print_written("replay", report.writing)
    print(
        f"peak use: {shown.byte_size(report.device_bytes)} on the device, "
        f"{shown.byte_size(report.host_bytes)} on the host; "
        f"{shown.plural(report.skipped, 'checkpoint')} skipped for lack of room"
    )
    for what, counts in (("evicted", report.evicted), ("copied", report.copied)):
        if counts:
            print(f"{what}: " + ", ".join(f"{count:,} {name}" for name, count in counts))
    for note in report.notes:
        print(note)
    if report.recorded is not None and report.as_recorded:
        print_differing(report)


def print_sums(name: str, sums: Sums) -> None:
    first = "" if sums.first_token_s is None else shown.seconds(sums.first_token_s)
    reused = f"{sums.reused:,} ({100 * sums.reused_share:.1f}%)"
    print(
        f"{name:<10}{sums.requests:>9,}{sums.total:>12,}{reused:>18}{sums.replayed:>11,}"
        f"{sums.computed:>11,}{first:>14}"
    )


def print_written(name: str, writing: Passes) -> None:
    """Print the passes that wrote the answers, if there were any."""
    if not writing.answered:
        return
    took = "" if writing.seconds is None else f", {shown.seconds(writing.seconds)}"
    print(
        f"{name}: {writing.passes:,} passes for {writing.answered:,} tokens of answers, "
        f"{writing.kept:,} of {writing.drafted:,} drafted tokens kept{took}"
    )


def print_differing(report: ReplayReport) -> None:
    """Print whether the replay reproduced the recording."""
    if not report.differing:
        print("every request reused what it did in the recording")
        return
    print(f"{shown.plural(len(report.differing), 'request')} did not reuse what was recorded:")
    for one in report.differing[:WORST_SHOWN]:
        print(
            f"  request {one.request}: recorded {one.recorded}, "
            f"replayed {(one.reused, one.replayed, one.computed)}"
        )


def print_moment(moment: Moment) -> None:
    state = moment.state
    model = "" if moment.header is None else f"{moment.header.model}, "
    print(f"{model}{moment.time:.3f} s after the start: {shown.plural(state.counted, 'request')}")
    for name in state.tiers:
        tier = state.snapshot(name)
        held = sum(1 for node in tier.nodes if node.checkpoint is not None)
        print(
            f"{name}: {shown.plural(len(tier.nodes), 'node')}, {shown.plural(held, 'checkpoint')}, "
            f"KV {tier.kv.cached:,} of {tier.kv.total:,}, "
            f"states {tier.state.cached:,} of {tier.state.total:,}"
        )
        if tier.evicted:
            causes = ", ".join(f"{count:,} {cause}" for cause, count in tier.evicted)
            print(f"  evicted: {causes}")
        for node in tier.nodes:
            if node.parent is not None:
                print(f"  {node_line(node)}")


def node_line(node: NodeView) -> str:
    """A node on one line."""
    held = node.checkpoint
    state = "no state" if held is None else f"{held.state.provenance} state, used {held.hits} times"
    return f"node {node.id} under {node.parent}: [{node.start:,}, {node.end:,}) {state}"


def _is_cut_off(file: Path, truncated: bool) -> bool:
    """`truncated`, printing a note if so."""
    if truncated:
        print(
            f"biplane: {file.name} is cut off: its last line is incomplete and was left out.",
            file=sys.stderr,
        )
    return truncated


def _bytes(mebibytes: float | None) -> int | None:
    return None if mebibytes is None else int(mebibytes * (1 << 20))
