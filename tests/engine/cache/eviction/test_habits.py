"""What is learned online: where prompts resume, and after how long chats come back."""

from __future__ import annotations

import pytest

from engine.cache.eviction.coverage import Coverage, Returns
from engine.cache.eviction.habits import Role, Stage
from tests.engine.cache.conftest import Driver, parts_of


def habits(driver: Driver) -> Coverage:
    """The policy of a driver under "coverage"."""
    policy = parts_of(driver.cache).evictor.policy
    assert isinstance(policy, Coverage)
    return policy


def places(driver: Driver) -> dict[int, Role]:
    """Role by position."""
    policy = habits(driver)
    roles = {n.end: policy.role(n) for n in parts_of(driver.cache).tree.nodes.values()}
    return {end: role for end, role in roles.items() if role}


class TestRoles:
    def test_a_request_leaves_inner_places_a_header_and_two_ends(
        self, driver: type[Driver]
    ) -> None:
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

    def test_a_branch_point_is_one_of_its_own(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(list(range(20)), at=[10], provenance="branch")
        assert places(d)[10] == Role.BRANCH

    def test_where_the_deepest_leaves_the_one_above_takes_its_place(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(list(range(20)), at=[10, 20])
        assert places(d) == {10: Role.HEADER, 20: Role.PROMPT_END}
        d.cache.evict_kv(1)
        assert places(d) == {10: Role.PROMPT_END}


class TestTheWorkedExample:
    """The two turns in the docstring of habits.py; system, user and answer of ten tokens each."""

    SYSTEM, USER, ANSWER = list(range(10)), list(range(10, 20)), list(range(30, 40))
    THINK, THINKING = [100, 101], list(range(200, 205))

    def turn(
        self,
        d: Driver,
        prompt: list[int],
        stored: list[int],
        answer: list[int],
        seen: list[dict[int, Role]],
    ) -> None:
        """Stores at the marks of the prompt and at the answer's end; notes the roles after each."""
        prompt = [*prompt, *self.THINK]
        lock, match = d.start(prompt)
        d.put(lock, prompt, match)
        for position in stored:
            d.donate(lock, position)
            seen.append(places(d))
        whole = [*prompt, *answer]
        d.put(lock, whole, d.cache.reader.probe(prompt))
        d.donate(lock, len(whole), provenance="decode")
        seen.append(places(d))
        d.cache.unlock(lock)

    def test_roles_stages_and_what_is_learned(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=200, state_slots=20)
        policy = habits(d)
        inner, header, end = Role.INNER, Role.HEADER, Role.PROMPT_END
        seen: list[dict[int, Role]] = []
        self.turn(d, [*self.SYSTEM, *self.USER], [10, 20, 22], [*self.THINKING, *self.ANSWER], seen)
        assert seen == [
            {10: end},
            {10: header, 20: end},
            {10: inner, 20: header, 22: end},
            {10: inner, 20: header, 22: end, 37: Role.ANSWER_END},
        ]
        before = {role: policy._chance[role][Stage.FRESH] for role in Role}
        d.cache.match([*self.SYSTEM, *self.USER, *self.ANSWER, *range(40, 50), *self.THINK])
        stages = {
            n.end: policy.stage(n) for n in parts_of(d.cache).tree.nodes.values() if policy.role(n)
        }
        assert stages == {
            10: Stage.PASSED,
            20: Stage.PASSED,
            22: Stage.DIVERGED,
            37: Stage.DIVERGED,
        }
        learned = {role: policy._chance[role][Stage.FRESH] - before[role] for role in Role}
        assert {role for role, change in learned.items() if change > 0} == {header}
        assert {role for role, change in learned.items() if change < 0} == {
            inner,
            end,
            Role.ANSWER_END,
        }


class TestStages:
    """Tokens 0 to 29 with a place at 10 and at 30."""

    def stage(self, driver: Driver, end: int) -> set[Stage | None]:
        policy = habits(driver)
        return {policy.stage(n) for n in parts_of(driver.cache).tree.nodes.values() if n.end == end}

    def path(self, driver: type[Driver]) -> Driver:
        d = driver()
        d.run(list(range(30)), at=[10, 30])
        assert self.stage(d, 10) == self.stage(d, 30) == {Stage.FRESH}
        return d

    def test_gone_through_once_and_more_often(self, driver: type[Driver]) -> None:
        d = self.path(driver)
        for stage in (Stage.PASSED, Stage.PASSED_OFTEN, Stage.PASSED_OFTEN):
            d.cache.match([*range(30), 99])
            assert self.stage(d, 10) == self.stage(d, 30) == {stage}

    def test_left_at_the_end_of_another_node(self, driver: type[Driver]) -> None:
        d = self.path(driver)
        d.cache.match([*range(10), 99])
        assert self.stage(d, 30) == {Stage.DIVERGED}

    @pytest.mark.parametrize("end", [10, 20], ids=["above the cut", "at the cut"])
    def test_left_above_a_node_that_was_split(self, driver: type[Driver], end: int) -> None:
        d = self.path(driver)
        d.cache.unlock(d.cache.lock(d.cache.reader.probe(list(range(20)))))
        assert self.stage(d, 20) == {None}
        d.cache.match([*range(end), 99])
        assert self.stage(d, 30) == {Stage.DIVERGED}

    def test_left_for_what_was_inserted_since(self, driver: type[Driver]) -> None:
        d = self.path(driver)
        d.run([*range(10), *range(50, 60)])
        d.cache.match([*range(10), 99])
        assert self.stage(d, 20) == {Stage.DIVERGED}

    def test_stored_again_it_is_fresh(self, driver: type[Driver]) -> None:
        d = self.path(driver)
        d.cache.evict_state()
        assert d.positions() == [30]
        lock, _match = d.start(list(range(30)))
        d.donate(lock, 10)
        d.cache.unlock(lock)
        assert (self.stage(d, 10), self.stage(d, 30)) == ({Stage.FRESH}, {Stage.PASSED})


class TestChances:
    def chance(self, driver: Driver, role: Role, stage: Stage) -> float:
        return habits(driver)._chance[role][stage]

    def test_with_thinking_stripped_the_header_is_where_prompts_resume(
        self, driver: type[Driver]
    ) -> None:
        d = driver(kv_slots=4000, state_slots=100)
        history: list[int] = []
        for turn in range(12):
            prompt = [*history, *range(100 * turn, 100 * turn + 20)]
            d.run([*prompt, 7], at=[len(prompt), len(prompt) + 1])
            history = [*prompt, 9, *range(50, 60)]
        assert self.chance(d, Role.HEADER, Stage.FRESH) > 0.6
        assert self.chance(d, Role.PROMPT_END, Stage.FRESH) < 0.15

    def test_in_a_loop_that_only_appends_the_end_is(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=4000, state_slots=100)
        tokens: list[int] = []
        for turn in range(12):
            tokens = [*tokens, *range(100 * turn, 100 * turn + 20)]
            d.run(tokens, at=[len(tokens) - 5, len(tokens)])
        assert self.chance(d, Role.PROMPT_END, Stage.FRESH) > 0.6
        assert self.chance(d, Role.HEADER, Stage.FRESH) < 0.05

    def test_a_trunk_is_known_by_its_own_past(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=4000, state_slots=100)
        trunk = list(range(20))
        d.run(trunk)
        for chat in range(10):
            d.run([*trunk, 1000 + chat, 5])
        node = parts_of(d.cache).tree.node(d.cache.reader.probe(trunk).node)
        assert habits(d).chance(node) > 0.6


class TestReturns:
    def test_before_anything_was_seen_the_guess_stands(self) -> None:
        assert set(Returns(8).ratios) == {1.0}

    def test_chats_taken_up_in_turns_come_back_at_one_age(self) -> None:
        returns = Returns(8)
        for _ in range(100):
            returns.returned(8)
        assert returns.ratios[(8).bit_length()] > 3
        assert returns.ratios[(2).bit_length()] < 0.5

    def ratios(self, driver: Driver) -> list[float]:
        return habits(driver)._returns.ratios

    def test_coverage_learns_from_a_chat_taken_up_at_its_end(self, driver: type[Driver]) -> None:
        d = driver()
        chat = list(range(10))
        d.run(chat)
        for _ in range(7):
            d.cache.match([99])
        d.run([*chat, 10])
        assert self.ratios(d)[(8).bit_length()] > 1.0
        before = list(self.ratios(d))
        d.cache.match([*chat, 77])
        assert self.ratios(d) == before, "it had been gone through already"

    def test_coverage_learns_from_a_chat_evicted_at_its_end(self, driver: type[Driver]) -> None:
        kept, evicted = driver(), driver()
        for d in (kept, evicted):
            d.run([1, 2, 3])
            d.run(list(range(10, 20)))
            for _ in range(200):
                d.cache.match([1, 2, 3, 99])
        evicted.cache.evict_state()
        kept.cache.drop_all()
        assert evicted.cache.reader.probe(list(range(10, 20))).matched == 0
        for d in (kept, evicted):
            d.run([7])
            d.run([7, 8])
        age = (150).bit_length()
        assert self.ratios(evicted)[age] < self.ratios(kept)[age] == 1.0

    def test_waiting_in_vain_counts_against_old_age(self) -> None:
        kept, given_up = Returns(8), Returns(8)
        for _ in range(50):
            for returns in (kept, given_up):
                returns.returned(2)
            given_up.given_up(200)
        kept.returned(1)
        given_up.returned(1)
        age = (150).bit_length()
        assert given_up.ratios[age] < kept.ratios[age]
