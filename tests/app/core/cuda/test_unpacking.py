"""Wheels are unpacked into their folder, and never one byte outside of it."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from app.core.cuda.unpacking import WheelError, room_for, unpack
from tests.app.core.cuda.wheels_made import wheel


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def put(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "a-1-py3-none-any.whl"
    path.write_bytes(content)
    return path


def test_packages_and_data_are_in_their_places(tmp_path: Path, site: Path) -> None:
    members: dict[str, bytes | str] = {
        "a/__init__.py": "x = 1\n",
        "a/lib/b.so": b"\x7fELF",
        "a-1.dist-info/RECORD": "",
        "a-1.data/purelib/c.py": "y = 2\n",
        "a-1.data/platlib/d/e.so": b"e",
        "a-1.data/scripts/tool": "#!python",
        "a-1.data/headers/a.h": "",
    }
    unpack(put(tmp_path, wheel(members)), site)
    assert {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()} == {
        *("a/__init__.py", "a/lib/b.so", "a-1.dist-info/RECORD", "c.py", "d/e.so")
    }
    assert (site / "a/__init__.py").read_text() == "x = 1\n"


@pytest.mark.parametrize(
    "name",
    [
        *("../evil.py", "a/../../evil.py", "/tmp/evil.py", "a\\..\\evil.py", "C:evil.py"),
        *("a-1.data/purelib/../../../evil.py", "a/\nevil.py", "//host/evil.py"),
    ],
)
def test_a_path_that_leads_elsewhere(tmp_path: Path, site: Path, name: str) -> None:
    content = wheel({"a/__init__.py": "x = 1\n", name: "x"})
    with pytest.raises(WheelError, match="which no package may"):
        unpack(put(tmp_path, content), site)
    # Nothing at all was written, not even the sound part.
    assert not site.exists()


def test_a_link(tmp_path: Path, site: Path) -> None:
    path = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("a/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(WheelError, match="which no package may"):
        unpack(path, site)


def test_a_link_that_was_there_is_not_written_through(tmp_path: Path, site: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("keep")
    (site / "a").mkdir(parents=True)
    (site / "a" / "b.py").symlink_to(victim)
    with pytest.raises(OSError, match=r"[Ss]ymbolic|[Ll]oop"):
        unpack(put(tmp_path, wheel({"a/b.py": "x"})), site)
    assert victim.read_text() == "keep"


def test_one_that_unpacks_to_far_too_much(tmp_path: Path, site: Path) -> None:
    content = wheel({"a": bytes(200 << 20)})
    assert len(content) < 1 << 20
    with pytest.raises(WheelError, match="far too much"):
        unpack(put(tmp_path, content), site)
    assert not site.exists()


@pytest.mark.parametrize("cut", [0, 10, 60, -5])
def test_a_damaged_one(tmp_path: Path, site: Path, cut: int) -> None:
    content = wheel({"a/__init__.py": "x = 1\n" * 100})[:cut]
    with pytest.raises(WheelError, match="is damaged"):
        unpack(put(tmp_path, content), site)


def test_bytes_that_are_not_what_the_archive_says(tmp_path: Path, site: Path) -> None:
    content = bytearray(wheel({"a/b.bin": bytes(range(256)) * 40}))
    content[60] ^= 0xFF
    with pytest.raises(WheelError, match="is damaged"):
        unpack(put(tmp_path, bytes(content)), site)


def test_room_is_that_of_the_disk(tmp_path: Path) -> None:
    assert room_for(tmp_path, 0) == 0
    assert room_for(tmp_path, 1 << 60) > 0
