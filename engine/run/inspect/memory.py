"""How the two kinds of memory take up tokens: entries are appended, the state is overwritten."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.planes import KVPlane
from engine.readings import PICTURE_CELLS, EntrySeries, Series, StateHead, StateSeries
from engine.run.inspect.rule import cosines, rule_rows, states_after
from engine.run.inspect.watch import LinearInputs

# The last tokens of a sequence, one by one.
WINDOW_TOKENS = 128
LAGS = (1, 4, 16)


def entry_series(kv: KVPlane, at: int, layer: int, start: int, end: int) -> EntrySeries:
    """Norms of the entries of full layer `at` at positions [start, end), slots of the same."""
    keys, values = (_series(plane[at][:, start:end].float().norm(dim=-1)) for plane in (kv.k, kv.v))
    return EntrySeries(layer, keys, values)


@dataclass(slots=True)
class StateRecorder:
    """Follows the state of one linear layer through the passes of a window."""

    _earlier: deque[Tensor] = field(default_factory=lambda: deque(maxlen=max(LAGS)))
    _rows: dict[str, list[Tensor]] = field(default_factory=dict)
    _likeness: list[list[Tensor | None]] = field(default_factory=list)
    _readback: list[Tensor] = field(default_factory=list)
    _keys: list[Tensor] = field(default_factory=list)
    _values: list[Tensor] = field(default_factory=list)

    def take(self, given: LinearInputs) -> Iterator[int]:
        """The tokens of one pass; yields after each."""
        rows = rule_rows(given)
        self._keys.append(rows.keys)
        self._values.append(rows.values)
        keys, values = torch.cat(self._keys), torch.cat(self._values)
        done = len(keys) - len(rows)
        before = given.state
        for token, state in enumerate(states_after(given, rows)):
            seen = done + token + 1
            norm, difference = _norm(state), state - before
            larger = torch.maximum(norm, _norm(before)).clamp_min(1e-30)
            self._note("norms", norm)
            self._note("changes", _norm(difference) / larger)
            self._note("decays", rows.decay[token])
            self._note("rates", rows.beta[token])
            self._note("pictures", _picture(state))
            self._note("written", _picture(difference))
            self._likeness.append([self._like(state, lag) for lag in LAGS])
            read = torch.einsum("thk,hkv->thv", keys[:seen], state)
            self._readback.append(cosines(read, values[:seen]))
            before = state.clone()
            self._earlier.append(before)
            yield seen

    def series(self, layer: int) -> StateSeries:
        """All of it, by head."""
        rows = {name: torch.stack(parts, -1) for name, parts in self._rows.items()}
        pictures, written = (rows[name].movedim(-1, 1) for name in ("pictures", "written"))
        largest = torch.maximum(pictures.amax((1, 2, 3)), written.amax((1, 2, 3)))
        heads = tuple(
            StateHead(
                norms=_line(rows["norms"][head]),
                changes=_line(rows["changes"][head]),
                decays=_line(rows["decays"][head]),
                rates=_line(rows["rates"][head]),
                likeness=tuple(
                    _gapped(column, head) for column in zip(*self._likeness, strict=True)
                ),
                readback=tuple(_line(row[:, head]) for row in self._readback),
                pictures=_bytes(pictures[head], largest[head]),
                written=_bytes(written[head], largest[head]),
                largest=float(largest[head]),
            )
            for head in range(len(largest))
        )
        return StateSeries(layer, LAGS, pictures.shape[2], pictures.shape[3], heads)

    def _note(self, name: str, row: Tensor) -> None:
        self._rows.setdefault(name, []).append(row.clone())

    def _like(self, state: Tensor, lag: int) -> Tensor | None:
        if len(self._earlier) < lag:
            return None
        return cosines(state.flatten(1), self._earlier[-lag].flatten(1))


def _norm(state: Tensor) -> Tensor:
    """By head."""
    norms: Tensor = torch.linalg.vector_norm(state, dim=(1, 2))
    return norms


def _picture(state: Tensor) -> Tensor:
    """[heads, rows, columns]: the mean magnitude of the numbers in each cell."""
    _, keys, values = state.shape
    return F.adaptive_avg_pool2d(
        state.abs(), (min(keys, PICTURE_CELLS), min(values, PICTURE_CELLS))
    )


def _bytes(pictures: Tensor, largest: Tensor) -> tuple[bytes, ...]:
    scaled = (pictures * (255 / largest.clamp_min(1e-30))).round().to(torch.uint8)
    return tuple(bytes(picture.flatten().tolist()) for picture in scaled)


def _line(row: Tensor) -> Series:
    return tuple(row.tolist())


def _gapped(column: Sequence[Tensor | None], head: int) -> tuple[float | None, ...]:
    return tuple(None if row is None else float(row[head]) for row in column)


def _series(rows: Tensor) -> tuple[Series, ...]:
    """[heads, tokens] as tuples."""
    return tuple(tuple(row) for row in rows.tolist())
