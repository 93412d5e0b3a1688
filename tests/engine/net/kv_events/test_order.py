"""Batches are put in order; what is missing is asked for, and told if it does not come."""

from __future__ import annotations

from engine.net.kv_events.worker import MOST_HELD, Hole, Numbered, Order, Restarted


def taken(order: Order) -> list[object]:
    return [step.seq if isinstance(step, Numbered) else step for step in order.take()]


class TestOrder:
    def test_nothing_is_taken_before_the_beginning_is_known(self) -> None:
        order = Order()
        order.put(5, b"5")
        assert taken(order) == []
        order.put(3, b"3")
        order.put(4, b"4")
        order.begin()
        assert taken(order) == [3, 4, 5]
        assert order.late == 3

    def test_a_hole_is_wanted_until_it_is_filled(self) -> None:
        order = Order()
        order.put(0, b"0")
        order.begin()
        order.put(2, b"2")
        assert (taken(order), order.wanted) == ([0], 1)
        order.put(1, b"1")
        assert (taken(order), order.wanted, order.lost) == ([1, 2], None, 0)

    def test_a_hole_that_stays_is_told(self) -> None:
        order = Order()
        order.put(0, b"0")
        order.begin()
        order.put(3, b"3")
        order.give_up()
        assert taken(order) == [0, Hole(1, 3), 3]
        assert order.lost == 2

    def test_too_many_that_wait_are_not_kept(self) -> None:
        order = Order()
        order.put(0, b"0")
        order.begin()
        for seq in range(2, MOST_HELD + 4):
            order.put(seq, b"x")
        assert order.lost == 1
        assert not order.waiting

    def test_the_same_once_more_is_counted(self) -> None:
        order = Order()
        order.put(0, b"0")
        order.begin()
        order.put(0, b"0")
        order.put(2, b"2")
        order.put(2, b"2")
        assert (taken(order), order.repeated) == ([0], 2)

    def test_another_under_the_same_number_is_another_engine(self) -> None:
        order = Order()
        order.put(0, b"old")
        order.put(1, b"old")
        order.begin()
        taken(order)
        order.put(0, b"new")
        assert taken(order) == [Restarted(), 0]
        assert order.next == 1
