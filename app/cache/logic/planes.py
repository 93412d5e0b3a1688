"""The parts of the memory bars: bytes by plane, and of routed experts. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.snapshot import CacheSnapshot, ExpertsView, PoolView


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the bar.

    Attributes:
        key: names its colour in the theme.
        slots: of the pool, 0 where the part has no slots.
        unit: what one slot holds.
    """

    key: str
    label: str
    bytes: int
    slots: int = 0
    unit: str = ""

    @property
    def tooltip(self) -> str:
        text = tr("{label}\n{bytes} ({bytes2} bytes)").format(
            label=self.label, bytes=fmt.byte_size(self.bytes), bytes2=fmt.count(self.bytes)
        )
        return f"{text}\n{fmt.plural(self.slots, self.unit)}" if self.unit else text


def parts(snapshot: CacheSnapshot) -> tuple[Part, ...]:
    """The bar's parts in order; their bytes sum to exactly what the engine holds."""
    memory = snapshot.memory
    return (
        Part("weights", tr("Weights"), memory.weights),
        *_pool(snapshot.kv, memory.kv_plane, "kv", "KV", "token"),
        *_pool(snapshot.state, memory.state_plane, "state", tr("State"), "checkpoint"),
        Part("workspace", tr("Workspace"), memory.workspace),
    )


def _pool(pool: PoolView, total: int, key: str, name: str, unit: str) -> tuple[Part, ...]:
    """A plane's parts. Bytes that no slot accounts for (padding) count as free."""
    live = Part(
        f"{key}_live",
        tr("{name} of the running request").format(name=name),
        pool.live * pool.slot_bytes,
        pool.live,
        unit if key == "kv" else "slot",
    )
    locked = Part(
        f"{key}_locked",
        tr("{name} cached, locked").format(name=name),
        pool.locked * pool.slot_bytes,
        pool.locked,
        unit,
    )
    kept = pool.cached - pool.locked
    cached = Part(
        f"{key}_cached",
        tr("{name} cached, evictable").format(name=name),
        kept * pool.slot_bytes,
        kept,
        unit,
    )
    used = live.bytes + locked.bytes + cached.bytes
    free = Part(
        f"{key}_free",
        tr("{name} free").format(name=name),
        total - used,
        pool.free,
        unit if key == "kv" else "slot",
    )
    return (live, locked, cached, free)


def total_bytes(snapshot: CacheSnapshot) -> int:
    memory = snapshot.memory
    return memory.weights + memory.kv_plane + memory.state_plane + memory.workspace


def widths(sizes: tuple[int, ...], room: int, smallest: int = 2) -> tuple[int, ...]:
    """Pixels for each size, to scale, summing to `room`; non-zero ones get at least `smallest`."""
    total = sum(sizes)
    if total <= 0 or room <= 0:
        return tuple(0 for _ in sizes)
    exact = [size * room / total for size in sizes]
    made = [
        0 if size <= 0 else max(smallest, int(width))
        for size, width in zip(sizes, exact, strict=True)
    ]
    # The widest part absorbs the rounding, where it shows least.
    widest = max(range(len(made)), key=lambda i: made[i])
    made[widest] = max(0, made[widest] + room - sum(made))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class PlaneText:
    """One plane in words: "412 MiB of 1.00 GiB" and "34,221 tokens"."""

    key: str
    name: str
    bytes: str
    slots: str

    @property
    def wordings(self) -> tuple[str, ...]:
        """The figures on one line, shortened where that is too long."""
        if not self.slots:
            return (self.bytes,)
        brief = fmt.shared_unit(self.bytes)
        return f"{self.bytes} · {self.slots}", f"{brief} · {self.slots}", brief


def plane_texts(snapshot: CacheSnapshot) -> tuple[PlaneText, ...]:
    """The legend under the bar."""
    kv, state, memory = snapshot.kv, snapshot.state, snapshot.memory
    if "sizes" in snapshot.untold:
        return _counted(snapshot)
    return (
        PlaneText("weights", tr("Weights"), fmt.byte_size(memory.weights), ""),
        PlaneText(
            "kv_cached",
            tr("KV plane"),
            _of(kv),
            fmt.plural(kv.cached + kv.live, "token"),
        ),
        PlaneText(
            "state_cached",
            tr("State plane"),
            _of(state),
            fmt.plural(state.cached, "checkpoint"),
        ),
        # A running request's working state is outside the budget.
        PlaneText(
            "workspace",
            tr("Workspace"),
            fmt.byte_size(memory.workspace + state.beside * state.slot_bytes),
            "",
        ),
        *draft_texts(snapshot),
        *lower_texts(snapshot),
    )


