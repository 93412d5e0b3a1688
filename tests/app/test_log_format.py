"""What an error leaves in the log: every frame, and no text of a conversation."""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable

import pytest

from app.core.log import LEFT_OUT, PrivateFormatter
from engine.errors import ModelError, PromptError

SECRET = "my grandmother's maiden name"


def raise_it(error: BaseException) -> None:
    raise error


def raise_prompt_error() -> None:
    try:
        f"{SECRET}\ud800".encode()
    except ValueError as error:
        raise PromptError(f"{SECRET!r} cannot be run.") from error


def raise_group() -> None:
    raise ExceptionGroup(SECRET, [KeyError(SECRET), ValueError(3)])


def raise_while_handling() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError:
        raise RuntimeError(SECRET) from None


def raise_with_note() -> None:
    error = RuntimeError()
    error.add_note(SECRET)
    raise error


class Surprise(Exception):
    def __str__(self) -> str:
        return SECRET


def written(fail: Callable[[], None], *, whole: bool = False) -> str:
    try:
        fail()
    except BaseException:
        made = logging.LogRecord("x", 40, "", 0, "It failed.", (), sys.exc_info())
    return PrivateFormatter(whole=whole).format(made)


@pytest.mark.parametrize(
    "fail",
    [
        raise_prompt_error,
        raise_group,
        raise_while_handling,
        raise_with_note,
        lambda: raise_it(Surprise()),
        lambda: raise_it(KeyError(SECRET)),
        lambda: raise_it(UnicodeEncodeError("utf-8", SECRET, 0, 1, SECRET)),
        lambda: raise_it(OSError(SECRET)),
        lambda: raise_it(AssertionError(SECRET)),
        lambda: raise_it(ValueError((SECRET,))),
    ],
)
def test_no_text_gets_through(fail: Callable[[], None]) -> None:
    text = written(fail)
    assert SECRET not in text
    assert "grandmother" not in text
    assert "Traceback (most recent call last):" in text
    assert f"{__name__.rpartition('.')[2]}.py" in text


def test_every_frame_of_every_error_is_there() -> None:
    text = written(raise_prompt_error)
    assert text.index("builtins.Unicode") < text.index("which led to:")
    assert text.count("in raise_prompt_error") == 2
    assert "engine.errors.PromptError: " + LEFT_OUT in text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModelError("config.json is missing."), "config.json is missing."),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), "No space left on device (28) /x"),
        (ModuleNotFoundError("No module named 'triton'"), "triton"),
        (KeyError(17), "KeyError: 17"),
        (MemoryError("Unable to allocate 3 GiB"), "3 GiB"),
    ],
)
def test_what_is_harmless_is_said(error: BaseException, said: str) -> None:
    assert said in written(lambda: raise_it(error))


def test_debug_says_everything() -> None:
    assert SECRET in written(lambda: raise_it(ValueError(SECRET)), whole=True)


def test_what_another_handler_wrote_is_not_taken_over() -> None:
    try:
        raise_it(ValueError(SECRET))
    except ValueError:
        made = logging.LogRecord("x", 40, "", 0, "It failed.", (), sys.exc_info())
    assert SECRET in logging.Formatter().format(made)
    assert SECRET not in PrivateFormatter().format(made)


def test_a_ring_of_causes_ends() -> None:
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    text = written(lambda: raise_it(one))
    assert text.count("which led to:") == 1
