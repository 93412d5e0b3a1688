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
python -m app.cli.main bench gpu --json >"$out/bench.json" 2>"$out/bench.txt"
bench=$?

echo "tests: exit code $tests, see $out/tests.txt"
echo "bench: exit code $bench, see $out/bench.json and $out/bench.txt"
[ "$tests" -eq 0 ] && [ "$bench" -eq 0 ]
