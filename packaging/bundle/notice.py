"""One notice of the licences of all that is inside; an unknown licence ends the build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from pathlib import Path

from bundle.machines import ROOT
from bundle.parts import TEXTS_DEB

# Read and found fit to be passed on with this program, by the names of SPDX.
ACCEPTED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC"),
        *("LGPL-3.0-only", "LLVM-exception", "MIT", "MIT-0", "MPL-2.0", "OFL-1.1", "PSF-2.0"),
        *("Unlicense", "Zlib"),
    }
)
# What older metadata says instead.
NAMES = {
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
}
# Licences whose text is the same for everybody, by their file in Debian's base-files.
COMMON = {"Apache-2.0": "Apache-2.0", "LGPL-3.0-only": "LGPL-3"}
# The LGPL is written as additions to this one.
BESIDE_LGPL = "GPL-3"

HEAD = """\
Biplane is free software under the Apache License 2.0, whose text is the first below.

This folder holds other people's work, too. Each is listed with its version and licence; the texts
follow, each once, with the components that it belongs to.

Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They are not
changed, only parts of them are left out. Their libraries lie as separate files in
{qt}
and may be replaced by builds of your own of the same interfaces. Their source code is at
https://download.qt.io/official_releases/QtForPython/ and https://download.qt.io/official_releases/qt/
under the version that is listed here.

The sources of Debian's packages are at https://snapshot.debian.org/ under the listed versions.
"""


class UnknownLicence(Exception):
    """A component whose licence is not known to be acceptable, in a sentence."""


@dataclass(frozen=True, slots=True)
class Component:
    """Something inside, with the texts of its licence."""

    name: str
    version: str
    licence: str
    home: str
    texts: tuple[str, ...]


def write(folder: Path, packages: Path, debs: Path) -> None:
    """Write NOTICE.txt for the distributions in `packages` and the unpacked packages in `debs`.

    Raises UnknownLicence.
    """
    common = debs / TEXTS_DEB / "usr/share/common-licenses"
    found = [*_distributions(packages, common), *_debian(debs)]
    folder.mkdir(parents=True, exist_ok=True)
    qt = packages / "PySide6" / "Qt" / "lib"
    text = notice(found, (ROOT / "LICENSE").read_text(), qt.relative_to(folder.parents[2]))
    (folder / "NOTICE.txt").write_text(text, encoding="utf-8")


def notice(components: list[Component], own: str, qt: Path) -> str:
    """The whole notice. `own`: this program's licence; `qt`: where Qt's libraries are."""
    width = max(len(one.name) for one in components)
    lines = [HEAD.format(qt=qt)]
    lines += [
        f"{one.name:{width}}  {one.version}  {one.licence}  {one.home}".rstrip()
        for one in components
    ]
    users: dict[str, list[str]] = {own.strip(): ["Biplane"]}
    for one in components:
        for text in one.texts:
            users.setdefault(text.strip(), []).append(one.name)
    for text, names in users.items():
        lines += ["", "=" * 78, ", ".join(dict.fromkeys(names)), "=" * 78, "", text]
    return "\n".join([*lines, ""])


def licence_of(fields: Message) -> str:
    """The licence that a distribution's metadata states, by SPDX's names.

    Raises UnknownLicence if it states none, or one that ACCEPTED does not hold.
    """
    said = [fields.get("License-Expression", ""), fields.get("License", "")]
    classifiers = fields.get_all("Classifier", [])
    said += [one.rsplit(" :: ", 1)[1] for one in classifiers if one.startswith("License ::")]
    for one in said:
        licence = NAMES.get(one.strip(), one.strip())
        if licence and is_accepted(licence):
            return licence
    raise UnknownLicence(
        f"{fields['Name']} states a licence that nobody has looked at ({said[0] or said[1:]}): "
        "read it, and add its name to ACCEPTED in packaging/bundle/notice.py if it fits."
    )


def is_accepted(expression: str) -> bool:
    """Whether all parts of an SPDX expression, or one of its alternatives, are accepted."""
    return any(
        all(part in ACCEPTED for part in re.split(r" AND | WITH ", alternative.strip(" ()")))
        for alternative in expression.split(" OR ")
    )


def _distributions(packages: Path, common: Path) -> Iterator[Component]:
    for info in sorted(packages.glob("*.dist-info"), key=lambda one: one.name.lower()):
        fields = message_from_string((info / "METADATA").read_text(encoding="utf-8"))
        if fields["Name"] == "biplane":
            continue
        licence = licence_of(fields)
        texts = tuple(
            file.read_text(encoding="utf-8", errors="replace")
            for file in sorted(info.rglob("*"))
            if file.is_file() and re.search(r"licen[cs]e|copying|notice|authors", file.name, re.I)
        )
        yield Component(
            fields["Name"],
            fields["Version"],
            licence,
            _home(fields),
            texts or tuple(_standard(fields, licence, common)),
        )


def _home(fields: Message) -> str:
    addresses = [one.split(",", 1)[1].strip() for one in fields.get_all("Project-URL", [])]
    return next(iter([*filter(None, [fields.get("Home-page")]), *addresses]), "")


def _standard(fields: Message, licence: str, common: Path) -> Iterator[str]:
    """The text for a distribution that brings none of its own."""
    for part in re.split(r" AND | OR ", licence):
        if part in COMMON:
            yield (common / COMMON[part]).read_text()
        if part.startswith("LGPL"):
            yield (common / BESIDE_LGPL).read_text()
    if licence == "MIT":
        holder = fields.get("Author") or fields.get("Author-email") or fields["Name"]
        yield MIT.format(holder=holder)
    elif not set(re.split(r" AND | OR ", licence)) & COMMON.keys():
        raise UnknownLicence(f"{fields['Name']} ({licence}) brings no text of its licence.")


def _debian(debs: Path) -> Iterator[Component]:
    for folder in sorted(debs.iterdir()):
        if folder.name == TEXTS_DEB:
            continue
        (file,) = _copyright(folder, debs)
        text = file.read_text(encoding="utf-8", errors="replace")
        control = (folder / "version.txt").read_text().strip()
        yield Component(f"{folder.name} (Debian)", control, "see its text", "", (text,))


def _copyright(folder: Path, debs: Path) -> list[Path]:
    """A package's copyright file, which may be another package's by a link."""
    doc = folder / "usr/share/doc" / folder.name
    if doc.is_symlink():
        target = doc.readlink().name
        return list(debs.glob(f"{target}/usr/share/doc/{target}/copyright"))
    return [doc / "copyright"]


MIT = """\
Copyright (c) {holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
