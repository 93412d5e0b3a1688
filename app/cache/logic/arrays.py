"""The types of numpy columns. Without Qt."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
# Places on an axis.
Xs = NDArray[np.float64]
