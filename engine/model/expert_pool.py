"""The resident routed experts: all of them, or the most recently used within a budget.

The others stay in the model's files and are read when a token is routed to them. Residency never
changes a result: an expert is always read from the same bytes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from kernels.matmul import Matrix, fields_of, project_few
from kernels.native.layers import FusedMlp, fused_mlp
from kernels.swiglu import swiglu_wide

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Expert:
    """The matrices of one expert: gate rows above up rows, and down.

    Attributes:
        fused: runs the expert for few rows in one call; None if the C kernels do not support it.
    """

    gate_up: Matrix
    down: Matrix
    fused: FusedMlp | None = None

    @classmethod
    def of(cls, gate_up: Matrix, down: Matrix) -> Expert:
        """The expert with the fastest way to run it."""
        return cls(gate_up, down, fused_mlp(None, fields_of(gate_up), fields_of(down)))

    def add_row(self, x: Tensor, out: Tensor, share: Tensor) -> None:
        """out [hidden] float32 += share [1] float32 times the expert of row x [hidden]."""
        self.add_rows(x.unsqueeze(0), out.unsqueeze(0), share)

    def add_rows(self, x: Tensor, out: Tensor, share: Tensor) -> None:
        """The same of 1 to 16 rows x [rows, hidden], each with the bits that it has alone."""
        if self.fused:
            self.fused(x.float(), out, share, alone=True)
            return
        rows = project_few(self.down, swiglu_wide(project_few(self.gate_up, x)))
        out.add_(rows.float().mul_(share.unsqueeze(1)))

    @property
    def nbytes(self) -> int:
        return sum(t.nbytes for t in (*self.gate_up.tensors(), *self.down.tensors()))


class ExpertPool:
    """Experts by (layer, number), least recently used first.

    Attributes:
        budget: bytes; 0 keeps everything. One expert is always kept, whatever its size.
        used: bytes of the resident experts.
        total: experts the model has.
        hits, misses: how often a requested expert was resident or not.
    """

    def __init__(self, budget: int, total: int) -> None:
        self.budget, self.total = budget, total
        self.used = self.hits = self.misses = 0
        self._experts: OrderedDict[Key, Expert] = OrderedDict()

    @property
    def resident(self) -> int:
        """Experts in memory."""
        return len(self._experts)

    def take(self, layer: int, number: int, read: Callable[[], Expert]) -> Expert:
        """The expert, loaded by `read` if it is not resident, possibly evicting others."""
        key = (layer, number)
        expert = self._experts.get(key)
        if expert is not None:
            self.hits += 1
            self._experts.move_to_end(key)
            return expert
        self.misses += 1
        expert = read()
        self.keep(key, expert)
        return expert

    def keep(self, key: Key, expert: Expert) -> None:
        """Add an expert as the most recently used, and evict others beyond the budget."""
        self._experts[key] = expert
        self.used += expert.nbytes
        while self.budget and self.used > self.budget and len(self._experts) > 1:
            _, gone = self._experts.popitem(last=False)
            self.used -= gone.nbytes
