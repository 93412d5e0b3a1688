"""Where prompts resume, learned from past prompts: a probability per kind of place on a path.

A place is a node that has or once had a checkpoint. Its position within the request that stored it
(its role), and what has happened to it since (its stage), predict better than its age whether a
prompt will resume there: with thinking stripped it is the anchor after the assistant's header, in a
tool loop the very end of the answer, and a place that later prompts went through only helps an
edit.

A worked example: a chat whose template strips the thinking of earlier answers. Turn 1 stores four
checkpoints, the shallow ones first: at the system text's end (S), after the assistant's header (a),
at the prompt's end (b) and at the answer's end (c).

    turn 1   system ─S─ user 1 ─a─ <think> ─b─ thinking 1, answer 1 ─c

    stored      S is          a is          b is          c is
    S           PROMPT_END
    a           HEADER        PROMPT_END
    b           INNER         HEADER        PROMPT_END
    c           INNER         HEADER        PROMPT_END    ANSWER_END

Each counts as the prompt's end until a deeper one of the same request follows; all are FRESH.
The prompt of turn 2 has no thinking where turn 1 had it, so it leaves the path right after a:

    turn 2   system ─S─ user 1 ─a─ answer 1, user 2 ─d─ <think> ─e─ thinking 2, answer 2 ─f
                                └─ <think> ─b─ thinking 1, answer 1 ─c

    place    role         stage is now    what is learned for its role and the stage it had, FRESH
    S        INNER        PASSED          a miss: the prompt went through
    a        HEADER       PASSED          a resume
    b        PROMPT_END   DIVERGED        a miss: the prompt left the path above
    c        ANSWER_END   DIVERGED        a miss: likewise

After a few such turns a fresh HEADER is worth most. Turn 3 resumes at d and goes through a again,
which is then PASSED_OFTEN: it helps an edit of the second message, and little else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import pairwise

from engine.cache.eviction.cause import Cause
from engine.cache.eviction.policy import Policy
from engine.cache.node import Node
from engine.cache.tree import Walk


class Role(IntEnum):
    """The position of a place within the request that stored it."""

    NONE = 0
    INNER = 1
    HEADER = 2
    PROMPT_END = 3
    ANSWER_END = 4
    BRANCH = 5


class Stage(IntEnum):
    """What prompts have done since: nothing, left the path above it, or passed through it."""

    FRESH = 0
    DIVERGED = 1
    PASSED = 2
    PASSED_OFTEN = 3


@dataclass(slots=True)
class NodeHabit:
    """What is remembered of a node that has or once had a checkpoint.

    Attributes:
        role: within the request that last stored a checkpoint here.
        stored_at_match: the match of that request.
        hits_at_store: the node's hits then.
        diverged: prompts have left the path above since.
        resumed: matches that resumed here although earlier ones had gone through.
    """

    role: Role
    stored_at_match: int
    hits_at_store: int
    diverged: bool = False
    resumed: int = 0


LATER_IN_PROMPT: dict[Role, Role] = {Role.PROMPT_END: Role.HEADER, Role.HEADER: Role.INNER}
LATER_IN_ANSWER: dict[Role, Role] = {Role.ANSWER_END: Role.INNER}
# The prior chances, and the trials they count as; inner places come many at a time.
FIRST_TRIALS = 4.0
FIRST_INNER_TRIALS = 64.0
FIRST_CHANCE = {
    Role.INNER: (0.01, 0.01, 0.01, 0.01),
    Role.HEADER: (0.02, 0.02, 0.02, 0.01),
    Role.PROMPT_END: (0.3, 0.1, 0.05, 0.03),
    Role.ANSWER_END: (0.3, 0.05, 0.05, 0.03),
    Role.BRANCH: (0.3, 0.3, 0.2, 0.2),
}
# A place's own history weighs as much as its kind's after this many matches through it.
OWN_TRIALS = 3.0
MEMORY_TRIALS = 64.0
# How many places at the end of a path learn from a match, and how far an abandoned branch is
# followed.
LOOK_BACK = 6
LOOK_BELOW = 12


class Habits(Policy):
    """A policy that counts, per role and stage, how often prompts could have resumed and did.

    Subclasses decide what the places are worth. The hooks return the places whose stage or role
    has changed after a match or a store.
    """

    def __init__(self) -> None:
        self._places: dict[int, NodeHabit] = {}
        # By node id: the child that the last match or insertion continued into.
        self._last_child: dict[int, Node] = {}
        weights = [FIRST_INNER_TRIALS if r == Role.INNER else FIRST_TRIALS for r in Role]
        self._trials = [[weight] * len(Stage) for weight in weights]
        self._resumes = [
            [weight * p for p in FIRST_CHANCE.get(role, (0.0,) * len(Stage))]
            for role, weight in zip(Role, weights, strict=True)
        ]
        self._chance = [
            [h / t for h, t in zip(*both, strict=True)]
            for both in zip(self._resumes, self._trials, strict=True)
        ]

    # ---- queries

    def chance(self, node: Node) -> float:
        """The probability that a prompt returning to the path resumes at `node`; 0 if no place."""
        place = self._places.get(node.id)
        if place is None:
            return 0.0
        passes = node.hits - place.hits_at_store
        kind = self._chance[place.role][_stage(place, passes)]
        if passes <= 0 or not place.resumed:
            return kind
        return (kind * OWN_TRIALS + place.resumed) / (OWN_TRIALS + passes - 1)

    def role(self, node: Node) -> Role:
        """The role of `node` within the request that last stored a checkpoint there."""
        place = self._places.get(node.id)
        return Role.NONE if place is None else place.role

    def stage(self, node: Node) -> Stage | None:
        """What prompts have done to the place at `node`; None if it is not a place."""
        place = self._places.get(node.id)
        return None if place is None else _stage(place, node.hits - place.hits_at_store)

    def end_of(self, walk: Walk) -> Node | None:
        """The deepest place on `walk`; None if a prompt has already gone through it."""
        for node in reversed(walk.path):
            place = self._places.get(node.id)
            if place is not None:
                return node if node.hits == place.hits_at_store else None
        return None

    # ---- hooks

    def on_match(self, walk: Walk, now: int) -> Sequence[Node]:
        changed = self._diverge(walk)
        last_child = self._last_child
        nodes = walk.nodes
        for above, below in pairwise(nodes):
            last_child[above.id] = below
        changed += self._learn_from(walk)
        return changed

    def on_store(self, node: Node) -> Sequence[Node]:
        assert node.checkpoint is not None
        above = self._places_above(node, 2)
        match = node.used.match
        provenance = node.checkpoint.state.provenance
        role = Role.BRANCH
        if provenance != "branch":
            answer = provenance == "decode"
            role = Role.ANSWER_END if answer else Role.PROMPT_END
            # What was the last place of its request no longer is.
            later = LATER_IN_ANSWER if answer else LATER_IN_PROMPT
            for place in (self._places[at.id] for at in above):
                if place.stored_at_match == match:
                    place.role = later.get(place.role, place.role)
        self._places[node.id] = NodeHabit(role, match, node.hits)
        return above

    def on_remove(self, node: Node, cause: Cause, now: int) -> None:
        # A bare tombstone removed after its leaf has nothing to pass on.
        if cause is not Cause.TOMBSTONE_CHAIN:
            for heir in self._places_above(node, 1):
                self._inherit(heir, node)
        self._places.pop(node.id, None)
        above = node.parent
        if above is not None and self._last_child.get(above.id) is node:
            del self._last_child[above.id]

    def on_insert(self, leaf: Node) -> None:
        assert leaf.parent is not None
        self._last_child[leaf.parent.id] = leaf

    def on_split(self, upper: Node, lower: Node) -> None:
        assert upper.parent is not None
        if self._last_child.get(upper.parent.id) is lower:
            self._last_child[upper.parent.id] = upper
        self._last_child[upper.id] = lower

    # ---- learning

    def _diverge(self, walk: Walk) -> list[Node]:
        """A prompt left the path at the end of `walk`; returns the places it abandoned."""
        abandoned: list[Node] = []
        at = walk.tail if walk.tail is not None else self._last_child.get(walk.path[-1].id)
        for _ in range(LOOK_BELOW):
            if at is None:
                break
            place = self._places.get(at.id)
            if place is not None:
                if at.hits > place.hits_at_store:
                    break
                if not place.diverged:
                    place.diverged = True
                    self._learn(place.role, Stage.FRESH, hit=False)
                    abandoned.append(at)
            at = self._last_child.get(at.id)
        return abandoned

    def _learn_from(self, walk: Walk) -> list[Node]:
        """A prompt resumed at the last place of `walk` and passed through the others."""
        seen = 0
        changed: list[Node] = []
        for node in reversed(walk.path):
            place = self._places.get(node.id)
            if place is None:
                continue
            passes = node.hits - place.hits_at_store
            if passes <= 1:
                changed.append(node)
            elif seen >= LOOK_BACK:
                break
            if seen < LOOK_BACK:
                self._learn(place.role, _stage(place, passes), hit=not seen)
            if not seen and passes > 0:
                place.resumed += 1
            seen += 1
        return changed

    def _learn(self, role: Role, stage: Stage, *, hit: bool) -> None:
        trials, resumes = self._trials[role], self._resumes[role]
        trials[stage] += 1.0
        resumes[stage] += hit
        self._chance[role][stage] = resumes[stage] / trials[stage]
        if trials[stage] > MEMORY_TRIALS:
            trials[stage] /= 2
            resumes[stage] /= 2

    def _inherit(self, heir: Node, leaf: Node) -> None:
        """`leaf` is removed: prompts for it will resume at `heir`, the place above, instead."""
        if self.chance(leaf) > self.chance(heir):
            place = self._places[leaf.id]
            passes = leaf.hits - place.hits_at_store
            self._places[heir.id] = replace(place, hits_at_store=heir.hits - passes)

    def _places_above(self, node: Node, most: int) -> list[Node]:
        """The `most` nearest places above `node`, nearest first."""
        found: list[Node] = []
        at = node.parent
        while at is not None and len(found) < most:
            if at.id in self._places:
                found.append(at)
            at = at.parent
        return found


def _stage(place: NodeHabit, passes: int) -> Stage:
    """The stage of a place that `passes` matches have passed through since it was stored."""
    if passes <= 0:
        return Stage.DIVERGED if place.diverged else Stage.FRESH
    return Stage.PASSED if passes == 1 else Stage.PASSED_OFTEN
