"""The tables of `biplane bench prefill` and `biplane bench decode`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.bench.by_turns import SameFiles, Turns
    from engine.bench.decode import DecodeReport, FormatDecode
    from engine.bench.machine import GemmRate, MachineRates
    from engine.bench.peer_report import Peer
    from engine.bench.prefill import EngineMemory, FormatPrefill, PrefillReport


MIB = 2**20
OF_FLOOR = (
    "The floor is the time of the matrix products alone, at the rate measured on this machine."
)
# The comparable format of a rival's file, by the prefix of its format name.
_FORMATS = {"BF16": "stored", "F16": "stored", "F32": "stored", "Q8": "int8", "Q4": "int4"}
_KIND = re.compile(r"\b(BF16|F16|F32|I?Q\d\w*)")


@dataclass(frozen=True, slots=True)
class Rival:
    """Another engine's tokens per second, by length.

    Attributes:
        name: with its format, "llama.cpp Q8_0".
        weights: our comparable format; "" if there is none.
    """

    name: str
    weights: str
    tok_s: Mapping[int, float]


def rival(engine: str, model: str, tok_s: Mapping[int, float]) -> Rival:
    """model: what it ran, named with its format; "" means the benchmark's own files."""
    if not model:
        return Rival(engine, "stored", tok_s)
    found = _KIND.search(model)
    if found is None:
        return Rival(f"{engine} {model}", "", tok_s)
    kind = found.group(1)
    weights = next((ours for start, ours in _FORMATS.items() if kind.startswith(start)), "")
    return Rival(f"{engine} {kind}", weights, tok_s)


def beside_lines(
    what: str, ours: Mapping[str, Mapping[int, float]], rivals: Sequence[Rival]
) -> list[str]:
    """A table: a row per format and length, and how many times as fast we are as each rival.

    ours: tokens per second by format and length. A rival whose format was not measured is listed
    next to all of them. Empty without a rival.
    """
    if not rivals:
        return []
    lines = [
        f"{what:>8}  {'weights':<8}{'Biplane':>9}   tok/s of others (Biplane is so many times)"
    ]
    for weights, speeds in ours.items():
        matching = [one for one in rivals if one.weights == weights or one.weights not in ours]
        for length, speed in speeds.items():
            parts = [
                f"{one.name} {figure(one.tok_s[length])} ({speed / one.tok_s[length]:.2f})"
                for one in matching
                if length in one.tok_s
            ]
            lines.append(
                f"{length:>8,}  {weights:<8}{figure(speed):>9}   {', '.join(parts)}".rstrip()
            )
    return lines


def figure(tok_s: float) -> str:
    """Tokens per second, with a sensible number of digits."""
    return f"{tok_s:,.0f}" if tok_s >= 100 else f"{tok_s:.1f}"


def print_prefill(report: PrefillReport) -> None:
    print_head(report)
    for each in report.formats:
        print_format_prefill(each)
    print_peers(report.peers)
    ours = {each.weights: {row.tokens: row.tok_s for row in each.rows} for each in report.formats}
    print_beside("prompt", ours, [prefill_rival(peer) for peer in report.peers])


def print_format_prefill(found: FormatPrefill) -> None:
    print(f"\nweights {found.weights}, kernels {found.kernels}")
    print(
        f"{'prompt':>8}{'seconds':>10}{'tok/s':>9}{'floor':>9}{'of floor':>10}   ms per token:"
        f"{'linear':>9}{'attention':>11}{'mlp':>8}{'rest':>8}"
    )
    for row in found.rows:
        layers = row.layers
        print(
            f"{row.tokens:>8,}{row.seconds:>10.2f}{row.tok_s:>9,.0f}{row.floor_tok_s:>9,.0f}"
            f"{row.ratio:>10.1%}{'':>16}{layers.linear_ms:>9.3f}{layers.attention_ms:>11.3f}"
            f"{layers.mlp_ms:>8.3f}{layers.rest_ms:>8.3f}"
        )
    print(OF_FLOOR)
    turn = found.warm_turn
    print(
        f"{turn.new} new tokens after {turn.context:,} in the cache ({turn.reused:,} reused, "
        f"{turn.replayed:,} replayed): first token in {turn.first_token_s:.3f} s, "
        f"floor {turn.floor_s:.3f} s ({1 / turn.ratio:.2f} times it)"
    )
    print_memory(found.memory)


def prefill_rival(peer: Peer) -> Rival:
    """The peer's faster mode: in one pass or in chunks."""
    speeds = {
        row.tokens: max(speed for speed in (row.one_pass_tok_s, row.chunked_tok_s) if speed)
        for row in peer.prefill
    }
    return rival(peer.name, peer.model, speeds)


