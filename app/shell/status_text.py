"""The texts of the status line. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator

from app.session.context_use import context_use
from app.session.loading import stage_words
from app.session.model import Session
from app.session.records import Coming, EnginePhase, EngineState
from app.words import format as fmt
from app.words.engine_words import said
from app.words.joining import listed, more
from app.words.kernel_words import kernels_sentence
from app.words.tr import tr
from engine.events import ModelInfo


def model_text(engine: EngineState) -> str:
    match engine.phase:
        case EnginePhase.LOADING | EnginePhase.CLOSING:
            stage = stage_words(engine.stage)
            return stage if engine.fraction is None else listed((stage, f"{engine.fraction:.0%}"))
        case EnginePhase.READY if engine.model is not None:
            model = engine.model
            if model.remote:
                return tr("{name} · {program} at {place}").format(
                    name=model.name, program=model.remote, place=model.device
                )
            return tr("{name} · {numbers} on {device}{kernels}").format(
                name=model.name,
                numbers=numbers_text(model),
                device=model.device,
                kernels=kernels_text(model),
            )
        case EnginePhase.FAILED:
            return tr("No model")
    return tr("No model open")


def coming_text(coming: Coming) -> str:
    """A model being opened: "Opening Qwen3.5-4B: reading weights, 33%"."""
    stage = stage_words(coming.stage)
    stage = stage[:1].lower() + stage[1:]
    share = "" if coming.fraction is None else more(f"{coming.fraction:.0%}")
    return tr("Opening {name}: {stage}{share}").format(name=coming.name, stage=stage, share=share)


def numbers_text(model: ModelInfo) -> str:
    """The number formats of a model: "bfloat16", or "int8 weights, bfloat16"."""
    if model.weights in ("", model.dtype):
        return model.dtype
    return tr("{weights} weights, {dtype}").format(weights=model.weights, dtype=model.dtype)


def kernels_text(model: ModelInfo) -> str:
    """What runs the model, to follow the device: ", AMX"."""
    return more(said(model.kernels))


def model_details(engine: EngineState) -> str:
    """Facts about the model, line by line, and what loading it skipped or changed."""
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
    """What an engine elsewhere tells of its model, line by line."""
    yield tr("{model}, served by {program}").format(model=model.name, program=model.remote)
    if model.parameters:
        yield tr("{count} parameters").format(count=fmt.count(model.parameters))
    yield (
        tr("A context of {count} tokens").format(count=fmt.count(model.context))
        if model.context
        else tr("How long its context is, the server does not say")
    )
    yield model.folder


def context_text(session: Session) -> str:
    """How full the current conversation's context is: "context 4,873 of 32,768 (15%)"."""
    use = context_use(session)
    if use is None:
        return ""
    return tr("context {used} of {window} ({share:.0%})").format(
        used=fmt.count(use.used), window=fmt.count(use.window), share=use.share
    )


def rate_text(session: Session) -> str:
    """Tokens per second: of the running answer, else of the last one."""
    if session.rate.value is not None:
        return fmt.rate(session.rate.value)
    last = next((turn for turn in reversed(session.current.turns) if turn.report), None)
    if last is None or last.report is None or last.report.decode_tok_s is None:
        return ""
    return fmt.rate(last.report.decode_tok_s)
