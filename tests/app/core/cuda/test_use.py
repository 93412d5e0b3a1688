"""Which PyTorch a start imports: the CUDA part's, or the program's own if that one fails.

Each start is a process of its own, with small packages in place of the large ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.cuda.check import check
from app.core.cuda.part import CudaPart
from app.core.cuda.state import State
from app.core.cuda.wheels import WheelList, bundled, read
from tests.app.core.cuda.wheels_made import Shop, serving, wheel

ROOT = Path(__file__).parents[4]
NAME = "torch-2.0-py3-none-any.whl"
# What a start does, and what it says.
START = """
import json, sys
from pathlib import Path
from app.core.cuda import use
from app.core.cuda import wheels
own, root, listed = map(Path, sys.argv[1:4])
sys.path.insert(0, str(own))
wheels.list_file = lambda: listed
told = []
use.listen(told.append)
used = use.activate(root)
before = "torch" in sys.modules
import torch
import torch.inner
use.listen(None)
json.dump([used, before, torch.name, torch.inner.name, told], sys.stdout)
"""
WORKS = {"torch/__init__.py": "name = 'card'\n", "torch/inner.py": "name = 'card'\n"}
FAILS = {
    "torch/__init__.py": "import torch.inner, ctypes\nctypes.CDLL('none.so')\nname = 'card'\n",
    "torch/inner.py": "name = 'card'\n",
}


class Computer:
    """A program with its own packages, and a CUDA part."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.own = folder / "own"
        (self.own / "torch").mkdir(parents=True)
        (self.own / "torch" / "__init__.py").write_text("name = 'processor'\n")
        (self.own / "torch" / "inner.py").write_text("name = 'processor'\n")
        self.part = CudaPart(folder / "cuda")
        self.listed = folder / "cuda.json"
        self.listed.write_text("{}")

    def install(self, members: dict[str, str], *, passed: bool = True) -> WheelList:
        with serving(Shop({NAME: wheel(members)})) as shop:
            what = shop.listed()
            self.part.install(what, lambda _: None)
        self.part.keep(State(what.digest, passed, "It computes." if passed else "It does not."))
        self.listed.write_text(json.dumps(_plain(what)))
        return what

    def start(self, **environment: str) -> tuple[bool, bool, str, str, list[str]]:
        """Whether the part is used, whether torch came early, whose it is, and what is told."""
        done = subprocess.run(
            [sys.executable, "-c", START, self.own, self.part.root, self.listed],
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        used, before, name, inner, told = json.loads(done.stdout)
        return used, before, name, inner, told


def _plain(what: WheelList) -> object:
    import msgspec

    return json.loads(msgspec.json.encode(what))


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    monkeypatch.setenv("no_proxy", "*")
    return Computer(tmp_path)


class TestStart:
    def test_one_that_has_passed_is_used(self, computer: Computer) -> None:
        computer.install(WORKS)
        assert computer.start() == (True, False, "card", "card", [])

    def test_without_one_nothing_changes(self, computer: Computer) -> None:
        used, *_ = computer.start()
        assert used is False

    def test_one_that_has_not_passed_is_not_used(self, computer: Computer) -> None:
        computer.install(WORKS, passed=False)
        used, _, _, _, told = computer.start()
        assert (used, told) == (False, [])

    def test_it_can_be_switched_off(self, computer: Computer) -> None:
        computer.install(WORKS)
        assert computer.start(BIPLANE_CUDA="off")[0] is False

    def test_that_of_another_version_is_told_of(self, computer: Computer) -> None:
        computer.install(WORKS)
        computer.listed.write_text("{}")
        used, _, _, _, told = computer.start()
        assert used is False
        assert "belongs to another version" in told[0]

    def test_one_that_fails_gives_way_and_says_so_once(self, computer: Computer) -> None:
        what = computer.install(FAILS)
        *found, told = computer.start()
        assert found == [True, False, "processor", "processor"]
        assert told == [
            "The CUDA part could not be used (OSError), so models run on the processor."
        ]
        assert computer.part.state == State(what.digest, False, told[0])
        # The next start does not try again.
        assert computer.start()[0] is False
        assert computer.start()[4] == []

    def test_one_whose_torch_is_gone_gives_way(self, computer: Computer) -> None:
        what = computer.install(WORKS)
        for path in (computer.part.site(what.digest) / "torch").iterdir():
            path.unlink()
        (computer.part.site(what.digest) / "torch").rmdir()
        assert "ModuleNotFoundError" in computer.start()[4][0]


class TestCheck:
    def test_a_computer_without_a_card_does_not_pass(
        self, computer: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        members = {
            "torch/__init__.py": "from torch import cuda\n",
            "torch/cuda.py": "def is_available():\n    return False\n",
        }
        what = computer.install(members)
        found = check(computer.part)
        assert (found.passed, found.sentence) == (False, "PyTorch finds no card that computes.")
        assert computer.part.state == State(what.digest, False, found.sentence)

    def test_one_that_ends_the_process(self, computer: Computer) -> None:
        computer.install({"torch/__init__.py": "import os\nos._exit(11)\n"})
        assert "without a report (code 11)" in check(computer.part).sentence

    def test_one_that_cannot_be_imported(self, computer: Computer) -> None:
        computer.install(FAILS)
        assert "cannot be imported (OSError)" in check(computer.part).sentence

    def test_nothing_to_check(self, computer: Computer) -> None:
        assert check(computer.part).sentence == "The CUDA part is not installed."


class TestList:
    def test_none_is_bundled_or_one_that_can_be_read(self) -> None:
        found = bundled()
        assert found is None or found.nbytes > 0

    @pytest.mark.parametrize(
        "change",
        [
            {"format": 2},
            {"wheels": []},
            {"wheels": "x"},
            {"driver": "new"},
        ],
    )
    def test_another_format_is_none(self, change: dict[str, object]) -> None:
        with serving(Shop({NAME: b"x"})) as shop:
            raw = _plain(shop.listed())
        assert isinstance(raw, dict)
        assert read(json.dumps(raw).encode()).wheels[0].file == NAME
        with pytest.raises(ValueError, match=r"."):
            read(json.dumps(raw | change).encode())

    @pytest.mark.parametrize("file", ["../a.whl", "a/b.whl", "a.zip", ""])
    def test_a_file_that_leads_elsewhere(self, file: str) -> None:
        with serving(Shop({NAME: b"x"})) as shop:
            raw = _plain(shop.listed())
        assert isinstance(raw, dict)
        raw["wheels"][0]["file"] = file
        with pytest.raises(ValueError, match="file"):
            read(json.dumps(raw).encode())
