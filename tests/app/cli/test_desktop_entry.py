"""The menu entry: written, readable by the rules of the desktop, and removed without a trace."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from app.cli import desktop_entry
from app.cli.desktop_entry import Program, install_desktop, installed_program, uninstall_desktop
from engine.errors import BiplaneError

LINUX = Path(__file__).parents[3] / "packaging" / "linux"
ENTRY = LINUX / desktop_entry.DESKTOP_FILE
METAINFO = LINUX / desktop_entry.METAINFO_FILE
NASTY = (
    '/opt/my "apps"/bi$plane`/100%/back\\slash/bin/biplane-gui',
    "--theme",
    "",
    "a b;c",
    "it's",
    "é*~?#&|<>()",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "data home"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    return home


class ExactKeys(configparser.ConfigParser):
    """Leaves the case of the keys as it is."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def read_entry(path: Path) -> dict[str, str]:
    parser = ExactKeys(interpolation=None, delimiters=("=",), strict=True)
    parser.read(path, encoding="utf-8")
    assert parser.sections() == ["Desktop Entry"]
    return {key: unescape(value) for key, value in parser["Desktop Entry"].items()}


def unescape(value: str) -> str:
    """A string of an entry as it is meant: the specification's five escapes."""
    table = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    out, chars = "", iter(value)
    for char in chars:
        out += table[next(chars)] if char == "\\" else char
    return out


def parse_exec(value: str) -> list[str]:
    """Arguments of an Exec value (already unescaped), by the specification's quoting rules."""
    arguments, current, quoted, started = [], "", False, False
    chars = iter(value)
    for char in chars:
        if quoted and char == "\\":
            char = next(chars)
            assert char in '"`$\\'
            current += char
        elif char == '"':
            quoted, started = not quoted, True
        elif char == " " and not quoted:
            if started:
                arguments.append(current)
            current, started = "", False
        else:
            assert quoted or char not in "\t\n'\"\\><~|&;$*?#()`", char
            current, started = current + char, True
    assert not quoted
    return [a.replace("%%", "%") for a in ([*arguments, current] if started else arguments)]


def tree(folder: Path) -> set[Path]:
    return set(folder.rglob("*")) if folder.exists() else set()


class TestSources:
    def test_the_entry_has_the_essentials(self) -> None:
        entry = read_entry(ENTRY)
        assert entry["Type"] == "Application"
        assert entry["Name"] == "Biplane"
        assert entry["Exec"] == "biplane-gui %f"
        assert entry["MimeType"] == "application/x-gguf;"
        assert entry["Icon"] == "biplane"
        assert entry["Terminal"] == "false"
        assert entry["Categories"].endswith(";")

    def test_the_description_belongs_to_the_entry(self) -> None:
        root = ET.parse(METAINFO).getroot()
        assert root.get("type") == "desktop-application"
        identity = root.findtext("id")
        assert METAINFO.name == f"{identity}.metainfo.xml"
        assert root.findtext("launchable") == ENTRY.name
        assert root.findtext("project_license") == "Apache-2.0"
        assert root.findtext("metadata_license") == "CC0-1.0"
        assert len(root.findtext("summary") or "") < 80
        assert not (root.findtext("summary") or ".").endswith(".")
        assert root.find("content_rating") is not None
        assert next(r.get("version") for r in root.iter("release")) == "0.1.0"

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("desktop-file-validate", [ENTRY]),
            ("appstreamcli", ["validate", "--no-net", METAINFO]),
        ],
        ids=["entry", "description"],
    )
    def test_the_desktops_own_checkers_agree(self, tool: str, arguments: list[str | Path]) -> None:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
        checked = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr


