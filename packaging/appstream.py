"""Writes the AppStream data of a published Biplane: with the README's pictures at their address.

    python packaging/appstream.py https://example.org/biplane/screenshots > OUT.metainfo.xml

AppStream takes pictures from the web alone, so the data that an installation writes has none.
Whoever publishes Biplane puts assets/screenshots on the web and this file into the package.
"""

from __future__ import annotations

import re
import struct
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
METAINFO = ROOT / "packaging" / "linux" / "io.github.biplane.Biplane.metainfo.xml"
PICTURES = ROOT / "assets" / "screenshots"
_IMAGE = re.compile(r"!\[([^:\]]+)[^\]]*\]\(assets/screenshots/([\w-]+\.png)\)")
# Where the specification has them: before how the program is started.
_BEFORE = "launchable"


def pictures() -> Iterator[tuple[str, str]]:
    """What each picture of the README shows, in short, and its file's name."""
    yield from _IMAGE.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def size_of(png: Path) -> tuple[int, int]:
    """Width and height, from the header."""
    width, height = struct.unpack(">II", png.read_bytes()[16:24])
    return width, height


def with_pictures(site: str) -> str:
    """The metainfo file with the pictures below `site`, an address on the web."""
    root = ET.fromstring(METAINFO.read_text(encoding="utf-8"))
    shots = ET.Element("screenshots")
    for number, (caption, name) in enumerate(pictures()):
        shot = ET.SubElement(shots, "screenshot", {} if number else {"type": "default"})
        ET.SubElement(shot, "caption").text = caption
        width, height = size_of(PICTURES / name)
        image = ET.SubElement(shot, "image", type="source", width=str(width), height=str(height))
        image.text = f"{site.rstrip('/')}/{name}"
    root.insert([child.tag for child in root].index(_BEFORE), shots)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False)


def main(arguments: list[str]) -> str:
    """The file's text. Raises SystemExit with how to call it, or what is wrong with the address."""
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    (site,) = arguments
    where = urlsplit(site)
    if where.scheme not in ("http", "https") or not where.netloc:
        raise SystemExit(f"{site} is no address on the web: it begins with https:// and a name.")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + with_pictures(site) + "\n"


if __name__ == "__main__":
    print(main(sys.argv[1:]), end="")
