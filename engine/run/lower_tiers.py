"""The memory and the files below the device, as the configuration asks for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.cache.cache import TwoPlaneCache
from engine.cache.lower import Disk, Mover
from engine.config import EngineConfig
from engine.model.hybrid import HybridModel
from engine.planes import KVPlane, StatePlane

Told = Callable[[str], None]


class LowerTiers:
    """Host and disk; either may be None.

    Attributes:
        host: the host tier's tree.
        mover: what copies between its planes and the device's.
        disk: the disk tier.
    """

    def __init__(
        self,
        folder: Path,
        model: HybridModel,
        config: EngineConfig,
        kv: KVPlane,
        states: StatePlane,
        told: Told,
    ) -> None:
        self.host: TwoPlaneCache | None = None
        self.mover: Mover | None = None
        self.disk: Disk | None = None

    def close(self) -> None:
        """Finish what is being written."""
