"""Deliberate faults in what is measured and in what is said about it."""

from __future__ import annotations

from tests.mutation.fault import Fault

QUICK = "tests/engine/bench/test_quick.py"
KEPT = "tests/engine/test_machine_speed.py"

BENCH_FAULTS = (
    Fault(
        "bench/quick.py",
        "elif disk > room.disk:",
        "elif disk > 10 * room.disk:",
        "a model is generated for which the disk has no room",
        QUICK,
    ),
    Fault(
        "bench/quick.py",
        "expected_s(work, pace) > room.seconds:",
        "expected_s(work, pace) > 10 * room.seconds:",
        "a slow machine measures for longer than there is time",
        QUICK,
    ),
    Fault(
        "machine_speed.py",
        "Meta(gt=0, le=sys.float_info.max)",
        "Meta(gt=0)",
        "a speed that is infinite is taken from a foreign file",
        KEPT,
    ),
    Fault(
        "bench/decode.py",
        "took / medians[1]",
        "took / medians[2]",
        "a pass of a few rows is compared with two rows",
        "tests/engine/bench/test_speed.py",
    ),
    Fault(
        "../app/words/model_words.py",
        "    if max(eight, four) < WORTH:",
        "    if min(eight, four) < WORTH:",
        "the stored weights are kept although 4 bits answer far faster",
        "tests/app/words/test_machine_words.py",
    ),
    Fault(
        "../app/commands/speed_tables.py",
        "beside = [one for one in rivals if one.weights == weights or one.weights not in ours]",
        "beside = rivals",
        "weights in 8 bits are compared with a rival's in 16",
        "tests/app/commands/test_beside.py",
    ),
    Fault(
        "../app/shell/statusbar.py",
        "return more(said(model.kernels))",
        'return ""',
        "the status line does not say which kernels run",
        "tests/app/shell/test_status_text.py",
    ),
)
