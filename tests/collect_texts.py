"""The program's texts, collected from its source into the files that Qt Linguist edits.

    python -m tests.collect_texts

brings assets/translations up to date: new texts are marked unfinished, translations are kept, and
what nobody says any more is left out. A test fails while they are out of date.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args
from xml.sax.saxutils import escape

from app.core.words.language import Message, read_messages
from engine.analysis.why.cause import Cause
from engine.cache.eviction.cause import Cause as Eviction
from engine.cache.tiers.by_hand import Deed
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import FileCause
from engine.reuse import Reason
from engine.stored_state import Provenance, TierName, Why
from engine.verdict import VerdictStatus

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "assets" / "translations"
CONTEXT = "Biplane"
# Where fmt.plural is made of trn.
PLURAL = Path("app/core/words/format.py")
# What takes the template of a sentence of the engine's.
SAYING = (
    *("say", "AddressError", "BiplaneError", "CacheError", "HubError", "LoadCancelled"),
    *("ModelError", "PromptError", "RemoteError", "ServeError", "TraceError"),
)
# Words that the engine has as data.
WORDS = (
    *(one.value for kind in (Eviction, FileCause, Intake, Reason, Cause) for one in kind),
    *(
        one
        for kind in (Provenance, TierName, Why, VerdictStatus, Deed)
        for one in get_args(kind)
        if one
    ),
    *("by user", "checkpoint"),
    *("PyTorch's operators", "Triton and FLA", "AVX-512 with BF16"),
)
# What is printed for a terminal stays in English.
COMMAND_LINE = ("cli", "bench")


class NoLiteral(ValueError):
    """A text that cannot be collected, because it is put together before it is looked up."""


def collected(root: Path = ROOT) -> list[Message]:
    """All texts of the app and of the engine, in the order of the files."""
    found: dict[str, Message] = {}
    for path in sorted((root / "app").rglob("*.py")):
        for message in texts_of(path.read_text(encoding="utf-8"), path.relative_to(root)):
            found.setdefault(message.key, message)
    for path in sorted((root / "engine").rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[1] in COMMAND_LINE:
            continue
        for source in sentences(path.read_text(encoding="utf-8"), place):
            found.setdefault(source, Message(source, file=place.as_posix()))
    for word in WORDS:
        found.setdefault(word, Message(word, file="engine"))
    return list(found.values())


def texts_of(code: str, path: Path) -> Iterator[Message]:
    """The texts that one module looks up. Raises NoLiteral."""
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else _name(node.func)
        if name == "tr" and isinstance(node.func, ast.Name):
            words = [_literal(argument, path) for argument in node.args]
            yield Message(words[0], note="".join(words[1:2]), file=str(path))
        elif name == "trn" and path != PLURAL:
            _literal(node.args[0], path)
            yield Message(_literal(node.args[1], path), plural=True, file=str(path))
        elif name == "plural" and path.parts[1] not in COMMAND_LINE:
            # fmt.plural(count, "token") says "1 token" and "5 tokens". A noun that is handed on
            # has to be a literal elsewhere.
            for noun in (arg for arg in node.args[1:] if isinstance(arg, ast.Constant)):
                source = f"{{count}} {_literal(noun, path)}s"
                yield Message(source, plural=True, file=str(path))


def sentences(code: str, path: Path) -> list[str]:
    """The templates of the engine's sentences in one module. Raises NoLiteral."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    said = []
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = _name(call.func)
        if name == "say":
            said.append(_literal(call.args[0], path))
        elif name in SAYING:
            # What comes before a sentence, if anything, is its kind.
            said += [_literal(one, path) for one in call.args[-1:] if isinstance(one, ast.Constant)]
    return said


def merged(now: list[Message], before: list[Message]) -> list[Message]:
    """The texts of now, with the translations that there were."""
    known = {message.key: message for message in before}
    return [
        replace(message, translation=old.translation, state=old.state)
        if (old := known.get(message.key)) is not None and old.state != "vanished"
        else message
        for message in now
    ]


def written(messages: list[Message], language: str) -> str:
    """A `.ts` file."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
        "<context>",
        f"    <name>{CONTEXT}</name>",
    ]
    for message in messages:
        lines += _lines(message)
    return "\n".join([*lines, "</context>", "</TS>", ""])


def _lines(message: Message) -> Iterator[str]:
    yield '    <message numerus="yes">' if message.plural else "    <message>"
    yield f'        <location filename="{message.file}"/>'
    yield f"        <source>{escape(message.source)}</source>"
    if message.note:
        yield f"        <comment>{escape(message.note)}</comment>"
    kind = "" if message.state == "finished" else f' type="{message.state}"'
    said = escape(message.translation)
    if message.plural:
        said = f"<numerusform>{said}</numerusform>"
    yield f"        <translation{kind}>{said}</translation>"
    yield "    </message>"


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr, path: Path) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise NoLiteral(f"{path}:{node.lineno} looks up a text that is no literal.")


def main() -> int:
    now = collected()
    for path in sorted(FOLDER.glob("*.ts")):
        messages = merged(now, read_messages(path))
        language = path.stem.partition("_")[2]
        path.write_text(written(messages, language), encoding="utf-8")
        left = sum(message.state != "finished" for message in messages)
        print(f"{path.name}: {len(messages)} texts, {left} without a translation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
