"""Tries what was built in clean systems: installs, starts, answers, opens, updates, leaves.

A clean system is a folder that debootstrap filled. The program runs in it as a user of its own, on
an X server outside of it, with a window manager, real keys, and a reader of what is on the screen.
Each step prints a line; a failure names the step and what was seen.
"""

from __future__ import annotations

import configparser
import contextlib
import os
import shlex
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bundle.commands import BundleError, run
from bundle.debian import HOME
from bundle.machines import ROOT, Machine
from bundle.tree import MANIFEST

SUITES = {
    "bookworm": "http://deb.debian.org/debian",
    "trixie": "http://deb.debian.org/debian",
    "noble": "https://archive.ubuntu.com/ubuntu",
    "resolute": "https://archive.ubuntu.com/ubuntu",
}
NEEDED = ("debootstrap", "Xvfb", "openbox", "xdotool", "import", "tesseract")
# What a desktop has, whatever is installed on it, and the judges of a package.
DESKTOP = (
    *("desktop-file-utils", "hicolor-icon-theme", "libglib2.0-bin", "shared-mime-info"),
    *("xdg-utils", "fonts-dejavu-core"),
)
JUDGES = ("appstream", "lintian")
USER = "person"
DATABASE = f"home/{USER}/.local/share/biplane/conversations.sqlite"
SIZE = "1366x768"
PATIENCE_S = 120.0
# Each file is what the build wrote down: the package and the folder hold the same.
_WHOLE = f"cut -c14- {MANIFEST} | sha256sum --check --quiet"
ANSWERS = "SELECT content FROM messages WHERE role = 'assistant' AND complete ORDER BY created"


@dataclass
class Display:
    """An X server without a monitor, a window manager, and a user's hands and eyes."""

    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    @contextlib.contextmanager
    def opened(cls) -> Iterator[Display]:
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE}x24"]
        server = subprocess.Popen([*command, "-nolisten", "tcp"], pass_fds=[write], stderr=-3)
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        environment = os.environ | {"DISPLAY": f":{number}"}
        manager = subprocess.Popen(["openbox"], env=environment, stdout=-3, stderr=-3)
        try:
            yield cls(environment)
        finally:
            for process in (manager, server):
                process.terminate()
                process.wait(60)

    def act(self, *words: object) -> str:
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(
            command, env=self.environment, check=True, timeout=60, capture_output=True, text=True
        )
        return done.stdout

    def windows(self, name: str) -> list[str]:
        command = ["xdotool", "search", "--onlyvisible", "--name", name]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return done.stdout.split()

    def text(self, keep: Path | None = None) -> str:
        """What a reader sees on the screen."""
        picture = keep or ROOT / "build" / "seen.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["import", "-window", "root", "-resize", "200%", str(picture)],
            env=self.environment,
            check=True,
        )
        done = subprocess.run(
            ["tesseract", str(picture), "-", "--psm", "11"], capture_output=True, text=True
        )
        return " ".join(done.stdout.split())


