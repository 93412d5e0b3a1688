"""Sentences of the memory tab: designs, products, layers. Without Qt."""

from __future__ import annotations

from app.core.words import format as fmt
from app.core.words.joining import listed, sentence, titled
from app.core.words.tr import tr
from app.lab.logic.arithmetic import (
    HALF_ITEMSIZE,
    Design,
    DesignKey,
    Held,
    LayerMemory,
    Pools,
    Product,
    break_even,
    fixed_bytes,
    half_state_bytes,
    layer_memory,
    layer_pools,
    layer_token_bytes,
)
from engine.cache_shape import CacheShape

BUNDLED = "Biplane demo"
EXAMPLE_MODEL = tr("No model is open; as an example, the bundled one. {model}")
NAMES: dict[DesignKey, str] = {
    "every_head": tr("Full attention, every head"),
    "grouped": tr("Full attention, grouped heads"),
    "hybrid": tr("This model"),
}
_TIMES = " × "


def model_line(name: str, shape: CacheShape, room: int) -> str:
    """The open model: its layers, its window, and the cache's room if that is less."""
    line = tr(
        "{name}: {layers}, {full_layers} full and {linear_layers} linear. Window {window} tokens"
    ).format(
        name=name,
        layers=fmt.plural(len(shape.kinds), "layer"),
        full_layers=shape.full_layers,
        linear_layers=shape.linear_layers,
        window=fmt.count(shape.window),
    )
    return (
        tr("{line}; the cache has room for {room}.").format(line=line, room=fmt.count(room))
        if room < shape.window
        else sentence(line)
    )


def heads_line(shape: CacheShape) -> str:
    """What grouping means for this model, and from which length its linear layers save memory."""
    queries, kv = fmt.plural(shape.query_heads, "query head"), fmt.plural(shape.kv_heads, "head")
    grouped = (
        tr("{queries} share {kv} of keys and values.").format(queries=queries, kv=kv)
        if shape.query_heads != shape.kv_heads
        else tr("Its heads are not grouped.")
    )
    tokens = break_even(shape)
    if tokens is None:
        return tr("{grouped} It has no linear layers, so nothing is fixed.").format(grouped=grouped)
    fixed = fmt.byte_size(fixed_bytes(shape))
    return tr(
        "{grouped} The linear layers hold {fixed} at any length, which is less "
        "memory than grouped heads on every layer from {tokens} tokens on."
    ).format(grouped=grouped, fixed=fixed, tokens=fmt.count(tokens))


def elsewhere_line(shape: CacheShape) -> str:
    """How other texts write these sizes; "" if there are none of linear layers."""
    if not shape.linear_layers:
        return ""
    ours = shape.state_heads * shape.value_dim * shape.key_dim * shape.state_itemsize
    return tr(
        "Other texts write KB for KiB, and count two bytes a number: there the state of a linear "
        "layer is {there}, here, at {itemsize}, {here}."
    ).format(
        there=in_kilobytes(half_state_bytes(shape)),
        itemsize=shape.state_itemsize,
        here=fmt.byte_size(ours),
    )


def in_kilobytes(size: int) -> str:
    """As texts on these models write it, where a KB is 1,024 bytes: "512.0 KB"."""
    return f"{size / 1024:,.1f} KB"


def ratio_text(design: Design, hybrid: Design) -> str:
    """How a design compares with the model as it is: "15.9 ×"."""
    if design.key == "hybrid" or not hybrid.bytes:
        return ""
    times = design.bytes / hybrid.bytes
    return f"{times:.2f} ×" if times < 9.995 else f"{times:.1f} ×"


def product_text(product: Product) -> str:
    """ "6 full layers × 2 (K and V) × ... × 32,768 tokens = 402,653,184 B (384 MiB)"."""
    factors = _TIMES.join(f"{fmt.count(f.value)} {_unit(f.unit, f.value)}" for f in product.factors)
    return f"{factors} = {bytes_text(product.bytes)}"


def sum_lines(made: tuple[Design, ...]) -> tuple[tuple[str, str], ...]:
    """The subject of each line of arithmetic, and the line."""
    lines = []
    for design in made:
        if len(design.products) == 1:
            lines.append((NAMES[design.key], product_text(design.products[0])))
            continue
        name = NAMES[design.key]
        lines += [
            (listed((name, product.part)), product_text(product)) for product in design.products
        ]
        lines.append((tr("{name}, sum").format(name=name), _sum_text(design)))
    return tuple(lines)


def _sum_text(design: Design) -> str:
    terms = " + ".join(fmt.count(product.bytes) for product in design.products)
    return f"{terms} = {bytes_text(design.bytes)}"


def bytes_text(size: int) -> str:
    """All digits, and the size in a readable unit: "1,048,576 B (1.00 MiB)"."""
    return f"{fmt.count(size)} B ({fmt.byte_size(size)})" if size >= 1000 else f"{size} B"


def layer_title(layer: LayerMemory) -> str:
    kind = tr("full") if layer.kind == "full" else tr("linear")
    return tr("Layer {index}: {kind} attention, {bytes}").format(
        index=layer.index, kind=kind, bytes=fmt.byte_size(layer.bytes)
    )


def layer_lines(layer: LayerMemory, shape: CacheShape) -> tuple[str, ...]:
    """Each tensor of a layer with shape and bytes, and how it grows."""
    return (*map(held_text, layer.held), _growth(layer, shape))


def held_text(held: Held) -> str:
    """ "K [2, 32,768, 256] bfloat16: 33,554,432 B (32.0 MiB)"."""
    sizes = ", ".join(map(fmt.count, held.shape))
    return titled(f"{held.name} [{sizes}] {held.dtype}", bytes_text(held.bytes))


def now_lines(
    shape: CacheShape, index: int, tokens: int | None, pools: Pools | None
) -> tuple[str, ...]:
    """What a layer holds now, for the conversation on screen and for all that are cached."""
    lines = [tr("This conversation has no tokens yet.")]
    if tokens:
        lines = [held_text(held) for held in layer_memory(shape, index, tokens).held]
    if pools is not None:
        what = (
            fmt.plural(pools.tokens, "token")
            if shape.kinds[index] == "full"
            else fmt.plural(pools.states, "state")
        )
        size = fmt.byte_size(layer_pools(shape, index, pools))
        lines.append(
            tr("All conversations, on the device: {what}, {size}.").format(what=what, size=size)
        )
    return tuple(lines)


def _growth(layer: LayerMemory, shape: CacheShape) -> str:
    if layer.kind == "full":
        return tr("Each token adds {shape} B.").format(shape=fmt.count(layer_token_bytes(shape)))
    line = tr("The same at any length.")
    if shape.state_itemsize == HALF_ITEMSIZE:
        return line
    half = fmt.byte_size(half_state_bytes(shape))
    return tr(
        "{line} The state is kept in {state_dtype}; at {half_itemsize} bytes a "
        "number it would be {half}."
    ).format(line=line, state_dtype=shape.state_dtype, half_itemsize=HALF_ITEMSIZE, half=half)


def _unit(unit: str, value: int) -> str:
    return unit.removesuffix("s") if value == 1 and unit.endswith("s") else unit
