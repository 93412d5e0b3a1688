"""A run that did not come to its end is named once, and no living one ever is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.core import launch_marker
from app.core.launch_marker import LaunchMarker, lost_sentence, take_lost_launches

BEGIN = (
    "import faulthandler, sys, time; from pathlib import Path\n"
    "from app.core.launch_marker import LaunchMarker\n"
    "marker = LaunchMarker(Path(sys.argv[1])); marker.begin(); print('begun', flush=True)\n"
)


@pytest.fixture(params=["locks", "no locks"])
def locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without locks of the system: some folders in a network have none."""
    if request.param == "no locks":
        monkeypatch.setattr(launch_marker, "fcntl", None)


def start(folder: Path, code: str) -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, "-c", BEGIN + code, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert made.stdout is not None
    assert made.stdout.readline() == "begun\n"
    return made


@pytest.mark.usefixtures("locks")
class TestLostLaunches:
    def test_one_that_was_killed(self, tmp_path: Path) -> None:
        process = start(tmp_path, "time.sleep(60)")
        assert take_lost_launches(tmp_path) == [], "it lives"
        process.kill()
        process.wait()
        (run,) = take_lost_launches(tmp_path)
        assert (run.pid, run.stack) == (process.pid, "")
        assert abs(run.started.timestamp() - time.time()) < 60
        assert take_lost_launches(tmp_path) == [], "once is enough"
        assert list(tmp_path.iterdir()) == []

    def test_one_that_crashed_left_its_stack(self, tmp_path: Path) -> None:
        process = start(tmp_path, "def fall():\n    faulthandler._sigsegv()\nfall()")
        assert process.wait() < 0
        (run,) = take_lost_launches(tmp_path)
        assert "Segmentation fault" in run.stack
        assert "in fall" in run.stack

    def test_one_that_came_to_its_end_leaves_nothing(self, tmp_path: Path) -> None:
        assert start(tmp_path, "marker.end()").wait() == 0
        assert list(tmp_path.iterdir()) == []

    def test_others_that_live_are_left_alone(self, tmp_path: Path) -> None:
        living, dead = start(tmp_path, "time.sleep(60)"), start(tmp_path, "time.sleep(60)")
        dead.kill()
        dead.wait()
        assert [run.pid for run in take_lost_launches(tmp_path)] == [dead.pid]
        assert len(list(tmp_path.iterdir())) == 1
        living.kill()
        living.wait()
        assert [run.pid for run in take_lost_launches(tmp_path)] == [living.pid]

    def test_a_number_that_was_given_out_again(self, tmp_path: Path) -> None:
        """As after a restart of the computer: a process lives under it, but it is another one."""
        began = psutil.Process().create_time() - 5000
        head = {"pid": os.getpid(), "process_began": began, "started": time.time() - 5000}
        (tmp_path / "run-1").write_text(json.dumps(head) + "\n")
        assert [run.pid for run in take_lost_launches(tmp_path)] == [os.getpid()]

    @pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": "x"}', "\xff\n", '{"pid": 1e999}'])
    def test_one_whose_file_was_cut_off(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "run-1").write_text(text)
        assert len(take_lost_launches(tmp_path)) == 1
        assert take_lost_launches(tmp_path) == []


class TestMarker:
    def test_only_its_user_can_read_it(self, tmp_path: Path) -> None:
        marker = LaunchMarker(tmp_path)
        marker.begin()
        (path,) = tmp_path.iterdir()
        assert path.stat().st_mode & 0o777 == 0o600
        marker.end()
        marker.end()

    def test_without_a_folder_nothing_breaks(self, tmp_path: Path) -> None:
        marker = LaunchMarker(tmp_path / "nowhere")
        marker.begin()
        marker.end()
        assert take_lost_launches(tmp_path / "nowhere") == []


class TestSentence:
    def test_it_names_the_run_and_the_log(self, tmp_path: Path) -> None:
        process = start(tmp_path, "time.sleep(60)")
        process.kill()
        process.wait()
        lost = take_lost_launches(tmp_path)
        sentence = lost_sentence(lost)
        assert "ended unexpectedly" in sentence
        assert f"{lost[0].started:%H:%M}" in sentence
        assert "Show log" in sentence
        assert "2 runs" in lost_sentence(lost * 2)
        assert lost_sentence([]) == ""
