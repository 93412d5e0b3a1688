"""`biplane cuda`: the CUDA part, which computes on NVIDIA cards."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from app.core.cuda.check import check, report, try_here
from app.core.cuda.part import CudaError, CudaPart, Progress
from app.core.cuda.wheels import WheelList, bundled
from app.core.words import format as fmt

_NONE = "This build of Biplane has no list of what the CUDA part consists of."


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "cuda",
        help="install what computes on NVIDIA cards, or remove it",
        description="The CUDA part is a second PyTorch in your data folder. It is never needed, "
        "and used only once its check has passed here.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    install = actions.add_parser(
        "install",
        help="download and check it",
        description="Download the CUDA part, each file checked against its pinned checksum, and "
        "try it on this computer. Interrupted, it goes on where it was.",
    )
    install.set_defaults(run=run_install)
    again = actions.add_parser("check", help="try the installed one on this computer again")
    again.set_defaults(run=run_check)
    remove = actions.add_parser("remove", help="delete it")
    remove.set_defaults(run=run_remove)
    status = actions.add_parser("status", help="say what is installed")
    status.set_defaults(run=run_status)
    for one in (install, status):
        one.add_argument("--json", action="store_true", help="print what happens as lines of JSON")
    # What `check` runs, in a process that may crash.
    trial = actions.add_parser("try", help="import it from a folder, and compute once")
    trial.add_argument("folder", type=Path, metavar="FOLDER")
    trial.set_defaults(run=run_try)


def run_install(args: argparse.Namespace) -> int:
    what = bundled()
    if what is None:
        return _failed(_NONE)
    part = CudaPart()
    teller = _Teller(args.json)
    try:
        part.install(what, teller)
    except CudaError as error:
        return _failed(str(error))
    if not args.json:
        print("Checking…", flush=True)
    found = check(part)
    if args.json:
        print(json.dumps({"passed": found.passed, "sentence": found.sentence}), flush=True)
    else:
        print(found.sentence if found.passed else f"{found.sentence} It is not used.")
    return 0 if found.passed else 1


def run_check(_args: argparse.Namespace) -> int:
    found = check(CudaPart())
    print(found.sentence)
    return 0 if found.passed else 1


def run_remove(_args: argparse.Namespace) -> int:
    try:
        CudaPart().remove()
    except CudaError as error:
        return _failed(str(error))
    print("The CUDA part is removed.")
    return 0


def run_status(args: argparse.Namespace) -> int:
    part, what = CudaPart(), bundled()
    state = part.state
    if args.json:
        made = dataclasses.asdict(state) | {
            "offered_bytes": None if what is None else what.nbytes,
            "current": what is not None and state.digest == what.digest,
            "begun_bytes": part.begun_bytes,
        }
        print(json.dumps(made, indent=2))
        return 0
    if state.digest:
        print(f"Installed in {part.site(state.digest)}. {state.told or 'Not checked yet.'}")
    else:
        print("Not installed." if what is None else _offer(what, part))
    return 0


def run_try(args: argparse.Namespace) -> int:
    report(try_here(args.folder))
    return 0


def _offer(what: WheelList, part: CudaPart) -> str:
    said = f"Not installed; {fmt.byte_size(what.nbytes)} to download"
    begun = part.begun_bytes
    return f"{said}, of which {fmt.byte_size(begun)} have come." if begun else f"{said}."


class _Teller:
    """Prints progress, a line for each wheel, or as JSON for each hundredth."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._last: object = None

    def __call__(self, now: Progress) -> None:
        share = now.done * 100 // now.total
        key = (now.doing, now.name, share if self._as_json else 0)
        if key == self._last:
            return
        self._last = key
        if self._as_json:
            print(json.dumps(dataclasses.asdict(now)), flush=True)
        else:
            verb = "Fetching" if now.doing == "download" else "Unpacking"
            print(f"{share:3d} %  {verb} {now.name}", flush=True)


def _failed(sentence: str) -> int:
    print(f"biplane: {sentence}", file=sys.stderr)
    return 1