class TestInstall:
    def test_every_file_is_where_desktops_look(self, home: Path) -> None:
        paths = install_desktop()
        assert home / "applications/biplane.desktop" in paths
        assert home / "icons/hicolor/scalable/apps/biplane.svg" in paths
        assert home / "icons/hicolor/48x48/apps/biplane.png" in paths
        assert home / "metainfo" / METAINFO.name in paths
        assert home / "mime/packages/biplane-gguf.xml" in paths
        assert all(path.stat().st_size for path in paths)

    @pytest.mark.parametrize(
        "arguments", [("/usr/bin/biplane-gui",), ("/usr/bin/python3", "-m", "app"), NASTY]
    )
    def test_exec_says_exactly_the_arguments(self, home: Path, arguments: tuple[str, ...]) -> None:
        install_desktop(Program(arguments))
        path = home / "applications/biplane.desktop"
        entry = read_entry(path)
        assert parse_exec(entry["Exec"].removesuffix(" %f")) == list(arguments)
        assert entry["TryExec"] == arguments[0]
        if shutil.which("desktop-file-validate"):
            checked = subprocess.run(
                ["desktop-file-validate", path], capture_output=True, text=True, check=False
            )
            assert checked.returncode == 0, checked.stdout

    @pytest.mark.parametrize("path", ["/opt/a=b/biplane-gui", "/opt/a\nb/biplane-gui"])
    def test_a_path_no_entry_can_name_is_a_sentence(self, home: Path, path: str) -> None:
        with pytest.raises(BiplaneError, match="install Biplane in another folder"):
            install_desktop(Program((path,)))
        assert not home.exists()

    def test_a_relative_data_home_does_not_count(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", "some/where")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert desktop_entry.data_home() == tmp_path / ".local/share"

    def test_the_files_of_others_are_left_alone(self, home: Path) -> None:
        other = home / "applications/biplane.desktop"
        other.parent.mkdir(parents=True)
        other.write_text("[Desktop Entry]\nName=Another Biplane\n")
        before = tree(home)
        with pytest.raises(BiplaneError, match="not Biplane's"):
            install_desktop()
        assert tree(home) == before
        assert "Another" in other.read_text()

    def test_a_second_call_renews(self, home: Path) -> None:
        install_desktop(Program(("/old/biplane-gui",)))
        install_desktop(Program(("/new/biplane-gui",)))
        assert read_entry(home / "applications/biplane.desktop")["Exec"] == "/new/biplane-gui %f"
        uninstall_desktop()
        assert not home.exists()

    def test_an_entry_whose_record_is_lost_is_ours_still(self, home: Path) -> None:
        install_desktop(Program(("/old/biplane-gui",)))
        (home / desktop_entry.RECORD_FILE).unlink()
        install_desktop(Program(("/new/biplane-gui",)))
        assert read_entry(home / "applications/biplane.desktop")["Exec"] == "/new/biplane-gui %f"


class TestUninstall:
    def test_nothing_is_left(self, home: Path) -> None:
        written = install_desktop()
        assert set(uninstall_desktop()) == set(written)
        assert not home.exists()
        assert uninstall_desktop() == []

    def test_what_was_there_before_stays(self, home: Path) -> None:
        applications = home / "applications"
        applications.mkdir(parents=True)
        (applications / "other.desktop").write_text("[Desktop Entry]\nType=Application\n")
        (applications / "mimeinfo.cache").write_text("[MIME Cache]\n")
        (home / "icons/hicolor/48x48/apps").mkdir(parents=True)
        before = tree(home)
        install_desktop()
        uninstall_desktop()
        assert tree(home) == before

    def test_what_came_since_stays(self, home: Path) -> None:
        install_desktop()
        (home / "biplane/chats").mkdir()
        (home / "icons/hicolor/48x48/apps/other.png").write_bytes(b"x")
        uninstall_desktop()
        assert tree(home) == {
            home / part
            for part in (
                "biplane",
                "biplane/chats",
                "icons",
                "icons/hicolor",
                "icons/hicolor/48x48",
                "icons/hicolor/48x48/apps",
                "icons/hicolor/48x48/apps/other.png",
            )
        }

    def test_a_tampered_record_removes_nothing_elsewhere(self, home: Path, tmp_path: Path) -> None:
        victim = tmp_path / "victim"
        victim.write_text("keep")
        record = home / desktop_entry.RECORD_FILE
        record.parent.mkdir(parents=True)
        paths = [str(victim), str(home / ".." / "victim")]
        record.write_text(
            f'{{"files": {paths!r}, "folders": [], "menu_cache": true}}'.replace("'", '"')
        )
        assert uninstall_desktop() == []
        assert victim.exists()

    @pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"files": 1}'])
    def test_a_damaged_record_is_a_sentence(self, home: Path, text: str) -> None:
        record = home / desktop_entry.RECORD_FILE
        record.parent.mkdir(parents=True)
        record.write_text(text)
        with pytest.raises(BiplaneError, match="is damaged"):
            uninstall_desktop()

    def test_without_the_menu_tool(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shutil, "which", lambda _: None)
        install_desktop()
        uninstall_desktop()
        assert not home.exists()


class TestProgram:
    def test_the_script_beside_this_python(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        script = tmp_path / "biplane-gui"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
        assert installed_program() == Program((str(script),))

    def test_else_the_module_with_its_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
        program = installed_program()
        assert program.arguments == (str(tmp_path / "python"), "-m", "app")
        assert program.folder == LINUX.parents[1]

    def test_a_frozen_program_is_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        assert installed_program() == Program((sys.executable,))

    def test_the_entry_starts_from_any_folder(self, home: Path, tmp_path: Path) -> None:
        install_desktop()
        entry = read_entry(home / "applications/biplane.desktop")
        command = parse_exec(entry["Exec"].removesuffix(" %f"))
        assert os.path.isabs(command[0])
        folder = entry.get("Path", str(tmp_path))
        started = subprocess.run(
            [*command, "--help"],
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert started.returncode == 0, started.stderr
        assert "--model" in started.stdout
