"""The story of the lab: what each step says, what its figure shows, and what it asks. Without Qt.

Source: "KV cache & hybrid attention", a chapter on Qwen3.5-0.8B; every number is of the model on
screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import Formatter
from typing import Literal

from app.core.session.ledger import Ran
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.lab.logic.arithmetic import (
    checkpoint_bytes,
    designs,
    half_state_bytes,
    layer_memory,
    layer_token_bytes,
)
from app.lab.logic.memory_words import percent
from app.lab.logic.phase_sentences import Caching, positions, total
from app.lab.logic.recall_words import even_share, needle_text, strongest
from app.lab.logic.scale import slider_step, token_axis
from app.lab.logic.sentences import in_kilobytes
from app.lab.logic.story_place import StoryPlace
from app.lab.logic.token_words import quoted
from engine.cache_shape import CacheShape, LayerKind
from engine.readings import LayerRecall, MemoryReading, RecallReading, StateHead
from engine.snapshot import CacheSnapshot, NodeView

TabId = Literal["memory", "two memories", "prefill and decode", "recall", "tree"]
# What one layer is to hold in the step on costs, in tokens.
_COST_TOKENS = 1024
_STEPS_FORWARD = 5
_SHORT_TOKENS = 128
_UNKNOWN = "…"


@dataclass(frozen=True, slots=True)
class Scene:
    """What the lab shows.

    Attributes:
        tokens, layer: selected in the tab "Memory".
        memory, state, at: the reading on screen, the head of the state, and the token.
        recall, query, recall_layer: the reading on screen, and what is selected.
        runs, run, branch: the requests on screen, the selected one, and the one that branched.
        tree, node: the cache on screen, and the selected node.
    """

    shape: CacheShape
    tokens: int
    layer: int
    memory: MemoryReading | None
    state: StateHead | None
    at: int
    recall: RecallReading | None
    query: int
    recall_layer: int
    runs: tuple[Ran, ...]
    run: int | None
    branch: int
    caching: Caching
    tree: CacheSnapshot
    node: int | None

    @property
    def count(self) -> int:
        """Tokens of the text."""
        return 0 if self.memory is None else len(self.memory.texts)

    @property
    def ran(self) -> Ran:
        return self.runs[self.run or 0]

    @property
    def linear_layer(self) -> int:
        return self.shape.kinds.index("linear")

    @property
    def full_layer(self) -> int:
        return self.shape.kinds.index("full")

    def sizes(self) -> tuple[int, int, int]:
        """Bytes of each design at the selected length."""
        every, grouped, hybrid = (design.bytes for design in designs(self.shape, self.tokens))
        return every, grouped, hybrid

    def of(self, kind: LayerKind) -> LayerRecall | None:
        """The layer of a kind that reads the needle most; None without a reading."""
        if self.recall is None or not self.recall.layers:
            return None
        return self.recall.layers[strongest(self.recall, kind, self.query)]

    def place(self, tokens: int) -> int:
        """The step of the slider nearest to a length."""
        return slider_step(token_axis(self.shape.window), tokens)


def kv_token_bytes(shape: CacheShape) -> int:
    """Bytes that one token adds to all full-attention layers."""
    return shape.full_layers * layer_token_bytes(shape)


def biggest_change(scene: Scene) -> int | None:
    """The token that changed the state most, except the first, which makes it."""
    changes = () if scene.state is None else scene.state.changes
    return max(range(1, len(changes)), key=changes.__getitem__, default=None)


def times_saved(shape: CacheShape, tokens: int) -> float:
    """How many times as much grouped full attention on every layer would hold."""
    _, grouped, hybrid = designs(shape, tokens)
    return grouped.bytes / hybrid.bytes


def goal_times(shape: CacheShape) -> int:
    """A whole multiple that is reached before the end of the window."""
    return max(1, int(0.9 * times_saved(shape, shape.window)))


def dearest(runs: tuple[Ran, ...]) -> int:
    """The request with the most positions if it ran cold."""
    return max(range(len(runs)), key=lambda at: positions(runs[at]).cold)


def parting(scene: Scene) -> NodeView:
    """The node at whose end the request that branched left what was known."""
    plan = scene.runs[scene.branch].report.plan
    known = plan.reused + plan.replayed
    inner = {node.parent for node in scene.tree.nodes}
    return next(node for node in scene.tree.nodes if node.end == known and node.id in inner)


def _kv_pools(scene: Scene) -> int:
    return sum(node.end - node.start for node in scene.tree.nodes)


def _points(scene: Scene) -> int:
    return sum(node.checkpoint is not None for node in scene.tree.nodes)


def _goal_tokens(scene: Scene) -> int:
    return min(_COST_TOKENS, scene.shape.window)


def _layer_bytes(scene: Scene, layer: int, tokens: int) -> int:
    return layer_memory(scene.shape, layer, tokens).bytes


def _state(scene: Scene) -> str:
    shape = scene.shape
    return f"[{shape.state_heads}, {shape.value_dim}, {shape.key_dim}]"


def _state_bytes(shape: CacheShape) -> int:
    return shape.state_heads * shape.value_dim * shape.key_dim * shape.state_itemsize


def _of_layer(scene: Scene, kind: LayerKind, name: Callable[[LayerRecall], str]) -> str:
    found = scene.of(kind)
    return _UNKNOWN if found is None else name(found)


def _share(scene: Scene, kind: LayerKind) -> str:
    return _of_layer(scene, kind, lambda layer: percent(layer.shares[scene.query]))


Say = Callable[[Scene], str]
# Every number of the story: the part of the figure that shows it, and its text.
NUMBERS: dict[str, tuple[str, Say]] = {
    "seen": ("entries", lambda s: fmt.count(s.at + 1)),
    "entry_layer": ("entries", lambda s: fmt.count(s.full_layer)),
    "token_bytes": ("layer", lambda s: fmt.byte_size(layer_token_bytes(s.shape))),
    "entry_bytes": ("entry", lambda s: fmt.byte_size(layer_token_bytes(s.shape))),
    "kv_heads": ("layer", lambda s: fmt.plural(s.shape.kv_heads, "head")),
    "head_dim": ("layer", lambda s: fmt.count(s.shape.head_dim)),
    "itemsize": ("layer", lambda s: fmt.plural(s.shape.itemsize, "byte")),
    "full_layers": ("layers", lambda s: fmt.count(s.shape.full_layers)),
    "linear_layers": ("layers", lambda s: fmt.count(s.shape.linear_layers)),
    "layers": ("layers", lambda s: fmt.count(len(s.shape.kinds))),
    "model_token_bytes": ("hybrid", lambda s: fmt.byte_size(kv_token_bytes(s.shape))),
    "cost_goal": (
        "layer",
        lambda s: fmt.byte_size(_layer_bytes(s, s.full_layer, _goal_tokens(s))),
    ),
    "tokens": ("context", lambda s: fmt.plural(s.tokens, "token")),
    "window": ("context", lambda s: fmt.plural(s.shape.window, "token")),
    "grouped": ("grouped", lambda s: fmt.byte_size(s.sizes()[1])),
    "hybrid": ("hybrid", lambda s: fmt.byte_size(s.sizes()[2])),
    "times": ("grouped", lambda s: f"{times_saved(s.shape, s.tokens):.2f}"),
    "times_goal": ("grouped", lambda s: fmt.count(goal_times(s.shape))),
    "state_shape": ("layer", _state),
    "state_bytes": ("layer", lambda s: fmt.byte_size(_state_bytes(s.shape))),
    "half_state": ("layer", lambda s: in_kilobytes(half_state_bytes(s.shape))),
    "state_itemsize": ("layer", lambda s: fmt.count(s.shape.state_itemsize)),
    "full_layer": ("layers", lambda s: fmt.count(s.full_layer)),
    "linear_bytes": ("layers", lambda s: fmt.byte_size(_layer_bytes(s, s.linear_layer, 0))),
    "kept": ("kept", lambda s: _UNKNOWN if s.state is None else percent(s.state.decays[s.at])),
    "changed": (
        "change",
        lambda s: _UNKNOWN if s.state is None else percent(s.state.changes[s.at]),
    ),
    "token": ("change", lambda s: _UNKNOWN if s.memory is None else quoted(s.memory.texts[s.at])),
    "state_numbers": (
        "state",
        lambda s: fmt.count(s.shape.state_heads * s.shape.value_dim * s.shape.key_dim),
    ),
    "state_kept": ("state", lambda s: fmt.byte_size(_state_bytes(s.shape))),
    "entries_bytes": (
        "entries",
        lambda s: fmt.byte_size(_layer_bytes(s, s.full_layer, s.at + 1)),
    ),
    "needle": (
        "needle",
        lambda s: _UNKNOWN if s.recall is None else quoted(needle_text(s.recall)),
    ),
    "full_best": ("full", lambda s: _of_layer(s, "full", lambda one: str(one.layer))),
    "full_share": ("full", lambda s: _share(s, "full")),
    "even": (
        "needle",
        lambda s: _UNKNOWN if s.recall is None else percent(even_share(s.recall, s.query)),
    ),
    "linear_best": ("linear", lambda s: _of_layer(s, "linear", lambda one: str(one.layer))),
    "linear_share": ("linear", lambda s: _share(s, "linear")),
    "checkpoint": ("hybrid", lambda s: fmt.byte_size(checkpoint_bytes(s.shape))),
    "kv": ("hybrid", lambda s: fmt.byte_size(s.tokens * kv_token_bytes(s.shape))),
    "run": ("run", lambda s: fmt.count(s.ran.number)),
    "run_prompt": ("run", lambda s: fmt.count(s.ran.report.plan.total)),
    "run_reused": ("run", lambda s: fmt.count(s.ran.report.plan.reused)),
    "run_replayed": ("run", lambda s: fmt.count(s.ran.report.plan.replayed)),
    "run_new": ("run", lambda s: fmt.count(s.ran.report.plan.computed)),
    "run_cached": ("run", lambda s: fmt.count(positions(s.ran).cached)),
    "run_cold": ("run", lambda s: fmt.count(positions(s.ran).cold)),
    "sum_cached": ("cached", lambda s: fmt.count(total(s.runs).cached)),
    "sum_cold": ("cold", lambda s: fmt.count(total(s.runs).cold)),
    "sum_bare": ("bare", lambda s: fmt.count(total(s.runs).bare)),
    "tree_tokens": ("kv", lambda s: fmt.plural(_kv_pools(s), "token")),
    "tree_points": ("states", lambda s: fmt.plural(_points(s), "checkpoint")),
    "part_at": ("tree", lambda s: fmt.count(parting(s).end)),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        words: two or three sentences; task: what to try; told: what that showed. Templates, whose
            fields are NUMBERS.
        tab: of its figure.
        start, end: positions between which the figure moves when the step is opened.
        done: whether a scene, once the user has changed it, answers the task.
        layer: the layer selected in the figure; None leaves the choice alone.
        caching: what the figure compares.
    """

    id: str
    title: str
    words: str
    task: str
    told: str
    tab: TabId
    done: Callable[[Scene], bool]
    start: Callable[[Scene], int] = lambda scene: 0
    end: Callable[[Scene], int] = lambda scene: 0
    layer: Callable[[Scene], int] | None = None
    caching: Caching = "both"


