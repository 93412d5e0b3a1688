"""The open model in words: its name and state, what it runs on, and its details. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.session.loading import stage_words
from app.core.session.records import Coming, EnginePhase, EngineState
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import listed, more
from app.core.words.model_words import kernels_sentence
from app.core.words.tr import tr
from engine.events import ModelInfo


def button_text(engine: EngineState, coming: Coming | None) -> str:
    """The state in a few words: the model's name, "Loading 43%", or "Open a model"."""
    if coming is not None:
        return _loading(coming.fraction)
    match engine.phase:
        case EnginePhase.LOADING:
            return _loading(engine.fraction)
        case EnginePhase.CLOSING:
            return tr("Closing…")
        case EnginePhase.READY if engine.model is not None:
            return engine.model.name
    return tr("Open a model")


def _loading(fraction: float | None) -> str:
    if fraction is None:
        return tr("Loading…")
    return tr("Loading {share}").format(share=f"{fraction:.0%}")


def state_details(engine: EngineState, coming: Coming | None) -> str:
    """The stage of opening a model, and the details of the open one, line by line."""
    lines = [model_details(engine)]
    if coming is not None:
        lines.insert(0, coming_text(coming))
    elif engine.phase in (EnginePhase.LOADING, EnginePhase.CLOSING):
        stage = stage_words(engine.stage)
        share = "" if engine.fraction is None else f"{engine.fraction:.0%}"
        lines.insert(0, listed((stage, share)))
    return "\n".join(filter(None, lines))


def coming_text(coming: Coming) -> str:
    """A model being opened: "Opening Qwen3.5-4B: reading weights, 33%"."""
    stage = stage_words(coming.stage)
    stage = stage[:1].lower() + stage[1:]
    share = "" if coming.fraction is None else more(f"{coming.fraction:.0%}")
    return tr("Opening {name}: {stage}{share}").format(name=coming.name, stage=stage, share=share)


def hardware_text(model: ModelInfo) -> str:
    """What it runs on: "bfloat16 on cpu, AVX-512", or "SGLang at 10.0.0.2:8000"."""
    if model.remote:
        return tr("{program} at {place}").format(program=model.remote, place=model.device)
    return tr("{numbers} on {device}{kernels}").format(
        numbers=numbers_text(model), device=model.device, kernels=kernels_text(model)
    )


def numbers_text(model: ModelInfo) -> str:
    """The number formats of a model: "bfloat16", or "int8 weights, bfloat16"."""
    if model.weights in ("", model.dtype):
        return model.dtype
    return tr("{weights} weights, {dtype}").format(weights=model.weights, dtype=model.dtype)


def kernels_text(model: ModelInfo) -> str:
    """The kernels that run the model, appended to the device: ", AMX"."""
    return more(said(model.kernels))


def model_details(engine: EngineState) -> str:
    """Details of the model, line by line, and what loading it skipped or changed."""
    model = engine.model
    if model is None:
        return ""
    if model.remote:
        return "\n".join(_remote_details(model))
    return "\n".join(
        (
            f"{model.name} ({model.family})",
            tr("{parameters} parameters in {weight_bytes}, {numbers} on {device}").format(
                parameters=fmt.count(model.parameters),
                weight_bytes=fmt.byte_size(model.weight_bytes),
                numbers=numbers_text(model),
                device=model.device,
            ),
            tr("{layers} layers: {linear_layers} linear, {full_layers} attention").format(
                layers=model.layers,
                linear_layers=model.linear_layers,
                full_layers=model.full_layers,
            ),
            tr("{kv_bytes_per_token} of KV per token, {checkpoint_bytes} per checkpoint").format(
                kv_bytes_per_token=fmt.byte_size(model.kv_bytes_per_token),
                checkpoint_bytes=fmt.byte_size(model.checkpoint_bytes),
            ),
            *([kernels_sentence(model.kernels)] if model.kernels else []),
            model.folder,
            *model.notes,
        )
    )


def _remote_details(model: ModelInfo) -> Iterator[str]:
    """What an engine elsewhere reports of its model, line by line."""
    yield tr("{model}, served by {program}").format(model=model.name, program=model.remote)
    if model.parameters:
        yield tr("{count} parameters").format(count=fmt.count(model.parameters))
    yield (
        tr("A context of {count} tokens").format(count=fmt.count(model.context))
        if model.context
        else tr("How long its context is, the server does not say")
    )
    yield model.folder
