#!/bin/sh
# Run what needs an NVIDIA GPU and keep what it said: gpu_check.sh FOLDER
# Sets nothing up: run it in the repository, in an environment with biplane[test] installed.
set -u
if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER" >&2
    exit 2
fi
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.." || exit 2

python -m pytest -m gpu tests >"$out/tests.txt" 2>&1
tests=$?
echo "tests: exit code $tests, see $out/tests.txt"
failed=$tests

# bench NAME ARGUMENTS
bench() {
    name=$1
    shift
    python -m app.cli.main bench "$name" "$@" --json >"$out/$name.json" 2>"$out/$name.txt"
    code=$?
    echo "bench $name: exit code $code, see $out/$name.json and $out/$name.txt"
    [ "$code" -eq 0 ] || failed=1
}
bench gpu
bench drafts --device cuda
bench parallel --device cuda
[ "$failed" -eq 0 ]
