"""The manual pages and completions: every subcommand and every option is in each of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.main import leaves, make_parser
from app.shell import options

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("man/man1/biplane.1", "man/man1/biplane-gui.1")
COMPLETIONS = (
    "bash-completion/completions/biplane",
    "zsh/site-functions/_biplane",
    "fish/vendor_completions.d/biplane.fish",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("share")
    script = str(ROOT / "packaging/manual.py")
    done = subprocess.run([sys.executable, script, str(made)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {str(made / name) for name in (*PAGES, *COMPLETIONS)}
    return made


def flags_of_window() -> set[str]:
    return {flag for action in options.make_parser()._actions for flag in action.option_strings}


def flags() -> set[str]:
    """Of the window and of every subcommand."""
    below = (action for leaf in leaves(make_parser()) for action in leaf._actions)
    return flags_of_window() | {flag for action in below for flag in action.option_strings}


def words() -> set[str]:
    return {word for leaf in leaves(make_parser()) for word in leaf.prog.split()[1:]}


def test_the_page_of_the_program_has_everything(folder: Path) -> None:
    text = (folder / PAGES[0]).read_text().replace("\\-", "-")
    assert not [flag for flag in flags() if f"\\fB{flag}\\fR" not in text]
    for leaf in leaves(make_parser()):
        assert f".SH {leaf.prog.upper()}" in text


def test_the_page_of_the_window_has_its_options(folder: Path) -> None:
    text = (folder / PAGES[1]).read_text().replace("\\-", "-")
    assert not [flag for flag in flags_of_window() if f"\\fB{flag}\\fR" not in text]
    assert "SUBCOMMAND" not in text


def test_the_page_names_no_folder_of_whoever_wrote_it(folder: Path) -> None:
    text = (folder / PAGES[0]).read_text().replace("\\-", "-")
    assert "~/.local/state/biplane/chat_history" in text
    assert str(Path.home()) not in text


@pytest.mark.parametrize("name", COMPLETIONS)
def test_completions_have_every_word(folder: Path, name: str) -> None:
    text = (folder / name).read_text()
    spelt = {flag if "fish" not in name else f" {_in_fish(flag)} " for flag in flags()}
    assert not [flag for flag in spelt if flag not in text]
    assert not [word for word in words() if word not in text]


def _in_fish(flag: str) -> str:
    return f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_pages_are_sound_roff(folder: Path, name: str) -> None:
    command = ["groff", "-man", "-ww", "-Tutf8", "-z", str(folder / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["biplane", "mod"], {"models"}),
        (["biplane", "models", "pu"], {"pull"}),
        (["biplane", "--theme", ""], {"system", "light", "dark"}),
        (["biplane", "bench", "turns", "--mod"], {"--mode", "--model"}),
        (["biplane-gui", "--new"], {"--new-chat", "--new-instance"}),
        (["biplane-gui", "mod"], set[str]()),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(folder: Path, line: list[str], expected: set[str]) -> None:
    script = f"""
source {folder / COMPLETIONS[0]}
COMP_WORDS=({" ".join(repr(word) for word in line)}); COMP_CWORD={len(line) - 1}
_biplane; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == expected