def print_decode(report: DecodeReport) -> None:
    print_head(report)
    for each in report.formats:
        print_format_decode(each)
    print_peers(report.peers)
    ours = {each.weights: {row.context: row.tok_s for row in each.rows} for each in report.formats}
    rivals = [
        rival(peer.name, peer.model, {row.context: row.tok_s for row in peer.decode})
        for peer in report.peers
    ]
    print_beside("context", ours, rivals)
    print_turns(report.turns)


def print_turns(turns: tuple[Turns, ...]) -> None:
    if turns:
        print(f"\nby turns, medians of {len(turns[0].ours)}:")
    wide = max((len(each.weights) for each in turns), default=0)
    for each in turns:
        name = f"{each.context:>8,}  {each.weights:<{wide}}"
        if each.reason:
            print(f"{name} {each.reason}")
            continue
        ours, theirs = each.medians
        them = rival("llama.cpp", each.model, {}).name
        print(f"{name}{figure(ours):>9}   {them} {figure(theirs)} ({ours / theirs:.2f})")


def print_same_files(report: SameFiles) -> None:
    print(f"{report.machine}; kernels {report.kernels}")
    print_turns(report.turns)


def print_format_decode(found: FormatDecode) -> None:
    print(f"\nweights {found.weights}, kernels {found.kernels}")
    print(
        f"{'context':>8}{'tok/s':>9}{'ms':>8}{'floor':>9}{'of floor':>10}{'with state, KV':>16}"
        f"{'operators':>11}"
    )
    for row in found.rows:
        print(
            f"{row.context:>8,}{row.tok_s:>9.1f}{1e3 * row.step_s:>8.1f}{row.floor_tok_s:>9.1f}"
            f"{row.ratio:>10.1%}{row.floor_all_tok_s:>16.1f}{row.operator_share:>11.1%}"
        )
    print(
        f"The floor reads {found.work.weight_bytes / MIB:,.0f} MiB of weights for every token. "
        f"Operator overhead: at most {1e3 * found.tiny_step_s:.1f} ms, a step through as many "
        "layers with hardly any weights."
    )
    passes = ", ".join(
        f"{row.rows} in {1e3 * row.seconds:.1f} ms ({row.of_one:.2f} times one)"
        for row in found.passes
        if row.rows > 1
    )
    one = found.passes[0]
    print(f"rows at once after {one.context:,}: 1 in {1e3 * one.seconds:.1f} ms, {passes}")
    copies = found.copies
    print(
        f"a state of {copies.slot_bytes / MIB:.1f} MiB: restored in {1e3 * copies.restore_s:.2f} "
        f"ms ({gigabytes(copies.restore_bytes_s)}), forked in {1e3 * copies.fork_s:.2f} ms "
        f"({gigabytes(copies.fork_bytes_s)}), {copies.of_copy_rate:.0%} of a large copy's rate"
    )
    start = found.start
    print(
        f"starting again: {start.whole_s:.2f} s to the first token ({start.import_s:.2f} s of "
        f"imports, {start.open_s:.2f} s to open the model, {start.first_token_s:.2f} s for it)"
    )
    print_memory(found.memory)


def print_head(report: PrefillReport | DecodeReport) -> None:
    rates: MachineRates = report.rates
    int8 = "none" if rates.int8 is None else teraflops(rates.int8)
    print(f"{report.model}, {report.dtype}\n{report.machine}")
    print(
        f"reads {gigabytes(rates.read_bytes_s)}, copies {gigabytes(rates.copy_bytes_s)}; products "
        f"in TFLOP/s: bfloat16 {teraflops(rates.bfloat16)}, float32 {teraflops(rates.float32)}, "
        f"int8 {int8}"
    )


def print_memory(memory: EngineMemory) -> None:
    print(
        f"peak resident memory: {memory.loading_rss / MIB:,.0f} MiB while loading, "
        f"{memory.running_rss / MIB:,.0f} MiB after; held: weights "
        f"{memory.weights / MIB:,.0f}, KV plane {memory.kv_plane / MIB:,.0f}, state plane "
        f"{memory.state_plane / MIB:,.0f} MiB"
    )


def print_peers(peers: tuple[Peer, ...]) -> None:
    if peers:
        print()
    for peer in peers:
        if peer.reason:
            print(f"{peer.name}: {peer.reason}")
            continue
        peak = peer.peak_rss_bytes
        resident = "" if peak is None else f", {peak / MIB:,.0f} MiB resident"
        print(f"{peer.name} {peer.version}{', ' if peer.model else ''}{peer.model}{resident}")


def print_beside(what: str, ours: dict[str, dict[int, float]], rivals: list[Rival]) -> None:
    lines = beside_lines(what, ours, [one for one in rivals if one.tok_s])
    if lines:
        print("\nside by side, medians:", *lines, sep="\n")


def gigabytes(rate: float) -> str:
    return f"{rate / 1e9:.1f} GB/s"


def teraflops(rates: tuple[GemmRate, ...]) -> str:
    return f"{max(rate.flop_s for rate in rates) / 1e12:.2f}"
