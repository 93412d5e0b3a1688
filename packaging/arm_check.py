"""Run tests of the kernels in C on an emulated Arm processor.

    pip install ziglang unicorn
    python packaging/arm_check.py tests/kernels/native/test_rows.py

The kernels are compiled for Arm with `zig cc` and run by the emulator `unicorn`, which reads and
writes the memory of this process at its own addresses: what a test hands over by `data_ptr()` is
there. What it checks are results. It says nothing about speed, and nothing about threads: the
emulated processor has one.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import unicorn
from unicorn import arm64_const as arm

import kernels.native.compile as compiling
import kernels.native.library as loading

# Where this process has nothing: far above its own program, and below 4 GiB, as the linker wants.
BASE, STACK, STOP = 0xA000_0000, 0xE000_0000, 0xF000_0000
STACK_BYTES, CHUNK, PAGE = 8 << 20, 64 << 20, 4096
TRIPLE = "aarch64-linux-musl"
# What a program without a system needs: memory, one core, and dot products.
ALONE = """
#include <stddef.h>
#include <stdint.h>
static char memory[512 << 20] __attribute__((aligned(64)));
static size_t used;
void *malloc(size_t n) {
    size_t *at = (size_t *)(memory + used);
    used += (n + 127) & ~(size_t)63;
    if (used > sizeof memory) __builtin_trap();
    *at = n;
    return (char *)at + 64;
}
void free(void *p) {
    // What was taken last; the rest is kept, for there is enough.
    char *at = (char *)p - 64;
    if (p && at + ((*(size_t *)at + 127) & ~(size_t)63) == memory + used) used = at - memory;
}
long sysconf(int name) { return 1; }
unsigned long getauxval(unsigned long type) { return type == 16 ? 1ul << 20 : 0; }
int main(void) { return 0; }
"""


class Arm:
    """The kernels compiled for Arm, each called as if it were a function of ctypes."""

    def __init__(self) -> None:
        image = _compiled().read_bytes()
        self.emulator = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
        self.emulator.ctl_set_cpu_model(arm.UC_CPU_ARM64_MAX)
        self.symbols = _symbols(image)
        self.made: dict[str, Callable[..., int]] = {}
        self._load(image)
        for place, size in ((STACK, STACK_BYTES), (STOP, PAGE)):
            self.emulator.mem_map(place, size)
        # Vector instructions are refused until they are allowed.
        self.emulator.reg_write(arm.UC_ARM64_REG_CPACR_EL1, 3 << 20)
        self.emulator.reg_write(arm.UC_ARM64_REG_TPIDR_EL0, STACK + PAGE)
        kind = unicorn.UC_HOOK_MEM_READ_UNMAPPED | unicorn.UC_HOOK_MEM_WRITE_UNMAPPED
        self.emulator.hook_add(kind, self._share)

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name == "biplane_limit_threads":
            return lambda threads: 0
        if name not in self.made:
            self.made[name] = functools.partial(self._call, self.symbols[name])
        return self.made[name]

    def biplane_compiler(self) -> bytes:
        place = self._call(self.symbols["biplane_compiler"])
        return bytes(self.emulator.mem_read(place & 0xFFFF_FFFF, 64)).split(b"\0")[0]

    def _call(self, address: int, *arguments: Any) -> int:
        emulator, first = self.emulator, arm.UC_ARM64_REG_X0
        for number, argument in enumerate(arguments):
            emulator.reg_write(first + number, _number(argument))
        emulator.reg_write(arm.UC_ARM64_REG_SP, STACK + STACK_BYTES - PAGE)
        emulator.reg_write(arm.UC_ARM64_REG_LR, STOP)
        emulator.emu_start(address, STOP)
        result: int = emulator.reg_read(first)
        return ctypes.c_int32(result & 0xFFFF_FFFF).value

    def _load(self, image: bytes) -> None:
        (at,) = struct.unpack_from("<Q", image, 32)
        size, count = struct.unpack_from("<HH", image, 54)
        for number in range(count):
            kind, _, offset, place, _, held, needed = struct.unpack_from(
                "<IIQQQQQ", image, at + number * size
            )
            if kind != 1:
                continue
            start, end = place // PAGE * PAGE, -(-(place + needed) // PAGE) * PAGE
            self.emulator.mem_map(start, end - start)
            self.emulator.mem_write(place, image[offset : offset + held])

    def _share(self, emulator: Any, access: int, address: int, *rest: Any) -> bool:
        """Show the emulated processor a piece of this process, holes and all."""
        start = address // CHUNK * CHUNK
        if not start or BASE <= start < STOP + CHUNK:
            return False
        emulator.mem_map_ptr(start, CHUNK, unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE, start)
        return True


def _number(argument: Any) -> int:
    """An argument as the processor sees it."""
    if argument is None:
        return 0
    if isinstance(argument, int):
        return argument & 0xFFFF_FFFF_FFFF_FFFF
    if isinstance(argument, bytes):
        return ctypes.cast(argument, ctypes.c_void_p).value or 0
    if isinstance(argument, ctypes.Structure | ctypes.Array):
        return ctypes.addressof(argument)
    return ctypes.cast(argument, ctypes.c_void_p).value or 0


def _compiled() -> Path:
    """A program of all kernels without a beginning."""
    # Kept, as it holds a C library that took a minute to compile.
    folder = Path(__file__).parents[1] / "build/arm"
    folder.mkdir(parents=True, exist_ok=True)
    target = compiling.Target("aarch64", "linux", TRIPLE)
    compiler = compiling.find_compiler(target)
    assert compiler is not None, "ziglang is missing: pip install ziglang"
    (folder / "alone.c").write_text(ALONE)
    program = folder / "kernels.elf"
    options = ("-static", f"-Wl,--image-base={BASE:#x}", "-o", str(program))
    objects = compiling.objects(compiler, target, folder)
    compiler.run((*options, str(folder / "alone.c"), *map(str, objects)), folder)
    return program


def _symbols(image: bytes) -> dict[str, int]:
    """The functions and data of a program, by name."""
    (at,) = struct.unpack_from("<Q", image, 40)
    size, count = struct.unpack_from("<HH", image, 58)
    sections = [struct.unpack_from("<IIQQQQII", image, at + n * size) for n in range(count)]
    (table,) = (section for section in sections if section[1] == 2)
    names = sections[table[6]][4]
    found = {}
    for offset in range(table[4], table[4] + table[5], 24):
        name, _, _, _, value = struct.unpack_from("<IBBHQ", image, offset)
        text = image[names + name : image.index(b"\0", names + name)]
        found[text.decode()] = value
    return found


def main(tests: list[str]) -> int:
    emulated = Arm()
    compiling.levels = loading.levels = lambda: compiling.ARM_LEVELS  # type: ignore[assignment]
    assert emulated.biplane_use_level(b"neon") == 1
    found = loading.Library(emulated, "neon")  # type: ignore[arg-type]
    loading.library = lambda: found  # type: ignore[assignment]
    print(f"{found.version}: {', '.join(tests)}")
    return int(pytest.main(["-q", "-x", "--timeout=3000", *tests]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
