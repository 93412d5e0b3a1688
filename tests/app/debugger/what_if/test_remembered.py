"""What the next start uses, in words."""

from __future__ import annotations

from app.debugger.what_if.logic.figures import remembered_text


def test_nothing() -> None:
    assert remembered_text({}, frozenset()) == ""


def test_values_read_as_on_their_sliders() -> None:
    told = remembered_text({"cache_bytes": 24 << 20, "interval": 0}, frozenset())
    assert told == (
        "Remembered for the next start of this model: device budget 24.0 MiB, interval never. "
        "A value on the command line goes before it."
    )


def test_what_the_command_line_overrules_is_named() -> None:
    told = remembered_text({"cache_bytes": 24 << 20, "mode": "exact"}, frozenset({"cache_bytes"}))
    assert told.endswith("This start's command line sets another device budget.")
