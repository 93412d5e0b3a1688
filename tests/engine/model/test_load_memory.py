"""What loading takes at its peak: the weights, and little beside them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from safetensors import safe_open

from engine.model.family import QWEN35_0_8B
from engine.model.random_checkpoint import random_checkpoint
from tests.gguf_files import quantised, write_checkpoint

MIB = 1 << 20
ROOT = Path(__file__).parents[3]
# A process of its own: the peak is the process's, and so is what its allocator keeps.
SCRIPT = """
import sys
from pathlib import Path
import psutil
import torch
from engine.bench.timed import forget_peak, peak_bytes
from engine.model.loader import LoadOptions, load_model

folder, weights, packed = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
torch.set_num_threads(1)
torch.ones(8, 8).bfloat16() @ torch.ones(8, 8).bfloat16()
options = LoadOptions(weights=weights, packed=Path(packed) if packed else None)
before = psutil.Process().memory_info().rss
forget_peak()
model = load_model(folder, options, torch.device("cpu"), lambda *_: None)
print(model.weight_bytes, peak_bytes() - before)
"""

# Otherwise the peak depends on what the C library keeps of freed buffers, and that on the load.
GIVE_BACK = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(128 << 10),
    "MALLOC_TRIM_THRESHOLD_": str(128 << 10),
}

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the peak since a moment is read from /proc"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """220 MiB of bfloat16 in five files; the largest tensor is the table, 62 MiB."""
    found = tmp_path_factory.mktemp("large")
    config = QWEN35_0_8B | {"vocab_size": 32_000, "num_hidden_layers": 4}
    random_checkpoint(found, config, 1, torch.bfloat16, files=5)
    return found


def loaded(folder: Path, weights: str, packed: str = "") -> tuple[int, int]:
    """Bytes of the weights, and what the process took more at its peak than before."""
    command = [sys.executable, "-c", SCRIPT, str(folder), weights, packed]
    environment = os.environ | GIVE_BACK
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 0, done.stderr
    size, peak = map(int, done.stdout.split())
    return size, peak


def largest_tensor(folder: Path) -> int:
    sizes = []
    for path in folder.glob("*.safetensors"):
        with safe_open(path, "pt") as file:
            names = file.keys()
            sizes += [2 * torch.Size(file.get_slice(name).get_shape()).numel() for name in names]
    return max(sizes)


def test_stored_weights_are_never_there_twice(folder: Path) -> None:
    """A tensor is read straight to its place: 13 MiB measured beside the weights.

    A file read or mapped whole would add the largest, 79 MiB.
    """
    size, peak = loaded(folder, "stored")
    assert max(path.stat().st_size for path in folder.glob("*.safetensors")) > 75 * MIB
    assert 200 * MIB < size < peak <= size + 60 * MIB


@pytest.mark.parametrize(
    # The rest is what the allocator keeps of buffers for one matrix; measured 0 and 30 to 55 MiB.
    ("weights", "rest"),
    [("int8", 60 * MIB), ("int4", 100 * MIB)],
)
@pytest.mark.slow
def test_of_the_checkpoint_one_tensor_is_there_beside_the_packed_weights(
    folder: Path, weights: str, rest: int
) -> None:
    size, peak = loaded(folder, weights)
    assert size < 145 * MIB
    assert peak <= size + largest_tensor(folder) + rest


@pytest.mark.slow
def test_files_hold_the_table_and_one_layer_is_there_beside_the_weights(
    folder: Path, tmp_path: Path
) -> None:
    """At the first start a layer waits to be written; at the second it is only read."""
    for _ in range(2):
        size, peak = loaded(folder, "int4", str(tmp_path))
        assert size < 85 * MIB
        assert peak <= size + largest_tensor(folder) + 40 * MIB
    assert peak <= size + 80 * MIB


@pytest.mark.slow
def test_of_a_gguf_file_one_matrix_is_there_beside_the_weights(
    folder: Path, tmp_path: Path
) -> None:
    """Blocks are packed from what was read of one matrix; the table is read in the file."""
    path = tmp_path / "model.gguf"
    write_checkpoint(folder, path, quantised(Kind.Q4_K))
    size, peak = loaded(path, "stored")
    assert 50 * MIB < size < 1.05 * path.stat().st_size
    assert peak <= size + 40 * MIB
