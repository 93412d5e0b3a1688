"""Reduced motion: one switch that whatever moves asks."""

from __future__ import annotations

from app.ui import motion


def test_it_is_off_until_it_is_wanted() -> None:
    assert not motion.reduced()
    motion.set_reduced(True)
    assert motion.reduced()
    motion.set_reduced(False)
    assert not motion.reduced()
