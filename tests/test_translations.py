"""The translations: complete, in agreement with the source, and with the same placeholders."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from app.core.words.language import LANGUAGES, Message, read_messages
from tests.collect_texts import FOLDER, ROOT, NoLiteral, collected, merged, texts_of, written

FILES = sorted(FOLDER.glob("*.ts"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def file(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


def fields(text: str) -> list[tuple[str, str, str]]:
    """Names of the placeholders with their formats, sorted."""
    return sorted(
        (name, spec or "", conversion or "")
        for _, name, spec, conversion in Formatter().parse(text)
        if name is not None
    )


def problems(message: Message) -> Iterator[str]:
    """What is wrong with a translation."""
    source, said = message.source, message.translation
    if message.state != "finished" or not said:
        yield f"{source!r} is not translated"
        return
    try:
        if fields(source) != fields(said):
            yield f"{source!r} and {said!r} differ in their placeholders"
    except ValueError:
        # A text that is no template, such as one with a single brace.
        if source.count("{") != said.count("{"):
            yield f"{source!r} and {said!r} differ in their braces"
    for left, right in zip(_edges(source), _edges(said), strict=True):
        if left != right:
            yield f"{source!r} and {said!r} differ in the space at an end"
    if source.count("\n") != said.count("\n"):
        yield f"{source!r} and {said!r} differ in their lines"


def _edges(text: str) -> tuple[str, str]:
    start, end = re.fullmatch(r"(\n*).*?(\n*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    return start, end


def test_every_language_has_its_file() -> None:
    assert {path.stem.partition("_")[2] for path in FILES} == LANGUAGES.keys() - {"en"}


def test_it_agrees_with_the_source(file: Path) -> None:
    before = read_messages(file)
    now = merged(collected(), before)
    new = [m.key for m in now if m.key not in {old.key for old in before}]
    gone = [m.key for m in before if m.key not in {made.key for made in now}]
    assert not new + gone, f"run python -m tests.collect_texts; new {new}, gone {gone}"


def test_every_text_is_translated_with_its_placeholders(file: Path) -> None:
    assert not [problem for message in read_messages(file) for problem in problems(message)]


_HAN = "[\u4e00-\u9fff]"
# What a reader of Chinese sees at once: marks of the wrong width, and letters without a space.
_UNTIDY = (
    rf"{_HAN}[,;:!?](?=\s|$|{_HAN})|{_HAN}\.(?=\s|$)",
    rf"[A-Za-z]{_HAN}|{_HAN}[A-Za-z0-9]",
    r"[，。：；！？、（）] [^ ]|[^ ] [，。：；！？、（）]",
)


def untidy(translation: str) -> list[str]:
    """The places of a Chinese text that its typography forbids."""
    bare = re.sub(r"\{[^}]*\}", "{}", translation)
    return [found.group() for rule in _UNTIDY for found in re.finditer(rule, bare)]


def test_chinese_has_its_own_marks_and_a_space_beside_latin_letters() -> None:
    messages = read_messages(FOLDER / "biplane_zh_CN.ts")
    assert not [(m.source, found) for m in messages if (found := untidy(m.translation))]


@pytest.mark.parametrize(
    "text", ["存储: 预填充", "全部token", "结束. 开始", "好了。 这是", "共3个"]
)
def test_a_planted_untidy_text_is_found(text: str) -> None:
    assert untidy(text)


def test_writing_what_was_read_changes_nothing(file: Path) -> None:
    messages = read_messages(file)
    assert written(messages, file.stem.partition("_")[2]) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "message",
    [
        Message("Quit"),
        Message("Quit", "退出", state="unfinished"),
        Message("{count} of {all}", "{count} / {total}", state="finished"),
        Message("{share:.0f} %", "{share} %", state="finished"),
        Message("One\nTwo", "一二", state="finished"),
    ],
)
def test_a_planted_gap_is_found(message: Message) -> None:
    assert list(problems(message))


def test_a_text_that_cannot_be_collected_is_reported() -> None:
    with pytest.raises(NoLiteral, match=r"some\.py:1 "):
        list(texts_of("tr(f'{count} tokens')", Path("some.py")))


def test_no_text_is_looked_up_before_the_language_is_set() -> None:
    """What app.shell.main imports at its top has no constants that are texts."""
    code = (
        "import app.shell.main, sys;"
        "print(*(m.__file__ for name, m in sys.modules.items() if name.startswith('app.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    early = [name for name in done.stdout.split() if list(_at_import(Path(name)))]
    assert not early


def _at_import(path: Path) -> Iterator[int]:
    """Lines that look up a text while the module is imported."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("tr", "trn"):
            yield called.lineno
        for child in ast.iter_child_nodes(node):
            if isinstance(node, ast.FunctionDef | ast.Lambda) and child in (
                node.body if isinstance(node.body, list) else [node.body]
            ):
                continue
            waiting.append(child)
