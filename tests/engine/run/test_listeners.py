"""Events wait for their owner, who need not look for them."""

from __future__ import annotations

from engine.events import EngineClosed
from engine.run.listeners import Outbox


class TestOutbox:
    def test_it_wakes_its_owner_once(self) -> None:
        outbox, woken = Outbox(), []
        outbox.wake_with_next(lambda: woken.append(len(outbox.drain())))
        assert not woken
        outbox.put(EngineClosed())
        outbox.put(EngineClosed())
        assert woken == [1]
        assert len(outbox.drain()) == 1

    def test_an_event_that_came_before_the_owner_slept_is_not_missed(self) -> None:
        outbox, woken = Outbox(), []
        outbox.put(EngineClosed())
        outbox.wake_with_next(lambda: woken.append(True))
        assert woken == [True]
        outbox.put(EngineClosed())
        assert woken == [True]
