"""The commands: see the package's docstring."""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

from bundle import archive, debian, elsewhere, inputs, roots
from bundle.commands import BundleError, run
from bundle.machines import ELSEWHERE, MACHINES, PYTHON, ROOT
from bundle.notice import UnknownLicence
from bundle.tree import Tree

BUILD = ROOT / "build"
OUT = ROOT / "dist"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def main() -> int:
    args = _parser().parse_args()
    machine = MACHINES[args.machine]
    try:
        if args.command == "renew":
            inputs.renew(machine)
            return 0
        if args.command == "check":
            return _check(args)
        if args.machine in ELSEWHERE:
            print(elsewhere.build(machine, args.version, args.cache, args.python))
            return 0
        return _build(args)
    except (BundleError, UnknownLicence) as error:
        print(error, file=sys.stderr)
        return 1


def _build(args: argparse.Namespace) -> int:
    if ".".join(map(str, sys.version_info[:2])) != PYTHON:
        raise BundleError(f"The bundle has Python {PYTHON}: build it with that version, too.")
    machine = MACHINES[args.machine]
    tree = Tree(BUILD / f"bundle-{machine.key}", machine, args.cache)
    tree.build()
    when = int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    for build, wanted in ((debian.build, args.deb), (archive.build, args.tarball)):
        if wanted:
            file = build(tree, args.version, args.out, when)
            print(f"{file.stat().st_size / 1e6:7.1f} MB  {file}")
    return 0


def _check(args: argparse.Namespace) -> int:
    problem = roots.missing()
    if problem:
        print(f"The packages cannot be tried here: {problem}.")
        return 0 if args.if_possible else 1
    return roots.check(args.out, args.suites, MACHINES[args.machine])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bundle", description=__doc__)
    parser.add_argument("command", choices=("build", "check", "renew"))
    parser.add_argument("--machine", choices=sorted(MACHINES), default="amd64")
    parser.add_argument("--out", type=Path, default=OUT, help="folder of the finished files")
    parser.add_argument(
        "--cache", type=Path, default=BUILD / "inputs", help="folder of what was fetched"
    )
    parser.add_argument("--version", default=VERSION, help="version of the package")
    parser.add_argument("--python", type=Path, help="folder of Python for Windows or macOS")
    parser.add_argument("--no-deb", dest="deb", action="store_false")
    parser.add_argument("--no-tarball", dest="tarball", action="store_false")
    parser.add_argument(
        "--suites",
        nargs="+",
        choices=sorted(roots.SUITES),
        default=["bookworm"],
        help="clean systems to try the package in",
    )
    parser.add_argument(
        "--if-possible", action="store_true", help="check nothing where something is missing"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
