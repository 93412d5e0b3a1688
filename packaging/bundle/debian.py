"""The Debian package: the folder below /opt, and what menus, file managers and shells look for."""

from __future__ import annotations

import gzip
import os
import shutil
from email.utils import formatdate
from pathlib import Path

from bundle.commands import run
from bundle.machines import ROOT
from bundle.parts import SYSTEM_LIBRARIES
from bundle.tree import Tree, system_libraries

NAME = "biplane"
HOME = f"opt/{NAME}"
MAINTAINER = "The Biplane authors <biplane@users.noreply.github.com>"
# Level of zstd: three beyond it takes three times as long for one percent.
LEVEL = 9
# Found below these folders of the bundle by those who look in /usr/share.
SHARED = ("applications", "icons", "man", "metainfo", "mime", "bash-completion", "fish", "zsh")

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: xdg-utils, fonts-noto-cjk
Section: science
Priority: optional
Homepage: https://github.com/biplane/Biplane
Description: chat with a local language model and watch its cache
 Biplane runs language models of the Qwen3.5 family and Qwen3-Next on this
 computer. Nothing that is written leaves it.
 .
 These models keep two kinds of memory of a conversation. Biplane stores both
 under one tree, so that an edit, a new answer or a return to an earlier branch
 does not read the whole conversation again, and shows that tree at work.
 .
 Everything it needs is inside, Python among it.
"""
# Each with its reason: lintian's rules are for what Debian itself builds.
OVERRIDES = """\
# Third parties install below /opt; the policy keeps Debian's own packages out of it.
biplane: dir-or-file-in-opt
# One file for systems without a network and for four releases: but for the C library, the display
# and fonts it brings what it needs, Python with its byte code among it.
biplane: embedded-library
biplane: custom-library-search-path
biplane: package-installs-python-pycache-dir
# zstd, which dpkg reads in all four of them, unpacks it in seconds instead of a minute.
biplane: malformed-deb-archive
# The first lines of modules that nobody starts as programs.
biplane: interpreter-in-usr-local
biplane: python3-script-but-no-python3-dep
biplane: script-not-executable
biplane: unusual-interpreter
biplane: wrong-path-for-interpreter
# Compiled by others and passed on as they are: stripped, some of them can no longer be loaded.
biplane: duplicate-font-file
biplane: executable-not-elf-or-script
biplane: hardening-no-pie
biplane: library-not-linked-against-libc
biplane: shared-library-lacks-prerequisites
biplane: unstripped-binary-or-object
"""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Biplane
Source: https://github.com/biplane/Biplane
Comment: The licences of all that is inside are in /{home}/share/doc/biplane/NOTICE.txt.

Files: *
Copyright: 2026 The Biplane authors
License: Apache-2.0
 On Debian systems the text of this licence is in
 /usr/share/common-licenses/Apache-2.0.
"""


def build(tree: Tree, version: str, folder: Path, when: int) -> Path:
    """Write the package of the built `tree` into `folder`; returns its file.

    `when`: seconds since 1970, the time of all files in it.
    """
    staged = tree.root.with_name(f"{tree.root.name}-deb")
    shutil.rmtree(staged, ignore_errors=True)
    target = staged / HOME
    target.parent.mkdir(parents=True)
    _linked(tree.root, target)
    _share(staged)
    _documents(staged, version, when)
    _control(staged, tree, version)
    deb = folder / f"{NAME}_{version}_{tree.machine.key}.deb"
    folder.mkdir(parents=True, exist_ok=True)
    run(
        *("dpkg-deb", "--root-owner-group", "-Zzstd", f"-z{LEVEL}", "--build", staged, deb),
        SOURCE_DATE_EPOCH=str(when),
    )
    shutil.rmtree(staged)
    return deb


def depends(tree: Tree) -> str:
    """What the package needs of the system, by what its libraries ask for."""
    packages = {SYSTEM_LIBRARIES[one] for one in system_libraries(tree)}
    packages.discard("libc6")
    # What a desktop without these is told at the start, in Debian's words.
    packages |= {"libegl1", "libgl1", "libfontconfig1", "libdbus-1-3"}
    return ", ".join([f"libc6 (>= 2.{tree.machine.glibc})", *sorted(packages)])


def _linked(source: Path, target: Path) -> None:
    """A copy that shares the files' contents: half a gigabyte is not written twice."""
    shutil.copytree(source, target, symlinks=True, copy_function=os.link)


def _share(staged: Path) -> None:
    """Move what others look for in /usr/share there, and link the commands."""
    home = staged / HOME
    for name in SHARED:
        found = home / "share" / name
        if found.is_dir():
            shutil.copytree(found, staged / "usr/share" / name, copy_function=shutil.copyfile)
            shutil.rmtree(found)
    for page in (staged / "usr/share/man").rglob("*.[1-9]"):
        page.with_name(f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
        page.unlink()
    # What only a folder that somebody unpacked has a use for.
    for name in ("Biplane", "AppRun", "README.txt", "biplane.desktop", "biplane.svg"):
        (home / name).unlink()
    programs = staged / "usr/bin"
    programs.mkdir(parents=True)
    for name in ("biplane", "biplane-gui"):
        (programs / name).symlink_to(f"/{HOME}/bin/{name}")


def _documents(staged: Path, version: str, when: int) -> None:
    doc = staged / "usr/share/doc" / NAME
    doc.mkdir(parents=True)
    (doc / "copyright").write_text(COPYRIGHT.format(home=HOME))
    log = (
        f"{NAME} ({version}) unstable; urgency=medium\n\n"
        f"  * CHANGELOG.md says what this version brings.\n\n"
        f" -- {MAINTAINER}  {formatdate(when)}\n"
    )
    (doc / "changelog.gz").write_bytes(gzip.compress(log.encode(), 9, mtime=0))
    news = (ROOT / "CHANGELOG.md").read_bytes()
    (doc / "CHANGELOG.md.gz").write_bytes(gzip.compress(news, 9, mtime=0))
    overrides = staged / "usr/share/lintian/overrides"
    overrides.mkdir(parents=True)
    (overrides / NAME).write_text(OVERRIDES)


def _control(staged: Path, tree: Tree, version: str) -> None:
    size = sum(path.stat().st_size for path in staged.rglob("*") if path.is_file()) // 1024
    control = CONTROL.format(
        name=NAME,
        version=version,
        architecture=tree.machine.key,
        maintainer=MAINTAINER,
        size=size,
        depends=depends(tree),
    )
    folder = staged / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(control)
