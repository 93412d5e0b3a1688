"""The command line options of the window. Without Qt, so that `--help` is instant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from app.core.options.parser import Parser
from app.core.options.shared import (
    CHAT_DISK_MB,
    add_engine_options,
    add_log_option,
    add_sampling_options,
    demo_model_dir,
    engine_config,
    given_sampling,
    named_options,
    named_settings,
)
from app.core.options.watch import add_watch_options, publishers_of
from app.core.preferences.book import Book
from app.core.preferences.file import settings_file
from app.core.preferences.table import ENGINE
from app.core.session.applied import applied_file
from app.core.session.settings import Overrides
from app.core.store.opening import data_folder
from app.core.words import language
from app.shell.script import Step, parse_step, read_script
from app.shell.window_memory import ThemeChoice, memory_file
from engine.config import EngineConfig
from engine.errors import BiplaneError
from engine.net.client.address import Address
from engine.net.kv_events.address import Publisher

_SIZE = (1440, 900)


@dataclass(frozen=True, slots=True)
class Options:
    """The window's start options.

    Attributes:
        model: the folder, the bundled one by default; None asks for one.
        given: sampling for new conversations, overriding the model's own.
        screenshot: where to write the picture; None runs the window for a user.
        steps: the script for the screenshot.
        trace: a file to open in the debugger.
        watch: engines elsewhere to open in the debugger.
        metrics: where their counters are published; None: they are not polled.
        dump: an indexer's dump of their earlier events; None if there is none.
        size: of the window; None restores its last geometry.
        memory: the file for the window's geometry; None saves nothing.
        conversations: the folder for them; None keeps them for this run only.
        applied: the file for applied settings; None saves none.
        named: fields of `config` that the command line sets.
        settings: the file for the program's settings; None keeps them for this run only.
        overruled: settings that the command line overrides, by name.
        model_named: the command line sets the model.
        new_instance: open another window, even if one is already open.
    """

    model: Path | None
    config: EngineConfig
    given: Overrides
    screenshot: Path | None
    steps: tuple[Step, ...]
    size: tuple[int, int] | None
    thinking: bool
    log_level: str = "info"
    trace: Path | None = None
    watch: tuple[Publisher, ...] = ()
    metrics: Address | None = None
    dump: Address | Path | None = None
    memory: Path | None = None
    conversations: Path | None = None
    applied: Path | None = None
    named: frozenset[str] = frozenset()
    settings: Path | None = None
    overruled: Mapping[str, Any] = field(default_factory=dict)
    model_named: bool = True
    new_instance: bool = False


def parse(argv: list[str] | None) -> Options:
    """Parse the command line; exits with a usage message if it is invalid."""
    parser = Parser(
        prog="biplane", description="Chat with a local hybrid model and watch its prefix cache."
    )
    add_engine_options(parser, disk_mb=CHAT_DISK_MB)
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="MODEL", help="the same as --model MODEL"
    )
    parser.add_argument(
        "--theme",
        choices=get_args(ThemeChoice),
        help="colour theme of this start (default: as set)",
    )
    # Parsed before this module is imported, so that the whole window can use that language.
    parser.add_argument(
        language.OPTION,
        choices=language.CHOICES,
        help="language of this start (default: as set, else the system's)",
    )
    add_sampling_options(parser)
    add_log_option(parser)
    parser.add_argument(
        "--trace",
        type=Path,
        metavar="FILE",
        help="look at a recorded trace in the debugger; only --model opens a model beside it",
    )
    parser.add_argument(
        "--new-instance",
        action="store_true",
        help="open another window, which cannot save conversations, instead of showing the open "
        "one",
    )
    add_watch_options(parser)
    picture = parser.add_argument_group("picture")
    picture.add_argument(
        "--screenshot",
        type=Path,
        metavar="OUT.png",
        help="send the messages, wait for the answers, save a screenshot of the window and quit",
    )
    picture.add_argument(
        "--say", action="append", default=[], metavar="TEXT", help="a message; may be repeated"
    )
    picture.add_argument(
        "--script",
        type=Path,
        metavar="FILE",
        help="messages separated by blank lines; also /again, /edit N TEXT, /new, /system TEXT, "
        "/think on, /select N, /debugger PANEL, /view NAME, /lab TAB, /needle WORD, /query WORD",
    )
    picture.add_argument("--size", metavar="WxH", help="window size, such as 1440x900")
    given = parser.parse_args(argv)
    if given.file is not None and not given.file.exists():
        # A misspelt command, more likely.
        parser.error(f"unrecognized arguments: {given.file}")
    given.model = given.model or given.file
    if (given.say or given.script) and given.screenshot is None:
        parser.error("--say and --script need --screenshot")
    if given.trace is not None and not given.trace.is_file():
        parser.error(f"There is no file {given.trace}.")
    try:
        script = read_script(given.script) if given.script is not None else []
        steps = tuple(parse_step(paragraph) for paragraph in (*given.say, *script))
        config = engine_config(given)
        if given.screenshot is not None:
            # A screenshot must not depend on an earlier cache.
            config = replace(config, disk_bytes=0, cache_dir=None)
        watch = publishers_of(given)
        size = _size(given.size) if given.size else _SIZE if given.screenshot else None
        sampling = given_sampling(given)
        if given.screenshot is not None:
            # A screenshot should look the same each time.
            sampling = {"seed": 0, **sampling}
    except (BiplaneError, OSError, ValueError) as error:
        parser.error(str(error))
    named = named_settings(parser, argv)
    overruled: dict[str, Any] = {ENGINE[field]: getattr(config, field) for field in named}
    if given.theme is not None:
        overruled["theme"] = given.theme
    if given.language is not None:
        overruled["language"] = given.language
    if named_options(parser, argv, ("log_level",)):
        overruled["log_level"] = given.log_level
    return Options(
        model=given.model or (_bundled_model() if given.trace is None and not watch else None),
        config=config,
        given=sampling,
        screenshot=given.screenshot,
        steps=steps,
        size=size,
        thinking=given.think,
        log_level=given.log_level,
        trace=given.trace,
        watch=watch,
        metrics=given.metrics,
        dump=given.dump,
        memory=memory_file() if size is None else None,
        # A screenshot shows none of the user's conversations, and adds none.
        conversations=data_folder() if given.screenshot is None else None,
        applied=applied_file(memory_file()) if given.screenshot is None else None,
        named=named,
        # A screenshot must not depend on the user's settings.
        settings=settings_file() if given.screenshot is None else None,
        overruled=overruled,
        model_named=given.model is not None,
        new_instance=given.new_instance,
    )


def open_book(options: Options) -> Book:
    """The program's settings, from the file and the command line."""
    return Book(options.settings, options.overruled)


def _bundled_model() -> Path | None:
    """The bundled demo model; None if the package was built without it."""
    folder = demo_model_dir()
    return folder if (folder / "config.json").is_file() else None


def _size(text: str) -> tuple[int, int]:
    width, mark, height = text.partition("x")
    if not mark or not width.isdecimal() or not height.isdecimal():
        raise ValueError(f'--size "{text}" is not a size; write it as 1440x900.')
    return int(width), int(height)
