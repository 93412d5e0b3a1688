"""The background thread never dies of what it is given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.private_files import OwnFolder
from engine.storage.disk_writer import DiskWriter
from engine.storage.segment_file import Segment
from tests.engine.storage.small_segments import NAMESPACE, segment


def test_a_segment_that_cannot_be_written_does_not_stop_the_ones_behind_it(tmp_path: Path) -> None:
    done: list[tuple[Segment, int | None, str]] = []
    writer = DiskWriter(OwnFolder(tmp_path), NAMESPACE, lambda *what: done.append(what))
    bad, good = segment(20), segment(30)
    state = replace(bad.meta.state, cut_hash=np.int64(3))  # type: ignore[arg-type]
    bad = replace(bad, meta=replace(bad.meta, state=state))
    writer.put(bad)
    writer.put(good)
    writer.flush()
    writer.close()
    assert [(part.meta.end, written is None) for part, written, _ in done] == [
        (20, True),
        (30, False),
    ]
    assert writer.pending == 0
    assert [item.name for item in tmp_path.iterdir()] == [good.meta.file_name]
