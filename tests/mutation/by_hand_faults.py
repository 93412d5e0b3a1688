"""Deliberate faults in what a user does to the cache by hand."""

from __future__ import annotations

from tests.mutation.fault import CACHE, Fault

LIVE = "tests/engine/run/test_by_hand.py"

BY_HAND_FAULTS = (
    Fault(
        "cache/eviction/evictor.py",
        "node.state_lock or node.pinned:",
        "node.state_lock:",
        "a pinned state is evicted for another one",
        f"{CACHE}/test_random_operations.py",
    ),
    Fault(
        "cache/eviction/evictor.py",
        "return self._tree.held - self._tree.locked - self.pins.unlocked_tokens()",
        "return self._tree.held - self._tree.locked",
        "pinned KV counts as room for others",
        f"{CACHE}/test_pins.py",
    ),
    Fault(
        "cache/eviction/evictor.py",
        "            self.pins.unpin(node)\n            self.note(node)\n",
        "            self.pins.unpin(node)\n",
        "what was once pinned is never evicted",
        f"{CACHE}/test_random_operations.py",
    ),
    Fault(
        "cache/pins.py",
        "if not node.kv_lock)",
        ")",
        "KV that is locked and pinned is held back twice",
        f"{CACHE}/test_random_operations.py",
    ),
    Fault(
        "cache/by_hand.py",
        "    if held > room:",
        "    if held > parts.kv.total:",
        "pins may take all of the KV plane",
        f"{CACHE}/test_random_operations.py",
    ),
    Fault(
        "cache/by_hand.py",
        "    if node.state_lock or (node.is_leaf and node.kv_lock):",
        "    if node.state_lock:",
        "a leaf that a request reads is dropped with its state",
        f"{CACHE}/test_random_operations.py",
    ),
    Fault(
        "cache/by_hand.py",
        "        below.extend(node.children.values())\n",
        "",
        "a pin below does not keep a node from being evicted by hand",
        LIVE,
    ),
    Fault(
        "cache/tiers/by_hand.py",
        "    drop_state(tiers, tokens)\n\n\ndef one_more",
        "\n\ndef one_more",
        "a state that is moved stays where it was",
        LIVE,
    ),
    Fault(
        "cache/tiers/by_hand.py",
        "        tiers.disk.forget(tokens, FileCause.DROPPED_BY_USER)",
        "        pass",
        "what is evicted by hand comes back from its file",
        f"{LIVE} {CACHE}/tiers",
    ),
    Fault(
        "run/by_hand.py",
        "        return asked_plan(*found)",
        "        return asked_plan((end,))",
        "a state asked for in exact mode is computed under other cuts than its KV",
        LIVE,
    ),
    Fault(
        "trace/deeds.py",
        "            if planned.end > done.ran_to:\n                break\n",
        "            break\n",
        "a replay forgets the states that were asked for",
        LIVE,
    ),
    Fault(
        "trace/history.py",
        "elif isinstance(what, ByUser):",
        "elif False:",
        "a recording that starts late does not know what was done by hand",
        LIVE,
    ),
    Fault(
        "trace/tier_state.py",
        "        self._put_pin(change.node, False)",
        "        pass",
        "a trace keeps a pin that was taken back",
        LIVE,
    ),
)
