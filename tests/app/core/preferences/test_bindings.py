"""Shortcuts that the user sets: which hold, which clash, which cannot be."""

from __future__ import annotations

import pytest

from app.core.preferences.bindings import bound, refusal, taken_by, with_keys
from app.core.words.kinds import Bindings

DEFAULTS = {"new": ("Ctrl+N",), "more": ("Ctrl+Return", "Ctrl+Enter"), "lab": ()}


class TestBindings:
    def test_own_keys_stand_in_for_those_of_the_table(self) -> None:
        own: Bindings = (("gone", ("Ctrl+G",)), ("new", ("Ctrl+Y",)))
        assert bound(DEFAULTS, own) == {**DEFAULTS, "new": ("Ctrl+Y",)}

    def test_a_command_that_has_its_own_again_is_not_kept(self) -> None:
        own = with_keys(DEFAULTS, (), "new", "Ctrl+Y")
        assert own == (("new", ("Ctrl+Y",)),)
        assert with_keys(DEFAULTS, own, "new", "Ctrl+N") == ()
        assert with_keys(DEFAULTS, (), "lab", "") == ()
        assert with_keys(DEFAULTS, (), "new", "") == (("new", ()),)

    def test_a_clash_is_found_on_every_key_of_a_command(self) -> None:
        assert taken_by(DEFAULTS, (), "lab", "Ctrl+Enter") == "more"
        assert taken_by(DEFAULTS, (), "new", "Ctrl+N") == ""
        assert taken_by(DEFAULTS, (("new", ()),), "lab", "Ctrl+N") == ""

    @pytest.mark.parametrize("keys", ["A", "Shift+A", "Return", "Del", "Tab", "F2", "+"])
    def test_what_fields_need_is_refused(self, keys: str) -> None:
        assert keys in refusal(keys)

    @pytest.mark.parametrize("keys", ["Ctrl+A", "Alt+X", "F5", "Esc", "Ctrl++", "Ctrl+Shift+,"])
    def test_the_rest_is_not(self, keys: str) -> None:
        assert refusal(keys) == ""
