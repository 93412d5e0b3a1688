"""What is learned online: where prompts resume, and after how long chats come back."""

from __future__ import annotations

from engine.cache.eviction.habits import Role, Stage
from engine.cache.eviction.return_times import Returns


def places(driver):
    """Role by position."""
    return {n.end: Role(n.role) for n in driver.cache._parts.tree.nodes.values() if n.role}


class TestRoles:
    def test_a_request_leaves_inner_places_a_header_and_two_ends(self, driver):
        d = driver()
        tokens = list(range(40))
        d.run(tokens, at=[10, 20, 28, 30])
        lock, match = d.start([*tokens, 50, 51])
        d.put(lock, [*tokens, 50, 51], match)
        d.cache.unlock(lock)
        assert places(d) == {
            10: Role.INNER,
            20: Role.INNER,
            28: Role.HEADER,
            30: Role.PROMPT_END,
        }
        d.run(list(range(100, 120)), at=[15, 20], provenance="decode")
        assert {places(d)[15], places(d)[20]} == {Role.INNER, Role.ANSWER_END}

    def test_a_branch_point_is_one_of_its_own(self, driver):
        d = driver()
        d.run(list(range(20)), at=[10], provenance="branch")
        assert places(d)[10] == Role.BRANCH

    def test_where_the_deepest_leaves_the_one_above_takes_its_place(self, driver):
        d = driver(policy="lru")
        d.run(list(range(20)), at=[10, 20])
        assert places(d) == {10: Role.HEADER, 20: Role.PROMPT_END}
        d.cache.evict_kv(1)
        assert places(d) == {10: Role.PROMPT_END}


class TestChances:
    def chance(self, driver, role, stage):
        return driver.cache._parts.evictor._habits._chance[role][stage]

    def test_with_thinking_stripped_the_header_is_where_prompts_resume(self, driver):
        d = driver(kv_slots=4000, state_slots=100)
        history: list[int] = []
        for turn in range(12):
            prompt = [*history, *range(100 * turn, 100 * turn + 20)]
            d.run([*prompt, 7], at=[len(prompt), len(prompt) + 1])
            history = [*prompt, 9, *range(50, 60)]
        assert self.chance(d, Role.HEADER, Stage.FRESH) > 0.6
        assert self.chance(d, Role.PROMPT_END, Stage.FRESH) < 0.15

    def test_in_a_loop_that_only_appends_the_end_is(self, driver):
        d = driver(kv_slots=4000, state_slots=100)
        tokens: list[int] = []
        for turn in range(12):
            tokens = [*tokens, *range(100 * turn, 100 * turn + 20)]
            d.run(tokens, at=[len(tokens) - 5, len(tokens)])
        assert self.chance(d, Role.PROMPT_END, Stage.FRESH) > 0.6
        assert self.chance(d, Role.HEADER, Stage.FRESH) < 0.05

    def test_a_trunk_is_known_by_its_own_past(self, driver):
        d = driver(kv_slots=4000, state_slots=100)
        trunk = list(range(20))
        d.run(trunk)
        for chat in range(10):
            d.run([*trunk, 1000 + chat, 5])
        node = d.cache._parts.tree.node(d.cache.reader.probe(trunk).node)
        assert d.cache._parts.evictor._habits.chance(node) > 0.6


class TestReturns:
    def test_before_anything_was_seen_the_guess_stands(self):
        assert set(Returns(8).ratios) == {1.0}

    def test_chats_taken_up_in_turns_come_back_at_one_age(self):
        returns = Returns(8)
        for _ in range(100):
            returns.returned(8)
        assert returns.ratios[(8).bit_length()] > 3
        assert returns.ratios[(2).bit_length()] < 0.5

    def test_waiting_in_vain_counts_against_old_age(self):
        kept, given_up = Returns(8), Returns(8)
        for _ in range(50):
            for returns in (kept, given_up):
                returns.returned(2)
            given_up.given_up(200)
        kept.returned(1)
        given_up.returned(1)
        age = (150).bit_length()
        assert given_up.ratios[age] < kept.ratios[age]
