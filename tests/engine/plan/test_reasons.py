"""Why a prompt's states stand where they do."""

from __future__ import annotations

from engine.plan.cuts import plan_cuts, reasons
from engine.stored_state import Why


def test_every_planned_state_has_a_reason() -> None:
    kinds: dict[int, Why] = {70: "system end", 1024: "before thinking", 2500: "user start"}
    plan = plan_cuts(3000, tuple(kinds), 1024)
    told = reasons(plan, kinds, 1024)
    assert set(told) == {*plan.checkpoints, *plan.scan_splits}
    assert {at: told[at] for at in kinds} == kinds, "an anchor on the grid is an anchor"
    assert told.pop(3000) == "end of prompt"
    assert {at for at, why in told.items() if why == "interval"} == {2048}


def test_the_last_grid_point_serves_the_prompt_itself() -> None:
    plan = plan_cuts(200, (), 1024)
    assert reasons(plan, {}, 1024) == {192: "end of prompt", 200: "end of prompt"}


def test_an_anchor_of_unknown_kind_has_none() -> None:
    plan = plan_cuts(200, (80,), 1024)
    assert reasons(plan, {80: ""}, 1024)[80] == ""


def test_without_states_there_is_nothing_to_say() -> None:
    assert reasons(plan_cuts(300, (20,), 0), {20: "user start"}, 0) == {}
