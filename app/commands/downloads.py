"""`biplane models pull|list|remove`: models from Hugging Face."""

from __future__ import annotations

import argparse
import dataclasses
import getpass
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

from app.commands.options import UsageError
from app.store.downloads import downloads, endpoint
from app.words import format as fmt
from app.words.download_words import progress_line

if TYPE_CHECKING:
    from engine.hub.download import Download

_LOOK_S = 0.2


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the three commands to those of `biplane models`."""
    pull = actions.add_parser(
        "pull",
        aliases=["get"],
        help="download a model from Hugging Face",
        description="Download the files of a repository that a model needs, verify each, and list "
        "the model once it is whole. Ctrl+C pauses; the same command goes on. For a gated "
        "repository, a token is taken from HF_TOKEN or your keyring, or asked for with --token.",
    )
    pull.add_argument("repo", metavar="OWNER/NAME")
    pull.add_argument("--revision", default="main", help="branch, tag or commit (default: main)")
    pull.add_argument("--token", action="store_true", help="ask for a token; it is not stored")
    pull.add_argument("--json", action="store_true", help="print what was downloaded as JSON")
    pull.set_defaults(run=run_pull)
    listed = actions.add_parser("list", help="downloaded models, and downloads to go on with")
    listed.add_argument("--json", action="store_true", help="also every file with its checksum")
    listed.set_defaults(run=run_list)
    remove = actions.add_parser(
        "remove",
        help="move a downloaded model to the trash, or give up a download",
        description="Move a downloaded model to the trash. What has come of a download that is "
        "not finished is deleted.",
    )
    remove.add_argument("repo", metavar="OWNER/NAME")
    remove.add_argument("--delete", action="store_true", help="delete for good, without the trash")
    remove.set_defaults(run=run_remove)


def run_pull(args: argparse.Namespace) -> int:
    from engine.hub.download import Download
    from engine.hub.failures import HubError
    from engine.hub.names import repo_id
    from engine.hub.token import stored_token

    try:
        repo = repo_id(args.repo)
    except HubError as error:
        raise UsageError(str(error)) from None
    given = os.environ.get("HF_TOKEN", "")
    if args.token:
        given = getpass.getpass("Token (not shown, not stored): ").strip()
    download = Download(
        downloads(),
        repo,
        revision=args.revision,
        token=given or stored_token,
        endpoint=endpoint(),
    )
    download.start()
    try:
        _follow(download)
    except KeyboardInterrupt:
        download.pause()
        download.join(30)
    ended = download.progress
    if ended.phase == "paused":
        print("Paused; the same command goes on.", file=sys.stderr)
        return 130
    if ended.problem is not None:
        print(f"biplane: {ended.problem}", file=sys.stderr)
        return 1
    assert ended.manifest is not None, "what is done is known"
    if args.json:
        made = {"folder": str(ended.folder)} | dataclasses.asdict(ended.manifest)
        print(json.dumps(made, indent=2))
        return 0
    for file in ended.manifest.files:
        print(f"{file.name}  {fmt.byte_size(file.size)}  {file.digest}  verified")
    print(f"Open it with: biplane --model '{ended.folder}'")
    return 0


def _follow(download: Download) -> None:
    """Show how far it is until it is over; on a terminal on one line."""
    shows = sys.stderr.isatty()
    while not download.join(_LOOK_S):
        if shows:
            print(
                f"\r\x1b[K{progress_line(download.progress)}", end="", file=sys.stderr, flush=True
            )
    if shows:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def run_list(args: argparse.Namespace) -> int:
    library = downloads()
    whole, begun = library.downloaded(), library.unfinished()
    if args.json:
        made = {
            "folder": str(library.root),
            "downloaded": [
                {"folder": str(each.folder), "problem": each.problem}
                | dataclasses.asdict(each.manifest)
                for each in whole
            ],
            "unfinished": [
                {"done_bytes": each.done_bytes} | dataclasses.asdict(each.manifest)
                for each in begun
            ],
        }
        print(json.dumps(made, indent=2))
        return 0
    if not whole and not begun:
        print("No model has been downloaded: biplane models pull OWNER/NAME does so.")
    for each in whole:
        said = each.problem or str(each.folder)
        print(f"{each.manifest.repo}  {fmt.byte_size(each.manifest.bytes)}  {said}")
    for left in begun:
        of = f"{fmt.byte_size(left.done_bytes)} of {fmt.byte_size(left.manifest.bytes)}"
        print(f"{left.manifest.repo}  {of}  not finished: pull it again to go on")
    return 0


def run_remove(args: argparse.Namespace) -> int:
    from app.trash import to_trash
    from engine.hub.failures import HubError
    from engine.hub.names import repo_id

    library = downloads()
    try:
        repo = repo_id(args.repo)
    except HubError as error:
        raise UsageError(str(error)) from None
    found = next((each for each in library.downloaded() if each.manifest.repo == repo), None)
    begun = any(each.manifest.repo == repo for each in library.unfinished())
    if found is None and not begun:
        print(f"biplane: {repo} has not been downloaded.", file=sys.stderr)
        return 1
    try:
        if begun:
            library.discard(repo)
        if found is not None and args.delete:
            shutil.rmtree(found.folder)
    except OSError as error:
        print(f"biplane: {repo} cannot be deleted ({error.strerror}).", file=sys.stderr)
        return 1
    if found is not None and not args.delete and not to_trash(found.folder):
        print("biplane: there is no trash here; --delete deletes it for good.", file=sys.stderr)
        return 1
    what = "Deleted" if args.delete or found is None else "Moved to the trash:"
    print(f"{what} {repo}.")
    return 0