def draft_texts(snapshot: CacheSnapshot) -> tuple[PlaneText, ...]:
    """What drafts take of the above; nothing where they take none."""
    drafts = snapshot.memory.drafts
    if not drafts:
        return ()
    return (
        PlaneText(
            "drafts", tr("Drafts"), tr("{size} of these").format(size=fmt.byte_size(drafts)), ""
        ),
    )


def _counted(snapshot: CacheSnapshot) -> tuple[PlaneText, ...]:
    """For a remote engine, which reports counts but neither bytes nor pools."""
    no_states = "states" in snapshot.untold
    states = tr("not told") if no_states else fmt.plural(snapshot.state.cached, "checkpoint")
    made = [
        PlaneText("kv_cached", tr("KV plane"), fmt.plural(snapshot.kv.cached, "token"), ""),
        PlaneText("state_cached", tr("State plane"), states, ""),
    ]
    if snapshot.host is not None and snapshot.host.kv.cached:
        tokens = fmt.plural(snapshot.host.kv.cached, "token")
        made.append(PlaneText("host", tr("Host tier"), tokens, ""))
    return tuple(made)


def expert_parts(experts: ExpertsView) -> tuple[Part, ...]:
    """The bar of routed experts: the resident ones, and the rest of their budget."""
    left = max(0, experts.budget_bytes - experts.used_bytes)
    return (
        Part("experts", tr("Experts in memory"), experts.used_bytes, experts.resident, "expert"),
        Part("experts_free", tr("Unused budget"), left),
    )


def expert_text(experts: ExpertsView) -> PlaneText:
    """The line under the experts' bar: "93% hits, 3.00 GiB of 4.00 GiB", "1,234 of 10,240"."""
    used = fmt.byte_size(experts.used_bytes)
    if experts.resident == experts.total:
        return PlaneText(
            "experts", tr("Experts"), used, tr("all {total}").format(total=fmt.count(experts.total))
        )
    share = hit_share(experts)
    # The hit rate, which says whether the budget is large enough, comes first: a narrow pane cuts
    # the end.
    hits = "" if share is None else tr("{share:.0%} hits, ").format(share=share)
    return PlaneText(
        "experts",
        tr("Experts"),
        tr("{hits}{used} of {budget_bytes}").format(
            hits=hits,
            used=used,
            budget_bytes=fmt.byte_size(max(experts.budget_bytes, experts.used_bytes)),
        ),
        tr("{resident} of {total}").format(
            resident=fmt.count(experts.resident), total=fmt.count(experts.total)
        ),
    )


def expert_detail(experts: ExpertsView) -> str:
    """The tooltip of the line."""
    share = hit_share(experts)
    asked = experts.hits + experts.misses
    if share is None:
        return tr("No tokens routed yet.")
    return tr(
        "Of {asked} expert lookups, {hits} ({share:.1%}) found the expert in "
        "memory; the rest read it from the files."
    ).format(asked=fmt.count(asked), hits=fmt.count(experts.hits), share=share)


def hit_share(experts: ExpertsView) -> float | None:
    """The share of a token's experts that were resident, 0 to 1; None before any token."""
    asked = experts.hits + experts.misses
    return experts.hits / asked if asked else None


def lower_texts(snapshot: CacheSnapshot) -> tuple[PlaneText, ...]:
    """The lines of the lower tiers, if there are any."""
    texts = []
    if (host := snapshot.host) is not None:
        used = host.kv.used_bytes + host.state.used_bytes
        total = host.kv.budget_bytes + host.state.budget_bytes
        texts.append(
            PlaneText(
                "host",
                tr("Host tier"),
                tr("{used} of {total}").format(
                    used=fmt.byte_size(used), total=fmt.byte_size(total)
                ),
                fmt.plural(host.state.cached, "checkpoint"),
            )
        )
    if (disk := snapshot.disk) is not None:
        texts.append(
            PlaneText(
                "disk",
                tr("Disk tier"),
                tr("{used_bytes} of {budget_bytes}").format(
                    used_bytes=fmt.byte_size(disk.used_bytes),
                    budget_bytes=fmt.byte_size(disk.budget_bytes),
                ),
                fmt.plural(disk.files, "checkpoint"),
            )
        )
    elif snapshot.disk_untold:
        texts.append(PlaneText("disk", tr("Disk tier"), tr("not in this recording"), ""))
    return tuple(texts)


def _of(pool: PoolView) -> str:
    return tr("{used} of {total}").format(
        used=fmt.byte_size(pool.used_bytes), total=fmt.byte_size(pool.budget_bytes)
    )
