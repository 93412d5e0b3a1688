"""The command line: `biplane` alone opens the window, a subcommand does one thing and exits."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys

SUBCOMMANDS = ("chat", "generate", "audit", "bench", "trace", "models", "desktop")
NAMES = ("chat", "generate", "audit", "bench", "trace", "models", "install-desktop")


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
    from engine.errors import BiplaneError

    args = make_parser().parse_args(arguments)
    try:
        code: int = args.run(args)
    except BiplaneError as error:
        print(f"biplane: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def make_parser() -> argparse.ArgumentParser:
    from importlib import import_module

    parser = argparse.ArgumentParser(
        prog="biplane",
        description="Local chat on a two-plane prefix cache. Without a subcommand: the window.",
        epilog="biplane [--model FOLDER] opens the window; biplane --version says which this is.",
    )
    subparsers = parser.add_subparsers(required=True, metavar="SUBCOMMAND")
    for name in SUBCOMMANDS:
        import_module(f"app.commands.{name}").add(subparsers)
    return parser


if __name__ == "__main__":
    sys.exit(main())
