"""An engine elsewhere as the window hears of it."""

from __future__ import annotations

from engine.events import ModelInfo, RequestFinished
from engine.net.client.address import Address
from engine.net.client.catalog import Catalog, Served
from engine.net.client.connection import Connection
from engine.net.client.loop import model_of
from engine.net.client.usage import Told, plan_of
from engine.reuse import ReusePlan, ReuseReport

CONNECTION = Connection(Address.parse("http://127.0.0.1:8000"), "org/tiny")
SERVED = Served("org/tiny", 4096)
REMOTE: ModelInfo = model_of(CONNECTION, Catalog("vllm", (SERVED,)), SERVED)


def remote_plan(total: int, cached: int | None) -> ReusePlan:
    return plan_of(Told(total, 3, cached), "vLLM")


def finished(request: int, plan: ReusePlan) -> RequestFinished:
    report = ReuseReport(plan, 3, 0.1, 0.5, 20.0, 0.0, 0.0, 0.0)
    return RequestFinished(
        request=request, stop="end", report=report, text="Yes.", thinking="", token_ids=()
    )
