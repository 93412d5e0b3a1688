"""The rows of the track of conversations, however many there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.debugger.timeline.logic.columns import Series
from app.debugger.timeline.logic.tracks import EARLIER, MOST_CHATS, chats_of, tracks_of
from tests.app.debugger.timeline.conftest import golden_series


def of_sessions(*sessions: int) -> Series:
    series = golden_series("small")
    assert len(sessions) == len(series.requests)
    return replace(series, requests=replace(series.requests, session=np.array(sessions)))


def test_each_has_a_row_in_the_order_of_its_first_request() -> None:
    assert chats_of(of_sessions(*(7, 3, 7, 9), *[3] * 10)) == (7, 3, 9)


def test_of_too_many_the_earlier_ones_share_a_row() -> None:
    series = golden_series("small")
    many = MOST_CHATS + 4
    requests = series.requests
    session = np.arange(many)
    rows = chats_of(replace(series, requests=replace(requests, session=session)))
    assert rows == (*range(many - MOST_CHATS + 1, many), EARLIER)


def test_a_single_conversation_has_no_track() -> None:
    keys = [track.key for track in tracks_of(of_sessions(*[0] * 14), ())]
    assert keys[:2] == ["requests", "reuse"]
    folded = next(
        one for one in tracks_of(golden_series("small"), ("chats",)) if one.key == "chats"
    )
    assert (folded.rows, folded.folded) == ((), True)
