"""A program that ends while its engine is at work ends as it meant to, with whole files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.private_files import OwnFolder
from engine.storage.segment_file import SegmentFile, Sizes

ROOT = Path(__file__).resolve().parents[2]
ANY_SIZE = Sizes(token=0, state=1 << 40, most=1 << 40)
# Python's own end comes in the middle of a step most times, so once shows little.
RUNS = 3
BEGIN = """
import itertools, sys
from pathlib import Path
from engine import Engine, EngineConfig, Message, Sampling
config = EngineConfig(cache_dir=Path(sys.argv[1]), disk_bytes=1 << 28, host_bytes=0)
engine = Engine.open("assets/demo_model", config)
endless = Sampling(max_tokens=100_000, seed=1, ignore_end=True)
said = engine.generate([Message("user", "Tell me a story.")], endless)
for event in itertools.islice(said, 12):
    pass
"""
WAYS = {
    "reaches its end": ("", 0),
    "leaves by itself": ("sys.exit(3)", 3),
    "fails": ("raise ValueError('nobody catches this')", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_program_that_closes_nothing_ends_as_it_meant_to(tmp_path: Path, way: str) -> None:
    code, expected = WAYS[way]
    for run in range(RUNS):
        cache = tmp_path / str(run)
        ended = subprocess.run(
            [sys.executable, "-c", BEGIN + code, str(cache)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ended.returncode == expected, ended.stderr
        assert ("nobody catches this" in ended.stderr) == (way == "fails")
        assert "terminate called" not in ended.stderr
        paths = [path for path in cache.rglob("*") if path.is_file()]
        assert paths, "what the request computed is kept"
        for path in paths:
            folder = OwnFolder(cache, path.parent.name)
            file = SegmentFile(folder, path.name, path.parent.name, ANY_SIZE)
            file.kv()
            file.state()