@dataclass(frozen=True)
class Clean:
    """A clean system in a folder."""

    folder: Path

    @classmethod
    def made(cls, suite: str, packages: Sequence[str]) -> Clean:
        """A fresh one of a release, from a copy that is kept beside it."""
        kept = ROOT / "build" / "roots" / f"{suite}.tar"
        folder = kept.with_suffix("")
        shutil.rmtree(folder, ignore_errors=True)
        if not kept.is_file():
            kept.parent.mkdir(parents=True, exist_ok=True)
            ubuntu = "ubuntu" in SUITES[suite]
            options = ["--variant=minbase", "--include=ca-certificates"]
            if ubuntu:
                # Debian has none of its keys: what is trusted here is the connection.
                options += ["--components=main,universe", "--no-check-gpg"]
            run("debootstrap", *options, suite, folder, SUITES[suite], _script(ubuntu, suite))
            clean = cls(folder)
            # From here on signatures are checked by the system itself, which has its own keys.
            sources = folder / "etc/apt/sources.list"
            sources.write_text(sources.read_text().replace("https:", "http:"))
            # Nothing that a power cut could spoil is kept.
            (folder / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
            clean.run(
                f"apt-get update && apt-get install -y --no-install-recommends "
                f"{' '.join(packages)} && useradd -m {USER}"
            )
            run("tar", "-C", folder, "-cf", kept, ".")
            return clean
        folder.mkdir()
        run("tar", "-C", folder, "-xf", kept)
        return cls(folder)

    def command(self, script: str, user: str = "root", **variables: str) -> list[str]:
        """How to run a shell script inside; what is mounted for it goes with it."""
        said = {"LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
        home = "/root" if user == "root" else f"/home/{user}"
        said |= {"HOME": home, "DEBIAN_FRONTEND": "noninteractive", **variables}
        inside = ["env", "-i", *(f"{name}={value}" for name, value in said.items())]
        mounts = (
            'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; '
            'mkdir -p "$root/tmp/.X11-unix"; '
            'mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix" 2>/dev/null; '
            'cp /etc/resolv.conf "$root/etc/resolv.conf"; exec chroot "$@"'
        )
        outside = ["unshare", "--mount", "sh", "-c", mounts, "sh", str(self.folder)]
        chroot = [f"--userspec={user}:{user}", str(self.folder), *inside]
        return [*outside, *chroot, "sh", "-c", f"cd {home} && {script}"]

    def run(self, script: str, user: str = "root", **variables: str) -> str:
        """Run it and return what it printed. Raises BundleError if it fails."""
        try:
            return run(*self.command(script, user, **variables))
        except BundleError as error:
            raise BundleError(f"`{script}`: {error}") from None

    def files(self) -> set[str]:
        """Every file of the system, but for what the system itself writes all the time."""
        return {
            path
            for path in run("find", self.folder, "-xdev", "-printf", "%P\\n").splitlines()
            if not path.startswith(("var/lib/apt", "var/cache", "var/log", "var/lib/dpkg", "tmp"))
        }

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Rows of the person's conversations."""
        file = self.folder / DATABASE
        if not file.is_file():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as raw:
            return raw.execute(query).fetchall()


def missing() -> str:
    """What has to be installed, or done as root, before anything can be tried; "" if nothing."""
    absent = [name for name in NEEDED if shutil.which(name) is None]
    if absent:
        return f"not installed: {', '.join(absent)}"
    return "" if os.geteuid() == 0 else "a clean system can only be made and entered by root"


def check(out: Path, suites: Sequence[str], machine: Machine) -> int:
    """Try the newest files in `out`. 0 if every step held."""
    deb, tarball = _newest(out, f"*_{machine.key}.deb"), _newest(out, "*.tar.zst")
    for number, suite in enumerate(suites):
        with Display.opened() as display:
            try:
                clean = Clean.made(suite, (*DESKTOP, *(JUDGES if number == 0 else ())))
                before = clean.files()
                trial = Trial(clean, display, suite)
                trial.install(deb)
                if number == 0:
                    trial.judge(deb)
                trial.self_test("biplane")
                trial.use()
                trial.leave(before)
                trial.carry(tarball)
            except BundleError as error:
                print(f"{suite}: {error}")
                display.text(ROOT / "build" / f"failed-{suite}.png")
                return 1
    return 0


@dataclass(frozen=True)
class Trial:
    """One clean system that the program goes through."""

    clean: Clean
    display: Display
    suite: str

    def say(self, text: str, since: float) -> None:
        print(f"{self.suite:9} {time.monotonic() - since:6.1f} s  {text}", flush=True)

    def install(self, deb: Path) -> None:
        """Install an earlier version: the one to check replaces it under a running window."""
        start = time.monotonic()
        target = self.clean.folder / "root"
        shutil.copy(deb, target / "new.deb")
        earlier = (
            "dpkg-deb -R new.deb old && sed -i 's/^Version: .*/Version: 0.0.1/' old/DEBIAN/control"
        )
        self.clean.run(
            f"{earlier} && dpkg-deb -Znone --root-owner-group -b old old.deb && rm -r old"
        )
        self.clean.run("apt-get install -y --no-install-recommends ./old.deb")
        # What the system reads lies elsewhere there.
        self.clean.run(f"cd /{HOME} && {_WHOLE} --ignore-missing")
        self.say("installed with all that it depends on", start)

    def judge(self, deb: Path) -> None:
        start = time.monotonic()
        self.clean.run("desktop-file-validate /usr/share/applications/biplane.desktop")
        asked = "appstreamcli validate --no-net /usr/share/metainfo/*.metainfo.xml"
        # Newer versions warn of a missing home page, which whoever publishes Biplane adds.
        self.clean.run(f"{asked} || {asked} --override=url-homepage-missing=info")
        self.say("desktop entry and AppStream data are valid", start)
        start = time.monotonic()
        found = self.clean.run("lintian --allow-root --fail-on error new.deb")
        counts = [found.count(f"{letter}: biplane") for letter in "EW"]
        self.say(f"lintian: {counts[0]} errors, {counts[1]} warnings", start)

    def self_test(self, program: str) -> None:
        start = time.monotonic()
        self.clean.run(f"{program} check --all", USER, QT_QPA_PLATFORM="offscreen")
        self.say("checked itself: logits, cache, kernels, server, window", start)

    def use(self) -> None:
        """Start by the menu entry, chat, open files by double click, update, quit."""
        start = time.monotonic()
        with self._running(_exec(self.clean.folder / "usr/share/applications/biplane.desktop")):
            self.say("window there", start)
            self._chat("My name is Ada and my lucky number is 27.", "Ada")
            self._open_by_double_click(ROOT / "assets" / "demo.trace.jsonl.gz", "Timeline")
            # Back from the cache's whole window to the conversation.
            self.display.act("key", "F11")
            self._see("lucky number")
            start = time.monotonic()
            self.clean.run("dpkg -i new.deb")
            self._chat("What is my name?", "Ada")
            self.say("updated under the running window, which went on answering", start)
            self._quit()
        with self._running(_exec(self.clean.folder / "usr/share/applications/biplane.desktop")):
            self._see("lucky number")
            self._open_by_double_click(_gguf(), "Wellington")
            self.display.act("key", "ctrl+n")
            self._chat("My name is Ada and my lucky number is 27.", "Ada")
            self._quit()

    def leave(self, before: set[str]) -> None:
        """Remove and purge; only what the person wrote may be left of it."""
        start = time.monotonic()
        self.clean.run("apt-get remove -y biplane && dpkg --purge biplane")
        left = {path for path in self.clean.files() - before if "biplane" in path.lower()}
        own = {path for path in left if path.startswith(f"home/{USER}/")}
        if left - own:
            raise BundleError(f"Left behind after the purge: {', '.join(sorted(left - own)[:10])}")
        folders = sorted({"/".join(path.split("/")[2:5]) for path in own})
        self.say(f"removed; the person's own is left: {', '.join(folders)}", start)

    def carry(self, tarball: Path) -> None:
        """Unpack as another user, move it, and start it from a medium that cannot be written."""
        start = time.monotonic()
        stick = self.clean.folder / "media" / "Stick für Bücher"
        stick.mkdir(parents=True)
        run("tar", "-C", stick, "-xf", tarball)
        (folder,) = stick.iterdir()
        moved = folder.rename(stick / "Meine Programme")
        inside = f"/media/{shlex.quote(stick.name)}/{shlex.quote(moved.name)}"
        self.clean.run("useradd -m other")
        read_only = f"mount --bind {inside} {inside} && mount -o remount,ro,bind {inside}"
        self.clean.run(f"cd {inside} && {_WHOLE}")
        script = f"{read_only} && su other -c {shlex.quote(f'{inside}/bin/biplane check --all')}"
        self.clean.run(script, QT_QPA_PLATFORM="offscreen")
        self.say("the unpacked folder, moved and read-only, checked itself as another user", start)
        start = time.monotonic()
        with self._running(f"{inside}/Biplane"):
            self.say("window there", start)
            self._quit()

    @contextlib.contextmanager
    def _running(self, command: str) -> Iterator[None]:
        log = (ROOT / "build" / "program.log").open("w")
        environment = {"DISPLAY": self.display.environment["DISPLAY"]}
        words = self.clean.command(f"exec {command}", USER, **environment)
        process = subprocess.Popen(words, stdout=log, stderr=log)
        try:
            self._until(lambda: bool(self.display.windows("Biplane")), "its window")
            yield
            if process.wait(PATIENCE_S):
                raise BundleError(f"The program ended with {process.returncode}.")
        finally:
            if process.poll() is None:
                process.kill()
            log.close()

    def _chat(self, text: str, word: str) -> None:
        """Write a message; an answer with `word` in it must come into the file and on screen."""
        start, answers = time.monotonic(), len(self.clean.rows(ANSWERS))
        self.display.act("type", "--delay", "8", "--", text)
        self.display.act("key", "Return")
        self._until(lambda: len(self.clean.rows(ANSWERS)) > answers, "an answer in the file")
        answer = str(self.clean.rows(ANSWERS)[-1][0])
        if word not in answer:
            raise BundleError(f"{text!r} was answered {answer!r}.")
        self._see(" ".join(answer.split()[:3]))
        self.say(f"{text!r} was answered {answer!r}", start)

    def _see(self, text: str) -> None:
        self._until(lambda: text in self.display.text(), f"{text!r} on the screen")

    def _open_by_double_click(self, file: Path, seen: str) -> None:
        """Open a file as a file manager does, with the window running already."""
        start = time.monotonic()
        shutil.copy(file, self.clean.folder / "home" / USER)
        display = self.display.environment["DISPLAY"]
        environment = {"DISPLAY": display, "XDG_CURRENT_DESKTOP": "GNOME"}
        self.clean.run(f"xdg-open {shlex.quote(file.name)}", USER, **environment)
        self._see(seen)
        self.say(f"{file.name} opened by double click", start)

    def _quit(self) -> None:
        self.display.act("key", "ctrl+q")

    def _until(self, done: Callable[[], bool], what: str) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not done():
            if time.monotonic() > ends:
                log = (ROOT / "build" / "program.log").read_text()[-1500:]
                raise BundleError(f"{what} never came; the program said: {log}")
            time.sleep(0.1)


def _exec(entry: Path) -> str:
    """The command of a desktop entry, without places for files."""
    parser = configparser.ConfigParser(interpolation=None, delimiters="=")
    parser.read(entry, encoding="utf-8")
    words = shlex.split(parser["Desktop Entry"]["Exec"])
    return shlex.join(word for word in words if not word.startswith("%"))


def _gguf() -> Path:
    """The bundled model as a GGUF file."""
    from gguf import GGMLQuantizationType as Kind

    from tests.gguf_files import quantised, write_folder

    file = ROOT / "build" / "Wellington.gguf"
    write_folder(ROOT / "assets" / "demo_model", file, quantised(Kind.Q8_0))
    return file


def _newest(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern), key=lambda file: file.stat().st_mtime)
    if not found:
        raise BundleError(f"{folder} has no {pattern}: build it first.")
    return found[-1]


def _script(ubuntu: bool, suite: str) -> Path:
    """debootstrap's recipe; for a release that it does not know yet, the one of its kind."""
    known = Path("/usr/share/debootstrap/scripts")
    return known / suite if (known / suite).exists() else known / ("gutsy" if ubuntu else "sid")
