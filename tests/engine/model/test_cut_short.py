"""A model's file that is cut short meanwhile: one sentence, and the process goes on.

In a process of its own: the touch of a mapped file that was cut short would end it (SIGBUS).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from gguf import GGMLQuantizationType as Kind

from engine.errors import ModelError
from engine.gguf.header import read_header
from engine.model.file_bytes import FileRows, read_into
from engine.model.safetensors_file import SafetensorsFile
from tests.gguf_files import quantised, write_folder
from tests.mostly_slow import mostly_slow

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "assets" / "demo_model"
TRUNCATED = " cannot be read: it is truncated."
# Cuts a file when so much of the model was read, or -1: when it is about to be, or 2: when it is
# open, and tries to use it. Then the file is made whole, and used. Prints the refusals.
SCRIPT = """
import json, os, sys
from pathlib import Path
from engine import Engine, EngineConfig, Message, Sampling
from engine.errors import BiplaneError
from engine.events import RequestFailed, TextDelta
from engine.run.core import open_model

model, file, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
when, weights = float(sys.argv[4]), sys.argv[5]
whole, said = file.read_bytes(), []

def cut(stage, share, *_):
    if when <= (-1 if share is None else share):
        os.truncate(file, left)

def answer():
    sampling = Sampling(temperature=0.0, max_tokens=5)
    events = list(engine.generate([Message("user", "Hello")], sampling))
    said.extend(event.sentence for event in events if isinstance(event, RequestFailed))
    return "".join(event.text for event in events if isinstance(event, TextDelta))

config = EngineConfig(threads=1, weights=weights)
if when <= 1:
    try:
        open_model(model, config, cut)
    except BiplaneError as error:
        said.append(str(error))
    file.write_bytes(whole)
with Engine.open(model, config) as engine:
    before = answer()
    if when > 1:
        cut("", when)
        answer()
        file.write_bytes(whole)
    engine.check_invariants()
    assert before and answer() == before
print(json.dumps(said))
"""


def refusal(model: Path, file: Path, left: int, when: float, weights: str = "stored") -> str:
    """What is said when a file of a model is cut to the bytes that are `left`."""
    command = [sys.executable, "-c", SCRIPT, *map(str, (model, file, left, when, weights))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    (said,) = json.loads(done.stdout)
    return str(said)


class TestGguf:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        made = tmp_path / "demo.gguf"
        write_folder(DEMO, made, quantised(Kind.Q4_K))
        return made

    def test_before_its_weights(self, path: Path) -> None:
        said = refusal(path, path, 70_000, -1)
        assert said == "demo.gguf is damaged: its header does not fit into its 70000 bytes; " + (
            "download it again."
        )

    @pytest.mark.parametrize("share", mostly_slow([0.0, 0.5]))
    def test_within_its_weights(self, path: Path, share: float) -> None:
        data = min(place.start for place in read_header(path).tensors.values())
        said = refusal(path, path, data + 1000, share)
        assert said.startswith('demo.gguf: "')
        assert said.endswith(TRUNCATED)

    def test_while_it_is_in_use(self, path: Path) -> None:
        assert refusal(path, path, 100, 2) == 'demo.gguf: "token_embd.weight"' + TRUNCATED


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["stored", "int4"])
def test_a_file_of_a_folder(tmp_path: Path, weights: str) -> None:
    for path in DEMO.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    file = tmp_path / "model.safetensors"
    said = refusal(tmp_path, file, SafetensorsFile(file).data + 1000, 0.5, weights)
    assert said.startswith('model.safetensors: "')
    assert said.endswith(TRUNCATED)


class TestRows:
    """Seven rows of five numbers, a byte behind the beginning of a file."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "rows"
        path.write_bytes(b"\xff" + torch.arange(35).to(torch.int16).numpy().tobytes())
        return path

    @pytest.fixture
    def rows(self, path: Path) -> FileRows:
        return FileRows(path, 1, (7, 5), torch.int16, "t")

    @pytest.mark.parametrize("which", [slice(None), slice(2, 4), slice(5, 99), slice(3, 3)])
    def test_a_range(self, rows: FileRows, which: slice) -> None:
        assert torch.equal(rows[which], torch.arange(35).to(torch.int16).view(7, 5)[which])

    @pytest.mark.parametrize("which", [[3], [6, 0, 3, 0, 6]])
    def test_some(self, rows: FileRows, which: list[int]) -> None:
        chosen = torch.tensor(which, dtype=torch.int64)
        assert torch.equal(rows[chosen], torch.arange(35).to(torch.int16).view(7, 5)[chosen])

    def test_of_a_file_that_ends_within_a_row(self, path: Path, rows: FileRows) -> None:
        path.write_bytes(path.read_bytes()[:-1])
        assert len(rows[torch.tensor([5])]) == 1
        for which in (slice(6, 7), torch.tensor([0, 6])):
            with pytest.raises(ModelError, match=r'^rows: "t" cannot be read: it is truncated\.$'):
                rows[which]
        with pytest.raises(ModelError, match="it is truncated"):
            read_into(torch.empty(35, dtype=torch.int16), path, 1, "t")
