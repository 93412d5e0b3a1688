"""The engine's own sentences, collected from its source as templates.

Everything with words in it that a module of ENGINE_TEXTS says, but for what it logs or asserts:
"{count} tokens" for `f"{count:,} tokens"`, with the fields named as in the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

# What reaches the window: reasons, refusals, notices.
ENGINE_TEXTS = (
    "engine/api.py",
    "engine/cache/by_hand.py",
    "engine/cache/eviction/cause.py",
    "engine/cache/tiers/by_hand.py",
    "engine/cache/tiers/lower.py",
    "engine/errors.py",
    "engine/hub/download.py",
    "engine/hub/fetch.py",
    "engine/hub/library.py",
    "engine/hub/listing.py",
    "engine/hub/names.py",
    "engine/hub/part.py",
    "engine/loop.py",
    "engine/model/config.py",
    "engine/model/inspect.py",
    "engine/model/loader.py",
    "engine/model/safetensors_file.py",
    "engine/model/tensor_store.py",
    "engine/remote/chat/address.py",
    "engine/remote/chat/answer.py",
    "engine/remote/chat/catalog.py",
    "engine/remote/chat/exchange.py",
    "engine/remote/chat/loop.py",
    "engine/remote/chat/sse.py",
    "engine/remote/chat/trouble.py",
    "engine/remote/chat/usage.py",
    "engine/remote/chat/wire.py",
    "engine/remote/counters/poller.py",
    "engine/remote/counters/reading.py",
    "engine/remote/tree/address.py",
    "engine/remote/tree/match.py",
    "engine/remote/tree/subscriber.py",
    "engine/reuse.py",
    "engine/run/act_line.py",
    "engine/run/answers.py",
    "engine/run/core.py",
    "engine/run/by_hand.py",
    "engine/run/explain.py",
    "engine/run/background.py",
    "engine/run/inspect/jobs.py",
    "engine/run/inspect/private_run.py",
    "engine/run/memory.py",
    "engine/run/planner.py",
    "engine/run/prepared.py",
    "engine/run/sampler.py",
    "engine/run/sequence.py",
    "engine/run/store.py",
    "engine/run/verify_line.py",
    "engine/serve/server.py",
    "engine/serve/volatile.py",
    "engine/storage/disk_store.py",
    "engine/storage/write_trouble.py",
    "engine/text/text_model.py",
    "engine/text/model_files.py",
    "engine/text/template.py",
    "engine/trace/reader.py",
    "engine/trace/replay.py",
    "engine/trace/report.py",
    "engine/trace/saving.py",
    "engine/trace/why/cause.py",
    "engine/trace/writer.py",
)
# Words that the engine has as data, not as a sentence of a module.
WORDS = (
    *("device", "host", "prefill", "decode", "branch", "verified", "unclear", "drifted"),
    *("quarantined", "system end", "user start", "before thinking", "answer start", "tool call"),
    *("interval", "end of prompt", "end of answer", "stopped", "asked for", "unpin", "pin"),
    *("superseded", "there already", "no room", "copy failed", "by user", "checkpoint", "evict"),
    *("PyTorch's operators", "Triton and FLA", "AVX-512 with BF16"),
    *("warm", "{digits} token", "{digits} tokens"),
)
# What those modules say to programs, and to each other.
UNSAID = (
    *("Bearer {token}", "application/json, text/event-stream", "timed out"),
    *("not the name of a computer", "the connection ended early", "the range was refused"),
)
_LEAST_LETTERS = 4


def sentences(code: str, path: Path) -> Iterator[str]:
    """The templates of one module, in its order."""
    if path.as_posix() not in ENGINE_TEXTS:
        return
    tree = ast.parse(code)
    passed = set(_passed_by(tree))
    found = [
        node
        for node in ast.walk(tree)
        if node not in passed and isinstance(node, ast.JoinedStr | ast.Constant)
    ]
    for node in sorted(found, key=lambda one: (one.lineno, one.col_offset)):
        text = _template(node)
        bare = re.sub(r"\{\w*\}", "", text)
        words = text if re.search(r"[a-z]\S* |[,.:] ", bare) else ""
        enough = sum(map(str.isalpha, bare)) >= _LEAST_LETTERS - 2
        if " " in words.strip() and enough and text not in UNSAID:
            yield text


def _passed_by(tree: ast.AST) -> Iterator[ast.AST]:
    """What nobody reads in the window: docstrings, log lines, assertions, parts of f-strings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            yield node.value
        elif isinstance(node, ast.Assert | ast.Compare):
            yield from ast.walk(node)
        elif isinstance(node, ast.JoinedStr):
            yield from node.values
            for value in node.values:
                if isinstance(value, ast.FormattedValue) and value.format_spec is not None:
                    yield value.format_spec
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("log.", "re.")):
            yield from ast.walk(node)
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield from ast.walk(node.annotation)


def _template(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        text: str = node.value if isinstance(node.value, str) else ""
        return text.replace("{", "{{").replace("}", "}}")
    assert isinstance(node, ast.JoinedStr)
    names: dict[str, str] = {}
    parts = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value).replace("{", "{{").replace("}", "}}"))
        elif isinstance(part, ast.FormattedValue):
            parts.append("{" + _field(ast.unparse(part.value), names) + "}")
    return "".join(parts)


def _field(expression: str, names: dict[str, str]) -> str:
    """A name for a field: the last word of its expression, numbered where another has it."""
    words = re.findall(r"[a-zA-Z][a-zA-Z_]*", expression) or ["value"]
    name = str(words[-1])
    while names.get(name, expression) != expression:
        name += "_"
    # The same expression twice is two fields: each may be told in its own words.
    while name in names:
        name += "_"
    names[name] = expression
    return name
