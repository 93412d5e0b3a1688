"""The command line: `biplane` alone opens the window, a subcommand runs and exits."""

from __future__ import annotations

import argparse
import atexit
import importlib.metadata
import io
import logging
import os
import sys
from typing import TextIO

from app.core.leaving import leave
from app.core.options.parser import Parser
from app.core.own_program import LANGUAGE
from app.core.words.language import LANGUAGES, speak

SUBCOMMANDS = (
    *("chat", "generate", "serve", "audit", "bench", "trace", "view", "models", "check", "places"),
    "cuda",
    "desktop",
)
NAMES = (*SUBCOMMANDS[:-1], "install-desktop")
# The code that a shell reports for a program ended by a closed pipe.
CLOSED_PIPE = 141


# Named explicitly, for when it runs as __main__.
log = logging.getLogger("app.cli.main")


def main(argv: list[str] | None = None) -> int:
    """The `biplane` command. Returns the exit code: 0 only on success, 2 for misuse."""
    code = 1
    if argv is None:
        # Registered first, so it runs last.
        atexit.register(lambda: leave(code))
    try:
        code = _dispatch(sys.argv[1:] if argv is None else argv)
    except SystemExit as left:
        # argparse, after --help or an invalid option.
        code = left.code if isinstance(left.code, int) else 1
    except BrokenPipeError:
        code = CLOSED_PIPE
    code = _written_out(code)
    return code


def _dispatch(arguments: list[str]) -> int:
    if not arguments or (arguments[0] not in NAMES and arguments[0] not in ("-h", "--help")):
        if arguments[:1] == ["--version"]:
            print(f"biplane {importlib.metadata.version('biplane')}")
            return 0
        return open_window(arguments)
    if arguments[0] == "view" and not {"-h", "--help"} & set(arguments):
        # It logs and exits like the window.
        if any(one.startswith(("--events", "--worker", "--listen")) for one in arguments[1:]):
            return open_window(arguments[1:])
        return open_window(["--trace", *arguments[1:]])
    return run_subcommand(arguments)


def open_window(arguments: list[str]) -> int:
    from app.shell.main import main as window_main

    return window_main(arguments)


def run_subcommand(arguments: list[str]) -> int:
    from app.core.log import logging_to_file

    # Characters that the terminal cannot encode are replaced.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if os.environ.get(LANGUAGE) in LANGUAGES:
        # Before importing modules whose constants are translated.
        speak(os.environ[LANGUAGE])
    args = make_parser().parse_args(arguments)
    with logging_to_file(args.log_level):
        from app.core.cuda.use import activate

        # Before anything of a subcommand imports PyTorch.
        activate()
        return run_logged(args, arguments[0])


def run_logged(args: argparse.Namespace, name: str) -> int:
    from app.core.options.shared import UsageError
    from engine.errors import BiplaneError

    log.info("Subcommand %s.", name)
    try:
        code: int = args.run(args)
    except UsageError as error:
        return _failed(str(error), 2)
    except BiplaneError as error:
        log.warning("Ended with an error message.", exc_info=error)
        return _failed(str(error), 1)
    except BrokenPipeError:
        raise
    except OSError as error:
        log.warning("Ended with an error message.", exc_info=error)
        return _failed(_sentence(error), 1)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        log.critical("Failed.", exc_info=error)
        raise
    return code


def make_parser() -> Parser:
    from importlib import import_module

    from app.core.options.shared import add_log_option

    parser = Parser(
        prog="biplane",
        description="Local chat on a two-plane prefix cache.",
        epilog="biplane [--model FOLDER] opens the window; biplane --version prints the version.",
    )
    subparsers = parser.add_subparsers(required=True, metavar="SUBCOMMAND")
    for name in SUBCOMMANDS:
        import_module(f"app.cli.{name}").add(subparsers)
    for leaf in leaves(parser):
        add_log_option(leaf)
    return parser


def leaves(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of all runnable commands, each once."""
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        return [parser]
    below = dict.fromkeys(child for group in groups for child in group.choices.values())
    return [leaf for child in below for leaf in leaves(child)]


def _failed(sentence: str, code: int) -> int:
    print(f"biplane: {sentence}", file=sys.stderr)
    return code


def _sentence(error: OSError) -> str:
    name = error.filename or "A file"
    return f"{name} cannot be read or written: {error.strerror or error}."


def _written_out(code: int) -> int:
    """Flush what was printed and return the exit code.

    The interpreter flushes again at exit, where a failure can only become a traceback, so output
    that can no longer be delivered is discarded here.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except BrokenPipeError:
            code = CLOSED_PIPE
            _discard(stream)
        except OSError as error:
            _discard(stream)
            code = code or _failed(f"The output cannot be written: {error.strerror}.", 1)
    return code


def _discard(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
