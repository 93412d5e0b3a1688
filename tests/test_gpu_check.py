"""packaging/gpu_check.sh: what it runs, where the output goes, and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "packaging" / "gpu_check.sh"
STUB = """#!/bin/sh
echo "$PWD: $*"
echo "progress" >&2
case "$*" in *pytest*) exit {tests} ;; *) exit {bench} ;; esac
"""


def check(
    tmp_path: Path, *folder: str, tests: int = 0, bench: int = 0
) -> subprocess.CompletedProcess[str]:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python").write_text(STUB.format(tests=tests, bench=bench))
    (tools / "python").chmod(0o755)
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    command = ["sh", str(SCRIPT), *folder]
    return subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
class TestGpuCheck:
    def test_collects_both_outputs_in_the_folder(self, tmp_path: Path) -> None:
        ran = check(tmp_path, "found/here")
        assert ran.returncode == 0, ran.stderr
        out, root = tmp_path / "found" / "here", SCRIPT.parents[1]
        tests = (out / "tests.txt").read_text()
        assert f"{root}: -m pytest -m gpu tests" in tests
        assert "progress" in tests
        for name, asked in (("gpu", "gpu"), ("drafts", "drafts --device cuda")):
            found = (out / f"{name}.json").read_text()
            assert found == f"{root}: -m app.cli.main bench {asked} --json\n"
            assert (out / f"{name}.txt").read_text() == "progress\n"

    @pytest.mark.parametrize(("tests", "bench"), [(1, 0), (0, 2), (1, 2)])
    def test_fails_where_either_failed_and_still_runs_both(
        self, tmp_path: Path, tests: int, bench: int
    ) -> None:
        ran = check(tmp_path, "found", tests=tests, bench=bench)
        assert ran.returncode == 1
        assert f"tests: exit code {tests}" in ran.stdout
        for name in ("gpu", "drafts", "parallel"):
            assert f"bench {name}: exit code {bench}" in ran.stdout

    def test_wants_a_folder(self, tmp_path: Path) -> None:
        ran = check(tmp_path)
        assert ran.returncode == 2
        assert "usage" in ran.stderr
