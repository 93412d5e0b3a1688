"""Starts the window: the log and crash reports first, then the garbage collector's policy, Qt, the
window, and last the engine, which loads in the background.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.cuda.use import activate
from app.core.instance import Instance, claim_or_call, this_call
from app.core.launch_marker import LaunchMarker, lost_sentence, report_to_stderr, take_lost_launches
from app.core.leaving import leave
from app.core.log import Log, logging_to_file, set_level
from app.core.preferences.file import settings_file
from app.core.preferences.language import saved_language
from app.core.words.language import speak, wanted
from app.core.words.tr import tr
from app.shell.plain_window import notify
from app.shell.preflight import desktop_problem

if TYPE_CHECKING:
    from app.core.loops import LoopFactory
    from app.shell.options import Options

SWITCH_INTERVAL_S = 0.001

log = logging.getLogger(__name__)


def main(argv: list[str] | None = None) -> int:
    """Run the window; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    code = 1
    if argv is None:
        # Registered first, so it runs last.
        atexit.register(lambda: leave(code))
    # Before importing modules whose constants are translated.
    speak(wanted(arguments, os.environ, saved_language(settings_file())))
    from app.shell.options import parse

    try:
        code = start(parse(argv))
    except SystemExit as left:
        # argparse, after --help or an invalid option.
        code = left.code if isinstance(left.code, int) else 1
        raise
    return code


def start(options: Options, factory: LoopFactory | None = None) -> int:
    """Run the window with parsed options. `factory` makes the run loop (tests pass a fake)."""
    with logging_to_file(options.log_level) as file:
        activate()
        instance = None
        if options.conversations is not None and not options.new_instance:
            model = options.model if options.model_named else None
            call = this_call(model, options.trace, options.files, options.act)
            found = claim_or_call(options.conversations, call)
            if isinstance(found, str):
                return handed_over(found)
            instance = found
        marker = LaunchMarker(file.path.parent)
        notices: list[str] = []
        # A screenshot must not depend on earlier sessions.
        if options.screenshot is None:
            notices = [file.problem] if file.problem else []
            file = look_back(file)
            marker.begin()
        else:
            report_to_stderr()
        try:
            code = run_window(options, factory, file, notices, instance)
        except Exception as error:
            # The launch marker stays, so the next start reports the crash.
            log.critical("The window failed.", exc_info=error)
            notify(
                tr("Biplane cannot continue ({name}). Its log is {path}.").format(
                    name=type(error).__name__, path=file.path
                )
            )
            raise
        except BaseException:
            marker.end()
            raise
        finally:
            if instance is not None:
                instance.close()
        marker.end()
        if not file.problem and not file.path.exists():
            # The log was deleted, and its folder held the marker only.
            with contextlib.suppress(OSError):
                file.path.parent.rmdir()
                file.path.parent.parent.rmdir()
        return code


def handed_over(problem: str) -> int:
    """The exit code of a start that called the open window. `problem`: why calling it failed."""
    if problem:
        log.error("The open window did not answer.")
        notify(problem)
        return 1
    log.info("The open window has been called.")
    if sys.stdout is not None and sys.stdout.isatty():
        print(tr("Biplane is running already; its window is in front now."))
    return 0


def look_back(file: Log) -> Log:
    """The log, with a report of earlier runs that ended unexpectedly."""
    lost = take_lost_launches(file.path.parent)
    for run in lost:
        log.error(
            "The run with process %d, started %s, ended unexpectedly.%s",
            run.pid,
            run.started.isoformat(" ", "seconds"),
            f"\n{run.stack}" if run.stack else " It wrote no crash report.",
        )
    if not lost:
        return file
    from app.core.diagnostics import crash_report

    return replace(file, lost=lost_sentence(lost), crash=crash_report(lost, file))


def run_window(
    options: Options,
    factory: LoopFactory | None,
    file: Log,
    notices: list[str],
    instance: Instance | None = None,
) -> int:
    """Check whether a window can open, and run it; `notices` are shown once it is open."""
    # The default switch interval, 5 ms, is too long for a frame.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    problem = desktop_problem()
    if problem:
        log.error("The window cannot be opened: %s", problem)
        notify(problem)
        return 2
    _spare_sources()
    from app.shell.options import open_book

    book = open_book(options)
    set_level(book.now("log_level"))
    from app.shell.run import run

    return run(options, factory, file, notices, book, instance)


def _spare_sources() -> None:
    """Keep PySide from reading the source of each module that is imported after it.

    It looks for modules that may ask for its names in snake_case, which none of ours does; that
    took a tenth of the start (shibokensupport/feature.py).
    """
    feature = sys.modules.get("shibokensupport.feature")
    if feature is not None and hasattr(feature, "_mod_uses_pyside"):
        vars(feature)["_mod_uses_pyside"] = lambda module: True
