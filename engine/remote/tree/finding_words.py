"""What an engine reused beside what its events let expect, in a sentence."""

from __future__ import annotations

from engine.remote.tree.match import Finding


def finding_sentence(found: Finding) -> str:
    """One sentence, or two where something differs."""
    expected = found.expected
    known, reusable = f"{expected.known:,}", f"{expected.reusable:,}"
    reported = "" if found.reported is None else f"{found.reported:,}"
    match found.kind:
        case "not told":
            return f"KV for {known} tokens known; the engine does not say how many it reused."
        case "as expected":
            return f"As expected: {reported} tokens reused of {known} known."
        case "in doubt":
            return (
                f"KV for {known} tokens was known before events were lost, engine reused"
                f" {reported}: it may have dropped them meanwhile."
            )
        case "no state":
            return f"KV for {known} tokens known, engine reused 0: no state, or a dropped block."
        case "less":
            return (
                f"KV for {known} tokens known and {reusable} expected, engine reused {reported}:"
                " no state further on, or a dropped block."
            )
        case "more":
            return (
                f"Engine reused {reported} tokens, and its events told of {known}: the others were"
                " stored before anybody listened, or are on a tier that it does not tell of."
            )
