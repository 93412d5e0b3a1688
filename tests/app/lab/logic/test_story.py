"""The story's numbers, tasks and places, without a window."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.core.options.shared import demo_model_dir
from app.lab.logic.arithmetic import checkpoint_bytes
from app.lab.logic.example import TEXT, example
from app.lab.logic.story import (
    NUMBERS,
    STEPS,
    Scene,
    Step,
    biggest_change,
    filled,
    goal_times,
    has_both,
    kv_token_bytes,
    number_of,
    numbers_of,
    parting,
    times_saved,
)
from app.lab.logic.story_place import StoryPlace
from tests.app.fake_loop import MODEL
from tests.present import present

CONFIG = json.loads((demo_model_dir() / "config.json").read_text("utf-8"))
BY_ID = {step.id: step for step in STEPS}


def scene() -> Scene:
    """What the tabs show of the example."""
    made = example()
    return Scene(
        shape=made.shape,
        tokens=16,
        layer=0,
        memory=made.memory,
        state=present(made.memory.state).heads[0],
        at=0,
        recall=made.recall,
        query=0,
        recall_layer=3,
        runs=made.runs,
        run=0,
        branch=made.branch,
        caching="both",
        tree=made.tree,
        node=None,
    )


class TestNumbers:
    def test_every_field_of_every_text_is_a_number_and_every_number_is_used(self) -> None:
        used = {
            name
            for step in STEPS
            for template in (step.words, step.task, step.told)
            for name in numbers_of(template)
        }
        assert used == NUMBERS.keys()

    def test_costs_are_those_of_the_config(self) -> None:
        kv_heads, dim = CONFIG["num_key_value_heads"], CONFIG["head_dim"]
        full = CONFIG["layer_types"].count("full_attention")
        token = 2 * kv_heads * dim * 2
        assert filled(BY_ID["cost"].words, scene()) == {
            "token_bytes": f"{token} B",
            "kv_heads": f"{kv_heads} heads",
            "head_dim": str(dim),
            "itemsize": "2 bytes",
            "full_layers": str(full),
            "model_token_bytes": f"{token * full / 1024:.2f} KiB",
        }

    def test_the_state_is_that_of_the_config(self) -> None:
        heads = CONFIG["linear_num_value_heads"]
        rows, columns = CONFIG["linear_value_head_dim"], CONFIG["linear_key_head_dim"]
        numbers = heads * rows * columns
        assert filled(BY_ID["state"].words, scene()) == {
            "state_shape": f"[{heads}, {rows}, {columns}]",
            "state_bytes": f"{4 * numbers / 1024:.1f} KiB",
            "half_state": f"{2 * numbers / 1024:.1f} KB",
            "state_itemsize": "4",
        }

    def test_a_state_is_said_as_the_source_says_it_beside_ours(self) -> None:
        """For Qwen3.5-0.8B: 512.0 KB at two bytes there, 1 MiB at four here."""
        found = filled(BY_ID["state"].words, replace(scene(), shape=MODEL.cache_shape))
        assert found["state_shape"] == "[16, 128, 128]"
        assert (found["half_state"], found["state_bytes"]) == ("512.0 KB", "1.00 MiB")

    def test_sums_over_the_requests_are_those_of_their_plans(self) -> None:
        cached = cold = bare = 0
        for ran in example().runs:
            plan = ran.report.plan
            cached += plan.total - plan.reused + ran.steps
            cold += plan.total + ran.steps
            bare += sum(plan.total + step for step in range(ran.steps + 1))
        found = filled(BY_ID["turn"].words, scene())
        sums = [found["sum_cached"], found["sum_cold"], found["sum_bare"]]
        assert sums == [f"{cached:,}", f"{cold:,}", f"{bare:,}"]

    def test_without_a_reading_yet_numbers_of_one_are_left_open(self) -> None:
        waiting = replace(scene(), memory=None, state=None, recall=None)
        for step in STEPS:
            filled(step.words, waiting)
            assert not step.done(waiting) or step.tab not in ("two memories", "recall")
        assert filled(BY_ID["cut"].words, waiting)["changed"] == "…"


def answers(step: Step, at_start: Scene) -> Scene:
    """The scene that answers a step's task."""
    shape = at_start.shape
    state = present(example().memory.state).heads[0]
    recall = example().recall
    linear = {one.layer: one.shares[0] for one in recall.layers if one.kind == "linear"}
    runs = at_start.runs
    tall = max(range(len(runs)), key=lambda at: runs[at].report.plan.total + runs[at].steps)
    fields: dict[str, dict[str, object]] = {
        "why": {"at": len(state.norms) // 4 + 5},
        "cost": {"tokens": 1024},
        "grows": {"tokens": shape.window},
        "state": {"layer": 3, "tokens": 200},
        "cut": {"at": 1 + max(range(len(state.changes) - 1), key=lambda t: state.changes[t + 1])},
        "overwrite": {"at": len(state.norms) - 1},
        "recall": {"recall_layer": max(linear, key=linear.__getitem__)},
        "checkpoint": {"tokens": checkpoint_bytes(shape) // kv_token_bytes(shape) + 1},
        "turn": {"caching": "without", "run": tall},
        "branch": {"run": 3},
        "hybrid": {"tokens": shape.window},
        "planes": {"node": parting(at_start).id},
    }
    return replace(at_start, **fields[step.id])  # type: ignore[arg-type]


class TestTasks:
    @pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
    def test_one_is_open_at_first_and_done_by_its_answer(self, step: Step) -> None:
        at_start = scene()
        assert not step.done(at_start)
        assert step.done(answers(step, at_start))

    def test_a_linear_layer_never_outgrows_itself(self) -> None:
        assert not BY_ID["state"].done(replace(scene(), layer=0, tokens=8192))

    def test_the_first_token_makes_the_state_and_does_not_count_as_a_change(self) -> None:
        made = present(example().memory.state).heads[0]
        assert made.changes[0] == max(made.changes)
        assert biggest_change(scene()) != 0
        assert biggest_change(replace(scene(), state=None)) is None

    def test_the_multiple_to_reach_is_reached_within_the_window(self) -> None:
        for shape in (example().shape, MODEL.cache_shape):
            assert goal_times(shape) == 3
            assert times_saved(shape, shape.window) >= 3

    def test_the_tree_parts_where_the_request_that_branched_left_it(self) -> None:
        node = parting(scene())
        plan = example().runs[example().branch].report.plan
        assert node.end == plan.reused + plan.replayed
        assert node.checkpoint is not None
        assert len([one for one in example().tree.nodes if one.parent == node.id]) == 2


class TestExample:
    def test_it_is_of_the_bundled_model_and_its_text(self) -> None:
        made = example()
        kinds = ["full" if "full" in kind else "linear" for kind in CONFIG["layer_types"]]
        assert list(made.shape.kinds) == kinds
        assert made.shape.window == CONFIG["max_position_embeddings"]
        assert "".join(made.memory.texts) == "".join(made.recall.texts) == TEXT
        first, end = present(made.recall.needle)
        assert "".join(made.recall.texts[first:end]) == " Ada"
        assert has_both(made.shape)
        assert not has_both(replace(made.shape, kinds=("full",) * 4))

    def test_the_request_that_branched_went_back(self) -> None:
        runs, branch = example().runs, example().branch
        totals = [ran.report.plan.total for ran in runs]
        assert [at for at in range(1, len(runs)) if totals[at] < totals[at - 1]] == [branch]


class TestPlaces:
    def test_a_place_survives_a_file(self) -> None:
        place = StoryPlace("cut", frozenset({"why", "cost"}), open=False)
        assert StoryPlace.of(json.loads(json.dumps(place.as_data()))) == place
        assert number_of(place) == 4

    @pytest.mark.parametrize("raw", [None, 3, {}, {"step": 7, "done": 3}, {"done": [1, None]}])
    def test_what_is_no_place_is_the_beginning(self, raw: object) -> None:
        assert StoryPlace.of(raw) == StoryPlace()
        assert number_of(StoryPlace.of(raw)) == 0

    def test_a_step_of_another_version_is_the_beginning(self) -> None:
        assert number_of(StoryPlace("gone")) == 0
