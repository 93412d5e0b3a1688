"""The folder as one compressed file, which any file manager unpacks."""

from __future__ import annotations

from pathlib import Path

from bundle.commands import run
from bundle.debian import LEVEL
from bundle.tree import Tree


def build(tree: Tree, version: str, folder: Path, when: int) -> Path:
    """Write the tarball of the built `tree` into `folder`; returns its file.

    The same files give the same order, owners and times in it. `when`: seconds since 1970.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"biplane-{version}"
    file = folder / f"{name}-linux-{tree.machine.name}.tar.zst"
    run(
        *("tar", "--create", "--sort=name", "--format=gnu", "--owner=0", "--group=0"),
        *("--numeric-owner", f"--mtime=@{when}", f"--transform=s,^[.],{name},"),
        *("--use-compress-program", f"zstd -{LEVEL} -T0", "--file", file),
        *("--directory", tree.root, "."),
    )
    return file
