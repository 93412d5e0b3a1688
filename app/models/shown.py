"""What the Models window knows of the model that it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.models.shelf import Entry
from engine.hub.failures import HubError
from engine.machine_speed import MachineSpeed

if TYPE_CHECKING:
    from engine.hub.download import Progress
    from engine.model.needs import ModelNeeds


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that is known of one model.

    Attributes:
        needs: None while it is being found out.
        progress: of its download in this window; None if there is none.
        problem: what went wrong with it, where it is not the download.
        host_bytes: that the cache may keep in main memory.
    """

    entry: Entry
    needs: ModelNeeds | None
    progress: Progress | None
    problem: HubError | None
    speed: MachineSpeed | None
    measuring: bool
    is_open: bool
    host_bytes: int
    can_keep: bool
