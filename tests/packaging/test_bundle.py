"""The bundle: the program does without what is left out, and what is inside is known by name."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from email.message import Message
from pathlib import Path

import pytest
from bundle.machines import LINUX, MACHINES, ROOT, Machine
from bundle.notice import ACCEPTED, Component, UnknownLicence, is_accepted, licence_of, notice
from bundle.parts import ABSENT_MODULES, DEBS, LEFT_OUT, QT_MODULES
from bundle.tree import LAUNCHER

# Loads every module that can be loaded without a GPU, then answers with the bundled model.
_PROGRAM = """
import importlib, pkgutil, sys
absent, qt = sys.argv[1].split(","), sys.argv[2].split(",")
class Absent:
    def find_spec(self, name, path=None, target=None):
        left_out = any(name == one or name.startswith(one + ".") for one in absent)
        if left_out or name.startswith("PySide6.Qt") and name[8:] not in qt:
            raise ModuleNotFoundError(f"{name} is not in the bundle", name=name)
sys.meta_path.insert(0, Absent())
import app, engine, kernels
skipped = []
for package in (app, engine, kernels):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".peers" in found.name or found.name.endswith(("__main__", ".biplane_kernels")):
            continue
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            skipped.append(f"{found.name}: {error.name}")
print("\\n".join(skipped))
from pathlib import Path
import assets
from engine import Engine, Message, Sampling
from engine.events import RequestFinished
engine = Engine.open(Path(assets.__file__).parent / "demo_model")
events = list(engine.generate([Message("user", "Hello")], Sampling.greedy(20)))
assert isinstance(events[-1], RequestFinished), events[-1]
"""


def test_program_answers_without_what_is_left_out() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, ",".join(ABSENT_MODULES), ",".join(QT_MODULES)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    # Only the modules for a GPU may want what only the part for it has.
    wanting = {line.split(": ")[1] for line in done.stdout.splitlines() if line}
    assert wanting <= {"triton", "fla"}


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_every_input_has_one_hash(machine: Machine) -> None:
    for line in lines(machine.wheels_file):
        assert re.fullmatch(r"[\w.-]+==[\w.+]+ --hash=sha256:[0-9a-f]{64}", line)
    for line in lines(machine.debs_file) if machine.key in LINUX else ():
        assert re.fullmatch(r"[0-9a-f]{64} https://snapshot\.debian\.org/\S+\.deb", line)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_wheels_have_the_versions_that_are_tested(machine: Machine) -> None:
    constraints = dict(line.lower().split("==") for line in lines(ROOT / "constraints.txt"))
    constraints |= dict(one.lower().split("==") for one in machine.overrules)
    for line in lines(machine.wheels_file):
        name, version = line.split(" ")[0].lower().split("==")
        tested = {normal(one): kept for one, kept in constraints.items()}
        # What only another system wants is not installed where the tests run.
        assert version == tested.get(normal(name)) or (
            machine.key not in LINUX and normal(name) not in tested
        )


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_every_dependency_is_listed_or_left_out(machine: Machine) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    listed = {normal(line.split("==")[0]) for line in lines(machine.wheels_file)}
    asked = {normal(re.split(r"[^\w.-]", one)[0]) for one in declared}
    assert asked <= listed | LEFT_OUT


@pytest.mark.parametrize("machine", LINUX.values(), ids=LINUX)
def test_every_debian_package_is_listed(machine: Machine) -> None:
    debs = {line.rsplit("/", 1)[1].split("_")[0] for line in lines(machine.debs_file)}
    assert debs == set(DEBS)


def test_licences_of_old_metadata_are_named_as_spdx_does() -> None:
    fields = Message()
    fields["Name"] = "one"
    fields["Classifier"] = "License :: OSI Approved :: BSD License"
    assert licence_of(fields) == "BSD-3-Clause"


@pytest.mark.parametrize(
    ("expression", "accepted"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("LGPL-3.0-only OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT AND BSD-3-Clause) OR Proprietary", True),
        ("Apache-2.0 WITH LLVM-exception", True),
    ],
)
def test_alternatives_are_enough_and_parts_are_not(expression: str, accepted: bool) -> None:
    assert is_accepted(expression) is accepted


def test_a_licence_that_nobody_looked_at_ends_the_build() -> None:
    fields = Message()
    fields["Name"] = "strange"
    fields["License"] = "Strange-1.0"
    with pytest.raises(UnknownLicence, match="strange states a licence"):
        licence_of(fields)
    assert "Strange-1.0" not in ACCEPTED


def test_notice_has_each_text_once() -> None:
    one = Component("one", "1", "MIT", "", ("word for word",))
    other = Component("other", "2", "MIT", "https://example.org", ("word for word\n",))
    text = notice([one, other], "our own", Path("lib/Qt"))
    assert text.count("word for word") == 1
    assert "one, other" in text


def test_launcher_finds_its_python_and_hides_anothers_settings(tmp_path: Path) -> None:
    home = tmp_path / "a stick für Bücher"
    home.mkdir()
    python = home / "python3.11"
    python.write_text(
        '#!/bin/sh\nprintf "%s|" "$0" "$@" "${PYTHONPATH-none}" "${PYTHONHOME-none}"\n'
    )
    python.chmod(0o755)
    launcher = home / "biplane"
    launcher.write_text(LAUNCHER.format(python="3.11", module="app", what="it"))
    launcher.chmod(0o755)
    link = tmp_path / "link"
    link.symlink_to(launcher)
    done = subprocess.run(
        [link, "a b", "ü"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": "/elsewhere", "PYTHONHOME": "/elsewhere"},
    )
    assert done.stdout == f"{python}|-m|app|a b|ü|none|none|"


def lines(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line and line[0] != "#"]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
