"""The AppStream data that a publisher makes: the README's pictures, each with address and size."""

from __future__ import annotations

import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://example.org/pictures/"


def made(*arguments: str) -> subprocess.CompletedProcess[str]:
    script = str(ROOT / "packaging/appstream.py")
    return subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def text() -> str:
    done = made(SITE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_picture_is_named_once_with_its_own_size(text: str) -> None:
    shots = ET.fromstring(text).findall("screenshots/screenshot")
    found = {}
    for shot in shots:
        image = shot.find("image")
        assert image is not None
        assert image.text is not None
        assert image.text.startswith(SITE)
        assert len(shot.findtext("caption") or "") in range(5, 100)
        found[image.text.removeprefix(SITE)] = (image.get("width"), image.get("height"))
    assert set(found) == {path.name for path in (ROOT / "assets/screenshots").glob("*.png")}
    assert len(found) == len(shots)
    assert found["settings-light.png"] == ("1000", "640")
    assert [shot.get("type") for shot in shots] == ["default", *[None] * (len(shots) - 1)]


def test_nothing_else_changes(text: str) -> None:
    root = ET.fromstring(text)
    shots = root.find("screenshots")
    assert shots is not None
    root.remove(shots)
    file = ROOT / "packaging/linux/io.github.biplane.Biplane.metainfo.xml"
    before = ET.fromstring(file.read_text(encoding="utf-8"))
    for tree in (root, before):
        ET.indent(tree)
    assert ET.tostring(root) == ET.tostring(before)


def test_appstreams_own_checker_finds_no_error(text: str, tmp_path: Path) -> None:
    checker = shutil.which("appstreamcli")
    if checker is None:
        pytest.skip("appstreamcli is not installed")
    file = tmp_path / "io.github.biplane.Biplane.metainfo.xml"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [checker, "validate", "--no-net", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("site", ["pictures", "file:///usr/share/pictures", "https://"])
def test_what_is_no_address_on_the_web_is_refused(site: str) -> None:
    done = made(site)
    assert done.returncode == 1
    assert "no address on the web" in done.stderr
    assert done.stdout == ""


def test_without_an_address_it_says_how_it_is_called() -> None:
    assert "packaging/appstream.py https://" in made().stderr
