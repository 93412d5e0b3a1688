"""`biplane places`: where everything lies and how big it is, and deleting it."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from app.core.instance import Instance
from app.core.log import stop_writing
from app.core.options.shared import UsageError
from app.core.places import OF_A_WINDOW, PLACE_IDS, Deleted, Place, Size, delete, measure, places
from app.core.store.opening import data_folder
from app.core.words import format as fmt

_ALL = "all"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "places",
        help="show where everything lies and how big it is, or delete it",
        description="List the folders that Biplane writes to, with what lies there. With --delete "
        "remove a part of it for good: only what Biplane wrote, and nothing else in its folders.",
    )
    parser.add_argument(
        "--delete",
        action="append",
        default=[],
        choices=(*PLACE_IDS, _ALL),
        metavar="WHAT",
        help=f"what to delete: {', '.join(PLACE_IDS)} or {_ALL}; may be repeated",
    )
    parser.add_argument("--yes", action="store_true", help="delete without asking")
    parser.add_argument(
        "--cache-dir", type=Path, metavar="FOLDER", help="where the cache files lie, if elsewhere"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    listed = [(place, measure(place)) for place in places(args.cache_dir)]
    wanted = [one for one in listed if {one[0].id, _ALL} & {*args.delete}]
    if not args.delete:
        _show(listed, as_json=args.json)
        return 0
    with _alone(wanted):
        if not args.yes and not _agreed(wanted):
            print("Nothing was deleted.")
            return 1
        done: dict[str, Deleted] = {place.id: delete(place) for place, _ in wanted}
        if "log" in done:
            stop_writing()
            # What was written since.
            done["log"] += delete(next(place for place, _ in wanted if place.id == "log"))
    return _tell(done, as_json=args.json)


def _show(listed: list[tuple[Place, Size]], *, as_json: bool) -> None:
    if as_json:
        made = [
            {"id": place.id, "folder": str(place.folders[0])} | dataclasses.asdict(size)
            for place, size in listed
        ]
        print(json.dumps(made, indent=2))
        return
    for place, size in listed:
        files = fmt.plural(size.files, "file")
        print(f"{place.id:<14} {fmt.byte_size(size.nbytes):>10}  {files:<12} {place.folders[0]}")
    whole = sum((size for _, size in listed), Size())
    print(f"{'all':<14} {fmt.byte_size(whole.nbytes):>10}  {fmt.plural(whole.files, 'file')}")


@contextlib.contextmanager
def _alone(wanted: list[tuple[Place, Size]]) -> Iterator[None]:
    """Keep a window from starting meanwhile. Raises UsageError if one is open."""
    if not any(place.id in OF_A_WINDOW for place, _ in wanted):
        yield
        return
    if not data_folder().exists():
        # Nothing to lock, and nothing to create just for that.
        yield
        return
    found = Instance.claim(data_folder())
    if found is None:
        raise UsageError(
            "Biplane is running: close its window first, or delete in Settings > Data there."
        )
    try:
        yield
    finally:
        found.close()


def _agreed(wanted: list[tuple[Place, Size]]) -> bool:
    """Ask. Raises UsageError if there is nobody to be asked."""
    for place, size in wanted:
        print(f"{place.title}: {fmt.byte_size(size.nbytes)} in {place.folders[0]}. {place.what}")
    if not sys.stdin.isatty():
        raise UsageError("Nobody can be asked here: --yes deletes without asking.")
    return input("Delete this for good? [y/N] ").strip().lower() in ("y", "yes")


def _tell(done: dict[str, Deleted], *, as_json: bool) -> int:
    problems = [one.problem for one in done.values() if one.problem]
    if as_json:
        made = {id: dataclasses.asdict(one) for id, one in done.items()}
        print(json.dumps(made, indent=2))
    else:
        for id, one in done.items():
            files, freed = fmt.plural(one.size.files, "file"), fmt.byte_size(one.size.nbytes)
            print(f"{id}: {files} deleted, {freed}.")
    for problem in problems:
        print(f"biplane: {problem}", file=sys.stderr)
    return 1 if problems else 0
