"""Where prompts resume, learned from where they did: the chance of each kind of place on a path.

A place is a node that has or once had a checkpoint. What it is within the request that stored it
(its role), and what has happened to it since, say more about whether a prompt will resume there
than its age does: with thinking stripped it is the anchor after the assistant's header, in a tool
loop the very end of the answer, and a place that later prompts went through is of use to an edit
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from engine.cache.node import Node


class Role(IntEnum):
    """What a place is within the request that stored it."""

    NONE = 0
    INNER = 1
    HEADER = 2
    PROMPT_END = 3
    ANSWER_END = 4
    BRANCH = 5


class Stage(IntEnum):
    """What has happened since: nothing, the prompts left before it, or went through it."""

    FRESH = 0
    CUT = 1
    PASSED = 2
    OLD = 3


LATER_IN_PROMPT: dict[int, Role] = {Role.PROMPT_END: Role.HEADER, Role.HEADER: Role.INNER}
LATER_IN_ANSWER: dict[int, Role] = {Role.ANSWER_END: Role.INNER}
# Before anything was seen, and as how many trials that counts; inner places come many at a time.
FIRST_TRIALS = 4.0
FIRST_INNER_TRIALS = 64.0
FIRST_CHANCE = {
    Role.INNER: (0.01, 0.01, 0.01, 0.01),
    Role.HEADER: (0.02, 0.02, 0.02, 0.01),
    Role.PROMPT_END: (0.3, 0.1, 0.05, 0.03),
    Role.ANSWER_END: (0.3, 0.05, 0.05, 0.03),
    Role.BRANCH: (0.3, 0.3, 0.2, 0.2),
}
# A place's own past weighs as much as its kind's after so many matches went through it.
OWN_TRIALS = 3.0
MEMORY_TRIALS = 64.0
# How many places at the end of a path learn from a match, and how far a cut branch is followed.
LOOK_BACK = 6
LOOK_BELOW = 12


class Habits:
    """Counts per role and stage how often a prompt could have resumed and how often it did."""

    def __init__(self) -> None:
        weights = [FIRST_INNER_TRIALS if r == Role.INNER else FIRST_TRIALS for r in Role]
        self._trials = [[weight] * len(Stage) for weight in weights]
        self._hits = [
            [weight * p for p in FIRST_CHANCE.get(role, (0.0,) * len(Stage))]
            for role, weight in zip(Role, weights, strict=True)
        ]
        self._chance = [
            [h / t for h, t in zip(*both, strict=True)]
            for both in zip(self._hits, self._trials, strict=True)
        ]

    def chance(self, node: Node) -> float:
        """How likely a prompt that comes back to the path resumes at this place."""
        passes = node.hits - node.since
        if passes <= 0:
            return self._chance[node.role][Stage.CUT if node.cut else Stage.FRESH]
        kind = self._chance[node.role][Stage.PASSED if passes == 1 else Stage.OLD]
        if not node.again:
            return kind
        return (kind * OWN_TRIALS + node.again) / (OWN_TRIALS + passes - 1)

    def stored(self, node: Node, above: Sequence[Node], *, answer: bool, branch: bool) -> None:
        """A checkpoint was stored at `node` and is the deepest of its request so far.

        Args:
            above: the two nearest places above, the nearer one first.
        """
        if branch:
            node.role = Role.BRANCH
        else:
            node.role = Role.ANSWER_END if answer else Role.PROMPT_END
            # What was the last of its request no longer is.
            later = LATER_IN_ANSWER if answer else LATER_IN_PROMPT
            for place in above:
                if place.laid == node.used.match:
                    place.role = later.get(place.role, place.role)
        node.laid, node.since, node.cut, node.again = node.used.match, node.hits, 0, 0

    def inherits(self, heir: Node, leaf: Node) -> None:
        """A leaf goes, and `heir` is the place above: prompts for it will resume there instead."""
        if self.chance(leaf) > self.chance(heir):
            heir.role, heir.laid, heir.cut = leaf.role, leaf.laid, leaf.cut
            heir.since, heir.again = heir.hits - (leaf.hits - leaf.since), leaf.again

    def matched(self, path: Sequence[Node]) -> list[Node]:
        """A prompt came along `path`, whose nodes have counted it, and resumed at the last place.

        Learns from the last places of the path; what was not resumed at was gone through. Returns
        the places that are of another stage now.
        """
        seen = 0
        changed: list[Node] = []
        for node in reversed(path):
            if not node.role:
                continue
            passes = node.hits - node.since
            if passes <= 2:
                changed.append(node)
            elif seen >= LOOK_BACK:
                break
            if passes <= 1:
                stage = Stage.CUT if node.cut else Stage.FRESH
            else:
                stage = Stage.PASSED if passes == 2 else Stage.OLD
                node.again += not seen
            if seen < LOOK_BACK:
                self._learn(node.role, stage, hit=not seen)
            seen += 1
        return changed

    def parted(self, node: Node) -> list[Node]:
        """A prompt left the path that last went on into `node`; returns the places cut off."""
        cut: list[Node] = []
        at: Node | None = node
        for _ in range(LOOK_BELOW):
            if at is None or (at.role and at.hits > at.since):
                break
            if at.role and not at.cut:
                at.cut = 1
                self._learn(at.role, Stage.FRESH, hit=False)
                cut.append(at)
            at = at.latest
        return cut

    def _learn(self, role: int, stage: Stage, *, hit: bool) -> None:
        trials, hits = self._trials[role], self._hits[role]
        trials[stage] += 1.0
        hits[stage] += hit
        self._chance[role][stage] = hits[stage] / trials[stage]
        if trials[stage] > MEMORY_TRIALS:
            trials[stage] /= 2
            hits[stage] /= 2
