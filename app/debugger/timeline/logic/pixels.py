"""Aggregates a series by pixel: counts, maximum levels, shares of time. Without Qt."""

from __future__ import annotations

import numpy as np

from app.debugger.timeline.logic.columns import PARTS, Requests, RunningSums
from app.debugger.timeline.logic.events import Events
from app.debugger.timeline.logic.growing import Floats, Ints
from app.debugger.timeline.logic.levels import Levels


def counts(events: Events, row: int, edges: Floats) -> Ints:
    """`[pixels]` events of one row."""
    return np.diff(np.searchsorted(events.times_of[row], edges))


def highest(levels: Levels, edges: Floats, end: float) -> Ints:
    """`[pixels, 4]` maximum of each level of the stack; 0 before the first and after `end`."""
    rows = np.searchsorted(levels.time, edges, side="right") - 1
    if not len(levels) or rows[-1] < 0:
        return np.zeros((len(edges) - 1, 4), np.int64)
    first, last = np.maximum(rows[:-1], 0), np.maximum(rows[1:], 0)
    # The end of the last span may be the row after the last.
    spans = np.column_stack((first, last + 1)).ravel()
    made = np.maximum.reduceat(levels.padded, spans, axis=0)[::2]
    made[(rows[1:] < 0) | (edges[:-1] > end)] = 0
    return np.asarray(made)


def shares(requests: Requests, edges: Floats) -> Floats:
    """`[pixels, 5]` share of each pixel's time spent on each part."""
    first = max(int(np.searchsorted(requests.ended, edges[0])) - requests.lanes, 0)
    made = np.zeros((len(edges) - 1, len(PARTS)))
    for lane in range(requests.lanes):
        mine = requests.lane[first:] == lane
        made += _shares(requests.edges[first:][mine], edges)
    return made / requests.lanes


def _shares(bounds: Floats, edges: Floats) -> Floats:
    """The same of requests that follow each other."""
    length = np.maximum(np.diff(edges), 1e-12)
    made = np.zeros((len(length), len(PARTS)))
    bounds = bounds[: int(np.searchsorted(bounds[:, 0], edges[-1])) + 1]
    if not len(bounds):
        return made
    times = bounds.ravel()
    for part in range(len(PARTS)):
        lasted = bounds[:, part + 1] - bounds[:, part]
        ends = np.cumsum(lasted)
        sums = np.repeat((ends - lasted)[:, None], 6, axis=1)
        sums[:, part + 1 :] = ends[:, None]
        made[:, part] = np.diff(np.interp(edges, times, sums.ravel())) / length
    return made


def mean_tokens(requests: Requests, edges: Floats) -> tuple[Ints, Floats]:
    """`[pixels]` requests that ended there, and `[pixels, 4]` their mean tokens."""
    cuts = np.searchsorted(requests.ended, edges)
    many = np.diff(cuts)
    sums = np.vstack((np.zeros((1, 4)), np.cumsum(requests.tokens[cuts[0] : cuts[-1]], axis=0)))
    totals = np.diff(sums[cuts - cuts[0]], axis=0)
    return many, totals / np.maximum(many, 1)[:, None]


def rates(speed: RunningSums, edges: Floats) -> Floats:
    """`[pixels, 2]` tokens per second of prefill and of decode while they ran; NaN where not."""
    tokens = np.diff(speed.at(edges), axis=1)
    length = np.diff(edges)
    ran = tokens[2:] > np.minimum(1e-3 * length, 1e-6)
    made = np.full((len(length), 2), np.nan)
    np.divide(tokens[0], tokens[2], out=made[:, 0], where=ran[0])
    np.divide(tokens[1], tokens[3], out=made[:, 1], where=ran[1])
    return made


def per_pass(drafts: RunningSums, edges: Floats) -> Floats:
    """`[pixels, 2]` tokens kept and tokens rejected of the draft of a pass, on average."""
    passes, *tokens = np.diff(drafts.at(edges), axis=1)
    ran = passes > 1e-9
    made = [np.divide(sums, passes, out=np.zeros(len(passes)), where=ran) for sums in tokens]
    return np.column_stack(made)
