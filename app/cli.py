"""The command line: `biplane` alone opens the window, a subcommand does one thing and exits."""

from __future__ import annotations

import argparse
import importlib.metadata
import logging
import sys

SUBCOMMANDS = ("chat", "generate", "audit", "bench", "trace", "models", "desktop")
NAMES = ("chat", "generate", "audit", "bench", "trace", "models", "install-desktop")


log = logging.getLogger(__name__)


def main(argv: list[str] | None = None) -> int:
    """The `biplane` command. Returns the exit code: 0 only on success."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or (arguments[0] not in NAMES and arguments[0] not in ("-h", "--help")):
        if arguments[:1] == ["--version"]:
            print(f"biplane {importlib.metadata.version('biplane')}")
            return 0
        return open_window(arguments)
    return run_subcommand(arguments)


def open_window(arguments: list[str]) -> int:
    from app.main import main as window_main

    return window_main(arguments)


def run_subcommand(arguments: list[str]) -> int:
    from app.log import logging_to_file

    args = make_parser().parse_args(arguments)
    with logging_to_file(args.log_level):
        return run_logged(args, arguments[0])


def run_logged(args: argparse.Namespace, name: str) -> int:
    from engine.errors import BiplaneError

    log.info("Subcommand %s.", name)
    try:
        code: int = args.run(args)
    except BiplaneError as error:
        log.warning("It ends with a sentence.", exc_info=error)
        print(f"biplane: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        log.critical("It failed.", exc_info=error)
        raise
    return code


def make_parser() -> argparse.ArgumentParser:
    from importlib import import_module

    from app.commands.options import add_log_option

    parser = argparse.ArgumentParser(
        prog="biplane",
        description="Local chat on a two-plane prefix cache. Without a subcommand: the window.",
        epilog="biplane [--model FOLDER] opens the window; biplane --version says which this is.",
    )
    subparsers = parser.add_subparsers(required=True, metavar="SUBCOMMAND")
    for name in SUBCOMMANDS:
        import_module(f"app.commands.{name}").add(subparsers)
    for leaf in leaves(parser):
        add_log_option(leaf)
    return parser


def leaves(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of what can be run, each once."""
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        return [parser]
    below = dict.fromkeys(child for group in groups for child in group.choices.values())
    return [leaf for child in below for leaf in leaves(child)]


if __name__ == "__main__":
    sys.exit(main())
