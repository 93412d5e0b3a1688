"""Writes assets/cuda.json: every wheel of the CUDA part, with its address and checksum.

    python packaging/cuda_lock.py [--pins constraints.txt] [--have FILE] [--out FILE]

pip resolves the versions against PyPI, downloading as little as the index lets it. `--have` names
the packages that the program brings itself, one pin a line: those are left out, but for the ones
that have to be another build here.
The file belongs into a release only together with a check on a computer that has a card:
`biplane cuda install`, then `biplane cuda check`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec
from bundle.machines import LINUX

from app.core.checks.machine import LEAST_DRIVER
from app.core.cuda.wheels import FORMAT, Wheel, WheelList, list_file, read

INDEX = "https://pypi.org/simple"
# The program's own torch computes on the processor alone; the others it does not bring.
WANTED = ("torch", "triton", "flash-linear-attention", "fla-core")
_PIN = re.compile(r"([A-Za-z0-9_.-]+)==([^;\s]+)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pins", type=Path, default=Path("constraints.txt"))
    parser.add_argument("--have", type=Path)
    parser.add_argument("--out", type=Path, default=list_file())
    given = parser.parse_args()
    pins = _pins(given.pins)
    wanted = [f"{name}=={pins[name]}" for name in WANTED if name in pins]
    report = resolve(wanted)
    own = set() if given.have is None else _pins(given.have).keys() - set(WANTED)
    wheels = [wheel(one) for one in report if _name(one["metadata"]["name"]) not in own]
    wheels.sort(key=lambda one: one.name)
    machine = platform.machine()
    made = WheelList(FORMAT, "cp311", machine, LEAST_DRIVER, tuple(wheels))
    raw = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
    assert read(raw) == made, "the program would not read it"
    given.out.write_bytes(raw)
    print(f"{given.out}: {len(wheels)} wheels, {made.nbytes / 1e9:.2f} GB")
    return 0


def resolve(wanted: list[str]) -> list[dict[str, dict[str, str]]]:
    """What pip would install, as its report lists it; exits with its message if it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *(sys.executable, "-m", "pip", "--isolated", "install", "--dry-run", "--quiet"),
            *("--ignore-installed", "--use-feature=fast-deps", "--only-binary", ":all:"),
            *("--index-url", INDEX, "--python-version", "3.11", "--implementation", "cp"),
            *(part for one in LINUX["amd64"].platforms for part in ("--platform", one)),
            *("--abi", "cp311", "--target", folder, "--report", str(report), *wanted),
        ]
        done = subprocess.run(command, env=os.environ | {"PIP_CONFIG_FILE": os.devnull})
        if done.returncode:
            sys.exit("pip could not resolve them; nothing was written.")
        found: list[dict[str, dict[str, str]]] = json.loads(report.read_bytes())["install"]
        return found


def wheel(installed: dict[str, dict[str, str]]) -> Wheel:
    """One entry of pip's report, with the size that the server states."""
    info = json.loads(json.dumps(installed["download_info"]))
    url, metadata = info["url"], installed["metadata"]
    request = urllib.request.Request(url, method="HEAD")
    with urllib.request.urlopen(request, timeout=60) as answer:
        size = int(answer.headers["Content-Length"])
    return Wheel(
        _name(metadata["name"]),
        metadata["version"],
        unquote(urlsplit(url).path.rsplit("/", 1)[-1]),
        url,
        info["archive_info"]["hashes"]["sha256"],
        size,
    )


def _pins(path: Path) -> dict[str, str]:
    return {_name(name): version for name, version in _PIN.findall(path.read_text())}


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


if __name__ == "__main__":
    sys.exit(main())
