"""`biplane install-desktop`: add Biplane to the user's application menu, or remove it."""

from __future__ import annotations

import argparse


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "install-desktop",
        help="add Biplane to your application menu",
        description="Add Biplane to your application menu, so that it starts with a double click.",
    )
    parser.add_argument("--uninstall", action="store_true", help="remove what was added")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.cli.desktop_entry import install_desktop, uninstall_desktop

    paths = uninstall_desktop() if args.uninstall else install_desktop()
    verb = "Removed" if args.uninstall else "Wrote"
    for path in paths:
        print(f"{verb} {path}")
    if not paths:
        print("Nothing to remove.")
    return 0