def _quarter(scene: Scene) -> int:
    return scene.count // 4


def _best_query(scene: Scene) -> int:
    """The query at which full attention reads the needle most."""
    reading = scene.recall
    if reading is None or reading.needle is None or not reading.moments:
        return scene.query
    best = max(range(len(reading.moments)), key=reading.moments.__getitem__)
    return reading.needle[1] + best - reading.first_query


def _outgrown(scene: Scene) -> bool:
    """Whether the selected layer is a full one that holds more than a linear one."""
    held = _layer_bytes(scene, scene.layer, scene.tokens)
    full = scene.shape.kinds[scene.layer] == "full"
    return full and held > _layer_bytes(scene, scene.linear_layer, 0)


def _found_linear(scene: Scene) -> bool:
    found = scene.of("linear")
    return found is not None and scene.recall_layer == found.layer


STEPS = (
    Step(
        id="why",
        title=tr("Why keys and values stay"),
        words=tr(
            "Each token leaves a key and a value in every layer of full attention. They depend on "
            "the tokens before it, never on those after it: the {seen} entries of layer "
            "{entry_layer} stay as they are while new ones are appended. So they are computed once "
            "and kept; otherwise every new token would read the whole text again."
        ),
        task=tr("Step at least five tokens forward. Does an earlier bar change?"),
        told=tr("None does: each of the {seen} entries was computed once and stays."),
        tab="two memories",
        end=_quarter,
        done=lambda s: s.count > 0 and s.at >= min(_quarter(s) + _STEPS_FORWARD, s.count - 1),
    ),
    Step(
        id="cost",
        title=tr("What a token costs"),
        words=tr(
            "One token adds {token_bytes} to a layer of full attention: a key and a value, each "
            "{kv_heads} of {head_dim} numbers at {itemsize}. This model has {full_layers} such "
            "layers, so every token costs {model_token_bytes} in all."
        ),
        task=tr("Drag the context until this layer holds {cost_goal}."),
        told=tr("It took {tokens}, each as dear as the first."),
        tab="memory",
        start=lambda s: 0,
        end=lambda s: s.place(min(_SHORT_TOKENS, s.shape.window // 8)),
        layer=lambda s: s.full_layer,
        done=lambda s: s.tokens >= _goal_tokens(s),
    ),
    Step(
        id="grows",
        title=tr("Why it grows with the text"),
        words=tr(
            "Any later token may look back at any earlier one, so no entry may be thrown away. "
            "With full attention on all {layers} layers, {tokens} would hold {grouped}, and twice "
            "the text twice as much."
        ),
        task=tr("Drag the context to the end of the window, {window}."),
        told=tr("It would be {grouped}, for one conversation."),
        tab="memory",
        start=lambda s: s.place(_SHORT_TOKENS),
        end=lambda s: s.place(s.shape.window // 4),
        layer=lambda s: s.full_layer,
        done=lambda s: s.tokens == s.shape.window,
    ),
    Step(
        id="state",
        title=tr("What linear layers keep"),
        words=tr(
            "A layer of linear attention sums up the whole text in one recurrent state: "
            "{state_shape} numbers, {state_bytes}, after ten tokens as after ten thousand. Texts "
            "that count two bytes a number say {half_state} for it; here each has {state_itemsize}."
        ),
        task=tr(
            "Choose layer {full_layer} in the row of layers, and drag the context until it holds "
            "more than the {linear_bytes} of a linear layer."
        ),
        told=tr("From {tokens} on, the linear layer is the smaller one."),
        tab="memory",
        start=lambda s: s.place(s.shape.window),
        end=lambda s: 0,
        layer=lambda s: s.linear_layer,
        done=_outgrown,
    ),
    Step(
        id="cut",
        title=tr("Why a state cannot be cut"),
        words=tr(
            "To take back a token, its keys and values are dropped. The state has no such entry: "
            "{token} first kept {kept} of every number and then wrote over all of them, which "
            "changed the state by {changed}. What it was before is nowhere, unless it was copied."
        ),
        task=tr("Click the token that changed the state most; the first one does not count."),
        told=tr("It is {token}, with {changed}: no subtraction brings back what it wrote over."),
        tab="two memories",
        end=lambda s: s.count // 2,
        done=lambda s: s.state is not None and s.at == biggest_change(s),
    ),
    Step(
        id="overwrite",
        title=tr("Append against overwrite"),
        words=tr(
            "One token, two memories. Above it appends {entry_bytes}; below it rewrites all "
            "{state_numbers} numbers of the state, which takes {state_kept} before and after. So "
            "far the entries take {entries_bytes}."
        ),
        task=tr("Press Play, and watch both up to the last token."),
        told=tr("The entries grew to {entries_bytes}; the state still has {state_kept}."),
        tab="two memories",
        done=lambda s: s.count > 0 and s.at == s.count - 1,
    ),
    Step(
        id="recall",
        title=tr("What can be recalled"),
        words=tr(
            "The text says {needle} early, and needs it again later. There, layer {full_best} "
            "(full) puts {full_share} of its attention on it, where an even share would be {even}. "
            "In a linear layer it has faded: at most {linear_share} of what is read was written by "
            "it."
        ),
        task=tr("Which linear layer still reads most of it? Click its bar."),
        told=tr("Layer {linear_best}, with {linear_share}."),
        tab="recall",
        end=_best_query,
        layer=lambda s: s.full_layer if (found := s.of("full")) is None else found.layer,
        done=_found_linear,
    ),
    Step(
        id="checkpoint",
        title=tr("What a checkpoint is"),
        words=tr(
            "A state fits one position and no other, so it is copied at chosen ones. Such a "
            "checkpoint holds the states of all {linear_layers} linear layers: {checkpoint}, at "
            "any length. Keys and values need no copies, as they may be cut anywhere."
        ),
        task=tr("Drag the context until keys and values take more than one checkpoint."),
        told=tr("At {tokens} they take {kv}: a checkpoint is dear in a short chat alone."),
        tab="memory",
        start=lambda s: s.place(s.shape.window // 4),
        end=lambda s: 0,
        layer=lambda s: s.linear_layer,
        done=lambda s: s.tokens * kv_token_bytes(s.shape) > checkpoint_bytes(s.shape),
    ),
    Step(
        id="turn",
        title=tr("What a turn costs"),
        words=tr(
            "Each message comes with all that was said before. Request {run} had a prompt of "
            "{run_prompt} tokens; {run_reused} of them came from a checkpoint. In all "
            "{sum_cached} positions ran, instead of {sum_cold} if each prompt were read anew, or "
            "{sum_bare} without any cache."
        ),
        task=tr("Switch to Without, and choose the request that would cost most."),
        told=tr("Request {run}: {run_cold} positions, instead of {run_cached} that ran."),
        tab="prefill and decode",
        end=lambda s: len(s.runs) - 1,
        caching="with",
        done=lambda s: s.caching == "without" and s.run == dearest(s.runs),
    ),
    Step(
        id="branch",
        title=tr("Branching off"),
        words=tr(
            "A message that is edited shares its beginning with the old one. Up to where the two "
            "part, keys and values serve both; the state has to be at a checkpoint, or the "
            "tokens after the last one are replayed. Request {run}: {run_reused} reused, "
            "{run_replayed} replayed, {run_new} new."
        ),
        task=tr("One of these requests replaces an earlier message. Choose it."),
        told=tr(
            "Request {run} went back: {run_reused} of its {run_prompt} tokens were there already."
        ),
        tab="prefill and decode",
        done=lambda s: s.run == s.branch,
    ),
    Step(
        id="hybrid",
        title=tr("What a hybrid saves"),
        words=tr(
            "Full attention finds single tokens, linear attention costs nothing more as the text "
            "grows; so {full_layers} of {layers} layers are full and the rest linear. At {tokens} "
            "the model holds {hybrid}, and {grouped} if every layer were full: {times} times as "
            "much."
        ),
        task=tr("Drag the context until it would be {times_goal} times as much."),
        told=tr("From about {tokens} on: the longer the text, the more is saved."),
        tab="memory",
        start=lambda s: s.place(s.shape.window),
        end=lambda s: 0,
        layer=lambda s: s.full_layer,
        done=lambda s: times_saved(s.shape, s.tokens) >= goal_times(s.shape),
    ),
    Step(
        id="planes",
        title=tr("Two planes, one tree"),
        words=tr(
            "Prompts that begin alike share their beginning, as a tree. Every piece has its keys "
            "and values, on the KV plane: {tree_tokens}. States are on the state plane, at "
            "{tree_points} alone, the diamonds. A prompt goes on from the last diamond on its way."
        ),
        task=tr("Click the piece after which the edited message leaves the old one."),
        told=tr("Both go on from its checkpoint at token {part_at}; all before it is stored once."),
        tab="tree",
        done=lambda s: s.node == parting(s).id,
    ),
)


def number_of(place: StoryPlace) -> int:
    """The number of the step, from 0; the first if there is no such step any more."""
    return next((at for at, step in enumerate(STEPS) if step.id == place.step), 0)


def numbers_of(template: str) -> tuple[str, ...]:
    """The fields of a template, in order."""
    return tuple(name for _, name, _, _ in Formatter().parse(template) if name)


def filled(template: str, scene: Scene) -> dict[str, str]:
    """The text of each field of a template."""
    return {name: NUMBERS[name][1](scene) for name in numbers_of(template)}


def has_both(shape: CacheShape) -> bool:
    """Whether a model has both kinds of layers, of which the story tells."""
    return shape.full_layers > 0 and shape.linear_layers > 0
