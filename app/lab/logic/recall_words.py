"""Sentences of the tab "Recall": what a needle contributes to a query, by layer. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.words import format as fmt
from app.core.words.joining import in_turn, listed, sentence
from app.core.words.tr import tr
from app.lab.logic.memory_words import cosine, percent
from app.lab.logic.token_words import quoted
from engine.cache_shape import LayerKind
from engine.readings import LayerRecall, RecallReading

CHOOSE = tr("Click a word to make it the needle; or find one, and press Enter.")
HINT = tr(
    "Click: needle. Shift+click: up to here. Ctrl+click: ask from here. Keys: "
    "arrows, Enter (needle), Q (ask from here)."
)
# How many positions are offered.
MOST_MOMENTS = 8
MOMENTS = tr(
    "Moments: the tokens at which the full-attention layers read the needle most, the mean over "
    "these layers."
)
KIND_WORDS: dict[LayerKind, str] = {"full": tr("full"), "linear": tr("linear")}
INTRODUCTION = tr(
    "When the model has come to a token: how much of what each layer reads there comes from an "
    "earlier one, the needle?"
)
FULL_MEANS = tr(
    "Full attention: the share of the query's attention that falls on the "
    "needle, the mean over the heads."
)
LINEAR_MEANS = tr(
    "Linear attention: how much of what the query reads from the state was "
    "written by the needle and not erased since. Over all tokens either sums to "
    "100%."
)
ANSWER_MEANS = tr(
    "Own key: the cosine between the needle's value and what the state returns "
    "for the needle's own key; 1 is exact recall."
)


def needle_text(reading: RecallReading) -> str:
    """The needle's tokens, joined; "" if there is none."""
    if reading.needle is None:
        return ""
    first, end = reading.needle
    return "".join(reading.texts[max(0, first - reading.start) : max(0, end - reading.start)])


def best_moments(reading: RecallReading) -> tuple[tuple[int, float], ...]:
    """The positions at which full attention reads the needle most, with its share, best first."""
    if reading.needle is None:
        return ()
    ranked = sorted(enumerate(reading.moments, reading.needle[1]), key=lambda one: -one[1])
    return tuple(ranked[:MOST_MOMENTS])


def moment_line(moments: Sequence[tuple[int, float]], rank: int | None) -> str:
    """Which of the moments is on screen; None: another position is."""
    if not moments:
        return ""
    if rank is None:
        return tr("Read most at token {position}: {share}").format(
            position=fmt.count(moments[0][0] + 1), share=percent(moments[0][1])
        )
    return tr("Moment {rank} of {moments}: {share}").format(
        rank=rank + 1, moments=len(moments), share=percent(moments[rank][1])
    )


def tokens_line(reading: RecallReading) -> str:
    """Which tokens can be selected."""
    if not reading.start:
        return sentence(fmt.plural(reading.total, "token"))
    return tr("The last {texts} of {tokens}.").format(
        texts=fmt.count(len(reading.texts)), tokens=fmt.plural(reading.total, "token")
    )


def query_line(reading: RecallReading, query: int) -> str:
    """The position of the query: the token just read, and the one that came next."""
    position = reading.first_query + query
    texts, at = reading.texts, position - reading.start
    after = (
        tr(", and the next token is {texts}").format(texts=quoted(texts[at + 1]))
        if at + 1 < len(texts)
        else tr(", the last token there is")
    )
    return tr("Token {position} of {total} has just been read: {texts}{after}.").format(
        position=fmt.count(position + 1),
        total=fmt.count(reading.total),
        texts=quoted(texts[at]),
        after=after,
    )


def even_share(reading: RecallReading, query: int) -> float:
    """The needle's share if every token seen had the same."""
    if reading.needle is None:
        return 0.0
    first, end = reading.needle
    seen = reading.first_query + query + 1
    return (min(end, seen) - first) / seen


def strongest(reading: RecallReading, kind: LayerKind, query: int) -> int:
    """Of the layers of a kind, of which there are some, the one that reads the needle most."""
    layers = [layer for layer in reading.layers if layer.kind == kind]
    return max(layers, key=lambda layer: layer.shares[query]).layer


def summary(reading: RecallReading, query: int) -> str:
    """The layer of each kind in which the needle contributes most."""
    parts = []
    needle = quoted(needle_text(reading))
    full = [layer for layer in reading.layers if layer.kind == "full"]
    linear = [layer for layer in reading.layers if layer.kind == "linear"]
    if full:
        best = max(full, key=lambda layer: layer.shares[query])
        parts.append(
            tr(
                "Layer {layer} (full) puts {shares} of its attention on {needle}; an "
                "even share would be {reading}."
            ).format(
                layer=best.layer,
                shares=percent(best.shares[query]),
                needle=needle,
                reading=percent(even_share(reading, query)),
            )
        )
    if linear:
        best = max(linear, key=lambda layer: layer.shares[query])
        most = percent(best.shares[query])
        parts.append(
            tr(
                "Of what a linear layer reads, at most {most} was written by it (layer {layer})."
            ).format(most=most, layer=best.layer)
        )
        clear = max(linear, key=lambda layer: layer.answers[query])
        parts.append(
            tr(
                "Asked with the needle's own key, layer {layer} returns its value best: {answers}."
            ).format(layer=clear.layer, answers=cosine(clear.answers[query]))
        )
    return in_turn(*parts)


def heads_line(layer: LayerRecall, query: int) -> str:
    """The figures of a layer's heads."""
    shares = listed(
        tr("head {at} {head}").format(at=at, head=percent(head[query]))
        for at, head in enumerate(layer.head_shares)
    )
    line = tr("Layer {layer}, {kind}: {shares}.").format(
        layer=layer.layer, kind=KIND_WORDS[layer.kind], shares=shares
    )
    if not layer.head_answers:
        return line
    answers = listed(cosine(head[query]) for head in layer.head_answers)
    return tr("{line} Own key, by head: {answers}.").format(line=line, answers=answers)
