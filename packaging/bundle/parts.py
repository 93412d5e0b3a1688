"""What goes into the bundle and what stays out, by measurement of what the running program loads.

tests/packaging/test_bundle.py imports the whole program with what is left out made impossible.
"""

from __future__ import annotations

# Debian's Python, and what its modules are linked with.
PYTHON_DEBS = (
    "python3.11-minimal",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libbz2-1.0",
    "libexpat1",
    "libffi8",
    "liblzma5",
    "libsqlite3-0",
    "libssl3",
    "libuuid1",
    "zlib1g",
)
# What Qt needs on X11 beyond what every desktop has.
QT_DEBS = (
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxcb-util1",
    "libxkbcommon-x11-0",
    "libxkbcommon0",
)
# Texts of licences that many share.
TEXTS_DEB = "base-files"
DEBS = (*PYTHON_DEBS, *QT_DEBS, TEXTS_DEB)

# Distributions that others require and this program never imports, or only on CUDA.
LEFT_OUT = frozenset(
    {
        "einops",
        "flash-linear-attention",
        "fla-core",
        "mpmath",
        "networkx",
        "setuptools",
        "sympy",
        "transformers",
        "triton",
    }
)
# Modules that no process of the bundle may import: their files are not there.
ABSENT_MODULES = (
    "fla",
    "mpmath",
    "networkx",
    "setuptools",
    "sympy",
    "torch._dynamo",
    "torch._inductor",
    "torch.onnx",
    "torch.test",
    "transformers",
    "triton",
)

# Patterns below the folder of packages (fnmatch: * takes slashes, too).
DROPPED = (
    "bin/*",
    "*.pyi",
    "*/py.typed",
    "*/__pycache__/*",
    "*/tests/*",
    "numpy/_core/*_tests.*.so",
    "torch/test/*",
    "torch/testing/_internal/py312_intrinsics.py",
    "torch/include/*",
    "torch/share/*",
    "torch/_dynamo/*",
    "torch/_inductor/*",
    "torch/onnx/*",
    "torch/bin/protoc*",
    "torch/bin/test_*",
    "torch/bin/*_test",
    "torch/bin/*Test",
    "functorch/*",
    "numpy/_core/include/*",
    "numpy/_core/lib/*.a",
    "numpy/random/lib/*.a",
    "numpy/f2py/*",
    "pyqtgraph/examples/*",
    "PySide6/*.json",
    "PySide6/doc/*",
    "PySide6/glue/*",
    "PySide6/include/*",
    "PySide6/resources/*",
    "PySide6/scripts/*",
    "PySide6/typesystems/*",
    "PySide6/translations/*",
    "PySide6/Qt/libexec/*",
    "PySide6/Qt/metatypes/*",
    "PySide6/Qt/qml/*",
    "shiboken6/include/*",
)
# Libraries with symbols that only a debugger reads. Not all: of libraries whose wheels renamed
# something inside, strip makes files that the loader refuses.
STRIPPED = ("torch/lib/*.so*", "torch/_C*.so", "hf_xet/*.so", "tokenizers/*.so")
# Programs of Qt's developers, which lie beside the modules.
QT_TOOLS = (
    *("assistant", "balsam", "balsamui", "designer", "linguist", "lrelease", "lupdate"),
    *("qmlformat", "qmllint", "qmlls", "qsb", "svgtoqml"),
)
# The two for OpenGL are pyqtgraph's.
QT_MODULES = ("QtCore", "QtGui", "QtOpenGL", "QtOpenGLWidgets", "QtSvg", "QtWidgets")
QT_TRANSLATIONS = ("qtbase_en.qm", "qtbase_zh_CN.qm")
# Plugins by folder; () takes all of a folder. What is not named is left out.
QT_PLUGINS: dict[str, tuple[str, ...]] = {
    "iconengines": (),
    "imageformats": ("qgif", "qico", "qjpeg", "qsvg", "qwebp"),
    "platforminputcontexts": ("composeplatform", "ibusplatform"),
    "platforms": ("qminimal", "qoffscreen", "qwayland", "qxcb"),
    "platformthemes": (),
    "tls": (),
    "wayland-decoration-client": (),
    "wayland-graphics-integration-client": (),
    "wayland-shell-integration": ("xdg-shell",),
    "xcbglintegrations": (),
}
# Of Python: what needs libraries that are not packed and that the program never asks for.
DROPPED_PYTHON = (
    "EXTERNALLY-MANAGED",
    "config-*",
    "curses",
    "ensurepip",
    "idlelib",
    "lib-dynload/_curses*",
    "lib-dynload/_dbm*",
    "lib-dynload/_tkinter*",
    "lib-dynload/_crypt*",
    "lib-dynload/nis*",
    "lib-dynload/ossaudiodev*",
    "lib-dynload/readline*",
    "lib-dynload/*test*",
    "lib-dynload/xxlimited*",
    "lib2to3",
    "pydoc_data",
    "test",
    "sitecustomize.py",
    "tkinter",
    "turtledemo",
    "venv",
)

# Which Debian package has a library that the bundle takes from the system; names of both releases
# where they changed. A library that is not named here ends the build.
SYSTEM_LIBRARIES = {
    "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
    "libc.so.6": "libc6",
    "libdl.so.2": "libc6",
    "libm.so.6": "libc6",
    "libpthread.so.0": "libc6",
    "librt.so.1": "libc6",
    "libutil.so.1": "libc6",
    "libresolv.so.2": "libc6",
    "libgcc_s.so.1": "libgcc-s1",
    "libstdc++.so.6": "libstdc++6",
    "libz.so.1": "zlib1g",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libbrotlidec.so.1": "libbrotli1",
    "libbrotlicommon.so.1": "libbrotli1",
    "libzstd.so.1": "libzstd1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb-present.so.0": "libxcb-present0",
    "libxcb-dri3.so.0": "libxcb-dri3-0",
}
# GTK's look, which Qt takes where GTK is there and does without elsewhere, and what only a computer
# with NVIDIA's driver loads.
OPTIONAL = (
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
    "kernels/native/triton_driver-*.so",
)
