"""The example scripts, run as a reader would run them: what they print is what they promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "packaging" / "examples"
MOST_LINES = 60
LONGEST_S = 120
# The part of a script's docstring that says how to run it.
COMMAND = "    python packaging/examples/{name}"
TOKENS = re.compile(r"(\d+) reused\D+(\d+) replayed\D+(\d+) computed")


def run(name: str) -> str:
    """What the script prints; it must end well."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def counts(line: str) -> tuple[int, ...]:
    """Tokens reused, replayed and computed."""
    found = TOKENS.search(line)
    assert found is not None, line
    return tuple(int(number) for number in found.groups())


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_each_is_short_says_what_one_sees_and_how_to_run_it(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) < MOST_LINES
    assert text.startswith('"""')
    docstring = text.split('"""')[1]
    assert docstring.rstrip().endswith(COMMAND.format(name=path.name))
    assert len(docstring.splitlines()) >= 5
    assert f"def test_{path.stem}(" in Path(__file__).read_text(), "what it prints is not tested"


def test_chat() -> None:
    """The second turn knows the first and reuses nearly all of it."""
    printed = run("chat.py")
    first, second = (counts(line) for line in printed.splitlines() if "reused" in line)
    assert first[:2] == (0, 0)
    assert first[2] > 20
    # All of the first prompt up to the thought that the template drops.
    assert second[0] >= first[2] - 5
    assert second[1] == 0
    assert printed.rstrip().splitlines()[-2] == "Your name is Ada."


@pytest.mark.slow
def test_edit_and_regenerate() -> None:
    """Every prediction comes true, and the reasons are the right ones."""
    lines = run("edit_and_regenerate.py").splitlines()
    reasons = []
    for predicted, happened in zip(lines[1::4], lines[2::4], strict=True):
        assert predicted.split()[0] == "predicted"
        assert happened.split()[0] == "happened"
        assert predicted.split()[1:] == happened.split()[1:]
        reasons.append(happened.partition("computed: ")[2])
    assert reasons == [
        "none",
        "template dropped thinking",
        "message edited",
        "system text changed",
    ]
    regenerated, more, edited, another = (counts(line) for line in lines[2::4])
    assert regenerated[1:] == (0, 0)
    assert more[0] > edited[0] > another[0] == 0
    assert more[1] == 0


@pytest.mark.slow
def test_continue_answer() -> None:
    """Each part computes one token, and together they are the whole answer."""
    lines = run("continue_answer.py").splitlines()
    parts = lines[: lines.index("")]
    assert len(parts) >= 3
    assert [part.rpartition(": ")[2] for part in parts] == ["length"] * (len(parts) - 1) + ["end"]
    first, *others = (counts(part) for part in parts)
    for number, (reused, replayed, computed) in enumerate(others, 1):
        assert (replayed, computed) == (0, 1)
        assert reused == first[2] + 8 * number - 1
    assert lines[-1] == "The same as in one go: yes"


@pytest.mark.slow
def test_branches() -> None:
    """The second chat reuses the system prompt, and both hang from it."""
    lines = run("branches.py").splitlines()
    reused = [line.split()[0].strip("[") for line in lines if line.endswith("tokens reused]")]
    assert reused[0] == "0"
    tree = lines[lines.index("") + 2 :]
    spans = [re.search(r"^(\W*)\[ *(\d+), *(\d+)\) (.)", line) for line in tree]
    nodes = [(len(s[1]), int(s[2]), int(s[3]), s[4]) for s in spans if s]
    assert len(nodes) == len(tree)
    # One trunk, the system prompt, with a checkpoint at the very place where the second one left.
    assert nodes[0] == (2, 0, int(reused[1]), "*")
    forks = [node for node in nodes if node[1] == int(reused[1])]
    assert len(forks) == 2
    assert {depth for depth, *_ in forks} == {5}
    held = sum(end - start for _, start, end, _ in nodes)
    checkpoints = sum(mark == "*" for *_, mark in nodes)
    assert f"The tree: {held} tokens, {checkpoints} checkpoints" in lines


@pytest.mark.slow
def test_restart() -> None:
    """The second start has everything from disk; without the folder there is nothing."""
    first, closed, second, without = run("restart.py").splitlines()
    pattern = r"(\d+) of (\d+) tokens reused, from (\w+); first token after ([\d.]+) s"
    found = [re.search(pattern, line) for line in (first, second, without)]
    reused = [(int(f[1]), int(f[2]), f[3]) for f in found if f]
    total = reused[0][1]
    assert total > 900
    assert reused == [(0, total, "nowhere"), (total, total, "disk"), (0, total, "nowhere")]
    files = re.search(r"(\d+) files, ([\d,]+) bytes", closed)
    assert files is not None
    assert int(files[1]) >= 1
    assert int(files[2].replace(",", "")) > 100_000


@pytest.mark.slow
@pytest.mark.slow
def test_exact_mode() -> None:
    """Each resumed run has the cold run's bits, and no audit finds anything wrong."""
    questions, _, audits = run("exact_mode.py").partition("\nAudits:\n")
    rows = questions.splitlines()
    assert len(rows) == 3
    assert all(row.endswith("; bit for bit the cold run") for row in rows)
    reused = [int(row.split("reused")[0].split()[-1]) for row in rows]
    assert reused[0] == 0
    assert reused[1] == reused[2] > 900
    verdicts = audits.splitlines()
    assert len(verdicts) >= 6
    assert all(": verified, " in line for line in verdicts)
    # What every question resumed from.
    assert f"  checkpoint at {reused[1]:>4}: verified, bit for bit" in verdicts
    assert len([line for line in verdicts if line.endswith("bit for bit")]) >= 6


@pytest.mark.slow
def test_what_if() -> None:
    """Replayed as it was, the trace gives what was recorded; other settings give less, or more."""
    lines = run("what_if.py").splitlines()
    matches = [re.search(r"^(.+?) +(\d+) of (\d+) tokens reused", line) for line in lines]
    reused = {found[1]: int(found[2]) for found in matches if found}
    assert len({found[3] for found in matches if found}) == 1
    assert list(reused) == [
        "recorded",
        "as recorded",
        "least recently used",
        "four times the memory",
    ]
    recorded, again, lru, more = reused.values()
    assert recorded == again
    assert lru < recorded < more
