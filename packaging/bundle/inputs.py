"""What the bundle is made of: wheels and Debian's packages, each fetched by its SHA-256.

`wheels-*.txt` are requirements for pip; a line of `debs-*.txt` is a hash and an address in Debian's
archive of all that it ever published. Both are written by `renew`.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cmp_to_key
from pathlib import Path

from bundle.commands import BundleError, run
from bundle.machines import PYTHON, ROOT, Machine
from bundle.parts import DEBS, LEFT_OUT

SUITE = "bookworm"
# Where Debian keeps the present state, and every state that there was.
MIRROR = "https://deb.debian.org"
ARCHIVE = "https://snapshot.debian.org/archive"
# Builds of torch without CUDA, which PyPI does not have for every machine.
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
_WAIT_S = 60


def fetch_debs(machine: Machine, cache: Path) -> list[Path]:
    """The Debian packages that the list names, from `cache` where they are there already."""
    cache.mkdir(parents=True, exist_ok=True)
    return [
        fetched(address, digest, cache / address.rsplit("/", 1)[1])
        for digest, address in _listed(machine.debs_file)
    ]


def fetch_wheels(machine: Machine, cache: Path) -> Path:
    """A folder with the wheels that the list names, checked by pip."""
    folder = cache / f"wheels-{machine.key}"
    folder.mkdir(parents=True, exist_ok=True)
    _pip(
        *("download", "--no-deps", "--require-hashes", "--find-links", folder, "--dest", folder),
        *("--requirement", machine.wheels_file),
        *_for(machine),
    )
    return folder


def install_wheels(machine: Machine, folder: Path, extra: Path, target: Path) -> None:
    """Unpack the listed wheels of `folder`, and our own wheel `extra`, into `target`."""
    options = ("install", "--no-index", "--no-deps", "--no-compile", "--target", target)
    listed = ("--require-hashes", "--find-links", folder, "--requirement", machine.wheels_file)
    for wanted in (listed, (extra,)):
        _pip(*options, *_for(machine), *wanted)


def own_wheel(machine: Machine) -> Path:
    """Biplane's own wheel, its kernels compiled for that machine."""
    folder = ROOT / "build" / f"wheel-{machine.key}"
    shutil.rmtree(folder, ignore_errors=True)
    run(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"),
        *("--wheel-dir", folder, ROOT),
        BIPLANE_WHEEL=machine.wheel,
    )
    return next(folder.glob("biplane-*.whl"))


def renew(machine: Machine) -> None:
    """Rewrite the lists: the newest Debian packages, and the wheels that constraints.txt names."""
    if machine.strip:
        _write(machine.debs_file, _newest_debs(machine))
    _write(machine.wheels_file, _resolved_wheels(machine))


def _listed(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            digest, address = line.split()
            yield digest, address


def fetched(address: str, digest: str, file: Path) -> Path:
    """`file`, downloaded unless it is there with that SHA-256. Raises BundleError."""
    if file.is_file() and _digest(file.read_bytes()) == digest:
        return file
    present = re.sub(rf"^{ARCHIVE}/(debian(?:-security)?)/\d+T\d+Z/", rf"{MIRROR}/\1/", address)
    for one in (present, address):
        try:
            content = _read(one)
        except (OSError, urllib.error.URLError) as error:
            problem = str(error)
            continue
        if _digest(content) == digest:
            file.write_bytes(content)
            return file
        problem = "its SHA-256 is another"
    raise BundleError(f"{address} cannot be taken: {problem}.")


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=_WAIT_S) as answer:
        content: bytes = answer.read()
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _for(machine: Machine) -> list[str]:
    """pip's options for wheels of this machine, wherever the build runs."""
    options = ["--only-binary", ":all:", "--implementation", "cp", "--python-version", PYTHON]
    for abi in (f"cp{PYTHON.replace('.', '')}", "abi3", "none"):
        options += ["--abi", abi]
    for platform in machine.platforms:
        options += ["--platform", platform]
    return options


def _pip(*arguments: object) -> str:
    command = (sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments)
    try:
        return run(*command)
    except BundleError as error:
        if "No matching distribution found for torch" not in str(error):
            raise
    return run(*command, "--extra-index-url", TORCH_INDEX)


def _resolved_wheels(machine: Machine) -> Iterator[str]:
    """The versions by uv, which knows other systems' conditions; the files and hashes by pip."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    kept = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line[:1] != "#"]
    overruled = {_name(one): one for one in machine.overrules}
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    wanted, constraints, names = (
        folder / f"{one}.txt" for one in ("wanted", "constraints", "names")
    )
    # Not what is left out for its own sake, nor what only that brings.
    wanted.write_text("\n".join(one for one in declared if _name(one) not in LEFT_OUT))
    constraints.write_text("\n".join(overruled.get(_name(line), line) for line in kept))
    left_out = [word for name in sorted(LEFT_OUT) for word in ("--no-emit-package", name)]
    uv = (sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate")
    run(
        *(*uv, "--python-version", PYTHON, "--python-platform", machine.uv, *left_out),
        *("--constraints", constraints, "--output-file", names, wanted),
        # The oldest macOS that there is a build of torch for; other systems do not look.
        MACOSX_DEPLOYMENT_TARGET="14.0",
    )
    report = _pip(
        *("install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-", "--no-deps"),
        *("--target", folder / "nowhere", "--requirement", names),
        *_for(machine),
    )
    found = json.loads(report)["install"]
    for one in sorted(found, key=lambda one: _name(one["metadata"]["name"])):
        name, version = one["metadata"]["name"], one["metadata"]["version"]
        digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
        yield f"{name}=={version} --hash=sha256:{digest}"


def _name(requirement: str) -> str:
    """A distribution's name as indexes compare it."""
    name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def _newest_debs(machine: Machine) -> Iterator[str]:
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in DEBS}
    for archive, suite in (("debian", SUITE), ("debian-security", f"{SUITE}-security")):
        index = f"{archive}/dists/{suite}/main/binary-{machine.key}/Packages.xz"
        for block in lzma.decompress(_read(f"{MIRROR}/{index}")).decode().split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+): (.*)$", block, re.MULTILINE))
            if fields.get("Package") in found:
                line = f"{fields['SHA256']} {ARCHIVE}/{archive}/{now}/{fields['Filename']}"
                found[fields["Package"]].append((fields["Version"], line))
    for name, versions in found.items():
        if not versions:
            raise BundleError(f"Debian's {SUITE} has no package {name}.")
        yield max(versions, key=cmp_to_key(_compare))[1]


def _compare(one: tuple[str, str], other: tuple[str, str]) -> int:
    older = subprocess.run(["dpkg", "--compare-versions", one[0], "lt", other[0]]).returncode == 0
    return -1 if older else 1


def _write(file: Path, lines: Iterator[str]) -> None:
    text = "\n".join(("# Written by `python -m bundle renew`.", *lines, ""))
    file.write_text(text)
