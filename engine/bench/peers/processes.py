"""Other engines in separate processes: transformers on the same files, llama.cpp on a GGUF file."""

from __future__ import annotations

import importlib.util
import json
import shutil
import statistics
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from engine.bench.harness import run_process
from engine.bench.peer_report import Peer, PeerAsk, PeerDecode, PeerPrefill

PEER_MODULE = "engine.bench.peers.transformers_peer"
LLAMA_BENCH = "llama-bench"


def all_peers(folder: Path, dtype: str, ggufs: Sequence[Path], ask: PeerAsk) -> tuple[Peer, ...]:
    """Every peer in turn, llama.cpp once per file; one that cannot run gives the reason."""
    files: Sequence[Path | None] = ggufs or (None,)
    return transformers_peer(folder, dtype, ask), *(llama_peer(file, ask) for file in files)


def transformers_peer(folder: Path, dtype: str, ask: PeerAsk) -> Peer:
    """transformers on the model folder, in a separate process."""
    name = "transformers"
    if importlib.util.find_spec(name) is None:
        return Peer(name, None, "transformers is not installed.")
    command = [
        *(sys.executable, "-m", PEER_MODULE, str(folder), "--dtype", dtype),
        *("--ask", msgspec.json.encode(ask).decode()),
    ]
    output, reason = _output_of(command)
    if reason:
        return Peer(name, None, reason)
    return peer_from_json(output)


def peer_from_json(output: str) -> Peer:
    """The peer that a child process wrote as the last line of its output."""
    try:
        return msgspec.json.decode(output.strip().splitlines()[-1], type=Peer)
    except (LookupError, msgspec.MsgspecError) as error:
        return Peer("transformers", None, f"The process wrote no report: {error!r}.")


def llama_peer(gguf: Path | None, ask: PeerAsk) -> Peer:
    """llama.cpp on a GGUF file of the same shape, measured by its own llama-bench."""
    name = "llama.cpp"
    program = shutil.which(LLAMA_BENCH)
    if gguf is None:
        return Peer(name, None, "No GGUF file was given (--gguf FILE).")
    if program is None:
        return Peer(name, None, f"{LLAMA_BENCH} is not on the PATH.")
    common = [program, "-m", str(gguf), "-t", str(ask.threads), "-r", str(ask.repeats)]
    peer = Peer(name, None, "No measurement was requested.")
    for wanted in (
        ["-p", _listed(ask.prompts), "-n", "0"] if ask.prompts else [],
        ["-p", "0", "-n", str(ask.new), "-d", _listed(ask.contexts)] if ask.contexts else [],
    ):
        if not wanted:
            continue
        output, reason = _output_of([*common, *wanted, "-o", "json"])
        if reason:
            return Peer(name, None, reason)
        found = parse_llama_bench(output)
        if found.reason:
            return found
        peer = replace(
            found, prefill=peer.prefill + found.prefill, decode=peer.decode + found.decode
        )
    return peer


def parse_llama_bench(output: str) -> Peer:
    """The rows of `llama-bench -o json`, with the medians of the samples.

    A single slow run would distort the averages.
    """
    name = "llama.cpp"
    try:
        rows: list[dict[str, Any]] = json.loads(output)
        prefill = tuple(
            PeerPrefill(int(row["n_prompt"]), _speed(row), None)
            for row in rows
            if row["n_prompt"] and not row["n_gen"]
        )
        decode = tuple(
            PeerDecode(int(row.get("n_depth", 0)), _speed(row))
            for row in rows
            if row["n_gen"] and not row["n_prompt"]
        )
        version, model = str(rows[0]["build_commit"]), str(rows[0]["model_type"])
    except (ValueError, LookupError, TypeError) as error:
        return Peer(name, None, f"The output of {LLAMA_BENCH} cannot be read: {error!r}.")
    return Peer(name, version, "", model, prefill, decode)


def _speed(row: dict[str, Any]) -> float:
    samples = row.get("samples_ts")
    return float(statistics.median(samples) if samples else row["avg_ts"])


def _output_of(command: list[str]) -> tuple[str, str]:
    """The standard output of a command and "", or "" and why there is none."""
    try:
        done = run_process(command)
    except OSError as error:
        return "", f"{command[0]} cannot be run: {error.strerror}."
    if done.code == 0:
        return done.output, ""
    last = done.last_error or "no error output"
    return "", f"The process exited with code {done.code}: {last}"


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
