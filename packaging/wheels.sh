#!/usr/bin/env bash
# Build wheels with compiled kernels for other machines than this one.
#
#   packaging/wheels.sh FOLDER [PLATFORM ...]
#
# PLATFORM is the last part of a wheel's name; without one, the two kinds of Linux. The compiler is
# the one in the `ziglang` wheel, which pip fetches for the build and which compiles for any system:
# a wheel for manylinux_2_17 runs wherever there is glibc 2.17 or newer, as one that was compiled by
# this machine's own compiler may not. packaging/native_hook.py lists the platforms.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: $0 FOLDER [PLATFORM ...]" >&2; exit 2; }
cd "$(dirname "$0")/.."
folder=$1
shift
[ $# -gt 0 ] || set -- manylinux_2_17_x86_64 manylinux_2_17_aarch64
for platform in "$@"; do
  BIPLANE_WHEEL=$platform "${PYTHON:-.venv/bin/python}" -m pip wheel --no-deps --wheel-dir "$folder" .
done
