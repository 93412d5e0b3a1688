"""The families of workloads by name."""

from __future__ import annotations

from collections.abc import Callable

from engine.sim.agent import agent
from engine.sim.alternating import alternating
from engine.sim.chat import chat
from engine.sim.edits import edits
from engine.sim.script import Workload
from engine.sim.shared import shared

WORKLOADS: dict[str, Callable[[int, int], Workload]] = {
    "chat": chat,
    "agent": agent,
    "shared": shared,
    "edits": edits,
    "alternating": alternating,
}
