"""Writes a processor's figures, for benchmarks.md, from the benchmarks' JSON.

    biplane bench decode --all-formats --json > decode.json
    biplane bench prefill --all-formats --json > prefill.json
    python packaging/benchmark_tables.py "AMD EPYC, AVX-512" decode.json prefill.json

Prints Markdown. With `--gguf FILES` the two commands measure llama.cpp, too.
"""

from __future__ import annotations

import datetime
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.cli.speed_tables import Rival, figure, rival

Report = dict[str, Any]


def section(title: str, reports: Sequence[Report]) -> str:
    """The section of one kind of processor, with a table for whatever was measured."""
    parts = [f"### {title}", head(reports)]
    for report in reports:
        if "passes" in report["formats"][0]:
            parts += [speeds(report, "context"), passes(report), starts(report)]
            parts += [by_turns(report)] if report["turns"] else []
        else:
            parts += [speeds(report, "tokens"), turns(report)]
    return "\n\n".join(parts)


def head(reports: Sequence[Report]) -> str:
    """The machine, and the best of its measured rates."""
    rates = [report["rates"] for report in reports]
    kernels = {each["kernels"] for report in reports for each in report["formats"]}

    def most(name: str) -> float:
        return max(rate["flop_s"] for each in rates for rate in each[name] or [{"flop_s": 0.0}])

    return (
        f"{reports[0]['machine']}; kernels: {', '.join(sorted(kernels))}; "
        f"{datetime.date.today().isoformat()}. "
        f"Reads {max(each['read_bytes_s'] for each in rates) / 1e9:.1f} GB/s, copies "
        f"{max(each['copy_bytes_s'] for each in rates) / 1e9:.1f} GB/s; products: "
        f"{most('bfloat16') / 1e12:.2f} TFLOP/s in bfloat16, {most('float32') / 1e12:.2f} in "
        f"float32, {most('int8') / 1e12:.2f} TOP/s in int8."
    )


def speeds(report: Report, by: str) -> str:
    """Tokens per second by context ("context") or by length of the prompt ("tokens")."""
    rivals = [one for one in map(rival_of, report["peers"]) if one.tok_s]
    formats = [each["weights"] for each in report["formats"]]
    lines = []
    for each in report["formats"]:
        own = each["weights"]
        beside = [one for one in rivals if one.weights == own or one.weights not in formats]
        for row in each["rows"]:
            others = [
                f"{one.name} {figure(one.tok_s[row[by]])} "
                f"({row['tok_s'] / one.tok_s[row[by]]:.2f} times)"
                for one in beside
                if row[by] in one.tok_s
            ]
            # A long context has to be read as well as the weights.
            whole = f" {figure(row['floor_all_tok_s'])} |" if by == "context" else ""
            lines.append(
                f"| {each['weights']} | {row[by]:,} | {figure(row['tok_s'])} "
                f"| {figure(row['floor_tok_s'])} | {row['ratio']:.0%} |{whole} "
                f"{', '.join(others)} |"
            )
    name = "decode after" if by == "context" else "prefill of"
    whole = " floor with states and KV |" if by == "context" else ""
    return table(f"weights | {name} | tok/s | floor | of floor |{whole} others in this run", lines)


def by_turns(report: Report) -> str:
    """Answers by turns with llama.cpp; medians."""
    lines = []
    for each in report["turns"]:
        if each["reason"]:
            continue
        ours, theirs = statistics.median(each["ours"]), statistics.median(each["theirs"])
        lines.append(
            f"| {each['weights']} | {each['context']:,} | {figure(ours)} "
            f"| {rival('llama.cpp', each['model'], {}).name} {figure(theirs)} "
            f"| {ours / theirs:.2f} times |"
        )
    return table("weights | by turns after | tok/s | llama.cpp | Biplane is", lines)


def rival_of(peer: Report) -> Rival:
    """A peer's decode, or the faster of its two ways to prefill."""
    tok_s = {row["context"]: row["tok_s"] for row in peer["decode"]}
    for row in peer["prefill"]:
        ways = (row["one_pass_tok_s"], row["chunked_tok_s"])
        tok_s[row["tokens"]] = max(way for way in ways if way)
    return rival(peer["name"], peer["model"], tok_s)


def passes(report: Report) -> str:
    """A few rows at once, as multiples of one row's time."""
    rows = [one["rows"] for one in report["formats"][0]["passes"]]
    lines = []
    for each in report["formats"]:
        first, *others = each["passes"]
        cells = " | ".join(f"{one['of_one']:.2f}" for one in others)
        lines.append(f"| {each['weights']} | {1e3 * first['seconds']:.1f} ms | {cells} |")
    names = " | ".join(f"{count} rows" for count in rows[1:])
    return table(f"weights | 1 row | {names}", lines)


def starts(report: Report) -> str:
    """A start that is not the first, and copies of a state."""
    lines = [
        f"| {each['weights']} | {each['start']['whole_s']:.2f} s | {each['start']['open_s']:.2f} s "
        f"| {1e3 * each['copies']['restore_s']:.2f} ms | {1e3 * each['copies']['fork_s']:.2f} ms "
        f"| {each['copies']['of_copy_rate']:.0%} |"
        for each in report["formats"]
    ]
    return table(
        "weights | second start to the first token | of it opening | restore | fork "
        "| of a large copy's rate",
        lines,
    )


def turns(report: Report) -> str:
    """One more turn of a chat that the cache holds."""
    lines = []
    for each in report["formats"]:
        turn = each["warm_turn"]
        lines.append(
            f"| {each['weights']} | {turn['new']} after {turn['context']:,} "
            f"| {turn['first_token_s']:.3f} s | {turn['floor_s']:.3f} s "
            f"| {1 / turn['ratio']:.2f} times |"
        )
    return table("weights | new tokens on cached ones | first token | floor | of floor", lines)


def table(names: str, lines: Sequence[str]) -> str:
    ruler = " | ".join("---" for _ in names.split(" | "))
    return "\n".join((f"| {names} |", f"| {ruler} |", *lines))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    print(section(sys.argv[1], [json.loads(Path(file).read_text()) for file in sys.argv[2:]]))
